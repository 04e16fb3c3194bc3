// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_cos(gentype x);

#if WEFT_BITS == 32
#include "math/trig_reduce.h"
WEFT_FN gentype cos(gentype x) {
    intn quadrant;
    gentype r = weft_reduce(x, &quadrant);
    intn odd = quadrant & (intn)1;
    gentype result = WEFT_SELECT(odd != (intn)0, weft_sin_poly(r), weft_cos_poly(r));
    return weft_negate_if(result, quadrant + (intn)1, 1); /* quadrants 1 and 2 */
}
#else
WEFT_FN gentype cos(gentype x) {
    return weft_clc_cos(x);
}
#endif
