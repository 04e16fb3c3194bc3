# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state of a long run in a file that several processes share: which batches are taken, and what came out.

Each line is a JSON object; a process that wants to read or write holds a lock on the file.
"""
import contextlib
import fcntl
import json
import os
import pathlib


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


class Campaign:
    def __init__(self, path, what):
        """`what` says which run this is: a file of another one is refused."""
        self.path = pathlib.Path(path)
        self.path.touch()
        with self.lines() as (lines, append):
            if not lines:
                append({'run': what})
            elif lines[0].get('run') != what:
                raise SystemExit(f'{path} is the state of {lines[0].get("run")}, not of {what}')

    @contextlib.contextmanager
    def lines(self):
        with open(self.path, 'r+', encoding='utf-8') as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # A line that a killed process left unfinished counts for nothing.
            lines = []
            for line in file.read().splitlines():
                with contextlib.suppress(ValueError):
                    lines.append(json.loads(line))

            def append(value):
                file.seek(0, os.SEEK_END)
                file.write(json.dumps(value) + '\n')
                file.flush()
            yield lines, append

    def take(self, count):
        """The number of a batch that nobody has done and no living process has taken; None if there is none."""
        with self.lines() as (lines, append):
            gone = {line['done'] for line in lines if 'done' in line}
            gone |= {line['take'] for line in lines if 'take' in line and line['pid'] != os.getpid() and
                     alive(line['pid'])}
            free = next((n for n in range(count) if n not in gone), None)
            if free is not None:
                append({'take': free, 'pid': os.getpid()})
            return free

    def done(self, batch, **more):
        with self.lines() as (_, append):
            append({'done': batch, **more})

    def summary(self):
        with self.lines() as (lines, _):
            # Of a batch that was done twice the first counts.
            done = {}
            for line in lines:
                if 'done' in line:
                    done.setdefault(line['done'], line)
            found = [f for line in done.values() for f in line['differences']]
            kernels, runs = (sum(line[key] for line in done.values()) for key in ('kernels', 'configurations'))
            seconds = sum(line['seconds'] for line in done.values())
            doubtful = sum(len(line.get('doubtful', ())) for line in done.values())
            return (f'{kernels} kernels, {runs} runs of a kernel in a configuration, {seconds:.0f} s, '
                    f'{len(found)} differences, {doubtful} doubtful'), found
