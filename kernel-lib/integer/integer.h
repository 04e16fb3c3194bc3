// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Products of twice the width, for the templates that need one; 64 bits go through halves. */
#define WEFT_WIDE_8   short
#define WEFT_WIDE_16  int
#define WEFT_WIDE_32  long
#define WEFT_UWIDE_8  ushort
#define WEFT_UWIDE_16 uint
#define WEFT_UWIDE_32 ulong

/** The `count` lowest bits of an element, count 0 to WEFT_BITS: no shift by the whole width, which
 * OpenCL C takes modulo it. */
#define WEFT_LOW_BITS(count)                                                                       \
    ((usgentype) ~((count) < WEFT_BITS ? (usgentype)(~(usgentype)0 << (count)) : (usgentype)0))
