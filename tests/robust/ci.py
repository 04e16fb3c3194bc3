# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft ci: the environment that it prints, its exit statuses, and who counts as having run a kernel."""
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ['WEFT_SOURCE_ROOT'], 'tests'))
import tap  # noqa: E402

BUILD = os.environ['WEFT_BUILD_ROOT']
TOOL = os.path.join(BUILD, 'runtime', 'tool', 'weft')
ROOM = os.path.join(BUILD, 'tests', 'robust', 'ci.tmp')
DEMO = os.path.join(BUILD, 'tests', 'demo', 'weft-demo')
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(('WEFT_', 'OCL_ICD_'))}
USAGE, NO_KERNEL = 2, 3
RAN = 'echo "$$ kernel" >>"$WEFT_RAN"'  # what a process does whose kernel has run


class Ci(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(ROOM, ignore_errors=True)
        os.makedirs(ROOM)

    def tearDown(self):
        shutil.rmtree(ROOM, ignore_errors=True)

    def start(self, *arguments, **environment):
        # nohup, under which tests may run, has SIGHUP ignored.
        return subprocess.Popen([TOOL, 'ci', *arguments], cwd=ROOM, env={**CLEAN, **environment},
                                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ci(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        lines, said = process.communicate(timeout=100)
        return process.returncode, lines, said

    def shell(self, lines, **environment):
        """A script, in which $weft is the tool."""
        done = subprocess.run(['sh', '-c', f'weft={shlex.quote(TOOL)}; {lines}'], cwd=ROOM, capture_output=True, text=True,
                              env={**CLEAN, **environment}, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        with open(os.path.join(ROOM, name), 'w') as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(ROOM, name)) as file:
            return file.read()

    def test_prints_what_a_shell_takes(self):
        status, lines, _ = self.ci('--cache', "it's here", '--threads', '7')
        self.assertEqual(status, 0)
        said = subprocess.run(['sh', '-c', lines + 'env'], capture_output=True, text=True, check=True).stdout.split('\n')
        self.assertIn(f"WEFT_CACHE_DIR={ROOM}/it's here", said)
        self.assertIn('WEFT_THREADS=7', said)
        library = os.path.realpath(os.path.join(BUILD, 'icd', 'libweft.so'))
        self.assertIn('OCL_ICD_VENDORS=' + library, said)
        self.assertIn('OCL_ICD_FILENAMES=' + library, said)

    def test_version(self):
        """The variable that argp prints was hidden from it: `weft --version' was no option."""
        done = subprocess.run([TOOL, '--version'], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r'^weft \d+\.\d+\.\d+\n$')

    def test_compile_asks_the_compiler_that_the_library_would(self):
        """It started the one beside it, whatever WEFT_COMPILER or weft.conf said."""
        said = subprocess.run([TOOL, 'compile', 'some.cl'], env={**os.environ, 'WEFT_COMPILER': '/bin/echo'},
                              capture_output=True, text=True)
        self.assertTrue(said.stdout.endswith(' some.cl\n'), said)
        said = subprocess.run([TOOL, 'compile', 'some.cl'], env={**os.environ, 'WEFT_COMPILER': '/nowhere'},
                              capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stderr), (1, 'weft: /nowhere: No such file or directory\n'))

    def test_prints_plain_lines(self):
        _, lines, _ = self.ci('--plain')
        self.assertEqual([line.split('=')[0] for line in lines.split()],
                         ['OCL_ICD_VENDORS', 'OCL_ICD_FILENAMES', 'WEFT_CACHE_DIR', 'WEFT_THREADS', 'WEFT_RAN'])

    def test_threads_are_those_the_job_may_use(self):
        one = {min(os.sched_getaffinity(0))}
        done = subprocess.run([TOOL, 'ci', '--plain'], cwd=ROOM, capture_output=True, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, one))
        self.assertIn('WEFT_THREADS=1\n', done.stdout)

    def test_no_kernel_is_red(self):
        self.assertEqual(self.ci('true')[0], NO_KERNEL)
        # Listing devices runs nothing.
        self.assertEqual(self.ci(TOOL, 'info')[0], NO_KERNEL)

    def test_statuses_of_the_command(self):
        self.assertEqual(self.ci('sh', '-c', 'exit 7')[0], 7)
        self.assertEqual(self.ci('sh', '-c', 'kill -9 $$')[0], 128 + 9)
        self.assertEqual(self.ci('./there-is-no-such-program')[0], 127)
        self.assertEqual(self.ci('--no-such-option')[0], 2)

    def test_a_kernel_is_green_and_counted(self):
        if not os.path.exists(DEMO):
            self.skipTest('the demo is not built')
        status, _, said = self.ci(DEMO, 'picture.png')
        self.assertEqual(status, 0, said)
        self.assertIn('1 process ran kernels', said)
        status, _, said = self.ci('sh', '-c', f'{DEMO} a.png & {DEMO} b.png; wait; true')
        self.assertEqual(status, 0, said)
        self.assertIn('2 processes ran kernels', said)
        # Nothing is left but what is to be kept.
        self.assertEqual(sorted(os.listdir(ROOM)), ['.weft-cache', 'a.png', 'b.png', 'picture.png'])

    def test_check_behind_a_job(self):
        ran = os.path.join(ROOM, 'ran')
        self.assertEqual(self.ci('--check', WEFT_RAN=ran)[0], NO_KERNEL)
        with open(ran, 'w') as file:
            file.write('1 kernel\n')
        self.assertEqual(self.ci('--check', WEFT_RAN=ran)[0], 0)

    def test_check_wants_a_note(self):
        """Without the environment of `weft ci' it took whatever .weft-ran lay there."""
        self.write('.weft-ran', '1 kernel\n')
        self.assertEqual(self.ci('--check')[0], USAGE)

    def test_an_old_note_does_not_count(self):
        """A note of an earlier job, in the same folder, kept all later ones green; so did any other line."""
        self.write('note', '1 kernel\n')
        self.assertEqual(self.ci('--ran', 'note', 'true')[0], NO_KERNEL)
        for _ in range(2):
            self.assertEqual(self.shell(f'eval "$($weft ci)"; {RAN}; $weft ci --check')[0], 0)
            self.assertEqual(self.shell('eval "$($weft ci)"; $weft ci --check')[0], NO_KERNEL)
        self.write('note', 'hello\n1 \nx kernel\n1 kernel without an end')
        self.assertEqual(self.ci('--check', '--ran', 'note')[0], NO_KERNEL)

    def test_the_file_is_left_alone(self):
        """--ran deleted whatever it named."""
        self.write('precious', 'text\n')
        status, _, said = self.ci('--ran', 'precious', 'sh', '-c', RAN)
        self.assertEqual((status, self.read('precious')), (USAGE, 'text\n'))
        self.assertIn('precious cannot be the note of which processes ran kernels: it has lines', said)
        self.assertEqual(self.ci('--ran', 'kept', 'sh', '-c', RAN)[0], 0)
        self.assertRegex(self.read('kept'), r'^\d+ kernel\n$')

    def test_a_note_that_cannot_be_written_is_told(self):
        """It was "no kernel has run"."""
        for place in ('/nowhere/note', '.', '/dev/null', 'no/../note'):
            status, _, said = self.ci('--ran', place, 'sh', '-c', 'true')
            self.assertEqual(status, USAGE, place)
            self.assertIn('cannot be the note', said)
        os.mkdir(os.path.join(ROOM, 'tmp'))
        for place in (ROOM + '/tmp', '/nowhere', 'tmp'):
            self.assertEqual(self.ci('sh', '-c', RAN, TMPDIR=place)[0], 0, place)
        self.assertEqual(os.listdir(os.path.join(ROOM, 'tmp')), [])

    def test_a_job_within_a_job(self):
        """They shared a file that each deleted."""
        inner = f"$weft ci sh -c '{RAN}'"
        self.assertEqual(self.shell(f'$weft ci {inner}')[0], 0)
        self.assertEqual(self.shell(f'eval "$($weft ci)"; {inner}; $weft ci --check')[0], 0)
        self.assertEqual(self.shell(f"export weft RAN='{RAN}'; $weft ci sh -c '$weft ci --ran other sh -c \"$RAN\"; true'")[0], 0)
        self.assertEqual(self.shell('$weft ci $weft ci true')[0], NO_KERNEL)

    def test_jobs_at_the_same_time(self):
        """The one that ran nothing was green, the other red."""
        os.mkfifo(os.path.join(ROOM, 'go'))
        idle = self.start('sh', '-c', 'read x <go')
        self.assertEqual(self.ci('sh', '-c', RAN)[0], 0)
        with open(os.path.join(ROOM, 'go'), 'w') as go:
            go.write('on\n')
        idle.communicate(timeout=100)
        self.assertEqual(idle.returncode, NO_KERNEL)

    def test_a_parent_that_ignores_its_children(self):
        """SIGCHLD ignored took the status: failing jobs were green."""
        for command, wanted in (('exit 7', 7), ('kill -9 $$', 137), (f'{RAN}; false', 1), (RAN, 0)):
            done = subprocess.run([TOOL, 'ci', 'sh', '-c', command], cwd=ROOM, capture_output=True,
                                  preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
            self.assertEqual(done.returncode, wanted, command)

    def test_what_ends_the_job_ends_the_command(self):
        """It went on as an orphan. What nohup ignores stays ignored."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            job = self.start('sh', '-c', 'echo $$ >there; exec sleep 100')
            while not os.path.exists(os.path.join(ROOM, 'there')) or not self.read('there'):
                time.sleep(0.01)
            job.send_signal(number)
            job.communicate(timeout=50)
            self.assertEqual(job.returncode, 128 + number)
            with self.assertRaises(ProcessLookupError):
                os.kill(int(self.read('there')), 0)
            os.unlink(os.path.join(ROOM, 'there'))

    def test_options_that_go_with_no_command(self):
        """The command was dropped, or the option."""
        for option in ('--check', '--plain'):
            self.assertEqual(self.ci(option, 'true')[0], USAGE)

    def test_the_cache_is_not_for_git(self):
        self.ci('true')
        self.assertEqual(self.read('.weft-cache/.gitignore'), '*\n')

    def test_closed_output(self):
        self.assertEqual(self.shell("$weft ci sh -c 'exit 5' >&-")[0], 5)

    def test_reference_says_whose_fault_it_is(self):
        status, _, said = self.ci('--reference', 'sh', '-c', 'test "$WEFT_REFERENCE" = 1')
        self.assertEqual(status, 1)
        self.assertIn('good in reference execution', said)
        status, _, said = self.ci('--reference', 'false')
        self.assertEqual(status, 1)
        self.assertIn("not the optimiser's doing", said)


if __name__ == '__main__':
    tap.main()
