# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packaging/weft.bash-completion: what a user of bash is offered, with the tool that was built."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ['WEFT_SOURCE_ROOT']
sys.path.insert(0, os.path.join(SOURCE, 'tests'))
import tap  # noqa: E402

TOOL = os.path.join(os.environ['WEFT_BUILD_ROOT'], 'runtime', 'tool', 'weft')
SCRIPT = os.path.join(SOURCE, 'packaging', 'weft.bash-completion')
# As readline calls it; compopt works only in there, so it is noted here.
CALL = '''
. "$1"
compopt() { echo "compopt $*"; }
tool=$2
shift 2
COMP_WORDS=(weft "$@")
COMP_CWORD=$#
_weft "$tool"
printf '%s\\n' "${COMPREPLY[@]}"
'''


class Completion(unittest.TestCase):
    def setUp(self):
        self.room = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.room)
        for name in ('a.cl', 'a.txt', 'two words.spv'):
            with open(os.path.join(self.room, name), 'w'):
                pass
        os.makedirs(os.path.join(self.room, 'sub.cl'))
        os.makedirs(os.path.join(self.room, 'first'))
        os.makedirs(os.path.join(self.room, 'second'))
        for folder in ('first', 'second'):  # as /bin and /usr/bin are
            path = os.path.join(self.room, folder, 'wefttried')
            with open(path, 'w') as file:
                file.write('#!/bin/sh\n')
            os.chmod(path, 0o755)

    def offered(self, *words):
        """(what is offered, what readline is asked for)."""
        path = f'{self.room}/first:{self.room}/second:{os.environ["PATH"]}'
        done = subprocess.run(['bash', '-c', CALL, 'bash', SCRIPT, TOOL, *words], cwd=self.room, capture_output=True, text=True,
                              env={**os.environ, 'PATH': path, 'LC_ALL': 'C'}, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        lines = done.stdout.split('\n')[:-1]
        asked = [line for line in lines if line.startswith('compopt ')]
        return [line for line in lines if line and line not in asked], asked

    def test_commands(self):
        self.assertEqual(self.offered('c')[0], ['cache', 'ci', 'compile'])
        self.assertEqual(self.offered('--v')[0], ['--version'])

    def test_words_of_a_command(self):
        self.assertEqual(self.offered('cache', '')[0], ['clear', 'show', 'verify'])
        self.assertEqual(self.offered('cache', 'v')[0], ['verify'])
        self.assertEqual(self.offered('info', '')[0], [])

    def test_command_under_ci(self):
        """The first word was never a command, and what two folders of PATH have was offered twice."""
        for before in ([], ['--check'], ['--threads', '3'], ['-c', 'x'], ['--cache', '=', 'x'], ['--']):
            self.assertEqual(self.offered('ci', *before, 'wefttr')[0], ['wefttried'], before)
        self.assertEqual(self.offered('ci', 'wefttried', 'a.')[0], ['a.cl', 'a.txt'])
        self.assertEqual(self.offered('ci', '--threads', '3', 'wefttried', 'wefttr')[0], [])

    def test_options(self):
        self.assertEqual(self.offered('ci', '--ca'), (['--cache='], ['compopt -o nospace']))
        self.assertIn('--emit', self.offered('compile', '--')[0])
        self.assertEqual(self.offered('ci', '--cache', '=', 'fi')[0], ['first'])
        self.assertEqual(self.offered('ci', '--cache', '=')[0], ['first', 'second', 'sub.cl'])

    def test_values_of_compile(self):
        kinds = self.offered('compile', '--emit', '')[0]
        text = subprocess.run([TOOL, 'compile', '--help'], capture_output=True, text=True).stdout
        said = re.search(r'--emit WHAT(.*?)--isa', text, re.S).group(1)
        self.assertEqual(len(kinds), 9)
        for kind in kinds:
            self.assertRegex(said, rf'\b{kind}\b')
        self.assertEqual(self.offered('compile', '--isa', 'x86-64-v')[0], [f'x86-64-v{n}' for n in range(1, 5)])
        stages = subprocess.run([TOOL, 'compile', '--list-stages'], capture_output=True, text=True).stdout.split()
        self.assertEqual(self.offered('compile', '--stage', '')[0], sorted(set(stages)))

    def test_files_to_compile(self):
        self.assertEqual(self.offered('compile', ''), (['a.cl', 'first', 'second', 'sub.cl', 'two words.spv'],
                                                       ['compopt -o filenames']))

    def test_leaves_the_shell_as_it_was(self):
        """It switched on extglob, which changes what the user's own patterns mean."""
        script = 'before=$(shopt; set -o; complete -p); . "$1"; complete -r weft; [ "$before" = "$(shopt; set -o; complete -p)" ]'
        done = subprocess.run(['bash', '-c', script, 'bash', SCRIPT], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))


if __name__ == '__main__':
    tap.main()
