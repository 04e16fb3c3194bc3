// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/kernel_info.h"
#include "stages/stages.h"
#include "norm/type_name.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace weft {

namespace {

/* Values of the CL_KERNEL_ARG_* enumerations (OpenCL API, table 5.20). */
enum : uint32_t {
    AddressGlobal = 0x119B,
    AddressLocal = 0x119C,
    AddressConstant = 0x119D,
    AddressPrivate = 0x119E,
    AccessReadOnly = 0x11A0,
    AccessWriteOnly = 0x11A1,
    AccessReadWrite = 0x11A2,
    AccessNone = 0x11A3,
    TypeConst = 1,
    TypeRestrict = 2,
    TypeVolatile = 4,
    TypePipe = 8
};

bool flagOf(const Module &module, StringRef name) {
    auto *flag = mdconst::extract_or_null<ConstantInt>(module.getModuleFlag(name));
    return flag && !flag->isZero();
}

uint64_t integerAt(const MDNode &node, unsigned index) {
    auto *value = mdconst::dyn_extract_or_null<ConstantInt>(node.getOperand(index));
    return value ? value->getZExtValue() : 0;
}

StringRef stringAt(const MDNode *node, unsigned index) {
    if (!node || index >= node->getNumOperands())
        return "";
    auto *text = dyn_cast_or_null<MDString>(node->getOperand(index));
    return text ? text->getString() : "";
}

void addAttribute(KernelRecord &record, const Twine &text) {
    if (!record.attributes.empty())
        record.attributes += ' ';
    record.attributes += text.str();
}

void readSizes(const Function &kernel, const char *name, uint64_t sizes[3], KernelRecord &record) {
    const MDNode *node = kernel.getMetadata(name);
    if (!node || node->getNumOperands() < 3)
        return;
    for (unsigned d = 0; d < 3; d++)
        sizes[d] = integerAt(*node, d);
    addAttribute(record, Twine(name) + "(" + Twine(sizes[0]) + "," + Twine(sizes[1]) + "," +
                             Twine(sizes[2]) + ")");
}

uint8_t kindOf(const Argument &argument, StringRef baseType, StringRef qualifiers) {
    if (qualifiers.contains("pipe"))
        return WEFT_ARG_PIPE;
    if (baseType == "sampler_t")
        return WEFT_ARG_SAMPLER;
    if (baseType == "queue_t")
        return WEFT_ARG_QUEUE;
    if (baseType.starts_with("image") && baseType.ends_with("_t"))
        return WEFT_ARG_IMAGE;
    auto *pointer = dyn_cast<PointerType>(argument.getType());
    if (!pointer || argument.hasAttribute(structAttribute))
        return WEFT_ARG_VALUE;
    switch (pointer->getAddressSpace()) {
    case 2:
        return WEFT_ARG_CONSTANT;
    case 3:
        return WEFT_ARG_LOCAL;
    default:
        return WEFT_ARG_GLOBAL;
    }
}

uint32_t addressQualifier(uint8_t kind) {
    switch (kind) {
    case WEFT_ARG_GLOBAL:
    case WEFT_ARG_IMAGE:
    case WEFT_ARG_PIPE:
        return AddressGlobal;
    case WEFT_ARG_CONSTANT:
        return AddressConstant;
    case WEFT_ARG_LOCAL:
        return AddressLocal;
    default:
        return AddressPrivate;
    }
}

/** CL_MEM_OBJECT_IMAGE* of "image2d_array_depth_t" and its like; 0: no image. */
uint32_t imageType(StringRef baseType) {
    baseType.consume_back("_t");
    baseType.consume_back("_depth");
    return StringSwitch<uint32_t>(baseType)
        .Case("image2d", 0x10F1)
        .Case("image3d", 0x10F2)
        .Case("image2d_array", 0x10F3)
        .Case("image1d", 0x10F4)
        .Case("image1d_array", 0x10F5)
        .Case("image1d_buffer", 0x10F6)
        .Default(0);
}

uint64_t typeQualifiers(StringRef text) {
    uint64_t bits = 0;
    SmallVector<StringRef, 4> words;
    text.split(words, ' ', -1, false);
    for (StringRef word : words)
        bits |= StringSwitch<uint64_t>(word)
                    .Case("const", TypeConst)
                    .Case("restrict", TypeRestrict)
                    .Case("volatile", TypeVolatile)
                    .Case("pipe", TypePipe)
                    .Default(0);
    return bits;
}

/** Size and alignment of the argument's slot, and its kind. */
void layOut(const Argument &argument, weft_arg_info &info) {
    const DataLayout &layout = argument.getParent()->getParent()->getDataLayout();
    uint64_t bytes = layout.getTypeAllocSize(argument.getType());
    uint64_t align = layout.getABITypeAlign(argument.getType()).value();
    if (argument.hasAttribute(structAttribute)) {
        StringRef text = argument.getParent()
                             ->getAttributes()
                             .getParamAttr(argument.getArgNo(), structAttribute)
                             .getValueAsString();
        text.getAsInteger(10, bytes);
        align = argument.getParamAlign().valueOrOne().value();
    }
    info.bytes = static_cast<uint32_t>(bytes);
    info.align = static_cast<uint32_t>(std::min<uint64_t>(align, WEFT_BLOCK_ALIGN));
}

ArgRecord readArgument(const Argument &argument, const Function &source, bool named) {
    unsigned index = argument.getArgNo();
    ArgRecord record;
    weft_arg_info &info = record.info;
    StringRef baseType = stringAt(source.getMetadata("kernel_arg_base_type"), index);
    StringRef qualifiers = stringAt(source.getMetadata("kernel_arg_type_qual"), index);
    layOut(argument, info);
    info.kind = kindOf(argument, baseType, qualifiers);
    info.image_type = info.kind == WEFT_ARG_IMAGE ? imageType(baseType) : 0;
    info.address_qualifier = addressQualifier(info.kind);
    info.access_qualifier =
        StringSwitch<uint32_t>(stringAt(source.getMetadata("kernel_arg_access_qual"), index))
            .Case("read_only", AccessReadOnly)
            .Case("write_only", AccessWriteOnly)
            .Case("read_write", AccessReadWrite)
            .Default(AccessNone);
    info.type_qualifiers = typeQualifiers(qualifiers);
    info.has_info = named;
    if (named) {
        record.name = stringAt(source.getMetadata("kernel_arg_name"), index).str();
        record.typeName = stringAt(source.getMetadata("kernel_arg_type"), index).str();
    }
    return record;
}

} // namespace

void readKernelInfo(const Function &kernel, KernelRecord &record) {
    weft_kernel_info &info = record.info;
    readSizes(kernel, "reqd_work_group_size", info.reqd_local_size, record);
    readSizes(kernel, "work_group_size_hint", info.local_size_hint, record);
    if (const MDNode *hint = kernel.getMetadata("vec_type_hint"))
        if (auto *sample = dyn_cast_or_null<ValueAsMetadata>(hint->getOperand(0))) {
            std::string name = typeName(sample->getType(), integerAt(*hint, 1) != 0);
            record.vecTypeHint = name.empty() ? "void" : name;
            addAttribute(record, "vec_type_hint(" + Twine(record.vecTypeHint) + ")");
        }
    if (const MDNode *size = kernel.getMetadata("intel_reqd_sub_group_size")) {
        info.reqd_sub_group_size = static_cast<uint32_t>(integerAt(*size, 0));
        addAttribute(record, "intel_reqd_sub_group_size(" + Twine(info.reqd_sub_group_size) + ")");
    }
    if (const MDNode *count = kernel.getMetadata("weft.sub_groups_per_work_group"))
        info.reqd_sub_groups = static_cast<uint32_t>(integerAt(*count, 0));
    const Module &module = *kernel.getParent();
    if (flagOf(module, "weft.uniform-work-group-size"))
        info.flags |= WEFT_KERNEL_UNIFORM_GROUPS;
    if (flagOf(module, "weft.denorms-are-zero"))
        info.flags |= WEFT_KERNEL_FTZ;
    info.width = info.sub_group_size = 1;
}

void readArguments(const Function &kernel, const Function &source, KernelRecord &record) {
    bool named = flagOf(*kernel.getParent(), "weft.kernel-arg-info") &&
                 (kernel.arg_empty() || source.getMetadata("kernel_arg_name"));
    uint64_t offset = 0;
    record.args.clear();
    for (const Argument &argument : kernel.args()) {
        ArgRecord slot = readArgument(argument, source, named);
        weft_arg_info &info = slot.info;
        offset = alignTo(offset, info.align);
        info.offset = static_cast<uint32_t>(offset);
        offset += info.bytes;
        // The slot of a local pointer is an offset; what matters for it is the block's alignment.
        if (info.kind == WEFT_ARG_LOCAL) {
            info.align = static_cast<uint32_t>(std::min<uint64_t>(
                argument.getParamAlign().valueOrOne().value(), WEFT_BLOCK_ALIGN));
            info.bytes = info.align;
        }
        record.args.push_back(std::move(slot));
    }
    record.info.args_bytes = static_cast<uint32_t>(alignTo(offset, 8));
    record.info.arg_count = static_cast<uint32_t>(record.args.size());
}

} // namespace weft
