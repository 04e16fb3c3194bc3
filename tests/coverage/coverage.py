#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/coverage.md: every function, error and query of the API, and the test that provokes it.

    coverage.py BUILD RECORDER             is the page as the tests are? (a test, prints TAP)
    coverage.py BUILD RECORDER --update    writes the page
    coverage.py BUILD RECORDER --missing   what no test provokes

The tests of the API run with RECORDER (recorder.py) before the ICD loader: the page says what has
happened, not what somebody has written down.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGE = os.path.join(ROOT, 'docs/coverage.md')
# Programs that link with the loader and print TAP through the harness.
PROGRAMS = re.compile(r'^(api/(?!install)|builtin-kernels$)')
COMMON = ('CL_OUT_OF_RESOURCES', 'CL_OUT_OF_HOST_MEMORY')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def error_names():
    """Numbers of the headers' errors."""
    names = {}
    for name, value in re.findall(r'#define\s+(CL_\w+)\s+(-\d+)\s*$', read('/usr/include/CL/cl.h'),
                                  re.M):
        names.setdefault(int(value), name)  # errors come first; CL_BUILD_NONE is -1 too
    return names


def specified():
    """Functions with their errors, and reasons why some cannot be provoked."""
    errors, reasons = collections.OrderedDict(), {}
    for line in read(os.path.join(HERE, 'errors.txt')).splitlines():
        if not line or line.startswith('#'):
            continue
        head, _, rest = line.partition(':')
        if ' ' in head:
            reasons[tuple(head.split())] = rest.strip()
        else:
            errors[head] = rest.split()
    return errors, reasons


def reason_for(reasons, function, error):
    return reasons.get((function, error)) or reasons.get((function, '*')) or reasons.get(('*', error))


def queries():
    """Function -> parameters, from the information tables of the runtime."""
    found = collections.OrderedDict()
    folder = os.path.join(ROOT, 'runtime')
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.c'):
            continue
        text = read(os.path.join(folder, name))
        tables = {table: re.findall(r'\b(CL_[A-Z0-9_]+)\s*,', re.sub(r'//[^\n]*|/\*.*?\*/', '', body,
                                                                      flags=re.S))
                  for table, body in
                  re.findall(r'weft_info_row (\w+)\[\] = \{(.*?)^\};', text, re.S | re.M)}
        for function, body in re.findall(r'^cl_int (?:CL_API_CALL )?weft_(clGet\w+Info)\((.*?)^\}',
                                         text, re.S | re.M):
            for table in re.findall(r'WEFT_INFO_GET\([^,]*,\s*(\w+)', body):
                rows = [row for row in tables.get(table, []) if row in CONSTANTS]
                found.setdefault(function, []).extend(r for r in rows if r not in found[function])
    return found


def constants():
    """Names of parameters with their values."""
    values = {}
    for header in ('cl.h', 'cl_ext.h', 'cl_half.h'):
        path = '/usr/include/CL/' + header
        if os.path.exists(path):
            values.update((name, int(value, 16)) for name, value in
                          re.findall(r'#define\s+(CL_\w+)\s+(0x[0-9A-Fa-f]+)\s*$', read(path), re.M))
    return values


CONSTANTS = constants()


def run(build, recorder):
    """Runs the tests: function -> kind -> value -> tests."""
    tests = json.loads(subprocess.run(['meson', 'introspect', '--tests', build], check=True,
                                      stdout=subprocess.PIPE).stdout)
    heard = collections.defaultdict(lambda: collections.defaultdict(
        lambda: collections.defaultdict(set)))
    with tempfile.TemporaryDirectory() as folder:
        notes = os.path.join(folder, 'notes')
        for test in tests:
            if not PROGRAMS.match(test['name']):
                continue
            environment = dict(os.environ, **test['env'], LD_PRELOAD=recorder, WEFT_RECORD=notes)
            subprocess.run(test['cmd'], env=environment, cwd=build, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=300)
            for line in read(notes).splitlines() if os.path.exists(notes) else []:
                _, case, function, kind, value = line.split()
                heard[function][kind][int(value)].add(f"{test['name']} {case}")
            if os.path.exists(notes):
                os.unlink(notes)
    return heard


class Rows:
    """The page's rows: (function, what) -> tests or a reason."""

    def __init__(self, heard):
        names = error_names()
        numbers = {name: number for number, name in names.items()}
        self.errors, self.queries, self.wrong = [], [], []
        errors, reasons = specified()
        for function, listed in errors.items():
            for error in listed:
                tests = heard[function]['e'].get(numbers[error], set())
                reason = reason_for(reasons, function, error)
                if tests and (function, error) in reasons:
                    self.wrong.append(f'{function} {error}: has a reason, but is provoked')
                self.errors.append((function, error, tests, reason))
            for number, tests in sorted(heard[function]['e'].items(), reverse=True):
                name = names.get(number, str(number))
                if name not in listed:
                    self.errors.append((function, name, tests, 'beyond the list'))
        for function, parameters in queries().items():
            for parameter in parameters:
                tests = heard[function]['q'].get(CONSTANTS[parameter], set())
                self.queries.append((function, parameter, tests,
                                     reason_for(reasons, function, parameter)))
        for function, what, tests, reason in self.errors + self.queries:
            if not tests and not reason:
                self.wrong.append(f'{function} {what}: no test')


def cell(tests, reason):
    if tests:
        first = min(tests)
        return f'`{first}`' + (f' and {len(tests) - 1} more' if len(tests) > 1 else '')
    return reason or '**no test**'


def page(rows):
    listed = [r for r in rows.errors if r[3] != 'beyond the list']
    tested = sum(bool(r[2]) for r in listed)
    reasons = sum(not r[2] and bool(r[3]) for r in listed)
    functions = len(specified()[0])
    lines = ['# What the tests of the API cover', '',
             'Made by `tests/coverage/coverage.py`: the tests of the API run with a library before the',
             'ICD loader that notes every error and every query (`ninja -C build coverage-page` makes this page',
             'anew; the test `coverage` says when it is stale). Errors are those of the 2.2 specification',
             '(`tests/coverage/errors.txt`).', '',
             f'{functions} functions, {len(listed)} pairs of function and error: {tested} are provoked by a',
             f'test, {reasons} cannot be (the table says why). {len(rows.queries)} queries, of which '
             f'{sum(bool(r[2]) for r in rows.queries)} are answered in a test.', '',
             'Not in the table: CL_OUT_OF_HOST_MEMORY and CL_OUT_OF_RESOURCES, which every function may',
             'return. `unit/failures`, `unit/graph_failures` and `robust/life` let each allocation and system',
             'call fail in turn (`./check --sanitizer faults`).', '',
             '## Errors', '', '| function | error | test |', '|---|---|---|']
    previous = None
    for function, error, tests, reason in rows.errors:
        if error in COMMON and not tests:
            continue
        lines.append(f'| {function if function != previous else ""} | {error} | {cell(tests, reason)} |')
        previous = function
    lines += ['', '## Queries', '', '| function | parameter | test |', '|---|---|---|']
    for function, parameter, tests, reason in rows.queries:
        lines.append(f'| {function if function != previous else ""} | {parameter} | '
                     f'{cell(tests, reason)} |')
        previous = function
    return '\n'.join(lines) + '\n'


def outline(text):
    """What must not change unseen: rows, without the names of tests (some errors come by chance)."""
    return [re.sub(r'`.*', 'tested |', line) for line in text.splitlines() if line.startswith('|')]


def main(build, recorder, how=''):
    rows = Rows(run(build, recorder))
    text = page(rows)
    if how == '--missing':
        print('\n'.join(rows.wrong))
        return 0
    if how == '--update':
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(text)
        print('\n'.join(rows.wrong))
        return 0
    stale = outline(text) != outline(read(PAGE)) if os.path.exists(PAGE) else True
    for line in rows.wrong:
        print('#', line)
    if stale:
        old = set(outline(read(PAGE))) if os.path.exists(PAGE) else set()
        for line in sorted(set(outline(text)) ^ old):
            print('#', '+' if line not in old else '-', line)
    print('not ok' if rows.wrong else 'ok', '1 - every error that can be provoked is, and every query')
    print('not ok' if stale else 'ok', '2 - docs/coverage.md is up to date')
    print('1..2')
    return 1 if rows.wrong or stale else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
