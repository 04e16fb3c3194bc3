// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exhaust_cases.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_line(const char *line, bool has_two, double *arguments) {
    char *end;
    arguments[0] = strtod(line, &end);
    arguments[1] = 0;
    if (end == line || (has_two && *end != ','))
        return false;
    const char *second = end + 1;
    if (!has_two)
        return true;
    arguments[1] = strtod(second, &end);
    return end != second;
}

bool weft_exhaust_cases_read(const char *folder, const char *name, bool is_float, bool has_two,
                             weft_exhaust_cases *cases) {
    char path[PATH_MAX], line[1024];
    snprintf(path, sizeof path, "%s/%s%s.wc", folder, name, is_float ? "f" : "");
    FILE *file = fopen(path, "r");
    size_t room = 0;
    *cases = (weft_exhaust_cases){.count = 0};
    while (file && fgets(line, sizeof line, file)) {
        if (cases->count == room) {
            room = 2 * room + 1024;
            void *larger = realloc(cases->arguments, room * sizeof *cases->arguments);
            if (!larger)
                abort(); /* a test's tool */
            cases->arguments = larger;
        }
        cases->count += read_line(line, has_two, cases->arguments[cases->count]);
    }
    if (file)
        fclose(file);
    if (cases->count == 0)
        free(cases->arguments);
    return cases->count > 0;
}
