// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stages/spaces.h"

using namespace llvm;

namespace weft {

AnalysisKey SpacesAnalysis::Key;

AliasResult SpacesResult::alias(const MemoryLocation &first, const MemoryLocation &second,
                                AAQueryInfo &, const Instruction *) {
    enum : unsigned { global = 1, constant = 2, local = 3 };
    auto spaceOf = [](const MemoryLocation &place) {
        return place.Ptr->getType()->getPointerAddressSpace();
    };
    const unsigned one = spaceOf(first), other = spaceOf(second);
    const bool isNamed = one >= global && one <= local && other >= global && other <= local;
    return isNamed && (one == local) != (other == local) ? AliasResult::NoAlias
                                                         : AliasResult::MayAlias;
}

} // namespace weft
