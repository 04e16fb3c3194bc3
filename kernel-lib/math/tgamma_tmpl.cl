// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(tgamma, weft_tgamma_of)
#else
#if WEFT_BITS == 64
WEFT_FN gentype powr(gentype x, gentype y);
WEFT_FN gentype exp(gentype x);
WEFT_FN gentype sinpi(gentype x);

/* A Lanczos approximation, relative error 3e-17 (build/coefficients.py, g = 6.0246...), for x > 0:
 * gamma(x) = t^(x - 1/2) e^-t S(x), t = x + g - 1/2. Beyond 1 the fraction is one of 1 / x. */
#define WEFT_TERM(n, d)                                                                            \
    numerator = numerator * y + (gentype)n;                                                        \
    denominator = denominator * y + (gentype)d;
WEFT_HELPER gentype weft_lanczos_small(gentype y) {
    gentype numerator = (gentype)2.5066282746310002702, denominator = (gentype)1.0;
    WEFT_TERM(210.82427775157934587, 66.0)
    WEFT_TERM(8071.6720023658162106, 1925.0)
    WEFT_TERM(186056.26539522349504, 32670.0)
    WEFT_TERM(2876370.6289353724412, 357423.0)
    WEFT_TERM(31426415.585400194381, 2637558.0)
    WEFT_TERM(248874557.86205415651, 13339535.0)
    WEFT_TERM(1439720407.3117216737, 45995730.0)
    WEFT_TERM(6039542586.3520280051, 105258076.0)
    WEFT_TERM(17921034426.0372097, 150917976.0)
    WEFT_TERM(35711959237.355668049, 120543840.0)
    WEFT_TERM(42919803642.649098769, 39916800.0)
    WEFT_TERM(23531376880.410759689, 0.0)
    return numerator / denominator;
}
WEFT_HELPER gentype weft_lanczos_large(gentype y) {
    gentype numerator = (gentype)23531376880.410759689, denominator = (gentype)0.0;
    WEFT_TERM(42919803642.649098769, 39916800.0)
    WEFT_TERM(35711959237.355668049, 120543840.0)
    WEFT_TERM(17921034426.0372097, 150917976.0)
    WEFT_TERM(6039542586.3520280051, 105258076.0)
    WEFT_TERM(1439720407.3117216737, 45995730.0)
    WEFT_TERM(248874557.86205415651, 13339535.0)
    WEFT_TERM(31426415.585400194381, 2637558.0)
    WEFT_TERM(2876370.6289353724412, 357423.0)
    WEFT_TERM(186056.26539522349504, 32670.0)
    WEFT_TERM(8071.6720023658162106, 1925.0)
    WEFT_TERM(210.82427775157934587, 66.0)
    WEFT_TERM(2.5066282746310002702, 1.0)
    return numerator / denominator;
}
#undef WEFT_TERM

/* For a negative x, gamma(x) = pi / (-x sin(pi x') gamma(-x)) up to the sign: the factors of gamma
 * are divided by, one after the other, as gamma(-x) itself may overflow where the result does not.
 */
WEFT_FN gentype tgamma(gentype x) {
    const gentype g = (gentype)5.524680040776729583740234375; /* g - 1/2 */
    gentype a = __builtin_elementwise_abs(x);
    gentype z = __builtin_elementwise_min(a, (gentype)190.0);
    gentype t = z + g;
    gentype lost = WEFT_SELECT(z > g, g - (t - z), z - (t - g)); /* of the sum above */
    gentype sum =
        WEFT_SELECT(z < (gentype)1.0, weft_lanczos_small(z), weft_lanczos_large((gentype)1.0 / z));
    /* t + lost instead of t: the power's logarithm grows by (z - 1/2) lost / t, less `lost` of e^-t
     */
    gentype shift = lost * ((z - (gentype)0.5) / t - (gentype)1.0);
    gentype power = powr(t, z * (gentype)0.5 - (gentype)0.25);
    gentype e = exp(-t);
    sum += sum * shift;
    gentype positive = ((power * e) * sum) * power;
    gentype sine = sinpi(a);
    gentype negative = (gentype)-3.14159265358979323846 / (z * sine);
    negative = ((negative / (power * e)) / sum) / power;
    gentype result = WEFT_SELECT(x < (gentype)0.0, negative, positive);
    gentype tiny = (gentype)1.0 / x;
    result = WEFT_SELECT(a < (gentype)0x1p-60, tiny, result);
    result = WEFT_SELECT(x > (gentype)180.0, (gentype)INFINITY, result);
    gentype zero = __builtin_elementwise_copysign((gentype)0.0, sine); /* sin(pi |x|) */
    result = WEFT_SELECT(x < (gentype)-186.0, -zero, result);
    gentype pole = WEFT_SELECT(x < (gentype)0.0, __builtin_elementwise_floor(x), (gentype)NAN);
    result = WEFT_SELECT(x == pole, (gentype)NAN, result);
    return WEFT_SELECT(x != x, x, result);
}
#else
#define WEFT_DOUBLES WEFT_VECTOR(double)
WEFT_FN WEFT_DOUBLES tgamma(WEFT_DOUBLES x);
WEFT_FN gentype tgamma(gentype x) {
    return WEFT_CONVERT(gentype, tgamma(WEFT_CONVERT(WEFT_DOUBLES, x)));
}
#undef WEFT_DOUBLES
#endif
#endif
