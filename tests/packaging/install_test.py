#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packaging/tarball/install.sh with small files instead of a tarball's, in temporary folders, by each shell.

The system's own places, and a disk that is full in earnest, are in tests/packaging/tarball.sh.
"""
import itertools
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get('WEFT_SOURCE_ROOT', pathlib.Path(__file__).resolve().parents[2]))
sys.path[:0] = [str(ROOT / 'tests')]
import tap  # noqa: E402

FILES = ('bin/weft', 'lib/weft/libweft.so', 'lib/weft/weft-compiler', 'include/CL/cl_ext_weft.h', 'share/man/man1/weft.1',
         'share/doc/weft/licences/LLVM.txt')
ICD = 'etc/OpenCL/vendors/weft-local.icd'
LIST = 'share/weft/installed-files'


class Installer(unittest.TestCase):
    shell = 'sh'

    def setUp(self):
        room = tempfile.TemporaryDirectory(prefix="weft's room ")
        self.addCleanup(room.cleanup)
        self.room = pathlib.Path(room.name)
        self.prefix = self.room / 'prefix'
        self.old, self.new = self.tarball('old'), self.tarball('new')
        (self.old / 'share/man/man1/gone.1').write_text('in the old version alone')
        (self.new / 'share/weft-new-folder').mkdir()
        (self.new / 'share/weft-new-folder/added').write_text('in the new version alone')

    def tarball(self, version):
        folder = self.room / f'weft-{version}-linux-x86_64'
        for name in FILES:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'{name} of {version}\n')
            path.chmod(0o755 if name.startswith(('bin', 'lib')) else 0o644)
        shutil.copy(ROOT / 'packaging/tarball/install.sh', folder)
        return folder

    def command(self, *words, user=None, **variables):
        environment = {'PATH': os.environ['PATH'], 'HOME': str(self.room / 'home'), **variables}
        return subprocess.run([self.shell, *map(str, words)], cwd=self.room, user=user, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={k: v for k, v in environment.items() if v is not None}, text=True, timeout=60)

    def run_it(self, *words, of=None, status=0, **variables):
        """Runs install.sh; returns what it said, errors if it is to fail."""
        done = self.command((of or self.new) / 'install.sh', *words, **variables)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        if status:
            self.assertTrue(done.stderr)
            return done.stderr
        return done.stdout + done.stderr

    def install(self, *more, **how):
        return self.run_it('--prefix', self.prefix, *more, **how)

    def uninstall(self, *more, **how):
        return self.run_it('--prefix', self.prefix, '--uninstall', *more, **how)

    def tree(self, folder=None):
        """{path: bytes, or None of a folder} below a folder, the room but the tarballs by default."""
        folder = folder or self.room
        return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob('*')
                if not str(path.relative_to(self.room)).startswith(('weft-', 'tools'))}

    def version(self, folder=None):
        """Of which version are the files? Of one alone, nothing temporary beside them."""
        folder = folder or self.prefix
        names = [name for name in self.tree(folder) if name.endswith(('.weft-new', '.new'))]
        self.assertEqual(names, [])
        found = {(folder / name).read_text().split()[-1] for name in FILES}
        self.assertEqual(len(found), 1, found)
        return found.pop()

    def broken(self, tool, at, how='exit 1'):
        """A PATH in which the n-th call of a tool fails; cp has written a little by then."""
        folder = self.room / 'tools'
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = folder / tool
        path.write_text(f'#!/bin/sh\necho >>{shlex.quote(str(folder / "calls"))}\n'
                        f'if [ $(wc -l <{shlex.quote(str(folder / "calls"))}) -eq {at} ]; then\n'
                        f'    for last; do :; done; [ {tool} != cp ] || echo part >"$last"\n'
                        f'    echo "{tool}: No space left on device" >&2\n    {how}\nfi\n'
                        f'exec {shutil.which(tool)} "$@"\n')
        path.chmod(0o755)
        return f'{folder}:{os.environ["PATH"]}'

    # Installing and removing.

    def test_installs_and_removes_without_a_trace(self):
        before = self.tree()
        self.install(of=self.old)
        self.assertEqual(self.version(), 'old')
        self.assertEqual((self.prefix / ICD).read_text(), f'{self.prefix}/lib/weft/libweft.so\n')
        self.assertEqual({name: (self.prefix / name).stat().st_mode & 0o777 for name in (*FILES[:4], ICD)},
                         {**dict.fromkeys(FILES[:3], 0o755), FILES[3]: 0o644, ICD: 0o644})
        self.uninstall(of=self.old)
        self.assertEqual(self.tree(), before)
        self.assertIn('nothing was installed', self.uninstall(status=1))

    def test_updates(self):
        before = self.tree()
        for of in (self.old, self.old, self.new):
            self.install(of=of)
        self.assertEqual(self.version(), 'new')
        self.assertFalse((self.prefix / 'share/man/man1/gone.1').exists())
        self.uninstall()
        self.assertEqual(self.tree(), before)

    def test_update_keeps_the_old_file_for_whom_runs_it(self):
        self.install(of=self.old)
        with open(self.prefix / FILES[1]) as file:
            self.install()
            self.assertEqual(file.read().split()[-1], 'old')

    def test_other_vendors_folder_at_an_update(self):
        before = self.tree()
        self.install('--vendors', self.room / 'one', of=self.old)
        self.install('--vendors', self.room / 'two')
        self.assertEqual([(self.room / name / 'weft-local.icd').exists() for name in ('one', 'two')], [False, True])
        self.uninstall()
        self.assertEqual(self.tree(), before)

    # What belongs to others.

    def test_package_beside_it(self):
        """Refused, without a change; what a removed package leaves is no reason, and stays."""
        vendors = self.room / 'vendors'
        vendors.mkdir()
        library = self.room / 'package.so'
        library.write_text('')
        (vendors / 'weft.icd').write_text(f'{library}\n')
        before = self.tree()
        self.assertIn('apt-get remove weft-opencl-icd', self.install('--vendors', vendors, status=1))
        self.assertEqual(self.tree(), before)
        library.unlink()
        before = self.tree()
        self.install('--vendors', vendors)
        library.write_text('')
        self.assertIn(str(vendors / 'weft.icd'), self.install('--vendors', vendors, status=1))
        library.unlink()
        self.uninstall()
        self.assertEqual(self.tree(), before)

    def test_files_of_others_are_not_overwritten(self):
        for name in ('bin/weft', ICD, LIST):
            for make in (lambda path: path.write_text('mine'), lambda path: path.symlink_to('/nowhere')):
                with self.subTest(name):
                    path = self.prefix / name
                    path.parent.mkdir(parents=True)
                    make(path)
                    before = self.tree()
                    said = self.install(status=1)
                    self.assertIn(str(path), said)
                    self.assertEqual(self.tree(), before)
                    self.assertTrue(path.is_symlink() or path.read_text() == 'mine')
                    shutil.rmtree(self.prefix)

    def test_two_prefixes_do_not_share_an_icd_file(self):
        self.install('--vendors', self.room / 'vendors')
        self.assertIn('weft-local.icd is there', self.run_it('--prefix', self.room / 'b', '--vendors', self.room / 'vendors', status=1))
        self.assertFalse((self.room / 'b').exists())

    def test_changed_files_stay(self):
        self.install()
        mine = {self.prefix / 'bin/weft': 'mine', self.prefix / ICD: 'mine\n', self.prefix / 'lib/weft/weft.conf': 'WEFT_THREADS = 2\n'}
        for path, text in mine.items():
            path.write_text(text)
        link = self.prefix / 'include/CL/cl_ext_weft.h'
        link.rename(self.room / 'moved.h')
        link.symlink_to(self.room / 'moved.h')  # what it leads to has the right checksum
        self.assertIn('bin/weft is there', self.install(status=1))
        said = self.uninstall()
        for name in ('bin/weft', ICD, 'include/CL/cl_ext_weft.h'):
            self.assertIn(f'{self.prefix / name} has changed since it was installed: it stays', said)
        self.assertEqual({path: path.read_text() for path in self.prefix.rglob('*') if path.is_file()},
                         {**mine, link: 'include/CL/cl_ext_weft.h of new\n'})

    def test_folders_of_others_stay(self):
        """Also those that are empty, and those above."""
        mine = self.room / 'mine'
        for name in ('p/bin', 'p/share/man', 'p/etc/OpenCL/vendors', 'v/parent'):
            (mine / name).mkdir(parents=True)
        before = self.tree()
        self.run_it('--prefix', mine / 'p', '--vendors', mine / 'v/parent/folder')
        self.run_it('--prefix', mine / 'p', '--uninstall')
        self.assertEqual(self.tree(), before)
        (mine / 'v/parent/folder').mkdir()
        before = self.tree()
        self.run_it('--prefix', mine / 'p', '--vendors', mine / 'v/parent/folder', of=self.old)
        self.run_it('--prefix', mine / 'p', '--vendors', mine / 'v/parent/folder')  # an update knows as well
        self.run_it('--prefix', mine / 'p', '--uninstall')
        self.assertEqual(self.tree(), before)

    # Where it is called from.

    def test_cdpath(self):
        """It said "installed", and nothing was."""
        done = self.command('weft-new-linux-x86_64/install.sh', '--prefix', self.prefix, CDPATH=f'.:{self.room}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.version(), 'new')

    def test_called_by_a_symlink(self):
        (self.room / 'there').mkdir()
        (self.room / 'there/setup').symlink_to('../weft-new-linux-x86_64/install.sh')
        done = self.command('there/setup', '--prefix', self.prefix)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.version(), 'new')
        self.assertIn('--uninstall', self.command('there/setup', '--help').stdout)

    def test_not_in_its_folder(self):
        for missing in ('lib/weft/libweft.so', 'lib/weft/weft-compiler', 'bin/weft', 'share'):
            with self.subTest(missing):
                path = self.new / missing
                path.rename(self.room / 'weft-away')
                said = self.install(status=1)
                self.assertIn(str(self.new), said)
                self.assertFalse(self.prefix.exists())
                (self.room / 'weft-away').rename(path)

    def test_prefix_is_its_own_folder(self):
        before = self.tree(self.new)
        self.assertIn('is there', self.run_it('--prefix', self.new, status=1))
        self.assertEqual(self.tree(self.new), before)

    # Names of folders.

    def test_names_of_one_folder(self):
        (self.room / 'empty').mkdir()
        before = self.tree()
        for name in ('a/b/c/', 'a//b/./c', 'a/b/c/.', './a/././/b/c/./', 'a/b/c'):
            with self.subTest(name):
                self.run_it('--prefix', f'{self.room}/empty/{name}')
                folder = self.room / 'empty/a/b/c'
                self.assertEqual((folder / ICD).read_text(), f'{folder}/lib/weft/libweft.so\n')
                self.run_it('--prefix', folder)
                self.run_it('--prefix', f'{self.room}//empty/{name}//', '--uninstall')
                self.assertEqual(self.tree(), before)

    def test_wrong_usage(self):
        for words, said in ((['--prefix'], './install.sh'), (['--prefix', 'relative'], 'begins with /'), (['--prefix', ''], 'begins with /'),
                            (['--prefix', '/', '--uninstall'], 'another folder'), (['--prefix', '//.', '--uninstall'], 'another folder'),
                            (['--prefix', '/usr/', '--uninstall'], '/usr/local'), (['--prefix', f'{self.room}/a/../b'], 'without ..'),
                            (['--prefix', f'{self.room}/a/..'], 'without ..'), (['--prefix', f'{self.room}/a\nb'], 'one line'),
                            (['--vendors', 'relative'], 'begins with /'), (['--vendors'], './install.sh'),
                            (['--nonsense'], './install.sh'), (['word'], './install.sh')):
            with self.subTest(words):
                self.assertIn(said, self.run_it(*words, status=2))
        self.assertEqual(self.tree(), {})

    def test_help(self):
        said = self.run_it('--help')
        self.assertIn('--uninstall', said)
        self.assertIn('Exit status', said)
        self.assertNotIn('set -eu', said)

    def test_user(self):
        home = self.room / 'home'
        said = self.run_it('--user')
        self.assertEqual(self.version(home / '.local'), 'new')
        self.assertIn(f'{home}/.local/bin is not in PATH', said)
        self.run_it('--user', '--uninstall')
        self.assertEqual(self.tree(), {})
        for wrong in (None, '', 'relative', f'{home}/..'):
            with self.subTest(HOME=wrong):
                self.assertIn('HOME', self.run_it('--user', status=2, HOME=wrong))
                self.assertIn('HOME', self.run_it('--user', '--uninstall', status=2, HOME=wrong))
        self.assertEqual(self.tree(), {})

    def test_lines_to_copy(self):
        prefix = self.room / """it's "a" \\n $HOME `b` *"""
        lines = [line for line in self.run_it('--prefix', prefix).splitlines() if line.startswith('  export ')]
        lines.append('printf "%s\\n" "$OCL_ICD_VENDORS" "$OCL_ICD_FILENAMES"')
        done = self.command('-c', '\n'.join(lines))
        self.assertEqual(done.stdout, f'{prefix}/etc/OpenCL/vendors\n{prefix}/lib/weft/libweft.so\n', done.stderr)
        self.assertEqual((prefix / ICD).read_text(), f'{prefix}/lib/weft/libweft.so\n')
        self.run_it('--prefix', prefix, '--uninstall')
        self.assertEqual(self.tree(), {})

    def test_needs_no_temporary_folder(self):
        self.install(TMPDIR='/nope', of=self.old)
        self.install(TMPDIR='/nope')
        self.uninstall(TMPDIR='/nope')
        self.assertEqual(self.tree(), {})

    # Failures.

    def test_first_install_fails(self):
        for tool, at in (('cp', 1), ('cp', 4), ('sort', 2), ('sort', 1), ('chmod', 2), ('mkdir', 3), ('find', 1)):
            with self.subTest(tool, at=at):
                said = self.install(status=1, PATH=self.broken(tool, at))
                self.assertIn('No space left', said)
                self.assertEqual(self.tree(), {})
                self.assertIn('nothing was installed', self.uninstall(status=1))

    def test_update_fails(self):
        self.install(of=self.old)
        before = self.tree()
        for tool, at in (('cp', 1), ('cp', 4), ('sort', 3), ('chmod', 2), ('mkdir', 3), ('find', 1)):
            with self.subTest(tool, at=at):
                self.assertIn('No space left', self.install(status=1, PATH=self.broken(tool, at)))
                self.assertEqual(self.tree(), before)
        self.uninstall(status=1, PATH=self.broken('sort', 2))  # as much as knowing what there is
        self.assertEqual(self.tree(), before)
        self.uninstall(PATH=self.broken('cp', 1))
        self.assertEqual(self.tree(), {})

    def test_renaming_fails(self):
        """Old files and new ones: both ways out of it work."""
        for way in (self.install, self.uninstall):
            for at in (2, 4, 8):
                with self.subTest(way=way.__name__, at=at):
                    self.install(of=self.old)
                    said = self.install(status=1, PATH=self.broken('mv', at))
                    self.assertIn('run it again, or with --uninstall', said)
                    way()
                    if way == self.install:
                        self.assertEqual(self.version(), 'new')
                        self.uninstall()
                    self.assertEqual(self.tree(), {})

    def test_killed(self):
        """TERM takes back; what KILL leaves, temporary files too, can be removed, or is mended by the next run."""
        ways = itertools.cycle((self.install, self.uninstall, self.uninstall, self.install))
        for first, (tool, at), number in itertools.product((None, self.old), (('cp', 3), ('mv', 2), ('mv', 4)),
                                                           (signal.SIGTERM, signal.SIGKILL)):
            way = next(ways)
            with self.subTest(first=first, tool=tool, at=at, number=number, way=way.__name__):
                if first:
                    self.install(of=first)
                before = self.tree()
                done = self.command(self.new / 'install.sh', '--prefix', self.prefix,
                                    PATH=self.broken(tool, at, f'kill -{int(number)} $PPID; exit 0'))
                self.assertEqual(done.returncode, 1 if number == signal.SIGTERM else -number)
                if tool == 'cp' and number == signal.SIGTERM:
                    self.assertEqual(self.tree(), before)
                if way == self.install or not (self.prefix / LIST).exists():
                    self.install()
                    self.assertEqual(self.version(), 'new')
                self.uninstall()
                self.assertEqual(self.tree(), {})

    def test_no_permission(self):
        """As nobody where root runs the test, who may write anywhere."""
        who = {} if os.getuid() else {'user': 65534}
        self.room.chmod(0o755)
        self.install(of=self.old)
        before = self.tree()
        self.prefix.chmod(0o555)
        (self.prefix / LIST).parent.chmod(0o555)
        self.addCleanup(self.prefix.chmod, 0o755)
        self.addCleanup((self.prefix / LIST).parent.chmod, 0o755)
        for words in ([], ['--uninstall'], ['--vendors', self.prefix / 'v']):
            with self.subTest(words):
                done = self.command(self.new / 'install.sh', '--prefix', self.prefix, *words, **who)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn('cannot be written to', done.stderr)
        self.assertEqual(self.tree(), before)


class Dash(Installer):
    shell = 'dash'


class Bash(Installer):
    shell = 'bash'


def load_tests(loader, _tests, _pattern):
    """Each shell that is here: sh may be one of them."""
    here = [each for each in (Dash, Bash) if shutil.which(each.shell)] or [Installer]
    return unittest.TestSuite(loader.loadTestsFromTestCase(each) for each in here)


if __name__ == '__main__':
    tap.main()
