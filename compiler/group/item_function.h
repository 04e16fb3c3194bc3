// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Code of a kernel that learns everything from a weft_rt_item: what reference execution and the
 *  oracles of stages run. */
#ifndef WEFT_GROUP_ITEM_FUNCTION_H
#define WEFT_GROUP_ITEM_FUNCTION_H

#include "norm/internals.h"
#include "stages/pipeline.h"

#include "llvm/IR/IRBuilder.h"

namespace weft {

/** `result symbol(weft_rt_item *)` from `result function(kernel's arguments..., others...)`. */
class ItemFunction {
  public:
    ItemFunction(llvm::Function &function, KernelRecord &record)
        : source(function), record(record), module(*function.getParent()) {}
    virtual ~ItemFunction() = default;

    /** Leaves the function that it was made from without a body. */
    llvm::Function *build(const llvm::Twine &symbol);

  protected:
    /** Null: not a query, or one that is answered otherwise. */
    virtual llvm::Value *answer(llvm::IRBuilder<> &builder, Internal internal,
                                llvm::CallBase &call);
    /** The value of a parameter behind the kernel's own. */
    virtual llvm::Value *other(llvm::IRBuilder<> &, llvm::Argument &) { return nullptr; }
    /** Puts code in the place of what is not a query; false: it stays. */
    virtual bool replace(llvm::IRBuilder<> &builder, Internal internal, llvm::CallBase &call);
    /** The item has come to a barrier. */
    virtual void wait(llvm::IRBuilder<> &builder, llvm::CallBase &barrier) = 0;

    /** Calls a function of kernel-lib/rt that takes the item first. */
    llvm::CallInst *callRt(llvm::IRBuilder<> &builder, const char *name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments = {});
    llvm::Value *ofItem(llvm::IRBuilder<> &builder, uint64_t member, llvm::Type *type);

    llvm::Function &source;
    KernelRecord &record;
    llvm::Module &module;
    llvm::Function *function = nullptr;
    llvm::Value *item = nullptr, *launch = nullptr, *worker = nullptr;

  private:
    void declare(const llvm::Twine &symbol);
    void readParameters(llvm::IRBuilder<> &builder);
    void replaceInternals();
    void returnFromTraps();
};

/** `void kernel(arguments..., i64 first, i64 count)`, as stage abi wants it, in the kernel's place:
 *  calls `void runner(launch, worker, first, count, item, others...)` of kernel-lib/rt. */
void makeRunner(llvm::Function &kernel, llvm::Function &item, const char *runner,
                llvm::ArrayRef<llvm::Value *> others = {});

} // namespace weft

#endif
