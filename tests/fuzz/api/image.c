// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Making images. */

#include "rows.h"
#include "setup.h"

static size_t extent(world *w) {
    return 1 + draw(w, draw(w, 4) ? 8 : 32);
}

static cl_image_desc draw_desc(world *w, cl_mem_object_type type) {
    cl_image_desc desc = {.image_type = type, .image_width = extent(w)};
    if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
        type == CL_MEM_OBJECT_IMAGE3D)
        desc.image_height = extent(w);
    if (type == CL_MEM_OBJECT_IMAGE3D)
        desc.image_depth = 1 + draw(w, 4);
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc.image_array_size = 1 + draw(w, 4);
    return desc;
}

static bool has_slices(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
           type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static void spoil_sizes(world *w, cl_image_desc *desc) {
    bool zero = draw(w, 2);
    desc->image_width = zero ? 0 : SIZE_MAX;
    fault(w, zero, CL_INVALID_IMAGE_DESCRIPTOR);
    fault(w, true, CL_INVALID_IMAGE_SIZE);
    may(w, true, CL_INVALID_IMAGE_DESCRIPTOR); /* pitches do not fit any more */
    may(w, true, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

/* Of memory of the host's: pitches may be given. */
static void draw_pitches(world *w, cl_image_desc *desc, size_t element, bool has_host) {
    size_t row = desc->image_width * element;
    if (odd(w)) {
        desc->image_row_pitch = has_host ? row + 1 : row;
        desc->image_slice_pitch = 0;
        fault(w, !has_host || element > 1, CL_INVALID_IMAGE_DESCRIPTOR);
        if (has_host && element == 1)
            desc->image_row_pitch = 0;
        return;
    }
    if (!has_host || draw(w, 2))
        return;
    desc->image_row_pitch = row + draw(w, 3) * element;
    if (has_slices(desc->image_type) && draw(w, 2))
        desc->image_slice_pitch =
            desc->image_row_pitch * ((desc->image_height ? desc->image_height : 1) + draw(w, 2));
}

static size_t or_one(size_t n) {
    return n ? n : 1;
}

static void made_image(world *w, cl_mem made, object *context, cl_mem_flags flags,
                       const cl_image_desc *desc, cl_image_format format, object *of) {
    object *image = add(w, MEM, made, context);
    bool is_line_array = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    image->type = desc->image_type;
    image->flags = of ? inherited_flags(flags, of->flags) : flags;
    image->parent = of;
    image->format = format;
    image->element = element_bytes(format);
    image->sizes[0] = desc->image_width;
    image->sizes[1] = is_line_array ? desc->image_array_size : or_one(desc->image_height);
    image->sizes[2] = desc->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? desc->image_array_size
                                                                      : or_one(desc->image_depth);
    if (!of && !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)))
        image->flags |= CL_MEM_READ_WRITE;
}

static bool is_plane(const object *o) {
    return is_image(o) && o->type == CL_MEM_OBJECT_IMAGE2D;
}

/* An image of a buffer or another image: what must fit to what. */
static arg draw_parent(world *w, const object *context, cl_image_desc *desc,
                       cl_image_format *format) {
    bool of_image = desc->image_type == CL_MEM_OBJECT_IMAGE2D && draw(w, 2);
    arg of = pick(w, MEM, context, of_image ? is_plane : is_buffer);
    size_t element = element_bytes(*format);
    desc->mem_object = of.handle;
    if (!of.o) { /* a handle of nothing is the descriptor's fault, none is a faulty 1D buffer */
        fault(w, of.handle || desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER,
              CL_INVALID_IMAGE_DESCRIPTOR);
        return of;
    }
    bool fits = is_buffer(of.o) || (is_plane(of.o) && desc->image_type == CL_MEM_OBJECT_IMAGE2D);
    fault(w, !fits || (context && of.o->context != context), CL_INVALID_IMAGE_DESCRIPTOR);
    if (!fits)
        return of;
    if (is_plane(of.o)) {
        *format = of.o->format;
        desc->image_width = of.o->sizes[0], desc->image_height = of.o->sizes[1];
    } else if (desc->image_type == CL_MEM_OBJECT_IMAGE2D) {
        desc->image_width = pitch_align * (1 + draw(w, 2));
        fault(w, desc->image_width * desc->image_height * element > of.o->size,
              CL_INVALID_IMAGE_DESCRIPTOR);
        may(w, desc->image_width * desc->image_height * element > of.o->size,
            CL_INVALID_IMAGE_SIZE);
    } else {
        fault(w, desc->image_width * element > of.o->size, CL_INVALID_IMAGE_DESCRIPTOR);
        may(w, desc->image_width * element > of.o->size, CL_INVALID_IMAGE_SIZE);
    }
    return of;
}

typedef struct wish {
    arg context, of;
    cl_mem_flags flags;
    cl_image_format format;
    const cl_image_format *format_given;
    cl_image_desc desc;
    void *host;
} wish;

static void draw_format(world *w, wish *i) {
    const formats *list = formats_of(i->desc.image_type);
    i->format = list->list[draw(w, list->count)];
    i->format_given = &i->format;
}

/* After everything that needs to know how large an element is. */
static void spoil_format(world *w, wish *i) {
    bool none = draw(w, 2);
    if (none)
        i->format_given = NULL;
    else
        i->format.image_channel_data_type = 0x7777;
    fault(w, true, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    may(w, !none, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    may(w, true, CL_INVALID_IMAGE_DESCRIPTOR);
}

static void draw_host_pixels(world *w, wish *i) {
    bool wants = i->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    bool given = odd(w) ? !wants : wants;
    fault(w, given != wants, CL_INVALID_HOST_PTR);
    may(w, !given, CL_INVALID_IMAGE_DESCRIPTOR);
    if (given)
        i->host = draw_host(w, HOST_BYTES, i->flags & CL_MEM_USE_HOST_PTR);
    draw_pitches(w, &i->desc, element_bytes(i->format), given && wants);
    may(w, !given && i->desc.image_row_pitch, CL_INVALID_HOST_PTR);
}

static void draw_image(world *w, cl_mem_object_type type, bool may_have_parent, wish *i) {
    memset(i, 0, sizeof(*i));
    i->context = draw_context(w);
    i->desc = draw_desc(w, type);
    draw_format(w, i);
    bool has_parent = type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                      (may_have_parent && type == CL_MEM_OBJECT_IMAGE2D && draw(w, 3) == 0);
    i->flags = draw_mem_flags(w, !has_parent);
    if (has_parent) {
        if (w->valid)
            i->flags = 0;
        i->of = draw_parent(w, i->context.o, &i->desc, &i->format);
        if (i->of.o)
            fault_of_parent_flags(w, i->flags, i->of.o->flags);
        if (i->of.o && odd(w)) {
            i->host = draw_host(w, 0, false);
            fault(w, true, CL_INVALID_HOST_PTR);
        }
    } else {
        draw_host_pixels(w, i);
    }
    if (!i->of.o && has_parent && i->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))
        fault(w, true, CL_INVALID_HOST_PTR);
    if (odd(w))
        spoil_sizes(w, &i->desc);
    if (odd(w))
        spoil_format(w, i);
}

static cl_mem_object_type draw_image_type(world *w) {
    return (cl_mem_object_type)(CL_MEM_OBJECT_IMAGE2D + draw(w, IMAGE_TYPES));
}

static void say_image(world *w, const wish *i) {
    SAY("%s, %#llx, %s {%#x, %#x}, {%#x, %zu x %zu x %zu, %zu of them, %zu, %zu, %u, %u, %s}, %p, "
        "&status",
        name_of(&i->context), (unsigned long long)i->flags, i->format_given ? "" : "NULL",
        i->format.image_channel_order, i->format.image_channel_data_type, i->desc.image_type,
        i->desc.image_width, i->desc.image_height, i->desc.image_depth, i->desc.image_array_size,
        i->desc.image_row_pitch, i->desc.image_slice_pitch, i->desc.num_mip_levels,
        i->desc.num_samples, name_of(&i->of), i->host);
}

static void row_create(world *w, bool with_properties) {
    if (is_full(w, MEM))
        return;
    wish i;
    draw_image(w, draw_image_type(w), true, &i);
    bool no_desc = odd(w), bad_type = odd(w), bad_property = with_properties && odd(w);
    if (bad_type)
        i.desc.image_type = 0x7777;
    else if (odd(w)) {
        i.desc.num_samples = 1;
        fault(w, true, CL_INVALID_IMAGE_DESCRIPTOR);
    }
    const cl_mem_properties list[3] = {bad_property ? 0x7777 : 0, 0, 0};
    fault(w, no_desc || bad_type, CL_INVALID_IMAGE_DESCRIPTOR);
    fault(w, bad_property, CL_INVALID_PROPERTY);
    say_image(w, &i);
    const cl_image_desc *desc = no_desc ? NULL : &i.desc;
    cl_mem made =
        with_properties
            ? cl.clCreateImageWithProperties(i.context.handle, list, i.flags, i.format_given, desc,
                                             i.host, errcode(w))
            : cl.clCreateImage(i.context.handle, i.flags, i.format_given, desc, i.host, errcode(w));
    if (judge_object(w, made))
        made_image(w, made, i.context.o, i.flags, &i.desc, i.format, i.of.o);
}

void row_clCreateImage(world *w) {
    row_create(w, false);
}

void row_clCreateImageWithProperties(world *w) {
    row_create(w, true);
}

/* "CL_INVALID_IMAGE_SIZE" is what bad sizes and pitches were in OpenCL 1.1. */
static void old_codes(world *w) {
    may(w, w->must_fail, CL_INVALID_IMAGE_SIZE);
}

void row_clCreateImage2D(world *w) {
    if (is_full(w, MEM))
        return;
    wish i;
    draw_image(w, CL_MEM_OBJECT_IMAGE2D, false, &i);
    old_codes(w);
    say_image(w, &i);
    cl_mem made =
        cl.clCreateImage2D(i.context.handle, i.flags, i.format_given, i.desc.image_width,
                           i.desc.image_height, i.desc.image_row_pitch, i.host, errcode(w));
    if (judge_object(w, made))
        made_image(w, made, i.context.o, i.flags, &i.desc, i.format, NULL);
}

void row_clCreateImage3D(world *w) {
    if (is_full(w, MEM))
        return;
    wish i;
    draw_image(w, CL_MEM_OBJECT_IMAGE3D, false, &i);
    if (i.desc.image_depth < 2) /* "or if image_depth <= 1" */
        return;
    old_codes(w);
    say_image(w, &i);
    cl_mem made = cl.clCreateImage3D(
        i.context.handle, i.flags, i.format_given, i.desc.image_width, i.desc.image_height,
        i.desc.image_depth, i.desc.image_row_pitch, i.desc.image_slice_pitch, i.host, errcode(w));
    if (judge_object(w, made))
        made_image(w, made, i.context.o, i.flags, &i.desc, i.format, NULL);
}

void row_clGetSupportedImageFormats(world *w) {
    cl_image_format list[256];
    cl_uint entries = odd(w) ? 0 : (cl_uint)(1 + draw(w, 256)), count = 0;
    arg context = draw_context(w);
    cl_mem_flags flags = draw_mem_flags(w, true);
    bool bad_type = odd(w), none = draw(w, 4) == 0;
    fault(w, bad_type || (!none && !entries), CL_INVALID_VALUE);
    SAY("%s, %#llx, %s, %u, %s, &count", name_of(&context), (unsigned long long)flags,
        bad_type ? "0x7777" : "a type", entries, none ? "NULL" : "list");
    judge(w, cl.clGetSupportedImageFormats(context.handle, flags,
                                           bad_type ? 0x7777 : draw_image_type(w), entries,
                                           none ? NULL : list, draw(w, 2) ? &count : NULL));
}
