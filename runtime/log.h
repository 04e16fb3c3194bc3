// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The debug log: lines to stderr, only for the topics that WEFT_DEBUG names (comma list or "all").
 * Without the setting it costs one load. Thread-safe; one write per line.
 */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

#include <stdint.h>

/* X(constant, name, what it tells) */
#define WEFT_LOG_TOPICS(X)                                                                         \
    X(ERROR, "error", "each API call that fails, and which rule it broke")                         \
    X(BUILD, "build", "programs: jobs, times, cache hits")                                         \
    X(COMPILER, "compiler", "the compiler process: start, end, protocol")                          \
    X(QUEUE, "queue", "commands: submitted, started, ended")                                       \
    X(KERNEL, "kernel", "launches: sizes, shape, chunks")                                          \
    X(OBJECT, "object", "objects made and finished")                                               \
    X(DEVICE, "device", "what was found about the machine")                                        \
    X(SETTINGS, "settings", "settings that were ignored, and why")

enum {
#define WEFT_LOG_BIT_(constant, name, doc) WEFT_LOG_BIT_##constant,
    WEFT_LOG_TOPICS(WEFT_LOG_BIT_)
#undef WEFT_LOG_BIT_
};
#define WEFT_LOG_ERROR    (1u << WEFT_LOG_BIT_ERROR)
#define WEFT_LOG_BUILD    (1u << WEFT_LOG_BIT_BUILD)
#define WEFT_LOG_COMPILER (1u << WEFT_LOG_BIT_COMPILER)
#define WEFT_LOG_QUEUE    (1u << WEFT_LOG_BIT_QUEUE)
#define WEFT_LOG_KERNEL   (1u << WEFT_LOG_BIT_KERNEL)
#define WEFT_LOG_OBJECT   (1u << WEFT_LOG_BIT_OBJECT)
#define WEFT_LOG_DEVICE   (1u << WEFT_LOG_BIT_DEVICE)
#define WEFT_LOG_SETTINGS (1u << WEFT_LOG_BIT_SETTINGS)

/** The topics that are on. */
uint32_t weft_log_topics(void);
/** Topics of a comma list; unknown names are skipped. NULL: none. */
uint32_t weft_log_parse(const char *list);
/** Writes one line, "weft: <topic>: " before it. Use weft_log. */
void weft_log_line(uint32_t topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Writes a line that already says whose it is. */
void weft_log_whole_line(const char *line);

#define weft_log(topic, ...)                                                                       \
    do {                                                                                           \
        if (__builtin_expect(weft_log_topics() & (topic), 0))                                      \
            weft_log_line((topic), __VA_ARGS__);                                                   \
    } while (0)

#endif
