// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Masks as words: without AVX-512 what a comparison of eight floats leaves is eight words of 32
// bits. LLVM computes with eight bits in words of 16 (any vector of bits becomes one of 128 bits),
// and narrows and widens them around each operation. Here what masks are made of becomes words of
// the width of what was compared, also across blocks and in loops; the bit is the sign.

#include "vector/mask_words.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

class MaskWords {
  public:
    MaskWords(Function &function, unsigned lanes, unsigned bits)
        : function(function), lanes(lanes),
          wordType(FixedVectorType::get(IntegerType::get(function.getContext(), bits), lanes)),
          builder(function.getContext()) {}

    void run();

  private:
    bool isMask(const Value *value) const {
        auto *type = dyn_cast<FixedVectorType>(value->getType());
        return type && type->getNumElements() == lanes && type->getElementType()->isIntegerTy(1);
    }
    bool isMadeOfMasks(Instruction &instruction) const;
    Value *makeWord(Instruction &instruction);
    Value *wordOfSelect(SelectInst &select);
    Value *word(Value *mask);
    Value *maskAt(Value *mask, Instruction &user);
    void replaceUses(Instruction &user);

    Function &function;
    const unsigned lanes;
    FixedVectorType *const wordType;
    IRBuilder<> builder;
    SetVector<Instruction *> made; /* masks that become words, operands before users but for phis */
    DenseMap<Value *, Value *> words;
    DenseMap<std::pair<Value *, BasicBlock *>, Value *> masks; /* made of words again, per block */
};

bool MaskWords::isMadeOfMasks(Instruction &instruction) const {
    if (!isMask(&instruction))
        return false;
    switch (instruction.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Select:
    case Instruction::PHI:
    case Instruction::Freeze:
        return true;
    default:
        return getSplatValue(&instruction) != nullptr;
    }
}

/** The word of any mask, where the mask is known. */
Value *MaskWords::word(Value *mask) {
    if (auto *constant = dyn_cast<Constant>(mask))
        return builder.CreateSExt(constant, wordType);
    Value *&place = words[mask];
    if (place)
        return place;
    IRBuilder<>::InsertPointGuard guard(builder);
    if (auto *instruction = dyn_cast<Instruction>(mask))
        builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
        builder.SetInsertPoint(function.getEntryBlock().getFirstInsertionPt());
    return place = builder.CreateSExt(mask, wordType);
}

/** LLVM's form of "and" and "or" whose second operand does not count where the first decides. */
Value *MaskWords::wordOfSelect(SelectInst &select) {
    Value *condition = select.getCondition();
    Value *then = select.getTrueValue(), *otherwise = select.getFalseValue();
    if (!isMask(condition))
        return builder.CreateSelect(condition, word(then), word(otherwise));
    if (match(otherwise, m_Zero()))
        return builder.CreateAnd(word(condition), builder.CreateFreeze(word(then)));
    if (match(then, m_AllOnes()))
        return builder.CreateOr(word(condition), builder.CreateFreeze(word(otherwise)));
    return builder.CreateSelect(maskAt(condition, select), word(then), word(otherwise));
}

Value *MaskWords::makeWord(Instruction &instruction) {
    builder.SetInsertPoint(&instruction);
    if (auto *phi = dyn_cast<PHINode>(&instruction))
        return builder.CreatePHI(wordType, phi->getNumIncomingValues());
    if (auto *select = dyn_cast<SelectInst>(&instruction))
        return wordOfSelect(*select);
    if (isa<FreezeInst>(instruction))
        return builder.CreateFreeze(word(instruction.getOperand(0)));
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
        return builder.CreateBinOp(operation->getOpcode(), word(operation->getOperand(0)),
                                   word(operation->getOperand(1)));
    Value *bit = getSplatValue(&instruction);
    return builder.CreateVectorSplat(lanes, builder.CreateSExt(bit, wordType->getElementType()));
}

/** A mask for who cannot use words, out of its word in the user's block: DAGs are per block. */
Value *MaskWords::maskAt(Value *mask, Instruction &user) {
    auto *instruction = dyn_cast<Instruction>(mask);
    if (!instruction)
        return mask;
    BasicBlock *block = user.getParent();
    if (!made.contains(instruction) && instruction->getParent() == block)
        return mask;
    Value *whole = word(mask);
    Value *&place = masks[{whole, block}];
    if (place)
        return place;
    IRBuilder<>::InsertPointGuard guard(builder);
    auto *definition = dyn_cast<Instruction>(whole);
    if (definition && definition->getParent() == block)
        builder.SetInsertPoint(*definition->getInsertionPointAfterDef());
    else
        builder.SetInsertPoint(block, block->getFirstInsertionPt());
    return place = builder.CreateICmpSLT(whole, Constant::getNullValue(wordType));
}

void MaskWords::replaceUses(Instruction &user) {
    if (auto *extended = dyn_cast<SExtInst>(&user))
        if (extended->getType() == wordType &&
            made.contains(dyn_cast<Instruction>(extended->getOperand(0)))) {
            extended->replaceAllUsesWith(word(extended->getOperand(0)));
            return;
        }
    for (Use &operand : user.operands())
        if (isMask(operand.get()))
            operand.set(maskAt(operand.get(), user));
}

void MaskWords::run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
        for (Instruction &instruction : *block)
            if (isMadeOfMasks(instruction))
                made.insert(&instruction);
    if (made.empty())
        return;
    SmallVector<Instruction *, 32> users;
    for (Instruction &instruction : instructions(function))
        if (!made.contains(&instruction) &&
            any_of(instruction.operands(), [&](Use &operand) { return isMask(operand.get()); }))
            users.push_back(&instruction);
    for (Instruction *instruction : made)
        words[instruction] = makeWord(*instruction);
    for (Instruction *instruction : made)
        if (auto *phi = dyn_cast<PHINode>(instruction))
            for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
                cast<PHINode>(words[phi])
                    ->addIncoming(word(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    for (Instruction *user : users)
        replaceUses(*user);
    for (Instruction *instruction : made)
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    for (Instruction *instruction : made)
        instruction->eraseFromParent();
}

/** Bits of what most comparisons of so many lanes compare; 0: there are none. */
unsigned comparedBits(const Function &function, unsigned lanes) {
    unsigned counts[4] = {};
    for (const Instruction &instruction : instructions(function)) {
        auto *compare = dyn_cast<CmpInst>(&instruction);
        auto *type =
            compare ? dyn_cast<FixedVectorType>(compare->getOperand(0)->getType()) : nullptr;
        if (!type || type->getNumElements() != lanes)
            continue;
        unsigned bits = function.getDataLayout().getTypeSizeInBits(type->getElementType());
        if (bits >= 8 && bits <= 64 && isPowerOf2_32(bits))
            counts[Log2_32(bits) - 3]++;
    }
    auto *most = std::max_element(std::begin(counts), std::end(counts));
    return *most ? 8u << (most - counts) : 0;
}

} // namespace

void makeMasksWords(Function &function, unsigned lanes) {
    unsigned bits = comparedBits(function, lanes);
    if (bits * lanes > 128)
        MaskWords(function, lanes, bits).run();
}

} // namespace weft
