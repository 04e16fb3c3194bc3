#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SYCL through OpenCL: the tests of dpctl, and a part of dpnp's that a seed draws (every one has its own SPIR-V).

WEFT_APPS_DPNP says how many of dpnp's (3000).
"""
import os
import random
import re

import ladder

SEED = 17
COUNT = int(os.environ.get('WEFT_APPS_DPNP', '3000'))
PART = 300  # tests in one process, so that a crash costs no more


def can_be_told(name):
    """pytest takes the first bracket for that of a function's parameters: not of classes named by an array. A name of
    several lines is listed as its first."""
    whole = all(name.count(begin) == name.count(end) for begin, end in ('[]', '{}', '()'))
    return whole and '[' not in name.rpartition('::')[0]


def draw(app, python, tests, env):
    """Some of dpnp's tests, each with its path."""
    ended = app.command(python, '-m', 'pytest', '-q', '--collect-only', '-p', 'no:cacheprovider', '--rootdir', tests,
                        tests, seconds=1800, **env)
    names = sorted({f'{tests}/{name}' for name in re.findall(r'^(\S+\.py::.+)$', ended.output, re.M)})
    if not names:
        app.result('dpnp', passed=False, note=f'lists no tests: {ended.why()}')
    return random.Random(SEED).sample(names, min(COUNT, len(names)))


def run(app):
    python = app.pip('dpctl', 'dpnp', 'pytest', 'cython', 'setuptools')
    env = dict(app.khronos(), ONEAPI_DEVICE_SELECTOR='*:cpu')
    ended = app.command(python, '-m', 'dpctl', '-f', seconds=120, **env)
    if not re.search(r'Backend +opencl', ended.output):  # without a device tests are skipped, and all is well
        app.result('run', passed=False, note=f'DPC++ finds no OpenCL device: {ended.why()}')
        return
    if 'dpctl' not in app.have:
        # test_context_multi_device never ends on Intel's runtime.
        app.pytest('dpctl', python, '--pyargs', 'dpctl.tests', '--deselect',
                   'tests/test_sycl_context.py::test_context_multi_device', seconds=3600, **env)
    parts = [f'dpnp/{start}' for start in range(0, COUNT, PART)]
    if all(part in app.have for part in parts):
        return
    tests = next((python.parent.parent / 'lib').glob('python*/site-packages')) / 'dpnp' / 'tests'
    names = draw(app, python, tests, env)
    for start, part in zip(range(0, len(names), PART), parts):
        if part not in app.have:
            told = filter(can_be_told, names[start:start + PART])
            (app.home / 'names').write_text('\n'.join(told), encoding='utf-8')
            app.pytest(part, python, '--rootdir', tests, '@names', seconds=3600, **env)


if __name__ == '__main__':
    ladder.main(run)
