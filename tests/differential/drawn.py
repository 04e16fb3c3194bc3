# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configurations drawn from all: level, width, loop shape, chunks, order of groups, optimisation.

The name says everything: v3-w8-linear-c3-s77-off-g-checks-functions is WEFT_ISA=v3 WEFT_WIDTH=8
WEFT_SHAPE=linear WEFT_CHUNK=3 WEFT_SHUFFLE=77, -cl-opt-disable -g, WEFT_CHECKS=1 and WEFT_FUNCTIONS=1;
v3-w8+widen is WEFT_ORACLE=widen as well.
"""
import re

import driver

NAME = re.compile(r'(v[1-4])(?:-w(' + '|'.join(driver.WIDTHS) + r'))?(?:-(' + '|'.join(driver.SHAPES) + r'))?(?:-c(\d+))?(?:-s(\d+))?(-off)?(-g)?(-checks)?'
                  r'(-functions)?')


def parse(name, options):
    plain, _, stage = name.partition(driver.UP_TO)
    found = NAME.fullmatch(plain)
    if not found:
        return None
    level, width, shape, chunk, shuffle, off, debug, checks, functions = found.groups()
    settings = [('WEFT_ISA', level), ('WEFT_WIDTH', width), ('WEFT_SHAPE', shape), ('WEFT_CHUNK', chunk),
                ('WEFT_SHUFFLE', shuffle), ('WEFT_CHECKS', checks and '1'),
                ('WEFT_FUNCTIONS', functions and '1')]
    parsed = driver.Configuration(plain, tuple((key, value) for key, value in settings if value),
                                  options + (' -cl-opt-disable' if off else '') +
                                  (' -g' if debug else ''))
    return driver.after(parsed, stage or driver.BEHIND)


def draw(random, options, count):
    """So many different ones."""
    names = set()
    # Code generation takes twice as long for the lower levels.
    levels = driver.levels() + driver.levels()[2:] + driver.levels()[3:]
    while len(names) < count:
        width = random.choice(['', '', '', *(f'-w{w}' for w in driver.WIDTHS if w != '1')])
        if random.randrange(25) == 0:
            width = '-w1'
        shape = random.choice(['', '', '', '-rows', '-linear', '-linear', '-narrow', '-single', '-turned', '-lone'])
        chunk = random.choice(['', '', f'-c{random.randrange(1, 6)}'])
        shuffle = random.choice(['', f'-s{random.randrange(1, 100)}'])
        off = '-off' if random.randrange(20) == 0 else ''
        off += '-g' if random.randrange(3 if off else 40) == 0 else ''
        checks = '-checks' if random.randrange(10) == 0 else ''
        checks += '-functions' if random.randrange(12) == 0 else ''
        level = random.choice(levels)
        if level < 'v3' and width in ('-w8', '-w16') and random.randrange(4):  # four times as long
            width = '-w4'
        names.add(level + width + shape + chunk + shuffle + off + checks)
    return [parse(name, options) for name in sorted(names)]


def fixed(options):
    """Those of driver.py, with other options."""
    return [driver.Configuration(c.name, c.settings, c.options.replace(driver.OPTIONS, options))
            for c in driver.configurations()]
