// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "The prefetch instruction ... does not affect the functional behavior of the kernel": processors
 * that run this see such streams coming. */
WEFT_FN void prefetch(const __global gentype *p, size_t count) {
    (void)p;
    (void)count;
}
