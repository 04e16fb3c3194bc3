// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Object files as the image's linker sees them: pieces, symbols, and what reaches what. */
#ifndef WEFT_OBJECTS_H
#define WEFT_OBJECTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Error.h"

#include <deque>
#include <map>
#include <vector>

namespace weft {

using Elf = llvm::object::ELF64LE;
struct ObjectFile;

/** A section that the image may take: the unit of linking. */
struct Piece {
    const ObjectFile *object = nullptr;
    llvm::StringRef name;
    llvm::ArrayRef<uint8_t> content; /* empty for zero-filled pieces */
    llvm::ArrayRef<Elf::Rela> relocations;
    uint64_t size = 0, align = 1;
    bool isCode = false, isWritable = false, isZero = false;
    bool isLive = false;
    bool isDebug = false;         /* .debug_*: never reached, never loaded; image_debug.h */
    uint64_t address = 0;         /* set by the layout */
    uint64_t frame = 0;           /* largest stack frame of its functions, from .stack_sizes */
    bool hasFrame = false;        /* .stack_sizes says so: the frame has a fixed size */
    std::vector<Piece *> callees; /* pieces called directly; set by reach */
};

/** Where a symbol lies. */
struct Place {
    Piece *piece = nullptr;
    uint64_t offset = 0;
    uint64_t address() const { return piece->address + offset; }
};

/** One object: the memory belongs to the caller of Objects::add. */
struct ObjectFile {
    std::vector<Piece> pieces; /* by section number; those that are not loaded have no object */
    llvm::ArrayRef<Elf::Sym> symbols;
    llvm::StringRef names;
};

/**
 * The objects of one link. A name is defined by the object that was added first. Objects come from
 * LLVM itself, but all of their tables are checked by llvm::object.
 */
class Objects {
  public:
    llvm::Error add(llvm::StringRef bytes);

    /** The definition of a name, or no piece. */
    Place find(llvm::StringRef name) const;

    /** The definition that a symbol of an object stands for: its own or another object's. */
    Place resolve(const ObjectFile &object, uint32_t symbol) const;

    /** Marks what is reachable from `root` live, in a deterministic order. */
    void reach(Place root);

    /** Live pieces, in the order in which they were reached. */
    const std::vector<Piece *> &live() const { return livePieces; }
    /** DWARF sections of all objects, in the order of objects and sections. */
    std::vector<Piece *> debugPieces();
    /** Whether some object mentions a name that begins so. */
    bool refersTo(llvm::StringRef prefix) const;
    /** Names that live pieces want and nobody defines, each once, sorted. */
    std::vector<llvm::StringRef> undefined() const;

    /** Bytes of stack from the entry of `piece` down its deepest chain of calls. Every piece counts
     *  its frame, a return address and what aligning the frame may cost, the deepest the red zone,
     *  too. Recursion is an error, as is a frame of unknown size. */
    llvm::Expected<uint64_t> stackBytes(Piece *piece) const;

  private:
    llvm::Error addStackSizes(ObjectFile &object, const llvm::object::ELFFile<Elf> &file,
                              const Elf::Shdr &section);
    void visit(Piece &piece);

    std::deque<ObjectFile> files;
    llvm::StringMap<Place> definitions;
    std::vector<Piece *> livePieces;
    std::map<llvm::StringRef, bool> missing;
};

} // namespace weft

#endif
