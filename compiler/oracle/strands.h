// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Code that runs as a strand of kernel-lib/rt/oracle.h. */
#ifndef WEFT_ORACLE_STRANDS_H
#define WEFT_ORACLE_STRANDS_H

#include "group/item_function.h"

#include "../../kernel-lib/rt/oracle.h"

namespace weft {

/** Where lanes meet: see weft_rt_meet. */
struct MeetingPlace {
    llvm::Value *numbers, *count;
};

class StrandFunction : public ItemFunction {
  public:
    StrandFunction(llvm::Function &kernel, KernelRecord &record, unsigned width)
        : ItemFunction(kernel, record), width(width) {}

  protected:
    llvm::Value *answer(llvm::IRBuilder<> &builder, Internal internal,
                        llvm::CallBase &call) override;
    void wait(llvm::IRBuilder<> &builder, llvm::CallBase &barrier) override;
    virtual MeetingPlace placeOf(llvm::IRBuilder<> &builder, llvm::Instruction &where) = 0;

    /** The result of weft_rt_meet. Null values are 0; a null mask: this lane is there. */
    llvm::Value *meet(llvm::IRBuilder<> &builder, llvm::Instruction &where, unsigned why,
                      llvm::Value *value, llvm::Value *other, llvm::Value *mask);
    /** Lanes that give each other values in memory wait for each other at fences, since that is
     * what sub_group_barrier has become. */
    void meetAtFences();
    bool meetsAt(const llvm::Instruction &instruction) const;
    llvm::Value *ofStrand(llvm::IRBuilder<> &builder, uint64_t member) {
        return ofItem(builder, member, builder.getInt64Ty());
    }

    const unsigned width;

  private:
    llvm::Value *exchange(llvm::IRBuilder<> &builder, llvm::CallBase &call);
};

/** Any value of up to 64 bits as bits of a long, and back. */
llvm::Value *toBits(llvm::IRBuilder<> &builder, llvm::Value *value);
llvm::Value *fromBits(llvm::IRBuilder<> &builder, llvm::Value *bits, llvm::Type *type);

/** Puts a call of weft_rt_oracle in the kernel's place, with `code` for each strand. */
void runStrands(llvm::Function &kernel, llvm::Function &code, KernelRecord &record, unsigned kind,
                unsigned width);

} // namespace weft

#endif
