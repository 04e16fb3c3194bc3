#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels in reference execution and in other ways.

    fuzz.py [--family tree|mixed|rows|turns]  a test: some seeds, each in some configurations
    fuzz.py --seeds 2000 --all          each seed in every configuration
    fuzz.py --seed 123 [--configuration v3-w8]      one kernel
    fuzz.py --stages ...                what each stage of the compiler leaves, in the same configurations
    fuzz.py --broken NAME ...           a compiler that does NAME wrongly (compiler/breaks/breaks.def)
    fuzz.py --family mixed --seeds 1-100000 --state FILE [--referee FILE.icd]
                                        goes on where FILE says it was; several may share it

A kernel that differs is made smaller as long as it still does, and printed with the command that
repeats it. With --state, what is found also goes to the folder FILE.found.
"""
import argparse
import dataclasses
import os
import pathlib
import random
import re
import resource
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import campaign  # noqa: E402
import drawn  # noqa: E402
import driver  # noqa: E402
import generate  # noqa: E402
import mixed  # noqa: E402
import reduce  # noqa: E402
import rows  # noqa: E402
import turns  # noqa: E402

FAMILIES = {'tree': generate, 'mixed': mixed, 'rows': rows, 'turns': turns}
BATCH = {'tree': 20, 'mixed': 50, 'rows': 25, 'turns': 50}
SECONDS = 240
# So long may one launch take, in a batch and while a kernel is made smaller.
LAUNCH = ('--seconds', '20')
QUICK = ('--seconds', '4')


@dataclasses.dataclass
class Finding:
    seed: int
    configuration: driver.Configuration
    what: str
    referee: str = ''
    # Whether it is one: not if the referee cannot build the kernel either, or the kernel alone does nothing wrong.
    counts: bool = True


class Fuzzer:
    """One family and where it looks. `choose` gives the configurations of a batch."""

    def __init__(self, family, choose, broken=None, referee=None, seconds=120, most=1000):
        self.family, self.choose, self.broken, self.seconds, self.most = family, choose, broken, seconds, most
        self.maker = FAMILIES[family]
        self.referee = referee and driver.Configuration('referee', (('OCL_ICD_VENDORS', str(referee)),))
        self.folder = tempfile.TemporaryDirectory()

    # ---- runs ---------------------------------------------------------------------------------

    def reference(self, kernels):
        return dataclasses.replace(driver.REFERENCE, options=self.maker.options(kernels))

    def run(self, configuration, kernels, *more, seconds=SECONDS):
        """Outcome of a program of these kernels."""
        file = write(self.folder.name, kernels, self.maker)
        words = more if '--seconds' in more else (*LAUNCH, *more)
        broken = None if configuration.name == 'reference' else self.broken
        return driver.run(configuration, file, *words, broken=broken, seconds=seconds)

    def outcome(self, configuration, kernels, findings):
        """Outcome of all kernels but those that end the program, which become findings."""
        hashes = {}
        while kernels and len(findings) < self.most:
            got = self.run(configuration, kernels)
            hashes.update(got.hashes)
            if not got.end:
                break
            named = re.search(r'\(in kernel (\w+), shape', got.end)
            if not named and len(kernels) > 1:  # it does not build, or not in time: which half does not?
                half = len(kernels) // 2
                hashes.update(self.outcome(configuration, kernels[:half], findings))
                hashes.update(self.outcome(configuration, kernels[half:], findings))
                break
            bad = [k for k in kernels if not named or k.name == named[1]]
            findings += [Finding(k.seed, configuration, got.end) for k in bad]
            # What ran before the culprit need not run again.
            done = {name for name, _ in got.hashes}
            kernels = [k for k in kernels if k not in bad and k.name not in done]
        return hashes

    def batch(self, seeds):
        """Findings in these seeds, and how many configurations each kernel had."""
        kernels = [self.maker.kernel(seed) for seed in seeds]
        findings = []
        wanted = self.outcome(self.reference(kernels), kernels, findings)
        bad = {f.seed for f in findings}
        kernels = [k for k in kernels if k.seed not in bad]
        among = self.choose(seeds, self.maker.options(kernels)) if kernels else []
        for configuration in among:
            ended = []
            got = self.outcome(configuration, kernels, ended)
            findings += ended
            bad = {f.seed for f in ended}
            for kernel in kernels:
                wrong = [key for key, value in wanted.items() if key[0] == kernel.name and got.get(key) != value]
                missing = len(ended) >= self.most and not any(key in got for key in wrong)
                if wrong and not missing and kernel.seed not in bad:
                    findings.append(Finding(kernel.seed, configuration, f'another result than in reference execution: '
                                            f'launches {", ".join(str(n) for _, n in wrong)}'))
        return findings, len(among)

    # ---- what is found ------------------------------------------------------------------------

    def differs(self, kernel, configuration, what=''):
        """True if the kernel alone still builds, ends in reference execution, and differs in the same way."""
        wanted = self.run(self.reference([kernel]), [kernel], *QUICK, seconds=20)
        if wanted.end or not wanted.hashes:
            return False
        got = self.run(configuration, [kernel], *QUICK, seconds=30)
        if ended(what) != ended(got.end):
            return False
        return bool(got.end) or got.hashes != wanted.hashes

    def blame(self, kernel, configuration):
        """Which stage of the compiler was the first to change what the kernel does."""
        wanted = self.run(self.reference([kernel]), [kernel], *QUICK)

        def look(one):
            got = self.run(one, [kernel], *QUICK, seconds=60)
            return got.end or ('' if got.hashes == wanted.hashes else 'another result')
        return driver.look_at_stages(configuration, look)

    def judge(self, kernel, configuration):
        """What another implementation says."""
        if not self.referee:
            return ''
        other = self.run(dataclasses.replace(self.referee, options=self.maker.options([kernel])), [kernel])
        if other.end:
            return f'referee: {other.end}'
        wanted = self.run(self.reference([kernel]), [kernel]).hashes
        if configuration.name == 'reference':
            return 'referee: builds and ends'
        got = self.run(configuration, [kernel]).hashes
        same = [name for name, hashes in (('reference execution', wanted), (configuration.name, got))
                if hashes == other.hashes]
        return f'referee: agrees with {" and ".join(same) or "neither"}'

    def report(self, finding, folder=None):
        """Says what was found, made smaller; the text also goes to a folder."""
        kernel = self.maker.kernel(finding.seed)
        configuration = finding.configuration
        finding.referee = self.judge(kernel, configuration)
        lines = [f'seed {finding.seed}, {configuration.name}: {finding.what}', finding.referee,
                 f'again: {sys.executable} {HERE / "fuzz.py"} --family {self.family} --seed {finding.seed} '
                 f'--configuration {configuration.name}']
        again = configuration.name == 'reference' or self.differs(kernel, configuration, finding.what)
        neither = 'build: error' in finding.what and finding.referee.startswith('referee: ended')
        finding.counts = again and not neither
        if not again:
            lines.append('not again when the kernel is alone: no time, or something that hangs on its neighbours')
        if self.seconds and configuration.name != 'reference' and again:
            kernel = reduce.minimise(kernel, lambda k: self.differs(k, configuration, finding.what), self.seconds)
            lines.append(self.judge(kernel, configuration).replace('referee', 'referee, of what is left'))
        if configuration.name != 'reference':
            lines.append(str(self.blame(kernel, configuration)))
        text = '\n'.join(f'// {part}' for line in lines for part in line.split('\n') if part)
        text += '\n' + self.maker.program([kernel])
        if folder:
            folder.mkdir(exist_ok=True)
            (folder / f'{finding.seed}-{configuration.name}.cl').write_text(text)
        print(f'# {text}'.replace('\n', '\n# '), flush=True)


def ended(text):
    """How a program ended, so that one kind of end does not become another while a kernel is made smaller."""
    found = re.match(r'ended with (-?\d+)|did not end', text)
    return found[0] if found else ''


def write(folder, kernels, maker=generate, name='kernels'):
    path = pathlib.Path(folder) / f'{name}.cl'
    with tempfile.NamedTemporaryFile('w', dir=folder, delete=False) as file:
        file.write(maker.program(kernels))
    os.replace(file.name, path)  # at once: blame's threads write the same while others read it
    return path


def broken_compiler(folder, name):
    """A compiler that does `name` wrongly."""
    script = pathlib.Path(folder) / f'broken-{name}'
    script.write_text(f'#!/bin/sh\nWEFT_BREAK={name} exec {driver.COMPILER} "$@"\n')
    script.chmod(0o755)
    return script


def chooser(arguments):
    """Configurations of a batch of seeds."""
    def named(name, among, options):
        plain, _, stage = name.partition(driver.UP_TO)
        found = next((c for c in among if c.name == plain), None)
        found = driver.after(found, stage or driver.BEHIND) if found else drawn.parse(name, options)
        return found or sys.exit(f'fuzz: {name} names no configuration')

    def choose(seeds, options):
        among = drawn.fixed(options)
        if arguments.configuration:
            return [named(name, among, options) for name in arguments.configuration]
        if arguments.all or arguments.seed is not None:
            return among
        if arguments.family != 'tree':
            return drawn.draw(random.Random(f'{arguments.draw} {seeds[0]}'), options, arguments.configurations)
        # Two that take turns.
        first = (seeds[0] - 1) // BATCH['tree'] % len(among)
        return [among[first], among[(first + len(among) // 2) % len(among)]]

    def oracles(seeds, options):
        """What the stages leave that reference execution has not as well."""
        return [driver.after(c, stage) for c in choose(seeds, options) for stage in driver.stages_of(c)
                if stage not in driver.WHOLE]
    return oracles if arguments.stages else choose


def seeds_of(arguments):
    if arguments.seed is not None:
        return [arguments.seed]
    first, _, last = arguments.seeds.partition('-')
    if last:
        return list(range(int(first), int(last) + 1))
    return list(range(arguments.first, arguments.first + int(first)))


def batches(seeds, family):
    """Blocks of seeds that may be in one program: those of one version of OpenCL C."""
    size, found = BATCH[family], {}
    for seed in seeds:
        key = (FAMILIES[family].version(seed), (seed - seeds[0]) // size if family == 'tree' else seed // size)
        found.setdefault(key, []).append(seed)
    return [found[key] for key in sorted(found, key=lambda key: found[key][0])]


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def long_run(fuzzer, parts, arguments):
    """Batches that other processes have not taken, until none is left."""
    state = campaign.Campaign(arguments.state, {'family': arguments.family, 'seeds': arguments.seeds,
                                                'draw': arguments.draw})
    folder = pathlib.Path(f'{arguments.state}.found')
    while (number := state.take(len(parts))) is not None:
        start, used = time.monotonic(), processor_seconds()
        findings, count = fuzzer.batch(parts[number])
        for finding in findings:
            fuzzer.report(finding, folder)
        state.done(number, kernels=len(parts[number]), configurations=count * len(parts[number]),
                   seconds=round(time.monotonic() - start, 1), processor=round(processor_seconds() - used, 1),
                   differences=[[f.seed, f.configuration.name, f.what[:300], f.referee[:300]] for f in findings if f.counts],
                   doubtful=[[f.seed, f.configuration.name, f.what[:300], f.referee[:300]] for f in findings
                             if not f.counts])
        print(f'# {state.summary()[0]}', file=sys.stderr, flush=True)
    text, found = state.summary()
    return text, [f[0] for f in found]


def short_run(fuzzer, parts, arguments):
    start, bad, done = time.monotonic(), [], 0
    for part in parts:
        findings, _ = fuzzer.batch(part)
        done += len(part)
        for finding in findings:
            if finding.seed not in bad:
                bad.append(finding.seed)
                fuzzer.report(finding)
            if len(bad) >= arguments.most:
                break
        if len(bad) >= arguments.most:
            break
        if arguments.all:  # for hours, perhaps
            print(f'# seeds to {part[-1]} done', file=sys.stderr, flush=True)
    return f'{done} kernels from seed {parts[0][0]}, {time.monotonic() - start:.0f} s', bad


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--family', choices=FAMILIES, default='tree')
    parser.add_argument('--seeds', default='200', help='how many, or FIRST-LAST')
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--configuration', action='append')
    parser.add_argument('--configurations', type=int, default=2, help='how many are drawn for a batch')
    parser.add_argument('--draw', type=int, default=0, help='another number draws other configurations')
    parser.add_argument('--stages', action='store_true')
    parser.add_argument('--broken')
    parser.add_argument('--most', type=int, default=3, help='stop after so many kernels that differ')
    parser.add_argument('--state', help='file of a long run')
    parser.add_argument('--referee', help='.icd file of another implementation')
    parser.add_argument('--reduce', type=int, default=120, help='seconds to make a kernel smaller; 0: not')
    arguments = parser.parse_args()
    parts = batches(seeds_of(arguments), arguments.family)
    with tempfile.TemporaryDirectory() as folder:
        broken = broken_compiler(folder, arguments.broken) if arguments.broken else None
        fuzzer = Fuzzer(arguments.family, chooser(arguments), broken, arguments.referee, arguments.reduce,
                        1000 if arguments.state else arguments.most)
        text, bad = (long_run if arguments.state else short_run)(fuzzer, parts, arguments)
    print(f'{"not ok" if bad else "ok"} 1 - random kernels, {arguments.family}: {text}'
          f'{": seeds " + " ".join(map(str, bad)) if bad else ""}')
    print('1..1')
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
