// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** A vector whose elements are not whole bytes; null: any other type. */
static FixedVectorType *bitsOf(Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector && vector->getScalarSizeInBits() % 8 && !vector->isPtrOrPtrVectorTy() ? vector
                                                                                        : nullptr;
}

static Value *byteAt(IRBuilder<> &builder, Value *pointer, unsigned number) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, number);
}

static Align alignAt(const Instruction &access, unsigned number) {
    return commonAlignment(getLoadStoreAlignment(&access), number);
}

/** All bits, the first in the lowest place, as code generation loads them. */
static void loadBytes(LoadInst &load) {
    IRBuilder<> builder(&load);
    auto bits = static_cast<unsigned>(load.getType()->getPrimitiveSizeInBits());
    unsigned bytes = (bits + 7) / 8;
    Type *whole = builder.getIntNTy(bytes * 8);
    Value *all = nullptr;
    for (unsigned number = 0; number < bytes; number++) {
        Value *byte = builder.CreateAlignedLoad(builder.getInt8Ty(),
                                                byteAt(builder, load.getPointerOperand(), number),
                                                alignAt(load, number), load.isVolatile());
        // One bit of a byte, which is what such loads are mostly made for.
        for (User *user : make_early_inc_range(load.users())) {
            auto *extract = dyn_cast<ExtractElementInst>(user);
            auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
            if (!index || index->getZExtValue() / 8 != number ||
                !extract->getType()->isIntegerTy(1))
                continue;
            Value *shifted = builder.CreateLShr(byte, index->getZExtValue() % 8);
            extract->replaceAllUsesWith(builder.CreateTrunc(shifted, extract->getType()));
            extract->eraseFromParent();
        }
        Value *part = builder.CreateShl(builder.CreateZExt(byte, whole), number * 8);
        all = all ? builder.CreateOr(all, part) : part;
    }
    all = builder.CreateTrunc(all, builder.getIntNTy(bits));
    load.replaceAllUsesWith(builder.CreateBitCast(all, load.getType()));
    load.eraseFromParent();
}

static void storeBytes(StoreInst &store) {
    IRBuilder<> builder(&store);
    Value *value = store.getValueOperand();
    auto bits = static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits());
    unsigned bytes = (bits + 7) / 8;
    Value *all = builder.CreateZExt(builder.CreateBitCast(value, builder.getIntNTy(bits)),
                                    builder.getIntNTy(bytes * 8));
    for (unsigned number = 0; number < bytes; number++)
        builder.CreateAlignedStore(
            builder.CreateTrunc(builder.CreateLShr(all, number * 8), builder.getInt8Ty()),
            byteAt(builder, store.getPointerOperand(), number), alignAt(store, number),
            store.isVolatile());
    store.eraseFromParent();
}

void accessBytes(Function &kernel) {
    for (Instruction &instruction : make_early_inc_range(instructions(kernel)))
        if (auto *load = dyn_cast<LoadInst>(&instruction); load && bitsOf(load->getType()))
            loadBytes(*load);
        else if (auto *store = dyn_cast<StoreInst>(&instruction);
                 store && bitsOf(store->getValueOperand()->getType()))
            storeBytes(*store);
}

} // namespace weft
