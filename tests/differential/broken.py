# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Would a wrong stage be noticed? One test per row of compiler/breaks.def: a compiler that does this
wrongly must differ from reference execution in some random kernel or kernel of tests/kernels."""
import functools
import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import driver  # noqa: E402
import fuzz  # noqa: E402
import generate  # noqa: E402
import tap  # noqa: E402

SECONDS = 15
KERNELS = HERE.parent / 'kernels'
FOLDER = tempfile.TemporaryDirectory()


@functools.lru_cache(maxsize=None)
def files():
    """Kernels, and what they do when nothing is broken."""
    some = fuzz.write(FOLDER.name, [generate.kernel(seed) for seed in range(1, 9)])
    return [(file, driver.run(driver.REFERENCE, file))
            for file in (KERNELS / 'barriers.cl', HERE / 'lanes.cl', KERNELS / 'values.cl', some)]


def configuration(name):
    """What is broken in vectors shows in vectors."""
    settings = [('WEFT_CHUNK', '4')]
    if driver.has_widths():
        settings.append(('WEFT_WIDTH', '8' if name in WIDE else '1'))
    return driver.Configuration('broken', tuple(settings))


def breaks():
    """Names of breaks.def; those behind the line about vectors need some."""
    text = (HERE.parents[1] / 'compiler' / 'breaks.def').read_text()
    narrow, _, wide = text.partition('// In vectors:')
    pattern = r'^WEFT_BREAK\("([^"]+)"'
    return re.findall(pattern, narrow, re.M), re.findall(pattern, wide, re.M)


NARROW, WIDE = breaks()


class Broken(unittest.TestCase):
    """One test per break, added below."""

    def check(self, name):
        script = fuzz.broken_compiler(FOLDER.name, name)
        for file, wanted in files():
            self.assertFalse(wanted.end)
            if driver.compare(file, configuration(name), wanted, script, SECONDS):
                return
        self.fail(f'nobody notices: {name}')

    def test_nothing_broken(self):
        for file, wanted in files():
            for name in (NARROW + WIDE)[::len(NARROW)]:
                self.assertEqual(driver.compare(file, configuration(name), wanted), [])

    def test_unknown(self):
        """A name that breaks.def does not have must not pass for one that is noticed."""
        script = fuzz.broken_compiler(FOLDER.name, 'nonsense')
        outcome = driver.run(configuration(''), KERNELS / 'barriers.cl', broken=script)
        self.assertIn("no switch 'break=nonsense'", outcome.end)


for each in NARROW + WIDE:
    setattr(Broken, f'test_{each}', lambda self, name=each: self.check(name))

if __name__ == '__main__':
    tap.main()
