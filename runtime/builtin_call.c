// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A built-in kernel's function is called once per work-group, through libffi. */

#include "runtime/builtin.h"

#include <ffi.h>

struct weft_builtin_call {
    ffi_cif interface;
    uint32_t count;    /* parameters of the kernel */
    ffi_type *types[]; /* of the function: with the group */
};

static ffi_type *type_of(const weft_arg_info *arg, const char *type) {
    static const struct {
        const char *name;
        ffi_type *type;
    } values[] = {
        {"char", &ffi_type_sint8},    {"uchar", &ffi_type_uint8},  {"short", &ffi_type_sint16},
        {"ushort", &ffi_type_uint16}, {"int", &ffi_type_sint32},   {"uint", &ffi_type_uint32},
        {"long", &ffi_type_sint64},   {"ulong", &ffi_type_uint64}, {"size_t", &ffi_type_uint64},
        {"float", &ffi_type_float},   {"double", &ffi_type_double}};

    for (size_t i = 0; arg->kind == WEFT_ARG_VALUE && i < sizeof(values) / sizeof(values[0]); i++)
        if (strcmp(values[i].name, type) == 0)
            return values[i].type;
    return &ffi_type_pointer;
}

weft_builtin_call *weft_builtin_call_make(const weft_signature *signature, bool has_group) {
    weft_builtin_call *call =
        weft_calloc(1, sizeof(*call) + (signature->count + 1) * sizeof(ffi_type *));
    uint32_t types = 0;

    if (!call)
        return NULL;
    call->count = signature->count;
    if (has_group)
        call->types[types++] = &ffi_type_pointer;
    for (uint32_t i = 0; i < signature->count; i++)
        call->types[types++] =
            type_of(&signature->args[i], signature->text + signature->args[i].type_name);
    /* What a function returns comes in registers, whoever looks at them. */
    if (ffi_prep_cif(&call->interface, FFI_DEFAULT_ABI, types, &ffi_type_void, call->types) ==
        FFI_OK)
        return call;
    weft_free(call);
    return NULL;
}

/* The work-group of a linear number, x fastest. */
static void find_group(const weft_launch *launch, uint64_t number, cl_built_in_group_weft *group) {
    for (int i = 0; i < 3; i++) {
        uint64_t id = number % launch->num_groups[i], first = id * launch->local_size[i];
        uint64_t rest = launch->global_size[i] - first;
        number /= launch->num_groups[i];
        group->group_id[i] = id;
        group->first_item[i] = first + launch->global_offset[i];
        group->local_size[i] = rest < launch->local_size[i] ? rest : launch->local_size[i];
    }
}

static void fill_group(const weft_launch *launch, const weft_builtin *builtin,
                       const weft_worker *worker, cl_built_in_group_weft *group) {
    group->bytes = sizeof(*group);
    group->work_dim = launch->work_dim;
    group->vector_bytes = builtin->vector_bytes;
    for (int i = 0; i < 3; i++) {
        group->global_size[i] = launch->global_size[i];
        group->global_offset[i] = launch->global_offset[i];
        group->num_groups[i] = launch->num_groups[i];
        group->enqueued_size[i] = launch->local_size[i];
    }
    group->local_memory = builtin->info.local_bytes ? worker->local_memory : NULL;
}

void weft_builtin_run(const weft_launch *launch, weft_worker *worker, uint64_t first_group,
                      uint64_t group_count) {
    const weft_builtin *builtin = launch->program_data;
    weft_builtin_call *call = builtin->call;
    unsigned char *block = (unsigned char *)(uintptr_t)launch->args;
    void *values[WEFT_BUILTIN_ARGS + 1], *locals[WEFT_BUILTIN_ARGS];
    cl_built_in_group_weft group;
    const cl_built_in_group_weft *group_address = &group;
    uint32_t count = 0;

    fill_group(launch, builtin, worker, &group);
    if (builtin->has_group)
        values[count++] = &group_address;
    for (uint32_t i = 0; i < call->count; i++) {
        const weft_arg_info *arg = &builtin->code.args[i];
        values[count++] = block + arg->offset;
        if (arg->kind == WEFT_ARG_LOCAL) { /* the block has its place in local memory */
            uint64_t at;
            memcpy(&at, block + arg->offset, sizeof(at));
            locals[i] = (unsigned char *)worker->local_memory + at;
            values[count - 1] = &locals[i];
        }
    }
    for (uint64_t i = 0; i < group_count; i++) {
        find_group(launch, first_group + i, &group);
        ffi_call(&call->interface, builtin->function, NULL, values);
    }
}
