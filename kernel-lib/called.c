// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which embedded object serves which level. */
#include "kernel-lib/called.h"

extern const unsigned char weft_called_v1[], weft_called_v1_end[];
extern const unsigned char weft_called_v2[], weft_called_v2_end[];
extern const unsigned char weft_called_v3[], weft_called_v3_end[];
extern const unsigned char weft_called_v4[], weft_called_v4_end[];

const unsigned char *weft_called_object(unsigned level, size_t *bytes) {
    static const struct {
        const unsigned char *begin, *end;
    } objects[4] = {{weft_called_v1, weft_called_v1_end},
                    {weft_called_v2, weft_called_v2_end},
                    {weft_called_v3, weft_called_v3_end},
                    {weft_called_v4, weft_called_v4_end}};
    unsigned index = level < 1 ? 0 : level > 4 ? 3 : level - 1;
    *bytes = (size_t)(objects[index].end - objects[index].begin);
    return objects[index].begin;
}
