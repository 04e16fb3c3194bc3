// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clang's generator of code asks whether objects of other devices are to be put into a module
// (-fembed-offload-object). The answer is in a file of Clang's that runs all of LLVM's pipelines,
// and that would bring all of its passes into the executable (see stages/analyses.cc). There are
// none.

#include "clang/CodeGen/BackendUtil.h"

namespace clang {

void EmbedObject(llvm::Module *, const CodeGenOptions &, llvm::vfs::FileSystem &,
                 DiagnosticsEngine &) {}

} // namespace clang
