# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares results with known-failing.txt and prints them.

Every result is one of: pass, fail (not in the list: an error), known (fails and is in the list),
surprise (passes although it is in the list: an error), skip.
"""

import collections
import sys

KINDS = ("pass", "known", "fail", "surprise", "skip")
HEADINGS = ("passed", "known to fail", "failed", "pass unexpectedly", "skipped")
LISTED_AT_MOST = 40
SLOWEST = 5

Entry = collections.namedtuple("Entry", "kind binary sub_test note job")


def kind_of(binary, name, arguments, status, known):
    """One of KINDS, and the entry of known-failing.txt for it or None."""
    listed = next((item for item in known if item.matches(binary, name, arguments)), None)
    if listed and status in ("fail", "pass"):
        return ("known" if status == "fail" else "surprise"), listed
    return status, listed


def entries(jobs, known):
    """One entry for each result of each job."""
    found = []
    for job in jobs:
        for name, one in job.results.items():
            kind, listed = kind_of(job.binary, name, job.line.arguments, one["status"], known)
            note = one["note"]
            if kind in ("known", "surprise"):
                note = f"{listed.reason} ({listed.where})"
            found.append(Entry(kind, job.binary, name, note, job))
    return found


def paint(text, code):
    return f"\033[{code}m{text}\033[0m" if sys.stdout.isatty() else text


def duration(seconds):
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02d} min"
    return f"{minutes // 60}:{minutes % 60:02d} h"


def counts(found):
    tally = collections.Counter(entry.kind for entry in found)
    return [tally[kind] for kind in KINDS]


def progress_line(job, number, total, known):
    passed, listed, failed, surprise, skipped = counts(entries([job], known))
    parts = [f"{passed} passed"]
    if failed:
        parts.append(paint(f"{failed} failed", "1;31"))
    if surprise:
        parts.append(paint(f"{surprise} pass unexpectedly", "1;33"))
    if listed:
        parts.append(f"{listed} known to fail")
    if skipped:
        parts.append(f"{skipped} skipped")
    width = len(str(total))
    return (f"[{number:{width}}/{total}] {job.line.binary.split('/')[-1]:<28} "
            f"{duration(job.seconds):>10}   {', '.join(parts)}")


def table(found, jobs):
    """Lines of the summary: a row for each binary and one for all."""
    rows = []
    for binary in dict.fromkeys(job.binary for job in jobs):
        mine = [entry for entry in found if entry.binary == binary]
        seconds = sum(job.seconds for job in jobs if job.binary == binary)
        rows.append((binary, counts(mine), duration(seconds)))
    total = ("all", counts(found), duration(sum(job.seconds for job in jobs)))
    name_width = max(len(row[0]) for row in rows + [total])
    widths = [max(len(heading), 6) for heading in HEADINGS]
    head = "  ".join(f"{text:>{width}}" for text, width in zip(HEADINGS, widths))
    lines = [f"{'binary':<{name_width}}  {head}  {'time':>9}"]
    rule = "─" * len(lines[0])
    lines.append(rule)
    for binary, numbers, time in rows:
        lines.append(_row(binary, numbers, time, name_width, widths))
    if len(rows) > 1:
        lines += [rule, _row(*total, name_width, widths)]
    return lines


def _row(binary, numbers, time, name_width, widths):
    cells = []
    for kind, number, width in zip(KINDS, numbers, widths):
        text = f"{number if number else '·':>{width}}"
        if number and kind in ("fail", "surprise"):
            text = paint(text, "1;31")
        cells.append(text)
    return f"{binary:<{name_width}}  {'  '.join(cells)}  {time:>9}"


def listing(title, chosen, with_log):
    """Lines that name each entry with its note; nothing if there are none."""
    if not chosen:
        return []
    lines = ["", f"{title}: {len(chosen)}"]
    width = max(len(f"{entry.binary} {entry.sub_test}") for entry in chosen[:LISTED_AT_MOST])
    for entry in chosen[:LISTED_AT_MOST]:
        name = f"{entry.binary} {entry.sub_test}"
        lines.append(f"  {name:<{width}}  {entry.note or '-'}".rstrip())
    if len(chosen) > LISTED_AT_MOST:
        lines.append(f"  … and {len(chosen) - LISTED_AT_MOST} more; all are in results.json")
    if with_log:
        logs = dict.fromkeys(f"{entry.job.stem}*.log" for entry in chosen)
        lines.append(f"  logs: {', '.join(list(logs)[:6])}{' …' if len(logs) > 6 else ''}")
    return lines


def skips(chosen):
    """Skips by reason, since one reason usually skips many."""
    if not chosen:
        return []
    groups = collections.OrderedDict()
    for entry in chosen:
        groups.setdefault((entry.binary, entry.note), []).append(entry.sub_test)
    lines = ["", f"skipped (never counted as passed): {len(chosen)}"]
    for (binary, note), names in list(groups.items())[:LISTED_AT_MOST]:
        shown = " ".join(names[:6]) + (f" … ({len(names)})" if len(names) > 6 else "")
        lines.append(f"  {binary}: {shown}" + (f"  — {note}" if note else ""))
    if len(groups) > LISTED_AT_MOST:
        lines.append("  … the rest is in results.json")
    return lines


def slowest(jobs):
    """Where the time goes, if it goes anywhere."""
    times = sorted(((one["seconds"], job.binary, name) for job in jobs
                    for name, one in job.results.items() if one.get("seconds", 0) >= 10),
                   reverse=True)[:SLOWEST]
    if not times:
        return []
    return ["", "slowest: " + ", ".join(f"{binary} {name} {duration(seconds)}"
                                        for seconds, binary, name in times)]


def summary(jobs, known):
    """Prints everything; returns True if the run is as known-failing.txt expects."""
    found = entries(jobs, known)
    of = {kind: [entry for entry in found if entry.kind == kind] for kind in KINDS}
    lines = ["", *table(found, jobs), *slowest(jobs)]
    lines += skips(of["skip"])
    lines += listing("known to fail", of["known"], False)
    lines += listing("PASS ALTHOUGH known-failing.txt LISTS THEM (take them out)",
                     of["surprise"], False)
    lines += listing("FAILED AND NOT IN known-failing.txt", of["fail"], True)
    print("\n".join(lines))
    failed, passed = of["fail"] + of["known"], of["pass"] + of["surprise"]
    good = not of["fail"] and not of["surprise"]
    if of["known"] or of["surprise"] or of["fail"]:
        print(f"\nfailures: {len(of['known'])} known, {len(of['fail'])} not; "
              f"unexpected passes: {len(of['surprise'])}")
    else:
        print()
    print(f"{len(passed)} passed, {len(failed)} failed, {len(of['skip'])} skipped", flush=True)
    return good, found
