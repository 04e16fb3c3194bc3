// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* For pow. Of doubles, core_pow.h: -log c in two parts for 16 c near the reciprocals of 1 to 31/16.
 * The second part's last 17 bits are the first of c. Printed by build/coefficients.py. */
// clang-format off
static __constant const double weft_pow_table[] __attribute__((aligned(16))) = {
    0x0.0p+0, 0x1.ffffffffe7fe0p-301,
    0x1.08598b59e4000p-4, -0x1.7e5dd700a7fdcp-46,
    0x1.da72763844000p-4, 0x1.a89401fa67fd9p-46,
    0x1.5bf406b544000p-3, -0x1.27023eb687fd6p-46,
    0x1.d1037f2656000p-3, -0x1.84a7e75b67fd3p-47,
    0x1.1178e8227e000p-2, 0x1.1ef78ce2c7fd1p-44,
    0x1.522ae0738a000p-2, 0x1.ebe7081647fcep-45,
    0x1.7fafa3bd81000p-2, 0x1.46fb79bf67fccp-44,
    0x1.973a343135000p-2, 0x1.ab73b16be7fcbp-44,
    0x1.c7ff9c7455000p-2, 0x1.324911f567fc9p-44,
    0x1.fb358af7a5000p-2, -0x1.def40b87c7fc7p-44,
    0x1.0ae76e2d05800p-1, -0x1.82de51de07fc6p-44,
    0x1.188ee40f24000p-1, -0x1.accec41d47fc5p-44,
    0x1.35028ad9d9000p-1, -0x1.bd1f01ab67fc3p-44,
    0x1.43d9ff2f92000p-1, 0x1.e267b0b7e7fc2p-44,
    0x1.5322e26867800p-1, 0x1.5ccc45d247fc1p-47,
};

/* For exponentials of doubles, core_exp.h: 2^(i / 16), each with a 0 that is not looked at. */
static __constant const double weft_power_table[] __attribute__((aligned(16))) = {
    0x1.0000000000000p+0, 0, 0x1.0b5586cf9890fp+0, 0, 0x1.172b83c7d517bp+0, 0, 0x1.2387a6e756238p+0, 0,
    0x1.306fe0a31b715p+0, 0, 0x1.3dea64c123422p+0, 0, 0x1.4bfdad5362a27p+0, 0, 0x1.5ab07dd485429p+0, 0,
    0x1.6a09e667f3bcdp+0, 0, 0x1.7a11473eb0187p+0, 0, 0x1.8ace5422aa0dbp+0, 0, 0x1.9c49182a3f090p+0, 0,
    0x1.ae89f995ad3adp+0, 0, 0x1.c199bdd85529cp+0, 0, 0x1.d5818dcfba487p+0, 0, 0x1.ea4afa2a490dap+0, 0,
};

/* For atan of doubles, core_trig.h: a number of the half octave and its arc tangent, that from 2^-4
 * at the seventh place, as the lowest four of its bits down to the first of the mantissa are 6. */
static __constant const double weft_atan_table[] __attribute__((aligned(16))) = {
    0x1.3504f333fa16bp+1, 0x1.2d97c7f3322dap+0, 0x1.b78f34fc57085p+1, 0x1.49952004c93eap+0,
    0x1.33b6101db3d8fp+2, 0x1.5da0a7c6d9bbcp+0, 0x1.b70b2ceac598fp+2, 0x1.6d114072b02a4p+0,
    0x1.3354f7937be1ap+3, 0x1.779078c2f842dp+0, 0x1.d02967c31cdb5p+53, 0x1.921fb54442d18p+0,
    0, 0, 0x1.bfe4566cb1b4cp-4, 0x1.be1e9605797e7p-4,
    0x1.3fb1faabc0127p-3, 0x1.3d22c4c9243d8p-3, 0x1.bf9535a965d45p-3, 0x1.b8a78a27d76bcp-3,
    0x1.3edd6983a7b99p-2, 0x1.351ea1f3d9709p-2, 0x1.be89019b53081p-2, 0x1.a514023a35d6bp-2,
    0x1.3c6ef372fee04p-1, 0x1.1b6e192ebc1acp-1, 0x1.bc0e249481569p-1, 0x1.6dcc57bb56b32p-1,
    0x1.3845118db6712p+0, 0x1.c4a8393631cb4p-1, 0x1.b9224dab8e04fp+0, 0x1.0b833be165f82p+0,
};

/* For logarithms of doubles, core_log.h: -log(1 + i / 16) in two parts. */
static __constant const double weft_log_table[] __attribute__((aligned(16))) = {
    0x0.0p+0, 0x0.0p+0,
    -0x1.f0a30c0118000p-5, 0x1.d599e83368e91p-45,
    -0x1.e27076e2b0000p-4, 0x1.a342c2af0003cp-45,
    -0x1.5ff3070a7a000p-3, 0x1.8586f183bebf2p-44,
    -0x1.c8ff7c79aa000p-3, 0x1.7794f689f8434p-45,
    -0x1.1675cababa000p-2, -0x1.8380e731f55c4p-44,
    -0x1.4618bc21c6000p-2, 0x1.3d82f484c84ccp-46,
    -0x1.739d7f6bbd000p-2, -0x1.a7389314feb50p-52,
    -0x1.9f323ecbfa000p-2, 0x1.ed03525ca2643p-44,
    -0x1.c8ff7c79aa000p-2, 0x1.7794f689f8434p-44,
    -0x1.f128f5faf0000p-2, -0x1.bb2cd720ec44cp-44,
    -0x1.0be72e4252800p-1, -0x1.415b4c4bdd99fp-44,
    -0x1.1e85f5e704000p-1, -0x1.a07bd8b34be7cp-46,
    -0x1.307d7334f1000p-1, -0x1.7c3f6b2143eadp-46,
    -0x1.41d8fe8467000p-1, -0x1.5732325e617a3p-44,
    -0x1.52a2d265bc800p-1, 0x1.2a88c41ba8752p-44,
};

/* Of floats, float_pow.h: the same c, and both parts. */
static __constant const float weft_pow_reciprocals[] = {
    0x1p+0f, 0x1.ep-1f, 0x1.c8p-1f, 0x1.bp-1f, 0x1.98p-1f, 0x1.88p-1f, 0x1.7p-1f, 0x1.6p-1f,
    0x1.58p-1f, 0x1.48p-1f, 0x1.38p-1f, 0x1.3p-1f, 0x1.28p-1f, 0x1.18p-1f, 0x1.1p-1f, 0x1.08p-1f,
};

static __constant const float weft_pow_firsts[] = {
    0x0p+0f, 0x1.086p-4f, 0x1.da7p-4f, 0x1.5bf8p-3f, 0x1.d1p-3f, 0x1.1178p-2f, 0x1.522cp-2f, 0x1.7fbp-2f,
    0x1.973cp-2f, 0x1.c8p-2f, 0x1.fb34p-2f, 0x1.0ae8p-1f, 0x1.188ep-1f, 0x1.3502p-1f, 0x1.43dap-1f, 0x1.5322p-1f,
};

static __constant const float weft_pow_rests[] = {
    0x0p+0f, -0x1.9d2988p-18f, 0x1.3b1c22p-19f, -0x1.fca55ep-18f, 0x1.bf932ap-18f, 0x1.d044fcp-19f, -0x1.1f8c76p-18f, -0x1.7109fap-20f,
    -0x1.cbcecap-18f, -0x1.8e2eaap-20f, 0x1.8af7a4p-18f, -0x1.23a5f6p-18f, 0x1.c81e48p-18f, 0x1.15b3b2p-18f, -0x1.a0db88p-26f, 0x1.c4d0dp-18f,
};
// clang-format on
