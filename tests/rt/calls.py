# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""calls.py BINDIR RT_V1.o RT_V2.o RT_V3.o RT_V4.o: every call that code generation
makes for operations on our types, at each level of x86-64, has a definition in kernel-lib/rt.

The operations are LLVM's instructions and the intrinsics that our pipeline, Clang or the kernel library
use or make, on i8 to i128, half, float, double and vectors of them (LLVM's list of what it may
call is RuntimeLibcalls.td). Prints TAP.
"""
import os
import subprocess
import sys
import tempfile

INTS = ['i8', 'i16', 'i32', 'i64', 'i128']
FLOATS = ['half', 'float', 'double']
SHORT = {'half': 'f16', 'float': 'f32', 'double': 'f64'}
WIDTHS = [1, 2, 3, 4, 8, 16]
# Levels, and what changes how operations are selected beyond them.
TARGETS = [(1, ''), (2, ''), (3, ''), (4, ''), (4, '+avx512fp16')]
ATOMIC = ['i8', 'i16', 'i32', 'i64']


def vec(t, n):
    return t if n == 1 else '<%d x %s>' % (n, t)


def suffix(t, n):
    s = SHORT.get(t, t)
    return s if n == 1 else 'v%d%s' % (n, s)


class Module:
    """A module's text: one function per operation, results stored, so that nothing is dropped."""

    def __init__(self):
        self.functions, self.declarations, self.count = [], set(), 0

    def function(self, result, arguments, body):
        self.count += 1
        parameters = ', '.join('%s %%%s' % (t, 'abcdef'[i]) for i, t in enumerate(arguments))
        store = '' if result == 'void' else '  store %s %%r, ptr %%out\n' % result
        self.functions.append('define void @f%d(ptr %%out%s) {\n  %s\n%s  ret void\n}\n' % (
            self.count, ', ' + parameters if parameters else '', body, store))

    def intrinsic(self, name, result, arguments, constants=''):
        declared = ', '.join(arguments + ['i1'] * constants.count('i1'))
        self.declarations.add('declare %s @llvm.%s(%s)' % (result, name, declared))
        given = ', '.join('%s %%%s' % (t, 'abcdef'[i]) for i, t in enumerate(arguments))
        head = '' if result == 'void' else '%r = '
        self.function(result, arguments, '%scall %s @llvm.%s(%s%s)' % (head, result, name, given,
                                                                        constants))

    def text(self):
        return '\n'.join(sorted(self.declarations)) + '\n' + '\n'.join(self.functions)


def integers(m, t, n):
    v, s = vec(t, n), suffix(t, n)
    for op in 'add sub mul udiv sdiv urem srem shl lshr ashr'.split():
        m.function(v, [v, v], '%%r = %s %s %%a, %%b' % (op, v))
    for op in 'ctpop bitreverse'.split() + (['bswap'] if t != 'i8' else []):
        m.intrinsic('%s.%s' % (op, s), v, [v])
    for op in 'ctlz cttz abs'.split():
        m.intrinsic('%s.%s' % (op, s), v, [v], ', i1 false')
    for op in ('smax smin umax umin sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat').split():
        m.intrinsic('%s.%s' % (op, s), v, [v, v])
    for op in 'fshl fshr'.split():
        m.intrinsic('%s.%s' % (op, s), v, [v, v, v])
    for op in 'sadd uadd ssub usub smul umul'.split():
        if t == 'i128' and n > 4:
            continue
        m.intrinsic('%s.with.overflow.%s' % (op, s), '{%s, %s}' % (v, vec('i1', n)), [v, v])
    if n > 1:
        for op in 'add mul and or xor smax smin umax umin'.split():
            m.intrinsic('vector.reduce.%s.%s' % (op, s), t, [v])


def floats(m, t, n):
    v, s = vec(t, n), suffix(t, n)
    for op in 'fadd fsub fmul fdiv frem'.split():
        m.function(v, [v, v], '%%r = %s %s %%a, %%b' % (op, v))
    for op in ('sqrt fabs floor ceil trunc rint nearbyint round roundeven').split():
        m.intrinsic('%s.%s' % (op, s), v, [v])
    for op in ('minnum maxnum minimum maximum minimumnum maximumnum copysign').split():
        m.intrinsic('%s.%s' % (op, s), v, [v, v])
    for op in 'fma fmuladd'.split():
        m.intrinsic('%s.%s' % (op, s), v, [v, v, v])
    i32 = vec('i32', n)
    m.intrinsic('ldexp.%s.%s' % (s, suffix('i32', n)), v, [v, i32])
    # LLVM 22's x86 cannot select these for half or vectors; nothing of ours makes such
    if t != 'half' and n == 1:
        m.intrinsic('frexp.%s.i32' % s, '{%s, i32}' % v, [v])
        m.intrinsic('modf.%s' % s, '{%s, %s}' % (v, v), [v])
    m.intrinsic('powi.%s.i32' % s, v, [v, 'i32'])
    for op in 'lrint llrint lround llround'.split():
        m.intrinsic('%s.%s.%s' % (op, suffix('i64', n), s), vec('i64', n), [v])
    for predicate in 'olt ueq one uno'.split():
        m.function(vec('i1', n), [v, v], '%%r = fcmp %s %s %%a, %%b' % (predicate, v))
    if n > 1:
        for op in 'fmax fmin fmaximum fminimum'.split():
            m.intrinsic('vector.reduce.%s.%s' % (op, s), t, [v])
        for op in 'fadd fmul'.split():
            m.intrinsic('vector.reduce.%s.%s' % (op, s), t, [t, v])


def conversions(m, n):
    for f in FLOATS:
        v = vec(f, n)
        for g in FLOATS:
            if FLOATS.index(g) > FLOATS.index(f):
                m.function(vec(g, n), [v], '%%r = fpext %s %%a to %s' % (v, vec(g, n)))
            elif f != g:
                m.function(vec(g, n), [v], '%%r = fptrunc %s %%a to %s' % (v, vec(g, n)))
        for i in INTS + ['i1']:
            if i == 'i128' and f == 'half' and n > 1:
                continue  # LLVM 22 cannot select it with AVX512-FP16; nothing of ours makes such
            w = vec(i, n)
            for op in 'fptosi fptoui'.split():
                m.function(w, [v], '%%r = %s %s %%a to %s' % (op, v, w))
                if i != 'i1':
                    m.intrinsic('%s.sat.%s.%s' % (op, suffix(i, n), suffix(f, n)), w, [v])
            for op in 'sitofp uitofp'.split():
                m.function(v, [w], '%%r = %s %s %%a to %s' % (op, w, v))


def memory(m):
    for op in 'memcpy memmove'.split():
        m.declarations.add('declare void @llvm.%s.p0.p0.i64(ptr, ptr, i64, i1)' % op)
        for size in ['%b'] + [str(n) for n in (1, 7, 64, 500, 5000)]:
            m.function('void', ['ptr', 'i64'], 'call void @llvm.%s.p0.p0.i64(ptr %%out, ptr %%a, '
                       'i64 %s, i1 false)' % (op, size))
    m.declarations.add('declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)')
    for size in ['%b'] + [str(n) for n in (1, 7, 64, 500, 5000)]:
        m.function('void', ['i8', 'i64'],
                   'call void @llvm.memset.p0.i64(ptr %%out, i8 %%a, i64 %s, i1 false)' % size)


def atomics(m):
    for t in ATOMIC + FLOATS:
        operations = ['xchg', 'fadd', 'fsub', 'fmax', 'fmin'] if t in FLOATS else \
            'xchg add sub and nand or xor max min umax umin'.split()
        for op in operations:
            m.function(t, ['ptr', t], '%%r = atomicrmw %s ptr %%a, %s %%b seq_cst' % (op, t))
        m.function(t, ['ptr'], '%%r = load atomic %s, ptr %%a seq_cst, align 8' % t)
        m.function('void', ['ptr', t], 'store atomic %s %%b, ptr %%a seq_cst, align 8' % t)
    for t in ATOMIC:
        m.function('{%s, i1}' % t, ['ptr', t, t],
                   '%%r = cmpxchg ptr %%a, %s %%b, %s %%c seq_cst seq_cst' % (t, t))
    m.function('void', [], 'fence seq_cst')


def all_operations():
    m = Module()
    for n in WIDTHS:
        for t in INTS:
            if t != 'i128' or n <= 4:
                integers(m, t, n)
        for t in FLOATS:
            floats(m, t, n)
        conversions(m, n)
    memory(m)
    atomics(m)
    return m


def symbols(bindir, path, undefined):
    out = subprocess.run([bindir + '/llvm-nm', '--undefined-only' if undefined else '--defined-only',
                          '--extern-only', '--format=just-symbols', path],
                         check=True, capture_output=True, text=True).stdout
    return set(out.split())


def main(argv):
    bindir, objects = argv[1], argv[2:6]
    m = all_operations()
    failed = 0
    print('1..%d' % (2 * len(TARGETS)))
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'all.ll')
        open(source, 'w').write(m.text())
        for number, (level, extra) in enumerate(TARGETS, 1):
            cpu = 'x86-64' + ('' if level == 1 else '-v%d' % level)
            name = 'v%d%s' % (level, extra)
            obj = os.path.join(folder, name + '.o')
            subprocess.run([bindir + '/llc', '-O1', '-mtriple=x86_64-unknown-linux-gnu',
                            '-mcpu=' + cpu, '-mattr=' + extra, '-relocation-model=pic',
                            '-filetype=obj', source, '-o', obj], check=True)
            needed = symbols(bindir, obj, True)
            offered = symbols(bindir, objects[level - 1], False)
            missing = sorted(needed - offered)
            failed += bool(missing)
            print('# %s: %d operations call %s' % (name, m.count, ' '.join(sorted(needed))))
            if missing:
                print('# missing: ' + ' '.join(missing))
            print('%sok %d - every call at x86-64-%s has a definition' %
                  ('not ' if missing else '', 2 * number - 1, name))
            loose = symbols(bindir, objects[level - 1], True)
            failed += bool(loose)
            print('%sok %d - rt for x86-64-%s needs nothing itself %s' %
                  ('not ' if loose else '', 2 * number, name, ' '.join(sorted(loose))))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
