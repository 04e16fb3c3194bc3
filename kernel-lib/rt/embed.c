// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel-lib/levels.h"
#include "kernel-lib/rt/rt.h"

WEFT_OBJECT_OF_LEVEL(weft_rt_object, weft_rt)
