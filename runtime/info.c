// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/info.h"

#include "runtime/check.h"
#include "runtime/object.h"

#include <string.h>

void weft_info_put(weft_info_out *out, const void *data, size_t bytes) {
    if (bytes && out->value && out->bytes + bytes <= out->room)
        memcpy(out->value + out->bytes, data, bytes);
    out->bytes += bytes;
}

void weft_info_put_text(weft_info_out *out, const char *text) {
    if (!text)
        text = "";
    weft_info_put(out, text, strlen(text) + 1);
}

cl_int weft_info_references(const void *object, weft_info_out *out) {
    cl_uint count = atomic_load(&((const weft_object *)object)->application);
    weft_info_put(out, &count, sizeof(count));
    return CL_SUCCESS;
}

static cl_int answer(const weft_info_row *row, const void *object, weft_info_out *out) {
    switch (row->kind) {
    case WEFT_INFO_IS_FIELD:
        weft_info_put(out, (const unsigned char *)object + row->at, row->size);
        break;
    case WEFT_INFO_IS_STRING: {
        const char *text;
        memcpy(&text, (const unsigned char *)object + row->at, sizeof(text));
        weft_info_put_text(out, text);
        break;
    }
    case WEFT_INFO_IS_CONSTANT:
        /* Little-endian: the low bytes come first. */
        weft_info_put(out, &row->constant, row->size);
        break;
    case WEFT_INFO_IS_TEXT:
        weft_info_put_text(out, row->text);
        break;
    case WEFT_INFO_IS_GETTER:
        return row->getter(object, out);
    }
    return CL_SUCCESS;
}

static const weft_info_row *find(const weft_info_row *rows, size_t count, cl_uint name) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].name == name)
            return &rows[i];
    return NULL;
}

cl_int weft_info_get(cl_context context, const weft_info_row *rows, size_t row_count,
                     const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
    const weft_info_row *row = find(rows, row_count, name);
    WEFT_CHECK(context, row, CL_INVALID_VALUE, "if param_name is not one of the supported values");

    weft_info_out out = {.room = size, .value = value};
    WEFT_TRY(answer(row, object, &out));
    WEFT_CHECK(context, !value || size >= out.bytes, CL_INVALID_VALUE,
               "if size in bytes specified by param_value_size is < size of return type and "
               "param_value is not NULL");
    if (size_ret)
        *size_ret = out.bytes;
    return CL_SUCCESS;
}
