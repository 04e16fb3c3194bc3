# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One line of a list: its processes, its log, its results on disk.

A job runs as one process as long as nothing goes wrong. After a crash or a time-out it goes on in
another process with the sub-tests that did not get their turn. What is known is written to disk
after each process, so that a killed run can go on from there.
"""

import ctypes
import json
import os
import signal
import subprocess
import time

from . import verdict
from .lists import command_arguments, options_of

NOT_RUN = "(not run)"
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def _die_with_the_runner():
    """In the child, before exec: a runner that is killed must leave nothing behind that a resumed
    run would then have beside it. The runner has one thread, so it is the parent that is meant."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Job:
    def __init__(self, number, line, binary_path, names, sub_tests):
        self.number, self.line = number, line
        self.path, self.names, self.sub_tests = binary_path, names, sub_tests
        self.binary = os.path.basename(line.binary)
        self.results = {}
        self.queue = [sub_tests] if sub_tests else []  # each entry is one process to be
        self.seconds = 0.0
        self.device = ""
        self.parts = 0
        self._process = self._log = None
        if binary_path is None:
            self._refuse("there is no such binary")
        elif not sub_tests:
            self._refuse("it lists no such sub-test")

    def _refuse(self, why):
        self.results = {NOT_RUN: verdict.result("fail", why)}

    # -- identity and disk

    @property
    def stem(self):
        return f"{self.number:03d}-{self.binary}"

    def signature(self):
        return {"binary": self.line.binary, "arguments": self.line.arguments,
                "sub_tests": self.sub_tests}

    def done(self):
        return not self.queue and self._process is None

    def save(self, folder):
        state = {**self.signature(), "options": options_of(self.line, self.names),
                 "seconds": round(self.seconds, 3), "parts": self.parts, "device": self.device,
                 "done": self.done(), "results": self.results}
        path = os.path.join(folder, self.stem + ".json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(state, file, indent=1)
            file.write("\n")
        os.replace(path + ".new", path)

    def load(self, folder):
        """Takes over what an earlier run of the same line left; False if there is nothing."""
        try:
            with open(os.path.join(folder, self.stem + ".json"), encoding="utf-8") as file:
                state = json.load(file)
            if any(state[key] != value for key, value in self.signature().items()):
                return False
            self.results = state["results"]
            self.seconds, self.parts, self.device = (state["seconds"], state["parts"],
                                                     state["device"])
        except (OSError, ValueError, KeyError, TypeError):
            return False
        rest = [name for name in self.sub_tests if name not in self.results]
        self.queue = [] if state["done"] or not rest else [rest]
        return True

    # -- processes

    def start(self, folder, environment):
        self.running = self.queue.pop(0)
        self.parts += 1
        tail = "" if self.parts == 1 else f".{self.parts}"
        self.log_path = os.path.join(folder, f"{self.stem}{tail}.log")
        self.json_path = os.path.join(folder, f"{self.stem}{tail}.cts.json")
        if os.path.exists(self.json_path):
            os.remove(self.json_path)
        arguments = command_arguments(self.line, self.names, self.running)
        environment = {**environment, "CL_CONFORMANCE_RESULTS_FILENAME": self.json_path}
        self._log = open(self.log_path, "wb")
        self.started = self.progress = time.monotonic()
        self._position, self._tail = 0, b""
        self._begun = []  # (sub-test, when), as far as the log was seen
        # Its own session: a time-out has to end whatever the binary has started as well.
        self._process = subprocess.Popen([self.path, *arguments], cwd=os.path.dirname(self.path),
                                         stdin=subprocess.DEVNULL, stdout=self._log,
                                         stderr=subprocess.STDOUT, env=environment,
                                         start_new_session=True,
                                         preexec_fn=_die_with_the_runner)

    def poll(self, folder, timeout):
        """True when the process has ended (by itself or by the time limit) and was judged."""
        code = self._process.poll()
        timeout = self.line.timeout or timeout
        timed_out = False
        if code is None:
            self._watch_progress()
            if time.monotonic() - self.progress < timeout:
                return False
            self.kill()
            code, timed_out = self._process.returncode, True
        self._watch_progress()
        self._log.close()
        self._process = None
        self.seconds += time.monotonic() - self.started
        self._judge(code, verdict.describe_exit(code, timed_out, timeout))
        self.save(folder)
        return True

    def _watch_progress(self):
        """The time limit is for one sub-test, so it starts anew when another one begins."""
        with open(self.log_path, "rb") as file:
            file.seek(self._position)
            fresh = file.read()
        self._position += len(fresh)
        lines = (self._tail + fresh).split(b"\n")
        self._tail = lines.pop()
        names = [line[:-3].decode("utf-8", "replace") for line in lines if line.endswith(b"...")]
        now = time.monotonic()
        self._begun += [(name, now) for name in names if name in self.names]
        if self._begun:
            self.progress = self._begun[-1][1]

    def kill(self):
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def _judge(self, code, ending):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            log = verdict.Log(file.read(), self.names)
        self.device = self.device or next(
            (line for line in log.head if line.startswith("Compute Device Name")), "")
        statuses = verdict.read_json(self.json_path)
        results, rest = verdict.judge(self.running, statuses, log, ending, code)
        ends = [when for _, when in self._begun[1:]] + [time.monotonic()]
        for (name, begin), end in zip(self._begun, ends):
            if name in results:
                results[name]["seconds"] = round(end - begin, 2)
        self.results.update(results)
        if ending and rest and set(rest) & set(log.begun):
            self.queue = [[name] for name in rest] + self.queue
        elif rest:
            self.queue.insert(0, rest)


def make_jobs(lines, cts):
    """The jobs of a list; a line marked @apart gives one for each of its sub-tests."""
    from .lists import chosen
    jobs = []
    for line in lines:
        path = cts.path(line.binary)
        names = cts.sub_tests(path) if path else []
        picked = chosen(line, names)
        groups = [[name] for name in picked] if line.apart and picked else [picked]
        for group in groups:
            jobs.append(Job(len(jobs) + 1, line, path, names, group))
    return jobs
