#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a file into a C array: embed.py FILE NAME > HEADER."""
import sys

with open(sys.argv[1], 'rb') as file:
    data = file.read()
print(f'static const unsigned char {sys.argv[2]}[] = {{')
for at in range(0, len(data), 16):
    print('    ' + ', '.join(str(byte) for byte in data[at:at + 16]) + ',')
print('};')
