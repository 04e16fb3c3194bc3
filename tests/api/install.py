# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""meson install and uninstall: the rules of docs/icd.md about files. Uses no place but the build folder."""
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ['WEFT_SOURCE_ROOT'], 'tests'))
import tap  # noqa: E402

BUILD = os.environ['WEFT_BUILD_ROOT']
ROOM = os.path.join(BUILD, 'tests', 'api', 'install.tmp')
# What a real `meson install` wrote, for a real `ninja uninstall`: kept as it was.
LOG = os.path.join(BUILD, 'meson-logs', 'install-log.txt')


def find(folder, name):
    """The paths below `folder` whose last part is `name`."""
    return [os.path.join(at, name) for at, _, files in os.walk(folder) if name in files]


def run(program, *tests, **environment):
    """Runs an API test program without the settings of this test."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(('WEFT_', 'OCL_ICD_', 'LD_LIBRARY_PATH'))}
    clean.update(environment)
    done = subprocess.run([os.path.join(BUILD, 'tests', 'api', program), *tests], env=clean,
                          capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(ROOM, ignore_errors=True)
        cls.log = open(LOG).read() if os.path.exists(LOG) else None
        cls.other = os.path.join(ROOM, 'staged', 'etc', 'OpenCL', 'vendors', 'other.icd')
        os.makedirs(os.path.dirname(cls.other))
        with open(cls.other, 'w') as file:
            file.write('libother.so\n')
        done = subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--destdir',
                               os.path.join(ROOM, 'staged')], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(ROOM, ignore_errors=True)
        if cls.log is None:
            os.remove(LOG)
        else:
            with open(LOG, 'w') as file:
                file.write(cls.log)

    def test_1_files(self):
        library, = find(ROOM, 'libweft.so')
        icd, = find(ROOM, 'weft.icd')
        with open(icd) as file:
            lines = file.read().split('\n')
        # "a single line of text which specifies the Vendor ICD's library ... may be an absolute path
        # or just a file name"
        self.assertEqual(lines, [os.path.basename(library), ''])
        self.assertIn('weft', os.path.basename(library))
        # "Installs its own ICD loader library if and only if ...": never.
        self.assertEqual([], [name for _, _, files in os.walk(ROOM) for name in files
                              if name.startswith('libOpenCL')])

    def test_2_moved(self):
        moved = os.path.join(ROOM, 'moved')
        shutil.copytree(os.path.join(ROOM, 'staged'), moved, symlinks=True)
        hidden = os.path.join(ROOM, 'hidden')
        os.rename(os.path.join(ROOM, 'staged'), hidden)
        try:
            library, = find(moved, 'libweft.so')
            icd, = find(moved, 'weft.icd')
            status, text = run('api-platform', OCL_ICD_VENDORS=icd,
                               LD_LIBRARY_PATH=os.path.dirname(library))
            self.assertEqual(status, 0, text)
            if find(moved, 'weft-compiler'):
                status, text = run('api-kernel', 'arguments_arrive', OCL_ICD_VENDORS=icd,
                                   LD_LIBRARY_PATH=os.path.dirname(library))
                self.assertEqual(status, 0, text)
                self.assertNotIn('SKIP', text)
            self.check_conf(library, find(moved, 'weft')[0])
        finally:
            os.rename(hidden, os.path.join(ROOM, 'staged'))
            shutil.rmtree(moved)

    def check_conf(self, library, tool):
        """weft.conf beside the library is for all programs; the environment wins over it."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith('WEFT_')}
        conf = os.path.join(os.path.dirname(library), 'weft.conf')
        for setting, variables, version in [('3.0', {}, '3.0'), ('3.0', {'WEFT_OPENCL': '2.2'}, '2.2'),
                                            ('2.2', {}, '2.2')]:
            with open(conf, 'w') as file:
                file.write(f'# of this installation\nWEFT_OPENCL = {setting}\n')
            said = subprocess.run([tool, 'info'], env={**clean, **variables}, capture_output=True,
                                  text=True, timeout=100)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertIn(f'OpenCL {version} Weft', said.stdout)
            said = subprocess.run([tool, 'settings'], env={**clean, **variables}, capture_output=True,
                                  text=True, timeout=100)
            self.assertEqual(said.returncode, 0, said.stderr)
            place = '[from the environment]' if variables else f'[from {conf}:2]'
            self.assertIn(f'WEFT_OPENCL = {version}   {place}', said.stdout)
        os.remove(conf)

    def test_3_uninstall_leaves_others(self):
        done = subprocess.run(['ninja', '-C', BUILD, 'uninstall'], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(find(ROOM, 'weft.icd') + find(ROOM, 'libweft.so'), [])
        with open(self.other) as file:
            self.assertEqual(file.read(), 'libother.so\n')


if __name__ == '__main__':
    tap.main()
