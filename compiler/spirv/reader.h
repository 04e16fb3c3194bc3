// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * A validated SPIR-V module to LLVM IR. One object reads one module; its members are in the file
 * that instructions.def names for their instructions.
 *
 * Errors: the first sentence given to fail() is kept, and reading stops behind the instruction that
 * it came from; until then members return harmless values.
 */
#ifndef WEFT_SPIRV_READER_H
#define WEFT_SPIRV_READER_H

#include "spirv/mangle.h"
#include "spirv/module.h"
#include "spirv/spirv.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace weft::spirv {

/** A type, and what an LLVM type does not keep of it. */
struct TypeInfo {
    Op op = Op::Nop;
    llvm::Type *type = nullptr;             /* null: no type of this id */
    uint32_t element = 0;                   /* id: pointee, element, image of a sampled image */
    llvm::SmallVector<uint32_t, 4> members; /* ids: of a struct; parameters of a function */
};

/** How a built-in function treats memory and control. */
enum class Effect { Pure, Reads, Any, Convergent };

/** OpTypeSampledImage has no LLVM type: its values are pairs. */
struct SampledImage {
    llvm::Value *image = nullptr, *sampler = nullptr;
};

class Reader {
  public:
    Reader(llvm::LLVMContext &context, const Module &module,
           llvm::ArrayRef<SpecConstant> constants);

    /** Null: `error()` says why. */
    std::unique_ptr<llvm::Module> read();
    const std::string &error() const { return sentence; }

  private:
    /* ---- reader.cc: the module ---- */
    bool readGlobals();
    bool readFunctions();
    void readOne(const Instruction &instruction);
    void elsewhere(const Instruction &instruction);
    void fail(const Instruction &instruction, const llvm::Twine &why);
    bool failed() const { return !sentence.empty(); }
    std::string describe(const Instruction &instruction) const;

    /** The value of an id, as it is seen from the function that is being read. */
    llvm::Value *value(uint32_t id);
    llvm::Value *operand(const Instruction &instruction, uint32_t i) {
        return value(instruction.operand(i));
    }
    void set(const Instruction &instruction, llvm::Value *result);
    llvm::Type *typeOf(uint32_t id);
    llvm::Type *resultType(const Instruction &instruction) { return typeOf(instruction.typeId); }
    /** What a value that is a pointer points to; null if its type is no pointer. */
    llvm::Type *pointeeOf(uint32_t valueId);
    const TypeInfo &typeInfoOf(uint32_t valueId) const;
    /**
     * Whether the result and the operands from `first` on are what `letters` says, for instructions
     * of which SPIRV-Tools look at no type; if not, that is said. "result:operands", a letter each,
     * for further operands none:
     *   a address      b boolean   e device event   i integer of 32 bits   n integer   p pipe
     *   q queue        r reservation                s pipe storage         v event     . anything
     */
    bool fits(const Instruction &instruction, llvm::StringRef letters, uint32_t first = 0);
    /** The value of an integer constant; `otherwise` where it is not known. */
    uint64_t constantOr(uint32_t id, uint64_t otherwise);

    /** Calls OpenCL's built-in function of this name. */
    llvm::Value *callBuiltin(llvm::StringRef name, llvm::Type *result,
                             llvm::ArrayRef<Operand> operands, Effect effect);
    /** Calls a function whose name is not mangled. */
    llvm::Value *callPlain(llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments, Effect effect);

    /* ---- types.cc ---- */
    void readType(const Instruction &instruction);
    llvm::Type *scalarType(const Instruction &instruction);
    llvm::Type *opaqueType(const Instruction &instruction);
    llvm::Type *structType(const Instruction &instruction, TypeInfo &info);
    llvm::Type *functionType(const Instruction &instruction, TypeInfo &info);
    static unsigned addressSpace(uint32_t storage);

    /* ---- constants.cc ---- */
    void readConstant(const Instruction &instruction);
    llvm::Constant *scalarConstant(const Instruction &instruction);
    llvm::Constant *compositeConstant(const Instruction &instruction);
    llvm::Constant *pipeStorage(const Instruction &instruction);
    void readSpecOperation(const Instruction &instruction);
    const SpecConstant *specialised(uint32_t id) const;
    llvm::Value *literalSampler(const Instruction &instruction);

    /* ---- memory.cc ---- */
    void readVariable(const Instruction &instruction);
    void readGlobalVariable(const Instruction &instruction);
    void readLoadStore(const Instruction &instruction);
    void readCopyMemory(const Instruction &instruction);
    bool countsBytes(const Instruction &instruction, llvm::Type *base);
    void readAccessChain(const Instruction &instruction);
    void readPointers(const Instruction &instruction);
    void readLifetime(const Instruction &instruction);
    /** The copy of a built-in variable in this function, filled where the function begins. */
    llvm::Value *builtinVariable(uint32_t id);
    llvm::Value *builtinValue(llvm::IRBuilder<> &builder, uint32_t builtin, llvm::Type *type);
    llvm::Align alignment(uint32_t id, llvm::Type *type);

    /* ---- atomics.cc ---- */
    void readAtomic(const Instruction &instruction);
    llvm::AtomicOrdering ordering(uint32_t semanticsId, bool load, bool store);
    void readAtomicUpdate(const Instruction &instruction);
    void readCompareExchange(const Instruction &instruction);

    /* ---- composites.cc ---- */
    void readComposite(const Instruction &instruction);
    llvm::Value *shuffle(const Instruction &instruction);
    llvm::Value *construct(const Instruction &instruction);
    llvm::Value *extract(llvm::Value *from, llvm::ArrayRef<uint32_t> path);
    llvm::Value *insert(llvm::Value *into, llvm::Value *part, llvm::ArrayRef<uint32_t> path);
    llvm::Value *copyLogical(llvm::Value *from, llvm::Type *to);

    /* ---- arithmetic.cc ---- */
    void readBinary(const Instruction &instruction);
    void readShift(const Instruction &instruction);
    void readRemainder(const Instruction &instruction);
    void readUnary(const Instruction &instruction);
    void readProduct(const Instruction &instruction);
    void readWide(const Instruction &instruction);
    void readBitField(const Instruction &instruction);
    void readIntegerDot(const Instruction &instruction);
    void readCompare(const Instruction &instruction);
    void readClassify(const Instruction &instruction);
    void decorateArithmetic(const Instruction &instruction, llvm::Value *result);

    /* ---- conversions.cc ---- */
    void readConversion(const Instruction &instruction);
    void readPlainConversion(const Instruction &instruction);
    llvm::Value *convertExactly(const Instruction &instruction, llvm::Value *from, bool saturate,
                                int rounding);

    /* ---- extended.cc ---- */
    void readExtended(const Instruction &instruction);
    llvm::Value *standard(const Instruction &instruction, uint32_t number);
    llvm::Value *vectorMemory(const Instruction &instruction, uint32_t number);
    llvm::Value *print(const Instruction &instruction);
    Operand standardOperand(const Instruction &instruction, uint32_t i, char sign);

    /* ---- groups.cc, pipes.cc, images.cc ---- */
    void readBarrier(const Instruction &instruction);
    void readAsyncCopy(const Instruction &instruction);
    void readGroup(const Instruction &instruction);
    void readNonUniform(const Instruction &instruction);
    void readIntelShuffle(const Instruction &instruction);
    void readIntelBlock(const Instruction &instruction);
    llvm::Value *shuffled(llvm::Value *value, llvm::Value *lane);
    llvm::Value *laneQuery(llvm::StringRef name);
    llvm::Value *flags(uint32_t semanticsId);
    llvm::Value *openclScope(uint32_t scopeId);
    void readPipe(const Instruction &instruction);
    llvm::Value *pipeFromStorage(const Instruction &instruction);
    void readEvent(const Instruction &instruction);

    /* ---- enqueue.cc ---- */
    void readEnqueue(const Instruction &instruction);
    llvm::Value *enqueueKernel(const Instruction &instruction);
    llvm::Value *rangeAddress(const Instruction &instruction, uint32_t at);
    void queryKernel(const Instruction &instruction);
    llvm::Value *buildRange(const Instruction &instruction);
    llvm::Function *blockKernel(const Instruction &instruction, uint32_t at);
    llvm::Value *localSizes(const Instruction &instruction, uint32_t from);
    llvm::Value *temporary(llvm::Type *type);

    void readImage(const Instruction &instruction);
    void readImageQuery(const Instruction &instruction);
    llvm::Value *sample(const Instruction &instruction);
    llvm::Value *imageRead(const Instruction &instruction, llvm::Value *sampler, llvm::Value *image,
                           uint32_t operandsAt);

    /* ---- function.cc ---- */
    std::string symbolOf(const Instruction &instruction, llvm::FunctionType *type);
    void declareFunction(size_t at);
    void readFunction(size_t at);
    void makeBlocks(size_t at);
    void readCall(const Instruction &instruction);
    void readPhi(const Instruction &instruction);
    void readBranch(const Instruction &instruction);
    void readSwitch(const Instruction &instruction);
    void fillPhis();
    llvm::BasicBlock *block(const Instruction &instruction, uint32_t i);
    void readParameters(llvm::ArrayRef<const Instruction *> parameters);

    /* ---- kernel.cc ---- */
    void describeKernels();
    void describeKernel(llvm::Function &kernel, uint32_t function, llvm::StringRef name);
    void applyModes(llvm::Function &kernel, uint32_t function);
    void parameterAttributes(llvm::Function &function, uint32_t id, bool kernel);

    const Module &source;
    llvm::ArrayRef<SpecConstant> specialisation;
    llvm::LLVMContext &context;
    std::unique_ptr<llvm::Module> module;
    llvm::IRBuilder<> builder;
    std::string sentence;

    std::vector<TypeInfo> types;                  /* by id */
    std::vector<llvm::Value *> values;            /* by id; of a function while it is read */
    std::vector<uint32_t> typeIds;                /* by id of a value */
    std::vector<const Instruction *> definitions; /* by id */
    llvm::DenseMap<uint32_t, llvm::Function *> functions;
    llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 8>> parameterIds; /* of a function */
    llvm::DenseMap<llvm::Function *, llvm::Function *> blockKernels; /* of enqueued functions */
    llvm::DenseMap<uint32_t, llvm::Type *> byValue; /* parameters that kernels take in memory */
    std::deque<std::vector<uint32_t>> ownWords;     /* of the parts of OpSpecConstantOp */
    llvm::DenseMap<uint32_t, SampledImage> sampledImages;

    /* of the function that is being read */
    llvm::Function *function = nullptr;
    llvm::DenseMap<uint32_t, llvm::BasicBlock *> blocks;
    llvm::DenseMap<uint32_t, llvm::Value *> builtinCopies;
    std::vector<std::pair<const Instruction *, llvm::PHINode *>> phis;
};

} // namespace weft::spirv

#endif
