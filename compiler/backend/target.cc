// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/target.h"
#include "norm/arith.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

namespace weft {

namespace {

constexpr const char *tripleName = "x86_64-unknown-linux-gnu";

const llvm::Triple &triple() {
    static const llvm::Triple value(tripleName);
    return value;
}

const llvm::Target *backEnd() {
    std::string error;
    return llvm::TargetRegistry::lookupTarget(triple(), error);
}

llvm::Error notATarget(llvm::StringRef isa, const llvm::Twine &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + isa + "' is not a target: " + why);
}

} // namespace

void initialiseTargets() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
}

llvm::Expected<Target> Target::parse(llvm::StringRef isa) {
    llvm::SmallVector<llvm::StringRef, 16> parts;
    Target target;
    target.name = isa.str();
    auto [features, slow] = isa.split('~');
    target.slowGathers = slow == "gather";
    if (isa.contains('~') && !target.slowGathers)
        return notATarget(isa, "nothing is known to be slow but '~gather'");
    features.split(parts, '+');
    llvm::StringRef level = parts[0];
    if (!level.consume_front("x86-64-v") || level.size() != 1 || level[0] < '1' || level[0] > '4')
        return notATarget(isa, "it does not start with x86-64-v1, -v2, -v3 or -v4");
    target.levelNumber = level[0] - '0';
    target.cpuName = target.levelNumber == 1 ? "x86-64" : parts[0].str();

    const llvm::Target *machine = backEnd();
    if (!machine)
        return notATarget(isa, "this compiler has no X86 back end");
    std::unique_ptr<llvm::MCSubtargetInfo> known(
        machine->createMCSubtargetInfo(triple(), "x86-64", ""));
    auto choose = [&](llvm::StringRef feature) {
        target.featureList += (target.featureList.empty() ? "+" : ",+") + feature.str();
    };
    llvm::StringRef previous;
    for (llvm::StringRef feature : llvm::drop_begin(parts)) {
        bool found = llvm::any_of(known->getAllProcessorFeatures(),
                                  [&](const auto &row) { return feature == row.Key; });
        if (!found)
            return notATarget(isa, "LLVM knows no feature '" + feature + "'");
        if (feature <= previous)
            return notATarget(isa, "its features are not sorted");
        previous = feature;
        choose(feature);
    }
    /* Not features but choices. Bits out of the middle of a word by one instruction: Zen takes a
     * cycle for it, others what a shift and a mask take. (A round of Blowfish: 0.95.) And AVX2's
     * gathers, which cost what taking the lanes apart does at worst, but have masks: without them
     * there is a branch for each lane. (CRC by a table: 0.7, AES: 0.6.) */
    if (target.levelNumber == 3) {
        choose("fast-bextr");
        choose("fast-gather");
    }
    return target;
}

std::unique_ptr<llvm::TargetMachine> Target::createMachine(bool optimise) const {
    llvm::TargetOptions options;
    options.EmitStackSizeSection = true;
    options.FunctionSections = true;
    options.DataSections = true;
    options.UniqueSectionNames = false;
    /* A switch becomes a table of offsets in .rodata: fine in an image without relocations. */
    options.TrapUnreachable = false;
    return std::unique_ptr<llvm::TargetMachine>(backEnd()->createTargetMachine(
        triple(), cpuName, featureList, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
        optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::Less));
}

void Target::apply(llvm::Module &module, const llvm::TargetMachine &machine) const {
    module.setTargetTriple(triple());
    module.setDataLayout(machine.createDataLayout());
    for (llvm::Function &function : module)
        if (!function.isIntrinsic())
            mark(function);
}

void Target::mark(llvm::Function &function) const {
    function.addFnAttr("target-cpu", cpuName);
    if (featureList.empty())
        function.removeFnAttr("target-features");
    else
        function.addFnAttr("target-features", featureList);
    setVectorBits(function, vectorBits());
    /* What pays is done by norm/quotients.cc. */
    function.addFnAttr("reciprocal-estimates", "none");
    function.removeFnAttr("tune-cpu");
}

} // namespace weft
