// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/process.h"

#include "weft/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/client/spawn.h"

uint64_t weft_client_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- descriptors ---------------------------------------------------------------------------- */

bool weft_descriptor_valid(const weft_descriptor *descriptor) {
    struct stat now;
    return descriptor->fd >= 0 && fstat(descriptor->fd, &now) == 0 &&
           now.st_dev == descriptor->device && now.st_ino == descriptor->inode;
}

void weft_descriptor_close(weft_descriptor *descriptor) {
    if (weft_descriptor_valid(descriptor))
        close(descriptor->fd);
    descriptor->fd = -1;
}

int weft_descriptor_take(weft_descriptor *descriptor, int fd) {
    struct stat now;
    int error = 0;
    descriptor->fd = -1;
    if (fd <= 2) {
        errno = EMFILE;
        int higher = weft_shim_fails() ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
        error = higher < 0 ? errno : 0;
        close(fd);
        if (error)
            return error;
        fd = higher;
    }
    if (fstat(fd, &now) != 0) {
        error = errno;
        close(fd);
        return error;
    }
    *descriptor = (weft_descriptor){.fd = fd, .device = now.st_dev, .inode = now.st_ino};
    return 0;
}

int weft_descriptor_pair(weft_descriptor *ours, weft_descriptor *theirs) {
    int pair[2];
    ours->fd = theirs->fd = -1;
    if (weft_shim_fails())
        return EMFILE;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return errno;
    int error = weft_descriptor_take(ours, pair[0]);
    if (error) {
        close(pair[1]);
        return error;
    }
    error = weft_descriptor_take(theirs, pair[1]);
    if (error)
        weft_descriptor_close(ours);
    return error;
}

/* ---- finding the executable ----------------------------------------------------------------- */

/* Relative to the folder of libweft.so: the same folder; a build tree; installed below lib or below
 * lib/<architecture>. */
static const char *const places[] = {"weft-compiler", "../compiler/weft-compiler",
                                     "../libexec/weft/weft-compiler",
                                     "../../libexec/weft/weft-compiler", "weft/weft-compiler"};

/** The real path of the folder that libweft.so lies in, without a slash behind it; 0 or errno. */
static int library_folder(char folder[PATH_MAX]) {
    Dl_info info;
    if (!dladdr((void *)&weft_process_find, &info) || !info.dli_fname)
        return ENOENT;
    /* The library may be reached through a link from another folder. */
    if (!realpath(info.dli_fname, folder))
        return errno;
    char *end = strrchr(folder, '/');
    if (!end)
        return ENOENT;
    *end = 0;
    return 0;
}

int weft_process_find(const char *setting, char path[PATH_MAX]) {
    if (setting && setting[0]) {
        if (!realpath(setting, path)) {
            int error = errno;
            snprintf(path, PATH_MAX, "%s", setting);
            return error;
        }
        return access(path, X_OK) == 0 ? 0 : errno;
    }
    int error = library_folder(path);
    if (error) {
        snprintf(path, PATH_MAX, "weft-compiler");
        return error;
    }
    size_t length = strlen(path);
    error = ENOENT;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct stat status;
        snprintf(path + length, PATH_MAX - length, "/%s", places[i]);
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        if (access(path, X_OK) == 0)
            return 0;
        error = errno;
        break; /* this is the one, and the reason why it cannot be used */
    }
    if (error == ENOENT)
        snprintf(path + length, PATH_MAX - length, "/%s", places[2]);
    return error;
}

/* ---- life ----------------------------------------------------------------------------------- */

static bool root_now(dev_t *device, ino_t *inode) {
    struct stat root;
    if (stat("/", &root) != 0)
        return false;
    *device = root.st_dev;
    *inode = root.st_ino;
    return true;
}

/** True if orphans of this process are given to it: process 1 of a container, or a subreaper. */
static bool adopts_orphans(void) {
    int subreaper = 0;
    return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &subreaper) == 0 && subreaper);
}

int weft_process_start(weft_process *process, const char *path, uint32_t idle_seconds,
                       const char **step) {
    char version[16], idle[16], started[24];
    char *const argv[] = {
        (char *)"weft-compiler", (char *)WEFT_WIRE_SERVE, version, idle, started, NULL};
    weft_descriptor ours, theirs;
    uint64_t begin = weft_client_now();

    *step = "socketpair";
    int error = weft_descriptor_pair(&ours, &theirs);
    if (error)
        return error;
    process->user = geteuid();
    process->group = getegid();
    process->root_device = 0;
    process->root_inode = 0;
    root_now(&process->root_device, &process->root_inode);
    snprintf(version, sizeof version, "%u", WEFT_WIRE_VERSION);
    snprintf(idle, sizeof idle, "%u", idle_seconds);
    snprintf(started, sizeof started, "%llu", (unsigned long long)begin);

    /* Tells the server of our end even where a forked child keeps the other end of its socket. */
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    weft_spawn spawn = {.path = path, .argv = argv, .control = theirs.fd, .parent = self};
    error = weft_spawn_run(&spawn, step);
    if (self >= 0)
        close(self);
    weft_descriptor_close(&theirs);
    if (error) {
        weft_descriptor_close(&ours);
        return error;
    }
    process->control = ours;
    process->serial++;
    process->pid = spawn.pid;
    process->may_adopt = adopts_orphans();
    process->spawn_ns = weft_client_now() - begin;
    return 0;
}

bool weft_process_usable(const weft_process *process) {
    dev_t device;
    ino_t inode;
    return weft_descriptor_valid(&process->control) && process->user == geteuid() &&
           process->group == getegid() && root_now(&device, &inode) &&
           device == process->root_device && inode == process->root_inode;
}

void weft_process_drop(weft_process *process) {
    weft_descriptor_close(&process->control);
    /* An application that adopts orphans would keep a dead compiler as its zombie. It may not have
     * ended yet: then it is the application's, as every other orphan that it asked for. */
    if (process->may_adopt && process->pid > 0)
        waitpid(process->pid, NULL, WNOHANG);
    process->pid = 0;
}
