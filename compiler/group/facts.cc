// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/facts.h"
#include "group/plan.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace weft {

namespace {

constexpr StringLiteral regionAttribute = "weft-region"; /* on regions: number */
constexpr StringLiteral itemsAttribute = "weft-items";   /* on items functions: the region's name */
constexpr StringLiteral checkAttribute = "weft-check";   /* ItemsFacts::checks */
constexpr StringLiteral stateAttribute = "weft-state";   /* ItemsFacts::stateOffset */

Error wrong(const Function &function, const Twine &what) {
    return createStringError(inconvertibleErrorCode(),
                             "function '" + function.getName() + "' " + what);
}

Expected<uint64_t> numberOf(const Function &function, StringRef attribute, uint64_t most) {
    StringRef text = function.getFnAttribute(attribute).getValueAsString();
    uint64_t number = 0;
    if (text.getAsInteger(10, number) || number > most)
        return wrong(function, "has attribute " + attribute + "=\"" + text +
                                   "\", which is no number up to " + Twine(most));
    return number;
}

/** Both begin with what the kernel takes; RegionParameter and ItemsParameter come behind. */
bool doParametersMatch(const Function &items, const Function &region) {
    ArrayRef<Type *> some = items.getFunctionType()->params(),
                     others = region.getFunctionType()->params();
    if (some.size() < ItemsParameterCount ||
        others.size() != some.size() - ItemsParameterCount + RegionParameterCount)
        return false;
    Type *number = Type::getInt64Ty(items.getContext());
    ArrayRef<Type *> pointers = some.take_back(ItemsParameterCount);
    ArrayRef<Type *> numbers = others.take_back(RegionParameterCount).drop_back(pointers.size());
    return some.drop_back(ItemsParameterCount) == others.drop_back(RegionParameterCount) &&
           others.take_back(pointers.size()) == pointers &&
           all_of(pointers, [](const Type *type) { return type->isPointerTy(); }) &&
           all_of(numbers, [&](const Type *type) { return type == number; }) &&
           items.getReturnType()->isIntegerTy(32) && region.getReturnType()->isIntegerTy(32);
}

} // namespace

void setRegionNumber(Function &region, unsigned number) {
    region.addFnAttr(regionAttribute, std::to_string(number));
}

bool isRegion(const Function &function) {
    return function.hasFnAttribute(regionAttribute);
}

Expected<unsigned> regionNumber(const Function &region) {
    Expected<uint64_t> number = numberOf(region, regionAttribute, INT32_MAX);
    if (!number)
        return number.takeError();
    return static_cast<unsigned>(*number);
}

void setItemsFacts(Function &items, const ItemsFacts &facts) {
    items.addFnAttr(itemsAttribute, facts.region->getName());
    if (facts.checks)
        items.addFnAttr(checkAttribute);
    else
        items.removeFnAttr(checkAttribute);
    if (facts.stateOffset)
        items.addFnAttr(stateAttribute, std::to_string(*facts.stateOffset));
    else
        items.removeFnAttr(stateAttribute);
}

bool isItems(const Function &function) {
    return function.hasFnAttribute(itemsAttribute);
}

Expected<ItemsFacts> itemsFacts(Function &items) {
    ItemsFacts facts;
    StringRef name = items.getFnAttribute(itemsAttribute).getValueAsString();
    facts.region = items.getParent()->getFunction(name);
    if (!facts.region || facts.region->isDeclaration() || !isRegion(*facts.region))
        return wrong(items, "runs region '" + name + "', which is not there");
    if (!doParametersMatch(items, *facts.region))
        return wrong(items, "has other parameters than region '" + name + "'");
    if (!items.hasOneUse() || !facts.region->use_empty())
        return wrong(items, "or its region is called more than once, or not at all");
    Expected<unsigned> number = regionNumber(*facts.region);
    if (!number)
        return number.takeError();
    facts.number = *number;
    facts.checks = items.hasFnAttribute(checkAttribute);
    if (items.hasFnAttribute(stateAttribute)) {
        Expected<uint64_t> offset = numberOf(items, stateAttribute, UINT32_MAX);
        if (!offset)
            return offset.takeError();
        facts.stateOffset = *offset;
    }
    if (facts.checks && !facts.stateOffset)
        return wrong(items, "asks which items are there, and nobody keeps it");
    return facts;
}

SmallVector<CallInst *, 8> itemsCalls(Function &dispatcher) {
    SmallVector<CallInst *, 8> calls;
    for (Instruction &instruction : instructions(dispatcher))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            if (Function *callee = call->getCalledFunction(); callee && isItems(*callee))
                calls.push_back(call);
    return calls;
}

} // namespace weft
