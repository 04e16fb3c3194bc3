// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exhaust.h"

#include <stdio.h>
#include <string.h>

bool weft_exhaust_is_done(const char *state, const char *head, bool *good) {
    FILE *file = state ? fopen(state, "r") : NULL;
    char line[1024];
    bool found = false;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, head, strlen(head)) == 0) {
            found = true;
            *good &= !strstr(line, "WRONG") && !strstr(line, "TOO MUCH");
        }
    if (file)
        fclose(file);
    return found;
}

void weft_exhaust_say(const char *state, const char *line) {
    fputs(line, stdout);
    fflush(stdout);
    FILE *file = state ? fopen(state, "a") : NULL;
    if (file) {
        fputs(line, file);
        fclose(file);
    }
}

bool weft_exhaust_is_named(const char *name, int argc, char **argv, int first) {
    for (int i = first; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return first >= argc;
}
