// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel-lib/called.h"
#include "kernel-lib/levels.h"

WEFT_OBJECT_OF_LEVEL(weft_called_object, weft_called)
