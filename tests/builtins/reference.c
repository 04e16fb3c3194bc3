// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** References for built-ins: plainly what the specification says, on wider types. */
#include "builtins.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef weft_i128 i128;
typedef unsigned __int128 u128;

static const weft_element elements[] = {
    {"char", 8, 1, 0},  {"uchar", 8, 0, 0},  {"short", 16, 1, 0}, {"ushort", 16, 0, 0},
    {"int", 32, 1, 0},  {"uint", 32, 0, 0},  {"long", 64, 1, 0},  {"ulong", 64, 0, 0},
    {"half", 16, 1, 1}, {"float", 32, 1, 1}, {"double", 64, 1, 1}};

const weft_element *weft_element_of(const char *name) {
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (strcmp(elements[i].name, name) == 0)
            return &elements[i];
    return NULL;
}

static i128 low_of(const weft_element *t) {
    return t->is_signed ? -((i128)1 << (t->bits - 1)) : 0;
}
static i128 high_of(const weft_element *t) {
    return ((i128)1 << (t->bits - t->is_signed)) - 1;
}
static i128 saturate(const weft_element *t, i128 x) {
    return x < low_of(t) ? low_of(t) : x > high_of(t) ? high_of(t) : x;
}

/* a * b >> bits, exactly; unsigned products of 64 bits need the unsigned type. */
static i128 high_product(const weft_element *t, i128 a, i128 b) {
    return t->is_signed ? (a * b) >> t->bits : (i128)(((u128)a * (u128)b) >> t->bits);
}

static i128 saturated_mad(const weft_element *t, i128 a, i128 b, i128 c) {
    if (!t->is_signed) {
        u128 product = (u128)a * (u128)b; /* may be near 2^128: compare before adding */
        return product > (u128)high_of(t) ? high_of(t) : saturate(t, (i128)product + c);
    }
    return saturate(t, a * b + c);
}

static i128 count_bits(const weft_element *t, const char *name, u128 bits) {
    i128 n = 0;
    if (name[0] == 'p') {
        for (unsigned i = 0; i < t->bits; i++)
            n += bits >> i & 1;
    } else if (name[1] == 'l') {
        while (n < t->bits && !(bits >> (t->bits - 1 - (unsigned)n) & 1))
            n++;
    } else {
        while (n < t->bits && !(bits >> n & 1))
            n++;
    }
    return n;
}

static bool two_operands(const char *name, const weft_element *t, i128 a, i128 b, i128 *r) {
    u128 mask = ((u128)1 << t->bits) - 1;
    if (!strcmp(name, "abs_diff"))
        *r = a > b ? a - b : b - a;
    else if (!strcmp(name, "add_sat"))
        *r = saturate(t, a + b);
    else if (!strcmp(name, "sub_sat"))
        *r = saturate(t, a - b);
    else if (!strcmp(name, "hadd"))
        *r = (a + b) >> 1;
    else if (!strcmp(name, "rhadd"))
        *r = (a + b + 1) >> 1;
    else if (!strcmp(name, "mul_hi"))
        *r = high_product(t, a, b);
    else if (!strcmp(name, "max"))
        *r = a > b ? a : b;
    else if (!strcmp(name, "min"))
        *r = a < b ? a : b;
    else if (!strcmp(name, "upsample"))
        *r = (i128)((u128)a << t->bits | ((u128)b & mask));
    else if (!strcmp(name, "rotate")) {
        unsigned n = (unsigned)((u128)b & mask & (t->bits - 1));
        u128 bits = (u128)a & mask;
        *r = (i128)(n ? bits << n | bits >> (t->bits - n) : bits);
    } else {
        return false;
    }
    return true;
}

/* cl_khr_extended_bit_ops, as its table says it: bit by bit. */
bool weft_field_reference(const char *name, const weft_element *t, weft_value base,
                          weft_value insert, unsigned offset, unsigned count, i128 *r) {
    u128 from = (u128)base.i, in = (u128)insert.i, made = 0;
    bool inserts = !strcmp(name, "bitfield_insert"),
         sign = !strcmp(name, "bitfield_extract_signed");
    if (!inserts && !sign && strcmp(name, "bitfield_extract_unsigned") != 0)
        return false;
    for (unsigned bit = 0; bit < t->bits; bit++) {
        u128 one;
        if (inserts) /* "bits numbered inside ... will come from [0, count - 1] of insert" */
            one = bit >= offset && bit < offset + count ? in >> (bit - offset) : from >> bit;
        else if (bit < count)
            one = from >> (offset + bit);
        else /* "replicating the bit numbered offset + count - 1 of base"; "If count equals 0, ...
                0" */
            one = sign && count ? from >> (offset + count - 1) : 0;
        made |= (one & 1) << bit;
    }
    *r = (i128)made;
    return true;
}

static i128 reversed_bits(const weft_element *t, u128 bits) {
    u128 made = 0;
    for (unsigned n = 0; n < t->bits;
         n++) /* "bit numbered n ... from the bit numbered width - n - 1" */
        made |= (bits >> (t->bits - n - 1) & 1) << n;
    return (i128)made;
}

bool weft_integer_reference(const char *name, const weft_element *t, unsigned width,
                            const weft_value v[3], i128 *r) {
    i128 a = v[0].i, b = v[1].i, c = v[2].i;
    u128 mask = ((u128)1 << t->bits) - 1;
    if (two_operands(name, t, a, b, r))
        return true;
    if (!strcmp(name, "abs"))
        *r = a < 0 ? -a : a;
    else if (!strcmp(name, "clz") || !strcmp(name, "ctz") || !strcmp(name, "popcount"))
        *r = count_bits(t, name, (u128)a & mask);
    else if (!strcmp(name, "bit_reverse"))
        *r = reversed_bits(t, (u128)a);
    else if (!strcmp(name, "mad_hi"))
        *r = high_product(t, a, b) + c;
    else if (!strcmp(name, "mad_sat"))
        *r = saturated_mad(t, a, b, c);
    else if (!strcmp(name, "mul24") || !strcmp(name, "mad24"))
        *r = a * b + (name[1] == 'a' ? c : 0);
    else if (!strcmp(name, "clamp"))
        *r = a < b ? b : a > c ? c : a;
    else if (!strcmp(name, "bitselect"))
        *r = (a & ~c) | (b & c);
    else if (!strcmp(name, "select"))
        *r = (width == 1 ? c != 0 : (int)((u128)c >> (t->bits - 1) & 1)) ? b : a;
    else
        return false;
    return true;
}

/** One unit of the last place at x. */
static long double ulp(const weft_element *t, long double x) {
    int digits = t->bits == 16 ? 11 : t->bits == 32 ? 24 : 53;
    int lowest = t->bits == 16 ? -24 : t->bits == 32 ? -149 : -1074;
    int exponent = x == 0 || !isfinite(x) ? lowest : ilogbl(x) - digits + 1;
    return ldexpl(1, exponent < lowest ? lowest : exponent);
}

static bool relational(const char *name, long double a, long double b, const weft_element *t,
                       long double *r) {
    static const char *const names[] = {
        "isequal",     "isnotequal",    "isgreater", "isgreaterequal", "isless",
        "islessequal", "islessgreater", "isordered", "isunordered",    "isfinite",
        "isinf",       "isnan",         "isnormal",  "signbit"};
    long double smallest = t->bits == 16   ? 0x1p-14L
                           : t->bits == 32 ? (long double)FLT_MIN
                                           : (long double)DBL_MIN;
    bool nan = isnan(a) || isnan(b);
    bool values[] = {a == b,
                     a != b,
                     a > b,
                     a >= b,
                     a < b,
                     a <= b,
                     a < b || a > b,
                     !nan,
                     nan,
                     isfinite(a),
                     isinf(a) != 0,
                     isnan(a),
                     isfinite(a) && fabsl(a) >= smallest,
                     signbit(a) != 0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i])) {
            *r = values[i];
            return true;
        }
    return false;
}

bool weft_float_reference(const char *name, const weft_element *t, const weft_value v[3],
                          long double *r, long double *tolerance) {
    long double a = v[0].f, b = v[1].f, c = v[2].f, size = fabsl(a) + fabsl(b) + fabsl(c);
    *tolerance = 0;
    if (relational(name, a, b, t, r))
        return true;
    if (!strcmp(name, "max"))
        *r = a < b ? b : a;
    else if (!strcmp(name, "min"))
        *r = b < a ? b : a;
    else if (!strcmp(name, "clamp"))
        *r = fminl(fmaxl(a, b), c);
    else if (!strcmp(name, "degrees"))
        *r = a * 57.295779513082320876798154814105L, *tolerance = 2 * ulp(t, *r);
    else if (!strcmp(name, "radians"))
        *r = a * 0.017453292519943295769236907684886L, *tolerance = 2 * ulp(t, *r);
    else if (!strcmp(name, "sign"))
        *r = isnan(a) ? 0 : a > 0 ? 1 : a < 0 ? -1 : a;
    else if (!strcmp(name, "mix")) {
        *r = a + (b - a) * c;
        *tolerance = 4 * ulp(t, (fabsl(a) + fabsl(b)) * (1 + fabsl(c)));
    } else if (!strcmp(name, "step"))
        *r = b < a ? 0 : 1;
    else if (!strcmp(name, "smoothstep")) {
        long double x = fminl(fmaxl((c - a) / (b - a), 0), 1);
        *r = x * x * (3 - 2 * x);
        *tolerance = 16 * ulp(t, 1) * (1 + size / fabsl(b - a));
    } else
        return false;
    return true;
}

/* ---- conversions ---------------------------------------------------------------------------- */

static int mode_of(const char *suffix, int otherwise) {
    return strstr(suffix, "_rte")   ? FE_TONEAREST
           : strstr(suffix, "_rtz") ? FE_TOWARDZERO
           : strstr(suffix, "_rtp") ? FE_UPWARD
           : strstr(suffix, "_rtn") ? FE_DOWNWARD
                                    : otherwise;
}

static long double to_integer(long double x, int mode) {
    return mode == FE_TONEAREST    ? rintl(x)
           : mode == FE_TOWARDZERO ? truncl(x)
           : mode == FE_UPWARD     ? ceill(x)
                                   : floorl(x);
}

static long double to_float(const weft_element *t, long double x, int mode) {
    volatile long double in = x;
    volatile float narrow;
    volatile double wide;
    fesetround(mode);
    if (t->bits == 32) {
        narrow = (float)in;
        wide = (double)narrow;
    } else {
        wide = (double)in;
    }
    fesetround(FE_TONEAREST);
    return wide;
}

weft_value weft_convert_reference(const char *to, const weft_element *from, weft_value x,
                                  bool *any) {
    char name[16] = "";
    strncpy(name, to, strcspn(to, "_"));
    const weft_element *t = weft_element_of(name);
    bool saturates = strstr(to, "_sat") != NULL;
    *any = false;
    if (!from->is_float)
        x.f = (long double)x.i; /* 64 bits of mantissa hold every one */
    if (t->is_float && t->bits == 16) {
        x.f = weft_half_value(weft_half_reference(x.f, to));
        return x;
    }
    if (t->is_float) {
        x.f = to_float(t, x.f, mode_of(to, FE_TONEAREST));
        return x;
    }
    if (!from->is_float) {
        x.i = saturates ? saturate(t, x.i) : x.i;
        return x;
    }
    long double rounded = to_integer(x.f, mode_of(to, FE_TOWARDZERO));
    bool fits = rounded >= (long double)low_of(t) && rounded <= (long double)high_of(t);
    *any = !fits && !saturates;
    if (isnan(rounded))
        x.i = 0;
    else
        x.i = fits ? (i128)rounded : rounded < 0 ? low_of(t) : high_of(t);
    return x;
}

long double weft_half_value(uint16_t bits) {
    int e = bits >> 10 & 31, m = bits & 1023;
    long double x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpl(1024 + m, e - 25) : ldexpl(m, -24);
    return bits >> 15 ? -x : x;
}

uint16_t weft_half_reference(long double x, const char *rounding) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    long double a = fabsl(x);
    int mode = mode_of(rounding, FE_TONEAREST);
    if (sign) /* on magnitudes, up and down change places */
        mode = mode == FE_UPWARD ? FE_DOWNWARD : mode == FE_DOWNWARD ? FE_UPWARD : mode;
    if (isnan(a))
        return 0x7e00;
    if (isinf(a))
        return sign | 0x7c00;
    int exponent = a < 0x1p-14L ? -14 : ilogbl(a);
    long double units = to_integer(ldexpl(a, 10 - exponent), mode); /* of the last place */
    if (units >= 2048)
        units /= 2, exponent++;
    if (exponent > 15)
        return sign | (mode == FE_TONEAREST || mode == FE_UPWARD ? 0x7c00 : 0x7bff);
    uint16_t mantissa = (uint16_t)units;
    return sign | (uint16_t)(mantissa + (mantissa >= 1024 ? (exponent + 14) << 10 : 0));
}
