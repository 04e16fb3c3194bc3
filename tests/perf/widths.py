#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is what the compiler chooses the best? Each kernel of weft-bench as chosen, and in each width.

    tests/perf/widths.py [--build DIR] [--isa v3] [--runs N] [--realtime] [--only PATTERN]...

A line is `not ok` if some width runs in less than 1 / 1.3 of the time of what was chosen, twice in a row. Not
part of ./check: it takes minutes, and a busy machine says nothing.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTHS = (1, 4, 8, 16, 32)
MOST = 1.3


def measure(arguments, width, only):
    """id of a line -> its median in milliseconds."""
    env = {key: value for key, value in os.environ.items() if not key.startswith('WEFT_')}
    env.update({'WEFT_CACHE': '0'}, **({'WEFT_ISA': arguments.isa} if arguments.isa else {}),
               **({'WEFT_WIDTH': str(width)} if width else {}))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'lines.json'
        command = [arguments.build / 'tests' / 'perf' / 'weft-bench', '--icd',
                   f'weft={arguments.build / "weft.icd"}', '--runs', str(arguments.runs), '--json', file,
                   *(['--realtime'] if arguments.realtime else [])]
        for pattern in only:
            command += ['--only', pattern]
        run = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if not file.exists():  # a kernel that has no such width is a line of the file
            sys.exit(f'weft-bench in width {width}: {run.stderr.strip() or run.returncode}')
        lines = json.loads(file.read_text())['lines']
    return {line['id']: line['results']['weft']['median'] for line in lines
            if line['results'].get('weft', {}).get('outcome') == 'ok'}


def lines_of(arguments, only):
    """The ids of the lines that these patterns name."""
    command = [arguments.build / 'tests' / 'perf' / 'weft-bench', '--list']
    for pattern in only:
        command += ['--only', pattern]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def compare(arguments, line):
    """(what was chosen takes, best width, what that takes): one behind the other, so that a machine that gets slower
    is so for all, and what was chosen first and last."""
    times = {}
    for width in (0, *WIDTHS, 0):
        found = measure(arguments, width, [line])
        if line in found:
            times[width] = min(found[line], times.get(width, found[line]))
    chosen = times.pop(0, None)
    best = min(times, key=times.get, default=None)
    return chosen, best, times.get(best, chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=lambda text: pathlib.Path(text).resolve(), default=ROOT / 'build')
    parser.add_argument('--isa', choices=('v1', 'v2', 'v3', 'v4'))
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--realtime', action='store_true', help='see weft-bench')
    parser.add_argument('--only', action='append', help="weft-bench's (default: kernel/* and unseen/*)")
    arguments = parser.parse_args()
    lines = lines_of(arguments, arguments.only or ['kernel/*', 'unseen/*'])
    if not lines:
        sys.exit('no such line: weft-bench --list')
    bad = 0
    print(f'1..{len(lines)}', flush=True)
    for number, line in enumerate(lines, 1):
        time, width, best = compare(arguments, line)
        if time and time > MOST * best:
            time, width, best = compare(arguments, line)
        if not time:
            sys.exit(f'{line} does not run')
        good = time <= MOST * best
        bad += not good
        print(f'{"ok" if good else "not ok"} {number} - {line}: {time:.3g} ms as chosen, '
              f'{best:.3g} in width {width}, {time / best:.2f}', flush=True)
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
