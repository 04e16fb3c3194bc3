#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what the figures show, by weft-bench, and writes benchmark.json; draw.py makes the figures from it.

    docs/figures/record.py --note 'Zen 3' --icd intel=intel.icd --icd pocl=pocl.icd   # half an hour

Pieces of eight lines, all runtimes in one run of weft-bench each, so that what the machine does meanwhile hits all alike; each piece
says when it ran and at what load. What a piece measures again (--only) replaces the same lines of the file.

On a machine with other work, --realtime is for kernels and maths; the rest wants `nice -n -20` instead, since Weft's compiler process
gives up the real-time class. Both are written down.
"""
import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECTIONS = ('start/', 'build/', 'queue/', 'kernel/', 'unseen/', 'maths/')
LINES_OF_A_PIECE = 8


def shell(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def lines_of(bench, only):
    patterns = [word for pattern in only for word in ('--only', pattern)]
    names = [line.split()[0] for line in shell(bench, '--list', *patterns).splitlines()]
    return [name for name in names if name.startswith(SECTIONS)]


def exactly(line):
    """A pattern of weft-bench for this line alone; "maths/exp" would be "maths/exp2", too."""
    return f'{line[:-1]}[{line[-1]}]'


@contextlib.contextmanager
def alone(lock):
    """Holds the file exclusively, if there is one to hold."""
    if not lock:
        yield
        return
    with open(lock) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def measure(arguments, lines):
    """What weft-bench wrote for these lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'piece.json')
        command = [arguments.bench, '--runs', str(arguments.runs), '--json', path, '--base', 'weft']
        for icd in arguments.icd:
            command += ['--icd', icd]
        for line in lines:
            command += ['--only', exactly(line)]
        if arguments.realtime:
            command.append('--realtime')
        with alone(arguments.lock):
            run = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if not os.path.exists(path):
            sys.exit(f'weft-bench: {run.stderr.strip() or run.returncode}')
        with open(path, encoding='utf-8') as file:
            return json.load(file)


def shortened(line, piece):
    """A line without its samples: of each runtime median, quartiles and their number, or else what happened."""
    results = {}
    for name, result in line['results'].items():
        if result['outcome'] == 'ok':
            result = {'median': result['median'], 'quartiles': result['quartiles'], 'runs': len(result['values'])}
        results[name] = result
    return {'id': line['id'], 'title': line['title'], 'unit': line['unit'], 'piece': piece, 'results': results}


def add(record, piece, arguments):
    """Adds one piece's results to the record; those of the same lines go."""
    when = {'date': piece['date'], 'load': piece['load'], 'runs': piece['runs'], 'realtime': arguments.realtime,
            'nice': os.getpriority(os.PRIO_PROCESS, 0)}
    record['pieces'].append(when)
    for name in ('cpu', 'cpus', 'kernel', 'compiler', 'icds'):
        if record.setdefault(name, piece[name]) != piece[name]:
            sys.exit(f'{name} is another than in {arguments.output}: {piece[name]}')
    for line in piece['lines']:
        record['lines'][line['id']] = shortened(line, len(record['pieces']) - 1)


def write(record, order, path):
    """One result a line, in the order in which weft-bench has them; pieces of which nothing is left go."""
    lines = sorted(record['lines'].values(), key=lambda line: order.index(line['id']))
    used = sorted({line['piece'] for line in lines})
    for line in lines:
        line['piece'] = used.index(line['piece'])
    record['pieces'] = [record['pieces'][piece] for piece in used]
    head = {name: value for name, value in record.items() if name != 'lines'}
    text = json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "lines": [\n'
    text += ',\n'.join('  ' + json.dumps(line, ensure_ascii=False) for line in lines) + '\n ]\n}\n'
    path.write_text(text, encoding='utf-8')


def previous(path, commit, note, only):
    """The record so far; one of another commit is no part of this one, and goes if all is measured."""
    if path.exists():
        record = json.loads(path.read_text(encoding='utf-8'))
        if (record['commit'], record['note']) == (commit, note):
            return {**record, 'lines': {line['id']: line for line in record['lines']}}
        if only:
            sys.exit(f'{path} is of {record["commit"]}, {record["note"]}: measure all lines, or into another file (--output)')
    return {'commit': commit, 'note': note, 'pieces': [], 'lines': {}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--weft', help="Weft's .icd file (default: the build's)")
    parser.add_argument('--icd', action='append', default=[], metavar='NAME=FILE', help='a peer; may be repeated')
    parser.add_argument('--note', required=True, help='what the machine is, and how Weft was built')
    parser.add_argument('--commit', help='what Weft was built from (default: HEAD)')
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--realtime', action='store_true', help='see weft-bench')
    parser.add_argument('--lock', help='a file to hold exclusively while a piece is measured, where people share a machine')
    parser.add_argument('--only', action='append', default=[], metavar='PATTERN', help='see weft-bench (default: all)')
    parser.add_argument('--output', type=pathlib.Path, default=HERE / 'benchmark.json')
    arguments = parser.parse_args()
    arguments.bench = arguments.build / 'tests' / 'perf' / 'weft-bench'
    arguments.icd.insert(0, f'weft={arguments.weft or arguments.build / "weft.icd"}')
    commit = arguments.commit or shell('git', '-C', ROOT, 'rev-parse', '--short', 'HEAD').strip()
    record = previous(arguments.output, commit, arguments.note, arguments.only)
    lines, order = lines_of(arguments.bench, arguments.only), lines_of(arguments.bench, [])
    for start in range(0, len(lines), LINES_OF_A_PIECE):
        add(record, measure(arguments, lines[start:start + LINES_OF_A_PIECE]), arguments)
        write(record, order, arguments.output)
    return 0


if __name__ == '__main__':
    sys.exit(main())
