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
import json
import os
import time
import zipfile

import sbom
from common import ROOT, version

TAG = 'py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64'
ICD = 'pyopencl/.libs/weft.icd'


# Of Python, those that tests/packaging/run has in its roots.
CLASSIFIERS = ('Development Status :: 4 - Beta', 'Environment :: Console', 'Intended Audience :: Developers',
               'Intended Audience :: Science/Research', 'Operating System :: POSIX :: Linux', 'Programming Language :: C',
               'Programming Language :: Python :: 3', 'Programming Language :: Python :: 3 :: Only',
               'Programming Language :: Python :: 3.9', 'Programming Language :: Python :: 3.11',
               'Programming Language :: Python :: 3.13', 'Topic :: Scientific/Engineering',
               'Topic :: Software Development :: Compilers', 'Topic :: Software Development :: Libraries')


def _licence(stage):
    """Of all that is in the wheel (PEP 639): Weft's own, and what the SBOM has as linked in."""
    with open(os.path.join(stage, sbom.PLACE)) as file:
        found = {entry['licenseDeclared'] for entry in json.load(file)['packages']}
    return ' AND '.join([sbom.OWN_LICENCE, *sorted(found - {sbom.OWN_LICENCE})])


def _metadata(stage, licences):
    """2.4, of PEP 639. pip passes over what it does not know, that of Debian 11 too; there is no public address yet,
    so there is no Project-URL."""
    with open(os.path.join(ROOT, 'packaging', 'wheel', 'README.md')) as file:
        text = file.read().replace('@VERSION@', version())
    fields = [('Metadata-Version', '2.4'), ('Name', 'weft-opencl'), ('Version', version()),
              ('Summary', 'OpenCL 2.2 for CPUs'), ('Keywords', 'opencl,cpu,icd,compiler,spir-v'), ('Author', 'The Weft authors'),
              ('License-Expression', _licence(stage)), *(('License-File', name) for name in licences),
              *(('Classifier', name) for name in CLASSIFIERS), ('Requires-Python', '>=3.8'),
              ('Provides-Extra', 'pyopencl'), ('Requires-Dist', 'pyopencl; extra == "pyopencl"'),
              ('Description-Content-Type', 'text/markdown')]
    return ''.join(f'{name}: {value}\n' for name, value in fields) + '\n' + text


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
    licences = {'LICENSE': read(documents, 'LICENSE')}
    for name in sorted(os.listdir(os.path.join(documents, 'licences'))):
        licences[name] = read(documents, 'licences', name)
    for name, data in licences.items():
        found[info + 'licenses/' + name] = (data, False)
    found[info + 'sboms/weft.spdx.json'] = (read(stage, sbom.PLACE), False)
    found[info + 'entry_points.txt'] = (b'[console_scripts]\nweft = weft_opencl.__main__:main\n', False)
    found[info + 'METADATA'] = (_metadata(stage, licences).encode(), False)
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
