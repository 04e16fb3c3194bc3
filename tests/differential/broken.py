# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Would a wrong stage be noticed? One test per row of compiler/breaks/breaks.def: a compiler that does this
wrongly must differ from reference execution in some random kernel, or one of tests/kernels or here."""
import dataclasses
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
            for file in (KERNELS / 'barriers.cl', HERE / 'lanes.cl', KERNELS / 'values.cl',
                         HERE / 'flat.cl', HERE / 'choices.cl', HERE / 'whole.cl', some)]


@dataclasses.dataclass(frozen=True)
class Break:
    """A row of breaks.def."""
    stage: str
    name: str
    settings: str

    def configuration(self):
        settings = tuple(tuple(word.split('=')) for word in self.settings.split())
        return driver.Configuration('broken', settings)


def breaks():
    text = (HERE.parents[1] / 'compiler' / 'breaks' / 'breaks.def').read_text()
    return [Break(*row) for row in
            re.findall(r'^WEFT_BREAK\("([^"]+)", "([^"]+)", "([^"]*)"', text, re.M)]


BREAKS = breaks()
# These call passes of LLVM and no more, or change nothing.
HARMLESS = {'link-library', 'estimate'}


class Broken(unittest.TestCase):
    """One test per break, added below."""

    def check(self, what):
        script = fuzz.broken_compiler(FOLDER.name, what.name)
        for file, wanted in files():
            self.assertFalse(wanted.end)
            if driver.compare(file, what.configuration(), wanted, script, SECONDS):
                return
        self.fail(f'nobody notices: {what.name}')

    def test_nothing_broken(self):
        for configuration in {what.configuration() for what in BREAKS}:
            for file, wanted in files():
                self.assertEqual(driver.compare(file, configuration, wanted), [])

    def test_each_stage_has_a_row(self):
        self.assertEqual(set(driver.stages()) - {what.stage for what in BREAKS}, HARMLESS)

    def test_unknown(self):
        """A name that breaks.def does not have must not pass for one that is noticed."""
        script = fuzz.broken_compiler(FOLDER.name, 'nonsense')
        outcome = driver.run(driver.REFERENCE, KERNELS / 'barriers.cl', broken=script)
        self.assertIn("no switch 'break=nonsense'", outcome.end)


# What a stage says wrongly is noticed by its own checks as well (WEFT_CHECKS), which name it.
CLAIMS = {'uniform': 'regions: ', 'exit': 'regions: ', 'mask': 'linearise: ', 'loop': 'linearise: ',
          'wraps': 'widen: '}


class Claims(unittest.TestCase):
    """One test per claim, added below."""

    def check(self, what, stage):
        script = fuzz.broken_compiler(FOLDER.name, what.name)
        settings = (*what.configuration().settings, ('WEFT_CHECKS', '1'), ('WEFT_DEBUG', 'kernel'))
        for file, _ in files():
            end = driver.run(driver.Configuration('checked', settings), file, broken=script,
                             seconds=SECONDS).end
            if f'given up: {stage}' in end:
                return
        self.fail(f'no check notices: {what.name}')


for each in BREAKS:
    if each.name in CLAIMS:
        setattr(Claims, f'test_{each.name}',
                lambda self, what=each: self.check(what, CLAIMS[what.name]))
for each in BREAKS:
    setattr(Broken, f'test_{each.name}', lambda self, what=each: self.check(what))

if __name__ == '__main__':
    tap.main()
