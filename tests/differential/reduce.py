# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a random kernel smaller while it still does what it did."""
import copy
import dataclasses
import re
import time

# In the places of expressions: these are defined wherever an expression is.
SIMPLE = '(1)'


def places(nodes, path=()):
    """Paths of all statements, the largest first."""
    for index, node in enumerate(nodes):
        yield (*path, index)
        yield from places(node.body, (*path, index))


def at(kernel, path):
    nodes = kernel.body
    for index in path[:-1]:
        nodes = nodes[index].body
    return nodes, path[-1]


def without(kernel, path, keep_body):
    """A copy of the kernel without a statement, or with its body instead of it."""
    smaller = copy.deepcopy(kernel)
    nodes, index = at(smaller, path)
    nodes[index:index + 1] = nodes[index].body if keep_body else []
    return smaller


def brackets(text):
    """Where expressions in brackets begin and end, the longest first."""
    found, open_ = [], []
    for index, letter in enumerate(text):
        if letter == '(':
            open_.append(index)
        elif letter == ')' and open_:
            start = open_.pop()
            # A barrier's fence and who writes for all are what makes an exchange free of races.
            if index - start > 2 and not text[:start].endswith('barrier') and 'li ==' not in text[start:index]:
                found.append((start, index + 1))
    return sorted(found, key=lambda pair: pair[0] - pair[1])


def simpler(kernel, path):
    """Copies with one expression of a statement less."""
    nodes, index = at(kernel, path)
    for part in ('head', 'tail'):
        text = getattr(nodes[index], part)
        for start, end in brackets(text):
            if re.fullmatch(r'\((\w+|1)\)', text[start:end]):
                continue
            other = copy.deepcopy(kernel)
            fewer, where = at(other, path)
            setattr(fewer[where], part, text[:start] + SIMPLE + text[end:])
            yield other


def attempts(kernel):
    """Smaller kernels: fewer launches, fewer statements, simpler expressions."""
    launches = getattr(kernel, 'launches', [])
    if len(launches) > 1:
        for launch in launches:
            yield dataclasses.replace(kernel, launches=[launch])
    if hasattr(kernel, 'fewer'):
        yield from kernel.fewer()
    for path in list(places(kernel.body)):
        nodes, index = at(kernel, path)
        if not nodes[index].kept:
            yield without(kernel, path, False)
            if nodes[index].body:
                yield without(kernel, path, True)
    for path in list(places(kernel.body)):
        nodes, index = at(kernel, path)
        if not nodes[index].kept:
            yield from simpler(kernel, path)


def minimise(kernel, persists, seconds):
    """The smallest kernel found in that time of which `persists` is true. After a success the search goes on
    where it was, from the beginning when all has been tried."""
    end, tried, changed = time.monotonic() + seconds, set(), True
    while changed:
        changed, skip = False, 0
        while True:
            found = None
            for number, smaller in enumerate(attempts(kernel)):
                if number < skip:
                    continue
                text = smaller.text()
                if text in tried or text == kernel.text():
                    continue
                if time.monotonic() > end:
                    return kernel
                tried.add(text)
                if persists(smaller):
                    found, skip = smaller, number
                    break
            if not found:
                break
            kernel, changed = found, True
    return kernel
