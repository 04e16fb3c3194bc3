// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/process/worker.h"

#include "compiler/process/confine.h"
#include "compiler/job/job.h"
#include "compiler/job/processes.h"
#include "compiler/shared/options.h"
#include "compiler/process/request.h"
#include "compiler/process/stack.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <malloc.h>
#include <new>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

namespace weft {
namespace {

/* Address space beyond the memory limit: for what is mapped from files and shared. */
constexpr rlim_t mappedBytes = rlim_t(2) << 30;

/** What the handlers below need; they can neither get arguments nor allocate. */
int answerSocket = -1;
pid_t firstProcess;
char memoryText[160];

/* ---- packets -------------------------------------------------------------------------------- */

/** False: the application is gone. */
bool sendPacket(uint32_t kind, const void *payload, size_t bytes) {
    weft_wire_packet packet = {kind, static_cast<uint32_t>(bytes)};
    iovec parts[2] = {{&packet, sizeof packet}, {const_cast<void *>(payload), bytes}};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    while (sendmsg(answerSocket, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

bool sendData(const void *data, size_t bytes) {
    const char *at = static_cast<const char *>(data);
    for (size_t done = 0; done < bytes;) {
        size_t now = std::min<size_t>(bytes - done, WEFT_WIRE_PAYLOAD);
        if (!sendPacket(WEFT_WIRE_DATA, at + done, now))
            return false;
        done += now;
    }
    return true;
}

[[noreturn]] void failWith(const char *text) {
    sendPacket(WEFT_WIRE_FAILED, text, std::min<size_t>(strlen(text), WEFT_WIRE_TEXT));
    _exit(0); /* the server need not explain */
}

[[noreturn]] void outOfMemory() {
    if (getpid() != firstProcess)
        _exit(outOfMemoryStatus); /* the first process may know a cheaper way */
    failWith(memoryText);
}

void onBadAlloc(void *, const char *, bool) {
    outOfMemory();
}

void onFatalError(void *, const char *reason, bool) {
    static char text[WEFT_WIRE_TEXT];
    snprintf(text, sizeof text, "weft: the compiler gave up: %s", reason);
    failWith(text);
}

/** A system call that is not of a build's, or abort() in a copy. */
void onForbiddenCall(int, siginfo_t *info, void *context) {
    static char text[160];
    const auto *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    bool aborts = info->si_syscall == SYS_tgkill && registers[REG_RDX] == SIGABRT;
    if (aborts && getpid() != firstProcess)
        _exit(abortedStatus);
    snprintf(text, sizeof text,
             "weft: the build was ended: it made a system call that no build may make (number %d)",
             info->si_syscall);
    failWith(text);
}

[[noreturn]] void onStackOverflow() {
    static char text[160];
    snprintf(text, sizeof text, "weft: the build was ended: %s", stackOverflowText);
    failWith(text);
}

/* ---- limits --------------------------------------------------------------------------------- */

void lower(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
    rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_max = std::min(limit.rlim_max, hard);
    limit.rlim_cur = std::min(soft, limit.rlim_max);
    setrlimit(resource, &limit);
}

void setLimits(const weft_wire_job &job) {
    rlim_t memory = rlim_t(job.megabytes) << 20;
    /* The server adds up what all processes take; this holds even if the server is stopped. */
    lower(RLIMIT_CPU, job.seconds, rlim_t(job.seconds) + 1);
    lower(RLIMIT_DATA, memory, memory);
    lower(RLIMIT_AS, memory + mappedBytes, memory + mappedBytes);
    lower(RLIMIT_CORE, 0, 0);
    /* Files in memory count, and stderr is one. It is full before the limit is reached, which would
       end the process. */
    lower(RLIMIT_FSIZE, errorBytes + 1, errorBytes + 1);
    snprintf(memoryText, sizeof memoryText,
             "weft: the build was ended: it is over the memory limit of %u MiB "
             "(WEFT_COMPILER_MEGABYTES)",
             job.megabytes);
    std::set_new_handler(outOfMemory);
    llvm::install_bad_alloc_error_handler(onBadAlloc);
    llvm::install_fatal_error_handler(onFatalError);
}

void *volatile givenUp; /* or the compiler would leave out that it is asked for */

/** Lets the heap go on at a huge page's border, so that the job's memory is of huge pages (spawn.c
 *  asks for them): the smallest job takes 600 page faults instead of 1060. What is left of the
 *  server's heap shares its huge page with what is in use there, so that it could only be had by
 *  small ones: it is given up. */
void alignHeap() {
    constexpr uintptr_t hugePage = 2 << 20;
    constexpr size_t leastLeft = 1024;
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* what its own rule comes to after some large blocks */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    if (size_t left = mallinfo2().keepcost; left > leastLeft)
        givenUp = malloc(left - leastLeft);
    uintptr_t end = reinterpret_cast<uintptr_t>(sbrk(0));
    sbrk(static_cast<intptr_t>(-end & (hugePage - 1)));
}

/** Separates the child from the server. */
void becomeWorker(const WorkerTask &task) {
    sigset_t none;
    setpgid(0, 0);
    firstProcess = getpid();
    if (task.board)
        task.board->enter();
    /* The server is single-threaded, so this fires when it ends, not before. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != task.server)
        _exit(0);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (task.errors >= 0)
        dup2(task.errors, STDERR_FILENO);
    if (task.directory >= 0 && fchdir(task.directory) != 0) {
        /* May not be entered: then relative names find nothing below "/". */
    }
    if (task.errors >= 0)
        close(task.errors);
    if (task.directory >= 0)
        close(task.directory);
}

/* ---- request -------------------------------------------------------------------------------- */

/** Reads DATA packets until all of the request is here. nullptr: the application is gone or does
 * not keep to the protocol. */
const char *receiveRequest(uint64_t bytes) {
    /* 16-byte alignment is malloc's. */
    char *data = static_cast<char *>(malloc(bytes ? bytes : 1));
    if (!data)
        outOfMemory();
    for (uint64_t at = 0; at < bytes;) {
        weft_wire_packet packet;
        iovec parts[2] = {{&packet, sizeof packet}, {data + at, bytes - at}};
        msghdr message = {};
        message.msg_iov = parts;
        message.msg_iovlen = 2;
        ssize_t got = recvmsg(answerSocket, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= static_cast<ssize_t>(sizeof packet) || (message.msg_flags & MSG_TRUNC) ||
            packet.kind != WEFT_WIRE_DATA || packet.bytes != got - sizeof packet)
            return nullptr;
        at += packet.bytes;
    }
    return data;
}

/* ---- confinement ---------------------------------------------------------------------------- */

/** What the job may read: only OpenCL C names files. */
Confinement confinementOf(const JobRequest &request) {
    Confinement what;
    what.answers = answerSocket;
    for (const JobInput &input : request.inputs)
        if (input.kind == InputKind::Source)
            what.files = request.untrusted ? FilesRead::Folders : FilesRead::Any;
    if (what.files == FilesRead::None)
        return what;
    char error[WEFT_OPTIONS_ERROR_BYTES];
    weft_options options = {};
    std::string text = request.options.str();
    /* What cannot be parsed is the job's to report; it has no folders. */
    (void)weft_options_parse(request.kind == JobKind::Compile ? WEFT_OPTIONS_COMPILE
                                                              : WEFT_OPTIONS_BUILD,
                             text.c_str(), &options, error);
    for (size_t i = 0; i < options.preprocessor_count; i++)
        if (options.preprocessor[i].kind == 'I')
            what.folders.emplace_back(options.preprocessor[i].text);
    weft_options_finish(&options);
    return what;
}

weft_confined confineWorker(const JobRequest &request) {
    struct sigaction action = {};
    action.sa_sigaction = onForbiddenCall;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, nullptr);
    Confinement what = confinementOf(request);
    if (what.files == FilesRead::Folders)
        tzset(); /* __TIME__ is that of the place, whose file is out of reach then */
    return confine(what);
}

/* ---- reply ---------------------------------------------------------------------------------- */

void sendReply(const JobReply &reply, const weft_confined &confined) {
    static_assert(size_t(JobPart::Count) == WEFT_WIRE_PARTS);
    static_assert(
        int(JobPart::FrontEnd) == WEFT_WIRE_FRONT_END && int(JobPart::Passes) == WEFT_WIRE_PASSES &&
        int(JobPart::CodeGen) == WEFT_WIRE_CODEGEN && int(JobPart::Link) == WEFT_WIRE_LINK);
    weft_wire_result result = {};
    result.status = reply.status;
    result.flags = (reply.isLibrary ? WEFT_WIRE_LIBRARY : 0) |
                   (reply.touchedFiles ? WEFT_WIRE_TOUCHED_FILES : 0);
    result.confined = confined;
    result.log_bytes = reply.log.size();
    result.ir_bytes = reply.ir.size();
    result.image_bytes = reply.image.size();
    for (size_t i = 0; i < WEFT_WIRE_PARTS; i++)
        result.nanoseconds[i] = reply.nanoseconds[i];
    if (std::max({result.log_bytes, result.ir_bytes, result.image_bytes}) > WEFT_WIRE_MAX_BYTES)
        failWith("weft: the compiled program is over the limit of 1 GiB");
    if (sendPacket(WEFT_WIRE_RESULT, &result, sizeof result) &&
        sendData(reply.log.data(), reply.log.size()) && sendData(reply.ir.data(), reply.ir.size()))
        sendData(reply.image.data(), reply.image.size());
}

} // namespace

void runWorker(const WorkerTask &task) {
    answerSocket = task.socket;
    becomeWorker(task);
    setLimits(task.job);
    alignHeap();
    useLargeStack(onStackOverflow);
    weft_wire_hello hello = {};
    hello.version = WEFT_WIRE_VERSION;
    hello.server_pid = static_cast<uint32_t>(task.server);
    hello.started = task.times.started;
    hello.ready = task.times.ready;
    hello.received = task.received;
    hello.running = monotonicNow();
    if (!sendPacket(WEFT_WIRE_HELLO, &hello, sizeof hello))
        _exit(0);
    const char *data = receiveRequest(task.job.request_bytes);
    JobRequest request;
    if (!data || !parseRequest(data, task.job.request_bytes, request))
        failWith("weft: the compiler process got a request that is not of its protocol");
    request.processes = task.processes;
    request.board = task.board;
    weft_confined confined = confineWorker(request);
    JobReply reply;
    runJob(request, reply);
    sendReply(reply, confined);
    waitForChildren();
    _exit(0);
}

} // namespace weft
