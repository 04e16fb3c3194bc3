#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parboil: each benchmark that has an OpenCL version and data, by its own driver, which compares the output; seconds
in kernels.

WEFT_APPS_PARBOIL names its folder, with data sets and a `parboil` that runs.
"""
import re

import ladder

VERSIONS = ('opencl_base', 'opencl_cpu', 'opencl')
DATA = ('small', 'default', 'medium', 'short', '1', '64x64x64')


def choose(folder, benchmark):
    """(version, data set); None where there is none."""
    version = next((each for each in VERSIONS if (benchmark / 'src' / each).is_dir()), None)
    sets = sorted(path.name for path in (folder / 'datasets' / benchmark.name).glob('*') if (path / 'input').is_dir())
    data = next((each for each in DATA if each in sets), sets[0] if sets else None)
    return (version, data) if version and data else None


def run(app):
    folder = app.folder('Parboil with data sets')
    chosen = {path.name: choose(folder, path) for path in sorted((folder / 'benchmarks').glob('*')) if path.is_dir()}
    chosen = {name: words for name, words in chosen.items() if words}
    if not chosen:
        raise ladder.Skipped(f'{folder} has no benchmark with an OpenCL version and data')
    for name, words in chosen.items():
        if f'benchmark/{name}' in app.have:
            continue
        ended = app.command('./parboil', 'run', name, *words, seconds=1200, folder=folder)
        kernel = re.findall(r'^Kernel\s*:\s*([\d.]+)', ended.output, re.M)
        app.result(f'benchmark/{name}', float(kernel[-1]) if kernel else None, 's',
                   ended.good and 'mismatch' not in ended.output.lower(), '' if ended.good else ended.why())


if __name__ == '__main__':
    ladder.main(run)
