# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs jobs side by side.

Two processes of one binary never run at the same time (some write files in their folder) unless
the list says @apart; a job marked @alone has the machine for itself, because it measures time or
takes most of the memory.
"""

import time

POLL_SECONDS = 0.02


def may_start(job, running):
    if not running:
        return True
    if job.line.alone or any(other.line.alone for other in running):
        return False
    return job.line.apart or all(other.path != job.path for other in running)


def run_jobs(jobs, folder, environment, limit, timeout, finished):
    """Runs what is left of all jobs; `finished(job)` is called after the last process of each."""
    waiting = [job for job in jobs if not job.done()]
    running = []
    try:
        while waiting or running:
            started = _start_some(waiting, running, folder, environment, limit)
            ended = [job for job in running if job.poll(folder, timeout)]
            for job in ended:
                running.remove(job)
                if job.done():
                    finished(job)
                else:
                    waiting.insert(0, job)
            if not started and not ended:
                time.sleep(POLL_SECONDS)
    finally:
        for job in running:
            job.kill()


def _start_some(waiting, running, folder, environment, limit):
    started = 0
    for job in list(waiting):
        if len(running) >= limit:
            break
        if may_start(job, running):
            waiting.remove(job)
            job.start(folder, environment)
            running.append(job)
            started += 1
        elif job.line.alone:
            break  # else the jobs behind it would keep it waiting for ever
    return started
