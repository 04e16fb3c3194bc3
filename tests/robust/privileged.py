# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with more rights than their user, and root in another user's environment, obey nothing of it.

A file system of the test's own, in a mount namespace of its own, has copies of `ordinary`: as it is, set-
user-ID root, with a capability. User 65534 owns a folder there with all that an environment can name: a
compiler, plug-ins, caches, files to write to. On e8e9dd5 hwloc's plug-ins were loaded for more rights.
"""
import ctypes
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

BUILD = pathlib.Path(os.environ.get('WEFT_BUILD_ROOT', 'build')).resolve()
PROGRAM = pathlib.Path(os.environ.get('WEFT_TEST_ORDINARY', '/nonexistent'))
PLUGIN = pathlib.Path(os.environ.get('WEFT_TEST_HWLOC', '/nonexistent'))
NOBODY = 65534
SUM = 3 * 999 * 1000 // 2
# linux/capability.h: revision 2, effective; CAP_NET_BIND_SERVICE is 10.
CAPABILITY = struct.pack('<IIIII', 0x02000001, 1 << 10, 0, 0, 0)


def own_mounts():
    """What is mounted from here on is this process' own; an error's text where that cannot be had."""
    if os.geteuid() != 0:
        return 'only root can make programs of more rights than their user'
    libc = ctypes.CDLL(None, use_errno=True)
    clone_newns, private, recursive = 0x00020000, 1 << 18, 1 << 14
    if libc.unshare(clone_newns) != 0 or libc.mount(b'none', b'/', None, private | recursive, None):
        return f'no mount namespace: {os.strerror(ctypes.get_errno())}'
    return None


class World:
    """The files; `target` is root's, for what writes where it is told."""

    def __init__(self, root):
        self.root = root
        self.evil = root / 'evil'
        self.target = root / 'target'
        os.chmod(root, 0o755)
        for part in ('icd/libweft.so', 'compiler/weft-compiler'):
            (root / part).parent.mkdir()
            shutil.copy(BUILD / part, root / part)
            os.chmod(root / part, 0o755)
        self.target.write_text('kept\n')
        os.chmod(self.target, 0o666)
        self.evil.mkdir()
        for name in ('home', 'cache', 'tmp', 'plugins', 'folder'):
            (self.evil / name).mkdir()
        for name in ('plugins/hwloc_asks.so', 'plugin.so'):
            shutil.copy(PLUGIN, self.evil / name)
        compiler = self.evil / 'compiler'
        compiler.write_text(f'#!/bin/sh\necho was run >>{self.evil}/marker\n')
        (self.evil / 'machine.xml').write_text('<topology/>')
        for path in (self.evil, *self.evil.rglob('*')):
            os.chmod(path, 0o755)
            os.chown(path, NOBODY, NOBODY)

    def program(self, name):
        """A copy of the program, of the kind that it is called."""
        path = self.root / name
        shutil.copy(PROGRAM, path)
        os.chmod(path, 0o4755 if name == 'set-user-id' else 0o755)
        if name == 'capable':
            os.setxattr(path, 'security.capability', CAPABILITY)
        return path

    def state(self):
        """All that a program could have left behind."""
        files = {path: (path.stat().st_mtime_ns, path.stat().st_size)
                 for path in (self.target, self.evil, *self.evil.rglob('*'))}
        return files, set(pathlib.Path('/tmp').glob('perf-*.map'))

    def places(self):
        """What sudo -E passes on."""
        evil = self.evil
        return {'HOME': evil / 'home', 'XDG_CACHE_HOME': evil / 'cache', 'TMPDIR': evil / 'tmp',
                'HWLOC_PLUGINS_PATH': evil / 'plugins', 'HWLOC_XMLFILE': evil / 'machine.xml',
                'PATH': '/usr/bin:/bin'}

    def settings(self):
        evil = self.evil
        return {'WEFT_COMPILER': evil / 'compiler', 'WEFT_BUILTIN_KERNELS': evil / 'plugin.so',
                'WEFT_TRACE': self.target, 'WEFT_PERF': 'map', 'WEFT_DEBUG': 'all', 'WEFT_DEVICES': '3',
                'WEFT_CACHE_DIR': evil / 'folder', 'WEFT_DEBUGGER': '1', 'WEFT_FAIL_AT': '1'}


def run(world, program, environment, user):
    return subprocess.run([program, world.root / 'icd' / 'libweft.so'], user=user, group=user,
                          extra_groups=[], cwd='/', stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, env={key: str(value) for key, value in environment.items()})


class Privileged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = own_mounts()
        if reason:
            raise unittest.SkipTest(reason)
        cls.folder = tempfile.mkdtemp(prefix='weft-privileged-')
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b'weft', cls.folder.encode(), b'tmpfs', 0, None):
            os.rmdir(cls.folder)
            raise unittest.SkipTest(f'no file system: {os.strerror(ctypes.get_errno())}')
        cls.world = World(pathlib.Path(cls.folder))

    @classmethod
    def tearDownClass(cls):
        ctypes.CDLL(None).umount2(cls.folder.encode(), 2)
        os.rmdir(cls.folder)

    def obeys_nothing(self, program, environment, user, rights):
        before = self.world.state()
        done = run(self.world, program, environment, user)
        lines = done.stdout.splitlines()
        if lines and lines[0] == 'plain' and rights == 'secure':
            self.skipTest('the kernel grants no rights to programs here')
        self.assertEqual(lines, [rights, 'devices 1', 'built-in kernels own', f'sum {SUM}'], done.stderr)
        self.assertEqual(done.stderr, '')
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.world.state(), before)

    def test_one_without_rights_obeys(self):
        """So that the others can fail: the same environment, and who it belongs to."""
        environment = self.world.places() | self.world.settings()
        del environment['WEFT_FAIL_AT'], environment['HWLOC_XMLFILE']
        done = run(self.world, self.world.program('plain'), environment, NOBODY)
        self.assertIn('devices 3', done.stdout)
        self.assertIn('loaded', done.stdout) # a plug-in
        self.assertNotEqual(done.stderr, '')
        self.assertTrue((self.world.evil / 'marker').exists()) # the compiler
        self.assertNotEqual(done.returncode, 0)

    def test_set_user_id(self):
        self.obeys_nothing(self.world.program('set-user-id'),
                           self.world.places() | self.world.settings(), NOBODY, 'secure')

    def test_capability(self):
        self.obeys_nothing(self.world.program('capable'),
                           self.world.places() | self.world.settings(), NOBODY, 'secure')

    def test_root_in_places_of_another_user(self):
        """sudo -E: no more rights than its user, whose environment is not its own."""
        self.obeys_nothing(self.world.program('plain'), self.world.places(), 0, 'plain')

    def test_root_in_places_by_way_of_links(self):
        """A link of one's own that leads into another user's folder, and the other way round."""
        link = self.world.root / 'link'
        link.symlink_to(self.world.evil / 'plugins')
        inside = self.world.evil / 'link'
        inside.symlink_to('/usr')
        os.lchown(inside, NOBODY, NOBODY)
        program = self.world.program('plain')
        for places in (link, f'/usr:{link}', self.world.evil / 'plugins' / '..' / 'plugins', inside):
            environment = self.world.places() | {'HWLOC_PLUGINS_PATH': places}
            del environment['HWLOC_XMLFILE']
            self.obeys_nothing(program, environment, 0, 'plain')

    def test_places_of_ones_own_are_obeyed(self):
        """Root's own plug-ins, from a folder that only root can write to."""
        own = self.world.root / 'own'
        own.mkdir()
        shutil.copy(PLUGIN, own / 'hwloc_asks.so')
        done = run(self.world, self.world.program('plain'),
                   {'HOME': self.world.root, 'HWLOC_PLUGINS_PATH': own}, 0)
        self.assertEqual(done.returncode, 0, done.stdout)
        if 'loaded' not in done.stdout:
            self.skipTest('hwloc loads no plug-ins here')


if __name__ == '__main__':
    tap.main()
