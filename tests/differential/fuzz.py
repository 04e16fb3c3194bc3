#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels in reference execution and in other ways.

    fuzz.py                             a test: some seeds, each in some configurations
    fuzz.py --seeds 2000 --all          each seed in every configuration
    fuzz.py --seed 123 [--configuration v3-w8]      one kernel
    fuzz.py --broken NAME ...           a compiler that does NAME wrongly (compiler/breaks.def)

A kernel that differs is made smaller as long as it still does, and printed with the command that
repeats it.
"""
import argparse
import copy
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import driver  # noqa: E402
import generate  # noqa: E402

BATCH = 20
SECONDS = 240


def write(folder, kernels, name='kernels'):
    path = pathlib.Path(folder) / f'{name}.cl'
    path.write_text(generate.program(kernels))
    return path


def differs(kernel, configuration, broken=None):
    """True if the kernel alone still builds, ends in reference execution, and differs."""
    with tempfile.TemporaryDirectory() as folder:
        file = write(folder, [kernel])
        wanted = driver.run(driver.REFERENCE, file, seconds=20)
        if wanted.end or not wanted.hashes:
            return False
        return bool(driver.compare(file, configuration, wanted, broken, seconds=20))


def places(nodes, path=()):
    """Paths of all statements, the largest first."""
    for index, node in enumerate(nodes):
        yield (*path, index)
        yield from places(node.body, (*path, index))


def without(kernel, path, keep_body):
    """A copy of the kernel without a statement, or with its body instead of it."""
    smaller = copy.deepcopy(kernel)
    nodes = smaller.body
    for index in path[:-1]:
        nodes = nodes[index].body
    at = path[-1]
    nodes[at:at + 1] = nodes[at].body if keep_body else []
    return smaller


def minimise(kernel, configuration, broken=None, seconds=120):
    """Drops statements while the difference persists."""
    end, changed = time.monotonic() + seconds, True
    while changed:
        changed = False
        for path in list(places(kernel.body)):
            for keep_body in (False, True):
                if time.monotonic() > end:
                    return kernel
                smaller = without(kernel, path, keep_body)
                if smaller.text() != kernel.text() and differs(smaller, configuration, broken):
                    kernel, changed = smaller, True
                    break
            if changed:
                break
    return kernel


def report(seed, configuration, difference, broken=None, seconds=120):
    kernel = generate.kernel(seed)
    print(f'# seed {seed}: {difference}'.replace('\n', '\n# '))
    if seconds and differs(kernel, configuration, broken):
        kernel = minimise(kernel, configuration, broken, seconds)
        body = '\n'.join(node.text() for node in kernel.body)
        print(f'# what is left of it:\n{body}'.replace('\n', '\n#   '))
    print(f'# again: {sys.executable} {HERE / "fuzz.py"} --seed {seed} '
          f'--configuration {configuration.name}', flush=True)


def choose(configurations, batch, everything):
    """All configurations, or two that take turns."""
    if everything or len(configurations) < 3:
        return configurations
    first = batch % len(configurations)
    return [configurations[first], configurations[(first + len(configurations) // 2) %
                                                  len(configurations)]]


def run(seeds, configurations, everything, broken=None, most=3, seconds=120):
    """Seeds that differ (at most `most` of them), reported."""
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(seeds), BATCH):
            part = seeds[start:start + BATCH]
            batch = (part[0] - 1) // BATCH
            file = write(folder, [generate.kernel(seed) for seed in part])
            wanted = driver.run(driver.REFERENCE, file, seconds=SECONDS)
            if wanted.end or not wanted.hashes:
                print(f'# seeds {part[0]}..{part[-1]}: reference execution {wanted.end}')
                return [*bad, part[0]]
            for configuration in choose(configurations, batch, everything):
                found = driver.compare(file, configuration, wanted, broken, SECONDS)
                for seed in sorted({int(d.kernel[1:]) for d in found if d.kernel}):
                    if seed not in bad:
                        bad.append(seed)
                        first = next(d for d in found if d.kernel == f'k{seed}')
                        report(seed, configuration, first, broken, seconds)
                    if len(bad) >= most:
                        return bad
                if any(not d.kernel for d in found):
                    bad += crash(part, configuration, found, broken, seconds)
                    return bad
            if everything:  # for hours, perhaps
                print(f'# seeds to {part[-1]} done', file=sys.stderr, flush=True)
    return bad


def crash(seeds, configuration, found, broken, seconds):
    """The whole program did not build or did not end: which kernel is it?"""
    for seed in seeds:
        if differs(generate.kernel(seed), configuration, broken):
            report(seed, configuration, found[-1], broken, seconds)
            return [seed]
    print(f'# seeds {seeds[0]}..{seeds[-1]} together: {found[-1]}'.replace('\n', '\n# '))
    return [seeds[0]]


def broken_compiler(folder, name):
    """A compiler that does `name` wrongly."""
    script = pathlib.Path(folder) / f'broken-{name}'
    script.write_text(f'#!/bin/sh\nWEFT_BREAK={name} exec {driver.COMPILER} "$@"\n')
    script.chmod(0o755)
    return script


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seeds', type=int, default=200)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--configuration', action='append')
    parser.add_argument('--broken')
    parser.add_argument('--most', type=int, default=3)
    arguments = parser.parse_args()
    among = [c for c in driver.configurations()
             if not arguments.configuration or c.name in arguments.configuration]
    seeds = list(range(arguments.first, arguments.first + arguments.seeds))
    if arguments.seed is not None:
        seeds = [arguments.seed]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        broken = broken_compiler(folder, arguments.broken) if arguments.broken else None
        bad = run(seeds, among, arguments.all or arguments.seed is not None, broken,
                  arguments.most)
    print(f'{"not ok" if bad else "ok"} 1 - random kernels: {len(seeds)} seeds from {seeds[0]}, '
          f'{len(among)} configurations, {time.monotonic() - start:.0f} s')
    print('1..1')
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
