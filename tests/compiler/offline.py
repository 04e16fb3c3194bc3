# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The offline compiler: what it prints, how programs are linked, what is an error."""
import os
import pathlib
import re
import resource
import struct
import subprocess
import tempfile
import unittest

import common
import tap

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = 'kernel void k(global int *p) { p[get_global_id(0)] *= 3; }\n'


class CommandLine(unittest.TestCase):
    def test_usage(self):
        for arguments in ([], ['--what', 'x.cl'], ['--isa'], ['--emit', 'nonsense', 'x.cl'], ['']):
            result = common.run(*arguments)
            self.assertEqual(result.status, 2, arguments)
        self.assertEqual(common.run('--help').status, 0)
        self.assertIn('--dump-after', common.run('--help').text)

    def test_wrong_input(self):
        result = common.run('/nowhere/absent.cl')
        self.assertEqual(result.status, 1)
        self.assertIn("cannot read '/nowhere/absent.cl'", result.log)
        self.assertEqual(common.compile_text('not IR', suffix='.ll').status, 1)
        self.assertEqual(common.compile_text(b'BC\xc0\xde' + bytes(64), suffix='.bc').status, 1)
        self.assertEqual(common.compile_text(KERNEL, '-o', '/nowhere/x').status, 1)

    def test_targets(self):
        for isa, word in (('x86-64-v1', None), ('x86-64-v4', None), ('x86-64-v3+gfni', None),
                          ('x86-64-v4+avx512bf16+gfni', None), ('x86-64', 'does not start with'),
                          ('x86-64-v5', 'does not start with'), ('', 'does not start with'),
                          ('x86-64-v3+nonsense', "'nonsense'"), ('skylake', 'does not start'),
                          ('x86-64-v4~gather', None), ('x86-64-v3+gfni~gather', None),
                          ('x86-64-v4~nonsense', 'known to be slow'), ('x86-64-v4~', 'known to be slow'), ('x86-64-v4+~gather', "''"),
                          ('x86-64-v4+gfni+avx512bf16', 'not sorted'), ('x86-64-v3+', "''")):
            result = common.compile_text(KERNEL, '--isa', isa)
            self.assertEqual(result.status, 1 if word else 0, isa)
            self.assertIn(word or '', result.log)

    def test_switches(self):
        for text, word in (('', None), ('reference', None), ('width=8', None),
                           ('reference width=1', None), ('remarks', None), ('break=tail,edge', None),
                           ('oracle=widen', None), ('oracle=wide', 'oracle=wide'),
                           ('width=3', 'width=3'), ('width=128', 'width=128'),
                           ('break=tail,nonsense', 'break=tail,nonsense'),
                           ('nonsense', 'nonsense')):
            result = common.compile_text(KERNEL, '--switches', text)
            self.assertEqual(result.status, 1 if word else 0, text)
            self.assertIn(f"no switch '{word}'" if word else '', result.log)

    def test_stdin(self):
        result = common.run('--emit', 'ir', '-', stdin=KERNEL.encode())
        self.assertEqual((result.status, 'spir_kernel' in result.text), (0, True))


class Stages(unittest.TestCase):
    def stages(self):
        return common.run('--list-stages').text.split()

    def test_list(self):
        self.assertGreater(len(self.stages()), 5)
        self.assertEqual(len(self.stages()), len(set(self.stages())))

    def test_oracles(self):
        """Each stage has one, and is a value of the setting."""
        settings = (ROOT / 'runtime' / 'settings.def').read_text()
        self.assertIn(f'"WEFT_ORACLE", "{"|".join(self.stages())}"', settings)
        for name in self.stages():
            result = common.compile_text(KERNEL, '--switches', f'oracle={name}', '--verify')
            self.assertEqual(result.status, 0, f'{name}: {result.log}')

    def test_list_of_reference_execution(self):
        some = common.run('--list-stages', '--switches', 'reference').text.split()
        self.assertIn('reference', some)
        self.assertNotIn('widen', some)

    def test_dump(self):
        with tempfile.TemporaryDirectory() as folder:
            result = common.compile_text(KERNEL, '--dump', folder + '/new', '--verify')
            self.assertEqual(result.status, 0, result.log)
            wanted = ['front-end', *self.stages()]
            self.assertEqual(sorted(os.listdir(folder + '/new')),
                             [f'{i:02}-{name}.ll' for i, name in enumerate(wanted)])

    def test_called_kernel_with_debug_information(self):
        """Its body stands in the module twice, and two functions may not share a subprogram."""
        result = common.compile_text('kernel void inner(global int *o) { o[0] = 3; }\n'
                                     'kernel void outer(global int *o) { inner(o); }\n',
                                     '-g', '--verify')
        self.assertEqual(result.status, 0, result.log)

    def test_dump_after_each(self):
        for name in self.stages():
            result = common.compile_text(KERNEL, '--dump-after', name)
            self.assertEqual(result.status, 0, result.log)
            self.assertIn('target triple = "x86_64', result.text)

    def test_first_stage_alone(self):
        front = common.compile_text(KERNEL, '--emit', 'ir').text
        alone = common.compile_text(front, '--stage', self.stages()[0], suffix='.ll')
        self.assertEqual(alone.status, 0, alone.log)
        self.assertIn('target triple = "x86_64', alone.text)

    def test_unknown_stage(self):
        result = common.compile_text(KERNEL, '--stage', 'absent')
        self.assertEqual(result.status, 1)
        self.assertIn('absent', result.log)

    def test_times(self):
        log = common.compile_text(KERNEL, '--time').log
        for part in ('front end', 'passes', 'code generation', 'link'):
            self.assertIn(part, log)


class Remarks(unittest.TestCase):
    """What the log says of how a kernel was compiled."""
    HEAD = '#ifdef REQUIRED\n__attribute__((reqd_work_group_size(REQUIRED, 1, 1)))\n#endif\n' \
           'kernel void k(%sglobal float *o, global const float *x, int n) {\n' \
           'size_t i = get_global_id(0);\n'

    def remarks(self, body, *options):
        local = 'local float *t, ' if 't[' in body else ''
        result = common.compile_text(self.HEAD % local + body + '}\n', '--isa', 'x86-64-v3',
                                     *options)
        self.assertEqual(result.status, 0, result.log)
        return result.log

    def cycles(self, log):
        return float(re.search(r"'k': about ([0-9.]+) cycles per work-item", log)[1])

    def test_width_and_why(self):
        for body, options, words in (
                ('o[i] = x[i];', [], ('runs 8 work-items at once; not more: it computes too little',)),
                ('float s = 0; for (int j = 0; j < n; j++) s = s * .5f + x[i]; o[i] = s;', [],
                 ('runs 32 work-items at once, in 4 registers for each value',)),
                ('int l = get_local_id(0); t[l] = x[i]; barrier(1); o[i] = t[l ^ 1];', [],
                 ('16 work-items at once, in 2 registers for each value; not more: its rows fill lines',
                  'rows of few work-items run 8 at once')),
                ('int l = get_local_id(0); t[l] = x[i]; barrier(1); o[i] = t[l ^ 1];', ['-DREQUIRED=8'],
                 ('8 work-items at once; not more: groups matter',)),
                ('int l = get_local_id(0); t[l] = x[i]; barrier(1); o[i] = t[l ^ 1];', ['-DREQUIRED=16'],
                 ('16 work-items at once, in 2 registers',)),
                ('int l = get_local_id(0); for (int j = 0; j < n; j++) {\n'
                 't[l] = x[i + j]; barrier(1); o[i] += t[l ^ 1]; barrier(1); }', [],
                 ('8 work-items at once; not more: groups matter',)),
                ('o[i] = x[i];', ['-cl-opt-disable'], ('one work-item at a time: nothing is optim',)),
                ('o[i] = x[i];', ['--switches', 'width=4'], ('4 work-items at once', 'so it is set')),
                ('while (atomic_xchg((global int *)o, 1)) {} o[1] = n;', [],
                 ('runs one work-item at a time: a loop waits for what an atomic',))):
            log = self.remarks(body, *options)
            for word in words:
                self.assertIn(word, log, body)

    def test_required_size_is_not_too_large(self):
        text = ('__attribute__((intel_reqd_sub_group_size(8)))\n'
                'kernel void k(global float *a) { local float s[600]; int l = get_local_id(0);\n' +
                ''.join(f's[l + {k}] = a[l + {k}];\n' for k in range(150)) +
                'barrier(1); a[l] = s[l] + sub_group_reduce_add(a[l]); }\n')
        for isa in ('x86-64-v2', 'x86-64-v3'):
            result = common.compile_text(text, '--isa', isa, '-cl-std=CL2.0')
            self.assertEqual(result.status, 0, result.log)
            self.assertIn('runs 8 work-items at once', result.log)

    def test_waiting(self):
        """Only where leaving the loop depends on the atomic."""
        flag = 'volatile global int *p = (volatile global int *)o; int l = get_local_id(0);\n'
        for body, waits in (
                ('for (int j = 0; j < n; j++) if (x[j] > i && atomic_inc(p + j) == 0) o[j] = i;', 0),
                ('for (int done = 0; !done;) if (atomic_xchg(p, 1) == 0) { o[1] += 1; done = 1;'
                 ' atomic_xchg(p, 0); }', 1),
                ('for (;;) if (atomic_xchg(p, 1) == 0) { o[1] += 1; if (o[2] > l) break;'
                 ' atomic_xchg(p, 0); }', 1),
                ('int k = 0; while (k < n) { if (atomic_inc(p) > 5) k++; else k += l; }', 1)):
            log = self.remarks(flag + body)
            self.assertEqual('items may wait for each other' in log, bool(waits), body)

    def test_what_is_in_vectors(self):
        log = self.remarks('o[i] = x[(i * i) % 100] + n;')
        self.assertRegex(log, r"'k': \d+ values in vectors, \d+ once for all lanes, 1 gathers")

    def test_members_side_by_side(self):
        """Lanes that are probably side by side, with members that are: all moved at once, upwards and downwards."""
        pixel = 'vstore3(vload3(0, b + (%s)), 0, (global uchar *)o + %s);'
        start = 'global const uchar *b = (global const uchar *)x; int p = i; '
        for body, accesses in ((pixel % ('mad24(p, 3, n)', 'mad24(p, 3, n)'), 2),
                               (pixel % ('mad24(n - p - 1, 3, n)', 'mad24(n - p, 3, n)'), 2),
                               ('o[mad24(p, -1, n)] = x[mad24(p, -1, n)];', 2),
                               # every third byte alone, and members of something longer
                               ('((global uchar *)o)[mad24(p, 3, n)] = b[p];', 0),
                               ('vstore3(vload3(0, b + mad24(p, 9, n)), 0, (global uchar *)o + mad24(p, 9, n));', 0)):
            log = self.remarks(start + body)
            expected = re.search(r'(\d+) of these only where lanes turn out to be apart', log)
            self.assertEqual(int(expected[1]) if expected else 0, accesses, body + log)

    def test_many_members_side_by_side(self):
        """They do not make a kernel too large, since each group is one access; bytes that are alone do."""
        start = 'global const uchar *b = (global const uchar *)x; int sum = 0, p = i * n;\n'
        for body, wide in (('uchar3 q%d = vload3(0, b + mad24(i, 3, (int)x[%d])); sum += q%d.x * q%d.y + q%d.z;', 1),
                           ('sum += b[(int)x[%d] + p] * b[p ^ (int)x[%d]] + b[(p & (int)x[%d]) + (int)x[%d]] * (int)x[%d];', 0)):
            many = ''.join(body % ((k,) * body.count('%d')) + '\n' for k in range(60))
            log = self.remarks(start + many + 'o[i] = sum;', '--isa', 'x86-64-v4')
            self.assertEqual('it is too large' not in log, bool(wide), log)

    def test_memory(self):
        log = self.remarks('local int own[16]; own[i & 15] = n; barrier(1); t[0] = n; o[i] = own[0];')
        self.assertIn('64 bytes of local memory, 1 arguments in local memory', log)

    def test_program_binary(self):
        """The same build as an image's: its remarks, and its switches."""
        log = self.remarks('o[i] = x[i];', '--emit', 'binary', '--switches', 'width=4')
        self.assertIn('runs 4 work-items at once; not more: so it is set', log)

    def test_image_reads_are_wide(self):
        """Of formats that nobody uses, a read is a call for each lane; it is not they that count."""
        text = 'const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n' \
               'kernel void k(read_only image2d_t p, global float *o) { int x = get_global_id(0);\n' \
               'o[x] = dot(read_imagef(p, s, (int2)(x, 3)).xyz, (float3)(.3f, .6f, .1f)); }\n'
        result = common.compile_text(text, '--isa', 'x86-64-v3')
        self.assertEqual(result.status, 0, result.log)
        self.assertIn('runs 16 work-items at once', result.log)
        self.assertNotIn('but one work-item at a time', result.log)

    def test_cost(self):
        one = self.remarks('o[i] = x[i] * 2 + 1;')
        self.assertIn('loads 4 and stores 4 bytes of global memory', one)
        many = 'float s = x[i]; for (int j = 0; j < %s; j++) s = s * s + .5f; o[i] = s;'
        known, guessed = self.remarks(many % '1000'), self.remarks(many % 'n')
        self.assertNotIn('unknown length', known)
        self.assertIn('if loops of unknown length run 16 times', guessed)
        self.assertGreater(self.cycles(known), 20 * self.cycles(guessed))
        self.assertGreater(self.cycles(guessed), 2 * self.cycles(one))


class Copies(unittest.TestCase):
    """How often a wide region stands in the code: whole vectors and the rest of a row, or one copy
    for both, under a mask."""
    # 2 accesses, and a loop that has none, of so many instructions.
    LONG = 'kernel void k(global %s *o, global const %s *x, int n) {\n' \
           'size_t i = get_global_id(0); %s s = x[i];\n' \
           'for (int j = 0; j < n; j++) { %s }\no[i] = s; }\n'
    STEP = 's = s * s + (%s)j; s = s / (s + (%s)3); '

    def copies(self, text, isa):
        """Each step has one division."""
        result = common.compile_text(text, '--isa', isa, '--switches', 'width=4',
                                     '--dump-after', 'group-loops')
        self.assertEqual(result.status, 0, result.log)
        copies, rest = divmod(len(re.findall('fdiv <4 x ', result.text)), text.count(' / '))
        self.assertEqual(rest, 0)
        return copies

    def long(self, kind='float', steps=60, inner=''):
        return self.LONG % (kind, kind, kind, self.STEP % (kind, kind) * steps + inner)

    def test_dense_region_once(self):
        for isa in ('x86-64-v1', 'x86-64-v3', 'x86-64-v4'):
            self.assertEqual(self.copies(self.long(), isa), 1, isa)

    def test_small_region_twice(self):
        self.assertEqual(self.copies(self.long(steps=2), 'x86-64-v3'), 2)

    def test_loop_of_accesses_twice(self):
        """Also where all the region has enough of instructions for its accesses."""
        loop = 'for (int j = 0; j < n; j++) s += x[i + j];'
        self.assertEqual(self.copies(self.long(inner=loop), 'x86-64-v3'), 2)

    def test_gathers_have_a_mask_anyway(self):
        inner = 'for (int j = 0; j < n; j++) s += x[i * i + j];'
        text = self.long(inner=inner)
        self.assertEqual(self.copies(text, 'x86-64-v3'), 1)
        self.assertEqual(self.copies(text, 'x86-64-v2'), 2)

    def test_what_masks_make_dear_twice(self):
        array = 'float a[32]; for (int j = 0; j < 32; j++) a[j] = s + j;' \
                ' s += a[(int)s & 31];'
        for text in (self.long(kind='double'), self.long(inner=array)):
            self.assertEqual(self.copies(text, 'x86-64-v3'), 2)


class Output(unittest.TestCase):
    def test_assembly(self):
        text = common.compile_text(KERNEL, '--emit', 'asm').text
        self.assertIn('.text', text)
        self.assertNotIn('.cfi_', text)

    def test_stored_registers_lie_in_one_line(self):
        """What there is no register for is stored in the frame, which is aligned (WEFT_STACK_ALIGN)."""
        text = """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
                  kernel void k(global const half *x, global const half *y, global half *z) {
                      size_t i = get_global_id(0);
                      z[i] = pow(x[i], y[i]);
                  }"""
        for isa in ('x86-64-v3', 'x86-64-v4'):
            code = common.compile_text(text, '--isa', isa, '--emit', 'asm', '-cl-std=CL2.0').text
            stores = re.findall(r'vmov(\w+)\s+%[yz]mm\d+, -?\d*\(%r[sb]p\)', code)
            self.assertTrue(stores, isa)
            self.assertFalse([how for how in stores if 'u' in how], isa)

    def test_dump_goes_in_again(self):
        """What a module says of its stack is replaced, not said twice; whoever wrote it."""
        dump = common.compile_text(KERNEL, '--dump-after', 'abi').text
        self.assertIn('override-stack-alignment", i32 64', dump)
        for text in (dump, dump.replace('override-stack-alignment", i32 64', 'override-stack-alignment", i32 16')):
            again = common.compile_text(text, '--emit', 'asm', suffix='.ll')
            self.assertEqual(again.status, 0, again.log)

    def test_object(self):
        self.assertTrue(common.compile_text(KERNEL, '--emit', 'obj').output.startswith(b'\x7fELF'))

    def test_bitcode_goes_in_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'k.bc')
            path.write_bytes(common.compile_text(KERNEL, '--emit', 'bc').output)
            self.assertIn('k', common.Image(common.run(path).output).kernels())

    def test_image(self):
        result = common.compile_text(KERNEL)
        image = common.Image(result.output)
        self.assertEqual(list(image.kernels()), ['k'])
        self.assertEqual(image.relocations(), [])
        self.assertEqual(result.output, common.compile_text(KERNEL).output)

    def test_image_is_readable_by_tools(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'k.img')
            path.write_bytes(common.compile_text(KERNEL).output)
            # A kernel has its own name there.
            for tool, line in ((['objdump', '-d'], r'<k>:'), (['readelf', '-Wa'], r'GLOBAL .* k\n')):
                done = subprocess.run([*tool, path], capture_output=True, text=True, check=True)
                self.assertRegex(done.stdout, line)
                self.assertNotIn('Error', done.stderr)


class Shares(unittest.TestCase):
    """Several processes make the same program as one."""

    def kernels(self, count):
        return 'float helper(float x, int n) { for (int i = 0; i < n; i++) x = x * x + i;' \
               ' return x; }\n' + ''.join(
                   f'kernel void k{i}(global float *p, int n, float{2 ** (i % 4 + 1)} v) {{\n'
                   f'  local float t[{i + 1}];\n  t[0] = p[n];\n  barrier(1);\n'
                   f'  for (int i = 0; i < n; i++) p[i] = helper(t[0] + v.x, i) * {i} + sin(p[i]);\n'
                   f'  if (n == 77) printf("k{i} %f\\n", p[0]);\n}}\n' for i in range(count))

    def image(self, text, processes):
        result = common.compile_text(text, '--processes', processes, '-cl-kernel-arg-info')
        self.assertEqual(result.status, 0, result.log)
        return common.Image(result.output)

    def test_same_kernels(self):
        text = self.kernels(11)
        one, four = self.image(text, 1), self.image(text, 4)
        self.assertNotEqual(one.data, four.data)  # else nothing was shared
        self.assertEqual(list(one.kernels()), list(four.kernels()))
        self.assertEqual(list(one.kernels()), [f'k{i}' for i in range(11)])
        for name, (entry, _, row) in one.kernels().items():
            other = four.kernels()[name]
            self.assertGreater(other[0], 0)
            self.assertEqual(self.without_places(row), self.without_places(other[2]), name)

    @staticmethod
    def without_places(row):
        """All of a weft_kernel_info but where its bodies begin, and the frame."""
        bodies = b''.join(row[at + 8:at + 24] for at in common.BODIES)
        return row[:common.BODIES.start] + bodies + row[common.BODIES.stop:common.FRAME] + row[common.FRAME + 4:]

    def test_memory_limit_holds_for_all_processes(self):
        # Each gets its part of the limit, and at least 256 MiB: fewer processes where it is small.
        text = self.kernels(11)
        whole = resource.getrlimit(resource.RLIMIT_DATA)
        for megabytes, processes in ((600, 2), (300, 1)):
            wanted = self.image(text, processes).data
            resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, whole[1]))
            try:
                self.assertEqual(self.image(text, 4).data, wanted, megabytes)
            finally:
                resource.setrlimit(resource.RLIMIT_DATA, whole)

    def test_same_bytes_each_time(self):
        text = self.kernels(7)
        self.assertEqual(self.image(text, 3).data, self.image(text, 3).data)

    def test_bodies_of_one_kernel(self):
        """They part where the kernels are too few, and say of their kernel what one process says."""
        sums = ''.join(f's{i}{k} += a{i} * b{k}; ' for i in range(4) for k in range(4))
        text = ('kernel void k(global float *p, int n, local float *t) {\n'
                '  int l = get_local_id(0), g = get_group_id(1);\n  local float u[77]; u[l] = p[g]; barrier(1);\n' +
                ''.join(f'  float s{i}{k} = t[{i} * l + {k}];\n' for i in range(4) for k in range(4)) +
                '  for (int j = 0; j < n; j++) {\n' +
                ''.join(f'    float a{i} = p[(l * 4 + {i}) * n + j], b{i} = p[g * 4 * n + j * 4 + {i}];\n' for i in range(4)) +
                f'    {sums}\n  }}\n  if (n == 77) printf("%f\\n", s00);\n  barrier(1);\n' +
                ''.join(f'  p[(l * 4 + {i}) * n + g * 4 + {k}] = s{i}{k} + u[l ^ {k}];\n' for i in range(4) for k in range(4)) +
                '}\n')
        one, two, again = self.image(text, 1), self.image(text, 2), self.image(text, 2)
        self.assertTrue(one.data != two.data)  # else nothing was shared
        self.assertTrue(two.data == again.data)
        (entry, _, row), (other, _, also) = one.kernels()['k'], two.kernels()['k']
        bodies = [[struct.unpack_from('<Q', record, at)[0] > 0 for at in common.BODIES] for record in (row, also)]
        self.assertTrue(entry and other)
        self.assertEqual(*bodies)
        self.assertGreater(sum(bodies[0]), 1)
        self.assertEqual(self.without_places(row), self.without_places(also))
        logs = [sorted(common.compile_text(text, '--processes', count, '--switches', 'remarks').log.splitlines())
                for count in (1, 2)]
        self.assertEqual(*logs)

    def test_errors_come_through(self):
        text = self.kernels(9)
        text += 'float lost(float x); kernel void l(global float *p) { p[0] = lost(p[1]); }\n'
        for processes in (1, 2, 4):
            result = common.compile_text(text, '--processes', processes)
            self.assertEqual(result.status, 1)
            self.assertIn('lost', result.log)
            self.assertEqual(result.output, b'')


class Link(unittest.TestCase):
    def link(self, texts, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            for i, text in enumerate(texts):
                pathlib.Path(folder, f'{i}.cl').write_text(text)
            return common.run(*arguments, *[f'{i}.cl' for i in range(len(texts))], cwd=folder)

    def test_functions_and_constants(self):
        result = self.link(['int f(int x); kernel void k(global int *p) { *p = f(*p); }',
                            'extern constant int c; int f(int x) { return x + c; }',
                            'constant int c = 7;', 'kernel void l(global int *p) { *p = 1; }'])
        self.assertEqual(result.status, 0, result.log)
        self.assertEqual(set(common.Image(result.output).kernels()), {'k', 'l'})

    def test_duplicates_are_all_named(self):
        result = self.link(['int f(int x) { return x; } constant int c = 1;'
                            'kernel void k(global int *p) { *p = f(1) + c; }',
                            'int f(int x) { return x; } constant int c = 2;'
                            'kernel void k(global int *p) { *p = f(2) + c; }'])
        self.assertEqual(result.status, 1)
        for name in 'fck':
            self.assertIn(f"'{name}' is defined by input 1 and by input 2", result.log)
        self.assertNotIn('__clang', result.log)

    def test_static_functions_do_not_collide(self):
        text = 'static int f(int x) { return x + %d; } kernel void k%d(global int *p) { *p = f(1); }'
        self.assertEqual(self.link([text % (i, i) for i in range(2)]).status, 0)

    def test_missing(self):
        result = self.link(['extern constant int c; kernel void k(global int *p) { *p = c; }', ''])
        self.assertEqual(result.status, 1)
        self.assertIn("'c'", result.log)
        result = self.link(['int lost(int x); kernel void k(global int *p) { *p = lost(1); }', ''])
        self.assertEqual(result.status, 1)
        self.assertIn('lost', result.log)

    def test_library_may_miss_symbols(self):
        result = self.link(['extern constant int c; int lost(int x);'
                            'int f(int x) { return lost(c); }', ''], '--emit', 'bc')
        self.assertEqual(result.status, 0, result.log)
        self.assertTrue(result.output.startswith(b'BC'))


class Refused(unittest.TestCase):
    def test_recursion(self):
        result = common.compile_text('int g(int x); __attribute__((noinline)) int f(int x)'
                                     '{ return x ? g(x - 1) * 3 : 1; }'
                                     '__attribute__((noinline)) int g(int x)'
                                     '{ return x ? f(x - 1) * 5 : 2; }'
                                     'kernel void k(global int *p) { *p = f(*p); }')
        self.assertEqual(result.status, 1)
        self.assertIn('calls itself', result.log)

    def test_recursion_hangs_pipeline(self):
        """Passes inlined such functions until the time was over: they are refused before."""
        kernel = 'kernel void k(global int *p) { *p = f(*p); }'
        for text in ('int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }',
                     'int g(int x); int f(int x) { return g(x - 1) + g(x - 2); }'
                     'int g(int x) { return x < 0 ? 1 : f(x - 1) + f(x - 3) + 1; }'):
            result = common.compile_text(text + kernel, seconds=30)
            self.assertEqual(result.status, 1)
            self.assertIn('calls itself', result.log)

    def test_unused_recursion(self):
        """No kernel's frame depends on it."""
        result = common.compile_text('int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }'
                                     'kernel void k(global int *p) { *p = 1; }', seconds=30)
        self.assertEqual(result.status, 0, result.log)

    def test_undefined_function(self):
        result = common.compile_text('float lost(float x);'
                                     'kernel void k(global float *p) { *p = lost(1); }')
        self.assertEqual(result.status, 1)
        self.assertIn('lost', result.log)


if __name__ == '__main__':
    tap.main()
