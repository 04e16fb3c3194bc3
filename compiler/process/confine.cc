// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Three parts, of which each holds without the others: no capabilities; Landlock for files, which
 * knows paths; a seccomp filter for everything else, which knows the arguments that are numbers.
 *
 * The filter is written by hand, from one table: it is a list of calls with at most two conditions
 * each, and a library for it (libseccomp) would be more to read than the loop that makes it.
 */
#include "compiler/process/confine.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <iterator>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft {
namespace {

/* ---- capabilities --------------------------------------------------------------------------- */

/** Sets all three sets of the calling process; `permitted` and `effective` are of the first 32. */
bool setCapabilities(uint32_t permitted, uint32_t effective) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    data[0].permitted = permitted;
    data[0].effective = effective;
    return syscall(SYS_capset, &header, data) == 0;
}

/** Capabilities of the first 32 that the process may use; those beyond are reported as well. */
bool getCapabilities(uint32_t &permitted, bool &any) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    if (syscall(SYS_capget, &header, data) != 0)
        return false;
    permitted = data[0].permitted;
    any = data[0].permitted || data[1].permitted;
    return true;
}

/** True if this directory, which may not exist, is kept from us. */
bool isForbidden(const char *folder) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == EACCES;
}

/** Root builds in the folders of other users, and finds the headers there only by its privilege. */
bool needsPrivilege(const Confinement &what) {
    if (what.files == FilesRead::None)
        return false;
    if (what.files == FilesRead::Any && isForbidden("."))
        return true;
    for (const std::string &folder : what.folders)
        if (isForbidden(folder.c_str()))
            return true;
    return false;
}

int dropCapabilities(const Confinement &what) {
    constexpr uint32_t reading = 1u << CAP_DAC_READ_SEARCH;
    uint32_t permitted = 0;
    bool any = true;
    if (getCapabilities(permitted, any) && !any)
        return 0;
    bool keep = (permitted & reading) && setCapabilities(reading, 0) && needsPrivilege(what);
    uint32_t left = keep ? reading : 0;
    return setCapabilities(left, left) ? 0 : errno;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* <linux/landlock.h> of the newest version that is used here: distributions' are older. */
struct LandlockRules {
    uint64_t files, network, scopes;
};

struct LandlockFolder {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

constexpr uint64_t landlockReadFile = 1u << 2;
constexpr uint32_t landlockVersion = 1u << 0;
constexpr int landlockBeneath = 1;

/** Everything that a version can forbid: reading, writing, running, making and removing of files;
 *  from 4 on TCP; from 6 on abstract sockets, and signals to processes that are not our copies. */
LandlockRules rulesOf(long version) {
    int files = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return {(UINT64_C(1) << files) - 1, version >= 4 ? UINT64_C(3) : 0,
            version >= 6 ? UINT64_C(3) : 0};
}

/** 0 or errno. A folder that is not there, or not for us, is none that could be read. */
int allowReading(int rules, const char *folder) {
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    LandlockFolder beneath = {landlockReadFile, fd};
    int error = syscall(SYS_landlock_add_rule, rules, landlockBeneath, &beneath, 0) ? errno : 0;
    close(fd);
    return error;
}

int confineFiles(const Confinement &what) {
    long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, landlockVersion);
    if (version < 0)
        return errno;
    LandlockRules forbidden = rulesOf(version);
    size_t bytes = version >= 6 ? sizeof forbidden : version >= 4 ? 16 : 8;
    int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &forbidden, bytes, 0));
    if (rules < 0)
        return errno;
    int error = 0;
    if (what.files == FilesRead::Any)
        error = allowReading(rules, "/");
    else if (what.files == FilesRead::Folders)
        for (const std::string &folder : what.folders)
            error = error ? error : allowReading(rules, folder.c_str());
    if (!error && syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        error = errno;
    close(rules);
    return error;
}

/* ---- system calls --------------------------------------------------------------------------- */

enum Condition : uint8_t {
    Always,
    Never,   /* fails with `error` */
    IfEqual, /* the argument is `value`; else as `error` says */
    IfClear  /* the argument has no bit of `value`; else as `error` says */
};

/** Rows of one call stand together, and all of them must hold. */
struct Row {
    uint16_t call;
    Condition condition = Always;
    uint8_t argument = 0;
    uint32_t value = 0;
    uint16_t error = 0; /* 0: the call raises SIGSYS */
    bool files = false; /* without files to read it fails with EACCES */
};

constexpr uint32_t writes =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
constexpr uint32_t forks = CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD;
/** Values that are known only when a process is confined. */
constexpr uint32_t ownProcess = UINT32_MAX, ownSocket = UINT32_MAX - 1;

/** Whatever is not here raises SIGSYS. */
constexpr Row table[] = {
    /* memory; nothing that is written can be run */
    {SYS_brk},
    {SYS_mmap, IfClear, 2, PROT_EXEC, EACCES},
    {SYS_mprotect, IfClear, 2, PROT_EXEC, EACCES},
    {SYS_munmap},
    {SYS_mremap},
    {SYS_madvise},
    {SYS_mincore},
    /* what is open: the answer, standard error, pipes to copies, headers */
    {SYS_read},
    {SYS_pread64},
    {SYS_readv},
    {SYS_write},
    {SYS_writev},
    {SYS_lseek},
    {SYS_close},
    {SYS_fstat},
    {SYS_fstatfs},
    {SYS_fadvise64},
    {SYS_poll},
    {SYS_ppoll},
    {SYS_pipe2},
    {SYS_sendmsg, IfEqual, 0, ownSocket},
    {SYS_fcntl, IfEqual, 1, F_GETFD, EINVAL},
    {SYS_ioctl, Never, 0, 0, ENOTTY},
    /* headers */
    {SYS_openat, IfClear, 2, writes, EACCES, true},
    {SYS_open, IfClear, 1, writes, EACCES, true},
    {SYS_newfstatat, Always, 0, 0, 0, true},
    {SYS_stat, Always, 0, 0, 0, true},
    {SYS_lstat, Always, 0, 0, 0, true},
    {SYS_statx, Always, 0, 0, 0, true},
    {SYS_statfs, Always, 0, 0, 0, true},
    {SYS_access, Always, 0, 0, 0, true},
    {SYS_faccessat, Always, 0, 0, 0, true},
    {SYS_faccessat2, Always, 0, 0, 0, true},
    {SYS_readlink, Always, 0, 0, 0, true},
    {SYS_readlinkat, Always, 0, 0, 0, true},
    {SYS_getcwd},
    {SYS_getdents64, Never, 0, 0, EACCES},
    {SYS_openat2, Never, 0, 0, ENOSYS}, /* its flags are in memory, which a filter cannot read */
    /* copies of this process; whoever forked one may wait for it */
    {SYS_clone, IfEqual, 0, forks, EPERM},
    {SYS_clone3, Never, 0, 0, ENOSYS},
    {SYS_wait4},
    {SYS_prctl, IfEqual, 0, PR_SET_PDEATHSIG, EPERM},
    {SYS_prctl, IfEqual, 1, SIGKILL, EPERM},
    {SYS_prlimit64, IfEqual, 0, 0, EPERM}, /* limits go down only */
    {SYS_set_robust_list},
    {SYS_rseq},
    /* the end, and signals to oneself */
    {SYS_exit},
    {SYS_exit_group},
    {SYS_tgkill, IfEqual, 0, ownProcess},
    {SYS_rt_sigaction},
    {SYS_rt_sigprocmask},
    {SYS_rt_sigreturn},
    {SYS_sigaltstack},
    {SYS_restart_syscall},
    {SYS_futex},
    /* time */
    {SYS_clock_gettime},
    {SYS_clock_getres},
    {SYS_gettimeofday},
    {SYS_time},
    {SYS_times},
    {SYS_nanosleep},
    {SYS_clock_nanosleep},
    {SYS_sched_yield},
    /* what libraries like to know */
    {SYS_getpid},
    {SYS_getppid},
    {SYS_gettid},
    {SYS_getuid},
    {SYS_geteuid},
    {SYS_getgid},
    {SYS_getegid},
    {SYS_getrusage},
    {SYS_getrlimit},
    {SYS_getrandom},
    {SYS_getcpu},
    {SYS_sched_getaffinity},
    {SYS_sysinfo},
    {SYS_uname},
    /* what libraries try and can do without */
    {SYS_arch_prctl, Never, 0, 0, EINVAL},
    {SYS_membarrier, Never, 0, 0, ENOSYS},
    {SYS_mlock, Never, 0, 0, EPERM},
    {SYS_sched_setaffinity, Never, 0, 0, EPERM},
    {SYS_get_mempolicy, Never, 0, 0, EPERM},
    {SYS_set_mempolicy, Never, 0, 0, EPERM},
    {SYS_mbind, Never, 0, 0, EPERM},
    {SYS_capget, Never, 0, 0, EPERM},
};

/** Newer calls, which a C library newer than this table may try first, are "not implemented". */
constexpr uint32_t lastCall = 450;
constexpr bool isUpToLast() {
    for (const Row &row : table)
        if (row.call > lastCall)
            return false;
    return true;
}
static_assert(isUpToLast(), "calls behind the last one are never looked for");
constexpr size_t mostInstructions = 8 + 9 * std::size(table);

class Filter {
  public:
    Filter(bool files, int answers) : files(files), answers(answers) {
        add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
        /* Numbers of the 32-bit form of calls (x32) have a high bit: those are traps too. */
        add(BPF_JMP | BPF_JGT | BPF_K, lastCall, 0, 3);
        add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
        add(BPF_RET | BPF_K, failure(ENOSYS));
        const Row *calls[std::size(table)];
        size_t callCount = 0;
        for (const Row &row : table)
            if (&row == table || row.call != (&row)[-1].call)
                calls[callCount++] = &row;
        std::sort(calls, calls + callCount,
                  [](const Row *a, const Row *b) { return a->call < b->call; });
        addCalls(calls, calls + callCount);
    }

    int load() {
        if (isTooLarge)
            return E2BIG;
        sock_fprog program = {static_cast<unsigned short>(count), instructions};
        /* Older kernels slow down all of a process's code (SSBD) that does not say that it does
           without. */
        long flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0)
            return 0;
        if (errno == EINVAL && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
            return 0;
        return errno;
    }

  private:
    static uint32_t failure(uint32_t error) {
        return error ? SECCOMP_RET_ERRNO | error : uint32_t(SECCOMP_RET_TRAP);
    }

    void add(unsigned code, uint32_t value, unsigned ifTrue = 0, unsigned ifFalse = 0) {
        instructions[count++] = {static_cast<uint16_t>(code), static_cast<uint8_t>(ifTrue),
                                 static_cast<uint8_t>(ifFalse), value};
    }

    /** What a jump leaves out, up to here. There are eight bits for it. */
    uint8_t skipped(size_t jump) {
        isTooLarge |= count - jump - 1 > UINT8_MAX;
        return static_cast<uint8_t>(count - jump - 1);
    }

    uint32_t valueOf(const Row &row) const {
        return row.value == ownProcess  ? static_cast<uint32_t>(getpid())
               : row.value == ownSocket ? static_cast<uint32_t>(answers)
                                        : row.value;
    }

    /** By halves: the kernel runs a filter for each number that there is when it is loaded, to know
     *  which are always allowed, and a hundred comparisons in a row took it 0.4 ms. */
    void addCalls(const Row *const *begin, const Row *const *end) {
        if (end - begin == 1) {
            addCall(*begin);
            add(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
            return;
        }
        const Row *const *middle = begin + (end - begin) / 2;
        add(BPF_JMP | BPF_JGE | BPF_K, (*middle)->call);
        const size_t jump = count - 1;
        addCalls(begin, middle);
        instructions[jump].jt = skipped(jump);
        addCalls(middle, end);
    }

    /** "if the number is this: return ..." */
    void addCall(const Row *row) {
        uint32_t call = row->call;
        add(BPF_JMP | BPF_JEQ | BPF_K, call);
        size_t jump = count - 1;
        uint32_t outcome = SECCOMP_RET_ALLOW;
        for (; row != std::end(table) && row->call == call; row++) {
            if (row->condition == Never || (row->files && !files)) {
                outcome = failure(row->condition == Never ? row->error : EACCES);
                continue;
            }
            if (row->condition == Always)
                continue;
            /* All conditions are about ints, or about flags in the low half. */
            add(BPF_LD | BPF_W | BPF_ABS,
                static_cast<uint32_t>(offsetof(seccomp_data, args) + row->argument * 8));
            if (row->condition == IfEqual)
                add(BPF_JMP | BPF_JEQ | BPF_K, valueOf(*row), 1, 0);
            else
                add(BPF_JMP | BPF_JSET | BPF_K, valueOf(*row), 0, 1);
            add(BPF_RET | BPF_K, failure(row->error));
        }
        add(BPF_RET | BPF_K, outcome);
        instructions[jump].jf = skipped(jump);
    }

    bool files, isTooLarge = false;
    int answers;
    size_t count = 0;
    sock_filter instructions[mostInstructions];
};

} // namespace

weft_confined confine(const Confinement &what) {
    weft_confined confined = {};
    confined.capabilities = static_cast<uint32_t>(dropCapabilities(what));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* without it the next two are refused */
    confined.landlock = static_cast<uint32_t>(confineFiles(what));
    Filter filter(what.files != FilesRead::None, what.answers);
    confined.seccomp = static_cast<uint32_t>(filter.load());
    return confined;
}

} // namespace weft
