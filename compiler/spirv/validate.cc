// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What must hold before anything is read: SPIRV-Tools' validator, then the OpenCL environment.

#include "spirv/module.h"

#include "spirv-tools/libspirv.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace weft::spirv {

namespace {

constexpr uint32_t newestVersion = 0x00010600;
constexpr uint32_t openclPrintf = 184;
enum : uint32_t { aliasScopeINTEL = 5914, noAliasINTEL = 5915 }; /* decorations */
enum : uint32_t { accessAligned = 2, accessAliasScope = 1 << 16, accessNoAlias = 1 << 17 };

std::string numbered(const Module &module, const Instruction &instruction) {
    return " (instruction " + std::to_string(&instruction - module.instructions.data() + 1) + ")";
}

/* ---- what may be declared -------------------------------------------------------------------- */

struct Capability {
    uint32_t number;
    const char *name;
    bool known; /* may be declared: what its instructions then meet (a function that the device
                   does not have) is said where they are read or linked */
};

constexpr Capability capabilities[] = {
#define WEFT_SPIRV_CAPABILITY(Name, number) {number, #Name, true},
#define WEFT_SPIRV_TOLERATED(Name, number)  {number, #Name, true},
#define WEFT_SPIRV_ABSENT(Name, number)     {number, #Name, false},
#include "weft/spirv.def"
};

bool isKnownExtension(StringRef name) {
    static const char *const extensions[] = {
#define WEFT_SPIRV_EXTENSION(text) text,
#include "weft/spirv.def"
    };
    return is_contained(extensions, name);
}

/* ---- SPIRV-Tools ----------------------------------------------------------------------------- */

spv_target_env environmentOf(uint32_t version) {
    static const spv_target_env environments[] = {
        SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
        SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
    uint32_t minor = version >> 8 & 0xff;
    return environments[std::min<uint32_t>(minor, std::size(environments) - 1)];
}

bool isOpenclFunction(const Module &module, const Instruction &instruction) {
    return instruction.op == Op::ExtInst &&
           module.extendedSets.lookup(instruction.operand(0)) == "OpenCL.std";
}

bool isPrintf(const Module &module, const Instruction &instruction) {
    return isOpenclFunction(module, instruction) && instruction.operand(1) == openclPrintf;
}

/** The two queries of SPIR-V 1.1, whose function the tools do not let stand behind them. */
bool isLateQuery(const Instruction &instruction) {
    return instruction.op == Op::GetKernelLocalSizeForSubgroupCount ||
           instruction.op == Op::GetKernelMaxNumSubgroups;
}

/** Decorations that name scopes of aliasing, which are nowhere read. */
bool isAliasDecoration(const Instruction &instruction) {
    return instruction.op == Op::DecorateId &&
           (instruction.operand(1) == aliasScopeINTEL || instruction.operand(1) == noAliasINTEL);
}

/** Instructions that only hint, and stand where SPIRV-Tools want none of them. */
bool isHint(const Module &module, const Instruction &instruction) {
    switch (instruction.op) {
    case Op::LoopMerge:
    case Op::SelectionMerge:
    case Op::LoopControlINTEL:
    case Op::AliasDomainDeclINTEL:
    case Op::AliasScopeDeclINTEL:
    case Op::AliasScopeListDeclINTEL:
        return true;
    case Op::Extension:
        return !isKnownExtension(literal(instruction.rest(0)));
    case Op::ExtInst:
        return module.extendedSets.lookup(instruction.operand(0)).starts_with("NonSemantic.");
    default:
        return isAliasDecoration(instruction);
    }
}

/** The operand that is an instruction's first memory access mask; 0: it has none. */
uint32_t firstAccess(Op op) {
    switch (op) {
    case Op::Load:
        return 1;
    case Op::Store:
    case Op::CopyMemory:
        return 2;
    case Op::CopyMemorySized:
        return 3;
    default:
        return 0;
    }
}

/** Appends a load, store or copy without the scopes of aliasing in its memory operands. */
void appendAccess(const Instruction &instruction, std::vector<uint32_t> &words) {
    size_t start = words.size();
    const uint32_t *at = instruction.words, *end = at + instruction.count;
    const uint32_t *mask = at + instruction.first + firstAccess(instruction.op);
    words.insert(words.end(), at, std::min(mask, end));
    for (at = mask; at < end;) {
        uint32_t bits = *at++;
        words.push_back(bits & ~(accessAliasScope | accessNoAlias));
        if (bits & accessAligned && at < end)
            words.push_back(*at++);
        for (uint32_t scope : {accessAliasScope, accessNoAlias})
            at += bits & scope && at < end;
    }
    words[start] = static_cast<uint32_t>(words.size() - start) << 16 | (words[start] & 0xffff);
}

/**
 * The words that SPIRV-Tools gets to see: the module but for what LLVM's SPIR-V back end and
 * llvm-spirv write and its rules of 2023 refuse. The reader checks all of it itself.
 * - printf's format points to an array, not to a character: the call becomes OpUndef;
 * - a constant pipe storage, which the tools take for an instruction of a function, likewise;
 * - so do queries of sub-groups about a function that is defined further below;
 * - the null constant of an integer type indexes a structure: it becomes OpConstant 0;
 * - an integer, which must be 0, is the initial value of a pointer: the variable has none;
 * - Any and All of one boolean: they become OpCopyObject; of integers: OpUndef;
 * - a merge instruction stands where none may: kernels have no structured control flow, so these
 *   are hints, and are left out;
 * - other hints (aliasing, loops) and extensions that are not in our table are left out: what an
 *   extension brings is refused where it is used, if it is.
 */
std::vector<uint32_t> wordsForTools(const Module &module, std::vector<size_t> &numbers) {
    const std::vector<uint32_t> &all = module.words();
    std::vector<uint32_t> words(all.begin(), all.begin() + 5);
    DenseMap<uint32_t, uint32_t> integers;   /* type to width */
    DenseSet<uint32_t> vectors;              /* of integers: types */
    DenseMap<uint32_t, uint32_t> typeOf;     /* of values */
    DenseSet<uint32_t> booleans;             /* types */
    DenseSet<uint32_t> pointers, toPointers; /* types; those to pointers */
    for (const Instruction &instruction : module.instructions) {
        auto start = [&](Op op, uint32_t count) {
            words.push_back(count << 16 | static_cast<uint32_t>(op));
            words.push_back(instruction.typeId);
            words.push_back(instruction.resultId);
        };
        if (instruction.op == Op::TypeInt)
            integers[instruction.resultId] = instruction.operand(0);
        if (isHint(module, instruction))
            continue;
        numbers.push_back(&instruction - module.instructions.data() + 1);
        if (instruction.op == Op::TypeBool)
            booleans.insert(instruction.resultId);
        if (instruction.op == Op::TypeVector && integers.count(instruction.operand(0)))
            vectors.insert(instruction.resultId);
        if (instruction.op == Op::TypePointer) {
            pointers.insert(instruction.resultId);
            if (pointers.count(instruction.operand(1)))
                toPointers.insert(instruction.resultId);
        }
        typeOf[instruction.resultId] = instruction.typeId;
        bool reduces = instruction.op == Op::Any || instruction.op == Op::All;
        uint32_t reduced = reduces ? typeOf.lookup(instruction.operand(0)) : 0;
        if (isPrintf(module, instruction) || instruction.op == Op::ConstantPipeStorage ||
            isLateQuery(instruction) || integers.count(reduced) || vectors.count(reduced)) {
            start(Op::Undef, 3);
        } else if (booleans.count(reduced)) {
            start(Op::CopyObject, 4);
            words.push_back(instruction.operand(0));
        } else if (instruction.op == Op::ConstantNull && integers.count(instruction.typeId)) {
            uint32_t zeros = integers.lookup(instruction.typeId) > 32 ? 2 : 1;
            start(Op::Constant, 3 + zeros);
            words.insert(words.end(), zeros, 0);
        } else if (instruction.op == Op::Variable && toPointers.count(instruction.typeId) &&
                   instruction.operands() > 1 &&
                   integers.count(typeOf.lookup(instruction.operand(1)))) {
            start(Op::Variable, 4);
            words.push_back(instruction.operand(0));
        } else if (firstAccess(instruction.op)) {
            appendAccess(instruction, words);
        } else {
            words.insert(words.end(), instruction.words, instruction.words + instruction.count);
        }
    }
    return words;
}

bool isHalfStore(const Module &module, const Instruction &instruction) {
    uint32_t first = 175 /* vstore_half */, vloadaHalfn = 179, last = 181 /* vstorea_halfn_r */;
    uint32_t function = instruction.operand(1);
    return isOpenclFunction(module, instruction) && function >= first && function <= last &&
           function != vloadaHalfn;
}

/** What would end SPIRV-Tools of 2023 by a signal, nullptr if nothing would: a vstore_half… of
 *  what is neither a number nor a vector, whose width they ask for before they look. */
const Instruction *whatEndsTools(const Module &module) {
    DenseSet<uint32_t> numbers; /* types */
    DenseMap<uint32_t, uint32_t> typeOf;
    for (const Instruction &instruction : module.instructions) {
        if (instruction.op == Op::TypeInt || instruction.op == Op::TypeFloat ||
            instruction.op == Op::TypeVector)
            numbers.insert(instruction.resultId);
        typeOf[instruction.resultId] = instruction.typeId;
        if (isHalfStore(module, instruction) &&
            (instruction.operands() < 3 ||
             !numbers.contains(typeOf.lookup(instruction.operand(2)))))
            return &instruction;
    }
    return nullptr;
}

bool toolsAccept(const Module &module, std::string &log) {
    if (const Instruction *instruction = whatEndsTools(module)) {
        log += "error: invalid SPIR-V: what a vstore_half of OpenCL.std stores is no number" +
               numbered(module, *instruction) + "\n";
        return false;
    }
    std::vector<size_t> numbers;
    std::vector<uint32_t> words = wordsForTools(module, numbers);
    spv_context context = spvContextCreate(environmentOf(module.version()));
    spv_validator_options options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetAllowLocalSizeId(options, true);
    spvValidatorOptionsSetRelaxStoreStruct(options, true);
    spvValidatorOptionsSetFriendlyNames(options, false);
    spv_const_binary_t binary = {words.data(), words.size()};
    spv_diagnostic diagnostic = nullptr;
    spv_result_t result = spvValidateWithOptions(context, options, &binary, &diagnostic);
    if (result != SPV_SUCCESS) {
        log += "error: invalid SPIR-V: ";
        log += diagnostic && diagnostic->error ? diagnostic->error : "it cannot be validated";
        size_t index = diagnostic ? diagnostic->position.index : 0;
        if (index && index <= numbers.size())
            log += " (instruction " + std::to_string(numbers[index - 1]) + ")";
        log += '\n';
    }
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(options);
    spvContextDestroy(context);
    return result == SPV_SUCCESS;
}

/* ---- the environment of OpenCL --------------------------------------------------------------- */

/** The sentence that one instruction breaks a rule of the environment with; "" if it does not. */
std::string brokenRule(const Instruction &instruction) {
    switch (instruction.op) {
    case Op::MemoryModel:
        if (instruction.operand(0) != 2)
            return "OpMemoryModel must name the addressing model Physical64: addresses of this "
                   "device have 64 bits";
        return instruction.operand(1) == 2 ? "" : "OpMemoryModel must name the memory model OpenCL";
    case Op::EntryPoint:
        return instruction.operand(0) == 6 ? ""
                                           : "the execution model of OpEntryPoint must be Kernel";
    case Op::TypeInt:
        return instruction.operand(1) ? "the signedness of OpTypeInt must be 0" : "";
    case Op::TypeImage:
        return instruction.operands() < 8 ? "OpTypeImage must have an access qualifier" : "";
    default:
        return "";
    }
}

} // namespace

std::string undeclarable(ArrayRef<uint32_t> words) {
    /* Capabilities come first. */
    for (size_t at = 5, number = 1; at + 1 < words.size() && words[at] == (2 << 16 | 17);
         at += 2, number++) {
        uint32_t asked = words[at + 1];
        const Capability *row =
            find_if(capabilities, [&](const Capability &one) { return one.number == asked; });
        bool named = row != std::end(capabilities);
        if (!named || !row->known)
            return "invalid SPIR-V for OpenCL: capability " + std::to_string(asked) +
                   (named ? std::string(" (") + row->name + ")" : "") +
                   " of OpCapability is not one of this device (instruction " +
                   std::to_string(number) + ")";
    }
    return "";
}

bool validate(const Module &module, std::string &log) {
    uint32_t version = module.version();
    if (version > newestVersion) {
        log += "error: SPIR-V " + std::to_string(version >> 16) + "." +
               std::to_string(version >> 8 & 0xff) + " is newer than this device reads (1.6)\n";
        return false;
    }
    if (!toolsAccept(module, log))
        return false;
    for (const Instruction &instruction : module.instructions) {
        std::string broken = brokenRule(instruction);
        if (broken.empty())
            continue;
        log += "error: invalid SPIR-V for OpenCL: " + broken + numbered(module, instruction) + "\n";
        return false;
    }
    return true;
}

} // namespace weft::spirv
