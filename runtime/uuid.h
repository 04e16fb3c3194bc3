// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Identifiers of cl_khr_device_uuid. */
#ifndef WEFT_UUID_H
#define WEFT_UUID_H

#include <CL/cl_ext.h>

/**
 * "The device UUID ... must be immutable for a given device across instances, processes, driver
 * versions, and system reboots": made of the CPU's name and the device's number. Thread-safe.
 */
void weft_device_uuid(const char *name, cl_uint index, cl_uchar uuid[CL_UUID_SIZE_KHR]);

/** Of this version of Weft: drivers with the same UUID can share what one of them wrote. */
void weft_driver_uuid(cl_uchar uuid[CL_UUID_SIZE_KHR]);

#endif
