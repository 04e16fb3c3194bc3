// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** confine() of the compiler process, for a test in C. */
#include "robust/confine_door.h"

#include "compiler/process/confine.h"

weft_confined confine_with(confine_files files, const char *folder, int answers) {
    weft::Confinement what;
    what.files = static_cast<weft::FilesRead>(files);
    what.answers = answers;
    if (folder)
        what.folders.emplace_back(folder);
    return weft::confine(what);
}
