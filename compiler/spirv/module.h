// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A SPIR-V module as a list of instructions, with what annotates them in tables. No LLVM IR. */
#ifndef WEFT_SPIRV_MODULE_H
#define WEFT_SPIRV_MODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace weft::spirv {

enum class Op : uint16_t {
#define WEFT_SPIRV_OP(Name, number, handler) Name = number,
#include "spirv/instructions.def"
};

/* The numbers below are those of the SPIR-V specification, unified1. */

enum class Storage : uint32_t {
    UniformConstant = 0,
    Input = 1,
    Workgroup = 4,
    CrossWorkgroup = 5,
    Private = 6,
    Function = 7,
    Generic = 8
};

enum class Decorate : uint32_t {
    SpecId = 1,
    CPacked = 10,
    BuiltIn = 11,
    Restrict = 19,
    Volatile = 21,
    Constant = 22,
    SaturatedConversion = 28,
    FuncParamAttr = 38,
    FPRoundingMode = 39,
    FPFastMathMode = 40,
    LinkageAttributes = 41,
    Alignment = 44,
    AlignmentId = 46,
    NoSignedWrap = 4469,
    NoUnsignedWrap = 4470
};

enum class Mode : uint32_t {
    LocalSize = 17,
    LocalSizeHint = 18,
    VecTypeHint = 30,
    ContractionOff = 31,
    Initializer = 33,
    Finalizer = 34,
    SubgroupSize = 35,
    SubgroupsPerWorkgroup = 36,
    SubgroupsPerWorkgroupId = 37,
    LocalSizeId = 38,
    LocalSizeHintId = 39
};

enum class Scope : uint32_t { CrossDevice, Device, Workgroup, Subgroup, Invocation };

/** One instruction. `words` belong to the module (or, for a part of OpSpecConstantOp, to it). */
struct Instruction {
    Op op;
    uint16_t count; /* words, the first included */
    uint16_t first; /* index of the first operand behind type and result */
    uint32_t typeId, resultId;
    const uint32_t *words;

    uint32_t operands() const { return count - first; }
    /** Operand word `i`; 0 beyond the end, which is no id. */
    uint32_t operand(uint32_t i) const { return i < operands() ? words[first + i] : 0; }
    llvm::ArrayRef<uint32_t> rest(uint32_t from) const {
        return from < operands() ? llvm::ArrayRef<uint32_t>(words + first + from, words + count)
                                 : llvm::ArrayRef<uint32_t>();
    }
};

struct Decoration {
    Decorate kind;
    llvm::ArrayRef<uint32_t> operands;
};

struct EntryPoint {
    uint32_t function;
    std::string name;
};

struct ExecutionMode {
    uint32_t function;
    Mode mode;
    llvm::ArrayRef<uint32_t> operands;
};

/** A literal string of a module, cut at the end of its words if it is not terminated. */
llvm::StringRef literal(llvm::ArrayRef<uint32_t> words);

class Module {
  public:
    /**
     * Cuts `bytes` into instructions. False with a sentence in `error` if they are not SPIR-V; what
     * is returned true for has the grammar of its version. The bytes are copied.
     */
    bool parse(llvm::StringRef bytes, std::string &error);

    const std::vector<uint32_t> &words() const { return binary; }
    uint32_t version() const { return binary[1]; }
    /** One more than the largest id that an instruction defines. */
    uint32_t bound() const { return idBound; }

    /** The first such decoration of an id, or null. */
    const Decoration *decoration(uint32_t id, Decorate kind) const;
    llvm::ArrayRef<Decoration> decorations(uint32_t id) const;
    llvm::StringRef name(uint32_t id) const { return names.lookup(id); }
    /** The exported or imported name and the linkage type (0 export, 1 import, 2 once); "" none. */
    std::pair<llvm::StringRef, uint32_t> linkage(uint32_t id) const;
    bool isEntryPoint(uint32_t id) const;

    std::vector<Instruction> instructions;
    std::vector<EntryPoint> entryPoints;
    std::vector<ExecutionMode> executionModes;
    std::vector<llvm::StringRef> strings;                   /* of OpString */
    llvm::DenseMap<uint32_t, llvm::StringRef> extendedSets; /* of OpExtInstImport */

  private:
    void annotate(const Instruction &instruction);
    void decorate(const Instruction &instruction);
    void applyGroup(const Instruction &instruction);

    std::vector<uint32_t> binary;
    uint32_t idBound = 1;
    llvm::DenseMap<uint32_t, llvm::StringRef> names;
    llvm::DenseMap<uint32_t, llvm::SmallVector<Decoration, 2>> decorationsOf;
};

/** The sentence about the first capability that a module declares and the device does not have
 *  (weft/spirv.def); "" if there is none. `words` may be anything that begins like SPIR-V. */
std::string undeclarable(llvm::ArrayRef<uint32_t> words);

/** SPIRV-Tools' judgement and the rules of the OpenCL environment. False: `log` says why. */
bool validate(const Module &module, std::string &log);

} // namespace weft::spirv

#endif
