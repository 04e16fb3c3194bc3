// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Elements of constant vectors, found once for all lanes. */
#ifndef WEFT_CONSTANTS_H
#define WEFT_CONSTANTS_H

#include "llvm/IR/Constants.h"

#include <array>

namespace weft {

/**
 * Remembers the elements of constant vectors from its construction to its destruction, for all that
 * LLVM asks for on this thread meanwhile (constants.cc). The context of the constants that are
 * asked for must live longer: only one context may be in use. Not to be nested.
 */
class ConstantMemory {
  public:
    ConstantMemory();
    ~ConstantMemory();
    ConstantMemory(const ConstantMemory &) = delete;
    ConstantMemory &operator=(const ConstantMemory &) = delete;

    /** Element `index` of `vector`, which has so many. */
    llvm::Constant *elementOf(const llvm::ConstantDataSequential &vector, uint64_t index);

    /** The constant of this value. */
    llvm::ConstantFP *valueOf(llvm::LLVMContext &context, const llvm::APFloat &value);

  private:
    /** Of a vector whose elements are all the same. */
    struct Splat {
        const llvm::ConstantDataSequential *vector = nullptr;
        llvm::Constant *element = nullptr;
    };
    std::array<Splat, 256> splats; /* where the address of the vector says; the last one stays */
    llvm::ConstantFP *last = nullptr;
};

} // namespace weft

#endif
