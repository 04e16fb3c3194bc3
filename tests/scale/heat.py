#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heat in a plate, by any number of MPI ranks: each has some rows, on an OpenCL device that is its own cores.

    mpirun -n 2 --map-by core --bind-to core tests/scale/heat.py [--rows N] [--columns N] [--steps N]

Neighbours exchange the rows at their border after each step. MPI sends from and receives into the memory of the
OpenCL buffer, mapped: on a CPU device a map is no copy, and the program makes none. (docs/scale.md)
"""
import argparse
import hashlib
import os
import statistics
import time

import numpy as np
import pyopencl as cl
from mpi4py import MPI

SOURCE = """
kernel void step(global const float *now, global float *next, int columns, int first, int last) {
    int x = get_global_id(0), y = get_global_id(1) + 1;            /* row 0 is the neighbour's */
    global const float *at = now + (size_t)y * columns + x;

    if (x == 0 || x == columns - 1 || y < first || y > last)       /* the plate's rim stays as it is */
        next[(size_t)y * columns + x] = *at;
    else
        next[(size_t)y * columns + x] = 0.25f * ((at[-1] + at[1]) + (at[-columns] + at[columns]));
}

kernel void change(global const float *now, global const float *next, global float *most) {
    size_t at = get_global_id(0);
    float of_group = work_group_reduce_max(fabs(next[at] - now[at]));

    if (get_local_id(0) == 0)
        most[get_group_id(0)] = of_group;
}
"""
GROUP = 256


class Slab:
    """This rank's rows, between one row of each neighbour."""

    def __init__(self, comm, rows, columns):
        self.comm, self.columns = comm, columns
        rank, ranks = comm.rank, comm.size
        self.begin, self.end = rows * rank // ranks, rows * (rank + 1) // ranks
        self.rows = self.end - self.begin
        self.above = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.below = rank + 1 if rank + 1 < ranks else MPI.PROC_NULL
        # Rows of the slab (from 1) that are no rim of the plate.
        self.first, self.last = max(1, 2 - self.begin), min(self.rows, rows - 1 - self.begin)

        device, = cl.get_platforms()[0].get_devices()
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        program = cl.Program(self.context, SOURCE).build('-cl-std=CL2.0')
        self.step_kernel, self.change_kernel = program.step, program.change
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
        self.now, self.next = (cl.Buffer(self.context, flags, (self.rows + 2) * columns * 4) for _ in '12')
        self.groups = self.rows * columns // GROUP
        self.most = cl.Buffer(self.context, flags, self.groups * 4)
        self.mpi_seconds, self.map_seconds = 0.0, []
        self.addresses = set()

    def map_rows(self, buffer, first, count, flags):
        """Rows of a buffer as an array over its own memory, until `.base.release()`."""
        rows, _ = cl.enqueue_map_buffer(self.queue, buffer, flags, first * self.columns * 4, (count, self.columns),
                                        np.float32)
        return rows

    def fill(self):
        """Cold, but for the top edge of the plate."""
        for buffer in (self.now, self.next):
            field = self.map_rows(buffer, 0, self.rows + 2, cl.map_flags.WRITE_INVALIDATE_REGION)
            field[:] = 0
            if self.begin == 0:
                field[1] = 100
            field.base.release(self.queue)

    def exchange(self, buffer):
        """Own rows at the border go to the neighbours, theirs come."""
        self.queue.finish()
        start = time.perf_counter()
        field = self.map_rows(buffer, 0, self.rows + 2, cl.map_flags.READ | cl.map_flags.WRITE)
        mapped = time.perf_counter()
        self.addresses.add(field.ctypes.data)
        requests = [self.comm.Irecv(field[0], self.above, 1), self.comm.Irecv(field[-1], self.below, 2),
                    self.comm.Isend(field[-2], self.below, 1), self.comm.Isend(field[1], self.above, 2)]
        MPI.Request.Waitall(requests)
        came = time.perf_counter()
        field.base.release(self.queue)
        self.mpi_seconds += came - mapped
        self.map_seconds.append(time.perf_counter() - came + mapped - start)

    def step(self):
        self.step_kernel(self.queue, (self.columns, self.rows), None, self.now, self.next, np.int32(self.columns),
                         np.int32(self.first), np.int32(self.last))
        self.exchange(self.next)
        self.now, self.next = self.next, self.now

    def change(self):
        """The largest change of the last step anywhere; a maximum does not depend on who has which rows."""
        self.change_kernel(self.queue, (self.groups * GROUP,), (GROUP,), self.next, self.now, self.most,
                           global_offset=(self.columns,))  # own rows
        most, _ = cl.enqueue_map_buffer(self.queue, self.most, cl.map_flags.READ, 0, (self.groups,), np.float32)
        value = self.comm.allreduce(float(most.max()), MPI.MAX)
        most.base.release(self.queue)
        return value

    def digest(self):
        """Of the whole field, row after row, whoever has them: at rank 0."""
        field = self.map_rows(self.now, 0, self.rows + 2, cl.map_flags.READ)
        slabs = self.comm.gather(field[1:-1])
        field.base.release(self.queue)
        return hashlib.sha256(b''.join(slab.tobytes() for slab in slabs)).hexdigest() if slabs else None


def weft_threads():
    """This process's threads that run kernels, and the CPUs that they may use."""
    names = {}
    for task in os.listdir('/proc/self/task'):
        with open(f'/proc/self/task/{task}/comm', encoding='utf-8') as file:
            name = file.read().strip()
        if name.startswith('weft-') and name[5:].isdigit():
            names[name] = sorted(os.sched_getaffinity(int(task)))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rows', type=int, default=2048)
    parser.add_argument('--columns', type=int, default=2048)
    parser.add_argument('--steps', type=int, default=500)
    options = parser.parse_args()
    comm = MPI.COMM_WORLD
    if options.columns % GROUP or options.rows < comm.size:
        parser.error(f'columns in multiples of {GROUP}, and a row for each rank')

    slab = Slab(comm, options.rows, options.columns)
    slab.fill()
    slab.step()  # threads start, pages come
    slab.mpi_seconds = 0.0
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(options.steps - 1):
        slab.step()
    slab.queue.finish()
    comm.Barrier()
    seconds = time.perf_counter() - start
    change, digest = slab.change(), slab.digest()

    cpus, threads = sorted(os.sched_getaffinity(0)), weft_threads()
    outside = [name for name, may in threads.items() if not set(may) <= set(cpus)]
    lines = comm.gather(f'rank {comm.rank}: CPUs {",".join(map(str, cpus))}; '
                        f'compute units {slab.queue.device.max_compute_units}, threads {len(threads)}'
                        f'{" OUTSIDE: " + ",".join(outside) if outside else ""}; '
                        f'rows {slab.begin} to {slab.end - 1}; mapped at {len(slab.addresses)} addresses in '
                        f'{statistics.median(slab.map_seconds) * 1e6:.0f} µs; MPI {slab.mpi_seconds / seconds:.0%}')
    if comm.rank == 0:
        print(*lines, sep='\n')
        moved = 8 * options.rows * options.columns * (options.steps - 1)
        print(f'{options.steps} steps of {options.rows} x {options.columns}: {seconds:.2f} s, '
              f'{moved / seconds / 1e9:.1f} GB/s')
        print(f'last change {change:.9g}, field {digest[:32]}')


if __name__ == '__main__':
    main()
