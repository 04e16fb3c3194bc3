// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_NAME      read_imageui
#define WEFT_PIXEL     uint4
#define WEFT_IS_SIGNED 0
#include "image/read_integer.h"
