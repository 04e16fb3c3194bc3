# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clean roots: made once by debootstrap, each test has a layer of its own above one (overlayfs)."""
import os
import shutil
import subprocess
import tempfile
import time

MIRRORS = {'bullseye': 'http://deb.debian.org/debian', 'bookworm': 'http://deb.debian.org/debian',
           'trixie': 'http://deb.debian.org/debian', 'xenial': 'http://archive.ubuntu.com/ubuntu',
           'jammy': 'http://archive.ubuntu.com/ubuntu'}
NAMES = {'bullseye': 'Debian 11, glibc 2.31', 'bookworm': 'Debian 12, glibc 2.36', 'trixie': 'Debian 13, glibc 2.41',
         'xenial': 'Ubuntu 16.04, glibc 2.23', 'jammy': 'Ubuntu 22.04, glibc 2.35'}
HERE = os.path.dirname(os.path.abspath(__file__))


class Unavailable(Exception):
    """Why there can be no such root here."""


def base(folder, suite):
    """The root of a suite, made if it is not there. Unavailable: no root, no debootstrap, no mirror."""
    path = os.path.join(folder, suite)
    if os.path.exists(os.path.join(path, 'etc/os-release')) and not os.path.exists(path + '.part'):
        return path
    if os.getuid():
        raise Unavailable('making roots needs root')
    if not shutil.which('debootstrap'):
        raise Unavailable('debootstrap is not installed')
    os.makedirs(folder, exist_ok=True)
    shutil.rmtree(path, ignore_errors=True)
    with open(path + '.part', 'w') as log:
        done = subprocess.run(['debootstrap', '--variant=minbase', suite, path, MIRRORS[suite]],
                              stdout=log, stderr=subprocess.STDOUT)
    if done.returncode:
        with open(path + '.part') as log:
            last = log.read().strip().split('\n')[-1]
        raise Unavailable(f'debootstrap of {suite}: {last}')
    os.unlink(path + '.part')
    return path


class Root:
    """A clean root for one test: `with Root(...) as root: root.sh('script.sh')`."""

    def __init__(self, folder, suite, transcript=None):
        self.lower, self.suite = base(folder, suite), suite
        self.transcript = transcript
        self.mounts = []

    def __enter__(self):
        self.room = tempfile.mkdtemp(prefix='weft-root-')
        for name in ('upper', 'work', 'root'):
            os.mkdir(os.path.join(self.room, name))
        self.path = os.path.join(self.room, 'root')
        try:
            self.mount('-t', 'overlay', 'overlay', '-o',
                       f'lowerdir={self.lower},upperdir={self.room}/upper,workdir={self.room}/work', self.path)
            self.mount('-t', 'proc', 'proc', self.path + '/proc')
            # PoCL, which Debian's PyOpenCL may bring along, aborts the process where it cannot see processors.
            self.mount('-t', 'sysfs', '-o', 'ro', 'sysfs', self.path + '/sys')
        except Unavailable:
            self.__exit__()
            raise
        for source, target in (('/etc/resolv.conf', '/etc/resolv.conf'),
                               ('/etc/ssl/certs/ca-certificates.crt', '/opt/ca.crt')):
            if os.path.exists(source):
                shutil.copyfile(source, self.path + target)
        os.makedirs(self.path + '/opt/dist')
        os.makedirs(self.path + '/opt/tests')
        for name in os.listdir(HERE):
            if os.path.isfile(os.path.join(HERE, name)):
                shutil.copy(os.path.join(HERE, name), self.path + '/opt/tests')
        return self

    def mount(self, *arguments):
        done = subprocess.run(['mount', *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise Unavailable('mount: ' + done.stdout.strip())
        self.mounts.append(arguments[-1])

    def __exit__(self, *_):
        for path in reversed(self.mounts):
            subprocess.run(['umount', '-l', path])
        shutil.rmtree(self.room, ignore_errors=True)

    def copy(self, *paths, to='/opt/dist'):
        for path in paths:
            (shutil.copytree if os.path.isdir(path) else shutil.copy)(
                path, os.path.join(self.path + to, os.path.basename(path)))

    def sh(self, script, *arguments, timeout=1200, **variables):
        """Runs a script of this folder inside; returns (status, output). The output is its transcript."""
        environment = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root', 'LC_ALL': 'C',
                       'DEBIAN_FRONTEND': 'noninteractive', 'PIP_CERT': '/opt/ca.crt', 'PIP_DISABLE_PIP_VERSION_CHECK': '1',
                       'PIP_ROOT_USER_ACTION': 'ignore', **variables}
        started = time.monotonic()
        done = subprocess.run(['chroot', self.path, 'bash', '/opt/tests/' + script, *arguments], env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=timeout)
        if self.transcript:
            os.makedirs(self.transcript, exist_ok=True)
            name = '-'.join([script.removesuffix('.sh'), *arguments, self.suite]) + '.txt'
            with open(os.path.join(self.transcript, name), 'w') as file:
                file.write(f'{NAMES[self.suite]}; {time.monotonic() - started:.0f} s; status {done.returncode}\n\n{done.stdout}')
        return done.returncode, done.stdout
