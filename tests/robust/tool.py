# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line tool: wrong usage names what is wrong, what cannot be done is no success."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ['WEFT_SOURCE_ROOT'], 'tests'))
import tap  # noqa: E402

TOOL = os.path.join(os.environ['WEFT_BUILD_ROOT'], 'runtime', 'tool', 'weft')
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(('WEFT_', 'OCL_ICD_'))}


def tool(*arguments, stdout=subprocess.PIPE, **environment):
    done = subprocess.run([TOOL, *arguments], env={**CLEAN, **environment}, stdout=stdout, stderr=subprocess.PIPE, text=True,
                          timeout=100)
    return done.returncode, done.stdout, done.stderr


class Tool(unittest.TestCase):
    def test_what_cannot_be_printed(self):
        """`weft ci --plain >>FILE' left an empty environment on a full disk, and status 0."""
        with open('/dev/full', 'w') as full:
            for arguments in (['ci', '--plain'], ['info'], ['settings'], ['cache'], ['--version'], ['--help'],
                              ['selftest', 'barrier']):
                status, _, said = tool(*arguments, stdout=full)
                self.assertEqual((arguments, status), (arguments, 1))
                self.assertRegex(said, r'^weft: cannot write: (No space left on device|an earlier error)\n$')

    def test_compile_names_the_wrong_option(self):
        """It printed its whole help, and no word about which."""
        for arguments, why in ((['--bogus'], "'--bogus' is no option"), (['--header', 'x'], "'--header' wants NAME=FILE"),
                               (['--processes', 'x'], "'--processes' wants a number"), (['-o'], "'-o' wants something behind it"),
                               (['--spec', 'a=1'], "'--spec' wants ID=VALUE, both integers"), ([], 'no file is named')):
            self.assertEqual(tool('compile', *arguments), (2, '', f"error: {why}; `weft compile --help' tells the options\n"))

    def test_compile_knows_its_version(self):
        self.assertEqual(tool('compile', '--version'), tool('--version'))

    def test_compile_that_cannot_write(self):
        """It had no reason, and then LLVM's report of a fatal error."""
        with tempfile.NamedTemporaryFile('w', suffix='.cl') as source, open('/dev/full', 'w') as full:
            source.write('kernel void k(global int *x) { *x = 1; }\n')
            source.flush()
            for arguments in (['--emit', 'ir', source.name], ['--emit', 'obj', source.name], ['--help'], ['--list-stages']):
                status, _, said = tool('compile', *arguments, stdout=full)
                self.assertEqual((arguments, status), (arguments, 1))
                self.assertRegex(said, r"(?m)^error: cannot write( '-')?: No space left on device$")
                self.assertNotIn('LLVM', said)

    def test_cache_where_no_folder_can_be(self):
        """It was "nothing yet"."""
        for action in ('show', 'verify', 'clear'):
            self.assertEqual(tool('cache', action, WEFT_CACHE_DIR='/etc/passwd'), (1, '', 'weft: /etc/passwd: Not a directory\n'))
            self.assertEqual(tool('cache', action, WEFT_CACHE_DIR='/nowhere'), (0, '/nowhere: nothing yet\n', ''))

    def test_settings_say_where_a_value_is_from(self):
        """A value that was ignored was said to be the one in use."""
        status, lines, said = tool('settings', WEFT_THREADS='abc', WEFT_CHUNK='7')
        self.assertEqual((status, said), (1, 'weft: WEFT_THREADS=abc is ignored: not a valid value\n'))
        self.assertIn('\nWEFT_THREADS = 0\n', lines)
        self.assertIn('\nWEFT_CHUNK = 7   [from the environment]\n', lines)

    def test_selftest_of_nothing(self):
        status, lines, said = tool('selftest', 'no-such-check')
        self.assertEqual((status, lines.split('\n')[-2]), (1, '1 good, 0 bad'))
        self.assertEqual(said, "weft selftest: no check's name contains 'no-such-check'\n")


if __name__ == '__main__':
    tap.main()
