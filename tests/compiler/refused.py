# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that no build takes: a sentence, in front of all stages, whichever way the build goes."""
import pathlib
import tempfile
import unittest

import common
import tap

CALLS_F = 'kernel void k(global int *p) { *p = f(*p); }'
WAYS = ([], ['--emit', 'asm'], ['--emit', 'binary'], ['-cl-opt-disable'], ['--switches', 'reference'])


class Refused(unittest.TestCase):
    def refuse(self, text, *words, arguments=()):
        result = common.compile_text(text, '-cl-std=CL2.0', *arguments, seconds=30)
        self.assertEqual(result.status, 1, text)
        for word in words:
            self.assertIn(word, result.log)
        self.assertNotIn('internal error', result.log)

    def accept(self, text):
        result = common.compile_text(text, '-cl-std=CL2.0', seconds=30)
        self.assertEqual(result.status, 0, result.log)


class Recursion(Refused):
    def test_recursion_hangs_pipeline(self):
        """Every way through the offline compiler, not that to an image alone."""
        for way in WAYS:
            self.refuse('int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }' + CALLS_F,
                        "function 'f' calls itself", arguments=way)

    def test_recursion_through_an_alias(self):
        """Was compiled, and overflowed the application's stack."""
        for way in WAYS:
            self.refuse('int g(int x); int f(int x) { return x < 2 ? x : g(x - 1) + g(x - 2); }'
                        'int g(int x) __attribute__((alias("f")));' + CALLS_F,
                        'calls itself', arguments=way)

    def test_recursion_through_an_assembler_name(self):
        self.refuse('int g(int x) __asm__("f");'
                    'int f(int x) { return x < 2 ? x : g(x - 1) + g(x - 2); }' + CALLS_F, 'calls itself')

    def test_recursion_through_a_block(self):
        self.refuse('int (^const f)(int) = ^(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); };'
                    + CALLS_F, 'calls itself')

    def test_kernels_that_call_themselves(self):
        self.refuse('kernel void k(global int *p) { if ((*p)--) { k(p); k(p); } }',
                    "kernel 'k' calls itself")

    def test_libraries_that_call_each_other(self):
        """clLinkProgram of what each alone is no recursion."""
        texts = ['int g(int x); int f(int x) { return x < 2 ? x : g(x - 1) + g(x - 2); }',
                 'int f(int x); int g(int x) { return x < 2 ? x : f(x - 1) * f(x - 2); }', 'int f(int x);' + CALLS_F]
        with tempfile.TemporaryDirectory() as folder:
            for i, text in enumerate(texts):
                library = common.compile_text(text, '--emit', 'bc')
                self.assertEqual(library.status, 0, library.log)
                pathlib.Path(folder, f'{i}.bc').write_bytes(library.output)
            for way in WAYS:
                result = common.run(*way, '0.bc', '1.bc', '2.bc', cwd=folder, seconds=30)
                self.assertEqual(result.status, 1)
                self.assertIn('calls itself', result.log)

    def test_aliases_that_do_not(self):
        self.accept('int f(int x) { return x + 1; } int g(int x) __attribute__((alias("f")));'
                    'global int v; extern global int w __attribute__((alias("v")));'
                    'kernel void k(global int *p) { *p = g(*p) + f(*p); barrier(1); v = w; }')


class Sizes(Refused):
    def test_private_64g_invalid_binary(self):
        """Lanes of it were more than the loader believes: CL_INVALID_BINARY."""
        self.refuse('kernel void k(global int *p) { int x[1L << 34]; for (int i = 0; i < 100; i++)'
                    ' x[i * p[0]] = i; p[1] = x[p[2]]; }', "kernel 'k'", '687194767')
        self.refuse('int f(int a) { char x[1L << 40]; x[a] = 1; return x[a / 2]; }' + CALLS_F,
                    "function 'f' of kernel 'k'", '10995116277')
        self.refuse('kernel void k(global int *p) { volatile char *x = __builtin_alloca(1L << 40);'
                    ' x[p[0]] = 1; }', "kernel 'k'", '10995116277')

    def test_private_sums(self):
        """No variable, no function is too large: what is inlined is."""
        calls = '+'.join(f'f(p[{i}], p[{i + 1}])' for i in range(200))
        self.refuse('static int f(int a, int b) { char x[1L << 33]; for (int i = 0; i < 1000; i++)'
                    ' x[a * i] = i; return x[b]; } kernel void k(global int *p) { p[1] = %s; }' % calls,
                    "kernel 'k'", 'bytes of private memory')
        huge = ''.join(f'struct S x{i}; x{i}.a[p[{i}]] = 1; p[{i}] = x{i}.b[p[0]];' for i in range(9))
        self.refuse('struct S { char a[1L << 57], b[1L << 57]; };'
                    'kernel void k(global int *p) { %s }' % huge, "kernel 'k'")

    def test_local_sums(self):
        one = 'local char x%d[1L << %d]; x%d[p[0]] = 1; barrier(1); p[%d] = x%d[p[1]];'
        for bits, count in ((41, 1), (39, 5), (57, 9)):
            body = ''.join('{ %s }' % (one % (i, bits, i, i, i)) for i in range(count))
            self.refuse('kernel void k(global int *p) { %s }' % body.replace('{', '').replace('}', ''), 'bytes')

    def test_program_variables(self):
        """Initial values of 4 GiB were counted in 32 bits, and written beyond their end."""
        kernel = 'kernel void k(global int *p) { p[0] = x[p[1]]; }'
        for text in ('global char x[1L << 32] = {1};', 'global char x[(1L << 32) + 5] = {1};',
                     'constant char x[1L << 32] = {1};', 'global char x[1L << 41];',
                     'global char a[1L << 30] = {1}, x[1L << 30] = {1};'):
            self.refuse(text + kernel, "variable 'x'", 'bytes')

    def test_arguments(self):
        """Of 4 GiB, 0 bytes were left; of 2 MiB the loader wanted nothing."""
        for size in ('1L << 32', '5L << 30', '1L << 21'):
            self.refuse('struct S { char c[%s]; };' % size +
                        'kernel void k(global int *p, struct S s) { p[0] = s.c[p[1]]; }',
                        "kernel 'k' has arguments of")

    def test_alloca_barrier(self):
        """Was an internal error, or a crash, or a frame of unknown size."""
        for size in ('p[0] + 64', 'p[0]'):
            self.refuse('kernel void k(global int *p) { volatile char *x = __builtin_alloca(%s); x[1] = 1;'
                        ' barrier(1); p[2] = x[1]; }' % size, "kernel 'k' takes private memory while it runs")
        self.refuse('int f(int n) { volatile char *x = __builtin_alloca(n); x[1] = 1; return x[n / 2]; }'
                    + CALLS_F, "function 'f' of kernel 'k' takes")

    def test_large_but_not_too_large(self):
        self.accept('kernel void k(global int *p) { int x[1L << 28]; for (int i = 0; i < 100; i++)'
                    ' x[i * p[0]] = i; p[1] = x[p[2]]; }')
        self.accept('kernel void k(global int *p) { volatile char *x = __builtin_alloca(64); x[p[1]] = 1;'
                    ' barrier(1); p[2] = x[1]; }')
        self.accept('int f(int n) { volatile char *x = __builtin_alloca(n); x[1] = 1; return x[n / 2]; }'
                    'kernel void k(global int *p) { *p = 1; }')


class Names(Refused):
    ONLY = 'that only the compiler may declare'

    def test_asm_label_intrinsic(self):
        """Was an internal error: the module is invalid."""
        kernel = 'kernel void k(global int *p) { p[0] = 1; %s }'
        self.refuse('void f(int) __asm__("llvm.write_register.i64"); void g(void) __asm__("llvm.debugtrap");'
                    + kernel % 'f(1); g();', "'llvm.write_register.i64'", "'llvm.debugtrap'", '<source>:1:6: ', self.ONLY)
        for text in ('static int f(int) __attribute__((weakref("llvm.write_register.i64")));' + kernel % 'f(1);',
                     'int f(int) __asm__("llvm.ctpop.i32"); int f(int x) { return x; }' + kernel % 'f(1);',
                     'void f(global int *, int, int, int) __asm__("llvm.prefetch.p1");' + kernel % 'f(p, p[1], 0, 0);',
                     'global int f __asm__("llvm.used");' + kernel % 'f++;',
                     kernel % 'extern void f(int) __asm__("llvm.write_register.i64"); f(1);',
                     kernel % '__builtin_prefetch((void *)p);' +
                     'void f(int) __asm__("llvm.prefetch.p4"); kernel void l(int x) { f(x); }'):
            self.refuse(text, self.ONLY)

    def test_names_of_weft(self):
        """Of wrong types, they failed an assertion; functions of the program were taken for ours."""
        self.refuse('void __weft_barrier(int, float); kernel void k(global int *p) { __weft_barrier(1, 2); }',
                    "'__weft_barrier'", self.ONLY)
        self.refuse('int __weft_width(int x) { return x; } kernel void k(global int *p) { *p = __weft_width(*p); }',
                    "'__weft_width'", self.ONLY)
        self.refuse('constant int f __asm__("weft.nothing") = 1; kernel void k(global int *p) { *p = f; }',
                    "'weft.nothing'", self.ONLY)

    def test_assembler_text(self):
        self.refuse('__asm__(".globl x"); kernel void k(global int *p) { p[0] = 1; }',
                    '<source>:1:1: error: assembler text outside of functions')

    def test_what_is_allowed(self):
        self.accept('int f(int) __asm__("other.name"); int f(int x) { return x + __builtin_popcount(x); }'
                    'kernel void k(global int *p, global float *q) { p[0] = f(2); q[0] = fma(q[1], q[2], q[3]);'
                    ' if (__builtin_expect(p[1], 1)) __builtin_trap(); __builtin_assume(p[2] > 3);'
                    ' __builtin_memcpy(p + 4, p + 8, 16); reserve_id_t r = CLK_NULL_RESERVE_ID;'
                    ' p[3] = is_valid_reserve_id(r); }')


class Modules(Refused):
    def test_pragma_module_build_writes_no_file(self):
        """The message was that of a file that could not be written: Clang tried to."""
        build = '#pragma clang module build M\nmodule M {}\n#pragma clang module contents\nint f(int);\n' \
                '#pragma clang module endbuild\n'
        for pragma in (build, '#pragma clang module import M\n', '#pragma clang module load M\n'):
            self.refuse(pragma + 'kernel void k(global int *p) { p[0] = 1; }',
                        '<source>:1:22: error: OpenCL C has no modules')


class Nesting(Refused):
    def test_deep_nesting_thread(self):
        """Clang wanted a thread, which a build may not start, and offline had too little stack."""
        self.accept('kernel void k(global int *p) { p[0] = %sp[1]%s; }' % ('max(' * 2000, ', 2)' * 2000))
        self.accept('kernel void k(global int *p) { p[0] = %sp[1]%s; }' % ('(' * 2000, ')' * 2000))
        self.accept('kernel void k(global int *p) { p[0] = %sp[1]; }' % ('~' * 5000))

    def test_stack_overflow_is_a_sentence(self):
        deep = 'kernel void k(global int *p) { p[0] = %sp[1]; }' % ('-~' * 500000)
        self.refuse(deep, 'is nested too deeply')


if __name__ == '__main__':
    tap.main()
