# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of conformance/offline-compiler: what it makes is what the CTS's spirv-val accepts."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import tap  # noqa: E402

PROGRAM = HERE.parent.parent / 'conformance/offline-compiler'
INFO = ('CL_DEVICE_ADDRESS_BITS=64\nCL_DEVICE_IL_VERSION="SPIR-V_1.0 SPIR-V_1.2"\n'
        'CL_DEVICE_EXTENSIONS="cl_khr_fp64"\n')
SIGNS = '''kernel void k(global int *o, global int4 *v, global long *l) {
    o[0] = any(o[1]); o[1] = all(o[2]); o[2] = any(v[0]); o[3] = all(v[1]); o[4] = all(l[0]);
}'''
LOOPS = '''typedef struct { int a, b; } pair;
kernel void k(global int *o, global pair *p) {
    for (int i = 0; i < o[0]; i++) { if (o[i] == 3) continue; p[i].b += i; if (p[i].a) break; }
}'''


@unittest.skipUnless(shutil.which('spirv-val'), 'spirv-tools are not installed')
@unittest.skipUnless(shutil.which(os.environ.get('WEFT_CLANG', 'clang-22')), 'no clang-22')
class SpirV(unittest.TestCase):
    def module(self, source, options=('-cl-std=CL1.2',)):
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder)
            (at / 'k.cl').write_text(source)
            (at / 'info.txt').write_text(INFO)
            subprocess.run([sys.executable, PROGRAM, '--source', at / 'k.cl', '--output', at / 'k.spv',
                            '--cl-device-info', at / 'info.txt', '--mode', 'spir-v', '--', *options],
                           check=True, env=dict(os.environ, WEFT_LLVM_SPIRV=''))
            subprocess.run(['spirv-val', '--target-env', 'opencl2.2', at / 'k.spv'], check=True)
            return subprocess.run(['spirv-dis', at / 'k.spv'], check=True, capture_output=True,
                                  text=True).stdout

    def test_any_and_all_of_signs(self):
        text = self.module(SIGNS)
        self.assertEqual(text.count('OpSLessThan'), 5)
        self.assertEqual((text.count('OpAny'), text.count('OpAll')), (1, 1))

    def test_merge_instructions_and_indices(self):
        self.assertNotIn('Merge', self.module(LOOPS))

    def test_options_of_clBuildProgram(self):
        self.assertIn('OpEntryPoint', self.module('kernel void k(global int *o) { *o = N; }',
                                                  ('-cl-kernel-arg-info', '-DN=3')))


if __name__ == '__main__':
    tap.main()
