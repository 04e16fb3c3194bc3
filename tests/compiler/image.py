# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The image's linker: objects of every kind, linked, mapped and called."""
import ctypes
import tempfile
import unittest

import common
import tap

i32, i64, f32, f64 = ctypes.c_int32, ctypes.c_int64, ctypes.c_float, ctypes.c_double


def link(text, *entries, isa='x86-64-v1', march='x86-64', flags=(), language='c'):
    with tempfile.TemporaryDirectory() as folder:
        path = common.compile_object(text, folder, f'-march={march}', *flags, language=language)
        names = [word for entry in entries for word in ('--entry', entry)]
        return common.run('--isa', isa, *names, path)


def image_of(text, *entries, **how):
    result = link(text, *entries, **how)
    assert result.status == 0, result.log
    return common.Image(result.output)


class Form(unittest.TestCase):
    def test_headers(self):
        image = image_of('static int data = 3; int k(int x) { return data += x; }', 'k')
        self.assertEqual((image.type, image.machine), (3, 62))
        self.assertEqual([h[1] for h in image.loads], [4, 5, 6])
        end = 0
        for _, _, offset, address, _, in_file, in_memory, _ in image.loads:
            self.assertEqual(offset % 4096, address % 4096)
            self.assertGreaterEqual(address & ~4095, end)
            self.assertLessEqual(in_file, in_memory)
            end = (address + in_memory + 4095) & ~4095

    def test_no_writable_segment_without_data(self):
        image = image_of('int k(int x) { return x + 1; }', 'k')
        self.assertEqual([h[1] for h in image.loads], [4, 5])
        self.assertEqual(image.relocations(), [])

    def test_no_kernel(self):
        image = image_of('int unused;')
        self.assertEqual(image.kernels(), {})

    def test_same_bytes_each_time(self):
        text = ('const char *const names[] = {"a", "b"};'
                'const char *k(int i) { return names[i]; } int l(void) { return 1; }')
        self.assertEqual(link(text, 'k', 'l').output, link(text, 'k', 'l').output)

    def test_only_what_is_reached(self):
        small = link('int k(void) { return 1; }', 'k').output
        large = link('int k(void) { return 1; } char more[9999] = {1};'
                     'char *unused(void) { return more; }', 'k').output
        self.assertEqual(len(small), len(large))


class Code(unittest.TestCase):
    def test_constants(self):
        image = image_of('double k(double x) { return x * 2.5 + 1e100; }'
                         'float l(int i) { static const float t[] = {1, 2, 4, 8.5f}; return t[i]; }',
                         'k', 'l')
        self.assertEqual(image.function('k', f64, f64)(2.0), 2.0 * 2.5 + 1e100)
        self.assertEqual([image.function('l', f32, i32)(i) for i in range(4)], [1, 2, 4, 8.5])

    def test_jump_table(self):
        cases = ''.join(f'case {i}: return x * {i * i + 1} ^ {i};' for i in range(20))
        image = image_of('int k(int i, int x) { switch (i) { %s } return -1; }' % cases, 'k',
                         flags=['-fjump-tables'])
        k = image.function('k', i32, i32, i32)
        self.assertEqual([k(i, 7) for i in range(20)], [7 * (i * i + 1) ^ i for i in range(20)])
        self.assertEqual(k(20, 7), -1)

    def test_pointers_in_data(self):
        image = image_of('static int f(void) { return 5; } static int g(void) { return 6; }'
                         'static int (*const table[])(void) = {f, g};'
                         'static const char *const names[] = {"alpha", "beta"};'
                         'int k(int i) { return table[i]() * 1000 + names[i][1]; }'
                         'const void *addresses(int i) { return i ? (void *)names : table; }',
                         'k', 'addresses')
        self.assertEqual([h[1] for h in image.loads], [4, 5])
        self.assertEqual(len(image.relocations()), 4)
        k = image.function('k', i32, i32)
        self.assertEqual([k(0), k(1)], [5000 + ord('l'), 6000 + ord('e')])

    def test_writable_data_and_zeros(self):
        image = image_of('static int counter = 40; static int zeros[5000];'
                         'int k(int i) { zeros[i] += ++counter; return zeros[i]; }', 'k')
        k = image.function('k', i32, i32)
        self.assertEqual([k(4999), k(4999), k(0)], [41, 83, 43])
        self.assertLess(len(image.data), 12000)

    def test_global_offset_table_is_relaxed(self):
        image = image_of('int shared = 9; int callee(int x) { return x + shared; }'
                         'int k(int x) { return callee(x) + *(&shared); }', 'k',
                         flags=['-fsemantic-interposition', '-fno-plt', '-fno-inline'])
        self.assertEqual(image.function('k', i32, i32)(1), 19)

    def test_alignment(self):
        for align in (64, 4096):
            image = image_of('static const int __attribute__((aligned(%d))) big[2] = {3, 4};'
                             'const void *k(void) { return big; }' % align, 'k')
            self.assertEqual(image.function('k', ctypes.c_void_p)() % align, 0)
        result = link('static const int __attribute__((aligned(8192))) big[2] = {3, 4};'
                      'const void *k(void) { return big; }', 'k')
        self.assertEqual(result.status, 1)
        self.assertIn('alignment', result.log)


class Frames(unittest.TestCase):
    """Decision 5: private variables never make a frame large, whatever they are and wherever."""

    KERNELS = (
        # one large array; many small ones; one that outlives a barrier; in a function that stays one
        ('kernel void k(global int *p) { int v[9000]; for (int i = 0; i < 9000; i++) v[i] = p[i];'
         ' p[0] = v[p[1]]; }'),
        ('kernel void k(global int *p) { int v[40][64]; for (int i = 0; i < 40; i++)'
         ' for (int j = 0; j < 64; j++) v[i][j] = p[i * j]; p[0] = v[p[1]][p[2]]; }'),
        ('kernel void k(global int *p) { int v[3000]; for (int i = 0; i < 3000; i++) v[i] = p[i];'
         ' barrier(CLK_LOCAL_MEM_FENCE); p[0] = v[p[1]]; }'),
        ('__attribute__((noinline)) int f(global int *p) { int v[5000];'
         ' for (int i = 0; i < 5000; i++) v[i] = p[i]; return v[p[1]]; }'
         'kernel void k(global int *p) { p[0] = f(p) + f(p + 1); }'),
        ('typedef struct { double16 m[64]; } big; kernel void k(global big *p, int i) {'
         ' big b = p[i], c = p[i + 1]; b.m[i] += c.m[i + 1]; p[i] = b; }'))

    def frame(self, text, *options):
        result = common.compile_text(text, *options)
        self.assertEqual(result.status, 0, result.log)
        return common.Image(result.output).kernels()['k'][1]

    def test_variables_are_not_in_the_frame(self):
        for text in self.KERNELS:
            for option in ('-cl-mad-enable', '-cl-opt-disable'):
                with self.subTest(text=text, option=option):
                    self.assertLessEqual(self.frame(text, option), 4096)

    def test_spills_of_the_widest_vectors(self):
        """Sixteen live double16 (2 KiB of values) where a register holds two elements."""
        text = ('kernel void k(global const double16 *a, global double16 *b) { double16 r[16];'
                ' for (int j = 0; j < 16; j++) r[j] = a[j];'
                ' for (int k = 0; k < 4; k++) { double16 s = 0;'
                ' for (int j = 0; j < 16; j++) s += r[j] * r[(j + 5) & 15];'
                ' for (int j = 0; j < 16; j++) r[j] = r[j] * s - r[15 - j]; }'
                ' for (int j = 0; j < 16; j++) b[j] = r[j]; }')
        self.assertLessEqual(self.frame(text, '--isa', 'x86-64-v2'), 4096)


class Runtime(unittest.TestCase):
    """Calls that code generation makes by itself are served from kernel-lib/rt."""

    def test_memory(self):
        image = image_of('struct big { char bytes[900]; };'
                         'void k(struct big *to, const struct big *from) { *to = *from; }'
                         'void l(char *p, long n) { for (long i = 0; i < n; i++) p[i] = 7; }',
                         'k', 'l')
        source = (ctypes.c_char * 900)(*bytes(i % 251 for i in range(900)))
        target = (ctypes.c_char * 900)()
        image.function('k', None, ctypes.c_void_p, ctypes.c_void_p)(
            ctypes.addressof(target), ctypes.addressof(source))
        self.assertEqual(bytes(target), bytes(source))
        image.function('l', None, ctypes.c_void_p, i64)(ctypes.addressof(target), 899)
        self.assertEqual(bytes(target), b'\7' * 899 + bytes(source)[899:])

    def test_fma(self):
        text = 'float k(float a, float b, float c) { return __builtin_fmaf(a, b, c); }'
        for isa, march in (('x86-64-v1', 'x86-64'), ('x86-64-v2', 'x86-64-v2')):
            k = image_of(text, 'k', isa=isa, march=march).function('k', f32, f32, f32, f32)
            exact = 1 + 2.0 ** -12
            self.assertEqual(k(exact, exact, -1.0), 2.0 ** -11 + 2.0 ** -24)

    def test_wide_division(self):
        image = image_of('long k(long a, unsigned long b, long c) {'
                         ' return ((__int128)a << 64 | b) / c; }', 'k')
        k = image.function('k', i64, i64, ctypes.c_uint64, i64)
        self.assertEqual(k(5, 12345, 7 << 40), ((5 << 64) + 12345) // (7 << 40))

    def test_frames_of_the_runtime_count(self):
        frame = image_of('struct big { char bytes[4000]; };'
                         'void k(struct big *to, const struct big *from) { *to = *from; }',
                         'k').kernels()['k'][1]
        self.assertGreaterEqual(frame, 16)


class Refused(unittest.TestCase):
    def expect(self, word, text, *entries, **how):
        result = link(text, *entries, **how)
        self.assertEqual(result.status, 1, result.log)
        self.assertIn(word, result.log)
        self.assertEqual(result.output, b'')

    def test_undefined(self):
        self.expect("undefined: 'lost', 'printf'",
                    'int printf(const char *, ...); extern int lost;'
                    'int k(void) { return printf("%d", lost); }', 'k', flags=['-fno-builtin'])

    def test_missing_entry(self):
        self.expect("'absent'", 'int k(void) { return 1; }', 'absent')

    def test_thread_local(self):
        self.expect('thread-local', '_Thread_local int t; int k(void) { return t++; }', 'k')

    def test_recursion(self):
        self.expect('calls itself',
                    '__attribute__((noinline)) int g(int x);'
                    '__attribute__((noinline)) int f(int x) { return x ? g(x - 1) * 3 : 1; }'
                    '__attribute__((noinline)) int g(int x) { return x ? f(x - 1) * 5 : 2; }'
                    'int k(int x) { return f(x); }', 'k')

    def test_frame(self):
        text = ('void use(volatile char *p) { p[0] = 1; }'
                'int k(int i) { volatile char a[%d]; use(a); return a[i]; }')
        image = image_of(text % 8000, 'k')
        self.assertGreaterEqual(image.kernels()['k'][1], 8000)
        self.expect('bytes of stack', text % 200000, 'k')

    def test_frame_of_unknown_size(self):
        self.expect('unknown size', 'void use(volatile char *p);'
                    'int k(int i) { volatile char a[i]; a[i - 1] = 1; return a[0]; }', 'k')
        self.expect('unknown size', 'int k(int i) { return i; }', 'k',
                    flags=['-fno-stack-size-section'])

    def test_frames_add_up(self):
        image = image_of('__attribute__((noinline)) int f(int i) {'
                         ' volatile char a[1000]; a[i] = 1; return a[0]; }'
                         '__attribute__((noinline)) int g(int i) {'
                         ' volatile char a[500]; a[i] = 1; return a[0] + f(i); }'
                         'int k(int i) { return g(i) + f(i); }', 'k')
        frame = image.kernels()['k'][1]
        self.assertGreaterEqual(frame, 1500)
        self.assertLess(frame, 1900)

    def test_not_an_object(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + '/broken.o'
            good = common.compile_object('int k(void) { return 1; }', folder).read_bytes()
            for data in (b'', b'\x7fELF', good[:100], good[:64] + b'\xff' * (len(good) - 64)):
                with open(path, 'wb') as file:
                    file.write(data)
                self.assertEqual(common.run('--entry', 'k', path).status, 1)


if __name__ == '__main__':
    tap.main()
