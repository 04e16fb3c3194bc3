#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/install-transcript.md, from the transcripts of tests/packaging/run.

    tests/packaging/run --transcripts FOLDER && tests/packaging/page.py FOLDER 'On which machine, of which commit.' >docs/install-transcript.md
"""
import os
import re
import sys

HEAD = '''# What was typed, and what was said

Written by `tests/packaging/page.py` from the transcripts of `tests/packaging/run --transcripts FOLDER`: each way of
[installing](install.md) in clean roots, which have nothing but what debootstrap's smallest variant brings. Shown are the commands and
what they print; of apt-get, dpkg and pip only that they succeeded. Each script fails where a step does.

{note}
'''
# Order of the page: how a transcript's name begins.
WAYS = ('deb', 'wheel', 'wheel-beside', 'tarball', 'container', 'action', 'programs', 'source')


def read(folder):
    """[(name, heading, text, {what: seconds})], in the order of the page."""
    found = []
    for name in os.listdir(folder):
        stem = name.removesuffix('.txt')
        with open(os.path.join(folder, name)) as file:
            first, _, text = file.read().partition('\n\n')
        if not first.endswith('status 0'):
            sys.exit(f'{name}: {first}')
        system = first.split(';')[0]
        way = max((way for way in WAYS if stem.startswith(way)), key=len)
        number = [int(n) for n in re.findall(r'\d+', system)]
        times = dict(re.findall(r'(?m)^# (.*): ([\d.]+) s$', text))
        found.append(((WAYS.index(way), system.split()[0], number), way, system, text.strip('\n'), times))
    return [each[1:] for each in sorted(found)]


def table(entries):
    yield '| root | way | seconds of each step | from nothing to a first result |\n|---|---|---|--:|'
    for way, system, _, times in entries:
        whole = times.get('from nothing to a first result')
        steps = '; '.join(f'{what}: {seconds}' for what, seconds in times.items() if not what.startswith('from nothing'))
        yield f'| {system} | {way} | {steps} | {whole + " s" if whole else ""} |'


def main():
    entries = read(sys.argv[1])
    print(HEAD.format(note=' '.join(sys.argv[2:])))
    print('\n'.join(table(entries)))
    for way, system, text, _ in entries:
        print(f'\n## {way}, {system}\n\n```\n{text}\n```')


if __name__ == '__main__':
    main()
