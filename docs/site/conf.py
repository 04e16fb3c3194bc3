# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Sphinx makes the site of README.md, docs/ and the other pages that README.md lists; run by build.py.

The pages are what GitHub shows, at the same paths, so that links between them hold in both places. Nothing in them is Sphinx's
own markup: the navigation is read from the tables of README.md.
"""
import os
import re
import shutil

import furo

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

with open(os.path.join(ROOT, 'meson.build'), encoding='utf-8') as meson_build:
    release = re.search(r"version: '([^']+)'", meson_build.read()).group(1)
project = 'Weft'
html_title = f'Weft {release}'

# Two things are wrong with Debian 12's furo, whose style sheet is compiled by another compiler than its authors use: a rule inside
# a rule is lost, the one by which a page is dark where the reader wants it so, and the first line imports a file of the system.
FURO = os.path.join(os.path.dirname(furo.__file__), 'theme', 'furo', 'static', 'styles', 'furo.css')
IMPORT = re.compile(r'@import url\((/javascript/[^)]+)\);')


def dark_variables():
    """The colours of dark pages, which the theme has for readers who press its button."""
    with open(FURO, encoding='utf-8') as file:
        dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', file.read())
    return dict(re.findall(r'--([\w-]+): ([^;]+);', dark[1])) if dark else {}


def put_imports_in(folder):
    """Puts files of the system that the theme imports into its style sheet."""
    path = os.path.join(folder, '_static', 'styles', 'furo.css')
    with open(path, encoding='utf-8') as file:
        text = file.read()

    def imported(found):
        with open('/usr/share' + found[1], encoding='utf-8') as file:
            return file.read()
    with open(path, 'w', encoding='utf-8') as file:
        file.write(IMPORT.sub(imported, text))


extensions = ['myst_parser']
root_doc = 'README'
# A file that is linked and is none of these pages is copied into the site as it is.
include_patterns = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/*.md', 'conformance/*.md', 'tests/perf/*.md']
exclude_patterns = ['build*', '.git', '**/__pycache__']
myst_heading_anchors = 4  # by the rule by which GitHub names headings

html_theme = 'furo'
html_static_path = ['static']
html_css_files = ['weft.css']
html_theme_options = {'dark_css_variables': dark_variables()}
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
highlight_language = 'none'
suppress_warnings = ['misc.highlighting_failure']  # our LLVM IR is shortened, so it is none
pygments_style = 'friendly'
pygments_dark_style = 'monokai'

GROUP = re.compile(r'^### (.+)$')
ROW = re.compile(r'^\| \[([^\]]+)\]\(([^)#]+)\.md\) \|')


def navigation(readme):
    """[(group, [(name, page)])]: the headings of README.md's third level, and the tables of pages below them."""
    groups = []
    for line in readme.splitlines():
        if line.startswith('## '):
            groups.append(('', []))  # what follows is of no group
        elif group := GROUP.match(line):
            groups.append((group[1], []))
        elif (row := ROW.match(line)) and groups[-1][0]:
            groups[-1][1].append((row[1], row[2]))
    return [(group, pages) for group, pages in groups if pages]


def add_navigation(_app, page, source):
    """Appends to README.md what Sphinx makes its navigation of. A page in no group is one of Sphinx's warnings."""
    if page != root_doc:
        return
    for group, pages in navigation(source[0]):
        names = ''.join(f'{name} <{path}>\n' for name, path in pages)
        source[0] += f'\n```{{toctree}}\n:hidden:\n:caption: {group}\n\n{names}```\n'


def finish(app, failure):
    """Web servers and people open index.html."""
    if failure is None and app.builder.format == 'html':
        put_imports_in(app.outdir)
        shutil.copyfile(os.path.join(app.outdir, root_doc + '.html'), os.path.join(app.outdir, 'index.html'))


def setup(app):
    app.connect('source-read', add_navigation)
    app.connect('build-finished', finish)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
