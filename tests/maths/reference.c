// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * References in long double: 11 bits more than double, so that their own error (of one unit of
 * their last place to six, of tgamma: against_mpfr.c) is below 1/250 ULP. Where OpenCL differs from
 * C (section 7.5 of the OpenCL C specification), the difference is spelled out.
 */
#include "half.h"
#include "maths.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef long double real;

/* Most names differ at once: they are looked up 10^9 times by exhaust_random.c. */
static int is(const char *name, const char *other) {
    return name[0] == other[0] && strcmp(name, other) == 0;
}

static const real pi = 3.14159265358979323846264338327950288L;

static real sinpi_(real x) {
    if (!isfinite(x))
        return NAN;
    real r = fmodl(x, 2);
    if (r == truncl(r)) /* "sinpi(±n) is ±0" with the sign of x */
        return copysignl(0, x);
    real a = fabsl(r), sign = r < 0 ? -1 : 1;
    if (a > 1) {
        a -= 1;
        sign = -sign;
    }
    if (a > 0.5L)
        a = 1 - a;
    return sign * (a > 0.25L ? cosl(pi * (0.5L - a)) : sinl(pi * a));
}

static real cospi_(real x) {
    if (!isfinite(x))
        return NAN;
    real a = fmodl(fabsl(x), 2);
    if (a > 1)
        a = 2 - a;
    if (a == 0.5L)
        return 0;
    real sign = a > 0.5L ? -1 : 1;
    if (a > 0.5L)
        a = 1 - a;
    return sign * (a > 0.25L ? sinl(pi * (0.5L - a)) : cosl(pi * a));
}

static real tanpi_(real x) {
    if (!isfinite(x))
        return NAN;
    real s = sinpi_(x), c = cospi_(x);
    if (s == 0) /* "tanpi(±n) is ±0 for even n, ∓0 for odd n" */
        return copysignl(0, fmodl(fabsl(x), 2) == 1 ? -x : x);
    if (c == 0) { /* "tanpi(±(n + 0.5)) is ±inf for even n, ∓inf for odd n" */
        real n = fabsl(x) - 0.5L;
        return fmodl(n, 2) == 1 ? copysignl(INFINITY, -x) : copysignl(INFINITY, x);
    }
    return s / c;
}

static real powr_(real x, real y) {
    if (isnan(x) || isnan(y) || x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) ||
        (x == 1 && isinf(y)))
        return NAN;
    return powl(fabsl(x), y);
}

static real rootn_(real x, int n) {
    if (n == 0 || isnan(x))
        return NAN;
    int odd = n & 1;
    if (x < 0 && !odd)
        return NAN;
    if (x == 0) {
        real r = n > 0 ? 0 : INFINITY;
        return odd ? copysignl(r, x) : r;
    }
    /* What 1/n was rounded by is as much wrong as the logarithm of x is long: one step of Newton's.
     */
    real a = fabsl(x), r = powl(a, 1 / (real)n);
    r -= isinf(r) || r == 0 ? 0 : r * (powl(r, n) / a - 1) / n;
    return copysignl(r, x);
}

static real maxmag_(real x, real y) {
    return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}

static real minmag_(real x, real y) {
    return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}

static real recip(real x) {
    return 1 / x;
}
static real rsqrt(real x) {
    return 1 / sqrtl(x);
}
static real divide(real x, real y) {
    return x / y;
}
static real acospi_(real x) {
    return acosl(x) / pi;
}
static real asinpi_(real x) {
    return asinl(x) / pi;
}
static real atanpi_(real x) {
    return atanl(x) / pi;
}
static real atan2pi_(real y, real x) {
    return atan2l(y, x) / pi;
}
extern real exp10l(real x);

static const struct {
    const char *name;
    real (*function)(real);
} one[] = {{"acos", acosl},     {"acosh", acoshl},   {"acospi", acospi_}, {"asin", asinl},
           {"asinh", asinhl},   {"asinpi", asinpi_}, {"atan", atanl},     {"atanh", atanhl},
           {"atanpi", atanpi_}, {"cbrt", cbrtl},     {"ceil", ceill},     {"cos", cosl},
           {"cosh", coshl},     {"cospi", cospi_},   {"erf", erfl},       {"erfc", erfcl},
           {"exp", expl},       {"exp10", exp10l},   {"exp2", exp2l},     {"expm1", expm1l},
           {"fabs", fabsl},     {"floor", floorl},   {"lgamma", lgammal}, {"log", logl},
           {"log10", log10l},   {"log1p", log1pl},   {"log2", log2l},     {"logb", logbl},
           {"recip", recip},    {"rint", rintl},     {"round", roundl},   {"rsqrt", rsqrt},
           {"sin", sinl},       {"sinh", sinhl},     {"sinpi", sinpi_},   {"sqrt", sqrtl},
           {"tan", tanl},       {"tanh", tanhl},     {"tanpi", tanpi_},   {"tgamma", tgammal},
           {"trunc", truncl}};

static const struct {
    const char *name;
    real (*function)(real, real);
} two[] = {{"atan2", atan2l}, {"atan2pi", atan2pi_},    {"copysign", copysignl}, {"divide", divide},
           {"fdim", fdiml},   {"fmax", fmaxl},          {"fmin", fminl},         {"fmod", fmodl},
           {"hypot", hypotl}, {"maxmag", maxmag_},      {"minmag", minmag_},     {"pow", powl},
           {"powr", powr_},   {"remainder", remainderl}};

static int simple(const char *name, weft_maths_case *c) {
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        if (is(one[i].name, name)) {
            c->result = one[i].function(c->x);
            /* the gamma function has no value there: the specification refers to C, which may
             * return a NaN or an infinity */
            c->any = is(name, "tgamma") && c->x <= 0 && c->x == truncl(c->x);
            return 1;
        }
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++)
        if (is(two[i].name, name)) {
            c->result = two[i].function(c->x, c->y);
            return 1;
        }
    return 0;
}

/* The sign of gamma, 0 at its poles. */
static int gamma_sign(real x) {
    if (x > 0 || isnan(x))
        return 1;
    if (x == 0)
        return signbit(x) ? -1 : 1;
    if (x == floorl(x))
        return 0;
    return fmodl(floorl(x), 2) == 0 ? 1 : -1;
}

static int with_second(const char *name, weft_maths_case *c) {
    c->check_second = 1;
    if (is(name, "fract")) {
        real below = c->type == WEFT_FLOAT    ? 0x1.fffffep-1L
                     : c->type == WEFT_DOUBLE ? 0x1.fffffffffffffp-1L
                                              : 0x1.ffcp-1L;
        c->second = floorl(c->x);
        c->result = isinf(c->x)              ? copysignl(0, c->x)
                    : c->type == WEFT_FLOAT  ? (real)((float)c->x - (float)c->second)
                    : c->type == WEFT_DOUBLE ? (real)((double)c->x - (double)c->second)
                                             : c->x - c->second;
        c->result = c->result > below ? below : c->result;
        if (c->result == 0)
            c->result = copysignl(0, c->x);
    } else if (is(name, "modf")) {
        c->result = modfl(c->x, &c->second);
    } else if (is(name, "sincos")) {
        c->result = sinl(c->x);
        c->second = cosl(c->x);
    } else if (is(name, "frexp")) {
        int e = 0;
        c->result = frexpl(c->x, &e);
        c->second = isfinite(c->x) ? e : 0;
    } else if (is(name, "lgamma_r")) {
        c->result = lgammal(c->x);
        c->second = gamma_sign(c->x);
        c->check_second = isfinite(c->x) && c->second != 0;
    } else if (is(name, "remquo")) {
        int quotient = 0;
        c->result = remquol(c->x, c->y, &quotient);
        int low = (quotient < 0 ? -quotient : quotient) & 7; /* x87 gives three bits */
        c->second = quotient < 0 ? -low : low;
        c->check_second = isnan(c->result) ? 0 : 2;
    } else {
        return 0;
    }
    return 1;
}

static int with_integers(const char *name, weft_maths_case *c) {
    if (is(name, "ilogb"))
        c->result = c->x == 0 ? INT_MIN : isnan(c->x) || isinf(c->x) ? INT_MAX : ilogbl(c->x);
    else if (is(name, "ldexp"))
        c->result = ldexpl(c->x, c->n);
    else if (is(name, "pown"))
        c->result = powl(c->x, c->n);
    else if (is(name, "rootn"))
        c->result = rootn_(c->x, c->n);
    else if (is(name, "nan"))
        c->result = NAN;
    else
        return 0;
    return 1;
}

static real next_half(real x, real y) {
    uint16_t bits = weft_half_bits(x);
    if (isnan(x) || isnan(y))
        return NAN;
    if (x == y)
        return y;
    if (x == 0)
        return copysignl(0x1p-24L, y);
    return weft_half_value((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

/* Where a native_ function is to be about right, though the specification leaves all of it open. */
static int is_usual(const char *name, const weft_maths_case *c) {
    real result = fabsl(c->result), x = fabsl(c->x);
    if (is(name, "sin") || is(name, "cos") || is(name, "tan"))
        return x <= 100 && result > 0x1p-6L && result < 0x1p6L;
    return x >= 0x1p-126L && x < INFINITY && fabsl(c->y) < INFINITY && result >= 0x1p-126L &&
           result < 0x1p128L;
}

int weft_maths_reference(const char *name, weft_maths_case *c) {
    c->check_second = c->any = 0;
    c->second = 0;
    if (strncmp(name, "half_", 5) == 0) {
        name += 5;
        /* "half_sin ... x must be in [-2^16, 2^16]" */
        int trigonometric = is(name, "sin") || is(name, "cos") || is(name, "tan");
        if (trigonometric && fabsl(c->x) > 65536)
            return c->any = 1;
        return simple(name, c);
    }
    if (strncmp(name, "native_", 7) == 0) {
        int known = simple(name + 7, c);
        c->any = c->any || !is_usual(name + 7, c);
        return known;
    }
    if (is(name, "fma") || is(name, "mad")) {
        /* of halves: 64 bits are more than a second rounding could harm */
        c->result = c->type == WEFT_FLOAT    ? (real)fmaf((float)c->x, (float)c->y, (float)c->z)
                    : c->type == WEFT_DOUBLE ? (real)fma((double)c->x, (double)c->y, (double)c->z)
                                             : fmal(c->x, c->y, c->z);
        return 1;
    }
    /* Rounded once; of halves 64 bits are enough. */
    if (is(name, "fdim")) {
        c->result = c->type == WEFT_FLOAT    ? (real)fdimf((float)c->x, (float)c->y)
                    : c->type == WEFT_DOUBLE ? (real)fdim((double)c->x, (double)c->y)
                                             : fdiml(c->x, c->y);
        return 1;
    }
    if (is(name, "sqrt")) {
        c->result = c->type == WEFT_FLOAT    ? (real)sqrtf((float)c->x)
                    : c->type == WEFT_DOUBLE ? (real)sqrt((double)c->x)
                                             : sqrtl(c->x);
        return 1;
    }
    if (is(name, "nextafter")) {
        c->result = c->type == WEFT_FLOAT    ? (real)nextafterf((float)c->x, (float)c->y)
                    : c->type == WEFT_DOUBLE ? (real)nextafter((double)c->x, (double)c->y)
                                             : next_half(c->x, c->y);
        return 1;
    }
    return simple(name, c) || with_second(name, c) || with_integers(name, c);
}
