# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""complete.py CLANG INCLUDE library.symbols docs/kernel-library.md: the library has every built-in
function that Clang declares for the extensions we report, under the name that Clang mangles; and the
page lists what the table has. Prints TAP."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
UNITS = os.path.join(HERE, '..', '..', 'kernel-lib', 'build', 'units.py')

# The pipeline's own (compiler/norm/internals.def), other parts of OpenCL, and extensions that Weft
# does not report.
ELSEWHERE = ('get_', 'barrier', 'work_group_', 'mem_fence', 'read_', 'write_', 'printf', 'sub_group_',
             'intel_', 'amd_', 'arm_', 'enqueue_', 'ndrange_', 'retain_event', 'release_event',
             'create_user_event', 'is_valid_', 'set_user_event', 'capture_event', 'clock_read',
             'atomic_work_item_fence', 'commit_', 'reserve_')
IMAGES = ('get_image_', 'read_image', 'write_image')
NO_IMAGES = ('get_image_num_',)


def elsewhere(name, signature):
    if name.startswith(IMAGES):
        return name.startswith(NO_IMAGES) or 'msaa' in signature or lod.search(signature) is not None
    return name.startswith(ELSEWHERE)


# Images of extensions: many samples per pixel; mip maps: read with a level of detail or gradients; write with a level before the colour
lod = re.compile(r'sampler_t, __private float\d?, |^void \(.*image\S*, __private int\d?, __private int, ')


def declared(clang, include, std):
    """Mangled names of all functions that opencl-c.h declares, but for atomics of half, which are
    cl_ext_float_atomics'."""
    with tempfile.NamedTemporaryFile('w', suffix='.cl') as source:
        source.write('\n')
        source.flush()
        # -fsyntax-only errors about half in declarations of float atomics do not matter here
        out = subprocess.run(
            [clang, '-cc1', '-triple', 'spir64-unknown-unknown', '-cl-std=' + std,
             '-internal-isystem', include, '-finclude-default-header', '-x',
             'cl', '-ast-dump=json', source.name], capture_output=True, text=True).stdout
    names = {}
    for node in json.loads(out)['inner']:
        if node['kind'] != 'FunctionDecl':
            continue
        signature = node['type']['qualType']
        if not elsewhere(node['name'], signature) and 'atomic_half' not in signature:
            names[node['mangledName']] = node['name'] + ': ' + signature
    return names


def main(argv):
    clang, include, symbols, page = argv[1:5]
    have = set(open(symbols).read().split())
    failed = 0
    print('1..3')
    for number, std in enumerate(['CL1.2', 'CL2.0'], 1):
        want = declared(clang, include, std)
        missing = sorted(set(want) - have)
        for symbol in missing[:20]:
            print('# missing: %s (%s)' % (symbol, want[symbol]))
        half = sum('Dh' in m for m in want)
        good = not missing and len(want) > 8000 and half > 1400
        failed += not good
        print('%sok %d - all %d functions declared for %s are defined, %d of them with half' %
              ('' if good else 'not ', number, len(want), std, half))
    stale = subprocess.run([sys.executable, UNITS, 'docs-check', page]).returncode != 0
    failed += stale
    print('%sok 3 - docs/kernel-library.md lists what builtins.def has' % ('not ' if stale else ''))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
