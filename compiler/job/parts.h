// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Kernels of one program in several processes: from some stage on each kernel goes its own way to
 * machine code, and that way is most of a build's time. Where there is one kernel, its bodies for
 * different groups part later.
 */
#ifndef WEFT_PARTS_H
#define WEFT_PARTS_H

#include "job/board.h"
#include "job/message.h"
#include "stages/pipeline.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace weft {

/** What a process was to do at, and for how long: the ladder that a heavy kernel goes down. */
struct Task {
    std::vector<std::string> kernels; /* or bodies of kernels, behind stage estimate */
    Effort effort = Effort::All;
    uint64_t seconds = 0; /* of processor time; 0: what is left of the job's */
    std::string remark;   /* why the effort is less than all; "": it is not */
};

/**
 * Forks copies of this process in the middle of the pipeline. Every process keeps the bodies of its
 * own share of the kernels, goes through the remaining stages and generates an object; the copies
 * send theirs to the first process and end. The process must be single-threaded. Where processes
 * cannot be started, the first one does all. The process's memory limit (RLIMIT_DATA) is divided
 * among them, so that together they keep it.
 *
 * A heavy kernel gets a copy of its own (those that keep the same functions one together), and the
 * first process only watches. The copy may use a
 * part of the job's processor time; where it needs more, or more memory than there is, it ends, and
 * another one builds the kernel with less effort, step by step.
 */
class Parts {
  public:
    /** At most `most` processes; 0: as many as this process may use processors. */
    explicit Parts(unsigned most, Board *board = nullptr) : most(most), board(board) {}
    /** Copies that still run end with this process, and it is about to: something has failed. */
    ~Parts();
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;

    /** Divides the kernels that `module` and `record` hold. Returns in every process, with what is
     *  not this process's share removed from both. */
    void split(llvm::Module &module, ModuleRecord &record);

    /** The same for the bodies of kernels (vector/bodies.h), where kernels were too few. */
    void splitBodies(llvm::Module &module, const ModuleRecord &record);

    /** True in the first process where copies have built all kernels: there is no share left. */
    bool isDone() const { return !messages.empty() || failed; }
    /** Of this process's share; copies have the one that they were started with. */
    const Effort &effort() const { return task.effort; }

    /** True in a copy: it must end with finishCopy. */
    bool isCopy() const { return pipeToFirst >= 0; }

    /** In a copy: sends the outcome and ends the process. */
    [[noreturn]] void finishCopy(llvm::Error error, const ModuleRecord &record,
                                 const ObjectBytes &object, const Nanoseconds &nanoseconds);

    /** In the first process, after its own share: waits for the copies, adds their objects and puts
     *  the records of all kernels back in order. The first error of a copy is the result.
     *  `nanoseconds`: of the parts, as the clock has it, where copies have built everything. */
    llvm::Error collect(ModuleRecord &record, std::vector<ObjectBytes> &objects,
                        Nanoseconds &nanoseconds);

  private:
    struct Copy {
        pid_t pid;
        int pipe;
        Task task;
        std::string bytes; /* of its message, so far */
    };

    bool startCopy(Task what);
    llvm::StringSet<> share(const std::vector<std::vector<std::string>> &shares,
                            llvm::Module &module, const ModuleRecord &record);
    std::vector<Task> tasksOf(llvm::ArrayRef<llvm::Function *> kernels) const;
    void runTasks(std::vector<Task> tasks, llvm::Module &module, ModuleRecord &record);
    void readSome();
    bool add(Message &message, ModuleRecord &record);
    void finish(Copy copy, std::vector<Task> &tasks);
    int waitFor(const Copy &copy);
    unsigned mostProcesses() const;
    void divideMemory(size_t processes);

    unsigned most;
    Board *board;
    Task task;
    bool failed = false;               /* a copy that may not have another try has failed */
    std::vector<std::string> messages; /* of copies that have ended, where these build all */
    std::string failure;
    uint64_t memory = 0; /* the first process's limit, to be restored; 0: unchanged */
    int pipeToFirst = -1;
    std::vector<Copy> copies;
    std::vector<KernelRecord> whole; /* the records before the split, in order */
    bool hasBodies = false;          /* it is bodies that were split */
};

} // namespace weft

#endif
