// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What Clang leaves as metadata and attributes: arguments and execution modes of kernels.

#include "compiler/shared/names.h"
#include "spirv/reader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace weft::spirv {

namespace {

enum : uint32_t {
    ParamZext,
    ParamSext,
    ParamByVal,
    ParamSret,
    ParamNoAlias,
    ParamNoCapture,
    ParamNoWrite
};

bool hasParamAttr(const Module &source, uint32_t id, uint32_t kind) {
    for (const Decoration &decoration : source.decorations(id))
        if (decoration.kind == Decorate::FuncParamAttr && !decoration.operands.empty() &&
            decoration.operands[0] == kind)
            return true;
    return false;
}

/** Of what Clang says nothing else of, in llvm.global_ctors. */
constexpr int usualPriority = 65535;

/** The argument types that llvm-spirv keeps in a string "kernel_arg_type.<name>.<type>,…,". */
SmallVector<StringRef, 8> keptTypes(const Module &source, StringRef kernel) {
    std::string prefix = ("kernel_arg_type." + kernel + ".").str();
    SmallVector<StringRef, 8> names;
    for (StringRef text : source.strings)
        if (text.consume_front(prefix))
            text.split(names, ',', -1, false);
    return names;
}

/** One argument as Clang's kernel_arg_* metadata tell it. */
struct ArgumentText {
    uint32_t space = 0;
    std::string access = "none", type, qualifiers;

    void qualify(StringRef word) {
        if (!qualifiers.empty())
            qualifiers += ' ';
        qualifiers += word;
    }
};

std::string valueTypeName(Type *type, StringRef structName) {
    std::string name = typeName(type, true);
    if (!name.empty())
        return name;
    structName.consume_front("struct.");
    return structName.empty() ? "void" : structName.str();
}

ArgumentText opaqueText(TargetExtType &type) {
    ArgumentText text;
    StringRef kind = type.getName();
    bool pipe = kind == "spirv.Pipe";
    if (kind == "spirv.Image" || pipe) {
        StringRef access = accessName(&type);
        text.access = access == "ro" ? "read_only" : access == "wo" ? "write_only" : "read_write";
        text.space = 1;
        text.type = pipe ? "pipe" : imageName(&type) + "_t";
        if (pipe)
            text.qualify("pipe");
    } else {
        text.type = kind == "spirv.Sampler" ? "sampler_t"
                    : kind == "spirv.Queue" ? "queue_t"
                                            : "event_t";
    }
    return text;
}

} // namespace

void Reader::parameterAttributes(Function &made, uint32_t id, bool kernel) {
    for (auto [parameter, argument] : zip(parameterIds[id], made.args())) {
        auto has = [&, parameter = parameter](uint32_t kind) {
            return hasParamAttr(source, parameter, kind);
        };
        Type *type = argument.getType();
        if (Type *aggregate = byValue.lookup(parameter)) {
            argument.addAttr(Attribute::getWithByValType(context, aggregate));
            continue;
        }
        if (type->isIntegerTy() && has(ParamZext))
            argument.addAttr(Attribute::ZExt);
        if (type->isIntegerTy() && has(ParamSext))
            argument.addAttr(Attribute::SExt);
        if (!type->isPointerTy())
            continue;
        Type *pointee = pointeeOf(parameter);
        bool sized = pointee && pointee->isSized();
        if (sized && has(ParamByVal))
            argument.addAttr(Attribute::getWithByValType(context, pointee));
        if (sized && has(ParamSret) && made.getReturnType()->isVoidTy() && argument.getArgNo() < 2)
            argument.addAttr(Attribute::getWithStructRetType(context, pointee));
        if (has(ParamNoAlias) || (kernel && source.decoration(parameter, Decorate::Restrict)))
            argument.addAttr(Attribute::NoAlias);
        if (source.decoration(parameter, Decorate::Alignment) || (kernel && sized))
            argument.addAttr(Attribute::getWithAlignment(
                context, alignment(parameter, sized ? pointee : builder.getInt8Ty())));
    }
}

/* ---- arguments ------------------------------------------------------------------------------- */

void Reader::describeKernel(Function &kernel, uint32_t id, StringRef name) {
    SmallVector<Metadata *, 8> spaces, access, kinds, bases, qualifiers, names;
    SmallVector<StringRef, 8> kept = keptTypes(source, name);
    auto text = [&](StringRef words) { return MDString::get(context, words); };
    for (uint32_t parameter : parameterIds[id]) {
        const TypeInfo &info = typeInfoOf(parameter);
        ArgumentText argument;
        if (auto *opaque = dyn_cast_or_null<TargetExtType>(info.type)) {
            argument = opaqueText(*opaque);
        } else if (info.op == Op::TypePointer) {
            Type *pointee = typeOf(info.element);
            argument.type = valueTypeName(pointee, source.name(info.element));
            if (!hasParamAttr(source, parameter, ParamByVal)) {
                argument.type += "*";
                argument.space = info.type->getPointerAddressSpace();
                if (argument.space == 2 || hasParamAttr(source, parameter, ParamNoWrite))
                    argument.qualify("const");
                if (source.decoration(parameter, Decorate::Restrict) ||
                    hasParamAttr(source, parameter, ParamNoAlias))
                    argument.qualify("restrict");
                if (source.decoration(parameter, Decorate::Volatile))
                    argument.qualify("volatile");
            }
        } else {
            argument.type =
                valueTypeName(typeOf(typeIds[parameter]), source.name(typeIds[parameter]));
        }
        spaces.push_back(ConstantAsMetadata::get(builder.getInt32(argument.space)));
        access.push_back(text(argument.access));
        bases.push_back(text(argument.type));
        kinds.push_back(
            text(kept.size() > kinds.size() ? kept[kinds.size()] : StringRef(argument.type)));
        qualifiers.push_back(text(argument.qualifiers));
        names.push_back(text(source.name(parameter)));
    }
    kernel.setMetadata("kernel_arg_addr_space", MDNode::get(context, spaces));
    kernel.setMetadata("kernel_arg_access_qual", MDNode::get(context, access));
    kernel.setMetadata("kernel_arg_type", MDNode::get(context, kinds));
    kernel.setMetadata("kernel_arg_base_type", MDNode::get(context, bases));
    kernel.setMetadata("kernel_arg_type_qual", MDNode::get(context, qualifiers));
    kernel.setMetadata("kernel_arg_name", MDNode::get(context, names));
}

/* ---- execution modes ------------------------------------------------------------------------- */

namespace {

/** VecTypeHint: the number of lanes in the high half, in the low half the type of one. */
Type *hintType(LLVMContext &context, uint32_t hint) {
    Type *scalar = nullptr;
    switch (hint & 0xffff) {
    case 4:
        scalar = Type::getHalfTy(context);
        break;
    case 5:
        scalar = Type::getFloatTy(context);
        break;
    case 6:
        scalar = Type::getDoubleTy(context);
        break;
    default:
        scalar = Type::getIntNTy(context, 8u << std::min(hint & 0xffff, 3u));
    }
    uint32_t lanes = hint >> 16;
    return lanes > 1 && lanes <= 16 ? FixedVectorType::get(scalar, lanes) : scalar;
}

/** Modes by which the group is cut, whose numbers are therefore divided by. */
bool isRequired(Mode mode) {
    return mode == Mode::LocalSize || mode == Mode::LocalSizeId || mode == Mode::SubgroupSize ||
           mode == Mode::SubgroupsPerWorkgroup || mode == Mode::SubgroupsPerWorkgroupId;
}

} // namespace

void Reader::applyModes(Function &kernel, uint32_t id) {
    auto number = [&](uint64_t value) -> Metadata * {
        return ConstantAsMetadata::get(builder.getInt32(static_cast<uint32_t>(value)));
    };
    auto put = [&](StringRef name, ArrayRef<Metadata *> parts) {
        kernel.setMetadata(name, MDNode::get(context, parts));
    };
    for (const ExecutionMode &mode : source.executionModes) {
        if (mode.function != id)
            continue;
        SmallVector<Metadata *, 3> numbers;
        bool ids = mode.mode == Mode::LocalSizeId || mode.mode == Mode::LocalSizeHintId ||
                   mode.mode == Mode::SubgroupsPerWorkgroupId;
        for (uint32_t operand : mode.operands) {
            uint64_t value = ids ? constantOr(operand, 1) : operand;
            if (isRequired(mode.mode) && (!value || value > UINT32_MAX)) {
                sentence = "OpExecutionMode of '" + kernel.getName().str() +
                           "': " + std::to_string(value) +
                           " is no number of work-items or sub-groups that can be required";
                return;
            }
            numbers.push_back(number(value));
        }
        switch (mode.mode) {
        case Mode::LocalSize:
        case Mode::LocalSizeId:
            put("reqd_work_group_size", numbers);
            break;
        case Mode::LocalSizeHint:
        case Mode::LocalSizeHintId:
            put("work_group_size_hint", numbers);
            break;
        case Mode::VecTypeHint: {
            Type *hint = hintType(context, mode.operands.empty() ? 2 : mode.operands[0]);
            put("vec_type_hint", {ValueAsMetadata::get(UndefValue::get(hint)), number(1)});
            break;
        }
        case Mode::SubgroupSize:
            put("intel_reqd_sub_group_size", numbers);
            break;
        case Mode::SubgroupsPerWorkgroup:
        case Mode::SubgroupsPerWorkgroupId:
            put("weft.sub_groups_per_work_group", numbers);
            break;
        case Mode::Initializer:
        case Mode::Finalizer:
            if (kernel.getName().starts_with(copyOfKernelPrefix))
                break;
            if (!kernel.arg_empty())
                sentence = "OpExecutionMode Initializer and Finalizer are for entry points without "
                           "parameters: '" +
                           kernel.getName().str() + "' has some";
            else if (mode.mode == Mode::Initializer) /* as Clang says it of constructors */
                appendToGlobalCtors(*module, &kernel, usualPriority);
            else
                appendToGlobalDtors(*module, &kernel, usualPriority);
            break;
        default: /* ContractionOff: nothing is contracted; the rest asks for what always holds */
            break;
        }
    }
}

void Reader::describeKernels() {
    for (const EntryPoint &entry : source.entryPoints) {
        Function *kernel = functions.lookup(entry.function);
        if (!kernel || kernel->isDeclaration()) {
            if (!failed())
                sentence = "OpEntryPoint '" + entry.name + "' names no function with a body";
            return;
        }
        if (kernel->getName() != entry.name) { /* a second name of a function */
            if (isReservedName(entry.name)) {
                sentence = "OpEntryPoint " + refusalOfName(entry.name);
                return;
            }
            ValueToValueMapTy map;
            kernel = CloneFunction(kernel, map);
            kernel->setName(entry.name);
        }
        kernel->setLinkage(GlobalValue::ExternalLinkage);
        SmallVector<Function *, 2> copies = {kernel};
        Function *second = module->getFunction((copyOfKernelPrefix + entry.name).str());
        if (second && !second->isDeclaration() &&
            second->getFunctionType() == kernel->getFunctionType())
            copies.push_back(second);
        for (Function *copy : copies) {
            describeKernel(*copy, entry.function, entry.name);
            applyModes(*copy, entry.function);
        }
    }
}

} // namespace weft::spirv
