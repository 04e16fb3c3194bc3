#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GROMACS: its own tests of what runs on a device, and nanoseconds a day of each .tpr in the folder.

Debian's package is built without OpenCL, so WEFT_APPS_GROMACS names a folder built with -DGMX_GPU=OpenCL and its tests.
"""
import re

import ladder

TESTS = ('nbnxm-gpu-test', 'nbnxm-test', 'ewald-test', 'gpu_utils-test', 'mdrun-single-rank-algorithms-test',
         'mdrun-simulator-comparison-test')
STEPS = 500
# It takes devices of other types and vendors only when told to.
DEVICE = {'GMX_OCL_FORCE_CPU': '1', 'GMX_GPU_DISABLE_COMPATIBILITY_CHECK': '1',
          'GMX_OCL_DISABLE_COMPATIBILITY_CHECK': '1'}


def tests(app, path):
    test = f'tests/{path.name}'
    threads = ('-ntomp', '2') if path.name.startswith('mdrun') else ()
    ended = app.command(path, *threads, seconds=3600, **DEVICE)
    passed = re.findall(r'^\[ +PASSED +\] (\d+) tests?', ended.output, re.M)
    failed = sorted(set(re.findall(r'^\[ +FAILED +\] ([\w./]+)', ended.output, re.M)))
    good = ended.good and passed and int(passed[-1]) and not failed
    app.result(test, int(passed[-1]) if passed else None, 'passed', good,
               '' if good else ', '.join([ended.how(), *failed]))


def simulate(app, gmx, run):
    test = f'mdrun {run.stem}'
    ended = app.command(gmx, 'mdrun', '-s', run, '-nb', 'gpu', '-ntmpi', '1', '-nsteps', STEPS, '-resethway', '-deffnm',
                        app.home / 'out', seconds=3600, **DEVICE)
    speed = re.search(r'^Performance: +([\d.]+)', ended.output, re.M)
    app.result(test, float(speed[1]) if speed else None, 'ns/day', ended.good and speed,
               '' if ended.good and speed else ended.why())


def run(app):
    folder = app.folder('a build of GROMACS with OpenCL and its tests')
    found = [folder / 'bin' / name for name in TESTS if (folder / 'bin' / name).exists()]
    runs = sorted(folder.glob('*.tpr'))
    if not found and not runs:
        raise ladder.Skipped(f'{folder} has no bin/{TESTS[0]} and no .tpr')
    for path in found:
        if f'tests/{path.name}' not in app.have:
            tests(app, path)
    for each in runs:
        if f'mdrun {each.stem}' not in app.have:
            simulate(app, folder / 'bin' / 'gmx', each)


if __name__ == '__main__':
    ladder.main(run)
