#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests that a build folder knows and sums up what each of them reports.

Meson counts programs; we count tests: a program prints TAP (https://testanything.org); one of Meson's
suite "exit-status" is a single test by its exit status (77: skipped). A crash, a time-out, "Bail out!",
no plan, one that was not kept or one of no tests without a reason is a failure, whatever else was
printed. That is why this is not Meson's own reading of TAP (protocol: 'tap'): Meson 1.0, which Debian 12
has, passes a program without a plan and one of `1..0` without a reason.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

RESULT = re.compile(r'^(not )?ok\b\s*\d*\s*(?:- )?(.*)$')
BAIL = re.compile(r'^Bail out!(.*)$')
PLAN = re.compile(r'^1\.\.(\d+)(.*)$')


class Outcome:
    """What one program's run amounts to."""

    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.why_none = ''
        self.output = ''
        self.seconds = 0.0

    def read_tap(self, text):
        """Counts TAP lines; returns the number of tests that the plan announces, None without."""
        plan = None
        for line in text.splitlines():
            match = BAIL.match(line)
            if match:
                self.failed.append(f'Bail out!{match.group(1)}')
                continue
            match = PLAN.match(line)
            if match:
                plan = int(match.group(1))
                directive = match.group(2).partition('#')[2].strip()
                if plan == 0 and directive.upper().startswith('SKIP '):
                    self.why_none = directive[5:].strip()
                continue
            match = RESULT.match(line)
            if not match:
                continue
            name, _, directive = match.group(2).partition('#')
            if match.group(1):
                self.failed.append(name.strip())
            elif directive.strip().upper().startswith('SKIP'):
                self.skipped.append(f'{name.strip()} ({directive.strip()[4:].strip()})')
            else:
                self.passed += 1
        return plan

    def total(self):
        return self.passed + len(self.failed) + len(self.skipped)


def judge_status(outcome, status):
    """One test, which prints what it likes."""
    if status == 0:
        outcome.passed = 1
    elif status == 77:
        outcome.skipped.append('whole program')
    else:
        outcome.failed.append(f'exit status {status}')


def judge_tap(outcome, status):
    plan = outcome.read_tap(outcome.output)
    if plan == 0 and outcome.total() == 0 and status in (0, 77):
        if outcome.why_none:
            outcome.skipped.append(outcome.why_none)
        else:
            outcome.failed.append('ran no test and does not say why')
    elif plan is None and not outcome.failed:
        outcome.failed.append(f'printed no plan (exit status {status})')
    elif plan is not None and plan != outcome.total():
        outcome.failed.append(f'planned {plan} tests, ran {outcome.total()}')
    elif status != 0 and not outcome.failed:
        outcome.failed.append(f'exit status {status}')


def run_one(test, build, timeout_scale):
    outcome = Outcome(test['name'])
    environment = dict(os.environ)
    # conformance/run reads it; `weft settings`, itself a test, refuses what is no setting of Weft.
    environment.pop('WEFT_CTS', None)
    environment.update(test.get('env') or {})
    start = time.monotonic()
    timed_out = False
    try:
        process = subprocess.Popen(test['cmd'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env=environment,
                                   cwd=test.get('workdir') or build, start_new_session=True)
    except OSError as error:
        outcome.failed.append(f'does not start: {error}')
        return outcome
    try:
        output, _ = process.communicate(timeout=(test.get('timeout') or 30) * timeout_scale)
    except subprocess.TimeoutExpired:
        timed_out = True
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    outcome.seconds = time.monotonic() - start
    outcome.output = output.decode('utf-8', 'replace')
    if 'exit-status' not in [suite.rpartition(':')[2] for suite in test.get('suite', [])]:
        judge_tap(outcome, process.returncode)
    elif not timed_out:
        judge_status(outcome, process.returncode)
    if timed_out:
        outcome.failed.append('did not end in time')
    return outcome


def report(outcome, verbose):
    counts = f'{outcome.passed} passed'
    if outcome.failed:
        counts += f', {len(outcome.failed)} FAILED'
    if outcome.skipped:
        counts += f', {len(outcome.skipped)} skipped'
    print(f'{outcome.name:<44} {counts:<32} {outcome.seconds:7.2f} s')
    for name in outcome.skipped:
        print(f'    skipped: {name}')
    for name in outcome.failed:
        print(f'    FAILED: {name}')
    if outcome.failed or verbose:
        lines = outcome.output.splitlines()
        for line in lines[-60:]:
            print(f'    | {line}')
    sys.stdout.flush()


def run_all(tests, build, jobs, timeout_scale, verbose):
    """Runs what may share the machine on `jobs` threads, then the rest alone."""
    outcomes, lock = [], threading.Lock()

    def worker(queue):
        while True:
            with lock:
                if not queue:
                    return
                test = queue.pop(0)
            outcome = run_one(test, build, timeout_scale)
            with lock:
                outcomes.append(outcome)
                report(outcome, verbose)

    for queue, count in (([t for t in tests if t.get('is_parallel', True)], jobs),
                         ([t for t in tests if not t.get('is_parallel', True)], 1)):
        threads = [threading.Thread(target=worker, args=(queue,)) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return outcomes + [lost(test) for test in tests if test['name'] not in {o.name for o in outcomes}]


def lost(test):
    """A test without an outcome, whatever became of the thread that had it, has failed."""
    outcome = Outcome(test['name'])
    outcome.failed.append('was not run')
    return outcome


def known_tests(build):
    """Meson's own list; whether a test may run beside others is only in its private file."""
    text = subprocess.run(['meson', 'introspect', '--tests', build], check=True,
                          stdout=subprocess.PIPE).stdout
    tests = json.loads(text)
    for test in tests:
        test['is_parallel'] = test.get('is_parallel', True)
        test['timeout'] = test.get('timeout', 30)
    return tests


def add_totals(path, counts):
    """Adds to the counts of the runs before this one, which the file keeps; returns the sums."""
    if not path:
        return counts
    if os.path.exists(path):
        with open(path) as file:
            counts = [a + b for a, b in zip(counts, json.load(file))]
    with open(path, 'w') as file:
        json.dump(counts, file)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', required=True, help='build folder')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--timeout-scale', type=float, default=1.0)
    parser.add_argument('--verbose', action='store_true', help='show the output of every program')
    parser.add_argument('--exact', action='store_true', help='the words are whole names')
    parser.add_argument('patterns', nargs='*', help='only tests whose name contains one of these')
    options = parser.parse_args()

    tests = known_tests(options.build)
    if options.patterns:
        tests = [t for t in tests if t['name'] in options.patterns or
                 not options.exact and any(p in t['name'] for p in options.patterns)]
    outcomes = run_all(tests, options.build, options.jobs, options.timeout_scale, options.verbose)
    passed = sum(o.passed for o in outcomes)
    failed = sum(len(o.failed) for o in outcomes)
    skipped = sum(len(o.skipped) for o in outcomes)
    if passed == 0:
        failed += 1
        print('no test ran: that is a failure')
    # ./check makes several runs and one closing line: the last run's, of all of them.
    passed, failed, skipped = add_totals(os.environ.get('CHECK_TOTALS'),
                                         [passed, failed, skipped])
    if not os.environ.get('CHECK_MORE'):
        print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
