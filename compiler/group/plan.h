// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * How a kernel is cut at its barriers, and where everything that outlives a barrier is kept.
 *
 * Region 0 begins at the kernel's entry, region k > 0 behind barrier k. A region is all code that
 * its first block reaches without passing a barrier; blocks may belong to several regions. Each
 * work-item runs a region to the next barrier, whose number is the region's result, or to its end
 * (endOfItem).
 */
#ifndef WEFT_GROUP_PLAN_H
#define WEFT_GROUP_PLAN_H

#include "stages/switches.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <vector>

namespace weft {

class Uniformity;

/** With checks on, what Plan::seenMember is for an item that has ended; 0: no item has run. */
constexpr unsigned seenEnd = ~0u;

/** What a region returns for an item that has returned or faulted. Nothing returns to region 0. */
constexpr unsigned endOfItem = 0;

struct Region {
    unsigned id = 0;
    llvm::BasicBlock *entry = nullptr;
    llvm::SetVector<llvm::BasicBlock *> blocks;
    llvm::SmallSetVector<unsigned, 4> exits; /* barriers reached; endOfItem if an item may end */
    llvm::SetVector<llvm::Instruction *> liveIn;
    bool uniformExit = true; /* all items that run it return the same */
    bool checks = false;     /* some items may be elsewhere: run those only that are here */
    bool keepsState = false; /* each item's result is kept in its state slot */
};

/** Where a private variable lives. */
struct Variable {
    enum Place {
        Frame, /* in the region's own frame: it does not outlive a barrier */
        Fixed, /* one copy in the worker's arena: too large for the frame, else the same */
        Item   /* one copy per item in the arena: outlives a barrier */
    };
    Place place = Frame;
    uint64_t offset = 0; /* Fixed: from the arena's start; Item: in bytes per item */
};

/** Where a value that outlives a barrier is kept. */
struct Slot {
    enum Place {
        Rematerialised, /* computed again */
        Group,          /* uniform: a member of the group's structure */
        Item            /* one per item, an array of all items per slot */
    };
    Place place = Item;
    uint64_t offset = 0; /* Group: member index; Item: in bytes per item */
};

struct Plan {
    Plan(llvm::Function &kernel, const Switches &switches);
    ~Plan();

    llvm::Function &kernel;
    const Switches &switches;
    std::unique_ptr<Uniformity> uniformity; /* of the kernel split at its barriers; null: none */
    std::vector<Region> regions;
    llvm::DenseMap<llvm::BasicBlock *, unsigned> barrierAt; /* block that ends in it -> number */
    llvm::MapVector<llvm::AllocaInst *, Variable> variables;
    llvm::MapVector<llvm::Instruction *, Slot> slots;
    llvm::StructType *groupType = nullptr; /* the Group slots */
    unsigned seenMember = 0;  /* with checks: one more, the way that items before this one took */
    bool keepsPlaces = false; /* addresses of Item variables are kept in memory */
    bool hasState = false;
    uint64_t stateOffset = 0;
    uint64_t itemBytes = 0, fixedBytes = 0; /* per run (RegionParameter Unit), per group */
    uint64_t privateBytes = 0; /* all private variables of one item, wherever they are */

    const Slot *slotOf(const llvm::Instruction *value) const {
        auto found = slots.find(const_cast<llvm::Instruction *>(value));
        return found == slots.end() ? nullptr : &found->second;
    }
};

/** Splits blocks behind barriers and fills regions and barrierAt. Changes the kernel's blocks. */
void findRegions(Plan &plan);

/** Fills liveIn of all regions. */
void findLiveValues(Plan &plan);

/** Fills variables, slots and sizes. Needs the two above. */
void placeContext(Plan &plan);

/** `i32 name(kernel's parameters..., RegionParameters)`: one item's way through one region. */
llvm::Function *buildRegion(const Plan &plan, const Region &region);

/** For a kernel without barriers: the same for region 0, the kernel's own blocks moved into it. */
llvm::Function *moveIntoRegion(const Plan &plan);

/** Marks of a variable's life are for frame variables only. */
void eraseLifetimes(llvm::AllocaInst &variable);

/**
 * What a region function takes behind the kernel's parameters. Each call is for one item, or for up
 * to as many neighbours along x as the kernel is wide: ids are those of the first.
 */
enum RegionParameter : unsigned {
    LocalIdX,
    LocalIdY,
    LocalIdZ,
    LocalLinear,  /* i64: the item's place in the group */
    GroupCount,   /* i64: items of the group */
    Lanes,        /* i64: items that this run is for, 1 .. the kernel's width */
    Unit,         /* i64: number of this run in the group: where its slots are */
    UnitCount,    /* i64: runs of the group; scales slot offsets */
    ItemContext,  /* ptr: the per-item part of the arena */
    GroupValues,  /* ptr: Group slots, values before the region */
    GroupResults, /* ptr: Group slots, values behind it */
    RegionParameterCount
};

/** What `i32 <kernel>.items.<k>` takes behind the kernel's parameters: runs region k for all. */
enum ItemsParameter : unsigned { ItemsContext, ItemsValues, ItemsResults, ItemsParameterCount };

} // namespace weft

#endif
