// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Constant tables that are small enough to be looked up in registers, by permutations. */
#ifndef WEFT_VECTOR_TABLES_H
#define WEFT_VECTOR_TABLES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace weft {

/** The pointer that a place is made of by adding `bytes`, and `added` values times what each counts
 *  in bytes. Null where nobody knows how much something counts. */
llvm::Value *withoutOffsets(llvm::Value &pointer, const llvm::DataLayout &layout,
                            llvm::APInt &bytes,
                            llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> &added);

/** What each lane loads from a place that it chooses in a constant table. */
class Table {
  public:
    /** Moves the place by so many elements for each one that it counts. */
    struct Step {
        llvm::Value *count;
        int64_t elements;
    };

    /** `pointer`: the place of one lane; `type`: what is loaded there, perhaps an OpenCL vector.
     * Nothing: that is in no table, or in a larger one than what a gather takes is worth. */
    static std::optional<Table> of(llvm::Value &pointer, llvm::Type &type,
                                   const llvm::Function &kernel, unsigned registerBits);

    llvm::ArrayRef<Step> steps() const { return variable; }

    /** An element of the vector that is loaded, of all lanes; `counts`: vectors for those of
     * steps(). */
    llvm::Value *lookUp(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> counts,
                        unsigned part) const;

  private:
    Table(llvm::Type &element, unsigned registerBits);
    llvm::GlobalVariable *findSteps(llvm::Value &pointer, const llvm::DataLayout &layout);
    uint64_t elementsWithin(uint64_t all, unsigned parts, const llvm::DataLayout &layout) const;
    bool read(llvm::GlobalVariable &table, uint64_t count, const llvm::DataLayout &layout);

    llvm::Value *ofRegister(llvm::IRBuilderBase &builder, llvm::Value *index) const;
    llvm::Value *ofWords(llvm::IRBuilderBase &builder, llvm::Value *word) const;
    llvm::Value *ofBytes(llvm::IRBuilderBase &builder, llvm::Value *index) const;
    llvm::Value *permute(llvm::IRBuilderBase &builder, llvm::Value *word, unsigned from) const;
    llvm::Constant *wordsFrom(llvm::LLVMContext &context, unsigned from) const;
    unsigned lanes() const { return registerBits / wordBits; }
    unsigned atOnce() const { return registerBits == 512 ? 2 * lanes() : lanes(); }

    llvm::Type *element;
    const unsigned bits, registerBits; /* of an element, of a register */
    const unsigned wordBits;           /* what is permuted; an index has as many */
    bool permutesBytes = false;
    llvm::SmallVector<Step, 2> variable;
    int64_t start = 0; /* elements, where all counts are 0 */
    llvm::SmallVector<uint64_t, 64> words;
};

/** Whether it is such a permutation, which LLVM's table of costs does not know. */
bool isPermutation(const llvm::CallBase &call);

} // namespace weft

#endif
