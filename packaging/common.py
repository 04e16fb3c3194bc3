# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the steps of ./release share."""
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import time

# Higher ones take minutes for two percent; WEFT_XZ=0 is for trying things.
XZ_LEVEL = os.environ.get('WEFT_XZ', '3')

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failure(Exception):
    """A sentence for whoever runs ./release."""


def run(command, **more):
    """Runs a command, returns what it prints; a failure says what it printed last."""
    more.setdefault('stderr', subprocess.STDOUT)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **more)
    if done.returncode:
        raise Failure(f'{" ".join(command)[:200]}: status {done.returncode}\n{(done.stdout or "")[-3000:]}')
    return done.stdout


def say(text):
    print(f'{time.strftime("%H:%M:%S")} {text}', flush=True)


def version():
    """The project's version, from meson.build alone."""
    with open(os.path.join(ROOT, 'meson.build')) as file:
        return re.search(r"version: '([^']+)'", file.read()).group(1)


def is_clone():
    """A git clone or work tree, not an unpacked archive."""
    return os.path.exists(os.path.join(ROOT, '.git'))


def epoch():
    """SOURCE_DATE_EPOCH: set, or the time of the commit."""
    if os.environ.get('SOURCE_DATE_EPOCH'):
        return int(os.environ['SOURCE_DATE_EPOCH'])
    try:
        return int(run(['git', '-C', ROOT, 'log', '-1', '--format=%ct']))
    except (Failure, OSError):
        raise Failure('not a git clone, and SOURCE_DATE_EPOCH is not set')


def sha(path, kind='sha256'):
    with open(path, 'rb') as file:
        return hashlib.new(kind, file.read()).hexdigest()


def files_of(folder):
    """All files below a folder, relative to it, sorted."""
    found = []
    for at, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.relpath(os.path.join(at, name), folder) for name in names]
    return sorted(found)


def make_tar(path, folder, top, when):
    """An .tar.xz of a folder, named `top` inside: order, owners, times and modes do not depend on who makes it.
    xz's blocks have a size of their own: without it that depends on how many threads there are."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode='w', format=tarfile.GNU_FORMAT) as tar:
        folders = set()
        for name in files_of(folder):
            parts = os.path.dirname(name).split('/') if os.path.dirname(name) else []
            for depth in range(len(parts) + 1):
                above = '/'.join([top, *parts[:depth]])
                if above not in folders:
                    folders.add(above)
                    entry = tarfile.TarInfo(above)
                    entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, when
                    tar.addfile(entry)
            source = os.path.join(folder, name)
            entry = tarfile.TarInfo(f'{top}/{name}')
            entry.mtime = when
            if os.path.islink(source):
                entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(source)
                tar.addfile(entry)
                continue
            entry.size = os.path.getsize(source)
            entry.mode = 0o755 if os.access(source, os.X_OK) else 0o644
            with open(source, 'rb') as file:
                tar.addfile(entry, file)
    with open(path, 'wb') as file:
        subprocess.run(['xz', '-' + XZ_LEVEL, '-T2', '--block-size=16MiB', '-c'], input=raw.getvalue(), stdout=file, check=True)


def main(step):
    """Runs a step as a program."""
    try:
        step()
    except Failure as failure:
        sys.exit(f'{os.path.basename(sys.argv[0])}: {failure}')
