#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of real kernels in reference execution and in other ways.

    mutate.py                               a test: 60 mutants, each in two configurations
    mutate.py --count 20000 --state FOLDER  many; stopped and started again, it goes on. Several
                                            processes may share FOLDER
    mutate.py --mutant 123 [--configuration v3-w8]      one, in every configuration or in one
    mutate.py --sources FOLDER ...          mutates the .cl files there, not the project's own
    mutate.py --referee FILE.icd ...        asks another implementation about what differs

A mutant is valid if it builds and runs within bounds in reference execution. It counts as a
difference if reference execution gives the same in three orders of items and two of groups, width 1
(and the referee, if there is one) agrees, and the configuration does not. What differs without that is
listed apart, as doubtful. What counts is made smaller as long as it still differs, and printed.
"""
import argparse
import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import random
import resource
import sys
import tempfile
import time

import ctree
import driver
import mutants
import seeds as kernels

BATCH = 24
ZERO = {'tried': 0, 'valid': 0, 'runs': 0, 'seconds': 0.0, 'doubtful': 0, 'differences': 0}


class State:
    """Which batches are done, and what came out, shared by processes through a file."""

    def __init__(self, folder, first, count):
        self.path = pathlib.Path(folder) / 'state.json'
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.locked() as state:
            state.setdefault('next', first)
            state.setdefault('open', {})
            state.setdefault('sums', dict(ZERO))
            self.end = first + count

    @contextlib.contextmanager
    def locked(self):
        with open(self.path, 'a+', encoding='ascii') as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            state = json.loads(file.read() or '{}')
            yield state
            file.seek(0)
            file.truncate()
            file.write(json.dumps(state))

    def claim(self):
        """The numbers of a batch, first those of processes that are no more."""
        with self.locked() as state:
            for number, pid in state['open'].items():
                if not pathlib.Path(f'/proc/{pid}').exists():
                    break
            else:
                number = state['next']
                if number >= self.end:
                    return None
                state['next'] = min(number + BATCH, self.end)
            state['open'][str(number)] = os.getpid()
            return range(int(number), min(int(number) + BATCH, self.end))

    def close(self, numbers, sums):
        with self.locked() as state:
            state['open'].pop(str(numbers[0]), None)
            for key, value in sums.items():
                state['sums'][key] += value

    def sums(self):
        with self.locked() as state:
            return state['sums']


class Run:
    def __init__(self, arguments):
        self.arguments, self.referee = arguments, arguments.referee
        self.seeds = kernels.load(arguments.sources)
        if not self.seeds:
            sys.exit(f'no kernel in {arguments.sources} that could be changed')
        self.all = driver.chosen(arguments.configuration)
        self.folder = None

    def made(self, number, leave_out=()):
        """(case, what was changed), or None if nothing could be changed or read."""
        seed, launches, mutations = mutants.plan(number, self.seeds)
        mutations = [m for i, m in enumerate(mutations) if i not in leave_out]
        try:
            mutant, said = mutants.make(seed, launches, mutations, self.seeds)
            return mutants.case(f'm{number}', mutant), [f'{seed.file}: {seed.name}', *said]
        except ctree.Unreadable:
            return None

    def chosen(self, numbers):
        if self.arguments.mutant is not None or len(self.all) <= self.arguments.each:
            return self.all
        return random.Random(f'configurations {numbers[0]}').sample(self.all, self.arguments.each)

    def batch(self, numbers):
        sums = dict(ZERO)
        made = {case.name: (number, case, said) for number in numbers
                for case, said in [self.made(number) or (None, None)] if said and len(said) > 1}
        sums['tried'] = len(numbers)
        cases = [case for _, case, _ in made.values()]
        wanted = mutants.run(driver.REFERENCE, [mutants.plain(c) for c in cases], self.folder,
                             sizing=True)
        self.refused([c for c in cases if wanted[c.name].end == 'build'], wanted, sums)
        valid = [c.with_sizes(wanted[c.name]) for c in cases if wanted[c.name].end == 'done']
        sums['valid'] = len(valid)
        suspects = []
        for configuration in self.chosen(numbers):
            suspects += self.suspects(configuration, valid, wanted, self.folder)
            sums['runs'] += len(valid)
        doubts = mutants.doubts([s[:3] for s in suspects], self.folder, self.referee)
        for case, outcome, configuration, what in suspects:
            self.report(made[case.name], case, configuration, what, doubts.get(case.name, ''), sums)
        return sums

    @staticmethod
    def suspects(configuration, cases, wanted, folder):
        """(case, outcome in reference execution, configuration, what differs) of some cases."""
        got = mutants.run(configuration, cases, folder)
        differ = [c for c in cases if mutants.difference(wanted[c.name], got[c.name]) and
                  not mutants.refused_by_clang(c, folder)]
        if not differ:
            return []
        level = mutants.run(mutants.at_level(configuration), [mutants.plain(c) for c in differ],
                            folder)
        return [(c, level[c.name], configuration, what) for c in differ
                if (what := mutants.difference(level[c.name], got[c.name]))]

    def refused(self, cases, wanted, sums):
        """Mutants that were not built: by no fault of theirs if Clang says nothing, or another
        implementation builds them."""
        asked = [c for c in cases if not c.through and
                 (self.referee and int(c.name[1:]) % 10 == 0 or
                  not any('error:' in line for line in wanted[c.name].log))]
        builds = {}
        if self.referee and asked:
            builds = mutants.run({'OCL_ICD_VENDORS': self.referee}, asked, self.folder)
        for case in asked:
            if not self.referee or builds[case.name].end not in ('build', 'lost'):
                sums['doubtful'] += 1
                log = '\n'.join(wanted[case.name].log[:5])
                print(f'# mutant {case.name[1:]} is not built: {log}'.replace('\n', '\n# '), flush=True)

    def blame(self, case, configuration):
        """Which stage of the compiler was the first to change what the mutant does."""
        wanted = mutants.run(mutants.at_level(configuration), [case], self.folder)[case.name]

        def look(one):
            return mutants.difference(wanted, mutants.run(one, [case], self.folder)[case.name])
        return driver.look_at_stages(configuration, look)

    def report(self, made, case, configuration, what, doubt, sums):
        number, _, said = made
        title = 'doubtful mutant' if doubt else 'mutant'
        sums['doubtful' if doubt else 'differences'] += 1
        lines = [f'{title} {number}, {configuration.name}: {what}', *(f'  {s}' for s in said)]
        if doubt:
            lines.append(f'  doubt: {doubt}')
        else:
            lines.append(str(self.blame(case, configuration)))
        if not doubt or self.arguments.state or self.arguments.mutant is not None:
            lines.append(f'again: {self.again()} --mutant {number} --configuration {configuration.name}')
            print('# ' + '\n'.join(lines).replace('\n', '\n# '), flush=True)
        if self.arguments.keep:
            folder = pathlib.Path(self.arguments.keep) / f'{title.split()[0]}-{number}'
            folder.mkdir(parents=True, exist_ok=True)
            (folder / 'what').write_text('\n'.join(lines) + '\n')
            (folder / 'list').write_text(dataclasses.replace(
                case, options=(*case.options, *mutants.options_of(configuration))).entry(folder))
        if not doubt and self.arguments.reduce:
            self.reduce(number, case, configuration)

    def again(self):
        words = [sys.executable, __file__]
        for name in ('sources', 'referee'):
            if value := getattr(self.arguments, name):
                words += [f'--{name}', value]
        return ' '.join(words)

    # ---- making it smaller ------------------------------------------------------------------------

    def still(self, case, configuration):
        """The case with its sizes if it is valid and differs without doubt."""
        with tempfile.TemporaryDirectory() as folder:
            wanted = mutants.run(driver.REFERENCE, [mutants.plain(case)], folder,
                                 sizing=True)[case.name]
            if wanted.end != 'done':
                return None
            case = case.with_sizes(wanted)
            found = self.suspects(configuration, [case], {case.name: wanted}, folder)
            doubts = mutants.doubts([f[:3] for f in found], folder, self.referee)
            return case if found and not doubts else None

    def reduce(self, number, case, configuration):
        """Drops mutations, launches and statements while the difference stays."""
        end = time.monotonic() + self.arguments.reduce
        left_out, best = [], case
        for index in range(len(mutants.plan(number, self.seeds)[2])):
            made = self.made(number, (*left_out, index))
            if made and time.monotonic() < end and self.still(made[0], configuration):
                left_out.append(index)
                best = made[0]
        for each in best.launches:
            smaller = dataclasses.replace(best, launches=(each,), sizes=())
            if len(best.launches) > 1 and self.still(smaller, configuration):
                best = smaller
                break
        best = self.fewer_statements(best, configuration, end)
        best = self.still(best, configuration) or best
        text = '\n'.join([*(each.line() for each in best.launches), ' '.join(best.options),
                          best.text])
        print(f'# what is left of it:\n{text}'.replace('\n', '\n#   '), flush=True)
        if self.arguments.keep:
            folder = pathlib.Path(self.arguments.keep) / f'mutant-{number}' / 'reduced'
            folder.mkdir(exist_ok=True)
            (folder / 'list').write_text(best.entry(folder))

    def fewer_statements(self, case, configuration, end):
        changed = True
        while changed:
            changed = False
            count = sum(1 for f in ctree.program_of(case.text).functions() for _ in f.body.walk())
            for index in range(count):
                for keep_body in (False, True):
                    if time.monotonic() > end:
                        return case
                    text = without(case.text, index, keep_body)
                    smaller = dataclasses.replace(case, text=text, sizes=())
                    if text != case.text and self.still(smaller, configuration):
                        case, changed = smaller, True
                        break
                if changed:
                    break
        return case


def without(text, index, keep_body):
    """The text without its statement number `index`, or with that one's body instead."""
    program = ctree.program_of(text)
    places = [(parent, at) for f in program.functions() for _, parent, at in f.body.walk()]
    if index < len(places):
        parent, at = places[index]
        node = parent.body[at]
        if parent.kind != 'block' and not keep_body:
            parent.body[at] = ctree.Node('block')
        elif not keep_body:
            parent.body[at:at + 1] = []
        elif node.body and parent.kind == 'block':
            parent.body[at:at + 1] = node.body[0].body if node.kind != 'block' else node.body
    return program.text()


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--mutant', type=int)
    parser.add_argument('--configuration', action='append')
    parser.add_argument('--each', type=int, default=2, help='configurations of a batch')
    parser.add_argument('--sources')
    parser.add_argument('--referee')
    parser.add_argument('--state')
    parser.add_argument('--lock', help='a file that is locked, shared, while a batch runs')
    parser.add_argument('--keep', help='folder for what differs')
    parser.add_argument('--reduce', type=float, default=60, help='seconds, 0 for not at all')
    parser.add_argument('--show', action='store_true', help='print the mutant, run nothing')
    parser.add_argument('--most', type=int, default=20, help='stop after so many differences')
    return parser.parse_args()


@contextlib.contextmanager
def shared(path):
    if not path:
        yield
        return
    with open(path, 'a', encoding='ascii') as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def processor_seconds():
    return sum(sum(resource.getrusage(who)[:2])
               for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main():
    arguments = options()
    work = Run(arguments)
    if arguments.mutant is not None:
        arguments.first, arguments.count = arguments.mutant, 1
        if arguments.show:
            case, said = work.made(arguments.mutant)
            print('\n'.join([*(f'// {s}' for s in said), f'// {" ".join(case.options)} {case.through}',
                             *(f'// {each.line()}' for each in case.launches), case.text]))
            return 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        state = State(arguments.state or folder, arguments.first, arguments.count)
        while state.sums()['differences'] < arguments.most and (numbers := state.claim()):
            before = time.monotonic()
            with tempfile.TemporaryDirectory() as work.folder, shared(arguments.lock):
                sums = work.batch(numbers)
            sums['seconds'] = time.monotonic() - before
            state.close(numbers, sums)
        sums = state.sums()
    bad = sums['differences'] > 0
    print(f'{"not ok" if bad else "ok"} 1 - mutants: {sums["tried"]} tried, {sums["valid"]} valid, '
          f'{len(work.all)} configurations, {sums["runs"]} runs, {sums["seconds"]:.0f} s, '
          f'{time.monotonic() - start:.0f} s here, {processor_seconds():.0f} s of processor time '
          f'in launchers, {sums["doubtful"]} doubtful, {sums["differences"]} differences')
    print('1..1')
    return bad


if __name__ == '__main__':
    sys.exit(main())
