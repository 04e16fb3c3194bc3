// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What code is generated for: a set of features (architecture decision 8), never a CPU's name.
 */
#ifndef WEFT_TARGET_H
#define WEFT_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace weft {

/**
 * A target, parsed from its canonical name: a level, "x86-64-v1" to "x86-64-v4", LLVM's names of
 * the features beyond it, sorted, each after a '+', and "~gather" where the machine is slow at
 * gathers and scatters: "x86-64-v3+avxvnni+gfni~gather". Immutable.
 */
class Target {
  public:
    /** An unknown level or feature, or a name not in canonical form, is an error. */
    static llvm::Expected<Target> parse(llvm::StringRef isa);

    const std::string &isa() const { return name; }
    /** 1 to 4. */
    unsigned level() const { return levelNumber; }
    /** "x86-64", "x86-64-v2", ...: the attribute "target-cpu". */
    const std::string &cpu() const { return cpuName; }
    /** The attribute "target-features": what is on beyond the level. */
    const std::string &features() const { return featureList; }
    /** Bits of the widest vector register that code uses: 128, 256, 512. */
    unsigned vectorBits() const { return levelNumber >= 4 ? 512 : levelNumber >= 3 ? 256 : 128; }
    /** Gathers and scatters are no quicker than what their lanes would take one by one. */
    bool hasSlowGathers() const { return slowGathers; }
    bool hasFma() const { return levelNumber >= 3; }

    /** A machine for this target: PIC, small code model, stack sizes recorded. Level 0 to 2 as
     *  LLVM's CodeGenOptLevel. Needs initialiseTargets(). */
    std::unique_ptr<llvm::TargetMachine> createMachine(bool optimise) const;

    /**
     * Gives every function of the module the same target attributes (before any linking or
     * inlining: functions that differ are not inlined and pass vectors differently), and sets
     * triple and data layout where they are not the target's already.
     */
    void apply(llvm::Module &module, const llvm::TargetMachine &machine) const;

    /** Gives one function these attributes; part of apply(). */
    void mark(llvm::Function &function) const;

  private:
    std::string name, cpuName, featureList;
    unsigned levelNumber = 1;
    bool slowGathers = false;
};

/** Registers the X86 back end. Once per process, before any other use. */
void initialiseTargets();

} // namespace weft

#endif
