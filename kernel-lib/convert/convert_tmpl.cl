// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The destination is gentype; one inclusion of pair.h for each source. Those from or to half are in
 * units of their own. */
#ifdef WEFT_HALF_UNIT
#define WEFT_SOURCE half
#include "convert/pair.h"
#endif
#if !defined WEFT_HALF_UNIT || WEFT_IS_half
#if WEFT_IS_half
#define WEFT_WIDE WEFT_VECTOR(float)
#include "vector/half_rounding.h"
#define WEFT_WIDE WEFT_VECTOR(double)
#include "vector/half_rounding.h"
#elif WEFT_FLOAT
/* The neighbour of r towards negative infinity where `greater`, for a nonzero r or r = -0. */
WEFT_HELPER gentype weft_round_down(gentype r, relational greater) {
    igentype bits = WEFT_AS(igentype, r);
    igentype step = WEFT_SELECT(bits < (igentype)0, (igentype)1, (igentype)-1);
    return WEFT_AS(gentype, WEFT_SELECT(greater, bits + step, bits));
}
WEFT_HELPER gentype weft_round_up(gentype r, relational less) {
    igentype bits = WEFT_AS(igentype, r);
    igentype step = WEFT_SELECT(bits < (igentype)0, (igentype)-1, (igentype)1);
    return WEFT_AS(gentype, WEFT_SELECT(less, bits + step, bits));
}
#endif
#define WEFT_SOURCE char
#include "convert/pair.h"
#define WEFT_SOURCE uchar
#include "convert/pair.h"
#define WEFT_SOURCE short
#include "convert/pair.h"
#define WEFT_SOURCE ushort
#include "convert/pair.h"
#define WEFT_SOURCE int
#include "convert/pair.h"
#define WEFT_SOURCE uint
#include "convert/pair.h"
#define WEFT_SOURCE long
#include "convert/pair.h"
#define WEFT_SOURCE ulong
#include "convert/pair.h"
#define WEFT_SOURCE float
#include "convert/pair.h"
#define WEFT_SOURCE double
#include "convert/pair.h"
#endif
