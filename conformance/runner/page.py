# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page of Markdown from what runs left in their folders (job.py writes it after each process)."""

import collections
import json
import os
import re

from . import report
from .lists import read_known_failures

HEAD = """# What the conformance tests say

Made by `conformance/page` from the results of `conformance/run` ([how](README.md)). A row is one invocation of a binary of
Khronos' tests, or all of a binary that runs each sub-test apart; all sub-tests count, and a skip is never a pass: what was skipped, and the reason that the test gives,
stands below each table. *Rest* is what the run has not come to.
"""
STATE = re.compile(r"\d{3,}-test_\w+\.json")
KNOWN = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "known-failing.txt")

Row = collections.namedtuple("Row", "binary arguments passed known failed skipped rest seconds")


def states(folder):
    """What each invocation left, in the order of the list."""
    found = []
    for name in sorted(os.listdir(folder)):
        if STATE.fullmatch(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found.append((name, json.load(file)))
    return [state for _, state in sorted(found, key=lambda each: int(each[0].split("-")[0]))]


def kind_of(state, name, known):
    binary, status = os.path.basename(state["binary"]), state["results"][name]["status"]
    return report.kind_of(binary, name, state["arguments"], status, known)[0]


def row_of(state, known):
    tally = collections.Counter(kind_of(state, name, known) for name in state["results"])
    named = set(state["sub_tests"])
    options = state.get("options", [word for word in state["arguments"] if word not in named and "*" not in word])
    return Row(os.path.basename(state["binary"]), " ".join(options), tally["pass"] + tally["surprise"], tally["known"],
               tally["fail"], tally["skip"], len(named - set(state["results"])), state["seconds"])


def merged(rows):
    """Of a binary with the same options one row: `@apart` makes a process of each sub-test."""
    whole = collections.OrderedDict()
    for row in rows:
        whole.setdefault(row[:2], []).append(row[2:])
    return [Row(*key, *map(sum, zip(*numbers))) for key, numbers in whole.items()]


def cells(row):
    numbers = [str(number) if number else "" for number in row[2:7]]
    return f"| {row.binary} | {row.arguments} | {' | '.join(numbers)} | {report.duration(row.seconds)} |"


def table(rows):
    yield "| binary | with | passed | known to fail | failed | skipped | rest | time |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    yield from map(cells, rows)
    yield cells(Row("**all**", "", *(sum(column) for column in list(zip(*rows))[2:])))


def notes(found, kind, title, known):
    """Sub-tests of a kind by their note, since one reason usually holds for many."""
    groups = collections.OrderedDict()
    for state in found:
        for name, one in state["results"].items():
            if kind_of(state, name, known) == kind:
                binary = os.path.basename(state["binary"])
                note = one["note"].removeprefix(name + " ") or "no reason given"
                groups.setdefault((binary, note), {})[name] = None
    if groups:
        yield f"\n{title}\n\n| binary | sub-tests | reason |\n|---|---|---|"
    for (binary, note), names in groups.items():
        note = note.replace("|", "\\|").replace("<", "&lt;")
        yield f"| {binary} | {', '.join(names)} | {note} |"


def section(folder, what):
    known = read_known_failures(KNOWN)
    found = states(folder)
    if not found:
        raise SystemExit(f"{folder}: no results")
    device = next((state["device"] for state in found if state["device"]), "")
    yield f"\n## {what}\n\n{device}\n"
    yield from table(merged(row_of(state, known) for state in found))
    for kind, title in (("fail", "Failed:"), ("known", "Known to fail (known-failing.txt says why):"),
                        ("skip", "Skipped:")):
        yield from notes(found, kind, title, known)


def page(folders):
    lines = [HEAD]
    for folder, what in folders:
        lines += section(folder, what)
    return "\n".join(lines)
