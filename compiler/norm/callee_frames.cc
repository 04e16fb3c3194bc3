// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/callee_frames.h"
#include "norm/internals.h"
#include "weft/abi.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace weft {

namespace {

struct Variable {
    AllocaInst *alloca;
    uint64_t bytes, offset; /* offset: in the function's place */
};

/** What a function has in the block. */
struct Place {
    uint64_t offset = 0, bytes = 0;
    uint64_t end = 0; /* of its own and of what it calls */
    SmallVector<Variable, 4> variables;
};

std::vector<Variable> variablesOf(const Function &function) {
    std::vector<Variable> variables;
    for (const Instruction &instruction : instructions(function))
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (auto size = variable->getAllocationSize(function.getDataLayout()))
                variables.push_back(
                    {const_cast<AllocaInst *>(variable), size->getKnownMinValue(), 0});
    return variables;
}

Align alignOf(const AllocaInst &variable) {
    return std::min(variable.getAlign(), Align(WEFT_BLOCK_ALIGN));
}

/** The largest ones, until the rest is at most `most` bytes and may stay. */
Place choose(const Function &function, uint64_t most) {
    Place place;
    std::vector<Variable> variables = variablesOf(function);
    uint64_t total = frameBytes(function);
    stable_sort(variables, [](const Variable &a, const Variable &b) { return a.bytes > b.bytes; });
    for (Variable &variable : variables) {
        if (total <= most)
            break;
        if (!variable.alloca->isStaticAlloca()) /* there may be several of it at once */
            continue;
        total -= variable.bytes;
        variable.offset = alignTo(place.bytes, alignOf(*variable.alloca));
        place.bytes = variable.offset + variable.bytes;
        place.variables.push_back(variable);
    }
    place.bytes = alignTo(place.bytes, WEFT_BLOCK_ALIGN);
    return place;
}

void dropLifetimes(AllocaInst &variable) {
    for (User *user : make_early_inc_range(variable.users()))
        if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
            marker->eraseFromParent();
}

void move(Function &function, const Place &place) {
    if (place.variables.empty())
        return;
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    Value *block = callInternal(builder, Internal::CalleeFrames);
    for (const Variable &variable : place.variables) {
        dropLifetimes(*variable.alloca);
        builder.SetInsertPoint(variable.alloca);
        Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block,
                                                            place.offset + variable.offset);
        variable.alloca->replaceAllUsesWith(address);
        address->takeName(variable.alloca);
        variable.alloca->eraseFromParent();
    }
}

template <typename Action> void forEachCallee(Function &function, Action action) {
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
            if (Function *callee = call->getCalledFunction())
                action(*callee);
}

} // namespace

uint64_t frameBytes(const Function &function) {
    uint64_t bytes = 0;
    for (const Variable &variable : variablesOf(function))
        bytes += variable.bytes;
    return bytes;
}

DenseMap<Function *, uint64_t> moveLargeFrames(ArrayRef<Function *> functions,
                                               ArrayRef<Function *> kernels, uint64_t most) {
    DenseMap<Function *, Place> places;
    for (Function *function : functions)
        places[function] = choose(*function, most);
    for (Function *function : reverse(functions)) {
        uint64_t end = places[function].offset + places[function].bytes;
        forEachCallee(*function, [&](Function &callee) {
            if (auto found = places.find(&callee); found != places.end())
                found->second.offset = std::max(found->second.offset, end);
        });
    }
    auto endOf = [&](Function &function) {
        uint64_t end = 0;
        forEachCallee(function, [&](Function &callee) {
            if (auto found = places.find(&callee); found != places.end())
                end = std::max(end, found->second.end);
        });
        return end;
    };
    DenseMap<Function *, uint64_t> needs;
    for (Function *function : functions) {
        Place &place = places[function];
        place.end = place.bytes ? place.offset + place.bytes : 0;
        place.end = std::max(place.end, endOf(*function));
    }
    for (Function *kernel : kernels)
        needs[kernel] = endOf(*kernel);
    for (Function *function : functions)
        move(*function, places[function]);
    return needs;
}

void placeCalleeFrames(Function &kernel, uint64_t bytes) {
    SmallVector<CallInst *, 8> asked;
    for (Instruction &instruction : instructions(kernel))
        if (internalOf(instruction) == Internal::CalleeFrames)
            asked.push_back(cast<CallInst>(&instruction));
    if (asked.empty())
        return;
    BasicBlock &entry = kernel.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *block =
        builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes), nullptr, "callee.frames");
    block->setAlignment(Align(WEFT_BLOCK_ALIGN));
    for (CallInst *call : asked) {
        for (User *user : call->users()) {
            builder.SetInsertPoint(cast<Instruction>(user)->getNextNode());
            builder.CreateLifetimeEnd(block);
        }
        builder.SetInsertPoint(call);
        builder.CreateLifetimeStart(block);
        call->replaceAllUsesWith(block);
        call->eraseFromParent();
    }
}

} // namespace weft
