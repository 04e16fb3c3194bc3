# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of tests/kernels and of this folder in every configuration: one test per file."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import driver  # noqa: E402
import tap  # noqa: E402


class Kernels(unittest.TestCase):
    """One test per file, added below."""

    def check(self, file):
        differences = driver.check(file, driver.configurations())
        self.assertFalse(differences, '\n'.join(map(str, differences[:10])))


for path in sorted([*(HERE.parent / 'kernels').glob('*.cl'), *HERE.glob('*.cl')]):
    setattr(Kernels, f'test_{path.stem}', lambda self, path=path: self.check(path))

if __name__ == '__main__':
    tap.main()
