// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/job/board.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace weft {

Board *Board::create() {
    void *memory =
        mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : new (memory) Board();
}

void Board::destroy(Board *board) {
    if (board)
        munmap(board, sizeof *board);
}

Board::Place *Board::find(pid_t pid) {
    for (Place &row : rows)
        if (row.pid == pid)
            return &row;
    return nullptr;
}

void Board::enter() {
    for (Place &row : rows) {
        pid_t nobody = 0;
        if (row.pid.compare_exchange_strong(nobody, getpid())) {
            memset(row.what, 0, sizeof row.what);
            return;
        }
    }
}

void Board::leave(pid_t pid, uint64_t nanoseconds) {
    ended += nanoseconds;
    if (Place *row = find(pid))
        row->pid = 0;
}

void Board::note(const std::string &what) {
    Place *row = find(getpid());
    if (!row)
        return;
    size_t bytes = std::min(what.size(), sizeof row->what - 1);
    memcpy(row->what, what.data(), bytes);
    memset(row->what + bytes, 0, sizeof row->what - bytes);
}

/** 0 for a process that has ended: its parent counts it then. */
static uint64_t processorTime(pid_t pid) {
    clockid_t clock;
    timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t Board::spent() const {
    uint64_t sum = ended;
    for (const Place &row : rows)
        if (pid_t pid = row.pid)
            sum += processorTime(pid);
    return sum;
}

std::string Board::text() const {
    std::string all;
    for (const Place &row : rows) {
        if (!row.pid || !row.what[0])
            continue;
        all += all.empty() ? "" : "; ";
        for (size_t i = 0; i < sizeof row.what - 1 && row.what[i]; i++)
            all += row.what[i] >= 32 && row.what[i] < 127 ? row.what[i] : '?';
    }
    return all;
}

} // namespace weft
