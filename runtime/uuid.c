// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/uuid.h"

#include "version.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <string.h>

static void name_uuid(const char *text, cl_uchar uuid[CL_UUID_SIZE_KHR]) {
    XXH128_canonical_t hash;

    XXH128_canonicalFromHash(&hash, XXH3_128bits(text, strlen(text)));
    memcpy(uuid, hash.digest, CL_UUID_SIZE_KHR);
    uuid[6] = (uuid[6] & 0x0f) | 0x80; /* RFC 9562: version 8, a name-based scheme of our own */
    uuid[8] = (uuid[8] & 0x3f) | 0x80;
}

void weft_device_uuid(const char *name, cl_uint index, cl_uchar uuid[CL_UUID_SIZE_KHR]) {
    char text[256];

    snprintf(text, sizeof(text), "weft device %u %s", index, name);
    name_uuid(text, uuid);
}

void weft_driver_uuid(cl_uchar uuid[CL_UUID_SIZE_KHR]) {
    name_uuid("weft driver " WEFT_VERSION, uuid);
}
