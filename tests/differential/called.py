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

TABLE = re.findall(r'^WEFT_CALLED\((\w+), "(\w+)", (\d+), (\d+), "(\w*)"\)',
                   (HERE.parents[1] / 'kernel-lib' / 'called.def').read_text(), re.M)
ROWS = [(name, parameters, kind)
        for name, parameters, *cycles, _ in TABLE
        for kind, took in zip(('float', 'double'), cycles) if took != '0']
TWO = {name: two for name, *_, two in TABLE}
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

    def test_two_registers(self):
        """A kernel that does little else has two registers for each value where the function's code has them."""
        for isa, bits, kinds in (('v3', 256, {'float': 'f', 'double': 'd'}), ('v4', 512, {'float': '-', 'double': 'D'})):
            for name, parameters, kind in ROWS:
                if name.startswith('weft_far_'):
                    continue
                arguments = {'g': 'x[i]', 'gg': 'x[i], y[i]', 'gi': 'x[i], n[i]'}[parameters]
                file = pathlib.Path(self.folder.name) / 'two.cl'
                file.write_text(f'kernel void k(global {kind} *x, global {kind} *y, global int *n)'
                                f'{{ size_t i = get_global_id(0); x[i] = {name}({arguments}); }}')
                code = subprocess.run([driver.COMPILER, '--offline', '--isa', f'x86-64-{isa}', '--dump-after', 'abi', file],
                                      text=True, capture_output=True, check=True).stdout
                lanes = bits // (64 if kind == 'double' else 32) * (2 if kinds[kind] in TWO[name] else 1)
                with self.subTest(name=name, kind=kind, isa=isa):
                    self.assertEqual(set(re.findall(r'call.*@__weft_called\.\w+\.(\w+)\(', code)), {f'{kind[0]}{lanes}'})

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
