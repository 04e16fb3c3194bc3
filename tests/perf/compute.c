// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets up, runs and checks one kernel, or the reference of it.
#include "compute.h"
#include "child.h"

#include <CL/cl_ext.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    const struct compute *row;
    void *host[MAX_ARRAYS]; // outputs hold the reference's results
    cl_mem buffers[MAX_ARRAYS];
    struct cl cl;
    cl_kernel kernel;
    cl_uint dimensions;
};

static size_t element_size(enum element type) {
    return type == F64 ? 8 : type == I16 || type == F16 ? 2 : type == U8 ? 1 : 4;
}

static size_t array_bytes(const struct array *array) {
    return array->count * element_size(array->type);
}

uint32_t random_next(uint32_t *state) {
    uint32_t x = *state = *state * 1664525u + 1013904223u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    return x ^ x >> 15;
}

void fill_random(const struct array *array, void *data, uint32_t seed) {
    const size_t bytes = array_bytes(array);
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t word = random_next(&seed);
        memcpy((char *)data + i, &word, 4);
    }
}

void fill_uniform(const struct array *array, void *data, uint32_t seed) {
    const double scale = (array->high - array->low) / 4294967296.0;
    for (size_t i = 0; i < array->count; i++) {
        const double value = array->low + scale * random_next(&seed);
        if (array->type == F64)
            ((double *)data)[i] = value;
        else if (array->type == F32)
            ((float *)data)[i] = (float)value;
        else if (array->type == F16)
            ((_Float16 *)data)[i] = (_Float16)value;
        else if (array->type == I16)
            ((int16_t *)data)[i] = (int16_t)value;
        else if (array->type == U8)
            ((uint8_t *)data)[i] = (uint8_t)value;
        else
            ((int32_t *)data)[i] = (int32_t)value;
    }
}

// Lives until the child ends.
static cl_mem make_image(struct work *work, int index) {
    const struct array *array = &work->row->arrays[index];
    const bool bytes = array->type == U8;
    const cl_image_format format = {bytes ? CL_RGBA : CL_R, bytes ? CL_UNORM_INT8 : CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = array->width,
                                .image_height = array->count / array->width / (bytes ? 4 : 1)};
    cl_bool images = CL_FALSE;
    cl_int status;
    CL(clGetDeviceInfo(work->cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (!images)
        child_unsupported("no images");
    cl_mem image = clCreateImage(work->cl.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                 &desc, work->host[index], &status);
    CL(status);
    return image;
}

static void set_arguments(struct work *work) {
    char text[128];
    snprintf(text, sizeof text, "%s", work->row->arguments);
    char *rest = NULL;
    cl_uint index = 0;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const double number = atof(word + 1);
        const cl_int integer = (cl_int)number;
        const cl_float real = (cl_float)number;
        if (word[0] == 'b')
            CL(clSetKernelArg(work->kernel, index, sizeof(cl_mem), &work->buffers[integer]));
        else if (word[0] == 'm') {
            cl_mem image = make_image(work, integer);
            CL(clSetKernelArg(work->kernel, index, sizeof image, &image));
        } else if (word[0] == 'l')
            CL(clSetKernelArg(work->kernel, index, (size_t)integer, NULL));
        else if (word[0] == 'i')
            CL(clSetKernelArg(work->kernel, index, sizeof integer, &integer));
        else
            CL(clSetKernelArg(work->kernel, index, sizeof real, &real));
        index++;
    }
}

static void launch(void *context) {
    struct work *work = context;
    const struct compute *row = work->row;
    CL(clEnqueueNDRangeKernel(work->cl.queue, work->kernel, work->dimensions, NULL, row->global,
                              row->local[0] ? row->local : NULL, 0, NULL, NULL));
    CL(clFinish(work->cl.queue));
}

static void run_reference(void *context) {
    struct work *work = context;
    const struct compute *row = work->row;
    (row->maths ? row->maths->loop : row->reference)(work->host);
}

// How far apart two values are, in units of what the row allows.
static bool close_enough(const struct compute *row, double is, double should) {
    if (is == should || (isnan(is) && isnan(should)))
        return true;
    return fabs(is - should) <= row->tolerance * (1 + fabs(should));
}

static double value_at(enum element type, const void *data, size_t i) {
    switch (type) {
    case F16:
        return (double)((const _Float16 *)data)[i];
    case F32:
        return ((const float *)data)[i];
    case F64:
        return ((const double *)data)[i];
    case I32:
        return ((const int32_t *)data)[i];
    case I16:
        return ((const int16_t *)data)[i];
    default:
        return ((const uint8_t *)data)[i];
    }
}

static int compare_words(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Brings parts of words that may be in any order into one.
static void put_in_order(const struct array *array, void *data) {
    const size_t part = array->unordered;
    for (size_t i = 0; part && i + part <= array->count; i += part)
        qsort((uint32_t *)data + i, part, sizeof(uint32_t), compare_words);
}

static double ulp_size(double value, int bits) {
    int exponent;
    frexp(value, &exponent);
    const int least = bits == 64 ? -1074 : bits == 32 ? -149 : -24;
    const int unit = exponent - (bits == 64 ? 53 : bits == 32 ? 24 : 11);
    return ldexp(1, unit < least ? least : unit);
}

static void check_maths(struct work *work, const void *out, size_t i) {
    const struct maths *maths = work->row->maths;
    const enum element type = maths->bits == 64 ? F64 : maths->bits == 32 ? F32 : F16;
    const double x = value_at(type, work->host[0], i);
    const double z = maths->arguments == 2 ? value_at(type, work->host[1], i) : 0;
    const double exact = maths->exact(x, z);
    const double is = value_at(type, out, i);
    // The C library's own error in double is below one ULP; what is exact is exact there, too.
    const double slack = maths->bits < 64 ? 0.5 : maths->ulp > 0 ? 1 : 0;
    const double error = fabs(is - exact) / ulp_size(exact, maths->bits);
    if (!(error <= maths->ulp + slack) && !(isnan(is) && isnan(exact)))
        child_wrong("%s(%.9g, %.9g) is %.9g, should be %.9g: %.3g ULP off, %.3g allowed",
                    maths->function, x, z, is, exact, error, maths->ulp);
}

static void check_array(struct work *work, int index) {
    const struct compute *row = work->row;
    const struct array *array = &row->arrays[index];
    char *out = allocate(array_bytes(array));
    cl_read(work->cl.queue, work->buffers[index], array_bytes(array), out);
    put_in_order(array, out);
    put_in_order(array, work->host[index]);
    size_t odd_ones = 0;
    for (size_t i = 0; i < array->count; i++) {
        if (row->maths) {
            check_maths(work, out, i);
            continue;
        }
        const double is = value_at(array->type, out, i);
        const double should = value_at(array->type, work->host[index], i);
        if (close_enough(row, is, should))
            continue;
        odd_ones++;
        if ((double)odd_ones > row->odd_ones * (double)array->count)
            child_wrong("array %d element %zu is %.9g, should be %.9g%s", index, i, is, should,
                        odd_ones > 1 ? ", and there are too many like it" : "");
    }
    free(out);
}

static void check_arrays(struct work *work) {
    for (int i = 0; i < MAX_ARRAYS; i++)
        if (work->row->arrays[i].out)
            check_array(work, i);
}

// Once more from zeroes, so that it is not an early launch's result that is looked at.
static void compute_check(struct job *job) {
    struct work *work = job->state;
    for (int i = 0; i < MAX_ARRAYS; i++) {
        const size_t bytes = array_bytes(&work->row->arrays[i]);
        if (!work->row->arrays[i].out)
            continue;
        void *zeroes = allocate(bytes);
        CL(clEnqueueWriteBuffer(work->cl.queue, work->buffers[i], CL_TRUE, 0, bytes, zeroes, 0,
                                NULL, NULL));
        free(zeroes);
    }
    launch(work);
    check_arrays(work);
}

static void require_precision(struct cl *cl, cl_device_info which, const char *otherwise) {
    cl_device_fp_config config = 0;
    // Of a device that knows no halves the query fails.
    if (clGetDeviceInfo(cl->device, which, sizeof config, &config, NULL) || !config)
        child_unsupported("%s", otherwise);
}

static void open_device_side(struct work *work) {
    const struct compute *row = work->row;
    cl_open(&work->cl, 0);
    for (int i = 0; i < MAX_ARRAYS; i++)
        if (row->arrays[i].type == F64)
            require_precision(&work->cl, CL_DEVICE_DOUBLE_FP_CONFIG, "no double precision");
        else if (row->arrays[i].type == F16)
            require_precision(&work->cl, CL_DEVICE_HALF_FP_CONFIG, "no halves");
    cl_program program =
        cl_build(&work->cl, kernel_text(row->file), row->options ? row->options : "");
    work->kernel = cl_get_kernel(program, row->kernel);
    while (work->dimensions < 3 && row->global[work->dimensions])
        work->dimensions++;
    for (int i = 0; i < MAX_ARRAYS; i++)
        if (row->arrays[i].type != NONE)
            work->buffers[i] =
                cl_new_buffer(&work->cl, array_bytes(&row->arrays[i]), work->host[i]);
    set_arguments(work);
}

static void compute_open(struct job *job) {
    struct work *work = job->state = allocate(sizeof *work);
    work->row = job->line->data;
    for (int i = 0; i < MAX_ARRAYS; i++) {
        const struct array *array = &work->row->arrays[i];
        if (array->type == NONE)
            continue;
        work->host[i] = allocate(array_bytes(array));
        if (array->fill)
            array->fill(array, work->host[i], 12345 + 99991 * (uint32_t)i);
    }
    if (!job->reference) {
        open_device_side(work);
        launch(work);
    }
    if (job->reference || !work->row->maths)
        run_reference(work);
    if (!job->reference)
        check_arrays(work);
}

// One launch that nobody times brings the data back into the caches that the others have used.
static void compute_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state;
    void (*once)(void *) = job->reference ? run_reference : launch;
    once(work);
    values[0] = best_ms(once, work);
    if (work->row->maths)
        values[0] *= 1e6 / MATHS_N;
}

const struct probe compute_probe = {
    .has_reference = true, .open = compute_open, .run = compute_run, .check = compute_check};
