// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/objects.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/DataExtractor.h"

namespace weft {

namespace {

using llvm::object::ELFFile;

/** What a function that calls nothing may use below its frame (System V ABI, 3.2.2). */
constexpr uint64_t redZone = 128;
/** Return address, and the gap where a frame is aligned for the widest vector register. */
constexpr uint64_t callBytes = 8 + 56;

/** The relocations of the section that `section` (SHT_RELA) is for. */
llvm::Error addRelocations(ObjectFile &object, const ELFFile<Elf> &file, const Elf::Shdr &section) {
    auto relocations = file.relas(section);
    if (!relocations)
        return relocations.takeError();
    if (section.sh_info < object.pieces.size())
        object.pieces[section.sh_info].relocations = *relocations;
    return llvm::Error::success();
}

llvm::Error addPiece(ObjectFile &object, const ELFFile<Elf> &file, const Elf::Shdr &section,
                     Piece &piece) {
    auto name = file.getSectionName(section);
    if (!name)
        return name.takeError();
    piece.object = &object;
    piece.name = *name;
    piece.size = section.sh_size;
    piece.align = std::max<uint64_t>(section.sh_addralign, 1);
    piece.isCode = section.sh_flags & llvm::ELF::SHF_EXECINSTR;
    piece.isZero = section.sh_type == llvm::ELF::SHT_NOBITS;
    /* .data.rel.ro is constant once it is relocated, and the loader protects it afterwards. */
    piece.isWritable =
        (section.sh_flags & llvm::ELF::SHF_WRITE) && !name->starts_with(".data.rel.ro");
    if (section.sh_flags & llvm::ELF::SHF_TLS)
        return llvm::createStringError("compiled code uses thread-local storage ('" + *name + "')");
    if (piece.isZero)
        return llvm::Error::success();
    auto content = file.getSectionContents(section);
    if (!content)
        return content.takeError();
    piece.content = *content;
    return llvm::Error::success();
}

bool isLoaded(const Elf::Shdr &section) {
    return (section.sh_flags & llvm::ELF::SHF_ALLOC) &&
           (section.sh_type == llvm::ELF::SHT_PROGBITS || section.sh_type == llvm::ELF::SHT_NOBITS);
}

bool isDebug(const ELFFile<Elf> &file, const Elf::Shdr &section) {
    auto name = file.getSectionName(section);
    if (!name)
        llvm::consumeError(name.takeError());
    return name && section.sh_type == llvm::ELF::SHT_PROGBITS &&
           !(section.sh_flags & llvm::ELF::SHF_ALLOC) && name->starts_with(".debug_");
}

} // namespace

llvm::Error Objects::addStackSizes(ObjectFile &object, const ELFFile<Elf> &file,
                                   const Elf::Shdr &section) {
    auto content = file.getSectionContents(section);
    if (!content)
        return content.takeError();
    const auto *number = &section - file.sections()->data() + object.pieces.data();
    llvm::DenseMap<uint64_t, Piece *> functions; /* offset in .stack_sizes -> function's piece */
    for (const Elf::Rela &relocation : number->relocations)
        functions[relocation.r_offset] = resolve(object, relocation.getSymbol(false)).piece;
    llvm::DataExtractor data(*content, true, 8);
    llvm::DataExtractor::Cursor cursor(0);
    while (cursor && !data.eof(cursor)) {
        Piece *piece = functions.lookup(cursor.tell());
        data.getU64(cursor);
        uint64_t frame = data.getULEB128(cursor);
        if (cursor && piece) {
            piece->frame = std::max(piece->frame, frame);
            piece->hasFrame = true;
        }
    }
    return cursor.takeError();
}

llvm::Error Objects::add(llvm::StringRef bytes) {
    auto file = ELFFile<Elf>::create(bytes);
    if (!file)
        return file.takeError();
    auto sections = file->sections();
    if (!sections)
        return sections.takeError();
    ObjectFile &object = files.emplace_back();
    object.pieces.resize(sections->size());
    for (size_t i = 0; i < sections->size(); i++) {
        const Elf::Shdr &section = (*sections)[i];
        if (section.sh_type == llvm::ELF::SHT_SYMTAB) {
            auto symbols = file->symbols(&section);
            auto names = file->getStringTableForSymtab(section);
            if (!symbols || !names)
                return llvm::joinErrors(symbols.takeError(), names.takeError());
            object.symbols = *symbols;
            object.names = *names;
        } else if (section.sh_type == llvm::ELF::SHT_RELA) {
            if (auto error = addRelocations(object, *file, section))
                return error;
        } else if (isLoaded(section) || isDebug(*file, section)) {
            if (auto error = addPiece(object, *file, section, object.pieces[i]))
                return error;
            object.pieces[i].isDebug = !isLoaded(section);
        }
    }
    for (uint32_t i = 0; i < object.symbols.size(); i++) {
        const Elf::Sym &symbol = object.symbols[i];
        if (symbol.getBinding() == llvm::ELF::STB_LOCAL || !symbol.isDefined())
            continue;
        if (symbol.st_shndx >= object.pieces.size() || !object.pieces[symbol.st_shndx].object)
            return llvm::createStringError("an object defines a symbol outside of its sections");
        auto name = symbol.getName(object.names);
        if (!name)
            return name.takeError();
        definitions.try_emplace(*name, Place{&object.pieces[symbol.st_shndx], symbol.st_value});
    }
    for (const Elf::Shdr &section : *sections) {
        auto name = file->getSectionName(section);
        if (!name)
            return name.takeError();
        if (*name == ".stack_sizes")
            if (auto error = addStackSizes(object, *file, section))
                return error;
    }
    return llvm::Error::success();
}

Place Objects::find(llvm::StringRef name) const {
    return definitions.lookup(name);
}

Place Objects::resolve(const ObjectFile &object, uint32_t number) const {
    if (number >= object.symbols.size())
        return {};
    const Elf::Sym &symbol = object.symbols[number];
    if (symbol.isDefined() && symbol.getBinding() == llvm::ELF::STB_LOCAL) {
        if (symbol.st_shndx >= object.pieces.size())
            return {};
        const Piece &piece = object.pieces[symbol.st_shndx];
        return {piece.object ? const_cast<Piece *>(&piece) : nullptr, symbol.st_value};
    }
    auto name = symbol.getName(object.names);
    if (!name) {
        llvm::consumeError(name.takeError());
        return {};
    }
    return find(*name);
}

void Objects::visit(Piece &piece) {
    for (const Elf::Rela &relocation : piece.relocations) {
        uint32_t number = relocation.getSymbol(false);
        if (relocation.getType(false) == llvm::ELF::R_X86_64_NONE)
            continue;
        Place target = resolve(*piece.object, number);
        if (!target.piece) {
            auto name = piece.object->symbols[number].getName(piece.object->names);
            if (name)
                missing[*name] = true;
            else
                llvm::consumeError(name.takeError());
            continue;
        }
        /* The back end marks calls and tail calls so; other references take an address. */
        if (piece.isCode && target.piece->isCode &&
            relocation.getType(false) == llvm::ELF::R_X86_64_PLT32)
            piece.callees.push_back(target.piece);
        if (!target.piece->isLive) {
            target.piece->isLive = true;
            livePieces.push_back(target.piece);
        }
    }
}

void Objects::reach(Place root) {
    size_t next = livePieces.size();
    if (root.piece->isLive)
        return;
    root.piece->isLive = true;
    livePieces.push_back(root.piece);
    for (; next < livePieces.size(); next++)
        visit(*livePieces[next]);
}

bool Objects::refersTo(llvm::StringRef prefix) const {
    return llvm::any_of(files, [&](const ObjectFile &file) {
        return llvm::any_of(file.symbols, [&](const Elf::Sym &symbol) {
            auto name = symbol.getName(file.names);
            if (!name)
                llvm::consumeError(name.takeError());
            return name && name->starts_with(prefix);
        });
    });
}

std::vector<llvm::StringRef> Objects::undefined() const {
    std::vector<llvm::StringRef> names;
    for (const auto &row : missing)
        names.push_back(row.first);
    return names;
}

std::vector<Piece *> Objects::debugPieces() {
    std::vector<Piece *> found;
    for (ObjectFile &object : files)
        for (Piece &piece : object.pieces)
            if (piece.isDebug)
                found.push_back(&piece);
    return found;
}

llvm::Expected<uint64_t> Objects::stackBytes(Piece *root) const {
    enum State { Unknown, Open, Done };
    llvm::DenseMap<Piece *, std::pair<State, uint64_t>> known;
    std::vector<std::pair<Piece *, size_t>> path = {{root, 0}};
    known[root] = {Open, 0};
    while (!path.empty()) {
        auto &[piece, next] = path.back();
        if (next < piece->callees.size()) {
            Piece *callee = piece->callees[next++];
            auto &[state, deepest] = known[callee];
            if (state == Open)
                return llvm::createStringError("'" + callee->name + "' calls itself");
            if (state == Unknown) {
                state = Open;
                path.push_back({callee, 0});
            }
            continue;
        }
        uint64_t below = 0;
        for (Piece *callee : piece->callees)
            below = std::max(below, known[callee].second);
        if (!piece->hasFrame)
            return llvm::createStringError("'" + piece->name + "' has a frame of unknown size");
        known[piece] = {Done, piece->frame + callBytes + below};
        path.pop_back();
    }
    return known[root].second + redZone;
}

} // namespace weft
