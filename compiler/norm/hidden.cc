// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/hidden.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <map>

using namespace llvm;

namespace weft {

bool canBeTold(Internal internal) {
    switch (internal) {
    case Internal::LocalId:
    case Internal::LocalLinearId:
    case Internal::GroupId:
    case Internal::GroupBase:
    case Internal::GlobalId:
    case Internal::LocalSize:
    case Internal::GroupItems:
    case Internal::EnqueuedLocalSize:
    case Internal::GlobalSize:
    case Internal::GlobalOffset:
    case Internal::NumGroups:
    case Internal::WorkDim:
    case Internal::Launch:
    case Internal::Worker:
    case Internal::LocalMemory:
    case Internal::PrivateMemory:
    case Internal::FrameEnd:
    case Internal::ProgramData:
    case Internal::CalleeFrames:
        return true;
    default:
        return false;
    }
}

namespace {

/** What is asked for: an internal, and its dimension where it has one. */
using Question = std::pair<Internal, unsigned>;

Question questionOf(const CallBase &call) {
    unsigned dimension = 0;
    if (call.arg_size() == 1)
        dimension = static_cast<unsigned>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
    return {internalOf(call), dimension};
}

Value *ask(IRBuilder<> &builder, Question question) {
    Function *function = declareInternal(*builder.GetInsertBlock()->getModule(), question.first);
    if (function->arg_size() == 1)
        return builder.CreateCall(function, {builder.getInt32(question.second)});
    return builder.CreateCall(function);
}

/** The other half of a global id: base and local id are asked for together, most of the time. */
CallBase *otherHalf(const BinaryOperator &sum, const Value &half) {
    auto *other = dyn_cast<CallBase>(sum.getOperand(sum.getOperand(0) == &half));
    return other && internalOf(*other) == Internal::GroupBase ? other : nullptr;
}

/** One parameter is enough where base and local id are only added. */
void joinGlobalIds(Function &function) {
    SmallVector<std::pair<BinaryOperator *, unsigned>, 8> sums;
    for (Instruction &instruction : instructions(function)) {
        auto *sum = dyn_cast<BinaryOperator>(&instruction);
        if (!sum || sum->getOpcode() != Instruction::Add)
            continue;
        for (Value *half : sum->operands())
            if (auto *local = dyn_cast<CallBase>(half);
                local && internalOf(*local) == Internal::LocalId) {
                CallBase *base = otherHalf(*sum, *local);
                if (base && questionOf(*base).second == questionOf(*local).second) {
                    sums.push_back({sum, questionOf(*local).second});
                    break;
                }
            }
    }
    for (auto [sum, dimension] : sums) {
        IRBuilder<> builder(sum);
        sum->replaceAllUsesWith(ask(builder, {Internal::GlobalId, dimension}));
        sum->eraseFromParent();
    }
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (canBeTold(internalOf(instruction)) && instruction.use_empty())
            instruction.eraseFromParent();
}

void splitGlobalIds(Function &kernel) {
    for (Instruction &instruction : make_early_inc_range(instructions(kernel)))
        if (internalOf(instruction) == Internal::GlobalId) {
            IRBuilder<> builder(&instruction);
            unsigned dimension = questionOf(cast<CallBase>(instruction)).second;
            Value *base = callInternal(builder, Internal::GroupBase, dimension);
            instruction.replaceAllUsesWith(
                builder.CreateNUWAdd(base, callInternal(builder, Internal::LocalId, dimension)));
            instruction.eraseFromParent();
        }
}

class Passing {
  public:
    explicit Passing(bool mayInline) : mayInline(mayInline) {}

    void tell(Function &function);
    void connect(Function &caller, function_ref<Value *(IRBuilder<> &, Question)> answer);

  private:
    struct Told {
        Function *function;
        SmallVector<Question, 8> questions;
    };

    SmallVector<Question, 8> questionsOf(Function &function) const;
    Function *replace(Function &function, ArrayRef<Question> questions);

    const bool mayInline;
    MapVector<Function *, Told> all; /* by the function that was */
};

/** In an order that does not depend on addresses. */
SmallVector<Question, 8> Passing::questionsOf(Function &function) const {
    std::map<Question, bool> found;
    for (Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (!call)
            continue;
        if (internalOf(*call) != Internal::None)
            found[questionOf(*call)] = true;
        else if (auto told = all.find(call->getCalledFunction()); told != all.end())
            for (Question question : told->second.questions)
                found[question] = true;
    }
    SmallVector<Question, 8> questions;
    for (auto [question, yes] : found)
        questions.push_back(question);
    return questions;
}

Function *Passing::replace(Function &function, ArrayRef<Question> questions) {
    Module &module = *function.getParent();
    SmallVector<Type *, 16> types(function.getFunctionType()->params());
    for (Question question : questions)
        types.push_back(declareInternal(module, question.first)->getReturnType());
    auto *told = Function::Create(FunctionType::get(function.getReturnType(), types, false),
                                  GlobalValue::InternalLinkage, "", module);
    told->copyAttributesFrom(&function);
    told->setComdat(nullptr);
    told->copyMetadata(&function, 0);
    told->takeName(&function);
    told->splice(told->end(), &function);
    for (Argument &argument : function.args()) {
        Argument *now = told->getArg(argument.getArgNo());
        argument.replaceAllUsesWith(now);
        now->takeName(&argument);
    }
    unsigned index = static_cast<unsigned>(function.arg_size());
    for (Question question : questions) {
        Argument *hidden = told->getArg(index++);
        hidden->setName(internalName(question.first).drop_front(2));
        hidden->addAttr(Attribute::NoUndef);
        Attribute range =
            declareInternal(module, question.first)->getRetAttribute(Attribute::Range);
        if (range.isValid())
            hidden->addAttr(range);
        if (question.first == Internal::CalleeFrames)
            hidden->addAttr(
                Attribute::getWithCaptureInfo(module.getContext(), CaptureInfo::none()));
    }
    return told;
}

void Passing::tell(Function &function) {
    joinGlobalIds(function);
    SmallVector<Question, 8> questions = questionsOf(function);
    Function *told = replace(function, questions);
    /* Copies along every path of calls are what is to be avoided here. */
    if (told->hasFnAttribute(Attribute::AlwaysInline)) {
        told->removeFnAttr(Attribute::AlwaysInline);
        told->addFnAttr(Attribute::InlineHint);
    }
    if (!mayInline)
        told->addFnAttr(Attribute::NoInline);
    /* Code may read what its caller keeps for it, whatever was said about it as a function. */
    told->removeFnAttr(Attribute::Memory);
    const unsigned first = static_cast<unsigned>(function.arg_size());
    connect(*told, [&](IRBuilder<> &, Question question) -> Value * {
        const auto *place = find(questions, question);
        return told->getArg(first + static_cast<unsigned>(place - questions.begin()));
    });
    for (Instruction &instruction : make_early_inc_range(instructions(*told)))
        if (internalOf(instruction) != Internal::None) {
            const auto *place = find(questions, questionOf(cast<CallBase>(instruction)));
            instruction.replaceAllUsesWith(
                told->getArg(first + static_cast<unsigned>(place - questions.begin())));
            instruction.eraseFromParent();
        }
    all[&function] = {told, std::move(questions)};
}

/** Calls of functions that are told pass what `answer` gives. */
void Passing::connect(Function &caller, function_ref<Value *(IRBuilder<> &, Question)> answer) {
    for (Instruction &instruction : make_early_inc_range(instructions(caller))) {
        auto *call = dyn_cast<CallInst>(&instruction);
        auto told = call ? all.find(call->getCalledFunction()) : all.end();
        if (told == all.end())
            continue;
        IRBuilder<> builder(call);
        SmallVector<Value *, 16> arguments(call->args());
        for (Question question : told->second.questions)
            arguments.push_back(answer(builder, question));
        SmallVector<OperandBundleDef, 1> bundles;
        call->getOperandBundlesAsDefs(bundles);
        CallInst *now = builder.CreateCall(told->second.function, arguments, bundles);
        now->setAttributes(call->getAttributes());
        now->removeFnAttr(Attribute::Memory);
        now->removeFnAttr(Attribute::AlwaysInline);
        now->setCallingConv(call->getCallingConv());
        now->copyIRFlags(call);
        now->copyMetadata(*call);
        now->takeName(call);
        call->replaceAllUsesWith(now);
        call->eraseFromParent();
    }
}

} // namespace

void passHidden(ArrayRef<Function *> functions, ArrayRef<Function *> kernels,
                const Switches &switches) {
    Passing passing(!switches.functions); /* tests mean calls */
    for (Function *function : functions)
        passing.tell(*function);
    for (Function *kernel : kernels) {
        passing.connect(*kernel, ask);
        splitGlobalIds(*kernel);
    }
}

} // namespace weft
