// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** All of rt/ as one object per level. */
#include "exchange.c"
#include "fiber.c"
#include "fma.c"
#include "fmod.c"
#include "groups.c"
#include "half.c"
#include "half_int128.c"
#include "int128.c"
#include "memory.c"
#include "minmax.c"
#include "oracle.c"
#include "reference.c"
#include "round.c"
#include "scale.c"
