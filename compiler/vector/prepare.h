// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What a kernel must look like before it can be made wide. */
#ifndef WEFT_VECTOR_PREPARE_H
#define WEFT_VECTOR_PREPARE_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace weft {

/**
 * Unrolls loops of a known number of turns where that makes values of all elements of private
 * arrays: each place is a constant then, also one that comes from a table of constants. No array
 * that still would be in memory makes code larger. For stage inline-library.
 * `vectorBits`: of the widest registers.
 */
void unrollForArrays(llvm::Function &kernel, unsigned vectorBits,
                     llvm::FunctionAnalysisManager &analyses);

/** Loops whose ends follow from how ids are bounded, after as many turns for each item, count these
 *  turns: so no lane waits for another, and what is short is unrolled. For stage inline-library. */
void countTurns(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/** Makes comparisons and selects of switches that only choose values. For stage inline-library. */
void selectCases(llvm::Function &kernel);

/**
 * What is read from short private arrays that are filled before becomes a choice among their
 * values, where those are the same for all lanes or lanes read different elements. False: nothing
 * did. For stage inline-library.
 */
bool chooseElements(llvm::Function &kernel);

/** Marks selects that choose among several values by one, as those are, so that code generation
 *  makes no branches of them. For stage optimise, behind everything else. */
void keepSelects(llvm::Function &function);

/** A pure call that has a form on vectors. */
bool isVectorised(const llvm::CallBase &call);

/** What it becomes where all lanes have one register for each value: accesses of long OpenCL
 * vectors count with the square of their elements, as their shuffles take code generation longest.
 */
uint64_t wideOperations(const llvm::Instruction &instruction);

/** Simple loops, no switches, no critical edges, one return, LCSSA: as class Flow wants it. */
void prepareFlow(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/**
 * Loads and stores of integers that machines have no access for become several of 8 to 64 bits
 * each. LLVM's passes make them: `load <48 x i1>` of one bit of a short3, `load i24` of a structure
 * of three bytes. A bit has no address, and vectors of lanes of 24 bits would not lie as memory
 * does.
 */
void accessWholeBytes(llvm::Function &kernel);

/**
 * Makes one access of an OpenCL vector of scalar ones that lie side by side, in one block, where
 * lanes are further apart than one element: the floats of vload3, members of structures, rows of
 * an unrolled loop. Shapes of a kernel that is not linearised only say where it pays.
 */
void bundleAccesses(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);
/** Whether that is part of what a kernel does most: in its loops, if it has any. */
bool bundlesMatter(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);
/** Accesses of bytes and words of 16 bits that will be parts of one with others. */
unsigned countBundledNarrow(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/**
 * Makes one turn of several in loops in which lanes go along rows of their own, all equally long,
 * for bundleAccesses to put their elements together.
 */
void unrollRows(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/** What a kernel's loops do with such rows. */
enum class RowUse {
    None,
    Some,      /* there are loops that unrollRows takes, or some that make one row of another */
    OnlyTurned /* all that loops do is to make one row of another, with few operations */
};
RowUse useOfRows(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/** Indices that are sums in 32 bits, of what is the same for all lanes or turns and what is not,
 *  become sums in 64 bits where lanes' places lie side by side: what code generation makes of them
 *  is a pointer that grows. */
void extendIndices(llvm::Function &kernel);

/** Puts variables of constant size in front of the entry: what is inserted behind the last of them
 *  may use them all, and splitting the entry leaves none to be allocated at run time. */
void gatherVariables(llvm::Function &kernel);

/** The two values that a compare-and-exchange gives are taken from it where it is, so that neither
 *  a loop nor a PHI hands on both as one structure. */
void takeExchangesApart(llvm::Function &kernel);

/** Makes a function of each short retry loop (vector/waits.h), so that calling it is lane work. */
void callRetryLoops(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

/** Puts them in place of their calls, where these are in loops over lanes. */
void inlineRetryLoops(llvm::Function &kernel);

/**
 * Lanes that skipped code together get their values where they did so, not behind it by a blend
 * with what a register happens to hold: that is less code where they usually skip, and no trip of a
 * loop waits for the one before.
 */
void blendEarly(llvm::Function &kernel);

/** On kernels that would be too large with the functions that they call in them. */
constexpr const char *largeAttribute = "weft-large";

/** Too large to be made wide, however wide and with whatever in it. */
bool isLongerThanWide(const llvm::Function &kernel);

/** Building the kernel so wide, for a target whose registers have `vectorBits`, would take longer
 *  than running it one item at a time is worth. */
bool isTooLarge(llvm::Function &kernel, unsigned width, unsigned vectorBits,
                llvm::FunctionAnalysisManager &analyses);

/** Null, or why the kernel cannot run several items at once: a phrase for the build log. */
const char *whyNotWide(llvm::Function &kernel);

/** Most accesses are of OpenCL vectors of 8 or 16 elements. */
bool hasLongVectors(const llvm::Function &kernel);

/** Most of what a loop does, or a kernel whose only loops retry an exchange, is atomics that cannot
 *  be done for all lanes at once. */
bool countsInLoop(llvm::Function &kernel);

/**
 * Lanes of the prevailing type that fill one of the target's `registers`, each of `bits`: as many
 * as there are of 64 bits where doubles prevail, of 16 where halves do on a machine that computes
 * in them, else of 32. Long integers that are data take two registers each unless there are too
 * few.
 */
unsigned naturalWidth(llvm::Function &kernel, unsigned bits, unsigned registers);

/** Registers of `bits` that the values of `width` lanes take at most at one time, but for what all
 * do together and rarely: roughly, since the kernel is not linearised yet. */
unsigned mostRegisters(llvm::Function &kernel, unsigned width, unsigned bits);

/** 1, 2 or 4 registers for a value of all lanes, and why no more, for the build log. */
struct Registers {
    unsigned count;
    const char *whyNoMore;
};

/**
 * How many registers of `bits` a value of all lanes of a flat kernel should take.
 * `width` lanes of the prevailing type fill one; the target has `registers`.
 */
Registers registersPerValue(llvm::Function &kernel, unsigned width, unsigned bits,
                            unsigned registers);

} // namespace weft

#endif
