// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The compiler process with a compiler that does as it is told: server.cc and worker.cc are the
 * real ones, a job's options say how it ends. What is compiled comes back as the IR.
 */
#include "compiler/job/board.h"
#include "compiler/job/job.h"
#include "compiler/process/server.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

namespace weft {

void initialiseCompiler() {}

void warmCompiler() {}

/** How many mappings this process shares with others that can write to them. */
static unsigned sharedMappings() {
    unsigned count = 0;
    char line[512], mode[5];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps))
        count += sscanf(line, "%*s %4s", mode) == 1 && mode[1] == 'w' && mode[3] == 's';
    if (maps)
        fclose(maps);
    return count;
}

/** What a process inherited, one item per line. */
static std::string describeProcess(const JobRequest &request) {
    char folder[4096];
    std::string text = "server " + std::to_string(getppid()) + "\n";
    text += "job " + std::to_string(getpid()) + "\n";
    text += "processes " + std::to_string(request.processes) + "\n";
    text += "shared " + std::to_string(sharedMappings()) + "\n";
    text += "user " + std::to_string(geteuid()) + "\n";
    text += std::string("directory ") + (getcwd(folder, sizeof folder) ? folder : "?") + "\n";
    for (char **entry = environ; *entry; entry++)
        text += std::string("environment ") + *entry + "\n";
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            text += "descriptor " + std::to_string(fd) + "\n";
    sigset_t mask;
    sigprocmask(SIG_BLOCK, nullptr, &mask);
    for (int number = 1; number < 64; number++) {
        struct sigaction action;
        if (sigismember(&mask, number) == 1)
            text += "blocked " + std::to_string(number) + "\n";
        if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            text += "ignored " + std::to_string(number) + "\n";
    }
    return text;
}

constexpr size_t largeBytes = 512 << 20;

[[noreturn]] static void takeMemory() {
    for (;;)
        memset(new char[1 << 20], 1, 1 << 20);
}

/** Three processes that have some of the time each. */
[[noreturn]] static void spinTogether(Board *board) {
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            board->enter();
            break;
        }
    for (volatile int i = 0;; i = i + 1)
        if (i % 100000 == 0)
            usleep(100);
}

/** Some three seconds, most of them asleep. */
static void crawl(Board *board) {
    board->note("crawling\x1b");
    for (int i = 0; i < 60; i++) {
        for (volatile int work = 0; work < 1000000; work = work + 1) {
        }
        usleep(50000);
    }
}

void runJob(const JobRequest &request, JobReply &reply) {
    llvm::StringRef options = request.options;
    if (options.contains("-crash")) {
        (void)!write(2, "Assertion `x' failed\n", 21);
        abort();
    }
    if (options.contains("-spin"))
        for (volatile int i = 0;; i = i + 1) {
        }
    if (options.contains("-nap"))
        usleep(200000);
    if (options.contains("-share")) /* no process is over the limit, all together are */
        spinTogether(request.board);
    if (options.contains("-crawl"))
        crawl(request.board);
    if (options.contains("-sleep"))
        sleep(1000);
    if (options.contains("-memory"))
        takeMemory();
    if (options.contains("-large")) /* a child that takes long to end, but is quick to answer */
        memset(new char[largeBytes], 1, largeBytes);
    if (options.contains("-exit"))
        _exit(3);
    if (options.contains("-socket")) /* what no build may do */
        (void)!socket(AF_UNIX, SOCK_STREAM, 0);
    if (options.contains("-harmless") && prctl(PR_SET_NAME, "x") == 0)
        _exit(4);
    if (options.contains("-stray")) /* a process that means to outlive the job */
        if (fork() == 0)
            for (;;)
                sleep(1000);
    if (options.contains("-silent"))
        _exit(0); /* says neither what came out nor why nothing did */
    if (options.contains("-error")) {
        reply.status = -11;
        reply.log = "bad source\n";
        return;
    }
    if (options.contains("-empty"))
        return;
    reply.touchedFiles = options.contains("-files");
    for (const JobInput &input : request.inputs)
        reply.ir.append(input.data.begin(), input.data.end());
    reply.log =
        options.contains("-describe") ? describeProcess(request) : "built for " + request.isa.str();
    reply.isLibrary = options.contains("-create-library");
    if (request.kind != JobKind::Compile && !reply.isLibrary)
        reply.image = {'i', 'm', 'a', 'g', 'e'};
}

} // namespace weft

int main(int argc, char **argv) {
    return argc > 1 && strcmp(argv[1], "--serve") == 0 ? weft::serve(argc, argv) : 2;
}
