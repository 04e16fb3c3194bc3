// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/llvm_options.h"

#include "llvm/Support/CommandLine.h"

namespace weft {

void choose(llvm::StringRef option, const char *value) {
    auto &options = llvm::cl::getRegisteredOptions();
    auto row = options.find(option);
    if (row != options.end())
        row->second->addOccurrence(0, option, value);
}

void choose(llvm::StringRef option, bool value) {
    choose(option, value ? "true" : "false");
}

} // namespace weft
