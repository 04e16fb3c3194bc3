# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft ci: the environment that it prints, its exit statuses, and who counts as having run a kernel."""
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ['WEFT_SOURCE_ROOT'], 'tests'))
import tap  # noqa: E402

BUILD = os.environ['WEFT_BUILD_ROOT']
TOOL = os.path.join(BUILD, 'runtime', 'tool', 'weft')
ROOM = os.path.join(BUILD, 'tests', 'robust', 'ci.tmp')
DEMO = os.path.join(BUILD, 'tests', 'demo', 'weft-demo')
NO_KERNEL = 3


class Ci(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(ROOM, ignore_errors=True)
        os.makedirs(ROOM)

    def tearDown(self):
        shutil.rmtree(ROOM, ignore_errors=True)

    def ci(self, *arguments, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(('WEFT_', 'OCL_ICD_'))}
        done = subprocess.run([TOOL, 'ci', *arguments], cwd=ROOM, env={**clean, **environment},
                              capture_output=True, text=True, timeout=100)
        return done.returncode, done.stdout, done.stderr

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

    def test_an_old_note_does_not_count(self):
        with open(os.path.join(ROOM, '.weft-ran'), 'w') as file:
            file.write('1 kernel\n')
        self.assertEqual(self.ci('true')[0], NO_KERNEL)

    def test_reference_says_whose_fault_it_is(self):
        status, _, said = self.ci('--reference', 'sh', '-c', 'test "$WEFT_REFERENCE" = 1')
        self.assertEqual(status, 1)
        self.assertIn('good in reference execution', said)
        status, _, said = self.ci('--reference', 'false')
        self.assertEqual(status, 1)
        self.assertIn("not the optimiser's doing", said)


if __name__ == '__main__':
    tap.main()
