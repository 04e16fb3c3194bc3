// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_N == 3
WEFT_FN gentype cross(gentype a, gentype b) {
    return a.yzx * b.zxy - a.zxy * b.yzx;
}
#else
WEFT_FN gentype cross(gentype a, gentype b) {
    gentype r = a.yzxw * b.zxyw - a.zxyw * b.yzxw;
    r.w = 0;
    return r;
}
#endif
