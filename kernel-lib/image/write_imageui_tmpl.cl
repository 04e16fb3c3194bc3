// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_NAME      write_imageui
#define WEFT_PIXEL     uint4
#define WEFT_IS_SIGNED 0
#include "image/write_integer.h"
