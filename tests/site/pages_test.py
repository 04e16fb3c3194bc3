#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages become a site without a warning: all of them reachable, no link that leads nowhere, nothing from the network."""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(os.environ.get('WEFT_SOURCE_ROOT', pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT / 'tests'))
import tap  # noqa: E402

MISSING = 77


def build(folder, *arguments, **variables):
    return subprocess.run([sys.executable, ROOT / 'docs' / 'site' / 'build.py', *arguments, folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, env={**os.environ, **variables})


class Page(html.parser.HTMLParser):
    """Where a page links to, what it loads, and the places in it that can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids.update(filter(None, (attributes.get('id'), attributes.get('name') if tag == 'a' else None)))
        if tag == 'a' and attributes.get('href'):
            self.links.append(attributes['href'])
        elif tag == 'link' and attributes.get('rel') in ('stylesheet', 'icon', 'search', 'index', 'next', 'prev'):
            self.loads.append(attributes['href'])
        elif attributes.get('src'):
            self.loads.append(attributes['src'])


def contents(folder):
    """relative path of each file -> its bytes"""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob('*')) if path.is_file()}


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='weft-site-')
        cls.site = pathlib.Path(cls.folder.name) / 'one'
        cls.run_ = build(cls.site)
        if cls.run_.returncode == MISSING:
            raise unittest.SkipTest(cls.run_.stdout.strip())
        cls.pages = {path: Page(path) for path in cls.site.rglob('*.html')}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_are_no_warnings(self):
        self.assertEqual((self.run_.returncode, self.run_.stdout), (0, ''))

    def test_every_page_is_there(self):
        for page in (ROOT / 'docs').glob('*.md'):
            self.assertTrue((self.site / 'docs' / (page.stem + '.html')).exists(), page)
        self.assertEqual((self.site / 'index.html').read_bytes(), (self.site / 'README.html').read_bytes())

    def test_every_page_is_reached_from_the_first(self):
        reached, ahead = set(), [self.site / 'index.html']
        while ahead:
            path = ahead.pop()
            if path not in reached:
                reached.add(path)
                ahead += [to for to, _ in self.targets(path) if to.suffix == '.html' and to.exists()]
        self.assertEqual({path for path in self.pages if path.parent.name == 'docs'} - reached, set())

    def targets(self, path):
        """(file, place in it) of each link of a page into the site"""
        for link in self.pages[path].links:
            parts = urllib.parse.urlsplit(link)
            if not parts.scheme:
                yield (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path, parts.fragment

    def test_links_lead_somewhere(self):
        bad, count = [], 0
        for path in self.pages:
            for to, place in self.targets(path):
                count += 1
                if not to.exists() or place and to in self.pages and place not in self.pages[to].ids:
                    bad.append(f'{path.relative_to(self.site)}: {to}#{place}')
        self.assertEqual(bad, [])
        self.assertGreater(count, 1000)

    def test_nothing_comes_from_the_network(self):
        for path, page in self.pages.items():
            for what in page.loads:
                if not what.startswith('data:'):
                    self.assertFalse(urllib.parse.urlsplit(what).netloc, f'{path}: {what}')
                    self.assertTrue((path.parent / urllib.parse.urlsplit(what).path).exists(), f'{path}: {what}')
        for path in self.site.rglob('*.css'):
            self.assertNotRegex(path.read_text(encoding='utf-8'), r'(@import|url\()\s*["\']?(https?:/)?/')

    def test_search_knows_the_pages(self):
        index = (self.site / 'searchindex.js').read_text(encoding='utf-8')
        self.assertTrue(index.startswith('Search.setIndex('))
        for name in ('README', 'docs/install', 'docs/vectoriser', 'conformance/README'):
            self.assertIn(f'"{name}"', index)

    def test_it_is_the_same_elsewhere(self):
        other = pathlib.Path(self.folder.name) / 'elsewhere' / 'two'
        self.assertEqual(build(other, TZ='Asia/Tokyo', LC_ALL='C', PYTHONHASHSEED='7').returncode, 0)
        first, second = contents(self.site), contents(other)
        self.assertEqual(set(first), set(second))
        self.assertEqual([name for name in first if first[name] != second[name]], [])

    def test_page_that_is_gone_goes(self):
        """A site made over an older one kept its pages, and mistakes of pages that had not changed were not said again."""
        with tempfile.TemporaryDirectory(prefix='weft-pages-') as folder:
            source, site = make_pages(folder, second=SECOND + '\n[third](missing.md)\n'), pathlib.Path(folder) / 'site'
            self.assertEqual(build(site, '--source', source).returncode, 1)
            self.assertEqual(build(site, '--source', source).returncode, 1)
            make_pages(folder)
            (site / 'docs' / 'old.html').write_text('old')
            self.assertEqual(build(site, '--source', source).returncode, 0)
            self.assertFalse((site / 'docs' / 'old.html').exists())
            self.assertTrue((site / 'docs' / 'second.html').exists())

    def test_the_source_is_left_alone(self):
        self.assertFalse(list((ROOT / 'docs' / 'site').rglob('*.pyc')))


README = '''# Weft

## Pages

### Use it

| page | what |
|---|---|
| [first](docs/first.md) | one |
| [second](docs/second.md) | another |
'''
FIRST = '# First\n\n## A part\n\nSee [second](second.md), [itself](#a-part), [a file](../tool.sh) and [its part](second.md#the-end).\n'
SECOND = '# Second\n\n## The end\n\nBack to the [first page](../README.md).\n'


def make_pages(folder, **pages):
    """Two good pages and those named here, as a source folder; returns it."""
    source = pathlib.Path(folder) / 'source'
    (source / 'docs').mkdir(parents=True, exist_ok=True)
    (source / 'tool.sh').write_text('true\n')
    for name, text in {'first': FIRST, 'second': SECOND, 'README': README, **pages}.items():
        path = source / ('README.md' if name == 'README' else f'docs/{name}.md')
        path.write_text(text, encoding='utf-8')
    return source


MISTAKES = {
    '[third](missing.md)': r'second\.md:\d+:.*missing\.md',
    '[tool](../tool.py)': r'second\.md:\d+:.*tool\.py',
    '[part](first.md#no-part)': r'second\.md:\d+:.*no-part',
    '[part](#none-of-mine)': r'second\.md:\d+:.*none-of-mine',
    '![nothing](nothing.svg)': r'second\.md:\d+:.*nothing\.svg',
}


class Mistakes(unittest.TestCase):
    """Two pages, good ones and with mistakes."""

    def warnings(self, **pages):
        """What is said of these pages, by lines; none if they are a site."""
        with tempfile.TemporaryDirectory(prefix='weft-pages-') as folder:
            run = build(pathlib.Path(folder) / 'site', '--source', make_pages(folder, **pages))
        if run.returncode == MISSING:
            self.skipTest(run.stdout.strip())
        self.assertEqual(run.returncode, 1 if run.stdout else 0, run.stdout)
        return run.stdout.splitlines()

    def test_no_mistake(self):
        self.assertEqual(self.warnings(), [])

    def test_each_mistake_is_noticed(self):
        said = self.warnings(second=SECOND + ''.join(f'\n{mistake}\n' for mistake in MISTAKES), unlisted='# Unlisted\n',
                             README=README + '| [absent](docs/absent.md) | none |\n')
        for wanted in (*MISTAKES.values(), r"unlisted\.md.*isn't included", r'README\.md.*toctree.*docs/absent'):
            self.assertTrue([line for line in said if re.search(wanted, line)], f'{wanted}: {said}')


if __name__ == '__main__':
    tap.main()
