// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Private variables of a wide kernel: memory for all lanes.

#include "norm/internals.h"
#include "vector/prepare.h"
#include "vector/wide.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

/** How a variable is used: whether elements of one size can lie side by side for all lanes. */
class VariableAccesses {
  public:
    VariableAccesses(AllocaInst &variable, const DataLayout &layout) : layout(layout) {
        follow(variable);
        regular = regular && bytes;
    }

    bool regular = true;
    uint64_t bytes = 0; /* of each element that is loaded or stored */
    SmallVector<GetElementPtrInst *, 16> pointers;
    SmallVector<CallInst *, 16> vectors; /* accesses of several elements */

  private:
    void follow(Instruction &pointer) {
        for (Use &use : pointer.uses()) {
            auto *user = cast<Instruction>(use.getUser());
            if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
                pointers.push_back(gep);
                follow(*gep);
            } else if (LaneAccess access = laneAccess(*user)) {
                noteAccess(access, use);
            } else {
                regular = false;
            }
        }
    }

    void noteAccess(const LaneAccess &access, const Use &use) {
        Type *type = access.value()->getType(), *element = type->getScalarType();
        uint64_t size = layout.getTypeStoreSize(element);
        bool isPlace = access.isStore ? use.getOperandNo() == 1 : use.getOperandNo() == 0;
        if (!isPlace || (bytes && bytes != size) ||
            (type->isVectorTy() && layout.getTypeSizeInBits(element) != size * 8))
            regular = false;
        bytes = size;
        if (type->isVectorTy())
            vectors.push_back(access.call);
    }

    const DataLayout &layout;
};

/** All that is added to the address is a multiple of the element's size. */
bool isMultiple(GetElementPtrInst &gep, uint64_t bytes, const DataLayout &layout) {
    for (auto type = gep_type_begin(gep), end = gep_type_end(gep); type != end; type++) {
        uint64_t each;
        if (StructType *structure = type.getStructTypeOrNull())
            each = layout.getStructLayout(structure)->getElementOffset(
                cast<ConstantInt>(type.getOperand())->getZExtValue());
        else if (auto *constant = dyn_cast<ConstantInt>(type.getOperand()))
            each = type.getSequentialElementStride(layout) * constant->getZExtValue();
        else
            each = type.getSequentialElementStride(layout);
        if (each % bytes)
            return false;
    }
    return true;
}

/** All lanes are at one place: what they access side by side is one vector access. */
bool isUniform(const GetElementPtrInst &gep, const Shapes &shapes) {
    return all_of(gep.indices(), [&](const Use &index) { return shapes.of(*index).isUniform(); });
}

/** Loads or stores the elements of an OpenCL vector one by one. */
void split(CallInst &call, uint64_t bytes, SmallVectorImpl<GetElementPtrInst *> &pointers) {
    LaneAccess access = laneAccess(call);
    auto *type = cast<FixedVectorType>(access.value()->getType());
    const Align align = std::min(access.align(), Align(bytes)); /* of any lane's element */
    IRBuilder<> builder(&call);
    Value *whole = PoisonValue::get(type);
    for (unsigned index = 0; index < type->getNumElements(); index++) {
        auto *place = GetElementPtrInst::CreateInBounds(builder.getInt8Ty(), access.pointer(),
                                                        {builder.getInt64(index * bytes)});
        builder.Insert(place);
        pointers.push_back(place);
        if (access.isStore) {
            Value *element = builder.CreateExtractElement(access.value(), index);
            StoreInst *store = builder.CreateAlignedStore(element, place, align);
            createLaneStore(builder, *store, access.mask(), access.some());
            store->eraseFromParent();
        } else {
            LoadInst *load = builder.CreateAlignedLoad(type->getElementType(), place, align);
            Value *element = createLaneLoad(builder, *load, access.mask(), access.some());
            load->eraseFromParent();
            whole = builder.CreateInsertElement(whole, element, index);
        }
    }
    if (!access.isStore)
        call.replaceAllUsesWith(whole);
    call.eraseFromParent();
}

void makeWide(AllocaInst &variable, unsigned width, const DataLayout &layout,
              const Shapes &shapes) {
    VariableAccesses accesses(variable, layout);
    bool sideBySide = accesses.regular && all_of(accesses.pointers, [&](GetElementPtrInst *gep) {
                          return isMultiple(*gep, accesses.bytes, layout) &&
                                 (accesses.vectors.empty() || isUniform(*gep, shapes));
                      });
    if (sideBySide)
        for (CallInst *vector : accesses.vectors)
            split(*vector, accesses.bytes, accesses.pointers);
    uint64_t size = variable.getAllocationSize(layout)->getFixedValue();
    Align align = std::max(variable.getAlign(), Align(8));
    uint64_t distance = sideBySide ? accesses.bytes : alignTo(size, align);
    IRBuilder<> builder(&variable);
    Type *byte = builder.getInt8Ty();
    auto *all = builder.CreateAlloca(
        ArrayType::get(byte, (sideBySide ? alignTo(size, accesses.bytes) : distance) * width),
        variable.getAddressSpace());
    all->setAlignment(std::max(align, Align(64)));
    all->takeName(&variable);
    if (sideBySide)
        all->setMetadata(sideBySideMetadata, MDNode::get(all->getContext(), {}));
    builder.SetInsertPoint(variable.getParent(),
                           variable.getParent()->getFirstNonPHIOrDbgOrAlloca());
    Value *offset =
        builder.CreateMul(callInternal(builder, Internal::LaneId), builder.getInt64(distance));
    Value *mine = builder.CreateGEP(byte, all, offset);
    variable.replaceAllUsesWith(mine);
    variable.eraseFromParent();
    if (!sideBySide)
        return;
    for (GetElementPtrInst *gep : accesses.pointers) {
        builder.SetInsertPoint(gep);
        Value *scaled =
            builder.CreateMul(emitGEPOffset(&builder, layout, gep), builder.getInt64(width));
        Value *pointer = builder.CreateGEP(byte, gep->getPointerOperand(), scaled);
        gep->replaceAllUsesWith(pointer);
        gep->eraseFromParent();
    }
}

} // namespace

void forgetWhoComes(Function &kernel) {
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        IRBuilder<> builder(&instruction);
        Value *value = nullptr;
        if (isa<ZExtInst>(instruction) && instruction.hasNonNeg())
            value = builder.CreateSExt(instruction.getOperand(0), instruction.getType());
        else if (auto *either = dyn_cast<PossiblyDisjointInst>(&instruction);
                 either && either->isDisjoint())
            value = builder.CreateAdd(either->getOperand(0), either->getOperand(1));
        if (!value)
            continue;
        value->takeName(&instruction);
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
    }
}

void layOutPrivate(Function &kernel) {
    gatherVariables(kernel); /* passes have put values of arguments in front of them */
    SmallVector<AllocaInst *, 8> variables;
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            variables.push_back(variable);
        // Lanes that wait behind a loop still need what others begin anew.
        if (isa<LifetimeIntrinsic>(instruction))
            instruction.eraseFromParent();
    }
    if (variables.empty())
        return;
    const Shapes shapes(kernel);
    for (AllocaInst *variable : variables)
        makeWide(*variable, widthOf(kernel), kernel.getParent()->getDataLayout(), shapes);
}

} // namespace weft
