// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The same functions of the C library under the names and versions that glibc 2.17 has them by, so
 * that what is built on a new system also runs on old ones (-Dold-glibc=true, docs/install.md). The
 * linker gives each reference to NAME to __wrap_NAME (-Wl,--wrap), also those of libraries linked
 * in.
 *
 * Three reasons why a newer glibc is asked for at all:
 *  moved    2.34 made libpthread and libdl parts of libc and gave their functions a new version;
 * the old one is still there. Both libraries are named as needed, since in an old glibc they have
 *           these functions.
 *  renamed  2.33 has stat and its kin as functions of their own, before that they were inline; 2.28
 * has fcntl64 beside fcntl, which on x86-64 is the same; 2.29's pow sets no errno by way of libm's
 *           old error handling.
 *  new      memfd_create (2.27) is the system call alone; strerrorname_np (2.32) is looked for. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined __x86_64__ || defined __ILP32__
#error "the versions below are those of x86-64"
#endif

/* Without prototypes: the names are the linker's. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define OLD(version, name) __asm__(".symver old_" #name "," #name "@GLIBC_" version)

/* ---- moved ---------------------------------------------------------------------------------- */

#define MOVED(version, result, name, parameters, arguments)                                        \
    OLD(version, name);                                                                            \
    result old_##name parameters;                                                                  \
    result __wrap_##name parameters {                                                              \
        return old_##name arguments;                                                               \
    }

MOVED("2.2.5", int, pthread_create,
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
      (thread, attributes, run, argument))
MOVED("2.2.5", int, pthread_join, (pthread_t thread, void **result), (thread, result))
MOVED("2.2.5", int, pthread_detach, (pthread_t thread), (thread))
MOVED("2.2.5", int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
MOVED("2.2.5", int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))
MOVED("2.2.5", int, pthread_attr_setstacksize, (pthread_attr_t * attributes, size_t bytes),
      (attributes, bytes))
MOVED("2.2.5", int, pthread_attr_getstack,
      (const pthread_attr_t *attributes, void **address, size_t *bytes),
      (attributes, address, bytes))
MOVED("2.2.5", int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *attributes),
      (thread, attributes))
MOVED("2.12", int, pthread_setname_np, (pthread_t thread, const char *name), (thread, name))
MOVED("2.12", int, pthread_getname_np, (pthread_t thread, char *name, size_t bytes),
      (thread, name, bytes))
MOVED("2.2.5", void *, dlopen, (const char *path, int flags), (path, flags))
MOVED("2.2.5", int, dlclose, (void *handle), (handle))
MOVED("2.2.5", void *, dlsym, (void *handle, const char *name), (handle, name))
MOVED("2.2.5", char *, dlerror, (void), ())
MOVED("2.2.5", int, dladdr, (const void *address, Dl_info *info), (address, info))

/* ---- renamed -------------------------------------------------------------------------------- */

/* struct stat is the kernel's on x86-64. */
int __wrap_fstat64(int fd, struct stat *status) {
    return (int)syscall(SYS_fstat, fd, status);
}

int __wrap_stat64(const char *path, struct stat *status) {
    return (int)syscall(SYS_stat, path, status);
}

int __wrap_lstat64(const char *path, struct stat *status) {
    return (int)syscall(SYS_lstat, path, status);
}

int __wrap_fstatat64(int folder, const char *path, struct stat *status, int flags) {
    return (int)syscall(SYS_newfstatat, folder, path, status, flags);
}

OLD("2.2.5", fcntl);
int old_fcntl(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...) {
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *); /* whatever its type, it is in this register */
    va_end(more);
    return old_fcntl(fd, command, argument);
}

/* ---- new ------------------------------------------------------------------------------------ */

int __wrap_memfd_create(const char *name, unsigned flags) {
    return (int)syscall(SYS_memfd_create, name, flags);
}

const char *__wrap_strerrorname_np(int error) {
    const char *(*name)(int);
    *(void **)&name = old_dlsym(RTLD_DEFAULT, "strerrorname_np");
    return name ? name(error) : NULL;
}

#ifdef WEFT_OLD_GLIBC_PROGRAM
/* ---- a program's start, and its mathematics ------------------------------------------------- */

OLD("2.2.5", pow);
double old_pow(double x, double y);
double __wrap_pow(double x, double y) {
    return old_pow(x, y);
}

/* Before 2.34 a program was linked with the function that calls its constructors, since then the C
 * library calls them itself and the start-up object passes NULL: an old library would call none. */
typedef void weft_constructor(int argc, char **argv, char **environment);
extern weft_constructor *const __init_array_start[], *const __init_array_end[];

static void construct(int argc, char **argv, char **environment) {
    for (weft_constructor *const *at = __init_array_start; at < __init_array_end; at++)
        (*at)(argc, argv, environment);
}

OLD("2.2.5", __libc_start_main);
int old___libc_start_main(int (*)(int, char **, char **), int, char **, weft_constructor *,
                          void (*)(void), void (*)(void), void *);
int __wrap___libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                             weft_constructor *init, void (*fini)(void), void (*loader)(void),
                             void *stack) {
    return old___libc_start_main(main, argc, argv, init ? init : construct, fini, loader, stack);
}
#endif
