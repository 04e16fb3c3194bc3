# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of conformance/run.

lists    list files, known-failing.txt, and which sub-tests a line stands for
job      one line of a list: its processes, its log, its results on disk
verdict  what a log and the CTS's JSON say about each sub-test
sched    runs jobs side by side
report   compares results with known-failing.txt and prints them
main     command line
"""
