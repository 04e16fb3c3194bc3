#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C text of a library that stands before libOpenCL (LD_PRELOAD) and notes what happens.

    recorder.py entrypoints.def cl.h > recorder.c

For each function of the list it defines one of the same name, which calls the next and notes the
error it returned, or, for an information query that succeeded, the parameter. Notes go to the file
WEFT_RECORD, one line each, once per test: PROGRAM TEST FUNCTION e ERROR or ... q PARAMETER. The test
is told by the harness in WEFT_RECORD_TEST.
"""
import re
import sys

HEAD = r'''// Made by recorder.py. Do not edit.
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { SEEN = 4096 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char test[128];
static struct { const char *function; long value; } seen[SEEN];
static int seen_count;

static void note(const char *function, char kind, long value) {
    const char *file = getenv("WEFT_RECORD"), *name = getenv("WEFT_RECORD_TEST");
    char line[512];
    int bytes, out, again = 0;
    if (!file || !name)
        return;
    pthread_mutex_lock(&lock);
    if (strcmp(test, name) != 0) {
        snprintf(test, sizeof(test), "%s", name);
        seen_count = 0;
    }
    for (int i = 0; i < seen_count && !again; i++)
        again = seen[i].function == function && seen[i].value == value;
    if (!again && seen_count < SEEN) {
        seen[seen_count].function = function;
        seen[seen_count++].value = value;
    }
    pthread_mutex_unlock(&lock);
    if (again)
        return;
    bytes = snprintf(line, sizeof(line), "%s %s %s %c %ld\n", program_invocation_short_name, name,
                     function, kind, value);
    out = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (out >= 0) {
        if (write(out, line, (size_t)bytes) != bytes)
            abort();
        close(out);
    }
}
'''


def split(text):
    """The parameters: commas outside of parentheses."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == '(') - (letter == ')')
        if letter == ',' and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip() and p.strip() != 'void']


def name_of(parameter):
    match = re.search(r'\(\s*CL_CALLBACK\s*\*\s*(\w+)\s*\)', parameter)
    return match.group(1) if match else re.search(r'(\w+)\s*(?:\[\s*\])?$', parameter).group(1)


def wrapper(result, name, parameters):
    names = [name_of(p) for p in parameters]
    call = f'next({", ".join(names)})'
    lines = [f'EXPORT {result} CL_API_CALL {name}({", ".join(parameters) or "void"}) {{',
             '    static __typeof__(&' + name + ') next;',
             '    if (!next)',
             f'        *(void **)&next = dlsym(RTLD_NEXT, "{name}");']
    if result == 'cl_int':
        lines += [f'    cl_int status = {call};', '    if (status != CL_SUCCESS)',
                  f'        note("{name}", \'e\', status);']
        if 'param_name' in names:
            lines += ['    else', f'        note("{name}", \'q\', (long)param_name);']
        lines += ['    return status;']
    elif 'errcode_ret' in names:
        lines += ['    cl_int status = CL_SUCCESS;', '    cl_int *told = errcode_ret;',
                  '    errcode_ret = &status;', f'    {result} object = {call};',
                  '    if (told)', '        *told = status;', '    if (status != CL_SUCCESS)',
                  f'        note("{name}", \'e\', status);', '    return object;']
    else:
        lines += [f'    {"" if result == "void" else "return "}{call};']
    return '\n'.join(lines + ['}'])


def main(entries, header):
    with open(entries, encoding='utf-8') as file:
        names = re.findall(r'^WEFT_ENTRY(?:_TAG)?\((\w+)\)', file.read(), re.M)
    with open(header, encoding='utf-8') as file:
        text = re.sub(r'/\*.*?\*/|^\s*#[^\n]*', '', file.read(), flags=re.S | re.M)
    found = {}
    pattern = r'extern\s+CL_API_ENTRY\s+(?:CL_API_PREFIX__\w+\s+)?([\w\s*]+?)\s*CL_API_CALL\s+(\w+)\s*\(([^;]*?)\)\s*(?:CL_\w+\s*)*;'
    for result, name, parameters in re.findall(pattern, text):
        found[name] = (re.sub(r'\s+', ' ', result).strip(), split(re.sub(r'\s+', ' ', parameters)))
    print(HEAD)
    missing = [n for n in names if n not in found and not n.endswith(('KHR', 'EXT'))]
    if missing:
        sys.exit(f'the header has no {missing}')
    for name in names:
        if name in found:
            print(wrapper(found[name][0], name, found[name][1]))


if __name__ == '__main__':
    main(*sys.argv[1:])
