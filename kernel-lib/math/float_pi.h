// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: what real_pi.h needs. */

/** sin(pi r), |r| <= 1/2. */
WEFT_HELPER gentype weft_sinpi_poly(gentype r) {
    gentype z = r * r, p = (gentype)-0.00685878051445f;
    p = weft_mad(p, z, (gentype)0.0819392129779f);
    p = weft_mad(p, z, (gentype)-0.599226474762f);
    p = weft_mad(p, z, (gentype)2.55016088486f);
    p = weft_mad(p, z, (gentype)-5.16771268845f);
    p = weft_mad(p, z, (gentype)-0x1.777a5cp-24f);
    return r * ((gentype)0x1.921fb6p+1f + p);
}

/** tan(pi r), |r| <= 1/4, is the result over *below. */
WEFT_HELPER gentype weft_tanpi_near(gentype r, __private gentype *below) {
    *below = (gentype)1.0f;
    gentype z = r * r, p = (gentype)124551.84375f;
    p = weft_mad(p, z, (gentype)447.842376709f);
    p = weft_mad(p, z, (gentype)3171.92163086f);
    p = weft_mad(p, z, (gentype)635.078063965f);
    p = weft_mad(p, z, (gentype)163.262283325f);
    p = weft_mad(p, z, (gentype)40.8007202148f);
    p = weft_mad(p, z, (gentype)10.3354301453f);
    return r * weft_mad(p, z, (gentype)0x1.921fb6p+1f);
}
