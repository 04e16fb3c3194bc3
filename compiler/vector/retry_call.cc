// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Retry loops as one operation each. Lanes that make their turns together compete: if all lanes
// update one word, one of them succeeds in each turn, and 16 lanes need 136 exchanges. So a short
// retry loop becomes a function, whose call is lane work: each lane's loop runs to its end before
// the next lane's begins, and succeeds at once unless another thread comes between. It ends alone
// for the same reasons as together with others (retry.cc). Loops that compute much stay as they are
// and compute it for all lanes.

#include "norm/simplify.h"
#include "vector/lanes.h"
#include "vector/prepare.h"
#include "vector/waits.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace weft {

namespace {

/** A loop that does more is made wide, with its exchange lane by lane. */
constexpr unsigned maxCallInstructions = 40;

bool isScalar(const Value &value) {
    return value.getType()->isSingleValueType() && !value.getType()->isVectorTy();
}

bool isOfItem(const Value &value) {
    return value.getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(&value));
}

/** A loop of simplified form, with LCSSA, that becomes a function. */
class RetryCall {
  public:
    explicit RetryCall(Loop &loop)
        : blocks(loop.blocks()), header(loop.getHeader()), first(header) {
        before = loop.getLoopPreheader();
        behind = loop.getUniqueExitBlock();
    }

    bool isPossible();
    void make();

  private:
    bool contains(const BasicBlock *block) const { return is_contained(blocks, block); }
    void addFirstRead();
    bool addInputs(const Instruction &instruction);
    Function *declare() const;
    void moveBlocks(Function &function);
    void moveResults(Function &function);
    void callIt(Function &function);

    SmallVector<BasicBlock *, 8> blocks;
    BasicBlock *const header;
    BasicBlock *first, *before, *behind; /* first: where it is entered */
    SmallSetVector<Value *, 8> inputs;
    SmallVector<PHINode *, 4> results;
};

bool RetryCall::addInputs(const Instruction &instruction) {
    for (Value *operand : instruction.operands()) {
        auto *made = dyn_cast<Instruction>(operand);
        if (!isa<Argument>(operand) && (!made || contains(made->getParent())))
            continue;
        if (!isScalar(*operand) || isOfItem(*operand))
            return false;
        inputs.insert(operand);
    }
    return true;
}

bool RetryCall::isPossible() {
    if (!before || !behind)
        return false;
    unsigned count = 0;
    for (const BasicBlock *block : blocks)
        for (const Instruction &instruction : *block) {
            bool isCall = isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
            if (isCall || ++count > maxCallInstructions || !addInputs(instruction))
                return false;
        }
    for (PHINode &phi : behind->phis()) {
        if (!isScalar(phi) || !all_of(phi.blocks(), [&](auto *from) { return contains(from); }))
            return false;
        results.push_back(&phi);
    }
    return true;
}

/** With what the kernel's attributes say of code generation and of floats. */
Function *RetryCall::declare() const {
    Function &kernel = *header->getParent();
    SmallVector<Type *, 8> given, types;
    for (const Value *input : inputs)
        given.push_back(input->getType());
    for (const PHINode *result : results)
        types.push_back(result->getType());
    LLVMContext &context = kernel.getContext();
    Type *type = types.empty()       ? Type::getVoidTy(context)
                 : types.size() == 1 ? types[0]
                                     : StructType::get(context, types);
    Function *function =
        Function::Create(FunctionType::get(type, given, false), GlobalValue::InternalLinkage,
                         "__weft_retry", kernel.getParent());
    for (Attribute attribute : kernel.getAttributes().getFnAttrs())
        if (!attribute.isStringAttribute() || !attribute.getKindAsString().starts_with("weft-"))
            function->addFnAttr(attribute);
    function->addFnAttr(retryAttribute);
    function->addFnAttr(Attribute::NoInline);
    return function;
}

void RetryCall::moveBlocks(Function &function) {
    auto *entry = BasicBlock::Create(function.getContext(), "", &function);
    BranchInst::Create(first, entry);
    for (BasicBlock *block : blocks) {
        block->removeFromParent();
        block->insertInto(&function);
        block->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
        for (Instruction &instruction : *block) {
            instruction.setDebugLoc({});
            instruction.dropDbgRecords();
            if (instruction.isUsedByMetadata())
                ValueAsMetadata::handleRAUW(&instruction, PoisonValue::get(instruction.getType()));
            for (Use &operand : instruction.operands())
                if (auto *found = find(inputs, operand.get()); found != inputs.end())
                    operand.set(function.getArg(static_cast<unsigned>(found - inputs.begin())));
        }
    }
    first->replacePhiUsesWith(before, entry);
}

void RetryCall::moveResults(Function &function) {
    auto *end = BasicBlock::Create(function.getContext(), "", &function);
    IRBuilder<> builder(end);
    Value *all = results.size() > 1 ? PoisonValue::get(function.getReturnType()) : nullptr;
    SmallVector<PHINode *, 4> inside;
    for (PHINode *result : results) {
        PHINode *phi = builder.CreatePHI(result->getType(), result->getNumIncomingValues());
        for (auto [value, from] : zip(result->incoming_values(), result->blocks()))
            phi->addIncoming(value, from);
        inside.push_back(phi);
    }
    for (unsigned index = 0; all && index < inside.size(); index++)
        all = builder.CreateInsertValue(all, inside[index], index);
    if (inside.empty())
        builder.CreateRetVoid();
    else
        builder.CreateRet(all ? all : inside[0]);
    for (BasicBlock *block : blocks)
        block->getTerminator()->replaceSuccessorWith(behind, end);
}

void RetryCall::callIt(Function &function) {
    Instruction *way = before->getTerminator();
    IRBuilder<> builder(way);
    CallInst *call = builder.CreateCall(&function, inputs.getArrayRef());
    for (unsigned index = 0; index < results.size(); index++) {
        Value *result = results.size() > 1 ? builder.CreateExtractValue(call, index) : call;
        results[index]->replaceAllUsesWith(result);
        results[index]->eraseFromParent();
    }
    way->replaceSuccessorWith(first, behind);
}

/**
 * What is read right in front of the loop, to be compared first, each lane had better read when its
 * turn comes: the lane before may change it.
 */
void RetryCall::addFirstRead() {
    SmallPtrSet<Instruction *, 4> chain;
    LoadInst *load = nullptr;
    for (PHINode &phi : header->phis()) {
        Value *value = phi.getIncomingValueForBlock(before);
        while (isa<BitCastInst>(value) && value->hasOneUse()) {
            chain.insert(cast<Instruction>(value));
            value = cast<Instruction>(value)->getOperand(0);
        }
        auto *found = dyn_cast<LoadInst>(value);
        if (!found || load || found->getParent() != before || !found->hasOneUse() ||
            isOfItem(*found->getPointerOperand()))
            continue;
        load = found;
        chain.insert(load);
    }
    if (!load)
        return;
    SmallVector<Instruction *, 8> others;
    for (Instruction *next = load->getNextNode(); !next->isTerminator(); next = next->getNextNode())
        if (next->mayReadOrWriteMemory() || next->mayHaveSideEffects())
            return;
        else if (!chain.contains(next))
            others.push_back(next);
    for (Instruction *other : others)
        other->moveBefore(load->getIterator());
    first = SplitBlock(before, load->getIterator());
    blocks.insert(blocks.begin(), first);
    inputs.clear();
    for (const BasicBlock *block : blocks)
        for (const Instruction &instruction : *block)
            addInputs(instruction);
}

void RetryCall::make() {
    addFirstRead();
    Function *function = declare();
    moveBlocks(*function);
    moveResults(*function);
    callIt(*function);
}

} // namespace

void callRetryLoops(Function &kernel, FunctionAnalysisManager &analyses) {
    if (none_of(instructions(kernel), [](auto &any) { return isa<AtomicCmpXchgInst>(any); }))
        return;
    FunctionPassManager passes;
    passes.addPass(LowerSwitchPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    runAnew(passes, kernel, analyses);
    DominatorTree tree(kernel);
    LoopInfo loops(tree);
    std::vector<RetryCall> calls;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (isRetryLoop(*loop, loops))
            if (RetryCall call(*loop); call.isPossible())
                calls.push_back(std::move(call));
    for (RetryCall &call : calls)
        call.make();
}

/** A PHI of what exchanges gave becomes two, if nothing else asks for the pair. */
static bool splitPair(PHINode &pair) {
    auto *type = dyn_cast<StructType>(pair.getType());
    if (!type || !all_of(pair.users(), [](User *user) { return isa<ExtractValueInst>(user); }))
        return false;
    SmallVector<PHINode *, 2> parts;
    for (unsigned index = 0; index < type->getNumElements(); index++) {
        IRBuilder<> builder(&pair);
        parts.push_back(
            builder.CreatePHI(type->getElementType(index), pair.getNumIncomingValues()));
        for (auto [value, from] : zip(pair.incoming_values(), pair.blocks())) {
            builder.SetInsertPoint(from->getTerminator());
            parts[index]->addIncoming(builder.CreateExtractValue(value, index), from);
        }
    }
    for (User *user : make_early_inc_range(pair.users())) {
        auto *extract = cast<ExtractValueInst>(user);
        extract->replaceAllUsesWith(parts[extract->getIndices()[0]]);
        extract->eraseFromParent();
    }
    pair.eraseFromParent();
    return true;
}

void takeExchangesApart(Function &kernel) {
    SmallVector<AtomicCmpXchgInst *, 8> exchanges;
    for (Instruction &instruction : instructions(kernel))
        if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
            exchanges.push_back(exchange);
    for (AtomicCmpXchgInst *exchange : exchanges)
        for (User *user : make_early_inc_range(exchange->users()))
            if (auto *pair = dyn_cast<PHINode>(user))
                splitPair(*pair);
    for (AtomicCmpXchgInst *exchange : exchanges) {
        Instruction *parts[2] = {};
        for (User *user : make_early_inc_range(exchange->users())) {
            auto *extract = dyn_cast<ExtractValueInst>(user);
            if (!extract)
                continue;
            Instruction *&part = parts[extract->getIndices()[0]];
            if (!part) {
                part = extract;
                part->moveAfter(exchange);
                continue;
            }
            extract->replaceAllUsesWith(part);
            extract->eraseFromParent();
        }
    }
}

void inlineRetryLoops(Function &kernel) {
    SmallVector<CallInst *, 4> calls;
    for (Instruction &instruction : instructions(kernel))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            if (Function *callee = call->getCalledFunction())
                if (callee->hasFnAttribute(retryAttribute))
                    calls.push_back(call);
    for (CallInst *call : calls) {
        InlineFunctionInfo info;
        InlineFunction(*call, info, false);
    }
}

} // namespace weft
