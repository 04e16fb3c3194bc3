// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One region as a function of its own: what one work-item does between two barriers.

#include "group/outcome.h"
#include "group/facts.h"
#include "group/plan.h"
#include "weft/abi.h"
#include "norm/internals.h"
#include "stages/stages.h"
#include "vector/claims.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace weft {

namespace {

Function *declareRegion(const Plan &plan, unsigned id) {
    Function &kernel = plan.kernel;
    LLVMContext &context = kernel.getContext();
    Type *i64 = Type::getInt64Ty(context), *pointer = PointerType::get(context, 0);
    SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
    types.append({i64, i64, i64, i64, i64, i64, i64, i64, pointer, pointer, pointer});
    auto *function = Function::Create(
        FunctionType::get(Type::getInt32Ty(context), types, false), GlobalValue::InternalLinkage,
        kernel.getName() + ".region." + Twine(id), kernel.getParent());
    AttributeList attributes = kernel.getAttributes();
    function->setAttributes(attributes.removeFnAttribute(context, kernelAttribute));
    setRegionNumber(*function, id);
    static const char *const names[] = {"lid.x",   "lid.y",        "lid.z",        "lid.linear",
                                        "items",   "lanes",        "unit",         "units",
                                        "context", "group.values", "group.results"};
    unsigned first = static_cast<unsigned>(kernel.arg_size());
    for (unsigned index = 0; index < RegionParameterCount; index++)
        function->getArg(first + index)->setName(names[index]);
    for (unsigned index = LocalIdX; index <= LocalLinear; index++)
        function->addParamAttr(
            first + index, Attribute::get(context, Attribute::Range,
                                          ConstantRange(APInt(64, 0), APInt(64, maxGroupItems))));
    // The arena belongs to nobody else, and is reached through this parameter only.
    if (!plan.keepsPlaces)
        function->addParamAttr(first + ItemContext, Attribute::NoAlias);
    for (auto [before, after] : zip(kernel.args(), function->args()))
        after.setName(before.getName());
    return function;
}

Value *parameter(Function &function, RegionParameter which) {
    return function.getArg(function.arg_size() - RegionParameterCount + which);
}

void replaceLocalIds(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        Internal internal = internalOf(instruction);
        Value *value = nullptr;
        if (internal == Internal::LocalLinearId) {
            value = parameter(function, LocalLinear);
        } else if (internal == Internal::GroupItems) {
            value = parameter(function, GroupCount);
        } else if (internal == Internal::Lanes) {
            value = parameter(function, weft::Lanes);
        } else if (internal == Internal::LocalId) {
            auto *dimension = cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
            value = parameter(function,
                              static_cast<RegionParameter>(LocalIdX + dimension->getZExtValue()));
        }
        if (!value)
            continue;
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
    }
}

/** A return or a fault ends the item. */
void endItem(BasicBlock &block) {
    Instruction *terminator = block.getTerminator();
    IRBuilder<>(terminator)
        .CreateRet(ConstantInt::get(Type::getInt32Ty(block.getContext()), endOfItem));
    terminator->eraseFromParent();
}

/**
 * Tells a debugger where a variable is from `before` on. An address that is computed lives no
 * longer than its register; so it is kept in the frame, and the variable is where that points.
 */
void describeVariable(Instruction &before, AllocaInst &variable, Value &place) {
    Value *where = &place;
    for (DbgVariableRecord *record : findDVRDeclares(&variable)) {
        DIExpression *expression = record->getExpression();
        if (!isa<AllocaInst>(place)) {
            BasicBlock &entry = before.getFunction()->getEntryBlock();
            if (where == &place) {
                where = IRBuilder<>(&entry, entry.begin()).CreateAlloca(place.getType());
                IRBuilder<>(&before).CreateStore(&place, where);
            }
            expression = DIExpression::prepend(expression, DIExpression::DerefBefore);
        }
        before.getParent()->insertDbgRecordBefore(
            DbgVariableRecord::createDVRDeclare(where, record->getVariable(), expression,
                                                record->getDebugLoc()),
            before.getIterator());
    }
}

/** Records of where variables are belong to the function they were cloned from. */
void dropDeclares(BasicBlock &block) {
    for (Instruction &instruction : block)
        for (DbgVariableRecord &record :
             make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
            record.eraseFromParent();
}

class RegionBuilder {
  public:
    RegionBuilder(const Plan &plan, const Region &region)
        : plan(plan), region(region), function(declareRegion(plan, region.id)),
          entry(BasicBlock::Create(function->getContext(), "", function)), atEntry(entry) {}

    Function *build();

  private:
    Value *slotAddress(Value *base, uint64_t offset, Type *type);
    Value *groupSlot(RegionParameter structure, const Slot &slot);
    Value *variableAddress(AllocaInst &variable, const Variable &place);
    void placeVariables();
    Value *rematerialise(Value &value);
    Value *liveIn(Instruction &value, const Slot &slot);
    bool definedHere(const Instruction &value) const {
        return region.blocks.contains(value.getParent());
    }
    void cloneBlocks();
    void dropForeignEdges(BasicBlock &block);
    void connectLiveIns();
    void leaveAt(BasicBlock &clone, unsigned barrier);
    Value *checkWay(IRBuilder<> &builder, unsigned way);
    void checkGroupValue(IRBuilder<> &builder, Value *sameWay, Value *value, Value *address);
    void mergeDefinitions();

    const Plan &plan;
    const Region &region;
    Function *function;
    BasicBlock *entry;
    IRBuilder<> atEntry;
    ValueToValueMapTy values;
    DenseMap<Instruction *, Value *> places;    /* of private variables */
    DenseMap<Value *, Value *> repeated;        /* rematerialised at entry */
    MapVector<Instruction *, Value *> atStarts; /* live-in values as they come in */
    SmallVector<std::pair<Instruction *, Value *>, 8> repeatedHere, definedAgain;
    SmallVector<BasicBlock *, 16> clones;
    MapVector<uint64_t, SmallVector<StoreInst *, 2>> groupStores; /* by member */
};

/** Element `unit` of the array over all runs that begins at `offset * units`. */
Value *RegionBuilder::slotAddress(Value *base, uint64_t offset, Type *type) {
    Value *count = parameter(*function, UnitCount);
    Value *array = base;
    if (offset)
        array = atEntry.CreateInBoundsGEP(atEntry.getInt8Ty(), base,
                                          atEntry.CreateNUWMul(count, atEntry.getInt64(offset)));
    return atEntry.CreateInBoundsGEP(type, array, parameter(*function, Unit));
}

Value *RegionBuilder::groupSlot(RegionParameter structure, const Slot &slot) {
    return atEntry.CreateStructGEP(plan.groupType, parameter(*function, structure),
                                   static_cast<unsigned>(slot.offset));
}

Value *RegionBuilder::variableAddress(AllocaInst &variable, const Variable &place) {
    const DataLayout &layout = function->getParent()->getDataLayout();
    if (place.place == Variable::Fixed)
        return atEntry.CreateConstInBoundsGEP1_64(
            atEntry.getInt8Ty(), callInternal(atEntry, Internal::PrivateMemory), place.offset);
    if (place.place == Variable::Item) {
        uint64_t bytes = alignTo(variable.getAllocationSize(layout)->getFixedValue(),
                                 std::min(variable.getAlign(), Align(WEFT_BLOCK_ALIGN)));
        return slotAddress(parameter(*function, ItemContext), place.offset,
                           ArrayType::get(atEntry.getInt8Ty(), bytes));
    }
    auto *copy = cast<AllocaInst>(variable.clone());
    copy->insertInto(entry, entry->begin());
    return copy;
}

void RegionBuilder::placeVariables() {
    for (auto &[variable, place] : plan.variables)
        values[variable] = places[variable] = variableAddress(*variable, place);
}

Value *RegionBuilder::rematerialise(Value &value) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || isa<AllocaInst>(instruction)) {
        auto found = values.find(&value);
        return found == values.end() ? &value : static_cast<Value *>(found->second);
    }
    Value *&known = repeated[instruction];
    if (known)
        return known;
    Instruction *copy = instruction->clone();
    for (Use &operand : copy->operands())
        operand.set(rematerialise(*operand.get()));
    atEntry.Insert(copy);
    return repeated[instruction] = copy;
}

Value *RegionBuilder::liveIn(Instruction &value, const Slot &slot) {
    Type *type = value.getType();
    if (slot.place == Slot::Rematerialised)
        return rematerialise(value);
    if (slot.place == Slot::Group)
        return atEntry.CreateLoad(type, groupSlot(GroupValues, slot), value.getName());
    return atEntry.CreateLoad(
        type, slotAddress(parameter(*function, ItemContext), slot.offset, type), value.getName());
}

/** Edges into the block from outside of the region do not exist here. */
void RegionBuilder::dropForeignEdges(BasicBlock &block) {
    for (PHINode &phi : block.phis())
        for (unsigned index = phi.getNumIncomingValues(); index-- > 0;) {
            BasicBlock *before = phi.getIncomingBlock(index);
            if (!region.blocks.contains(before) || plan.barrierAt.count(before))
                phi.removeIncomingValue(index, false);
        }
}

void RegionBuilder::cloneBlocks() {
    for (BasicBlock *block : region.blocks) {
        BasicBlock *clone = CloneBasicBlock(block, values, "", function);
        values[block] = clone;
        clones.push_back(clone);
        dropForeignEdges(*clone);
        dropDeclares(*clone);
        for (Instruction &instruction : *block) {
            auto placed = places.find(&instruction);
            if (placed == places.end())
                continue;
            cast<Instruction>(static_cast<Value *>(values[&instruction]))->eraseFromParent();
            values[&instruction] = placed->second;
        }
    }
}

/** Decides for each live-in value what its uses in the clones refer to. */
void RegionBuilder::connectLiveIns() {
    for (auto &[value, atStart] : atStarts) {
        bool again = definedHere(*value);
        if (!again)
            values[value] = atStart;
        else if (plan.slotOf(value)->place == Slot::Rematerialised)
            repeatedHere.push_back(
                {cast<Instruction>(static_cast<Value *>(values[value])), atStart});
        else
            definedAgain.push_back({value, atStart});
    }
    for (BasicBlock *clone : clones)
        for (Instruction &instruction : *clone)
            RemapInstruction(&instruction, values,
                             RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    for (auto &[copy, atStart] : repeatedHere) {
        copy->replaceAllUsesWith(atStart);
        copy->eraseFromParent();
    }
}

/**
 * With checks on: where items cannot part, this one goes the way of those before it. Gives an i1:
 * the one before it went this way, too, and has left its group values.
 */
Value *RegionBuilder::checkWay(IRBuilder<> &builder, unsigned way) {
    Slot slot;
    slot.offset = plan.seenMember;
    Value *place = groupSlot(GroupResults, slot);
    Value *seen = builder.CreateLoad(builder.getInt32Ty(), place, "seen");
    if (region.uniformExit) {
        Value *other = builder.CreateICmpNE(seen, builder.getInt32(way));
        claim(builder, builder.CreateAnd(builder.CreateIsNotNull(seen), other), WEFT_FAULT_EXIT);
    }
    builder.CreateStore(builder.getInt32(way), place);
    return builder.CreateICmpEQ(seen, builder.getInt32(way));
}

/** With checks on: what is kept once for the group is what the items before this one had. */
void RegionBuilder::checkGroupValue(IRBuilder<> &builder, Value *sameWay, Value *value,
                                    Value *address) {
    Type *type = value->getType();
    if (type->isStructTy() || (type->isVectorTy() && type->isPtrOrPtrVectorTy()))
        return;
    Value *before = builder.CreateLoad(type, address);
    if (!type->isIntegerTy() && !type->isPointerTy()) {
        Type *bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
        before = builder.CreateBitCast(before, bits);
        value = builder.CreateBitCast(value, bits);
    }
    Value *differs = builder.CreateFreeze(builder.CreateICmpNE(before, value));
    claim(builder, builder.CreateAnd(sameWay, differs), WEFT_FAULT_GROUP);
}

/** The item waits at `barrier`: what the region made and somebody behind it needs is kept. */
void RegionBuilder::leaveAt(BasicBlock &clone, unsigned barrier) {
    clone.getTerminator()->eraseFromParent();
    clone.back().eraseFromParent(); /* the barrier */
    IRBuilder<> builder(&clone);
    Value *sameWay = plan.switches.checks ? checkWay(builder, barrier) : nullptr;
    for (Instruction *value : plan.regions[barrier].liveIn) {
        const Slot &slot = *plan.slotOf(value);
        if (!definedHere(*value) || slot.place == Slot::Rematerialised)
            continue;
        Value *address = slot.place == Slot::Group ? groupSlot(GroupResults, slot)
                                                   : slotAddress(parameter(*function, ItemContext),
                                                                 slot.offset, value->getType());
        if (slot.place == Slot::Group && sameWay)
            checkGroupValue(builder, sameWay, values[value], address);
        StoreInst *store = builder.CreateStore(values[value], address);
        if (slot.place == Slot::Group)
            groupStores[slot.offset].push_back(store);
    }
    builder.CreateRet(builder.getInt32(barrier));
}

/** Values that come in and are defined again (in a loop around a barrier) meet in PHIs. */
void RegionBuilder::mergeDefinitions() {
    for (auto &[value, atStart] : definedAgain) {
        auto *definition = cast<Instruction>(static_cast<Value *>(values[value]));
        SSAUpdater updater;
        updater.Initialize(value->getType(), value->getName());
        updater.AddAvailableValue(entry, atStart);
        updater.AddAvailableValue(definition->getParent(), definition);
        for (Use &use : make_early_inc_range(definition->uses())) {
            auto *user = cast<Instruction>(use.getUser());
            bool behind = user->getParent() == definition->getParent() && !isa<PHINode>(user) &&
                          definition->comesBefore(user);
            if (!behind)
                updater.RewriteUse(use);
        }
    }
}

Function *RegionBuilder::build() {
    for (unsigned index = 0; index < plan.kernel.arg_size(); index++)
        values[plan.kernel.getArg(index)] = function->getArg(index);
    placeVariables();
    for (Instruction *value : region.liveIn)
        atStarts[value] = liveIn(*value, *plan.slotOf(value));
    cloneBlocks();
    connectLiveIns();
    for (BasicBlock *block : region.blocks) {
        auto *clone = cast<BasicBlock>(static_cast<Value *>(values[block]));
        auto barrier = plan.barrierAt.find(block);
        if (barrier != plan.barrierAt.end())
            leaveAt(*clone, barrier->second);
        else if (isa<ReturnInst, UnreachableInst>(clone->getTerminator())) {
            IRBuilder<> builder(clone->getTerminator());
            if (plan.switches.checks && isa<ReturnInst>(clone->getTerminator()))
                checkWay(builder, seenEnd);
            endItem(*clone);
        }
    }
    Instruction *end =
        atEntry.CreateBr(cast<BasicBlock>(static_cast<Value *>(values[region.entry])));
    for (auto &[variable, place] : plan.variables)
        describeVariable(*end, *variable, *places[variable]);
    mergeDefinitions();
    Outcome outcome(plan, region, *entry, values);
    // Ways to different barriers may leave different values in one slot: none may do so for all.
    for (auto &[member, stores] : groupStores)
        if (stores.size() == 1)
            outcome.hoist(*stores[0]);
    outcome.hoistExit(*function);
    replaceLocalIds(*function);
    for (Instruction &instruction : make_early_inc_range(reverse(*entry)))
        if (isInstructionTriviallyDead(&instruction))
            instruction.eraseFromParent();
    return function;
}

} // namespace

Function *buildRegion(const Plan &plan, const Region &region) {
    return RegionBuilder(plan, region).build();
}

Function *moveIntoRegion(const Plan &plan) {
    Function &kernel = plan.kernel;
    Function *function = declareRegion(plan, 0);
    function->splice(function->end(), &kernel);
    for (auto [before, after] : zip(kernel.args(), function->args()))
        before.replaceAllUsesWith(&after);
    BasicBlock &entry = function->getEntryBlock();
    for (auto &[variable, place] : plan.variables) {
        if (place.place != Variable::Fixed)
            continue;
        IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
        Value *address = builder.CreateConstInBoundsGEP1_64(
            builder.getInt8Ty(), callInternal(builder, Internal::PrivateMemory), place.offset);
        describeVariable(*builder.GetInsertPoint(), *variable, *address);
        for (DbgVariableRecord *record : findDVRDeclares(variable))
            record->eraseFromParent();
        variable->replaceAllUsesWith(address);
        variable->eraseFromParent();
    }
    for (BasicBlock &block : *function)
        if (isa<ReturnInst, UnreachableInst>(block.getTerminator()))
            endItem(block);
    replaceLocalIds(*function);
    return function;
}

void eraseLifetimes(AllocaInst &variable) {
    for (User *user : make_early_inc_range(variable.users()))
        if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
            marker->eraseFromParent();
}

} // namespace weft
