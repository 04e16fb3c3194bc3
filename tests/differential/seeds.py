# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels to mutate: each of the repository's (or of a folder's) with what it needs and no more."""
import dataclasses
import pathlib
import re
import subprocess

import ctree

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ('tests/kernels/*.cl', 'tests/differential/*.cl', 'tests/perf/kernels/**/*.cl',
         'tests/demo/*.cl', 'runtime/tool/selftest.cl', 'tests/debug/*.cl')
# Spin locks wait for items that may never come once something is changed.
WITHOUT = {'locks.cl'}
# What the launcher has no arguments for, what prints, and what has more than one right result.
UNFIT = re.compile(r'image\w*_t|sampler_t|pipe|queue_t|ndrange_t|clk_event_t|enqueue_|\bprintf\b|'
                   r'\b(native|half|fast)_\w+|sub_group\w*|work_group_(?!barrier)\w+|'
                   r'get_\w*sub_group\w*|\basm\b|\^\s*\{|\bulp\d+_')
BUILT_IN = re.compile(r'(bool|size_t|ptrdiff_t|(u?(char|short|int|long)|float|double)(2|3|4|8|16)?)$')
QUALIFIERS = {'const', 'volatile', 'private', '__private', 'unsigned', 'signed', 'restrict'}
SPACES = {'global', '__global', 'constant', '__constant', 'local', '__local', 'generic', '__generic'}


@dataclasses.dataclass(frozen=True)
class Seed:
    file: str
    name: str
    text: str
    shape: tuple = ()  # the kernel's parameters


def preprocessed(path):
    """The text without directives; an unknown macro of a build becomes what most are."""
    text = path.read_text(errors='replace').replace('$ID', '0')
    command = ['cc', '-E', '-P', '-undef', '-x', 'c', '-D__OPENCL_VERSION__=220', '-DT=float',
               '-DTYPE=float', '-D__OPENCL_C_VERSION__=200', '-Dcl_khr_fp64=1', f'-I{path.parent}', '-']
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    return done.stdout


def alias(item):
    """(name, tokens) of a typedef that gives a built-in type another name."""
    if (isinstance(item, list) and len(item) > 3 and item[0] == 'typedef' and
            all(BUILT_IN.match(t) or t in QUALIFIERS for t in item[1:-2])):
        return item[-2], item[1:-2]
    return None


def without_aliases(program):
    tokens, names = [], {}
    for item in program.items:
        if found := alias(item):
            names[found[0]] = found[1]
            continue
        for token in item if isinstance(item, list) else item.tokens():
            tokens += names.get(token, [token])
    return ctree.program_of(ctree.text_of(tokens))


def needed(program, kernel):
    """The program with one kernel, and of all else what can be reached from it."""
    words, kept = set(kernel.tokens()), {id(kernel)}
    changed = True
    while changed:
        changed = False
        for item in program.items:
            if id(item) in kept or (isinstance(item, ctree.Function) and item.kernel):
                continue
            tokens = item if isinstance(item, list) else item.tokens()
            names = {item.name} if isinstance(item, ctree.Function) else \
                {t for t in tokens if ctree.is_name(t) and not BUILT_IN.match(t)} - \
                QUALIFIERS - SPACES - {'struct', 'typedef'}
            if tokens[0].startswith('#') or names & words:
                kept.add(id(item))
                words |= set(tokens)
                changed = True
    return ctree.Program([item for item in program.items if id(item) in kept])


def initialised(statement):
    """A declaration in which nothing is left without a value: what is dropped later may not make
    a result undefined."""
    tokens = list(statement.head)
    at = 0
    while at < len(tokens) and tokens[at] in QUALIFIERS:
        at += 1
    if at + 1 >= len(tokens) or tokens[0] in SPACES or not ctree.is_name(tokens[at]) or \
            tokens[at] in ('struct', 'return', 'goto', 'typedef', 'event_t') or \
            not (ctree.is_name(tokens[at + 1]) or tokens[at + 1] == '*'):
        return
    built_in = BUILT_IN.match(tokens[at]) or at
    parts = ctree.split(tokens[at + 1:-1], ',')
    for part in parts:
        if '=' not in part:
            zero = ['0'] if built_in and '[' not in part or '*' in part else ['{', '0', '}']
            part += ['=', *zero]
    joined = [token for part in parts for token in [*part, ',']]
    statement.head[:] = [*tokens[:at + 1], *joined[:-1], ';']


def of_file(path, name):
    """The seeds of one file."""
    try:
        program = without_aliases(ctree.program_of(preprocessed(path)))
        for kernel in program.kernels():
            part = needed(program, kernel)
            if kernel.name.startswith('ulp') or UNFIT.search(part.text()):
                continue
            part = ctree.program_of(part.text())
            for function in part.functions():
                for node in function.body.all():
                    if node.kind == 'plain':
                        initialised(node)
            shape = [' '.join(p) for p in kernel.parameters]
            yield Seed(name, kernel.name, part.text(), tuple(shape))
    except ctree.Unreadable:
        return


def load(folder=None):
    """All seeds in an order that is always the same; those of `folder` only, if there is one."""
    if folder:
        paths = sorted(pathlib.Path(folder).rglob('*.cl'))
    else:
        paths = sorted(path for pattern in FILES for path in ROOT.glob(pattern))
    base = pathlib.Path(folder) if folder else ROOT
    return [seed for path in paths if path.name not in WITHOUT
            for seed in of_file(path, str(path.relative_to(base)))]


if __name__ == '__main__':
    for each in load():
        print(each.file, each.name)
