// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_NAME      write_imagei
#define WEFT_PIXEL     int4
#define WEFT_IS_SIGNED 1
#include "image/write_integer.h"
