// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of one item side by side, such as the three floats of vload3 or the members of a
// structure, be they scalars or OpenCL vectors, become one of an OpenCL vector where lanes are
// apart: what would be a gather or a wide access for each of them is one wide access for all.

#include "vector/bundle.h"
#include "vector/apart.h"
#include "vector/prepare.h"
#include "vector/shape.h"
#include "vector/wide.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** Elements; longer ones cost more to take apart than they save. */
constexpr int64_t maxBundle = 8;
/** Bytes, where lanes are anywhere: rows of their own, which are transposed. */
constexpr int64_t maxRow = 32;
/** Bundles that are looked at together, and of these, stores: each later access is compared with
 *  them. */
constexpr size_t maxOpen = 64, maxOpenStores = 8;
/** Stores that a load is compared with before it moves in front of them. */
constexpr size_t maxPassed = 32;

bool isPlain(const Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    return (load && load->isSimple()) || (store && store->isSimple());
}

/** Accesses of one kind at known distances from the first one, to which more may come. */
struct Open {
    SmallVector<BundleMember, 8> members;
    MemoryLocation around;                   /* of all that lies about the first */
    SmallSetVector<Instruction *, 8> passed; /* loads: stores that later ones move before */
    bool isInDoubt = false; /* stores: they move behind what may be there if buffers overlap */
    bool needsApart = false;

    Instruction &first() const { return *members[0].access; }
    bool isStore() const { return isa<StoreInst>(first()); }
};

enum class Meeting { Never, Always, UnlessApart };

class Finder {
  public:
    Finder(Function &kernel, FunctionAnalysisManager &analyses, Buffers buffers)
        : kernel(kernel), layout(kernel.getDataLayout()), shapes(kernel),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(kernel)),
          aliases(analyses.getResult<AAManager>(kernel)), buffers(buffers) {}

    SmallVector<Bundle, 4> find();

  private:
    bool isCandidate(const Instruction &instruction) const;
    void look(Instruction &access);
    std::optional<int64_t> distance(Instruction &from, Instruction &to);
    Meeting ifKnown(const MemoryLocation &one, const MemoryLocation &other);
    Meeting meet(const Open &stores, Instruction &access);
    Meeting meet(Instruction &store, Instruction &load);
    Open *join(Instruction &access);
    bool mayJoin(Open &bundle, Instruction &access, int64_t distance);
    void passBy(Instruction &access, const Open *joined);
    void close(function_ref<bool(const Open &)> which);
    void closeOne(const Open &bundle) {
        close([&](const Open &each) { return &each == &bundle; });
    }
    void finish(Open &bundle);
    int64_t sizeOf(const Instruction &access) const {
        return static_cast<int64_t>(layout.getTypeStoreSize(getLoadStoreType(&access)));
    }

    Function &kernel;
    const DataLayout &layout;
    Shapes shapes;
    ScalarEvolution &evolution;
    AAResults &aliases;
    const Buffers buffers;
    SmallVector<std::unique_ptr<Open>, 4> open;
    SmallVector<Bundle, 4> found;
};

/** An access whose lanes are so far apart, as far as is known or guessed, that others lie between;
 * or a load from anywhere. */
bool Finder::isCandidate(const Instruction &instruction) const {
    Type *type = getLoadStoreType(&instruction);
    const auto bits = type->getScalarSizeInBits();
    if ((!type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy()) || bits < 8 || bits > 64 ||
        !isPowerOf2_64(bits) || !isPowerOf2_32(partCount(type)))
        return false;
    const Shape shape = shapes.of(*getLoadStorePointerOperand(&instruction));
    const std::optional<int64_t> stride = shape.likely();
    const int64_t size = sizeOf(instruction);
    if (!stride)
        return isa<LoadInst>(instruction);
    return std::abs(*stride) >= 2 * size && *stride % size == 0;
}

/** In bytes; none: not known, or far. */
std::optional<int64_t> Finder::distance(Instruction &from, Instruction &to) {
    auto *apart = dyn_cast<SCEVConstant>(
        evolution.getMinusSCEV(evolution.getSCEV(getLoadStorePointerOperand(&to)),
                               evolution.getSCEV(getLoadStorePointerOperand(&from))));
    if (!apart || !apart->getAPInt().isSignedIntN(32))
        return std::nullopt;
    return apart->getAPInt().getSExtValue();
}

/** For accesses whose distance is not known. */
Meeting Finder::ifKnown(const MemoryLocation &one, const MemoryLocation &other) {
    if (aliases.isNoAlias(one, other))
        return Meeting::Never;
    if (buffers == Buffers::AsKnown)
        return Meeting::Always;
    const Argument *buffer = bufferOf(*one.Ptr), *another = bufferOf(*other.Ptr);
    return buffer && another && buffer != another ? Meeting::UnlessApart : Meeting::Always;
}

/** Does the access touch what one of these stores writes? */
Meeting Finder::meet(const Open &stores, Instruction &access) {
    const int64_t size = sizeOf(access), each = sizeOf(stores.first());
    if (auto from = distance(stores.first(), access))
        return any_of(stores.members,
                      [&](const BundleMember &member) {
                          return *from < member.distance + each && member.distance < *from + size;
                      })
                   ? Meeting::Always
                   : Meeting::Never;
    return ifKnown(stores.around, MemoryLocation::get(&access));
}

Meeting Finder::meet(Instruction &store, Instruction &load) {
    if (auto from = distance(store, load))
        return *from < sizeOf(store) && 0 < *from + sizeOf(load) ? Meeting::Always : Meeting::Never;
    return ifKnown(MemoryLocation::get(&store), MemoryLocation::get(&load));
}

/** Whether it may move in front of what it would pass as a load, or what is there behind it. */
bool Finder::mayJoin(Open &bundle, Instruction &access, int64_t distance) {
    if (bundle.isStore()) {
        const int64_t size = sizeOf(access);
        bundle.needsApart |= bundle.isInDoubt;
        return none_of(bundle.members, [&](const BundleMember &member) {
            return std::abs(member.distance - distance) < size;
        });
    }
    bool isInDoubt = false;
    for (Instruction *store : bundle.passed) {
        const Meeting meeting = meet(*store, access);
        if (meeting == Meeting::Always)
            return false;
        isInDoubt |= meeting == Meeting::UnlessApart;
    }
    bundle.needsApart |= isInDoubt;
    return true;
}

/** The bundle that the access now is in; null: none. One that it lies near and cannot join ends. */
Open *Finder::join(Instruction &access) {
    for (auto &bundle : open) {
        Instruction &first = bundle->first();
        if (first.getOpcode() != access.getOpcode() ||
            getLoadStoreType(&first) != getLoadStoreType(&access))
            continue;
        const std::optional<int64_t> from = distance(first, access);
        if (!from)
            continue;
        if (mayJoin(*bundle, access, *from)) {
            bundle->members.push_back({&access, *from});
            bundle->around.AATags = bundle->around.AATags.merge(access.getAAMetadata());
            return bundle.get();
        }
        closeOne(*bundle);
        break;
    }
    if (open.size() >= maxOpen)
        return nullptr;
    auto bundle = std::make_unique<Open>();
    bundle->members.push_back({&access, 0});
    bundle->around = MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access),
                                                      access.getAAMetadata());
    open.push_back(std::move(bundle));
    return open.back().get();
}

/**
 * What the access is to the other bundles: those of stores end where it touches what they write,
 * and loads that join others later will move in front of it. With a store goes all of its bundle,
 * which will be where it is, whether or not that began before the loads.
 */
void Finder::passBy(Instruction &access, const Open *joined) {
    const bool isStore = isa<StoreInst>(access);
    close([&](const Open &other) {
        if (&other == joined)
            return false;
        if (other.isStore())
            return meet(other, access) == Meeting::Always;
        return isStore && other.passed.size() >= maxPassed;
    });
    for (auto &other : open) {
        if (other.get() == joined)
            continue;
        if (other->isStore()) {
            other->isInDoubt |= meet(*other, access) == Meeting::UnlessApart;
        } else if (isStore) {
            other->passed.insert(&access);
            if (joined)
                for (const BundleMember &member : joined->members)
                    other->passed.insert(member.access);
        }
    }
}

void Finder::look(Instruction &access) {
    const Open *joined = isCandidate(access) ? join(access) : nullptr;
    passBy(access, joined);
    size_t stores = 0;
    for (auto &bundle : reverse(open))
        if (bundle->isStore() && ++stores > maxOpenStores) {
            closeOne(*bundle);
            break;
        }
}

/** Where lanes are that far apart, several elements side by side are cheaper than one by one.
 * Vectors that lie further apart are rows either way, which are loaded and stored by 16 bytes. */
bool isWorthIt(int64_t count, int64_t groups, int64_t elements, int64_t size) {
    if (elements > 1)
        return groups <= maxBundle / elements;
    return groups <= count + 1 || (groups > maxBundle && count * size >= 8);
}

/** Finds runs of elements side by side in what lies near each other. */
void Finder::finish(Open &bundle) {
    auto &near = bundle.members;
    const Instruction &first = bundle.first();
    const int64_t size = sizeOf(first);
    const Shape shape = shapes.of(*getLoadStorePointerOperand(&first));
    const std::optional<int64_t> stride = shape.likely();
    const int64_t elements = partCount(getLoadStoreType(&first));
    const int64_t groups = stride ? std::abs(*stride) / size : INT64_MAX;
    const auto most =
        static_cast<size_t>(stride ? std::min(groups, maxBundle / elements) : maxRow / size);
    stable_sort(
        near, [](const BundleMember &a, const BundleMember &b) { return a.distance < b.distance; });
    for (size_t from = 0, to; from < near.size(); from = to) {
        for (to = from + 1; to < near.size() && to - from < most &&
                            near[to].distance == near[to - 1].distance + size;)
            to++;
        const auto count = static_cast<int64_t>(to - from);
        if (count > 1 && isWorthIt(count, groups, elements, size))
            found.push_back({{near.begin() + from, near.begin() + to}, bundle.needsApart});
    }
}

void Finder::close(function_ref<bool(const Open &)> which) {
    erase_if(open, [&](const std::unique_ptr<Open> &bundle) {
        if (!which(*bundle))
            return false;
        finish(*bundle);
        return true;
    });
}

/** Loads move to the first of their bundle, stores to the last, past what they do not touch.
 * Whatever else accesses memory than simple loads and stores is passed by loads only, and only if
 * it writes nothing. */
SmallVector<Bundle, 4> Finder::find() {
    for (BasicBlock &block : kernel) {
        for (Instruction &instruction : block) {
            if (!instruction.mayReadOrWriteMemory() && !instruction.mayThrow())
                continue;
            if (isPlain(instruction)) {
                look(instruction);
                continue;
            }
            const bool writes = instruction.mayWriteToMemory() || instruction.mayThrow();
            close([&](const Open &bundle) { return writes || bundle.isStore(); });
        }
        close([](const Open &) { return true; });
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

void merge(ArrayRef<BundleMember> bundle) {
    const bool isStore = isa<StoreInst>(bundle[0].access);
    /* Where the merged access is: the last store, the first load. */
    const BundleMember *at = &bundle[0];
    for (const BundleMember &member : drop_begin(bundle))
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
        for (const BundleMember &member : bundle)
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
    for (const BundleMember &member : bundle)
        member.access->eraseFromParent();
}

} // namespace

SmallVector<Bundle, 4> findBundles(Function &kernel, FunctionAnalysisManager &analyses,
                                   Buffers buffers) {
    /* What is known of the kernel was found before others changed it. */
    analyses.clear(kernel, kernel.getName());
    SmallVector<Bundle, 4> found = Finder(kernel, analyses, buffers).find();
    analyses.clear(kernel, kernel.getName());
    return found;
}

bool bundlesMatter(Function &kernel, FunctionAnalysisManager &analyses) {
    const SmallVector<Bundle, 4> found = findBundles(kernel, analyses, Buffers::AsKnown);
    if (found.empty())
        return false;
    const LoopInfo loops{DominatorTree(kernel)};
    return loops.empty() || any_of(found, [&](const Bundle &bundle) {
               return loops.getLoopFor(bundle.members[0].access->getParent());
           });
}

unsigned countBundledNarrow(Function &kernel, FunctionAnalysisManager &analyses) {
    constexpr unsigned narrow = 32; /* bits */
    unsigned count = 0;
    for (const Bundle &bundle : findBundles(kernel, analyses, Buffers::AsKnown))
        if (getLoadStoreType(bundle.members[0].access)->getScalarSizeInBits() < narrow)
            count += static_cast<unsigned>(bundle.members.size());
    return count;
}

void bundleAccesses(Function &kernel, FunctionAnalysisManager &analyses) {
    for (const Bundle &bundle : findBundles(kernel, analyses, Buffers::AsKnown))
        merge(bundle.members);
}

} // namespace weft
