// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/module.h"

#include "spirv-tools/libspirv.h"

#include <cstring>

using namespace llvm;

namespace weft::spirv {

namespace {

constexpr uint32_t magic = 0x07230203;
/* "Universal limits" of the specification: ids lie below. */
constexpr uint32_t mostIds = 0x3fffff;

bool isId(spv_operand_type_t type) {
    return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID ||
           type == SPV_OPERAND_TYPE_RESULT_ID || type == SPV_OPERAND_TYPE_SCOPE_ID ||
           type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID;
}

/** What spvBinaryParse fills; it does not compare ids with their bound. */
struct Parsed {
    std::vector<Instruction> &list;
    uint32_t bound;
};

spv_result_t onInstruction(void *user, const spv_parsed_instruction_t *parsed) {
    auto &[list, bound] = *static_cast<Parsed *>(user);
    for (const spv_parsed_operand_t &operand :
         ArrayRef<spv_parsed_operand_t>(parsed->operands, parsed->num_operands))
        if (isId(operand.type) && parsed->words[operand.offset] >= bound)
            return SPV_ERROR_INVALID_ID;
    Instruction instruction = {};
    instruction.op = static_cast<Op>(parsed->opcode);
    instruction.count = parsed->num_words;
    instruction.typeId = parsed->type_id;
    instruction.resultId = parsed->result_id;
    instruction.first =
        static_cast<uint16_t>(1 + (parsed->type_id != 0) + (parsed->result_id != 0));
    list.push_back(instruction);
    return SPV_SUCCESS;
}

} // namespace

StringRef literal(ArrayRef<uint32_t> words) {
    auto *text = reinterpret_cast<const char *>(words.data());
    return StringRef(text, strnlen(text, words.size() * sizeof(uint32_t)));
}

bool Module::parse(StringRef bytes, std::string &error) {
    binary.resize(bytes.size() / sizeof(uint32_t));
    memcpy(binary.data(), bytes.data(), binary.size() * sizeof(uint32_t));
    if (bytes.size() % sizeof(uint32_t) || binary.size() < 5 || binary[0] != magic) {
        error = "the program is not SPIR-V in this machine's order of bytes";
        return false;
    }
    if (binary[3] > mostIds) {
        error = "invalid SPIR-V: the bound of ids in the header is over 4194303";
        return false;
    }
    /* Before they are parsed: SPIRV-Tools do not know the numbers of all capabilities. */
    error = undeclarable(binary);
    if (!error.empty())
        return false;
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_diagnostic diagnostic = nullptr;
    Parsed parsed = {instructions, binary[3]};
    spv_result_t result = spvBinaryParse(context, &parsed, binary.data(), binary.size(), nullptr,
                                         onInstruction, &diagnostic);
    if (result != SPV_SUCCESS)
        error = std::string("invalid SPIR-V: ") +
                (diagnostic && diagnostic->error  ? diagnostic->error
                 : result == SPV_ERROR_INVALID_ID ? "an id is not below the header's bound"
                                                  : "it cannot be parsed") +
                " (instruction " + std::to_string(instructions.size() + 1) + ")";
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    if (result != SPV_SUCCESS)
        return false;
    const uint32_t *at = binary.data() + 5;
    for (Instruction &instruction : instructions) {
        instruction.words = at;
        at += instruction.count;
        idBound = std::max(idBound, instruction.resultId + 1);
        annotate(instruction);
    }
    for (const Instruction &instruction : instructions)
        if (instruction.op == Op::GroupDecorate)
            applyGroup(instruction);
    return true;
}

void Module::annotate(const Instruction &instruction) {
    switch (instruction.op) {
    case Op::Name:
        names[instruction.operand(0)] = literal(instruction.rest(1));
        break;
    case Op::String:
        strings.push_back(literal(instruction.rest(0)));
        break;
    case Op::ExtInstImport:
        extendedSets[instruction.resultId] = literal(instruction.rest(0));
        break;
    case Op::EntryPoint:
        entryPoints.push_back({instruction.operand(1), literal(instruction.rest(2)).str()});
        break;
    case Op::ExecutionMode:
    case Op::ExecutionModeId:
        executionModes.push_back({instruction.operand(0), static_cast<Mode>(instruction.operand(1)),
                                  instruction.rest(2)});
        break;
    case Op::Decorate:
    case Op::DecorateId:
        decorate(instruction);
        break;
    default:
        break;
    }
}

void Module::decorate(const Instruction &instruction) {
    decorationsOf[instruction.operand(0)].push_back(
        {static_cast<Decorate>(instruction.operand(1)), instruction.rest(2)});
}

void Module::applyGroup(const Instruction &instruction) {
    for (uint32_t target : instruction.rest(1)) {
        SmallVector<Decoration, 2> group(decorations(instruction.operand(0)));
        decorationsOf[target].append(group);
    }
}

const Decoration *Module::decoration(uint32_t id, Decorate kind) const {
    for (const Decoration &decoration : decorations(id))
        if (decoration.kind == kind)
            return &decoration;
    return nullptr;
}

ArrayRef<Decoration> Module::decorations(uint32_t id) const {
    auto found = decorationsOf.find(id);
    return found == decorationsOf.end() ? ArrayRef<Decoration>() : found->second;
}

std::pair<StringRef, uint32_t> Module::linkage(uint32_t id) const {
    const Decoration *link = decoration(id, Decorate::LinkageAttributes);
    if (!link || link->operands.size() < 2)
        return {"", 0};
    return {literal(link->operands.drop_back()), link->operands.back()};
}

bool Module::isEntryPoint(uint32_t id) const {
    for (const EntryPoint &entry : entryPoints)
        if (entry.function == id)
            return true;
    return false;
}

} // namespace weft::spirv
