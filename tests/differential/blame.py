# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is the right stage to blame? One test per row of compiler/breaks/breaks.def: the first stage whose oracle
differs from reference execution must be the one that was broken. And nobody is to blame for random
kernels, as long as nothing is broken."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import broken  # noqa: E402
import driver  # noqa: E402
import fuzz  # noqa: E402
import tap  # noqa: E402


class Blame(unittest.TestCase):
    """One test per break, added below."""

    def check(self, what):
        script = fuzz.broken_compiler(broken.FOLDER.name, what.name)
        for file, wanted in broken.files():
            differences = driver.compare(file, what.configuration(), wanted, script, broken.SECONDS)
            if differences:
                break
        else:
            self.fail(f'nobody notices: {what.name}')
        found = driver.blame_one(differences[0], script, broken.SECONDS, everything=False)
        self.assertEqual(found.first, what.stage, f'{differences[0]}\n{found}')


TRIED = """
typedef struct { int a; float b[3]; } some;
kernel void scalars(global int *out, global const float *in, int n, some s, float4 f) {
    size_t g = get_global_linear_id();
    out[g] = (int)in[g] * n + s.a + (int)(f.y * s.b[1]);
}
kernel void blocks(global float4 *out, local float *scratch) {
    size_t l = get_local_linear_id();
    scratch[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = scratch[get_local_size(0) - 1 - get_local_id(0)];
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void parted(global int *out) {
    size_t g = get_global_linear_id();
    if (get_local_id(0) & 1) atomic_add(out + g, 3);
    else atomic_add(out + g, 5);
}
kernel void image(read_only image2d_t from, global int *to) { to[0] = get_image_width(from); }
"""


class Tool(unittest.TestCase):
    """weft compile --blame"""

    def ask(self, text, *options, **settings):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'kernels.cl'
            file.write_text(text)
            env = driver.Configuration('tool', tuple(settings.items())).environment()
            done = subprocess.run([driver.TOOL, 'compile', '--blame', *options, file], env=env,
                                  text=True, capture_output=True, timeout=300)
        return done.returncode, dict(line.split(': ', 1) for line in done.stdout.splitlines()), \
            done.stderr

    def test_nothing_broken(self):
        status, said, log = self.ask(TRIED, '-cl-std=CL2.0')
        self.assertEqual(said, {'scalars': 'same in all stages', 'blocks': 'same in all stages',
                                'parted': 'same in all stages',
                                'image': 'not tried: it takes an image'}, log)
        self.assertEqual(status, 0)

    def test_linearise_is_broken(self):
        script = fuzz.broken_compiler(broken.FOLDER.name, 'mask')
        status, said, log = self.ask(TRIED, '-cl-std=CL2.0', WEFT_COMPILER=str(script), WEFT_WIDTH='8')
        self.assertEqual(said['parted'], 'first differs after stage linearise', log)
        self.assertEqual((status, said['blocks']), (1, 'same in all stages'))

    def test_wrong_input(self):
        self.assertEqual(self.ask('kernel void k( {')[:2], (1, {}))
        self.assertEqual(self.ask('kernel void k() { int i = WHAT; }', '-D', 'WHAT=1')[0], 0)


for each in broken.BREAKS:
    setattr(Blame, f'test_{each.name}', lambda self, what=each: self.check(what))

if __name__ == '__main__':
    tap.main()
