# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The offline compiler as a function, and compiled images as Python sees them."""
import ctypes
import mmap
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

COMPILER = os.environ.get('WEFT_COMPILER') or os.path.join(
    os.environ.get('WEFT_BUILD_ROOT', 'build'), 'compiler', 'weft-compiler')
CLANG = os.environ.get('WEFT_CLANG', 'clang-22')
# In weft_kernel_info (include/weft/abi.h): weft_body_info of each shape, frame_bytes.
BODIES = range(32, 176, 24)
FRAME = 200

PT_LOAD, PT_DYNAMIC, PT_NOTE = 1, 2, 4
R_X86_64_RELATIVE = 8


class Result:
    """What a run of the compiler left."""

    def __init__(self, status, output, log):
        self.status, self.output, self.log = status, output, log

    @property
    def text(self):
        return self.output.decode()


def run(*arguments, cwd=None, stdin=None, seconds=None):
    """`seconds`: a limit of processor time, of each process, which is what a job has."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    done = subprocess.run([COMPILER, *map(str, arguments)], cwd=cwd, input=stdin,
                          preexec_fn=limit if seconds else None,
                          capture_output=True, timeout=280, check=False)
    return Result(done.returncode, done.stdout, done.stderr.decode(errors='replace'))


def compile_text(text, *arguments, suffix='.cl', files=None, seconds=None):
    """Compiles a source from a fresh folder, which also holds `files` (name -> text)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (files or {}).items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        source = pathlib.Path(folder, 'source' + suffix)
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        return run(*arguments, source.name, cwd=folder, seconds=seconds)


def compile_object(text, folder, *arguments, language='c'):
    """An object by Clang with the flags of the compiler's own code generation."""
    path = pathlib.Path(folder, 'object.o')
    subprocess.run([CLANG, '-x', language, '-', '-c', '-O2', '-fPIC', '-ffreestanding',
                    '-ffunction-sections', '-fdata-sections', '-fstack-size-section',
                    '-fno-asynchronous-unwind-tables', '-fno-stack-protector', *arguments,
                    '-o', str(path)], input=text.encode(), check=True, timeout=60)
    return path


class Image:
    """Parses an image by compiler/image/image.h alone, and can map and call it."""

    def __init__(self, data):
        self.data = data
        assert data[:6] == b'\x7fELF\x02\x01', 'not an ELF64 file'
        (self.type, self.machine) = struct.unpack_from('<HH', data, 16)
        offset, = struct.unpack_from('<Q', data, 32)
        size, count = struct.unpack_from('<HH', data, 54)
        self.headers = [struct.unpack_from('<IIQQQQQQ', data, offset + i * size)
                        for i in range(count)]
        self.loads = [h for h in self.headers if h[0] == PT_LOAD]
        self.memory = None

    def note(self):
        at, = [h[2] for h in self.headers if h[0] == PT_NOTE]
        name, size, kind = struct.unpack_from('<III', self.data, at)
        assert self.data[at + 12:at + 12 + name] == b'Weft\0' and kind == 1
        return self.data[at + 20:at + 20 + size]

    def kernels(self):
        """name -> (entry of shape rows, frame bytes, the whole record's bytes)"""
        table = self.note()
        magic, version, size, count, kernels = struct.unpack_from('<5I', table, 0)
        assert magic == 0x74666557 and version >= 1 and size == len(table)
        first, second = (kernels, kernels) if count < 2 else (kernels, None)
        args, = struct.unpack_from('<I', table, 20)
        bytes_each = (args - first) // count if count else 0
        assert second is None or count < 2 or (args - first) % count == 0
        rows = {}
        for i in range(count):
            row = table[kernels + i * bytes_each:kernels + (i + 1) * bytes_each]
            name, = struct.unpack_from('<I', row, 0)
            text = table[name:table.index(b'\0', name)].decode()
            entry, = struct.unpack_from('<Q', row, BODIES.start)
            frame, = struct.unpack_from('<I', row, FRAME)
            rows[text] = (entry, frame, row)
        return rows

    def relocations(self):
        at, size = [(h[2], h[5]) for h in self.headers if h[0] == PT_DYNAMIC][0]
        tags = dict(struct.unpack_from('<QQ', self.data, at + i) for i in range(0, size, 16))
        assert set(tags) == {7, 8, 9, 0} and tags[9] == 24
        return [struct.unpack_from('<QQq', self.data, tags[7] + i)
                for i in range(0, tags[8], 24)]

    def load(self):
        end = max((h[3] + h[6] + 4095) & ~4095 for h in self.loads)
        memory = mmap.mmap(-1, end, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        for header in self.loads:
            memory[header[3]:header[3] + header[5]] = self.data[header[2]:header[2] + header[5]]
        for offset, info, addend in self.relocations():
            assert info == R_X86_64_RELATIVE
            memory[offset:offset + 8] = struct.pack('<Q', base + addend)
        self.memory = memory
        return base

    def function(self, name, result, *parameters):
        """A kernel's entry as a C function; the image is mapped once."""
        if self.memory is None:
            self.base = self.load()
        function = ctypes.CFUNCTYPE(result, *parameters)(self.base + self.kernels()[name][0])
        function.image = self  # which owns the code
        return function
