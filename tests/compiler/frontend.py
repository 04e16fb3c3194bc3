# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The front end: options, diagnostics, includes, what Clang is told about the device."""
import os
import pathlib
import tempfile
import unittest

import common
import tap


def ir(text, *arguments, **how):
    result = common.compile_text(text, '--emit', 'ir', *arguments, **how)
    assert result.status == 0, result.log
    return result.text


class Language(unittest.TestCase):
    def macro(self, name, *arguments):
        """The value of a macro, or None if it is not defined."""
        text = f'#ifdef {name}\nconstant int value = {name} + 0;\n#else\nint none(void);\n#endif\n'
        text += 'kernel void k(global int *p) {\n#ifdef %s\np[0] = value;\n#endif\n}' % name
        for line in ir(text, *arguments).splitlines():
            if line.startswith('@value'):
                return int(line.split('i32 ')[1].split(',')[0].replace('zeroinitializer', '0'))
        return None

    def test_versions(self):
        self.assertEqual(self.macro('__OPENCL_VERSION__'), 220)
        for option, version in ((None, 120), ('CL1.1', 110), ('CL1.2', 120), ('CL2.0', 200),
                                ('CL3.0', 300)):
            arguments = [f'-cl-std={option}'] if option else []
            self.assertEqual(self.macro('__OPENCL_C_VERSION__', *arguments), version)
        self.assertEqual(self.macro('CL_VERSION_1_2'), 120)

    def test_language_follows_the_version(self):
        text = 'kernel void k(global int *p) { int *any = p; *any = 1; }'
        self.assertEqual(common.compile_text(text, '--emit', 'ir').status, 1)
        self.assertIn('addrspace(4)', ir(text, '-cl-std=CL2.0'))

    def test_constants_of_the_language(self):
        self.assertEqual(self.macro('__ENDIAN_LITTLE__'), 1)
        self.assertEqual(self.macro('CLK_LOCAL_MEM_FENCE'), 1)
        self.assertIsNone(self.macro('__FAST_RELAXED_MATH__'))
        self.assertEqual(self.macro('__FAST_RELAXED_MATH__', '-cl-fast-relaxed-math'), 1)

    def test_extensions_are_those_reported(self):
        for std in ('CL1.2', 'CL2.0'):
            how = ['-cl-std=' + std, '--extensions']
            self.assertEqual(self.macro('cl_khr_fp64', *how, 'cl_khr_fp64'), 1)
            for other in ('cl_khr_fp16', 'cl_khr_subgroups', 'cl_khr_mipmap_image',
                          'cl_intel_subgroups', 'cl_khr_gl_msaa_sharing', 'cl_amd_media_ops'):
                self.assertIsNone(self.macro(other, *how, 'cl_khr_fp64'), other)
        self.assertIsNone(self.macro('cl_khr_fp64', '--extensions', ''))
        self.assertEqual(common.compile_text('kernel void k(global double *p) { *p = 1; }',
                                             '--emit', 'ir', '--extensions', '').status, 1)

    def test_images_only_when_reported(self):
        self.assertIsNone(self.macro('__IMAGE_SUPPORT__', '--extensions', 'cl_khr_fp64'))
        self.assertEqual(self.macro('__IMAGE_SUPPORT__'), 1)
        self.assertEqual(self.macro('__IMAGE_SUPPORT__', '--extensions', '__opencl_c_images'), 1)

    def test_pragmas_of_reported_extensions_do_not_warn(self):
        """Clang knows some of them only by their functions, and others not at all."""
        names = ('cl_khr_work_group_uniform_arithmetic', 'cl_khr_extended_async_copies', 'cl_khr_integer_dot_product',
                 'cl_khr_extended_bit_ops', 'cl_ext_float_atomics')
        kernel = 'kernel void k(global int *p) { *p = 1; }'
        text = ''.join(f'#pragma OPENCL EXTENSION {name} : enable\n' for name in names) + kernel
        self.assertEqual(common.compile_text(text, '-cl-std=CL2.0', '-Werror', '--emit', 'ir').log, '')
        text = '#pragma OPENCL EXTENSION cl_khr_no : enable\n' + kernel
        self.assertIn('cl_khr_no', common.compile_text(text, '-Werror').log)

    def test_functions_of_extensions_in_every_version(self):
        """Clang has these from OpenCL C 2.0 on."""
        text = ('kernel void k(global uint *p) { p[0] = bit_reverse(p[1]) + bitfield_insert(p[2], p[3], 3, 4) +\n'
                '    dot((uchar4)(1), (uchar4)(2)) + cl_khr_extended_bit_ops + cl_khr_integer_dot_product; }')
        for standard in 'CL1.1', 'CL1.2', 'CL2.0':
            self.assertEqual(common.compile_text(text, '-cl-std=' + standard, '--emit', 'ir').log, '')

    def test_pragmas_of_core_features_do_not_warn(self):
        text = ('#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n'
                '#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable\n'
                'kernel void k(global int *p) { *p = 1; }')
        self.assertEqual(common.compile_text(text, '--emit', 'ir').log, '')
        text = '#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n' + text
        self.assertEqual(common.compile_text(text, '--emit', 'ir', '-cl-std=CL2.0').log, '')


class FloatingPoint(unittest.TestCase):
    text = 'kernel void k(global float *p) { p[0] = p[1] * p[2] + p[3]; p[4] = p[5] / p[6]; }'

    def test_relaxed_functions(self):
        """Of floats, by calls that may be approximate; other calls of the same function stay."""
        text = 'kernel void k(global float *p, global double *d) { p[0] = sin(p[1]); d[0] = sin(d[1]); }'
        for options in [], ['-cl-fast-relaxed-math'], ['-cl-unsafe-math-optimizations']:
            result = common.compile_text(text, *options, '--dump-after', 'link-library').text
            self.assertEqual('native_sinf(' in result, bool(options))
            self.assertNotIn('native_sind', result)

    def test_default(self):
        text = ir(self.text)
        self.assertIn('llvm.fmuladd.f32', text)
        self.assertIn('= fdiv float', text)
        self.assertNotIn('fpmath', text)

    def test_contraction_off(self):
        text = ir('#pragma OPENCL FP_CONTRACT OFF\n' + self.text)
        self.assertNotIn('fmuladd', text)
        self.assertIn('= fmul float', text)

    def test_relaxed(self):
        self.assertIn('= fdiv reassoc nnan nsz arcp afn float',
                      ir(self.text, '-cl-fast-relaxed-math'))
        self.assertIn('= fdiv nnan float', ir(self.text, '-cl-finite-math-only'))
        self.assertIn('= fdiv nsz float', ir(self.text, '-cl-no-signed-zeros'))

    def test_single_precision_constants(self):
        text = 'kernel void k(global float *p) { p[0] = p[1] * 2.5; }'
        self.assertIn('fpext', ir(text))
        self.assertNotIn('fpext', ir(text, '-cl-single-precision-constant'))


class Flags(unittest.TestCase):
    text = 'kernel void k(global float *p) { p[0] = 1; }'

    def test_module_flags(self):
        for option, flag in (('-cl-kernel-arg-info', 'weft.kernel-arg-info'),
                             ('-cl-denorms-are-zero', 'weft.denorms-are-zero'),
                             ('-cl-opt-disable', 'weft.opt-disable')):
            self.assertNotIn(flag, ir(self.text))
            self.assertIn(f'!"{flag}", i32 1', ir(self.text, option))

    def test_uniform_groups(self):
        flag = 'weft.uniform-work-group-size'
        self.assertIn(flag, ir(self.text))
        self.assertNotIn(flag, ir(self.text, '-cl-std=CL2.0'))
        self.assertIn(flag, ir(self.text, '-cl-std=CL2.0', '-cl-uniform-work-group-size'))

    def test_argument_metadata_is_always_there(self):
        self.assertIn('!kernel_arg_name', ir(self.text))

    def test_optimisation_attributes(self):
        self.assertIn('llvm.lifetime.start', ir('kernel void k(global int *p) { int a[4];'
                                                ' a[p[0]] = 1; p[1] = a[p[2]]; }'))
        for arguments in ([], ['-cl-opt-disable']):
            text = ir(self.text, *arguments)
            self.assertNotIn('optnone', text)
            self.assertIn('target triple = "spir64"', text)

    def test_inline_functions_have_bodies(self):
        """C99 leaves it to another file to define them; an OpenCL program has no other."""
        text = 'inline int f(int x) { return x * 2; } kernel void k(global int *p) { p[0] = f(p[1]); }'
        for arguments in ([], ['-cl-opt-disable']):
            self.assertRegex(ir(text, *arguments), r'define .*i32 @f\(')


class Diagnostics(unittest.TestCase):
    def fails(self, text, *arguments, **how):
        result = common.compile_text(text, *arguments, **how)
        self.assertEqual(result.status, 1, result.log)
        self.assertEqual(result.output, b'')
        return result.log

    def test_error_shows_place_and_line(self):
        log = self.fails('kernel void k(global int *p)\n{\n    p[0] = missing;\n}\n')
        self.assertIn("<source>:3:12: error: use of undeclared identifier 'missing'", log)
        self.assertIn('    p[0] = missing;\n', log)
        self.assertRegex(log, r'\n +\| +\^~~~~~~\n')
        self.assertIn('1 error generated.', log)

    def test_line_directive(self):
        self.assertIn('user/file.cl:70:',
                      self.fails('#line 70 "user/file.cl"\nint f() { return missing; }'))

    def test_all_errors(self):
        self.assertIn('3 errors generated', self.fails('constant int a = x;\nconstant int b = y;\n'
                                                             'constant int c = z;\n'))

    def test_builtin_of_another_type(self):
        log = self.fails('double mine(float) __asm__("_Z3sinf");\n'
                         'kernel void k(global float *p) { p[0] = mine(p[1]); }')
        self.assertIn('takes the built-in function sin(float) for one of another type', log)

    def test_warnings(self):
        text = 'kernel void k(global int *p) { p[0] = 1 ; p[1] == 2; }'
        result = common.compile_text(text, '--emit', 'ir')
        self.assertEqual(result.status, 0)
        self.assertIn('<source>:1:48: warning:', result.log)
        self.assertEqual(common.compile_text(text, '--emit', 'ir', '-w').log, '')
        self.assertIn('error:', self.fails(text, '-Werror'))

    def test_options(self):
        self.assertIn("option '-cl-what' is unknown", self.fails('', '-cl-what'))

    def test_recursion_in_includes(self):
        self.assertIn('nested too deeply', self.fails('#include "self.h"',
                                                      files={'self.h': '#include "self.h"\n'}))


class Preprocessor(unittest.TestCase):
    def value(self, text, *arguments, **how):
        for line in ir(text, *arguments, **how).splitlines():
            if line.startswith('@value'):
                return int(line.split('i32 ')[1].split(',')[0])
        return None

    def test_macros(self):
        text = 'constant int value = X; kernel void k(global int *p) { *p = value; }'
        self.assertEqual(self.value(text, '-D', 'X=7'), 7)
        self.assertEqual(self.value(text, '-DX=7', '-D', 'X2', '-UX', '-DX=8'), 8)
        self.assertEqual(self.value(text, '-DX'), 1)
        self.assertEqual(self.value(text, '-D', 'F(a)=(a + 1)', '-D', 'X=F(4)'), 5)

    def test_includes(self):
        files = {'here.h': '#define A 1\n', 'inc/there.h': '#define B 20\n#include "near.h"\n',
                 'inc/near.h': '#define C 300\n', 'with blank/odd.h': '#define D 4000\n'}
        text = ('#include "here.h"\n#include <there.h>\n#include "odd.h"\n'
                'constant int value = A + B + C + D;'
                'kernel void k(global int *p) { *p = value; }')
        self.assertEqual(self.value(text, '-I', 'inc', '-Iwith blank', files=files), 4321)

    def test_embedded_headers(self):
        files = {'1': '#define A 1\n', '2': '#define B 20\n#include "inner/c.h"\n',
                 '3': '#define C 300\n#include "d.h"\n', '4': '#define D 4000\n',
                 'a.h': '#error the embedded header comes first\n', '5': '#define E 50000\n'}
        names = {'a.h': '1', 'dir/b.h': '2', 'dir/inner/c.h': '3', 'dir/inner/d.h': '4',
                 '../../up.h': '5'}
        arguments = [word for name in names for word in ('--header', f'{name}={names[name]}')]
        text = ('#include "a.h"\n#include <dir/b.h>\n#include "../../up.h"\n'
                'constant int value = A + B + C + D + E;'
                'kernel void k(global int *p) { *p = value; }')
        self.assertEqual(self.value(text, *arguments, files=files), 54321)
        log = common.compile_text(text, '--emit', 'ir', '--time', *arguments, files=files).log
        self.assertIn('looked for no file', log)

    def test_absolute_embedded_header(self):
        text = '#include "/nowhere/x.h"\nconstant int value = X;' \
               'kernel void k(global int *p) { *p = value; }'
        self.assertEqual(self.value(text, '--header', '/nowhere/x.h=1',
                                    files={'1': '#define X 7\n'}), 7)

    def test_looks_at_the_disk_are_noticed(self):
        kernel = 'kernel void k(global int *p) { *p = 1; }\n'
        for text, looked in ((kernel, False), ('#include "here.h"\n' + kernel, True),
                             ('#if __has_include("absent.h")\n#endif\n' + kernel, True),
                             ('#if 0\n#include "absent.h"\n#endif\n' + kernel, False)):
            log = common.compile_text(text, '--emit', 'ir', '--time', '-I', 'folder', '-I.',
                                      files={'here.h': ''}).log
            self.assertIn('looked for files' if looked else 'looked for no file', log, text)

    def test_only_files_are_read(self):
        """A pipe was waited for until the limit, on e8e9dd5."""
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / 'pipe.h'
            os.mkfifo(pipe)
            for name in (pipe, '/dev/zero', folder):
                for line in (f'#include "{name}"\n', f'constant char c[] = {{\n#embed "{name}"\n}};'):
                    result = common.compile_text(line)
                    self.assertEqual(result.status, 1, line)
                    self.assertIn('<source>:', result.log)

    def test_no_has_embed(self):
        """Crashed on e8e9dd5. OpenCL C has no such macro, and programs that ask first get on."""
        result = common.compile_text('#if __has_embed("/etc/hostname")\n#endif\n')
        self.assertEqual(result.status, 1)
        self.assertIn('__has_embed', result.log)
        text = '#ifdef __has_embed\n#error there is\n#endif\nkernel void k(global int *p) { *p = 1; }'
        self.assertEqual(common.compile_text(text).status, 0)

    def test_missing_include(self):
        result = common.compile_text('#include "nowhere.h"\n')
        self.assertEqual(result.status, 1)
        self.assertIn("<source>:1:10: fatal error: 'nowhere.h' file not found", result.log)

    def test_angled_includes_do_not_search_here(self):
        self.assertEqual(common.compile_text('#include <here.h>\n',
                                             files={'here.h': ''}).status, 1)


class VectorLiterals(unittest.TestCase):
    """(float4)(x) of one value, which Clang 22 converts by a table that has no line for addresses."""

    frame = ('struct s { int a; };\nkernel void k(global float *p, global float4 *o, read_only image2d_t image) {\n'
             '    struct s t = {1};\n    float q[3] = {1, 2, 3};\n    o[1] = %s;\n}')

    def test_values_that_are_no_numbers_are_refused(self):
        for value, type in (('(float4)(p)', '__global float *__private'), ('(float4)((q))', '__private float[3]'),
                            ('(float4)(t)', '__private struct s'), ('(float4)(&t)', '__private struct s *'),
                            ('(__typeof__(*o))(p)', '__global float *__private'), ('(float4)(NULL)', '__private void *'),
                            ('(__typeof__(float4))(p)', '__global float *__private'), ('(__typeof__(o[0].xyzw))(t)', '__private struct s'),
                            ('(float __attribute__((ext_vector_type(4))))(p)', '__global float *__private'),
                            ('convert_float4((int4)(t))', '__private struct s'), ('(float4)(barrier(0))', 'void'),
                            ('(float4)(image)', '__private __read_only image2d_t')):
            result = common.compile_text(self.frame % value)
            self.assertEqual(result.status, 1, value)
            self.assertRegex(result.log, r'<source>:5:\d+: error: initializing .*incompatible type', value)
            self.assertIn(f"'{type}", result.log)

    def test_types_of_other_spellings(self):
        for std, value in (('CL2.0', '(float4)(*c)'), ('CL2.0', '(float4)((*c))'), ('CL3.0', '(__typeof__(float4))(1)'),
                           ('CL2.0', '(float __attribute__((ext_vector_type(4))))(1)'), ('CL2.0', '(float4)(E)')):
            text = f'enum e {{ E }}; kernel void k(global atomic_int *c, global float4 *o) {{ o[0] = {value}; }}'
            self.assertEqual(common.compile_text(text, '-cl-std=' + std, '--emit', 'ir').log, '', value)
        text = 'kernel void k(global float *p, global float4 *o) { float4 v = 1; o[0] = (%s)(p); }'
        for type in 'decltype(v)', 'const decltype(1.0f * v)':
            result = common.compile_text(text % type, '-cl-std=CLC++2021')
            self.assertEqual(result.status, 1, type)
            self.assertIn("incompatible type '__global float *", result.log)

    def test_names_of_functions(self):
        text = ('template<typename T> float f(T a) { return a; } template<typename T> float f(T a, T b) { return a; }'
                'template<typename T> float g(T a) { return a; } int h(int a) { return a; } int h(float a) { return 1; }'
                'kernel void k(global float4 *o) { o[0] = (float4)(%s); }')
        for value, error in (('g<int>', "incompatible type 'float (__private int)'"), ('(g<int>)', "type 'float (__private int)'"),
                             ('f<int>', 'overloaded function could not be resolved'), ('h', 'overloaded function could not be resolved')):
            result = common.compile_text(text % value, '-cl-std=CLC++2021')
            self.assertEqual(result.status, 1, value)
            self.assertEqual(result.log.count('error: '), 1, value)
            self.assertIn(error, result.log)
        self.assertEqual(common.compile_text(text % 'g<int>(3)', '-cl-std=CLC++2021', '--emit', 'ir').log, '')

    def test_values_that_are_numbers(self):
        for value in ('(float4)(p[0])', '(float4)(1)', '(float4)((true))', '(float4)(o[2])', '(float4)(o[2].xy, p[0], q[1])',
                      '(float4)(sizeof p)', 'convert_float4((int4)(p))', '*(global float4 *)(p)', '(float)(q[2])'):
            self.assertEqual(common.compile_text(self.frame % value, '--emit', 'ir').log, '', value)


class Sources(unittest.TestCase):
    """Text that is unusual but legal, or not legal but harmless."""

    kernel = b'kernel void k(global int *p) { *p = 5; }'

    def test_endings(self):
        for text in (self.kernel, self.kernel + b'\n', self.kernel + b'\r\n', b'\\\n' + self.kernel,
                     b'\xef\xbb\xbf' + self.kernel, self.kernel + b'\n// no end of line',
                     self.kernel.replace(b'{', b'{\r\n'), self.kernel.replace(b' ', b'\t\v\f ')):
            self.assertIn('define', ir(text))

    def test_empty(self):
        for text in (b'', b'\n', b' ', b'/* nothing */', b'#define X\n'):
            self.assertNotIn('define', ir(text))

    def test_nul_bytes(self):
        result = common.compile_text(self.kernel.replace(b'5', b'\x005'), '--emit', 'ir')
        self.assertEqual(result.status, 0)
        self.assertIn('null character', result.log)

    def test_garbage(self):
        for text in (b'\xff\xfe' + self.kernel, bytes(range(256)) * 3, b'/*', b'"', b"'", b'#if 1',
                     b'#include', b'{' * 3000, b'(' * 3000, b'kernel', b'??=' * 99):
            result = common.compile_text(text)
            self.assertEqual(result.status, 1)
            self.assertIn('error:', result.log)


if __name__ == '__main__':
    tap.main()
