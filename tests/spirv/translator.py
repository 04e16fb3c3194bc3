#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SPIRV-LLVM-Translator as a second opinion on SPIR-V, and as a third producer of it.

    translator.py modules    every good module of tests/spirv goes through llvm-spirv -r and llvm-spirv again, and
                             gives on the device what its comments say, as the module itself does (run.c)
    translator.py kernels    so do Clang's modules of tests/kernels, which then give the bytes of the reference
                             executor; and what llvm-spirv makes of Clang's LLVM IR of the same kernels

The tool is Debian's llvm-spirv-15 with clang-15, or the llvm-spirv that $WEFT_LLVM_SPIRV names with the Clang of the
same LLVM. What it does not read or write, or gets wrong, is in translator-VERSION.txt beside this file with what it
says: a module that is not there must come through, and one that is there must still fail in that way, so that the
number of those compared cannot shrink unseen. Without the tool the test is skipped.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get('WEFT_BUILD_ROOT', SOURCE.parent / 'build')) / 'tests'
# llvm-spirv's forms of built-in functions on the way back to IR: those of OpenCL C 1.2 (its default) and its own.
FORMS = 'CL1.2', 'SPV-IR'
# Extensions of the device that LLVM 15's tool does not know.
TOO_NEW = {15: {'SPV_KHR_non_semantic_info', 'SPV_EXT_optnone'}}
DECORATE, ALIGNMENT = 71, 44
TYPE_BOOL, TYPE_FLOAT, CONSTANT_FALSE = 20, 22, 42


class Failure(Exception):
    """What a step says where it does not succeed: (step, sentence)."""


def load_repair():
    """conformance/offline-compiler has no suffix that Python knows."""
    loader = importlib.machinery.SourceFileLoader('offline', str(SOURCE.parent / 'conformance/offline-compiler'))
    spec = importlib.util.spec_from_loader('offline', loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
offline = load_repair()


class Readable(offline.Repair):
    """Clang 22's module without what llvm-spirv-15 ends on by an assertion: null constants of numbers and truth
    values, and an alignment of 128 that Clang's back end writes as 4294967168."""

    def replacement(self, instruction):
        kind = self.types.get(instruction[1], [0]) if instruction[0] == offline.CONSTANT_NULL else [0]
        if kind[0] == TYPE_BOOL:
            return [[CONSTANT_FALSE, *instruction[1:]]]
        if kind[0] == TYPE_FLOAT:
            return [[offline.CONSTANT, *instruction[1:], *[0] * (2 if kind[2] > 32 else 1)]]
        if instruction[0] == DECORATE and instruction[2] == ALIGNMENT and instruction[3] == 0xffffff80:
            return [[*instruction[:3], 128]]
        return super().replacement(instruction)


def make_readable(module, to):
    data = module.read_bytes()
    words = Readable(struct.unpack(f'<{len(data) // 4}I', data)).result()
    to.write_bytes(struct.pack(f'<{len(words)}I', *words))
    return to


def sentence_of(done):
    """What a tool that failed had to say, in one line and without addresses or paths."""
    text = done.stderr.decode('utf-8', 'replace')
    assertion = re.search(r"Assertion `(.*)' failed|UNREACHABLE executed at (\S+?):", text, re.DOTALL)
    if assertion and assertion.group(1):
        return 'assertion ' + ' '.join(assertion.group(1).split())
    if done.returncode < 0:
        return 'ended by a signal'
    lines = [line for line in text.splitlines() if line.strip()]
    return ' '.join(lines[0].split()) if lines else f'exit status {done.returncode}'


def step(name, command, **more):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, **more)
    if done.returncode:
        raise Failure(name, sentence_of(done))


class Translator:
    def __init__(self):
        self.name = os.environ.get('WEFT_LLVM_SPIRV') or 'llvm-spirv-15'
        self.tool = shutil.which(self.name)
        self.version = 0
        if self.tool:
            said = subprocess.run([self.tool, '--version'], capture_output=True, text=True).stdout
            self.version = int(re.search(r'LLVM version (\d+)', said).group(1))
        self.clang = shutil.which(f'clang-{self.version}')
        self.listed = SOURCE / 'spirv' / f'translator-{self.version}.txt'

    def missing(self):
        if not self.tool:
            return f'{self.name} is not installed'
        if not self.listed.exists():
            return f'there is no list of what llvm-spirv {self.version} does not read'
        return ''

    def read(self, module, form, to, constants=()):
        """SPIR-V to bitcode. `constants` are "id:type:value"."""
        words = ' '.join(constants)
        step('read', [self.tool, '-r', f'--spirv-target-env={form}', *([f'--spec-const={words}'] if words else []),
                      module, '-o', to])

    def write(self, bitcode, to):
        """Bitcode to SPIR-V with the extensions that the device reports."""
        table = (SOURCE.parent / 'include/weft/spirv.def').read_text(encoding='utf-8')
        known = [name for name in re.findall(r'^WEFT_SPIRV_EXTENSION\("(\w+)"\)', table, re.M)
                 if name not in TOO_NEW.get(self.version, ())]
        step('write', [self.tool, '--spirv-ext=' + ','.join('+' + name for name in known), bitcode, '-o', to])

    def compile(self, source, to):
        """OpenCL C to bitcode, whose pointers have types where this version of the tool asks for them."""
        typed = ['-Xclang', '-no-opaque-pointers'] if self.version < 16 else []
        step('compile', [self.clang, '-x', 'cl', '-cl-std=CL2.0', '--target=spir64', '-O1', '-Xclang',
                         '-disable-llvm-passes', *typed, '-ffp-contract=off', '-w', '-c', '-emit-llvm', source,
                         '-o', to])


def run(command, **settings):
    """A test's program that prints TAP on standard output."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=dict(os.environ, **settings))
    if done.returncode:
        notes = [' '.join(line[2:].split()) for line in done.stdout.splitlines() if line.startswith('# ')]
        raise Failure('run', notes[0].partition('run.c:')[2].partition(': ')[2] or notes[0] if notes
                      else sentence_of(done))


def within_three(call):
    """get_global_id(d) and such as OpenCL C defines them of any dimension."""
    name, dimension = call.groups()
    return f'({dimension} < 3 ? get_{name}({dimension}) : {int(name.endswith(("size", "groups")))})'


def constants_of(text):
    """The values that the comments of an assembly set, as llvm-spirv wants them."""
    for line in re.findall(r'^; SPEC (.*)$', text, re.M):
        number, size, value = (int(word, 0) for word in line.split())
        name = re.search(rf'^OpDecorate (%\w+) SpecId {number}$', text, re.M).group(1)
        kind = re.search(rf'^{name} = OpSpecConstant\w* %(\w+)', text, re.M).group(1)
        if kind in ('half', 'float', 'double'):
            [value] = struct.unpack({2: '<e', 4: '<f', 8: '<d'}[size], value.to_bytes(size, 'little'))
        yield f'{number}:{"if"[kind in ("half", "float", "double")]}{8 * size}:{value}'


class Modules:
    """tests/spirv: cases are (name, function of a folder)."""
    group = 'modules'

    def __init__(self, translator):
        self.translator = translator
        self.program = BUILD / 'spirv/spirv-run'

    def cases(self):
        for path in sorted((SOURCE / 'spirv').glob('*.spvasm')):
            text = path.read_text(encoding='utf-8')
            if not re.search(r'^; LOG ', text, re.M):  # what must not build
                for form in FORMS:
                    yield f'{path.stem} {form}', lambda at, p=path, t=text, f=form: self.case(at, p, t, f)

    def case(self, at, path, text, form):
        self.translator.read(BUILD / f'spirv/{path.stem}.spv', form, at / 'a.bc', constants_of(text))
        self.translator.write(at / 'a.bc', at / 'a.spv')
        # The constants are in it.
        (at / path.name).write_text(re.sub(r'^; SPEC .*\n', '', text, flags=re.M), encoding='utf-8')
        run([self.program, at / path.name, at / 'a.spv'])


class Kernels:
    """tests/kernels: Clang's modules there and back, and Clang's IR."""
    group = 'kernels'

    def __init__(self, translator):
        self.translator = translator

    def cases(self):
        for path in sorted((SOURCE / 'kernels').glob('*.cl')):
            for version, form in zip(('', 'v1.2'), FORMS):
                yield (f'{path.stem}{version} {form}',
                       lambda at, p=path, v=version, f=form: self.again(at, p.stem, v, f))
            yield f'{path.stem} IR', lambda at, p=path: self.from_ir(at, p)

    def again(self, at, name, version, form):
        module = make_readable(BUILD / f'kernels/{name}{version}.spv', at / 'b.spv')
        self.translator.read(module, form, at / 'a.bc')
        self.translator.write(at / 'a.bc', at / 'a.spv')
        run([BUILD / f'kernels/kernels-{name}'], KERNELS_SPIRV=str(at / 'a.spv'))

    def from_ir(self, at, path):
        text = path.read_text(encoding='utf-8')
        # Of a dimension that there is not, llvm-spirv makes a component of a vector of three.
        text = re.sub(r'\bget_(\w+)\((d|[3-9])\)', within_three, text)
        (at / path.name).write_text(text, encoding='utf-8')
        self.translator.compile(at / path.name, at / 'a.bc')
        self.translator.write(at / 'a.bc', at / 'a.spv')
        run([BUILD / f'kernels/kernels-{path.stem}'], KERNELS_SPIRV=str(at / 'a.spv'))


def outcome(case):
    """'' or what the first step that failed said."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            case(pathlib.Path(folder))
        except Failure as failure:
            return '{}: {}'.format(*failure.args)
    return ''


def read_list(path, group):
    """Rows `group | case | step: sentence`, where a case without a form is all forms of it; those that begin with #
    are comments."""
    rows = [[word.strip() for word in line.split('|', 2)] for line in path.read_text(encoding='utf-8').splitlines()
            if line.strip() and not line.startswith('#')]
    return {name: sentence for where, name, sentence in rows if where == group}


def main():
    group = {'modules': Modules, 'kernels': Kernels}[sys.argv[1]]
    translator = Translator()
    if translator.missing():
        print(f'1..0 # SKIP {translator.missing()}')
        return 0
    listed = read_list(translator.listed, group.group)
    compared, number, bad, used = 0, 0, 0, set()
    for name, case in group(translator).cases():
        row = name if name in listed else name.partition(' ')[0]
        used.add(row)
        number += 1
        if name.endswith(' IR') and not translator.clang:
            print(f'ok {number} - {name} # SKIP clang-{translator.version} is not installed')
            continue
        said, wanted = outcome(case), listed.get(row, '')
        compared += not said
        good = said == wanted
        bad += not good
        if not good:
            print(f'# wanted: {wanted or "equal results"}')
        print(f'{"" if good else "not "}ok {number} - {name}: {said or "equal results"}', flush=True)
    for name in set(listed) - used:
        bad, number = bad + 1, number + 1
        print(f'not ok {number} - {name} is listed and is no case')
    print(f'# llvm-spirv {translator.version}: {compared} of {number} with equal results')
    print(f'1..{number}')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
