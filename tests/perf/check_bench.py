# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that weft-bench notices what goes wrong.

Runs a few lines against the ICD in OCL_ICD_VENDORS, once as it is and then with each of the faults
of faults.c. WEFT_BENCH and WEFT_BENCH_FAULTS are the files that meson made of them.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap  # noqa: E402

BENCH, FAULTS, ICD = (os.path.abspath(os.environ[name]) for name in
                      ("WEFT_BENCH", "WEFT_BENCH_FAULTS", "OCL_ICD_VENDORS"))
LINES = ("bandwidth/read", "queue/read4", "kernel/collatz", "build/tiny")


def run_bench(fault, *arguments, lines=LINES, timeout="60"):
    """Returns (exit status, stdout, {line: outcome of the ICD})."""
    environment = dict(os.environ)
    if fault:
        environment |= {"LD_PRELOAD": FAULTS, "BENCH_FAULT": fault}
    with tempfile.TemporaryDirectory() as folder:
        environment["TMPDIR"] = folder
        path = os.path.join(folder, "results.json")
        only = [word for line in lines for word in ("--only", line)]
        done = subprocess.run([BENCH, "--icd", f"it={ICD}", "--runs", "2", "--timeout", timeout,
                               "--json", path, *only, *arguments], env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        left = [name for name in os.listdir(folder) if name.startswith("weft-bench-")]
    assert not left, f"temporary files are left: {left}"
    outcomes = {line["id"]: line["results"]["it"]["outcome"] for line in results["lines"]}
    return done.returncode, done.stdout, outcomes


class Faults(unittest.TestCase):
    def check(self, fault, outcome, **options):
        status, text, outcomes = run_bench(fault, **options)
        self.assertEqual(status, 1, text)
        self.assertEqual(set(outcomes.values()), {outcome}, text)
        self.assertIn(f": {outcome}: ", text)

    def test_good(self):
        status, text, outcomes = run_bench(None)
        self.assertEqual(status, 0, text)
        self.assertEqual(set(outcomes.values()), {"ok"}, text)

    def test_wrong(self):
        self.check("wrong", "WRONG")

    def test_error(self):
        self.check("error", "failed")

    def test_crash(self):
        self.check("crash", "CRASH")

    def test_hang(self):
        self.check("hang", "TIMEOUT", timeout="3", lines=("queue/read4", "build/tiny"))

    def test_parts(self):
        status, text, _ = run_bench("parts", lines=("build/tiny",))
        self.assertEqual(status, 0, text)
        self.assertRegex(text, r"two words +1\.50 ")
        self.assertRegex(text, r"word +2\.25 ")  # the sum of two lines
        self.assertNotIn("nonsense", text)

    def test_usage(self):
        done = subprocess.run([BENCH, "--icd", "it=/nowhere.icd"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([BENCH, "--list"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("kernel/collatz ", done.stdout)


if __name__ == "__main__":
    tap.main()
