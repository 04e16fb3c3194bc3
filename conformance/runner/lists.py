# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""List files, known-failing.txt, and which sub-tests a line of a list stands for."""

import fnmatch
import os
import re
import subprocess


class ListError(Exception):
    """A file that a person wrote cannot be used as it is."""


def logical_lines(path):
    """Yields (line number, text) without comments and blank lines; a final backslash continues."""
    pending, first = "", 0
    try:
        with open(path, encoding="utf-8") as file:
            raw_lines = file.read().splitlines()
    except OSError as error:
        raise ListError(f"cannot read {path}: {error.strerror}") from error
    for number, raw in enumerate(raw_lines, 1):
        text = re.sub(r"(^|\s)#.*", "", raw).strip()
        first = first or number
        if text.endswith("\\"):
            pending += text[:-1] + " "
            continue
        text, pending = (pending + text).strip(), ""
        if text:
            yield first, text
        first = 0
    if pending.strip():
        yield first, pending.strip()


class Line:
    """One line of a list: a binary, its arguments, and what the runner itself is told."""

    def __init__(self, words, where):
        self.where = where
        self.binary = words[0]
        self.arguments, self.left_out = [], []
        self.alone = self.apart = False
        self.timeout = None
        for word in words[1:]:
            self._take(word)

    def _take(self, word):
        if word.startswith("!"):
            self.left_out.append(word[1:])
        elif word == "@alone":
            self.alone = True
        elif word == "@apart":
            self.apart = True
        elif re.fullmatch(r"@timeout=\d+", word):
            self.timeout = int(word.split("=")[1])
        elif word.startswith("@"):
            raise ListError(f"{self.where}: {word} is not @alone, @apart or @timeout=SECONDS")
        else:
            self.arguments.append(word)


def read_list(path):
    lines = [Line(text.split(), f"{os.path.basename(path)}:{number}")
             for number, text in logical_lines(path)]
    if not lines:
        raise ListError(f"{path} names no binary")
    return lines


class KnownFailure:
    """`binary sub-test [argument...] : reason`; the arguments narrow it to some invocations."""

    def __init__(self, words, reason, where):
        self.binary, self.sub_test, self.arguments = words[0], words[1], words[2:]
        self.reason, self.where = reason, where

    def matches(self, binary, sub_test, arguments):
        return (self.binary == binary and self.sub_test == sub_test
                and all(word in arguments for word in self.arguments))


def read_known_failures(path):
    known = []
    for number, text in logical_lines(path):
        where = f"{os.path.basename(path)}:{number}"
        left, colon, reason = text.partition(" : ")
        words = left.split()
        if not colon or not reason.strip() or len(words) < 2:
            raise ListError(f"{where}: expected 'binary sub-test [argument...] : reason'")
        known.append(KnownFailure(words, reason.strip(), where))
    return known


class CtsFolder:
    """Where the CTS is built: finds binaries and asks them for their sub-tests, once each."""

    def __init__(self, root):
        nested = os.path.join(root, "test_conformance")
        self.root = os.path.realpath(nested if os.path.isdir(nested) else root)
        self._names = {}
        self._by_name = None

    def path(self, binary):
        """The file of `dir/exe`, or of a bare `exe` anywhere below; None if there is none."""
        for candidate in (binary, os.path.basename(binary)):
            path = os.path.join(self.root, candidate)
            if os.access(path, os.X_OK) and os.path.isfile(path):
                return path
        return self._index().get(os.path.basename(binary)) if "/" not in binary else None

    def _index(self):
        if self._by_name is None:
            self._by_name = {}
            for folder, _, files in os.walk(self.root):
                for name in files:
                    path = os.path.join(folder, name)
                    if name.startswith("test_") and os.access(path, os.X_OK):
                        self._by_name.setdefault(name, path)
        return self._by_name

    def sub_tests(self, path):
        """The names that `--list` prints; it needs no device. Empty if it does not work."""
        if path not in self._names:
            try:
                done = subprocess.run([path, "--list"], cwd=os.path.dirname(path), timeout=60,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, check=False)
                text = done.stdout.decode("utf-8", "replace")
            except (OSError, subprocess.TimeoutExpired):
                text = ""
            # Names stand alone on a line behind a tab; whatever else is printed has spaces.
            names = [line.strip() for line in text.splitlines() if re.match(r"^\t\S+$", line)]
            self._names[path] = names
        return self._names[path]


def selects(word, names):
    """Does the CTS take this argument as the name of sub-tests (and not as an option)?"""
    return word == "all" or word in names or ("*" in word and not word.startswith("-"))


def chosen(line, names):
    """The sub-tests of `names` that the line runs, in the binary's order."""
    words = [word for word in line.arguments if selects(word, names)]
    # The CTS compares up to the first asterisk only.
    prefixes = tuple(word.split("*")[0] for word in words if "*" in word)
    everything = not words or "all" in words
    picked = [name for name in names
              if everything or name in words or (prefixes and name.startswith(prefixes))]
    return [name for name in picked
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in line.left_out)]


def options_of(line, names):
    """What the line says besides which sub-tests are to run."""
    return [word for word in line.arguments if not selects(word, names)]


def command_arguments(line, names, sub_tests):
    """Arguments that run just `sub_tests`; names go where the line had them, else in front.

    The place matters: some binaries read options only at the end of the command line.
    """
    if not line.left_out and sub_tests == chosen(line, names):
        return list(line.arguments)
    result, placed = [], False
    for word in line.arguments:
        if not selects(word, names):
            result.append(word)
        elif not placed:
            result += sub_tests
            placed = True
    return result if placed else sub_tests + result
