#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rodinia: every benchmark's own `run` in the folder that WEFT_APPS_RODINIA names (its `opencl`, built, with its data).

Few of them check anything, so the numbers that one prints and writes are kept in the cache for the first runtime on
which it ends well, and those of other runtimes have to be the same but for rounding.
"""
import json
import re

import ladder

NUMBER = re.compile(r'(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])')
TIMES = re.compile(r'time|sec|\bms\b|\bus\b|speed|bandwidth|/s\b|platform|device|clock', re.I)
MOST = 20 << 20  # bytes of a file of results


def numbers(text):
    lines = (line for line in text.splitlines() if not TIMES.search(line))
    return [float(word) for line in lines for word in NUMBER.findall(line)]


def agree(first, second):
    """How many numbers are further apart than rounding brings them; None if there are not as many."""
    if len(first) != len(second):
        return None
    return sum(abs(a - b) > 1e-4 + 1e-2 * max(abs(a), abs(b)) for a, b in zip(first, second))


def compare(app, name, found):
    """(passed, note)"""
    file = app.cache / f'{name}.json'
    if file.exists():
        about = json.loads(file.read_text(encoding='utf-8'))
        if about['runtime'] != app.runtime:
            apart = agree(about['numbers'], found)
            if apart is None:
                return False, f'{len(found)} numbers, {len(about["numbers"])} on {about["runtime"]}'
            return apart <= len(found) / 1000, f'{apart} of {len(found)} numbers differ from those on {about["runtime"]}'
    file.write_text(json.dumps({'runtime': app.runtime, 'numbers': found}), encoding='utf-8')
    return True, f'{len(found)} numbers, the first to be had'


def benchmark(app, folder):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}
    ended = app.command('sh', './run', seconds=1200, folder=folder)
    new = sorted(path for path in folder.iterdir() if path.is_file() and path.stat().st_size < MOST and
                 before.get(path) != path.stat().st_mtime_ns)
    found = numbers('\n'.join([ended.output, *(path.read_text(errors='replace') for path in new)]))
    complaint = re.search(r'^.*(?:ERROR|rror:|CL_\w+|dismatch|FAIL).*$', ended.output, re.M)
    passed, note = ended.good and not complaint, ended.why() if not complaint else complaint[0]
    if passed:
        passed, note = compare(app, folder.name, found)
    app.result(f'run/{folder.name}', ended.seconds, 's', passed, note)


def run(app):
    folder = app.folder("Rodinia's benchmarks")
    found = [path.parent for path in sorted(folder.glob('*/run'))]
    if not found:
        raise ladder.Skipped(f'{folder} has no folders with a run')
    for each in found:
        if f'run/{each.name}' not in app.have:
            benchmark(app, each)


if __name__ == '__main__':
    ladder.main(run)
