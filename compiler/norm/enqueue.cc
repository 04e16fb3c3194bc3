// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clang turns enqueue_kernel into calls of __enqueue_kernel_basic(queue, flags, range, kernel,
// block) and so on, where the kernel has become its name in stage retarget. Events and queues are
// pointers.

#include "norm/enqueue.h"
#include "norm/internals.h"
#include "norm/launch.h"

#include "weft/abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

constexpr int32_t enqueueFailure = -101; /* CLK_ENQUEUE_FAILURE */

enum class Kind {
    Enqueue,
    EnqueueSized,
    QueryKernel,
    QueryRange,
    QuerySize,
    Marker,
    DefaultQueue,
    UserEvent,
    NullEvent,
    SetStatus,
    Retain,
    Release,
    IsValid,
    Capture,
    Range
};

struct EnqueueFunction {
    StringRef name; /* the plain one, or Clang's */
    Kind kind;
    unsigned detail; /* Enqueue: has events 1, has local arguments 2; QueryKernel: WEFT_QUERY_*;
                        QueryRange: sub-groups' size 0, count 1; Range: dimensions */
};

const EnqueueFunction enqueueFunctions[] = {
    {"__enqueue_kernel_basic", Kind::Enqueue, 0},
    {"__enqueue_kernel_basic_events", Kind::Enqueue, 1},
    {"__enqueue_kernel_varargs", Kind::Enqueue, 2},
    {"__enqueue_kernel_events_varargs", Kind::Enqueue, 3},
    {"__weft_enqueue_kernel", Kind::EnqueueSized, 0}, /* the SPIR-V reader's: as the service */
    {"__get_kernel_work_group_size_impl", Kind::QueryKernel, WEFT_QUERY_GROUP_SIZE},
    {"__get_kernel_preferred_work_group_size_multiple_impl", Kind::QueryKernel,
     WEFT_QUERY_GROUP_MULTIPLE},
    {"__get_kernel_max_sub_group_size_for_ndrange_impl", Kind::QueryRange, 0},
    {"__get_kernel_sub_group_count_for_ndrange_impl", Kind::QueryRange, 1},
    {"__weft_max_sub_groups", Kind::QueryKernel, WEFT_QUERY_MAX_SUB_GROUPS}, /* the reader's too */
    {"__weft_sub_group_local_size", Kind::QuerySize, 0},
    {"__weft_null_event", Kind::NullEvent, 0},
    {"enqueue_marker", Kind::Marker, 0},
    {"__weft_enqueue_marker", Kind::Marker, 0},
    {"get_default_queue", Kind::DefaultQueue, 0},
    {"create_user_event", Kind::UserEvent, 0},
    {"set_user_event_status", Kind::SetStatus, 0},
    {"retain_event", Kind::Retain, 0},
    {"release_event", Kind::Release, 0},
    {"is_valid_event", Kind::IsValid, 0},
    {"capture_event_profiling_info", Kind::Capture, 0},
    {"ndrange_1D", Kind::Range, 1},
    {"ndrange_2D", Kind::Range, 2},
    {"ndrange_3D", Kind::Range, 3},
};

/** "_Z12retain_event12ocl_clkevent" -> "retain_event"; names of Clang's own stay. */
StringRef plainName(StringRef name) {
    unsigned length = 0;
    StringRef mangled = name;
    if (mangled.consume_front("_Z") && !mangled.consumeInteger(10, length))
        return mangled.take_front(length);
    return name;
}

const EnqueueFunction *find(const Function &function) {
    if (!function.isDeclaration() || function.isIntrinsic())
        return nullptr;
    StringRef name = plainName(function.getName());
    for (const EnqueueFunction &row : enqueueFunctions)
        if (row.name == name)
            return &row;
    return nullptr;
}

class Lowering {
  public:
    Lowering(CallInst &call, const EnqueueFunction &what, bool reasons)
        : call(call), what(what), reasons(reasons), builder(&call), pointer(builder.getPtrTy()),
          word(builder.getInt32Ty()), wide(builder.getInt64Ty()) {}

    void lower() {
        if (Value *result = emit())
            call.replaceAllUsesWith(result);
        call.eraseFromParent();
    }

  private:
    Value *launch() { return callInternal(builder, Internal::Launch); }
    Value *worker() { return callInternal(builder, Internal::Worker); }

    /** Argument number `index`, pointers of any address space as native ones. */
    Value *argument(unsigned index) {
        Value *value = call.getArgOperand(index);
        if (!value->getType()->isPointerTy() || value->getType() == pointer)
            return value;
        return builder.CreateAddrSpaceCast(value, pointer);
    }

    Value *service(uint64_t offset, Type *result, ArrayRef<Value *> arguments) {
        SmallVector<Type *, 16> types;
        for (Value *value : arguments)
            types.push_back(value->getType());
        return callService(builder, arguments[0], offset, FunctionType::get(result, types, false),
                           arguments);
    }

    /** "returns CLK_ENQUEUE_FAILURE otherwise"; with -g "the following errors may be returned
     *  instead" */
    Value *outcome(Value *error) {
        if (reasons)
            return error;
        return builder.CreateSelect(builder.CreateIsNull(error), error,
                                    builder.getInt32(static_cast<uint32_t>(enqueueFailure)));
    }

    Value *queryKernel(Value *kernel, unsigned query) {
        return service(offsetof(weft_services, query_kernel), word,
                       {launch(), worker(), kernel, builder.getInt32(query)});
    }

    /** Of a block's kernel for an ndrange: items of a sub-group, or sub-groups of a group. */
    Value *queryRange() {
        if (!what.detail) /* the same for all ranges */
            return queryKernel(argument(1), WEFT_QUERY_SUB_GROUP_SIZE);
        return service(offsetof(weft_services, sub_group_count), word,
                       {launch(), worker(), argument(1), argument(0)});
    }

    Value *enqueue() {
        bool events = what.detail & 1, locals = what.detail & 2;
        Value *none = ConstantPointerNull::get(cast<PointerType>(pointer));
        unsigned next = events ? 6 : 3;
        Value *range = argument(2), *kernel = argument(next), *block = argument(next + 1);
        Value *size = builder.CreateZExt(
            builder.CreateAlignedLoad(word,
                                      builder.CreateConstInBoundsGEP1_64(
                                          builder.getInt8Ty(), block, offsetof(weft_block, size)),
                                      Align(4)),
            wide);
        return outcome(service(offsetof(weft_services, enqueue), word,
                               {launch(), worker(), argument(0), argument(1), range,
                                events ? argument(3) : builder.getInt32(0),
                                events ? argument(4) : none, events ? argument(5) : none, kernel,
                                block, size, locals ? argument(next + 2) : builder.getInt32(0),
                                locals ? argument(next + 3) : none}));
    }

    Value *enqueueSized() {
        SmallVector<Value *, 13> arguments = {launch(), worker()};
        for (unsigned i = 0; i < call.arg_size(); i++)
            arguments.push_back(argument(i));
        return outcome(service(offsetof(weft_services, enqueue), word, arguments));
    }

    void store(Value *value, Value *range, uint64_t offset) {
        builder.CreateAlignedStore(
            value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), range, offset),
            Align(4));
    }

    /** ndrange_3D([[offset,] global_size,] local_size): three, two or one of them are given, the
     *  result is the first argument. One dimension by value, more by address. */
    void range() {
        static const uint64_t places[] = {offsetof(weft_ndrange, global_offset),
                                          offsetof(weft_ndrange, global_size),
                                          offsetof(weft_ndrange, local_size)};
        Value *range = call.getArgOperand(0);
        unsigned given = call.arg_size() - 1, dimensions = what.detail;
        store(builder.getInt32(dimensions), range, offsetof(weft_ndrange, work_dim));
        for (unsigned part = 0; part < 3; part++) {
            bool there = given == 3 || (part >= 1 && part <= given);
            Value *sizes = there ? call.getArgOperand(given == 3 ? part + 1 : part) : nullptr;
            for (unsigned i = 0; i < 3; i++) {
                Value *value = builder.getInt64(part == 1 ? 1 : 0);
                if (there && i < dimensions)
                    value = dimensions == 1 ? sizes : element(sizes, i);
                store(value, range, places[part] + 8 * i);
            }
        }
    }

    Value *element(Value *array, unsigned index) {
        return builder.CreateAlignedLoad(
            wide, builder.CreateConstInBoundsGEP1_64(wide, array, index), Align(8));
    }

    Value *nullEvent() { return builder.CreateIntToPtr(builder.getInt64(~uint64_t{0}), pointer); }

    Value *isValid() {
        Value *event = builder.CreatePtrToInt(call.getArgOperand(0), wide);
        return builder.CreateICmpULT(builder.CreateSub(event, builder.getInt64(1)),
                                     builder.getInt64(~uint64_t{0} - 1));
    }

    void eventService(uint64_t offset) {
        callService(builder, launch(), offset,
                    FunctionType::get(builder.getVoidTy(), {pointer}, false), {argument(0)});
    }

    void capture() {
        callService(builder, launch(), offsetof(weft_services, capture_profiling),
                    FunctionType::get(builder.getVoidTy(), {pointer, word, pointer}, false),
                    {argument(0), argument(1), argument(2)});
    }

    /** What replaces the call's result; null: nothing. */
    Value *emit() {
        switch (what.kind) {
        case Kind::Enqueue:
            return enqueue();
        case Kind::EnqueueSized:
            return enqueueSized();
        case Kind::QueryKernel:
            return queryKernel(argument(0), what.detail);
        case Kind::QueryRange:
            return queryRange();
        case Kind::QuerySize:
            return service(offsetof(weft_services, sub_group_local_size), word,
                           {launch(), worker(), argument(1), argument(0)});
        case Kind::Marker:
            return outcome(
                service(offsetof(weft_services, enqueue_marker), word,
                        {launch(), worker(), argument(0), argument(1), argument(2), argument(3)}));
        case Kind::DefaultQueue:
            return service(offsetof(weft_services, default_queue), pointer, {launch()});
        case Kind::UserEvent:
            return service(offsetof(weft_services, create_user_event), pointer, {launch()});
        case Kind::NullEvent:
            return nullEvent();
        case Kind::SetStatus:
            service(offsetof(weft_services, set_user_event_status), builder.getVoidTy(),
                    {launch(), worker(), argument(0), argument(1)});
            return nullptr;
        case Kind::Retain:
            eventService(offsetof(weft_services, retain_event));
            return nullptr;
        case Kind::Release:
            eventService(offsetof(weft_services, release_event));
            return nullptr;
        case Kind::IsValid:
            return isValid();
        case Kind::Capture:
            capture();
            return nullptr;
        case Kind::Range:
            range();
            return nullptr;
        }
        return nullptr;
    }

    CallInst &call;
    const EnqueueFunction &what;
    const bool reasons;
    IRBuilder<> builder;
    Type *pointer, *word, *wide;
};

} // namespace

SmallPtrSet<Function *, 8> functionsThatEnqueue(Module &module) {
    SmallPtrSet<Function *, 8> calling;
    for (Function &function : module) {
        const EnqueueFunction *what = find(function);
        if (!what || what->kind == Kind::Range || what->kind == Kind::QueryKernel ||
            what->kind == Kind::QueryRange || what->kind == Kind::QuerySize)
            continue;
        for (User *user : function.users())
            if (auto *call = dyn_cast<CallInst>(user))
                calling.insert(call->getFunction());
    }
    return calling;
}

void lowerEnqueue(Module &module, bool reasons) {
    for (Function &function : make_early_inc_range(module)) {
        const EnqueueFunction *what = find(function);
        if (!what)
            continue;
        for (User *user : make_early_inc_range(function.users()))
            if (auto *call = dyn_cast<CallInst>(user);
                call && call->getCalledFunction() == &function)
                Lowering(*call, *what, reasons).lower();
        if (function.use_empty())
            function.eraseFromParent();
    }
}

} // namespace weft
