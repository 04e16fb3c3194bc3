// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/device_object.h"

#include "compiler/client/store.h"
#include "runtime/api.h"
#include "runtime/builtin.h"
#include "runtime/check.h"
#include "runtime/device_queue.h"
#include "runtime/il.h"
#include "runtime/image.h"
#include "runtime/log.h"
#include "runtime/uuid.h"
#include "version.h"

#include "weft/extensions.h"
#include "weft/cl_newer.h"

#include <stdio.h>

static void finish_device(weft_object *object) {
    cl_device_id device = (cl_device_id)object;
    if (device->device) {
        weft_kept_images_drop(&device->platform->kept_images, device->device);
        device->ops->destroy(device->device);
    }
    weft_free(device->partition);
}

const weft_class weft_device_class = {"device", CL_INVALID_DEVICE, finish_device, NULL};

/* ---- making it ------------------------------------------------------------------------------- */

static uint32_t perf_kind(const weft_settings *settings) {
    if (!settings->perf)
        return WEFT_PERF_OFF;
    return strcmp(settings->perf, "map") == 0 ? WEFT_PERF_MAP : WEFT_PERF_JITDUMP;
}

static enum weft_shape_choice shape_of(const char *word) {
    static const char *const words[] = {
        [WEFT_SHAPE_FORCE_ROWS] = "rows",     [WEFT_SHAPE_FORCE_LINEAR] = "linear",
        [WEFT_SHAPE_FORCE_NARROW] = "narrow", [WEFT_SHAPE_FORCE_SINGLE] = "single",
        [WEFT_SHAPE_FORCE_TURNED] = "turned", [WEFT_SHAPE_FORCE_LONE] = "lone",
    };

    for (unsigned shape = WEFT_SHAPE_FORCE_ROWS; word && shape <= WEFT_SHAPE_FORCE_LONE; shape++)
        if (strcmp(word, words[shape]) == 0)
            return shape;
    return WEFT_SHAPE_CHOSEN;
}

static weft_device *make_cpu(const weft_platform *platform) {
    const weft_settings *settings = &platform->settings;
    char folder[PATH_MAX];
    weft_cpu_settings ours = {
        .isa = settings->isa,
        .threads = platform->threads,
        .chunk_groups = settings->chunk_groups,
        .shuffle_seed = settings->shuffle_seed,
        .shape = shape_of(settings->shape),
        .pin_threads = settings->pin_threads,
        .no_herald = !settings->herald,
        .printf_immediate = settings->printf_immediate,
        .trace = platform->trace,
        .debugger = settings->debugger,
        .perf = perf_kind(settings),
        .folder = weft_store_folder(settings->disk_cache_folder, folder) ? folder : "",
        .synthetic = settings->topology,
    };
    return weft_cpu_create(&ours);
}

static uint64_t max_of(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t min_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void describe(cl_device_id device) {
    const weft_device_caps *caps = device->caps;
    bool is_30 = device->platform->version >= CL_MAKE_VERSION(3, 0, 0);
    int isa_length = (int)strcspn(caps->isa, "+~"); /* the level alone */

    snprintf(device->name, sizeof(device->name), "%s", caps->name);
    snprintf(device->vendor, sizeof(device->vendor), "%s", caps->maker);
    snprintf(device->version, sizeof(device->version), "%s %.*s", device->platform->version_text,
             isa_length, caps->isa);
    snprintf(device->c_version, sizeof(device->c_version), "OpenCL C %s ", is_30 ? "3.0" : "2.0");
    device->extensions = WEFT_DEVICE_EXTENSION_STRING;
    device->compute_units = (cl_uint)max_of(caps->compute_units, 1);
    device->vendor_id = caps->vendor_id;
    device->cache_line_bytes = caps->cache_line_bytes;
    device->cache_bytes = caps->cache_bytes;
    device->memory_bytes = caps->memory_bytes;
    /* "The minimum value is max (1/4th of CL_DEVICE_GLOBAL_MEM_SIZE, 128*1024*1024)"; twice that
     * because the conformance tests halve it before they compare. */
    device->max_alloc_bytes =
        min_of(max_of(caps->memory_bytes / 4, 256u << 20), max_of(caps->memory_bytes, 1));
    device->local_bytes = caps->local_bytes;
    device->max_group_items = min_of(caps->max_group_items, WEFT_MAX_GROUP_ITEMS);
    device->group_multiple = max_of(caps->vector_bytes / sizeof(cl_float), 1);
    for (int i = 0; i < 3; i++)
        device->max_item_sizes[i] = device->max_group_items;
    static const cl_uint bytes[] = {1, 2, 4, 8, 4, 8, 2};
    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
        device->vector_width[i] = (cl_uint)max_of(caps->vector_bytes / bytes[i], 1);

    device->single_config =
        CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    if (caps->has_fma)
        device->single_config |= CL_FP_FMA;
}

cl_device_id weft_device_wrap(weft_platform *platform, cl_device_id parent, weft_device *inner) {
    const weft_device_ops *ops = parent ? parent->ops : weft_cpu_ops();
    cl_device_id device = inner ? weft_calloc(1, sizeof(*device)) : NULL;
    if (!device) {
        if (inner)
            ops->destroy(inner);
        return NULL;
    }
    device->ops = ops;
    device->device = inner;
    device->caps = ops->caps(inner);
    device->platform = platform;
    device->parent = parent;
    device->index = parent ? parent->index : 0;
    weft_object_init(&device->base, &weft_device_class, parent ? &parent->base : &platform->base);
    describe(device);
    return device;
}

cl_device_id weft_device_create(weft_platform *platform, uint32_t index) {
    cl_device_id device = weft_device_wrap(platform, NULL, make_cpu(platform));
    if (!device)
        return NULL;
    device->index = index;
    device->base.process = 0; /* loaders keep the handle over a fork */
    weft_log(WEFT_LOG_DEVICE, "device %u: %s, %s, %u compute units, %llu MiB", index, device->name,
             device->caps->isa, device->compute_units,
             (unsigned long long)(device->memory_bytes >> 20));
    return device;
}

bool weft_device_renew(cl_device_id device) {
    weft_device *fresh = make_cpu(device->platform);
    if (!fresh)
        return false;
    device->device = fresh; /* the parent's threads are not here to be joined: left alone */
    device->caps = device->ops->caps(fresh);
    return true;
}

/* ---- information ----------------------------------------------------------------------------- */

static cl_device_id as_device(const void *object) {
    return (cl_device_id)(uintptr_t)object;
}

static cl_int get_name(const void *object, weft_info_out *out) {
    weft_info_put_text(out, as_device(object)->name);
    return CL_SUCCESS;
}

/* The device is the processor, so its vendor is who made that, as CL_DEVICE_VENDOR_ID says:
 * libraries that are tuned for makers' processors (CLBlast) look there. The platform's vendor is
 * Weft. */
static cl_int get_vendor(const void *object, weft_info_out *out) {
    weft_info_put_text(out, as_device(object)->vendor);
    return CL_SUCCESS;
}

static cl_int get_version(const void *object, weft_info_out *out) {
    weft_info_put_text(out, as_device(object)->version);
    return CL_SUCCESS;
}

static cl_int get_c_version(const void *object, weft_info_out *out) {
    weft_info_put_text(out, as_device(object)->c_version);
    return CL_SUCCESS;
}

/* "Accelerated if its implementation provides a performance advantage over application-provided
 * code": compiler/norm/packed_dot.cc has code of its own for each at every level of the ISA. */
static cl_int get_dot_properties(const void *object, weft_info_out *out) {
    static const cl_device_integer_dot_product_acceleration_properties_khr all = {
        CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE, CL_TRUE};
    (void)object;
    weft_info_put(out, &all, sizeof(all));
    return CL_SUCCESS;
}

static cl_int get_numeric_version(const void *object, weft_info_out *out) {
    weft_info_put(out, &as_device(object)->platform->version, sizeof(cl_version));
    return CL_SUCCESS;
}

static bool reports_30(const void *object) {
    return as_device(object)->platform->version >= CL_MAKE_VERSION(3, 0, 0);
}

static cl_int get_c_numeric_version(const void *object, weft_info_out *out) {
    cl_version version = reports_30(object) ? CL_MAKE_VERSION(3, 0, 0) : CL_MAKE_VERSION(2, 0, 0);
    weft_info_put(out, &version, sizeof(version));
    return CL_SUCCESS;
}

static cl_int get_c_versions(const void *object, weft_info_out *out) {
    static const cl_name_version list[] = {{CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
                                           {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
                                           {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
                                           {CL_MAKE_VERSION(2, 0, 0), "OpenCL C"},
                                           {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"}};
    weft_info_put(out, list, sizeof(list) - (reports_30(object) ? 0 : sizeof(list[0])));
    return CL_SUCCESS;
}

static cl_int get_clock(const void *object, weft_info_out *out) {
    const struct _cl_device_id *device = object;
    cl_uint mhz = device->ops->clock_mhz(device->device);

    weft_info_put(out, &mhz, sizeof(mhz));
    return CL_SUCCESS;
}

static cl_int get_device_uuid(const void *object, weft_info_out *out) {
    const struct _cl_device_id *device = object;
    cl_uchar uuid[CL_UUID_SIZE_KHR];

    weft_device_uuid(device->name, device->index, uuid);
    weft_info_put(out, uuid, sizeof(uuid));
    return CL_SUCCESS;
}

static cl_int get_driver_uuid(const void *object, weft_info_out *out) {
    cl_uchar uuid[CL_UUID_SIZE_KHR];

    (void)object;
    weft_driver_uuid(uuid);
    weft_info_put(out, uuid, sizeof(uuid));
    return CL_SUCCESS;
}

/** "If CL_DEVICE_LUID_VALID_KHR is CL_FALSE, the returned data is undefined": zeros. */
static cl_int get_luid(const void *object, weft_info_out *out) {
    static const cl_uchar zeros[CL_LUID_SIZE_KHR];

    (void)object;
    weft_info_put(out, zeros, sizeof(zeros));
    return CL_SUCCESS;
}

/** The optional features of OpenCL C 3.0 that exist. */
static cl_int get_c_features(const void *object, weft_info_out *out) {
    static const cl_name_version list[] = {WEFT_C_FEATURES(WEFT_EXTENSION_VERSION_)};
    (void)object;
    weft_info_put(out, list, sizeof(list));
    return CL_SUCCESS;
}

static cl_int get_extensions(const void *object, weft_info_out *out) {
    static const cl_name_version list[] = {WEFT_DEVICE_EXTENSIONS(WEFT_EXTENSION_VERSION_)};
    (void)object;
    weft_info_put(out, list, sizeof(list));
    return CL_SUCCESS;
}

static cl_int get_ils(const void *object, weft_info_out *out) {
    (void)object;
    for (cl_uint minor = 0; *WEFT_IL_VERSION_TEXT && minor <= WEFT_IL_MAX_MINOR; minor++) {
        cl_name_version one = {.version = CL_MAKE_VERSION(1, minor, 0), .name = "SPIR-V"};
        weft_info_put(out, &one, sizeof(one));
    }
    return CL_SUCCESS;
}

/** Kernels that cannot be vectorised have sub-groups of one work-item. */
static cl_int get_max_sub_groups(const void *object, weft_info_out *out) {
    cl_uint count = (cl_uint)((cl_device_id)(uintptr_t)object)->max_group_items;
    weft_info_put(out, &count, sizeof(count));
    return CL_SUCCESS;
}

/** What intel_reqd_sub_group_size takes: as many work-items as vectors can have lanes. */
static cl_int get_sub_group_sizes(const void *object, weft_info_out *out) {
    (void)object;
    for (size_t size = 1; size <= 64; size *= 2)
        weft_info_put(out, &size, sizeof(size));
    return CL_SUCCESS;
}

#define FIELD(param, member)       WEFT_INFO_FIELD(param, struct _cl_device_id, member)
#define UINT(param, value)         WEFT_INFO_CONSTANT(param, cl_uint, value)
#define BOOL(param, value)         WEFT_INFO_CONSTANT(param, cl_bool, value)
#define SIZE(param, value)         WEFT_INFO_CONSTANT(param, size_t, value)
#define VALUE(param, ctype, value) WEFT_INFO_CONSTANT(param, ctype, value)
#define TEXT(param, value)         WEFT_INFO_TEXT(param, value)
#define GETTER(param, function)    WEFT_INFO_GETTER(param, function)
/* All kinds of unified shared memory are the host's memory, which is coherent. */
#define USM_CAPABILITIES                                                                           \
    (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |        \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |                                            \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL)
/* Load, store and exchange are OpenCL C 2.0's; add and subtract, minimum and maximum
 * cl_ext_float_atomics'. */
#define FLOAT_ATOMICS                                                                              \
    (CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |              \
     CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |           \
     CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT)
#ifdef WEFT_HAVE_COMPILER
#define HAVE_COMPILER CL_TRUE
#else
#define HAVE_COMPILER CL_FALSE
#endif

static cl_int get_builtins(const void *object, weft_info_out *out) {
    const weft_builtin *first = weft_builtin_first(((cl_device_id)(uintptr_t)object)->platform);
    for (const weft_builtin *builtin = first; builtin; builtin = weft_builtin_next(builtin)) {
        if (builtin != first)
            weft_info_put(out, ";", 1);
        weft_info_put(out, builtin->code.name, strlen(builtin->code.name));
    }
    weft_info_put(out, "", 1);
    return CL_SUCCESS;
}

static cl_int get_builtin_versions(const void *object, weft_info_out *out) {
    const weft_builtin *first = weft_builtin_first(((cl_device_id)(uintptr_t)object)->platform);
    for (const weft_builtin *builtin = first; builtin; builtin = weft_builtin_next(builtin)) {
        cl_name_version entry = {.version = builtin->version};
        memcpy(entry.name, builtin->code.name, strlen(builtin->code.name)); /* checked: it fits */
        weft_info_put(out, &entry, sizeof(entry));
    }
    return CL_SUCCESS;
}

static const weft_info_row device_rows[] = {
    /* identity */
    VALUE(CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_CPU),
    FIELD(CL_DEVICE_VENDOR_ID, vendor_id),
    GETTER(CL_DEVICE_NAME, get_name),
    GETTER(CL_DEVICE_VENDOR, get_vendor),
    TEXT(CL_DRIVER_VERSION, WEFT_VERSION),
    TEXT(CL_DEVICE_PROFILE, "FULL_PROFILE"),
    GETTER(CL_DEVICE_VERSION, get_version),
    GETTER(CL_DEVICE_NUMERIC_VERSION, get_numeric_version),
    GETTER(CL_DEVICE_OPENCL_C_VERSION, get_c_version),
    GETTER(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, get_c_numeric_version),
    GETTER(CL_DEVICE_OPENCL_C_ALL_VERSIONS, get_c_versions),
    GETTER(CL_DEVICE_OPENCL_C_FEATURES, get_c_features),
    WEFT_INFO_STRING(CL_DEVICE_EXTENSIONS, struct _cl_device_id, extensions),
    GETTER(CL_DEVICE_EXTENSIONS_WITH_VERSION, get_extensions),
    TEXT(CL_DEVICE_IL_VERSION, WEFT_IL_VERSION_TEXT),
    GETTER(CL_DEVICE_ILS_WITH_VERSION, get_ils),
    GETTER(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, weft_device_get_spirv_sets),
    GETTER(CL_DEVICE_SPIRV_EXTENSIONS_KHR, weft_device_get_spirv_extensions),
    GETTER(CL_DEVICE_SPIRV_CAPABILITIES_KHR, weft_device_get_spirv_capabilities),
    GETTER(CL_DEVICE_BUILT_IN_KERNELS, get_builtins),
    GETTER(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, get_builtin_versions),
    TEXT(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"),
    FIELD(CL_DEVICE_PLATFORM, platform),
    GETTER(CL_DEVICE_UUID_KHR, get_device_uuid),
    GETTER(CL_DRIVER_UUID_KHR, get_driver_uuid),
    BOOL(CL_DEVICE_LUID_VALID_KHR, CL_FALSE),
    GETTER(CL_DEVICE_LUID_KHR, get_luid),
    UINT(CL_DEVICE_NODE_MASK_KHR, 0),
    GETTER(CL_DEVICE_REFERENCE_COUNT, weft_sub_device_get_references),
    BOOL(CL_DEVICE_AVAILABLE, CL_TRUE),
    BOOL(CL_DEVICE_COMPILER_AVAILABLE, HAVE_COMPILER),
    BOOL(CL_DEVICE_LINKER_AVAILABLE, HAVE_COMPILER),

    /* work */
    FIELD(CL_DEVICE_MAX_COMPUTE_UNITS, compute_units),
    UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    FIELD(CL_DEVICE_MAX_WORK_ITEM_SIZES, max_item_sizes),
    FIELD(CL_DEVICE_MAX_WORK_GROUP_SIZE, max_group_items),
    FIELD(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, group_multiple),
    BOOL(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_TRUE),
    BOOL(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_TRUE),
    GETTER(CL_DEVICE_MAX_NUM_SUB_GROUPS, get_max_sub_groups),
    GETTER(CL_DEVICE_SUB_GROUP_SIZES_INTEL, get_sub_group_sizes),
    BOOL(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_FALSE),
    GETTER(CL_DEVICE_MAX_CLOCK_FREQUENCY, get_clock),
    UINT(CL_DEVICE_ADDRESS_BITS, 64),
    BOOL(CL_DEVICE_ENDIAN_LITTLE, CL_TRUE),
    VALUE(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities,
          CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL),
    SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1),
    SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20),

    /* Kernels are vectorised across work-items: scalars are what serves the CPU best. */
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 1),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, vector_width[0]),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, vector_width[1]),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, vector_width[2]),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, vector_width[3]),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, vector_width[4]),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, vector_width[5]),
    FIELD(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, vector_width[6]),
    FIELD(CL_DEVICE_SINGLE_FP_CONFIG, single_config),
    VALUE(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config,
          CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF |
              CL_FP_INF_NAN | CL_FP_DENORM),
    /* On processors without half arithmetic, too: compiler/norm/half.cc. */
    VALUE(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config,
          CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM),

    VALUE(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, cl_device_fp_atomic_capabilities_ext,
          FLOAT_ATOMICS),
    VALUE(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, cl_device_fp_atomic_capabilities_ext,
          FLOAT_ATOMICS),
    VALUE(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, cl_device_fp_atomic_capabilities_ext, 0),
    VALUE(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
          cl_device_integer_dot_product_capabilities_khr,
          CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
              CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
    GETTER(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, get_dot_properties),
    GETTER(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
           get_dot_properties),

    /* memory */
    FIELD(CL_DEVICE_GLOBAL_MEM_SIZE, memory_bytes),
    FIELD(CL_DEVICE_MAX_MEM_ALLOC_SIZE, max_alloc_bytes),
    VALUE(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, CL_READ_WRITE_CACHE),
    FIELD(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cache_line_bytes),
    FIELD(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache_bytes),
    VALUE(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 128 << 10),
    UINT(CL_DEVICE_MAX_CONSTANT_ARGS, 64),
    VALUE(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, CL_GLOBAL),
    FIELD(CL_DEVICE_LOCAL_MEM_SIZE, local_bytes),
    SIZE(CL_DEVICE_MAX_PARAMETER_SIZE, WEFT_PARAMETER_BYTES),
    UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, WEFT_BASE_ALIGN * 8),
    UINT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, WEFT_BASE_ALIGN),
    BOOL(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    BOOL(CL_DEVICE_HOST_UNIFIED_MEMORY, CL_TRUE),
    /* The block of a program's variables is ordinary memory: any size would do. */
    SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 16u << 20),
    SIZE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 64u << 20),
    BOOL(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_TRUE),
    VALUE(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities,
          CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
              CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS),
    VALUE(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, cl_bitfield, USM_CAPABILITIES),
    VALUE(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, cl_bitfield, USM_CAPABILITIES),
    VALUE(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cl_bitfield, USM_CAPABILITIES),
    VALUE(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, cl_bitfield, USM_CAPABILITIES),
    VALUE(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, cl_bitfield, USM_CAPABILITIES),
    UINT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0),
    VALUE(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities,
          CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
              CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
              CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES),
    VALUE(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities,
          CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
              CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
              CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
              CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES),

    /* queues */
    VALUE(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    VALUE(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, WEFT_DEVICE_QUEUE_PREFERRED),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, WEFT_DEVICE_QUEUE_MAX),
    UINT(CL_DEVICE_MAX_ON_DEVICE_QUEUES, CL_UINT_MAX), /* as many as memory holds */
    UINT(CL_DEVICE_MAX_ON_DEVICE_EVENTS, WEFT_MAX_EVENTS),
    VALUE(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities,
          CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT),
    BOOL(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE),

    /* images */
    BOOL(CL_DEVICE_IMAGE_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS, WEFT_IMAGE_READ_ARGS),
    UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, WEFT_IMAGE_WRITE_ARGS),
    UINT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, WEFT_IMAGE_WRITE_ARGS),
    SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH, WEFT_IMAGE_WIDTH),
    SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, WEFT_IMAGE_WIDTH),
    SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH, WEFT_IMAGE_3D),
    SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, WEFT_IMAGE_3D),
    SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH, WEFT_IMAGE_3D),
    SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, WEFT_IMAGE_BUFFER),
    SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, WEFT_IMAGE_ARRAY),
    UINT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, WEFT_IMAGE_PITCH_PIXELS),
    UINT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, WEFT_IMAGE_PITCH_PIXELS),
    UINT(CL_DEVICE_MAX_SAMPLERS, WEFT_IMAGE_SAMPLERS),

    /* pipes */
    BOOL(CL_DEVICE_PIPE_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_MAX_PIPE_ARGS, 16),
    UINT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 1024),
    UINT(CL_DEVICE_PIPE_MAX_PACKET_SIZE, WEFT_PIPE_PACKET_BYTES),

    /* sub-devices */
    FIELD(CL_DEVICE_PARENT_DEVICE, parent),
    FIELD(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, compute_units),
    GETTER(CL_DEVICE_PARTITION_PROPERTIES, weft_sub_device_get_properties),
    GETTER(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, weft_sub_device_get_domains),
    GETTER(CL_DEVICE_PARTITION_TYPE, weft_sub_device_get_type),
};

/* ---- API ------------------------------------------------------------------------------------- */

static cl_int check_clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                   cl_uint num_entries, const cl_device_id *devices,
                                   const cl_uint *num_devices) {
    const cl_device_type known = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM |
                                 CL_DEVICE_TYPE_DEFAULT;
    WEFT_CHECK_PLATFORM(platform);
    WEFT_CHECK(NULL, device_type == CL_DEVICE_TYPE_ALL || (device_type && !(device_type & ~known)),
               CL_INVALID_DEVICE_TYPE, "if device_type is not a valid value");
    WEFT_CHECK(NULL, !devices || num_entries > 0, CL_INVALID_VALUE,
               "if num_entries is equal to zero and devices is not NULL");
    WEFT_CHECK(NULL, devices || num_devices, CL_INVALID_VALUE,
               "if both num_devices and devices are NULL");
    /* CL_DEVICE_TYPE_ALL has the CPU's bit too. */
    WEFT_CHECK(NULL, device_type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT),
               CL_DEVICE_NOT_FOUND, "if no OpenCL devices that matched device_type were found");
    return CL_SUCCESS;
}

cl_int weft_clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                           cl_device_id *devices, cl_uint *num_devices) {
    if (!platform) /* "the behavior is implementation-defined" */
        platform = weft_platform_current();
    WEFT_TRY(check_clGetDeviceIDs(platform, device_type, num_entries, devices, num_devices));
    WEFT_TRY(weft_platform_refresh(platform));

    cl_uint count = platform->device_count;
    if (!(device_type & CL_DEVICE_TYPE_CPU))
        count = 1; /* the default device */
    for (cl_uint i = 0; devices && i < count && i < num_entries; i++)
        devices[i] = platform->devices[i];
    if (num_devices)
        *num_devices = count;
    return CL_SUCCESS;
}

cl_int weft_clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret) {
    WEFT_CHECK_DEVICE(device);
    return WEFT_INFO_GET(NULL, device_rows, device, param_name, param_value_size, param_value,
                         param_value_size_ret);
}
