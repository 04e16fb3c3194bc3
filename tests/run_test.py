#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What run.py makes of programs that end badly, or not at all."""
import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import run  # noqa: E402
import tap  # noqa: E402


def outcomes(*commands):
    tests = [{'name': str(i), 'cmd': list(command)} for i, command in enumerate(commands)]
    with contextlib.redirect_stdout(io.StringIO()):
        found = run.run_all(tests, '/', 1, 1, False)
    return {outcome.name: outcome for outcome in found}


class Run(unittest.TestCase):
    def test_missing_program_fails_and_the_rest_still_runs(self):
        found = outcomes(['/nonexistent/program'], ['true'])
        self.assertEqual(len(found['0'].failed), 1)
        self.assertEqual((found['1'].passed, found['1'].failed), (1, []))

    def test_exit_status(self):
        found = outcomes(['false'], ['sh', '-c', 'exit 77'])
        self.assertEqual(len(found['0'].failed), 1)
        self.assertEqual(len(found['1'].skipped), 1)

    def test_plan_of_none(self):
        """A program for a processor that this one is not (rt-v4 without AVX-512)."""
        found = outcomes(['sh', '-c', 'echo "1..0 # SKIP no AVX-512"; exit 77'],
                         ['sh', '-c', 'echo "1..0 # SKIP no AVX-512"; exit 1'])
        self.assertEqual((found['0'].skipped, found['0'].failed), (['no AVX-512'], []))
        self.assertEqual(len(found['1'].failed), 1)

    def test_broken_plan(self):
        found = outcomes(['printf', '1..2\nok 1 - one\n'])
        self.assertEqual((found['0'].passed, len(found['0'].failed)), (1, 1))


if __name__ == '__main__':
    tap.main()
