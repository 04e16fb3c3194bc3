// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/whole_constants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/CodeGen/MachineConstantPool.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"

namespace weft {

namespace {

/** An instruction that copies one element from memory to all lanes, and what loads all of them. */
struct Copy {
    llvm::StringLiteral copies, loads;
    unsigned element, all; /* their sizes in bytes */
};

constexpr Copy copies[] = {
    {"VBROADCASTSDYrm", "VMOVAPDYrm", 8, 32}, {"VBROADCASTSSYrm", "VMOVAPSYrm", 4, 32},
    {"VBROADCASTSSrm", "VMOVAPSrm", 4, 16},   {"VMOVDDUPrm", "VMOVAPDrm", 8, 16},
    {"VPBROADCASTDYrm", "VMOVDQAYrm", 4, 32}, {"VPBROADCASTDrm", "VMOVDQArm", 4, 16},
    {"VPBROADCASTQYrm", "VMOVDQAYrm", 8, 32}, {"VPBROADCASTQrm", "VMOVDQArm", 8, 16},
};

/** The opcode `name`, which comes behind `earlier` in the alphabet: LLVM numbers instructions in
 * its order (behind those that are none, CodeGenTarget::computeInstrsByEnum()). */
unsigned opcodeOf(llvm::StringRef name, unsigned earlier, const llvm::TargetInstrInfo &target) {
    auto later = llvm::seq(earlier, target.getNumOpcodes());
    auto found = llvm::partition_point(
        later, [&](unsigned opcode) { return target.getName(opcode) < name; });
    return found != later.end() && target.getName(*found) == name ? *found : earlier;
}

/** The operand of a load that is the constant pool's, if all of its address is that. */
llvm::MachineOperand *pooled(llvm::MachineInstr &instruction) {
    if (!instruction.mayLoad() || !instruction.hasOneMemOperand())
        return nullptr;
    for (llvm::MachineOperand &operand : instruction.operands())
        if (operand.isCPI())
            return operand.getOffset() == 0 ? &operand : nullptr;
    return nullptr;
}

void loadWhole(llvm::MachineInstr &instruction, llvm::MachineOperand &place) {
    llvm::MachineFunction &function = *instruction.getMF();
    const llvm::TargetInstrInfo &target = *function.getSubtarget().getInstrInfo();
    llvm::MachineConstantPool &pool = *function.getConstantPool();
    const llvm::MachineConstantPoolEntry &entry = pool.getConstants()[place.getIndex()];
    const Copy *copy = llvm::find_if(copies, [&](const Copy &each) {
        return each.copies == target.getName(instruction.getOpcode());
    });
    if (copy == std::end(copies) || entry.isMachineConstantPoolEntry())
        return;
    llvm::Constant *element = const_cast<llvm::Constant *>(entry.Val.ConstVal);
    bool fits = !element->getType()->isVectorTy() &&
                element->getType()->getScalarSizeInBits() == 8 * copy->element;
    unsigned opcode = opcodeOf(copy->loads, instruction.getOpcode(), target);
    if (!fits || opcode == instruction.getOpcode())
        return;
    auto lanes = llvm::ElementCount::getFixed(copy->all / copy->element);
    llvm::Align align(copy->all);
    place.setIndex(static_cast<int>(
        pool.getConstantPoolIndex(llvm::ConstantVector::getSplat(lanes, element), align)));
    instruction.setDesc(target.get(opcode));
    instruction.setMemRefs(
        function, function.getMachineMemOperand(llvm::MachinePointerInfo::getConstantPool(function),
                                                llvm::MachineMemOperand::MOLoad |
                                                    llvm::MachineMemOperand::MOInvariant |
                                                    llvm::MachineMemOperand::MODereferenceable,
                                                copy->all, align));
}

} // namespace

void loadWholeConstants(llvm::MachineFunction &function) {
    for (llvm::MachineBasicBlock &block : function)
        for (llvm::MachineInstr &instruction : block)
            if (llvm::MachineOperand *place = pooled(instruction))
                loadWhole(instruction, *place);
}

} // namespace weft
