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

All of it gives the same bytes whatever folder it runs in: each program runs in FOLDER, is told relative
paths, has the same few variables and the same addresses (LLVM counts differently where its hash
tables hold pointers; so does Clang in a folder whose path is longer, as it lies in the heap: training is
in one of a path of always the same length), and BOLT's own note has these relative paths. RESULT has no
symbols left: strip cannot read what BOLT writes.

The profile stays in FOLDER and is used again while the training sources, this script and BOLT are the
same: nearly all of what it knows is LLVM's code, so a change of ours costs seconds, not minutes.
"""
import argparse
import ctypes
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

LEVELS = ['x86-64-v2', 'x86-64-v3', 'x86-64-v4']  # code for all of them is made on any machine


ADDR_NO_RANDOMIZE = 0x40000  # sys/personality.h


def same_everywhere():
    """In a child: one processor, so that it does all in its first process, and only a process that returns
    from main writes a profile; the same addresses each time, where the system lets us."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)


def run(options, command, log, **more):
    """Runs a command in the work folder; its output is of interest only if it fails."""
    with open(log, 'w') as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, cwd=options.work,
                              env={'PATH': '/usr/bin:/bin', 'LC_ALL': 'C'}, **more)
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
    """What a compiler makes of the training sources (copies, whose paths are the same everywhere)."""
    image = os.path.join(options.work, 'image')
    for source in options.training:
        name = os.path.basename(source)
        shutil.copy(source, os.path.join(options.work, name))
        for level in LEVELS:
            run(options, [near(options, compiler), '--isa', level, '-o', 'image', *build_options(source), name],
                os.path.join(options.work, 'training.log'), preexec_fn=same_everywhere)
            with open(image, 'rb') as file:
                yield f'{name} for {level}', file.read()


def near(options, path):
    """A path as it is from the work folder; that of a program has a slash."""
    return os.path.join('.', os.path.relpath(os.path.abspath(path), options.work))


def train(options, instrumented, counts):
    """One profile for each run."""
    for _ in images(options, instrumented):
        pass
    found = glob.glob(counts + '.*.fdata')
    if len(found) != len(options.training) * len(LEVELS):
        sys.exit(f'lay_out.py: {len(found)} profiles instead of one for each run in {options.work}')
    return found


def make_profile(options, profile):
    # Not where the variable TMPDIR says: the path is to be as long as everywhere.
    with tempfile.TemporaryDirectory(prefix='weft-layout-', dir='/tmp') as folder:  # 400 MB
        make_profile_in(argparse.Namespace(**{**vars(options), 'work': os.path.realpath(folder)}), profile)


def make_profile_in(options, profile):
    instrumented, counts = (os.path.join(options.work, name) for name in ('instrumented', 'counts'))
    run(options, [options.bolt, near(options, options.trained), '-instrument', '-instrumentation-file=counts',
                  '-instrumentation-file-append-pid', '-o', 'instrumented'],
        os.path.join(options.work, 'instrument.log'))
    found = train(options, instrumented, counts)
    merged = subprocess.run([options.merge, *found], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    if merged.returncode:
        sys.exit(f'lay_out.py: {options.merge}: {merged.stderr.decode()}')
    # A set of lines, in an order that depends on process numbers; only what does not begin with a
    # digit (the kind of profile) has a place of its own. Clang knows folders by device and inode, which
    # are others in each build, and so are the counts in the hash tables that hold them.
    lines = sorted((line for line in merged.stdout.splitlines(keepends=True) if b'UniqueID' not in line),
                   key=lambda line: (line[:1].isdigit(), line))
    with open(profile, 'wb') as file:
        file.writelines(lines)


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
    result = os.path.abspath(options.output) + '.new'
    run(options, [options.bolt, near(options, options.linked), '-data=' + os.path.basename(profile),
                  '-o', near(options, result), '-reorder-blocks=ext-tsp', '-reorder-functions=cdsort',
                  '-split-functions', '-split-all-cold', '-jump-tables=move', '-remove-symtab'],
        os.path.join(options.work, 'optimise.log'))
    compilers = images(options, options.linked), images(options, result)
    for (name, before), (_, after) in zip(*compilers):
        if before != after:
            os.unlink(result)
            sys.exit(f'lay_out.py: the image of {name} is another one')
    os.rename(result, options.output)


if __name__ == '__main__':
    main()
