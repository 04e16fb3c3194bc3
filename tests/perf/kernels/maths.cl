// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One built-in function in a streaming loop: built with -DTYPE=float -DFUNCTION=sin [-DTWO].
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#ifdef TWO
kernel void apply(global const TYPE *x, global const TYPE *z, global TYPE *y)
{
    size_t i = get_global_id(0);
    y[i] = FUNCTION(x[i], z[i]);
}
#else
kernel void apply(global const TYPE *x, global TYPE *y)
{
    size_t i = get_global_id(0);
    y[i] = FUNCTION(x[i]);
}
#endif
