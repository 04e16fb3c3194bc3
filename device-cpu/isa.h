// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The machine's feature set: what code may use. Sets, never CPU names: an unknown CPU is the level
 * that its cpuid bits prove, and nothing more.
 */
#ifndef WEFT_ISA_H
#define WEFT_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Longest canonical string, NUL included. */
#define WEFT_ISA_BYTES 256

typedef struct weft_isa {
    /**
     * Canonical form: "x86-64-v1" .. "x86-64-v4", then "+name" for each extra of the level or above
     * in alphabetic order, in LLVM's spelling: "x86-64-v4+avx512bf16+avx512vbmi+gfni". Extras
     * belong to v4 only, so that a lower level has the same features on every machine. Last comes
     * "~name" for what the level has and the machine is slow at ("~gather"): it changes what pays,
     * not what runs, nor what is computed.
     */
    char text[WEFT_ISA_BYTES];
    unsigned level;        /* 1 .. 4 */
    unsigned vector_bytes; /* 16, 32 or 64 */
    bool fma, f16c;
    bool is_virtual; /* a hypervisor says that it is there */
    uint32_t pci_vendor;
    uint32_t clock_mhz;   /* 0: cpuid does not say */
    uint64_t cache_bytes; /* of one last-level data cache; 0: cpuid does not say */
    char brand[49];
    char maker[13]; /* as cpuid has it: "GenuineIntel", "AuthenticAMD" */
} weft_isa;

/**
 * Reads cpuid and xgetbv; takes microseconds, no system call. `forced` is "v1" .. "v4" (or the
 * whole level name) to pretend a lower level, NULL for what is there; a higher or unknown one is
 * ignored.
 */
void weft_isa_detect(weft_isa *isa, const char *forced);

/** True if code for the feature set `needed` runs on `isa`. Tolerates any text. */
bool weft_isa_runs(const weft_isa *isa, const char *needed);

#endif
