// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * One disk cache under siege: 32 processes build the same 20 programs at once while ten of them are
 * killed, while files are damaged, on a full and on a read-only file system. Every process that
 * ends by itself has the right results, and what is left in the folder is whole.
 */
#include "harness.h"

#include "compiler/client/store.h"

#include <CL/cl.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 32, PROGRAMS = 20, KILLED = 10 };

static char folder[64];

static void new_folder(void) {
    strcpy(folder, "/tmp/weft-storm-XXXXXX");
    CHECK(mkdtemp(folder));
    CHECK(setenv("WEFT_CACHE_DIR", folder, 1) == 0);
    CHECK(setenv("WEFT_CACHE", "1", 1) == 0);
}

static void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_EQ(system(command), 0);
}

/* ---- one process ----------------------------------------------------------------------------- */

/** Builds and runs program number `n`: 0, or the line of what failed. */
#define REQUIRE(condition)                                                                         \
    if (!(condition))                                                                              \
    return __LINE__

static int one_program(cl_context context, cl_command_queue queue, cl_mem out, unsigned n) {
    char text[256];
    const char *source = text;
    cl_int error = 1;
    cl_uint value = 0;
    size_t global = 1;
    snprintf(text, sizeof text,
             "kernel void k(global uint *out, uint x) {\n"
             "    for (uint i = 0; i < %u; i++) x = x * 5u + %uu;\n    out[0] = x;\n}\n",
             n % 4, n * 77 + 1);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    REQUIRE(program && clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    REQUIRE(kernel);
    REQUIRE(clSetKernelArg(kernel, 0, sizeof out, &out) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(kernel, 1, sizeof n, &n) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) ==
            CL_SUCCESS);
    cl_uint wanted = n;
    for (cl_uint i = 0; i < n % 4; i++)
        wanted = wanted * 5u + (n * 77 + 1);
    REQUIRE(value == wanted);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return 0;
}

/** All programs, beginning with another one in each process. */
static int all_programs(unsigned first) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = 1;
    REQUIRE(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    REQUIRE(context);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    cl_mem out = clCreateBuffer(context, 0, sizeof(cl_uint), NULL, &error);
    REQUIRE(queue && out);
    for (unsigned i = 0; i < PROGRAMS; i++) {
        int line = one_program(context, queue, out, (first * 7 + i * 3) % PROGRAMS);
        if (line)
            return line;
    }
    return 0;
}

/** Exit statuses are 8 bits; 0 is success. */
static pid_t start(unsigned number) {
    pid_t pid = fork();
    if (pid == 0) {
        alarm(200);
        int line = all_programs(number);
        if (line)
            fprintf(stderr, "# process %u: line %d\n", number, line);
        _exit(line ? 1 : 0);
    }
    return pid;
}

/** Runs processes at once, kills the first `killed` of them at random times: how many of the others
 *  were wrong. */
static int storm(int processes, int killed) {
    pid_t pids[PROCESSES];
    int wrong = 0;
    for (int i = 0; i < processes; i++)
        pids[i] = start((unsigned)i);
    for (int i = 0; i < killed; i++) {
        usleep((useconds_t)(rand() % 100000));
        kill(pids[i], SIGKILL);
    }
    for (int i = 0; i < processes; i++) {
        int status = 0;
        while (waitpid(pids[i], &status, 0) < 0 && errno == EINTR)
            ;
        bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        wrong +=
            i < killed ? !good && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) : !good;
    }
    return wrong;
}

/* ---- the folder ------------------------------------------------------------------------------ */

/** Results in the folder; `change` (may be NULL) is called with each path. */
static int each_result(void (*change)(const char *path, int number)) {
    int count = 0;
    DIR *list = opendir(folder);
    CHECK(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[512];
        if (strncmp(entry->d_name, "r-", 2) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (change)
            change(path, count);
        count++;
    }
    closedir(list);
    return count;
}

/** Each result in the folder is whole: the number of those that are not. */
static int damaged_results(void) {
    weft_store store;
    int damaged = 0;
    weft_store_init(&store, folder, UINT64_MAX);
    DIR *list = opendir(folder);
    CHECK(list && store.folder);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        weft_cache_key key;
        if (weft_store_parse_name(entry->d_name, &key) == WEFT_STORE_RESULT)
            damaged += weft_store_verify(&store, key) != 0;
    }
    closedir(list);
    weft_store_finish(&store);
    return damaged;
}

/** Flips a byte, cuts, empties or lengthens. */
static void damage(const char *path, int number) {
    struct stat status;
    unsigned char byte = 0;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    CHECK(fd >= 0 && fstat(fd, &status) == 0);
    off_t at = status.st_size / 7 * (number % 7);
    switch (number % 4) {
    case 0:
    case 1:
        CHECK(pread(fd, &byte, 1, at) == 1);
        byte ^= 0x20;
        CHECK(pwrite(fd, &byte, 1, at) == 1);
        break;
    case 2:
        CHECK(ftruncate(fd, at) == 0);
        break;
    default:
        CHECK(pwrite(fd, "more", 4, status.st_size) == 4);
    }
    close(fd);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(thirty_two_processes_ten_killed) {
    new_folder();
    CHECK_EQ(storm(PROCESSES, KILLED), 0);
    CHECK_EQ(each_result(NULL), PROGRAMS);
    CHECK_EQ(damaged_results(), 0);
    /* What is there is good for those that come later. */
    CHECK_EQ(storm(2, 0), 0);
    CHECK_EQ(each_result(NULL), PROGRAMS);
    remove_folder();
}

TEST(damaged_entries_are_not_used) {
    new_folder();
    CHECK_EQ(storm(1, 0), 0);
    CHECK_EQ(each_result(damage), PROGRAMS);
    CHECK_EQ(storm(4, 0), 0);
    CHECK_EQ(each_result(NULL), PROGRAMS);
    CHECK_EQ(damaged_results(), 0);
    remove_folder();
}

/** Mounts a small file system over the folder in a namespace of this process's own. */
static bool mount_small(const char *options) {
    uid_t user = getuid();
    gid_t group = getgid();
    if (unshare(CLONE_NEWNS) != 0) {
        char map[64];
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
            return false;
        snprintf(map, sizeof map, "%u %u 1", user, user);
        FILE *file = fopen("/proc/self/setgroups", "w");
        if (file && (fputs("deny", file) < 0 || fclose(file) != 0))
            return false;
        file = fopen("/proc/self/uid_map", "w");
        if (!file || fputs(map, file) < 0 || fclose(file) != 0)
            return false;
        snprintf(map, sizeof map, "%u %u 1", group, group);
        file = fopen("/proc/self/gid_map", "w");
        if (!file || fputs(map, file) < 0 || fclose(file) != 0)
            return false;
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("weft", folder, "tmpfs", 0, options) == 0;
}

enum { CANNOT_MOUNT = 77 };

/** Runs `body` in a process of its own (it changes the mounts): its exit status. */
static int apart(int (*body)(void)) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        if (setjmp(weft_test_end) == 0) /* a failed check ends this process, not the test */
            _exit(body());
        fprintf(stderr, "# %s\n", weft_test_why);
        _exit(99);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int on_full_file_system(void) {
    /* Room for a few results, so that some writes succeed and others end in the middle. */
    if (!mount_small("size=32k,mode=700"))
        return CANNOT_MOUNT;
    int wrong = storm(PROCESSES, KILLED);
    int kept = each_result(NULL);
    if (wrong || damaged_results())
        return 1;
    return kept > 0 && kept < PROGRAMS ? 0 : 2;
}

static int on_read_only_file_system(void) {
    if (!mount_small("size=16m,mode=700"))
        return CANNOT_MOUNT;
    /* Half of what will be asked for is there. */
    if (storm(1, 0) != 0 || each_result(NULL) != PROGRAMS)
        return 1;
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] == 'r' && count++ % 2)
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    if (mount(NULL, folder, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
        return CANNOT_MOUNT;
    if (storm(PROCESSES, KILLED) != 0)
        return 3;
    return each_result(NULL) == PROGRAMS / 2 ? 0 : 2;
}

TEST(full_file_system) {
    new_folder();
    int status = apart(on_full_file_system);
    remove_folder();
    if (status == CANNOT_MOUNT)
        SKIP("no file system may be mounted here");
    CHECK_EQ(status, 0);
}

TEST(read_only_file_system) {
    new_folder();
    int status = apart(on_read_only_file_system);
    remove_folder();
    if (status == CANNOT_MOUNT)
        SKIP("no file system may be mounted here");
    CHECK_EQ(status, 0);
}

TEST_MAIN()
