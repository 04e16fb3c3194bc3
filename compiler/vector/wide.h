// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Makes a linearised kernel wide. */
#ifndef WEFT_VECTOR_WIDE_H
#define WEFT_VECTOR_WIDE_H

#include "norm/called.h"
#include "norm/sub_groups.h"
#include "vector/groups.h"
#include "vector/lanes.h"
#include "vector/shape.h"

#include "llvm/ADT/SmallVector.h"

namespace weft {

/** What the build log tells. */
struct WideCounts {
    unsigned vectors = 0, shared = 0; /* values of the kernel's; shared: one for all lanes */
    unsigned gathers = 0, scatters = 0, expected = 0, lookedUp = 0;
    unsigned laneBlocks = 0, combined = 0, unrolled = 0, whole = 0;
    bool farStores = false; /* a scatter that nothing is known of */
};

/**
 * Values that vary get a vector of lanes for each of their parts: a scalar has one part, an OpenCL
 * vector one per element, a structure one per member. Uniform and strided values stay scalar and
 * are those of lane 0.
 */
class Widener {
  public:
    using Parts = llvm::SmallVector<llvm::Value *, 4>;

    Widener(llvm::Function &kernel, bool hasMasks, unsigned registerBits);
    void run();

    WideCounts counts;

  private:
    bool varies(const llvm::Value *value) const { return shapes.of(*value).varies; }
    bool isUniform(const llvm::Value *value) const { return shapes.of(*value).isUniform(); }

    const Parts &wide(llvm::Value *value);
    llvm::Value *wideScalar(llvm::Value *value) { return wide(value)[0]; }
    Parts spread(llvm::Value *value);
    llvm::Value *spreadScalar(llvm::Value *value, Shape shape);
    llvm::Type *wideType(llvm::Type *type) const;
    llvm::Constant *steps(llvm::Type *type, int64_t stride) const;

    void keepFirst(llvm::Instruction &instruction);
    void widen(llvm::Instruction &instruction);
    void widenPhi(llvm::PHINode &phi);
    void finishPhis();
    Parts widenVarying(llvm::Instruction &instruction);
    llvm::Value *wideAddress(llvm::Value *pointer);
    Parts widenPlain(llvm::Instruction &instruction);
    llvm::Value *widenPointer(llvm::GetElementPtrInst &gep);
    Parts widenCalled(llvm::CallInst &call);
    bool widenCall(llvm::CallInst &call, Parts &result);
    bool widenInternal(llvm::CallInst &call, Parts &result);
    bool widenVector(llvm::Instruction &instruction, Parts &result);
    Parts widenBits(llvm::Instruction &cast);
    Parts unroll(llvm::Instruction &instruction);
    llvm::Value *ofLane(llvm::Value *value, llvm::Value *lane);
    llvm::Value *bitsOf(llvm::Value *mask);
    llvm::Value *any(llvm::Value *mask);
    llvm::Value *join(llvm::ArrayRef<llvm::Value *> parts, unsigned groups);
    Parts separate(llvm::Value *joined, unsigned count, unsigned groups);
    void replace(llvm::Instruction &instruction, Parts parts);

    /* claims.cc */
    void checkShape(llvm::Instruction &instruction);

    /* lane_work.cc */
    void widenLaneWork(const LaneWork &work);
    void unrollUpdate(const LaneWork &work, llvm::Value *bits);
    bool updateAtOnce(const LaneWork &work, llvm::Value *mask, llvm::Value *bits);
    llvm::Value *ofAllLanes(Arith arith, llvm::Value *value, llvm::Value *mask, llvm::Value *bits);
    llvm::Value *ofLanesBelow(Arith arith, llvm::Value *value, llvm::Value *mask,
                              llvm::Value *bits);
    Parts growResult(const LaneWork &work, llvm::Instruction &one, llvm::BasicBlock &before,
                     llvm::Value *lane);
    llvm::AllocaInst *laneVariable(llvm::Type *type, unsigned number);
    llvm::Value *laneMemory(llvm::Type *type, unsigned number, const LaneWork &work,
                            llvm::BasicBlock &before);
    llvm::Value *ofLaneInMemory(llvm::Value *value, llvm::Value *lane, const LaneWork &work,
                                llvm::BasicBlock &before, unsigned &number);
    Parts collectResult(const LaneWork &work, llvm::Instruction &one, llvm::BasicBlock &before,
                        llvm::Value *lane, unsigned number);
    llvm::BasicBlock *openIfAny(llvm::Instruction &at, llvm::Value *bits);
    llvm::Value *rankOf(llvm::Value *bits, llvm::Type *type);

    /* exchange.cc */
    llvm::Value *widenBallot(llvm::CallInst &call);
    llvm::Value *widenExchange(const SubGroupCall &call);
    llvm::Value *permute(llvm::Value *value, llvm::Value *indices);
    llvm::Constant *identities(Arith arith, llvm::Type *type) const;
    llvm::Value *ofLanesOn(Arith arith, llvm::Value *value, llvm::Value *mask);
    llvm::Value *scan(Arith arith, llvm::Value *value, bool isExclusive);
    llvm::Value *reduce(Arith arith, llvm::Value *value, llvm::Value *size);
    llvm::Value *ofFirst(llvm::Value *value, llvm::Value *mask);

    /* memory.cc */
    void widenAccess(llvm::Instruction &instruction, const LaneAccess &access);
    unsigned groupSize(const LaneAccess &access, int64_t stride) const;
    bool isOwnRow(const LaneAccess &access, unsigned groups) const;
    llvm::Value *loadOwn(const LaneAccess &access);
    void storeOwn(const LaneAccess &access);
    bool isGuessedGroup(const LaneAccess &access) const;
    LaneGroups groupsOf(const LaneAccess &access, unsigned groups) const;
    Parts loadGroups(const LaneAccess &access, unsigned groups);
    void storeGroups(const LaneAccess &access, unsigned groups);
    llvm::SmallVector<llvm::Value *, 4> pointersOfParts(const LaneAccess &access);
    void expect(const LaneAccess &access, llvm::ArrayRef<llvm::CallInst *> calls);
    Parts gather(const LaneAccess &access);
    void scatter(const LaneAccess &access);
    bool isRow(const LaneAccess &access) const;
    bool isStoredWhole(const LaneAccess &access) const;
    bool isLoadedWhole(const LaneAccess &access) const;
    llvm::SmallVector<llvm::Value *, 16> safePointers(const LaneAccess &access);
    std::optional<Parts> lookUp(const LaneAccess &access);
    Parts gatherPairs(const LaneAccess &access);
    void scatterPairs(const LaneAccess &access);
    Parts loadEach(const LaneAccess &access);
    void storeEach(const LaneAccess &access);
    void storeUniform(const LaneAccess &access);
    llvm::Value *partPointers(const LaneAccess &access, unsigned part);

    llvm::Function &kernel;
    const unsigned width;
    const bool hasMasks; /* the target has masked accesses of all types */
    const unsigned registerBits;
    const llvm::DataLayout &layout;
    Shapes shapes;
    llvm::IRBuilder<> builder;
    llvm::DenseMap<llvm::Value *, Parts> values;
    llvm::DenseMap<std::pair<llvm::Type *, unsigned>, llvm::AllocaInst *> laneVariables;
    llvm::SmallVector<llvm::PHINode *, 16> phis;
    llvm::SmallVector<llvm::Instruction *, 64> dead;
    llvm::Value *here = nullptr; /* with checks: the lanes that are in the block */
};

/** How many vectors of lanes a value of this type becomes, and of what. */
unsigned partCount(llvm::Type *type);
llvm::Type *partType(llvm::Type *type, unsigned part);
/** That part of one lane's value. */
llvm::Value *partOf(llvm::IRBuilderBase &builder, llvm::Value *value, unsigned part);

/** <0, stride, 2 * stride, ...> */
llvm::Constant *laneSteps(llvm::Type *scalar, unsigned lanes, int64_t stride);

/**
 * What InstCombine wrote in the light of which items come here does not hold for lanes that are
 * off, perhaps the first, whose value stands for a strided one: `zext nneg` becomes `sext` again,
 * and `or disjoint` (`id + 1` where only even ids come) becomes `add`.
 */
void forgetWhoComes(llvm::Function &kernel);

/** Notes on a gather or scatter what stride its pointers probably have, if any, and that it is the
 * first of so many that follow each other, for elements side by side. */
void expectStride(llvm::CallInst &call, const Shape &shape, unsigned parts = 1);

/** Makes those ask at run time and do one vector access where the guess holds; how many do.
 * `hasMasks`: the target has masked accesses of all types. */
unsigned expandExpected(llvm::Function &kernel, bool hasMasks);

/** Divisions of vectors of integers by what is no constant become divisions of floats or doubles,
 * those of 64 bits where no lane has more than 52. The results are the same. */
void expandDivisions(llvm::Function &kernel);

/** What picks every fourth or eighth element out of many registers, for each of them, or puts such
 * vectors together, becomes shuffles of two registers each. */
void expandGroups(llvm::Function &kernel, unsigned registerBits);

/** Memory of private variables for all lanes: [index][lane] where all accesses are of one type. */
void layOutPrivate(llvm::Function &kernel);

} // namespace weft

#endif
