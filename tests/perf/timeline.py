#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a timeline (WEFT_TRACE=run.json) as a picture: queues above, threads below.

    timeline.py run.json picture.svg [--from MS] [--to MS] [--width PIXELS]

A name that ends in .png is drawn through rsvg-convert. Perfetto (https://ui.perfetto.dev) and
chrome://tracing open the JSON itself.
"""
import argparse
import json
import subprocess
import sys
from xml.sax.saxutils import escape

COLOURS = ['#4e79a7', '#f28e2b', '#59a14f', '#b07aa1', '#e15759', '#76b7b2', '#9c755f', '#edc948',
           '#ff9da7', '#8cd17d', '#499894', '#d37295']
ROW, GAP, LEFT, TOP = 18, 8, 150, 34


class Span:
    """Something that lasted: on a track, with the phases of a command."""

    def __init__(self, track, name, kind, begin, end, args):
        self.track, self.name, self.kind = track, name, kind
        self.begin, self.end, self.args = begin, end, args
        self.phases = {}
        self.lane = 0


def read(path):
    """All spans, and the tracks' names."""
    with open(path, encoding='utf-8') as file:
        events = json.load(file)['traceEvents']
    names, spans, opened = {}, [], {}
    for event in events:
        track, name = event['tid'], event['name']
        if event['ph'] == 'M' and name == 'thread_name':
            names[track] = event['args']['name']
        elif event['ph'] == 'X':
            spans.append(Span(track, name, event['cat'], event['ts'], event['ts'] + event['dur'],
                              event.get('args', {})))
        elif event['ph'] == 'b':
            opened[(track, event['id'], name)] = event
        elif event['ph'] == 'e':
            start = opened.pop((track, event['id'], name))
            spans.append(Span(track, name, event['cat'], start['ts'], event['ts'],
                              {'id': event['id'], **start.get('args', {})}))
    return fold(spans), names


def fold(spans):
    """Puts the phases of a command into its span."""
    phases = ('queued', 'submitted', 'running')
    commands = {(s.track, s.args['id']): s for s in spans
                if s.kind == 'command' and s.name not in phases}
    rest = []
    for span in spans:
        if span.kind == 'command' and span.name in phases:
            commands[(span.track, span.args['id'])].phases[span.name] = (span.begin, span.end)
        else:
            rest.append(span)
    return rest


def order(names, spans):
    """Tracks from top to bottom: queues, the application's threads, the compiler, ours."""
    def rank(track):
        name = names.get(track, '')
        kinds = {s.kind for s in spans if s.track == track}
        if 'command' in kinds:
            return 0, track
        if name.startswith('weft-compiler'):
            return 2, track
        return (3 if name.startswith('weft-') else 1), track
    return sorted({s.track for s in spans}, key=rank)


def stack(spans):
    """Gives spans that overlap different lanes; a span inside another lies below it. The count."""
    ends = []
    for span in sorted(spans, key=lambda s: (s.begin, -s.end)):
        for lane, end in enumerate(ends):
            if end <= span.begin:
                break
        else:
            lane = len(ends)
            ends.append(0)
        ends[lane] = span.end
        span.lane = lane
    return max(1, len(ends))


class Picture:
    def __init__(self, begin, end, width):
        self.begin, self.scale = begin, (width - LEFT - 10) / max(end - begin, 1e-9)
        self.end, self.width = end, width
        self.y, self.parts, self.colours = TOP, [], {}

    def x(self, time):
        return LEFT + (min(max(time, self.begin), self.end) - self.begin) * self.scale

    def colour(self, name):
        return self.colours.setdefault(name, COLOURS[len(self.colours) % len(COLOURS)])

    def box(self, begin, end, y, height, colour, title, label='', opacity=1.0, style='in'):
        if end < self.begin or begin > self.end:
            return
        left, right = self.x(begin), self.x(end)
        wide = max(right - left, 0.4)
        self.parts.append(
            f'<rect x="{left:.2f}" y="{y:.1f}" width="{wide:.2f}" height="{height}" fill="{colour}" '
            f'fill-opacity="{opacity}"><title>{escape(title)}</title></rect>')
        if label and wide > 6.2 * len(label) + 4:
            self.parts.append(f'<text x="{left + 3:.1f}" y="{y + height - 5:.1f}" '
                              f'class="{style}">{escape(label)}</text>')

    def text(self, x, y, text, style='name'):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(text)}</text>')

    def track(self, name, spans):
        lanes = stack(spans)
        self.text(6, self.y + ROW - 5, name)
        for span in spans:
            y = self.y + span.lane * ROW
            title = f'{span.name}: {(span.end - span.begin) / 1000:.3f} ms {span.args}'
            if span.kind == 'command':
                running = span.phases.get('running', (span.begin, span.end))
                submitted = span.phases.get('submitted', (running[0], running[0]))
                grey = '#9a9a9a'
                self.box(span.begin, submitted[0], y + 8, 2, grey, 'queued: ' + title)
                self.box(*submitted, y + 5, 8, grey, 'submitted: ' + title, '', 0.5)
                self.box(*running, y + 1, ROW - 2, self.colour(span.name), title, span.name)
            elif span.kind == 'wait':
                self.box(span.begin, span.end, y + 1, ROW - 2, '#d8d8d8', title, span.name,
                         style='name')
            else:
                self.box(span.begin, span.end, y + 1, ROW - 2, self.colour(span.name), title,
                         span.name if span.kind != 'chunk' else '')
        self.y += lanes * ROW + GAP
        self.parts.append(f'<line x1="0" x2="{self.width}" y1="{self.y - GAP / 2}" '
                          f'y2="{self.y - GAP / 2}" stroke="#e4e4e4"/>')

    def axis(self):
        """Ticks in milliseconds, about ten of them."""
        span = (self.end - self.begin) / 1000
        step = next(s for s in (10 ** e * m for e in range(-4, 6) for m in (1, 2, 5))
                    if span / s <= 12)
        lines, tick = [], int(self.begin / 1000 / step) * step
        while tick <= self.end / 1000:
            if tick * 1000 >= self.begin:
                x = self.x(tick * 1000)
                lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{self.y}" '
                             'stroke="#ededed"/>')
                lines.append(f'<text x="{x:.1f}" y="{TOP - 14}" class="tick">{tick:g} ms</text>')
            tick += step
        return lines

    def legend(self):
        x, y = LEFT, self.y + 14
        for name, colour in self.colours.items():
            room = 30 + 6.4 * len(name)
            if x + room > self.width:
                x, y = LEFT, y + 18
            self.parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
            self.text(x + 16, y, name)
            x += room
        self.y = y + 12

    def svg(self):
        self.legend()
        return '\n'.join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.y:.0f}" '
            f'viewBox="0 0 {self.width} {self.y:.0f}">',
            '<style>text{font:11px sans-serif;fill:#333}.in{fill:#fff}.tick{text-anchor:middle;'
            'fill:#777}</style>',
            f'<rect width="{self.width}" height="{self.y:.0f}" fill="#fff"/>',
            *self.axis(), *self.parts, '</svg>\n'])


def draw(path, begin=None, end=None, width=1400):
    spans, names = read(path)
    if not spans:
        sys.exit(f'{path}: nothing to draw: the run built nothing, ran no command and waited for none')
    begin = min(s.begin for s in spans) if begin is None else begin * 1000
    end = max(s.end for s in spans) if end is None else end * 1000
    picture = Picture(begin, end, width)
    shown = [s for s in spans if s.end >= begin and s.begin <= end]
    for track in order(names, shown):
        picture.track(names.get(track, str(track)), [s for s in shown if s.track == track])
    return picture.svg()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trace')
    parser.add_argument('picture')
    parser.add_argument('--from', dest='begin', type=float, help='milliseconds')
    parser.add_argument('--to', dest='end', type=float, help='milliseconds')
    parser.add_argument('--width', type=int, default=1400)
    args = parser.parse_args()
    text = draw(args.trace, args.begin, args.end, args.width)
    if args.picture.endswith('.png'):
        try:
            subprocess.run(['rsvg-convert', '-o', args.picture], input=text.encode(), check=True)
        except FileNotFoundError:
            sys.exit('rsvg-convert draws .png and is not installed (Debian: librsvg2-bin); '
                     '.svg needs nothing')
    else:
        with open(args.picture, 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    sys.exit(main())
