// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Records to text: OpenCL C 2.0, section 6.13.12. The conversions are the C library's; the vector
 * specifier, the length modifiers and what a mismatch means are ours.
 */

#include "printf.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** One conversion specification of a format. */
struct spec {
    char flags[8];
    int width, precision; /* -1: none; a `*` has been replaced by its argument */
    unsigned lanes;       /* %v4..., else 1 */
    unsigned int_bytes;   /* what hh, h, hl, l say; 0: nothing */
    char conversion;
};

/** The arguments of a record, taken one by one. */
struct args {
    const unsigned char *at, *end;
    uint32_t left;
};

struct value {
    weft_printf_arg head;
    const unsigned char *bytes;
};

static bool next_arg(struct args *args, struct value *value) {
    size_t bytes;

    if (!args->left || (size_t)(args->end - args->at) < sizeof(weft_printf_arg))
        return false;
    memcpy(&value->head, args->at, sizeof(value->head));
    bytes = ((size_t)value->head.lanes * value->head.element_size + 7) & ~(size_t)7;
    args->at += sizeof(weft_printf_arg);
    if (!value->head.lanes || bytes > (size_t)(args->end - args->at)) {
        args->left = 0;
        return false;
    }
    value->bytes = args->at;
    args->at += bytes;
    args->left--;
    return true;
}

static int64_t int_lane(const struct value *value, unsigned lane) {
    const unsigned char *at = value->bytes + (size_t)lane * value->head.element_size;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;

    switch (value->head.element_size) {
    case 1:
        return memcpy(&i8, at, 1), i8;
    case 2:
        return memcpy(&i16, at, 2), i16;
    case 4:
        return memcpy(&i32, at, 4), i32;
    case 8:
        return memcpy(&i64, at, 8), i64;
    default:
        return 0;
    }
}

/** binary16 to double, for %v4hf without cl_khr_fp16 promoting it. */
static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double mantissa = bits & 1023, magnitude;

    if (exponent == 31)
        magnitude = mantissa != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(mantissa, -24);
    else
        magnitude = ldexp(mantissa + 1024, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static double float_lane(const struct value *value, unsigned lane) {
    const unsigned char *at = value->bytes + (size_t)lane * value->head.element_size;
    uint16_t f16;
    float f32;
    double f64;

    switch (value->head.element_size) {
    case 2:
        return memcpy(&f16, at, 2), half_value(f16);
    case 4:
        return memcpy(&f32, at, 4), (double)f32;
    case 8:
        return memcpy(&f64, at, 8), f64;
    default:
        return 0;
    }
}

static const char *parse_number(const char *at, int *number, struct args *args) {
    struct value value;

    if (*at == '*') {
        *number = next_arg(args, &value) && value.head.kind == WEFT_PRINTF_INT
                      ? (int)int_lane(&value, 0)
                      : 0;
        return at + 1;
    }
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        if (*number < 100000)
            *number = *number * 10 + (*at - '0');
    return at;
}

static const char *parse_length(const char *at, struct spec *spec) {
    if (at[0] == 'h' && at[1] == 'h')
        return spec->int_bytes = 1, at + 2;
    if (at[0] == 'h' && at[1] == 'l')
        return spec->int_bytes = 4, at + 2;
    if (at[0] == 'h')
        return spec->int_bytes = 2, at + 1;
    if (at[0] == 'l')
        return spec->int_bytes = 8, at + (at[1] == 'l' ? 2 : 1);
    return at;
}

/** `at` is behind the '%'. Returns the place behind the specification, NULL if it is none. */
static const char *parse_spec(const char *at, struct spec *spec, struct args *args) {
    size_t flags = 0;

    memset(spec, 0, sizeof(*spec));
    spec->width = spec->precision = -1;
    spec->lanes = 1;
    for (; *at && strchr("-+ #0", *at); at++)
        if (flags < sizeof(spec->flags) - 1 && !strchr(spec->flags, *at))
            spec->flags[flags++] = *at;
    if (*at == '*' || (*at >= '1' && *at <= '9')) {
        at = parse_number(at, &spec->width, args);
        if (spec->width < 0) { /* C: "a negative field width argument is taken as a - flag" */
            if (flags < sizeof(spec->flags) - 1)
                spec->flags[flags] = '-';
            spec->width = spec->width == INT32_MIN ? 0 : -spec->width;
        }
    }
    if (*at == '.')
        at = parse_number(at + 1, &spec->precision, args);
    if (*at == 'v') {
        int lanes = 0;
        at = parse_number(at + 1, &lanes, args);
        if (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)
            return NULL;
        spec->lanes = (unsigned)lanes;
    }
    at = parse_length(at, spec);
    spec->conversion = *at;
    return *at && strchr("diouxXfFeEgGaAcsp", *at) ? at + 1 : NULL;
}

/** A format of the C library for one lane: flags, `*` for width and precision, modifier. */
static void make_format(const struct spec *spec, const char *modifier, char *text) {
    text += sprintf(text, "%%%s", spec->flags);
    if (spec->width >= 0)
        text += sprintf(text, "%d", spec->width);
    if (spec->precision >= 0)
        text += sprintf(text, ".%d", spec->precision);
    sprintf(text, "%s%c", modifier, spec->conversion);
}

static void put_int(FILE *out, const struct spec *spec, int64_t value, unsigned bytes) {
    char format[64];
    bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';

    if (spec->int_bytes && spec->int_bytes < bytes)
        bytes = spec->int_bytes;
    else if (!spec->int_bytes && spec->lanes == 1 && bytes > 4)
        bytes = 4; /* %d of a long: what a 32-bit int would print */
    if (bytes < 8) {
        unsigned shift = 64 - 8 * bytes;
        value = is_signed ? (int64_t)((uint64_t)value << shift) >> shift
                          : (int64_t)((uint64_t)value << shift >> shift);
    }
    make_format(spec, "j", format);
    if (is_signed)
        fprintf(out, format, (intmax_t)value);
    else
        fprintf(out, format, (uintmax_t)value);
}

static void put_float(FILE *out, const struct spec *spec, double value) {
    struct spec plain = *spec;
    char format[64], *zero;

    if (isnan(value)) { /* C leaves the sign of a NaN and the 0 flag open; print it as hosts do */
        value = copysign(NAN, 1);
    }
    if (!isfinite(value) && (zero = strchr(plain.flags, '0')) != NULL)
        memmove(zero, zero + 1, strlen(zero));
    make_format(&plain, "", format);
    fprintf(out, format, value);
}

static void put_string(FILE *out, const struct spec *spec, const struct value *value) {
    char format[64];
    const char *text = NULL;

    if (value->head.kind == WEFT_PRINTF_POINTER && value->head.element_size == sizeof(text))
        memcpy(&text, value->bytes, sizeof(text));
    make_format(spec, "", format);
    fprintf(out, format, text ? text : "(null)");
}

static void put_pointer(FILE *out, const struct spec *spec, const struct value *value) {
    char format[64];
    void *pointer = NULL;

    if (value->head.element_size == sizeof(pointer))
        memcpy(&pointer, value->bytes, sizeof(pointer));
    make_format(spec, "", format);
    fprintf(out, format, pointer);
}

static void put_lane(FILE *out, const struct spec *spec, const struct value *value, unsigned lane) {
    bool is_float = value->head.kind == WEFT_PRINTF_FLOAT;

    if (strchr("fFeEgGaA", spec->conversion))
        put_float(out, spec, is_float ? float_lane(value, lane) : (double)int_lane(value, lane));
    else if (spec->conversion == 'c') {
        char format[64];
        make_format(spec, "", format);
        fprintf(out, format, (int)(unsigned char)int_lane(value, lane));
    } else
        put_int(out, spec, is_float ? (int64_t)float_lane(value, lane) : int_lane(value, lane),
                value->head.element_size);
}

static void put_value(FILE *out, const struct spec *spec, const struct value *value) {
    if (spec->conversion == 's') {
        put_string(out, spec, value);
        return;
    }
    if (spec->conversion == 'p') {
        put_pointer(out, spec, value);
        return;
    }
    for (unsigned lane = 0; lane < spec->lanes; lane++) {
        if (lane)
            fputc(',', out);
        if (lane < value->head.lanes)
            put_lane(out, spec, value, lane);
    }
}

void weft_printf_format(FILE *out, const weft_printf_record *record) {
    struct args args = {(const unsigned char *)(record + 1),
                        (const unsigned char *)record + record->bytes, record->arg_count};
    const char *at = record->format;

    while (at && *at) {
        const char *percent = strchr(at, '%'), *behind;
        struct spec spec;
        struct value value;
        if (!percent) {
            fputs(at, out);
            return;
        }
        fwrite(at, 1, (size_t)(percent - at), out);
        if (percent[1] == '%') {
            fputc('%', out);
            at = percent + 2;
            continue;
        }
        behind = parse_spec(percent + 1, &spec, &args);
        if (!behind) { /* not a specification: text */
            fputc('%', out);
            at = percent + 1;
            continue;
        }
        if (next_arg(&args, &value))
            put_value(out, &spec, &value);
        at = behind;
    }
}
