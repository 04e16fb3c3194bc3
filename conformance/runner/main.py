# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line of conformance/run."""

import argparse
import json
import os
import re
import signal
import sys
import time

from . import report
from .job import make_jobs
from .lists import CtsFolder, Line, ListError, read_known_failures, read_list
from .sched import run_jobs

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BUILD = os.path.join(os.path.dirname(HERE), "build")
OWN_FILE = re.compile(r"(\d{3,}-test_.*\.(json|log|new))|results\.json|run\.json|vendors")


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="conformance/run", description="Runs Khronos CTS binaries against an ICD and compares"
        " each result with known-failing.txt. It builds nothing.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", metavar="NAME", default="smoke",
                      help="a file of lists/ without .txt, or a path (default: smoke)")
    what.add_argument("--binary", nargs="+", metavar=("NAME", "ARGUMENT"),
                      help="one binary, with sub-tests and arguments as in a list")
    parser.add_argument("--cts", default=os.environ.get("WEFT_CTS"), metavar="DIR",
                        help="where the CTS is built (default: $WEFT_CTS)")
    parser.add_argument("--icd", default=os.path.join(BUILD, "weft.icd"), metavar="FILE",
                        help=".icd file, or a library (default: build/weft.icd)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="processes at a time (default: one for each CPU)")
    parser.add_argument("--timeout", type=int, default=900, metavar="S",
                        help="seconds that one sub-test may take (default: 900)")
    parser.add_argument("--results", metavar="DIR",
                        help="logs and results (default: build/conformance/LIST)")
    parser.add_argument("--resume", action="store_true",
                        help="keep the results that an interrupted run left, do the rest")
    parser.add_argument("--known", default=os.path.join(HERE, "known-failing.txt"), metavar="FILE",
                        help="the failures that are expected (default: known-failing.txt)")
    options, extra = parser.parse_known_args(arguments)
    if options.binary:
        options.binary += extra  # options of the binary itself: -w, '-[512]'
    elif extra:
        parser.error(f"unrecognized arguments: {' '.join(extra)}")
    if not options.cts:
        parser.error("say where the CTS is built: --cts DIR or WEFT_CTS")
    if options.jobs < 1 or options.timeout < 1:
        parser.error("--jobs and --timeout take numbers from 1 on")
    return options


def chosen_lines(options):
    if options.binary:
        return [Line(options.binary, "--binary")]
    path = options.list
    if "/" not in path and not path.endswith(".txt"):
        path = os.path.join(HERE, "lists", path + ".txt")
    return read_list(path)


def results_folder(options):
    if options.results:
        return os.path.realpath(options.results)
    name = options.binary[0].replace("/", "-") if options.binary else os.path.basename(options.list)
    return os.path.join(BUILD, "conformance", name.removesuffix(".txt"))


def library_of(icd):
    """The library that an .icd names; a path with a slash may be relative to the .icd."""
    if not os.path.isfile(icd):
        raise ListError(f"there is no {icd}")
    if not icd.endswith(".icd"):
        return os.path.realpath(icd)
    with open(icd, encoding="utf-8") as file:
        name = file.readline().strip()
    beside = os.path.join(os.path.dirname(os.path.realpath(icd)), name)
    return beside if "/" in name and os.path.exists(beside) else name


def vendors_folder(folder, library):
    """A folder with this one ICD: as OCL_ICD_VENDORS, every loader understands a folder."""
    vendors = os.path.join(folder, "vendors")
    os.makedirs(vendors, exist_ok=True)
    with open(os.path.join(vendors, "tested.icd"), "w", encoding="utf-8") as file:
        file.write(library + "\n")
    return vendors


def prepare_folder(folder, options, library):
    """Empties the folder of an earlier run, or with --resume checks that it is the same run."""
    identity = {"icd": os.path.realpath(options.icd), "library": library,
                "cts": os.path.realpath(options.cts),
                "built": os.path.getmtime(library) if os.path.isfile(library) else None}
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "run.json")
    if options.resume and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before = json.load(file)
        if any(before.get(key) != identity[key] for key in ("icd", "library", "cts")):
            raise ListError(f"{folder} holds a run of another ICD or CTS; leave out --resume")
        if before.get("built") != identity["built"]:
            print("note: the library was rebuilt since that run; its results are kept")
    else:
        foreign = [name for name in os.listdir(folder) if not OWN_FILE.fullmatch(name)]
        if foreign:
            raise ListError(f"{folder} holds other files ({foreign[0]}); choose another --results")
        for name in os.listdir(folder):
            if name != "vendors":
                os.remove(os.path.join(folder, name))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(identity, file, indent=1)


def check_known(known, jobs):
    """A misspelt entry would never be met, and never be missed."""
    names = {job.binary: job.names for job in jobs if job.names}
    for item in known:
        if item.binary in names and item.sub_test not in names[item.binary]:
            raise ListError(f"{item.where}: {item.binary} has no sub-test {item.sub_test}")


def environment_for(vendors):
    environment = dict(os.environ, OCL_ICD_VENDORS=vendors)
    environment.setdefault("CL_DEVICE_TYPE", "cpu")
    # Both would bring in other platforms than the one under test.
    environment.pop("OCL_ICD_FILENAMES", None)
    environment.pop("CL_PLATFORM_INDEX", None)
    return environment


def write_results(folder, found, seconds):
    rows = [{"binary": entry.binary, "sub_test": entry.sub_test, "kind": entry.kind,
             "note": entry.note, "seconds": entry.job.results[entry.sub_test].get("seconds"),
             "arguments": entry.job.line.arguments, "log": entry.job.stem}
            for entry in found]
    with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as file:
        json.dump({"seconds": round(seconds, 1), "results": rows}, file, indent=1)
        file.write("\n")


def run(options):
    lines, known = chosen_lines(options), read_known_failures(options.known)
    if not os.path.isdir(options.cts):
        raise ListError(f"there is no folder {options.cts}")
    library = library_of(options.icd)
    folder = results_folder(options)
    prepare_folder(folder, options, library)
    jobs = make_jobs(lines, CtsFolder(options.cts))
    check_known(known, jobs)
    kept = sum(job.load(folder) and job.done() for job in jobs) if options.resume else 0
    done = [job for job in jobs if job.done()]
    print(f"{len(jobs)} invocations, {sum(len(job.sub_tests) for job in jobs)} sub-tests, "
          f"{options.jobs} at a time, ICD {library}\nresults in {folder}"
          + (f"; {kept} invocations were done before" if options.resume else ""), flush=True)

    def finished(job):
        done.append(job)
        print(report.progress_line(job, len(done), len(jobs), known), flush=True)

    start = time.monotonic()
    environment = environment_for(vendors_folder(folder, library))
    run_jobs(jobs, folder, environment, options.jobs, options.timeout, finished)
    device = next((job.device for job in jobs if job.device), "")
    if device:
        print("\n" + device)
    good, found = report.summary(jobs, known)
    write_results(folder, found, time.monotonic() - start)
    return 0 if good else 1


def main(arguments):
    """Exit status: 0 as expected, 1 unlisted failures or unexpected passes, 2 cannot run."""
    options = parse(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return run(options)
    except ListError as error:
        print(f"conformance/run: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ninterrupted; --resume goes on from here", file=sys.stderr)
        return 130
