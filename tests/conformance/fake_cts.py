#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Behaves like a binary of the Khronos CTS: same arguments, log lines and results file.

What a sub-test does is in its name up to the first underscore. FAKE_TRACE names a file that gets a
line for each process and each sub-test.
"""

import json
import os
import signal
import sys
import time

NAMES = os.environ.get("FAKE_NAMES", "pass_one pass_two fail_one skip_one").split()


def trace(text):
    if "FAKE_TRACE" in os.environ:
        with open(os.environ["FAKE_TRACE"], "a", encoding="utf-8") as file:
            file.write(text + "\n")


def chosen(words):
    words = [word for word in words if not word.startswith("-")]
    picked = []
    for word in words or ["all"]:
        mine = [name for name in NAMES
                if word == "all" or name == word
                or ("*" in word and name.startswith(word.split("*")[0]))]
        if not mine:
            print(f"ERROR: The argument '{word}' did not match any test names.")
            sys.exit(1)
        picked += mine
    return [name for name in NAMES if name in picked]


def run(name):
    """The verdict of one sub-test, if it comes to one."""
    kind = name.split("_")[0]
    print(f"{name}...", flush=True)
    trace(name)
    if kind == "crash":
        print("last words")
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    if kind == "hang":
        time.sleep(60)
    if kind == "slow":
        time.sleep(0.7)
    if kind == "fail":
        print("ERROR: 41 is not 42")
        print(f"{name} FAILED")
        return "fail"
    if kind == "skip":
        print("cl_khr_something is not supported, skipping")
        print(f"{name} test not supported")
        return "skip"
    print(f"{name} passed")
    return "pass"


def main():
    words = sys.argv[1:]
    if "--list" in words:
        print("".join(f"\t{name}\n" for name in NAMES), end="")
        return 0
    trace("process " + " ".join(words))
    print("Compute Device Name = Fake, Compute Device Vendor = Nobody")
    results = {name: run(name) for name in chosen(words)}
    if "--no-json" not in words:
        with open(os.environ["CL_CONFORMANCE_RESULTS_FILENAME"], "w", encoding="utf-8") as file:
            json.dump({"cmd": sys.argv[0], "args": "", "results": results}, file)
    if "--crash-at-exit" in words:
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGABRT)
    if "--lie" in words:
        return 1
    return 1 if "fail" in results.values() else 0


sys.exit(main())
