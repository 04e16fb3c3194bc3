// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL vectors that stay as they lie in memory. `float4 sum += a[i] * s` of 8 lanes is 32 floats
// side by side: two registers of sixteen, and no shuffle. Taken apart into one vector of lanes for
// each element, as widen does, it is four half-empty registers and eight shuffles.

#include "vector/whole.h"
#include "vector/lanes.h"
#include "vector/shuffles.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

/** A turn of a loop for each of which so many are assumed. */
constexpr double turnsOfLoop = 10;
/** What stays whole must be so much cheaper. */
constexpr double leastWholeGain = 1.1;

/** The same operation on each element of an OpenCL vector, for all lanes: one instruction each. */
struct Tuple {
    SmallVector<Instruction *, 4> parts;
    Value *source = nullptr;       /* of parts that are shuffles of what lies in memory */
    SmallVector<Value *, 4> whole; /* what takes their place: registers, side by side */
};

/** Where a part belongs. */
struct Place {
    size_t tuple, part;
};

/** A shuffle of parts, where these are stored or used otherwise as they lie in memory. */
struct Sink {
    ShuffleVectorInst *shuffle;
    size_t tuple;
    SmallVector<int, 64> elements; /* of the whole */
};

class Wholes {
  public:
    Wholes(Function &kernel, unsigned registerBits)
        : kernel(kernel), lanes(widthOf(kernel)), registerBits(registerBits), tree(kernel),
          loops(tree) {}

    unsigned run();

  private:
    /* finding */
    void findSources();
    void grow(size_t from);
    bool isElementwise(const Instruction &instruction) const;
    Instruction *partner(Instruction &first, unsigned operand, size_t part, Value &of,
                         const SmallPtrSetImpl<Instruction *> &taken) const;
    int likeness(const Instruction &first, const Instruction &other, size_t part) const;
    size_t add(ArrayRef<Instruction *> parts, Value *source);
    std::optional<size_t> joined(ArrayRef<Value *> values) const;
    SmallVector<Value *, 4> operandsOf(const Tuple &tuple, unsigned index) const;
    void findSinks();
    Element elementOf(Value *vector, unsigned index) const;
    bool isSink(ShuffleVectorInst &shuffle);

    /* judging */
    double timesOf(const BasicBlock &block) const;
    unsigned pieceOf(const Type &element, size_t parts) const;
    double registersOf(const Type &element, size_t count) const;
    double costOfOperand(const Tuple &tuple, unsigned index) const;
    double costOutside(const Tuple &tuple) const;
    bool isPlaced(const Tuple &tuple) const;
    void judge();

    /* rewriting */
    void make(Tuple &tuple);
    void finishPhi(Tuple &tuple);
    SmallVector<Value *, 4> wholeOf(ArrayRef<Value *> values, IRBuilder<> &builder);
    Value *piece(IRBuilder<> &builder, Value *from, ArrayRef<int> places) const;
    void extractOutside(Tuple &tuple);
    bool isInside(const User &user) const;

    Function &kernel;
    const unsigned lanes, registerBits;
    DominatorTree tree;
    LoopInfo loops;
    std::vector<Tuple> tuples;
    std::vector<Sink> sinks;
    DenseMap<const Value *, Place> places;
    DenseMap<const Value *, size_t> sinkOf;
    SmallPtrSet<const Value *, 16> inner; /* shuffles that only sinks need */
    std::vector<bool> kept;
};

/* ---- finding --------------------------------------------------------------------------------- */

size_t Wholes::add(ArrayRef<Instruction *> parts, Value *source) {
    const size_t number = tuples.size();
    for (auto [part, instruction] : enumerate(parts))
        places[instruction] = {number, part};
    tuples.push_back({SmallVector<Instruction *, 4>(parts), source, {}});
    return number;
}

/** Loads that were taken apart. */
void Wholes::findSources() {
    MapVector<Value *, SmallVector<Instruction *, 4>> found;
    for (Instruction &instruction : instructions(kernel)) {
        size_t count = 0;
        auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
        std::optional<size_t> part = shuffle ? pickedPart(*shuffle, lanes, count) : std::nullopt;
        if (!part || shuffle->getType()->getScalarSizeInBits() < 8)
            continue;
        SmallVector<Instruction *, 4> &parts = found[shuffle->getOperand(0)];
        parts.resize(count);
        parts[*part] = shuffle;
    }
    for (auto &[source, parts] : found)
        if (!is_contained(parts, nullptr) && all_of(parts, [&](Instruction *part) {
                return part->getParent() == parts[0]->getParent();
            }))
            add(parts, source);
}

/** Its result for an element of its operands depends on nothing else. */
bool Wholes::isElementwise(const Instruction &instruction) const {
    auto *type = dyn_cast<FixedVectorType>(instruction.getType());
    if (!type || type->getNumElements() != lanes || type->getElementType()->isPointerTy())
        return false;
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        return isTriviallyVectorizable(call->getIntrinsicID()) &&
               all_of(call->args(), [&](const Use &use) { return use->getType() == type; });
    if (auto *cast = dyn_cast<CastInst>(&instruction)) { /* registers stay as many */
        auto *from = dyn_cast<FixedVectorType>(cast->getSrcTy());
        return from && from->getNumElements() == lanes && !from->getElementType()->isPointerTy() &&
               from->getScalarSizeInBits() == type->getScalarSizeInBits();
    }
    return isa<BinaryOperator, UnaryOperator, PHINode, FreezeInst>(instruction) ||
           (isa<SelectInst>(instruction) && instruction.getOperand(0)->getType()->isIntegerTy(1));
}

/** How many operands of both are known to be of one vector, or the same; -1: they do not match. */
int Wholes::likeness(const Instruction &first, const Instruction &other, size_t part) const {
    if (first.getOpcode() != other.getOpcode() || first.getType() != other.getType() ||
        first.getParent() != other.getParent() || first.getNumOperands() != other.getNumOperands())
        return -1;
    auto *call = dyn_cast<IntrinsicInst>(&first);
    if (call && call->getIntrinsicID() != cast<IntrinsicInst>(other).getIntrinsicID())
        return -1;
    int alike = 0;
    for (unsigned index = 0; index < first.getNumOperands(); index++) {
        const Value *a = first.getOperand(index), *b = other.getOperand(index);
        if (auto *phi = dyn_cast<PHINode>(&first))
            b = cast<PHINode>(other).getIncomingValueForBlock(phi->getIncomingBlock(index));
        auto left = places.find(a), right = places.find(b);
        const bool one = left != places.end(), two = right != places.end();
        if (a->getType() != b->getType() || (a != b && !a->getType()->isVectorTy()))
            return -1;
        if (one && two)
            alike += left->second.tuple == right->second.tuple && left->second.part == 0 &&
                             right->second.part == part
                         ? 2
                         : 0;
        else if (a == b)
            alike++;
    }
    return alike;
}

/** The user of `of`, which is part number `part`, that does what `first` does for part 0. */
Instruction *Wholes::partner(Instruction &first, unsigned operand, size_t part, Value &of,
                             const SmallPtrSetImpl<Instruction *> &taken) const {
    Instruction *best = nullptr;
    int most = -1;
    for (Use &use : of.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        if (places.count(user) || taken.count(user) || !isElementwise(*user) ||
            (use.getOperandNo() != operand && !isa<PHINode>(user)))
            continue;
        const int alike = likeness(first, *user, part);
        if (alike < 0 || alike < most ||
            (alike == most && (isa<PHINode>(user) || !user->comesBefore(best))))
            continue;
        best = user;
        most = alike;
    }
    return best;
}

/** What is done with all parts of a tuple alike is a tuple. */
void Wholes::grow(size_t from) {
    SmallVector<std::pair<Instruction *, unsigned>, 8> users;
    for (Use &use : tuples[from].parts[0]->uses())
        if (auto *user = cast<Instruction>(use.getUser()); isElementwise(*user))
            users.push_back({user, use.getOperandNo()});
    std::reverse(users.begin(), users.end()); /* uses are listed from the last to the first */
    for (auto [first, operand] : users) {
        if (places.count(first))
            continue;
        SmallVector<Instruction *, 4> parts = {first};
        SmallPtrSet<Instruction *, 8> taken;
        taken.insert(first);
        for (size_t part = 1; part < tuples[from].parts.size(); part++) {
            Instruction *other = partner(*first, operand, part, *tuples[from].parts[part], taken);
            if (!other)
                break;
            parts.push_back(other);
            taken.insert(other);
        }
        if (parts.size() == tuples[from].parts.size())
            add(parts, nullptr);
    }
}

SmallVector<Value *, 4> Wholes::operandsOf(const Tuple &tuple, unsigned index) const {
    SmallVector<Value *, 4> values;
    auto *phi = dyn_cast<PHINode>(tuple.parts[0]);
    for (Instruction *part : tuple.parts)
        values.push_back(
            phi ? cast<PHINode>(part)->getIncomingValueForBlock(phi->getIncomingBlock(index))
                : part->getOperand(index));
    return values;
}

/** The tuple that the values are, in order. */
std::optional<size_t> Wholes::joined(ArrayRef<Value *> values) const {
    std::optional<size_t> tuple;
    for (auto [part, value] : enumerate(values)) {
        auto found = places.find(value);
        if (found == places.end() || found->second.part != part ||
            (tuple && *tuple != found->second.tuple))
            return std::nullopt;
        tuple = found->second.tuple;
    }
    return tuples[*tuple].parts.size() == values.size() ? tuple : std::nullopt;
}

/** Through shuffles, as far as parts. */
Element Wholes::elementOf(Value *vector, unsigned index) const {
    const Element element = sourceOf({vector, index}, [&](const ShuffleVectorInst &shuffle) {
        return places.count(&shuffle) != 0;
    });
    return element.vector && isa<UndefValue>(element.vector) ? Element{} : element;
}

/** All of it is one tuple's. */
bool Wholes::isSink(ShuffleVectorInst &shuffle) {
    SmallVector<int, 64> elements;
    std::optional<size_t> tuple;
    for (unsigned index = 0; index < shuffle.getShuffleMask().size(); index++) {
        const Element element = elementOf(&shuffle, index);
        if (!element.vector) {
            elements.push_back(PoisonMaskElem);
            continue;
        }
        auto found = places.find(element.vector);
        if (found == places.end() || (tuple && *tuple != found->second.tuple))
            return false;
        tuple = found->second.tuple;
        elements.push_back(
            static_cast<int>(element.index * tuples[*tuple].parts.size() + found->second.part));
    }
    if (!tuple)
        return false;
    sinkOf[&shuffle] = *tuple;
    sinks.push_back({&shuffle, *tuple, std::move(elements)});
    return true;
}

void Wholes::findSinks() {
    for (Instruction &instruction : instructions(kernel))
        if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
            shuffle && !places.count(shuffle) && !isa<UndefValue>(shuffle->getOperand(0)))
            if (any_of(shuffle->users(),
                       [](const User *user) { return !isa<ShuffleVectorInst>(user); }))
                isSink(*shuffle);
    /* What only sinks are made of goes away with them. */
    for (bool changed = true; changed;) {
        changed = false;
        for (Instruction &instruction : instructions(kernel))
            if (isa<ShuffleVectorInst>(instruction) && !places.count(&instruction) &&
                !sinkOf.count(&instruction) && !instruction.use_empty() &&
                all_of(instruction.users(),
                       [&](const User *user) { return sinkOf.count(user) || inner.count(user); }))
                changed |= inner.insert(&instruction).second;
    }
}

/* ---- judging --------------------------------------------------------------------------------- */

double Wholes::timesOf(const BasicBlock &block) const {
    double times = 1;
    for (unsigned depth = std::min(loops.getLoopDepth(&block), 4U); depth > 0; depth--)
        times *= turnsOfLoop;
    return times;
}

/** Elements of each value that takes the place of parts: a register's, or less. */
unsigned Wholes::pieceOf(const Type &element, size_t parts) const {
    const auto all = static_cast<unsigned>(lanes * parts);
    const unsigned most = std::max(registerBits / std::max(element.getScalarSizeInBits(), 8U), 1U);
    return std::min(1U << countr_zero(all), most);
}

double Wholes::registersOf(const Type &element, size_t count) const {
    const double bits = static_cast<double>(count) * std::max(element.getScalarSizeInBits(), 8U);
    return std::max(1.0, bits / registerBits);
}

/** Shuffles that it takes to have an operand as a whole, times how often. */
double Wholes::costOfOperand(const Tuple &tuple, unsigned index) const {
    SmallVector<Value *, 4> values = operandsOf(tuple, index);
    if (joined(values) || !values[0]->getType()->isVectorTy())
        return 0;
    const bool isShared = all_equal(values);
    if (all_of(values, [&](const Value *value) {
            return isa<Constant>(value) || (isShared && getSplatValue(value));
        }))
        return 0;
    double times = 1;
    for (const Value *value : values)
        if (auto *instruction = dyn_cast<Instruction>(value))
            times = std::max(times, timesOf(*instruction->getParent()));
    const Type &type = *values[0]->getType()->getScalarType();
    const double registers = registersOf(type, lanes * values.size());
    return times * registers * (isShared ? 1 : static_cast<double>(values.size()));
}

bool Wholes::isInside(const User &user) const {
    return places.count(&user) || sinkOf.count(&user) || inner.count(&user);
}

/** Shuffles for those who want single parts. */
double Wholes::costOutside(const Tuple &tuple) const {
    double cost = 0;
    const Type &type = *tuple.parts[0]->getType()->getScalarType();
    const double registers = registersOf(type, lanes * tuple.parts.size());
    for (const Instruction *part : tuple.parts) {
        SmallPtrSet<const BasicBlock *, 4> blocks;
        for (const User *user : part->users())
            if (!isInside(*user) && blocks.insert(cast<Instruction>(user)->getParent()).second)
                cost += registers * timesOf(*cast<Instruction>(user)->getParent());
    }
    return tuple.source ? 0 : cost;
}

/** The whole is computed where the last of its parts is: nobody wants any of them before. */
bool Wholes::isPlaced(const Tuple &tuple) const {
    if (isa<PHINode>(tuple.parts[0]))
        return true;
    const Instruction *last = tuple.parts[0];
    for (const Instruction *part : tuple.parts)
        if (last->comesBefore(part))
            last = part;
    for (const Instruction *part : tuple.parts)
        for (const User *user : part->users()) {
            auto *instruction = cast<Instruction>(user);
            if (instruction->getParent() == last->getParent() && !isa<PHINode>(instruction) &&
                !isInside(*user) && instruction->comesBefore(last))
                return false;
        }
    return true;
}

/** Tuples that hang together become whole, or none of them. */
void Wholes::judge() {
    EquivalenceClasses<size_t> together;
    for (size_t number = 0; number < tuples.size(); number++) {
        together.insert(number);
        if (!tuples[number].source)
            for (unsigned index = 0; index < tuples[number].parts[0]->getNumOperands(); index++)
                if (std::optional<size_t> other = joined(operandsOf(tuples[number], index)))
                    together.unionSets(number, *other);
    }
    DenseMap<size_t, double> before, after;
    for (size_t number = 0; number < tuples.size(); number++) {
        const Tuple &tuple = tuples[number];
        const size_t leader = together.getLeaderValue(number), parts = tuple.parts.size();
        const Type &type = *tuple.parts[0]->getType()->getScalarType();
        const double times = timesOf(*tuple.parts[0]->getParent());
        double &then = after[leader], &now = before[leader];
        if (!isPlaced(tuple))
            then += 1e30;
        then += costOutside(tuple);
        if (tuple.source) {
            const double shuffles = std::max(registersOf(type, lanes * parts) - 1, 1.0);
            now += times * static_cast<double>(parts) * shuffles;
            continue;
        }
        for (unsigned index = 0; index < tuple.parts[0]->getNumOperands(); index++)
            then += costOfOperand(tuple, index);
        if (isa<PHINode>(tuple.parts[0]))
            continue;
        now += times * static_cast<double>(parts) * registersOf(type, lanes);
        then += times * registersOf(type, pieceOf(type, parts)) *
                static_cast<double>(lanes * parts / pieceOf(type, parts));
    }
    for (const Sink &sink : sinks)
        before[together.getLeaderValue(sink.tuple)] +=
            timesOf(*sink.shuffle->getParent()) *
            registersOf(*sink.shuffle->getType()->getScalarType(), sink.elements.size());
    for (size_t number = 0; number < tuples.size(); number++) {
        const size_t leader = together.getLeaderValue(number);
        kept.push_back(after[leader] * leastWholeGain < before[leader]);
    }
}

/* ---- rewriting ------------------------------------------------------------------------------- */

Value *Wholes::piece(IRBuilder<> &builder, Value *from, ArrayRef<int> places) const {
    return builder.CreateShuffleVector(from, places);
}

/** One value for each element, side by side: where they are defined, so that it is done once. */
SmallVector<Value *, 4> Wholes::wholeOf(ArrayRef<Value *> values, IRBuilder<> &builder) {
    if (std::optional<size_t> tuple = joined(values))
        return tuples[*tuple].whole;
    Type *type = values[0]->getType()->getScalarType();
    const size_t parts = values.size();
    const unsigned size = pieceOf(*type, parts);
    const bool isShared = all_equal(values);
    SmallVector<Value *, 4> whole;
    IRBuilderBase::InsertPointGuard guard(builder);
    if (auto *instruction = dyn_cast<Instruction>(values[0]); instruction && isShared)
        builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    Value *splat = isShared ? getSplatValue(values[0]) : nullptr;
    Value *all = isShared ? values[0] : concatenateVectors(builder, values);
    for (unsigned from = 0; from < lanes * parts; from += size) {
        SmallVector<int, 64> elements;
        for (unsigned at = from; at < from + size; at++)
            elements.push_back(static_cast<int>(at / parts + (isShared ? 0 : at % parts * lanes)));
        whole.push_back(splat ? builder.CreateVectorSplat(size, splat)
                              : piece(builder, all, elements));
    }
    return whole;
}

Instruction *lastOf(const Tuple &tuple) {
    Instruction *last = tuple.parts[0];
    for (Instruction *part : tuple.parts)
        if (last->comesBefore(part))
            last = part;
    return last;
}

/** The instructions on wholes, without operands of PHIs. */
void Wholes::make(Tuple &tuple) {
    Instruction *first = tuple.parts[0], *last = lastOf(tuple);
    IRBuilder<> builder(last);
    Type *type = first->getType()->getScalarType();
    const auto all = static_cast<unsigned>(lanes * tuple.parts.size());
    const unsigned size = pieceOf(*type, tuple.parts.size());
    auto *piece = FixedVectorType::get(type, size);
    if (tuple.source) {
        for (unsigned from = 0; from < all; from += size)
            tuple.whole.push_back(
                builder.CreateShuffleVector(tuple.source, createSequentialMask(from, size, 0)));
        return;
    }
    if (auto *phi = dyn_cast<PHINode>(first)) {
        for (unsigned from = 0; from < all; from += size)
            tuple.whole.push_back(builder.CreatePHI(piece, phi->getNumIncomingValues()));
        return;
    }
    SmallVector<SmallVector<Value *, 4>, 4> operands;
    const unsigned count =
        isa<CallBase>(first) ? cast<CallBase>(first)->arg_size() : first->getNumOperands();
    for (unsigned index = 0; index < count; index++)
        if (first->getOperand(index)->getType()->isVectorTy())
            operands.push_back(wholeOf(operandsOf(tuple, index), builder));
        else /* a choice for all lanes */
            operands.push_back(SmallVector<Value *, 4>(all / size, first->getOperand(index)));
    for (unsigned index = 0; index < all / size; index++) {
        Value *value;
        auto operand = [&](unsigned number) { return operands[number][index]; };
        if (auto *call = dyn_cast<IntrinsicInst>(first)) {
            SmallVector<Value *, 4> arguments;
            for (unsigned number = 0; number < count; number++)
                arguments.push_back(operand(number));
            value = builder.CreateIntrinsic(call->getIntrinsicID(), {piece}, arguments);
        } else if (auto *cast = dyn_cast<CastInst>(first)) {
            value = builder.CreateCast(cast->getOpcode(), operand(0), piece);
        } else if (auto *binary = dyn_cast<BinaryOperator>(first)) {
            value = builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
        } else if (auto *unary = dyn_cast<UnaryOperator>(first)) {
            value = builder.CreateUnOp(unary->getOpcode(), operand(0));
        } else if (isa<SelectInst>(first)) {
            value = builder.CreateSelect(operand(0), operand(1), operand(2));
        } else {
            value = builder.CreateFreeze(operand(0));
        }
        if (auto *made = dyn_cast<Instruction>(value);
            made && made->getOpcode() == first->getOpcode()) {
            made->copyIRFlags(first);
            for (Instruction *part : tuple.parts)
                made->andIRFlags(part);
        }
        tuple.whole.push_back(value);
    }
}

void Wholes::finishPhi(Tuple &tuple) {
    auto *first = dyn_cast<PHINode>(tuple.parts[0]);
    if (!first)
        return;
    for (unsigned index = 0; index < first->getNumIncomingValues(); index++) {
        BasicBlock *from = first->getIncomingBlock(index);
        IRBuilder<> builder(from->getTerminator());
        SmallVector<Value *, 4> whole = wholeOf(operandsOf(tuple, index), builder);
        for (auto [phi, value] : zip(tuple.whole, whole))
            cast<PHINode>(phi)->addIncoming(value, from);
    }
}

/** For users of single parts: in their own blocks, where that is done once. */
void Wholes::extractOutside(Tuple &tuple) {
    if (tuple.source)
        return; /* their shuffles stay as they are */
    for (auto [part, instruction] : enumerate(tuple.parts)) {
        DenseMap<BasicBlock *, Value *> extracted;
        for (Use &use : make_early_inc_range(instruction->uses())) {
            auto *user = cast<Instruction>(use.getUser());
            if (isInside(*user) && (!places.count(user) || kept[places[user].tuple]))
                continue;
            auto *phi = dyn_cast<PHINode>(user);
            if (!phi && user->getParent() == instruction->getParent() &&
                !isa<PHINode>(instruction) && user->comesBefore(lastOf(tuple)))
                continue; /* another whole is made of it; the part stays */
            BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
            Value *&value = extracted[block];
            if (!value) {
                const bool isHere = block == instruction->getParent();
                IRBuilder<> builder(block, phi && !isHere ? block->getTerminator()->getIterator()
                                                          : block->getFirstInsertionPt());
                if (isHere)
                    builder.SetInsertPoint(isa<PHINode>(instruction)
                                               ? &*block->getFirstInsertionPt()
                                               : cast<Instruction>(lastOf(tuple))->getNextNode());
                value = builder.CreateShuffleVector(
                    concatenateVectors(builder, tuple.whole),
                    createStrideMask(static_cast<unsigned>(part),
                                     static_cast<unsigned>(tuple.parts.size()), lanes));
            }
            use.set(value);
        }
    }
}

unsigned Wholes::run() {
    findSources();
    for (size_t number = 0; number < tuples.size(); number++)
        grow(number);
    if (tuples.empty())
        return 0;
    findSinks();
    judge();
    if (none_of(kept, [](bool one) { return one; }))
        return 0;
    ReversePostOrderTraversal<Function *> order(&kernel);
    SmallVector<size_t, 32> todo;
    for (BasicBlock *block : order)
        for (Instruction &instruction : *block)
            if (auto found = places.find(&instruction);
                found != places.end() && kept[found->second.tuple] &&
                &instruction == (isa<PHINode>(instruction) ? tuples[found->second.tuple].parts[0]
                                                           : lastOf(tuples[found->second.tuple])))
                todo.push_back(found->second.tuple);
    for (size_t number : todo)
        make(tuples[number]);
    for (size_t number : todo)
        finishPhi(tuples[number]);
    for (const Sink &sink : sinks) {
        if (!kept[sink.tuple])
            continue;
        IRBuilder<> builder(sink.shuffle);
        Value *all = concatenateVectors(builder, tuples[sink.tuple].whole);
        sink.shuffle->replaceAllUsesWith(builder.CreateShuffleVector(all, sink.elements));
    }
    unsigned count = 0;
    for (size_t number : todo) {
        extractOutside(tuples[number]);
        count += !tuples[number].source && !isa<PHINode>(tuples[number].parts[0]);
    }
    return count;
}

} // namespace

unsigned keepWhole(Function &kernel, unsigned registerBits) {
    return Wholes(kernel, registerBits).run();
}

} // namespace weft
