// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code between barriers, and what calls it for a group: one vector after the other goes through
// each region, in a loop of kernel-lib/rt.

#include "group/facts.h"
#include "group/plan.h"
#include "oracle/oracle.h"
#include "oracle/strands.h"
#include "vector/lanes.h"
#include "vector/bodies.h"

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

    Expected<Function *> buildGroup();
    std::vector<std::string> symbols; /* of all code */

  private:
    Error runRegion(CallInst &call);
    MeetingPlace placeOf(IRBuilder<> &, Instruction &) override {
        llvm_unreachable("groups exchange nothing");
    }

    const bool linear;
};

Error GroupCode::runRegion(CallInst &call) {
    Function &items = *call.getCalledFunction();
    Expected<ItemsFacts> facts = itemsFacts(items);
    if (!facts)
        return facts.takeError();
    Function &region = *facts->region;
    const uint64_t state = facts->stateOffset.value_or(UINT64_MAX); /* nothing is kept */
    Function *code = RegionCode(region, record, width).build("weft_" + region.getName());
    region.eraseFromParent();
    symbols.push_back(code->getName().str());
    IRBuilder<> builder(&call);
    unsigned first = call.arg_size() - ItemsParameterCount;
    call.replaceAllUsesWith(callRt(
        builder, "weft_rt_oracle_items", builder.getInt32Ty(),
        {code, builder.getInt64(width), builder.getInt32(linear), builder.getInt32(facts->number),
         builder.getInt32(facts->checks), builder.getInt64(state),
         call.getArgOperand(first + ItemsContext), call.getArgOperand(first + ItemsValues),
         call.getArgOperand(first + ItemsResults)}));
    call.eraseFromParent();
    items.eraseFromParent();
    return Error::success();
}

Expected<Function *> GroupCode::buildGroup() {
    build("weft_group_" + source.getName());
    symbols.push_back(function->getName().str());
    for (CallInst *call : itemsCalls(*function))
        if (Error error = runRegion(*call))
            return error;
    return function;
}

} // namespace

Error runRegions(Function &kernel, KernelRecord &record) {
    GroupCode group(kernel, record);
    Expected<Function *> code = group.buildGroup();
    if (!code)
        return code.takeError();
    record.stacks.symbols[shapeOf(kernel)] = group.symbols;
    record.stacks.perRun = 0;
    makeRunner(kernel, **code, "weft_rt_oracle_groups");
    return Error::success();
}

} // namespace weft
