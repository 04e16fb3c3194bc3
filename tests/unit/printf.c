// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu/printf*.c: records to text, order of groups, damaged records. */

#include "device-cpu/printf.h"
#include "harness.h"

#include <math.h>
#include <unistd.h>

/** A record under construction. */
struct builder {
    _Alignas(8) unsigned char bytes[1024];
    size_t used;
    uint32_t args;
};

static void begin(struct builder *builder) {
    memset(builder, 0, sizeof(*builder));
    builder->used = sizeof(weft_printf_record);
}

static void add(struct builder *builder, uint8_t kind, uint8_t element, uint8_t lanes,
                const void *value) {
    weft_printf_arg head = {.kind = kind, .element_size = element, .lanes = lanes};

    memcpy(builder->bytes + builder->used, &head, sizeof(head));
    memcpy(builder->bytes + builder->used + sizeof(head), value, (size_t)element * lanes);
    builder->used += sizeof(head) + (((size_t)element * lanes + 7) & ~(size_t)7);
    builder->args++;
}

static const char *finish(struct builder *builder, const char *format) {
    static char text[4096];
    weft_printf_record *record = (void *)builder->bytes;
    FILE *out = fmemopen(text, sizeof(text), "w");

    record->bytes = (uint32_t)builder->used;
    record->arg_count = builder->args;
    record->format = format;
    weft_printf_format(out, record);
    fclose(out);
    return text;
}

static const char *print_int(const char *format, int32_t value) {
    struct builder builder;

    begin(&builder);
    add(&builder, WEFT_PRINTF_INT, 4, 1, &value);
    return finish(&builder, format);
}

static const char *print_double(const char *format, double value) {
    struct builder builder;

    begin(&builder);
    add(&builder, WEFT_PRINTF_FLOAT, 8, 1, &value);
    return finish(&builder, format);
}

TEST(formats_integers) {
    CHECK_STR(print_int("[%d]\n", -5), "[-5]\n");
    CHECK_STR(print_int("%5d|", 42), "   42|");
    CHECK_STR(print_int("%-5.3d|", 42), "042  |");
    CHECK_STR(print_int("%#x", 255), "0xff");
    CHECK_STR(print_int("%u", -1), "4294967295");
    CHECK_STR(print_int("%hhd", 257), "1");
    CHECK_STR(print_int("%c%%", 'A'), "A%");
    CHECK_STR(print_int("%+d % d", 7), "+7 ");
}

TEST(formats_long) {
    struct builder builder;
    int64_t value = -5000000000;

    begin(&builder);
    add(&builder, WEFT_PRINTF_INT, 8, 1, &value);
    CHECK_STR(finish(&builder, "%ld"), "-5000000000");
}

TEST(formats_floats) {
    CHECK_STR(print_double("%f", 1.5), "1.500000");
    CHECK_STR(print_double("%e", 12345.678), "1.234568e+04");
    CHECK_STR(print_double("%g", 0.0001), "0.0001");
    CHECK_STR(print_double("%a", 1.0), "0x1p+0");
    CHECK_STR(print_double("%08.2f", -INFINITY), "    -inf");
    CHECK_STR(print_double("%f", -NAN), "nan");
}

TEST(formats_vectors) {
    struct builder builder;
    float floats[4] = {1, 2, 3, 4};
    uint8_t bytes[8] = {1, 2, 255, 4, 5, 6, 7, 8};

    begin(&builder);
    add(&builder, WEFT_PRINTF_FLOAT, 4, 4, floats);
    CHECK_STR(finish(&builder, "%2.1v4hlf"), "1.0,2.0,3.0,4.0");
    begin(&builder);
    add(&builder, WEFT_PRINTF_INT, 1, 8, bytes);
    CHECK_STR(finish(&builder, "%#v8hhx"), "0x1,0x2,0xff,0x4,0x5,0x6,0x7,0x8");
}

TEST(formats_strings_and_stars) {
    struct builder builder;
    const char *text = "weft";
    int32_t width = -6, precision = 2;

    begin(&builder);
    add(&builder, WEFT_PRINTF_INT, 4, 1, &width);
    add(&builder, WEFT_PRINTF_INT, 4, 1, &precision);
    add(&builder, WEFT_PRINTF_POINTER, 8, 1, &text);
    CHECK_STR(finish(&builder, "[%*.*s]"), "[we    ]");
}

TEST(missing_arguments_print_nothing) {
    struct builder builder;

    begin(&builder);
    CHECK_STR(finish(&builder, "a%db%v3dc%n%"), "abc%n%");
}

TEST(damaged_records_stay_inside) {
    struct builder builder;
    int32_t value = 1;

    begin(&builder);
    add(&builder, WEFT_PRINTF_INT, 4, 1, &value);
    builder.args = 1000;
    ((weft_printf_arg *)(builder.bytes + sizeof(weft_printf_record)))->lanes = 255;
    ((weft_printf_arg *)(builder.bytes + sizeof(weft_printf_record)))->element_size = 255;
    CHECK_STR(finish(&builder, "%d %d %v16f %s %p"), "    ");
}

/** Prints through a sink into a file and returns the text. */
static const char *through_sink(bool immediate, unsigned count, const uint64_t *order) {
    static char text[4096];
    weft_printf_sink *sink = weft_printf_create(immediate);
    int saved = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    ssize_t got;

    CHECK(sink && file && saved >= 0);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    for (unsigned i = 0; i < count; i++) {
        char *owner = (char *)sink + i % 3; /* three threads */
        weft_printf_record *record = weft_printf_reserve(sink, owner, order[i], 32);
        weft_printf_arg head = {.kind = WEFT_PRINTF_INT, .element_size = 4, .lanes = 1};
        *record = (weft_printf_record){32, 1, "%d;"};
        memcpy(record + 1, &head, sizeof(head));
        memcpy((char *)(record + 1) + sizeof(head), &i, 4);
        weft_printf_commit(sink, owner);
    }
    weft_printf_finish(sink);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    got = pread(fileno(file), text, sizeof(text) - 1, 0);
    text[got > 0 ? got : 0] = 0;
    fclose(file);
    return text;
}

TEST(output_is_in_the_order_of_groups) {
    static const uint64_t order[] = {20, 10, 0, 20, 10, 0};

    CHECK_STR(through_sink(false, 6, order), "2;5;1;4;0;3;");
}

TEST(immediate_output_is_in_the_order_of_time) {
    static const uint64_t order[] = {20, 10, 0, 20, 10, 0};

    CHECK_STR(through_sink(true, 6, order), "0;1;2;3;4;5;");
}

TEST(a_record_beyond_the_limit_is_refused) {
    weft_printf_sink *sink = weft_printf_create(false);

    CHECK(sink != NULL);
    CHECK(weft_printf_reserve(sink, sink, 0, 8) == NULL);
    CHECK(weft_printf_reserve(sink, sink, 0, 1u << 30) == NULL);
    weft_printf_finish(sink);
}

TEST_MAIN()
