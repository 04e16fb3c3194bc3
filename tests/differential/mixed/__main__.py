# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

from . import kernel, program

start = int(sys.argv[1])
print(program([kernel(s) for s in range(start, start + int(sys.argv[2] if sys.argv[2:] else 1))]))
