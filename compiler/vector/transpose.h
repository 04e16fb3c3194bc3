// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loads of a vector for each lane, wherever these are, and the shuffles that this takes. */
#ifndef WEFT_VECTOR_TRANSPOSE_H
#define WEFT_VECTOR_TRANSPOSE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace weft {

/** What shuffles that are cheap everywhere do not cross. */
constexpr unsigned pieceBits = 128;

/** As many registers as elements in a piece: of each piece a matrix, which is transposed. Stone,
 *  Parallel Processing with the Perfect Shuffle (1971). */
void transposePieces(llvm::IRBuilderBase &builder, llvm::MutableArrayRef<llvm::Value *> registers);

class RowLoads {
  public:
    /** `align`: of each row; `registerBits`: what the processor shuffles at once. */
    RowLoads(llvm::IRBuilderBase &builder, llvm::FixedVectorType *row, llvm::Align align,
             unsigned registerBits)
        : builder(builder), row(row), align(align), registerBits(registerBits) {}

    /** Elements of 1 to 8 bytes, and lanes that fill 16 bytes. */
    static bool isPossible(const llvm::FixedVectorType &row, unsigned lanes);

    /** `pointers`: one for each lane, all of which can be read. Returns a vector of all lanes for
     *  each element of the row. */
    llvm::SmallVector<llvm::Value *, 4> load(llvm::ArrayRef<llvm::Value *> pointers);

  private:
    unsigned piece() const; /* elements of 16 bytes */
    llvm::Value *loadPiece(llvm::Value *pointer, unsigned from);
    void loadLanes(llvm::ArrayRef<llvm::Value *> pointers, unsigned from,
                   llvm::MutableArrayRef<llvm::SmallVector<llvm::Value *, 4>> parts);

    llvm::IRBuilderBase &builder;
    llvm::FixedVectorType *row;
    const llvm::Align align;
    const unsigned registerBits;
};

} // namespace weft

#endif
