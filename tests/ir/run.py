# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs single stages on small modules: one file per stage or bug.

Each .ll file says how it is run and what must come out:

    ; RUN: --stage regions            arguments of weft-compiler; several lines: several runs
    ; FAILS: sentence                 the run fails, and its log has this text
    ; CHECK: text                     the output has a line with this text, behind the last match
    ; CHECK-NEXT: text                on the very next line
    ; CHECK-NOT: text                 not between the last match and the next one
    ; CHECK-LABEL: text               as CHECK, from the start of the output

{{...}} in a text is a regular expression, [[NAME:...]] one whose match is kept, [[NAME]] that match.
Runs of blanks match any run of blanks.
"""
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / 'compiler'))

import common  # noqa: E402
import tap  # noqa: E402

DIRECTIVE = re.compile(r';\s*(CHECK(?:-NEXT|-NOT|-LABEL)?|RUN|FAILS):\s*(.*?)\s*$')
PART = re.compile(r'\{\{(.*?)\}\}|\[\[(\w+):(.*?)\]\]|\[\[(\w+)\]\]')


def pattern(text, names):
    """A text of a directive as a regular expression; `names` holds what was matched before."""
    result, at = '', 0

    def plain(words):
        return re.sub(r'(\\ )+|\s+', r'\\s+', re.escape(words))
    for part in PART.finditer(text):
        result += plain(text[at:part.start()])
        if part[1] is not None:
            result += f'(?:{part[1]})'
        elif part[2]:
            result += f'(?P<{part[2]}>{part[3]})'
        else:
            result += re.escape(names[part[4]])
        at = part.end()
    return re.compile(result + plain(text[at:]))


def check(directives, output):
    """None, or a sentence about the first directive that is not met."""
    lines, at, names, absent = output.splitlines(), 0, {}, []

    def forbidden(end):
        for text in absent:
            for line in lines[at:end]:
                if pattern(text, names).search(line):
                    return f'CHECK-NOT: {text}: found in: {line}'
        absent.clear()
        return None
    for kind, text in directives:
        if kind == 'CHECK-NOT':
            absent.append(text)
            continue
        if kind == 'CHECK-LABEL':
            problem = forbidden(len(lines))
            if problem:
                return problem
            at = 0
        last = at + 1 if kind == 'CHECK-NEXT' else len(lines)
        wanted = pattern(text, names)
        found = next((i for i in range(at, min(last, len(lines))) if wanted.search(lines[i])), None)
        if found is None:
            return f'{kind}: {text}: not found behind line {at} of the output'
        problem = forbidden(found)
        if problem:
            return problem
        names.update(wanted.search(lines[found]).groupdict())
        at = found + 1
    return forbidden(len(lines))


class Stages(unittest.TestCase):
    """One test per file, added below."""

    def run_file(self, path):
        directives = [match.groups() for match in map(DIRECTIVE.match, path.read_text().splitlines())
                      if match]
        runs = [text for kind, text in directives if kind == 'RUN']
        fails = [text for kind, text in directives if kind == 'FAILS']
        checks = [d for d in directives if d[0].startswith('CHECK')]
        self.assertTrue(runs and (checks or fails), 'the file checks nothing')
        for arguments in runs:
            result = common.run(*arguments.split(), '--verify', path)
            if fails:
                self.assertEqual(result.status, 1, result.output)
                for text in fails:
                    self.assertIn(text, result.log)
                continue
            self.assertEqual(result.status, 0, result.log)
            problem = check(checks, result.text)
            if problem:
                self.fail(f'{arguments}: {problem}\n{result.text}')


class Matcher(unittest.TestCase):
    """The checker itself: a test that cannot fail is none."""

    def test_finds(self):
        text = 'define void @a()\n  %1 = add  i32 1, 2\n  ret void\n'
        good = [[('CHECK', 'add i32 1')], [('CHECK', 'add'), ('CHECK-NEXT', 'ret')],
                [('CHECK-NOT', 'sub'), ('CHECK', 'ret')],
                [('CHECK', '[[X:%[0-9]+]] = add'), ('CHECK-LABEL', '[[X]] = {{a.d}}')]]
        bad = [[('CHECK', 'sub')], [('CHECK', 'define'), ('CHECK-NEXT', 'ret')],
               [('CHECK-NOT', 'add'), ('CHECK', 'ret')], [('CHECK', 'ret'), ('CHECK', 'add')],
               [('CHECK-NOT', 'ret')]]
        for directives in good:
            self.assertIsNone(check(directives, text), directives)
        for directives in bad:
            self.assertIsNotNone(check(directives, text), directives)


def add_tests():
    for path in sorted(HERE.glob('*.ll')):
        setattr(Stages, 'test_' + path.stem, lambda self, path=path: self.run_file(path))


add_tests()
if __name__ == '__main__':
    tap.main()
