// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What the process of a build may still do (docs/compiler-process.md): each thing is tried by a
 * process that confines itself as that one does, with the files of OpenCL C, with those of one
 * folder and with none; and by one that does not, which shows that the attempt itself is good. The
 * table is printed.
 */
#include "robust/confine_door.h"

#include "robust/child.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>

/** What the attempts work on. */
typedef struct scene {
    char root[64]; /* a folder of the test's own */
    pid_t victim;  /* another process of the same user, a new one for each attempt */
    int socket;    /* the one for answers */
    int other;     /* another open socket */
} scene;

static scene stage;

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", stage.root, name);
    return path;
}

/* ---- attempts: 0, or errno ------------------------------------------------------------------- */

static int done(long result) {
    return result < 0 ? errno : 0;
}

static int opens(const char *path, int flags) {
    int fd = open(path, flags | O_CLOEXEC, 0600);
    int error = done(fd);
    if (fd >= 0)
        close(fd);
    return error;
}

static int read_inside(void) {
    return opens(path_of("inside/header.h"), O_RDONLY);
}
static int read_outside(void) {
    return opens(path_of("outside/secret"), O_RDONLY);
}
static int read_by_dots(void) {
    return opens(path_of("inside/../outside/secret"), O_RDONLY);
}
static int read_by_link(void) {
    return opens(path_of("inside/link"), O_RDONLY);
}
static int look_outside(void) {
    struct stat status;
    return done(stat(path_of("outside/secret"), &status));
}
static int list_folder(void) {
    char entries[1024];
    int fd = open(path_of("inside"), O_RDONLY | O_DIRECTORY);
    return fd < 0 ? errno : done(syscall(SYS_getdents64, fd, entries, sizeof entries));
}
static int read_memory(void) {
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)stage.victim);
    int fd = open(path, O_RDONLY);
    return fd < 0 ? errno : done(pread(fd, &byte, 1, (off_t)(uintptr_t)&stage));
}
static int read_environment(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)stage.victim);
    return opens(path, O_RDONLY);
}
static int copy_memory(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&stage, 1};
    return done(process_vm_readv(stage.victim, &here, 1, &there, 1, 0));
}
static int trace(void) {
    return done(ptrace(PTRACE_ATTACH, stage.victim, NULL, NULL));
}
static int write_file(void) {
    return opens(path_of("inside/header.h"), O_WRONLY);
}
static int append_file(void) {
    return opens(path_of("inside/header.h"), O_RDWR | O_APPEND);
}
static int create_file(void) {
    return opens(path_of("inside/new"), O_RDONLY | O_CREAT);
}
static int create_without_name(void) {
    return opens(path_of("inside"), O_WRONLY | O_TMPFILE);
}
static int create_by_openat2(void) {
    uint64_t how[3] = {O_WRONLY | O_CREAT, 0600, 0};
    return done(syscall(SYS_openat2, AT_FDCWD, path_of("inside/new2"), how, sizeof how));
}
static int create_in_memory(void) {
    return done(memfd_create("x", 0));
}
static int remove_file(void) {
    return done(unlink(path_of("inside/spare")));
}
static int make_folder(void) {
    return done(mkdir(path_of("inside/folder"), 0700));
}
static int make_link(void) {
    return done(symlink("/", path_of("inside/root")));
}
static int change_mode(void) {
    return done(chmod(path_of("inside/header.h"), 0600));
}
static int cut_file(void) {
    return done(truncate(path_of("inside/header.h"), 0));
}
static int run_program(void) {
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}
static int fork_and_run(void) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(99);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return errno;
    return status == 0 ? 0 : EPERM;
}
static int fork_copy(void) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(7);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : EIO;
}
static int make_namespace(void) {
    return done(unshare(CLONE_NEWUSER));
}
static int clone_namespace(void) {
    long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0)
        _exit(0);
    return done(pid);
}
static int kill_other(void) {
    return done(kill(stage.victim, SIGTERM));
}
static int kill_by_thread(void) {
    return done(syscall(SYS_tgkill, stage.victim, stage.victim, SIGTERM));
}
static int kill_parent(void) {
    return done(kill(getppid(), SIGWINCH)); /* which ignores it */
}
static int open_process(void) {
    return done(syscall(SYS_pidfd_open, stage.victim, 0));
}
static int signal_self(void) {
    signal(SIGUSR1, SIG_IGN);
    return done(raise(SIGUSR1));
}
static int new_socket(void) {
    return done(socket(AF_INET, SOCK_STREAM, 0));
}
static int local_socket(void) {
    return done(socket(AF_UNIX, SOCK_STREAM, 0));
}
static int connect_socket(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return done(connect(stage.other, (struct sockaddr *)&address, sizeof address)) == EINVAL
               ? 0 /* it has looked at the address: another family's */
               : errno;
}
static int send_to(int fd) {
    struct iovec part = {(char[]){'x'}, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return done(sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}
static int send_answer(void) {
    return send_to(stage.socket);
}
static int send_elsewhere(void) {
    return send_to(stage.other);
}
static int mount_something(void) {
    return done(mount("weft", path_of("inside"), "tmpfs", 0, NULL));
}
static int change_root(void) {
    return done(chroot(stage.root));
}
static int change_user(void) {
    return done(setuid(65534));
}
static int new_session(void) {
    return done(setsid());
}
static int outlive_parent(void) {
    return done(prctl(PR_SET_PDEATHSIG, 0));
}
static int raise_limit(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return done(setrlimit(RLIMIT_CORE, &limit));
}
static int limit_other(void) {
    struct rlimit limit;
    return done(prlimit(stage.victim, RLIMIT_CORE, NULL, &limit));
}
static int use_ring(void) {
    char parameters[120] = {0};
    return done(syscall(SYS_io_uring_setup, 1, parameters));
}
static int watch_performance(void) {
    struct perf_event_attr attribute = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attribute};
    return done(syscall(SYS_perf_event_open, &attribute, 0, -1, -1, 0));
}
static int load_bpf(void) {
    /* It has looked at what it was given. */
    return done(syscall(SYS_bpf, 0, NULL, 0)) == EINVAL ? 0 : errno;
}
static int shared_memory(void) {
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return done(id);
}
static int other_keys(void) {
    return done(syscall(SYS_keyctl, 0, -3, 0)); /* KEYCTL_GET_KEYRING_ID */
}
static int map_code(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}
static int make_code(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : done(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}
static int memory(void) {
    char *block = malloc(4 << 20);
    if (!block)
        return ENOMEM;
    memset(block, 1, 4 << 20);
    free(block);
    return 0;
}
static int the_time(void) {
    struct timespec now;
    return done(syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now));
}
static int name_itself(void) {
    return done(prctl(PR_SET_NAME, "x"));
}
static int newer_call(void) {
    return done(syscall(451 + 4000)) == ENOSYS ? 0 : errno;
}
#ifdef __x86_64__
/** getpid as 32-bit programs call it, and as those of the x32 form do. */
static int old_call(void) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    return result > 0 ? 0 : -result;
}
#endif

/* ---- the table --------------------------------------------------------------------------------
 */

enum { ENDS = -1, DONE = 0 }; /* beside errno: the process ends; it can be done */

/** Outcomes with any files, with those of a folder, and with none. */
static const struct row {
    const char *what;
    int (*attempt)(void);
    int any, folder, none;
    bool landlock; /* needs it: the filter of calls knows no paths */
} rows[] = {
    {"compute, with memory", memory, DONE, DONE, DONE, false},
    {"ask for the time", the_time, DONE, DONE, DONE, false},
    {"start a copy of itself and wait for it", fork_copy, DONE, DONE, DONE, false},
    {"send an answer", send_answer, DONE, DONE, DONE, false},
    {"send a signal to itself", signal_self, DONE, DONE, DONE, false},
    {"try a call that this kernel does not have", newer_call, DONE, DONE, DONE, false},
    {"read a header in a folder of -I", read_inside, DONE, DONE, EACCES, false},
    {"read another file", read_outside, DONE, EACCES, EACCES, true},
    {"read another file by ..", read_by_dots, DONE, EACCES, EACCES, true},
    {"read another file by a link", read_by_link, DONE, EACCES, EACCES, true},
    {"learn whether another file exists", look_outside, DONE, DONE, EACCES, false},
    {"list a folder", list_folder, EACCES, EACCES, EACCES, false},
    {"write a file", write_file, EACCES, EACCES, EACCES, false},
    {"append to a file", append_file, EACCES, EACCES, EACCES, false},
    {"create a file", create_file, EACCES, EACCES, EACCES, false},
    {"create a file without a name", create_without_name, EACCES, EACCES, EACCES, false},
    {"create a file by openat2", create_by_openat2, ENOSYS, ENOSYS, ENOSYS, false},
    {"create a file in memory", create_in_memory, ENDS, ENDS, ENDS, false},
    {"remove a file", remove_file, ENDS, ENDS, ENDS, false},
    {"make a folder", make_folder, ENDS, ENDS, ENDS, false},
    {"make a link", make_link, ENDS, ENDS, ENDS, false},
    {"change a file's mode", change_mode, ENDS, ENDS, ENDS, false},
    {"cut a file", cut_file, ENDS, ENDS, ENDS, false},
    {"run a program", run_program, ENDS, ENDS, ENDS, false},
    {"run a program in a copy", fork_and_run, EPERM, EPERM, EPERM, false},
    {"map code", map_code, EACCES, EACCES, EACCES, false},
    {"make what it wrote executable", make_code, EACCES, EACCES, EACCES, false},
    {"read the memory of the application", read_memory, EACCES, EACCES, EACCES, true},
    {"read the environment of the application", read_environment, EACCES, EACCES, EACCES, true},
    {"copy memory of the application", copy_memory, ENDS, ENDS, ENDS, false},
    {"trace the application", trace, ENDS, ENDS, ENDS, false},
    {"send the application a signal", kill_other, ENDS, ENDS, ENDS, false},
    {"send a thread of it a signal", kill_by_thread, ENDS, ENDS, ENDS, false},
    {"send its parent a signal", kill_parent, ENDS, ENDS, ENDS, false},
    {"open another process", open_process, ENDS, ENDS, ENDS, false},
    {"look at another process's limits", limit_other, EPERM, EPERM, EPERM, false},
    {"make a socket", new_socket, ENDS, ENDS, ENDS, false},
    {"make a local socket", local_socket, ENDS, ENDS, ENDS, false},
    {"connect a socket that is open", connect_socket, ENDS, ENDS, ENDS, false},
    {"send to another socket that is open", send_elsewhere, ENDS, ENDS, ENDS, false},
    {"mount", mount_something, ENDS, ENDS, ENDS, false},
    {"change its root", change_root, ENDS, ENDS, ENDS, false},
    {"change its user", change_user, ENDS, ENDS, ENDS, false},
    {"make a session, to live on", new_session, ENDS, ENDS, ENDS, false},
    {"live on when its parent ends", outlive_parent, EPERM, EPERM, EPERM, false},
    {"raise a limit", raise_limit, EPERM, EPERM, EPERM, false},
    {"make a user namespace", make_namespace, ENDS, ENDS, ENDS, false},
    {"start a copy in one", clone_namespace, EPERM, EPERM, EPERM, false},
    {"name itself", name_itself, EPERM, EPERM, EPERM, false},
    {"io_uring", use_ring, ENDS, ENDS, ENDS, false},
    {"perf_event_open", watch_performance, ENDS, ENDS, ENDS, false},
    {"bpf", load_bpf, ENDS, ENDS, ENDS, false},
    {"shared memory of System V", shared_memory, ENDS, ENDS, ENDS, false},
    {"keys of the kernel", other_keys, ENDS, ENDS, ENDS, false},
#ifdef __x86_64__
    {"a call as 32-bit programs make it", old_call, ENDS, ENDS, ENDS, false},
#endif
};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- running ----------------------------------------------------------------------------------
 */

static void sleep_on(void) {
    for (;;)
        pause();
}

/** Runs `attempt` in a process of its own; `files` -1: not confined. What came of it, as in rows;
 *  -2: something else ended it. */
static int outcome_of(int (*attempt)(void), int files) {
    int *result =
        mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    *result = DONE; /* what has become another program says nothing */
    fflush(stdout);
    stage.victim = fork();
    if (stage.victim == 0)
        sleep_on();
    pid_t pid = fork();
    if (pid == 0) {
        alarm(20);
        if (unshare(CLONE_NEWNS) == 0) /* what it mounts is nobody else's */
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
        if (files >= 0) {
            struct rlimit none = {0, 0};
            setrlimit(RLIMIT_CORE, &none);
            confine_with((confine_files)files, path_of("inside"), stage.socket);
        }
        *result = attempt();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    kill(stage.victim, SIGKILL);
    waitpid(stage.victim, NULL, 0);
    int came = WIFEXITED(status)                                   ? *result
               : WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? ENDS
                                                                   : -2;
    munmap(result, sizeof *result);
    return came;
}

static const char *name_of(int outcome) {
    return outcome == DONE   ? "can"
           : outcome == ENDS ? "ends the process"
                             : strerrorname_np(outcome);
}

static weft_confined *refused;

static int ask_kernel(void *unused) {
    (void)unused;
    *refused = confine_with(READS_ANY, NULL, -1);
    return 0;
}

/** What this kernel refuses to a process that confines itself. */
static weft_confined kernel_says(void) {
    refused =
        mmap(NULL, sizeof *refused, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(refused != MAP_FAILED);
    CHECK_CHILD(ask_kernel, NULL);
    return *refused;
}

static void make_file(const char *name) {
    FILE *file = fopen(path_of(name), "w");
    CHECK(file && fputs("secret\n", file) >= 0 && fclose(file) == 0);
}

static void set_stage(void) {
    int pair[2], other[2];
    if (stage.root[0])
        return;
    strcpy(stage.root, "/tmp/weft-confine-XXXXXX");
    CHECK(mkdtemp(stage.root));
    CHECK(mkdir(path_of("inside"), 0755) == 0 && mkdir(path_of("outside"), 0755) == 0);
    make_file("inside/header.h");
    make_file("inside/spare");
    make_file("outside/secret");
    CHECK(symlink("../outside/secret", path_of("inside/link")) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, other) == 0);
    stage.socket = pair[0];
    stage.other = other[0];
}

static void leave_stage(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", stage.root);
    if (system(command) != 0)
        printf("# %s is left\n", stage.root);
}

/** An attempt that fails by itself shows nothing. Some need root, and some containers refuse. */
static void clear_up(void) {
    static const char *const made[] = {"inside/new", "inside/new2", "inside/root", NULL};
    for (size_t i = 0; made[i]; i++)
        unlink(path_of(made[i]));
    rmdir(path_of("inside/folder"));
    if (access(path_of("inside/spare"), F_OK) != 0)
        make_file("inside/spare");
}

TEST(what_a_build_may_do) {
    char text[200];
    unsigned tried = 0, wrong = 0;
    weft_confined kernel = kernel_says();
    weft_confined_text(&kernel, text, sizeof text);
    printf("# %s\n", text);
    if (kernel.seccomp)
        SKIP("%s", text);
    set_stage();
    printf("# %-42s %-18s %-18s %-18s %s\n", "", "OpenCL C", "one folder", "no source", "else");
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        const int wanted[3] = {row->none, row->folder, row->any};
        int came[3], free = outcome_of(row->attempt, -1);
        clear_up();
        for (int files = 0; files < 3; files++) {
            came[files] = outcome_of(row->attempt, files);
            clear_up();
        }
        printf("# %-42s %-18s %-18s %-18s %s\n", row->what, name_of(came[READS_ANY]),
               name_of(came[READS_FOLDERS]), name_of(came[READS_NONE]), name_of(free));
        if (row->landlock && kernel.landlock)
            continue;
        tried += free == DONE;
        for (int files = 0; files < 3; files++)
            if (came[files] != wanted[files] && ++wrong)
                printf("# wrong: %s: %s\n", row->what, name_of(wanted[files]));
    }
    leave_stage();
    CHECK_EQ(wrong, 0);
    CHECK(tried > ROWS / 2);
}

TEST_MAIN()
