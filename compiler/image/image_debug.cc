// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/image_debug.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace weft {

namespace {

using llvm::support::endian::write32le;
using llvm::support::endian::write64le;

/** Sections by name, in order of appearance. */
using Sections = llvm::MapVector<llvm::StringRef, ToolSection>;

/** Contents one behind the other; a piece's address becomes its offset in the whole. */
Sections concatenate(const std::vector<Piece *> &pieces) {
    Sections sections;
    for (Piece *piece : pieces) {
        ToolSection &section = sections[piece->name];
        section.name = piece->name.str();
        section.bytes.resize(llvm::alignTo(section.bytes.size(), piece->align));
        piece->address = section.bytes.size();
        section.bytes.append(reinterpret_cast<const char *>(piece->content.data()),
                             piece->content.size());
    }
    return sections;
}

llvm::Error relocate(const Objects &objects, const Piece &piece, const Elf::Rela &relocation,
                     ToolSection &section) {
    unsigned type = relocation.getType(false);
    if (type == llvm::ELF::R_X86_64_NONE)
        return llvm::Error::success();
    const uint64_t bytes = type == llvm::ELF::R_X86_64_64 ? 8 : 4;
    if (bytes == 4 && type != llvm::ELF::R_X86_64_32 && type != llvm::ELF::R_X86_64_32S)
        return llvm::createStringError("debug information in '" + piece.name +
                                       "' has a relocation of type " + llvm::Twine(type));
    if (relocation.r_offset > piece.size || piece.size - relocation.r_offset < bytes)
        return llvm::createStringError("a relocation lies outside of section '" + piece.name + "'");
    Place place = objects.resolve(*piece.object, relocation.getSymbol(false));
    const uint64_t at = piece.address + relocation.r_offset;
    const bool isThere = place.piece && (place.piece->isLive || place.piece->isDebug);
    const uint64_t value =
        isThere ? place.address() + static_cast<uint64_t>(relocation.r_addend) : 0;
    if (bytes == 8)
        write64le(section.bytes.data() + at, value);
    else
        write32le(section.bytes.data() + at, static_cast<uint32_t>(value));
    if (bytes == 8 && isThere && place.piece->isLive)
        section.addresses.push_back(at);
    return llvm::Error::success();
}

/* ---- lines ----------------------------------------------------------------------------------- */

struct LineRow {
    uint64_t address;
    uint32_t line, path;
};

/** Paths, each once. */
class Paths {
  public:
    uint32_t add(const std::string &path) {
        auto [row, isNew] = offsets.try_emplace(path, static_cast<uint32_t>(bytes.size()));
        if (isNew)
            bytes += path + '\0';
        return row->second;
    }
    std::string bytes = std::string(1, '\0');

  private:
    llvm::StringMap<uint32_t> offsets;
};

void readLines(const llvm::DWARFDebugLine::LineTable &table, llvm::StringRef folder,
               std::vector<LineRow> &rows, Paths &paths) {
    using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
    for (const auto &row : table.Rows) {
        LineRow out = {row.Address.Address, row.EndSequence ? 0 : row.Line, 0};
        std::string path;
        if (out.line && table.getFileNameByIndex(row.File, folder, Kind::AbsoluteFilePath, path))
            out.path = paths.add(path);
        if (!rows.empty() && rows.back().line == out.line && rows.back().path == out.path)
            continue;
        rows.push_back(out);
    }
}

/** The line tables as two flat sections. */
void addLines(const Sections &sections, std::vector<ToolSection> &out) {
    llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> buffers;
    for (const auto &[name, section] : sections)
        buffers[name.drop_front()] = llvm::MemoryBuffer::getMemBuffer(section.bytes, name, false);
    auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
    auto dwarf = llvm::DWARFContext::create(buffers, 8, true, ignore, ignore);
    std::vector<LineRow> rows;
    Paths paths;
    for (const auto &unit : dwarf->compile_units())
        if (const auto *table = dwarf->getLineTableForUnit(unit.get()))
            readLines(*table, unit->getCompilationDir() ? unit->getCompilationDir() : "", rows,
                      paths);
    if (rows.empty())
        return;
    auto *first = reinterpret_cast<const char *>(rows.data());
    out.push_back({".weft.lines", std::string(first, rows.size() * sizeof rows[0]), {}});
    out.push_back({".weft.paths", std::move(paths.bytes), {}});
}

void addSources(const SourceTexts &sources, std::vector<ToolSection> &out) {
    ToolSection section = {".weft.sources", "", {}};
    for (const auto &[name, text] : sources) {
        const uint64_t sizes[2] = {name.size() + 1, text.size()};
        section.bytes.append(reinterpret_cast<const char *>(sizes), sizeof sizes);
        section.bytes += name + '\0' + text;
    }
    if (!sources.empty())
        out.push_back(std::move(section));
}

} // namespace

llvm::Expected<std::vector<ToolSection>> linkDebug(Objects &objects, const SourceTexts &sources) {
    const std::vector<Piece *> pieces = objects.debugPieces();
    Sections sections = concatenate(pieces);
    for (const Piece *piece : pieces)
        for (const Elf::Rela &relocation : piece->relocations)
            if (auto error = relocate(objects, *piece, relocation, sections[piece->name]))
                return error;
    std::vector<ToolSection> out;
    if (sections.count(".debug_line"))
        addLines(sections, out);
    for (auto &[name, section] : sections)
        out.push_back(std::move(section));
    addSources(sources, out);
    return out;
}

} // namespace weft
