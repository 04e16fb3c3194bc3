// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many work-items a kernel runs at once, or why one only.

#include "norm/arith.h"
#include "norm/internals.h"
#include "norm/simplify.h"
#include "norm/sub_groups.h"
#include "stages/stages.h"
#include "vector/lanes.h"
#include "vector/bodies.h"
#include "vector/linear.h"
#include "vector/live.h"
#include "vector/lone.h"
#include "vector/prepare.h"
#include "vector/shape.h"
#include "vector/turned.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace weft {

namespace {

/** Makes a kernel ready for the stages that make it wide. */
void prepareWide(Function &kernel, unsigned width, StageContext &context) {
    kernel.addFnAttr(widthAttribute, std::to_string(width));
    setVectorBits(kernel, context.options.vectorBits);
    FunctionAnalysisManager &analyses = context.analyses().function;
    callRetryLoops(kernel, analyses);
    accessWholeBytes(kernel);
    ScalarizerPass().run(kernel, analyses);
    unrollRows(kernel, analyses);
    bundleAccesses(kernel, analyses);
    extendIndices(kernel);
}

/** A sub-group is the items that run at once, so a required size is a required width. */
Error refuseSize(const KernelRecord &record, const Twine &reason) {
    return sentence("the kernel '" + record.name + "' cannot have sub-groups of " +
                    Twine(record.info.reqd_sub_group_size) + " work-items: " + reason);
}

constexpr const char *tooLarge = "it is too large";
constexpr const char *tooExpensive = "building it with more was too expensive";
constexpr const char *tooMuchStack = "it would need too much stack";

/** Null, or why the kernel is not made so wide; `free`: nobody asked for this width. */
const char *whyNotThat(Function &kernel, const KernelRecord &record, unsigned width, bool free,
                       StageContext &context) {
    if (record.info.flags & WEFT_KERNEL_ENQUEUES)
        return "it enqueues kernels";
    /* A size that the program requires is taken as far as the build ends at all. */
    if (record.info.reqd_sub_group_size
            ? isGiant(kernel)
            : isTooLarge(kernel, width, context.options.vectorBits, context.analyses().function))
        return tooLarge;
    if (const char *reason = whyNotWide(kernel))
        return reason;
    if (free && hasLongVectors(kernel))
        return "its OpenCL vectors fill registers already";
    if (free && countsInLoop(kernel))
        return "it does little but atomics at different places";
    return nullptr;
}

/** So many lanes make a row of another one at once: the lines of both are in the nearest cache
 *  together, also where rows are a power of two apart, as most are, and all in one set of eight
 *  lines. (Floats in rows of 1024: 0.25 of the time of 16 lanes, in rows of 1000 1.1.) */
constexpr unsigned lanesOfRows = 4;

struct Width {
    unsigned lanes, natural; /* natural: lanes of one register */
    const char *whyNoMore;   /* for the build log */
};

bool mayHaveAnother(const PipelineOptions &options) {
    return !options.isBelow(Effort::FewerLanes) &&
           options.switches.oracle.empty(); /* an oracle is of the wide body */
}

/** A second body of lanes of a large kernel would take long to build, whatever it gains. One of a
 *  single item is built as quickly as the kernel would be if it were not wide. */
bool mayHaveBodies(const Function &kernel, const PipelineOptions &options) {
    constexpr unsigned most = 4000; /* instructions */
    return kernel.getInstructionCount() <= most && mayHaveAnother(options);
}

/** It moves rows of a group through local memory and does little else: then half a line of the
 *  cache, as a register of AVX2 is, is stored at a time too often. (Tiles of 16 x 16 floats,
 *  transposed in 4096 x 4096: 0.73 of the time with whole lines.) */
bool movesHalfLines(const Function &kernel, const KernelRecord &record, unsigned width,
                    const PipelineOptions &options) {
    const uint64_t x = record.info.reqd_local_size[0];
    return options.vectorBits == 256 && width > 1 && (!x || x >= uint64_t(2) * width) &&
           !options.switches.linear && isShort(kernel) && calls(kernel, Internal::Barrier) &&
           mayHaveBodies(kernel, options);
}

/** `width`, or as many lanes as several registers hold where that pays and groups do not matter. */
Width blocked(Function &kernel, const KernelRecord &record, unsigned width, RowUse rows,
              StageContext &context) {
    const PipelineOptions &options = context.options;
    const bool isFlat = record.info.flags & WEFT_KERNEL_FLAT;
    if (!isFlat && movesHalfLines(kernel, record, width, options))
        return {2 * width, width, "its rows fill lines of the cache then"};
    if (width == 1 || options.switches.linear || !isFlat)
        return {width, width, "groups matter to it, and their rows are often no longer"};
    if (bundlesMatter(kernel, context.analyses().function))
        return {width, width, "it moves elements that lie between those of other lanes"};
    if (rows != RowUse::None)
        return {width, width, "its work-items go along rows of their own"};
    unsigned bits = options.vectorBits;
    Registers registers = registersPerValue(kernel, width, bits, registersFor(bits));
    for (; registers.count > 1; registers = {registers.count / 2, tooLarge})
        if (!isTooLarge(kernel, width * registers.count, bits, context.analyses().function))
            break;
    return {width * registers.count, width, registers.whyNoMore};
}

/** Work-items of a group where the program says how many, 0 where it does not. Flat kernels do not
 *  care. */
uint64_t requiredItems(const KernelRecord &record) {
    const uint64_t *size = record.info.reqd_local_size;
    return record.info.flags & WEFT_KERNEL_FLAT ? 0 : size[0] * size[1] * size[2];
}

/** Rows of the required size are too short to fill vectors: as device-cpu/launch.c has it. */
bool wantsLinear(const KernelRecord &record, unsigned width) {
    const uint64_t x = record.info.reqd_local_size[0], items = requiredItems(record);
    return x < items && x * 4 < alignTo(x, width) * 3;
}

/** Lanes that the effort leaves; 0: as many as there may be. */
unsigned lanesOfEffort(unsigned natural, const PipelineOptions &options) {
    return options.isBelow(Effort::OneItem)      ? 1
           : options.isBelow(Effort::FewerLanes) ? std::max(natural / 4, 1u)
                                                 : 0;
}

/** 1 lane: the kernel runs one work-item at a time. */
Expected<Width> chooseWidth(Function &kernel, KernelRecord &record, StageContext &context) {
    const PipelineOptions &options = context.options;
    unsigned required = record.info.reqd_sub_group_size, forced = options.switches.width;
    if (required && (required > maxWidth || !isPowerOf2_32(required)))
        return refuseSize(record, "sizes are 1, 2, 4, 8, 16, 32 and 64");
    const bool forcedWidth = required || forced;
    const uint64_t items = forcedWidth ? 0 : requiredItems(record);
    bool isAlone = kernel.getName() == context.record.initKernel ||
                   kernel.getName() == context.record.finiKernel;
    if (required == 1 || isAlone || items == 1 || (!required && (!options.optimise || forced == 1)))
        return Width{1, 1,
                     required == 1       ? "its sub-groups are to be of one"
                     : isAlone           ? "it runs once"
                     : items == 1        ? "its groups are to be of one"
                     : !options.optimise ? "nothing is optimised"
                                         : "so it is set"};
    unsigned natural = naturalWidth(kernel, options.vectorBits, registersFor(options.vectorBits));
    unsigned width = required ? required : forced ? forced : natural;
    bool free = !forcedWidth && !usesSubGroups(kernel);
    const RowUse rows = free ? useOfRows(kernel, context.analyses().function) : RowUse::None;
    if (rows == RowUse::OnlyTurned && !items && natural > lanesOfRows)
        width = natural = lanesOfRows;
    if (items && free)
        width = natural = std::min<uint64_t>(width, PowerOf2Ceil(items));
    unsigned most = options.mostLanes.lookup(record.name);
    unsigned left = required ? 0 : lanesOfEffort(natural, options);
    if (most && required > most)
        return refuseSize(record, tooMuchStack);
    const char *whyNoMore = left && (!most || left < most) ? tooExpensive : tooMuchStack;
    most = left && most ? std::min(left, most) : left + most;
    if (most)
        width = std::min(width, most);
    if (most == 1)
        return Width{1, natural, whyNoMore};
    const char *reason = whyNotThat(kernel, record, width, free, context);
    if (!reason && most)
        return Width{width, natural, whyNoMore};
    if (!reason)
        return free ? blocked(kernel, record, width, rows, context)
                    : Width{width, natural,
                            required ? "its sub-groups are to be of that size"
                            : forced ? "so it is set"
                                     : "the size of its sub-groups"};
    if (required)
        return refuseSize(record, reason);
    return Width{1, natural, reason};
}

/** Groups of several rows, which may be any size, and where it matters which items are in one. */
bool mayHaveShortRows(Function &kernel, const KernelRecord &record,
                      const PipelineOptions &options) {
    return mayHaveBodies(kernel, options) && !options.switches.width &&
           !record.info.reqd_local_size[0] && !(record.info.flags & WEFT_KERNEL_FLAT) &&
           any_of(instructions(kernel), [](const Instruction &instruction) {
               return internalOf(instruction) == Internal::LocalId &&
                      !match(cast<CallBase>(instruction).getArgOperand(0), PatternMatch::m_Zero());
           });
}

/** With lanes side by side as well. Tables are looked up by one after the other. */
bool isSimple(Function &kernel) {
    if (!isShort(kernel))
        return false;
    Shapes shapes(kernel);
    return none_of(instructions(kernel), [&](const Instruction &instruction) {
        const Value *place = getLoadStorePointerOperand(&instruction);
        return place && !shapes.of(*place).likely();
    });
}

/** Sub-groups are the kernel's own lanes, and an oracle is of its wide body: no number of items at
 *  once but the chosen one will do. */
bool mayHaveOtherLanes(const KernelRecord &record, const PipelineOptions &options) {
    return !(record.info.flags & WEFT_KERNEL_SUB_GROUPS) && !record.info.reqd_sub_group_size &&
           options.switches.oracle.empty();
}

/** Stage estimate compares it with the wide body, and may drop either. */
bool wantsSingle(Function &kernel, const KernelRecord &record, const PipelineOptions &options) {
    const Switches &switches = options.switches;
    if (!mayHaveOtherLanes(record, options))
        return false;
    return switches.single || (mayHaveAnother(options) && !switches.width && !switches.linear &&
                               !switches.narrow && !isSimple(kernel));
}

void addSingle(Function &kernel, FunctionAnalysisManager &analyses) {
    Function *single = copyBody(kernel, "single");
    single->addFnAttr(singleAttribute);
    LoopSimplifyPass().run(*single, analyses); /* as estimates ask for it */
    analyses.clear(*single, single->getName());
}

/** Barriers cost a group of one item what it keeps in memory meanwhile. Stage estimate says whether
 *  it is worth a body without them. The required size says so anyway. */
bool wantsLone(const Function &kernel, const KernelRecord &record, const PipelineOptions &options) {
    const Switches &switches = options.switches;
    return !record.info.reqd_local_size[0] && mayHaveOtherLanes(record, options) &&
           calls(kernel, Internal::Barrier) &&
           (switches.lone || (mayHaveAnother(options) && !switches.width && !switches.linear &&
                              !switches.narrow && !switches.single));
}

void addLone(Function &kernel, FunctionAnalysisManager &analyses) {
    Function *lone = copyBody(kernel, "lone");
    makeLone(*lone);
    FunctionPassManager passes;
    addSimplification(passes);          /* what ids and sizes decide */
    passes.addPass(LoopSimplifyPass()); /* as estimates ask for it */
    runAnew(passes, *lone, analyses);
}

/** Columns of its groups may be longer than their rows, as where items fill local memory along
 * them: who has no barriers has mostly no reason. Stage estimate compares. */
bool wantsTurned(Function &kernel, const KernelRecord &record, const PipelineOptions &options) {
    return !record.info.reqd_local_size[0] && mayHaveOtherLanes(record, options) &&
           mayBeTurned(kernel) &&
           (options.switches.turned ||
            (calls(kernel, Internal::Barrier) && mayHaveShortRows(kernel, record, options)));
}

/** In loops it moves OpenCL vectors, which may stay whole, and its values want more registers than
 *  there are: fewer lanes need fewer. */
bool wantsRegisters(Function &kernel, unsigned lanes, const PipelineOptions &options) {
    const Shapes shapes(kernel);
    const bool movesVectors = any_of(instructions(kernel), [&](const Instruction &instruction) {
        return isa<LoadInst>(instruction) && instruction.getType()->isVectorTy() &&
               !shapes.of(*getLoadStorePointerOperand(&instruction)).isUniform();
    });
    return movesVectors &&
           mostRegisters(kernel, lanes, options.vectorBits) > registersFor(options.vectorBits);
}

/** So many lanes for rows that are shorter than vectors, 0: none. Stage estimate compares. */
unsigned narrowLanes(Function &kernel, const KernelRecord &record, const Width &width,
                     const PipelineOptions &options) {
    const uint64_t x = record.info.reqd_local_size[0];
    if (!mayHaveOtherLanes(record, options) || width.lanes < 2)
        return 0;
    if (options.switches.narrow)
        return width.lanes / 2;
    if (x && x < width.lanes && wantsLinear(record, width.lanes) && mayHaveBodies(kernel, options))
        return static_cast<unsigned>(PowerOf2Ceil(x));
    if (width.lanes > width.natural && !options.switches.width &&
        !(record.info.flags & WEFT_KERNEL_FLAT))
        return x ? 0 : width.natural; /* movesHalfLines() */
    if (width.lanes < 4 || isShort(kernel))
        return 0;
    return mayHaveShortRows(kernel, record, options) ||
                   (!options.switches.width && mayHaveBodies(kernel, options) &&
                    wantsRegisters(kernel, width.lanes, options))
               ? width.lanes / 2
               : 0;
}

/** For example: "runs 32 work-items at once, in 2 registers; not more: ...". */
std::string describe(const Width &width) {
    if (width.lanes == 1)
        return std::string("runs one work-item at a time: ") + width.whyNoMore;
    std::string text = "runs " + std::to_string(width.lanes) + " work-items at once";
    if (width.lanes >= 2 * width.natural)
        text += ", in " + std::to_string(width.lanes / width.natural) + " registers for each value";
    return text + "; not more: " + width.whyNoMore;
}

} // namespace

Error ChooseWidth::run(Module &module) {
    for (Function *kernel : kernelsOf(module)) {
        if (kernel->hasFnAttribute(widthAttribute))
            continue;
        KernelRecord &record = context.kernel(kernel->getName());
        Expected<Width> width = chooseWidth(*kernel, record, context);
        if (!width)
            return width.takeError();
        record.remarks.push_back(describe(*width));
        record.info.width = record.info.sub_group_size = width->lanes;
        bool inSubGroups = usesSubGroups(*kernel);
        if (inSubGroups) {
            record.info.flags |= WEFT_KERNEL_SUB_GROUPS;
            fixSubGroupSize(*kernel, width->lanes);
        }
        if (wantsLone(*kernel, record, context.options))
            addLone(*kernel, context.analyses().function);
        if (width->lanes == 1) {
            if (requiredItems(record) == 1)
                makeLone(*kernel);
            continue;
        }
        if (wantsSingle(*kernel, record, context.options))
            addSingle(*kernel, context.analyses().function);
        if (unsigned lanes = narrowLanes(*kernel, record, *width, context.options); lanes > 1) {
            Function *narrow = copyBody(*kernel, "narrow");
            narrow->addFnAttr(narrowAttribute);
            prepareWide(*narrow, lanes, context);
        }
        if (wantsTurned(*kernel, record, context.options)) {
            Function *turned = copyBody(*kernel, "turned");
            makeTurned(*turned);
            prepareWide(*turned, std::min(width->lanes, width->natural), context);
        }
        prepareWide(*kernel, width->lanes, context);
        if (context.options.switches.linear || wantsLinear(record, width->lanes))
            makeLinear(*kernel);
        else if (inSubGroups || mayHaveShortRows(*kernel, record, context.options))
            addLinearShape(*kernel, record);
    }
    return Error::success();
}

} // namespace weft
