// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an item of a kernel costs, by estimate: for those who want to know why a kernel is slow, and
// to choose among the bodies that choose-width has made.

#include "norm/internals.h"
#include "stages.h"
#include "vector/bodies.h"
#include "vector/cost.h"
#include "vector/lanes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace weft {

namespace {

/** All lanes together must be so much cheaper than their items one by one, else vectors do not
 *  pay: estimates know nothing of what a processor does at once by itself. */
constexpr double leastGain = 1.1;
/** A run for one item only may cost so much more than the item alone before the kernel gets a body
 *  for groups of few items. Flat kernels have such groups only where the whole range is as small.
 */
constexpr double mostWaste = 3, mostWasteFlat = 8;

/** Vectors of linear ids may cost so much more than those of rows before they are of no use: they
 *  would win in rows of few items only. */
constexpr double mostForLinear = 2.5;

/** A kernel's bodies in the module, by shape, and what a run of each costs. */
struct Bodies {
    Function *body[WEFT_SHAPE_COUNT] = {};
    Cost cost[WEFT_SHAPE_COUNT];

    unsigned count() const {
        return count_if(body, [](const Function *each) { return each; });
    }
    Function *single() const { return body[WEFT_SHAPE_SINGLE]; }
    unsigned wideShape() const {
        return body[WEFT_SHAPE_ROWS] ? WEFT_SHAPE_ROWS : WEFT_SHAPE_LINEAR;
    }
};

MapVector<StringRef, Bodies> bodiesOf(Module &module) {
    MapVector<StringRef, Bodies> found;
    for (Function *body : kernelsOf(module))
        found[kernelName(*body)].body[shapeOf(*body)] = body;
    return found;
}

/** For example: "about 2.4 cycles per work-item; loads 8 and stores 4 bytes". */
std::string describe(const Cost &cost, unsigned width) {
    std::string text = formatv("about {0:F1} cycles per work-item", cost.cycles / width);
    if (cost.guessed)
        text += formatv(", if loops of unknown length run {0:F0} times", unknownTurns);
    if (cost.calls > 0)
        text += formatv(", and {0:F1} calls of functions linked later", cost.calls / width);
    if (cost.loaded + cost.stored > 0)
        text += formatv("; loads {0:F0} and stores {1:F0} bytes of global memory",
                        cost.loaded / width, cost.stored / width);
    return text;
}

const char *const shapeNames[] = {"", "in linear shape: ", "one item at a time: "};

/** The kernel has no other body than the one that runs one item at a time. */
void keepSingle(Bodies &bodies, KernelRecord &record, unsigned width) {
    Function *kernel = bodies.body[WEFT_SHAPE_ROWS], *single = bodies.single();
    const Cost &wide = bodies.cost[bodies.wideShape()];
    record.remarks.push_back(
        formatv("but one work-item at a time is estimated to be better: {0:F1} cycles, not {1:F1}",
                bodies.cost[WEFT_SHAPE_SINGLE].cycles, wide.cycles / width));
    if (Function *linear = bodies.body[WEFT_SHAPE_LINEAR])
        linear->eraseFromParent();
    single->takeName(kernel);
    kernel->eraseFromParent();
    bodies.body[WEFT_SHAPE_ROWS] = single;
    bodies.body[WEFT_SHAPE_LINEAR] = bodies.body[WEFT_SHAPE_SINGLE] = nullptr;
    single->removeFnAttr(copyAttribute);
    single->removeFnAttr(singleAttribute);
    record.info.width = record.info.sub_group_size = 1;
}

/** Drops the linear body if it does not pay, unless sub-groups need it. */
void chooseLinear(Bodies &bodies, const KernelRecord &record) {
    Function *&linear = bodies.body[WEFT_SHAPE_LINEAR];
    if (!linear || record.info.flags & WEFT_KERNEL_SUB_GROUPS ||
        bodies.cost[WEFT_SHAPE_LINEAR].cycles < bodies.cost[WEFT_SHAPE_ROWS].cycles * mostForLinear)
        return;
    linear->eraseFromParent();
    linear = nullptr;
}

/** Drops the single body, or the others, if it does not pay. */
void chooseSingle(Bodies &bodies, KernelRecord &record) {
    const unsigned width = widthOf(*bodies.body[bodies.wideShape()]);
    const double one = bodies.cost[WEFT_SHAPE_SINGLE].cycles;
    const double all = bodies.cost[bodies.wideShape()].cycles;
    const bool isFlat = record.info.flags & WEFT_KERNEL_FLAT;
    if (one * width < all * leastGain)
        return keepSingle(bodies, record, width);
    if (all < one * (isFlat ? mostWasteFlat : mostWaste)) {
        bodies.single()->eraseFromParent();
        bodies.body[WEFT_SHAPE_SINGLE] = nullptr;
        return;
    }
    record.remarks.push_back(
        formatv("groups of few work-items run one at a time: {0:F0} cycles, not {1:F0}", one, all));
}

/** For a launch to choose by. */
void recordCosts(const Bodies &bodies, KernelRecord &record) {
    for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++)
        if (bodies.body[shape])
            record.info.run_cost[shape] =
                static_cast<uint32_t>(std::clamp(bodies.cost[shape].cycles, 1.0, 1e9));
    const Function *first = bodies.body[WEFT_SHAPE_ROWS];
    if (first && isLinear(*first)) /* both shapes in one */
        record.info.run_cost[WEFT_SHAPE_LINEAR] = record.info.run_cost[WEFT_SHAPE_ROWS];
}

} // namespace

Error EstimateCost::run(Module &module) {
    const Switches &switches = context.options.switches;
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (auto &[name, bodies] : bodiesOf(module)) {
        if (bodies.count() == 1 && !switches.remarks)
            continue;
        KernelRecord &record = context.kernel(name);
        for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++) {
            Function *body = bodies.body[shape];
            if (!body)
                continue;
            bodies.cost[shape] = costOf(*body, analyses);
            if (switches.remarks)
                record.remarks.push_back(shapeNames[shape] +
                                         describe(bodies.cost[shape], widthOf(*body)));
        }
        chooseLinear(bodies, record);
        if (bodies.single() && !switches.single)
            chooseSingle(bodies, record);
        recordCosts(bodies, record);
    }
    analyses.clear(); /* stages behind this one change what they are about */
    return Error::success();
}

} // namespace weft
