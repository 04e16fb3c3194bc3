# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short run of the API fuzzer for ./check, always the same sequences: run.py PROGRAM

One thread, then four; then every entry point of the one list must have been called, and must have
succeeded at least once unless there is a reason why it cannot.
"""
import os
import pathlib
import re
import subprocess
import sys

# Device queues' defaults and links need two objects to fit together, which takes more calls.
NEVER = re.compile(r'^(clSVMFree|clSetCommandQueueProperty)$')
ENTRY = re.compile(r'^WEFT_ENTRY(_TAG|_ABSENT|_ABSENT_31)?\((\w+)', re.M)
ROW = re.compile(r'^(\w+) +(\d+) succeeded +(\d+) refused$', re.M)


def listed():
    """Names in icd/entrypoints.def, with True for those that Weft has."""
    root = pathlib.Path(os.environ['WEFT_SOURCE_ROOT'])
    text = (root / 'icd' / 'entrypoints.def').read_text(encoding='utf-8')
    text = '\n'.join(line for line in text.splitlines() if not line.startswith('//'))
    return {name: 'ABSENT' not in kind for kind, name in ENTRY.findall(text)}


def main():
    runs = (('one thread', ['--sequences', '400', '--table']),
            ('four threads', ['--sequences', '60', '--threads', '4']))
    failed = 0
    table = ''
    for number, (what, options) in enumerate(runs, 1):
        done = subprocess.run([sys.argv[1], '--seed', '1', *options], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace', check=False)
        lines = done.stdout.splitlines()
        for line in lines[-1:] if done.returncode == 0 else lines[-60:]:
            print('#', line)
        table = table or done.stdout
        failed += done.returncode != 0
        print(f'{"not " if done.returncode else ""}ok {number} - {what}')
    rows = {name: (int(good), int(bad)) for name, good, bad in ROW.findall(table)}
    bad = [name for name, there in listed().items()
           if name not in rows or (not there and rows[name][0]) or
           (there and not NEVER.match(name) and not rows[name][0])]
    print('# without a row, or that never succeeded:', ' '.join(bad) or 'none')
    print(f'{"not " if bad or not listed() else ""}ok 3 - every entry point has a row')
    print('1..3')
    return 1 if failed or bad else 0


if __name__ == '__main__':
    sys.exit(main())
