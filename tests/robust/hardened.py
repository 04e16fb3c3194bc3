# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is installed is hardened: at any address, nothing to overwrite, functions that check."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

BUILD = pathlib.Path(os.environ.get('WEFT_BUILD_ROOT', 'build'))
COMPILER = BUILD / 'compiler' / 'weft-compiler'
LIBRARY = BUILD / 'icd' / 'libweft.so'
TOOL = BUILD / 'runtime' / 'tool' / 'weft'
FORTIFIED = '-D_FORTIFY_SOURCE=2'


def readelf(path, *options):
    return subprocess.run(['readelf', '-W', *options, str(path)], check=True, capture_output=True,
                          text=True).stdout


def option(name):
    rows = json.loads((BUILD / 'meson-info' / 'intro-buildoptions.json').read_text())
    return next(row['value'] for row in rows if row['name'] == name)


class Hardened(unittest.TestCase):
    def test_at_any_address(self):
        for path in (COMPILER, LIBRARY, TOOL):
            if path == COMPILER and not option('compiler-pie'):
                continue
            self.assertRegex(readelf(path, '-h'), r'Type:\s+DYN ')

    def test_nothing_is_bound_later(self):
        for path in (COMPILER, LIBRARY, TOOL):
            flags = readelf(path, '-d')
            self.assertRegex(flags, r'BIND_NOW|Flags:.*\bNOW\b')
            self.assertIn('GNU_RELRO', readelf(path, '-l'))

    def test_nothing_is_writable_and_executable(self):
        for path in (COMPILER, LIBRARY, TOOL):
            segments = re.findall(r'^ +(LOAD|GNU_STACK) .* ([R ][W ][E ]) +0x', readelf(path, '-l'),
                                  re.MULTILINE)
            self.assertIn('GNU_STACK', [kind for kind, _ in segments])
            for kind, flags in segments:
                self.assertFalse('W' in flags and 'E' in flags, f'{kind} {flags}')
                self.assertFalse(kind == 'GNU_STACK' and 'E' in flags)

    def test_stacks_are_protected(self):
        for path in (COMPILER, LIBRARY, TOOL):
            self.assertTrue('__stack_chk_fail' in readelf(path, '-s'), path)

    def test_functions_are_fortified(self):
        if FORTIFIED not in (BUILD / 'build.ninja').read_text():
            self.skipTest('this build does not optimise, or has a sanitizer')
        for path in (COMPILER, LIBRARY, TOOL):
            self.assertTrue(re.search(r'__(mem\w+|v?snprintf|read|pread)_chk', readelf(path, '-s')),
                            path)

    def test_the_library_stays_loaded(self):
        self.assertIn('NODELETE', readelf(LIBRARY, '-d'))

    def test_no_search_path(self):
        for path in (COMPILER, LIBRARY, TOOL):
            self.assertNotRegex(readelf(path, '-d'), r'RPATH|RUNPATH')


if __name__ == '__main__':
    tap.main()
