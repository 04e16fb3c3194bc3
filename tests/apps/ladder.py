# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder share: how a real program is had, started, and what came of it.

A script has a function `run(app)` that installs, starts and judges its program by the methods of App, and
perhaps `inside(*words)`, which is called in the program's own Python; it ends in `ladder.main(run, inside)`.
What it finds is printed as JSON lines: program, runtime, test, value, unit, passed, note. `passed` is true,
false, or null for what could not be tried; tests whose names begin alike (`crack/3200`) are a family.
All that programs print is kept in a log.
"""
import argparse
import contextlib
import ctypes
import dataclasses
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# Some scripts have the name of a package that is imported inside.
sys.path = [folder for folder in sys.path if pathlib.Path(folder or '.').resolve() != HERE]

INSTALL_SECONDS = 1800
ALL_DEVICES, PLATFORM_NAME, DRIVER_VERSION = 0xffffffff, 0x902, 0x102d  # of CL/cl.h


class Skipped(Exception):
    """The program cannot be had, or not be run, on this machine: the reason."""


@dataclasses.dataclass
class Ended:
    """How a command ended; `status` is None if it did not end in time."""
    status: int
    output: str
    seconds: float

    @property
    def good(self):
        return self.status == 0

    def how(self):
        if self.status is None:
            return f'did not end within {self.seconds:.0f} s'
        if self.status < 0:
            return f'crashed: {signal.Signals(-self.status).name}'
        return f'ended with {self.status}'

    def why(self):
        """How it ended, with the last line that it printed."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return ': '.join([self.how(), *lines[-1:]])[:300]


def kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def end_session(session):
    """Ends all processes of a session: a script that was killed could not end what it had started."""
    for file in pathlib.Path('/proc').glob('[0-9]*/stat'):
        with contextlib.suppress(OSError):
            # Behind the name: state, parent, group, session.
            if int(file.read_text(encoding='utf-8', errors='replace').rpartition(')')[2].split()[3]) == session:
                os.kill(int(file.parent.name), signal.SIGKILL)


def start(words, seconds, log, env=None, folder=None):
    """Runs a command with nothing as its input, appends what it prints to `log`, and ends it, with all that it
    has started, after `seconds`."""
    with open(log, 'ab') as file:
        file.write(f'\n$ {" ".join(map(str, words))}\n'.encode())
        file.flush()
        begin, since = file.tell(), time.monotonic()
        try:
            process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT, env=env, cwd=folder, process_group=0)
        except OSError as error:
            return Ended(127, str(error), 0.0)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            kill(process)
    with open(log, 'rb') as file:
        file.seek(begin)
        output = file.read().decode(errors='replace')
    return Ended(status, output, time.monotonic() - since)


def devices():
    """Prints what the loader at hand finds: the first device of the first platform."""
    library = ctypes.CDLL('libOpenCL.so.1')

    def ask(function, handle, what):
        text = ctypes.create_string_buffer(1024)
        return '' if function(handle, what, 1024, text, None) else text.value.decode(errors='replace').strip()
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    if library.clGetPlatformIDs(1, ctypes.byref(platform), None) or \
            library.clGetDeviceIDs(platform, ctypes.c_ulong(ALL_DEVICES), 1, ctypes.byref(device), None):
        return 1
    print(ask(library.clGetPlatformInfo, platform, PLATFORM_NAME), ask(library.clGetDeviceInfo, device, DRIVER_VERSION))
    return 0


def describe(icd):
    """Name of the platform and version of the driver behind an .icd; empty if there is no device."""
    run = subprocess.run([sys.executable, __file__], env=dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(icd)),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120,
                         check=False)
    return run.stdout.decode(errors='replace').strip() if run.returncode == 0 else ''


def line(test, value=None, unit='', passed=True, note=''):
    """A result as it is written; `value` and `passed` may be numpy's."""
    value = None if value is None else float(f'{float(value):.5g}')
    passed = None if passed is None else bool(passed)
    if value is not None and not math.isfinite(value):
        value, passed, note = None, False, f'{value}; {note}'
    return {'test': test, 'value': value, 'unit': unit, 'passed': passed, 'note': ' '.join(note.split())[:300]}


def say(*words, **more):
    """Inside a program's own Python: prints a result."""
    print('\n' + json.dumps(line(*words, **more)), flush=True)


def best(function, times=5):
    """The shortest of some runs, in seconds."""
    seconds = []
    for _ in range(times):
        since = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - since)
    return min(seconds)


def read_lines(text):
    """The JSON objects among the lines of a text; a line that a killed process left unfinished is none."""
    for each in text.splitlines():
        with contextlib.suppress(ValueError):
            row = json.loads(each)
            if isinstance(row, dict):
                yield row


class App:
    """A program on one runtime. `have` are tests that need not be repeated."""

    def __init__(self, program, runtime, icd, cache, log, have=()):
        self.program, self.runtime, self.icd = program, runtime, pathlib.Path(icd)
        self.cache, self.log, self.have = pathlib.Path(cache) / program, pathlib.Path(log), set(have)
        self.cache.mkdir(parents=True, exist_ok=True)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=f'{program}-'))

    def close(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def environment(self, **more):
        """One runtime only, and none of what an earlier run has cached."""
        env = dict(os.environ, OCL_ICD_VENDORS=str(self.icd), HOME=str(self.home),
                   XDG_CACHE_HOME=str(self.home / 'cache'), POCL_CACHE_DIR=str(self.home / 'pocl'),
                   PYTHONUNBUFFERED='1')
        for name in ('OCL_ICD_FILENAMES', 'LD_PRELOAD', 'PYTHONPATH'):
            env.pop(name, None)
        (self.home / 'cache').mkdir(exist_ok=True)
        return dict(env, **more)

    def khronos(self):
        """For programs that bring Khronos' loader, whose OCL_ICD_VENDORS is a folder."""
        return {'OCL_ICD_FILENAMES': self.icd.read_text(encoding='utf-8').strip(), 'OCL_ICD_VENDORS': '/nonexistent'}

    def command(self, *words, seconds=600, folder=None, **env):
        return start(words, seconds, self.log, self.environment(**env), folder or self.home)

    def result(self, test, value=None, unit='', passed=True, note=''):
        row = line(test, value, unit, passed, note)
        print(json.dumps({'program': self.program, 'runtime': self.runtime, **row}), flush=True)

    def results(self, test, ended):
        """Prints the results that a command has said; that it ended badly is a failure of `test`."""
        rows = [row for row in read_lines(ended.output) if 'test' in row and 'passed' in row]
        for row in rows:
            self.result(**row)
        if not ended.good or not rows:
            self.result(test, passed=False, note=ended.why() if not ended.good else 'printed no result')

    def pip(self, *packages):
        """The Python of an environment that holds these packages."""
        venv = self.cache / 'venv'
        stamp = venv / 'packages'
        if not stamp.exists() or stamp.read_text(encoding='utf-8').split() != list(packages):
            shutil.rmtree(venv, ignore_errors=True)
            for words in (['-m', 'venv', venv], ['-m', 'pip', '-q', 'install', *packages]):
                python = venv / 'bin' / 'python' if 'pip' in words else sys.executable
                ended = start([python, *words], INSTALL_SECONDS, self.log)
                if not ended.good:
                    raise Skipped(f'pip cannot install {" ".join(packages)}: {ended.why()}')
            stamp.write_text(' '.join(packages), encoding='utf-8')
        return venv / 'bin' / 'python'

    def sources(self, python, package):
        """The folder of a Python package's source distribution, for tests that its wheel lacks."""
        folder = self.cache / 'sources'
        if not list(folder.glob('*/*')):
            folder.mkdir(exist_ok=True)
            ended = start([python, '-m', 'pip', '-q', 'download', '--no-deps', '--no-binary', package, package,
                           '-d', folder], INSTALL_SECONDS, self.log)
            archives = list(folder.glob('*.tar.gz'))
            if not ended.good or not archives:
                raise Skipped(f'pip cannot download the sources of {package}: {ended.why()}')
            shutil.unpack_archive(archives[0], folder, filter='data')
        return next(path for path in folder.iterdir() if path.is_dir())

    def apt(self, *packages):
        """Sees that Debian's packages are there; root installs what is missing."""
        missing = [each for each in packages if not start(['dpkg', '-s', each], 60, self.log).good]
        if missing and os.geteuid():
            raise Skipped(f'needs apt-get install {" ".join(missing)}')
        if missing:
            ended = start(['apt-get', 'install', '-y', '--no-install-recommends', *missing], INSTALL_SECONDS, self.log,
                          dict(os.environ, DEBIAN_FRONTEND='noninteractive'))
            if not ended.good:
                raise Skipped(f'apt-get cannot install {" ".join(missing)}: {ended.why()}')

    def folder(self, what):
        """Where the program was built by hand: the environment's WEFT_APPS_<PROGRAM>."""
        name = f'WEFT_APPS_{self.program.upper()}'
        path = pathlib.Path(os.environ.get(name, '/nonexistent'))
        if not path.is_dir():
            raise Skipped(f'{name} names no folder of {what}')
        return path.resolve()

    def inside(self, python, *words, seconds=1200, test='run', **env):
        """Calls this script's inside(*words) in another Python."""
        self.results(test, self.command(python, sys.argv[0], '--inside', *words, seconds=seconds, **env))

    def pytest(self, test, python, *words, seconds=7200, **env):
        """Runs tests of pytest: how many passed, and which failed."""
        ended = self.command(python, '-m', 'pytest', '-q', '-rfE', '--no-header', '-p', 'no:cacheprovider', *words,
                             seconds=seconds, **env)
        closing = ended.output.rstrip().rpartition('\n')[2]
        counts = {name: int(number) for number, name in re.findall(r'(\d+) ([a-z]+)', closing)}
        failed = re.findall(r'^(?:FAILED|ERROR) (?:\S*/)?([\w.]+\.py\S*)', ended.output, re.M)
        good = ended.status == 0 and counts.get('passed', 0) > 0
        note = [f'{counts[name]} {name}' for name in ('failed', 'error', 'errors', 'skipped', 'xfailed')
                if counts.get(name)] + failed
        if ended.status not in (0, 1):
            note.insert(0, ended.how())
        self.result(test, counts.get('passed'), 'passed', good, ', '.join(note))


def options(program):
    parser = argparse.ArgumentParser(description=f'Runs {program} on one OpenCL runtime.')
    parser.add_argument('--icd', required=True, metavar='NAME=FILE', help='a runtime: its name, its .icd')
    parser.add_argument('--cache', default=str(HERE.parent.parent / 'build-apps'),
                        help='where programs are installed (%(default)s)')
    parser.add_argument('--log', help='what the program prints (a file in the cache)')
    parser.add_argument('--have', default='', help='a file of results that need not be repeated')
    return parser.parse_args()


def stop(_number, _frame):
    """On SIGTERM: what was started is ended too."""
    raise SystemExit(1)


def main(run, inside=None):
    """The main function of each script; status 77 if the program is not to be had."""
    if sys.argv[1:2] == ['--inside']:
        return inside(*sys.argv[2:])
    signal.signal(signal.SIGTERM, stop)
    program = pathlib.Path(sys.argv[0]).stem
    sys.argv[0] = os.path.abspath(sys.argv[0])
    given = options(program)
    runtime, _, icd = given.icd.partition('=')
    have = pathlib.Path(given.have).read_text(encoding='utf-8') if given.have else ''
    tests = [row['test'] for row in read_lines(have) if (row.get('program'), row.get('runtime')) == (program, runtime)
             and row.get('passed') is not None and row.get('test')]
    cache = pathlib.Path(given.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    app = App(program, runtime, os.path.abspath(icd), cache, given.log or cache / f'{program}-{runtime}.log', tests)
    try:
        run(app)
    except Skipped as reason:
        app.result('run', passed=None, note=str(reason))
        sys.exit(77)
    finally:
        app.close()


if __name__ == '__main__':
    sys.exit(devices())
