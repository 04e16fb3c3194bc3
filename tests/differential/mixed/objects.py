# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images and pipes as parameters of kernels, and what kernels do with them."""
import dataclasses

from node import Node

from .functions import Functions
from .types import INT, UINT, Value

# What a pixel is: (letter of the launch, name of the functions, type that these take).
PIXELS = (('i', 'i', Value('int', 4)), ('u', 'ui', Value('uint', 4)), ('f', 'f', Value('float', 4)),
          ('b', 'ui', Value('uint', 4)))
SAMPLERS = ('CLAMP_TO_EDGE', 'CLAMP', 'NONE')


@dataclasses.dataclass
class Image:
    name: str
    size: tuple
    ending: str
    pixel: Value
    writable: bool

    @property
    def dimensions(self):
        return len(self.size)


@dataclasses.dataclass
class Pipe:
    name: str
    writable: bool


class Objects(Functions):
    """Needs besides: self.parameter_of(text, token), self.most_slots()."""

    def draw_images(self):
        self.images = []
        for k in range(self.one_of(1, 1, 2) if 'image' in self.weights else 0):
            dimensions = self.one_of(1, 2, 2, 2, 3)
            writable = self.chance(50) and dimensions < 3
            if writable:
                width = self.one_of(8, 16, 25) if dimensions == 2 else self.most_slots()
                size = (width, -(-self.most_slots() // width))[:dimensions]
            else:
                size = tuple(self.one_of(1, 4, 5, 8, 16) for _ in range(dimensions))
            letter, ending, pixel = self.random.choice(PIXELS)
            name = f'im{k}'
            token = f'{"J" if writable else "I"}{"x".join(map(str, size))}{letter}'
            access = 'write_only' if writable else 'read_only'
            self.parameter_of(f'{access} image{dimensions}d_t {name}', lambda launch, token=token: token)
            self.images.append(Image(name, size, ending, pixel, writable))

    def draw_pipes(self):
        self.pipes = []
        for k in range(self.one_of(1, 2) if 'pipe' in self.weights and self.version >= 200 else 0):
            writable = self.chance(50)
            name = f'pi{k}'
            # Packets to be read are all the same: so nothing depends on who gets which.
            self.parameter_of(f'{"write" if writable else "read"}_only pipe int {name}',
                              lambda launch, w=writable: f'{"W" if w else "R"}{self.slots(launch)}')
            self.pipes.append(Pipe(name, writable))

    def image(self, place):
        """Reads any pixel or writes the item's own."""
        if not self.images:
            return self.assignment(place)
        im = self.random.choice(self.images)
        if im.writable:
            at = f'(int2)(slot % {im.size[0]}, slot / {im.size[0]})' if im.dimensions == 2 else '(int)slot'
            return Node(f'write_image{im.ending}({im.name}, {at}, {self.value(im.pixel, 1)});')
        found = self.place(False, writable=True)
        if not found:
            return Node(';')
        sampler = self.one_of(*SAMPLERS)
        if sampler == 'NONE' or self.chance(40):
            parts = [f'(int)({self.value(UINT, 1)} % {size}u)' for size in im.size]
        else:
            parts = [f'(int)({self.value(INT, 1)} % 40)' for size in im.size]
        parts += ['0'] * (im.dimensions == 3)
        at = f'(int{len(parts)})({", ".join(parts)})' if len(parts) > 1 else parts[0]
        words = '' if sampler == 'NONE' else (f'CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_{sampler} | '
                                              'CLK_FILTER_NEAREST, ')
        text = f'read_image{im.ending}({im.name}, {words}{at})'
        text = self.convert(f'tame({text})' if im.ending == 'f' else text, im.pixel, found[1])
        return Node(f'{found[0]} = {text};')

    def pipe(self, place):
        """One packet for each item. Only where each comes once, as there are no more packets."""
        if not self.pipes or place.depth > 0:
            return self.assignment(place)
        p = self.pipes.pop()
        name, way = self.fresh('pk'), 'write' if p.writable else 'read'
        found = self.place(False, writable=True)
        value = self.value(INT, 1) if p.writable else '5'  # as each packet
        if place.uniform and not self.flat and self.chance(50):
            scope = 'work_group'
            id_ = self.fresh('id')
            lines = [f'int {name} = {value};',
                     f'reserve_id_t {id_} = {scope}_reserve_{way}_pipe({p.name}, {self.items});',
                     f'if (is_valid_reserve_id({id_}))\n    {way}_pipe({p.name}, {id_}, li, &{name});',
                     f'{scope}_commit_{way}_pipe({p.name}, {id_});']
        else:
            condition = f'if ({self.condition()})\n    ' if self.chance(50) else ''
            lines = [f'int {name} = {value};', f'{condition}{way}_pipe({p.name}, &{name});']
        if not p.writable and found:
            lines.append(f'{found[0]} = {self.convert(name, INT, found[1])};')
        return Node('{\n' + '\n'.join(lines) + '\n}')
