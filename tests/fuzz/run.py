# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short run of one fuzzer for ./check: the kept corpus, then some seconds of its own.

    run.py PROGRAM CORPUS/README NAME [SECONDS [MODULE...]]

Each run tries the same: what a commit's tests say is not to depend on chance. The long run, which
does, is tests/fuzz/long (docs/fuzzing.md). What libFuzzer finds new stays out of the source tree.
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    program, readme, name = sys.argv[1:4]
    seconds = sys.argv[4] if len(sys.argv) > 4 else '5'
    corpus = pathlib.Path(readme).parent / name
    kept = sorted(str(path) for path in corpus.iterdir()) if corpus.is_dir() else []
    environment = dict(os.environ, ASAN_OPTIONS='detect_leaks=1:allocator_may_return_null=1')
    failed, number = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        runs = []
        if name == 'source':
            if kept:
                runs.append(('corpus', [program, f'-folder={scratch}', *kept]))
            runs.append(('random', [program, '-seed=1', f'-seconds={seconds}',
                                    f'-folder={scratch}']))
        elif name == 'spirv':  # builds what it is given before it changes that
            runs.append(('random', [program, '-seed=1', f'-seconds={seconds}', *sys.argv[5:],
                                    *kept]))
        else:
            if kept:
                runs.append(('corpus', [program, *kept]))
            runs.append(('random', [program, '-seed=1', f'-max_total_time={seconds}',
                                    '-max_len=20000', f'-artifact_prefix={scratch}/', scratch, str(corpus)]))
        for what, command in runs:
            number += 1
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors='replace', check=False)
            lines = done.stdout.splitlines()
            for line in lines[-3:] if done.returncode == 0 else lines[-50:]:
                print('#', line)
            failed += done.returncode != 0
            print(f'{"not " if done.returncode else ""}ok {number} - {name} {what}')
    print(f'1..{number}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
