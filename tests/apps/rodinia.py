#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rodinia: every benchmark's own `run` in the folder that WEFT_APPS_RODINIA names (its `opencl`, built, with its data).

Few of them check anything, so the numbers that one prints and writes are kept in the cache for the first runtime on
which it ends well, and those of other runtimes have to be the same but for rounding. Each is run twice, to know which
numbers are times; where hardly others are left, it is not counted as passed.
"""
import json
import re

import ladder

NUMBER = re.compile(r'(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])')
TIMES = re.compile(r'time|sec|\bms\b|\bus\b|speed|bandwidth|/s\b|platform|device|clock|^\w+: [\d.]+$', re.I)
MOST = 20 << 20  # bytes of a file of results
FEW = 10  # numbers of what it was asked to do


def numbers(text):
    lines = (line for line in text.splitlines() if not TIMES.search(line))
    return [float(word) for line in lines for word in NUMBER.findall(line)]


def differences(first, second):
    """How many numbers are further apart than rounding brings them."""
    return sum(abs(a - b) > 1e-4 + 1e-2 * max(abs(a), abs(b)) for a, b in zip(first, second))


def compare(app, name, runs):
    """(passed, note) of the numbers of two runs"""
    if len(runs[0]) != len(runs[1]):
        return None, f'prints {len(runs[0])} numbers, then {len(runs[1])}'
    steady = [at for at, both in enumerate(zip(*runs)) if not differences(*([each] for each in both))]
    if len(steady) < FEW:
        return None, f'ends well, but {len(steady)} numbers say nothing'
    file = app.cache / f'{name}.json'
    about = json.loads(file.read_text(encoding='utf-8')) if file.exists() else {'runtime': app.runtime}
    if about['runtime'] == app.runtime:
        file.write_text(json.dumps({'runtime': app.runtime, 'numbers': runs[0], 'steady': steady}), encoding='utf-8')
        return True, f'{len(steady)} numbers, the first to be had'
    if len(runs[0]) != len(about['numbers']):
        return False, f'{len(runs[0])} numbers, {len(about["numbers"])} on {about["runtime"]}'
    both = sorted(set(steady) & set(about['steady']))
    apart = differences(*([numbers[at] for at in both] for numbers in (runs[0], about['numbers'])))
    return apart <= len(both) / 1000, f'{apart} of {len(both)} numbers differ from those on {about["runtime"]}'


def once(app, folder):
    """(how it ended, the numbers that it printed and wrote)"""
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}
    ended = app.command('sh', './run', seconds=1200, folder=folder)
    new = sorted(path for path in folder.iterdir() if path.is_file() and path.stat().st_size < MOST and
                 before.get(path) != path.stat().st_mtime_ns)
    return ended, numbers('\n'.join([ended.output, *(path.read_text(errors='replace') for path in new)]))


def benchmark(app, folder):
    ended, found = once(app, folder)
    complaint = re.search(r'^.*(?:ERROR|rror:|CL_\w+|dismatch|FAIL).*$', ended.output, re.M)
    passed, note = ended.good and not complaint, ended.why() if not complaint else complaint[0]
    if passed:
        passed, note = compare(app, folder.name, [found, once(app, folder)[1]])
    app.result(f'benchmark/{folder.name}', ended.seconds, 's', passed, note)


def run(app):
    folder = app.folder("Rodinia's benchmarks")
    found = [path.parent for path in sorted(folder.glob('*/run'))]
    if not found:
        raise ladder.Skipped(f'{folder} has no folders with a run')
    for each in found:
        if f'benchmark/{each.name}' not in app.have:
            benchmark(app, each)


if __name__ == '__main__':
    ladder.main(run)
