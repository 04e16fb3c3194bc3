// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `global float *of[4] = {a, b, c, d}; ... of[k]`: a short private array that is filled once and
// then read. In memory each lane has its own, so that nothing is known of what is read there: not
// that it is the same for all lanes, nor what it points to. And lanes at different places gather.
// So what is read becomes a choice among the values. LLVM's SROA wants constant places.

#include "vector/prepare.h"
#include "vector/shape.h"
#include "vector/tables.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

using namespace llvm;

namespace weft {

namespace {

/** Where lanes choose differently, a comparison and a choice for each element but one take less
 *  than a gather as long as there are so many. */
constexpr uint64_t mostElements = 8;
/** Choices that all reads of an array may become: loops over it may have been unrolled. */
constexpr uint64_t mostChoices = 256;

/** An element that is read: `index` elements behind one that is known. */
struct Read {
    LoadInst *load;
    Value *index;
    uint64_t first;
};

class FilledArray {
  public:
    explicit FilledArray(AllocaInst &array)
        : array(array), layout(array.getFunction()->getDataLayout()) {}

    /** Each element is stored once, at a constant place, before any is read at one that is not. */
    bool isFilled(const DominatorTree &tree);
    /** Whether choices are better than memory. */
    bool pays(const Shapes &shapes) const;
    /** Its places and what is read from it are no more. */
    void choose();
    AllocaInst &variable() const { return array; }

  private:
    Value *choice(const Read &read) const;
    bool follow(Instruction &pointer);
    bool note(StoreInst &store);
    bool note(LoadInst &load);
    bool hasElements(Type *type);

    AllocaInst &array;
    const DataLayout &layout;
    Type *element = nullptr;
    uint64_t elementBytes = 0;
    SmallVector<StoreInst *, mostElements> stores; /* by element */
    SmallVector<Read, 8> reads;
    SmallVector<Instruction *, 16> others; /* addresses and lifetimes; users behind what they use */
};

bool FilledArray::hasElements(Type *type) {
    if (!element && (type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy())) {
        const uint64_t bytes = array.getAllocationSize(layout)->getFixedValue();
        elementBytes = layout.getTypeAllocSize(type);
        if (layout.getTypeSizeInBits(type) == elementBytes * 8 && bytes % elementBytes == 0 &&
            bytes / elementBytes >= 2 && bytes / elementBytes <= mostElements) {
            element = type;
            stores.resize(bytes / elementBytes);
        }
    }
    return element && (element == type || CastInst::isBitCastable(element, type));
}

bool FilledArray::note(StoreInst &store) {
    APInt bytes(64, 0);
    SmallMapVector<Value *, APInt, 4> added;
    if (!store.isSimple() || !hasElements(store.getValueOperand()->getType()) ||
        withoutOffsets(*store.getPointerOperand(), layout, bytes, added) != &array ||
        !added.empty() || bytes.urem(elementBytes))
        return false;
    const uint64_t which = bytes.getZExtValue() / elementBytes;
    if (which >= stores.size() || stores[which])
        return false;
    stores[which] = &store;
    return true;
}

bool FilledArray::note(LoadInst &load) {
    APInt bytes(64, 0);
    SmallMapVector<Value *, APInt, 4> added;
    if (!load.isSimple() || !hasElements(load.getType()) ||
        withoutOffsets(*load.getPointerOperand(), layout, bytes, added) != &array ||
        added.size() > 1 || bytes.urem(elementBytes) ||
        bytes.getZExtValue() / elementBytes >= stores.size())
        return false;
    if (!added.empty() && added.front().second != elementBytes)
        return false;
    reads.push_back({&load, added.empty() ? nullptr : added.front().first,
                     bytes.getZExtValue() / elementBytes});
    return true;
}

bool FilledArray::follow(Instruction &pointer) {
    for (User *user : pointer.users()) {
        auto *instruction = cast<Instruction>(user);
        bool isKnown = isa<LifetimeIntrinsic>(instruction);
        if (auto *store = dyn_cast<StoreInst>(instruction))
            isKnown = store->getValueOperand() != &pointer && note(*store);
        else if (auto *load = dyn_cast<LoadInst>(instruction))
            isKnown = note(*load);
        else if (isa<GetElementPtrInst>(instruction))
            isKnown = follow(*instruction);
        if (!isKnown)
            return false;
        if (!isa<LoadInst, StoreInst>(instruction))
            others.push_back(instruction);
    }
    return true;
}

bool FilledArray::isFilled(const DominatorTree &tree) {
    return array.isStaticAlloca() && follow(array) && element &&
           all_of(stores, [](StoreInst *store) { return store != nullptr; }) &&
           all_of(reads, [&](const Read &read) {
               return all_of(stores,
                             [&](StoreInst *store) { return tree.dominates(store, read.load); });
           });
}

bool FilledArray::pays(const Shapes &shapes) const {
    /* Places follow from integers and pointers; floats are as quick from memory, for all lanes. */
    const bool isSamePlace =
        !element->isFloatingPointTy() && all_of(stores, [&](const StoreInst *store) {
            return shapes.of(*store->getValueOperand()).isUniform();
        });
    return reads.size() * stores.size() <= mostChoices && any_of(reads, [&](const Read &read) {
               return read.index && (isSamePlace || !shapes.of(*read.index).isUniform());
           });
}

Value *FilledArray::choice(const Read &read) const {
    IRBuilder<> builder(read.load);
    auto value = [&](uint64_t which) {
        return builder.CreateBitCast(stores[which]->getValueOperand(), read.load->getType());
    };
    Value *chosen = value(read.first);
    for (uint64_t which = 0; read.index && which < stores.size(); which++) {
        const auto behind = static_cast<int64_t>(which) - static_cast<int64_t>(read.first);
        if (behind == 0)
            continue;
        Value *isThis =
            builder.CreateICmpEQ(read.index, ConstantInt::getSigned(read.index->getType(), behind));
        chosen = builder.CreateSelect(isThis, value(which), chosen);
    }
    return chosen;
}

void FilledArray::choose() {
    for (const Read &read : reads) {
        read.load->replaceAllUsesWith(choice(read));
        read.load->eraseFromParent();
    }
    for (StoreInst *store : stores)
        store->eraseFromParent();
    for (Instruction *other : others)
        other->eraseFromParent();
    array.eraseFromParent();
}

} // namespace

bool chooseElements(Function &kernel) {
    SmallVector<FilledArray, 4> filled;
    std::optional<DominatorTree> tree;
    for (Instruction &instruction : instructions(kernel)) {
        auto *variable = dyn_cast<AllocaInst>(&instruction);
        if (!variable)
            continue;
        if (!tree)
            tree.emplace(kernel);
        FilledArray array(*variable);
        if (array.isFilled(*tree))
            filled.push_back(array);
    }
    if (filled.empty())
        return false;
    const Shapes shapes(kernel);
    SmallVector<AllocaInst *, 4> variables;
    for (const FilledArray &array : filled)
        if (array.pays(shapes))
            variables.push_back(&array.variable());
    for (AllocaInst *variable : variables) {
        FilledArray array(*variable); /* anew: its indices may have been read from another one */
        if (array.isFilled(*tree))
            array.choose();
    }
    return !variables.empty();
}

} // namespace weft
