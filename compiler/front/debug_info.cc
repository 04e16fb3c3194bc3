// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "front/debug_info.h"

#include "weft/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace weft {

namespace {

constexpr const char *sourcesName = "weft.sources";

/* ---- source text ----------------------------------------------------------------------------- */

std::string folderText() {
    std::string text = WEFT_SOURCES_FOLDER;
    text.resize(WEFT_SOURCES_BYTES, '/');
    return text;
}

/** Unique by content, and plain: it becomes the name of a file in a folder of the user's. */
std::string fileName(StringRef prefix, StringRef name, StringRef text) {
    std::string plain = (prefix + "-" + utohexstr(xxh3_64bits(text), true, 16)).str();
    for (char c : name.take_back(64))
        plain += isAlnum(c) || c == '.' || c == '-' ? c : '_';
    return plain;
}

void addSource(Module &module, StringRef name, StringRef text) {
    LLVMContext &context = module.getContext();
    module.getOrInsertNamedMetadata(sourcesName)
        ->addOperand(
            MDNode::get(context, {MDString::get(context, name), MDString::get(context, text)}));
}

/** Every file that debug information names. */
SmallPtrSet<DIFile *, 8> filesOf(const Module &module) {
    DebugInfoFinder finder;
    finder.processModule(module);
    SmallPtrSet<DIFile *, 8> files;
    auto add = [&](const DIScope *scope) {
        if (scope && scope->getFile())
            files.insert(scope->getFile());
    };
    for (DICompileUnit *unit : finder.compile_units())
        add(unit);
    for (DISubprogram *function : finder.subprograms())
        add(function);
    for (DIType *type : finder.types())
        add(type);
    for (DIScope *scope : finder.scopes())
        add(scope);
    for (DIGlobalVariableExpression *variable : finder.global_variables())
        if (variable->getVariable()->getFile())
            files.insert(variable->getVariable()->getFile());
    return files;
}

} // namespace

void keepSources(Module &module, StringRef text, StringRef sourceName, ArrayRef<JobInput> inputs,
                 StringRef headerFolder) {
    LLVMContext &context = module.getContext();
    MDString *folder = MDString::get(context, folderText());
    const std::string mainName = fileName("source", ".cl", text);
    addSource(module, mainName, text);
    // gdb believes line tables about a function's first line if "clang " made them, and knows
    // Debian's by another name.
    for (DICompileUnit *unit : module.debug_compile_units())
        unit->replaceOperandWith(1, MDString::get(context, "clang (Weft)"));
    for (DIFile *file : filesOf(module)) {
        StringRef path = file->getFilename();
        std::string name;
        // Clang calls the main file <stdin> where it has no name on the command line.
        if (path == sourceName || path == "<stdin>")
            name = mainName;
        if (path.consume_front(headerFolder) && path.consume_front("/"))
            for (const JobInput &input : inputs)
                if (input.kind == InputKind::Header && input.name == path) {
                    name = fileName("header", ("-" + input.name).str(), input.data);
                    addSource(module, name, input.data);
                }
        if (name.empty())
            continue;
        file->replaceOperandWith(0, MDString::get(context, name));
        file->replaceOperandWith(1, folder);
    }
}

SourceTexts sourcesOf(const Module &module) {
    SourceTexts texts;
    const NamedMDNode *sources = module.getNamedMetadata(sourcesName);
    for (unsigned i = 0; sources && i < sources->getNumOperands(); i++) {
        // Bitcode may come from a file of the application's.
        const MDNode *row = sources->getOperand(i);
        auto *name = row->getNumOperands() == 2 ? dyn_cast<MDString>(row->getOperand(0)) : nullptr;
        auto *text = name ? dyn_cast<MDString>(row->getOperand(1)) : nullptr;
        if (text)
            texts.emplace_back(name->getString().str(), text->getString().str());
    }
    return texts;
}

/* ---- consistency ----------------------------------------------------------------------------- */

namespace {

/** One function's way to locations that are all its own. */
class Consistent {
  public:
    Consistent(Function &function, DICompileUnit &unit, DIBuilder &builder,
               SmallPtrSetImpl<DISubprogram *> &taken)
        : function(function), unit(unit), builder(builder), taken(taken) {}

    void run();

  private:
    DISubprogram *firstOwner() const;
    DISubprogram *makeOwn();
    DebugLoc correct(const DebugLoc &location);

    Function &function;
    DICompileUnit &unit;
    DIBuilder &builder;
    SmallPtrSetImpl<DISubprogram *> &taken; /* that describe some function already */
    DISubprogram *own = nullptr;
    DILocation *here = nullptr; /* where foreign code counts as inlined */
    DenseMap<const MDNode *, MDNode *> inlined;
};

DISubprogram *ownerOf(const DebugLoc &location) {
    const DILocation *outermost = location.get();
    while (outermost->getInlinedAt())
        outermost = outermost->getInlinedAt();
    return outermost->getScope()->getSubprogram();
}

/** What the function's first line belongs to; null: it has no lines at all. */
DISubprogram *Consistent::firstOwner() const {
    for (const Instruction &instruction : instructions(function))
        if (instruction.getDebugLoc())
            return ownerOf(instruction.getDebugLoc());
    return nullptr;
}

DISubprogram *Consistent::makeOwn() {
    DIFile *file = unit.getFile();
    auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
    return builder.createFunction(file, function.getName(), "", file, 0, type, 0,
                                  DINode::FlagArtificial,
                                  DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit);
}

DebugLoc Consistent::correct(const DebugLoc &location) {
    if (ownerOf(location) == own)
        return location;
    DebugLoc outer = DebugLoc::appendInlinedAt(location, here, function.getContext(), inlined);
    return DILocation::get(function.getContext(), location.getLine(), location.getCol(),
                           location.getScope(), outer.get());
}

/** Clang says in which address space a variable is; here there is only one, and gdb knows none. */
DIExpression *withoutAddressSpace(DIExpression *expression) {
    ArrayRef<uint64_t> all = expression->getElements();
    for (size_t at = 0; at + 4 <= all.size(); at++)
        if (all[at] == dwarf::DW_OP_constu && all[at + 2] == dwarf::DW_OP_swap &&
            all[at + 3] == dwarf::DW_OP_xderef) {
            SmallVector<uint64_t, 8> rest(all.take_front(at));
            append_range(rest, all.drop_front(at + 4));
            return DIExpression::get(expression->getContext(), rest);
        }
    return expression;
}

void Consistent::run() {
    DISubprogram *first = firstOwner();
    if (!first) {
        function.setSubprogram(nullptr);
        return;
    }
    // A kernel's entry is the kernel, for gdb: "break kernel" stops at its first line, in each
    // item.
    own = function.getSubprogram();
    if (!own)
        function.setSubprogram(own = taken.insert(first).second ? first : makeOwn());
    here = DILocation::getDistinct(function.getContext(), 0, 0, own);
    for (Instruction &instruction : instructions(function)) {
        if (instruction.getDebugLoc())
            instruction.setDebugLoc(correct(instruction.getDebugLoc()));
        for (DbgRecord &record : make_early_inc_range(instruction.getDbgRecordRange())) {
            if (!record.getDebugLoc()) {
                record.eraseFromParent();
                continue;
            }
            record.setDebugLoc(correct(record.getDebugLoc()));
            if (auto *variable = dyn_cast<DbgVariableRecord>(&record))
                variable->setExpression(withoutAddressSpace(variable->getExpression()));
        }
    }
}

} // namespace

void finishDebugInfo(Module &module) {
    if (module.debug_compile_units().empty())
        return;
    DICompileUnit &unit = **module.debug_compile_units_begin();
    DIBuilder builder(module, /*AllowUnresolved=*/false, &unit);
    SmallPtrSet<DISubprogram *, 16> taken;
    // One description per function: copies are "inlined" into descriptions of their own.
    for (Function &function : module)
        if (function.isDeclaration() ||
            (function.getSubprogram() && !taken.insert(function.getSubprogram()).second))
            function.setSubprogram(nullptr);
    for (Function &function : module)
        if (!function.isDeclaration())
            Consistent(function, unit, builder, taken).run();
    builder.finalize();
}

} // namespace weft
