// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/library.h"

#include "backend/pairs.h"
#include "kernel-lib/blob.h"
#include "norm/called.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

#include <algorithm>

using namespace llvm;

namespace weft {

namespace {

/** The embedded block of blob.h. */
class Library {
  public:
    static constexpr uint32_t none = ~0u;

    Library() : base(reinterpret_cast<const char *>(weft_library_begin)) {
        header = reinterpret_cast<const weft_library_header *>(base);
    }
    /** Number of the module that defines `symbol`, or `none`. */
    uint32_t find(StringRef symbol) const {
        const weft_library_symbol *first = symbols(), *last = first + header->symbol_count;
        auto *place = std::lower_bound(first, last, symbol, [&](auto &entry, StringRef wanted) {
            return StringRef(base + entry.name) < wanted;
        });
        return place != last && symbol == base + place->name ? place->module : none;
    }
    bool isEarly(uint32_t number) const { return module(number).flags & WEFT_LIBRARY_GROUP; }
    /** Whether any overload exists of this function (a module's name, ".half" behind it or not). */
    bool hasFunction(StringRef name) const {
        for (uint32_t i = 0; i < header->module_count; i++) {
            StringRef have(base + module(i).name);
            have.consume_back(".half");
            if (name == have)
                return true;
        }
        return false;
    }
    Expected<std::unique_ptr<Module>> open(uint32_t number, LLVMContext &context) const {
        const weft_library_module &entry = module(number);
        MemoryBufferRef bitcode(StringRef(base + entry.offset, entry.bytes), base + entry.name);
        return getLazyBitcodeModule(bitcode, context, /*ShouldLazyLoadMetadata=*/true);
    }

  private:
    const char *base;
    const weft_library_header *header;

    const weft_library_symbol *symbols() const {
        return reinterpret_cast<const weft_library_symbol *>(base + header->symbols);
    }
    const weft_library_module &module(uint32_t number) const {
        return reinterpret_cast<const weft_library_module *>(base + header->modules)[number];
    }
};

bool isUndefined(const Function &function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty();
}

/** The library's modules that define something `module` lacks. */
SetVector<uint32_t> neededModules(const Module &module, LibraryStage stage,
                                  const Library &library) {
    SetVector<uint32_t> needed;
    for (const Function &function : module) {
        if (!isUndefined(function))
            continue;
        uint32_t number = library.find(function.getName());
        if (number != Library::none && (stage != LibraryStage::Group || library.isEarly(number)))
            needed.insert(number);
    }
    return needed;
}

/** Definitions that a link brought in belong to this module alone. */
void internalise(Module &module, const StringSet<> &names) {
    for (const auto &name : names) {
        GlobalValue *value = module.getNamedValue(name.first());
        if (value && !value->isDeclaration()) {
            value->setLinkage(GlobalValue::InternalLinkage);
            value->setVisibility(GlobalValue::DefaultVisibility);
            value->setDSOLocal(true);
        }
    }
}

Error undefined(StringRef symbol, const Library &library) {
    std::string name = openclName(symbol);
    std::string plain = name.substr(0, name.find('('));
    std::string reason = library.hasFunction(plain)
                             ? "no built-in function " + plain + " takes these arguments"
                             : "no function of this name is defined, built in or supported";
    return createStringError(inconvertibleErrorCode(),
                             "the program calls " + name + ", but " + reason);
}

/** Whether a call takes `function` for one of another type: in a source that declares a built-in
 *  function itself, or in SPIR-V. */
bool isCalledAsAnother(const Function &function) {
    return any_of(function.users(), [&](const User *user) {
        auto *call = dyn_cast<CallBase>(user);
        return call && call->getCalledOperand() == &function &&
               call->getFunctionType() != function.getFunctionType();
    });
}

/** A question of kernel-lib/math about the target: its code for the other answer goes. */
void answer(Module &module, StringRef name, bool yes) {
    Function *question = module.getFunction(name);
    if (!question)
        return;
    for (User *user : make_early_inc_range(question->users())) {
        auto *call = dyn_cast<CallInst>(user);
        if (!call || !call->getType()->isIntegerTy()) /* some program's own declaration */
            continue;
        call->replaceAllUsesWith(ConstantInt::get(call->getType(), yes));
        call->eraseFromParent();
    }
    if (question->use_empty())
        question->eraseFromParent();
}

} // namespace

Error linkLibrary(Module &module, LibraryStage stage, const Target &target) {
    Library library;
    SmallPtrSet<const Function *, 32> before;
    for (const Function &function : module)
        if (!function.isDeclaration())
            before.insert(&function);
    auto next = [&] {
        if (stage == LibraryStage::LateCalled)
            callPrecompiled(module);
        return neededModules(module, stage, library);
    };
    SetVector<uint32_t> needed = next();
    if (!needed.empty()) {
        Linker linker(module);
        /* what is linked may need more, a few times over: tgamma, powr */
        for (unsigned round = 0; !needed.empty(); needed = next()) {
            if (round++ == 16)
                return createStringError(inconvertibleErrorCode(),
                                         "internal error: the kernel library is circular");
            for (uint32_t number : needed) {
                auto source = library.open(number, module.getContext());
                if (!source)
                    return source.takeError();
                if (linker.linkInModule(std::move(*source), Linker::LinkOnlyNeeded, internalise))
                    return createStringError(inconvertibleErrorCode(),
                                             "internal error: the kernel library does not link");
            }
        }
    }
    answer(module, "__weft_has_fma", target.hasFma());
    answer(module, "__weft_has_avx512", target.level() >= 4);
    lowerPairs(module, target);
    for (Function &function : module) {
        if (!function.isDeclaration() && !before.contains(&function)) {
            if (isCalledAsAnother(function))
                return createStringError(inconvertibleErrorCode(),
                                         "the program takes the built-in function " +
                                             openclName(function.getName()) +
                                             " for one of another type");
            target.mark(function);
        }
        if (stage != LibraryStage::Group && isUndefined(function) &&
            !function.getName().starts_with("__weft_") &&
            !function.getName().starts_with("weft_rt_"))
            return undefined(function.getName(), library);
    }
    return Error::success();
}

bool libraryDefines(StringRef symbol) {
    return Library().find(symbol) != Library::none;
}

std::string openclName(StringRef symbol) {
    symbol.consume_front("__clang_ocl_kern_imp_"); /* a kernel called as a function */
    std::string text = demangle(symbol);
    static const std::pair<StringRef, StringRef> words[] = {{"unsigned char", "uchar"},
                                                            {"unsigned short", "ushort"},
                                                            {"unsigned int", "uint"},
                                                            {"unsigned long", "ulong"},
                                                            {"signed char", "char"},
                                                            {" vector[", ""},
                                                            {"]", ""},
                                                            {" AS1", " __global"},
                                                            {" AS2", " __constant"},
                                                            {" AS3", " __local"},
                                                            {" AS4", " __generic"},
                                                            {"_Float16", "half"},
                                                            {"ocl_", ""}};
    for (auto &[from, to] : words)
        for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to.str());
    return text;
}

} // namespace weft
