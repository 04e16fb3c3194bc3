// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an item of a kernel costs, by estimate: for those who want to know why a kernel is slow, and
// to choose among the bodies that choose-width has made.

#include "norm/internals.h"
#include "stages/stages.h"
#include "vector/bodies.h"
#include "vector/cost.h"
#include "vector/lanes.h"
#include "vector/lone.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>

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
/** In some group they are to win so much, else nobody would miss them: they are as much code as the
 *  kernel, and so as long to build. */
constexpr double leastForLinear = 1.15;
/** Vectors of fewer items are kept where two cost less than this of what else takes as many items
 *  in rows that are no longer. */
constexpr double mostForNarrow = 0.85;

/** What a run waits at a barrier for what it keeps in memory meanwhile, to be stored and loaded
 *  again, in cycles (measured: 8 to 19 of vectors, 3 of one item). */
constexpr double meetingCycles = 8;
/** An item alone in its group has a body without barriers if another takes so many times as long.
 */
constexpr double leastForLone = 2;
/** Columns have vectors of their own if an item in rows of one takes so many times as long. */
constexpr double leastForTurned = 1.5;

/** A kernel's bodies in the module, by shape, and what a run of each costs. */
struct Bodies {
    Function *body[WEFT_SHAPE_COUNT] = {};
    Cost cost[WEFT_SHAPE_COUNT];

    unsigned count() const {
        return count_if(body, [](const Function *each) { return each; });
    }
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

const char *const shapeNames[] = {"",
                                  "in linear shape: ",
                                  "fewer at once: ",
                                  "one item at a time: ",
                                  "along columns: ",
                                  "alone in its group: "};

void drop(Bodies &bodies, unsigned shape) {
    if (bodies.body[shape])
        bodies.body[shape]->eraseFromParent();
    bodies.body[shape] = nullptr;
}

/** The kernel has no other body. */
void keepOnly(Bodies &bodies, unsigned shape, KernelRecord &record) {
    Function *kernel = bodies.body[WEFT_SHAPE_ROWS], *kept = bodies.body[shape];
    for (unsigned other = 1; other < WEFT_SHAPE_COUNT; other++)
        if (other != shape && other != WEFT_SHAPE_LONE)
            drop(bodies, other);
    if (kept == kernel)
        return;
    kept->takeName(kernel);
    kernel->eraseFromParent();
    bodies.body[WEFT_SHAPE_ROWS] = kept;
    bodies.cost[WEFT_SHAPE_ROWS] = bodies.cost[shape];
    bodies.body[shape] = nullptr;
    for (const char *attribute : {copyAttribute, narrowAttribute, singleAttribute})
        kept->removeFnAttr(attribute);
    record.info.width = record.info.sub_group_size = widthOf(*kept);
}

/** Groups of few items are to run one at a time. */
bool keepsSingle(const Bodies &bodies, const KernelRecord &record) {
    const double one = bodies.cost[WEFT_SHAPE_SINGLE].cycles;
    const double all = bodies.cost[bodies.wideShape()].cycles;
    const bool isFlat = record.info.flags & WEFT_KERNEL_FLAT;
    return bodies.body[WEFT_SHAPE_SINGLE] && !isShort(*bodies.body[WEFT_SHAPE_SINGLE]) &&
           all >= one * (isFlat ? mostWasteFlat : mostWaste);
}

/** Runs of a group of this size, as device-cpu/launch.c counts them. */
double runsOf(const Function &body, const uint64_t size[3]) {
    const uint64_t width = widthOf(body), rows = size[1] * size[2];
    return static_cast<double>(isLinear(body) ? divideCeil(size[0] * rows, width)
                                              : divideCeil(size[0], width) * rows);
}

/** What a row of so many items costs with the best of the bodies that go along rows. */
double costOfRow(const Bodies &bodies, const KernelRecord &record, unsigned items) {
    const uint64_t row[3] = {items, 1, 1};
    double cost = std::numeric_limits<double>::infinity();
    for (unsigned shape : {WEFT_SHAPE_ROWS, WEFT_SHAPE_NARROW, WEFT_SHAPE_SINGLE})
        if (bodies.body[shape] && (shape != WEFT_SHAPE_SINGLE || keepsSingle(bodies, record)))
            cost = std::min(cost, bodies.cost[shape].cycles * runsOf(*bodies.body[shape], row));
    return cost;
}

/** How many times as much an item costs in rows of so many with the best other body as with the
 *  linear one, if the group fills vectors of linear ids. */
double gainOfLinear(const Bodies &bodies, const KernelRecord &record, unsigned items) {
    const unsigned width = widthOf(*bodies.body[WEFT_SHAPE_LINEAR]);
    return costOfRow(bodies, record, items) * width /
           (bodies.cost[WEFT_SHAPE_LINEAR].cycles * items);
}

/** Drops the linear body if it does not pay in any row from `least` items on, unless sub-groups
 * need it. */
void chooseLinear(Bodies &bodies, const KernelRecord &record, unsigned least) {
    const Function *linear = bodies.body[WEFT_SHAPE_LINEAR];
    if (!linear || record.info.flags & WEFT_KERNEL_SUB_GROUPS)
        return;
    double gain = 0;
    for (unsigned items = least; items <= widthOf(*linear); items++)
        gain = std::max(gain, gainOfLinear(bodies, record, items));
    if (gain < leastForLinear ||
        bodies.cost[WEFT_SHAPE_LINEAR].cycles > bodies.cost[WEFT_SHAPE_ROWS].cycles * mostForLinear)
        drop(bodies, WEFT_SHAPE_LINEAR);
}

/** Drops the body along columns if what else there is does as well in columns of one item each. */
void chooseTurned(Bodies &bodies, KernelRecord &record) {
    const double width = widthOf(*bodies.body[WEFT_SHAPE_TURNED]);
    const double turned = bodies.cost[WEFT_SHAPE_TURNED].cycles / width;
    double others = costOfRow(bodies, record, 1);
    if (bodies.body[WEFT_SHAPE_LINEAR])
        others = std::min(others, bodies.cost[WEFT_SHAPE_LINEAR].cycles / width);
    if (others < turned * leastForTurned)
        return drop(bodies, WEFT_SHAPE_TURNED);
    record.remarks.push_back(formatv(
        "groups with short rows run along columns: {0:F1} cycles, not {1:F1}", turned, others));
    /* Shorter rows than about those of a square as large as a vector have columns. */
    chooseLinear(bodies, record, Log2_32(static_cast<unsigned>(width)));
}

/** Drops the body of fewer lanes if it does not pay in rows that just fill it. */
void chooseNarrow(Bodies &bodies, KernelRecord &record) {
    const double narrow = bodies.cost[WEFT_SHAPE_NARROW].cycles;
    double others = 2 * bodies.cost[WEFT_SHAPE_ROWS].cycles;
    if (bodies.body[WEFT_SHAPE_LINEAR])
        others = std::min(others, bodies.cost[WEFT_SHAPE_LINEAR].cycles);
    if (2 * narrow > others * mostForNarrow)
        return drop(bodies, WEFT_SHAPE_NARROW);
    record.remarks.push_back(formatv("rows of few work-items run {0} at once: {1:F0} cycles, not "
                                     "{2:F0}",
                                     widthOf(*bodies.body[WEFT_SHAPE_NARROW]), narrow, others / 2));
}

/** Drops the single body, or the others, if it does not pay. */
void chooseSingle(Bodies &bodies, KernelRecord &record) {
    const unsigned width = widthOf(*bodies.body[bodies.wideShape()]);
    const double one = bodies.cost[WEFT_SHAPE_SINGLE].cycles;
    const double all = bodies.cost[bodies.wideShape()].cycles;
    if (one * width < all * leastGain) {
        record.remarks.push_back(formatv("but one work-item at a time is estimated to be better: "
                                         "{0:F1} cycles, not {1:F1}",
                                         one, all / width));
        return keepOnly(bodies, WEFT_SHAPE_SINGLE, record);
    }
    if (!keepsSingle(bodies, record))
        return drop(bodies, WEFT_SHAPE_SINGLE);
    record.remarks.push_back(
        formatv("groups of few work-items run one at a time: {0:F0} cycles, not {1:F0}", one, all));
}

/** The program hints at groups of one item, or no item of a kernel with barriers asks which of its
 *  group's it is, so that more of them would do the same. */
bool isMostlyLone(const Bodies &bodies, const KernelRecord &record) {
    const uint64_t *hint = record.info.local_size_hint;
    return hint[0] * hint[1] * hint[2] == 1 || !asksItems(*bodies.body[bodies.wideShape()]);
}

/** Drops the body of groups of one item if another does as well. */
void chooseLone(Bodies &bodies, KernelRecord &record) {
    const double lone = bodies.cost[WEFT_SHAPE_LONE].cycles;
    double others = std::numeric_limits<double>::infinity();
    for (unsigned shape = 0; shape < WEFT_SHAPE_LONE; shape++)
        if (bodies.body[shape])
            others = std::min(others, bodies.cost[shape].cycles +
                                          meetingCycles * bodies.cost[shape].meetings);
    if (others < lone * leastForLone && !isMostlyLone(bodies, record))
        return drop(bodies, WEFT_SHAPE_LONE);
    record.remarks.push_back(
        formatv("groups of one work-item have a body without barriers: {0:F0} cycles, not {1:F0}",
                lone, others));
}

/** All groups are of one size: the body that is best for it. */
void chooseForRequired(Bodies &bodies, KernelRecord &record) {
    unsigned best = WEFT_SHAPE_ROWS;
    double least = 0;
    for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++) {
        const Function *body = bodies.body[shape];
        if (!body)
            continue;
        double cost = bodies.cost[shape].cycles * runsOf(*body, record.info.reqd_local_size);
        /* Lanes that a row fills are preferred to linear ids, if neither is better. */
        const bool isEven = isLinear(*bodies.body[WEFT_SHAPE_ROWS]);
        cost *= shape == WEFT_SHAPE_SINGLE ? leastGain : shape && !isEven ? 1 / mostForNarrow : 1;
        if (shape && cost >= least)
            continue;
        best = shape;
        least = cost;
    }
    if (best)
        record.remarks.push_back(
            formatv("but {0} at once is estimated to be better in groups of the required size",
                    widthOf(*bodies.body[best])));
    keepOnly(bodies, best, record);
}

void choose(Bodies &bodies, KernelRecord &record, const Switches &switches) {
    const bool isForced = switches.narrow || switches.single || switches.turned;
    if (record.info.reqd_local_size[0] && !(record.info.flags & WEFT_KERNEL_SUB_GROUPS) &&
        !isForced)
        return chooseForRequired(bodies, record);
    chooseLinear(bodies, record, 1);
    if (bodies.body[WEFT_SHAPE_TURNED] && !switches.turned)
        chooseTurned(bodies, record);
    if (bodies.body[WEFT_SHAPE_NARROW] && !isForced)
        chooseNarrow(bodies, record);
    if (bodies.body[WEFT_SHAPE_SINGLE] && !isForced)
        chooseSingle(bodies, record);
    if (bodies.body[WEFT_SHAPE_LONE] && !switches.lone)
        chooseLone(bodies, record);
}

/** For a launch to choose by. */
void recordCosts(const Bodies &bodies, KernelRecord &record) {
    for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++)
        if (bodies.body[shape])
            record.info.body[shape].run_cost =
                static_cast<uint32_t>(std::clamp(bodies.cost[shape].cycles, 1.0, 1e9));
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
            bodies.cost[shape] = costOf(*body, context.options.slowGathers, analyses);
            if (switches.remarks)
                record.remarks.push_back(shapeNames[shape] +
                                         describe(bodies.cost[shape], widthOf(*body)));
        }
        choose(bodies, record, switches);
        recordCosts(bodies, record);
    }
    analyses.clear(); /* stages behind this one change what they are about */
    return Error::success();
}

} // namespace weft
