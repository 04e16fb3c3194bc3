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


def outcomes(*commands, suite=None):
    tests = [{'name': str(i), 'cmd': list(command), 'suite': suite or []} for i, command in enumerate(commands)]
    with contextlib.redirect_stdout(io.StringIO()):
        found = run.run_all(tests, '/', 1, 1, False)
    return {outcome.name: outcome for outcome in found}


class Run(unittest.TestCase):
    def test_missing_program_fails_and_the_rest_still_runs(self):
        found = outcomes(['/nonexistent/program'], ['printf', '1..1\nok 1 - one\n'])
        self.assertEqual(len(found['0'].failed), 1)
        self.assertEqual((found['1'].passed, found['1'].failed), (1, []))

    def test_exit_status(self):
        found = outcomes(['false'], ['sh', '-c', 'exit 77'], ['true'], suite=['weft:exit-status'])
        self.assertEqual(len(found['0'].failed), 1)
        self.assertEqual(len(found['1'].skipped), 1)
        self.assertEqual((found['2'].passed, found['2'].failed), (1, []))

    def test_no_plan(self):
        """Passed on e8e9dd5: a program that ended too early, and with status 0."""
        found = outcomes(['true'], ['printf', 'ok 1 - one\n'], ['sh', '-c', 'exit 77'])
        for outcome in found.values():
            self.assertEqual(len(outcome.failed), 1)

    def test_plan_of_none_without_a_reason(self):
        """Passed on e8e9dd5."""
        found = outcomes(['echo', '1..0'], ['echo', '1..0 # SKIP'], ['sh', '-c', 'echo 1..0; exit 77'])
        for outcome in found.values():
            self.assertEqual((len(outcome.failed), outcome.skipped), (1, []))

    def test_bail_out(self):
        """Passed on e8e9dd5, where the plan says as many tests as ran."""
        found = outcomes(['printf', '1..1\nok 1 - one\nBail out! no memory\n'], ['echo', 'Bail out!'])
        self.assertIn('Bail out! no memory', found['0'].failed)
        self.assertTrue(found['1'].failed)

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
