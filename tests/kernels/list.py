# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints KERNEL(name) for each kernel of an OpenCL C file."""
import re
import sys

with open(sys.argv[1], encoding='utf-8') as source:
    for name in re.findall(r'^__kernel void (\w+)\(', source.read(), re.M):
        print(f'KERNEL({name})')
