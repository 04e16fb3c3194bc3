// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All sections of the table, in the order in which they are printed.
#include "bench.h"

#include <string.h>

const struct section bench_sections[] = {
    {"START: what a process pays first", start_lines, &start_line_count},
    {"BUILD: from source or binary to results", build_lines, &build_line_count},
    {"QUEUE: small commands", queue_lines, &queue_line_count},
    {"BANDWIDTH", bandwidth_lines, &bandwidth_line_count},
    {"KERNELS", kernel_lines, &kernel_line_count},
    {"UNSEEN: kernels by people who do not know the compiler", unseen_lines, &unseen_line_count},
    {"MATHS: a built-in for each element", maths_lines, &maths_line_count},
    {"BUILTINS: all maths functions", builtin_lines, &builtin_line_count},
};
const size_t bench_section_count = sizeof bench_sections / sizeof *bench_sections;

const struct line *find_line(const char *id) {
    for (size_t s = 0; s < bench_section_count; s++)
        for (size_t i = 0; i < *bench_sections[s].count; i++)
            if (strcmp(bench_sections[s].lines[i].id, id) == 0)
                return &bench_sections[s].lines[i];
    return strcmp(id, describe_line.id) == 0 ? &describe_line : NULL;
}
