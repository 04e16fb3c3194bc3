// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the processes of one job write for the server, in memory that they share: who they are, how
 * much processor time those that have ended took, and what each is at.
 */
#ifndef WEFT_BOARD_H
#define WEFT_BOARD_H

#include <atomic>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace weft {

/** Made by the server before it forks the job's first process. A process writes only to its own
 *  place; the server reads what may just be written, so it takes nothing for granted. */
class Board {
  public:
    static constexpr unsigned places = 32;

    /** Null: no memory; jobs are built without one. */
    static Board *create();
    /** Takes the memory back from the calling process. Accepts null. */
    static void destroy(Board *board);

    /** The calling process takes a place. Without a free one it is not counted. */
    void enter();
    /** The process `pid`, which took so much processor time, has ended and was waited for. */
    void leave(pid_t pid, uint64_t nanoseconds);
    /** What the calling process is at: cut where it is too long. */
    void note(const std::string &what);

    /** Processor time of all processes of the job so far, nanoseconds. */
    uint64_t spent() const;
    /** What the processes are at, printable, one behind the other. */
    std::string text() const;

  private:
    struct Place {
        std::atomic<pid_t> pid;
        char what[124];
    };
    Place *find(pid_t pid);

    std::atomic<uint64_t> ended;
    Place rows[places];
};

} // namespace weft

#endif
