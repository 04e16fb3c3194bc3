// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Stands for the reader where the build has no SPIRV-Tools.

#include "spirv/spirv.h"

namespace weft {

bool looksLikeSpirv(llvm::StringRef bytes) {
    return bytes.starts_with(llvm::StringRef("\x03\x02\x23\x07", 4));
}

std::unique_ptr<llvm::Module> readSpirv(llvm::LLVMContext &, const SpirvInput &, std::string &log) {
    log += "error: this compiler was built without SPIR-V\n";
    return nullptr;
}

} // namespace weft
