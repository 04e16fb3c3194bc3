# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a log and the CTS's JSON say about each sub-test.

A result is a dict: status "pass", "fail" or "skip", and a note of one line for the latter two; the
job adds about how many seconds it took.
The JSON is written when the binary ends, so a crash takes the results of all sub-tests with it.
The log then tells how far it came: the harness prints and flushes `name...` before each sub-test
and a line with the verdict after it.
"""

import json
import re
import signal

STATUSES = ("pass", "fail", "skip")
NOTE_LENGTH = 160


def result(status, note=""):
    return {"status": status, "note": " ".join(note.split())[:NOTE_LENGTH]}


def read_json(path):
    """{sub-test: status} from the CTS's file; None if it is missing or not whole."""
    try:
        with open(path, encoding="utf-8") as file:
            results = json.load(file)["results"]
        return {name: status for name, status in results.items() if status in STATUSES}
    except (OSError, ValueError, KeyError, AttributeError):
        return None


class Log:
    """A log cut into the parts that belong to each sub-test (good for one test at a time)."""

    def __init__(self, text, names):
        self.begun = []  # in order
        self.parts = {}
        self.head = []
        names = set(names)
        part = self.head
        for line in text.splitlines():
            name = line[:-3]
            if line.endswith("...") and name in names and name not in self.parts:
                part = self.parts[name] = []
                self.begun.append(name)
            else:
                part.append(line)

    def verdict(self, name):
        """The result that the log shows for a sub-test that ended; None if it did not end."""
        part = self.parts.get(name, [])
        # The harness turns a pass into a failure when the queue cannot be finished.
        if any(line.startswith("clFinish failed") for line in part):
            return "fail"
        endings = {f"{name} passed": "pass", f"{name} FAILED": "fail",
                   f"{name} test not supported": "skip",
                   f"{name} test currently not implemented": "skip"}
        for line in part:
            if line in endings:
                return endings[line]
            if line.startswith(f"{name} skipped (requires"):
                return "skip"
        return None

    def why_failed(self, name):
        part = [line for line in self.parts.get(name, []) if line.strip() != f"{name} FAILED"]
        told = _first(part, r"ERROR|error:|\bFAIL|[Ff]ailed|mismatch|[Ee]xpected")
        return told or next((line.strip() for line in part[::-1] if line.strip()), "")

    def why_skipped(self, name):
        part = [line for line in self.parts.get(name, self.head)
                if line != f"{name} test not supported"]
        told = _first(part[::-1], r"requires|[Ss]kip|support|SUPPORT|[Rr]equire")
        return told or next((line.strip() for line in part[::-1] if line.strip()), "")

    def last_line(self):
        lines = [line for line in (self.parts[self.begun[-1]] if self.begun else self.head)
                 if line.strip()]
        return lines[-1] if lines else ""


def _first(lines, pattern):
    return next((line.strip() for line in lines if re.search(pattern, line)), "")


def describe_exit(code, timed_out, timeout):
    """How a process ended, in words; empty if it ended by itself."""
    if timed_out:
        return f"timed out after {timeout} s"
    if code < 0:
        try:
            return f"crashed: {signal.Signals(-code).name}"
        except ValueError:
            return f"crashed: signal {-code}"
    return ""


def judge(wanted, statuses, log, ending, code):
    """Returns ({sub-test: result}, [sub-tests to run in another process]).

    wanted: the sub-tests the process was to run; statuses: from the JSON, or None;
    ending: from describe_exit, empty if the process ended by itself.
    """
    if statuses is not None and not ending:
        return _from_json(wanted, statuses, log, code), []
    if not ending:
        why = f"exit status {code} without results: {log.last_line()}"
        return {name: result("fail", why) for name in wanted}, []
    results, in_flight = {}, []
    for name in log.begun:
        status = (statuses or {}).get(name) or log.verdict(name)
        if status:
            results[name] = _explained(name, status, log)
        elif name in wanted:
            in_flight.append(name)
    rest = [name for name in wanted if name not in results and name not in in_flight]
    if statuses is not None:
        # It had written everything and then crashed on its way out: that is a failure, too.
        blame = [name for name in wanted if name not in statuses] or wanted[-1:]
        results.update({name: result("fail", f"{ending} at exit") for name in blame})
        return results, []
    if not log.begun:
        # It never came to a sub-test: the next process would end in the same way.
        why = f"{ending} before the first sub-test: {log.last_line()}"
        return {name: result("fail", why) for name in wanted}, []
    if len(in_flight) > 1:
        # Worker threads: one of these is guilty, and only running them apart tells which.
        return results, in_flight + rest
    if not in_flight:
        # Between two sub-tests, or after the last one: the one that ended last did it.
        in_flight = log.begun[-1:]
    why = f"{ending}; last line: {log.last_line()}" if log.last_line() else ending
    results.update({name: result("fail", why) for name in in_flight})
    return results, rest


def _from_json(wanted, statuses, log, code):
    results = {name: _explained(name, status, log) for name, status in statuses.items()}
    for name in wanted:
        results.setdefault(name, result("fail", "the results file does not name it"))
    if code != 0 and all(one["status"] != "fail" for one in results.values()):
        # A binary that fails and says that all is well is not to be believed.
        results[wanted[-1]] = result("fail", f"exit status {code} with no failure in the results")
    return results


def _explained(name, status, log):
    if status == "fail":
        return result("fail", log.why_failed(name))
    if status == "skip":
        return result("skip", log.why_skipped(name))
    return result("pass")
