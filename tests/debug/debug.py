# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gdb and perf see of compiled kernels (docs/debugging.md): names by setting, lines with -g."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ['WEFT_SOURCE_ROOT'], 'tests'))
import tap  # noqa: E402

BUILD = os.environ['WEFT_BUILD_ROOT']
SOURCE = os.path.join(os.environ['WEFT_SOURCE_ROOT'], 'tests', 'debug', 'mix.cl')
GUEST = os.path.join(BUILD, 'tests', 'debug', 'debug-guest')
RESULT = 'c = 10 31 76 111'


def run(command, timeout=100, **settings):
    """Standard output and error of a command that must succeed."""
    done = subprocess.run(command, env={**os.environ, **settings}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=timeout)
    if done.returncode:
        raise AssertionError(f'{command} ended with {done.returncode}:\n{done.stdout[-4000:]}')
    return done.stdout


def gdb(script, *arguments, **settings):
    """What gdb prints while it runs the guest by a script."""
    lines = ['set pagination off', 'set confirm off', 'set breakpoint pending on',
             'set debuginfod enabled off', 'set width 0', *script]
    command = ['gdb', '-batch', '-nx']
    for line in lines:
        command += ['-ex', line]
    # One thread, so that breakpoints are hit in order.
    return run([*command, '--args', GUEST, SOURCE, *arguments],
               **{'WEFT_DEBUGGER': '1', 'WEFT_THREADS': '1', **settings})


class Gdb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which('gdb'):
            raise unittest.SkipTest('gdb is not installed')
        done = subprocess.run(['gdb', '-batch', '-nx', '-ex', 'run', '--args', '/bin/true'],
                              capture_output=True, text=True, timeout=60)
        if 'exited normally' not in done.stdout:
            raise unittest.SkipTest('this system does not let gdb run a program')

    def test_kernel_name(self):
        out = gdb(['break mix_items', 'run', 'bt', 'delete', 'continue'], '')
        self.assertRegex(out, r'Breakpoint 1[.1]*, .*mix_items')
        # The way out of the kernel is known too: its callers are the device's threads.
        self.assertRegex(out, r'#0 .* mix_items \(\)\n#1 .*weft_enter.*\n#2 .*weft_launch_chunk')
        self.assertIn(RESULT, out)

    def test_stripped_library(self):
        with tempfile.TemporaryDirectory(dir=os.path.join(BUILD, 'tests')) as room:
            run(['strip', '-o', f'{room}/libweft.so', f'{BUILD}/icd/libweft.so'])
            with open(f'{room}/weft.icd', 'w') as file:
                file.write(f'{room}/libweft.so\n')
            out = gdb(['break mix_items', 'run', 'bt 1', 'delete', 'continue'], '',
                      OCL_ICD_VENDORS=f'{room}/weft.icd',
                      WEFT_COMPILER=f'{BUILD}/compiler/weft-compiler')
            self.assertRegex(out, r'#0 .* mix_items \(\)')

    def test_unload_unregisters(self):
        out = gdb(['break clReleaseContext', 'run', 'print __jit_debug_descriptor',
                   'info symbol mix_items', 'continue'], '', '1', 'drop')
        self.assertRegex(out, r'first = 0x0|first_entry = 0x0')
        self.assertRegex(out, r'No symbol "mix_items"')
        self.assertEqual(out.count(RESULT), 2)

    def test_off_by_default(self):
        out = gdb(['break clReleaseContext', 'break mix_items', 'run', 'continue'], '',
                  WEFT_DEBUGGER='0')
        self.assertNotRegex(out, r'Breakpoint \d, .*mix_items')
        self.assertIn(RESULT, out)


    def test_lines_and_variables(self):
        """-g -cl-opt-disable: what a person does, on both sides of a barrier and in a function."""
        with tempfile.TemporaryDirectory() as room:
            out = gdb(['break mix_items', 'run', 'delete', 'tbreak square', 'continue', 'print x',
                       'bt 2', 'next', 'print y', 'tbreak 14', 'continue', 'list 13,13', 'print i',
                       'print s', 'print table', 'print n', 'print a[1]', 'next', 'print k', 'bt 1',
                       'continue'], '-g -cl-opt-disable', WEFT_CACHE_DIR=f'{room}/c')
            name, = os.listdir(f'{room}/c/sources')
            with open(f'{room}/c/sources/{name}') as copy, open(SOURCE) as source:
                self.assertEqual(copy.read(), source.read())
        values = re.findall(r'\$\d+ = (.*)', out)
        x, y = float(values[0]), float(values[1])
        self.assertEqual(y, x * x)
        self.assertRegex(out, r'#0  square \(x=.*\n#1 .* mix_items \(.*cl:10')
        self.assertIn('13\t    float q = t[get_local_id(0) ^ 1];', out)
        i, s = int(values[2]), float(values[3])
        self.assertEqual(s, i + i * i + 1)
        self.assertEqual(values[4:8], ['{1, 2, 3, 4}', '3', '1', '0'])
        self.assertRegex(out, r'#0  mix_items \(a=0x[0-9a-f]+, b=0x[0-9a-f]+, c=0x[0-9a-f]+, n=3\) at '
                              r'source-[0-9a-f]+.cl:15')
        self.assertIn(RESULT, out)

    def test_lines_of_optimised_code(self):
        out = gdb(['break mix_items', 'run', 'next', 'info source', 'delete', 'continue'], '-g',
                  WEFT_CACHE_DIR='/proc/none')
        self.assertRegex(out, r'Breakpoint 1[.1]*, .*mix_items .*source-[0-9a-f]+.cl:\d+')
        self.assertRegex(out, r'Current source file is source-[0-9a-f]+.cl')
        self.assertIn(RESULT, out)

    def test_no_debug_information_without_g(self):
        out = gdb(['break mix_items', 'run', 'info source', 'delete', 'continue'], '-cl-opt-disable')
        self.assertNotIn('source-', out)


class Perf(unittest.TestCase):
    def tearDown(self):
        for path in glob.glob('/tmp/weft-perf-*'):
            shutil.rmtree(path)

    def guest(self, *arguments, **settings):
        """Runs the guest; its process number, known by the files it leaves in /tmp."""
        process = subprocess.Popen([GUEST, SOURCE, *arguments], env={**os.environ, **settings},
                                   stdout=subprocess.PIPE, text=True)
        out, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0)
        self.assertIn(RESULT, out)
        return process.pid

    def test_map(self):
        pid = self.guest('', WEFT_PERF='map')
        path = f'/tmp/perf-{pid}.map'
        self.addCleanup(os.remove, path)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path) as file:
            lines = file.read().splitlines()
        self.assertTrue(any(re.fullmatch(r'[0-9a-f]+ [0-9a-f]+ mix_items', line) for line in lines))
        for line in lines:
            self.assertRegex(line, r'^[0-9a-f]+ [0-9a-f]+ \S+$')

    def test_off_by_default(self):
        pid = self.guest('')
        self.assertFalse(os.path.exists(f'/tmp/perf-{pid}.map'))
        self.assertEqual(glob.glob(f'/tmp/weft-perf-*/jit-{pid}.dump'), [])

    def test_a_link_is_not_followed(self):
        """Another user's link in /tmp would make us write to a file of ours."""
        with tempfile.TemporaryDirectory() as room:
            victim = os.path.join(room, 'victim')
            open(victim, 'w').close()
            # The guest's number is not known before: a shell links, then becomes the guest.
            run(['sh', '-c', f'ln -s {victim} /tmp/perf-$$.map && exec "$0" "$@"', GUEST, SOURCE,
                 ''], WEFT_PERF='map')
            self.assertEqual(os.path.getsize(victim), 0)
            for link in glob.glob('/tmp/perf-*.map'):
                if os.path.islink(link) and os.readlink(link) == victim:
                    os.remove(link)

    def perf(self, *arguments):
        done = subprocess.run(['perf', *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=100)
        return done.returncode, done.stdout

    def record(self, room, options, **settings):
        if not shutil.which('perf'):
            self.skipTest('perf is not installed')
        code, out = self.perf('record', '-o', f'{room}/probe', '-e', 'cpu-clock:u', 'true')
        if code:
            self.skipTest('perf may not record here: ' + out.strip().splitlines()[-1])
        os.environ.update(settings)
        try:
            # More than one device would be more than one name for the same thing.
            code, out = self.perf('record', '-k', 'mono', '-e', 'cpu-clock:u', '-F', '5000', '-o',
                                  f'{room}/data', GUEST, SOURCE, options, '40000')
        finally:
            for name in settings:
                del os.environ[name]
        self.assertEqual(code, 0, out)

    def test_report_by_map(self):
        with tempfile.TemporaryDirectory() as room:
            self.record(room, '', WEFT_PERF='map')
            code, out = self.perf('report', '-i', f'{room}/data', '--stdio', '--sort', 'symbol')
            for path in glob.glob('/tmp/perf-*.map'):
                os.remove(path)
            self.assertIn('mix_items', out)

    def test_report_by_jitdump(self):
        with tempfile.TemporaryDirectory() as room:
            self.record(room, '', WEFT_PERF='jitdump')
            code, out = self.perf('inject', '-j', '-i', f'{room}/data', '-o', f'{room}/jitted')
            self.assertEqual(code, 0, out)
            code, out = self.perf('report', '-i', f'{room}/jitted', '--stdio', '--sort', 'symbol')
            self.assertIn('mix_items', out)

    def test_source_lines_by_jitdump(self):
        with tempfile.TemporaryDirectory() as room:
            self.record(room, '-g', WEFT_PERF='jitdump')
            code, out = self.perf('inject', '-j', '-i', f'{room}/data', '-o', f'{room}/jitted')
            self.assertEqual(code, 0, out)
            # Lines of the compiler's own samples would take addr2line more than a minute.
            threads = ','.join(['debug-guest', *(f'weft-{i}' for i in range(os.cpu_count()))])
            code, out = self.perf('report', '-i', f'{room}/jitted', '--stdio', '--sort',
                                  'symbol,srcline', '--comms', threads)
            self.assertRegex(out, r'mix_items .*source-[0-9a-f]+.cl:\d+')

    def test_unwritable_places_cost_nothing(self):
        """A descriptor limit that forbids opening any file, after what the program itself needs."""
        out = run([GUEST, SOURCE, ''], WEFT_PERF='jitdump', WEFT_DEBUGGER='1',
                  WEFT_CACHE_DIR='/proc/none')
        self.assertIn(RESULT, out)


if __name__ == '__main__':
    tap.main()
