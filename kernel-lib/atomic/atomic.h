// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Orders and scopes are ignored in favour of the strongest where that costs nothing: on x86 every
 * read-modify-write is a full barrier and every load acquires. Only stores look at their order.
 * Address spaces: global and local for OpenCL C 1.x and 3.0, generic for 2.0.
 */
#define WEFT_SCOPE memory_scope_all_svm_devices
#define WEFT_SPACES(define, ...)                                                                   \
    define(__global, __VA_ARGS__) define(__local, __VA_ARGS__) define(__generic, __VA_ARGS__)

#define WEFT_INTEGER_TYPES(define, ...)                                                            \
    WEFT_SPACES(define, atomic_int, int, __VA_ARGS__)                                              \
    WEFT_SPACES(define, atomic_uint, uint, __VA_ARGS__)                                            \
    WEFT_SPACES(define, atomic_long, long, __VA_ARGS__)                                            \
    WEFT_SPACES(define, atomic_ulong, ulong, __VA_ARGS__)
#define WEFT_FLOAT_TYPES(define, ...)                                                              \
    WEFT_SPACES(define, atomic_float, float, __VA_ARGS__)                                          \
    WEFT_SPACES(define, atomic_double, double, __VA_ARGS__)

/** Plain, with order, with order and scope. `operation` is a builtin without its argument list. */
#define WEFT_FETCH(space, atomic, value, operand, name, operation)                                 \
    WEFT_FN value name(volatile space atomic *object, operand x) {                                 \
        return operation(object, x, memory_order_seq_cst, WEFT_SCOPE);                             \
    }                                                                                              \
    WEFT_FN value name##_explicit(volatile space atomic *object, operand x, memory_order order) {  \
        (void)order;                                                                               \
        return operation(object, x, memory_order_seq_cst, WEFT_SCOPE);                             \
    }                                                                                              \
    WEFT_FN value name##_explicit(volatile space atomic *object, operand x, memory_order order,    \
                                  memory_scope scope) {                                            \
        (void)order;                                                                               \
        (void)scope;                                                                               \
        return operation(object, x, memory_order_seq_cst, WEFT_SCOPE);                             \
    }
#define WEFT_FETCH_SAME(space, atomic, value, name, operation)                                     \
    WEFT_FETCH(space, atomic, value, value, name, operation)

/* atomic_uintptr_t is an atomic_ulong whose operand is a ptrdiff_t or intptr_t. */
#define WEFT_FETCH_INTEGERS(name, operation)                                                       \
    WEFT_INTEGER_TYPES(WEFT_FETCH_SAME, name, operation)                                           \
    WEFT_SPACES(WEFT_FETCH, atomic_ulong, ulong, long, name, operation)
#define WEFT_FETCH_FLOATS(name, operation) WEFT_FLOAT_TYPES(WEFT_FETCH_SAME, name, operation)

/** Strong and weak are one on x86. `expected` may lie in any address space and receives the old
 * value when the exchange fails. */
#define WEFT_CAS(space, atomic, value, to, name)                                                   \
    WEFT_FN bool name(volatile space atomic *object, to value *expected, value desired) {          \
        return __opencl_atomic_compare_exchange_strong(                                            \
            object, expected, desired, memory_order_seq_cst, memory_order_seq_cst, WEFT_SCOPE);    \
    }                                                                                              \
    WEFT_FN bool name##_explicit(volatile space atomic *object, to value *expected, value desired, \
                                 memory_order success, memory_order failure) {                     \
        (void)success;                                                                             \
        (void)failure;                                                                             \
        return __opencl_atomic_compare_exchange_strong(                                            \
            object, expected, desired, memory_order_seq_cst, memory_order_seq_cst, WEFT_SCOPE);    \
    }                                                                                              \
    WEFT_FN bool name##_explicit(volatile space atomic *object, to value *expected, value desired, \
                                 memory_order success, memory_order failure, memory_scope scope) { \
        (void)success;                                                                             \
        (void)failure;                                                                             \
        (void)scope;                                                                               \
        return __opencl_atomic_compare_exchange_strong(                                            \
            object, expected, desired, memory_order_seq_cst, memory_order_seq_cst, WEFT_SCOPE);    \
    }
#define WEFT_CAS_SPACE(to, name)                                                                   \
    WEFT_INTEGER_TYPES(WEFT_CAS, to, name)                                                         \
    WEFT_FLOAT_TYPES(WEFT_CAS, to, name)
#define WEFT_CAS_FUNCTIONS(name)                                                                   \
    WEFT_CAS_SPACE(__private, name)                                                                \
    WEFT_CAS_SPACE(__global, name)                                                                 \
    WEFT_CAS_SPACE(__local, name)                                                                  \
    WEFT_CAS_SPACE(__generic, name)

#define WEFT_OLD_SPACES(define, ...) define(__global, __VA_ARGS__) define(__local, __VA_ARGS__)
#define WEFT_OLD_TYPES(define, name, ...)                                                          \
    WEFT_OLD_SPACES(define, int, atomic_##name, __VA_ARGS__)                                       \
    WEFT_OLD_SPACES(define, uint, atomic_##name, __VA_ARGS__)                                      \
    WEFT_OLD_SPACES(define, int, atom_##name, __VA_ARGS__)                                         \
    WEFT_OLD_SPACES(define, uint, atom_##name, __VA_ARGS__)                                        \
    WEFT_OLD_SPACES(define, long, atom_##name, __VA_ARGS__)                                        \
    WEFT_OLD_SPACES(define, ulong, atom_##name, __VA_ARGS__)
/** The functions of OpenCL C 1.x, on plain integers. */
#define WEFT_OLD(space, type, name, operation)                                                     \
    WEFT_FN type name(volatile space type *p, type value) {                                        \
        return operation(p, value, __ATOMIC_SEQ_CST);                                              \
    }
#define WEFT_OLD_ONE(space, type, name, operation)                                                 \
    WEFT_FN type name(volatile space type *p) {                                                    \
        return operation(p, (type)1, __ATOMIC_SEQ_CST);                                            \
    }
