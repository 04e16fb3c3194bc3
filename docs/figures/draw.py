#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the figures of docs/benchmarks.md and README.md from what record.py measured.

    docs/figures/draw.py                        # benchmark.json beside it to *.svg beside it
    docs/figures/draw.py --check                # are they what this would draw? exit status 1 if not
"""
import argparse
import json
import math
import pathlib
import sys

from svg import Linear, Log, Picture, digits

HERE = pathlib.Path(__file__).resolve().parent
WIDTH = 880
MICROSECONDS = {'ns': 1e-3, 'µs': 1, 'ms': 1e3}
PEERS = ('intel', 'pocl', 'C')


class Record:
    """benchmark.json, and what the figures ask of it."""

    def __init__(self, path):
        self.json = json.loads(path.read_text(encoding='utf-8'))
        self.lines = self.json['lines']

    def of(self, *prefixes):
        return [line for line in self.lines if line['id'].startswith(prefixes)]

    def version(self, name):
        """How a runtime names itself, in short: "Intel 2026.22", "PoCL 3.1"."""
        if name == 'C':
            return 'C with OpenMP'
        driver = self.json['icds'][name].partition('driver ')[2]
        short = '.'.join(driver.partition('+')[0].split('.')[:2])
        return {'weft': 'Weft', 'intel': 'Intel', 'pocl': 'PoCL'}.get(name, name) + ' ' + short

    def provenance(self, lines):
        """Where the figures come from, as sentences."""
        pieces = [self.json['pieces'][number] for number in sorted({line['piece'] for line in lines})]
        runs = sorted({piece['runs'] for piece in pieces})
        loads = sorted(piece['load'] for piece in pieces)
        ahead = sorted({'in the real-time class' if piece['realtime'] else f'at nice {piece["nice"]}' for piece in pieces
                        if piece['realtime'] or piece['nice']})
        return [f'weft-bench at commit {self.json["commit"]}, {min(piece["date"] for piece in pieces)} and later:',
                f'{self.json["cpus"]} cores of {self.json["cpu"]}, {self.json["note"]};',
                f'medians of {" or ".join(map(str, runs))} runs, all runtimes in turn,',
                f'{" and ".join(ahead)}, ahead of other work: load {loads[0]:.0f} to {loads[-1]:.0f}.' if ahead else
                f'load {loads[0]:.1f} to {loads[-1]:.1f}.',
                *(f'{self.version(name).split()[0]}: driver {text.partition("driver ")[2]}.'
                  for name, text in self.json['icds'].items() if name != 'weft')]


def good(line, name):
    return 'median' in line['results'].get(name, {})


def outcome(line, name):
    """What there is to say where there is no figure."""
    return line['results'].get(name, {}).get('outcome', 'not run')


def speed(line, peer):
    """How many times as fast Weft is as the peer: (by the medians, at least, at most by the quartiles)."""
    weft, other = line['results']['weft'], line['results'][peer]
    low, high = weft['quartiles']
    return other['median'] / weft['median'], other['quartiles'][0] / high, other['quartiles'][1] / low


def comparable(lines, peer):
    return [line for line in lines if good(line, 'weft') and good(line, peer)]


def mean(lines, peer):
    values = [math.log(speed(line, peer)[0]) for line in comparable(lines, peer)]
    return math.exp(sum(values) / len(values)) if values else None


def verdict(lines, peer):
    """(faster, slower, no difference beyond the spread)"""
    speeds = [speed(line, peer) for line in comparable(lines, peer)]
    faster, slower = sum(low > 1 for _, low, _ in speeds), sum(high < 1 for _, _, high in speeds)
    return faster, slower, len(speeds) - faster - slower


def times(value):
    return f'{value:.2f}×' if value < 10 else digits(value) + '×'


def duration(microseconds):
    for factor, unit in ((1, 'µs'), (1e3, 'ms'), (1e6, 's')):
        if microseconds < 999.5 * factor or unit == 's':
            return f'{digits(microseconds / factor)} {unit}'
    raise AssertionError('not reached')


def extent(lines, peers=PEERS):
    """(least, greatest) of all speeds and their spreads, with 1 between them."""
    values = [0.9, 1.1] + [value for peer in peers for line in comparable(lines, peer) for value in speed(line, peer)]
    return min(values), max(values)


def ticks(scale, room):
    """Powers of two, 1 among them, so far apart in pixels at least."""
    step = math.ceil(room / abs(scale(2) - scale(1)))
    exponents = range(math.ceil(math.log2(scale.low)), math.floor(math.log2(scale.high)) + 1)
    return [2.0 ** exponent for exponent in exponents if exponent % step == 0]


def side_by_side(lines, peers, left, right, room):
    """A scale for each peer, as wide as it takes, all with the same length for the same factor; room for words at both ends."""
    ends = [extent(lines, [peer]) for peer in peers]
    # As wide as the words above it are.
    ends = [(low, max(high, low * 2 ** 5.6)) for low, high in ends]
    octave = (right - left - 2 * room * len(peers)) / sum(math.log2(high / low) for low, high in ends)
    scales = []
    for low, high in ends:
        start = left + room
        scales.append(Log(low, high, start, start + octave * math.log2(high / low)))
        left = scales[-1].right + room
    return scales


def draw_scale(picture, scale, top, bottom, values, label, strong):
    for value in values:
        picture.line(scale(value), top, scale(value), bottom, 'one' if value == strong else 'grid')
        picture.text(scale(value), bottom + 15, label(value), 'soft', 'middle')


def tick_name(value):
    return f'{value:.0f}×' if value >= 1 else f'1/{1 / value:.0f}'


def draw_speed(picture, scale, line, peer, y, height):
    """One bar from 1 to the right where Weft is faster, to the left where it is slower; its spread; its number."""
    for name in ('weft', peer):
        if not good(line, name):
            picture.text(scale(1) + 6, y + height - 2, f'{name}: {outcome(line, name)}', 'lose')
            return
    value, low, high = speed(line, peer)
    style = ('win' if value >= 1 else 'lose') + (' unclear' if low <= 1 <= high else '')
    picture.bar(scale(1), scale(value), y, height, style)
    picture.line(scale(low), y + height / 2, scale(high), y + height / 2, 'spread')
    if value >= 1:
        picture.text(scale(max(high, value)) + 4, y + height - 1.5, times(value))
    else:
        picture.text(scale(min(low, value)) - 4, y + height - 1.5, times(value), '', 'end')


def draw_heading(picture, record, lines, peer, x):
    faster, slower, same = verdict(lines, peer)
    picture.text(x, 54, f'against {record.version(peer)}', 'strong')
    picture.text(x, 70, f'faster {faster} · slower {slower}' + (f' · even {same}' if same else ''), 'soft')


def speeds(record, prefix, title):
    """For each line three bars: Weft's speed against Intel's, PoCL's and C's."""
    lines = record.of(prefix)
    lines.sort(key=lambda line: speed(line, 'intel')[0] if comparable([line], 'intel') else 0, reverse=True)
    row, top, room = 17, 82, 46
    names = 24 + 6.2 * max(map(len, ['geometric mean'] + [line['title'] for line in lines]))
    peers = [peer for peer in PEERS if comparable(lines, peer)]
    bottom = top + row * (len(lines) + 1) + 10
    summary = '; '.join(f'against {record.version(peer)}: geometric mean {times(mean(lines, peer))}, faster in {verdict(lines, peer)[0]}, '
                        f'slower in {verdict(lines, peer)[1]} of {len(comparable(lines, peer))}' for peer in peers)
    picture = Picture(WIDTH, title, summary)
    for number in range(0, len(lines), 2):
        picture.bar(12, WIDTH - 12, top + number * row, row, 'band')
    scales = side_by_side(lines, peers, names, WIDTH - 8, room)
    for peer, scale in zip(peers, scales):
        draw_heading(picture, record, lines, peer, scale.left - room + 10)
        draw_scale(picture, scale, top, bottom, ticks(scale, 30), tick_name, 1)
    for number, line in enumerate(lines):
        picture.text(names, top + number * row + 12.5, line['title'], 'name', 'end')
        for peer, scale in zip(peers, scales):
            draw_speed(picture, scale, line, peer, top + number * row + 3, row - 6)
    y = top + len(lines) * row + 8
    picture.text(names, y + 12, 'geometric mean', 'strong', 'end')
    for peer, scale in zip(peers, scales):
        value = mean(lines, peer)
        picture.diamond(scale(value), y + 8, 6, 'mean')
        picture.text(scale(value) + 10, y + 12, times(value), 'strong')
    height = picture.footer(bottom + 40, [
        'How many times as fast Weft is: bars to the right are Weft\'s wins, to the left its losses; log scale, sorted by the first column.',
        'Thin lines: the quartiles of both runs put against each other; pale bars: they contain 1.', *record.provenance(lines),
        f'C: {record.json["compiler"]}.'])
    return picture.svg(height)


def swarm(positions, distance):
    """For dots at these x, in order: offsets in y so that none covers another, the nearest ones first."""
    placed = []
    for x in positions:
        near = [(a, b) for a, b in placed if abs(a - x) < distance]
        offsets = (sign * step * distance / 4 for step in range(200) for sign in (1, -1))
        placed.append((x, next(y for y in offsets if all((a - x) ** 2 + (b - y) ** 2 >= distance ** 2 for a, b in near))))
    return placed


def overview(record):
    """Each kernel and function a dot, by Weft's speed against each peer."""
    groups = [(title, lines) for title, lines in (
        ('kernels of the benchmark', record.of('kernel/')), ('kernels that nobody tuned for', record.of('unseen/')),
        ('maths functions', record.of('maths/'))) if lines]
    everything = [line for _, lines in groups for line in lines]
    names, top, row = 190, 70, 54
    scale = Log(*extent(everything), names + 10, WIDTH - 220)
    strips = [[peer for peer in PEERS if comparable(lines, peer)] for _, lines in groups]
    bottom = top + sum(len(peers) * row + 34 for peers in strips)
    picture = Picture(WIDTH, f'How many times as fast Weft runs {len(everything)} kernels and functions',
                      '; '.join(f'{title}: ' + ', '.join(f'{times(mean(lines, peer))} of {record.version(peer)}' for peer in PEERS
                                                         if comparable(lines, peer)) for title, lines in groups))
    picture.text(scale(1) - 10, 54, '← Weft slower', 'soft', 'end')
    picture.text(scale(1) + 10, 54, 'Weft faster →', 'soft')
    y = top
    for (title, lines), peers in zip(groups, strips):
        picture.text(20, y + 14, f'{len(lines)} {title}', 'strong')
        for number in range(len(peers)):
            draw_strip(picture, scale, record, lines, peers[number], y + 26 + number * row, row)
        y += 34 + len(peers) * row
    for value in ticks(scale, 30):
        picture.text(scale(value), bottom + 9, tick_name(value), 'soft', 'middle')
    height = picture.footer(bottom + 34, [
        'Each dot is one of them, log scale. Pale: no difference beyond the spread. Diamond: geometric mean.',
        *record.provenance(everything), f'C: {record.json["compiler"]}.'])
    return picture.svg(height)


def draw_strip(picture, scale, record, lines, peer, y, row):
    """The dots of one group against one peer, and what they come to."""
    middle = y + row / 2
    picture.bar(12, WIDTH - 12, y + 2, row - 4, 'band')
    for value in ticks(scale, 30):
        picture.line(scale(value), y, scale(value), y + row, 'one' if value == 1 else 'grid')
    lines = sorted(comparable(lines, peer), key=lambda line: speed(line, peer)[0])
    picture.text(176, middle + 4, f'against {record.version(peer)}', '', 'end')
    for line, (x, offset) in zip(lines, swarm([scale(speed(line, peer)[0]) for line in lines], 6.4)):
        value, low, high = speed(line, peer)
        style = ('win' if value >= 1 else 'lose') + (' unclear' if low <= 1 <= high else '')
        picture.dot(x, middle + offset, 3, style)
    faster, slower, same = verdict(lines, peer)
    picture.diamond(scale(mean(lines, peer)), middle, 7, 'mean')
    picture.text(WIDTH - 196, middle - 3, f'mean {times(mean(lines, peer))}', 'strong')
    picture.text(WIDTH - 196, middle + 12, f'faster {faster} · slower {slower}' + (f' · even {same}' if same else ''), 'soft')


def draw_legend(picture, record, names, x, y):
    for name in names:
        picture.bar(x, x + 12, y - 10, 10, name)
        label = record.version(name) if name != 'weft' else 'Weft'
        picture.text(x + 17, y, label)
        x += 36 + 7 * len(label)


def step_of(high):
    """1, 2 or 5 times a power of ten, of which four to nine make so much."""
    power = 10.0 ** math.floor(math.log10(high))
    return next(power / part for part in (1, 2, 5, 10) if high * part / power >= 4)


BUILDS = ('build/tiny', 'build/medium', 'build/big', 'build/again_process', 'build/eight', 'build/eight_at_once')


def builds(record):
    """Times of builds, from zero."""
    lines = [line for line in record.lines if line['id'] in BUILDS and good(line, 'weft')]
    lines.sort(key=lambda line: line['results']['weft']['median'])
    names = [name for name in ('weft', 'intel', 'pocl') if name in record.json['icds']]
    results = [line['results'][name] for line in lines for name in names if good(line, name)]
    high = max(result['quartiles'][1] for result in results)
    step = step_of(high)
    top, left, thick, row = 84, 282, 14, 14 * len(names) + 14
    bottom = top + row * len(lines)
    scale = Linear(high, left, WIDTH - 80)
    picture = Picture(WIDTH, 'From source to results: times of builds', '; '.join(
        f'{title_of(line)}: ' + ', '.join(f'{record.version(name)} {duration(line["results"][name]["median"] * 1e3)}'
                                          for name in names if good(line, name)) for line in lines))
    draw_legend(picture, record, names, 20, 58)
    picture.text(WIDTH - 20, 58, 'less is better', 'soft', 'end')
    draw_scale(picture, scale, top - 8, bottom, [step * number for number in range(math.floor(high / step) + 1)],
               lambda value: f'{value:g} ms' if high < 2000 else f'{value / 1000:g} s', 0)
    for number, line in enumerate(lines):
        y = top + number * row
        picture.text(left - 12, y + thick * len(names) / 2 + 4, title_of(line), '', 'end')
        for place, name in enumerate(names):
            draw_time(picture, scale, line, name, y + thick * place, thick - 2)
    height = picture.footer(bottom + 40, ['Thin lines: from quartile to quartile.', *record.provenance(lines)])
    return picture.svg(height)


def title_of(line):
    """Titles that go on where the line before ended."""
    return {'build/eight': '8 programs of a large kernel, in turn', 'build/eight_at_once': '8 programs of a large kernel, at once',
            'queue/same_size': 'second launch with that local size', 'build/tiny': 'tiny source, nothing cached', 'build/medium': '150 lines, 4 kernels',
            'build/big': '1500 lines, 40 kernels', 'start/list': 'process that lists devices'}.get(line['id'], line['title'])


def draw_time(picture, scale, line, name, y, height):
    if not good(line, name):
        picture.text(scale(0) + 4, y + height - 1, outcome(line, name), 'lose')
        return
    result = line['results'][name]
    low, high = result['quartiles']
    picture.bar(scale(0), scale(result['median']), y, height, name)
    picture.line(scale(low), y + height / 2, scale(high), y + height / 2, 'spread')
    picture.text(scale(max(high, result['median'])) + 5, y + height - 1.5, duration(result['median'] * MICROSECONDS[line['unit']]),
                 'strong' if name == 'weft' else '')


def latencies(record):
    """What small things take, on a log scale of time."""
    lines = [line for line in record.of('start/', 'queue/', 'build/binary', 'build/again') if line['unit'] in MICROSECONDS and
             not line['id'].endswith('_whole') and good(line, 'weft')]
    names = [name for name in ('weft', 'intel', 'pocl') if name in record.json['icds']]
    value = {(line['id'], name): [number * MICROSECONDS[line['unit']] for number in
                                  (line['results'][name]['median'], *line['results'][name]['quartiles'])]
             for line in lines for name in names if good(line, name)}
    lines.sort(key=lambda line: value[line['id'], 'weft'][0])
    decades = [math.log10(number) for numbers in value.values() for number in numbers]
    top, left, right, row = 84, 322, WIDTH - 222, 22
    low, high = math.floor(min(decades)), math.ceil(max(decades))
    scale, bottom = Log(10.0 ** low, 10.0 ** high, left, right), top + row * len(lines)
    picture = Picture(WIDTH, 'Latencies: what small things take', '; '.join(
        f'{title_of(line)}: ' + ', '.join(f'{record.version(name)} {duration(value[line["id"], name][0])}' for name in names
                                          if (line['id'], name) in value) for line in lines))
    draw_legend(picture, record, names, 20, 58)
    for number in range(0, len(lines), 2):
        picture.bar(12, WIDTH - 12, top + number * row, row, 'band')
    draw_scale(picture, scale, top, bottom, [10.0 ** exponent for exponent in range(low, high + 1)],
               lambda value: f'{value:g} µs' if value < 1e3 else f'{value / 1e3:g} ms' if value < 1e6 else f'{value / 1e6:g} s', None)
    for place, name in enumerate(names):
        picture.text(right + 76 + 66 * place, top - 8, record.version(name).split()[0], 'strong', 'end')
    for number, line in enumerate(lines):
        middle = top + number * row + row / 2
        picture.text(left - 12, middle + 4, title_of(line), 'name', 'end')
        draw_latency(picture, scale, {name: value.get((line['id'], name)) for name in names}, line, middle, right)
    height = picture.footer(bottom + 40, ['Log scale, less is better; sorted by Weft\'s time. Thin lines: from quartile to quartile.',
                                          'Bold: the least of a line.', *record.provenance(lines)])
    return picture.svg(height)


def draw_latency(picture, scale, values, line, y, right):
    marks = {'weft': lambda x: picture.dot(x, y, 5.5, 'weft'), 'intel': lambda x: picture.diamond(x, y, 6.5, 'intel'),
             'pocl': lambda x: picture.bar(x - 4.5, x + 4.5, y - 4.5, 9, 'pocl')}
    least = min(numbers[0] for numbers in values.values() if numbers)
    for place, (name, numbers) in enumerate(reversed(values.items())):
        x = right + 76 + 66 * (len(values) - 1 - place)
        if not numbers:
            picture.text(x, y + 4, outcome(line, name), 'lose', 'end')
            continue
        marks[name](scale(numbers[0]))
        picture.line(scale(numbers[1]), y, scale(numbers[2]), y, 'spread')
        picture.text(x, y + 4, duration(numbers[0]), 'strong' if numbers[0] == least else '', 'end')


def figures(record):
    """name of a file -> its text"""
    return {'overview.svg': overview(record), 'builds.svg': builds(record), 'latencies.svg': latencies(record),
            'kernels.svg': speeds(record, 'kernel/', 'Kernels: how many times as fast Weft is'),
            'unseen.svg': speeds(record, 'unseen/', 'Kernels that nobody tuned for: how many times as fast Weft is'),
            'maths.svg': speeds(record, 'maths/', 'Maths functions: how many times as fast Weft is')}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true', help='write nothing; exit status 1 if a figure is another')
    parser.add_argument('--record', type=pathlib.Path, default=HERE / 'benchmark.json')
    parser.add_argument('--folder', type=pathlib.Path, default=HERE, help='where the figures are')
    arguments = parser.parse_args()
    stale = []
    for name, text in figures(Record(arguments.record)).items():
        path = arguments.folder / name
        if path.exists() and path.read_text(encoding='utf-8') == text:
            continue
        stale.append(name)
        if not arguments.check:
            path.write_text(text, encoding='utf-8')
    if stale and arguments.check:
        print(f'not what draw.py makes of {arguments.record}: {" ".join(stale)}', file=sys.stderr)
    return 1 if stale and arguments.check else 0


if __name__ == '__main__':
    sys.exit(main())
