// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Look-ups in small constant tables: digits, weights, S-boxes. A gather asks the cache for one lane
// after the other, and of bytes there is none; a permutation finds all lanes' words at once.

#include "vector/tables.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace weft {

Value *withoutOffsets(Value &pointer, const DataLayout &layout, APInt &bytes,
                      SmallMapVector<Value *, APInt, 4> &added) {
    Value *at = &pointer;
    for (;;) {
        if (auto *gep = dyn_cast<GEPOperator>(at)) {
            if (!gep->collectOffset(layout, bytes.getBitWidth(), added, bytes))
                return nullptr;
            at = gep->getPointerOperand();
        } else if (isa<AddrSpaceCastOperator>(at)) {
            at = cast<Operator>(at)->getOperand(0);
        } else {
            return at;
        }
    }
}

Table::Table(Type &element, unsigned registerBits)
    : element(&element), bits(static_cast<unsigned>(element.getPrimitiveSizeInBits())),
      registerBits(registerBits), wordBits(bits == 64 ? 64 : 32) {}

/** Integers and floating-point numbers, where there are permutations by what varies. */
static bool isPossible(const Type &element, unsigned registerBits) {
    const uint64_t bits = element.getPrimitiveSizeInBits();
    return bits >= 8 && bits <= 64 && isPowerOf2_64(bits) &&
           registerBits >= (bits == 64 ? 512U : 256U);
}

/** Words of the largest table. A byte or word of 16 bits is gathered lane by lane, which may cost
 *  as much as four permutations of AVX2 with what chooses among them; AVX-512 takes two registers
 * at once. */
static unsigned mostWords(unsigned bits, unsigned lanes, unsigned registerBits) {
    return (registerBits == 512 || bits < 32 ? 4 : 2) * lanes;
}

/** The table, with how far in it the pointer is, or null. */
GlobalVariable *Table::findSteps(Value &pointer, const DataLayout &layout) {
    const int64_t size = bits / 8;
    SmallMapVector<Value *, APInt, 4> offsets;
    APInt offset(64, 0);
    Value *base = withoutOffsets(pointer, layout, offset, offsets);
    auto *table = dyn_cast_or_null<GlobalVariable>(base);
    if (!table || !table->isConstant() || !table->hasDefinitiveInitializer() ||
        offset.getSExtValue() % size)
        return nullptr;
    start = offset.getSExtValue() / size;
    for (auto &[count, bytes] : offsets) {
        if (bytes.getSExtValue() % size)
            return nullptr;
        variable.push_back({count, bytes.getSExtValue() / size});
    }
    return table;
}

/** How many of the table's elements may be looked up, as far as the counts' bits tell: a string of
 *  64 digits has a 65th element. */
uint64_t Table::elementsWithin(uint64_t all, unsigned parts, const DataLayout &layout) const {
    if (start < 0)
        return all;
    uint64_t count = static_cast<uint64_t>(start) + parts;
    for (const Step &step : variable) {
        const APInt most = computeKnownBits(step.count, layout).getMaxValue();
        if (step.elements < 0 || static_cast<uint64_t>(step.elements) > all || most.uge(all))
            return all;
        count += most.getZExtValue() * static_cast<uint64_t>(step.elements);
    }
    return std::min(count, all);
}

/** Its first elements; not: they are no numbers. */
bool Table::read(GlobalVariable &table, uint64_t count, const DataLayout &layout) {
    Type *type = IntegerType::get(table.getContext(), bits);
    const unsigned each = wordBits / bits;
    words.assign(divideCeil(count, each), 0);
    for (uint64_t index = 0; index < count; index++) {
        Constant *value = ConstantFoldLoadFromConst(table.getInitializer(), type,
                                                    APInt(64, index * bits / 8), layout);
        auto *number = dyn_cast_or_null<ConstantInt>(value);
        if (!number)
            return false;
        words[index / each] |= number->getZExtValue() << (index % each * bits);
    }
    return true;
}

std::optional<Table> Table::of(Value &pointer, Type &type, const Function &kernel,
                               unsigned registerBits) {
    Type &element = *type.getScalarType();
    if (!isPossible(element, registerBits))
        return std::nullopt;
    const DataLayout &layout = kernel.getDataLayout();
    Table table(element, registerBits);
    GlobalVariable *variable = table.findSteps(pointer, layout);
    if (!variable)
        return std::nullopt;
    auto *vector = dyn_cast<FixedVectorType>(&type);
    const uint64_t all = layout.getTypeAllocSize(variable->getValueType()) * 8 / table.bits;
    const uint64_t count = table.elementsWithin(all, vector ? vector->getNumElements() : 1, layout);
    const uint64_t most = mostWords(table.bits, table.lanes(), registerBits);
    if (count * table.bits > most * table.wordBits || !table.read(*variable, count, layout))
        return std::nullopt;
    table.permutesBytes =
        table.bits == 8 && registerBits == 512 && count <= 64 &&
        kernel.getFnAttribute("target-features").getValueAsString().contains("+avx512vbmi");
    return table;
}

/** One register of the table, or of zeros behind it. */
Constant *Table::wordsFrom(LLVMContext &context, unsigned from) const {
    SmallVector<Constant *, 16> all;
    for (unsigned index = from; index < from + lanes(); index++)
        all.push_back(ConstantInt::get(IntegerType::get(context, wordBits),
                                       index < words.size() ? words[index] : 0));
    return ConstantVector::get(all);
}

static Value *call(IRBuilderBase &builder, Intrinsic::ID id, ArrayRef<Value *> arguments) {
    return builder.CreateIntrinsic(id, {}, arguments);
}

/** Of the words from there on, as many as one instruction looks up; it takes as many bits of each
 *  index as it needs. */
Value *Table::permute(IRBuilderBase &builder, Value *word, unsigned from) const {
    Constant *low = wordsFrom(builder.getContext(), from);
    if (registerBits != 512)
        return call(builder, Intrinsic::x86_avx2_permd, {low, word});
    if (words.size() <= from + lanes())
        return call(builder,
                    wordBits == 64 ? Intrinsic::x86_avx512_permvar_di_512
                                   : Intrinsic::x86_avx512_permvar_si_512,
                    {low, word});
    return call(builder,
                wordBits == 64 ? Intrinsic::x86_avx512_vpermi2var_q_512
                               : Intrinsic::x86_avx512_vpermi2var_d_512,
                {low, word, wordsFrom(builder.getContext(), from + lanes())});
}

/** A word for each lane: some permutations, and choices among their results by an index' bits. */
Value *Table::ofWords(IRBuilderBase &builder, Value *word) const {
    SmallVector<Value *, 4> found;
    for (unsigned from = 0; from < words.size(); from += atOnce())
        found.push_back(permute(builder, word, from));
    for (uint64_t bit = atOnce(); found.size() > 1; bit *= 2) {
        Value *chosen = builder.CreateAnd(word, ConstantInt::get(word->getType(), bit));
        Value *isUpper = builder.CreateIsNotNull(chosen);
        SmallVector<Value *, 4> left;
        for (size_t index = 0; index < found.size(); index += 2)
            left.push_back(index + 1 == found.size()
                               ? found[index]
                               : builder.CreateSelect(isUpper, found[index + 1], found[index]));
        found = left;
    }
    return found[0];
}

/** A byte for each lane: of the four that a lane's word permutes, only the lowest counts. */
Value *Table::ofBytes(IRBuilderBase &builder, Value *index) const {
    Type *bytes = FixedVectorType::get(builder.getInt8Ty(), registerBits / 8);
    Constant *all = ConstantExpr::getBitCast(wordsFrom(builder.getContext(), 0), bytes);
    Value *found = call(builder, Intrinsic::x86_avx512_permvar_qi_512,
                        {all, builder.CreateBitCast(index, bytes)});
    return builder.CreateBitCast(found, index->getType());
}

/** Of as many lanes as a register has, in the lowest bits of words. */
Value *Table::ofRegister(IRBuilderBase &builder, Value *index) const {
    if (permutesBytes)
        return ofBytes(builder, index);
    if (bits == wordBits)
        return ofWords(builder, index);
    const unsigned each = wordBits / bits;
    Type *type = index->getType();
    Value *word = ofWords(builder, builder.CreateLShr(index, Log2_32(each)));
    Value *within = builder.CreateAnd(index, ConstantInt::get(type, each - 1));
    return builder.CreateLShr(word, builder.CreateShl(within, Log2_32(bits)));
}

/** The same count, if of its bits only those that one permutation looks at are right. */
static Value *withoutMask(Value *count, unsigned places) {
    Value *unmasked;
    const APInt *mask;
    return PatternMatch::match(count, PatternMatch::m_And(PatternMatch::m_Value(unmasked),
                                                          PatternMatch::m_APInt(mask))) &&
                   mask->countr_one() >= Log2_32(places)
               ? unmasked
               : count;
}

Value *Table::lookUp(IRBuilderBase &builder, ArrayRef<Value *> counts, unsigned part) const {
    const unsigned width = cast<FixedVectorType>(counts[0]->getType())->getNumElements();
    auto *type = FixedVectorType::get(builder.getIntNTy(wordBits), width);
    auto number = [&](int64_t value) { return ConstantInt::getSigned(type, value); };
    Value *index = number(start + part);
    if (bits == wordBits && words.size() <= atOnce() && start + part == 0 && variable.size() == 1 &&
        variable[0].elements == 1)
        index = builder.CreateSExtOrTrunc(
            withoutMask(counts[0], words.size() > lanes() ? atOnce() : lanes()), type);
    else
        for (auto [count, step] : zip_equal(counts, variable))
            index = builder.CreateAdd(
                builder.CreateMul(builder.CreateSExtOrTrunc(count, type), number(step.elements)),
                index);
    SmallVector<Value *, 4> results;
    for (unsigned first = 0; first < width; first += lanes()) {
        SmallVector<int, 16> places;
        for (unsigned lane = first; lane < first + lanes(); lane++)
            places.push_back(lane < width ? static_cast<int>(lane) : PoisonMaskElem);
        results.push_back(ofRegister(builder, builder.CreateShuffleVector(index, places)));
    }
    Value *all = concatenateVectors(builder, results);
    all = builder.CreateShuffleVector(all, createSequentialMask(0, width, 0));
    return builder.CreateBitCast(
        builder.CreateTrunc(all, FixedVectorType::get(builder.getIntNTy(bits), width)),
        FixedVectorType::get(element, width));
}

bool isPermutation(const CallBase &call) {
    switch (call.getIntrinsicID()) {
    case Intrinsic::x86_avx2_permd:
    case Intrinsic::x86_avx512_permvar_qi_512:
    case Intrinsic::x86_avx512_permvar_si_512:
    case Intrinsic::x86_avx512_permvar_di_512:
    case Intrinsic::x86_avx512_vpermi2var_d_512:
    case Intrinsic::x86_avx512_vpermi2var_q_512:
        return true;
    default:
        return false;
    }
}

} // namespace weft
