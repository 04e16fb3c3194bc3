# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compiler/layout/lay_out.py with a small program in place of the compiler process: the result does the same, has no
symbols left, and is the same to the byte whatever folder it was made in."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ['WEFT_SOURCE_ROOT']
sys.path.insert(0, os.path.join(ROOT, 'tests'))
import tap  # noqa: E402

BOLT = shutil.which('llvm-bolt-22')
MERGE = '/usr/lib/llvm-22/bin/merge-fdata'
SCRIPT = os.path.join(ROOT, 'compiler', 'layout', 'lay_out.py')
# Takes the arguments of `weft-compiler`, has branches that some of the input takes, and does other things in a folder of
# a longer path, as Clang does, which has it in its heap.
PROGRAM = r'''
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile int seen;
static int __attribute__((noinline)) mix(int c, int n) {
    if (c > 'm')
        return c ^ (n & 7);
    for (int i = 0; i < (c & 3); i++)
        n += i * c;
    return c + (n & 1);
}
int main(int argc, char **argv) {
    FILE *in = fopen(argv[argc - 1], "r"), *out = NULL;
    int c, n = 0;
    char where[4096];
    const int longer = getcwd(where, sizeof where) && (strlen(where) & 2);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-o") == 0)
            out = fopen(argv[i + 1], "w");
    if (!in || !out)
        return 1;
    while ((c = getc(in)) != EOF) {
        putc(mix(c, n++), out);
        if (longer)
            seen = seen * 3 + c;
        else
            seen = seen / 5 ^ c;
    }
    return fclose(out) != 0;
}
'''


class LayOut(unittest.TestCase):
    def lay_out(self, folder, linked):
        os.makedirs(folder)
        shutil.copy(linked, os.path.join(folder, 'linked'))
        training = sorted(glob.glob(os.path.join(ROOT, 'compiler', 'layout', '*.cl')))
        done = subprocess.run([sys.executable, SCRIPT, '--bolt', BOLT, '--merge', MERGE, '--work', 'private', '-o', 'result',
                               'linked', 'linked', *training], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(folder, 'result'), 'rb') as file:
            return file.read()

    def test_same_bytes_in_any_folder(self):
        if not BOLT or not os.path.exists(MERGE):
            self.skipTest('bolt-22 is not installed')
        with tempfile.TemporaryDirectory() as room:
            source, linked = os.path.join(room, 'program.c'), os.path.join(room, 'program')
            with open(source, 'w') as file:
                file.write(PROGRAM)
            subprocess.run(['cc', '-O2', '-no-pie', '-Wl,--emit-relocs', '-o', linked, source], check=True)
            one = self.lay_out(os.path.join(room, 'one'), linked)
            another = self.lay_out(os.path.join(room, 'another', 'deeper', 'folder'), linked)
            self.assertTrue(one == another, 'the results differ')
            self.assertNotIn(room.encode(), one)
            sections = subprocess.run(['readelf', '-SW', os.path.join(room, 'one', 'result')], check=True,
                                      capture_output=True, text=True).stdout
            self.assertNotIn('.symtab', sections)


if __name__ == '__main__':
    tap.main()
