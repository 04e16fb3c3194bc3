// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What every template of the kernel library sees before the macros of its instantiation:
 *
 *   gentype, sgentype   the type and its element type, as in the specification
 *   ugentype, igentype  unsigned and signed integers of the same size and width
 *   usgentype, isgentype their elements
 *   intn                int of the same width
 *   relational          what comparisons return: int for scalars, else igentype
 *   WEFT_N              width: 1, 2, 3, 4, 8, 16
 *   WEFT_BITS           bits of an element
 *   WEFT_FLOAT, WEFT_SIGNED  1 or 0
 *   WEFT_IS_<type>      1 for the element type, e.g. WEFT_IS_float
 *
 * Templates are written on whole vectors and without branches, so that one definition serves
 * scalars, the user's vectors and the vectors that the compiler makes of work-items.
 */
#ifndef WEFT_KERNEL_LIBRARY_H
#define WEFT_KERNEL_LIBRARY_H

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/** Defines one overload; the name is mangled as Clang mangles its own declaration. */
#define WEFT_FN __attribute__((overloadable))
/** A helper of one template: inlined, not part of the library. */
#define WEFT_HELPER static inline __attribute__((overloadable, always_inline))

#define WEFT_PASTE2(a, b) a##b
#define WEFT_PASTE(a, b)  WEFT_PASTE2(a, b)

#define WEFT_VECTOR_1(type)  type
#define WEFT_VECTOR_2(type)  WEFT_PASTE(type, 2)
#define WEFT_VECTOR_3(type)  WEFT_PASTE(type, 3)
#define WEFT_VECTOR_4(type)  WEFT_PASTE(type, 4)
#define WEFT_VECTOR_8(type)  WEFT_PASTE(type, 8)
#define WEFT_VECTOR_16(type) WEFT_PASTE(type, 16)
/** The element type `type` at the width of the instantiation. */
#define WEFT_VECTOR(type) WEFT_PASTE(WEFT_VECTOR_, WEFT_N)(type)

/** Bits of `value` as `type`; type may be a macro. */
#define WEFT_AS(type, value) __builtin_astype((value), type)

/**
 * Per lane `condition ? yes : no`, for a comparison's result as OpenCL C gives it (int for scalars,
 * all bits of the lane for vectors).
 */
#define WEFT_SELECT(condition, yes, no) ((condition) ? (yes) : (no))

/** What WEFT_CONVERT(type, value) of an instantiation is: lanes converted by C's rules. */
#define WEFT_CONVERT_1(type, value) ((type)(value))
#define WEFT_CONVERT_N(type, value) __builtin_convertvector((value), type)

#endif
