// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "breaks/breaks.h"
#include "breaks/mistakes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace weft {

namespace {

struct Row {
    StringLiteral stage, name;
};

constexpr Row rows[] = {
#define WEFT_BREAK(stage, name, settings, doc) {stage, name},
#include "breaks/breaks.def"
};

const Mistake *find(StringRef name) {
    for (ArrayRef<Mistake> some : {normMistakes(), groupMistakes(), vectorMistakes()})
        for (const Mistake &mistake : some)
            if (mistake.name == name)
                return &mistake;
    return nullptr;
}

void make(Mistake::Change Mistake::*when, StringRef stage, Module &module, StageContext &context) {
    for (const Row &row : rows) {
        if (row.stage != stage ||
            !is_contained(split(context.options.switches.breaks, ','), row.name))
            continue;
        if (Mistake::Change change = find(row.name)->*when)
            change(module, context);
    }
}

} // namespace

void forEachCall(Module &module, Internal internal, function_ref<void(CallBase &)> change) {
    forEach<CallBase>(module, [&](CallBase &call) {
        if (internalOf(call) == internal)
            change(call);
    });
}

void eraseCalls(Module &module, StringRef name) {
    forEach<CallBase>(module, [&](CallBase &call) {
        if (call.getCalledFunction() && call.getCalledFunction()->getName() == name)
            call.eraseFromParent();
    });
}

bool isBreak(StringRef name) {
    return any_of(rows, [&](const Row &row) { return row.name == name; }) && find(name);
}

void breakInFront(StringRef stage, Module &module, StageContext &context) {
    make(&Mistake::inFront, stage, module, context);
}

void breakBehind(StringRef stage, Module &module, StageContext &context) {
    make(&Mistake::behind, stage, module, context);
}

} // namespace weft
