/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compiler/shared/confined.h"

#include <stdio.h>
#include <string.h>

/** Adds text, as far as there is room. */
static void add(char *text, size_t bytes, const char *more) {
    size_t length = strlen(text);
    snprintf(text + length, bytes - length, "%s", more);
}

void weft_confined_text(const weft_confined *confined, char *text, size_t bytes) {
    const struct {
        const char *done, *refused;
        uint32_t error;
    } parts[] = {{"no capabilities", "loss of capabilities", confined->capabilities},
                 {"Landlock", "Landlock", confined->landlock},
                 {"seccomp", "seccomp", confined->seccomp}};
    const char *before = "confined: ";
    text[0] = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].error)
            continue;
        add(text, bytes, before);
        add(text, bytes, parts[i].done);
        before = ", ";
    }
    before = text[0] ? "; not by " : "not confined: no ";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].error)
            continue;
        /* Not strerror's words, which are the locale's. */
        const char *name = strerrorname_np((int)parts[i].error);
        char number[24];
        snprintf(number, sizeof number, "error %d", (int)parts[i].error);
        add(text, bytes, before);
        add(text, bytes, parts[i].refused);
        add(text, bytes, " (");
        add(text, bytes, name ? name : number);
        add(text, bytes, ")");
        before = ", ";
    }
}
