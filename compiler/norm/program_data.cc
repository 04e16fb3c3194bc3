// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/program_data.h"
#include "norm/internals.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"

#include <map>

using namespace llvm;

namespace weft {

void variablesInitialisedBy(Constant &value, SmallPtrSetImpl<GlobalVariable *> &found) {
    for (User *user : value.users()) {
        if (auto *variable = dyn_cast<GlobalVariable>(user))
            found.insert(variable);
        else if (auto *constant = dyn_cast<Constant>(user); constant && !isa<GlobalValue>(constant))
            variablesInitialisedBy(*constant, found);
    }
}

void replaceInFunctions(GlobalVariable &variable, function_ref<Value *(IRBuilderBase &)> make) {
    convertUsersOfConstantsToInstructions({&variable});
    DenseMap<Function *, Value *> addresses;
    for (Use &use : make_early_inc_range(variable.uses())) {
        auto *instruction = dyn_cast<Instruction>(use.getUser());
        if (!instruction)
            continue;
        Value *&address = addresses[instruction->getFunction()];
        if (!address) {
            BasicBlock &entry = instruction->getFunction()->getEntryBlock();
            IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
            address = make(builder);
        }
        use.set(address);
    }
}

namespace {

class DataBlock {
  public:
    DataBlock(Module &module, ModuleRecord &record)
        : module(module), layout(module.getDataLayout()), record(record) {}

    Error build();

  private:
    void collect();
    void placeAll();
    void place(GlobalVariable &variable);
    Error write(const Constant &value, uint64_t at);
    Error writeElements(const Constant &value, uint64_t at);
    Error writePointer(const Constant &value, uint64_t at);
    void writeBits(const APInt &bits, uint64_t at);
    void emit();
    void replaceUses();

    Module &module;
    const DataLayout &layout;
    ModuleRecord &record;
    SetVector<GlobalVariable *> members;
    DenseMap<const GlobalVariable *, uint64_t> offsets;
    std::vector<uint8_t> bytes;
    std::map<uint64_t, Constant *> imagePointers; /* by offset */
};

void DataBlock::collect() {
    for (GlobalVariable &variable : module.globals())
        if (!variable.isConstant() && variable.getAddressSpace() != 3 &&
            !variable.getName().starts_with("llvm."))
            members.insert(&variable);
    for (unsigned index = 0; index < members.size(); index++) {
        SmallPtrSet<GlobalVariable *, 8> pointing;
        variablesInitialisedBy(*members[index], pointing);
        members.insert(pointing.begin(), pointing.end());
    }
}

void DataBlock::place(GlobalVariable &variable) {
    Align align =
        std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(variable.getValueType()));
    record.dataBytes = alignTo(record.dataBytes, align);
    record.dataAlign = std::max<uint32_t>(record.dataAlign, static_cast<uint32_t>(align.value()));
    offsets[&variable] = record.dataBytes;
    record.dataBytes += layout.getTypeAllocSize(variable.getValueType());
}

/** Variables with initial values first: the rest of the block is zero and not in the image. */
void DataBlock::placeAll() {
    auto isZero = [](GlobalVariable *variable) {
        return variable->getInitializer()->isNullValue() ||
               isa<UndefValue>(variable->getInitializer());
    };
    for (GlobalVariable *variable : members)
        if (!isZero(variable))
            place(*variable);
    record.dataInitBytes = static_cast<uint32_t>(record.dataBytes);
    bytes.resize(record.dataInitBytes);
    for (GlobalVariable *variable : members)
        if (isZero(variable))
            place(*variable);
}

void DataBlock::writeBits(const APInt &bits, uint64_t at) {
    for (unsigned bit = 0; bit < bits.getBitWidth(); bit += 8)
        bytes[at + bit / 8] = static_cast<uint8_t>(
            bits.extractBitsAsZExtValue(std::min(8u, bits.getBitWidth() - bit), bit));
}

Error DataBlock::writePointer(const Constant &value, uint64_t at) {
    APInt addend(64, 0);
    const Value *base = value.stripAndAccumulateConstantOffsets(layout, addend, true);
    auto *variable = dyn_cast<GlobalVariable>(base);
    if (variable && offsets.count(variable)) {
        weft_data_fixup fixup = {};
        fixup.at = at;
        fixup.addend = offsets[variable] + addend.getZExtValue();
        fixup.base = 1;
        record.fixups.push_back(fixup);
        return Error::success();
    }
    // A null pointer that was cast to another address space is not the null of that constant's
    // type.
    if (isa<ConstantPointerNull>(base->stripPointerCasts()))
        return writeBits(addend, at), Error::success();
    if (!isa<GlobalValue>(base))
        return sentence("the initial value of a program-scope variable is a pointer that cannot be "
                        "computed before the program runs");
    auto *address = ConstantExpr::getGetElementPtr(
        Type::getInt8Ty(module.getContext()), const_cast<Constant *>(cast<Constant>(base)),
        ConstantInt::get(Type::getInt64Ty(module.getContext()), addend));
    imagePointers[at] = address;
    return Error::success();
}

Error DataBlock::writeElements(const Constant &value, uint64_t at) {
    Type *type = value.getType();
    auto *structure = dyn_cast<StructType>(type);
    unsigned count = structure           ? structure->getNumElements()
                     : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                         : cast<FixedVectorType>(type)->getNumElements();
    for (unsigned index = 0; index < count; index++) {
        uint64_t offset =
            structure
                ? layout.getStructLayout(structure)->getElementOffset(index).getFixedValue()
                : index * layout.getTypeAllocSize(type->isArrayTy() ? type->getArrayElementType()
                                                                    : type->getScalarType());
        if (Error error = write(*value.getAggregateElement(index), at + offset))
            return error;
    }
    return Error::success();
}

Error DataBlock::write(const Constant &value, uint64_t at) {
    if (value.isNullValue() || isa<UndefValue>(value))
        return Error::success();
    if (auto *integer = dyn_cast<ConstantInt>(&value); integer && !value.getType()->isVectorTy())
        return writeBits(integer->getValue(), at), Error::success();
    if (auto *number = dyn_cast<ConstantFP>(&value); number && !value.getType()->isVectorTy())
        return writeBits(number->getValueAPF().bitcastToAPInt(), at), Error::success();
    if (value.getType()->isPointerTy())
        return writePointer(value, at);
    if (value.getType()->isAggregateType() || value.getType()->isVectorTy())
        return writeElements(value, at);
    return sentence("the initial value of a program-scope variable cannot be computed before the "
                    "program runs");
}

/** The initial bytes as a constant: runs of bytes, and pointers that the image's loader sets. */
void DataBlock::emit() {
    LLVMContext &context = module.getContext();
    std::vector<Constant *> parts;
    uint64_t at = 0;
    auto flush = [&](uint64_t end) {
        if (end > at)
            parts.push_back(
                ConstantDataArray::get(context, ArrayRef<uint8_t>(bytes).slice(at, end - at)));
    };
    for (auto &[offset, pointer] : imagePointers) {
        flush(offset);
        parts.push_back(pointer);
        at = offset + 8;
    }
    flush(bytes.size());
    auto *initial = ConstantStruct::getAnon(context, parts, true);
    auto *variable =
        new GlobalVariable(module, initial->getType(), true, GlobalValue::ExternalLinkage, initial,
                           "weft_program_data_initial");
    variable->setVisibility(GlobalValue::HiddenVisibility);
    variable->setDSOLocal(true);
    variable->setAlignment(Align(record.dataAlign));
    record.dataSymbol = variable->getName().str();
}

void DataBlock::replaceUses() {
    for (GlobalVariable *variable : members) {
        replaceInFunctions(*variable, [&](IRBuilderBase &builder) {
            Value *block = callInternal(builder, Internal::ProgramData);
            Value *address =
                builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offsets[variable]);
            return builder.CreateAddrSpaceCast(address, variable->getType());
        });
    }
    // They still refer to each other by their initialisers, which are in the block's image now.
    for (GlobalVariable *variable : members)
        variable->setInitializer(nullptr);
    for (GlobalVariable *variable : members) {
        variable->removeDeadConstantUsers();
        if (variable->use_empty())
            variable->eraseFromParent();
    }
}

Error DataBlock::build() {
    collect();
    for (GlobalVariable *variable : members)
        if (!variable->hasInitializer())
            return sentence("the program-scope variable '" + variable->getName() +
                            "' is declared, but defined nowhere");
    if (members.empty())
        return Error::success();
    placeAll();
    for (GlobalVariable *variable : members)
        if (Error error = write(*variable->getInitializer(), offsets[variable]))
            return error;
    if (record.dataInitBytes)
        emit();
    replaceUses();
    return Error::success();
}

} // namespace

Error lowerProgramData(Module &module, ModuleRecord &record) {
    return DataBlock(module, record).build();
}

} // namespace weft
