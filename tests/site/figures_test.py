#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures are what docs/figures/draw.py makes of docs/figures/benchmark.json, and say what it says."""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(os.environ.get('WEFT_SOURCE_ROOT', pathlib.Path(__file__).resolve().parents[2]))
FIGURES = ROOT / 'docs' / 'figures'
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / 'tests'), str(FIGURES)]
import draw  # noqa: E402
import record as recorder  # noqa: E402
import svg  # noqa: E402
import tap  # noqa: E402

MOST_BYTES = 40000


def run_draw(*arguments):
    return subprocess.run([sys.executable, '-B', FIGURES / 'draw.py', *arguments], stderr=subprocess.PIPE, text=True, check=False)


def line(name, *, weft, intel=None, unit='ms'):
    """One result; (median, low, high) of each."""
    results = {runtime: {'median': value[0], 'quartiles': list(value[1:]), 'runs': 3}
               for runtime, value in (('weft', weft), ('intel', intel)) if value}
    return {'id': name, 'title': name, 'unit': unit, 'piece': 0, 'results': results}


class Figures(unittest.TestCase):
    def setUp(self):
        self.record = draw.Record(FIGURES / 'benchmark.json')

    def invented(self, *lines):
        """The record with other results."""
        record = copy.deepcopy(self.record)
        record.json['lines'] = record.lines = list(lines)
        return record

    def has(self, text, part):
        """assertIn would print all of the text."""
        self.assertTrue(part in text, part)

    def test_figures_are_of_the_record(self):
        run = run_draw('--check')
        self.assertEqual(run.returncode, 0, run.stderr + 'docs/figures/draw.py makes them anew')

    def test_stale_figure_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            changed = copy.deepcopy(self.record.json)
            changed['lines'][-1]['results']['weft']['median'] *= 1.5
            path = pathlib.Path(folder) / 'other.json'
            path.write_text(json.dumps(changed), encoding='utf-8')
            run = run_draw('--check', '--record', path)
        self.assertEqual(run.returncode, 1)
        self.assertIn('maths.svg', run.stderr)
        self.assertNotIn('builds.svg', run.stderr)

    def test_figures_are_small_and_well_formed(self):
        for path in sorted(FIGURES.glob('*.svg')):
            text = path.read_text(encoding='utf-8')
            self.assertLess(len(text), MOST_BYTES, path)
            root = xml.etree.ElementTree.fromstring(text)
            names = [child.tag.rpartition('}')[2] for child in root]
            self.assertEqual(names[:2], ['title', 'desc'], path)
            self.has(text, 'prefers-color-scheme: dark')
            self.assertEqual(re.findall(r'href|src=|url\(', text), [])  # nothing is fetched

    def test_nothing_leaves_the_picture(self):
        for path in sorted(FIGURES.glob('*.svg')):
            root = xml.etree.ElementTree.fromstring(path.read_text(encoding='utf-8'))
            width, height = float(root.get('width')), float(root.get('height'))
            for shape in root:
                for axis, most in (('x', width), ('x1', width), ('x2', width), ('cx', width), ('y', height), ('y2', height), ('cy', height)):
                    if shape.get(axis):
                        self.assertTrue(0 <= float(shape.get(axis)) <= most, f'{path}: {shape.attrib}')

    def test_no_words_leave_the_picture(self):
        """Names of kernels were cut off. By the width of letters in DejaVu Sans, which is wider than what most people have."""
        for path in sorted(FIGURES.glob('*.svg')):
            root = xml.etree.ElementTree.fromstring(path.read_text(encoding='utf-8'))
            for text in root.findall('{*}text'):
                style = text.get('class', '').split()
                width = len(text.text) * (9.6 if 'title' in style else 7.6 if 'strong' in style else
                                          5.9 if {'small', 'soft', 'name'} & set(style) else 6.9)
                start = float(text.get('x')) - width * {'end': 1, 'middle': 0.5}.get(text.get('text-anchor'), 0)
                self.assertTrue(0 <= start and start + width <= float(root.get('width')), f'{path.name}: {text.text}')

    def test_every_line_is_drawn(self):
        texts = {name: draw.figures(self.record)[name] for name in ('kernels.svg', 'unseen.svg', 'maths.svg')}
        for name, prefix in (('kernels.svg', 'kernel/'), ('unseen.svg', 'unseen/'), ('maths.svg', 'maths/')):
            lines = self.record.of(prefix)
            self.assertGreater(len(lines), 25)
            for one in lines:
                self.has(texts[name], f'>{one["title"]}</text>')

    def test_figures_say_where_they_come_from(self):
        for text in draw.figures(self.record).values():
            for word in (self.record.json['commit'], self.record.json['cpu'],
                         *(one.partition('driver ')[2] for icd, one in self.record.json['icds'].items() if icd != 'weft')):
                self.has(text, word)

    def test_all_figures_are_on_the_page(self):
        page = (ROOT / 'docs' / 'benchmarks.md').read_text(encoding='utf-8')
        self.assertEqual(set(re.findall(r'!\[[^\]]{20,}\]\(figures/(\w+\.svg)\)', page)), set(draw.figures(self.record)))

    def test_page_names_every_loss(self):
        """The list below the table of pictures, which a new record leaves behind."""
        page = (ROOT / 'docs' / 'benchmarks.md').read_text(encoding='utf-8').partition('### Overview')[0]
        for name, peer in (('Intel', 'intel'), ('PoCL', 'pocl')):
            said = re.search(rf'^- {name}: ([^-]*)$', page, re.M)[1]
            lines = draw.comparable(self.record.of('kernel/', 'unseen/', 'maths/'), peer)
            lost = [f'{draw.speed(one, peer)[0]:.2f}' for one in lines if draw.speed(one, peer)[2] < 1]
            self.assertEqual(sorted(re.findall(r'\((\d\.\d\d)\)', said)), sorted(lost))
        said = re.search(r'^- C: ([^-]*)$', page, re.M)[1]
        sections = [draw.comparable(self.record.of(prefix), 'C') for prefix in ('kernel/', 'unseen/', 'maths/')]
        self.assertEqual([tuple(map(int, pair)) for pair in re.findall(r'(\d+) of (\d+)', said)],
                         [(draw.verdict(lines, 'C')[1], len(lines)) for lines in sections])

    def test_losses_go_left_and_wins_right(self):
        record = self.invented(line('kernel/win', weft=(1, 0.9, 1.1), intel=(4, 3.9, 4.1)),
                               line('kernel/loss', weft=(4, 3.9, 4.1), intel=(1, 0.9, 1.1)),
                               line('kernel/even', weft=(1, 0.9, 1.1), intel=(0.99, 0.9, 1.1)))
        self.assertEqual(draw.verdict(record.lines, 'intel'), (1, 1, 1))
        text = draw.speeds(record, 'kernel/', 'three')
        win, loss, even = (re.search(rf'<rect x="([\d.]+)"[^>]* width="([\d.]+)"[^>]* class="{style}"', text)
                           for style in ('win', 'lose', 'lose unclear'))
        # One wide as the other, from the same line.
        self.assertAlmostEqual(float(win[2]), float(loss[2]), delta=0.2)
        self.assertAlmostEqual(float(win[1]), float(loss[1]) + float(loss[2]), delta=0.2)
        self.assertLess(float(even[2]), 2)
        self.has(text, '>4.00×<')
        self.has(text, '>0.25×<')
        self.has(text, 'faster 1 · slower 1 · even 1')

    def test_wrong_results_are_drawn_as_such(self):
        one = line('kernel/one', weft=(1, 1, 1), intel=(2, 2, 2))
        bad = line('kernel/bad', weft=(1, 1, 1))
        bad['results']['intel'] = {'outcome': 'WRONG', 'note': ''}
        text = draw.speeds(self.invented(one, bad), 'kernel/', 'two')
        self.has(text, 'intel: WRONG')

    def test_times_begin_at_zero(self):
        record = self.invented(line('build/tiny', weft=(10, 10, 10), intel=(30, 30, 30)))
        text = draw.builds(record)
        widths = {name: float(re.search(rf'width="([\d.]+)" height="12" class="{name}"', text)[1]) for name in ('weft', 'intel')}
        self.assertAlmostEqual(widths['intel'] / widths['weft'], 3, delta=0.05)

    def test_numbers_have_three_digits(self):
        for value, text in ((0.2345, '0.234'), (9.996, '10.0'), (12.34, '12.3'), (123.4, '123'), (999.6, '1000'), (1.0, '1.00')):
            self.assertEqual(svg.digits(value), text)
        for value, text in ((0.418, '0.418 µs'), (999, '999 µs'), (999.7, '1.00 ms'), (2150e3, '2.15 s')):
            self.assertEqual(draw.duration(value), text)

    def test_swarm_covers_no_dot(self):
        dots = draw.swarm([1, 1, 1, 2, 3, 3, 20], 6)
        for number, (x, y) in enumerate(dots):
            for a, b in dots[:number]:
                self.assertGreaterEqual((a - x) ** 2 + (b - y) ** 2, 36)


class Recording(unittest.TestCase):
    def test_patterns_are_exact(self):
        """maths/exp, as a part of a name, was measured with maths/exp2, expm1 and exp_f64."""
        bench = pathlib.Path(os.environ.get('WEFT_BUILD_ROOT', ROOT / 'build')) / 'tests' / 'perf' / 'weft-bench'
        if not bench.exists():
            self.skipTest(f'{bench} is not built')
        self.assertEqual(recorder.lines_of(bench, [recorder.exactly('maths/exp')]), ['maths/exp'])

    def test_what_is_measured_again_replaces(self):
        piece = {'date': 'one', 'load': 1, 'runs': 3, 'cpu': 'c', 'cpus': 2, 'kernel': 'k', 'compiler': 'gcc', 'icds': {}, 'lines': [
            {'id': name, 'title': name, 'unit': 'ms', 'results': {'weft': {'outcome': 'ok', 'median': 1, 'quartiles': [1, 1], 'values': [1]}}}
            for name in ('kernel/a', 'kernel/b')]}

        class Arguments:
            realtime, output = False, 'file'
        record = {'commit': 'x', 'note': 'y', 'pieces': [], 'lines': {}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'record.json'
            for date, lines in (('one', piece['lines']), ('two', piece['lines'][:1]), ('three', piece['lines'][1:])):
                recorder.add(record, {**piece, 'date': date, 'lines': lines}, Arguments)
                recorder.write(record, ['kernel/a', 'kernel/b'], path)
            written = json.loads(path.read_text(encoding='utf-8'))
            self.assertEqual(len(recorder.previous(path, 'x', 'y', ['kernel/a'])['lines']), 2)
            self.assertEqual(recorder.previous(path, 'another', 'y', [])['lines'], {})
            with self.assertRaises(SystemExit):  # two commits in one picture
                recorder.previous(path, 'another', 'y', ['kernel/a'])
        self.assertEqual([when['date'] for when in written['pieces']], ['two', 'three'])
        self.assertEqual([(one['id'], one['piece']) for one in written['lines']], [('kernel/a', 0), ('kernel/b', 1)])
        self.assertTrue(all(draw.good(one, 'weft') for one in written['lines']))
        with self.assertRaises(SystemExit):
            recorder.add(record, {**piece, 'cpu': 'another'}, Arguments)


if __name__ == '__main__':
    tap.main()
