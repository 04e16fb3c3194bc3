// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The list of built-in kernels: Weft's own, plug-ins', applications'. */

#include "runtime/builtin.h"

#include "runtime/check.h"
#include "runtime/device_object.h"
#include "runtime/log.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

static const char PLUGIN_SYMBOL[] = "weft_built_in_kernels";

const weft_builtin *weft_builtin_first(const weft_platform *platform) {
    return atomic_load_explicit(&platform->builtins, memory_order_acquire);
}

const weft_builtin *weft_builtin_next(const weft_builtin *builtin) {
    return atomic_load_explicit(&builtin->next, memory_order_acquire);
}

const weft_builtin *weft_builtin_find(const weft_platform *platform, const char *name,
                                      size_t length) {
    const weft_builtin *builtin = weft_builtin_first(platform);

    while (builtin &&
           (strlen(builtin->code.name) != length || memcmp(builtin->code.name, name, length) != 0))
        builtin = weft_builtin_next(builtin);
    return builtin;
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static void destroy(weft_builtin *builtin) {
    while (builtin) {
        weft_builtin *next = atomic_load_explicit(&builtin->next, memory_order_relaxed);
        weft_free(builtin->call);
        weft_free(builtin->table);
        weft_free(builtin);
        builtin = next;
    }
}

/* Header, arguments, texts, name: one block, as in a compiled image. False: out of memory. */
static bool make_table(weft_builtin *builtin, const weft_signature *signature, const char *name) {
    size_t args_at = sizeof(weft_image_info);
    size_t text_at = args_at + signature->count * sizeof(weft_arg_info);
    size_t name_at = text_at + signature->text_bytes;
    unsigned char *table = weft_calloc(1, name_at + strlen(name) + 1);
    weft_arg_info *args = (weft_arg_info *)(void *)(table + args_at);

    if (!table)
        return false;
    memcpy(args, signature->args, signature->count * sizeof(*args));
    memcpy(table + text_at, signature->text, signature->text_bytes);
    strcpy((char *)table + name_at, name);
    for (uint32_t i = 0; i < signature->count; i++) {
        args[i].name += (uint32_t)text_at;
        args[i].type_name += (uint32_t)text_at;
    }
    builtin->table = (weft_image_info *)(void *)table;
    builtin->code.args = args;
    builtin->code.name = (const char *)table + name_at;
    return true;
}

static weft_builtin *make(const weft_platform *platform, const cl_built_in_kernel_weft *kernel,
                          const weft_signature *signature, bool is_own) {
    const weft_device_caps *caps = platform->devices[0]->caps;
    weft_builtin *builtin = weft_calloc(1, sizeof(*builtin));

    if (!builtin || !make_table(builtin, signature, kernel->name) ||
        !(builtin->call =
              weft_builtin_call_make(signature, kernel->flags & CL_BUILT_IN_KERNEL_GROUP_WEFT))) {
        destroy(builtin);
        return NULL;
    }
    builtin->version = kernel->version;
    builtin->has_group = kernel->flags & CL_BUILT_IN_KERNEL_GROUP_WEFT;
    builtin->function = kernel->function;
    builtin->info = (weft_kernel_info){.arg_count = signature->count,
                                       .args_bytes = signature->block_bytes,
                                       .width = 1,
                                       .local_bytes = kernel->local_bytes};
    for (int i = 0; i < 3; i++)
        builtin->info.local_size_hint[i] = kernel->local_size[i];
    builtin->vector_bytes = caps->has_fma ? caps->vector_bytes : 16;
    builtin->code.foreign = !is_own;
    builtin->code.info = &builtin->info;
    builtin->code.entry[WEFT_SHAPE_ROWS] = weft_builtin_run;
    return builtin;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void explain(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void explain(char *why, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, WEFT_BUILTIN_WHY, format, arguments);
    va_end(arguments);
}

static cl_int check_name(const weft_platform *platform, const cl_built_in_plugin_weft *plugin,
                         cl_uint index, char *why) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";
    const char *name = plugin->kernels[index].name;
    bool taken;

    if (!name || !*name || name[strspn(name, letters)] ||
        strlen(name) >= CL_NAME_VERSION_MAX_NAME_SIZE) {
        explain(why, "kernel %u: the name \"%.70s\" is not 1 to %d letters, digits, '_' and '.'",
                index, name ? name : "", CL_NAME_VERSION_MAX_NAME_SIZE - 1);
        return CL_INVALID_KERNEL_NAME;
    }
    taken = weft_builtin_find(platform, name, strlen(name)) != NULL;
    for (cl_uint i = 0; i < index; i++)
        taken = taken || strcmp(plugin->kernels[i].name, name) == 0;
    if (taken) {
        explain(why, "kernel %u: there is a built-in kernel of the name \"%s\" already", index,
                name);
        return CL_INVALID_KERNEL_NAME;
    }
    return CL_SUCCESS;
}

/* What every device has at least: cpu.c's constants, through the first device. */
static cl_int check_sizes(const weft_platform *platform, const cl_built_in_kernel_weft *kernel,
                          char *why) {
    const weft_device_caps *caps = platform->devices[0]->caps;
    size_t items = 1, given = 0;

    for (int i = 0; i < 3; i++) {
        given += kernel->local_size[i] != 0;
        if (kernel->local_size[i] > caps->max_group_items)
            items = SIZE_MAX;
        else if (items != SIZE_MAX)
            items *= kernel->local_size[i];
    }
    if (given && (given < 3 || items > caps->max_group_items)) {
        explain(why, "kernel \"%s\": the local size is neither 0 0 0 nor 1 to %llu work-items",
                kernel->name, (unsigned long long)caps->max_group_items);
        return CL_INVALID_KERNEL_DEFINITION;
    }
    if (kernel->local_bytes > caps->local_bytes) {
        explain(why, "kernel \"%s\": %zu bytes of local memory are more than the device's %llu",
                kernel->name, kernel->local_bytes, (unsigned long long)caps->local_bytes);
        return CL_INVALID_KERNEL_DEFINITION;
    }
    return CL_SUCCESS;
}

static cl_int check_kernel(const weft_platform *platform, const cl_built_in_plugin_weft *plugin,
                           cl_uint index, weft_signature *signature, char *why) {
    const cl_built_in_kernel_weft *kernel = &plugin->kernels[index];
    char reason[WEFT_BUILTIN_REASON] = "";

    WEFT_TRY(check_name(platform, plugin, index, why));
    if (kernel->flags & ~(cl_bitfield)CL_BUILT_IN_KERNEL_GROUP_WEFT) {
        explain(why, "kernel \"%s\": a flag is set that this version of Weft does not know",
                kernel->name);
        return CL_INVALID_VALUE;
    }
    if (!kernel->function || !kernel->signature) {
        explain(why, "kernel \"%s\" has no function or no signature", kernel->name);
        return CL_INVALID_KERNEL_DEFINITION;
    }
    if (!weft_signature_read(kernel->signature, signature, reason)) {
        explain(why, "kernel \"%s\": %s", kernel->name, reason);
        return CL_INVALID_KERNEL_DEFINITION;
    }
    return check_sizes(platform, kernel, why);
}

static cl_int check_plugin(const cl_built_in_plugin_weft *plugin, char *why) {
    if (!plugin || (plugin->kernel_count && !plugin->kernels)) {
        explain(why, "the table of kernels is NULL");
        return CL_INVALID_VALUE;
    }
    if (plugin->abi != CL_BUILT_IN_KERNEL_ABI_WEFT ||
        plugin->kernel_bytes != sizeof(cl_built_in_kernel_weft)) {
        explain(why,
                "the table is of version %u with %u bytes per kernel; this is version %d with %zu",
                plugin->abi, plugin->kernel_bytes, CL_BUILT_IN_KERNEL_ABI_WEFT,
                sizeof(cl_built_in_kernel_weft));
        return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}

/* ---- registering ----------------------------------------------------------------------------- */

/* Checks all, makes all, then links them: all or none. The platform's lock is held. */
static cl_int register_all(weft_platform *platform, const cl_built_in_plugin_weft *plugin,
                           char *why) {
    weft_builtin *first = NULL, *last = NULL;
    weft_signature *signature;
    cl_int status = check_plugin(plugin, why);

    if (status != CL_SUCCESS)
        return status;
    signature = weft_malloc(sizeof(*signature)); /* large for a small stack */
    if (!signature)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < plugin->kernel_count && status == CL_SUCCESS; i++) {
        weft_builtin *one = NULL;
        status = check_kernel(platform, plugin, i, signature, why);
        if (status == CL_SUCCESS &&
            !(one = make(platform, &plugin->kernels[i], signature, plugin == &weft_own_kernels)))
            status = CL_OUT_OF_HOST_MEMORY;
        if (!one)
            break;
        if (last)
            atomic_init(&last->next, one);
        else
            first = one;
        last = one;
    }
    weft_free(signature);
    if (status != CL_SUCCESS) {
        destroy(first);
        return status;
    }
    _Atomic(weft_builtin *) *end = &platform->builtins;
    while (atomic_load_explicit(end, memory_order_relaxed))
        end = &atomic_load_explicit(end, memory_order_relaxed)->next;
    atomic_store_explicit(end, first, memory_order_release);
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clRegisterBuiltInKernelsWEFT(cl_platform_id platform,
                                                     const cl_built_in_plugin_weft *plugin,
                                                     size_t why_size, char *why) {
    char sentence[WEFT_BUILTIN_WHY] = "out of memory";
    cl_int status;

    WEFT_CHECK_PLATFORM(platform);
    WEFT_TRY(weft_platform_refresh(platform)); /* devices, and names that plug-ins have taken */
    pthread_mutex_lock(&platform->lock);
    status = register_all(platform, plugin, sentence);
    pthread_mutex_unlock(&platform->lock);
    if (why && why_size)
        snprintf(why, why_size, "%s", status == CL_SUCCESS ? "" : sentence);
    return status == CL_SUCCESS ? CL_SUCCESS : weft_fail(NULL, __func__, status, sentence);
}

/* ---- plug-ins -------------------------------------------------------------------------------- */

/* What WEFT_BUILTIN_KERNELS names, in its order, with what was found there. */
struct weft_builtin_plugins {
    uint32_t count;
    char *paths; /* of the setting, each ended by 0 */
    struct {
        const char *path;
        const cl_built_in_plugin_weft *table; /* NULL: `why` says why */
        char why[WEFT_BUILTIN_WHY];
    } list[];
};

static const cl_built_in_plugin_weft *open_plugin(const char *path, char *why) {
    /* Its functions are called as long as the process lives. */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const cl_built_in_plugin_weft *table = library ? dlsym(library, PLUGIN_SYMBOL) : NULL;

    if (!table) {
        const char *reason = dlerror();
        explain(why, "%s", reason ? reason : "it does not define weft_built_in_kernels");
        if (library)
            dlclose(library);
    }
    return table;
}

/* This thread is loading plug-ins, one of which asks OpenCL when it starts: its table may not be
 * ready yet, and whoever loads it registers it afterwards. */
static _Thread_local bool opening __attribute__((tls_model("initial-exec")));

weft_builtin_plugins *weft_builtin_open(const weft_platform *platform) {
    const char *setting = opening ? NULL : platform->settings.builtin_kernels;
    weft_builtin_plugins *plugins;
    size_t most = 1, length = setting ? strlen(setting) : 0;
    char *rest, *path;

    for (size_t i = 0; i < length; i++)
        most += setting[i] == ':';
    if (!length || !(plugins = weft_calloc(1, sizeof(*plugins) + most * sizeof(plugins->list[0]) +
                                                  length + 1)))
        return NULL; /* as if they could not be loaded */
    plugins->paths = (char *)&plugins->list[most];
    memcpy(plugins->paths, setting, length);
    opening = true;
    for (path = strtok_r(plugins->paths, ":", &rest); path; path = strtok_r(NULL, ":", &rest)) {
        uint32_t i = plugins->count++;
        plugins->list[i].path = path;
        plugins->list[i].table = open_plugin(path, plugins->list[i].why);
    }
    opening = false;
    return plugins;
}

bool weft_builtin_start(weft_platform *platform) {
    char why[WEFT_BUILTIN_WHY];

    return weft_builtin_first(platform) || /* an earlier call failed after this */
           register_all(platform, &weft_own_kernels, why) == CL_SUCCESS;
}

void weft_builtin_register(weft_platform *platform, const weft_builtin_plugins *plugins) {
    char why[WEFT_BUILTIN_WHY];

    if (!plugins || platform->has_plugins)
        return; /* there are none, or another thread was first */
    platform->has_plugins = true;
    for (uint32_t i = 0; i < plugins->count; i++) {
        snprintf(why, sizeof(why), "%s",
                 plugins->list[i].table ? "out of memory" : plugins->list[i].why);
        if (!plugins->list[i].table ||
            register_all(platform, plugins->list[i].table, why) != CL_SUCCESS)
            weft_log(WEFT_LOG_SETTINGS, "WEFT_BUILTIN_KERNELS: %s is ignored: %s",
                     plugins->list[i].path, why);
    }
}
