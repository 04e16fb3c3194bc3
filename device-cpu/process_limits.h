// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * How much of the machine is ours: what the process may use, not what the machine has.
 */
#ifndef WEFT_PROCESS_LIMITS_H
#define WEFT_PROCESS_LIMITS_H

#include <stdint.h>

typedef struct weft_limits {
    uint32_t compute_units; /* min(affinity mask, which a cpuset narrows; cpu quota rounded up) */
    uint64_t memory_bytes;  /* min(RAM, memory limits of the control groups) */
    uint64_t cache_bytes;   /* last-level data cache */
    uint32_t cache_line_bytes;
} weft_limits;

/**
 * Reads affinity, control groups (versions 1 and 2, the process's group and its ancestors) and
 * sizes. Never fails: what cannot be read does not limit; works without /proc and /sys.
 */
void weft_limits_read(weft_limits *limits);

/**
 * Highest clock of the first CPU, from cpufreq, else what /proc/cpuinfo says now; for CPUs whose
 * cpuid does not tell. 0: unknown. Reads files: for queries only.
 */
uint32_t weft_limits_clock_mhz(void);

/** Threads of the whole system that run or wait for a CPU now, the caller among them, from
 *  /proc/loadavg: some microseconds, any thread. UINT32_MAX: unknown. */
uint32_t weft_limits_running_threads(void);

/** weft_limits_read with other roots instead of "/proc" and "/sys/fs/cgroup"; for tests. */
void weft_limits_read_from(weft_limits *limits, const char *proc, const char *cgroup);

#endif
