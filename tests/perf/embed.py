# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C file with the text of kernel files: embed.py OUT FILE.cl..."""

import pathlib
import sys

out, sources = sys.argv[1], sorted(sys.argv[2:])
lines = ['// Made by embed.py; do not edit.', '#include "embedded.h"', '']
for number, source in enumerate(sources):
    data = pathlib.Path(source).read_bytes() + b'\0'
    lines.append(f'static const char text_{number}[] = {{')
    for start in range(0, len(data), 20):
        lines.append('    ' + ' '.join(f'{byte},' for byte in data[start:start + 20]))
    lines.append('};')
lines.append('const struct embedded embedded_files[] = {')
for number, source in enumerate(sources):
    lines.append(f'    {{"{pathlib.Path(source).stem}", text_{number}}},')
lines += ['};', f'const int embedded_count = {len(sources)};', '']
pathlib.Path(out).write_text('\n'.join(lines))
