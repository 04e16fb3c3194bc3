# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Would a kernel be noticed that touches memory beside its buffers? One byte too far, or too early."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import driver  # noqa: E402
import tap  # noqa: E402

# Two launches: whether a buffer ends before or begins behind the forbidden page depends on their number.
LAUNCHES = ''.join('// launch {name} 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments o64z i64s\n' for _ in range(3))
KERNEL = 'kernel void {name}(global uchar *out, global const uchar *in)\n{{\n    int i = get_global_id(0);\n    {body}\n}}\n'
BODIES = {
    'right': 'out[i] = in[i];',
    'read_behind': 'out[i] = in[i + 1];',
    'read_before': 'out[i] = in[i - 1];',
    'write_behind': 'out[i + 1] = in[i];',
    'write_before': 'out[i - 1] = in[i];',
    'seldom': 'out[i] = in[i == 63 ? 64 : i];',
}
WAYS = [c for c in driver.configurations() if c.name in driver.levels() or c.name.endswith(('-w1', '-w4'))]


class Guards(unittest.TestCase):
    def ends(self, name, configuration, *more):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'kernel.cl'
            file.write_text((LAUNCHES + KERNEL).format(name=name, body=BODIES[name]))
            return driver.run(configuration, file, *more).end

    def test_right(self):
        for configuration in (driver.REFERENCE, *WAYS):
            self.assertEqual(self.ends('right', configuration), '')

    def test_without_guards(self):
        """It is the pages that notice it."""
        self.assertEqual(self.ends('read_behind', driver.REFERENCE, '--no-guards'), '')

    def test_unknown_configuration(self):
        """A name of none was no difference in none of them."""
        for program, files in (('driver.py', [HERE / 'found.cl']), ('mutate.py', []), ('fuzz.py', ['--seeds', '1'])):
            done = subprocess.run([sys.executable, HERE / program, '--configuration', 'v3-w7', *files],
                                  text=True, capture_output=True)
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn('v3-w7', done.stderr)

    def check(self, name):
        for configuration in (driver.REFERENCE, *WAYS):
            self.assertIn('ended with', self.ends(name, configuration), configuration.name)


for each in sorted(set(BODIES) - {'right'}):
    setattr(Guards, f'test_{each}', lambda self, name=each: self.check(name))

if __name__ == '__main__':
    tap.main()
