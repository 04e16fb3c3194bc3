// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which embedded object serves which level. */
#include "kernel-lib/rt/rt.h"

extern const unsigned char weft_rt_v1[], weft_rt_v1_end[], weft_rt_v2[], weft_rt_v2_end[];
extern const unsigned char weft_rt_v3[], weft_rt_v3_end[], weft_rt_v4[], weft_rt_v4_end[];

const unsigned char *weft_rt_object(unsigned level, size_t *bytes) {
    static const struct {
        const unsigned char *begin, *end;
    } objects[4] = {{weft_rt_v1, weft_rt_v1_end},
                    {weft_rt_v2, weft_rt_v2_end},
                    {weft_rt_v3, weft_rt_v3_end},
                    {weft_rt_v4, weft_rt_v4_end}};
    unsigned index = level < 1 ? 0 : level > 4 ? 3 : level - 1;
    *bytes = (size_t)(objects[index].end - objects[index].begin);
    return objects[index].begin;
}
