#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""piglit: its OpenCL programs (each says in a comment what it expects) and its tests of API functions."""
import pathlib
import re

import ladder

HOME = pathlib.Path('/usr/lib/x86_64-linux-gnu/piglit')
LEFT_OUT = ('cl-program-tester',  # runs the others
            'cl-interop-egl_khr_cl_event2',  # needs a display
            'doc_program.cl',  # shows how tests are written
            'include-directories.cl',  # its header is not in the package
            'bswap.cl', 'clz-optimizations.cl')  # more items than elements: they write beyond their buffers
WORDS = {'pass': True, 'warn': True, 'skip': None, 'fail': False}


def judge(app, test, ended):
    word = re.findall(r'^PIGLIT: \{"result": "(\w+)" ?\}', ended.output, re.M)
    if not ended.good and ended.status not in (1, 2) or not word:
        app.result(test, passed=False, note=ended.why())
        return
    complaints = [line.strip() for line in ended.output.splitlines()
                  if re.search(r'error|ail|Expecting|Could not', line)]
    app.result(test, passed=WORDS.get(word[-1], False), note=complaints[0] if word[-1] == 'fail' and complaints else '')


def run(app):
    app.apt('piglit')
    programs = sorted(path for path in (HOME / 'bin').glob('cl-*') if path.name not in LEFT_OUT)
    tests = {f'api/{path.name[3:]}': [path] for path in programs}
    for path in sorted(path for path in HOME.glob('**/*.cl') if path.name not in LEFT_OUT):
        name = path.relative_to(HOME).as_posix()
        tests[f'program/{name.removesuffix(".cl")}'] = [HOME / 'bin' / 'cl-program-tester', path]
    if len(tests) < 100:
        raise ladder.Skipped(f'{HOME} has only {len(tests)} tests')
    for test, words in tests.items():
        if test not in app.have:
            judge(app, test, app.command(*words, seconds=120, folder=HOME, PIGLIT_SOURCE_DIR=str(HOME)))


if __name__ == '__main__':
    ladder.main(run)
