# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that generators of others write, and how each of them is to be launched.

A program is the same for the same index and the same generator. What is drawn (mode, size, launch
sizes) is drawn here by index; the generator's own seed is index * TRIES and the next ones, until
its program has the size that was drawn.
"""
import dataclasses
import pathlib
import random
import re
import resource
import subprocess

TRIES = 6
ENOUGH = 3  # tries, if one has given a program of any size
# Bytes of a program without its blanks at line starts: most are small, some large. What is too
# large is compiled for one item at a time, and what is tiny has nothing in it.
SIZES = ((24_000, 50), (40_000, 30), (90_000, 15), (250_000, 5))
TINY = 3_000
GENERATOR_SECONDS = 2
MOST_ITEMS = 320


@dataclasses.dataclass
class Program:
    """A kernel, and the words that foreign-run wants besides it."""
    index: int
    mode: str
    source: str
    launch: list
    options: str
    command: str = ''  # that made it

    def text(self):
        """With its launch in its first line: read() takes it from there."""
        words = ' '.join(self.launch)
        return (f'// foreign-run: --options "{self.options}" {words}\n'
                f'// index {self.index}, {self.mode}: {self.command}\n{self.source}')


def read(path):
    """A program that Program.text() wrote, perhaps made smaller since."""
    text = pathlib.Path(path).read_text()
    found = re.match(r'// foreign-run: --options "([^"]*)" (.*)', text)
    return Program(0, 'file', text, found[2].split(), found[1])


def limited(seconds):
    """Runs in the generator's process: some seeds take minutes."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def weighted(draw, table):
    return draw.choices([row[0] for row in table], [row[1] for row in table])[0]


# What CLSmith can be asked for. Left out:
# --message_passing: items wait for others of their group that may be later ones; OpenCL promises
#     no such progress, and neither reference execution nor Intel's runtime makes it.
# --no-safe_math: has no effect on what is written, and would be undefined behaviour if it had.
# --divergence with --atomics or --atomic_reductions: which item gets a number from a counter, and
#     so what is added, would depend on the order of items.
# --divergence without --track_divergence but with barriers: barriers that not all items reach.
FLAGS = ('--vectors', '--atomics', '--atomic_reductions', '--inter_thread_comm', '--emi',
         '--fake_divergence', '--group_divergence')
PURE = [[], *([flag] for flag in FLAGS), ['--divergence'], ['--divergence', '--vectors'],
        ['--fake_divergence', '--vectors'], ['--fake_divergence', '--emi'],
        ['--barriers', '--divergence', '--track_divergence'],
        ['--embedded', '--fake_divergence']]


def clsmith_mode(draw):
    """One mode, or several at once as far as they can be."""
    flags = list(draw.choice(PURE))
    if draw.random() < 0.35:
        flags = [flag for flag in FLAGS if draw.random() < 0.4]
        if draw.random() < 0.2:
            flags.append('--embedded')
    if '--emi' in flags:
        flags += ['--emi_p_compound', str(draw.choice((0, 10, 30))),
                  '--emi_p_leaf', str(draw.choice((0, 20, 50)))]
    # --small forgets declarations in nearly all programs with atomic sections.
    if draw.random() < (0 if '--atomics' in flags else 0.85):
        flags.append('--small')
    return flags


def generate(command, path, seconds=GENERATOR_SECONDS):
    """What a generator writes to a path, or nothing."""
    path.unlink(missing_ok=True)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          preexec_fn=lambda: limited(seconds), check=False)
    if done.returncode or not path.exists():
        return ''
    return re.sub(r'^[ \t]+', ' ', path.read_text(), flags=re.M)


def undeclared(source):
    """Local variables that a program uses only: --small drops what only atomics use."""
    types = r'(?:u?int(?:\d+_t)?|struct|union|VECTOR|const|volatile)'
    declared = set(re.findall(rf'^ *{types}\b.*?\b(l_\d+)\b', source, re.M))
    return set(re.findall(r'\bl_\d+\b', source)) - declared


def sized(index, draw, attempt, sizes=SIZES, tiny=TINY, tries=TRIES):
    """The first program of about the drawn size, or the smallest that is not tiny."""
    bound = weighted(draw, sizes)
    best = ('', '')
    for number in range(tries):
        if best[0] and number >= ENOUGH:
            break
        source, command = attempt(index * tries + number)
        if len(source) < tiny or undeclared(source):
            continue
        if not best[0] or len(source) < len(best[0]):
            best = source, command
        if len(source) <= bound:
            break
    return best


LOCALS = ((16, 1, 1), (64, 1, 1), (7, 1, 1), (1, 1, 1), (33, 1, 1), (8, 4, 1), (3, 5, 2),
          (4, 1, 7), (2, 2, 2), (5, 8, 1), (1, 13, 1), (20, 1, 1), (32, 2, 1), (100, 1, 1))


def product(sizes):
    return sizes[0] * sizes[1] * sizes[2]


def groups(draw, local, most=(6, 3, 2)):
    """Numbers of groups, few of them."""
    count = [draw.randint(1, limit) for limit in most]
    while max(count) > 1 and product(count) * product(local) > MOST_ITEMS:
        count[count.index(max(count))] -= 1
    return count


def exchanges(source):
    """Elements of the local arrays through which neighbours along x exchange values, or 0."""
    return min(map(int, re.findall(r'__local uint32_t lb_\d+\[(\d+)\];', source)), default=0)


def clsmith_launch(draw, source, flags, whole):
    """Sizes and buffers. Where items talk to each other, the local size is the program's own."""
    words = source.split('\n', 1)[0].split()
    own = {name: tuple(map(int, words[words.index(name) + 1].split(','))) for name in ('-g', '-l')}
    if '--inter_thread_comm' in flags:
        local = own['-l']
        count = groups(draw, local, [g // l for g, l in zip(own['-g'], local)])
    else:
        local = draw.choice(LOCALS)
        if exchanges(source):  # in a row, and each has its place
            local = (min(local[0], exchanges(source)), 1, 1)
        count = groups(draw, local)
    size = [l * n for l, n in zip(local, count)]
    if not whole and '--inter_thread_comm' not in flags:  # the last group along x is smaller
        size[0] -= draw.randrange(local[0])
    step = 1
    buffers = [f'long:{product(size)}']
    if '--atomics' in flags:
        blocks = int(words[words.index('--atomics') + 1])
        buffers += [f'int:{blocks * product(count)}'] * 2
    if '--atomic_reductions' in flags:
        buffers.append(f'int:{product(count)}')
    if '--emi' in flags:
        buffers.append('int:1024:1024:-1')
    if '--fake_divergence' in flags:
        # The program subtracts the id from what it finds at it: 10 for all items. Where nothing
        # forbids that items part, other steps let them.
        if not {'--atomics', '--atomic_reductions', '--inter_thread_comm'} & set(flags):
            step = draw.choice((1, 2, 3, -1, 7))
        buffers.append(f'int:{max(size)}:10:{step}')
    if '--inter_thread_comm' in flags:
        buffers.append(f'long:{product(size)}:1')
    words = ['--global', ','.join(map(str, size)), '--local', ','.join(map(str, local))]
    for each in buffers:
        words += ['--buffer', each]
    return words, '' if step == 1 else f' step {step}'


def clsmith(index, generator, folder):
    """A program of CLSmith, or None if this index gives none."""
    draw = random.Random(f'clsmith {index}')
    flags = clsmith_mode(draw)
    path = pathlib.Path(folder) / 'clsmith.c'

    def attempt(seed):
        words = [*flags, '--seed', str(seed + 1)]
        return generate([generator, *words, '-o', path], path), 'CLSmith ' + ' '.join(words)
    source, command = sized(index, draw, attempt)
    if not source:
        return None
    modern = draw.random() < 0.75
    launch, note = clsmith_launch(draw, source, flags, not modern or draw.random() < 0.6)
    mode = ' '.join(flag[2:] for flag in flags
                    if flag.startswith('--') and flag != '--small' and 'emi_p' not in flag)
    return Program(index, (mode or 'basic') + note, source, launch,
                   '-w -cl-std=CL2.0' if modern else '-w', command)
