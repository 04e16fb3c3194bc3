// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Internals of the compiler's pipeline (compiler/norm/internals.def). */
ulong __weft_local_linear_id(void);
ulong __weft_group_items(void);
void __weft_barrier(int flags, int scope);
