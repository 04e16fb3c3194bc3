// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "parts.h"

#include "stages.h"
#include "worker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft {

namespace {

/** A share is worth a process (about a millisecond) from so many instructions on. */
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

/** Instructions of a kernel and of what it calls, which will be inlined into it. */
uint64_t weightOf(const llvm::Function &kernel) {
    uint64_t weight = kernel.getInstructionCount();
    for (const llvm::BasicBlock &block : kernel)
        for (const llvm::Instruction &instruction : block)
            if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
                if (const llvm::Function *callee = call->getCalledFunction())
                    weight += callee->getInstructionCount();
    return weight;
}

/** Names of kernels, share by share: the heaviest first, each to the lightest share so far. */
std::vector<std::vector<std::string>> divide(llvm::ArrayRef<llvm::Function *> kernels,
                                             unsigned most) {
    std::vector<std::pair<uint64_t, llvm::Function *>> rows;
    uint64_t total = 0;
    for (llvm::Function *kernel : kernels) {
        rows.emplace_back(weightOf(*kernel), kernel);
        total += rows.back().first;
    }
    uint64_t count = std::min<uint64_t>({most, rows.size(), total / worthwhile, mostProcesses});
    if (count < 2)
        return {};
    llvm::stable_sort(rows, [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<std::vector<std::string>> shares(count);
    std::vector<uint64_t> weights(count);
    for (const auto &[weight, kernel] : rows) {
        size_t lightest = llvm::min_element(weights) - weights.begin();
        weights[lightest] += weight;
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

/** A whole message: false if the copy did not live to send it. */
bool readMessage(llvm::StringRef bytes, std::string &error, std::vector<KernelRecord> &records,
                 ObjectBytes &object) {
    Reader from(bytes);
    uint64_t count = 0;
    std::string code;
    if (!from.string(error) || !from.number(count))
        return false;
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

std::string readAll(int descriptor) {
    std::string bytes;
    char buffer[65536];
    for (;;) {
        ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return bytes;
        bytes.append(buffer, static_cast<size_t>(got));
    }
}

} // namespace

Parts::~Parts() {
    for (const Copy &copy : copies) {
        kill(copy.pid, SIGKILL);
        close(copy.pipe);
        while (waitpid(copy.pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

bool Parts::startCopy(std::vector<std::string> kernels) {
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
        copies.clear();
        return true;
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    copies.push_back({pid, ends[0], std::move(kernels)});
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

void Parts::split(llvm::Module &module, ModuleRecord &record) {
    std::vector<llvm::Function *> kernels = kernelsOf(module);
    /* A kernel that is called as a function, or whose address is taken, is needed everywhere. */
    if (llvm::any_of(kernels, [](llvm::Function *kernel) { return !kernel->use_empty(); }))
        return;
    auto shares = divide(kernels, mostProcesses());
    if (shares.empty())
        return;
    divideMemory(shares.size());
    whole = record.kernels;
    llvm::StringSet<> mine;
    for (size_t i = 0; i < shares.size(); i++) {
        if (i > 0 && startCopy(shares[i])) {
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

void Parts::finishCopy(llvm::Error error, const ModuleRecord &record, const ObjectBytes &object) {
    Writer to;
    bool good = !error;
    to.string(llvm::toString(std::move(error)));
    to.number(good ? record.kernels.size() : 0);
    if (good)
        for (const KernelRecord &kernel : record.kernels)
            writeKernel(to, kernel);
    to.string({object.data(), good ? object.size() : 0});
    for (size_t done = 0; done < to.bytes.size();) {
        ssize_t now = write(pipeToFirst, to.bytes.data() + done, to.bytes.size() - done);
        if (now < 0 && errno != EINTR)
            _exit(1);
        done += now > 0 ? static_cast<size_t>(now) : 0;
    }
    _exit(0);
}

llvm::Error Parts::collect(ModuleRecord &record, std::vector<ObjectBytes> &objects) {
    if (whole.empty())
        return llvm::Error::success();
    for (KernelRecord &kernel : record.kernels)
        *find(whole, kernel.name) = std::move(kernel);
    record.kernels = std::move(whole);
    while (!copies.empty()) {
        Copy copy = std::move(copies.back());
        copies.pop_back();
        std::string bytes = readAll(copy.pipe), error;
        close(copy.pipe);
        int status = 0;
        while (waitpid(copy.pid, &status, 0) < 0 && errno == EINTR) {
        }
        if (!readMessage(bytes, error, record.kernels, objects.emplace_back()))
            error = "the compiler " +
                    (WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                                         : std::string("ended")) +
                    " while it compiled kernel '" + llvm::join(copy.kernels, "', '") + "'";
        if (!error.empty())
            return llvm::createStringError(error);
    }
    if (memory)
        limitMemory(memory);
    memory = 0;
    return llvm::Error::success();
}

} // namespace weft
