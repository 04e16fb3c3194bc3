// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The functions of kernel-lib/called.def, compiled when Weft was. From stage link-library on a
 * kernel calls `__weft_called.<name>.<f or d><lanes>`, which LLVM sees as a function without
 * effects that it knows nothing else about; stage widen gives a call as many lanes as the kernel
 * has, and stage abi makes calls of it that the target's registers serve. The linker finds these in
 * calledObject() (library.h). A kernel's results are those of the inlined function.
 */
#ifndef WEFT_NORM_CALLED_H
#define WEFT_NORM_CALLED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace weft {

/** The first characters of their symbols. */
constexpr llvm::StringLiteral calledPrefix = "__weft_called.";

/** One of these functions for a type and a number of lanes. A small value. */
class Called {
  public:
    /** The function of this mangled name and type in the library, if kernels call it; `lanes` are
     *  the elements of an OpenCL vector then. A name whose type is not the library's is not one. */
    static std::optional<Called> ofLibrary(const llvm::Function &function);
    /** What an instruction calls by calledPrefix. */
    static std::optional<Called> of(const llvm::Instruction &instruction);
    /** All functions, for one element. */
    static std::vector<Called> all();

    unsigned elementBits() const { return isDouble ? 64 : 32; }
    Called withLanes(unsigned number) const {
        Called other = *this;
        other.lanes = number;
        return other;
    }
    /** Smallest number of lanes, at least `number`, for which there is code on a target with
     *  registers of so many bits; the largest there is where that is less. */
    unsigned served(unsigned number, unsigned vectorBits) const;

    std::string symbol() const;
    /** Its mangled name in the library. */
    std::string librarySymbol() const;
    llvm::FunctionType *type(llvm::LLVMContext &context) const;
    llvm::Function *declare(llvm::Module &module) const;
    /** How code that is served on such a target is called. */
    llvm::CallingConv::ID convention(unsigned vectorBits) const;
    /** About how long a call takes. */
    double cycles(unsigned vectorBits) const;
    unsigned laneCount() const { return lanes; }

  private:
    Called(unsigned row, bool isDouble, unsigned lanes)
        : row(row), isDouble(isDouble), lanes(lanes) {}

    unsigned row; /* of called.def */
    bool isDouble;
    unsigned lanes;
};

/**
 * Makes calls by calledPrefix of the module's calls of library functions that are in called.def.
 * Calls of constants stay: LLVM computes them once the function is linked. True: it has made some.
 */
bool callPrecompiled(llvm::Module &module);

/** A call for other numbers of lanes: `arguments` have as many elements. */
llvm::CallInst *createCalled(llvm::IRBuilderBase &builder, const Called &called,
                             llvm::ArrayRef<llvm::Value *> arguments);

/** Lanes of a vector, from `first`; those that it has not do as the first does. */
llvm::Value *lanesOf(llvm::IRBuilderBase &builder, llvm::Value *value, unsigned first,
                     unsigned count);

/** `lanes` results side by side, of which `part` makes `each` at a time, from the lane that it is
 *  given. */
llvm::Value *inParts(llvm::IRBuilderBase &builder, unsigned lanes, unsigned each,
                     llvm::function_ref<llvm::Value *(unsigned first)> part);

/** All calls become such that the target's code serves them. */
void lowerCalled(llvm::Module &module, unsigned vectorBits);

} // namespace weft

#endif
