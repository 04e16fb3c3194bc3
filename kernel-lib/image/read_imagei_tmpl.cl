// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_NAME      read_imagei
#define WEFT_PIXEL     int4
#define WEFT_IS_SIGNED 1
#include "image/read_integer.h"
