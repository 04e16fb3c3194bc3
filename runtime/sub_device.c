// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Sub-devices: clCreateSubDevices, their references, and what they answer about themselves. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/device_object.h"
#include "runtime/log.h"

/* "in the order NUMA, L4, L3, L2, L1" */
static const cl_device_affinity_domain DOMAINS[] = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};
enum { DOMAIN_COUNT = sizeof(DOMAINS) / sizeof(DOMAINS[0]) };

/* How a device is to be divided. */
typedef struct plan {
    cl_device_partition_property type[2]; /* as CL_DEVICE_PARTITION_TYPE begins */
    size_t property_count;                /* of the application's list, the 0 included */
    cl_uint count;                        /* parts */
    cl_uint equal;                        /* units of each part; 0: the list says */
    uint32_t *sizes;                      /* units of each part; allocated, or NULL */
} plan;

static uint32_t groups_of(cl_device_id device, cl_device_affinity_domain domain, uint32_t *sizes,
                          uint32_t room) {
    return device->ops->groups(device->device, domain, sizes, room);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static cl_int plan_equally(cl_device_id device, const cl_device_partition_property *properties,
                           plan *plan) {
    cl_device_partition_property each = properties[1];

    WEFT_CHECK(NULL, each > 0 && properties[2] == 0, CL_INVALID_VALUE,
               "if values specified in properties are not valid");
    WEFT_CHECK(NULL, each <= (cl_device_partition_property)device->compute_units,
               CL_INVALID_DEVICE_PARTITION_COUNT,
               "if the total number of compute units requested exceeds "
               "CL_DEVICE_MAX_COMPUTE_UNITS for in_device");
    WEFT_CHECK(NULL, each < (cl_device_partition_property)device->compute_units,
               CL_DEVICE_PARTITION_FAILED,
               "if the partition name is supported by the implementation but in_device could not "
               "be further partitioned");
    plan->property_count = 3;
    plan->equal = (cl_uint)each;
    plan->count = device->compute_units / plan->equal;
    return CL_SUCCESS;
}

static cl_int plan_counts(cl_device_id device, const cl_device_partition_property *properties,
                          plan *plan) {
    const cl_device_partition_property *counts = properties + 1;
    cl_uint left = device->compute_units, parts = 0;

    for (; counts[parts] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; parts++) {
        WEFT_CHECK(NULL, counts[parts] > 0, CL_INVALID_DEVICE_PARTITION_COUNT,
                   "if the number of compute units requested for one or more sub-devices is less "
                   "than zero");
        WEFT_CHECK(NULL, counts[parts] <= (cl_device_partition_property)left,
                   CL_INVALID_DEVICE_PARTITION_COUNT,
                   "if the number of sub-devices requested exceeds "
                   "CL_DEVICE_PARTITION_MAX_SUB_DEVICES or the total number of compute units "
                   "requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device");
        left -= (cl_uint)counts[parts];
    }
    /* The 0 behind the list's own end is not looked for: many applications leave it out. */
    WEFT_CHECK(NULL, parts > 0, CL_INVALID_VALUE,
               "if values specified in properties are not valid");
    WEFT_CHECK(NULL, device->compute_units > 1, CL_DEVICE_PARTITION_FAILED,
               "if in_device could not be further partitioned");
    plan->property_count = parts + 3;
    plan->count = parts;
    plan->sizes = weft_calloc(parts, sizeof(*plan->sizes));
    if (!plan->sizes)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < parts; i++)
        plan->sizes[i] = (uint32_t)counts[i];
    return CL_SUCCESS;
}

/* The first domain along which the device falls into parts; 0: none. */
static cl_device_affinity_domain next_domain(cl_device_id device) {
    for (int i = 0; i < DOMAIN_COUNT; i++)
        if (groups_of(device, DOMAINS[i], NULL, 0) > 1)
            return DOMAINS[i];
    return 0;
}

static bool is_domain(cl_device_affinity_domain domain) {
    for (int i = 0; i < DOMAIN_COUNT; i++)
        if (DOMAINS[i] == domain)
            return true;
    return domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
}

static cl_int plan_domain(cl_device_id device, const cl_device_partition_property *properties,
                          plan *plan) {
    cl_device_affinity_domain domain = (cl_device_affinity_domain)properties[1];

    WEFT_CHECK(NULL, is_domain(domain) && properties[2] == 0, CL_INVALID_VALUE,
               "if values specified in properties are not valid");
    if (domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
        domain = next_domain(device);
    cl_uint parts = domain ? groups_of(device, domain, NULL, 0) : 1;
    WEFT_CHECK(NULL, parts != 0, CL_INVALID_VALUE,
               "if values specified in properties are valid but not supported by the device");
    WEFT_CHECK(NULL, parts > 1, CL_DEVICE_PARTITION_FAILED,
               "if the partition name is supported by the implementation but in_device could not "
               "be further partitioned");
    plan->property_count = 3;
    plan->type[1] = (cl_device_partition_property)domain;
    plan->count = parts;
    plan->sizes = weft_calloc(parts, sizeof(*plan->sizes));
    if (!plan->sizes)
        return CL_OUT_OF_HOST_MEMORY;
    groups_of(device, domain, plan->sizes, parts);
    return CL_SUCCESS;
}

/* Fills in the plan, whose sizes the caller frees even if it fails. */
static cl_int make_plan(cl_device_id device, const cl_device_partition_property *properties,
                        plan *plan) {
    WEFT_CHECK_DEVICE(device);
    WEFT_CHECK(NULL, properties && properties[0], CL_INVALID_VALUE,
               "if values specified in properties are not valid");
    plan->type[0] = properties[0];
    plan->type[1] = properties[1];
    switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY:
        return plan_equally(device, properties, plan);
    case CL_DEVICE_PARTITION_BY_COUNTS:
        return plan_counts(device, properties, plan);
    case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
        return plan_domain(device, properties, plan);
    default:
        return weft_fail(NULL, "clCreateSubDevices", CL_INVALID_VALUE,
                         "if values specified in properties are not valid");
    }
}

/* ---- making them ----------------------------------------------------------------------------- */

static cl_device_id make_part(cl_device_id parent, const plan *plan,
                              const cl_device_partition_property *properties, cl_uint first,
                              cl_uint units) {
    size_t bytes = plan->property_count * sizeof(*properties);
    cl_device_partition_property *partition = weft_malloc(bytes);
    cl_device_id device;

    if (!partition)
        return NULL;
    memcpy(partition, properties, bytes - sizeof(*properties));
    partition[1] = plan->type[1];
    partition[plan->property_count - 1] = 0;
    device =
        weft_device_wrap(parent->platform, parent, parent->ops->part(parent->device, first, units));
    if (!device) {
        weft_free(partition);
        return NULL;
    }
    device->partition = partition;
    device->partition_bytes = bytes;
    return device;
}

static cl_int make_parts(cl_device_id parent, const plan *plan,
                         const cl_device_partition_property *properties, cl_device_id *devices) {
    cl_uint first = 0;

    for (cl_uint i = 0; i < plan->count; i++) {
        cl_uint units = plan->equal ? plan->equal : plan->sizes[i];
        devices[i] = make_part(parent, plan, properties, first, units);
        if (!devices[i]) {
            while (i--)
                weft_release(&devices[i]);
            return CL_OUT_OF_HOST_MEMORY;
        }
        first += units;
    }
    weft_log(WEFT_LOG_DEVICE, "device %p: %u sub-devices", (void *)parent, plan->count);
    return CL_SUCCESS;
}

static cl_int create_parts(cl_device_id in_device, const plan *plan,
                           const cl_device_partition_property *properties, cl_uint num_devices,
                           cl_device_id *out_devices, cl_uint *num_devices_ret) {
    WEFT_CHECK(NULL, !out_devices || num_devices >= plan->count, CL_INVALID_VALUE,
               "if out_devices is not NULL and num_devices is less than the number of sub-devices "
               "created by the partition scheme");
    WEFT_CHECK(NULL, out_devices || num_devices_ret, CL_INVALID_VALUE,
               "if out_devices and num_devices_ret are both NULL");
    if (out_devices)
        WEFT_TRY(make_parts(in_device, plan, properties, out_devices));
    if (num_devices_ret)
        *num_devices_ret = plan->count;
    return CL_SUCCESS;
}

cl_int weft_clCreateSubDevices(cl_device_id in_device,
                               const cl_device_partition_property *properties, cl_uint num_devices,
                               cl_device_id *out_devices, cl_uint *num_devices_ret) {
    plan plan = {0};
    cl_int status = make_plan(in_device, properties, &plan);

    if (status == CL_SUCCESS)
        status =
            create_parts(in_device, &plan, properties, num_devices, out_devices, num_devices_ret);
    weft_free(plan.sizes);
    return status;
}

/* "If device is a root level device [...] the device reference count remains unchanged." */

cl_int weft_clRetainDevice(cl_device_id device) {
    WEFT_CHECK_DEVICE(device);
    return device->parent ? weft_object_app_retain(&device->base) : CL_SUCCESS;
}

cl_int weft_clReleaseDevice(cl_device_id device) {
    WEFT_CHECK_DEVICE(device);
    return device->parent ? weft_object_app_release(&device->base) : CL_SUCCESS;
}

/* ---- information ----------------------------------------------------------------------------- */

static cl_device_id as_device(const void *object) {
    return (cl_device_id)(uintptr_t)object;
}

static cl_device_affinity_domain domains_of(cl_device_id device) {
    cl_device_affinity_domain domains = 0;

    for (int i = 0; i < DOMAIN_COUNT && device->compute_units > 1; i++)
        if (groups_of(device, DOMAINS[i], NULL, 0) > 1)
            domains |= DOMAINS[i];
    return domains ? domains | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE : 0;
}

cl_int weft_sub_device_get_domains(const void *object, weft_info_out *out) {
    cl_device_affinity_domain domains = domains_of(as_device(object));

    weft_info_put(out, &domains, sizeof(domains));
    return CL_SUCCESS;
}

/** "If the device cannot be partitioned [...] a value of 0 will be returned." */
cl_int weft_sub_device_get_properties(const void *object, weft_info_out *out) {
    static const cl_device_partition_property list[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                        CL_DEVICE_PARTITION_BY_COUNTS,
                                                        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
    static const cl_device_partition_property none = 0;
    cl_device_id device = as_device(object);

    if (device->compute_units > 1)
        weft_info_put(out, list, sizeof(list) - (domains_of(device) ? 0 : sizeof(list[0])));
    else
        weft_info_put(out, &none, sizeof(none));
    return CL_SUCCESS;
}

/** "Otherwise the implementation may either return a param_value_size_ret of 0 [...] or can return
 *  a property value of 0": the second, as there are programs that read it without asking. */
cl_int weft_sub_device_get_type(const void *object, weft_info_out *out) {
    static const cl_device_partition_property none = 0;
    cl_device_id device = as_device(object);

    weft_info_put(out, device->partition ? device->partition : &none,
                  device->partition ? device->partition_bytes : sizeof(none));
    return CL_SUCCESS;
}

/** "If the device is a root-level device, a reference count of one is returned." */
cl_int weft_sub_device_get_references(const void *object, weft_info_out *out) {
    cl_device_id device = as_device(object);
    cl_uint count = device->parent ? atomic_load(&device->base.application) : 1;

    weft_info_put(out, &count, sizeof(count));
    return CL_SUCCESS;
}
