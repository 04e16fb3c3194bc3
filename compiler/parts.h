// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Kernels of one program in several processes: from some stage on each kernel goes its own way to
 * machine code, and that way is most of a build's time.
 */
#ifndef WEFT_PARTS_H
#define WEFT_PARTS_H

#include "pipeline.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace weft {

using ObjectBytes = llvm::SmallVector<char, 0>;

/**
 * Forks copies of this process in the middle of the pipeline. Every process keeps the bodies of its
 * own share of the kernels, goes through the remaining stages and generates an object; the copies
 * send theirs to the first process and end. The process must be single-threaded. Where processes
 * cannot be started, the first one does all. The process's memory limit (RLIMIT_DATA) is divided
 * among them, so that together they keep it.
 */
class Parts {
  public:
    /** At most `most` processes; 0: as many as this process may use processors. */
    explicit Parts(unsigned most) : most(most) {}
    ~Parts();
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;

    /** Divides the kernels that `module` and `record` hold. Returns in every process, with what is
     *  not this process's share removed from both. */
    void split(llvm::Module &module, ModuleRecord &record);

    /** True in a copy: it must end with finishCopy. */
    bool isCopy() const { return pipeToFirst >= 0; }

    /** In a copy: sends the outcome and ends the process. */
    [[noreturn]] void finishCopy(llvm::Error error, const ModuleRecord &record,
                                 const ObjectBytes &object);

    /** In the first process, after its own share: waits for the copies, adds their objects and puts
     *  the records of all kernels back in order. The first error of a copy is the result. */
    llvm::Error collect(ModuleRecord &record, std::vector<ObjectBytes> &objects);

  private:
    struct Copy {
        pid_t pid;
        int pipe;
        std::vector<std::string> kernels;
    };

    bool startCopy(std::vector<std::string> kernels);
    unsigned mostProcesses() const;
    void divideMemory(size_t processes);

    unsigned most;
    uint64_t memory = 0; /* the first process's limit, to be restored; 0: unchanged */
    int pipeToFirst = -1;
    std::vector<Copy> copies;
    std::vector<KernelRecord> whole; /* the records before the split, in order */
};

} // namespace weft

#endif
