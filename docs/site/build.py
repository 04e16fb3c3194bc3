#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the site of the pages in docs/ by Sphinx. Any warning, a link that leads nowhere among them, is an error.

    docs/site/build.py FOLDER             then open FOLDER/index.html; no server, no network

Everything is read anew, for Sphinx warns of a page only when it reads it. A site that was in the folder goes. Exit status 77: Sphinx,
MyST or the theme Furo is missing.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NEEDS = 'python3-sphinx python3-myst-parser furo'


def find_python():
    """The first interpreter that has all three: Debian's packages are for its own, which may not be the one that runs this."""
    for python in (sys.executable, '/usr/bin/python3'):
        test = subprocess.run([python, '-c', 'import sphinx, myst_parser, furo'], stderr=subprocess.DEVNULL, check=False)
        if test.returncode == 0:
            return python
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--source', type=pathlib.Path, default=HERE.parents[1], help="another copy of the project's pages")
    parser.add_argument('folder', type=pathlib.Path)
    arguments = parser.parse_args()
    python = find_python()
    if not python:
        print(f'The site needs Sphinx, MyST and Furo (Debian: {NEEDS}).', file=sys.stderr)
        return 77
    if (arguments.folder / '.buildinfo').exists():  # it is a site
        shutil.rmtree(arguments.folder)
    with tempfile.TemporaryDirectory(prefix='weft-site-') as doctrees:
        run = subprocess.run([python, '-m', 'sphinx', '-q', '-W', '--keep-going', '-b', 'html', '-c', HERE, '-d', doctrees,
                              arguments.source, arguments.folder], check=False)
    return 1 if run.returncode else 0


if __name__ == '__main__':
    sys.exit(main())
