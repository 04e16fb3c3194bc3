// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * pack NAMES OUT.blob OUT.symbols UNIT.bc...
 *
 * Makes the embedded kernel library (blob.h) of the units' bitcode. Fails where the table and the
 * bitcode do not agree, or where a module would need a symbol that nobody defines.
 */
#include "../blob.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace llvm;

namespace {

struct Entry {
    std::string family, effect;
    bool found = false;
};
using Table = std::map<std::string, Entry>;

struct Source {
    std::string path;
    bool ofHalf = false;
    SmallVector<char, 0> bitcode; /* retargeted */
};

struct Group {
    size_t source = 0;
    bool early = false; /* stage Group */
    std::vector<std::string> symbols;
    SmallVector<char, 0> bitcode;
};

[[noreturn]] void fail(const Twine &message) {
    errs() << "pack: " << message << "\n";
    exit(1);
}

/** "_Z3sinDv4_f" -> "sin"; "" for anything that is not mangled. */
StringRef functionName(StringRef symbol) {
    size_t length = 0;
    if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length) || length > symbol.size())
        return "";
    return symbol.take_front(length);
}

/** Whether it is a unit of overloads of half: units.py. */
bool isHalfUnit(StringRef path) {
    return sys::path::stem(path).starts_with("half-");
}

/** Overloads that share a module: all roundings, saturations and orders of one name, those of half
 *  apart. */
std::string groupName(StringRef name, bool ofHalf) {
    for (StringRef tail : {"_rte", "_rtz", "_rtp", "_rtn"})
        name.consume_back(tail);
    if (name.starts_with("convert_"))
        name.consume_back("_sat");
    name.consume_back("_explicit");
    return (name + (ofHalf ? ".half" : "")).str();
}

Table readTable(StringRef path) {
    auto file = MemoryBuffer::getFile(path);
    if (!file)
        fail("cannot read " + path);
    Table table;
    SmallVector<StringRef> lines, fields;
    (*file)->getBuffer().split(lines, '\n', -1, false);
    for (StringRef line : lines) {
        fields.clear();
        line.split(fields, ' ');
        if (fields.size() != 3)
            fail("not a line of units.py names: " + line);
        table[fields[0].str()] = {fields[1].str(), fields[2].str()};
    }
    return table;
}

/** What nothing refers to goes; every function that others can call is in the table. */
void reduce(Module &module, const Table &table) {
    for (Function &function : module)
        if (!function.isDeclaration() && !function.hasLocalLinkage() &&
            !table.count(functionName(function.getName()).str()))
            fail("not in builtins.def: " + function.getName());
    for (GlobalVariable &variable : module.globals())
        if (!variable.isDeclaration())
            variable.setLinkage(GlobalValue::InternalLinkage);
    ModuleAnalysisManager analyses;
    FunctionAnalysisManager functions;
    analyses.registerPass([&] { return FunctionAnalysisManagerModuleProxy(functions); });
    analyses.registerPass([&] { return PassInstrumentationAnalysis(); });
    functions.registerPass([&] { return PassInstrumentationAnalysis(); });
    GlobalDCEPass().run(module, analyses);
}

void replaceAll(std::string &text, StringRef from, StringRef to) {
    std::string out;
    out.reserve(text.size());
    size_t at = 0;
    for (size_t next; (next = text.find(from.data(), at, from.size())) != std::string::npos;
         at = next + from.size()) {
        out.append(text, at, next - at);
        out.append(to.data(), to.size());
    }
    out.append(text, at, std::string::npos);
    text = std::move(out);
}

/** What bound the code to its target or front end: attributes, flags, accuracy metadata. */
void strip(Module &module) {
    for (Function &function : module) {
        AttributeMask strings;
        for (Attribute attribute : function.getAttributes().getFnAttrs())
            if (attribute.isStringAttribute() && attribute.getKindAsString() != "no-trapping-math")
                strings.addAttribute(attribute.getKindAsString());
        function.removeFnAttrs(strings);
        function.setDSOLocal(false);
        function.clearMetadata();
        for (BasicBlock &block : function)
            for (Instruction &instruction : block)
                instruction.setMetadata(LLVMContext::MD_fpmath, nullptr);
    }
    while (module.named_metadata_begin() != module.named_metadata_end())
        module.eraseNamedMetadata(&*module.named_metadata_begin());
}

/** target("name...") -> type, whatever the parameters. */
void replaceOpaque(std::string &text, StringRef name, StringRef type) {
    std::string out, begin = ("target(\"" + name + "\"").str();
    size_t at = 0;
    for (size_t next; (next = text.find(begin, at)) != std::string::npos;
         at = text.find(')', next) + 1) {
        out.append(text, at, next - at);
        out.append(type.data(), type.size());
    }
    text = out.append(text, at, std::string::npos);
}

/**
 * image/image.h sees through images and samplers by calls of functions that exist nowhere: the
 * argument is what they ask for. Descriptors do not change while a kernel runs.
 */
void seeThrough(Module &module) {
    for (Function &function : make_early_inc_range(module)) {
        StringRef name = functionName(function.getName());
        if (name != "weft_image" && name != "weft_sampler")
            continue;
        for (User *user : make_early_inc_range(function.users())) {
            auto *call = cast<CallInst>(user);
            Value *value = call->getArgOperand(0);
            if (name == "weft_image")
                value = IRBuilder<>(call).CreateAddrSpaceCast(value, call->getType());
            call->replaceAllUsesWith(value);
            call->eraseFromParent();
        }
        function.eraseFromParent();
    }
    for (Function &function : module)
        if (function.hasFnAttribute(Attribute::NoInline)) /* WEFT_SLOW */
            function.addFnAttr("weft-apart");
    for (Function &function : module)
        for (BasicBlock &block : function)
            for (Instruction &instruction : block)
                if (auto *load = dyn_cast<LoadInst>(&instruction))
                    if (load->getPointerAddressSpace() == 2)
                        load->setMetadata(LLVMContext::MD_invariant_load,
                                          MDNode::get(module.getContext(), {}));
}

/** spir64 -> what stage retarget makes of user code; through text, as types change. */
std::unique_ptr<Module> retarget(Module &module, const TargetMachine &target) {
    std::string text;
    raw_string_ostream(text) << module;
    replaceAll(text, "target(\"spirv.Event\") zeroinitializer", "ptr null");
    replaceAll(text, "target(\"spirv.Event\")", "ptr");
    replaceOpaque(text, "spirv.Image", "ptr");
    replaceOpaque(text, "spirv.Sampler", "i32");
    replaceAll(text, " spir_func ", " ");
    SMDiagnostic error;
    auto result = parseAssemblyString(text, error, module.getContext());
    if (!result) {
        error.print("pack", errs());
        exit(1);
    }
    result->setTargetTriple(target.getTargetTriple());
    result->setDataLayout(target.createDataLayout());
    return result;
}

std::unique_ptr<Source> readSource(StringRef path, const Table &table,
                                   const TargetMachine &target) {
    LLVMContext context;
    SMDiagnostic error;
    auto module = parseIRFile(path, error, context);
    if (!module) {
        error.print("pack", errs());
        exit(1);
    }
    reduce(*module, table);
    strip(*module);
    module = retarget(*module, target);
    if (sys::path::stem(path) == "image")
        seeThrough(*module);
    if (verifyModule(*module, &errs()))
        fail("broken after retargeting: " + path);
    auto source = std::make_unique<Source>();
    source->path = path.str();
    source->ofHalf = isHalfUnit(path);
    raw_svector_ostream stream(source->bitcode);
    WriteBitcodeToFile(*module, stream);
    return source;
}

std::unique_ptr<Module> openLazily(const Source &source, LLVMContext &context) {
    auto module = getLazyBitcodeModule(
        MemoryBufferRef(StringRef(source.bitcode.data(), source.bitcode.size()), source.path),
        context);
    if (!module)
        fail(toString(module.takeError()));
    return std::move(*module);
}

/** Sorts the definitions of a source into groups. */
void collect(const Source &source, size_t index, Table &table,
             std::map<std::string, Group> &groups) {
    LLVMContext context;
    auto unit = openLazily(source, context);
    for (Function &function : *unit) {
        if (function.hasLocalLinkage() || function.isDeclaration())
            continue;
        std::string name = functionName(function.getName()).str();
        Entry &entry = table.at(name);
        entry.found = true;
        std::string module = groupName(name, source.ofHalf);
        if (auto other = groups.find(module);
            other != groups.end() && other->second.source != index)
            module += ("." + sys::path::stem(source.path)).str(); /* dot: of floats, of bytes */
        Group &group = groups[module];
        if (!group.symbols.empty() && group.source != index)
            fail("in two sources: " + name);
        group.source = index;
        group.early |= entry.effect == "GROUP" || entry.family == "image";
        group.symbols.push_back(function.getName().str());
    }
}

/** The group's definitions and what they need of their source, in a module of their own. */
void cut(const std::string &name, Group &group, const Source &source, StringSet<> &wanted) {
    LLVMContext context;
    auto from = openLazily(source, context);
    Module module(name, context);
    module.setTargetTriple(from->getTargetTriple());
    module.setDataLayout(from->getDataLayout());
    StringSet<> exported;
    for (const std::string &symbol : group.symbols) {
        Function *function = from->getFunction(symbol);
        Function::Create(function->getFunctionType(), GlobalValue::ExternalLinkage, symbol, module);
        exported.insert(symbol);
    }
    if (Linker::linkModules(module, std::move(from), Linker::LinkOnlyNeeded))
        fail("cannot cut " + name);
    for (Function &function : module) {
        if (function.isDeclaration()) {
            if (!function.isIntrinsic())
                wanted.insert(function.getName());
        } else if (!exported.count(function.getName())) {
            function.setLinkage(GlobalValue::InternalLinkage);
        }
    }
    if (verifyModule(module, &errs()))
        fail("broken: " + name);
    raw_svector_ostream stream(group.bitcode);
    WriteBitcodeToFile(module, stream);
}

/** The block of blob.h. */
class Block {
  public:
    explicit Block(const std::map<std::string, Group> &groups) {
        for (auto &[name, group] : groups) {
            for (const std::string &symbol : group.symbols)
                symbols[symbol] = modules;
            modules++;
        }
        layOut(groups);
    }
    std::vector<char> bytes;
    std::map<std::string, uint32_t> symbols;

  private:
    uint32_t modules = 0;

    uint32_t append(const void *data, size_t size, size_t align) {
        bytes.resize((bytes.size() + align - 1) / align * align);
        size_t at = bytes.size();
        bytes.insert(bytes.end(), (const char *)data, (const char *)data + size);
        return uint32_t(at);
    }
    void layOut(const std::map<std::string, Group> &groups) {
        weft_library_header header = {};
        std::vector<weft_library_module> moduleTable(modules);
        std::vector<weft_library_symbol> symbolTable;
        append(&header, sizeof header, 16);
        header.magic = WEFT_LIBRARY_MAGIC;
        header.module_count = modules;
        header.modules = append(moduleTable.data(), modules * sizeof moduleTable[0], 16);
        symbolTable.resize(symbols.size());
        header.symbol_count = uint32_t(symbols.size());
        header.symbols = append(symbolTable.data(), symbols.size() * sizeof symbolTable[0], 16);
        size_t index = 0;
        for (auto &[symbol, module] : symbols)
            symbolTable[index++] = {append(symbol.c_str(), symbol.size() + 1, 1), module};
        index = 0;
        for (auto &[name, group] : groups) {
            weft_library_module &entry = moduleTable[index++];
            entry.name = append(name.c_str(), name.size() + 1, 1);
            entry.flags = group.early ? WEFT_LIBRARY_GROUP : 0;
            entry.bytes = uint32_t(group.bitcode.size());
            entry.offset = append(group.bitcode.data(), group.bitcode.size(), 16);
        }
        header.bytes = uint32_t(bytes.size());
        memcpy(&bytes[0], &header, sizeof header);
        memcpy(&bytes[header.modules], moduleTable.data(), modules * sizeof moduleTable[0]);
        memcpy(&bytes[header.symbols], symbolTable.data(), symbols.size() * sizeof symbolTable[0]);
    }
};

void checkComplete(const Table &table, const Block &block, const StringSet<> &wanted) {
    for (auto &[name, entry] : table)
        if (!entry.found)
            fail("builtins.def names " + name + ", which no unit defines");
    for (auto &symbol : wanted)
        if (!block.symbols.count(symbol.first().str()) && !symbol.first().starts_with("__weft_"))
            fail("needed but not defined: " + symbol.first());
}

void writeFile(StringRef path, function_ref<void(raw_ostream &)> write) {
    std::error_code error;
    raw_fd_ostream stream(path, error);
    if (error)
        fail("cannot write " + path + ": " + error.message());
    write(stream);
}

std::unique_ptr<TargetMachine> createTarget() {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    std::string error;
    Triple triple("x86_64-unknown-linux-gnu");
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    if (!target)
        fail(error);
    return std::unique_ptr<TargetMachine>(
        target->createTargetMachine(triple, "", "", TargetOptions(), Reloc::PIC_));
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 5)
        fail("usage: pack NAMES OUT.blob OUT.symbols UNIT.bc...");
    Table table = readTable(argv[1]);
    auto target = createTarget();
    std::vector<std::unique_ptr<Source>> sources;
    std::map<std::string, Group> groups;
    for (int i = 4; i < argc; i++) {
        sources.push_back(readSource(argv[i], table, *target));
        collect(*sources.back(), sources.size() - 1, table, groups);
    }
    StringSet<> wanted;
    for (auto &[name, group] : groups)
        cut(name, group, *sources[group.source], wanted);
    Block block(groups);
    checkComplete(table, block, wanted);
    writeFile(argv[2],
              [&](raw_ostream &out) { out.write(block.bytes.data(), block.bytes.size()); });
    writeFile(argv[3], [&](raw_ostream &out) {
        for (auto &[symbol, module] : block.symbols)
            out << symbol << "\n";
    });
    return 0;
}
