// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The rare ways of functions of math/: code of its own, which kernels call (called.def) where some
 * lane needs it.
 */
#include "math/math.h"
