// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/stores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** What is stored where, of all elements of a vector. */
struct Stored {
    Value *value, *place;
    Align align;
};

/** A simple store, or one under a mask that is true. */
std::optional<Stored> storedBy(Instruction &instruction) {
    Value *value = nullptr, *place = nullptr;
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
        return Stored{store->getValueOperand(), store->getPointerOperand(), store->getAlign()};
    if (match(&instruction,
              m_Intrinsic<Intrinsic::masked_store>(m_Value(value), m_Value(place), m_AllOnes())))
        return Stored{value, place, cast<IntrinsicInst>(instruction).getParamAlign(1).valueOrOne()};
    return std::nullopt;
}

/** Elements of one register; 0: the vector does not fill several. */
unsigned elementsOfPart(Type *type, uint64_t registerBits) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    const uint64_t bits = vector ? vector->getScalarSizeInBits() : 0;
    if (bits < 8 || !isPowerOf2_64(bits) || registerBits < 128)
        return 0;
    const uint64_t count = vector->getNumElements(), each = registerBits / bits;
    return each && count > each && count % each == 0 ? static_cast<unsigned>(each) : 0;
}

void split(Instruction &store, const Stored &stored, unsigned each) {
    IRBuilder<> builder(&store);
    auto *type = cast<FixedVectorType>(stored.value->getType());
    const uint64_t bytes = type->getScalarSizeInBits() / 8 * each;
    for (unsigned part = 0; part * each < type->getNumElements(); part++) {
        Value *value =
            builder.CreateShuffleVector(stored.value, createSequentialMask(part * each, each, 0));
        Value *place =
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), stored.place, part * bytes);
        builder.CreateAlignedStore(value, place, commonAlignment(stored.align, part * bytes))
            ->setAAMetadata(store.getAAMetadata().adjustForAccess(part * bytes, value->getType(),
                                                                  store.getDataLayout()));
    }
    store.eraseFromParent();
}

} // namespace

void splitStores(Module &module, const TargetMachine &machine) {
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        const uint64_t bits = machine.getTargetTransformInfo(function)
                                  .getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
                                  .getFixedValue();
        for (Instruction &instruction : make_early_inc_range(instructions(function)))
            if (auto stored = storedBy(instruction))
                if (unsigned each = elementsOfPart(stored->value->getType(), bits))
                    split(instruction, *stored, each);
    }
}

} // namespace weft
