// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Libraries that run code when they are loaded. `loading ask` is what `nothing_is_loaded_for_more_
 * rights` starts with the rights of another user: it takes libweft.so from its second argument.
 */
#include "api/common.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int state[2]; /* see asks.c */

static void say_where(void) {
    char text[32];
    snprintf(text, sizeof(text), "%llx", (unsigned long long)(uintptr_t)state);
    setenv("WEFT_TEST_STATE", text, 1);
    atomic_store(&state[0], 0);
    atomic_store(&state[1], 0);
    alarm(60); /* ends the process where it hangs */
}

/* Before all others: WEFT_BUILTIN_KERNELS names it. Waited for itself on e8e9dd5. */
TEST(a_plug_in_that_asks_for_devices) {
    say_where();
    CHECK(weft_device(0));
    CHECK(atomic_load(&state[0]));
    CHECK(atomic_load(&state[1]));
    char names[4096] = "";
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_BUILT_IN_KERNELS, sizeof(names), names, NULL),
        CL_SUCCESS);
    CHECK(strstr(names, "asks.nothing")); /* its table was ready later */
    alarm(0);
}

static void *load(void *path) {
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* One thread loads a library whose start asks for parts of a device, while another asks for them
 * and so loads hwloc. Waited for each other on e8e9dd5. */
TEST(a_library_that_asks_while_another_is_loaded) {
    cl_device_affinity_domain domains = 77;
    cl_device_id device = weft_device(0); /* so that the ICD loader has loaded what it loads */
    pthread_t thread;
    void *library = NULL;
    say_where();
    CHECK_EQ(pthread_create(&thread, NULL, load, getenv("WEFT_TEST_LIBRARY")), 0);
    while (!atomic_load(&state[0]))
        usleep(1000);
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains), &domains,
                             NULL),
             CL_SUCCESS);
    pthread_join(thread, &library);
    CHECK(library);
    CHECK(atomic_load(&state[1]));
    alarm(0);
}

/* ---- more rights than the user's ------------------------------------------------------------- */

/* The child: asks for what hwloc knows. "secure" or "plain", and what plug-ins print. */
static int ask(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *(CL_API_CALL * find)(const char *) = NULL;
    cl_int(CL_API_CALL * list)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_device_affinity_domain domains;
    if (library)
        *(void **)&find = dlsym(library, "clGetExtensionFunctionAddress");
    if (find)
        *(void **)&list = find("clIcdGetPlatformIDsKHR");
    if (!list || list(1, &platform, NULL) != CL_SUCCESS)
        return 2;
    puts(getauxval(AT_SECURE) ? "secure" : "plain");
    fflush(stdout);
    /* An object begins with its table, whose order the ICD extension gives: 2 and 3. */
    void **table = *(void ***)platform;
    cl_int(CL_API_CALL * devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *,
                                  cl_uint *);
    cl_int(CL_API_CALL * info)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    *(void **)&devices = table[2];
    *(void **)&info = table[3];
    if (devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 3;
    return info(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains), &domains, NULL) ==
                   CL_SUCCESS
               ? 0
               : 4;
}

/* Runs `program ask`, returns its status and what it prints. */
static int run(const char *program, char *text, size_t size) {
    char command[4096];
    const char *plugin = getenv("WEFT_TEST_HWLOC");
    snprintf(command, sizeof(command),
             "HWLOC_PLUGINS_PATH='%.*s' '%s' ask '%s/icd/libweft.so' 2>&1",
             (int)(strrchr(plugin, '/') - plugin), plugin, program, getenv("WEFT_BUILD_ROOT"));
    FILE *out = popen(command, "r");
    CHECK(out);
    text[fread(text, 1, size - 1, out)] = 0;
    return pclose(out);
}

static void copy_of_this(const char *path) {
    char command[4096];
    snprintf(command, sizeof(command),
             "cp /proc/%d/exe '%s' && chown 65534 '%s' && chmod 4755 '%s'", (int)getpid(), path,
             path, path);
    CHECK_EQ(system(command), 0);
}

/* A set-user-ID program loaded plug-ins from where its user wants it to, on e8e9dd5. */
TEST(nothing_is_loaded_for_more_rights) {
    char path[] = "/tmp/weft-loading-XXXXXX", own[4096] = "", text[4096];
    if (geteuid() != 0)
        SKIP("only root can make a program of another user's");
    setenv("WEFT_TEST_STATE", "", 1); /* addresses of this process */
    CHECK(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
    CHECK_EQ(run(own, text, sizeof(text)), 0);
    if (!strstr(text, "loaded"))
        SKIP("hwloc loads no plug-ins here: %.200s", text);
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    copy_of_this(path);
    int status = run(path, text, sizeof(text));
    unlink(path);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        SKIP("another user may not read this build");
    if (!strstr(text, "secure"))
        SKIP("set-user-ID has no effect here: %.200s", text);
    CHECK(!strstr(text, "loaded"));
    if (strstr(text, "LeakSanitizer"))
        SKIP("LeakSanitizer cannot look into a program with more rights");
    CHECK_EQ(status, 0);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "ask") == 0)
        return ask(argv[2]);
    return weft_run_tests(argc, argv) ? 1 : 0;
}
