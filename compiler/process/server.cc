// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The server: takes jobs from the control socket, forks one child for each, watches what it costs
 * and tells the application when a child died. It reads nothing of a job but the fixed-size packet
 * on the control socket; the request itself is read by the child (worker.cc).
 */
#include "compiler/process/server.h"

#include "compiler/job/board.h"
#include "compiler/job/job.h"
#include "compiler/job/processes.h"
#include "compiler/process/worker.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace weft {

namespace {

constexpr uint64_t second = UINT64_C(1000000000);
/* Idle for so long, the compiler is warmed up for later jobs. Not at once: the first job would wait
 * for it, and the application's kernels, once built, need the processor more. */
constexpr uint64_t warmDelay = second / 5;
/* A job that ended but whose application does not read: the reason is given up after so long. */
constexpr uint64_t lingerTime = 10 * second;
/* How often a job's processor time is looked at, and how much of it shows that it does something.
 */
constexpr uint64_t lookTime = second / 4;
constexpr uint64_t longestWatch = 5 * second; /* between two looks, unless we were stopped */
constexpr uint64_t leastWork = second / 1000;

/** A job that is not begun because as many as may run do. */
struct WaitingJob {
    weft_wire_job wire = {};
    int socket = -1, directory = -1;
    uint64_t nextSign = 0; /* when to tell the client again that it waits */
};

/** One child. */
struct Job {
    pid_t pid = 0; /* 0: it has ended, `failure` waits to be sent */
    int socket = -1;
    int errors = -1;        /* memory file that is the child's stderr, -1: none */
    Board *board = nullptr; /* null: there was no memory for one, nothing but RLIMIT_CPU holds */
    uint64_t nextLook = 0, nextProgress = 0;
    uint64_t worked = 0,
             quietSince = 0; /* processor time when it was last seen to work, and when */
    uint64_t giveUp = 0;     /* for `failure` */
    bool late = false, quiet = false, abandoned = false; /* why we killed it */
    uint32_t seconds = 0, megabytes = 0;
    std::string failure;
};

volatile sig_atomic_t childEnded;

void onChildEnded(int) {
    childEnded = 1;
}

class Server {
  public:
    Server(uint64_t idle, bool hasParent, const ServerTimes &times)
        : idleTime(idle), times(times), hasParent(hasParent) {}
    int run();

  private:
    void wait(const sigset_t &mask);
    void acceptJobs();
    bool acceptJob();
    void startJob(const weft_wire_job &wire, int socket, int directory);
    void startWaiting();
    void watchWaiting();
    size_t running() const;
    void refuse(int socket, const std::string &why);
    void reap();
    void ended(Job &job, int status);
    void watch();
    void forgiveStop(uint64_t now);
    void look(Job &job, uint64_t now);
    void flushFailures();
    void removeEnded();

    uint64_t idleTime;
    ServerTimes times;
    std::vector<Job> jobs;
    std::deque<WaitingJob> waiting;
    std::vector<pollfd> waits;
    /* One more than processors: a job that hangs until its time is up leaves room for another. */
    size_t mostRunning = processors() + 1;
    uint64_t lastWatch = 0; /* when jobs were last looked at; 0: never */
    bool open = true;       /* the control socket */
    bool hasParent;         /* the application's pidfd */
    bool parentLives = true;
    bool warm = false; /* warmCompiler was called */
};

/* ---- taking jobs ---------------------------------------------------------------------------- */

/** A file in memory that cannot grow: a child that writes for ever fills nothing. */
int makeErrorFile() {
    int fd = memfd_create("weft-errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, errorBytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/** Sends a FAILED packet. False: no room now. */
bool sendFailure(int socket, const std::string &text) {
    weft_wire_packet packet = {};
    packet.kind = WEFT_WIRE_FAILED;
    packet.bytes = static_cast<uint32_t>(std::min<size_t>(text.size(), WEFT_WIRE_TEXT));
    iovec parts[2] = {{&packet, sizeof packet}, {const_cast<char *>(text.data()), packet.bytes}};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ||
           (errno != EAGAIN && errno != EINTR);
}

void Server::refuse(int socket, const std::string &why) {
    sendFailure(socket, "weft: the compiler process refused the job: " + why);
    close(socket);
}

void Server::startJob(const weft_wire_job &wire, int socket, int directory) {
    uint64_t received = monotonicNow();
    Job job;
    job.socket = socket;
    job.errors = makeErrorFile();
    job.seconds = wire.seconds;
    job.megabytes = wire.megabytes;
    job.board = Board::create();
    job.nextLook = received + lookTime;
    job.nextProgress = received + WEFT_WIRE_PROGRESS_SECONDS * second;
    job.quietSince = received;
    pid_t server = getpid();
    job.pid = fork();
    if (job.pid == 0) {
        close(WEFT_WIRE_FD_CONTROL);
        close(WEFT_WIRE_FD_PARENT);
        for (const Job &other : jobs) {
            close(other.socket);
            if (other.errors >= 0)
                close(other.errors);
            Board::destroy(other.board); /* it could end that job, and read what it is at */
        }
        for (const WaitingJob &other : waiting) {
            close(other.socket);
            if (other.directory >= 0)
                close(other.directory);
        }
        /* Many jobs keep all processors busy by themselves. */
        unsigned alone = processors() / static_cast<unsigned>(1 + running() + waiting.size());
        runWorker({wire, socket, directory, job.errors, job.board, server, received, times,
                   std::max(alone, 1u)});
    }
    int error = errno;
    if (directory >= 0)
        close(directory);
    if (job.pid < 0) {
        if (job.errors >= 0)
            close(job.errors);
        Board::destroy(job.board);
        refuse(socket, std::string("fork: ") + strerror(error));
        return;
    }
    setpgid(job.pid, job.pid); /* the child does it too: whoever comes first */
    jobs.push_back(std::move(job));
}

/** Takes up to two descriptors out of a message; closes what is too much. */
void takeDescriptors(msghdr &message, int (&descriptors)[2]) {
    size_t count = 0;
    for (cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        size_t here = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < here; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
            if (count < 2)
                descriptors[count++] = fd;
            else
                close(fd);
        }
    }
}

/** False: there is no job waiting, or the control socket has ended. */
bool Server::acceptJob() {
    weft_wire_job wire = {};
    alignas(cmsghdr) char room[CMSG_SPACE(4 * sizeof(int))];
    iovec part = {&wire, sizeof wire};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    ssize_t bytes = recvmsg(WEFT_WIRE_FD_CONTROL, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (bytes <= 0) {
        open = false;
        return false;
    }
    int descriptors[2] = {-1, -1};
    takeDescriptors(message, descriptors);
    if (descriptors[0] < 0)
        return true; /* nobody to answer to */
    std::string why;
    if (static_cast<size_t>(bytes) < 2 * sizeof(uint32_t) || wire.magic != WEFT_WIRE_MAGIC)
        why = "not a job";
    else if (wire.version != WEFT_WIRE_VERSION)
        why = "libweft.so speaks protocol " + std::to_string(wire.version) +
              ", weft-compiler protocol " + std::to_string(WEFT_WIRE_VERSION);
    else if (static_cast<size_t>(bytes) != sizeof wire ||
             wire.has_directory != (descriptors[1] >= 0) || !wire.seconds || !wire.megabytes ||
             wire.request_bytes > WEFT_WIRE_MAX_BYTES)
        why = "not a valid job";
    else if (wire.user != geteuid() || wire.group != getegid())
        why = "it comes from another user";
    if (why.empty()) {
        uint64_t sign = monotonicNow() + WEFT_WIRE_WAITING_SECONDS * second;
        waiting.push_back({wire, descriptors[0], descriptors[1], sign});
    } else {
        if (descriptors[1] >= 0)
            close(descriptors[1]);
        refuse(descriptors[0], why);
    }
    return true;
}

/** Children that still compile. One whose client has its answer and hung up only gives its memory
 *  back, which takes a large one some milliseconds. */
size_t Server::running() const {
    return static_cast<size_t>(std::count_if(
        jobs.begin(), jobs.end(), [](const Job &job) { return job.pid != 0 && !job.abandoned; }));
}

bool hungUp(int socket) {
    pollfd state = {socket, 0, 0};
    return poll(&state, 1, 0) == 1 && (state.revents & (POLLHUP | POLLERR));
}

/** Takes up what waits, in order, as far as there is room. */
void Server::startWaiting() {
    while (!waiting.empty() && running() < mostRunning) {
        WaitingJob job = waiting.front();
        waiting.pop_front();
        startJob(job.wire, job.socket, job.directory);
    }
}

/** Tells clients that their jobs wait; forgets those whose client is gone. */
void Server::watchWaiting() {
    uint64_t now = monotonicNow();
    for (size_t i = waiting.size(); i-- > 0;) {
        WaitingJob &job = waiting[i];
        if (now >= job.nextSign) {
            weft_wire_packet sign = {WEFT_WIRE_WAITING, 0};
            (void)send(job.socket, &sign, sizeof sign, MSG_NOSIGNAL | MSG_DONTWAIT);
            job.nextSign = now + WEFT_WIRE_WAITING_SECONDS * second;
        }
        if (parentLives && !hungUp(job.socket))
            continue;
        close(job.socket);
        if (job.directory >= 0)
            close(job.directory);
        waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(i));
    }
}

/* ---- watching children ---------------------------------------------------------------------- */

/** The first lines that the child wrote to stderr, as printable text. */
std::string crashText(int fd) {
    char text[errorBytes];
    ssize_t bytes = fd < 0 ? 0 : pread(fd, text, sizeof text, 0);
    std::string printable;
    for (ssize_t i = 0; i < bytes && text[i]; i++)
        printable += text[i] == '\n' || (text[i] >= 32 && text[i] < 127) ? text[i] : '?';
    while (!printable.empty() && printable.back() == '\n')
        printable.pop_back();
    return printable;
}

const char *signalName(int number) {
    const char *name = sigabbrev_np(number);
    return name ? name : "unknown";
}

uint32_t quietSeconds(const Job &job) {
    return std::min(job.seconds, WEFT_WIRE_QUIET_SECONDS);
}

/** Why a child ended, as a sentence. */
std::string reasonOf(const Job &job, int status) {
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (job.late || number == SIGXCPU)
        return "weft: the build was ended: it is over the time limit of " +
               std::to_string(job.seconds) + " seconds of processor time (WEFT_COMPILER_SECONDS)";
    if (job.quiet)
        return "weft: the build was ended: it has used no processor time for " +
               std::to_string(quietSeconds(job)) + " seconds";
    std::string text;
    if (number == SIGSYS)
        text = "weft: the build was ended: it made a system call that no build may make (SIGSYS)";
    else if (number)
        text = "weft: the compiler crashed with signal " + std::to_string(number) + " (SIG" +
               signalName(number) + ")";
    else
        text = "weft: the compiler ended with status " + std::to_string(WEXITSTATUS(status));
    std::string written = crashText(job.errors);
    return written.empty() ? text : text + "\n" + written;
}

void Server::ended(Job &job, int status) {
    job.pid = 0;
    if (!job.abandoned && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        job.failure = reasonOf(job, status);
        job.giveUp = monotonicNow() + lingerTime;
    }
    if (job.errors >= 0)
        close(job.errors);
    job.errors = -1;
}

/** What a job has started ends with it: while its first process is not waited for, nobody else's
 *  group can have its number. */
void Server::reap() {
    siginfo_t info = {};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0) {
        int status = 0;
        pid_t pid = info.si_pid;
        kill(-pid, SIGKILL);
        if (waitpid(pid, &status, 0) == pid)
            for (Job &job : jobs)
                if (job.pid == pid)
                    ended(job, status);
        info = {};
    }
}

bool isKilled(const Job &job) {
    return job.late || job.quiet || job.abandoned;
}

/** "4.2 s of processor time: kernel 'k': optimise". The client also takes it for a sign of life. */
void sendProgress(const Job &job, uint64_t spent) {
    std::string text = std::to_string(spent / second) + "." +
                       std::to_string(spent / (second / 10) % 10) + " s of processor time";
    std::string what = job.board ? job.board->text() : "";
    text += what.empty() ? "" : ": " + what;
    weft_wire_packet packet = {};
    packet.kind = WEFT_WIRE_PROGRESS;
    packet.bytes = static_cast<uint32_t>(std::min<size_t>(text.size(), WEFT_WIRE_TEXT));
    iovec parts[2] = {{&packet, sizeof packet}, {text.data(), packet.bytes}};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    (void)sendmsg(job.socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/** Bytes that the application has not taken yet. */
int unreadBytes(const Job &job) {
    int bytes = 0;
    return ioctl(job.socket, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

/** The job cannot send more of its answer, as the application does not take it: that is stopped, by
 *  Ctrl-Z or a debugger. What the server sends itself is less. */
bool isHeldUp(const Job &job) {
    constexpr int leastAnswer = 16384;
    return unreadBytes(job) > leastAnswer;
}

/** The limit is of processor time, so that a busy machine fails no build. The clock is only for
 *  what does nothing at all: it waits for a file or for a lock. */
void Server::look(Job &job, uint64_t now) {
    uint64_t spent = job.board ? job.board->spent() : 0;
    if (spent > job.worked + leastWork || isHeldUp(job)) {
        job.worked = spent;
        job.quietSince = now;
    }
    job.late = spent >= job.seconds * second;
    job.quiet = !job.late && now >= job.quietSince + quietSeconds(job) * second;
    job.nextLook = now + lookTime;
    if (now >= job.nextProgress && !isKilled(job) && !unreadBytes(job)) {
        sendProgress(job, spent);
        job.nextProgress = now + WEFT_WIRE_PROGRESS_SECONDS * second;
    }
}

/** While this process was stopped, too, or the machine slept, nobody saw what jobs did. */
void Server::forgiveStop(uint64_t now) {
    if (lastWatch && now - lastWatch > longestWatch)
        for (Job &job : jobs)
            job.quietSince = now;
    lastWatch = now;
}

/** Kills what is over its time and what nobody waits for any more. */
void Server::watch() {
    uint64_t now = monotonicNow();
    forgiveStop(now);
    for (Job &job : jobs) {
        if (!job.pid || isKilled(job))
            continue;
        if (!parentLives || hungUp(job.socket))
            job.abandoned = true;
        else if (now >= job.nextLook)
            look(job, now);
        if (!isKilled(job))
            continue;
        kill(-job.pid, SIGKILL); /* what it started too */
        kill(job.pid, SIGKILL);
    }
}

void Server::flushFailures() {
    uint64_t now = monotonicNow();
    for (Job &job : jobs)
        if (!job.pid && !job.failure.empty() &&
            (sendFailure(job.socket, job.failure) || now >= job.giveUp))
            job.failure.clear();
}

void Server::removeEnded() {
    for (size_t i = jobs.size(); i-- > 0;) {
        if (jobs[i].pid || !jobs[i].failure.empty())
            continue;
        close(jobs[i].socket);
        Board::destroy(jobs[i].board);
        jobs.erase(jobs.begin() + static_cast<ptrdiff_t>(i));
    }
}

/* ---- loop ----------------------------------------------------------------------------------- */

void Server::wait(const sigset_t &mask) {
    uint64_t now = monotonicNow();
    uint64_t until = jobs.empty() ? now + (warm ? idleTime : warmDelay) : UINT64_MAX;
    waits.clear();
    waits.push_back({open ? WEFT_WIRE_FD_CONTROL : -1, POLLIN, 0});
    waits.push_back({hasParent && parentLives ? WEFT_WIRE_FD_PARENT : -1, POLLIN, 0});
    for (const Job &job : jobs) {
        /* Events 0: woken when the application closes its end. A job that we have killed shows
         * that for ever. */
        bool killed = isKilled(job);
        short events = job.failure.empty() ? 0 : POLLOUT;
        waits.push_back({killed && job.pid ? -1 : job.socket, events, 0});
        until = std::min(until, killed && job.pid ? now + second
                                : job.pid         ? job.nextLook
                                                  : job.giveUp);
    }
    for (const WaitingJob &job : waiting) {
        waits.push_back({job.socket, 0, 0});
        until = std::min(until, job.nextSign);
    }
    uint64_t left = until > now ? until - now : 0;
    timespec timeout = {static_cast<time_t>(left / second), static_cast<long>(left % second)};
    int count = ppoll(waits.data(), waits.size(), &timeout, &mask);
    if (count == 0 && jobs.empty()) {
        if (warm)
            open = false; /* nobody has needed us for long */
        else
            warmCompiler();
        warm = true;
    }
    if (count > 0 && (waits[1].revents & POLLIN))
        parentLives = false;
}

void Server::acceptJobs() {
    while (open && acceptJob())
        ;
}

/** Ends when there can be no more jobs and the last one has ended. */
int Server::run() {
    sigset_t blocked, unblocked;
    struct sigaction action = {};
    action.sa_handler = onChildEnded;
    sigaction(SIGCHLD, &action, nullptr);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, &unblocked);
    while (true) {
        acceptJobs();
        if (childEnded) {
            childEnded = 0;
            reap();
        }
        watch();
        flushFailures();
        removeEnded();
        watchWaiting();
        startWaiting();
        if ((!open || !parentLives) && jobs.empty() && waiting.empty())
            return 0;
        wait(unblocked);
    }
}

} // namespace

int serve(int argc, char **argv) {
    ServerTimes times;
    if (argc != 5 || strtoul(argv[2], nullptr, 10) != WEFT_WIRE_VERSION) {
        fprintf(stderr, "weft-compiler: started with another protocol than %u\n",
                WEFT_WIRE_VERSION);
        return 2;
    }
    uint64_t idle = strtoull(argv[3], nullptr, 10) * second;
    times.started = strtoull(argv[4], nullptr, 10);
    struct stat control;
    if (fstat(WEFT_WIRE_FD_CONTROL, &control) != 0 || !S_ISSOCK(control.st_mode)) {
        fprintf(stderr, "weft-compiler: is started by libweft.so\n");
        return 2;
    }
    /* Where there is no pidfd, its number must not become another descriptor's. */
    bool hasParent = fcntl(WEFT_WIRE_FD_PARENT, F_GETFD) >= 0;
    if (!hasParent)
        dup2(STDIN_FILENO, WEFT_WIRE_FD_PARENT);
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); /* crashes are answers here, not events */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* under a small RLIMIT_FSIZE there is no file for stderr, no more */
    umask(077);
    initialiseCompiler();
    times.ready = monotonicNow();
    return Server(idle, hasParent, times).run();
}

} // namespace weft
