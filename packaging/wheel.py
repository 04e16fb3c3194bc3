# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel weft-opencl: binaries, a module of a few lines, and the .icd file where PyOpenCL's loader looks.

PyOpenCL's wheels bring an ocl-icd of their own, which reads $PYOPENCL_HOME/.libs/*.icd beside
/etc/OpenCL/vendors; pocl-binary-distribution uses the same place. The line in our file begins with $ORIGIN,
which the dynamic linker replaces by the folder of whoever asks, the loader in pyopencl/.libs. So
libweft.so stays in its own package and has a path of its own: a bare name would be taken for that of
another Weft that is already loaded.
"""
import base64
import hashlib
import os
import time
import zipfile

from common import ROOT, version

TAG = 'py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64'
ICD = 'pyopencl/.libs/weft.icd'


def _metadata():
    with open(os.path.join(ROOT, 'packaging', 'wheel', 'README.md')) as file:
        text = file.read()
    return ('Metadata-Version: 2.1\nName: weft-opencl\n'
            f'Version: {version()}\nSummary: OpenCL 2.2 for CPUs\n'
            'License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.8\n'
            'Classifier: Operating System :: POSIX :: Linux\n'
            'Description-Content-Type: text/markdown\n\n' + text)


def contents(stage):
    """Name in the wheel: (bytes, executable)."""
    def read(*parts):
        with open(os.path.join(*parts), 'rb') as file:
            return file.read()
    found = {}
    source = os.path.join(ROOT, 'packaging', 'wheel', 'weft_opencl')
    for name in ('__init__.py', '__main__.py'):
        found['weft_opencl/' + name] = (read(source, name).replace(b'@VERSION@', version().encode()), False)
    found['weft_opencl/libweft.so'] = (read(stage, 'lib/weft/libweft.so'), True)
    found['weft_opencl/weft-compiler'] = (read(stage, 'lib/weft/weft-compiler'), True)
    found['weft_opencl/weft'] = (read(stage, 'bin/weft'), True)
    found[ICD] = (b'$ORIGIN/../../weft_opencl/libweft.so\n', False)
    info = f'weft_opencl-{version()}.dist-info/'
    documents = os.path.join(stage, 'share/doc/weft')
    found[info + 'licenses/LICENSE'] = (read(documents, 'LICENSE'), False)
    for name in sorted(os.listdir(os.path.join(documents, 'licences'))):
        found[info + 'licenses/' + name] = (read(documents, 'licences', name), False)
    found[info + 'sboms/weft.spdx.json'] = (read(documents, 'weft.spdx.json'), False)
    found[info + 'METADATA'] = (_metadata().encode(), False)
    found[info + 'WHEEL'] = ('Wheel-Version: 1.0\nGenerator: weft-release\nRoot-Is-Purelib: false\n' +
                             ''.join(f'Tag: py3-none-{tag}\n' for tag in TAG.split('-')[2].split('.'))).encode(), False
    record = ''.join(
        f'{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()},{len(data)}\n'
        for name, (data, _) in found.items())
    found[info + 'RECORD'] = (f'{record}{info}RECORD,,\n'.encode(), False)
    return found


def make(stage, folder, when):
    """Writes the wheel, returns its path."""
    path = os.path.join(folder, f'weft_opencl-{version()}-{TAG}.whl')
    moment = time.gmtime(max(when, 315532800))[:6]  # zip knows no time before 1980
    with zipfile.ZipFile(path, 'w') as wheel:
        for name, (data, executable) in contents(stage).items():
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.create_system = 3
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return path
