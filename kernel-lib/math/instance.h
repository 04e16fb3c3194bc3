// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What the templates of math/ share, once per type and width; the unit includes it before them. */
#if WEFT_BITS == 16
#include "math/fp16.h"

/** Defines `name` by a function of fp16.h; halves go through float and are rounded once. */
#ifndef WEFT_BY_CORE
#define WEFT_BY_CORE(name, core)                                                                   \
    WEFT_FN gentype name(gentype x) {                                                              \
        return weft_half(core(weft_float(x)));                                                     \
    }
#define WEFT_BY_CORE2(name, core)                                                                  \
    WEFT_FN gentype name(gentype x, gentype y) {                                                   \
        return weft_half(core(weft_float(x), weft_float(y)));                                      \
    }
#endif
#elif WEFT_BITS == 32
#include "math/core.h"
#include "math/float.h"
#endif

/** Defines `name` by a function that float.h and core.h have. */
#ifndef WEFT_BY_CORE
#define WEFT_BY_CORE(name, core)                                                                   \
    WEFT_FN gentype name(gentype x) {                                                              \
        return core(x);                                                                            \
    }
#define WEFT_BY_CORE2(name, core)                                                                  \
    WEFT_FN gentype name(gentype x, gentype y) {                                                   \
        return core(x, y);                                                                         \
    }
#endif
