// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One maths function for each element: built with -DTYPE=float -DFUNCTION=sin -DKIND=A. What it is
// called with is said in reference/builtins.def.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define CALL_A        FUNCTION(a)
#define CALL_AB       FUNCTION(a, b)
#define CALL_ABA      FUNCTION(a, b, a)
#define CALL_AI       FUNCTION(a, (int)b)
#define CALL_AT       fmax(FUNCTION(a, &t), t)
#define CALL_AN       with(FUNCTION(a, &n), n)
#define CALL_ABN      with(FUNCTION(a, b, &n), n)
#define CALL_OF(KIND) CALL_##KIND
#define CALL(KIND)    CALL_OF(KIND)

// The value, and the integer counts as well.
TYPE with(TYPE value, int n)
{
    return n == 12345 ? (TYPE)0 : value;
}

kernel void apply(global const TYPE *x, global const TYPE *z, global TYPE *y)
{
    size_t i = get_global_id(0);
    TYPE a = x[i], b = z[i], t = 0;
    int n = 0;
    y[i] = CALL(KIND);
}
