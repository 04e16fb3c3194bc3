#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels in reference execution and in every other way, and compares what comes out.

Used by the tests of this folder and by hand:

    driver.py FILE.cl ...               each file in every configuration
    driver.py --configuration v3-w8 --kernel NAME FILE.cl
    driver.py --blame --configuration v3-w8 --kernel NAME --shape N FILE.cl
                                        which stage of the compiler was the first to change a result
    driver.py --blame --configuration v3-w8 --command 'PROGRAM ARGUMENT ...'
                                        the same for any program, by its exit status and output
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
import re
import shlex
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get('WEFT_BUILD_ROOT') or
                    pathlib.Path(__file__).resolve().parents[2] / 'build')
RUN = ROOT / 'tests' / 'differential' / 'differential-run'
COMPILER = ROOT / 'compiler' / 'weft-compiler'
TOOL = ROOT / 'runtime' / 'tool' / 'weft'
OPTIONS = '-cl-std=CL2.0'
WIDTHS = ('1', '2', '4', '8', '16')
SHAPES = ('rows', 'linear', 'narrow', 'single', 'turned', 'lone')
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


def stages(*switches):
    """The names of the compiler's stages, in order."""
    listed = subprocess.run([COMPILER, '--list-stages', *switches], stdout=subprocess.PIPE, text=True,
                            check=True)
    return listed.stdout.split()


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
        for shape in SHAPES:
            add(f'{level}-{shape}', isa, ('WEFT_SHAPE', shape))
        add(f'{level}-checks', isa, ('WEFT_CHECKS', '1'))
        add(f'{level}-functions', isa, ('WEFT_FUNCTIONS', '1'))
    add('opt-disable', options=OPTIONS + ' -cl-opt-disable')
    return result


def chosen(names):
    """The configurations of these names, or all; a name that is none's ends the program."""
    among = configurations()
    unknown = sorted(set(names or ()) - {c.name for c in among})
    if unknown:
        sys.exit(f'driver: no configuration is called {", ".join(unknown)}; --list shows their names')
    return [c for c in among if not names or c.name in names]


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


@dataclasses.dataclass
class Blame:
    """Which stages' oracles (docs/differential.md) give other results than reference execution."""
    stages: list  # those that were tried, in order
    differ: dict  # stage -> the first difference, a phrase
    untried: tuple = ()  # the launch is too large for a stack per lane

    @property
    def first(self):
        """The first stage that changed a result; what runs behind all of them; '': nobody did."""
        return next((stage for stage in self.stages if stage in self.differ), '')

    def __str__(self):
        lines = [f'  {stage}: {self.differ.get(stage, "too large" if stage in self.untried else "same")}'
                 for stage in self.stages]
        return '\n'.join([f'stage: {self.first or "none"}', *lines])


BEHIND = 'code generation'
UP_TO = '+'
# CL_INVALID_WORK_GROUP_SIZE
TOO_LARGE = 'clEnqueueNDRangeKernel: error -54'
# Stages that reference execution has, too.
WHOLE = ('retarget', 'name-builtins', 'lower-module-state', 'inline-barriers')
KERNEL = re.compile(r'^(?:__)?kernel\b[^;{}]*?\bvoid\s+(\w+)\s*\([^;{}]*\{', re.M)


def alone(text, kernel):
    """A program without its other kernels, as far as these are written out as such."""
    kept, at = [], 0
    for found in KERNEL.finditer(text):
        if found[1] == kernel or found.start() < at:
            continue
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {'{': 1, '}': -1}.get(text[end], 0)
            end += 1
        kept.append(text[at:found.start()])
        at = end
    return ''.join(kept) + text[at:]


def stages_of(configuration):
    """Those that run in it: reference execution has a pipeline of its own."""
    if dict(configuration.settings).get('WEFT_REFERENCE') == '1':
        return stages('--switches', 'reference')
    return [stage for stage in stages() if stage != 'reference']


def after(configuration, stage):
    """The configuration in which nothing but plain execution follows the stage."""
    if stage == BEHIND:
        return configuration
    return dataclasses.replace(configuration, name=configuration.name + UP_TO + stage,
                               settings=(*configuration.settings, ('WEFT_ORACLE', stage)))


def look_at_stages(configuration, look, everything=True, workers=os.cpu_count()):
    """What `look` finds wrong in the configuration up to each stage, and in the whole of it; if not
    `everything`, up to the first that differs."""
    ahead, tried, differ, untried = [*stages_of(configuration), BEHIND], [], {}, []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        while ahead and (everything or not differ):
            now = [ahead.pop(0) for _ in range(min(workers, len(ahead)))]
            tried += now
            for stage, one in zip(now, pool.map(look, [after(configuration, stage) for stage in now])):
                if TOO_LARGE in one and stage != BEHIND:
                    untried.append(stage)
                elif one:
                    differ[stage] = one
    return Blame(tried, differ, tuple(untried))


def blame(file, configuration, only=(), broken=None, seconds=SECONDS, everything=True):
    """Runs what each stage leaves of a file, and what code generation makes of the last one."""
    wanted = run(REFERENCE, file, *only, seconds=seconds)
    if wanted.end or not wanted.hashes:
        return Blame([REFERENCE.name], {REFERENCE.name: wanted.end or 'ran no kernel'})

    def look(one):
        found = compare(file, one, wanted, broken, seconds, only)
        return found[0].what if found else ''
    return look_at_stages(configuration, look, everything)


def blame_command(command, configuration, seconds=SECONDS):
    """Likewise for a program that runs kernels, by its exit status and what it writes."""
    def ask(one):
        try:
            done = subprocess.run(shlex.split(command), env=one.environment(), timeout=seconds,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            return done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            return None, b''

    def look(one):
        status, text = ask(one)
        if (status, text) == wanted:
            return ''
        return f'ended with {status}' if status != wanted[0] else 'another output'
    wanted = ask(REFERENCE)
    return look_at_stages(configuration, look)


def blame_alone(file, kernel, configuration, only=(), broken=None, seconds=SECONDS, everything=True):
    """Likewise for one kernel, in a program without the others of its file; '': for all."""
    if not kernel:
        return blame(file, configuration, only, broken, seconds, everything)
    with tempfile.TemporaryDirectory() as folder:
        one = pathlib.Path(folder) / file.name
        one.write_text(alone(file.read_text(), kernel))
        return blame(one, configuration, ('--kernel', kernel, *only), broken, seconds, everything)


def blame_one(difference, broken=None, seconds=SECONDS, everything=True):
    """Likewise for what differs."""
    only = ('--shape', str(difference.shape)) if difference.kernel else ()
    return blame_alone(difference.file, difference.kernel, difference.configuration, only, broken, seconds,
                       everything)


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
    parser.add_argument('--blame', action='store_true')
    parser.add_argument('--command')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    arguments = parser.parse_args()
    among = chosen(arguments.configuration)
    if arguments.list:
        print('\n'.join(c.name for c in among))
        return 0
    if not arguments.files and not arguments.command:
        parser.error('no file, no command, no --list: nothing to do')
    only = ['--kernel', arguments.kernel] if arguments.kernel else []
    only += ['--shape', arguments.shape] if arguments.shape else []
    if arguments.blame:
        for configuration in among if arguments.command else ():
            print(f'{configuration.name}: {blame_command(arguments.command, configuration)}', flush=True)
        for file, configuration in itertools.product(arguments.files, among):
            found = blame_alone(file, arguments.kernel, configuration, only[2:] if arguments.kernel else only)
            print(f'{file}: {configuration.name}: {found}', flush=True)
        return 0
    failed = False
    for file in arguments.files:
        for difference in check(file, among, only=only):
            failed = True
            print(difference)
    print('differences found' if failed else f'no difference in {len(among)} configurations')
    return failed


if __name__ == '__main__':
    sys.exit(main())
