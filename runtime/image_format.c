// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The table of image formats: an order and a type each, combined as the specification allows. */

#include "runtime/image_format.h"

/* ---- types ----------------------------------------------------------------------------------- */

enum { NORMAL = 1, INTEGER = 2, FLOATING = 4, BYTES = 8, PACKED_RGB = 16, PACKED_RGBA = 32 };

/* One row per channel data type, by value from CL_SNORM_INT8 on. */
typedef struct type_row {
    uint8_t kinds;     /* of the above */
    uint8_t component; /* WEFT_COMPONENT_* */
    uint8_t bytes;     /* of a channel; packed: of a pixel */
} type_row;

static const type_row types[] = {
    [CL_SNORM_INT8 - CL_SNORM_INT8] = {NORMAL | BYTES, WEFT_COMPONENT_SNORM8, 1},
    [CL_SNORM_INT16 - CL_SNORM_INT8] = {NORMAL, WEFT_COMPONENT_SNORM16, 2},
    [CL_UNORM_INT8 - CL_SNORM_INT8] = {NORMAL | BYTES, WEFT_COMPONENT_UNORM8, 1},
    [CL_UNORM_INT16 - CL_SNORM_INT8] = {NORMAL, WEFT_COMPONENT_UNORM16, 2},
    [CL_UNORM_SHORT_565 - CL_SNORM_INT8] = {PACKED_RGB, WEFT_COMPONENT_565, 2},
    [CL_UNORM_SHORT_555 - CL_SNORM_INT8] = {PACKED_RGB, WEFT_COMPONENT_555, 2},
    [CL_UNORM_INT_101010 - CL_SNORM_INT8] = {PACKED_RGB, WEFT_COMPONENT_101010, 4},
    [CL_SIGNED_INT8 - CL_SNORM_INT8] = {INTEGER | BYTES, WEFT_COMPONENT_S8, 1},
    [CL_SIGNED_INT16 - CL_SNORM_INT8] = {INTEGER, WEFT_COMPONENT_S16, 2},
    [CL_SIGNED_INT32 - CL_SNORM_INT8] = {INTEGER, WEFT_COMPONENT_S32, 4},
    [CL_UNSIGNED_INT8 - CL_SNORM_INT8] = {INTEGER | BYTES, WEFT_COMPONENT_U8, 1},
    [CL_UNSIGNED_INT16 - CL_SNORM_INT8] = {INTEGER, WEFT_COMPONENT_U16, 2},
    [CL_UNSIGNED_INT32 - CL_SNORM_INT8] = {INTEGER, WEFT_COMPONENT_U32, 4},
    [CL_HALF_FLOAT - CL_SNORM_INT8] = {FLOATING, WEFT_COMPONENT_HALF, 2},
    [CL_FLOAT - CL_SNORM_INT8] = {FLOATING, WEFT_COMPONENT_FLOAT, 4},
    [CL_UNORM_INT24 - CL_SNORM_INT8] = {0, 0, 0}, /* shared with OpenGL only */
    [CL_UNORM_INT_101010_2 - CL_SNORM_INT8] = {PACKED_RGBA, WEFT_COMPONENT_1010102, 4},
};

enum { TYPE_COUNT = sizeof(types) / sizeof(types[0]) };

/* ---- orders ---------------------------------------------------------------------------------- */

#define MAP(r, g, b, a) ((r) | (g) << 4 | (b) << 8 | (a) << 12)
enum { ZERO = WEFT_MAP_ZERO, ONE = WEFT_MAP_ONE, EVERY = NORMAL | INTEGER | FLOATING };
enum { ALL_USES = WEFT_FORMAT_READ | WEFT_FORMAT_WRITE | WEFT_FORMAT_BOTH };

typedef struct order_row {
    cl_channel_order order;
    uint8_t kinds; /* of types: any of them, but with BYTES in `only_bytes` */
    uint8_t channels;
    uint8_t layout; /* WEFT_LAYOUT_* */
    uint8_t uses;
    bool only_bytes;      /* 8-bit types only */
    bool only_unorm8;     /* sRGB */
    bool opaque_border;   /* the border colour is (0, 0, 0, 1) */
    uint32_t read, write; /* maps */
} order_row;

static const order_row orders[] = {
    {CL_R, EVERY, 1, WEFT_LAYOUT_PLAIN, ALL_USES, false, false, true, MAP(0, ZERO, ZERO, ONE),
     MAP(0, 0, 0, 0)},
    /* Not offered: the specification wants a border of (0, 0, 0, 0) for the orders with x, the
     * conformance tests one of (0, 0, 0, 1). */
    {CL_Rx, EVERY, 1, WEFT_LAYOUT_OTHER, 0, false, false, false, MAP(0, ZERO, ZERO, ONE),
     MAP(0, 0, 0, 0)},
    {CL_A, EVERY, 1, WEFT_LAYOUT_OTHER, ALL_USES, false, false, false, MAP(ZERO, ZERO, ZERO, 0),
     MAP(3, 0, 0, 0)},
    {CL_INTENSITY, NORMAL | FLOATING, 1, WEFT_LAYOUT_OTHER, ALL_USES, false, false, false,
     MAP(0, 0, 0, 0), MAP(0, 0, 0, 0)},
    {CL_LUMINANCE, NORMAL | FLOATING, 1, WEFT_LAYOUT_OTHER, ALL_USES, false, false, true,
     MAP(0, 0, 0, ONE), MAP(0, 0, 0, 0)},
    {CL_RG, EVERY, 2, WEFT_LAYOUT_PLAIN, ALL_USES, false, false, true, MAP(0, 1, ZERO, ONE),
     MAP(0, 1, 0, 0)},
    {CL_RGx, EVERY, 2, WEFT_LAYOUT_OTHER, 0, false, false, false, MAP(0, 1, ZERO, ONE),
     MAP(0, 1, 0, 0)},
    {CL_RA, EVERY, 2, WEFT_LAYOUT_OTHER, ALL_USES, false, false, false, MAP(0, ZERO, ZERO, 1),
     MAP(0, 3, 0, 0)},
    {CL_RGB, PACKED_RGB, 3, WEFT_LAYOUT_OTHER, ALL_USES, false, false, true, MAP(0, 1, 2, ONE),
     MAP(0, 1, 2, 0)},
    {CL_RGBx, PACKED_RGB, 3, WEFT_LAYOUT_OTHER, 0, false, false, false, MAP(0, 1, 2, ONE),
     MAP(0, 1, 2, 0)},
    {CL_RGBA, EVERY | PACKED_RGBA, 4, WEFT_LAYOUT_PLAIN, ALL_USES, false, false, false,
     MAP(0, 1, 2, 3), MAP(0, 1, 2, 3)},
    {CL_BGRA, EVERY, 4, WEFT_LAYOUT_BGRA, ALL_USES, true, false, false, MAP(2, 1, 0, 3),
     MAP(2, 1, 0, 3)},
    {CL_ARGB, EVERY, 4, WEFT_LAYOUT_OTHER, ALL_USES, true, false, false, MAP(1, 2, 3, 0),
     MAP(3, 0, 1, 2)},
    {CL_ABGR, EVERY, 4, WEFT_LAYOUT_OTHER, ALL_USES, true, false, false, MAP(3, 2, 1, 0),
     MAP(3, 2, 1, 0)},
    /* "Writes to images with sRGB channel orders requires device support of the
     * cl_khr_srgb_image_writes extension." */
    {CL_sRGBA, NORMAL, 4, WEFT_LAYOUT_OTHER, WEFT_FORMAT_READ, true, true, false, MAP(0, 1, 2, 3),
     MAP(0, 1, 2, 3)},
    {CL_sBGRA, NORMAL, 4, WEFT_LAYOUT_OTHER, WEFT_FORMAT_READ, true, true, false, MAP(2, 1, 0, 3),
     MAP(2, 1, 0, 3)},
    {CL_DEPTH, NORMAL | FLOATING, 1, WEFT_LAYOUT_PLAIN, ALL_USES, false, false, true,
     MAP(0, ZERO, ZERO, ONE), MAP(0, 0, 0, 0)},
};

enum { ORDER_COUNT = sizeof(orders) / sizeof(orders[0]) };

static const order_row *find_order(cl_channel_order order) {
    for (size_t i = 0; i < ORDER_COUNT; i++)
        if (orders[i].order == order)
            return &orders[i];
    return NULL;
}

static const type_row *find_type(cl_channel_type type) {
    return type >= CL_SNORM_INT8 && type - CL_SNORM_INT8 < TYPE_COUNT ? &types[type - CL_SNORM_INT8]
                                                                      : NULL;
}

static bool combine(const order_row *order, cl_channel_type cl_type, const type_row *type) {
    if (!(type->kinds & order->kinds) || (order->only_bytes && !(type->kinds & BYTES)))
        return false;
    if (order->only_unorm8)
        return cl_type == CL_UNORM_INT8;
    if (order->order == CL_DEPTH)
        return cl_type == CL_UNORM_INT16 || cl_type == CL_FLOAT;
    return true;
}

bool weft_format_is_valid(const cl_image_format *format) {
    const type_row *type = find_type(format->image_channel_data_type);
    cl_channel_order order = format->image_channel_order;
    const order_row *row = find_order(order);

    /* What the specification has and Weft has not. */
    if (type && (order == CL_sRGB || order == CL_sRGBx))
        return format->image_channel_data_type == CL_UNORM_INT8;
    return type && row && combine(row, format->image_channel_data_type, type);
}

static bool suits(const order_row *order, cl_mem_object_type type) {
    if (!order->uses)
        return false;
    if (order->order == CL_DEPTH)
        return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    return type != CL_MEM_OBJECT_IMAGE1D_BUFFER || !order->only_unorm8;
}

bool weft_format_find(const cl_image_format *format, cl_mem_object_type type, weft_format *result) {
    const order_row *order = find_order(format->image_channel_order);
    const type_row *row = find_type(format->image_channel_data_type);
    bool packed;

    if (!order || !row || !combine(order, format->image_channel_data_type, row) ||
        !suits(order, type))
        return false;
    packed = row->kinds & (PACKED_RGB | PACKED_RGBA);
    *result = (weft_format){
        .cl = *format,
        .channels = order->channels,
        .element_bytes = packed ? row->bytes : (uint32_t)row->bytes * order->channels,
        .read_map = order->read | (order->opaque_border ? WEFT_MAP_OPAQUE_BORDER : 0),
        .write_map = order->write,
        .uses = order->uses,
    };
    result->texel = WEFT_TEXEL(order->only_unorm8 ? WEFT_COMPONENT_SRGB8 : row->component,
                               order->channels, packed ? WEFT_LAYOUT_OTHER : order->layout);
    return true;
}

cl_uint weft_format_list(cl_mem_object_type type, uint32_t uses, cl_uint room,
                         cl_image_format *list) {
    cl_uint count = 0;

    for (size_t i = 0; i < ORDER_COUNT; i++)
        for (size_t j = 0; j < TYPE_COUNT; j++) {
            cl_image_format format = {orders[i].order, (cl_channel_type)(CL_SNORM_INT8 + j)};
            weft_format found;
            if (!weft_format_find(&format, type, &found) || (found.uses & uses) != uses)
                continue;
            if (list && count < room)
                list[count] = format;
            count++;
        }
    return count;
}
