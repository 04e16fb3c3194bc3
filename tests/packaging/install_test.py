#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packaging/tarball/install.sh with small files instead of a tarball's, in temporary folders, by each shell.

The system's own places, and a disk that is full in earnest, are in tests/packaging/tarball.sh.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get('WEFT_SOURCE_ROOT', pathlib.Path(__file__).resolve().parents[2]))
sys.path[:0] = [str(ROOT / 'tests')]
import tap  # noqa: E402

FILES = ('bin/weft', 'lib/weft/libweft.so', 'lib/weft/weft-compiler', 'include/CL/cl_ext_weft.h', 'share/man/man1/weft.1',
         'share/doc/weft/licences/LLVM.txt')
ICD = 'etc/OpenCL/vendors/weft.icd'


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

    # Installing and removing.

    def test_update_keeps_the_old_file_for_whom_runs_it(self):
        self.install(of=self.old)
        with open(self.prefix / FILES[1]) as file:
            self.install()
            self.assertEqual(file.read().split()[-1], 'old')

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
        for missing in ('lib/weft/libweft.so', 'lib/weft/weft-compiler', 'bin/weft'):
            with self.subTest(missing):
                path = self.new / missing
                path.rename(self.room / 'weft-away')
                said = self.install(status=1)
                self.assertIn(str(self.new), said)
                self.assertFalse(self.prefix.exists())
                (self.room / 'weft-away').rename(path)

    # Names of folders.

    def test_names_of_one_folder(self):
        (self.room / 'empty').mkdir()
        for name in ('a/b/c/', 'a//b/./c', 'a/b/c/.', './a/././/b/c/./', 'a/b/c'):
            with self.subTest(name):
                self.run_it('--prefix', f'{self.room}/empty/{name}')
                folder = self.room / 'empty/a/b/c'
                self.assertEqual((folder / ICD).read_text(), f'{folder}/lib/weft/libweft.so\n')
                self.run_it('--prefix', folder)
                self.run_it('--prefix', f'{self.room}//empty/{name}//', '--uninstall')
                self.assertEqual(self.tree(folder), {})

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
        before = self.tree()
        for wrong in (None, '', 'relative', f'{home}/..'):
            with self.subTest(HOME=wrong):
                self.assertIn('HOME', self.run_it('--user', status=2, HOME=wrong))
                self.assertIn('HOME', self.run_it('--user', '--uninstall', status=2, HOME=wrong))
        self.assertEqual(self.tree(), before)

    def test_lines_to_copy(self):
        prefix = self.room / """it's "a" \\n $HOME `b` *"""
        lines = [line for line in self.run_it('--prefix', prefix).splitlines() if line.startswith('  export ')]
        lines.append('printf "%s\\n" "$OCL_ICD_VENDORS" "$OCL_ICD_FILENAMES"')
        done = self.command('-c', '\n'.join(lines))
        self.assertEqual(done.stdout, f'{prefix}/etc/OpenCL/vendors\n{prefix}/lib/weft/libweft.so\n', done.stderr)
        self.assertEqual((prefix / ICD).read_text(), f'{prefix}/lib/weft/libweft.so\n')
        self.run_it('--prefix', prefix, '--uninstall')

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
