// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of one item side by side, such as the three floats of vload3 or the members of a
// structure, be they scalars or OpenCL vectors, become one of an OpenCL vector where lanes are
// apart: what would be a gather or a wide access for each of them is one wide access for all.

#include "vector/prepare.h"
#include "vector/shape.h"
#include "vector/wide.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** Elements; longer ones cost more to take apart than they save. */
constexpr int64_t maxBundle = 8;
/** Bytes, where lanes are anywhere: rows of their own, which are transposed. */
constexpr int64_t maxRow = 32;
/** Accesses that are looked at together. */
constexpr size_t maxOpen = 64;

/** An access with its distance in bytes from the first one of the bundle. */
struct Member {
    Instruction *access;
    int64_t distance;
};

using Bundle = SmallVector<Member, 8>;

class Bundles {
  public:
    Bundles(Function &kernel, FunctionAnalysisManager &analyses)
        : kernel(kernel), layout(kernel.getDataLayout()), shapes(kernel),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(kernel)) {}

    SmallVector<Bundle, 4> find();
    void merge(const Bundle &bundle);

  private:
    bool isCandidate(const Instruction &instruction) const;
    void add(Instruction &access);
    bool overlaps(const Bundle &bundle, int64_t distance) const;
    void close();
    void finish(Bundle &open);
    int64_t sizeOf(const Instruction &access) const {
        return static_cast<int64_t>(layout.getTypeStoreSize(getLoadStoreType(&access)));
    }

    Function &kernel;
    const DataLayout &layout;
    Shapes shapes;
    ScalarEvolution &evolution;
    SmallVector<Bundle, 4> open, found;
};

/** An access whose lanes are so far apart, as far as is known or guessed, that others lie between;
 * or a load from anywhere. */
bool Bundles::isCandidate(const Instruction &instruction) const {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if ((!load || !load->isSimple()) && (!store || !store->isSimple()))
        return false;
    Type *type = getLoadStoreType(&instruction);
    const auto bits = type->getScalarSizeInBits();
    if ((!type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy()) || bits < 8 || bits > 64 ||
        !isPowerOf2_64(bits) || !isPowerOf2_32(partCount(type)))
        return false;
    const Shape shape = shapes.of(*getLoadStorePointerOperand(&instruction));
    const std::optional<int64_t> stride = shape.likely();
    const int64_t size = sizeOf(instruction);
    if (!stride)
        return load;
    return std::abs(*stride) >= 2 * size && *stride % size == 0;
}

/** A store there writes some of what one of these does, which are all of its size. */
bool Bundles::overlaps(const Bundle &bundle, int64_t distance) const {
    const int64_t size = sizeOf(*bundle[0].access);
    return any_of(
        bundle, [&](const Member &member) { return std::abs(member.distance - distance) < size; });
}

/** To the bundle that it lies near, or as the first of a new one. */
void Bundles::add(Instruction &access) {
    const SCEV *place = evolution.getSCEV(getLoadStorePointerOperand(&access));
    for (Bundle &bundle : open) {
        Instruction &first = *bundle[0].access;
        if (first.getOpcode() != access.getOpcode() ||
            getLoadStoreType(&first) != getLoadStoreType(&access))
            continue;
        auto *apart = dyn_cast<SCEVConstant>(
            evolution.getMinusSCEV(place, evolution.getSCEV(getLoadStorePointerOperand(&first))));
        if (!apart || !apart->getAPInt().isSignedIntN(32))
            continue;
        const int64_t distance = apart->getAPInt().getSExtValue();
        if (isa<StoreInst>(access) && overlaps(bundle, distance))
            break;
        bundle.push_back({&access, distance});
        return;
    }
    if (isa<StoreInst>(access)) /* all others might overlap it */
        close();
    open.push_back({{&access, 0}});
}

/** Where lanes are that far apart, several elements side by side are cheaper than one by one.
 * Vectors that lie further apart are rows either way, which are loaded and stored by 16 bytes. */
bool isWorthIt(int64_t count, int64_t groups, int64_t elements, int64_t size) {
    if (elements > 1)
        return groups <= maxBundle / elements;
    return groups <= count + 1 || (groups > maxBundle && count * size >= 8);
}

/** Finds runs of elements side by side in what lies near each other. */
void Bundles::finish(Bundle &near) {
    stable_sort(near, [](const Member &a, const Member &b) { return a.distance < b.distance; });
    const Instruction &first = *near[0].access;
    const int64_t size = sizeOf(first);
    const Shape shape = shapes.of(*getLoadStorePointerOperand(&first));
    const std::optional<int64_t> stride = shape.likely();
    const int64_t elements = partCount(getLoadStoreType(&first));
    const int64_t groups = stride ? std::abs(*stride) / size : INT64_MAX;
    const auto most =
        static_cast<size_t>(stride ? std::min(groups, maxBundle / elements) : maxRow / size);
    for (size_t from = 0, to; from < near.size(); from = to) {
        for (to = from + 1; to < near.size() && to - from < most &&
                            near[to].distance == near[to - 1].distance + size;)
            to++;
        const auto count = static_cast<int64_t>(to - from);
        if (count > 1 && isWorthIt(count, groups, elements, size))
            found.push_back(Bundle(near.begin() + from, near.begin() + to));
    }
}

void Bundles::close() {
    for (Bundle &bundle : open)
        finish(bundle);
    open.clear();
}

/** Loads move to the first of their bundle, stores to the last: nothing comes between that writes
 *  what is loaded, or accesses what is stored. Stores that overlap are in no bundle together. */
SmallVector<Bundle, 4> Bundles::find() {
    for (BasicBlock &block : kernel) {
        for (Instruction &instruction : block) {
            const bool isOpen = !open.empty();
            const bool stores = isOpen && isa<StoreInst>(open[0][0].access);
            if (!instruction.mayReadOrWriteMemory() && !instruction.mayThrow())
                continue;
            const bool candidate = isCandidate(instruction);
            if (isOpen && (stores || instruction.mayWriteToMemory()) &&
                !(candidate && stores && isa<StoreInst>(instruction)))
                close();
            if (!candidate || open.size() >= maxOpen)
                continue;
            add(instruction);
        }
        close();
    }
    return std::move(found);
}

Value *sideBySide(IRBuilderBase &builder, ArrayRef<Value *> values) {
    Type *type = values[0]->getType();
    if (type->isVectorTy())
        return concatenateVectors(builder, values);
    Value *all = PoisonValue::get(FixedVectorType::get(type, static_cast<unsigned>(values.size())));
    for (auto [index, value] : enumerate(values))
        all = builder.CreateInsertElement(all, value, index);
    return all;
}

void Bundles::merge(const Bundle &bundle) {
    const bool isStore = isa<StoreInst>(bundle[0].access);
    const Member *at = &bundle[0]; /* where the merged access is: the last store, the first load */
    for (const Member &member : drop_begin(bundle))
        if (isStore ? at->access->comesBefore(member.access)
                    : member.access->comesBefore(at->access))
            at = &member;
    IRBuilder<> builder(at->access);
    Value *pointer = getLoadStorePointerOperand(at->access);
    const int64_t back = bundle[0].distance - at->distance;
    if (back)
        pointer = builder.CreateGEP(builder.getInt8Ty(), pointer,
                                    builder.getInt64(static_cast<uint64_t>(back)));
    Type *type = getLoadStoreType(at->access);
    const unsigned each = partCount(type);
    const auto count = static_cast<unsigned>(bundle.size());
    const Align align = getLoadStoreAlignment(bundle[0].access);
    if (isStore) {
        SmallVector<Value *, 8> values;
        for (const Member &member : bundle)
            values.push_back(cast<StoreInst>(member.access)->getValueOperand());
        builder.CreateAlignedStore(sideBySide(builder, values), pointer, align);
    } else {
        Value *all = builder.CreateAlignedLoad(
            FixedVectorType::get(type->getScalarType(), each * count), pointer, align);
        for (unsigned index = 0; index < count; index++)
            bundle[index].access->replaceAllUsesWith(
                type->isVectorTy()
                    ? builder.CreateShuffleVector(all, createSequentialMask(index * each, each, 0))
                    : builder.CreateExtractElement(all, index));
    }
    for (const Member &member : bundle)
        member.access->eraseFromParent();
}

} // namespace

/* What is known of the kernel was found before others changed it, and will be old soon. */

bool hasBundles(Function &kernel, FunctionAnalysisManager &analyses) {
    analyses.clear(kernel, kernel.getName());
    bool found = !Bundles(kernel, analyses).find().empty();
    analyses.clear(kernel, kernel.getName());
    return found;
}

unsigned countBundledNarrow(Function &kernel, FunctionAnalysisManager &analyses) {
    constexpr unsigned narrow = 32; /* bits */
    unsigned count = 0;
    analyses.clear(kernel, kernel.getName());
    for (const Bundle &bundle : Bundles(kernel, analyses).find())
        if (getLoadStoreType(bundle[0].access)->getScalarSizeInBits() < narrow)
            count += static_cast<unsigned>(bundle.size());
    analyses.clear(kernel, kernel.getName());
    return count;
}

void bundleAccesses(Function &kernel, FunctionAnalysisManager &analyses) {
    analyses.clear(kernel, kernel.getName());
    {
        Bundles bundles(kernel, analyses);
        SmallVector<Bundle, 4> all = bundles.find();
        for (const Bundle &bundle : all)
            bundles.merge(bundle);
    }
    analyses.clear(kernel, kernel.getName());
}

} // namespace weft
