# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants: made from a number, run by mutant-run, and judged."""
import dataclasses
import os
import pathlib
import random
import re
import subprocess

import ctree
import driver
import mutations as base
import mutations_shape as shape
import seeds as kernels

RUN = driver.ROOT / 'tests' / 'differential' / 'mutant-run'
CLANG = os.environ.get('WEFT_CLANG', 'clang-22')
OPTIONS = ('-cl-std=CL2.0', '-cl-kernel-arg-info', '-w')
SECONDS = 3600
NO_MODULE = b'none'  # of what Clang refuses, or dies of
SIZES = (1, 2, 3, 4, 5, 7, 8, 12, 16, 16, 20, 32, 33, 64)
WEIGHTS = {
    base.constant: 8, base.operator: 5, base.negate: 2, base.hide_condition: 3, base.drop: 3,
    base.duplicate: 3, base.swap: 2, base.barrier: 7, base.guard_of_some: 5, base.guard_of_all: 5,
    base.repeat: 8, base.loop_with_barrier: 7, base.repeat_divergent: 4, base.loop_form: 6,
    base.leave: 4, base.if_form: 3,
    shape.type_of_variable: 6, shape.type_of_buffer: 3, shape.type_everywhere: 2,
    shape.in_structure: 5, shape.in_array: 4, shape.behind_pointer: 3, shape.wrap_body: 3,
    shape.wrap_expression: 4, shape.wrap_statement: 3, shape.qualify: 4, shape.copies: 2,
    shape.in_vector: 4, shape.other_ids: 3, shape.join: 5, shape.attribute: 3, shape.option: 3, shape.unroll: 3,
}


@dataclasses.dataclass
class Launch:
    dimensions: int
    size: list
    offset: list
    local: list
    seed: int  # of scalars; those of an odd one are sizes

    def divide(self):
        """Groups that are all of one size."""
        self.size = [max(s // l, 1) * l for s, l in zip(self.size, self.local)]

    def use_local(self, local):
        self.local = list(local)
        self.dimensions = max([self.dimensions, *(i + 1 for i in range(3) if local[i] > 1)])
        self.divide()

    def line(self, sizes=()):
        return ' '.join(map(str, ['launch', self.dimensions, *self.size, *self.offset, *self.local,
                                  self.seed, *sizes]))


def asked_for(program):
    """Dimensions that the program asks for: items that differ in others only write the same place."""
    text = program.text()
    if 'linear_id' in text:
        return 3
    return max([1, *(int(d) + 1 for d in re.findall(r'get_(?:global|local)_id\((\d)\)', text))])


def launch(r, most, across, asked, large):
    """At most 1024 items, `most` of them in a group, `across` in one of several dimensions."""
    dimensions = min(asked, 3) if r.randrange(2) else r.randint(1, min(asked, 3))
    size, local = [1, 1, 1], [1, 1, 1]
    for d in range(dimensions):
        left = most
        for l in local[:d]:
            left //= l
        local[d] = min(r.choice(SIZES), left, across if asked > 1 else most)
        if d == 0 and r.randrange(6) == 0:
            local[d] = min(r.choice((100, 128, 250, 256, 65)), left, across if asked > 1 else most)
    for d in range(dimensions):
        room = 1024
        for s in (*size, *local[d:]):
            room //= s
        size[d] = local[d] * r.randint(1, max(1, min(room, 8)))
        if r.randrange(2):
            size[d] = max(1, size[d] - r.randrange(local[d]))
    offset = [r.choice((0, 0, 0, 1, 3, 5)) if d < dimensions and r.randrange(3) == 0 else 0
              for d in range(3)]
    return Launch(dimensions, size, offset, local, r.randrange(1 << 16) & ~1 | int(large))


def room(program):
    """Items of a group for which local arrays of known length are long enough."""
    most = across = 256
    for f in program.kernels():
        heads = [n.head for n in f.body.all() if n.kind == 'plain' and
                 {'local', '__local'} & set(n.head[:2])]
        for lengths in shape.arrays(heads).values():
            large = [n for n in lengths if n >= 4] or [256]
            across = min(across, *large)
            most = min(most, across * across if len(large) > 1 else large[-1])
    return most, across


@dataclasses.dataclass
class Mutation:
    """A mutation and the state of its own random numbers, so that others can be left out."""
    make: object
    seed: int


def plan(number, seeds):
    """What mutant `number` is made of: a seed, the random numbers of its launches, mutations."""
    r = random.Random(f'mutant {number}')
    seed = r.choice(seeds)
    for _ in range(3):
        if re.match(r'(float|double)_', seed.name):  # one built-in function and no more
            seed = r.choice(seeds)
    makes = r.choices(list(WEIGHTS), WEIGHTS.values(), k=r.choice((1, 2, 3, 3, 4, 5, 6, 8, 10)))
    makes.sort(key=lambda make: make is shape.option)  # it asks what the others have made
    return seed, r.randrange(1 << 30), [Mutation(make, r.randrange(1 << 30)) for make in makes]


def make(seed, launches, mutations, others=()):
    """The mutant, and what its mutations say."""
    program = ctree.program_of(seed.text)
    most, across = room(program)
    asked, large = asked_for(program), 'scratch' not in seed.text
    r = random.Random(launches)
    m = base.Mutant(program, r, list(OPTIONS), [launch(r, most, across, asked, large) for _ in range(3)])
    m.risky, m.seed, m.others = most < 256, seed.text, others
    said = []
    for mutation in mutations:
        m.random = random.Random(mutation.seed)
        m.counter = mutation.seed % 1000 * 100
        said.append(mutation.make(m))
    if m.risky:
        shape.bounded(m)
    if m.risky or launches % 8:
        shape.cleared(m)
    if m.through:  # where nothing is ever contracted
        program.items.insert(0, ['#pragma OPENCL FP_CONTRACT OFF\n'])
    return m, [text for text in said if text]


@dataclasses.dataclass
class Case:
    """A mutant as the launcher needs it."""
    name: str
    text: str
    options: tuple
    launches: tuple
    types: str = ''
    through: str = ''
    sizes: tuple = ()  # of buffers, for each launch

    def with_sizes(self, outcome):
        return dataclasses.replace(
            self, sizes=tuple(outcome.sizes[i] for i in range(len(self.launches))))

    def entry(self, folder):
        file = pathlib.Path(folder) / f'{self.name}.cl'
        if not file.exists():
            file.write_text(self.text)
        if self.through == 'spirv':
            file = spirv(file, self.options[0])
        casts = re.search(r'\(\s*(volatile )?(__)?(global|constant|generic) ', self.text)
        lines = [f'mutant {self.name} {file}', f'options {" ".join(self.options)}',
                 f'align {128 if casts else 1}']
        if self.types:
            lines.append(f'types {self.types}')
        for number, each in enumerate(self.launches):
            lines.append(each.line(self.sizes[number] if self.sizes else ()))
        return '\n'.join([*lines, 'end', ''])


def types_of(kernel):
    """What the launcher makes arguments from: SPIR-V does not say it all."""
    result = []
    for p in kernel.parameters:
        space = next((t.strip('_') for t in p if t in kernels.SPACES), 'value')
        name = next((t for t in p[:-1] if kernels.BUILT_IN.match(t)), 'struct')
        result.append(f'{space}:{name}{"*" if "*" in p else ""}')
    return ' '.join(result)


def refused_by_clang(case, folder):
    file = pathlib.Path(folder) / f'{case.name}.spv'
    return case.through == 'spirv' and file.exists() and file.read_bytes() == NO_MODULE


def plain(case):
    """The case as source."""
    return dataclasses.replace(case, through='')


def case(name, mutant):
    return Case(name, mutant.program.text(), tuple(mutant.options), tuple(mutant.launches),
                types_of(mutant.kernel()), mutant.through)


def spirv(file, standard):
    """Through Clang, as tests/kernels does it; a file that is no SPIR-V if Clang refuses."""
    module = file.with_suffix('.spv')
    if not module.exists():
        subprocess.run([CLANG, '-x', 'cl', standard, '--target=spirv64v1.2', '-O2', '-Xclang',
                        '-disable-llvm-passes', '-ffp-contract=off', '-w', '-c', file, '-o', module],
                       stderr=subprocess.DEVNULL, check=False)
        if not module.exists():
            module.write_bytes(NO_MODULE)
    return module


@dataclasses.dataclass
class Outcome:
    """What the launcher said of a mutant."""
    hashes: dict = dataclasses.field(default_factory=dict)
    sizes: dict = dataclasses.field(default_factory=dict)
    end: str = ''      # done, build, invalid, late, crash or lost
    what: str = ''
    log: list = dataclasses.field(default_factory=list)
    outside: list = dataclasses.field(default_factory=list)


def parse(text, outcomes):
    now = None
    for line in text.splitlines():
        words = line.split()
        if line.startswith('|') and now:
            now.log.append(line[2:])
            continue
        if len(words) < 2:
            continue
        if words[1] == 'begin':
            outcomes[words[0]] = Outcome()
        now = outcomes.get(words[0])
        if now is None or words[1] == 'begin':
            continue
        if words[1] in ('done', 'build', 'invalid', 'late', 'crash'):
            now.end, now.what = words[1], ' '.join(words[2:])
        elif len(words) > 2 and words[2] == 'sizes':
            now.sizes[int(words[1])] = tuple(words[3:])
        elif len(words) > 2 and words[2] == 'outside':
            now.outside.append(f'launch {words[1]}, argument {words[3]}, {words[4]} bytes')
        elif len(words) == 3:
            now.hashes[int(words[1])] = words[2]


def environment(configuration):
    if isinstance(configuration, driver.Configuration):
        return configuration.environment()
    env = {key: value for key, value in os.environ.items() if not key.startswith('WEFT_')}
    env.update(configuration)
    return env


def options_of(configuration):
    """What a configuration adds to a mutant's own options."""
    return ('-cl-opt-disable',) if getattr(configuration, 'name', '').startswith('opt-disable') else ()


def run(configuration, cases, folder, sizing=False, dump=False):
    """The outcome of each case, by name. A configuration is one of driver's, or an environment."""
    folder = pathlib.Path(folder)
    more = options_of(configuration)
    file = folder / f'list-{random.getrandbits(48):x}'
    file.write_text(''.join(dataclasses.replace(c, options=(*c.options, *more)).entry(folder)
                            for c in cases))
    names, outcomes, start = [c.name for c in cases], {}, 0
    while start < len(names):
        command = [RUN, file, '--from', str(start), *(['--size'] if sizing else []),
                   *(['--dump', folder] if dump else [])]
        try:
            done = subprocess.run(command, env=environment(configuration), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=SECONDS, check=False)
            text, code = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            text, code = late.stdout or b'', -9
        before = set(outcomes)
        parse(text.decode(errors='replace'), outcomes)
        new = [n for n in names[start:] if n in outcomes and n not in before]
        if not new:
            outcomes[names[start]] = Outcome(end='lost', what=f'launcher ended with {code}')
            start += 1
            continue
        if not outcomes[new[-1]].end:
            outcomes[new[-1]].end, outcomes[new[-1]].what = 'lost', f'launcher ended with {code}'
        start = names.index(new[-1]) + 1
        if code == 0:
            break
    file.unlink()
    return {name: outcomes.get(name, Outcome(end='lost')) for name in names}


def difference(wanted, got):
    """What is different, or an empty text."""
    if got.end != 'done':
        return ' '.join([got.end, got.what, *(got.log[:3])])
    for number, value in wanted.hashes.items():
        if got.hashes.get(number) != value:
            return f'launch {number}: {got.hashes.get(number)}, not {value}'
    return 'touches ' + got.outside[0] if got.outside else ''


# ---- is it the mutant's own fault? ----------------------------------------------------------------

ORDERS = {'reversed': 'get_local_size(d) - 1 - get_local_id(d)',
          'turned': '(get_local_id(d) + (get_local_size(d) + 1) / 2) % get_local_size(d)'}
PERMUTED = '''size_t o_local(uint d) {{ return {order}; }}
size_t o_first(uint d) {{ return get_global_id(d) - get_local_id(d); }}
size_t o_global(uint d) {{ return o_first(d) + o_local(d); }}
size_t o_llinear() {{
    return (o_local(2) * get_local_size(1) + o_local(1)) * get_local_size(0) + o_local(0); }}
size_t o_glinear() {{ return ((o_global(2) - get_global_offset(2)) * get_global_size(1) +
    o_global(1) - get_global_offset(1)) * get_global_size(0) + o_global(0) - get_global_offset(0); }}
'''
RENAMED = {'get_local_id': 'o_local', 'get_global_id': 'o_global',
           'get_local_linear_id': 'o_llinear', 'get_global_linear_id': 'o_glinear'}


def permuted(text, order):
    """The same kernel with its items in another order: each has the ids of another one."""
    for name, other in RENAMED.items():
        text = re.sub(rf'\b{name}\b', other, text)
    return PERMUTED.format(order=ORDERS[order]) + text


SHIFTS = (0, 1, 3)  # of ids, whose parity says which half an item or group belongs to


def half(case, which, shift):
    """The kernel for half of its items, or of its groups if they wait for each other; 2 is none."""
    program = ctree.program_of(case.text)
    kernel = program.kernels()[0]
    waits = base.waits(kernel.body, base.with_barriers(program))
    ids = ' + '.join(f'(get_{"group" if waits else "global"}_id({d}) >> {shift})' for d in range(3))
    condition = f'(({ids}) & 1) == {which}' if which < 2 else '1'
    kernel.body.body.insert(0, ctree.Node('if', ctree.tokens_of(condition),
                                          [ctree.Node('block', [], base.nodes('return;'))]))
    return dataclasses.replace(plain(case), name=f'{case.name}_{which}_{shift}', text=program.text())


def without_atomics(case):
    """What is left when atomic functions do nothing: only the other accesses must keep apart."""
    names = sorted(set(re.findall(r'\b(atom(?:ic)?_\w+)\s*\(', case.text)))
    return dataclasses.replace(case, text=''.join(f'#define {name}(...) 0\n' for name in names) + case.text)


def shares_places(case, folder):
    """True if some halves of a launch read or change what the other half changes. Sums of several
    items without atomics are the same in all orders, but not where items run at once."""
    case = without_atomics(case)
    halves = [half(case, which, shift) for shift in SHIFTS for which in (0, 1)]
    every = [plain(case), half(case, 2, 0), *halves]
    got = run(driver.REFERENCE, every, folder, dump=True)
    if any(got[c.name].end != 'done' for c in every):
        return True
    for number in range(len(case.launches)):
        bits = [(pathlib.Path(folder) / f'{c.name}-{number}').read_bytes() for c in every]
        whole, none, *parts = ([b[i:i + 4] for i in range(0, len(b), 4)] for b in bits)
        for first, second in zip(parts[::2], parts[1::2]):
            if any(w != (a if a != n else b) for w, n, a, b in zip(whole, none, first, second)):
                return True
    return False


WIDTH_1 = driver.Configuration('width-1', (('WEFT_WIDTH', '1'),))
SHUFFLED = driver.Configuration('shuffled', (('WEFT_REFERENCE', '1'), ('WEFT_SHUFFLE', '7')))


def at_level(configuration):
    """Reference execution at the instruction set level of a configuration: functions of the
    library and contracted sums may differ between levels."""
    level = tuple(pair for pair in configuration.settings if pair[0] == 'WEFT_ISA')
    return dataclasses.replace(driver.REFERENCE, settings=(*driver.REFERENCE.settings, *level))


def judged_by(how, suspects, folder, doubts, name, change=lambda case: case):
    """Runs what is not in doubt yet in another way that must not matter."""
    left = {c.name: (c, wanted) for c, wanted, _ in suspects if c.name not in doubts}
    if not left:
        return
    got = run(how, [change(case) for case, _ in left.values()], folder)
    for case, wanted in left.values():
        outcome = got[change(case).name]
        if not isinstance(how, driver.Configuration):
            outcome.outside = []
        if what := difference(wanted, outcome):
            doubts[case.name] = f'{name}: {what}'


def doubts(suspects, folder, referee=None):
    """Why mutants that differ, given as (case, outcome in reference execution, configuration), say
    nothing of the configuration: texts by name of those to be doubted."""
    found = {}
    for order in ORDERS:
        def change(case, order=order):
            return dataclasses.replace(case, name=f'{case.name}_{order}', through='',
                                       text=permuted(case.text, order))
        judged_by(driver.REFERENCE, suspects, folder, found, f'items {order}', change)
    judged_by(driver.REFERENCE, suspects, folder, found, 'once more', plain)
    judged_by(SHUFFLED, suspects, folder, found, 'groups shuffled', plain)
    for case in {c.name: c for c, _, _ in suspects if c.name not in found}.values():
        if shares_places(case, folder):
            found[case.name] = 'items share places'
    others = [s for s in suspects if dict(s[2].settings).get('WEFT_WIDTH') != '1']
    judged_by(WIDTH_1, others, folder, found, 'width 1')
    for mode in ('1', '') if referee else ():
        env = {'OCL_ICD_VENDORS': referee, **({'CL_CONFIG_CPU_VECTORIZER_MODE': mode} if mode else {})}
        judged_by(env, suspects, folder, found, 'referee', plain)
    return found
