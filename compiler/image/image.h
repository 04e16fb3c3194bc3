// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Objects to a compiled image, wholly in memory: no files, no /proc, no linker process.
 *
 * The form of an image, which device-cpu/loader.c reads:
 * - ELF64, little-endian, ET_DYN for x86-64, addresses from 0; any load address that is a multiple
 * of 4096 is right. The text of the note (weft/abi.h) names entries by these addresses.
 * - Program headers: PT_LOAD R (headers, note, dynamic table, relocations, constants), PT_LOAD RX
 *   (code), and PT_LOAD RW only if there are writable data; in this order, without a shared page.
 *   Then PT_NOTE (one note, owner "Weft", type WEFT_NOTE_IMAGE), PT_DYNAMIC and PT_GNU_STACK (R W).
 * - PT_DYNAMIC holds DT_RELA, DT_RELASZ, DT_RELAENT, DT_NULL, always these. Every relocation is
 *   R_X86_64_RELATIVE; they may lie in the R segment, so they are applied before it is protected.
 * - Section headers, .symtab and .strtab lie behind the segments, for objdump, gdb and perf only;
 * so do DWARF sections (.debug_frame always, the rest with -g), with addresses from 0 as well, and
 *   .weft.debug_addresses, the file offset (u64) of each of these addresses. A kernel's entry has
 *   the kernel's own name there.
 */
#ifndef WEFT_IMAGE_H
#define WEFT_IMAGE_H

#include "image/image_debug.h"
#include "stages/pipeline.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace weft {

struct ImageInput {
    /** The program's code; its kernels' entries are kept. */
    llvm::SmallVector<llvm::MemoryBufferRef, 1> objects;
    llvm::MemoryBufferRef runtime; /* kernel-lib/rt of the level: functions are taken as needed */
    llvm::MemoryBufferRef called;  /* functions of norm/called.h, likewise */
    llvm::StringRef isa, options;  /* for the note */
    SourceTexts sources;           /* with -g: for debuggers */
};

/** Kernels whose code needs more than WEFT_MAX_STACK bytes of stack. */
class StackError : public llvm::ErrorInfo<StackError> {
  public:
    static char ID;

    void add(const KernelRecord &kernel, uint64_t bytes, uint64_t ownBytes) {
        kernels.push_back({kernel.name, kernel.info.width, bytes, ownBytes});
    }
    /** A sentence for the build log. */
    void log(llvm::raw_ostream &stream) const override;
    std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

    struct Need {
        std::string name;
        unsigned lanes;
        uint64_t bytes, ownBytes; /* with all that it calls, and in the entry's own frame */
    };
    std::vector<Need> kernels;
};

/**
 * Links. Keeps what the entries of `record` (and its data symbol) reach; resolves what is undefined
 * from `called` and `runtime`. Sets info.entry and info.frame_bytes of the record's kernels. Errors
 * are sentences for the build log: an undefined symbol (each by name), recursion, a relocation that
 * an image cannot have. Too much stack is a StackError.
 */
llvm::Error linkImage(const ImageInput &input, ModuleRecord &record,
                      llvm::SmallVectorImpl<char> &image);

} // namespace weft

#endif
