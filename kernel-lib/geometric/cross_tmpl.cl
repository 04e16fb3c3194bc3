// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_FN gentype cross(gentype a, gentype b) {
    float3 p = __builtin_convertvector(a.xyz, float3), q = __builtin_convertvector(b.xyz, float3);
    half3 r = __builtin_convertvector(p.yzx * q.zxy - p.zxy * q.yzx, half3);
#if WEFT_N == 3
    return r;
#else
    return (half4)(r, 0.0h);
#endif
}
#elif WEFT_N == 3
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
