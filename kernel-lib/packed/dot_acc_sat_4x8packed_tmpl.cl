// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_DOT(signs, type_a, type_b, result, call)                                              \
    WEFT_FN result dot_acc_sat_4x8packed_##signs##_##result(uint a, uint b, result acc) {          \
        return __builtin_elementwise_add_sat(weft_dot_##signs(a, b), acc);                         \
    }
WEFT_DOTS(WEFT_DOT)
#undef WEFT_DOT
