// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/image.h"

#include "image/meta.h"
#include "norm/called.h"
#include "image/objects.h"

#include "weft/limits.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace weft {

char StackError::ID;

void StackError::log(llvm::raw_ostream &stream) const {
    for (const Need &need : kernels)
        stream << (&need == kernels.data() ? "" : "\n") << "kernel '" << need.name << "' needs "
               << need.bytes << " bytes of stack";
}

namespace {

namespace ELF = llvm::ELF;

constexpr uint64_t pageBytes = 4096;
constexpr unsigned dynamicEntries = 4;
/** A frame that no later stage can have meant; up to it, the device checks its stacks instead. */
constexpr uint64_t frameLimit = WEFT_MAX_STACK;
/** On a stack in the arena: for services of the launch, for signal handlers of the application, and
 * for the weft_rt_item, or the weft_rt_strand, of whom it belongs to. */
constexpr uint64_t arenaStackRest = 12 * 1024;

enum SegmentKind { Constants, Code, Data, SegmentCount };

struct Segment {
    uint64_t address = 0, offset = 0, fileBytes = 0, bytes = 0;
};

/** The state of one link, in the order in which it is worked out. */
class Linker {
  public:
    Linker(const ImageInput &input, ModuleRecord &record) : input(input), record(record) {}

    llvm::Error run(llvm::SmallVectorImpl<char> &image);

  private:
    llvm::Error collect();
    llvm::Error measureStacks();
    llvm::Error measureArenaStacks();
    llvm::Error checkSizes() const;
    llvm::Error scanRelocations();
    llvm::Error layOut();
    void layOutSegment(SegmentKind kind, uint64_t &address, uint64_t &offset);
    void setEntries();
    llvm::Error writePieces();
    llvm::Error relocate(const Piece &piece, const Elf::Rela &relocation);
    llvm::Error relax(const Piece &piece, const Elf::Rela &relocation, uint64_t target);
    void writeHeaders();
    llvm::Error writeNote();
    void writeDynamic();
    void writeSections(llvm::SmallVectorImpl<char> &tail);

    char *at(uint64_t address) { return out->data() + fileOffset(address); }
    uint64_t fileOffset(uint64_t address) const;
    template <typename T> void put(uint64_t offset, const T &value) {
        memcpy(out->data() + offset, &value, sizeof value);
    }

    const ImageInput &input;
    ModuleRecord &record;
    Objects objects;
    std::vector<Piece *> pieces[SegmentCount];
    std::vector<ELF::Elf64_Rela> relatives;
    size_t relativeCount = 0;
    Segment segments[SegmentCount];
    uint64_t noteAddress = 0, noteBytes = 0, descBytes = 0;
    uint64_t dynamicAddress = 0, relaAddress = 0;
    unsigned headerCount = 0;
    std::vector<ToolSection> tools;
    llvm::SmallVectorImpl<char> *out = nullptr;
};

constexpr uint64_t ownerBytes = sizeof(WEFT_NOTE_OWNER);
constexpr uint64_t noteHeadBytes = sizeof(ELF::Elf64_Nhdr) + llvm::alignTo(ownerBytes, 4);

llvm::Error failure(const llvm::Twine &sentence) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), sentence);
}

llvm::Error Linker::collect() {
    for (llvm::MemoryBufferRef object : input.objects)
        if (auto error = objects.add(object.getBuffer()))
            return error;
    if (input.called.getBufferSize() && objects.refersTo(calledPrefix))
        if (auto error = objects.add(input.called.getBuffer()))
            return error;
    if (input.runtime.getBufferSize())
        if (auto error = objects.add(input.runtime.getBuffer()))
            return error;
    std::vector<std::string> roots;
    for (const KernelRecord &kernel : record.kernels) {
        if (kernel.entrySymbol[WEFT_SHAPE_ROWS].empty())
            return failure("internal error: kernel '" + kernel.name + "' has no code");
        for (const std::string &symbol : kernel.entrySymbol)
            if (!symbol.empty())
                roots.push_back(symbol);
    }
    if (!record.dataSymbol.empty())
        roots.push_back(record.dataSymbol);
    for (const std::string &root : roots) {
        Place place = objects.find(root);
        if (!place.piece)
            return failure("the compiled code lacks its symbol '" + root + "'");
        objects.reach(place);
    }
    std::string names;
    for (llvm::StringRef name : objects.undefined())
        names += (names.empty() ? "'" : ", '") + name.str() + "'";
    if (!names.empty())
        return failure("undefined: " + names);
    for (Piece *piece : objects.live())
        pieces[piece->isCode ? Code : piece->isWritable ? Data : Constants].push_back(piece);
    return llvm::Error::success();
}

llvm::Error Linker::measureStacks() {
    auto error = std::make_unique<StackError>();
    for (KernelRecord &kernel : record.kernels)
        for (const std::string &symbol : kernel.entrySymbol) {
            if (symbol.empty())
                continue;
            Piece *entry = objects.find(symbol).piece;
            auto bytes = objects.stackBytes(entry);
            if (!bytes)
                return bytes.takeError();
            if (*bytes > frameLimit)
                error->add(kernel, *bytes, entry->frame);
            if (*bytes > WEFT_MAX_FRAME)
                kernel.remarks.push_back("needs " + std::to_string(*bytes) + " bytes of stack");
            kernel.info.frame_bytes =
                std::max(kernel.info.frame_bytes, static_cast<uint32_t>(*bytes));
        }
    if (!error->kernels.empty())
        return llvm::Error(std::move(error));
    return llvm::Error::success();
}

/** Stacks in the arena: of each work-item in reference execution. */
llvm::Error Linker::measureArenaStacks() {
    for (KernelRecord &kernel : record.kernels) {
        uint64_t most = 0;
        for (const auto &symbols : kernel.stacks.symbols) {
            uint64_t sum = 0;
            for (const std::string &symbol : symbols) {
                auto bytes = objects.stackBytes(objects.find(symbol).piece);
                if (!bytes)
                    return bytes.takeError();
                sum += *bytes;
            }
            most = std::max(most, sum);
        }
        if (!most)
            continue;
        most = llvm::alignTo(most + arenaStackRest, WEFT_BLOCK_ALIGN);
        if (kernel.stacks.perRun)
            for (weft_body_info &body : kernel.info.body)
                body.run_bytes = most * kernel.stacks.perRun;
        else /* so that nothing else is where an entry's frames are looked for */
            kernel.info.fixed_bytes += most + WEFT_MAX_STACK;
    }
    return llvm::Error::success();
}

/** What the loader refuses, as sentences: inlining may have made sums that no function had. */
llvm::Error Linker::checkSizes() const {
    for (const KernelRecord &kernel : record.kernels) {
        const weft_kernel_info &info = kernel.info;
        uint64_t most = std::max(info.fixed_bytes, info.private_bytes);
        for (const weft_body_info &body : info.body)
            most = std::max(most, body.run_bytes);
        for (auto [bytes, what] :
             {std::pair(most, "private"), std::pair(info.local_bytes, "local")})
            if (bytes > WEFT_MAX_KERNEL_BYTES)
                return failure("kernel '" + kernel.name + "' needs " + llvm::Twine(bytes) +
                               " bytes of " + what + " memory; the most is " +
                               llvm::Twine(WEFT_MAX_KERNEL_BYTES));
        if (info.args_bytes > WEFT_MAX_ARGS_BYTES)
            return failure("kernel '" + kernel.name + "' has arguments of " +
                           llvm::Twine(info.args_bytes) + " bytes; the most is " +
                           llvm::Twine(WEFT_MAX_ARGS_BYTES));
    }
    return llvm::Error::success();
}

/** Counts the relocations that stay, and refuses what an image cannot have. */
llvm::Error Linker::scanRelocations() {
    for (Piece *piece : objects.live())
        for (const Elf::Rela &relocation : piece->relocations) {
            unsigned type = relocation.getType(false);
            if (type == ELF::R_X86_64_64) {
                relativeCount++;
                if (piece->isCode)
                    return failure("code of '" + piece->name + "' has an absolute address");
            }
            unsigned bytes = type == ELF::R_X86_64_64 || type == ELF::R_X86_64_PC64 ? 8
                             : type == ELF::R_X86_64_NONE                           ? 0
                                                                                    : 4;
            if (piece->isZero || relocation.r_offset > piece->size ||
                piece->size - relocation.r_offset < bytes)
                return failure("a relocation lies outside of section '" + piece->name + "'");
        }
    return llvm::Error::success();
}

void Linker::layOutSegment(SegmentKind kind, uint64_t &address, uint64_t &offset) {
    Segment &segment = segments[kind];
    if (kind != Constants) {
        /* A page of its own; the file is not padded, offset and address agree within the page. */
        offset = llvm::alignTo(offset, 64);
        address = llvm::alignTo(address, pageBytes) + offset % pageBytes;
        segment.address = address;
        segment.offset = offset;
    }
    /* Zero-filled pieces last: they have no bytes in the file. */
    std::stable_partition(pieces[kind].begin(), pieces[kind].end(),
                          [](const Piece *piece) { return !piece->isZero || piece->isCode; });
    bool zeros = false;
    for (Piece *piece : pieces[kind]) {
        if (piece->isZero && kind == Data && !zeros) {
            zeros = true;
            segment.fileBytes = address - segment.address;
        }
        address = llvm::alignTo(address, piece->align);
        piece->address = address;
        address += piece->size;
    }
    segment.bytes = address - segment.address;
    if (!zeros)
        segment.fileBytes = segment.bytes;
    offset = segment.offset + segment.fileBytes;
}

llvm::Error Linker::layOut() {
    llvm::SmallVector<char, 0> table;
    if (auto error = writeMeta(record, input.isa, input.options, 0, table))
        return error;
    descBytes = table.size();
    bool data = !pieces[Data].empty();
    headerCount = data ? 6 : 5;
    for (Piece *piece : objects.live())
        if (piece->align > pageBytes)
            return failure("section '" + piece->name + "' wants more than a page of alignment");

    uint64_t address = sizeof(ELF::Elf64_Ehdr) + headerCount * sizeof(ELF::Elf64_Phdr);
    noteAddress = address = llvm::alignTo(address, 8);
    noteBytes = noteHeadBytes + llvm::alignTo(descBytes, 4);
    dynamicAddress = llvm::alignTo(address + noteBytes, 16);
    relaAddress = dynamicAddress + dynamicEntries * sizeof(ELF::Elf64_Dyn);
    address = relaAddress + relativeCount * sizeof(ELF::Elf64_Rela);
    uint64_t offset = address;
    layOutSegment(Constants, address, offset);
    layOutSegment(Code, address, offset);
    if (data)
        layOutSegment(Data, address, offset);
    if (address > INT32_MAX / 2)
        return failure("the compiled program is larger than 1 GiB");
    out->resize(offset);
    return llvm::Error::success();
}

uint64_t Linker::fileOffset(uint64_t address) const {
    for (const Segment &segment : segments)
        if (address >= segment.address && address - segment.address < segment.bytes)
            return segment.offset + (address - segment.address);
    llvm_unreachable("an address outside of every segment");
}

void Linker::setEntries() {
    for (KernelRecord &kernel : record.kernels)
        for (size_t shape = 0; shape < kernel.entrySymbol.size(); shape++)
            if (!kernel.entrySymbol[shape].empty())
                kernel.info.body[shape].entry = objects.find(kernel.entrySymbol[shape]).address();
}

/** References through the global offset table, which an image does not have, become direct ones. */
llvm::Error Linker::relax(const Piece &piece, const Elf::Rela &relocation, uint64_t target) {
    uint64_t offset = relocation.r_offset;
    if (offset < 2 || relocation.r_addend != -4)
        return failure("a reference in '" + piece.name + "' wants a global offset table");
    auto *code = reinterpret_cast<unsigned char *>(at(piece.address + offset - 2));
    if (code[0] == 0x8b) {
        code[0] = 0x8d; /* mov x(%rip), r -> lea x(%rip), r; ModRM stays */
    } else if (code[0] == 0xff && code[1] == 0x15) {
        code[0] = 0x67; /* call *x(%rip) -> addr32 call x */
        code[1] = 0xe8;
    } else {
        return failure("a reference in '" + piece.name + "' wants a global offset table");
    }
    llvm::support::endian::write32le(code + 2,
                                     static_cast<uint32_t>(target - (piece.address + offset) - 4));
    return llvm::Error::success();
}

llvm::Error Linker::relocate(const Piece &piece, const Elf::Rela &relocation) {
    unsigned type = relocation.getType(false);
    if (type == ELF::R_X86_64_NONE)
        return llvm::Error::success();
    Place place = objects.resolve(*piece.object, relocation.getSymbol(false));
    uint64_t here = piece.address + relocation.r_offset;
    uint64_t target = place.address() + relocation.r_addend;
    switch (type) {
    case ELF::R_X86_64_64: {
        ELF::Elf64_Rela relative = {};
        relative.r_offset = here;
        relative.setSymbolAndType(0, ELF::R_X86_64_RELATIVE);
        relative.r_addend = static_cast<int64_t>(target);
        relatives.push_back(relative);
        return llvm::Error::success();
    }
    case ELF::R_X86_64_PC64:
        llvm::support::endian::write64le(at(here), target - here);
        return llvm::Error::success();
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_PLT32:
        llvm::support::endian::write32le(at(here), static_cast<uint32_t>(target - here));
        return llvm::Error::success();
    case ELF::R_X86_64_GOTPCREL:
    case ELF::R_X86_64_GOTPCRELX:
    case ELF::R_X86_64_REX_GOTPCRELX:
        return relax(piece, relocation, place.address());
    default:
        return failure("section '" + piece.name + "' has a relocation of type " +
                       llvm::Twine(type) + ", which an image cannot have");
    }
}

llvm::Error Linker::writePieces() {
    /* Between functions: int3, so that a stray jump is noticed and objdump shows what it is. */
    const Segment &code = segments[Code];
    memset(out->data() + code.offset, 0xcc, code.fileBytes);
    for (const auto &segment : pieces)
        for (const Piece *piece : segment)
            if (!piece->isZero && piece->size)
                memcpy(at(piece->address), piece->content.data(), piece->size);
    for (const auto &segment : pieces)
        for (const Piece *piece : segment)
            for (const Elf::Rela &relocation : piece->relocations)
                if (auto error = relocate(*piece, relocation))
                    return error;
    return llvm::Error::success();
}

void Linker::writeHeaders() {
    ELF::Elf64_Ehdr header = {};
    memcpy(header.e_ident, ELF::ElfMagic, 4);
    header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
    header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
    header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
    header.e_type = ELF::ET_DYN;
    header.e_machine = ELF::EM_X86_64;
    header.e_version = ELF::EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(ELF::Elf64_Phdr);
    header.e_phnum = static_cast<uint16_t>(headerCount);
    header.e_shentsize = sizeof(ELF::Elf64_Shdr);
    put(0, header);

    uint64_t place = sizeof header;
    auto add = [&](uint32_t type, uint32_t flags, Segment segment, uint64_t align) {
        ELF::Elf64_Phdr row = {};
        row.p_type = type;
        row.p_flags = flags;
        row.p_offset = segment.offset;
        row.p_vaddr = row.p_paddr = segment.address;
        row.p_filesz = segment.fileBytes;
        row.p_memsz = segment.bytes;
        row.p_align = align;
        put(place, row);
        place += sizeof row;
    };
    const uint64_t dynamicBytes = dynamicEntries * sizeof(ELF::Elf64_Dyn);
    add(ELF::PT_LOAD, ELF::PF_R, segments[Constants], pageBytes);
    add(ELF::PT_LOAD, ELF::PF_R | ELF::PF_X, segments[Code], pageBytes);
    if (headerCount == 6)
        add(ELF::PT_LOAD, ELF::PF_R | ELF::PF_W, segments[Data], pageBytes);
    add(ELF::PT_NOTE, ELF::PF_R, {noteAddress, noteAddress, noteBytes, noteBytes}, 4);
    add(ELF::PT_DYNAMIC, ELF::PF_R, {dynamicAddress, dynamicAddress, dynamicBytes, dynamicBytes},
        8);
    add(ELF::PT_GNU_STACK, ELF::PF_R | ELF::PF_W, {}, 16);
}

llvm::Error Linker::writeNote() {
    llvm::SmallVector<char, 0> table;
    uint64_t dataInit = record.dataSymbol.empty() ? 0 : objects.find(record.dataSymbol).address();
    if (auto error = writeMeta(record, input.isa, input.options, dataInit, table))
        return error;
    ELF::Elf64_Nhdr header = {};
    header.n_namesz = ownerBytes;
    header.n_descsz = static_cast<uint32_t>(descBytes);
    header.n_type = WEFT_NOTE_IMAGE;
    put(noteAddress, header);
    memcpy(out->data() + noteAddress + sizeof header, WEFT_NOTE_OWNER, ownerBytes);
    memcpy(out->data() + noteAddress + noteHeadBytes, table.data(), descBytes);
    return llvm::Error::success();
}

void Linker::writeDynamic() {
    const std::pair<int64_t, uint64_t> rows[dynamicEntries] = {
        {ELF::DT_RELA, relaAddress},
        {ELF::DT_RELASZ, relatives.size() * sizeof(ELF::Elf64_Rela)},
        {ELF::DT_RELAENT, sizeof(ELF::Elf64_Rela)},
        {ELF::DT_NULL, 0}};
    for (unsigned i = 0; i < dynamicEntries; i++) {
        ELF::Elf64_Dyn row = {};
        row.d_tag = rows[i].first;
        row.d_un.d_val = rows[i].second;
        put(dynamicAddress + i * sizeof row, row);
    }
    llvm::sort(relatives, [](const auto &a, const auto &b) { return a.r_offset < b.r_offset; });
    if (!relatives.empty())
        memcpy(out->data() + relaAddress, relatives.data(),
               relatives.size() * sizeof(ELF::Elf64_Rela));
}

/* ---- what only tools read -------------------------------------------------------------------- */

/** A string table under construction. */
struct StringTable {
    std::string bytes = std::string(1, '\0');
    uint32_t add(llvm::StringRef text) {
        uint32_t offset = static_cast<uint32_t>(bytes.size());
        bytes += text.str() + '\0';
        return offset;
    }
};

ELF::Elf64_Shdr sectionRow(uint32_t name, uint32_t type, uint64_t flags, const Segment &segment) {
    ELF::Elf64_Shdr row = {};
    row.sh_name = name;
    row.sh_type = type;
    row.sh_flags = flags;
    row.sh_addr = segment.address;
    row.sh_offset = segment.offset;
    row.sh_size = segment.bytes;
    row.sh_addralign = 1;
    return row;
}

/** The kernel whose entry has this symbol: people know it by its own name. */
const KernelRecord *kernelOf(const ModuleRecord &record, llvm::StringRef symbol) {
    for (const KernelRecord &kernel : record.kernels)
        if (llvm::is_contained(kernel.entrySymbol, symbol))
            return &kernel;
    return nullptr;
}

/** .symtab of what is live: named functions and data, for tools; local but for kernels. */
std::vector<ELF::Elf64_Sym> symbolRows(const Objects &objects, const ModuleRecord &record,
                                       StringTable &names, size_t &firstGlobal) {
    std::vector<ELF::Elf64_Sym> rows(1, ELF::Elf64_Sym{}), kernels;
    for (const Piece *piece : objects.live())
        for (const Elf::Sym &symbol : piece->object->symbols) {
            if (symbol.getType() != ELF::STT_FUNC && symbol.getType() != ELF::STT_OBJECT)
                continue;
            if (!symbol.isDefined() || symbol.st_shndx >= piece->object->pieces.size() ||
                &piece->object->pieces[symbol.st_shndx] != piece)
                continue;
            auto name = symbol.getName(piece->object->names);
            if (!name) {
                llvm::consumeError(name.takeError());
                continue;
            }
            ELF::Elf64_Sym row = {};
            const KernelRecord *kernel = kernelOf(record, *name);
            row.st_name = names.add(kernel ? kernel->name : *name);
            row.setBindingAndType(kernel ? ELF::STB_GLOBAL : ELF::STB_LOCAL, symbol.getType());
            row.st_shndx = piece->isCode ? 2 : piece->isWritable ? 3 : 1;
            row.st_value = piece->address + symbol.st_value;
            row.st_size = symbol.st_size;
            (kernel ? kernels : rows).push_back(row);
        }
    firstGlobal = rows.size();
    rows.insert(rows.end(), kernels.begin(), kernels.end());
    return rows;
}

/** Section 0, .rodata, .text, [.data], .symtab, .strtab, .shstrtab; appended behind the
 *  segments. */
void Linker::writeSections(llvm::SmallVectorImpl<char> &image) {
    StringTable names, symbolNames;
    size_t firstGlobal = 0;
    std::vector<ELF::Elf64_Sym> symbols = symbolRows(objects, record, symbolNames, firstGlobal);
    std::vector<ELF::Elf64_Shdr> rows(1, ELF::Elf64_Shdr{});
    auto range = [](uint64_t start, uint64_t end) -> Segment {
        return {start, start, end - start, end - start};
    };
    uint64_t relaEnd = relaAddress + relatives.size() * sizeof(ELF::Elf64_Rela);
    uint64_t constantsEnd = segments[Constants].bytes;
    rows.push_back(sectionRow(names.add(".rodata"), ELF::SHT_PROGBITS, ELF::SHF_ALLOC,
                              range(relaEnd, constantsEnd)));
    rows.push_back(sectionRow(names.add(".text"), ELF::SHT_PROGBITS,
                              ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, segments[Code]));
    if (headerCount == 6)
        rows.push_back(sectionRow(names.add(".data"), ELF::SHT_PROGBITS,
                                  ELF::SHF_ALLOC | ELF::SHF_WRITE, segments[Data]));
    rows.push_back(sectionRow(names.add(".note.weft"), ELF::SHT_NOTE, ELF::SHF_ALLOC,
                              range(noteAddress, noteAddress + noteBytes)));
    rows.push_back(sectionRow(names.add(".dynamic"), ELF::SHT_DYNAMIC, ELF::SHF_ALLOC,
                              range(dynamicAddress, relaAddress)));
    rows.back().sh_entsize = sizeof(ELF::Elf64_Dyn);
    rows.push_back(sectionRow(names.add(".rela.dyn"), ELF::SHT_RELA, ELF::SHF_ALLOC,
                              range(relaAddress, relaEnd)));
    rows.back().sh_entsize = sizeof(ELF::Elf64_Rela);
    auto append = [&](uint32_t name, uint32_t type, const void *bytes, uint64_t size) {
        image.resize(llvm::alignTo(image.size(), 8));
        rows.push_back(sectionRow(name, type, 0, {0, image.size(), size, size}));
        auto *first = static_cast<const char *>(bytes);
        image.append(first, first + size);
    };
    uint32_t symtab = names.add(".symtab"), strtab = names.add(".strtab"),
             shstrtab = names.add(".shstrtab");
    append(symtab, ELF::SHT_SYMTAB, symbols.data(), symbols.size() * sizeof symbols[0]);
    rows.back().sh_link = static_cast<uint32_t>(rows.size()); /* .strtab follows */
    rows.back().sh_info = static_cast<uint32_t>(firstGlobal);
    rows.back().sh_entsize = sizeof symbols[0];
    append(strtab, ELF::SHT_STRTAB, symbolNames.bytes.data(), symbolNames.bytes.size());
    std::vector<uint64_t> addresses; /* in the file */
    for (const ToolSection &section : tools) {
        append(names.add(section.name), ELF::SHT_PROGBITS, section.bytes.data(),
               section.bytes.size());
        for (uint64_t at : section.addresses)
            addresses.push_back(rows.back().sh_offset + at);
    }
    if (!addresses.empty())
        append(names.add(".weft.debug_addresses"), ELF::SHT_PROGBITS, addresses.data(),
               addresses.size() * sizeof addresses[0]);
    append(shstrtab, ELF::SHT_STRTAB, names.bytes.data(), names.bytes.size());
    image.resize(llvm::alignTo(image.size(), 8));

    ELF::Elf64_Ehdr header;
    memcpy(&header, image.data(), sizeof header);
    header.e_shoff = image.size();
    header.e_shnum = static_cast<uint16_t>(rows.size());
    header.e_shstrndx = static_cast<uint16_t>(rows.size() - 1);
    put(0, header);
    auto *first = reinterpret_cast<const char *>(rows.data());
    image.append(first, first + rows.size() * sizeof rows[0]);
}

llvm::Error Linker::run(llvm::SmallVectorImpl<char> &image) {
    out = &image;
    if (auto error = collect())
        return error;
    if (auto error = measureStacks())
        return error;
    if (auto error = measureArenaStacks())
        return error;
    if (auto error = checkSizes())
        return error;
    if (auto error = scanRelocations())
        return error;
    if (auto error = layOut())
        return error;
    setEntries();
    if (auto error = writePieces())
        return error;
    writeHeaders();
    if (auto error = writeNote())
        return error;
    writeDynamic();
    auto debug = linkDebug(objects, input.sources);
    if (!debug)
        return debug.takeError();
    tools = std::move(*debug);
    writeSections(image);
    return llvm::Error::success();
}

} // namespace

llvm::Error linkImage(const ImageInput &input, ModuleRecord &record,
                      llvm::SmallVectorImpl<char> &image) {
    llvm::SmallVector<char, 0> bytes;
    if (auto error = Linker(input, record).run(bytes))
        return error;
    image.append(bytes.begin(), bytes.end());
    return llvm::Error::success();
}

} // namespace weft
