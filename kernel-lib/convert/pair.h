// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* All conversions from WEFT_SOURCE to gentype. No include guard: included once per pair. */
#define WEFT_FROM         WEFT_VECTOR(WEFT_SOURCE)
#define WEFT_FROM_BITS    WEFT_PASTE(WEFT_BITS_, WEFT_SOURCE)
#define WEFT_FROM_SIGNED  WEFT_PASTE(WEFT_SIGNED_, WEFT_SOURCE)
#define WEFT_FROM_FLOAT   WEFT_PASTE(WEFT_FLOAT_, WEFT_SOURCE)
#define WEFT_NAME(suffix) WEFT_PASTE(convert_, WEFT_PASTE(gentype, suffix))
#define WEFT_DEFINE(suffix, value)                                                                 \
    WEFT_FN gentype WEFT_NAME(suffix)(WEFT_FROM x) {                                               \
        return value;                                                                              \
    }
#define WEFT_SAME_FOR_ALL_ROUNDINGS(sat, value)                                                    \
    WEFT_DEFINE(sat, value)                                                                        \
    WEFT_DEFINE(WEFT_PASTE(sat, _rte), value)                                                      \
    WEFT_DEFINE(WEFT_PASTE(sat, _rtz), value)                                                      \
    WEFT_DEFINE(WEFT_PASTE(sat, _rtp), value)                                                      \
    WEFT_DEFINE(WEFT_PASTE(sat, _rtn), value)

#if WEFT_BITS == 16 && WEFT_FLOAT
#include "convert/to_half.h"
#elif WEFT_FROM_BITS == 16 && WEFT_FROM_FLOAT
#include "convert/from_half.h"
#elif !WEFT_FROM_FLOAT && !WEFT_FLOAT
#include "convert/integer_to_integer.h"
#elif WEFT_FROM_FLOAT && !WEFT_FLOAT
#include "convert/float_to_integer.h"
#else
#include "convert/to_float.h"
#endif

#undef WEFT_SAME_FOR_ALL_ROUNDINGS
#undef WEFT_DEFINE
#undef WEFT_NAME
#undef WEFT_FROM_FLOAT
#undef WEFT_FROM_SIGNED
#undef WEFT_FROM_BITS
#undef WEFT_FROM
#undef WEFT_SOURCE
