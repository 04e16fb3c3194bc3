# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that docs/applications.md shows of a run of programs, between two marks."""
import math

BEGIN, END = '<!-- made by tests/apps/run: begin -->', '<!-- made by tests/apps/run: end -->'
NAMED = 12  # failures of a program on a runtime that are named


def last(rows):
    """(program, runtime, test) -> its last result."""
    return {(row['program'], row['runtime'], row['test']): row for row in rows if row.get('test')}


def number(value):
    """Three digits are what a measurement is good for; counts are whole."""
    if value == int(value) and abs(value) < 1e6:
        return f'{value:.0f}'
    return f'{value:.0f}' if abs(value) >= 100 else f'{value:.3g}'


def cell(result):
    """One test on one runtime."""
    if not result or result['passed'] is None:
        return '—'
    value = '' if result['value'] is None else number(result['value'])
    if result['passed']:
        return value or 'passed'
    return f'{value} (failed)' if value else 'failed'


def family_cell(results, common):
    """How many of a family passed; the geometric mean of those that all runtimes have passed, with values."""
    tried = [row for row in results.values() if row['passed'] is not None]
    if not tried:
        return '—'
    text = f'{sum(row["passed"] for row in tried)} of {len(tried)}'
    values = [results[test]['value'] for test in common]
    return f'{text}; {number(math.exp(sum(map(math.log, values)) / len(values)))}' if values else text


def line(name, unit, tests, runtimes, found):
    """`tests` are those of a family, or one alone."""
    program, label = name
    if len(tests) == 1 and '/' not in tests[0]:
        cells = [cell(found.get((program, runtime, tests[0]))) for runtime in runtimes]
        return f'| {program} | {label} | {unit} | {" | ".join(cells)} |'
    by_runtime = [{test: found[program, runtime, test] for test in tests if (program, runtime, test) in found}
                  for runtime in runtimes]
    asked = [results for results in by_runtime if results]
    common = [test for test in tests if all(test in results and results[test]['passed'] and
                                            (results[test]['value'] or 0) > 0 for results in asked)]
    cells = [family_cell(results, common) for results in by_runtime]
    mean = f', mean of {len(common)}' if common else ''
    return f'| {program} | {label} | {unit}{mean} | {" | ".join(cells)} |'


def describe(row):
    words = [row['test'], *(['not run'] if row['passed'] is None else []), row['note'].strip() or 'failed']
    return ': '.join(words).replace('|', '\\|').replace('<', '&lt;')


def failures(runtimes, found):
    lines = []
    for program in dict.fromkeys(key[0] for key in found):
        for runtime in runtimes:
            # A test that was skipped without a word is none of the program's failures.
            bad = [row for key, row in found.items() if key[:2] == (program, runtime) and
                   (row['passed'] is False or row['passed'] is None and row['note'].strip())]
            texts = [describe(row) for row in bad[:NAMED]]
            if len(bad) > NAMED:
                texts.append(f'and {len(bad) - NAMED} more')
            if bad:
                lines.append(f'- {program}, {runtime}: {"; ".join(texts)}')
    return lines


def make(rows):
    found = last(rows)
    runtimes = list(dict.fromkeys(row['runtime'] for row in rows if row.get('version')))
    families = {}
    for program, _, test in found:
        families.setdefault((program, test.partition('/')[0]), {}).setdefault(test)
    versions = {row['runtime']: row for row in rows if row.get('version')}
    lines = [f'- {name}: {row["version"]}; {row["cpu"]}; last run {row["when"]}' for name, row in versions.items()]
    lines += ['', f'| program | test | unit | {" | ".join(runtimes)} |', '|---|---|---|' + '--:|' * len(runtimes)]
    for name, tests in sorted(families.items(), key=lambda item: item[0][0]):
        if name[1] == 'run':
            continue
        units = [row['unit'] for key, row in found.items() if key[0] == name[0] and key[2] in tests and row['unit']]
        lines.append(line(name, units[0] if units else '', list(tests), runtimes, found))
    bad = failures(runtimes, found)
    return '\n'.join(lines + (['', 'Failed, or not run:', '', *bad] if bad else []))


def split(page):
    """What is before and after the table of a page."""
    text = page.read_text(encoding='utf-8')
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f'{page} lacks the line {BEGIN if not begin else END}')
    return before, after


def remake(page, rows):
    """Replaces what is between the marks of a page."""
    before, after = split(page)
    page.write_text(f'{before}{BEGIN}\n{make(rows)}\n{END}{after}', encoding='utf-8')
