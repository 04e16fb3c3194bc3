// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_device_id: a device as the application sees it; the work is done behind `ops`. */
#ifndef WEFT_DEVICE_OBJECT_H
#define WEFT_DEVICE_OBJECT_H

#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/platform.h"
#include "weft/device.h"

struct _cl_device_id {
    weft_object base;
    weft_platform *platform;
    cl_device_id parent; /* of a sub-device (strong, through base.parent); NULL: a root device */
    uint32_t index;      /* in platform->devices; a sub-device's: its root device's */
    const weft_device_ops *ops;
    weft_device *device;
    const weft_device_caps *caps;

    /* Answers that depend on the machine. */
    char name[128], vendor[16], version[160], c_version[32];
    const char *extensions; /* space separated */
    cl_uint compute_units, vendor_id, cache_line_bytes;
    cl_ulong memory_bytes, max_alloc_bytes, cache_bytes, local_bytes;
    size_t max_group_items, max_item_sizes[3], group_multiple;
    cl_device_fp_config single_config;
    cl_uint vector_width[7]; /* char short int long float double half */

    cl_device_partition_property *partition; /* CL_DEVICE_PARTITION_TYPE, with the 0; NULL: none */
    size_t partition_bytes;
};

/** Makes device number `index` of the platform. NULL: out of memory. */
cl_device_id weft_device_create(weft_platform *platform, uint32_t index);
/** Makes the object for a device that `parent->ops` made, which it takes over even if it fails.
 *  NULL: out of memory, or `device` is NULL. */
cl_device_id weft_device_wrap(weft_platform *platform, cl_device_id parent, weft_device *device);
/** In a forked child: gives the device a new scheduler. False: out of memory. */
bool weft_device_renew(cl_device_id device);

/* Rows of clGetDeviceInfo in device_spirv.c, nothing without SPIR-V. */
weft_info_getter weft_device_get_spirv_sets, weft_device_get_spirv_extensions,
    weft_device_get_spirv_capabilities;

/* Rows of clGetDeviceInfo in sub_device.c. */
weft_info_getter weft_sub_device_get_domains, weft_sub_device_get_properties,
    weft_sub_device_get_type, weft_sub_device_get_references;

/** Sub-buffer origins must be multiples of this many bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN). */
#define WEFT_BASE_ALIGN      128u
#define WEFT_MAX_GROUP_ITEMS 4096u
#define WEFT_PARAMETER_BYTES 1024u
/** CL_DEVICE_PIPE_MAX_PACKET_SIZE: packets are copied under the pipe's lock. */
#define WEFT_PIPE_PACKET_BYTES 4096u

#endif
