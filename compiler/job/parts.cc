// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "job/parts.h"

#include "stages/stages.h"
#include "vector/prepare.h"
#include "job/weight.h"
#include "job/processes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft {

namespace {

/** A share is worth a process (about a millisecond) from this weight on, bodies of kernels from
 *  so many instructions on. */
constexpr uint64_t worthwhile = 200, worthwhileBodies = 150;
constexpr unsigned mostProcesses = 16;

/** A process gets at least so much of the job's memory, and twice what it starts with. Bodies of a
 *  kernel are not divided where that left them less than they may need: there is no second try. */
constexpr uint64_t leastMemory = uint64_t(256) << 20, leastForBodies = uint64_t(1) << 30;

/** The limit of this process's data; UINT64_MAX: none. */
uint64_t memoryLimit() {
    rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

/** The hard limit stays: the first process will need the whole again. */
void limitMemory(uint64_t bytes) {
    rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
    setrlimit(RLIMIT_DATA, &limit);
}

/** Instructions from which on a kernel and what it calls, all of it, is heavy: its build takes
 *  longer than a second, and a process more does not matter. */
constexpr uint64_t heavy = 12000;

/** A step down the ladder has a quarter of the time, which heavy kernels divide, and not less than
 *  this, in seconds. */
constexpr uint64_t leastShare = 5, stepsOfTime = 4;

/** Seconds of processor time that a process may use; UINT64_MAX: any. */
uint64_t timeLimit() {
    rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

void limitTime(uint64_t seconds) {
    rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = std::min<rlim_t>(seconds, limit.rlim_max);
    setrlimit(RLIMIT_CPU, &limit);
}

using Reached = llvm::SmallPtrSet<const llvm::Function *, 32>;

/** A kernel and all that it calls. */
Reached reachedFrom(const llvm::Function &kernel) {
    Reached seen = {&kernel};
    llvm::SmallVector<const llvm::Function *, 32> work = {&kernel};
    while (!work.empty())
        for (const llvm::Instruction &instruction : llvm::instructions(*work.pop_back_val()))
            if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
                if (const llvm::Function *callee = call->getCalledFunction())
                    if (seen.insert(callee).second)
                        work.push_back(callee);
    return seen;
}

/** Instructions of all these. */
uint64_t sizeOf(const Reached &functions) {
    uint64_t size = 0;
    for (const llvm::Function *function : functions)
        size += function->getInstructionCount();
    return size;
}

/** Heavy kernels that are built in one process. */
struct Heavy {
    explicit Heavy(llvm::Function &kernel)
        : kernels({kernel.getName().str()}), reached(reachedFrom(kernel)), size(sizeOf(reached)),
          keepsFunctions(kernel.hasFnAttribute(largeAttribute)) {}

    /** Most of what `other` needs is here. What is inlined into each kernel is never shared. */
    bool hasMostOf(const Heavy &other) const {
        uint64_t common = 0;
        for (const llvm::Function *function : other.reached)
            if (reached.contains(function))
                common += function->getInstructionCount();
        return keepsFunctions && other.keepsFunctions && common * 2 > other.size;
    }
    void add(const Heavy &other) {
        kernels.insert(kernels.end(), other.kernels.begin(), other.kernels.end());
        reached.insert(other.reached.begin(), other.reached.end());
    }

    std::vector<std::string> kernels;
    Reached reached;
    uint64_t size; /* of the first kernel */
    bool keepsFunctions;
};

/** The largest first. Functions that stay functions (stage inline-barriers) are built once for
 *  kernels that have most of them in common. */
std::vector<Heavy> shareFunctions(std::vector<Heavy> kernels) {
    llvm::stable_sort(kernels, [](const Heavy &a, const Heavy &b) { return a.size > b.size; });
    std::vector<Heavy> groups;
    for (Heavy &kernel : kernels) {
        auto group = llvm::find_if(groups, [&](Heavy &each) { return each.hasMostOf(kernel); });
        if (group == groups.end())
            groups.push_back(std::move(kernel));
        else
            group->add(kernel);
    }
    return groups;
}

/** What it takes to build a function, and its name. */
using Row = std::pair<uint64_t, std::string>;

/** Names, share by share: the heaviest first, each to the lightest share so far. None: there is
 *  not enough for two processes. */
std::vector<std::vector<std::string>> divide(std::vector<Row> rows, uint64_t most,
                                             uint64_t worthwhile) {
    uint64_t total = 0;
    for (const Row &row : rows)
        total += row.first;
    uint64_t count = std::min<uint64_t>({most, rows.size(), total / worthwhile, mostProcesses});
    if (count < 2)
        return {};
    llvm::stable_sort(rows, [](const Row &a, const Row &b) { return a.first > b.first; });
    std::vector<std::vector<std::string>> shares(count);
    std::vector<uint64_t> weights(count);
    for (auto &[own, name] : rows) {
        size_t lightest = llvm::min_element(weights) - weights.begin();
        weights[lightest] += own;
        shares[lightest].push_back(std::move(name));
    }
    return shares;
}

std::vector<Row> weightsOf(llvm::ArrayRef<llvm::Function *> kernels) {
    std::vector<Row> rows;
    BuildWeight weight;
    for (llvm::Function *kernel : kernels)
        rows.emplace_back(weight.of(*kernel), kernel->getName().str());
    return rows;
}

/** Makes a declaration of what this process does not compile. The function itself stays, because
 *  analyses of earlier stages are kept under its address. */
void drop(llvm::Function &function) {
    function.deleteBody();
    function.setComdat(nullptr);
}

/** Removes the bodies of all kernels but `kept`, and of functions that nobody calls any more. */
void keepOnly(llvm::Module &module, const llvm::StringSet<> &kept) {
    for (llvm::Function *kernel : kernelsOf(module))
        if (!kept.contains(kernel->getName()))
            drop(*kernel);
    for (bool changed = true; changed;) {
        changed = false;
        for (llvm::Function &function : module)
            if (!function.isDeclaration() && function.hasLocalLinkage() && function.use_empty() &&
                !function.hasFnAttribute(kernelAttribute)) {
                drop(function);
                changed = true;
            }
    }
}

void keepRecords(ModuleRecord &record, const llvm::StringSet<> &kept) {
    llvm::erase_if(record.kernels,
                   [&](const KernelRecord &kernel) { return !kept.contains(kernel.name); });
}

KernelRecord *find(std::vector<KernelRecord> &kernels, llvm::StringRef name) {
    for (KernelRecord &kernel : kernels)
        if (kernel.name == name)
            return &kernel;
    return nullptr;
}

std::vector<std::string> namesOf(llvm::ArrayRef<KernelRecord> kernels) {
    std::vector<std::string> names;
    for (const KernelRecord &kernel : kernels)
        names.push_back(kernel.name);
    return names;
}

/** What the stages behind the first split have said of a kernel. */
void take(KernelRecord &into, KernelRecord &from) {
    into.info = from.info;
    into.entrySymbol = std::move(from.entrySymbol);
    into.args = std::move(from.args);
    into.stacks = std::move(from.stacks);
    into.remarks = std::move(from.remarks);
}

/** What the stages behind the second split have said of bodies, and of the kernel for their sake;
 *  it had so many remarks before. */
void addBodies(KernelRecord &into, KernelRecord &from, size_t remarks) {
    for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++) {
        if (from.entrySymbol[shape].empty())
            continue;
        into.entrySymbol[shape] = std::move(from.entrySymbol[shape]);
        into.info.body[shape] = from.info.body[shape];
    }
    into.info.flags |= from.info.flags;
    into.info.fixed_bytes = std::max(into.info.fixed_bytes, from.info.fixed_bytes);
    into.info.private_bytes = std::max(into.info.private_bytes, from.info.private_bytes);
    for (size_t i = remarks; i < from.remarks.size(); i++)
        into.remarks.push_back(std::move(from.remarks[i]));
}

/** Takes what is there, waiting for it. False: that was all. */
bool readPiece(int descriptor, std::string &bytes) {
    char buffer[65536];
    for (;;) {
        ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got > 0)
            bytes.append(buffer, static_cast<size_t>(got));
        return got > 0;
    }
}

} // namespace

int Parts::waitFor(const Copy &copy) {
    int status = 0;
    rusage usage = {};
    while (wait4(copy.pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    auto time = [](const timeval &value) {
        return static_cast<uint64_t>(value.tv_sec) * 1000000000u +
               static_cast<uint64_t>(value.tv_usec) * 1000u;
    };
    if (board)
        board->leave(copy.pid, time(usage.ru_utime) + time(usage.ru_stime));
    return status;
}

Parts::~Parts() {
    for (const Copy &copy : copies)
        close(copy.pipe);
}

bool Parts::startCopy(Task what) {
    int ends[2];
    pid_t first = getpid();
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        /* This process is single-threaded, so the signal comes when it ends, not before. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != first)
            _exit(1);
        close(ends[0]);
        pipeToFirst = ends[1];
        for (const Copy &other : copies)
            close(other.pipe);
        copies.clear();
        messages.clear();
        if (board)
            board->enter();
        if (what.seconds)
            limitTime(what.seconds);
        task = std::move(what);
        return true;
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    copies.push_back({pid, ends[0], std::move(what), ""});
    return true;
}

unsigned Parts::mostProcesses() const {
    struct mallinfo2 used = mallinfo2();
    uint64_t least = std::max<uint64_t>(leastMemory, 2 * (used.arena + used.hblkhd));
    uint64_t fit = std::max<uint64_t>(memoryLimit() / least, 1);
    return static_cast<unsigned>(std::min<uint64_t>(most ? most : processors(), fit));
}

/** In the first process, before the copies are started, which inherit it. */
void Parts::divideMemory(size_t processes) {
    if (memoryLimit() == UINT64_MAX || processes < 2)
        return;
    memory = memoryLimit();
    limitMemory(memory / processes);
}

/* ---- heavy kernels -----------------------------------------------------------------------------
 */

/** Empty, where no kernel is heavy; else heavy ones alone, the others together. */
std::vector<Task> Parts::tasksOf(llvm::ArrayRef<llvm::Function *> kernels) const {
    std::vector<Heavy> rows;
    std::vector<llvm::Function *> light;
    for (llvm::Function *kernel : kernels) {
        Heavy row(*kernel);
        if (row.size >= heavy)
            rows.push_back(std::move(row));
        else
            light.push_back(kernel);
    }
    std::vector<Task> tasks;
    if (rows.empty())
        return tasks;
    uint64_t limit = timeLimit(), share = 0;
    if (limit != UINT64_MAX)
        share = std::max(limit / stepsOfTime / rows.size(),
                         std::max<uint64_t>(std::min(leastShare, limit / stepsOfTime), 1));
    for (Heavy &group : shareFunctions(std::move(rows))) {
        uint64_t seconds = share * group.kernels.size();
        tasks.push_back({std::move(group.kernels), Effort::All, seconds, ""});
    }
    auto shares = divide(weightsOf(light), mostProcesses(), worthwhile);
    if (shares.empty() && !light.empty()) {
        shares.emplace_back();
        for (llvm::Function *kernel : light)
            shares[0].push_back(kernel->getName().str());
    }
    for (auto &names : shares)
        tasks.push_back({std::move(names), Effort::All, 0, ""});
    return tasks;
}

/** Waits until copies have sent something or ended; takes what they sent. */
void Parts::readSome() {
    std::vector<pollfd> waits;
    for (const Copy &copy : copies)
        waits.push_back({copy.pipe, POLLIN, 0});
    while (poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
    }
    for (size_t i = 0; i < waits.size(); i++)
        if (waits[i].revents && !readPiece(copies[i].pipe, copies[i].bytes)) {
            close(copies[i].pipe);
            copies[i].pipe = -1;
        }
}

/** Keeps the message of a copy that has ended, or puts its task back, with less effort. */
void Parts::finish(Copy copy, std::vector<Task> &tasks) {
    int status = waitFor(copy);
    bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    bool large = WIFEXITED(status) && WEXITSTATUS(status) == outOfMemoryStatus;
    bool aborted = WIFEXITED(status) && WEXITSTATUS(status) == abortedStatus;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : aborted ? SIGABRT : 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        messages.push_back(std::move(copy.bytes));
        return;
    }
    Task &task = copy.task;
    if ((late || large) && task.effort != Effort::Least) {
        task.remark = "was built with less effort: it took more than " +
                      (late ? std::to_string(task.seconds) + " seconds of processor time"
                            : std::string("there is memory for")) +
                      " before";
        task.effort = static_cast<Effort>(static_cast<int>(task.effort) + 1);
        if (task.effort == Effort::Least)
            task.seconds = 0;
        tasks.insert(tasks.begin(), std::move(task));
        return;
    }
    if (late)
        raise(SIGXCPU); /* the server says so */
    failed = true;
    failure = "the compiler " +
              (large    ? std::string("ended for want of memory")
               : number ? "ended by signal " + std::to_string(number)
                        : std::string("ended")) +
              " while it compiled kernel '" +
              llvm::join(hasBodies ? namesOf(whole) : task.kernels, "', '") + "'";
}

/** Returns in each copy, and in the first process when all is built, or something failed. */
void Parts::runTasks(std::vector<Task> tasks, llvm::Module &module, ModuleRecord &record) {
    size_t atOnce = std::min<size_t>(mostProcesses(), tasks.size());
    whole = record.kernels;
    divideMemory(atOnce);
    if (board)
        board->note(""); /* only the copies are at work */
    while (!failed && !(tasks.empty() && copies.empty())) {
        while (!tasks.empty() && copies.size() < atOnce) {
            Task next = std::move(tasks.front());
            tasks.erase(tasks.begin());
            if (!startCopy(next)) {
                if (copies.empty()) {
                    failed = true;
                    failure = std::string("no process can be started: ") + strerror(errno);
                    return;
                }
                tasks.insert(tasks.begin(), std::move(next));
                break;
            }
            if (!isCopy())
                continue;
            llvm::StringSet<> mine;
            mine.insert(task.kernels.begin(), task.kernels.end());
            keepOnly(module, mine);
            keepRecords(record, mine);
            for (KernelRecord &kernel : record.kernels)
                if (!task.remark.empty())
                    kernel.remarks.push_back(task.remark);
            return;
        }
        readSome();
        for (size_t i = copies.size(); i-- > 0;)
            if (copies[i].pipe < 0) {
                Copy ended = std::move(copies[i]);
                copies.erase(copies.begin() + static_cast<ptrdiff_t>(i));
                finish(std::move(ended), tasks);
            }
    }
}

/** Returns in every process, with the names of what it keeps of the module; none: all. */
llvm::StringSet<> Parts::share(const std::vector<std::vector<std::string>> &shares,
                               llvm::Module &module, const ModuleRecord &record) {
    llvm::StringSet<> mine;
    if (shares.empty())
        return mine;
    divideMemory(shares.size());
    whole = record.kernels;
    for (size_t i = 0; i < shares.size(); i++) {
        if (i > 0 && startCopy({shares[i], Effort::All, 0, ""})) {
            if (!isCopy())
                continue;
            mine.clear();
        }
        mine.insert(shares[i].begin(), shares[i].end());
        if (isCopy())
            break;
    }
    keepOnly(module, mine);
    return mine;
}

void Parts::split(llvm::Module &module, ModuleRecord &record) {
    std::vector<llvm::Function *> kernels = kernelsOf(module);
    /* A kernel that is called as a function, or whose address is taken, is needed everywhere. */
    if (llvm::any_of(kernels, [](llvm::Function *kernel) { return !kernel->use_empty(); }))
        return;
    if (auto tasks = tasksOf(kernels); !tasks.empty())
        return runTasks(std::move(tasks), module, record);
    const llvm::StringSet<> mine =
        share(divide(weightsOf(kernels), mostProcesses(), worthwhile), module, record);
    if (!mine.empty())
        keepRecords(record, mine);
}

void Parts::splitBodies(llvm::Module &module, const ModuleRecord &record) {
    if (isCopy() || isDone() || !whole.empty() || memoryLimit() / 2 < leastForBodies)
        return;
    std::vector<Row> rows;
    for (llvm::Function *body : kernelsOf(module)) {
        /* What it calls would be built in each process. */
        if (!body->use_empty() || body->hasFnAttribute(largeAttribute))
            return;
        rows.emplace_back(body->getInstructionCount(), body->getName().str());
    }
    hasBodies =
        !share(divide(std::move(rows), mostProcesses(), worthwhileBodies), module, record).empty();
}

void Parts::finishCopy(llvm::Error error, const ModuleRecord &record, const ObjectBytes &object,
                       const Nanoseconds &nanoseconds) {
    const std::string bytes = writeMessage(std::move(error), record, object, nanoseconds);
    for (size_t done = 0; done < bytes.size();) {
        ssize_t now = write(pipeToFirst, bytes.data() + done, bytes.size() - done);
        if (now < 0 && errno != EINTR)
            _exit(1);
        done += now > 0 ? static_cast<size_t>(now) : 0;
    }
    close(pipeToFirst); /* an exit gives the memory back first, which takes a millisecond */
    _exit(0);
}

/** The time on the clock that copies took, divided as they say that they used it. */
static void divideTime(Nanoseconds &nanoseconds, const Nanoseconds &taken) {
    constexpr auto passes = static_cast<size_t>(JobPart::Passes);
    constexpr auto codeGen = static_cast<size_t>(JobPart::CodeGen);
    double all = static_cast<double>(taken[passes]) + static_cast<double>(taken[codeGen]);
    if (all <= 0)
        return;
    auto moved = static_cast<uint64_t>(static_cast<double>(nanoseconds[passes]) *
                                       (static_cast<double>(taken[codeGen]) / all));
    nanoseconds[passes] -= moved;
    nanoseconds[codeGen] += moved;
}

/** False: it is of a kernel that is not there. */
bool Parts::add(Message &message, ModuleRecord &record) {
    for (KernelRecord &kernel : message.kernels) {
        KernelRecord *into = find(record.kernels, kernel.name);
        if (!into)
            return false;
        if (hasBodies)
            addBodies(*into, kernel, find(whole, kernel.name)->remarks.size());
        else
            take(*into, kernel);
    }
    return true;
}

llvm::Error Parts::collect(ModuleRecord &record, std::vector<ObjectBytes> &objects,
                           Nanoseconds &nanoseconds) {
    if (failed)
        return llvm::createStringError(failure);
    if (whole.empty())
        return llvm::Error::success();
    bool done = isDone();
    if (done)
        objects.clear();
    if (!hasBodies) { /* else the record has all kernels, and lacks what the copies say of bodies */
        for (KernelRecord &kernel : record.kernels)
            *find(whole, kernel.name) = std::move(kernel);
        record.kernels = std::move(whole);
    }
    std::vector<Task> none;
    while (!copies.empty()) {
        Copy copy = std::move(copies.back());
        copies.pop_back();
        while (readPiece(copy.pipe, copy.bytes)) {
        }
        close(copy.pipe);
        if (isWhole(copy.bytes)) { /* it is about to end: waitForChildren() */
            messages.push_back(std::move(copy.bytes));
            continue;
        }
        copy.task.effort = Effort::Least; /* light kernels have no second try */
        finish(std::move(copy), none);
        if (failed)
            return llvm::createStringError(failure);
    }
    Nanoseconds taken = {};
    for (const std::string &bytes : messages) {
        Message message;
        if (!readMessage(bytes, message) || !add(message, record))
            message.error = "a process of the compiler said nothing that could be understood";
        if (!message.error.empty())
            return llvm::createStringError(message.error);
        objects.push_back(std::move(message.object));
        for (size_t part = 0; part < taken.size(); part++)
            taken[part] += message.nanoseconds[part];
    }
    if (done)
        divideTime(nanoseconds, taken);
    if (memory)
        limitMemory(memory);
    memory = 0;
    return llvm::Error::success();
}

} // namespace weft
