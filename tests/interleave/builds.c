// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Builds and who waits for them (runtime/build.c, program_start.c, compiler/client/client.c): each
 * caller hears of its own result, a process that has ended is replaced once, jobs wait in line for
 * one of few places (here: one), a program is built by one at a time, its constructors run once.
 *
 * In place of the compiler process and its sockets: a model, below. */

#include "world.h"

#include "compiler/client/exchange.h"
#include "runtime/program.h"
#include "runtime/program_start.h"

#include <errno.h>
#include <sys/socket.h>

static cl_program program; /* that is built; NULL: the client runs jobs alone */

/* ---- the compiler process, modelled ------------------------------------------------------------
 */

static struct {
    bool lives, fragile; /* fragile: may be killed */
    int starts, descriptors, jobs, most_jobs, built;
} process;

static void forget_process(void) {
    memset(&process, 0, sizeof(process));
}

bool weft_descriptor_valid(const weft_descriptor *descriptor) {
    return descriptor->fd >= 0;
}

void weft_descriptor_close(weft_descriptor *descriptor) {
    process.descriptors -= descriptor->fd >= 0;
    descriptor->fd = -1;
}

int weft_descriptor_take(weft_descriptor *descriptor, int fd) {
    (void)fd;
    descriptor->fd = -1;
    return EMFILE; /* only for real ones */
}

int weft_descriptor_pair(weft_descriptor *ours, weft_descriptor *theirs) {
    ours->fd = theirs->fd = 1000 + process.starts;
    process.descriptors += 2;
    return 0;
}

int weft_process_find(const char *setting, char path[PATH_MAX]) {
    (void)setting;
    strcpy(path, "/bin/true");
    return 0;
}

int weft_process_start(weft_process *started, const char *path, uint32_t idle_seconds,
                       const char **step) {
    (void)path;
    (void)idle_seconds;
    *step = "start";
    EXPLORE_EQ(started->control.fd, -1);
    explore_point("starts a process");
    started->control.fd = 1000 + process.starts++;
    started->serial++;
    process.descriptors++;
    process.lives = true;
    return 0;
}

/* As far as the library can know: not that it has just been killed. */
bool weft_process_usable(const weft_process *started) {
    return started->control.fd >= 0;
}

void weft_process_drop(weft_process *started) {
    explore_point("lets a process go");
    weft_descriptor_close(&started->control);
}

uint64_t weft_client_now(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The library's only use of it: one job on the control socket. */
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    (void)message;
    (void)flags;
    explore_point("sends a job");
    if (process.lives && fd == 1000 + process.starts - 1)
        return 1;
    errno = EPIPE;
    return -1;
}

uint64_t weft_exchange_request_bytes(const weft_job *job) {
    (void)job;
    return 1;
}

/* What it is built from says what comes of it: "bad" fails. */
weft_exchange_end weft_exchange_run(const weft_descriptor *socket, const weft_job *job,
                                    uint64_t deadline, const weft_exchange_watcher *watcher,
                                    weft_exchange_reply *reply) {
    int serial = process.starts;
    bool bad = job->input_count && memcmp(job->inputs[0].data, "bad", 3) == 0;

    (void)socket;
    (void)deadline;
    (void)watcher;
    memset(reply, 0, sizeof(*reply));
    explore_point("waits for hello");
    if (!process.lives || serial != process.starts)
        return WEFT_EXCHANGE_UNHEARD;
    if (++process.jobs > process.most_jobs)
        process.most_jobs = process.jobs;
    explore_point("is built");
    process.built++;
    process.jobs--;
    EXPLORE_CHECK(!program || program->busy); /* by one at a time */
    reply->heard = true;
    reply->result.status = bad ? CL_COMPILE_PROGRAM_FAILURE : CL_SUCCESS;
    reply->log = weft_blob_create(bad ? "error" : "", bad ? 5 : 0);
    if (!bad)
        reply->ir = weft_blob_create(job->inputs[0].data, job->inputs[0].bytes);
    return WEFT_EXCHANGE_DONE;
}

/* ---- the client alone --------------------------------------------------------------------------
 */

static weft_compiler *client;

static void make_client(void) {
    const weft_compiler_settings settings = {.memory_cache_bytes = 1 << 20};

    forget_process();
    program = NULL;
    client = weft_compiler_create(&settings);
    EXPLORE_CHECK(client);
}

static void compile(void *text) {
    const weft_job_input input = {WEFT_INPUT_SOURCE, NULL, text, strlen(text)};
    const weft_job job = {
        .kind = WEFT_JOB_COMPILE, .isa = "x", .extensions = "", .inputs = &input, .input_count = 1};
    weft_job_result result;

    weft_compiler_run(client, &job, &result);
    if (strcmp(text, "bad") == 0) {
        EXPLORE_EQ(result.status, CL_COMPILE_PROGRAM_FAILURE);
        EXPLORE_CHECK(result.log && result.log->bytes == 5 && !result.ir);
    } else {
        EXPLORE_EQ(result.status, CL_SUCCESS);
        EXPLORE_CHECK(result.ir && result.ir->bytes == strlen(text));
        EXPLORE_CHECK(memcmp(result.ir->data, text, strlen(text)) == 0);
    }
    weft_job_result_finish(&result);
}

static void kill_process(void *unused) {
    (void)unused;
    explore_point("kills");
    process.lives = false;
}

static void one_dies(void) {
    forget_process();
    explore_thread("compiles a", compile, (void *)"same");
    explore_thread("compiles b", compile, (void *)"same");
    explore_thread("kills", kill_process, NULL);
}

static long client_blocks;

static void client_ended(void) {
    EXPLORE_CHECK(process.starts >= 1 && process.starts <= 2);
    EXPLORE_CHECK(process.built >= 1);
    EXPLORE_EQ(process.most_jobs, 1);
    EXPLORE_EQ(process.jobs, 0);
    weft_compiler_destroy(client);
    EXPLORE_EQ(process.descriptors, 0);
    EXPLORE_EQ(explore_live_blocks(), -client_blocks);
}

static void make_counted_client(void) {
    long before = explore_live_blocks();

    make_client();
    client_blocks = explore_live_blocks() - before;
}

static void three_in_line(void) {
    forget_process();
    explore_thread("compiles a", compile, (void *)"one");
    explore_thread("compiles b", compile, (void *)"bad");
    explore_thread("compiles c", compile, (void *)"two");
}

static void unload(void *unused) {
    (void)unused;
    weft_compiler_unload(client);
    weft_compiler_prepare(client);
}

/* What has been handed over is built by the process that is let go. */
static void unloaded(void) {
    forget_process();
    explore_thread("compiles a", compile, (void *)"one");
    explore_thread("compiles b", compile, (void *)"two");
    explore_thread("unloads", unload, NULL);
}

static void unloaded_ended(void) {
    process.starts = 1; /* up to four: whoever finds none starts one */
    client_ended();
}

/* ---- programs ----------------------------------------------------------------------------------
 */

static int notified, accepted;

static void setup(void) {
    make_world("1");
}

static void make_program(void) {
    const char *text = "kernel";
    cl_int status;

    forget_process();
    EXPLORE_CHECK(weft_platform_compiler(the_device->platform));
    program = weft_clCreateProgramWithSource(the_context, 1, &text, NULL, &status);
    GOOD(status);
}

static void CL_CALLBACK notify(cl_program which, void *unused) {
    cl_build_status status;

    (void)unused;
    explore_point("is notified");
    GOOD(weft_clGetProgramBuildInfo(which, the_device, CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                    &status, NULL));
    /* Another may have begun meanwhile. */
    EXPLORE_CHECK(status == CL_BUILD_SUCCESS || status == CL_BUILD_IN_PROGRESS);
    notified++;
}

static void compile_program(void *callback) {
    cl_int status = weft_clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL,
                                          callback ? notify : NULL, NULL);

    EXPLORE_CHECK(status == CL_SUCCESS || status == CL_INVALID_OPERATION);
    if (status == CL_SUCCESS && callback)
        accepted++;
    GOOD(weft_clReleaseProgram(program));
}

static void look_at_program(void *unused) {
    cl_build_status status;
    char log[16] = "x";

    (void)unused;
    GOOD(weft_clGetProgramBuildInfo(program, the_device, CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                    &status, NULL));
    EXPLORE_CHECK(status == CL_BUILD_NONE || status == CL_BUILD_IN_PROGRESS ||
                  status == CL_BUILD_SUCCESS);
    GOOD(weft_clGetProgramBuildInfo(program, the_device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                                    NULL));
    EXPLORE_EQ(log[0], 0);
    GOOD(weft_clReleaseProgram(program));
}

static long program_blocks;

static void programs(void) {
    notified = accepted = 0;
    long before = explore_live_blocks();
    make_program();
    program_blocks = explore_live_blocks() - before;
    GOOD(weft_clRetainProgram(program));
    GOOD(weft_clRetainProgram(program));
    explore_thread("with a callback", compile_program, (void *)1);
    explore_thread("without", compile_program, NULL);
    explore_thread("looks", look_at_program, NULL);
}

static void program_ended(void) {
    EXPLORE_EQ(notified, accepted);
    EXPLORE_CHECK(process.built >= 1);
    EXPLORE_EQ(process.jobs, 0);
    weft_compiler_destroy(atomic_load(&the_device->platform->compiler));
    EXPLORE_EQ(process.descriptors, 0);
    check_nothing_left();
}

/* ---- constructors of program-scope variables ---------------------------------------------------
 */

static weft_device_ops start_ops;
static struct _cl_device_id start_device;
static weft_image_info image_info;
static weft_kernel_info kernel_info;
static weft_kernel_code constructor;
static weft_build build;
static int constructed;

static void construct(const weft_launch *launch, weft_worker *worker, uint64_t first,
                      uint64_t count) {
    (void)launch;
    (void)worker;
    (void)first;
    (void)count;
    explore_point("constructs");
    constructed++;
}

static const weft_image_info *start_image_info(const weft_image *image) {
    (void)image;
    return &image_info;
}

static const weft_kernel_code *start_image_kernel(const weft_image *image, uint32_t index) {
    (void)image;
    (void)index;
    return &constructor;
}

static void make_start(void) {
    start_ops = *the_device->ops;
    start_ops.image_info = start_image_info;
    start_ops.image_kernel = start_image_kernel;
    start_device = *the_device;
    start_device.ops = &start_ops;
    kernel_info.width = 1;
    constructor.info = &kernel_info;
    constructor.entry[WEFT_SHAPE_ROWS] = construct;
    constructor.name = "constructor";
    image_info.init_kernel = 1;
    image_info.fini_kernel = 1;
    constructor.foreign = false;
    memset(&build, 0, sizeof(build));
    build.device = &start_device;
    constructed = 0;
    EXPLORE_CHECK(weft_program_start_make(&build));
}

static void start(void *unused) {
    (void)unused;
    GOOD(weft_program_start_run(build.start));
    EXPLORE_EQ(constructed, 1);
}

static void starts(void) {
    make_start();
    explore_thread("starts a", start, NULL);
    explore_thread("starts b", start, NULL);
    explore_thread("starts c", start, NULL);
}

static void starts_on_pool(void) {
    make_start();
    constructor.foreign = true; /* so that no waiting thread runs it */
    explore_thread("starts a", start, NULL);
    explore_thread("starts b", start, NULL);
}

static void started(void) {
    EXPLORE_EQ(constructed, 1);
    weft_program_start_free(&build);
    check_nothing_left();
}

static const explore_scenario scenarios[] = {
    {"the_process_dies", make_counted_client, one_dies, client_ended, {{0}}},
    {"three_in_line",
     make_counted_client,
     three_in_line,
     client_ended,
     {{FAULT_SKIP, "end_job", "signal", "&compiler->fewer_jobs", 1,
       "who waits for a place is not told"},
      {FAULT_UNLOCKED, "begin_job", "lock", "&compiler->lock", 1,
       "places are counted without the lock"}}},
    {"unloaded_meanwhile",
     make_counted_client,
     unloaded,
     unloaded_ended,
     {{FAULT_UNLOCKED, "submit", "lock", "&compiler->lock", 1,
       "the process is replaced without the lock"}}},

    {"two_build_one_program",
     NULL,
     programs,
     program_ended,
     {{FAULT_UNLOCKED, "begin", "lock", "&program->lock", 1,
       "two begin, for the lock is not taken"}}},
    {"constructors_run_once",
     NULL,
     starts,
     started,
     {{FAULT_SPLIT, "weft_program_start_run", "compare_exchange", "&start->state", 1,
       "two find that nobody has started"},
      {FAULT_SKIP, "weft_program_start_run", "futex wake", "&start->state", 1,
       "who waits for the constructors is not woken"}}},
    {"constructors_on_the_pool",
     NULL,
     starts_on_pool,
     started,
     {{FAULT_SKIP, "on_done", "futex wake", "&start->ended", 1,
       "who waits for the constructors' work is not woken"}}},
};

int main(int argc, char **argv) {
    return explore_main(argc, argv, setup, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
