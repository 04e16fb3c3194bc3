# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The wheel in a virtual environment, with PyOpenCL from PyPI; beside a Weft of the system if the argument says so.
. /opt/tests/common.sh
step apt-get update
step apt-get install -y --no-install-recommends python3-venv python3
if [ "${1:-}" = beside ]; then
    step apt-get install -y --no-install-recommends ./old/weft-opencl-icd_*_amd64.deb
fi
start
step python3 -m venv /venv
took "a virtual environment"
/venv/bin/pip --version
start
step /venv/bin/pip install ./weft_opencl-*.whl
took "pip install of the wheel"
test "$(/venv/bin/weft --version)" = "$(/venv/bin/python -m weft_opencl --version)" || fail "the command weft"
/venv/bin/pip install -q --upgrade pip >/dev/null 2>&1 || true # Debian 11's does not know PyOpenCL's newer tags
start
step /venv/bin/pip install pyopencl
took "pip install of PyOpenCL, by the network"
step /venv/bin/python -c 'import pyopencl as cl; print(cl.create_some_context(interactive=False)); print(cl.get_platforms())'
/venv/bin/python -c 'import pyopencl as cl; assert "Weft" in [p.name for p in cl.get_platforms()]'
step /venv/bin/python /opt/tests/saxpy.py
took "PyOpenCL lists it, and a program"
took_all
step /venv/bin/python -c 'import weft_opencl as w; print(w.__version__, w.icd_path())'
cd /tmp
self_test /venv/bin/python -m weft_opencl selftest
/venv/bin/python -m weft_opencl info | head -n 4
echo 'kernel void f(global int *a) { a[get_global_id(0)]++; }' >k.cl
step /venv/bin/python -m weft_opencl compile --emit binary -o k.bin k.cl
test -s k.bin
step /venv/bin/python -m weft_opencl ci /venv/bin/python /opt/tests/saxpy.py
# OpenCL 3.0 for all programs that use this wheel.
conf=$(dirname "$(/venv/bin/python -c 'import weft_opencl as w; print(w.icd_path())')")/weft.conf
echo "WEFT_OPENCL = 3.0" >"$conf"
/venv/bin/python -m weft_opencl info | grep "OpenCL 3.0 Weft" || fail "weft.conf is not obeyed"
rm "$conf"
if [ "${1:-}" = beside ]; then
    /venv/bin/python - <<'P' || fail "two Wefts in one process"
import os
import sys
sys.path.insert(0, '/opt/tests')
import numpy as np
import pyopencl as cl
both = [p for p in cl.get_platforms() if p.name == 'Weft']
versions = sorted(d.driver_version for p in both for d in p.get_devices())
print('both in one process:', versions)
assert len(both) == 2, both
for p in both:
    context = cl.Context(p.get_devices())
    queue = cl.CommandQueue(context)
    a = np.arange(1000, dtype=np.int32)
    b = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
    cl.Program(context, 'kernel void f(global int *a) { a[get_global_id(0)] *= 3; }').build().f(queue, a.shape, None, b)
    r = np.empty_like(a)
    cl.enqueue_copy(queue, r, b)
    assert (r == 3 * a).all()
libraries = {line.split()[-1] for line in open('/proc/self/maps') if 'libweft.so' in line}
print('\n'.join(sorted(libraries)))
assert len(libraries) == 2
P
fi
step /venv/bin/pip uninstall -y weft-opencl
test ! -e "$(echo /venv/lib/python3*/site-packages)/pyopencl/.libs/weft.icd" || fail "uninstalling leaves weft.icd"
step /venv/bin/pip uninstall -y pyopencl
(cd /venv && find . -type f -path '*weft*' | LC_ALL=C sort) >/tmp/left
test -s /tmp/left && cat /tmp/left && fail "uninstalling leaves files"
test ! -d "$(echo /venv/lib/python3*/site-packages)/pyopencl" || fail "uninstalling leaves a folder pyopencl"
echo "# uninstalled without a trace"
