// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu/{isa,process_limits}.c: what the machine is, what of it is ours. */

#include "device-cpu/isa.h"
#include "device-cpu/process_limits.h"
#include "harness.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

/** A made-up /proc and /sys/fs/cgroup below a fresh folder. */
struct tree {
    char root[64], proc[128], cgroup[128];
};

static void write_file(const struct tree *tree, const char *path, const char *text) {
    char full[512], command[600];
    FILE *file;

    snprintf(full, sizeof(full), "%s/%s", tree->root, path);
    snprintf(command, sizeof(command), "mkdir -p \"$(dirname %s)\"", full);
    CHECK_EQ(system(command), 0);
    file = fopen(full, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void make_tree(struct tree *tree) {
    strcpy(tree->root, "/tmp/weft-limits-XXXXXX");
    CHECK(mkdtemp(tree->root) != NULL);
    snprintf(tree->proc, sizeof(tree->proc), "%s/proc", tree->root);
    snprintf(tree->cgroup, sizeof(tree->cgroup), "%s/cgroup", tree->root);
}

static weft_limits read_tree(const struct tree *tree) {
    weft_limits limits;
    char command[128];

    weft_limits_read_from(&limits, tree->proc, tree->cgroup);
    snprintf(command, sizeof(command), "rm -rf %s", tree->root);
    CHECK_EQ(system(command), 0);
    return limits;
}

static unsigned own_cpus(void) {
    cpu_set_t set;

    CHECK_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    return (unsigned)CPU_COUNT(&set);
}

TEST(without_files_affinity_decides) {
    weft_limits limits;

    weft_limits_read_from(&limits, "/nonexistent", "/nonexistent");
    CHECK_EQ(limits.compute_units, own_cpus());
    CHECK(limits.memory_bytes >= 1u << 28);
    CHECK(limits.cache_line_bytes >= 16);
}

TEST(a_quota_of_half_a_core_is_one_unit) {
    struct tree tree;

    make_tree(&tree);
    write_file(&tree, "proc/self/cgroup", "0::/box/inner\n");
    write_file(&tree, "cgroup/box/cpu.max", "50000 100000\n");
    write_file(&tree, "cgroup/box/inner/cpu.max", "max 100000\n");
    write_file(&tree, "cgroup/box/inner/memory.max", "268435456\n");
    weft_limits limits = read_tree(&tree);
    CHECK_EQ(limits.compute_units, 1);
    CHECK_EQ(limits.memory_bytes, 268435456);
}

TEST(version_1_groups_limit_too) {
    struct tree tree;

    make_tree(&tree);
    write_file(&tree, "proc/self/cgroup", "5:memory:/a/b\n3:cpuset:/\n1:cpu,cpuacct:/a\n0::/\n");
    write_file(&tree, "cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "90000\n");
    write_file(&tree, "cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    write_file(&tree, "cgroup/memory/a/memory.limit_in_bytes", "1073741824\n");
    weft_limits limits = read_tree(&tree);
    CHECK_EQ(limits.compute_units, 1);
    CHECK_EQ(limits.memory_bytes, 1073741824);
}

TEST(no_limit_and_nonsense_do_not_limit) {
    struct tree tree;

    make_tree(&tree);
    write_file(&tree, "proc/self/cgroup", "garbage\n::\n0::/../../x\n1:cpu:/\n");
    write_file(&tree, "cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file(&tree, "cgroup/cpu/cpu.cfs_period_us", "100000\n");
    write_file(&tree, "cgroup/memory.max", "max\n");
    weft_limits limits = read_tree(&tree);
    CHECK_EQ(limits.compute_units, own_cpus());
}

TEST(affinity_narrows) {
    cpu_set_t before, one;
    weft_limits limits;
    int cpu = 0;

    CHECK_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    weft_limits_read(&limits);
    CHECK_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
    CHECK_EQ(limits.compute_units, 1);
}

/* Of what the kernel says of CPU 0's caches; 0: it says nothing. */
static uint64_t largest_cache(void) {
    uint64_t largest = 0;

    for (int i = 0; i < 8; i++) {
        char path[96], size[32] = "", type[32] = "";
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        FILE *file = fopen(path, "r");
        if (!file)
            break;
        CHECK(fgets(size, sizeof(size), file) != NULL);
        fclose(file);
        strcpy(strrchr(path, '/') + 1, "type");
        CHECK((file = fopen(path, "r")) != NULL && fgets(type, sizeof(type), file) != NULL);
        fclose(file);
        uint64_t bytes = strtoull(size, NULL, 10) << 10; /* always in K */
        if (strncmp(type, "Instruction", 11) != 0 && bytes > largest)
            largest = bytes;
    }
    return largest;
}

/* sysconf says 384 MiB on a CPU whose dies have 32 MiB each: copies of 64 MiB went through a cache
 * that did not hold them. */
TEST(the_last_cache_is_one_not_all_of_the_package) {
    weft_isa isa;
    uint64_t known = largest_cache();

    weft_isa_detect(&isa, NULL);
    if (known && isa.cache_bytes)
        CHECK_EQ(isa.cache_bytes, known);
    CHECK(!isa.cache_bytes || isa.cache_bytes >= 16 << 10);
}

TEST(feature_sets_are_canonical) {
    weft_isa isa, lower;

    weft_isa_detect(&isa, NULL);
    CHECK(strncmp(isa.text, "x86-64-v", 8) == 0);
    CHECK(isa.level >= 1 && isa.level <= 4);
    CHECK(isa.brand[0] != 0);
    CHECK(weft_isa_runs(&isa, isa.text));
    weft_isa_detect(&lower, "v1");
    CHECK_STR(lower.text, "x86-64-v1");
    CHECK_EQ(lower.vector_bytes, 16);
    CHECK(weft_isa_runs(&isa, lower.text));
    CHECK(isa.level == 1 || !weft_isa_runs(&lower, isa.text));
}

TEST(unknown_feature_sets_do_not_run) {
    static const char *const texts[] = {"",           "x86-64-v", "x86-64-v5",         "x86-64-v1+",
                                        "x86-64-v1x", "armv8",    "x86-64-v1+nonesuch"};
    weft_isa isa;

    weft_isa_detect(&isa, NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        CHECK(!weft_isa_runs(&isa, texts[i]));
}

TEST(what_is_slow_runs_all_the_same) {
    weft_isa isa;

    weft_isa_detect(&isa, NULL);
    strcpy(isa.text, "x86-64-v3+gfni~gather");
    isa.level = 3;
    CHECK(weft_isa_runs(&isa, "x86-64-v3"));
    CHECK(weft_isa_runs(&isa, "x86-64-v3+gfni"));
    CHECK(weft_isa_runs(&isa, "x86-64-v2~gather"));
    CHECK(!weft_isa_runs(&isa, "x86-64-v3+gather"));
    CHECK(!weft_isa_runs(&isa, "x86-64-v4~gather"));
    strcpy(isa.text, "x86-64-v3+gfni");
    CHECK(weft_isa_runs(&isa, "x86-64-v3+gfni~gather"));
}

TEST(an_unknown_forced_level_is_ignored) {
    weft_isa isa, forced;

    weft_isa_detect(&isa, NULL);
    weft_isa_detect(&forced, "v9");
    CHECK_STR(forced.text, isa.text);
}

TEST_MAIN()
