// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/platform.h"

#include "runtime/api.h"
#include "runtime/builtin.h"
#include "runtime/check.h"
#include "runtime/device_object.h"
#include "runtime/info.h"
#include "runtime/log.h"
#include "version.h"

#include "weft/extensions.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* The library's only global state. */
static _Atomic(weft_platform *) the_platform;
_Atomic(_Atomic uint32_t *) weft_process_page;

static void finish_nothing(weft_object *object) {
    (void)object; /* the platform is never released */
}

const weft_class weft_platform_class = {"platform", CL_INVALID_PLATFORM, finish_nothing, NULL};

/* ---- making it ------------------------------------------------------------------------------- */

static void complain(void *user, const weft_setting_fault *fault) {
    char text[WEFT_SETTING_FAULT_BYTES];

    (void)user;
    weft_setting_fault_text(fault, text);
    weft_log_line(WEFT_LOG_SETTINGS, "%s", text);
}

/** All settings, and the topics of the log; false: out of memory or descriptors. */
static bool read_settings(weft_platform *platform) {
    Dl_info library;
    weft_settings_file file;
    weft_settings_line line;
    bool known = dladdr((void *)&weft_platform_get, &library) && library.dli_fname;
    if (!weft_settings_file_read(&file, known ? library.dli_fname : NULL))
        return false;
    /* Which topics are on must be known before other settings can complain. */
    const char *topics = secure_getenv("WEFT_DEBUG");
    if (!topics || !*topics)
        topics = weft_settings_file_value(&file, "WEFT_DEBUG", &line);
    platform->log_topics = weft_log_parse(topics);
    bool speaks = platform->log_topics & WEFT_LOG_SETTINGS;
    if (file.unread && speaks)
        weft_log_line(WEFT_LOG_SETTINGS, "%s is ignored: %s", file.path, file.unread);
    bool read = weft_settings_read(&platform->settings, &file, speaks ? complain : NULL, NULL);
    weft_settings_file_finish(&file);
    return read;
}

static void forked(void) {
    atomic_store(atomic_load(&weft_process_page), 0);
}

/** A page that is zero in a child made by fork(): words 0 process number, 1 claim of the
 *  refresh. */
static bool make_process_page(void) {
    void *page = weft_mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    _Atomic uint32_t *words = page, *none = NULL;
    atomic_init(&words[0], 1);
    bool wiped = madvise(page, 4096, MADV_WIPEONFORK) == 0;
    if (!atomic_compare_exchange_strong(&weft_process_page, &none, words))
        munmap(page, 4096); /* another thread was first */
    else if (!wiped)
        pthread_atfork(NULL, NULL, forked); /* Linux before 4.14 */
    return true;
}

static weft_platform *make_platform(const void *dispatch) {
    weft_platform *platform = weft_calloc(1, sizeof(*platform));
    if (!platform)
        return NULL;
    if (!make_process_page() || !read_settings(platform)) {
        weft_free(platform);
        return NULL;
    }
    weft_object_init(&platform->base, &weft_platform_class, NULL);
    platform->base.dispatch = dispatch;
    platform->base.process = 0;
    platform->process = 1;
    weft_settings_switches(&platform->settings, platform->switches);
    bool is_30 = platform->settings.opencl && strcmp(platform->settings.opencl, "3.0") == 0;
    platform->version = is_30 ? CL_MAKE_VERSION(3, 0, 0) : CL_MAKE_VERSION(2, 2, 0);
    snprintf(platform->version_text, sizeof(platform->version_text), "OpenCL %s Weft %s",
             is_30 ? "3.0" : "2.2", WEFT_VERSION);
    pthread_mutex_init(&platform->lock, NULL);
    weft_kept_images_init(&platform->kept_images);
    return platform;
}

weft_platform *weft_platform_get(const void *dispatch) {
    weft_platform *platform = weft_platform_current(), *none = NULL;
    if (platform)
        return platform;
    platform = make_platform(dispatch);
    if (platform && !atomic_compare_exchange_strong(&the_platform, &none, platform)) {
        weft_settings_finish(&platform->settings);
        pthread_mutex_destroy(&platform->lock);
        weft_free(platform);
        platform = none;
    }
    return platform;
}

weft_platform *weft_platform_current(void) {
    return atomic_load_explicit(&the_platform, memory_order_acquire);
}

/* ---- what is made late ----------------------------------------------------------------------- */

static cl_int make_devices(weft_platform *platform, const weft_builtin_plugins *plugins) {
    uint32_t count = platform->settings.devices;
    for (uint32_t i = 0; i < count; i++) {
        if (!platform->devices[i]) /* made by an earlier call that failed later on */
            platform->devices[i] = weft_device_create(platform, i);
        if (!platform->devices[i])
            return CL_OUT_OF_HOST_MEMORY;
    }
    if (!weft_builtin_start(platform))
        return CL_OUT_OF_HOST_MEMORY;
    weft_builtin_register(platform, plugins);
    atomic_store_explicit(&platform->device_count, count, memory_order_release);
    return CL_SUCCESS;
}

/** In a forked child: one thread renews, others that it may have started already wait for it. */
static cl_int renew(weft_platform *platform) {
    _Atomic uint32_t *words = atomic_load(&weft_process_page);
    uint32_t unclaimed = 0;
    if (!atomic_compare_exchange_strong(&words[1], &unclaimed, 1)) {
        while (atomic_load(&words[0]) == 0 && atomic_load(&words[1]) != 0)
            sched_yield();
        return atomic_load(&words[0]) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    /* The lock may have been held by a thread that does not exist here; so may locks inside the
     * parent's compiler and devices, which are left alone for that reason. */
    pthread_mutex_init(&platform->lock, NULL);
    weft_kept_images_init(&platform->kept_images);
    atomic_store(&platform->compiler, NULL);
    weft_timeline_start(platform, true);
    uint32_t count = atomic_load(&platform->device_count);
    for (uint32_t i = 0; i < count; i++)
        if (!weft_device_renew(platform->devices[i])) {
            atomic_store(&words[1], 0);
            return CL_OUT_OF_HOST_MEMORY;
        }
    atomic_store(&words[0], ++platform->process);
    return CL_SUCCESS;
}

cl_int weft_platform_refresh(weft_platform *platform) {
    if (weft_process_number() == 0)
        WEFT_TRY(renew(platform));
    if (atomic_load_explicit(&platform->device_count, memory_order_acquire))
        return CL_SUCCESS;
    /* What loads libraries comes before the lock: one that starts may ask OpenCL itself, or belong
     * to another thread that waits for it. It is then here a second time, and the first to get on
     * wins. */
    uint32_t threads = platform->settings.threads;
    if (!threads && platform->settings.topology)
        threads = weft_cpu_synthetic_units(platform->settings.topology);
    weft_builtin_plugins *plugins = weft_builtin_open(platform);
    pthread_mutex_lock(&platform->lock);
    cl_int status = CL_SUCCESS;
    if (!atomic_load(&platform->device_count)) {
        platform->threads = threads;
        weft_timeline_start(platform, false);
        status = make_devices(platform, plugins);
    } else {
        weft_builtin_register(platform, plugins); /* a plug-in has asked for devices meanwhile */
    }
    pthread_mutex_unlock(&platform->lock);
    weft_free(plugins);
    return status;
}

static void debug_line(void *user, const char *line) {
    (void)user;
    weft_log_whole_line(line); /* says by itself which topic it belongs to */
}

static weft_compiler *make_compiler(const weft_platform *platform) {
    const weft_settings *settings = &platform->settings;
    weft_compiler_settings ours = {
        .compiler_path = settings->compiler,
        .job_seconds = settings->compiler_seconds,
        .job_megabytes = settings->compiler_megabytes,
        .idle_seconds = settings->compiler_idle,
        .memory_cache_bytes =
            settings->build_cache >= 4096 ? UINT32_MAX : settings->build_cache << 20,
        .disk_cache = settings->disk_cache,
        .disk_cache_folder = settings->disk_cache_folder,
        .disk_cache_bytes = (uint64_t)settings->disk_cache_megabytes << 20,
        .trace = platform->trace,
        .debug = platform->log_topics & (WEFT_LOG_BUILD | WEFT_LOG_COMPILER) ? debug_line : NULL,
    };
    return weft_compiler_create(&ours);
}

weft_compiler *weft_platform_compiler(weft_platform *platform) {
    weft_compiler *compiler = atomic_load_explicit(&platform->compiler, memory_order_acquire);
    if (compiler)
        return compiler;
    pthread_mutex_lock(&platform->lock);
    compiler = atomic_load(&platform->compiler);
    if (!compiler) {
        compiler = make_compiler(platform);
        atomic_store_explicit(&platform->compiler, compiler, memory_order_release);
    }
    pthread_mutex_unlock(&platform->lock);
    return compiler;
}

/* ---- API ------------------------------------------------------------------------------------- */

cl_int weft_platform_list(const void *dispatch, cl_uint num_entries, cl_platform_id *platforms,
                          cl_uint *num_platforms) {
    WEFT_CHECK(NULL, !platforms || num_entries > 0, CL_INVALID_VALUE,
               "if num_entries is equal to zero and platforms is not NULL");
    WEFT_CHECK(NULL, platforms || num_platforms, CL_INVALID_VALUE,
               "if both num_platforms and platforms are NULL");
    weft_platform *platform = weft_platform_get(dispatch);
    if (!platform)
        return CL_OUT_OF_HOST_MEMORY;
    if (platforms)
        platforms[0] = platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

static cl_int get_extensions(const void *object, weft_info_out *out) {
    static const cl_name_version list[] = {WEFT_PLATFORM_EXTENSIONS(WEFT_EXTENSION_VERSION_)
                                               WEFT_DEVICE_EXTENSIONS(WEFT_EXTENSION_VERSION_)};
    (void)object;
    weft_info_put(out, list, sizeof(list));
    return CL_SUCCESS;
}

static cl_int get_version(const void *object, weft_info_out *out) {
    weft_info_put_text(out, ((const weft_platform *)object)->version_text);
    return CL_SUCCESS;
}

static const weft_info_row platform_rows[] = {
    WEFT_INFO_TEXT(CL_PLATFORM_PROFILE, "FULL_PROFILE"),
    WEFT_INFO_GETTER(CL_PLATFORM_VERSION, get_version),
    WEFT_INFO_FIELD(CL_PLATFORM_NUMERIC_VERSION, weft_platform, version),
    WEFT_INFO_TEXT(CL_PLATFORM_NAME, "Weft"),
    WEFT_INFO_TEXT(CL_PLATFORM_VENDOR, "Weft"),
    WEFT_INFO_TEXT(CL_PLATFORM_EXTENSIONS, WEFT_PLATFORM_EXTENSION_STRING),
    WEFT_INFO_GETTER(CL_PLATFORM_EXTENSIONS_WITH_VERSION, get_extensions),
    WEFT_INFO_CONSTANT(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 1),
    WEFT_INFO_TEXT(CL_PLATFORM_ICD_SUFFIX_KHR, "weft"),
};

cl_int weft_clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                              size_t param_value_size, void *param_value,
                              size_t *param_value_size_ret) {
    /* "platform ... can be NULL. If platform is NULL, the behavior is implementation-defined." */
    if (!platform)
        platform = weft_platform_current();
    WEFT_CHECK_PLATFORM(platform);
    return WEFT_INFO_GET(NULL, platform_rows, platform, param_name, param_value_size, param_value,
                         param_value_size_ret);
}

cl_int weft_clUnloadPlatformCompiler(cl_platform_id platform) {
    WEFT_CHECK_PLATFORM(platform);
    if (weft_process_number() == 0)
        return CL_SUCCESS; /* the parent's compiler is the parent's */
    weft_compiler *compiler = atomic_load(&platform->compiler);
    if (compiler)
        weft_compiler_unload(compiler);
    weft_kept_images_drop(&platform->kept_images, NULL);
    return CL_SUCCESS;
}

cl_int weft_clUnloadCompiler(void) {
    weft_platform *platform = weft_platform_current();
    return platform ? weft_clUnloadPlatformCompiler(platform) : CL_SUCCESS;
}
