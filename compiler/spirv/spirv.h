// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * SPIR-V to LLVM IR: the second front end. The result is in the one form that
 * compiler/stages/pipeline.h starts from: triple spir64, OpenCL's address spaces, built-ins as the
 * mangled calls that Clang makes, Clang's metadata for kernels, no LLVM pass run. docs/spirv.md
 * tells what is read and how.
 */
#ifndef WEFT_SPIRV_H
#define WEFT_SPIRV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <memory>
#include <string>

namespace weft {

/** One value of clSetProgramSpecializationConstant; the form of InputKind::SpecConstants' data. */
struct SpecConstant {
    uint32_t id;    /* of decoration SpecId */
    uint32_t bytes; /* 1, 2, 4 or 8 */
    uint64_t value; /* zero-extended */
};

struct SpirvInput {
    llvm::StringRef bytes; /* untrusted */
    llvm::ArrayRef<SpecConstant> constants;
    bool keepNames = false; /* names of IR values, for dumps */
};

/**
 * Validates and reads. Null on failure, with sentences appended to `log` that name the instruction.
 * The module has passed LLVM's verifier.
 */
std::unique_ptr<llvm::Module> readSpirv(llvm::LLVMContext &context, const SpirvInput &input,
                                        std::string &log);

/** True for bytes that begin like SPIR-V in this machine's order of bytes. */
bool looksLikeSpirv(llvm::StringRef bytes);

} // namespace weft

#endif
