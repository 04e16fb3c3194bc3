// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reference execution: instead of regions and loops, each work-item runs the kernel as it was
// written, on a stack of its own, and a barrier goes on with the next item.

#include "group/item_function.h"
#include "norm/sub_groups.h"
#include "stages/stages.h"

using namespace llvm;

namespace weft {

namespace {

/** `void weft_item_<kernel>(weft_rt_item *)` from `void kernel(arguments...)`. */
class ReferenceItem : public ItemFunction {
  public:
    ReferenceItem(Function &kernel, KernelRecord &record) : ItemFunction(kernel, record) {}

  private:
    void wait(IRBuilder<> &builder, CallBase &) override {
        callRt(builder, "weft_rt_reference_barrier", builder.getVoidTy());
    }
};

} // namespace

Error Reference::run(Module &module) {
    if (!context.options.switches.reference)
        return Error::success();
    for (Function *kernel : kernelsOf(module)) {
        KernelRecord &record = context.kernel(kernel->getName());
        if (usesSubGroups(*kernel))
            record.info.flags |= WEFT_KERNEL_SUB_GROUPS;
        fixSubGroupSize(*kernel, 1); /* each item runs on its own */
        std::string symbol = "weft_item_" + kernel->getName().str();
        record.stacks.symbols[WEFT_SHAPE_ROWS] = {symbol};
        record.stacks.perRun = 1;
        Function *item = ReferenceItem(*kernel, record).build(symbol);
        makeRunner(*kernel, *item, "weft_rt_reference");
    }
    return Error::success();
}

} // namespace weft
