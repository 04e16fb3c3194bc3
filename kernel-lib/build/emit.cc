// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * emit ISA OUT.o IN.bc: plain functions, compiled by clang for spir64, as an object for this
 * machine, with the kernel library linked in as the compiler process does it, and without the rest
 * of the pipeline. The object refers to kernel-lib/rt only.
 */
#include "object.h"

#include "compiler/backend/library.h"
#include "compiler/backend/target.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace {

/** What stage retarget does, as far as plain functions need it. */
void retarget(Module &module, const weft::Target &target, const TargetMachine &machine) {
    while (module.named_metadata_begin() != module.named_metadata_end())
        module.eraseNamedMetadata(&*module.named_metadata_begin());
    for (Function &function : module) {
        function.setCallingConv(CallingConv::C);
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                call->setCallingConv(CallingConv::C);
    }
    target.apply(module, machine);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4)
        fail("usage: emit ISA OUT.o IN.bc");
    weft::initialiseTargets();
    auto target = weft::Target::parse(argv[1]);
    if (!target)
        fail(toString(target.takeError()));
    auto machine = target->createMachine(true);
    LLVMContext context;
    SMDiagnostic error;
    auto module = parseIRFile(argv[3], error, context);
    if (!module)
        fail(error.getMessage());
    retarget(*module, *target, *machine);
    for (weft::LibraryStage stage : {weft::LibraryStage::Group, weft::LibraryStage::Late})
        if (Error problem = weft::linkLibrary(*module, stage, *target))
            fail(toString(std::move(problem)));
    writeObject(*module, *machine, target->vectorBits(), argv[2]);
    return 0;
}
