# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCL C as tokens and a tree of statements: as much of the grammar as mutations need.

Reads what the preprocessor has left. Expressions stay lists of tokens.
"""
import dataclasses
import re

TOKEN = re.compile(r'''
    \s*(?:
    (?P<line>\#[^\n]*\n)
  | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][-+]?\d+)?|
                \d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)[uUlLfFhH]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
    )''', re.X)
NAME = re.compile(r'[A-Za-z_]\w*$')
NUMBER = re.compile(r'\.?\d')
OPEN = {'(': ')', '[': ']', '{': '}'}
SHUT = set(OPEN.values())


class Unreadable(Exception):
    """The text has what this parser does not know."""


def tokens_of(text):
    result, at, text = [], 0, text.rstrip() + '\n'
    while text[at:].strip():
        found = TOKEN.match(text, at)
        if not found:
            raise Unreadable(text[at:at + 40])
        result.append(found.group().strip() + ('\n' if found.group('line') else ''))
        at = found.end()
    return result


def text_of(tokens):
    """Lines that end with statements, indented."""
    out, line, depth, round_ = [], [], 0, 0

    def end_line():
        if line:
            out.append('    ' * (depth - (line[0] == '}')) + ' '.join(line))
            line.clear()
    for token in tokens:
        if token.startswith('#'):
            end_line()
            out.append(token.rstrip())
            continue
        if token == '}' and not round_ and line and line[-1] == ';':
            end_line()
        line.append(token)
        round_ += (token in '([') - (token in ')]')
        if round_ == 0 and token in '{};':
            if token == '}':
                end_line()
            depth += (token == '{') - (token == '}')
            if token != '}':
                depth -= token == '{'
                end_line()
                depth += token == '{'
    end_line()
    text = re.sub(r' (\)|\]|;|,)', r'\1', '\n'.join(out))
    return re.sub(r'(\(|\[|\.|->) ', r'\1', re.sub(r'(?<=\w) (\(|\[|\.|->)', r'\1', text)) + '\n'


def is_name(token):
    return bool(NAME.match(token))


def is_number(token):
    return bool(NUMBER.match(token))


def shut(tokens, at):
    """The place of the bracket that ends the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in OPEN) - (tokens[i] in SHUT)
        if depth == 0:
            return i
    raise Unreadable('brackets')


def split(tokens, sign):
    """The parts between signs that are in no bracket."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token in OPEN) - (token in SHUT)
        if token == sign and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


@dataclasses.dataclass
class Node:
    """A statement. `head` has the tokens of a plain one, a condition's otherwise (of `for`: init ;
    condition ; step); `body` has blocks (of if, loops and switch) or statements (of a block)."""
    kind: str  # plain, label, block, if, for, while, do, switch
    head: list = dataclasses.field(default_factory=list)
    body: list = dataclasses.field(default_factory=list)

    def tokens(self):
        inner = [token for node in self.body for token in node.tokens()]
        if self.kind in ('plain', 'label'):
            return self.head
        if self.kind == 'block':
            return ['{', *inner, '}']
        if self.kind == 'do':
            return ['do', *inner, 'while', '(', *self.head, ')', ';']
        if self.kind == 'if' and len(self.body) == 2:
            return ['if', '(', *self.head, ')', *self.body[0].tokens(), 'else',
                    *self.body[1].tokens()]
        return [self.kind, '(', *self.head, ')', *inner]

    def walk(self):
        """Each (node, its parent, its place there), itself not included."""
        for index, node in enumerate(self.body):
            yield node, self, index
            yield from node.walk()

    def all(self):
        yield self
        for node in self.body:
            yield from node.all()


class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ''

    def take(self, token=None):
        found = self.peek()
        if not found or (token and found != token):
            raise Unreadable(f'{found} instead of {token}')
        self.at += 1
        return found

    def bracket(self):
        """What is between the brackets here."""
        end = shut(self.tokens, self.at)
        inner = self.tokens[self.at + 1:end]
        self.at = end + 1
        return inner

    def until(self, sign):
        start, depth = self.at, 0
        while depth or self.peek() != sign:
            depth += (self.peek() in OPEN) - (self.peek() in SHUT)
            self.take()
        self.at += 1
        return self.tokens[start:self.at]

    def block(self):
        """A block, also where the text has a single statement."""
        if self.peek() != '{':
            return Node('block', [], self.statement())
        self.take('{')
        nodes = []
        while self.peek() != '}':
            nodes += self.statement()
        self.take('}')
        return Node('block', [], nodes)

    def statement(self):
        """One statement, after the labels in front of it."""
        token = self.peek()
        if token == '{':
            return [self.block()]
        if token == '__attribute__' or token.startswith('#'):
            start = self.at
            self.take()
            if token == '__attribute__':
                self.bracket()
            return [Node('label', self.tokens[start:self.at]), *self.statement()]
        if token in ('case', 'default') or (is_name(token) and self.peek(1) == ':'):
            return [Node('label', self.until(':'))]
        if token in ('if', 'for', 'while', 'switch'):
            self.take()
            head = self.bracket()
            body = [self.block()]
            if token == 'if' and self.peek() == 'else':
                self.take()
                body.append(self.block())
            return [Node(token, head, body)]
        if token == 'do':
            self.take()
            body = [self.block()]
            self.take('while')
            head = self.bracket()
            self.take(';')
            return [Node('do', head, body)]
        return [Node('plain', self.until(';'))]


@dataclasses.dataclass
class Function:
    name: str
    head: list       # tokens before the parameters, the name last
    parameters: list  # lists of tokens
    tail: list       # attributes behind them
    body: Node

    def tokens(self):
        inner = []
        for parameter in self.parameters:
            inner += [*([','] if inner else []), *parameter]
        return [*self.head, '(', *inner, ')', *self.tail, *self.body.tokens()]

    @property
    def kernel(self):
        return 'kernel' in self.head or '__kernel' in self.head


@dataclasses.dataclass
class Program:
    """Functions, and lists of tokens for all else."""
    items: list

    def text(self):
        return text_of([token for item in self.items
                        for token in (item.tokens() if isinstance(item, Function) else item)])

    def functions(self):
        return [item for item in self.items if isinstance(item, Function)]

    def kernels(self):
        return [f for f in self.functions() if f.kernel]


def function(tokens, parser):
    """The function whose tokens before the body are given, None if it is none."""
    if {'struct', 'union', 'enum', 'typedef', '='} & set(split(tokens, '(')[0]):
        return None
    at = 0
    while at < len(tokens):
        if tokens[at] == '__attribute__':
            at = shut(tokens, at + 1) + 1
        elif tokens[at] == '(' and at and is_name(tokens[at - 1]):
            end = shut(tokens, at)
            inner = tokens[at + 1:end]
            parameters = [] if inner in ([], ['void']) else split(inner, ',')
            return Function(tokens[at - 1], tokens[:at], parameters, tokens[end + 1:], parser.block())
        else:
            at += 1
    return None


def program_of(text):
    parser, items = Parser(tokens_of(text)), []
    while parser.peek():
        if parser.peek().startswith('#'):
            items.append([parser.take()])
            continue
        start = parser.at
        while parser.peek() not in (';', '{'):
            if parser.peek() in OPEN:
                parser.bracket()
            else:
                parser.take()
        found = None
        if parser.peek() == '{':
            found = function(parser.tokens[start:parser.at], parser)
            if not found:
                parser.until(';')
        else:
            parser.take(';')
        items.append(found or parser.tokens[start:parser.at])
    return Program(items)
