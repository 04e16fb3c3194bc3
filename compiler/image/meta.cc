// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/meta.h"

#include "llvm/ADT/StringMap.h"

namespace weft {

namespace {

/** The strings of the table: each text once; the empty text is offset 0 by definition. */
class Strings {
  public:
    explicit Strings(uint64_t start) : start(start) {}

    uint32_t add(llvm::StringRef text) {
        /* A string ends at its first NUL, whatever the program put behind it. */
        text = text.take_until([](char c) { return c == '\0'; });
        if (text.empty())
            return 0;
        auto [place, isNew] = offsets.try_emplace(text, start + bytes.size());
        if (isNew) {
            bytes.append(text.begin(), text.end());
            bytes.push_back('\0');
        }
        return static_cast<uint32_t>(place->second);
    }

    llvm::SmallVector<char, 0> bytes = {'\0'};

  private:
    uint64_t start;
    llvm::StringMap<uint64_t> offsets;
};

uint32_t kernelNumber(const ModuleRecord &record, llvm::StringRef name) {
    for (size_t i = 0; i < record.kernels.size(); i++)
        if (!name.empty() && record.kernels[i].name == name)
            return static_cast<uint32_t>(i + 1);
    return 0;
}

template <typename T> void append(llvm::SmallVectorImpl<char> &bytes, const T &value) {
    static_assert(sizeof(T) % 8 == 0 && std::is_trivially_copyable_v<T>);
    auto *first = reinterpret_cast<const char *>(&value);
    bytes.append(first, first + sizeof(T));
}

weft_kernel_info finish(const KernelRecord &kernel, uint32_t firstArg, Strings &strings) {
    weft_kernel_info info = kernel.info;
    info.name = strings.add(kernel.name);
    info.attributes = strings.add(kernel.attributes);
    info.vec_type_hint = strings.add(kernel.vecTypeHint);
    info.first_arg = firstArg;
    info.arg_count = static_cast<uint32_t>(kernel.args.size());
    return info;
}

weft_arg_info finish(const ArgRecord &arg, Strings &strings) {
    weft_arg_info info = arg.info;
    info.name = strings.add(arg.name);
    info.type_name = strings.add(arg.typeName);
    return info;
}

} // namespace

llvm::Error writeMeta(const ModuleRecord &record, llvm::StringRef isa, llvm::StringRef options,
                      uint64_t dataInit, llvm::SmallVectorImpl<char> &bytes) {
    uint64_t argCount = 0;
    for (const KernelRecord &kernel : record.kernels)
        argCount += kernel.args.size();
    const uint64_t kernels = sizeof(weft_image_info);
    const uint64_t args = kernels + record.kernels.size() * sizeof(weft_kernel_info);
    const uint64_t fixups = args + argCount * sizeof(weft_arg_info);
    const uint64_t texts = fixups + record.fixups.size() * sizeof(weft_data_fixup);

    Strings strings(texts);
    weft_image_info info = {};
    info.magic = WEFT_IMAGE_MAGIC;
    info.abi_version = WEFT_ABI_VERSION;
    info.kernel_count = static_cast<uint32_t>(record.kernels.size());
    info.kernels = static_cast<uint32_t>(kernels);
    info.args = static_cast<uint32_t>(args);
    info.arg_count = static_cast<uint32_t>(argCount);
    info.strings = static_cast<uint32_t>(texts);
    info.isa = strings.add(isa);
    info.options = strings.add(options);
    info.data_bytes = record.dataBytes;
    info.data_init = dataInit;
    info.data_init_bytes = record.dataInitBytes;
    info.data_align = record.dataAlign;
    info.fixups = static_cast<uint32_t>(fixups);
    info.fixup_count = static_cast<uint32_t>(record.fixups.size());
    info.init_kernel = kernelNumber(record, record.initKernel);
    info.fini_kernel = kernelNumber(record, record.finiKernel);

    llvm::SmallVector<char, 0> rows;
    uint32_t firstArg = 0;
    for (const KernelRecord &kernel : record.kernels) {
        append(rows, finish(kernel, firstArg, strings));
        firstArg += static_cast<uint32_t>(kernel.args.size());
    }
    for (const KernelRecord &kernel : record.kernels)
        for (const ArgRecord &arg : kernel.args)
            append(rows, finish(arg, strings));
    for (const weft_data_fixup &fixup : record.fixups)
        append(rows, fixup);

    const uint64_t total = texts + strings.bytes.size();
    if (total > UINT32_MAX / 2)
        return llvm::createStringError("the program's table of kernels is larger than 2 GiB");
    info.bytes = static_cast<uint32_t>(total);
    append(bytes, info);
    bytes.append(rows.begin(), rows.end());
    bytes.append(strings.bytes.begin(), strings.bytes.end());
    return llvm::Error::success();
}

} // namespace weft
