#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lays the compiler process out by a profile of itself, with LLVM's BOLT.

    lay_out.py --bolt llvm-bolt --merge merge-fdata --work FOLDER -o RESULT TRAINED LINKED TRAINING.cl...

LINKED is the compiler with its relocations (-Wl,--emit-relocs), TRAINED is it too, or a link of the
same objects that BOLT can instrument. An instrumented copy of TRAINED compiles the training sources;
then BOLT writes RESULT, in which the blocks that ran lie side by side and all others out of the way.
Not an instruction of LLVM's or ours computes anything else (Panchenko and others, "BOLT: A Practical
Binary Optimizer for Data Centers and Beyond", CGO 2019): both must make the same of the training
sources, to the byte.

Functions with jump tables stay as they were linked. BOLT 22.1 moves tables with some entries that
lie a few bytes beside the block they mean (tests/fuzz/corpus/source/jump_table.txt).

The profile stays in FOLDER and is used again while the training sources, this script and BOLT are the
same: nearly all of what it knows is LLVM's code, so a change of ours costs seconds, not minutes.
"""
import argparse
import glob
import hashlib
import os
import subprocess
import sys

LEVELS = ['x86-64-v2', 'x86-64-v3', 'x86-64-v4']  # code for all of them is made on any machine


def run(command, log, **more):
    """Runs a command whose output is of interest only if it fails."""
    with open(log, 'w') as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, **more)
    if done.returncode:
        with open(log) as file:
            sys.stderr.write(''.join(file.readlines()[-20:]))
        sys.exit(f'lay_out.py: {os.path.basename(command[0])} failed; all of it: {log}')


def key_of(options):
    """What a profile depends on but for the code itself."""
    key = hashlib.sha256(subprocess.run([options.bolt, '--version'], check=True,
                                        stdout=subprocess.PIPE).stdout)
    for path in [__file__, *options.training]:
        with open(path, 'rb') as file:
            key.update(file.read())
    return key.hexdigest()


def build_options(path):
    """What a training source asks for in its head."""
    with open(path) as file:
        return [word for line in file if 'Options:' in line for word in line.split('Options:')[1].split()]


def images(options, compiler):
    """What a compiler makes of the training sources. On one processor it does all in its first
    process, and only a process that returns from main writes a profile."""
    image = os.path.join(options.work, 'image')
    for source in options.training:
        for level in LEVELS:
            run([compiler, '--isa', level, '-o', image, *build_options(source), source],
                os.path.join(options.work, 'training.log'),
                preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
            with open(image, 'rb') as file:
                yield f'{os.path.basename(source)} for {level}', file.read()


def train(options, instrumented, counts):
    """One profile for each run."""
    for _ in images(options, instrumented):
        pass
    found = glob.glob(counts + '.*.fdata')
    if len(found) != len(options.training) * len(LEVELS):
        sys.exit(f'lay_out.py: {len(found)} profiles instead of one for each run in {options.work}')
    return found


def make_profile(options, profile):
    instrumented, counts = (os.path.join(options.work, name) for name in ('instrumented', 'counts'))
    for old in glob.glob(counts + '.*'):
        os.unlink(old)
    run([options.bolt, options.trained, '-instrument', '-instrumentation-file=' + counts,
         '-instrumentation-file-append-pid', '-o', instrumented],
        os.path.join(options.work, 'instrument.log'))
    found = train(options, instrumented, counts)
    merged = subprocess.run([options.merge, *found], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    if merged.returncode:
        sys.exit(f'lay_out.py: {options.merge}: {merged.stderr.decode()}')
    with open(profile, 'wb') as file:
        file.write(merged.stdout)
    for path in [*found, instrumented]: # 400 MB
        os.unlink(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--bolt', required=True)
    parser.add_argument('--merge', required=True)
    parser.add_argument('--work', required=True)
    parser.add_argument('-o', '--output', required=True)
    parser.add_argument('trained')
    parser.add_argument('linked')
    parser.add_argument('training', nargs='+')
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    os.makedirs(options.work, exist_ok=True)
    profile = os.path.join(options.work, key_of(options) + '.fdata')
    if not os.path.exists(profile):
        for old in glob.glob(os.path.join(options.work, '*.fdata')):
            os.unlink(old)
        make_profile(options, profile + '.new')
        os.rename(profile + '.new', profile)
    # Somebody may be running the old one, and what runs cannot be written to.
    result = options.output + '.new'
    run([options.bolt, options.linked, '-data=' + profile, '-o', result,
         '-reorder-blocks=ext-tsp', '-reorder-functions=cdsort', '-split-functions',
         '-split-all-cold', '-jump-tables=none'], os.path.join(options.work, 'optimise.log'))
    compilers = images(options, options.linked), images(options, result)
    for (name, before), (_, after) in zip(*compilers):
        if before != after:
            os.unlink(result)
            sys.exit(f'lay_out.py: the image of {name} is another one')
    os.rename(result, options.output)


if __name__ == '__main__':
    main()
