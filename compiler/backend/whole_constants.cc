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

/** The opcode `name`, or 0. LLVM numbers a target's instructions in the order of the alphabet,
 * behind those that are none (CodeGenTarget::computeInstrsByEnum()). */
unsigned opcodeOf(llvm::StringRef name, const llvm::TargetInstrInfo &target) {
    auto all = llvm::seq<unsigned>(llvm::TargetOpcode::GENERIC_OP_END + 1, target.getNumOpcodes());
    auto found = llvm::partition_point(all, [&](unsigned opcode) {
        return target.get(opcode).isPseudo() || target.getName(opcode) < name;
    });
    return found != all.end() && target.getName(*found) == name ? *found : 0;
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

bool loadWhole(llvm::MachineInstr &instruction, llvm::MachineOperand &place) {
    llvm::MachineFunction &function = *instruction.getMF();
    const llvm::TargetInstrInfo &target = *function.getSubtarget().getInstrInfo();
    llvm::MachineConstantPool &pool = *function.getConstantPool();
    const llvm::MachineConstantPoolEntry &entry = pool.getConstants()[place.getIndex()];
    const Copy *copy = llvm::find_if(copies, [&](const Copy &each) {
        return each.copies == target.getName(instruction.getOpcode());
    });
    if (copy == std::end(copies) || entry.isMachineConstantPoolEntry())
        return false;
    llvm::Constant *element = const_cast<llvm::Constant *>(entry.Val.ConstVal);
    bool fits = !element->getType()->isVectorTy() &&
                element->getType()->getScalarSizeInBits() == 8 * copy->element;
    unsigned opcode = opcodeOf(copy->loads, target);
    if (!fits || opcode == 0)
        return false;
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
    return true;
}

} // namespace

bool loadWholeConstants(llvm::MachineFunction &function) {
    bool changed = false;
    for (llvm::MachineBasicBlock &block : function)
        for (llvm::MachineInstr &instruction : block)
            if (llvm::MachineOperand *place = pooled(instruction))
                changed |= loadWhole(instruction, *place);
    return changed;
}

} // namespace weft
