// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Products of twice the width, for the templates that need one; 64 bits go through halves. */
#define WEFT_WIDE_8   short
#define WEFT_WIDE_16  int
#define WEFT_WIDE_32  long
#define WEFT_UWIDE_8  ushort
#define WEFT_UWIDE_16 uint
#define WEFT_UWIDE_32 ulong
