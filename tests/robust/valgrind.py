#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memcheck over programs that use most of the runtime: no error and nothing lost. Then over the
compiler: nothing of a module is looked at that has been deleted.

    valgrind.py BUILD [PROGRAM ...]

Kernels are built for AVX2, the most that valgrind 3.19 knows. What the dynamic linker and the ICD
loader keep until the process ends is still reachable, and not counted; nor are the stacks of threads
that run until then ("possibly lost"). The compiler keeps what it made until it ends, and Clang copies
bit-fields with what lies beside them: neither is asked for there.
"""
import os
import re
import shutil
import subprocess
import sys

PROGRAMS = ('robust/robust-life', 'api/api-kernel', 'api/api-buffer_ops', 'api/api-event',
            'api/api-queue')
VALGRIND = ('valgrind', '--trace-children=no', '--leak-check=full', '--error-exitcode=9',
            '--show-leak-kinds=definite,indirect', '--errors-for-leak-kinds=definite,indirect',
            '--num-callers=30', '--child-silent-after-fork=yes')

COMPILER = ('valgrind', '--leak-check=no', '--undef-value-errors=no', '--error-exitcode=9',
            '--num-callers=30')
KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'memcheck.cl')
# For each level the bodies of a kernel differ; with `functions` those that ask for ids are kept.
COMPILED = (('v1', 'functions'), ('v3', 'checks'), ('v4', 'remarks'))


def compiled(build, level, switches):
    """None, or what is wrong; and what was said."""
    done = subprocess.run([*COMPILER, os.path.join(build, 'compiler', 'weft-compiler'), '--offline',
                           '--isa', 'x86-64-' + level, '--switches', switches, '--processes', '1',
                           '-cl-std=CL2.0', '-o', os.devnull, KERNELS],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', timeout=240)
    return f'exit status {done.returncode}' if done.returncode else None, done.stdout


def check(build, program):
    """None, or what is wrong; and what was said."""
    environment = dict(os.environ, WEFT_ISA='v3', WEFT_DEVICES='2',
                       OCL_ICD_VENDORS=os.path.join(build, 'weft.icd'))
    try:
        done = subprocess.run([*VALGRIND, os.path.join(build, 'tests', program)], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors='replace', timeout=240)
    except subprocess.TimeoutExpired:
        return 'did not end within 240 s', ''
    if re.search(r'^not ok', done.stdout, re.MULTILINE):
        return 'its tests fail under valgrind', done.stdout
    if done.returncode:
        return f'exit status {done.returncode}', done.stdout
    if not re.search(r'^ok 1 ', done.stdout, re.MULTILINE):
        return 'it ran no test', done.stdout
    return None, done.stdout


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    build = os.path.abspath(sys.argv[1])
    programs = [p for p in sys.argv[2:] or PROGRAMS
                if os.path.exists(os.path.join(build, 'tests', p))]
    checks = [(p, lambda p=p: check(build, p)) for p in programs]
    if os.path.exists(os.path.join(build, 'compiler', 'weft-compiler')) and not sys.argv[2:]:
        checks += [(f'the compiler, for {level}, {switches}', lambda row=(level, switches): compiled(build, *row))
                   for level, switches in COMPILED]
    failed = 0
    print(f'1..{len(checks) or 1}')
    if not shutil.which('valgrind') or not programs:
        reason = 'valgrind is not installed' if programs else 'the programs are not built'
        for number in range(1, (len(checks) or 1) + 1):
            print(f'ok {number} - valgrind # SKIP {reason}')
        return 0
    for number, (program, look) in enumerate(checks, 1):
        wrong, text = look()
        if wrong:
            failed += 1
            print(f'# {wrong}')
            for line in text.splitlines()[-60:]:
                print(f'# {line}')
        print(f'{"not " if wrong else ""}ok {number} - valgrind finds nothing in {program}',
              flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
