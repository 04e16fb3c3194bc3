// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/codegen.h"
#include "backend/products.h"
#include "backend/stores.h"
#include "backend/strength.h"
#include "backend/whole_constants.h"
#include "norm/half.h"
#include "norm/llvm_options.h"
#include "stages/pipeline.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

namespace weft {

namespace {

/** Collects what the back end complains of; without it LLVM prints and exits. */
class Complaints : public llvm::DiagnosticHandler {
  public:
    explicit Complaints(std::string &text) : text(text) {}

    bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
        if (info.getSeverity() != llvm::DS_Error)
            return true;
        llvm::raw_string_ostream stream(text);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        if (!text.empty())
            stream << "\n";
        info.print(printer);
        return true;
    }

  private:
    std::string &text;
};

/** Nothing outside the image can be called or unwound through, so every symbol binds here. */
void bindLocally(llvm::Module &module) {
    for (llvm::GlobalValue &value : module.global_values())
        value.setDSOLocal(true);
    for (llvm::Function &function : module) {
        if (function.isIntrinsic())
            continue;
        function.setDoesNotThrow();
        function.removeFnAttr("frame-pointer");
        function.setUWTableKind(llvm::UWTableKind::None);
    }
    module.setUwtable(llvm::UWTableKind::None);
    module.setFramePointer(llvm::FramePointerKind::None);
}

/** Instructions of a block after which a giant's next one begins. */
constexpr unsigned longBlock = 1000;

/**
 * LLVM's two-address pass goes through all copies that it has seen in a block whenever an
 * instruction sets the flags. (Measured for 20 000 statements with 10 000 accesses in one
 * block: 8.9 s of code generation instead of 4.0.)
 */
bool partLongBlocks(llvm::Function &function) {
    bool parted = false;
    for (llvm::BasicBlock *block = &function.front(); block; block = block->getNextNode()) {
        if (block->size() < 2 * longBlock)
            continue;
        /* An alloca behind the entry block moves the stack; phis stand before all else. */
        auto place = std::next(block->begin(), longBlock);
        for (auto later = place; later != block->end(); ++later)
            if (llvm::isa<llvm::AllocaInst, llvm::PHINode>(*later))
                place = std::next(later);
        block->splitBasicBlock(place);
        parted = true;
    }
    return parted;
}

/**
 * Passes that take 2 % of a build's time and give nothing back. LICM behind the register allocator
 * finds nothing in loops that LICM has seen twice before. Sinking makes code larger by 2 % (it
 * parts edges to find a place; our stages have put code where its lanes need it), and 71 kernels
 * ran as fast without, two of them 1.1 times as fast. Loop strength reduction: see strength.cc.
 */
void leaveOut() {
    choose("disable-lsr", true);
    choose("disable-postra-machine-licm", true);
    choose("disable-machine-sink", true);
    choose("block-freq-ratio-threshold", "0"); /* see chooseHoisting() */
}

/** Whether arithmetic takes a constant from memory, also one for all lanes. */
bool takesConstantsFromMemory(const llvm::MachineFunction &function) {
    return function.getFunction().getFnAttribute("target-cpu").getValueAsString() == "x86-64-v4";
}

/** A register's value that instructions make of nothing but themselves and memory that is known. */
bool makesVectorConstant(const llvm::MachineInstr &instruction,
                         const llvm::MachineRegisterInfo &registers) {
    if (instruction.getNumDefs() != 1 || !instruction.isRematerializable() ||
        !instruction.getOperand(0).getReg().isVirtual() ||
        llvm::any_of(instruction.explicit_uses(), [](const llvm::MachineOperand &operand) {
            return operand.isReg() && operand.getReg().isVirtual();
        }))
        return false;
    const auto *kind = registers.getRegClass(instruction.getOperand(0).getReg());
    return registers.getTargetRegisterInfo()->getRegSizeInBits(*kind) >= 128;
}

/**
 * Behind instruction selection. LICM of machine code brings all constants in front of the loop over
 * items, and the register allocator brings those for which it finds no register back, one by one:
 * where they are more than half of the registers, a tenth to a sixth of the build is spent on that,
 * and code gets larger. Such functions of AVX-512 keep their constants where they are used. (With
 * fewer constants they are hoisted: without, a sparse matrix product ran at 0.8. So are those of
 * other levels, where each use would load its constant first: without, a polynomial of 15 terms ran
 * at 0.67 on AVX2.)
 */
void chooseHoisting(llvm::MachineFunction &function) {
    constexpr unsigned mostHoisted = 16;
    llvm::DenseSet<llvm::MachineInstr *, llvm::MachineInstrExpressionTrait> constants;
    if (takesConstantsFromMemory(function))
        for (llvm::MachineBasicBlock &block : function)
            for (llvm::MachineInstr &each : block)
                if (makesVectorConstant(each, function.getRegInfo()))
                    constants.insert(&each);
    /* With a threshold of 0 no block is cool enough; "pgo", the default: unless there is a
     * profile. */
    choose("disable-hoisting-to-hotter-blocks", constants.size() > mostHoisted ? "all" : "pgo");
}

class BehindSelection : public llvm::MachineFunctionPass {
  public:
    static inline char ID = 0;
    BehindSelection() : MachineFunctionPass(ID) {}

    bool runOnMachineFunction(llvm::MachineFunction &function) override {
        const bool changed = loadWholeConstants(function);
        chooseHoisting(function);
        return changed;
    }
    void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
        usage.setPreservesCFG();
        MachineFunctionPass::getAnalysisUsage(usage);
    }
};

void insertPasses(llvm::TargetMachine &, llvm::PassManagerBase &, llvm::TargetPassConfig *passes) {
    passes->insertPass(&llvm::FinalizeISelID, new BehindSelection());
}

void chooseEffort(llvm::Module &module, bool least) {
    bool giants = least, parted = false;
    for (llvm::Function &function : module)
        if (isGiant(function)) {
            giants = true;
            parted |= partLongBlocks(function);
        }
    if (!giants)
        return;
    // What takes more than linear time in a block of ten thousand instructions.
    choose("enable-misched", false);
    choose("enable-post-misched", false);
    choose("x86-machine-combiner", false);
    choose("disable-cgp", parted); /* it would join the blocks again */
}

} // namespace

llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &machine, bool assembly,
                         llvm::SmallVectorImpl<char> &output, bool least) {
    lowerHalf(module, machine);
    narrowProducts(module);
    splitStores(module, machine);
    bindLocally(module);
    /* gdb can then find its way out of a kernel, also of one built without -g; never mapped. */
    machine.Options.ForceDwarfFrameSection = !assembly;
    leaveOut();
    llvm::RegisterTargetPassConfigCallback inserting(insertPasses);
    chooseEffort(module, least);
    if (least)
        machine.setOptLevel(llvm::CodeGenOptLevel::Less);
    else
        reduceStrength(module, machine);
    std::string complaints;
    module.getContext().setDiagnosticHandler(std::make_unique<Complaints>(complaints));

    llvm::legacy::PassManager passes;
    llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
    library.disableAllFunctions();
    passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
    llvm::raw_svector_ostream stream(output);
    auto type = assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
        return llvm::createStringError("the back end cannot write this kind of file");
    passes.run(module);
    module.getContext().setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
    if (!complaints.empty())
        return llvm::createStringError(complaints);
    return llvm::Error::success();
}

} // namespace weft
