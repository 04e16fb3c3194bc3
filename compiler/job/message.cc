// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "job/message.h"

#include <cstring>

namespace weft {

namespace {

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
    bool good = from.string(kernel.name) && from.raw(&kernel.info, sizeof kernel.info) &&
                readStacks(from, kernel.stacks);
    for (std::string &symbol : kernel.entrySymbol)
        good = good && from.string(symbol);
    good = good && from.number(count);
    for (uint64_t i = 0; good && i < count; i++) {
        ArgRecord arg;
        good = from.raw(&arg.info, sizeof arg.info) && from.string(arg.name) &&
               from.string(arg.typeName);
        kernel.args.push_back(std::move(arg));
    }
    good = good && from.number(count);
    for (uint64_t i = 0; good && i < count; i++) {
        kernel.remarks.emplace_back();
        good = from.string(kernel.remarks.back());
    }
    return good;
}

} // namespace

std::string writeMessage(llvm::Error error, const ModuleRecord &record, const ObjectBytes &object,
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
    return std::move(to.bytes);
}

bool isWhole(llvm::StringRef message) {
    uint64_t size = 0;
    return Reader(message).number(size) && size == message.size() - sizeof size;
}

bool readMessage(llvm::StringRef bytes, Message &message) {
    Reader from(bytes);
    uint64_t size = 0, count = 0;
    std::string code;
    if (!from.number(size) || !from.string(message.error) ||
        !from.raw(message.nanoseconds.data(), sizeof message.nanoseconds) || !from.number(count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        message.kernels.emplace_back();
        if (!readKernel(from, message.kernels.back()))
            return false;
    }
    if (!from.string(code))
        return false;
    message.object.assign(code.begin(), code.end());
    return true;
}

} // namespace weft
