// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"

#include <string.h>

void weft_kernel_memcpy(const cl_built_in_group_weft *group, void *to, const void *from) {
    size_t at = group->first_item[0];

    memcpy((char *)to + at, (const char *)from + at, group->local_size[0]);
}
