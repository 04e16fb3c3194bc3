#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""John the Ripper: the self-test of each of its OpenCL formats, and seconds (they contain the build).

Debian's package has no OpenCL formats, so WEFT_APPS_JOHN names the folder with a `john` that has (`run` of its
sources). WEFT_APPS_JOHN_FORMATS: how many, drawn by a seed (40).
"""
import os
import random
import re
import shutil

import ladder

SEED = 17
COUNT = int(os.environ.get('WEFT_APPS_JOHN_FORMATS', '40'))


def program(app):
    """A john that has OpenCL formats, and their names."""
    try:
        john = app.folder('a john with OpenCL formats') / 'john'
        reason = f'{john} lists no OpenCL formats'
    except ladder.Skipped as other:
        app.apt('john')
        john, reason = shutil.which('john') or '/usr/sbin/john', f"{other}, and Debian's john has no OpenCL formats"
    ended = app.command(john, '--list=formats', '--format=opencl')
    names = re.findall(r'[\w.+-]+-opencl', ended.output)
    if not ended.good or not names:
        raise ladder.Skipped(reason)
    return john, sorted(set(names))


def run(app):
    john, names = program(app)
    for name in random.Random(SEED).sample(names, min(COUNT, len(names))):
        if f'self-test/{name}' in app.have:
            continue
        ended = app.command(john, '--test=0', f'--format={name}', seconds=900, folder=os.path.dirname(john))
        good = ended.good and re.search(r'\bPASS\b', ended.output) and 'FAILED' not in ended.output
        complaint = re.search(r'^.*(?:FAILED|rror).*$', ended.output, re.M)
        app.result(f'self-test/{name}', ended.seconds, 's', good,
                   '' if good else f'{ended.how()}: {complaint[0] if complaint else ended.why()}')


if __name__ == '__main__':
    ladder.main(run)
