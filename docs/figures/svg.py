# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture as SVG text: shapes with classes, one style sheet for all figures, scales and numbers.

Each picture has a ground of its own, so that it can be read on any page; a viewer in dark mode gets dark ground. Blue, orange and
grey differ for every kind of colour-blindness, and in lightness; what they say is also said by place, shape or number.
"""
import html
import math

STYLE = '''
text { font: 12px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f }
.title { font-size: 16px; font-weight: 600 }
.strong { font-weight: 600 }
.name { font-size: 11px }
.small, .soft { fill: #57606a; font-size: 11px }
.ground { fill: #ffffff; stroke: #d0d7de }
.band { fill: #f3f5f8 }
.grid { stroke: #d8dee4 }
.one { stroke: #57606a }
.spread { stroke: #24292f }
.weft, .win { fill: #0072b2 }
.intel { fill: #e69f00 }
.pocl { fill: #8c959f }
.lose { fill: #d55e00 }
.unclear { fill-opacity: 0.45 }
.mean { fill: #24292f; stroke: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.small, .soft { fill: #9da7b3 }
.ground { fill: #0d1117; stroke: #30363d }
.band { fill: #161b22 }
.grid { stroke: #2a3038 }
.one { stroke: #9da7b3 }
.spread { stroke: #e6edf3 }
.weft, .win { fill: #56b4e9 }
.intel { fill: #e69f00 }
.pocl { fill: #8b949e }
.lose { fill: #f0763b }
.mean { fill: #e6edf3; stroke: #0d1117 }
}
'''


def number(value):
    """Coordinates: a tenth of a pixel is enough."""
    text = f'{value:.1f}'
    return text[:-2] if text.endswith('.0') else text


def digits(value, count=3):
    """A number with so many digits that count, in plain notation."""
    places = max(0, count - 1 - math.floor(math.log10(abs(value)))) if value else 0
    text = f'{value:.{places}f}'
    # 9.996 has become 10.00.
    return f'{value:.{places - 1}f}' if places and len(text.replace('.', '').lstrip('0')) > count else text


class Log:
    """Numbers to pixels, each factor of the same length."""

    def __init__(self, low, high, left, right):
        self.low, self.high, self.left, self.right = low, high, left, right

    def __call__(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.left + share * (self.right - self.left)


class Linear:
    """Numbers to pixels, from zero."""

    def __init__(self, high, left, right):
        self.high, self.left, self.right = high, left, right

    def __call__(self, value):
        return self.left + value / self.high * (self.right - self.left)


class Picture:
    """Shapes in the order in which they are painted."""

    def __init__(self, width, title, summary):
        self.width, self.title, self.summary = width, title, summary
        self.shapes = []
        self.text(20, 30, title, 'title')

    def shape(self, name, attributes, content=None):
        words = ''.join(f' {key}="{number(value) if isinstance(value, (int, float)) else value}"'
                        for key, value in attributes.items() if value != '')
        self.shapes.append(f'<{name}{words}/>' if content is None else f'<{name}{words}>{html.escape(content, quote=False)}</{name}>')

    def text(self, x, y, text, style='', anchor=''):
        self.shape('text', {'x': x, 'y': y, 'class': style, 'text-anchor': anchor}, text)

    def bar(self, x1, x2, y, height, style):
        """From x1 to x2, whichever is left."""
        self.shape('rect', {'x': min(x1, x2), 'y': y, 'width': max(abs(x2 - x1), 0.5), 'height': height, 'class': style})

    def line(self, x1, y1, x2, y2, style):
        self.shape('line', {'x1': x1, 'y1': y1, 'x2': x2, 'y2': y2, 'class': style})

    def dot(self, x, y, radius, style):
        self.shape('circle', {'cx': x, 'cy': y, 'r': radius, 'class': style})

    def diamond(self, x, y, radius, style):
        points = ((x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius))
        self.shape('polygon', {'points': ' '.join(f'{number(a)},{number(b)}' for a, b in points), 'class': style})

    def footer(self, y, sentences, width=145):
        """Sentences in small letters, as many on a line as fit; returns the height of the picture."""
        line = ''
        for sentence in sentences + [None]:
            if line and (sentence is None or len(line) + len(sentence) > width):
                self.text(20, y, line.strip(), 'small')
                y, line = y + 15, ''
            line += ' ' + (sentence or '')
        return y + 3

    def svg(self, height):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {number(height)}" width="{self.width}" '
                f'height="{number(height)}" role="img">\n<!-- made by docs/figures/draw.py -->\n'
                f'<title>{html.escape(self.title)}</title>\n<desc>{html.escape(self.summary)}</desc>\n<style>{STYLE}</style>\n')
        ground = (f'<rect class="ground" x="0.5" y="0.5" width="{self.width - 1}" height="{number(height - 1)}" rx="6"/>')
        return head + '\n'.join([ground, *self.shapes]) + '\n</svg>\n'
