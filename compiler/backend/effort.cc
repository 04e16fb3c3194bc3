// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Instruction selection of values in several registers. A value of 64 lanes is four of AVX-512's
 * registers, so a block is selected as four of them that lie side by side, and what LLVM looks up
 * for each operation it looks up four times. Two of its searches cost much there and find nothing
 * that stages before have not found:
 *
 * - The bits of a value that are known, and those that are asked for, are followed through six
 *   operations, each of which asks both operands: x ^= x >> 15, and again, as every hash has it,
 *   is followed sixty-four ways. InstCombine has asked for wide values before they were in pieces.
 *   Here three operations are followed. So are lanes that are asked for.
 * - Operations are combined four times: before and after types are made legal, after operations on
 *   vectors are, and after all are. Without the third time one of 80 kernels for AVX-512 has its
 *   operations in another order.
 *
 * Both only where masks have registers of their own: AVX2's are sign bits of other values, and
 * there one kernel in three changes, some to its harm. 40 kernels take 7 % fewer instructions to
 * build, eight large ones of integers two thirds of the time.
 */

#include "backend/replaced.h"

#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/Support/KnownBits.h"

#define COMBINE                                                                                    \
    "_ZN4llvm12SelectionDAG7CombineENS_12CombineLevelEPNS_14BatchAAResultsENS_15CodeGenOptLevelE"
#define KNOWN_BITS_OF "_ZNK4llvm12SelectionDAG16computeKnownBitsENS_7SDValueERKNS_5APIntEj"
#define KNOWN_BITS    "_ZNK4llvm12SelectionDAG16computeKnownBitsENS_7SDValueEj"
#define SIGN_BITS     "_ZNK4llvm12SelectionDAG18ComputeNumSignBitsENS_7SDValueERKNS_5APIntEj"
#define IN_COMMON     "_ZNK4llvm12SelectionDAG19haveNoCommonBitsSetENS_7SDValueES1_"
#define DEMANDED                                                                                   \
    "_ZNK4llvm14TargetLowering20SimplifyDemandedBitsENS_7SDValueERKNS_5APIntES4_RNS_9KnownBitsE"   \
    "RNS0_17TargetLoweringOptEjb"
#define DEMANDED_ELEMENTS                                                                          \
    "_ZNK4llvm14TargetLowering26SimplifyDemandedVectorEltsENS_7SDValueERKNS_5APIntERS2_S5_RNS0_17" \
    "TargetLoweringOptEjb"

namespace weft {

using llvm::APInt;
using llvm::KnownBits;
using llvm::SDValue;
using llvm::SelectionDAG;
using llvm::TargetLowering;

WEFT_REPLACED(void, combine, COMBINE, SelectionDAG *, llvm::CombineLevel, llvm::BatchAAResults *,
              llvm::CodeGenOptLevel);
WEFT_REPLACED(KnownBits, knownBitsOf, KNOWN_BITS_OF, const SelectionDAG *, SDValue, const APInt &,
              unsigned);
WEFT_REPLACED(KnownBits, knownBits, KNOWN_BITS, const SelectionDAG *, SDValue, unsigned);
WEFT_REPLACED(unsigned, signBits, SIGN_BITS, const SelectionDAG *, SDValue, const APInt &,
              unsigned);
WEFT_REPLACED(bool, nothingInCommon, IN_COMMON, const SelectionDAG *, SDValue, SDValue);
WEFT_REPLACED(bool, simplifyDemanded, DEMANDED, const TargetLowering *, SDValue, const APInt &,
              const APInt &, KnownBits &, TargetLowering::TargetLoweringOpt &, unsigned, bool);
WEFT_REPLACED(bool, simplifyElements, DEMANDED_ELEMENTS, const TargetLowering *, SDValue,
              const APInt &, APInt &, APInt &, TargetLowering::TargetLoweringOpt &, unsigned, bool);

namespace {

/** Operations of a vector that are not followed, of the six (SelectionDAG::MaxRecursionDepth). */
constexpr unsigned notFollowed = 3;

bool hasMaskRegisters(const TargetLowering &lowering) {
    return lowering.isTypeLegal(llvm::MVT::v16i1);
}

/** Only what fills AVX-512's registers: an OpenCL vector of one item is looked at as ever (ray
 * tracing with float4 took 1.3 times as long with a constant less in its loop). */
bool isSpared(const TargetLowering &lowering, SDValue value) {
    const llvm::EVT type = value.getValueType();
    return type.isFixedLengthVector() && type.getFixedSizeInBits() >= 512 &&
           hasMaskRegisters(lowering);
}

unsigned deeper(const TargetLowering &lowering, SDValue value, unsigned depth) {
    return isSpared(lowering, value)
               ? std::min(depth + notFollowed, SelectionDAG::MaxRecursionDepth)
               : depth;
}

bool isAnd(SDValue value) {
    if (value.getOpcode() == llvm::ISD::ZERO_EXTEND)
        value = value.getOperand(0);
    return value.getOpcode() == llvm::ISD::AND;
}

} // namespace

void combineInPlace(SelectionDAG *dag, llvm::CombineLevel level, llvm::BatchAAResults *aliases,
                    llvm::CodeGenOptLevel effort) {
    if (level != llvm::AfterLegalizeVectorOps || !hasMaskRegisters(dag->getTargetLoweringInfo()))
        combine(dag, level, aliases, effort);
}

KnownBits knownBitsOfInPlace(const SelectionDAG *dag, SDValue value, const APInt &elements,
                             unsigned depth) {
    return knownBitsOf(dag, value, elements, deeper(dag->getTargetLoweringInfo(), value, depth));
}

KnownBits knownBitsInPlace(const SelectionDAG *dag, SDValue value, unsigned depth) {
    return knownBits(dag, value, deeper(dag->getTargetLoweringInfo(), value, depth));
}

unsigned signBitsInPlace(const SelectionDAG *dag, SDValue value, const APInt &elements,
                         unsigned depth) {
    return signBits(dag, value, elements, deeper(dag->getTargetLoweringInfo(), value, depth));
}

bool nothingInCommonInPlace(const SelectionDAG *dag, SDValue left, SDValue right) {
    /* (a & m) and (b & ~m) are seen by their form, which costs little. */
    if (!isSpared(dag->getTargetLoweringInfo(), left) || isAnd(left) || isAnd(right))
        return nothingInCommon(dag, left, right);
    const KnownBits known = knownBits(dag, left, notFollowed);
    if (known.Zero.isZero()) /* else `right` would have to be 0, which is folded before */
        return false;
    return KnownBits::haveNoCommonBitsSet(known, knownBits(dag, right, notFollowed));
}

bool simplifyDemandedInPlace(const TargetLowering *lowering, SDValue value, const APInt &bits,
                             const APInt &elements, KnownBits &known,
                             TargetLowering::TargetLoweringOpt &change, unsigned depth,
                             bool assumeSingleUse) {
    return simplifyDemanded(lowering, value, bits, elements, known, change,
                            deeper(*lowering, value, depth), assumeSingleUse);
}

bool simplifyElementsInPlace(const TargetLowering *lowering, SDValue value, const APInt &elements,
                             APInt &undefined, APInt &zero,
                             TargetLowering::TargetLoweringOpt &change, unsigned depth,
                             bool assumeSingleUse) {
    return simplifyElements(lowering, value, elements, undefined, zero, change,
                            deeper(*lowering, value, depth), assumeSingleUse);
}

} // namespace weft
