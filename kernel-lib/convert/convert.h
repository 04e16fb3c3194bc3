// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_BITS_char     8
#define WEFT_BITS_uchar    8
#define WEFT_BITS_short    16
#define WEFT_BITS_ushort   16
#define WEFT_BITS_int      32
#define WEFT_BITS_uint     32
#define WEFT_BITS_long     64
#define WEFT_BITS_ulong    64
#define WEFT_BITS_half     16
#define WEFT_BITS_float    32
#define WEFT_BITS_double   64
#define WEFT_SIGNED_char   1
#define WEFT_SIGNED_uchar  0
#define WEFT_SIGNED_short  1
#define WEFT_SIGNED_ushort 0
#define WEFT_SIGNED_int    1
#define WEFT_SIGNED_uint   0
#define WEFT_SIGNED_long   1
#define WEFT_SIGNED_ulong  0
#define WEFT_SIGNED_half   1
#define WEFT_SIGNED_float  1
#define WEFT_SIGNED_double 1
#define WEFT_FLOAT_char    0
#define WEFT_FLOAT_uchar   0
#define WEFT_FLOAT_short   0
#define WEFT_FLOAT_ushort  0
#define WEFT_FLOAT_int     0
#define WEFT_FLOAT_uint    0
#define WEFT_FLOAT_long    0
#define WEFT_FLOAT_ulong   0
#define WEFT_FLOAT_half    1
#define WEFT_FLOAT_float   1
#define WEFT_FLOAT_double  1

/** Integers whose every value a type with this many mantissa bits holds need no rounding. */
#define WEFT_PRECISION_32 24
#define WEFT_PRECISION_64 53

/** What is between half and other types is a float on the way. */
#define WEFT_F WEFT_VECTOR(float)
