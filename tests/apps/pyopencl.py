#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyOpenCL: its own tests, from its source distribution."""
import ladder

FILES = ('algorithm', 'clmath', 'clrandom', 'enqueue_copy', 'wrapper', 'array')


def run(app):
    python = app.pip('pyopencl', 'numpy', 'mako', 'pytest')
    tests = app.sources(python, 'pyopencl') / 'test'
    for name in FILES:
        if f'test_{name}' not in app.have:
            app.pytest(f'test_{name}', python, tests / f'test_{name}.py')


if __name__ == '__main__':
    ladder.main(run)
