#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""WEFT_TRACE: what is in the timeline of tests/timeline/run.c, and how the file survives."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

PROGRAM = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location('timeline', os.path.join(HERE, '../perf/timeline.py'))
timeline = importlib.util.module_from_spec(spec)
spec.loader.exec_module(timeline)


class Timeline(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, 'run.json')

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *words, file=None, **settings):
        environment = dict(os.environ, WEFT_TRACE=file or self.file, **settings)
        return subprocess.run([PROGRAM, *words], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=100)

    def read(self, file=None):
        with open(file or self.file, encoding='utf-8') as text:
            return json.load(text)

    def spans(self):
        spans, names = timeline.read(self.file)
        return spans, names

    def test_everything_is_there(self):
        self.assertEqual(self.run_it(WEFT_THREADS='2').returncode, 0)
        spans, names = self.spans()
        count = lambda kind, name: sum(s.kind == kind and s.name == name for s in spans)
        self.assertEqual(count('command', 'mandelbrot'), 3)
        self.assertEqual(count('command', 'blur'), 3)
        self.assertEqual(count('command', 'copy buffer'), 9)
        self.assertEqual(count('command', 'read buffer'), 3)
        self.assertEqual(count('command', 'fill buffer'), 1)
        self.assertEqual(count('build', 'build'), 1)
        for part in ('start', 'fork', 'front end', 'passes', 'codegen', 'link'):
            self.assertEqual(count('compiler', part), 1, part)
        self.assertGreaterEqual(count('callback', 'event callback'), 2)  # the last may still run
        self.assertEqual(count('wait', 'blocking call'), 3)
        self.assertIn('queue 1', names.values())
        self.assertIn('queue 2', names.values())

    def test_phases_follow_each_other(self):
        self.assertEqual(self.run_it().returncode, 0)
        for span in self.spans()[0]:
            self.assertLessEqual(span.begin, span.end)
            if span.kind == 'command':
                times = [span.begin]
                for phase in ('queued', 'submitted', 'running'):
                    times += span.phases[phase]
                self.assertEqual(times, sorted(times), span.name)
                self.assertEqual(times[-1], span.end)

    def test_chunks_lie_within_their_command(self):
        self.assertEqual(self.run_it(WEFT_THREADS='2').returncode, 0)
        spans = self.spans()[0]
        commands = {(s.args['queue'], s.args['command']): s for s in spans if s.kind == 'command'}
        chunks = [s for s in spans if s.kind == 'chunk']
        threads = {s.track for s in chunks if s.name == 'mandelbrot'}
        self.assertGreaterEqual(len(threads), 2)
        for chunk in chunks:
            command = commands[(chunk.args['queue'], chunk.args['command'])]
            # Another thread may begin its chunk just before the first one says that all begins.
            self.assertGreaterEqual(chunk.begin, command.phases['submitted'][0], chunk.name)
            # What a kernel enqueues may run on behind the kernel's own end.
            if '_block_invoke' not in chunk.name:
                self.assertLessEqual(chunk.end, command.end, chunk.name)
        self.assertEqual(len({c.args['command'] for c in chunks if '_block_invoke' in c.name}), 3)
        groups = sum(c.args['units'] for c in chunks if c.args['queue'] == 1
                     and c.name == 'mandelbrot')
        self.assertGreater(groups, 0)

    def test_few_long_items_are_shared(self):
        """48 in groups of one were cut anew into a single group, and a single thread ran them."""
        self.assertEqual(self.run_it('few', WEFT_THREADS='2').returncode, 0)
        chunks = [s for s in self.spans()[0] if s.kind == 'chunk' and s.name == 'long_items']
        self.assertGreaterEqual(len(chunks), 3 * 2)
        self.assertGreaterEqual(len({s.track for s in chunks}), 2)

    def test_written_whatever_ends_the_process(self):
        for how in ('exit', 'quick_exit'):
            self.assertEqual(self.run_it(how).returncode, 0)
            events = self.read()['traceEvents']
            self.assertGreater(len(events), 50, how)
            os.unlink(self.file)

    def test_exit_without_handlers_writes_nothing_and_harms_nothing(self):
        self.assertEqual(self.run_it('_exit').returncode, 0)
        self.assertEqual(os.path.getsize(self.file), 0)

    def test_forked_children_leave_the_parents_file_alone(self):
        self.assertEqual(self.run_it('fork').returncode, 0)
        drawn = [s for s in self.spans()[0] if s.kind == 'command' and s.name == 'mandelbrot']
        self.assertEqual(len(drawn), 3)

    def test_forked_children_with_a_name_of_their_own(self):
        pattern = os.path.join(self.folder.name, 'run.%p.json')
        run = self.run_it('fork', file=pattern)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(len(os.listdir(self.folder.name)), 2)
        child = pattern.replace('%p', run.stdout.strip())
        names = [e['name'] for e in self.read(child)['traceEvents'] if e['ph'] == 'b']
        self.assertEqual(names.count('mandelbrot'), 1)

    def test_file_that_cannot_be_written(self):
        for bad in ('/nowhere/at/all.json', self.folder.name, '/dev/full', 'x' * 5000):
            run = self.run_it(file=bad, WEFT_DEBUG='settings')
            self.assertEqual(run.returncode, 0, bad)
            self.assertIn('WEFT_TRACE', run.stderr, bad)
            self.assertEqual(self.run_it('small', '3', file=bad).stderr, '', bad)

    def test_what_others_put_there_is_left_alone(self):
        """A link's target and another name's file were emptied on e8e9dd5."""
        kept = os.path.join(self.folder.name, 'kept')
        with open(kept, 'w', encoding='utf-8') as text:
            text.write('precious')
        for put in (os.symlink, os.link):
            put(kept, self.file)
            result = self.run_it(WEFT_DEBUG='settings')
            self.assertEqual(result.returncode, 0)
            self.assertIn('WEFT_TRACE=', result.stderr)
            with open(kept, encoding='utf-8') as text:
                self.assertEqual(text.read(), 'precious')
            os.unlink(self.file)
        os.mkfifo(self.file)
        self.assertEqual(self.run_it().returncode, 0)

    def test_descriptors_of_the_process(self):
        result = self.run_it('small', '3', file='/dev/stdout')
        self.assertIn('traceEvents', result.stdout)

    def test_memory_is_bounded(self):
        self.assertEqual(self.run_it('small', '50000', WEFT_TRACE_MEGABYTES='1').returncode, 0)
        trace = self.read()
        self.assertGreater(trace['otherData']['dropped'], 50000)
        self.assertLess(os.path.getsize(self.file), 8 << 20)

    def test_off_leaves_nothing(self):
        environment = {k: v for k, v in os.environ.items() if k != 'WEFT_TRACE'}
        before = os.listdir(self.folder.name)
        subprocess.run([PROGRAM, 'small', '1'], env=environment, check=True,
                       cwd=self.folder.name)
        self.assertEqual(os.listdir(self.folder.name), before)

    def test_it_can_be_drawn(self):
        self.assertEqual(self.run_it().returncode, 0)
        picture = timeline.draw(self.file)
        for text in ('queue 1', 'queue 2', 'mandelbrot', 'front end', 'weft-compiler', '</svg>'):
            self.assertIn(text, picture)

    def test_what_cannot_be_drawn_is_said(self):
        """A run that did nothing, such as `clinfo -l`, ended in a traceback; so did a missing tool."""
        with open(self.file, 'w', encoding='utf-8') as file:
            file.write('{"traceEvents": []}')
        self.assertIn('nothing to draw', self.draw_it('run.svg').stderr)
        self.assertEqual(self.run_it('small', '1').returncode, 0)
        self.assertIn('rsvg-convert', self.draw_it('run.png', PATH='/nowhere').stderr)

    def draw_it(self, picture, **settings):
        done = subprocess.run([sys.executable, timeline.__file__, self.file,
                               os.path.join(self.folder.name, picture)],
                              env=dict(os.environ, **settings), stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, 'Traceback' in done.stderr), (1, False), done.stderr)
        return done


if __name__ == '__main__':
    tap.main()
