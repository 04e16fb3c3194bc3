// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * LLVM finds the type of a vector by comparing with each of its 200, which is 700 instructions, and
 * instruction selection asks several times for each operation. Here a table has it.
 *
 * This stands in for an inline function, of which each of LLVM's files has a weak copy: the linker
 * takes the one that is not weak. So no file that makes a copy of its own may be compiled together
 * with this one.
 */

#include "llvm/CodeGenTypes/MachineValueType.h"

namespace weft {

using llvm::MVT;

/** llvm::MVT::getVectorVT: of so many elements; invalid where LLVM has none. */
MVT vectorType(MVT element, unsigned count) __asm__("_ZN4llvm3MVT11getVectorVTES0_j");

namespace {

/** Numbers of elements that vectors have: up to 64, and powers of two above. */
constexpr unsigned few = 64, places = few + 7;

constexpr unsigned placeOf(unsigned count) {
    if (count <= few)
        return count;
    for (unsigned place = few + 1; place < places; place++)
        if (count == few << (place - few))
            return place;
    return places;
}

/** Vectors by element and number of elements. */
class VectorTypes {
  public:
    VectorTypes() {
#define GET_VT_VECATTR(type, isScalable, isTuple, count, element)                                  \
    static_assert(placeOf(count) < places);                                                        \
    add(MVT::SimpleValueType(MVT::type), isScalable || isTuple, count,                             \
        MVT::SimpleValueType(MVT::element));
#include "llvm/CodeGen/GenVT.inc"
#undef GET_VT_VECATTR
    }

    MVT find(MVT element, unsigned count) const {
        const unsigned place = placeOf(count);
        return element.SimpleTy < MVT::VALUETYPE_SIZE && place < places
                   ? types[element.SimpleTy][place]
                   : MVT::INVALID_SIMPLE_VALUE_TYPE;
    }

  private:
    /** The first of a kind stays, as in LLVM's search. */
    void add(MVT::SimpleValueType type, bool isOther, unsigned count,
             MVT::SimpleValueType element) {
        MVT::SimpleValueType &place = types[element][placeOf(count)];
        if (!isOther && place == MVT::INVALID_SIMPLE_VALUE_TYPE)
            place = type;
    }

    MVT::SimpleValueType types[MVT::VALUETYPE_SIZE][places] = {};
};

} // namespace

MVT vectorType(MVT element, unsigned count) {
    static const VectorTypes types;
    return types.find(element, count);
}

} // namespace weft
