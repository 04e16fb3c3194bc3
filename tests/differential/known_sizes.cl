// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups whose size the program requires, launched whole: kernels.py compiles them with
// -cl-uniform-work-group-size too, so that sizes are constants (norm/required_size.h).

// A rest whose mask would be a constant (group_loops.cc, fillsVectors): found by random kernels, seed 301725
// of family mixed with checks. AVX-512 only; a lane's mask was not where its own way leads.
// launch rest_of_known_size 3 global 24 3 3 offset 0 0 0 local 8 1 3 arguments o1728u l384 I16x5x5b
float __attribute__((overloadable)) tamed(float x) { return fabs(x) >= 1e-4f && fabs(x) <= 1e6f ? x : 1.0f; }
float4 __attribute__((overloadable)) tamed(float4 x) { return select((float4)(1.0f), x, (fabs(x) >= 1e-4f) & (fabs(x) <= 1e6f)); }
ushort widened(float x) {
    for (int i = 0; i < 4; i++) {
        x = tamed(tamed(x) + tamed(tamed(x) * tamed(x)));
        x = tamed(tamed(tamed(x) + tamed(x)) - tamed(x));
    }
    return upsample((uchar4)(convert_uchar_sat_rtp(tamed(x))), (uchar4)(convert_uchar_sat(tamed(x)))).s0;
}
kernel __attribute__((reqd_work_group_size(8, 1, 3))) void rest_of_known_size(global ulong *out, local int3 *lb,
                                                                              read_only image3d_t image) {
    uint gx = get_global_id(0);
    uint li = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    uint ls = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int slot = ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)) * ls + li;
    lb[li] = (int3)(3);
    float4 v = tamed((float4)(1) + (float4)(tamed(convert_float(gx))));
    switch (convert_uint_sat(v.s3) & 7) {
    case 2:
        lb[li].s21 = convert_int2_sat(
            read_imageui(image, CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, (int4)(1)).s00);
        break;
    case 3:
        break;
    default:
        lb[li] = (int3)(as_int2(as_uint2((int2)(slot)) + as_uint2((int2)(1))), 1);
    }
    out[slot] = 7 * 31 + (ulong)convert_int(widened(tamed(tamed(convert_float(lb[li].s0)) - tamed(convert_float(li)))));
}
