#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hashcat: bcrypt, sha512crypt, an old PDF, a Bitcoin wallet and 60 modes that a seed draws. Each cracks its example
hash (its seconds contain the build, as nothing is cached), then its own benchmark gives hashes per second.
"""
import json
import os
import random
import re

import ladder

SEED = 17
FIRST = ['3200', '1800', '10400', '11300']
DRAWN = int(os.environ.get('WEFT_APPS_MODES', '60'))
SECONDS = 600


def modes(app):
    """mode -> what hashcat says of it."""
    text = app.command('hashcat', '--example-hashes', '--machine-readable', seconds=120).output
    try:
        return json.loads(text[text.index('{'):text.rindex('}') + 1])
    except ValueError as error:
        raise ladder.Skipped(f'hashcat does not list its modes: {error}') from error


def draw(known):
    """Modes with an example whose password can be written in a file."""
    fit = [mode for mode, about in known.items() if about.get('example_hash_format') == 'plain' and
           about.get('example_pass') and not about['example_pass'].startswith('$HEX') and
           about.get('self_test_enabled')]
    random.Random(SEED).shuffle(fit)
    return FIRST + [mode for mode in fit if mode not in FIRST][:DRAWN]


def crack(app, mode, about):
    test = f'crack/{mode}'
    if test in app.have:
        return
    (app.home / 'hash').write_text(about['example_hash'] + '\n', encoding='utf-8')
    (app.home / 'words').write_text(about['example_pass'] + '\n', encoding='utf-8')
    ended = app.command('hashcat', '-m', mode, '-D1', '--potfile-disable', '--deprecated-check-disable', 'hash',
                        'words', seconds=SECONDS)
    good = ended.good and re.search(r'^Status\.*: Cracked', ended.output, re.M)
    app.result(test, ended.seconds, 's', good, f'{about["name"]}' if good else f'{about["name"]}: {reason(ended)}')


def speed(app, mode, about):
    test = f'speed/{mode}'
    if test in app.have:
        return
    ended = app.command('hashcat', '-m', mode, '-D1', '-b', '--machine-readable', '--runtime=4',
                        '--deprecated-check-disable', seconds=SECONDS)
    found = re.search(rf'^1:{mode}:.*:([\d.]+):(\d+)\s*$', ended.output, re.M)
    good = found and int(found[2]) > 0
    app.result(test, int(found[2]) if good else None, 'H/s', good, about['name'] if good else reason(ended))


def reason(ended):
    """What hashcat complains of: its last lines are of starting and stopping."""
    lines = [line for line in ended.output.splitlines() if re.search(r'CL_|rror|kipp|ailed|xhausted|No ', line)]
    return ': '.join([ended.how(), *lines[-1:]])


def run(app):
    app.apt('hashcat')
    known = modes(app)
    for mode in draw(known):
        crack(app, mode, known[mode])
        speed(app, mode, known[mode])


if __name__ == '__main__':
    ladder.main(run)
