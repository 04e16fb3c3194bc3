#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels in reference execution and in every other way, and compares what comes out.

Used by the tests of this folder and by hand:

    driver.py FILE.cl ...               each file in every configuration
    driver.py --configuration v3-w8 --kernel NAME FILE.cl
    driver.py --list                    names of the configurations of this machine

A configuration is a set of settings (WEFT_ISA, WEFT_WIDTH, ...). Its results must be those of the
configuration `reference` bit by bit, or, for kernels whose names start with ulp<N>_, within N units
in the last place of each float.
"""
import argparse
import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get('WEFT_BUILD_ROOT') or
                    pathlib.Path(__file__).resolve().parents[2] / 'build')
RUN = ROOT / 'tests' / 'differential' / 'differential-run'
COMPILER = ROOT / 'compiler' / 'weft-compiler'
OPTIONS = '-cl-std=CL2.0'
WIDTHS = ('1', '2', '4', '8', '16')
SECONDS = 120


@dataclasses.dataclass(frozen=True)
class Configuration:
    name: str
    settings: tuple = ()
    options: str = OPTIONS

    def environment(self, broken=None):
        env = {key: value for key, value in os.environ.items() if not key.startswith('WEFT_')}
        # A loaded machine may take longer than a user would wait.
        env.update(OCL_ICD_VENDORS=str(ROOT / 'weft.icd'), WEFT_CACHE='0', WEFT_THREADS='2',
                   WEFT_COMPILER_SECONDS='900')
        env.update(self.settings)
        if broken:
            env['WEFT_COMPILER'] = str(broken)
        return env

    def command(self, *arguments):
        words = [f'{key}={value}' for key, value in (('OCL_ICD_VENDORS', ROOT / 'weft.icd'),
                                                     ('WEFT_CACHE', '0'), *self.settings)]
        return ' '.join([*words, str(RUN), '--options', f'"{self.options}"', *map(str, arguments)])


REFERENCE = Configuration('reference', (('WEFT_REFERENCE', '1'),))


def levels():
    """The x86-64 levels that this machine has."""
    with open('/proc/cpuinfo', encoding='ascii', errors='replace') as file:
        flags = set(next((line for line in file if line.startswith('flags')), '').split())
    found = ['v1']
    for level, needs in (('v2', {'sse4_2', 'ssse3', 'popcnt', 'cx16'}),
                         ('v3', {'avx2', 'fma', 'bmi1', 'bmi2', 'f16c', 'movbe'}),
                         ('v4', {'avx512f', 'avx512bw', 'avx512cd', 'avx512dq', 'avx512vl'})):
        if not needs <= flags:
            break
        found.append(level)
    return found


def stages():
    """The names of the compiler's stages."""
    listed = subprocess.run([COMPILER, '--list-stages'], stdout=subprocess.PIPE, text=True, check=True)
    return set(listed.stdout.split())


def configurations():
    """All but the reference: each level, width and loop shape, with groups in different orders."""
    result = []
    orders = ((('WEFT_SHUFFLE', '5'),), (('WEFT_CHUNK', '3'),), ())

    def add(name, *settings, options=OPTIONS):
        order = orders[len(result) % len(orders)]
        result.append(Configuration(name, (*settings, *order), options))
    for level in levels():
        isa = ('WEFT_ISA', level)
        add(level, isa)
        for width in WIDTHS:
            add(f'{level}-w{width}', isa, ('WEFT_WIDTH', width))
        for shape in ('rows', 'linear'):
            add(f'{level}-{shape}', isa, ('WEFT_SHAPE', shape))
        add(f'{level}-checks', isa, ('WEFT_CHECKS', '1'))
    add('opt-disable', options=OPTIONS + ' -cl-opt-disable')
    return result


@dataclasses.dataclass
class Outcome:
    """What one run said: (kernel, shape) -> hash, and how it ended if not well."""
    hashes: dict
    end: str = ''


def run(configuration, file, *arguments, broken=None, seconds=SECONDS):
    command = [RUN, '--options', configuration.options, *arguments, file]
    try:
        done = subprocess.run(command, env=configuration.environment(broken), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
        text, end = done.stdout, ''
        if done.returncode:
            end = f'ended with {done.returncode}: {done.stderr.strip()[-2000:]}'
    except subprocess.TimeoutExpired as late:
        text = late.stdout or ''
        text = text.decode() if isinstance(text, bytes) else text
        end = f'did not end within {seconds} s'
    hashes = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3:
            hashes[words[0], int(words[1])] = words[2]
        elif len(words) == 2 and end:
            end += f' (in kernel {words[0]}, shape {words[1]})'
    return Outcome(hashes, end)


def floats(path):
    bits = struct.unpack(f'{path.stat().st_size // 4}i', path.read_bytes())
    return [b if b >= 0 else -(b & 0x7fffffff) for b in bits]  # ordered as the floats are


def nearly(kernel, shape, file, configuration, broken=None):
    """True if the kernel may differ by some ulp and does not by more."""
    bound = kernel[3:kernel.find('_')] if kernel.startswith('ulp') else ''
    if not bound.isdigit():
        return False
    values = []
    for how in (REFERENCE, configuration):
        with tempfile.TemporaryDirectory() as folder:
            run(how, file, '--kernel', kernel, '--shape', str(shape), '--dump', folder,
                broken=broken if how is configuration else None)
            path = pathlib.Path(folder) / f'{kernel}-{shape}'
            if not path.exists():
                return False
            values.append(floats(path))
    return all(abs(a - b) <= int(bound) for a, b in zip(*values))


@dataclasses.dataclass
class Difference:
    configuration: Configuration
    file: pathlib.Path
    kernel: str
    shape: int
    what: str

    def __str__(self):
        where = ['--kernel', self.kernel] if self.kernel else []
        where += ['--shape', self.shape] if self.shape >= 0 else []
        return (f'{self.configuration.name}: {self.file}: kernel {self.kernel}, shape {self.shape}: '
                f'{self.what}\n  {self.configuration.command(*where, self.file)}\n'
                f'  {REFERENCE.command(*where, self.file)}')


def compare(file, configuration, wanted, broken=None, seconds=SECONDS, only=()):
    """The differences between a configuration and what the reference said."""
    got = run(configuration, file, *only, broken=broken, seconds=seconds)
    differences = []
    for (kernel, shape), value in wanted.hashes.items():
        other = got.hashes.get((kernel, shape))
        if other == value or (other is None and got.end):
            continue
        if other and nearly(kernel, shape, file, configuration, broken):
            continue
        differences.append(Difference(configuration, file, kernel, shape,
                                      f'{other}, not {value} as in reference execution'))
    if got.end:
        differences.append(Difference(configuration, file, '', -1, got.end))
    return differences


def check(file, among, seconds=SECONDS, only=(), workers=None):
    """Runs a file in reference execution and in the given configurations: all differences."""
    wanted = run(REFERENCE, file, *only, seconds=seconds)
    if wanted.end or not wanted.hashes:
        return [Difference(REFERENCE, file, '', -1, wanted.end or 'ran no kernel')]
    with concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        found = pool.map(lambda c: compare(file, c, wanted, seconds=seconds, only=only), among)
        return list(itertools.chain.from_iterable(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--configuration', action='append')
    parser.add_argument('--kernel')
    parser.add_argument('--shape')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    arguments = parser.parse_args()
    among = [c for c in configurations()
             if not arguments.configuration or c.name in arguments.configuration]
    if arguments.list:
        print('\n'.join(c.name for c in among))
        return 0
    only = ['--kernel', arguments.kernel] if arguments.kernel else []
    only += ['--shape', arguments.shape] if arguments.shape else []
    failed = False
    for file in arguments.files:
        for difference in check(file, among, only=only):
            failed = True
            print(difference)
    print('differences found' if failed else f'no difference in {len(among)} configurations')
    return failed


if __name__ == '__main__':
    sys.exit(main())
