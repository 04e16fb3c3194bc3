// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What the templates of math/ share, once per type and width; the unit includes it before them. */
#if WEFT_BITS == 32
#include "math/core.h"
#include "math/log_split.h"
#include "math/trig_reduce.h"

/** Defines `name` by a function of core.h: floats go through double and are rounded once. */
#define WEFT_BY_CORE(name, core)                                                                   \
    WEFT_FN gentype name(gentype x) {                                                              \
        return WEFT_CONVERT(gentype, core(WEFT_CONVERT(WEFT_D, x)));                               \
    }
#else
#undef WEFT_BY_CORE
#define WEFT_BY_CORE(name, core)                                                                   \
    WEFT_FN gentype name(gentype x) {                                                              \
        return core(x);                                                                            \
    }
#endif

/** a^y for a >= 0, as weft_pow_short() has its ends. */
WEFT_HELPER gentype weft_magnitude(gentype a, gentype y) {
#if WEFT_BITS == 32
    return WEFT_CONVERT(gentype, weft_pow_short(WEFT_CONVERT(WEFT_D, a), WEFT_CONVERT(WEFT_D, y)));
#else
    return weft_pow_of(a, y, (gentype)0.0);
#endif
}
