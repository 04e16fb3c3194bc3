# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embed.py OUT.s BEGIN END FILE [BEGIN END FILE]...: assembly that embeds files between two symbols."""
import os
import sys

SECTION = '    .section .rodata.weft, "a", @progbits\n'


def main(argv):
    out = SECTION
    for begin, end, path in zip(argv[2::3], argv[3::3], argv[4::3]):
        out += '    .balign 64\n'
        out += '    .globl %s, %s\n    .hidden %s, %s\n' % (begin, end, begin, end)
        out += '%s:\n    .incbin "%s"\n%s:\n' % (begin, os.path.abspath(path), end)
    out += '    .section .note.GNU-stack, "", @progbits\n'
    with open(argv[1], 'w') as f:
        f.write(out)


if __name__ == '__main__':
    main(sys.argv)
