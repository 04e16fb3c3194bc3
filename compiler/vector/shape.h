// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How a value differs from lane to lane. */
#ifndef WEFT_VECTOR_SHAPE_H
#define WEFT_VECTOR_SHAPE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <optional>

namespace weft {

/**
 * Lane k has the value of lane 0 plus k * stride, in an integer's units or a pointer's bytes;
 * uniform: stride 0. Otherwise the value varies; `guess` then is the stride that it probably has
 * nevertheless, which code asks at run time (`i & (size - 1)`, `max(i - 1, 0)`, `i % width`).
 */
struct Shape {
    bool varies = false;
    int64_t stride = 0;
    std::optional<int64_t> guess;

    static Shape uniform() { return {}; }
    static Shape strided(int64_t stride) { return {false, stride, {}}; }
    static Shape varying() { return {true, 0, {}}; }
    static Shape guessed(std::optional<int64_t> guess) { return {true, 0, guess}; }
    bool isUniform() const { return !varies && stride == 0; }
    std::optional<int64_t> likely() const { return varies ? guess : stride; }
    bool operator==(const Shape &other) const {
        return varies == other.varies && stride == other.stride && guess == other.guess;
    }
};

/**
 * Shapes of all values of a linearised kernel: since lanes take all branches together, a PHI is
 * what its operands are. After the analysis in Karrenberg and Hack and in RV.
 *
 * One assumption: an id cut down to 32 bits does not wrap around between two lanes of one vector;
 * fewer bits may, and so may anything else that is cut down.
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
    Shape ofNarrowed(const llvm::Instruction &instruction) const;
    Shape ofArithmetic(const llvm::Instruction &instruction) const;
    unsigned zerosOf(const llvm::Value &value, unsigned depth = 0) const;
    bool isAligned(const llvm::Value &value) const;
    Shape ofBits(const llvm::Instruction &instruction) const;
    Shape ofExtension(const llvm::Instruction &instruction) const;
    bool isMadeOfIds(const llvm::Value &value, Seen &seen, bool inLoop = false) const;
    bool isId(const llvm::Value &value) const;
    enum class Extension { Unsigned, Signed, Address };
    bool keepsOrder(const llvm::Value &value, Extension how, Seen &seen) const;
    bool allUniform(const llvm::Instruction &instruction) const;

    /* guess.cc: strides that hold but for wrapping around, edges and the like */
    using Guess = std::optional<int64_t>;
    Guess guess(const llvm::Instruction &instruction) const;
    Guess guessPhi(const llvm::Instruction &phi) const;
    Guess guessPointer(const llvm::Instruction &gep) const;
    Guess guessArithmetic(const llvm::Instruction &instruction) const;
    Guess guessByUniform(const llvm::Instruction &instruction, const llvm::Value &uniform,
                         int64_t stride) const;
    Guess guessChoice(const llvm::Value &one, const llvm::Value &other) const;

    const llvm::DataLayout &layout;
    const bool linear;
    const unsigned width;
    Known known; /* absent: not yet, or not an instruction and so uniform */
};

} // namespace weft

#endif
