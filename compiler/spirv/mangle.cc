// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/mangle.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace weft::spirv {

namespace {

StringRef scalarCode(Type *type, bool isSigned) {
    if (type->isHalfTy())
        return "Dh";
    if (type->isFloatTy())
        return "f";
    if (type->isDoubleTy())
        return "d";
    if (!type->isIntegerTy())
        return "v";
    switch (type->getIntegerBitWidth()) {
    case 1:
        return "b";
    case 8:
        return isSigned ? "c" : "h";
    case 16:
        return isSigned ? "s" : "t";
    case 32:
        return isSigned ? "i" : "j";
    default:
        return isSigned ? "l" : "m";
    }
}

std::string sourceName(StringRef name) {
    return std::to_string(name.size()) + name.str();
}

std::string opaqueCode(const TargetExtType &type) {
    StringRef kind = type.getName();
    if (kind == "spirv.Image")
        return sourceName("ocl_" + imageName(&type) + "_" + accessName(&type).str());
    return StringSwitch<std::string>(kind)
        .Case("spirv.Sampler", "11ocl_sampler")
        .Case("spirv.Event", "9ocl_event")
        .Case("spirv.DeviceEvent", "12ocl_clkevent")
        .Case("spirv.Queue", "9ocl_queue")
        .Case("spirv.ReserveId", "13ocl_reserveid")
        .Default("8ocl_pipe");
}

/** Types one behind the other; what repeats is abbreviated. */
class Types {
  public:
    void add(const Operand &operand) {
        if (!operand.spelled.empty())
            text += operand.spelled;
        else if (auto *pointer = dyn_cast<PointerType>(operand.value->getType()))
            addPointer(operand, pointer->getAddressSpace());
        else
            addPlain(operand.value->getType(), operand.isSigned);
    }

    std::string text;

  private:
    static std::string plain(Type *type, bool isSigned) {
        if (!type)
            return "v";
        if (auto *opaque = dyn_cast<TargetExtType>(type))
            return opaqueCode(*opaque);
        std::string code = scalarCode(type->getScalarType(), isSigned).str();
        if (auto *vector = dyn_cast<FixedVectorType>(type))
            return "Dv" + std::to_string(vector->getNumElements()) + "_" + code;
        return code;
    }

    /** Writes an abbreviation if `whole` was written before. */
    bool repeats(const std::string &whole) {
        for (size_t i = 0; i < known.size(); i++)
            if (known[i] == whole) {
                text += i == 0 ? "S_" : i < 11 ? "S" + std::to_string(i - 1) + "_" : whole;
                return true;
            }
        return false;
    }

    void addPlain(Type *type, bool isSigned) {
        std::string code = plain(type, isSigned);
        if (!type || !type->isVectorTy()) {
            text += code;
        } else if (!repeats(code)) {
            text += code;
            known.push_back(code);
        }
    }

    void addPointer(const Operand &operand, unsigned space) {
        std::string inner = plain(operand.pointee, operand.isSigned);
        std::string qualifiers = space ? "U3AS" + std::to_string(space) : "";
        qualifiers += operand.qualifiers;
        if (repeats("P" + qualifiers + inner))
            return;
        text += "P";
        if (qualifiers.empty() || !repeats(qualifiers + inner)) {
            text += qualifiers;
            addPlain(operand.pointee, operand.isSigned);
            if (!qualifiers.empty())
                known.push_back(qualifiers + inner);
        }
        known.push_back("P" + qualifiers + inner);
    }

    std::vector<std::string> known;
};

} // namespace

std::string mangle(StringRef name, ArrayRef<Operand> operands) {
    Types types;
    for (const Operand &operand : operands)
        types.add(operand);
    return "_Z" + sourceName(name) + (operands.empty() ? "v" : types.text);
}

/* Parameters of spirv.Image: dim, depth, arrayed, ms, sampled, format, access. */
std::string imageName(const Type *type) {
    auto *image = cast<TargetExtType>(type);
    static const char *const dimensions[] = {"image1d",   "image2d",   "image3d",
                                             "imagecube", "imagerect", "image1d_buffer"};
    std::string name = dimensions[std::min(image->getIntParameter(0), 5u)];
    if (image->getIntParameter(2))
        name += "_array";
    if (image->getIntParameter(3))
        name += "_msaa";
    if (image->getIntParameter(1) == 1)
        name += "_depth";
    return name;
}

StringRef accessName(const Type *type) {
    auto *opaque = cast<TargetExtType>(type);
    unsigned access = opaque->getNumIntParameters() ? opaque->int_params().back() : 0;
    return access == 0 ? "ro" : access == 1 ? "wo" : "rw";
}

} // namespace weft::spirv
