// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What the templates of math/ share, once per type and width; the unit includes it before them. */
#if WEFT_BITS == 32
#include "math/core.h"
#include "math/float.h"

/** Defines `name` by a function of core.h: floats go through double and are rounded once. */
#define WEFT_BY_DOUBLE(name, core)                                                                 \
    WEFT_FN gentype name(gentype x) {                                                              \
        return WEFT_CONVERT(gentype, core(WEFT_CONVERT(WEFT_D, x)));                               \
    }
#else
#undef WEFT_BY_DOUBLE
#define WEFT_BY_DOUBLE(name, core) WEFT_BY_CORE(name, core)
#endif

/** Defines `name` by a function that float.h and core.h have. */
#ifndef WEFT_BY_CORE
#define WEFT_BY_CORE(name, core)                                                                   \
    WEFT_FN gentype name(gentype x) {                                                              \
        return core(x);                                                                            \
    }
#endif
