#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The longest Collatz chain below a bound, by any number of dask.distributed workers with an OpenCL device each.

    tests/scale/collatz.py [--workers N] [--bound N] [--chunks N] [--scheduler ADDRESS]

Each worker process takes its share of the CPUs, then asks OpenCL for a device, which has as many compute units; the
first builds the program, all others find the result in Weft's disk cache. Chunks are mapped by kernels, and reduced by
dask, two results to one. (docs/scale.md)
"""
import argparse
import functools
import os
import time

import numpy as np
from distributed import Client, LocalCluster, WorkerPlugin, get_worker

SOURCE = """
/* The longest chain of a group's numbers: its length above the number's complement, so that of two as long ones
 * the smaller number is the greater value. And the steps of all. */
kernel void chains(ulong first, ulong bound, global ulong *longest, global ulong *steps) {
    ulong start = first + get_global_id(0), value = start;
    uint length = 0;

    if (start < bound)
        for (length = 1; value != 1; length++)
            value = value & 1 ? 3 * value + 1 : value >> 1;
    ulong best = work_group_reduce_max((ulong)length << 40 | (~start & 0xffffffffffUL));
    ulong all = work_group_reduce_add((ulong)length);
    if (get_local_id(0) == 0) {
        longest[get_group_id(0)] = best;
        steps[get_group_id(0)] = all;
    }
}
"""
GROUP = 256
NUMBER = (1 << 40) - 1


class Cores(WorkerPlugin):
    """Gives each worker its share of the CPUs, before it asks for a device."""

    name = 'cores'

    def __init__(self, workers):
        self.workers = workers

    def setup(self, worker):
        cpus = sorted(os.sched_getaffinity(0))
        share = max(1, len(cpus) // self.workers)
        first = int(worker.name) * share % len(cpus)
        for task in os.listdir('/proc/self/task'):  # this runs in one thread, tasks in another
            os.sched_setaffinity(int(task), cpus[first:first + share])


@functools.lru_cache(None)
def opencl():
    """This process's queue and kernel, made once."""
    import pyopencl as cl

    device, = cl.get_platforms()[0].get_devices()
    context = cl.Context([device])
    start = time.perf_counter()
    kernel = cl.Program(context, SOURCE).build('-cl-std=CL2.0').chains
    return cl, cl.CommandQueue(context), kernel, time.perf_counter() - start


def map_chunk(first, last):
    """(longest chain as length and number, steps in all) of the numbers first .. last - 1."""
    cl, queue, kernel, _ = opencl()
    groups = (last - first + GROUP - 1) // GROUP
    flags = cl.mem_flags.WRITE_ONLY | cl.mem_flags.ALLOC_HOST_PTR
    results = [cl.Buffer(queue.context, flags, groups * 8) for _ in '12']
    kernel(queue, (groups * GROUP,), (GROUP,), np.uint64(first), np.uint64(last), *results)
    longest, steps = (cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, (groups,), np.uint64)[0]
                      for buffer in results)
    return int(longest.max()), int(steps.sum())


def reduce_two(a, b):
    return max(a[0], b[0]), a[1] + b[1]


def describe():
    """What this worker is."""
    _, queue, _, seconds = opencl()
    cpus = ','.join(map(str, sorted(os.sched_getaffinity(0))))
    return (f'worker {get_worker().name}: CPUs {cpus}; compute units {queue.device.max_compute_units}; '
            f'program built in {seconds * 1e3:.1f} ms')


def run(client, bound, chunks):
    edges = [1 + (bound - 1) * i // chunks for i in range(chunks + 1)]
    results = client.map(map_chunk, edges[:-1], edges[1:], pure=False)
    while len(results) > 1:
        pairs = [client.submit(reduce_two, a, b, pure=False) for a, b in zip(results[::2], results[1::2])]
        results = pairs + results[2 * len(pairs):]
    return results[0].result()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--workers', type=int, default=2)
    parser.add_argument('--bound', type=int, default=20_000_000)
    parser.add_argument('--chunks', type=int, default=32)
    parser.add_argument('--scheduler', help='of a cluster that is there, instead of workers on this machine')
    options = parser.parse_args()
    cluster = options.scheduler or LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None)

    with Client(cluster) as client:
        if not options.scheduler:
            register = getattr(client, 'register_plugin', None) or client.register_worker_plugin  # its older name
            register(Cores(options.workers))
        # One worker builds; the others find the result. Those that start at once would each build: no cache waits.
        first = next(iter(client.scheduler_info()['workers']))
        lines = client.run(describe, workers=[first])
        lines.update({address: line for address, line in client.run(describe).items() if address != first})
        start = time.perf_counter()
        best, steps = run(client, options.bound, options.chunks)
        seconds = time.perf_counter() - start
        print(*sorted(lines.values()), sep='\n')
        print(f'{options.chunks} chunks: {seconds:.2f} s, {steps / seconds / 1e9:.2f} G steps/s')
        print(f'below {options.bound}: longest chain {best >> 40} from {~best & NUMBER}, {steps} steps in all')
    if not options.scheduler:
        cluster.close()


if __name__ == '__main__':
    main()
