#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of generators that others wrote, in reference execution and in other ways.

    foreign.py --clsmith PATH --headers DIR --programs 20000 --state FOLDER
    foreign.py ... --index 17 [--configuration v3-w8-checks]     one program
    foreign.py --headers DIR --check FILE --configuration NAME     status 0 if it differs (cvise)
    foreign.py --test               a few programs, if the environment's WEFT_CLSMITH names one

PATH is a built generator, DIR what its programs include; neither is part of this repository. Each
program runs in reference execution and in two configurations (--each) that are drawn from all:
instruction set, width, loop shape, chunk, shuffle, -cl-opt-disable, checks. If something differs, the
referees are asked: WEFT_WIDTH=1, and with --referee FILE.icd other runtimes; each of these also
sees every --share-th program in which nothing differs. FOLDER keeps one line per program, so that
a run can go on where it ended, and several processes can share it; what was found is in
FOLDER/found, each with the command that repeats it. The seconds in the summary are of processor
time and contain the generator, the compilers and the referees.

`reference` among the differences is a program in which other runtimes agree with each other, but
not with reference execution. What is no difference, and counted by its own name:
 endless     ends within SECONDS of processor time neither in reference execution nor with
             WEFT_WIDTH=1: loops that are finite, but as long as the generator likes
 slow        a build takes more than BUILD_SECONDS
 order       configurations differ, and no other runtime says what reference execution or one of
             them says: the result depends on the order of items (atomics whose result is used)
 refused     the generator has forgotten a declaration
 none        the generator crashes, takes too long or writes nothing but tiny programs
"""
import argparse
import collections
import contextlib
import ctypes
import dataclasses
import fcntl
import json
import os
import pathlib
import random
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import drawn  # noqa: E402
import driver  # noqa: E402
import foreign_loops  # noqa: E402
import foreign_programs  # noqa: E402

RUN = driver.ROOT / 'tests' / 'differential' / 'foreign-run'
SECONDS = 0.3  # in reference execution
MORE_SECONDS = 20  # elsewhere, as with checks
BUILD_SECONDS = 300  # of the clock as well, and the machine may be loaded
PATIENCE = 900  # for all of a run, by the clock
BATCH = 10
PLAIN = driver.Configuration('width-1', (('WEFT_WIDTH', '1'),))
REFERENCE = 'reference'
SUBREAPER = 36  # of prctl: compiler processes that outlive a run become ours, and their time counts


@dataclasses.dataclass
class End:
    """How a run ended: 'done' with a result, or 'crash', 'hang', 'no build', 'slow'."""
    how: str
    result: str = ''
    log: str = ''

    def says(self):
        return self.result if self.how == 'done' else self.how


def draw_names(index, count):
    """Configurations of a program, by their names in drawn.py."""
    return [each.name for each in drawn.draw(random.Random(f'settings {index}'), '', count)]


class Runner:
    """Runs programs in a configuration, or with another runtime: the path of its .icd."""

    def __init__(self, headers):
        self.include = f' -I{headers}' if headers else ''

    def configuration(self, program, name):
        options = program.options + self.include
        if name in (REFERENCE, PLAIN.name):
            settings = driver.REFERENCE.settings if name == REFERENCE else PLAIN.settings
            return driver.Configuration(name, settings, options)
        return drawn.parse(name, options) or driver.Configuration(name, (), options)

    def environment(self, program, name):
        env = {key: value for key, value in os.environ.items() if not key.startswith('WEFT_')}
        if name.endswith('.icd'):
            return dict(env, OCL_ICD_VENDORS=name)
        debug = {'WEFT_DEBUG': 'kernel'} if name.endswith('-checks') else {}
        return dict(self.configuration(program, name).environment(),
                    WEFT_COMPILER_SECONDS=str(BUILD_SECONDS), **debug)

    def command(self, program, file, name):
        options = self.configuration(program, name).options
        return [str(RUN), str(file), '--options', options, *program.launch]

    def spoken(self, program, file, name):
        """The command for a shell."""
        env = self.environment(program, name)
        words = [f'{key}={env[key]}' for key in sorted(env)
                 if key.startswith('WEFT_') or key == 'OCL_ICD_VENDORS']
        return ' '.join([*words, shlex.join(self.command(program, file, name))])

    def run(self, program, file, name, seconds=MORE_SECONDS):
        """One run; its processes are gone afterwards."""
        command = self.command(program, file, name)
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([*command, '--seconds', str(seconds)],
                                       env=self.environment(program, name), stdout=subprocess.PIPE,
                                       stderr=errors, start_new_session=True)
            out = wait_for(process)
            if select.select([process.stdout], [], [], 0)[0]:  # it has ended, or will at once
                process.wait(PATIENCE)
            else:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            process.stdout.close()
            errors.seek(0)
            error = errors.read().decode(errors='replace')
        reap()
        return self.judge(process.returncode, out, error, name)

    def judge(self, status, out, error, name):
        lines = [line.split() for line in out.splitlines()]
        result = next((line[1] for line in lines if line[:1] == ['result']), '')
        log = error.strip()[-3000:]
        if status == 0 and result:
            return End('done', result)
        if status == 4 and 'seconds' in log and not name.endswith('.icd'):
            return End('slow', log=log)
        if status == 4:
            return End('no build', log=log)
        if status in (-signal.SIGKILL, -signal.SIGPROF):
            return End('hang' if out.startswith('built') else 'slow', log=log)
        return End('crash', log=f'ended with {status}: {log}')


def wait_for(process):
    """Waits until a run has ended, or for too long: what it has printed."""
    deadline, text = time.monotonic() + PATIENCE, b''
    while select.select([process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
        more = os.read(process.stdout.fileno(), 4096)
        if not more:
            break
        text += more
    return text.decode()


def reap():
    """Compiler processes that a run has left: they end by themselves."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def spent():
    """Processor seconds of this process and all it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Judge:
    """Compares configurations of a program, and asks referees if they differ."""

    def __init__(self, runner, referees, share):
        self.runner, self.referees, self.share = runner, referees, share

    def compare(self, program, file, among):
        """(verdict, what each run said); 'same' is the good verdict."""
        said = {REFERENCE: self.runner.run(program, file, REFERENCE, SECONDS)}
        wanted = said[REFERENCE]
        if wanted.how in ('hang', 'slow'):
            said[PLAIN.name] = wanted = self.runner.run(program, file, PLAIN.name, SECONDS)
            if wanted.how in ('hang', 'slow'):
                return 'endless' if wanted.how == 'hang' else 'slow', said
        if 'undeclared identifier' in wanted.log:
            return 'refused', said
        for name in among:
            said[name] = self.runner.run(program, file, name)
        bad = [s for s in among if said[s].says() != wanted.says() and said[s].how != 'slow']
        if not bad and wanted.how == 'done' and program.index % self.share:
            return 'slow' if any(end.how == 'slow' for end in said.values()) else 'same', said
        for name in (PLAIN.name, *self.referees):
            if name not in said:
                said[name] = self.runner.run(program, file, name, seconds=60)
        return self.verdict(said, wanted, bad), said

    def blame(self, program, file, said):
        """Which stage of the compiler was the first to change what the program does."""
        wanted = said[REFERENCE].says()
        bad = [name for name, end in said.items() if end.says() != wanted and drawn.parse(name, '')]
        if not bad:
            return ''

        def look(one):
            says = self.runner.run(program, file, one.name).says()
            return '' if says == wanted else says
        return driver.look_at_stages(drawn.parse(bad[0], ''), look, workers=1)

    def verdict(self, said, wanted, bad):
        others = [said[r].result for r in self.referees if said[r].how == 'done']
        if wanted.how != 'done':
            # A build that all refuse is the generator's fault.
            return 'differs' if others or not self.referees else 'refused'
        alone = others and wanted.result not in others
        if alone and {said[name].result for name in bad} & set(others):
            return 'reference'
        if bad or said[PLAIN.name].says() != wanted.says():
            return 'order' if alone else 'differs'
        return 'reference' if alone and len(set(others)) == 1 else 'same'


def show(said):
    return '\n'.join(f'{end.says():20} {name}' + ('\n  ' + end.log.replace('\n', '\n  ')
                                                      if end.log else '')
                     for name, end in said.items())


def generate(arguments, index, folder):
    """A program of the generator that was given."""
    if arguments.yarpgen:
        return foreign_loops.yarpgen(index, arguments.yarpgen, folder)
    return foreign_programs.clsmith(index, arguments.clsmith, folder)


@contextlib.contextmanager
def shared(lock):
    """Nothing runs while somebody has this file locked for himself, to measure."""
    with open(lock or os.devnull, 'a', encoding='ascii') as file:
        if lock:
            fcntl.flock(file, fcntl.LOCK_SH)
        yield


class Run:
    """Many programs, with their lines in a folder."""

    def __init__(self, arguments, judge, folder):
        self.arguments, self.judge, self.folder = arguments, judge, pathlib.Path(folder)
        (self.folder / 'found').mkdir(parents=True, exist_ok=True)
        self.lines = self.folder / 'programs.jsonl'
        self.stop = False

    def done(self):
        """index -> line of all that have been run."""
        if not self.lines.exists():
            return {}
        rows = [json.loads(line) for line in self.lines.read_text().splitlines() if line]
        return {row['index']: row for row in rows}

    def batches(self):
        """Batches that no other process has."""
        last = self.arguments.first + self.arguments.programs
        for start in range(self.arguments.first, last, BATCH):
            with open(self.folder / 'batches.lock', 'a+', encoding='ascii') as file:
                try:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, start)
                except OSError:
                    continue
                done = self.done()
                yield [i for i in range(start, min(start + BATCH, last)) if i not in done]

    def one(self, index):
        start = spent()
        with tempfile.TemporaryDirectory() as folder:
            program = generate(self.arguments, index, folder)
            among = draw_names(index, self.arguments.each)
            verdict, said, mode = 'none', {}, ''
            if program:
                mode = program.mode
                file = pathlib.Path(folder) / f'{index}.cl'
                file.write_text(program.text())
                verdict, said = self.judge.compare(program, file, among)
                if verdict in ('differs', 'reference', 'order'):
                    self.keep(program, verdict, said)
        row = {'index': index, 'mode': mode, 'verdict': verdict,
               'seconds': round(spent() - start, 2),
               'bytes': len(program.source) if program else 0,
               'said': {name: end.says() for name, end in said.items()}}
        with open(self.lines, 'a', encoding='utf-8') as file:
            file.write(json.dumps(row) + '\n')
        return row

    def keep(self, program, verdict, said):
        file = self.folder / 'found' / f'{program.index}.cl'
        file.write_text(program.text())
        commands = '\n'.join(self.judge.runner.spoken(program, file, s) for s in said)
        stages = self.judge.blame(program, file, said) if verdict == 'differs' else ''
        text = f'{program.index} ({program.mode}): {verdict}\n{show(said)}\n{commands}\n{stages}\n'
        file.with_suffix('.txt').write_text(text)
        print(f'# {text}'.replace('\n', '\n# '), flush=True)

    def all(self):
        """Runs until the end, or until enough is found: the lines of this process's programs."""
        bad = 0
        for batch in self.batches():
            for index in batch:
                with shared(self.arguments.lock):
                    row = self.one(index)
                bad += row['verdict'] in ('differs', 'reference')
                if bad >= self.arguments.most:
                    return
            if batch and batch[-1] % (BATCH * 10) == BATCH * 10 - 1 + self.arguments.first % BATCH:
                print(self.summary(), file=sys.stderr, flush=True)

    def summary(self):
        rows = self.done().values()
        verdicts = collections.Counter(row['verdict'] for row in rows)
        modes = {row['mode'] for row in rows if row['mode']}
        configurations = {s for row in rows for s in row['said'] if drawn.NAME.fullmatch(s)}
        bad = verdicts.pop('differs', 0) + verdicts.pop('reference', 0)
        rest = ', '.join(f'{count} {name}' for name, count in sorted(verdicts.items()))
        seconds = sum(row['seconds'] for row in rows)
        return (f'{len(rows)} programs, {len(modes)} modes, {len(configurations)} configurations, '
                f'{seconds:.0f} s: {bad} differences ({rest})')


def check(arguments, runner, judge):
    """For reducers: does a file differ, while reference execution and all referees agree?"""
    program = foreign_programs.read(arguments.check)
    said = {s: runner.run(program, arguments.check, s, seconds=5)
            for s in (REFERENCE, PLAIN.name, *judge.referees)}
    if len({end.says() for end in said.values()}) != 1 or said[REFERENCE].how != 'done':
        print(show(said))
        return 1
    other = runner.run(program, arguments.check, arguments.configuration, seconds=5)
    print(show({**said, arguments.configuration: other}))
    if arguments.only and other.how != arguments.only:
        return 1
    return int(other.says() == said[REFERENCE].says())


def single(arguments, judge):
    """One program of the generator, in its own configurations or the given one."""
    with tempfile.TemporaryDirectory() as folder:
        program = generate(arguments, arguments.index, folder)
        if not program:
            print('the generator gives none')
            return 0
        file = pathlib.Path.cwd() / f'foreign-{arguments.index}.cl'
        file.write_text(program.text())
        among = ([arguments.configuration] if arguments.configuration
                 else draw_names(arguments.index, arguments.each))
        verdict, said = judge.compare(program, file, among)
        print(f'{file} ({program.mode}): {verdict}\n{show(said)}')
        for name in among:
            print(judge.runner.spoken(program, file, name))
    return int(verdict in ('differs', 'reference'))


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--clsmith', help='a built CLSmith')
    parser.add_argument('--yarpgen', help='a built YARPGen, instead')
    parser.add_argument('--headers', help='the folder of CLSmith.h and the files it includes')
    parser.add_argument('--programs', type=int, default=200)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--each', type=int, default=2, help='configurations per program')
    parser.add_argument('--most', type=int, default=8, help='differences after which to stop')
    parser.add_argument('--referee', action='append', default=[], help='an .icd, more than once')
    parser.add_argument('--share', type=int, default=50)
    parser.add_argument('--state')
    parser.add_argument('--lock', help='a file that is locked (shared) during each program')
    parser.add_argument('--index', type=int)
    parser.add_argument('--configuration', default='')
    parser.add_argument('--check')
    parser.add_argument('--only', help='with --check: done, crash, hang or "no build"')
    parser.add_argument('--test', action='store_true')
    return parser.parse_args()


def main():
    arguments = options()
    if arguments.test:
        arguments.clsmith = os.environ.get('WEFT_CLSMITH')
        arguments.headers = os.environ.get('WEFT_CLSMITH_HEADERS')
        arguments.programs = 6
        if not arguments.clsmith:
            print('1..0 # SKIP WEFT_CLSMITH names no built CLSmith')
            return 77
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    runner = Runner(arguments.headers)
    judge = Judge(runner, arguments.referee, arguments.share)
    if arguments.check:
        return check(arguments, runner, judge)
    if arguments.index is not None:
        return single(arguments, judge)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(arguments, judge, arguments.state or folder)
        run.all()
        bad = [row for row in run.done().values() if row['verdict'] in ('differs', 'reference')]
        print(f'{"not ok" if bad else "ok"} 1 - programs of others: {run.summary()}\n1..1')
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main())
