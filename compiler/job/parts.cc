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

/** A share is worth a process (about a millisecond) from this weight on. */
constexpr uint64_t worthwhile = 200;
constexpr unsigned mostProcesses = 16;

/** A process gets at least so much of the job's memory, and twice what it starts with. */
constexpr uint64_t leastMemory = uint64_t(256) << 20;

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

/** Names of kernels, share by share: the heaviest first, each to the lightest share so far. */
std::vector<std::vector<std::string>> divide(llvm::ArrayRef<llvm::Function *> kernels,
                                             unsigned most) {
    std::vector<std::pair<uint64_t, llvm::Function *>> rows;
    uint64_t total = 0;
    BuildWeight weight;
    for (llvm::Function *kernel : kernels) {
        rows.emplace_back(weight.of(*kernel), kernel);
        total += rows.back().first;
    }
    uint64_t count = std::min<uint64_t>({most, rows.size(), total / worthwhile, mostProcesses});
    if (count < 2)
        return {};
    llvm::stable_sort(rows, [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<std::vector<std::string>> shares(count);
    std::vector<uint64_t> weights(count);
    for (const auto &[own, kernel] : rows) {
        size_t lightest = llvm::min_element(weights) - weights.begin();
        weights[lightest] += own;
        shares[lightest].push_back(kernel->getName().str());
    }
    return shares;
}

/** Makes a declaration of what this process does not compile. The function itself stays, because
 *  analyses of earlier stages are kept under its address. */
void drop(llvm::Function &function) {
    function.deleteBody();
    function.setComdat(nullptr);
}

/** Removes the bodies of all kernels but `kept`, and of functions that nobody calls any more. */
void keepOnly(llvm::Module &module, ModuleRecord &record, const llvm::StringSet<> &kept) {
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
    llvm::erase_if(record.kernels,
                   [&](const KernelRecord &kernel) { return !kept.contains(kernel.name); });
}

/* ---- what a copy sends ----------------------------------------------------------------------- */

/** The bytes of a message; both ends are the same program. */
class Writer {
  public:
    void number(uint64_t value) { raw(&value, sizeof value); }
    void raw(const void *data, size_t size) {
        auto *first = static_cast<const char *>(data);
        bytes.append(first, first + size);
    }
    void string(llvm::StringRef text) {
        number(text.size());
        raw(text.data(), text.size());
    }
    std::string bytes;
};

class Reader {
  public:
    explicit Reader(llvm::StringRef bytes) : bytes(bytes) {}
    bool raw(void *data, size_t size) {
        if (size > bytes.size())
            return false;
        memcpy(data, bytes.data(), size);
        bytes = bytes.drop_front(size);
        return true;
    }
    bool number(uint64_t &value) { return raw(&value, sizeof value); }
    bool string(std::string &text) {
        uint64_t size = 0;
        if (!number(size) || size > bytes.size())
            return false;
        text = bytes.take_front(size).str();
        bytes = bytes.drop_front(size);
        return true;
    }

  private:
    llvm::StringRef bytes;
};

void writeKernel(Writer &to, const KernelRecord &kernel) {
    to.string(kernel.name);
    to.raw(&kernel.info, sizeof kernel.info);
    to.number(kernel.stacks.perRun);
    for (const auto &symbols : kernel.stacks.symbols) {
        to.number(symbols.size());
        for (const std::string &symbol : symbols)
            to.string(symbol);
    }
    for (const std::string &symbol : kernel.entrySymbol)
        to.string(symbol);
    to.number(kernel.args.size());
    for (const ArgRecord &arg : kernel.args) {
        to.raw(&arg.info, sizeof arg.info);
        to.string(arg.name);
        to.string(arg.typeName);
    }
    to.number(kernel.remarks.size());
    for (const std::string &remark : kernel.remarks)
        to.string(remark);
}

bool readStacks(Reader &from, ArenaStacks &stacks) {
    uint64_t count = 0;
    bool good = from.number(count);
    stacks.perRun = static_cast<unsigned>(count);
    for (auto &symbols : stacks.symbols) {
        symbols.clear();
        good = good && from.number(count);
        for (uint64_t i = 0; good && i < count; i++) {
            symbols.emplace_back();
            good = from.string(symbols.back());
        }
    }
    return good;
}

bool readKernel(Reader &from, KernelRecord &kernel) {
    uint64_t count = 0;
    bool good = from.raw(&kernel.info, sizeof kernel.info) && readStacks(from, kernel.stacks);
    for (std::string &symbol : kernel.entrySymbol)
        good = good && from.string(symbol);
    kernel.args.clear();
    good = good && from.number(count);
    for (uint64_t i = 0; good && i < count; i++) {
        ArgRecord arg;
        good = from.raw(&arg.info, sizeof arg.info) && from.string(arg.name) &&
               from.string(arg.typeName);
        kernel.args.push_back(std::move(arg));
    }
    kernel.remarks.clear();
    good = good && from.number(count);
    for (uint64_t i = 0; good && i < count; i++) {
        kernel.remarks.emplace_back();
        good = from.string(kernel.remarks.back());
    }
    return good;
}

KernelRecord *find(std::vector<KernelRecord> &kernels, llvm::StringRef name) {
    for (KernelRecord &kernel : kernels)
        if (kernel.name == name)
            return &kernel;
    return nullptr;
}

/** False: the copy did not live to send it all. */
bool isWhole(llvm::StringRef message) {
    uint64_t size = 0;
    return Reader(message).number(size) && size == message.size() - sizeof size;
}

/** Of a whole message; false: another program wrote it. */
bool readMessage(llvm::StringRef bytes, std::string &error, std::vector<KernelRecord> &records,
                 ObjectBytes &object, Nanoseconds &nanoseconds) {
    Reader from(bytes);
    uint64_t size = 0, count = 0;
    std::string code;
    Nanoseconds taken;
    if (!from.number(size) || !from.string(error) || !from.raw(taken.data(), sizeof taken) ||
        !from.number(count))
        return false;
    for (size_t part = 0; part < taken.size(); part++)
        nanoseconds[part] += taken[part];
    for (uint64_t i = 0; i < count; i++) {
        std::string name;
        if (!from.string(name))
            return false;
        KernelRecord *kernel = find(records, name);
        if (!kernel || !readKernel(from, *kernel))
            return false;
    }
    if (!from.string(code))
        return false;
    object.assign(code.begin(), code.end());
    return true;
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
    auto shares = divide(light, mostProcesses());
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
              " while it compiled kernel '" + llvm::join(task.kernels, "', '") + "'";
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
            keepOnly(module, record, mine);
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

void Parts::split(llvm::Module &module, ModuleRecord &record) {
    std::vector<llvm::Function *> kernels = kernelsOf(module);
    /* A kernel that is called as a function, or whose address is taken, is needed everywhere. */
    if (llvm::any_of(kernels, [](llvm::Function *kernel) { return !kernel->use_empty(); }))
        return;
    if (auto tasks = tasksOf(kernels); !tasks.empty())
        return runTasks(std::move(tasks), module, record);
    auto shares = divide(kernels, mostProcesses());
    if (shares.empty())
        return;
    divideMemory(shares.size());
    whole = record.kernels;
    llvm::StringSet<> mine;
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
    keepOnly(module, record, mine);
}

void Parts::finishCopy(llvm::Error error, const ModuleRecord &record, const ObjectBytes &object,
                       const Nanoseconds &nanoseconds) {
    Writer to;
    bool good = !error;
    to.number(0);
    to.string(llvm::toString(std::move(error)));
    to.raw(nanoseconds.data(), sizeof nanoseconds);
    to.number(good ? record.kernels.size() : 0);
    if (good)
        for (const KernelRecord &kernel : record.kernels)
            writeKernel(to, kernel);
    to.string({object.data(), good ? object.size() : 0});
    uint64_t size = to.bytes.size() - sizeof size;
    memcpy(to.bytes.data(), &size, sizeof size);
    for (size_t done = 0; done < to.bytes.size();) {
        ssize_t now = write(pipeToFirst, to.bytes.data() + done, to.bytes.size() - done);
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

llvm::Error Parts::collect(ModuleRecord &record, std::vector<ObjectBytes> &objects,
                           Nanoseconds &nanoseconds) {
    if (failed)
        return llvm::createStringError(failure);
    if (whole.empty())
        return llvm::Error::success();
    bool done = isDone();
    if (done)
        objects.clear();
    else
        for (KernelRecord &kernel : record.kernels)
            *find(whole, kernel.name) = std::move(kernel);
    record.kernels = std::move(whole);
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
    for (const std::string &message : messages) {
        std::string error;
        if (!readMessage(message, error, record.kernels, objects.emplace_back(), taken))
            error = "a process of the compiler said nothing that could be understood";
        if (!error.empty())
            return llvm::createStringError(error);
    }
    if (done)
        divideTime(nanoseconds, taken);
    if (memory)
        limitMemory(memory);
    memory = 0;
    return llvm::Error::success();
}

} // namespace weft
