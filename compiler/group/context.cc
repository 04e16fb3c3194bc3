// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where values and private variables live while their work-item waits at a barrier.

#include "group/plan.h"
#include "group/uniformity.h"
#include "norm/internals.h"

#include "weft/abi.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace weft {

namespace {

/** An expression with more operations per item than this is loaded rather than computed again. */
constexpr unsigned maxItemOperations = 8;
/** Operations on uniform values cost once per group, but they are code all the same. */
constexpr unsigned maxGroupOperations = 24;

/** Private variables up to this many bytes stay in the frame; spills need the rest of it. */
constexpr uint64_t maxFrameVariables = WEFT_MAX_FRAME / 2;

bool isCheap(const Instruction &instruction) {
    if (instruction.isIntDivRem() || instruction.getOpcode() == Instruction::FDiv ||
        instruction.getOpcode() == Instruction::FRem)
        return false;
    return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst,
               ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction);
}

/** Counts what it takes to compute a value again from arguments, ids and variables' addresses. */
class Repetition {
  public:
    explicit Repetition(const Uniformity &uniformity) : uniformity(uniformity) {}

    bool isCheapFor(const Value &value) {
        item = group = 0;
        return count(value);
    }

  private:
    bool count(const Value &value) {
        if (isa<Argument, Constant, AllocaInst>(value))
            return true;
        auto *instruction = dyn_cast<Instruction>(&value);
        if (!instruction)
            return false;
        unsigned &operations = uniformity.isUniform(*instruction) ? group : item;
        operations++;
        if (item > maxItemOperations || group > maxGroupOperations)
            return false;
        if (internalOf(*instruction) != Internal::None)
            return isQuery(cast<CallBase>(*instruction));
        if (!isCheap(*instruction))
            return false;
        return all_of(instruction->operand_values(),
                      [this](const Value *operand) { return count(*operand); });
    }

    static bool isQuery(const CallBase &call) {
        return !call.mayReadOrWriteMemory() &&
               all_of(call.args(), [](const Use &use) { return isa<Constant>(use.get()); });
    }

    const Uniformity &uniformity;
    unsigned item = 0, group = 0;
};

/* ---- private variables ----------------------------------------------------------------------- */

/** What is done with a variable's memory: all instructions that read or write it. */
class Uses {
  public:
    Uses(const Plan &plan, AllocaInst &variable) : plan(plan), variable(variable) {
        follow(variable);
    }

    /** Its address is kept where nobody follows it. */
    bool isKept() const { return escapes; }

    /** True if the contents may be needed behind a barrier, or nobody can tell. */
    bool outliveBarrier() const {
        if (escapes)
            return true;
        SmallVector<BasicBlock *, 16> open;
        SmallPtrSet<BasicBlock *, 16> seen;
        for (Instruction *access : accesses)
            if (!startsBefore(*access->getParent(), access))
                open.push_back(access->getParent());
        while (!open.empty()) {
            BasicBlock *block = open.pop_back_val();
            if (!seen.insert(block).second)
                continue;
            for (BasicBlock *before : predecessors(block)) {
                if (plan.barrierAt.count(before))
                    return true;
                if (!startsBefore(*before, nullptr))
                    open.push_back(before);
            }
        }
        return false;
    }

  private:
    void follow(Instruction &pointer) {
        // A pointer that is itself kept would name another region's copy.
        const Slot *slot = &pointer == &variable ? nullptr : plan.slotOf(&pointer);
        if (slot && slot->place != Slot::Rematerialised)
            escapes = true;
        for (Use &use : pointer.uses())
            followUse(use);
    }

    /** Functions of the library say if they keep none; one that returns a pointer may return it. */
    static bool mayKeep(const CallBase &call, const Use &use) {
        if (call.isCallee(&use) || call.getType()->isPtrOrPtrVectorTy() || !call.isArgOperand(&use))
            return true;
        switch (call.getIntrinsicID()) {
        case Intrinsic::not_intrinsic:
            return !call.doesNotCapture(call.getArgOperandNo(&use));
        case Intrinsic::masked_store:
        case Intrinsic::masked_scatter:
            return use.getOperandNo() == 0;
        default:
            return false;
        }
    }

    void followUse(Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(user))
            return follow(*user);
        if (auto *marker = dyn_cast<LifetimeIntrinsic>(user)) {
            if (marker->getIntrinsicID() == Intrinsic::lifetime_start)
                starts.insert(marker);
            return;
        }
        accesses.push_back(user);
        if (auto *store = dyn_cast<StoreInst>(user))
            escapes |= use.getOperandNo() != store->getPointerOperandIndex();
        else if (auto *call = dyn_cast<CallBase>(user))
            escapes |= mayKeep(*call, use);
        else
            escapes |= !isa<LoadInst, ICmpInst, AtomicRMWInst, AtomicCmpXchgInst>(user);
    }

    /** The variable's life begins in `block`, before `end` (null: anywhere in it). */
    bool startsBefore(BasicBlock &block, const Instruction *end) const {
        for (Instruction *start : starts)
            if (start->getParent() == &block && (!end || start->comesBefore(end)))
                return true;
        return false;
    }

    const Plan &plan;
    AllocaInst &variable;
    SmallVector<Instruction *, 16> accesses;
    SmallPtrSet<Instruction *, 4> starts;
    bool escapes = false;
};

struct Extent {
    AllocaInst *variable;
    uint64_t bytes;
    Align align;
};

std::vector<Extent> staticVariables(Plan &plan) {
    const DataLayout &layout = plan.kernel.getParent()->getDataLayout();
    std::vector<Extent> extents;
    for (Instruction &instruction : instructions(plan.kernel))
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (auto size = variable->getAllocationSize(layout)) {
                Align align = std::min(variable->getAlign(), Align(WEFT_BLOCK_ALIGN));
                extents.push_back({variable, alignTo(size->getFixedValue(), align), align});
            }
    return extents;
}

/** The largest ones leave the frame until the rest fits. */
void limitFrame(Plan &plan, std::vector<Extent> frame) {
    uint64_t total = 0;
    for (const Extent &extent : frame)
        total += extent.bytes;
    stable_sort(frame, [](const Extent &a, const Extent &b) { return a.bytes > b.bytes; });
    for (const Extent &extent : frame) {
        if (total <= maxFrameVariables)
            break;
        total -= extent.bytes;
        plan.fixedBytes = alignTo(plan.fixedBytes, extent.align);
        plan.variables[extent.variable] = {Variable::Fixed, plan.fixedBytes};
        plan.fixedBytes += extent.bytes;
    }
    plan.fixedBytes = alignTo(plan.fixedBytes, WEFT_BLOCK_ALIGN);
}

/* ---- values ---------------------------------------------------------------------------------- */

/**
 * Group slots are safe only where all items that are alive go the same way: with items waiting at
 * different barriers (which no valid program does) each needs its own values.
 */
bool itemsStayTogether(const Plan &plan) {
    for (const Region &region : plan.regions)
        if (!region.uniformExit && (region.exits.size() > 2 || !region.exits.contains(endOfItem)))
            return false;
    return true;
}

Slot::Place choosePlace(Instruction &value, bool group, const Uniformity &uniformity) {
    bool isGroup = group && uniformity.isUniform(value);
    if (isGroup && internalOf(value) == Internal::None)
        return Slot::Group;
    if (Repetition(uniformity).isCheapFor(value))
        return Slot::Rematerialised;
    return isGroup ? Slot::Group : Slot::Item;
}

void chooseSlots(Plan &plan) {
    bool group = itemsStayTogether(plan);
    SmallVector<Type *, 8> members;
    for (Region &region : plan.regions)
        for (Instruction *value : region.liveIn) {
            if (plan.slots.count(value))
                continue;
            Slot slot;
            slot.place = choosePlace(*value, group, *plan.uniformity);
            if (slot.place == Slot::Group) {
                slot.offset = members.size();
                members.push_back(value->getType());
            }
            plan.slots[value] = slot;
        }
    if (plan.switches.checks) {
        plan.seenMember = static_cast<unsigned>(members.size());
        members.push_back(Type::getInt32Ty(plan.kernel.getContext()));
    }
    plan.groupType = StructType::get(plan.kernel.getContext(), members);
}

/** An entry of the per-item layout: exactly one of the first two, or the state when neither. */
struct ItemEntry {
    Slot *slot;
    Variable *variable;
    uint64_t bytes;
    Align align;
};

/**
 * One array over all items per entry, entries in order of falling alignment: then `offset * items`
 * is aligned for the entry whatever the number of items.
 */
void layOutItems(Plan &plan, std::vector<ItemEntry> entries) {
    stable_sort(entries, [](const ItemEntry &a, const ItemEntry &b) { return a.align > b.align; });
    for (ItemEntry &entry : entries) {
        uint64_t offset = plan.itemBytes;
        if (entry.slot)
            entry.slot->offset = offset;
        else if (entry.variable)
            *entry.variable = {Variable::Item, offset};
        else
            plan.stateOffset = offset;
        plan.itemBytes += entry.bytes;
    }
}

} // namespace

void placeContext(Plan &plan) {
    const DataLayout &layout = plan.kernel.getParent()->getDataLayout();
    std::vector<Extent> extents = staticVariables(plan), frame;
    std::vector<ItemEntry> entries;
    bool hasBarriers = plan.regions.size() > 1;
    if (hasBarriers)
        chooseSlots(plan);
    for (const Extent &extent : extents)
        plan.variables[extent.variable] = {};
    for (const Extent &extent : extents) {
        plan.privateBytes += extent.bytes;
        if (!hasBarriers) {
            frame.push_back(extent);
            continue;
        }
        Uses uses(plan, *extent.variable);
        if (!uses.outliveBarrier()) {
            frame.push_back(extent);
            continue;
        }
        entries.push_back({nullptr, &plan.variables[extent.variable], extent.bytes, extent.align});
        plan.keepsPlaces |= uses.isKept();
    }
    for (auto &[value, slot] : plan.slots)
        if (slot.place == Slot::Item)
            entries.push_back({&slot, nullptr, layout.getTypeAllocSize(value->getType()),
                               layout.getABITypeAlign(value->getType())});
    if (plan.hasState)
        entries.push_back({nullptr, nullptr, 4, Align(4)});
    limitFrame(plan, frame);
    layOutItems(plan, entries);
}

} // namespace weft
