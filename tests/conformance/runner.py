# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of conformance/run with binaries that pass, fail, skip, crash, hang and lie.

Runs under ./check, and alone: python3 -m unittest tests/conformance/runner.py
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402


class Runner(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="runner-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("one/test_one", "two/test_two"):
            path = self.path("cts", "test_conformance", name)
            os.makedirs(os.path.dirname(path))
            shutil.copy(os.path.join(HERE, "fake_cts.py"), path)
            os.chmod(path, 0o755)
        self.write("lib.icd", "libfake.so\n")
        self.write("known.txt", "# none\n")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def command(self, *arguments):
        return [os.path.join(ROOT, "conformance", "run"), "--cts", self.path("cts"),
                "--icd", self.path("lib.icd"), "--known", self.path("known.txt"),
                "--results", self.path("results"), *arguments]

    def environment(self, names):
        return dict(os.environ, FAKE_NAMES=names, FAKE_TRACE=self.path("trace"))

    def run_cts(self, *arguments, names="pass_one pass_two fail_one skip_one", known="", lists=""):
        """Returns (exit status, output); a list is run unless the arguments name a binary."""
        if known:
            self.write("known.txt", known)
        if lists:
            self.write("list.txt", lists)
            arguments = ("--list", self.path("list.txt"), *arguments)
        done = subprocess.run(self.command(*arguments), env=self.environment(names), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              timeout=60)
        return done.returncode, done.stdout

    def kinds(self):
        with open(self.path("results", "results.json"), encoding="utf-8") as file:
            return {f"{row['binary']} {row['sub_test']}": row["kind"]
                    for row in json.load(file)["results"]}

    def traced(self):
        with open(self.path("trace"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_pass_fail_skip(self):
        status, text = self.run_cts("--binary", "one/test_one")
        self.assertEqual(status, 1, text)
        self.assertEqual(text.splitlines()[-1], "2 passed, 1 failed, 1 skipped")
        self.assertIn("41 is not 42", text)
        self.assertIn("cl_khr_something is not supported", text)
        self.assertEqual(self.kinds(), {"test_one pass_one": "pass", "test_one pass_two": "pass",
                                        "test_one fail_one": "fail", "test_one skip_one": "skip"})

    def test_all_good(self):
        status, text = self.run_cts("--binary", "test_one", "pass_*")
        self.assertEqual(status, 0, text)
        self.assertEqual(text.splitlines()[-1], "2 passed, 0 failed, 0 skipped")

    def test_known_failure(self):
        status, text = self.run_cts("--binary", "one/test_one",
                                    known="test_one fail_one : arithmetic (issue 42)\n")
        self.assertEqual(status, 0, text)
        self.assertIn("arithmetic (issue 42)", text)
        self.assertEqual(text.splitlines()[-1], "2 passed, 1 failed, 1 skipped")

    def test_known_failure_of_other_arguments(self):
        known = "test_one fail_one LINEAR : filtering\n"
        status, text = self.run_cts(lists="one/test_one -LINEAR fail_one\n", known=known)
        self.assertEqual(status, 1, text)
        known = "test_one fail_one -LINEAR : filtering\n"
        status, text = self.run_cts(lists="one/test_one -LINEAR fail_one\n", known=known)
        self.assertEqual(status, 0, text)

    def test_unexpected_pass(self):
        status, text = self.run_cts("--binary", "one/test_one", "pass_one",
                                    known="test_one pass_one : not built yet\n")
        self.assertEqual(status, 1, text)
        self.assertEqual(self.kinds(), {"test_one pass_one": "surprise"})
        self.assertEqual(text.splitlines()[-1], "1 passed, 0 failed, 0 skipped")

    def test_skip_of_a_known_failure_is_a_skip(self):
        status, text = self.run_cts("--binary", "one/test_one", "skip_one",
                                    known="test_one skip_one : not built yet\n")
        self.assertEqual(status, 0, text)
        self.assertEqual(text.splitlines()[-1], "0 passed, 0 failed, 1 skipped")

    def test_crash(self):
        status, text = self.run_cts("--binary", "one/test_one",
                                    names="pass_a skip_b fail_c crash_d pass_e crash_f pass_g")
        self.assertEqual(status, 1, text)
        self.assertEqual(text.splitlines()[-1], "3 passed, 3 failed, 1 skipped")
        self.assertIn("crashed: SIGSEGV; last line: last words", text)
        # Three processes, and nothing ran twice.
        self.assertEqual([line for line in self.traced() if not line.startswith("process")],
                         ["pass_a", "skip_b", "fail_c", "crash_d", "pass_e", "crash_f", "pass_g"])

    def test_crash_at_exit(self):
        status, text = self.run_cts(lists="one/test_one pass_one pass_two --crash-at-exit\n")
        self.assertEqual(status, 1, text)
        self.assertEqual(text.splitlines()[-1], "1 passed, 1 failed, 0 skipped")

    def test_hang(self):
        start = time.monotonic()
        status, text = self.run_cts("--binary", "one/test_one", "--timeout", "1",
                                    names="pass_a hang_b pass_c")
        self.assertEqual(status, 1, text)
        self.assertIn("timed out after 1 s", text)
        self.assertEqual(text.splitlines()[-1], "2 passed, 1 failed, 0 skipped")
        self.assertLess(time.monotonic() - start, 20)

    def test_time_limit_is_for_a_sub_test(self):
        status, text = self.run_cts("--binary", "one/test_one", "--timeout", "2",
                                    names="slow_a slow_b slow_c slow_d slow_e")
        self.assertEqual(status, 0, text)
        with open(self.path("results", "results.json"), encoding="utf-8") as file:
            seconds = [row["seconds"] for row in json.load(file)["results"]]
        self.assertTrue(all(0.5 < one < 5 for one in seconds), seconds)

    def test_missing_json(self):
        status, text = self.run_cts(lists="one/test_one pass_one pass_two --no-json\n")
        self.assertEqual(status, 1, text)
        self.assertEqual(text.splitlines()[-1], "0 passed, 2 failed, 0 skipped")

    def test_exit_status_against_json(self):
        status, text = self.run_cts(lists="one/test_one pass_one --lie\n")
        self.assertEqual(status, 1, text)
        self.assertEqual(text.splitlines()[-1], "0 passed, 1 failed, 0 skipped")

    def test_no_such_binary_or_sub_test(self):
        status, text = self.run_cts(lists="one/test_one pass_one\nthree/test_three\n")
        self.assertEqual(status, 1, text)
        self.assertIn("there is no such binary", text)
        self.assertEqual(text.splitlines()[-1], "1 passed, 1 failed, 0 skipped")
        status, text = self.run_cts("--binary", "one/test_one", "nothing")
        self.assertEqual(status, 1, text)

    def test_list_words(self):
        status, text = self.run_cts(
            names="pass_a pass_b pass_c fail_d",
            lists="# a comment\none/test_one !fail_* \\\n  !pass_c   # continued\n"
                  "two/test_two @apart @alone @timeout=30 pass_* -w\n")
        self.assertEqual(status, 0, text)
        self.assertEqual(text.splitlines()[-1], "5 passed, 0 failed, 0 skipped")
        processes = sorted(line for line in self.traced() if line.startswith("process"))
        self.assertEqual(processes, ["process pass_a -w", "process pass_a pass_b",
                                     "process pass_b -w", "process pass_c -w"])

    def test_bad_files(self):
        self.assertEqual(self.run_cts(lists="one/test_one @often\n")[0], 2)
        self.assertEqual(self.run_cts(lists="one/test_one\n", known="test_one fail_one\n")[0], 2)
        self.assertEqual(self.run_cts(lists="one/test_one\n", known="test_one typo : x\n")[0], 2)
        self.assertEqual(self.run_cts("--list", "there-is-none")[0], 2)

    def test_environment(self):
        self.run_cts("--binary", "one/test_one", "pass_one")
        with open(self.path("results", "vendors", "tested.icd"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "libfake.so\n")

    def test_resume(self):
        self.write("list.txt", "one/test_one\ntwo/test_two\n")
        names = "pass_a pass_b hang_c pass_d"
        arguments = ("--list", self.path("list.txt"), "--jobs", "1")
        first = subprocess.Popen(self.command(*arguments, "--timeout", "1"),
                                 env=self.environment(names), stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        state = self.path("results", "001-test_one.json")
        while not os.path.exists(state) and time.monotonic() < deadline:
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        before = len(self.traced())
        status, text = self.run_cts(*arguments, "--timeout", "1", "--resume", names=names)
        self.assertEqual(status, 1, text)
        self.assertEqual(text.splitlines()[-1], "6 passed, 2 failed, 0 skipped")
        # What had its result before the kill did not run again.
        after = self.traced()[before:]
        self.assertEqual([line for line in after if line == "hang_c"], ["hang_c"])

    def test_resume_of_another_run(self):
        self.run_cts("--binary", "one/test_one", "pass_one")
        self.write("other.icd", "libother.so\n")
        status, text = self.run_cts("--binary", "one/test_one", "--resume",
                                    "--icd", self.path("other.icd"))
        self.assertEqual(status, 2, text)

    def test_page(self):
        """A row for each binary and its options, whatever the processes; skips by their reasons."""
        self.run_cts(lists="one/test_one @apart -w\ntwo/test_two\n")
        done = subprocess.run([os.path.join(ROOT, "conformance", "page"), self.path("results"), "a try"],
                              text=True, stdout=subprocess.PIPE, check=True, timeout=60)
        rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
        self.assertIn("## a try", done.stdout)
        self.assertEqual(sum("| test_one | -w | 2 |  | 1 | 1 |  |" in row for row in rows), 1, rows)
        self.assertEqual(sum("| **all** |  | 4 |  | 2 | 2 |  |" in row for row in rows), 1, rows)
        self.assertTrue(any("skip_one" in row and "not supported, skipping" in row for row in rows))

    def test_page_of_named_sub_tests(self):
        """Names in the list are no options, whichever of them a process has run."""
        self.run_cts(lists="one/test_one @apart -w pass_one fail_one\n")
        done = subprocess.run([os.path.join(ROOT, "conformance", "page"), self.path("results"), "a try"],
                              text=True, stdout=subprocess.PIPE, check=True, timeout=60)
        self.assertIn("| test_one | -w | 1 |  | 1 |", done.stdout)

    def test_foreign_files_are_left_alone(self):
        os.mkdir(self.path("results"))
        self.write("results/thesis.txt", "years of work\n")
        status, text = self.run_cts("--binary", "one/test_one", "pass_one")
        self.assertEqual(status, 2, text)
        self.assertTrue(os.path.exists(self.path("results", "thesis.txt")))


if __name__ == "__main__":
    tap.main()
