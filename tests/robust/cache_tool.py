# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft cache: shows, verifies and clears what selftest has left on disk."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

BUILD = os.environ.get('WEFT_BUILD_ROOT', 'build')
TOOL = os.path.join(BUILD, 'runtime', 'tool', 'weft')


class Cache(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([TOOL, *arguments], env=self.env, capture_output=True, text=True,
                              timeout=100, check=False)

    def test_life(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = pathlib.Path(folder) / 'weft'
            self.env = dict(os.environ, WEFT_CACHE='1', WEFT_CACHE_DIR=str(cache))
            none = self.run_tool('cache')
            self.assertEqual((none.returncode, 'nothing yet' in none.stdout), (0, True), none)
            self.assertEqual(self.run_tool('selftest').returncode, 0)
            results = sorted(cache.glob('r-*'))
            self.assertTrue(results)

            shown = self.run_tool('cache', '--verbose')
            self.assertIn(f'Results    {len(results)}\n', shown.stdout)
            self.assertIn(results[0].name, shown.stdout)
            good = self.run_tool('cache', 'verify')
            self.assertEqual(good.returncode, 0)
            self.assertIn(f'{len(results)} results, 0 damaged', good.stdout)

            broken = bytearray(results[0].read_bytes())
            broken[len(broken) // 2] ^= 1
            results[0].write_bytes(broken)
            (cache / 'not-ours').write_text('stays')
            bad = self.run_tool('cache', 'verify')
            self.assertEqual(bad.returncode, 1)
            self.assertIn(f'{results[0].name}: damaged, removed', bad.stdout)
            self.assertFalse(results[0].exists())
            self.assertEqual(self.run_tool('cache', 'verify').returncode, 0)

            self.assertEqual(self.run_tool('cache', 'clear').returncode, 0)
            self.assertEqual([path.name for path in cache.iterdir()], ['not-ours'])

    def test_clinfo_kernel(self):
        # clinfo builds a kernel to learn CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE of each device:
        # from the cache that takes 2 ms at most, and no compiler process.
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, WEFT_CACHE='1', WEFT_CACHE_DIR=folder, WEFT_DEBUG='build')
            logs = [subprocess.run(['clinfo'], env=environment, capture_output=True, text=True,
                                   timeout=100, check=True).stderr for _ in range(4)]
        self.assertIn('disk stored', logs[0])
        times = []
        for log in logs[1:]:
            self.assertIn('build: disk hit', log)
            self.assertNotIn('spawn', log)
            times.append(float(re.search(r'build: total ([0-9.]+) ms', log).group(1)))
        self.assertLessEqual(min(times), 2.0)

    def test_wrong_use(self):
        self.env = dict(os.environ)
        self.assertEqual(self.run_tool('cache', 'burn').returncode, 2)
        self.env = {'PATH': os.environ['PATH']}
        self.assertEqual(self.run_tool('cache').returncode, 1)


if __name__ == '__main__':
    tap.main()
