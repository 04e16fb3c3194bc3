// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/log.h"

#include "runtime/platform.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const struct {
    const char *name;
    uint32_t bit;
} topics[] = {
#define TOPIC(constant, name, doc) {name, WEFT_LOG_##constant},
    WEFT_LOG_TOPICS(TOPIC)
#undef TOPIC
};
#define TOPIC_COUNT (sizeof(topics) / sizeof(topics[0]))

uint32_t weft_log_topics(void) {
    const weft_platform *platform = weft_platform_current();
    return platform ? platform->log_topics : 0;
}

uint32_t weft_log_parse(const char *list) {
    uint32_t set = 0;
    while (list && *list) {
        size_t length = strcspn(list, ",");
        if (length == 3 && strncmp(list, "all", 3) == 0)
            set = ~0u;
        for (size_t i = 0; i < TOPIC_COUNT; i++)
            if (strlen(topics[i].name) == length && strncmp(list, topics[i].name, length) == 0)
                set |= topics[i].bit;
        list += length + (list[length] == ',');
    }
    return set;
}

void weft_log_line(uint32_t topic, const char *format, ...) {
    char line[1024];
    const char *name = "";
    for (size_t i = 0; i < TOPIC_COUNT; i++)
        if (topics[i].bit == topic)
            name = topics[i].name;

    int used = snprintf(line, sizeof(line), "weft: %s: ", name);
    va_list arguments;
    va_start(arguments, format);
    int text = vsnprintf(line + used, sizeof(line) - (size_t)used - 1, format, arguments);
    va_end(arguments);
    if (text < 0)
        return;
    weft_log_whole_line(line);
}

void weft_log_whole_line(const char *line) {
    /* One call per line keeps lines of several threads apart; a failure has no one to be told. */
    const struct iovec parts[2] = {{(void *)(uintptr_t)line, strlen(line)},
                                   {(void *)(uintptr_t)"\n", 1}};
    ssize_t ignored = writev(STDERR_FILENO, parts, 2);
    (void)ignored;
}
