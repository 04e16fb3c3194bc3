// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clGetPlatformIDs, clGetPlatformInfo, clUnload*Compiler. */

#include "common.h"

static const char *text(cl_platform_info name) {
    static char value[4096];
    size_t size = 0;
    CHECK_EQ(clGetPlatformInfo(weft_platform(), name, sizeof(value), value, &size), CL_SUCCESS);
    CHECK_EQ(size, strlen(value) + 1);
    return value;
}

TEST(strings) {
    CHECK_STR(text(CL_PLATFORM_NAME), "Weft");
    CHECK_STR(text(CL_PLATFORM_VENDOR), "Weft");
    CHECK_STR(text(CL_PLATFORM_PROFILE), "FULL_PROFILE");
    CHECK_STR(text(CL_PLATFORM_ICD_SUFFIX_KHR), "weft");
    CHECK(strncmp(text(CL_PLATFORM_VERSION), "OpenCL 2.2 Weft ", 16) == 0);
    CHECK(strstr(text(CL_PLATFORM_EXTENSIONS), "cl_khr_icd "));
}

TEST(numeric_version) {
    cl_version version = 0;
    CHECK_EQ(clGetPlatformInfo(weft_platform(), CL_PLATFORM_NUMERIC_VERSION, sizeof(version),
                               &version, NULL),
             CL_SUCCESS);
    CHECK_EQ(version, CL_MAKE_VERSION(2, 2, 0));
}

TEST(extensions_agree) {
    cl_name_version list[64];
    char joined[4096] = "";
    size_t size = 0;
    CHECK_EQ(clGetPlatformInfo(weft_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof(list),
                               list, &size),
             CL_SUCCESS);
    for (size_t i = 0; i < size / sizeof(list[0]); i++) {
        strcat(joined, list[i].name);
        strcat(joined, " ");
    }
    CHECK_STR(text(CL_PLATFORM_EXTENSIONS), joined);
}

TEST(sizes) {
#define QUERY(name, size, value, size_ret)                                                         \
    clGetPlatformInfo(weft_platform(), name, size, value, size_ret)
    CHECK_INFO_SIZE(QUERY, CL_PLATFORM_NAME, 5);
    CHECK_INFO_SIZE(QUERY, CL_PLATFORM_NUMERIC_VERSION, sizeof(cl_version));
    CHECK_INFO_SIZE(QUERY, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof(cl_ulong));
    CHECK_EQ(QUERY(0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
    /* A buffer that is too small stays as it was. */
    char small[4] = "abc";
    CHECK_EQ(QUERY(CL_PLATFORM_NAME, sizeof(small), small, NULL), CL_INVALID_VALUE);
    CHECK_STR(small, "abc");
}

TEST(unload_compiler) {
    CHECK_EQ(clUnloadPlatformCompiler(weft_platform()), CL_SUCCESS);
    CHECK_EQ(clUnloadPlatformCompiler((cl_platform_id)weft_device(0)), CL_INVALID_PLATFORM);
    CHECK_EQ(clUnloadCompiler(), CL_SUCCESS);
}

TEST(extension_functions) {
    cl_platform_id platform = weft_platform();
    CHECK(!clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunctionWEFT"));
    /* "may not be used to query for core (non-extension) functions in OpenCL" */
    CHECK(!clGetExtensionFunctionAddressForPlatform(platform, "clFinish"));
}

TEST_MAIN()
