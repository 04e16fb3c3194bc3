// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The functions of ThreadSanitizer that the compiler calls before each plain access
 * (-fsanitize=thread): races.c, or lines.c, is told of it. */

#include "threads.h"

#define ACCESSES(bytes)                                                                            \
    void __tsan_read##bytes(const void *at);                                                       \
    void __tsan_write##bytes(void *at);                                                            \
    void __tsan_unaligned_read##bytes(const void *at);                                             \
    void __tsan_unaligned_write##bytes(void *at);                                                  \
    void __tsan_volatile_read##bytes(const void *at);                                              \
    void __tsan_volatile_write##bytes(void *at);                                                   \
    void __tsan_read##bytes(const void *at) {                                                      \
        races_access(at, bytes, false);                                                            \
    }                                                                                              \
    void __tsan_write##bytes(void *at) {                                                           \
        races_access(at, bytes, true);                                                             \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(const void *at) {                                            \
        races_access(at, bytes, false);                                                            \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *at) {                                                 \
        races_access(at, bytes, true);                                                             \
    }                                                                                              \
    void __tsan_volatile_read##bytes(const void *at) {                                             \
        races_access(at, bytes, false);                                                            \
    }                                                                                              \
    void __tsan_volatile_write##bytes(void *at) {                                                  \
        races_access(at, bytes, true);                                                             \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(const void *at, size_t bytes);
void __tsan_read_range(const void *at, size_t bytes) {
    races_access(at, bytes, false);
}
void __tsan_write_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes) {
    races_access(at, bytes, true);
}
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(const void *caller);
void __tsan_func_entry(const void *caller) {
    (void)caller;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
/* There are no kernels here that are not instrumented (handover.h): nothing is excused. */
void __tsan_acquire(void *at);
void __tsan_acquire(void *at) {
    (void)at;
}
void __tsan_release(void *at);
void __tsan_release(void *at) {
    (void)at;
}

/* Atomics that are written as plain accesses, or flags, which only what gdb is shown and pipes use:
 * no steps, so nobody comes between. */
#define ATOMICS(bits)                                                                              \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order);       \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order) {      \
        (void)order;                                                                               \
        return *at;                                                                                \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value,            \
                                     int order);                                                   \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value,            \
                                     int order) {                                                  \
        (void)order;                                                                               \
        *at = value;                                                                               \
    }                                                                                              \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *at,                     \
                                                  uint##bits##_t value, int order);                \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *at,                     \
                                                  uint##bits##_t value, int order) {               \
        uint##bits##_t before = *at;                                                               \
        (void)order;                                                                               \
        *at = value;                                                                               \
        return before;                                                                             \
    }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
