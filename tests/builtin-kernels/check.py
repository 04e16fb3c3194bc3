#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Built-in kernels from plug-ins: the example of the docs, and what is said about bad plug-ins."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

PROGRAM = sys.argv.pop(1)


class Plugins(unittest.TestCase):
    def test_the_example_of_the_docs_works(self):
        with open(os.path.join(ROOT, 'docs/built-in-kernels.md'), encoding='utf-8') as page:
            codes = re.findall(r'```c\n(/\* (\w+\.c): (.*?) \*/\n.*?)```', page.read(), re.S)
        self.assertEqual([name for _, name, _ in codes], ['plugin.c', 'host.c'])
        with tempfile.TemporaryDirectory() as folder:
            for code, name, command in codes:
                with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                    file.write(code)
                words = command.split()
                subprocess.run([words[0], '-DCL_TARGET_OPENCL_VERSION=300', '-Wall', '-Werror',
                                '-I', os.path.join(ROOT, 'include'), *words[1:]],
                               cwd=folder, check=True)
            run = subprocess.run(['./host'], cwd=folder, stdout=subprocess.PIPE, text=True,
                                 env=dict(os.environ, WEFT_BUILTIN_KERNELS='./plugin.so'))
        wanted = re.search(r'/\* ([\d ]+) \*/', codes[1][0]).group(1)
        self.assertEqual(run.stdout.strip(), wanted)
        self.assertEqual(run.returncode, 0)

    def test_the_header_is_good_for_cxx(self):
        subprocess.run(['c++', '-std=c++98', '-pedantic', '-Wall', '-Werror', '-fsyntax-only',
                        '-Wno-long-long', '-DCL_TARGET_OPENCL_VERSION=300', '-x', 'c++', '-I',
                        os.path.join(ROOT, 'include'), '-'],
                       input='#include <CL/cl_ext_weft.h>\nint main() { return 0; }\n', text=True,
                       check=True)

    def test_bad_plugins_are_told_and_harm_nothing(self):
        run = subprocess.run([PROGRAM, 'device_lists_them'], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True,
                             env=dict(os.environ, WEFT_DEBUG='settings'))
        self.assertEqual(run.returncode, 0, run.stdout)
        for part in ('/nowhere.so is ignored: ', 'plugin-version.so is ignored: the table is of '
                     'version 2', 'plugin-taken.so is ignored: kernel 1: there is a built-in '
                     'kernel of the name "test.add" already', 'plugin-name.so is ignored: kernel 0',
                     'undefined symbol: weft_built_in_kernels'):
            self.assertIn(part, run.stderr)

    def test_bad_plugins_are_silent_otherwise(self):
        run = subprocess.run([PROGRAM, 'device_lists_them'], stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True)
        self.assertEqual(run.stderr, '')


if __name__ == '__main__':
    tap.main()
