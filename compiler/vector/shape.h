// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How a value differs from lane to lane. */
#ifndef WEFT_VECTOR_SHAPE_H
#define WEFT_VECTOR_SHAPE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace weft {

/**
 * Lane k has the value of lane 0 plus k * stride, in an integer's units or a pointer's bytes;
 * uniform: stride 0. Otherwise the value varies.
 */
struct Shape {
    bool varies = false;
    int64_t stride = 0;

    static Shape uniform() { return {false, 0}; }
    static Shape strided(int64_t stride) { return {false, stride}; }
    static Shape varying() { return {true, 0}; }
    bool isUniform() const { return !varies && stride == 0; }
    bool operator==(const Shape &other) const {
        return varies == other.varies && stride == other.stride;
    }
};

/**
 * Shapes of all values of a linearised kernel: since lanes take all branches together, a PHI is
 * what its operands are. After the analysis in Karrenberg and Hack and in RV.
 *
 * One assumption: an id cut down to 32 bits does not wrap around between two lanes of one vector.
 */
class Shapes {
  public:
    explicit Shapes(llvm::Function &kernel);

    Shape of(const llvm::Value &value) const;

  private:
    using Seen = llvm::SmallPtrSet<const llvm::Instruction *, 16>;
    using Known = llvm::DenseMap<const llvm::Value *, Shape>;

    Shape compute(const llvm::Instruction &instruction) const;
    Shape ofPhi(const llvm::Instruction &phi) const;
    Shape ofCall(const llvm::Instruction &call) const;
    Shape ofPointer(const llvm::Instruction &gep) const;
    Shape ofNarrowed(const llvm::Instruction &instruction, const llvm::ConstantInt *constant) const;
    Shape ofArithmetic(const llvm::Instruction &instruction) const;
    Shape ofExtension(const llvm::Instruction &instruction) const;
    bool keepsOrder(const llvm::Value &value, bool isSigned, Seen &seen) const;
    bool allUniform(const llvm::Instruction &instruction) const;

    const llvm::DataLayout &layout;
    Known known; /* absent: not yet, or not an instruction and so uniform */
};

} // namespace weft

#endif
