// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Objects that build/embed.py embeds, one per level of x86-64. */
#ifndef WEFT_KERNEL_LIBRARY_LEVELS_H
#define WEFT_KERNEL_LIBRARY_LEVELS_H

#include <stddef.h>

#define WEFT_LEVEL_SYMBOLS(name, level)                                                            \
    extern const unsigned char name##_v##level[], name##_v##level##_end[];

/** Defines `function(unsigned level, size_t *bytes)`: the object embedded as <name>_v<level>, and
 *  its size; levels below 1 and above 4 are clamped. */
#define WEFT_OBJECT_OF_LEVEL(function, name)                                                       \
    WEFT_LEVEL_SYMBOLS(name, 1)                                                                    \
    WEFT_LEVEL_SYMBOLS(name, 2)                                                                    \
    WEFT_LEVEL_SYMBOLS(name, 3)                                                                    \
    WEFT_LEVEL_SYMBOLS(name, 4)                                                                    \
    const unsigned char *function(unsigned level, size_t *bytes) {                                 \
        static const struct {                                                                      \
            const unsigned char *begin, *end;                                                      \
        } objects[4] = {{name##_v1, name##_v1_end},                                                \
                        {name##_v2, name##_v2_end},                                                \
                        {name##_v3, name##_v3_end},                                                \
                        {name##_v4, name##_v4_end}};                                               \
        unsigned index = level < 1 ? 0 : level > 4 ? 3 : level - 1;                                \
        *bytes = (size_t)(objects[index].end - objects[index].begin);                              \
        return objects[index].begin;                                                               \
    }

#endif
