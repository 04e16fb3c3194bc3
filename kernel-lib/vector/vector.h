// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A function's name with the width of the instantiation: vload4, vload_half, ... */
#define WEFT_SIZED_1(name)  name
#define WEFT_SIZED_2(name)  WEFT_PASTE(name, 2)
#define WEFT_SIZED_3(name)  WEFT_PASTE(name, 3)
#define WEFT_SIZED_4(name)  WEFT_PASTE(name, 4)
#define WEFT_SIZED_8(name)  WEFT_PASTE(name, 8)
#define WEFT_SIZED_16(name) WEFT_PASTE(name, 16)
#define WEFT_SIZED(name)    WEFT_PASTE(WEFT_SIZED_, WEFT_N)(name)

#define WEFT_WRITABLE(define) define(__private) define(__global) define(__local) define(__generic)
#define WEFT_READABLE(define) WEFT_WRITABLE(define) define(__constant)
