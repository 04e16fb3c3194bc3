// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The extensions that exist, once: strings, arrays with versions and what the compiler is told. */
#ifndef WEFT_EXTENSIONS_H
#define WEFT_EXTENSIONS_H

/* X(name, major, minor, patch) */

/** Platform only. */
#define WEFT_PLATFORM_EXTENSIONS(X)                                                                \
    X("cl_khr_icd", 1, 0, 0)                                                                       \
    X("cl_weft_built_in_kernels", 1, 0, 0) X("cl_weft_untrusted_source", 1, 0, 0)

/** What comes with SPIR-V input (meson option spirv). */
#ifdef WEFT_HAS_SPIRV
#define WEFT_IL_EXTENSIONS(X)                                                                      \
    X("cl_khr_il_program", 1, 0, 0)                                                                \
    X("cl_khr_spirv_no_integer_wrap_decoration", 1, 0, 0)                                          \
    X("cl_khr_spirv_linkonce_odr", 1, 0, 0)                                                        \
    X("cl_khr_expect_assume", 1, 0, 0)                                                             \
    X("cl_khr_spirv_queries", 1, 0, 0)
#else
#define WEFT_IL_EXTENSIONS(X)
#endif

/** Of every device, so of the platform too: "Each extension that is supported by all devices
 *  associated with this platform must be reported here" (CL_PLATFORM_EXTENSIONS). */
#define WEFT_DEVICE_EXTENSIONS(X)                                                                  \
    WEFT_IL_EXTENSIONS(X)                                                                          \
    X("cl_khr_extended_versioning", 1, 0, 0)                                                       \
    X("cl_khr_device_uuid", 1, 0, 0)                                                               \
    X("cl_khr_create_command_queue", 1, 0, 0)                                                      \
    X("cl_khr_priority_hints", 1, 0, 0)                                                            \
    X("cl_khr_throttle_hints", 1, 0, 0)                                                            \
    X("cl_khr_suggested_local_work_size", 1, 0, 0)                                                 \
    X("cl_khr_byte_addressable_store", 1, 0, 0)                                                    \
    X("cl_khr_global_int32_base_atomics", 1, 0, 0)                                                 \
    X("cl_khr_global_int32_extended_atomics", 1, 0, 0)                                             \
    X("cl_khr_local_int32_base_atomics", 1, 0, 0)                                                  \
    X("cl_khr_local_int32_extended_atomics", 1, 0, 0)                                              \
    X("cl_khr_int64_base_atomics", 1, 0, 0)                                                        \
    X("cl_khr_int64_extended_atomics", 1, 0, 0)                                                    \
    X("cl_khr_extended_bit_ops", 1, 0, 0)                                                          \
    X("cl_khr_extended_async_copies", 1, 0, 0)                                                     \
    X("cl_khr_integer_dot_product", 2, 0, 0)                                                       \
    X("cl_khr_fp16", 1, 0, 0)                                                                      \
    X("cl_khr_fp64", 1, 0, 0)                                                                      \
    X("cl_khr_3d_image_writes", 1, 0, 0)                                                           \
    X("cl_khr_depth_images", 1, 0, 0)                                                              \
    X("cl_khr_image2d_from_buffer", 1, 0, 0)                                                       \
    X("cl_khr_subgroup_extended_types", 1, 0, 0)                                                   \
    X("cl_khr_subgroup_non_uniform_vote", 1, 0, 0)                                                 \
    X("cl_khr_subgroup_ballot", 1, 0, 0)                                                           \
    X("cl_khr_subgroup_non_uniform_arithmetic", 1, 0, 0)                                           \
    X("cl_khr_subgroup_shuffle", 1, 0, 0)                                                          \
    X("cl_khr_subgroup_shuffle_relative", 1, 0, 0)                                                 \
    X("cl_khr_subgroup_clustered_reduce", 1, 0, 0)                                                 \
    X("cl_khr_subgroup_rotate", 1, 0, 0)                                                           \
    X("cl_khr_work_group_uniform_arithmetic", 1, 0, 0)                                             \
    X("cl_ext_float_atomics", 1, 0, 0)                                                             \
    X("cl_intel_required_subgroup_size", 1, 0, 0)                                                  \
    X("cl_intel_unified_shared_memory", 1, 2, 0)

/** Optional features of OpenCL C 3.0, most of them parts of 2.0: append yours when it works. The
 * compiler has those that it needs no telling of (source.cc) in any case. */
#define WEFT_C_FEATURES(X)                                                                         \
    X("__opencl_c_atomic_order_acq_rel", 3, 0, 0)                                                  \
    X("__opencl_c_atomic_order_seq_cst", 3, 0, 0)                                                  \
    X("__opencl_c_atomic_scope_device", 3, 0, 0)                                                   \
    X("__opencl_c_atomic_scope_all_devices", 3, 0, 0)                                              \
    X("__opencl_c_fp64", 3, 0, 0)                                                                  \
    X("__opencl_c_generic_address_space", 3, 0, 0)                                                 \
    X("__opencl_c_images", 3, 0, 0)                                                                \
    X("__opencl_c_read_write_images", 3, 0, 0)                                                     \
    X("__opencl_c_3d_image_writes", 3, 0, 0)                                                       \
    X("__opencl_c_pipes", 3, 0, 0)                                                                 \
    X("__opencl_c_device_enqueue", 3, 0, 0)                                                        \
    X("__opencl_c_integer_dot_product_input_4x8bit", 3, 0, 0)                                      \
    X("__opencl_c_integer_dot_product_input_4x8bit_packed", 3, 0, 0)                               \
    X("__opencl_c_ext_fp32_global_atomic_add", 3, 0, 0)                                            \
    X("__opencl_c_ext_fp32_global_atomic_min_max", 3, 0, 0)                                        \
    X("__opencl_c_ext_fp32_local_atomic_add", 3, 0, 0)                                             \
    X("__opencl_c_ext_fp32_local_atomic_min_max", 3, 0, 0)                                         \
    X("__opencl_c_ext_fp64_global_atomic_add", 3, 0, 0)                                            \
    X("__opencl_c_ext_fp64_global_atomic_min_max", 3, 0, 0)                                        \
    X("__opencl_c_ext_fp64_local_atomic_add", 3, 0, 0)                                             \
    X("__opencl_c_ext_fp64_local_atomic_min_max", 3, 0, 0)                                         \
    X("__opencl_c_int64", 3, 0, 0)                                                                 \
    X("__opencl_c_subgroups", 3, 0, 0)                                                             \
    X("__opencl_c_program_scope_global_variables", 3, 0, 0)                                        \
    X("__opencl_c_work_group_collective_functions", 3, 0, 0)

#define WEFT_EXTENSION_WORD_(name, major, minor, patch) name " "
#define WEFT_EXTENSION_VERSION_(name, major, minor, patch)                                         \
    {CL_MAKE_VERSION(major, minor, patch), name},

/* The strings end in a space, which the specification allows ("space separated list"). */
#define WEFT_DEVICE_EXTENSION_STRING WEFT_DEVICE_EXTENSIONS(WEFT_EXTENSION_WORD_)
#define WEFT_PLATFORM_EXTENSION_STRING                                                             \
    WEFT_PLATFORM_EXTENSIONS(WEFT_EXTENSION_WORD_) WEFT_DEVICE_EXTENSION_STRING

/** What the compiler is told: the extensions, and the features of the language that exist. */
#define WEFT_JOB_EXTENSIONS WEFT_DEVICE_EXTENSION_STRING WEFT_C_FEATURES(WEFT_EXTENSION_WORD_)

#endif
