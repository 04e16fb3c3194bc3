// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process_limits.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, TEXT_BYTES = 8192 };

/** Reads a small file into `text` (NUL-terminated). False: not there. */
static bool read_text(const char *path, char *text, size_t bytes) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;

    if (fd < 0)
        return false;
    while (used < bytes - 1) {
        ssize_t got = read(fd, text + used, bytes - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    close(fd);
    text[used] = 0;
    return used > 0;
}

/** Units of an affinity mask; grows the mask until the kernel's fits. */
static uint32_t affinity_units(void) {
    for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
        size_t bytes = CPU_ALLOC_SIZE(cpus);
        cpu_set_t *set = CPU_ALLOC(cpus);
        int count = 0;

        if (!set)
            break;
        CPU_ZERO_S(bytes, set);
        if (sched_getaffinity(0, bytes, set) == 0)
            count = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (count > 0)
            return (uint32_t)count;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

/** What the groups from one directory up to the root allow. */
struct limits {
    uint32_t units;
    uint64_t memory;
};

static void limit_units(struct limits *limits, int64_t quota, int64_t period) {
    if (quota > 0 && period > 0 && quota / period < limits->units)
        limits->units = (uint32_t)(quota / period + (quota % period != 0));
}

static void limit_memory(struct limits *limits, const char *text) {
    char *end;
    unsigned long long bytes = strtoull(text, &end, 10);

    if (end != text && bytes && bytes < limits->memory)
        limits->memory = bytes;
}

static bool read_in(const char *dir, const char *file, char text[TEXT_BYTES]) {
    char path[PATH_BYTES + 64];

    snprintf(path, sizeof(path), "%s/%s", dir, file);
    return read_text(path, text, TEXT_BYTES);
}

/** Version 1 keeps each kind of limit in a tree of its own, version 2 all in one. */
enum { LIMITS_CPU = 1, LIMITS_CPU_V1 = 2, LIMITS_MEMORY = 4, LIMITS_MEMORY_V1 = 8 };

static void read_group(const char *dir, unsigned kinds, struct limits *limits) {
    char text[TEXT_BYTES], period[TEXT_BYTES];
    int64_t quota, interval;

    if (kinds & LIMITS_CPU && read_in(dir, "cpu.max", text) &&
        sscanf(text, "%" SCNd64 " %" SCNd64, &quota, &interval) == 2)
        limit_units(limits, quota, interval);
    if (kinds & LIMITS_CPU_V1 && read_in(dir, "cpu.cfs_quota_us", text) &&
        read_in(dir, "cpu.cfs_period_us", period))
        limit_units(limits, atoll(text), atoll(period));
    if (kinds & LIMITS_MEMORY && read_in(dir, "memory.max", text))
        limit_memory(limits, text);
    if (kinds & LIMITS_MEMORY_V1 && read_in(dir, "memory.limit_in_bytes", text))
        limit_memory(limits, text);
}

/** A limit holds for all groups below it: visits `dir` and its parents down to `root`. */
static void read_groups_upward(char *dir, size_t root_length, unsigned kinds,
                               struct limits *limits) {
    for (;;) {
        read_group(dir, kinds, limits);
        char *slash = strrchr(dir, '/');
        if (!slash || (size_t)(slash - dir) < root_length)
            return;
        *slash = 0;
    }
}

static unsigned kinds_of(const char *controllers) {
    if (!*controllers)
        return LIMITS_CPU | LIMITS_MEMORY;
    if (strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0)
        return LIMITS_CPU_V1;
    return strcmp(controllers, "memory") == 0 ? LIMITS_MEMORY_V1 : 0;
}

/** One line of /proc/self/cgroup: "0::/path" (version 2) or "4:memory:/path" (version 1). */
static void read_group_line(char *line, const char *cgroup, struct limits *limits) {
    char dir[PATH_BYTES];
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    unsigned kinds;
    int root;

    if (!path)
        return;
    *path++ = 0;
    controllers++;
    kinds = kinds_of(controllers);
    if (!kinds)
        return;
    if (strcmp(path, "/") == 0)
        path = "";
    root = snprintf(dir, sizeof(dir), "%s%s%s", cgroup, *controllers ? "/" : "", controllers);
    if (root < 0 || (size_t)root + strlen(path) >= sizeof(dir))
        return;
    strcpy(dir + root, path);
    read_groups_upward(dir, (size_t)root, kinds, limits);
}

static void read_limits(const char *proc, const char *cgroup, struct limits *limits) {
    char text[TEXT_BYTES], path[PATH_BYTES];
    char *rest = text;

    snprintf(path, sizeof(path), "%s/self/cgroup", proc);
    if (!read_text(path, text, sizeof(text)))
        return;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        read_group_line(line, cgroup, limits);
}

static uint64_t physical_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 30;
}

void weft_limits_read_from(weft_limits *result, const char *proc, const char *cgroup) {
    struct limits limits = {affinity_units(), physical_memory()};
    long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);

    read_limits(proc, cgroup, &limits);
    if (cache <= 0)
        cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    result->compute_units = limits.units ? limits.units : 1;
    result->memory_bytes = limits.memory;
    result->cache_bytes = cache > 0 ? (uint64_t)cache : 0;
    result->cache_line_bytes = line > 0 ? (uint32_t)line : 64;
}

void weft_limits_read(weft_limits *result) {
    weft_limits_read_from(result, "/proc", "/sys/fs/cgroup");
}

uint32_t weft_limits_running_threads(void) {
    char text[TEXT_BYTES];
    uint32_t running;

    /* "0.84 2.75 3.60 1/101 4844" */
    if (!read_text("/proc/loadavg", text, sizeof(text)) ||
        sscanf(text, "%*s %*s %*s %" SCNu32, &running) != 1)
        return UINT32_MAX;
    return running;
}

uint32_t weft_limits_clock_mhz(void) {
    char text[TEXT_BYTES];
    const char *line;

    if (read_text("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text, sizeof(text)))
        return (uint32_t)(strtoul(text, NULL, 10) / 1000);
    if (!read_text("/proc/cpuinfo", text, sizeof(text)))
        return 0;
    line = strstr(text, "cpu MHz");
    line = line ? strchr(line, ':') : NULL;
    return line ? (uint32_t)strtoul(line + 1, NULL, 10) : 0;
}
