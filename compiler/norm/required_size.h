// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What `reqd_work_group_size` says of ids and sizes. */
#ifndef WEFT_NORM_REQUIRED_SIZE_H
#define WEFT_NORM_REQUIRED_SIZE_H

#include "weft/abi.h"

#include "llvm/IR/Function.h"

namespace weft {

/**
 * Work-items of each group in dimension 0..2 where the program says how many and no group at an
 * edge is smaller; else null. Kernels whose groups the launch forms anew (flat ones) have none.
 * The array is the record's own.
 */
inline const uint64_t *fixedSize(const weft_kernel_info &info) {
    const bool isFixed = info.reqd_local_size[0] && info.flags & WEFT_KERNEL_UNIFORM_GROUPS &&
                         !(info.flags & WEFT_KERNEL_FLAT);
    return isFixed ? info.reqd_local_size : nullptr;
}

/**
 * Local ids are below the required size ("the work-group size that must be used as the
 * local_work_size argument", OpenCL C 6.7.2), sizes are constants where all groups have it. So
 * `id + 8 * get_local_id(1)` taken apart again by `% 8` and `/ 8` is two ids. For stage canonical.
 */
void tellRequiredSize(llvm::Function &kernel, const weft_kernel_info &info);

} // namespace weft

#endif
