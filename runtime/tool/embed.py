#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a text file into a C string: embed.py FILE NAME > HEADER."""
import sys

with open(sys.argv[1], encoding='utf-8') as file:
    text = file.read()
# An array, not a literal: ISO C promises only 4095 characters for those.
print(f'static const char {sys.argv[2]}[] = {{')
data = text.encode() + b'\0'
for at in range(0, len(data), 20):
    print('    ' + ', '.join(str(byte) for byte in data[at:at + 20]) + ',')
print('};')
