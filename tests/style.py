#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""House rules that a program can check: licence lines, formatting, sizes of files, links in docs."""
import os
import re
import shutil
import subprocess
import unittest

import tap

ROOT = os.environ.get('WEFT_SOURCE_ROOT',
                      os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE = ('.c', '.h', '.cc')
LICENSED = CODE + ('.cl', '.py', '.sh', '.build', '.def', '.S', '.ll')
LICENCE = 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'
MAX_LINES = 700
# A line of a page that runs a file of ours, perhaps with settings before it.
COMMAND = re.compile(r'^ {0,4}(?:[A-Z_]+=\S+ )*(?:\./)?((?:\w+/)*[\w-]+(?:\.py)?)(?: |$)', re.M)


def files(endings):
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if not f.startswith(('.', 'build', '__pycache__'))
                      or (f == 'build' and folder != ROOT)]
        for name in names:
            if name.endswith(endings):
                yield os.path.join(folder, name)


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


class Style(unittest.TestCase):
    def test_every_file_says_its_licence(self):
        bad = [f for f in files(LICENSED) if LICENCE not in read(f)[:400]]
        self.assertEqual(bad, [])

    def test_no_file_is_too_long(self):
        bad = [f for f in files(CODE) if read(f).count('\n') > MAX_LINES]
        self.assertEqual(bad, [])

    def test_code_is_formatted(self):
        tool = shutil.which('clang-format-22')
        if not tool:
            self.skipTest('clang-format-22 is not installed')
        run = subprocess.run([tool, '--dry-run', '--Werror', *files(CODE)],
                             stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 0, run.stderr[:2000])

    def test_links_in_docs_lead_somewhere(self):
        bad = []
        for page in files(('.md',)):
            for target in re.findall(r'\]\(([^)#]+)[^)]*\)', read(page)):
                if '://' not in target and not os.path.exists(
                        os.path.join(os.path.dirname(page), target)):
                    bad.append(f'{page}: {target}')
        self.assertEqual(bad, [])

    def test_commands_in_docs_can_be_run(self):
        """timeline.py was shown as a command, and had no permission to be one."""
        bad = []
        for page in files(('.md',)):
            for command in COMMAND.findall(read(page)):
                path = os.path.join(ROOT, command)
                if os.path.isfile(path) and not os.access(path, os.X_OK):
                    bad.append(f'{page}: {command}')
        self.assertEqual(bad, [])

    def test_rooms_of_the_compiler_are_used_from_above(self):
        """By the table of docs/architecture.md, row by row."""
        table = read(os.path.join(ROOT, 'docs', 'architecture.md')).partition('room of `compiler/`')[2]
        rows = [row.split('|')[1:4] for row in table.partition('\n\n')[0].splitlines()[2:]]
        names = [re.findall(r'`(\w+)/`', row[0]) for row in rows]
        stages = next(some for some in names if 'stages' in some)
        may = {}
        for number, (own, row) in enumerate(zip(names, rows)):
            used = re.findall(r'`(\w+)/`', row[2]) + own
            if 'the stages' in row[2]:
                used += stages
            if 'all below' in row[2]:
                used += sum(names[number:], [])
            may.update({room: used for room in own})
        folder, bad = os.path.join(ROOT, 'compiler'), []
        rooms = {room for room in os.listdir(folder) if os.path.isdir(os.path.join(folder, room))}
        self.assertEqual(rooms - set(may) - {'layout'}, set())
        for path in files(CODE + ('.def',)):
            room = os.path.relpath(path, folder).split(os.sep)[0]
            if room in may:
                bad += [f'{os.path.relpath(path, ROOT)}: {to}'
                        for to in re.findall(r'^#include "(?:compiler/)?(\w+)/', read(path), re.M)
                        if to in rooms and to not in may[room]]
        self.assertEqual(bad, [])


if __name__ == '__main__':
    tap.main()
