// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code between barriers, and what calls it for a group: one vector after the other goes through
// each region, in a loop of kernel-lib/rt.

#include "group/plan.h"
#include "oracle/oracle.h"
#include "oracle/strands.h"
#include "vector/lanes.h"
#include "vector/bodies.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

namespace {

/** `i32 weft_region_...(weft_rt_strand *)`: the parameters of regions are members of the strand. */
class RegionCode : public StrandFunction {
  public:
    using StrandFunction::StrandFunction;

  private:
    Value *other(IRBuilder<> &builder, Argument &argument) override;
    MeetingPlace placeOf(IRBuilder<> &, Instruction &) override {
        llvm_unreachable("vectors exchange nothing");
    }
};

Value *RegionCode::other(IRBuilder<> &builder, Argument &argument) {
    static const uint64_t members[RegionParameterCount] = {
        offsetof(weft_rt_strand, item.local_id),
        offsetof(weft_rt_strand, item.local_id) + 8,
        offsetof(weft_rt_strand, item.local_id) + 16,
        offsetof(weft_rt_strand, item.local_linear_id),
        offsetof(weft_rt_strand, item.group_items),
        offsetof(weft_rt_strand, lanes),
        offsetof(weft_rt_strand, unit),
        offsetof(weft_rt_strand, units),
        offsetof(weft_rt_strand, context),
        offsetof(weft_rt_strand, values),
        offsetof(weft_rt_strand, results)};
    static_assert(RegionParameterCount == 11, "each has its member");
    unsigned first = static_cast<unsigned>(source.arg_size()) - RegionParameterCount;
    return ofItem(builder, members[argument.getArgNo() - first], argument.getType());
}

/** `void weft_group_...(weft_rt_strand *)`: the dispatcher. */
class GroupCode : public StrandFunction {
  public:
    GroupCode(Function &kernel, KernelRecord &record)
        : StrandFunction(kernel, record, widthOf(kernel)), linear(isLinear(kernel)) {}

    Function *buildGroup();
    std::vector<std::string> symbols; /* of all code */

  private:
    void runRegion(CallInst &call);
    MeetingPlace placeOf(IRBuilder<> &, Instruction &) override {
        llvm_unreachable("groups exchange nothing");
    }

    const bool linear;
};

void GroupCode::runRegion(CallInst &call) {
    Function &items = *call.getCalledFunction();
    Function &region = *module.getFunction(items.getFnAttribute(itemsAttribute).getValueAsString());
    unsigned id = 0;
    uint64_t state = UINT64_MAX; /* nothing is kept */
    region.getFnAttribute(regionAttribute).getValueAsString().getAsInteger(10, id);
    if (items.hasFnAttribute(stateAttribute))
        items.getFnAttribute(stateAttribute).getValueAsString().getAsInteger(10, state);
    Function *code = RegionCode(region, record, width).build("weft_" + region.getName());
    region.eraseFromParent();
    symbols.push_back(code->getName().str());
    IRBuilder<> builder(&call);
    unsigned first = call.arg_size() - ItemsParameterCount;
    call.replaceAllUsesWith(
        callRt(builder, "weft_rt_oracle_items", builder.getInt32Ty(),
               {code, builder.getInt64(width), builder.getInt32(linear), builder.getInt32(id),
                builder.getInt32(items.hasFnAttribute(checkAttribute)), builder.getInt64(state),
                call.getArgOperand(first + ItemsContext), call.getArgOperand(first + ItemsValues),
                call.getArgOperand(first + ItemsResults)}));
    call.eraseFromParent();
    items.eraseFromParent();
}

Function *GroupCode::buildGroup() {
    build("weft_group_" + source.getName());
    symbols.push_back(function->getName().str());
    SmallVector<CallInst *, 16> all;
    for (Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            if (Function *callee = call->getCalledFunction())
                if (callee->hasFnAttribute(itemsAttribute))
                    all.push_back(call);
    for (CallInst *call : all)
        runRegion(*call);
    return function;
}

} // namespace

void runRegions(Function &kernel, KernelRecord &record) {
    GroupCode group(kernel, record);
    Function *code = group.buildGroup();
    record.stacks.symbols[shapeOf(kernel)] = group.symbols;
    record.stacks.perRun = 0;
    makeRunner(kernel, *code, "weft_rt_oracle_groups");
}

} // namespace weft
