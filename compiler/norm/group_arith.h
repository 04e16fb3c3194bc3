// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The arithmetic of work-group and sub-group functions: what reductions and scans combine. */
#ifndef WEFT_NORM_GROUP_ARITH_H
#define WEFT_NORM_GROUP_ARITH_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace weft {

enum class Arith { Add, Mul, SMin, UMin, SMax, UMax, And, Or, Xor, FAdd, FMul, FMin, FMax };

/** From the last word of a built-in's name ("add", "min", ...); none if there is no such one. */
std::optional<Arith> arithOf(llvm::StringRef word, llvm::Type *type, bool isSigned);

/**
 * Products as atomic updates of what work-group functions share. LLVM has no such update; these two
 * come from no program, and are replaced before code generation (optimise.cc). That of floats has
 * an integer type, as its own meaning demands.
 */
constexpr llvm::AtomicRMWInst::BinOp multiplyUpdate = llvm::AtomicRMWInst::USubCond;
constexpr llvm::AtomicRMWInst::BinOp multiplyFloatUpdate = llvm::AtomicRMWInst::USubSat;
inline bool isProduct(llvm::AtomicRMWInst::BinOp update) {
    return update == multiplyUpdate || update == multiplyFloatUpdate;
}

/** The same operation as an atomic update, and back. */
llvm::AtomicRMWInst::BinOp updateOf(Arith arith);
std::optional<Arith> arithOf(llvm::AtomicRMWInst::BinOp update);

/** The intrinsic that combines a vector of integers; not_intrinsic for floats. */
llvm::Intrinsic::ID reductionOf(Arith arith);

/** True if the first of the mangled parameters is an integer with a sign (or no integer). */
bool isSignedParameter(llvm::StringRef mangled);

/** The value that changes nothing: "the identity I". */
llvm::Constant *identityOf(Arith arith, llvm::Type *type);

/** Plain operations, comparisons and selections, the same for scalars and vectors. */
llvm::Value *combine(llvm::IRBuilderBase &builder, Arith arith, llvm::Value *before,
                     llvm::Value *value);

} // namespace weft

#endif
