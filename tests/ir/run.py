# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs single stages on small modules: one file per stage or bug.

Each .ll file says how it is run and what must come out:

    ; RUN: --stage regions            arguments of weft-compiler; several lines: several runs
    ; FAILS: sentence                 the run fails, and its log has this text
    ; CHECK, CHECK-NOT ...: text      what FileCheck is to find in the output of a run, or not
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / 'compiler'))

import common  # noqa: E402
import tap  # noqa: E402

DIRECTIVE = re.compile(r';\s*(CHECK(?:-[A-Z]+)?|RUN|FAILS):\s*(.*?)\s*$')
FILECHECK = os.environ.get('WEFT_FILECHECK') or shutil.which('FileCheck-22')


def check(path, output):
    """"", or what FileCheck says about the first directive of the file that `output` does not meet."""
    done = subprocess.run([FILECHECK, '--allow-empty', '--dump-input=never', path], input=output,
                          capture_output=True, check=False)
    return done.stderr.decode() if done.returncode else ''


class Stages(unittest.TestCase):
    """One test per file, added below."""

    def run_file(self, path):
        if not FILECHECK:
            self.skipTest('FileCheck is not installed (llvm-22-tools)')
        directives = [match.groups() for match in map(DIRECTIVE.match, path.read_text().splitlines())
                      if match]
        runs = [text for kind, text in directives if kind == 'RUN']
        fails = [text for kind, text in directives if kind == 'FAILS']
        checks = [d for d in directives if d[0].startswith('CHECK')]
        self.assertTrue(runs and (checks or fails), 'the file checks nothing')
        for arguments in runs:
            result = common.run(*arguments.split(), '--verify', path)
            if fails:
                self.assertEqual(result.status, 1, result.output)
                for text in fails:
                    self.assertIn(text, result.log)
                continue
            self.assertEqual(result.status, 0, result.log)
            problem = check(path, result.output)
            if problem:
                self.fail(f'{arguments}: {problem}\n{result.text}')


def add_tests():
    for path in sorted(HERE.glob('*.ll')):
        setattr(Stages, 'test_' + path.stem, lambda self, path=path: self.run_file(path))


add_tests()
if __name__ == '__main__':
    tap.main()
