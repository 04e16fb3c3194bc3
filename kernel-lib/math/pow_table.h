// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* For pow of doubles, core_pow.h: -log c in two parts for 16 c near the reciprocals of 1 to 31/16.
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
// clang-format on
