#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder of real programs with programs that are not real: what it makes of those that end badly."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import table  # noqa: E402
import tap  # noqa: E402
import ladder  # noqa: E402

ICD = os.environ.get('OCL_ICD_VENDORS', '')
HEAD = f'import os, sys, time\nsys.path.insert(0, {str(HERE)!r})\nimport ladder\ndef run(app):\n'
TAIL = "if __name__ == '__main__':\n    ladder.main(run, globals().get('inside'))\n"
FAKES = {
    'passes': "    app.result('speed', 12.3456789, 'GB/s')\n    open(os.environ['RUNS'], 'a').write('x')\n",
    'fails': "    app.result('sum', passed=False, note='3 is not | 4')\n",
    'partly': "    for n in range(4):\n        if f'part/{n}' not in app.have:\n"
              "            app.result(f'part/{n}', 10 ** n, 's', passed=n != 3)\n"
              "            if n == 1 and not os.path.exists(os.environ['RUNS']):\n                os.abort()\n",
    'hangs': "    app.result('first', 1, 's')\n"
             "    app.command('sh', '-c', 'echo $$ > \"$PIDS\"; sleep 100', seconds=90)\n",
    'slow': "    ended = app.command('sh', '-c', 'sleep 100 & echo $! > \"$PIDS\"; wait', seconds=0.5)\n"
            "    app.result('step', passed=ended.good, note=ended.why())\n",
    'crashes': "    os.abort()\n",
    'below': "    app.inside(sys.executable, 'x')\ndef inside(word):\n    ladder.say('before', 1, 's')\n"
             "    os.kill(os.getpid(), 11)\n",
    'silent': "    app.inside(sys.executable, 'x')\ndef inside(word):\n    print('hello')\n",
    'nothing': "    pass\n",
    'nonsense': "    print('hello')\n    print('{\"program\": \"nonsense\", \"test\": 3}')\n"
                "    app.result('nan', float('nan'), 's')\n",
    'missing': "    app.folder('what nobody has')\n",
    'uninstallable': "    app.pip('/nonexistent/package')\n",
    'surroundings': "    ended = app.command(sys.executable, '-c', 'import os, sys; print(sys.stdin.read() == \"\", '\n"
                    "        'os.environ[\"OCL_ICD_VENDORS\"], os.listdir(os.environ[\"XDG_CACHE_HOME\"]))')\n"
                    "    app.result('surroundings', passed=ended.good, note=ended.output)\n"}


class Ladder(unittest.TestCase):
    def setUp(self):
        if not ladder.describe(ICD):
            self.skipTest('no OpenCL device through OCL_ICD_VENDORS')
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, body in FAKES.items():
            (self.folder / f'{name}.py').write_text(HEAD + body + TAIL, encoding='utf-8')
        self.page = self.folder / 'page.md'
        self.page.write_text(f'before\n{table.BEGIN}\nold\n{table.END}\nafter\n', encoding='utf-8')

    def environment(self):
        return dict(os.environ, RUNS=str(self.folder / 'runs'), PIDS=str(self.folder / 'pids'))

    def command(self, words, runtimes, seconds):
        icds = [word for name in runtimes for word in ('--icd', f'{name}={ICD}')]
        return [sys.executable, HERE / 'run', *icds, '--programs', self.folder, '--results', self.folder / 'results',
                '--cache', self.folder / 'cache', '--page', self.page, '--seconds', str(seconds), *words]

    def run_ladder(self, *words, runtimes=('weft',), seconds=60):
        """(exit status, (program, test) -> result of the first runtime, what it printed)"""
        done = subprocess.run(self.command(words, runtimes, seconds), env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        file = self.folder / 'results' / 'results.jsonl'
        rows = [json.loads(line) for line in file.read_text(encoding='utf-8').splitlines()] if file.exists() else []
        found = {(row['program'], row['test']): row for row in rows
                 if row.get('test') and row['runtime'] == runtimes[0]}
        return done.returncode, found, done.stdout

    def ended(self, file):
        """Has the process whose number a file has gone, or is it only waited for?"""
        stat = pathlib.Path('/proc', (self.folder / file).read_text(encoding='utf-8').strip(), 'stat')
        for _ in range(100):  # a signal takes a moment
            try:
                if stat.read_text(encoding='utf-8').split()[2] in 'ZX':
                    return True
            except (FileNotFoundError, ProcessLookupError):
                return True
            time.sleep(0.1)
        return False

    def test_a_program_that_passes_is_in_the_table_and_not_run_again(self):
        for _ in range(2):
            status, found, _ = self.run_ladder('passes', runtimes=('weft', 'other'))
            self.assertEqual(status, 0)
        self.assertEqual(found['passes', 'speed']['value'], 12.346)
        self.assertEqual((self.folder / 'runs').read_text(encoding='utf-8'), 'xx')
        text = self.page.read_text(encoding='utf-8')
        self.assertIn('| program | test | unit | weft | other |', text)
        self.assertIn('| passes | speed | GB/s | 12.3 | 12.3 |', text)
        self.assertTrue(text.startswith('before\n') and text.endswith('after\n') and 'old' not in text)
        self.run_ladder('passes', '--again')
        self.assertEqual((self.folder / 'runs').read_text(encoding='utf-8'), 'xxx')

    def test_a_failure_fails_the_run_and_is_named_below_the_table(self):
        status, found, output = self.run_ladder('fails', 'passes')
        self.assertEqual((status, found['fails', 'sum']['passed']), (1, False))
        self.assertTrue(output.endswith('1 passed, 1 failed, 0 skipped\n'), output)
        self.assertIn('- fails, weft: sum: 3 is not \\| 4', self.page.read_text(encoding='utf-8'))

    def test_a_stopped_program_goes_on_where_it_was(self):
        status, found, _ = self.run_ladder('partly')
        self.assertEqual((status, sorted(found)[-1]), (1, ('partly', 'run')))
        self.assertIn('ended with -6', found['partly', 'run']['note'])
        (self.folder / 'runs').touch()
        _, found, output = self.run_ladder('partly')
        self.assertEqual(sorted(found), [('partly', f'part/{n}') for n in range(4)])
        self.assertNotIn('part/1 ', output)
        self.assertIn('| partly | part | s, mean of 3 | 3 of 4; 10 |', self.page.read_text(encoding='utf-8'))

    def test_a_program_that_hangs_is_ended_with_all_it_has_started(self):
        status, found, _ = self.run_ladder('hangs', seconds=2)
        self.assertEqual((status, found['hangs', 'first']['passed']), (1, True))
        self.assertIn('did not end within 2', found['hangs', 'run']['note'])
        self.assertTrue(self.ended('pids'))
        _, found, _ = self.run_ladder('slow')
        self.assertIn('did not end within', found['slow', 'step']['note'])
        self.assertTrue(self.ended('pids'))

    def test_a_run_that_is_stopped_leaves_nothing_behind(self):
        with subprocess.Popen(self.command(['hangs'], ['weft'], 60), env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            pids = self.folder / 'pids'
            deadline = time.monotonic() + 60
            while not (pids.exists() and pids.read_text(encoding='utf-8').strip()) and time.monotonic() < deadline:
                time.sleep(0.05)
            process.terminate()
            self.assertNotEqual(process.wait(60), 0)
        self.assertTrue(self.ended('pids'))

    def test_a_crash_is_a_failure(self):
        status, found, _ = self.run_ladder('crashes', 'below')
        self.assertEqual((status, found['crashes', 'run']['passed']), (1, False))
        self.assertEqual(found['below', 'before']['passed'], True)
        self.assertEqual(found['below', 'run']['passed'], False)
        self.assertIn('SIGSEGV', found['below', 'run']['note'])

    def test_nonsense_and_silence_are_failures(self):
        status, found, _ = self.run_ladder('nonsense', 'silent', 'nothing')
        self.assertEqual(status, 1)
        self.assertTrue(all(row['passed'] is False for row in found.values()), found)
        self.assertEqual(len(found), 4)
        self.assertIn('nonsense', found['nonsense', 'run']['note'])
        self.assertIsNone(found['nonsense', 'nan']['value'])

    def test_what_cannot_be_had_is_skipped_with_the_reason(self):
        for words in (['missing'], ['missing', 'uninstallable']):  # what was missing is tried again
            status, found, output = self.run_ladder(*words)
            self.assertEqual(status, 1)  # where nothing has passed, nothing is good
            self.assertTrue(output.endswith(f'0 passed, 0 failed, {len(words)} skipped\n'), output)
            self.assertIn('missing        weft     skipped', output)
        self.assertIn('WEFT_APPS_MISSING', found['missing', 'run']['note'])
        self.assertIn('/nonexistent/package', found['uninstallable', 'run']['note'])
        self.assertIn('- missing, weft: run: not run: WEFT_APPS_MISSING', self.page.read_text(encoding='utf-8'))
        self.assertIsNone(found['missing', 'run']['passed'])

    def test_surroundings_of_a_program(self):
        _, found, _ = self.run_ladder('surroundings')
        self.assertEqual(found['surroundings', 'surroundings']['note'], f'True {os.path.abspath(ICD)} []')

    def test_wrong_words(self):
        for words in (['nobody'], ['passes', '--icd', 'none=/nonexistent']):
            status, found, _ = self.run_ladder(*words)
            self.assertEqual((status, found), (1, {}))
        self.page.write_text('no marks', encoding='utf-8')
        self.assertNotEqual(self.run_ladder('passes')[0], 0)
        self.assertEqual(self.page.read_text(encoding='utf-8'), 'no marks')


class Table(unittest.TestCase):
    def make(self, *rows):
        rows = [dict(zip(('program', 'runtime', 'test', 'value', 'passed'), row), unit='s', note='') for row in rows]
        versions = [{'runtime': name, 'version': name, 'cpu': 'c', 'when': 'd'} for name in ('a', 'b')]
        return table.make([*versions, *rows])

    def test_means_are_of_what_all_have_passed(self):
        text = self.make(('p', 'a', 't/1', 1, True), ('p', 'a', 't/2', 100, True), ('p', 'a', 't/3', 7, True),
                         ('p', 'b', 't/1', 4, True), ('p', 'b', 't/2', 4, True), ('p', 'b', 't/3', 7, False))
        self.assertIn('| p | t | s, mean of 2 | 3 of 3; 10 | 2 of 3; 4 |', text)

    def test_what_was_not_run_is_no_result(self):
        text = self.make(('p', 'a', 't', None, None), ('p', 'b', 't', 1.25, True))
        self.assertIn('| p | t | s | — | 1.25 |', text)
        self.assertNotIn('Failed', text)
        self.assertIn('| p | t | s | 3 (failed) | failed |',
                      self.make(('p', 'a', 't', 3, False), ('p', 'b', 't', None, False)))


class Scripts(unittest.TestCase):
    def test_each_is_described_and_can_be_run(self):
        text = (HERE.parent.parent / 'docs' / 'applications.md').read_text(encoding='utf-8')
        scripts = [path for path in HERE.glob('*.py') if path.stem not in ('ladder', 'table', 'test_ladder')]
        self.assertGreater(len(scripts), 15)
        for path in scripts:
            self.assertTrue(os.access(path, os.X_OK), path.name)
            self.assertIn(f'`{path.stem}`', text)
            run = subprocess.run([sys.executable, path, '--help'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL, timeout=60, check=False)
            self.assertEqual(run.returncode, 0, run.stdout)


if __name__ == '__main__':
    tap.main()
