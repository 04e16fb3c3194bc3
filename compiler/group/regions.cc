// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code between barriers goes into functions of its own; the kernel becomes their dispatcher.

#include "group/facts.h"
#include "group/plan.h"
#include "norm/internals.h"
#include "stages/stages.h"
#include "vector/bodies.h"
#include "vector/claims.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

#include "weft/abi.h"

using namespace llvm;

namespace weft {

namespace {

/** `void kernel(arguments...)`: one work-group, region after region. */
class Dispatcher {
  public:
    Dispatcher(Plan &plan, std::vector<Function *> bodies)
        : plan(plan), kernel(plan.kernel), bodies(std::move(bodies)) {}

    void build();

  private:
    Function *declareItems(const Region &region);
    void takeGroupResults(IRBuilder<> &builder, const Region &region);
    void arrive(IRBuilder<> &builder, unsigned exit);
    void goOn(IRBuilder<> &builder, const Region &region, Value *next);

    Plan &plan;
    Function &kernel;
    std::vector<Function *> bodies;
    std::vector<BasicBlock *> blocks;
    BasicBlock *done = nullptr;
    Value *values = nullptr, *results = nullptr;
    AllocaInst *way = nullptr; /* with checks: where the items of the last region went */
};

Function *Dispatcher::declareItems(const Region &region) {
    LLVMContext &context = kernel.getContext();
    Type *pointer = PointerType::get(context, 0);
    SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
    types.append({pointer, pointer, pointer});
    auto *function = Function::Create(
        FunctionType::get(Type::getInt32Ty(context), types, false), GlobalValue::ExternalLinkage,
        kernel.getName() + ".items." + Twine(region.id), kernel.getParent());
    ItemsFacts facts;
    facts.region = bodies[region.id];
    facts.checks = region.checks;
    if (region.keepsState)
        facts.stateOffset = plan.stateOffset;
    setItemsFacts(*function, facts);
    return function;
}

/** What the region made for the whole group is what the next one gets. */
void Dispatcher::takeGroupResults(IRBuilder<> &builder, const Region &region) {
    SmallSetVector<Instruction *, 8> made;
    for (unsigned exit : region.exits)
        if (exit != endOfItem)
            for (Instruction *value : plan.regions[exit].liveIn)
                if (plan.slotOf(value)->place == Slot::Group &&
                    region.blocks.contains(value->getParent()))
                    made.insert(value);
    for (Instruction *value : made) {
        unsigned member = static_cast<unsigned>(plan.slotOf(value)->offset);
        Value *result = builder.CreateLoad(
            value->getType(), builder.CreateStructGEP(plan.groupType, results, member));
        builder.CreateStore(result, builder.CreateStructGEP(plan.groupType, values, member));
    }
}

/** With checks on: the group is where its items went. Every way begins at region 0. */
void Dispatcher::arrive(IRBuilder<> &builder, unsigned exit) {
    if (way && (exit != 0 || builder.GetInsertBlock() == done))
        claim(builder,
              builder.CreateICmpNE(builder.CreateLoad(builder.getInt32Ty(), way),
                                   builder.getInt32(exit)),
              WEFT_FAULT_EXIT);
}

/**
 * "If any work-item encounters a barrier, all must": so the first item that is alive says where the
 * group goes. Where the region has one way out there is nothing to ask.
 */
void Dispatcher::goOn(IRBuilder<> &builder, const Region &region, Value *next) {
    SmallSetVector<unsigned, 4> exits = region.exits;
    if (region.checks || !region.uniformExit)
        for (const Region &other : plan.regions) /* items may wait anywhere */
            exits.insert(other.id);
    if (exits.empty())
        exits.insert(endOfItem); /* never left: an endless loop without barrier */
    auto target = [this](unsigned exit) { return exit == endOfItem ? done : blocks[exit]; };
    if (exits.size() == 1) {
        builder.CreateBr(target(exits[0]));
        return;
    }
    SwitchInst *choice = builder.CreateSwitch(next, target(exits.back()));
    for (unsigned exit : ArrayRef<unsigned>(exits.getArrayRef()).drop_back())
        choice->addCase(builder.getInt32(exit), target(exit));
}

void Dispatcher::build() {
    LLVMContext &context = kernel.getContext();
    IRBuilder<> builder(BasicBlock::Create(context, "", &kernel));
    Value *arena = plan.itemBytes || plan.hasState
                       ? builder.CreateConstInBoundsGEP1_64(
                             builder.getInt8Ty(), callInternal(builder, Internal::PrivateMemory),
                             plan.fixedBytes)
                       : static_cast<Value *>(ConstantPointerNull::get(builder.getPtrTy()));
    values = results = ConstantPointerNull::get(builder.getPtrTy());
    if (plan.groupType && plan.groupType->getNumElements()) {
        values = builder.CreateAlloca(plan.groupType, nullptr, "group.values");
        results = builder.CreateAlloca(plan.groupType, nullptr, "group.results");
    }
    if (plan.switches.checks)
        way = builder.CreateAlloca(builder.getInt32Ty());
    for (const Region &region : plan.regions)
        blocks.push_back(BasicBlock::Create(context, "region." + Twine(region.id), &kernel));
    done = BasicBlock::Create(context, "done", &kernel);
    builder.CreateBr(blocks[0]);
    for (const Region &region : plan.regions) {
        builder.SetInsertPoint(blocks[region.id]);
        arrive(builder, region.id);
        SmallVector<Value *, 16> arguments;
        for (Argument &argument : kernel.args())
            arguments.push_back(&argument);
        arguments.append({arena, values, results});
        if (plan.switches.checks && plan.groupType)
            builder.CreateStore(builder.getInt32(0),
                                builder.CreateStructGEP(plan.groupType, results, plan.seenMember));
        Value *next = builder.CreateCall(declareItems(region), arguments, "next");
        if (way)
            builder.CreateStore(next, way);
        takeGroupResults(builder, region);
        goOn(builder, region, next);
    }
    builder.SetInsertPoint(done);
    arrive(builder, endOfItem);
    builder.CreateRetVoid();
}

void formRegions(Function &kernel, KernelRecord &record, const Switches &switches) {
    Plan plan(kernel, switches);
    findRegions(plan);
    bool hasBarriers = plan.regions.size() > 1;
    if (hasBarriers)
        findLiveValues(plan);
    placeContext(plan);
    for (auto &[variable, place] : plan.variables)
        if (place.place != Variable::Frame)
            eraseLifetimes(*variable);

    std::vector<Function *> bodies;
    if (!hasBarriers)
        bodies.push_back(moveIntoRegion(plan));
    else
        for (const Region &region : plan.regions)
            bodies.push_back(buildRegion(plan, region));
    // The dispatcher asks where values were defined: the old body goes after it has been built.
    std::vector<BasicBlock *> old;
    for (BasicBlock &block : kernel)
        old.push_back(&block);
    Dispatcher(plan, std::move(bodies)).build();
    for (BasicBlock *block : old)
        block->dropAllReferences();
    for (BasicBlock *block : old)
        block->eraseFromParent();

    record.info.body[shapeOf(kernel)].run_bytes = plan.itemBytes;
    record.info.fixed_bytes = std::max(record.info.fixed_bytes, plan.fixedBytes);
    record.info.private_bytes =
        std::max(record.info.private_bytes, plan.privateBytes + plan.itemBytes);
    if (hasBarriers)
        record.info.flags |= WEFT_KERNEL_BARRIER;
}

} // namespace

Error Regions::run(Module &module) {
    for (Function *kernel : kernelsOf(module))
        formRegions(*kernel, context.kernel(*kernel), context.options.switches);
    if (Function *barrier = findInternal(module, Internal::Barrier);
        barrier && barrier->use_empty())
        barrier->eraseFromParent();
    return Error::success();
}

} // namespace weft
