# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that kernels call (kernel-lib/called.def): are they called, and are their results those of
the library's code as part of the kernel? Reference execution, at the same level, takes it in."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import driver  # noqa: E402
import tap  # noqa: E402

ROWS = [(name, parameters, kind)
        for name, parameters, *cycles in
        re.findall(r'^WEFT_CALLED\((\w+), "(\w+)", (\d+), (\d+)\)',
                   (HERE.parents[1] / 'kernel-lib' / 'called.def').read_text(), re.M)
        for kind, took in zip(('float', 'double'), cycles) if took != '0']
ITEMS = 1000

# One item in three has any bits, others usual numbers. Which NaN it is may differ. Some items call
# the function alone, all for the elements of a vector, and once all lanes ask for the same.
KERNEL = '''
#undef ONE
#undef THREE
#define ONE(x, y) {one}
#define THREE(x, y) {three}
// launch {name} 1 global {items} 1 1 offset 0 0 0 local 100 1 1 arguments o{bytes}z i{four}u
kernel void {name}(global {type} *out, global const {type} *in) {{
    int g = get_global_id(0);
    {type}4 x = vload4(g, in), y = x.wzyx;
    if (g % 3) {{
        x = convert_{type}4(as_{whole}4(x) % 6000) / 500 + ({type})0.001;
        y = convert_{type}4(as_{whole}4(y) % 2000) / 150;
    }}
    {type} same = get_num_groups(0) * ({type})0.07, r = ONE(x.x, y.x);
    if (g & 4)
        r = r * 3 + ONE(y.y, x.y);
    {type}3 more = THREE(x.xyz, y.zyx);
    r += (g & 8) ? more.x : more.y * more.z;
    r += ONE(same, same);
    out[g] = isnan(r) ? ({type})7 : r;
}}
'''
ARGUMENTS = {'g': ('x', 'x'), 'gg': ('x, y', 'x, y'), 'gi': ('x, convert_int_sat(y)', 'x, convert_int3_sat(y)')}


def kernel(name, parameters, kind):
    # A rare way is called by the function of which it is one.
    function = name.removeprefix('weft_far_')
    one, three = (f'{function}({arguments})' for arguments in ARGUMENTS[parameters])
    size = 8 if kind == 'double' else 4
    return KERNEL.format(name=f'{function}_{kind}', one=one, three=three, items=ITEMS, bytes=ITEMS * size,
                         four=4 * ITEMS * size, type=kind, whole='long' if size == 8 else 'int')


class Called(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.folder.name) / 'called.cl'
        cls.file.write_text('#pragma OPENCL FP_CONTRACT OFF\n' + ''.join(kernel(*row) for row in ROWS))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_called(self):
        """By one item, and by as many lanes as a register has."""
        code = subprocess.run([driver.COMPILER, '--offline', '--isa', 'x86-64-v4', '--dump-after', 'abi', self.file],
                              text=True, capture_output=True, check=True).stdout
        for name, _, kind in ROWS:
            for lanes in (1, 16) if kind == 'float' else (1, 8):
                self.assertIn(f'@__weft_called.{name}.{kind[0]}{lanes}(', code)

    def check(self, level):
        isa = ('WEFT_ISA', level)
        wanted = driver.run(driver.Configuration('reference', (isa, ('WEFT_REFERENCE', '1'))), self.file)
        self.assertEqual((wanted.end, len(wanted.hashes)), ('', len(ROWS)))
        ways = [driver.Configuration(level, (isa,)),
                driver.Configuration(f'{level}-checks', (isa, ('WEFT_CHECKS', '1')))]
        ways += [driver.Configuration(f'{level}-w{width}', (isa, ('WEFT_WIDTH', str(width))))
                 for width in (1, 2, 4, 8, 16, 32)]
        for way in ways:
            self.assertEqual(list(map(str, driver.compare(self.file, way, wanted))), [])


for each in driver.levels():
    setattr(Called, f'test_{each}', lambda self, level=each: self.check(level))

if __name__ == '__main__':
    tap.main()
