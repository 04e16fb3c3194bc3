// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The embedded kernel library: written by build/pack.cc, read by compiler/backend/library.cc.
 *
 * One block: weft_library_header, weft_library_module[module_count], weft_library_symbol
 * [symbol_count] sorted by name (bytewise), NUL-terminated names, bitcode modules aligned to 16.
 * All offsets count from the block's start. Little endian, as is everything that runs this
 * compiler.
 *
 * A module holds all overloads of one function (for conversions: to one type) but those with half,
 * which have a module of their own, and the helpers they need, already in the form of stage
 * retarget: x86-64's triple and data layout, the C calling convention, address spaces as in spir64,
 * event_t a plain pointer. What it declares but does not define is another module's symbol or one
 * of compiler/norm/internals.def.
 */
#ifndef WEFT_KERNEL_LIBRARY_BLOB_H
#define WEFT_KERNEL_LIBRARY_BLOB_H

#include <stdint.h>

#define WEFT_LIBRARY_MAGIC 0x3142494cu /* "LIB1" */

typedef struct weft_library_header {
    uint32_t magic;
    uint32_t bytes;
    uint32_t module_count, modules;
    uint32_t symbol_count, symbols;
} weft_library_header;

/** Linked before work-groups are formed (LibraryStage::Group): asynchronous copies, and images,
 * whose functions are inlined before anything is vectorised. */
#define WEFT_LIBRARY_GROUP 1u

typedef struct weft_library_module {
    uint32_t name; /* the function's name without what its overloads add; with ".half" */
    uint32_t offset, bytes;
    uint32_t flags; /* WEFT_LIBRARY_* */
} weft_library_module;

typedef struct weft_library_symbol {
    uint32_t name; /* mangled */
    uint32_t module;
} weft_library_symbol;

#ifdef __cplusplus
extern "C" {
#endif
/** The block and its end, embedded in weft-compiler. */
extern const unsigned char weft_library_begin[], weft_library_end[];
#ifdef __cplusplus
}
#endif

#endif
