# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of random kernels as a tree, so that fuzz.py can drop some."""
import dataclasses


@dataclasses.dataclass
class Node:
    """A statement: one line, or a head, statements and a tail. What is `kept` is not dropped or made simpler."""
    head: str
    body: list = dataclasses.field(default_factory=list)
    tail: str = ''
    kept: bool = False

    def text(self, indent=1):
        pad = '    ' * indent
        lines = [pad + line for line in self.head.split('\n') if line]
        lines += [child.text(indent + 1) for child in self.body]
        lines += [pad + line for line in self.tail.split('\n') if line]
        return '\n'.join(lines)
