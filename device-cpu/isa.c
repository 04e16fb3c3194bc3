// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The only file of the device that knows x86. */

#include "isa.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REG_EAX, REG_EBX, REG_ECX, REG_EDX };

/** The leaves that say something of features. A virtual machine traps each cpuid: read them
 *  once. */
enum { LEAF_1, LEAF_7, LEAF_7_1, LEAF_EXTENDED, LEAF_COUNT };

/** Leaves of caches end by themselves; this bounds what a hypervisor makes up. */
enum { MOST_CACHES = 8 };

struct leaves {
    unsigned max, vendor[4];
    unsigned words[LEAF_COUNT][4];
};

/** One feature: LLVM's name, the bit that proves it, the level that contains it (5: an extra). */
struct feature {
    const char *name;
    unsigned char leaf, reg, bit, level;
};

/* The psABI's micro-architecture levels, then extras in alphabetic order. */
static const struct feature features[] = {
    {"cx16", LEAF_1, REG_ECX, 13, 2},
    {"sahf", LEAF_EXTENDED, REG_ECX, 0, 2},
    {"popcnt", LEAF_1, REG_ECX, 23, 2},
    {"sse3", LEAF_1, REG_ECX, 0, 2},
    {"sse4.1", LEAF_1, REG_ECX, 19, 2},
    {"sse4.2", LEAF_1, REG_ECX, 20, 2},
    {"ssse3", LEAF_1, REG_ECX, 9, 2},
    {"avx", LEAF_1, REG_ECX, 28, 3},
    {"avx2", LEAF_7, REG_EBX, 5, 3},
    {"bmi", LEAF_7, REG_EBX, 3, 3},
    {"bmi2", LEAF_7, REG_EBX, 8, 3},
    {"f16c", LEAF_1, REG_ECX, 29, 3},
    {"fma", LEAF_1, REG_ECX, 12, 3},
    {"lzcnt", LEAF_EXTENDED, REG_ECX, 5, 3},
    {"movbe", LEAF_1, REG_ECX, 22, 3},
    {"osxsave", LEAF_1, REG_ECX, 27, 3},
    {"avx512f", LEAF_7, REG_EBX, 16, 4},
    {"avx512bw", LEAF_7, REG_EBX, 30, 4},
    {"avx512cd", LEAF_7, REG_EBX, 28, 4},
    {"avx512dq", LEAF_7, REG_EBX, 17, 4},
    {"avx512vl", LEAF_7, REG_EBX, 31, 4},
    {"avx512bf16", LEAF_7_1, REG_EAX, 5, 5},
    {"avx512bitalg", LEAF_7, REG_ECX, 12, 5},
    {"avx512fp16", LEAF_7, REG_EDX, 23, 5},
    {"avx512ifma", LEAF_7, REG_EBX, 21, 5},
    {"avx512vbmi", LEAF_7, REG_ECX, 1, 5},
    {"avx512vbmi2", LEAF_7, REG_ECX, 6, 5},
    {"avx512vnni", LEAF_7, REG_ECX, 11, 5},
    {"avx512vpopcntdq", LEAF_7, REG_ECX, 14, 5},
    {"gfni", LEAF_7, REG_ECX, 8, 5},
    {"vaes", LEAF_7, REG_ECX, 9, 5},
    {"vpclmulqdq", LEAF_7, REG_ECX, 10, 5},
};

#define FEATURE_COUNT (sizeof(features) / sizeof(features[0]))

static void read_leaf(unsigned leaf, unsigned subleaf, unsigned words[4]) {
    __cpuid_count(leaf, subleaf, words[REG_EAX], words[REG_EBX], words[REG_ECX], words[REG_EDX]);
}

static void read_leaves(struct leaves *leaves) {
    memset(leaves, 0, sizeof(*leaves));
    read_leaf(0, 0, leaves->vendor);
    leaves->max = leaves->vendor[REG_EAX];
    read_leaf(1, 0, leaves->words[LEAF_1]);
    if (leaves->max >= 7) {
        read_leaf(7, 0, leaves->words[LEAF_7]);
        if (leaves->words[LEAF_7][REG_EAX] >= 1)
            read_leaf(7, 1, leaves->words[LEAF_7_1]);
    }
    read_leaf(0x80000001u, 0, leaves->words[LEAF_EXTENDED]); /* every x86-64 CPU has it */
}

/** Register state that the operating system saves: bits of XCR0. */
static uint64_t saved_state(const struct leaves *leaves) {
    uint32_t low, high;

    if (!(leaves->words[LEAF_1][REG_ECX] & (1u << 27)))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool has_feature(const struct leaves *leaves, const struct feature *feature) {
    return leaves->words[feature->leaf][feature->reg] >> feature->bit & 1;
}

/**
 * Every Zen takes a gather or scatter apart, and its lanes one after the other: 0.37 ns a lane on
 * Zen 4, whatever the mask, where a load takes 0.15; Intel's processors take half of that. Below v3
 * there is neither.
 */
static bool gathers_slowly(const weft_isa *isa) {
    return isa->level >= 3 && isa->pci_vendor == 0x1022;
}

static unsigned detect_level(const struct leaves *leaves) {
    uint64_t state = saved_state(leaves);
    unsigned level = 4;

    for (size_t i = 0; i < FEATURE_COUNT; i++)
        if (features[i].level <= level && !has_feature(leaves, &features[i]))
            level = features[i].level - 1u;
    if (level >= 4 && (state & 0xe6) != 0xe6) /* opmask, both halves of zmm, ymm, xmm */
        level = 3;
    if (level >= 3 && (state & 6) != 6)
        level = 2;
    return level;
}

static unsigned parse_level(const char *text) {
    if (!text)
        return 0;
    if (strncmp(text, "x86-64-", 7) == 0)
        text += 7;
    return text[0] == 'v' && text[1] >= '1' && text[1] <= '4' && !text[2] ? (unsigned)text[1] - '0'
                                                                          : 0;
}

static void detect_vendor(weft_isa *isa, const struct leaves *leaves) {
    unsigned words[4];

    memcpy(isa->maker, &leaves->vendor[REG_EBX], 4);
    memcpy(isa->maker + 4, &leaves->vendor[REG_EDX], 4);
    memcpy(isa->maker + 8, &leaves->vendor[REG_ECX], 4);
    if (strcmp(isa->maker, "GenuineIntel") == 0)
        isa->pci_vendor = 0x8086;
    else if (strcmp(isa->maker, "AuthenticAMD") == 0 || strcmp(isa->maker, "HygonGenuine") == 0)
        isa->pci_vendor = 0x1022;
    if (leaves->max >= 0x16) {
        read_leaf(0x16, 0, words);
        isa->clock_mhz = words[REG_EAX] & 0xffff;
    }
}

/** The largest of the caches that one CPU sees. The C library's answer is that of the whole
 * package, twelve times as much on a CPU of twelve dies. */
static void detect_cache(weft_isa *isa, const struct leaves *leaves) {
    bool amd = leaves->words[LEAF_EXTENDED][REG_ECX] >> 22 & 1; /* TOPOEXT */
    unsigned words[4];

    if (!amd && leaves->max < 4)
        return;
    for (unsigned i = 0; i < MOST_CACHES; i++) {
        read_leaf(amd ? 0x8000001du : 4, i, words);
        unsigned kind = words[REG_EAX] & 31; /* 0: no more, 1: data, 2: instructions, 3: both */
        if (!kind)
            return;
        uint64_t ways = (words[REG_EBX] >> 22) + 1, parts = (words[REG_EBX] >> 12 & 1023) + 1;
        uint64_t bytes = ways * parts * ((words[REG_EBX] & 4095) + 1) * (words[REG_ECX] + 1ull);
        if (kind != 2 && bytes > isa->cache_bytes)
            isa->cache_bytes = bytes;
    }
}

/** The brand string, without leading and doubled blanks. */
static void detect_brand(weft_isa *isa) {
    char raw[49] = "";
    size_t used = 0;

    for (unsigned i = 0; i < 3; i++) {
        unsigned words[4];
        read_leaf(0x80000002u + i, 0, words);
        memcpy(raw + 16 * i, &words[REG_EAX], 4);
        memcpy(raw + 16 * i + 4, &words[REG_EBX], 4);
        memcpy(raw + 16 * i + 8, &words[REG_ECX], 4);
        memcpy(raw + 16 * i + 12, &words[REG_EDX], 4);
    }
    for (const char *c = raw; *c; c++)
        if (*c != ' ' || (used && isa->brand[used - 1] != ' '))
            isa->brand[used++] = *c;
    while (used && isa->brand[used - 1] == ' ')
        used--;
    isa->brand[used] = 0;
    if (!used)
        strcpy(isa->brand, "x86-64 CPU");
}

void weft_isa_detect(weft_isa *isa, const char *forced) {
    unsigned pretend = parse_level(forced);
    struct leaves leaves;
    size_t used;

    memset(isa, 0, sizeof(*isa));
    read_leaves(&leaves);
    isa->level = detect_level(&leaves);
    if (pretend && pretend < isa->level)
        isa->level = pretend;
    used = (size_t)snprintf(isa->text, sizeof(isa->text), "x86-64-v%u", isa->level);
    for (size_t i = 0; i < FEATURE_COUNT && isa->level == 4 && !pretend; i++)
        if (features[i].level == 5 && has_feature(&leaves, &features[i]))
            used += (size_t)snprintf(isa->text + used, sizeof(isa->text) - used, "+%s",
                                     features[i].name);
    isa->vector_bytes = isa->level == 4 ? 64 : isa->level == 3 ? 32 : 16;
    isa->fma = isa->f16c = isa->level >= 3;
    isa->is_virtual = leaves.words[LEAF_1][REG_ECX] >> 31;
    detect_vendor(isa, &leaves);
    if (gathers_slowly(isa))
        snprintf(isa->text + used, sizeof(isa->text) - used, "~gather");
    detect_cache(isa, &leaves);
    detect_brand(isa);
}

static bool has_extra(const weft_isa *isa, const char *name, size_t length) {
    for (const char *at = isa->text; (at = strchr(at, '+')) != NULL;) {
        at++;
        if (strncmp(at, name, length) == 0 && strchr("+~", at[length])) /* or its end */
            return true;
    }
    return false;
}

bool weft_isa_runs(const weft_isa *isa, const char *needed) {
    unsigned level;

    if (strncmp(needed, "x86-64-v", 8) != 0 || needed[8] < '1' || needed[8] > '4')
        return false;
    level = (unsigned)needed[8] - '0';
    if (level > isa->level || !strchr("+~", needed[9])) /* or its end */
        return false;
    for (const char *at = needed + 9; *at == '+';) {
        size_t length = strcspn(++at, "+~");
        if (!has_extra(isa, at, length))
            return false;
        at += length;
    }
    return true;
}
