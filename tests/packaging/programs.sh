# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The distribution's own programs on the installed packages: PyOpenCL with its tests, hashcat, clpeak.
. /opt/tests/common.sh
step apt-get update
step apt-get install -y --no-install-recommends ocl-icd-libopencl1 python3-pyopencl python3-mako python3-pytest hashcat
# Debian 11 has no clpeak: from its source, if `run --clpeak FOLDER` has it.
step apt-get install -y --no-install-recommends clpeak || {
    test -d /opt/clpeak || fail "no package clpeak: say --clpeak FOLDER, with its source, version 1.1.2"
    step apt-get install -y --no-install-recommends g++ cmake make opencl-clhpp-headers opencl-c-headers ocl-icd-opencl-dev
    step cmake -S /opt/clpeak -B /opt/clpeak/build -DCMAKE_BUILD_TYPE=Release >/tmp/step.log 2>&1 || { tail -n 20 /tmp/step.log; fail cmake; }
    step make -C /opt/clpeak/build install >/tmp/step.log 2>&1 || { tail -n 20 /tmp/step.log; fail make; }
}
step apt-get install -y --no-install-recommends ./weft-opencl-icd_*_amd64.deb ./weft-tools_*_amd64.deb
cd /tmp

# The distribution does not package PyOpenCL's tests: from the source of the version that it has.
version=$(dpkg-query -Wf '${Version}' python3-pyopencl | sed 's/[-+].*//')
step env SSL_CERT_FILE=/opt/ca.crt python3 /opt/tests/sources.py pyopencl "$version" /tmp
cd "/tmp/pyopencl-$version/test"
start
status=0
printf '\n$ weft ci python3 -m pytest test_*.py\n'
weft ci --cache /tmp/cache python3 -m pytest -q -p no:cacheprovider test_algorithm.py test_clmath.py test_clrandom.py \
    test_enqueue_copy.py test_wrapper.py test_array.py >/tmp/tests.log 2>&1 || status=$?
grep -aE '^(FAILED|ERROR) |(passed|failed|skipped).* in |^weft ci' /tmp/tests.log || true
test $status = 0 || { tail -n 30 /tmp/tests.log; fail "pytest ended with $status"; }
took "PyOpenCL's tests"

cd /tmp
start
# Searched, not looked up, from builds with nothing cached: MD5, SHA-1, SHA-256, md5crypt (a thousand turns).
crack() {
    rm -f /tmp/found
    weft ci --cache /tmp/cache hashcat --force --potfile-disable -D 1 -m "$1" -a 3 -o /tmp/found "$2" "$3" >/tmp/hashcat.log 2>&1 ||
        { tail -n 30 /tmp/hashcat.log; fail "hashcat -m $1"; }
    printf '\n$ hashcat -m %s -a 3 %s %s\n' "$1" "$2" "$3"
    grep -aE '^(Status|Speed.#)' /tmp/hashcat.log
    cat /tmp/found
    test "$(sed 's/.*://' /tmp/found)" = "$4" || fail "hashcat -m $1"
}
crack 0 "$(printf weft9 | md5sum | cut -d' ' -f1)" '?l?l?l?l?d' weft9
crack 100 "$(printf weft9 | sha1sum | cut -d' ' -f1)" '?l?l?l?l?d' weft9
crack 1400 "$(printf weft9 | sha256sum | cut -d' ' -f1)" '?l?l?l?l?d' weft9
crack 500 '$1$saltsalt$nOvYUH.43jDbLs8O7hhkV/' 'ab?d' ab7
took "hashcat cracks"
printf '\n$ hashcat -b -m 1400\n'
weft ci --cache /tmp/cache hashcat --force -D 1 -b -m 1400 >/tmp/hashcat.log 2>&1 || { tail -n 30 /tmp/hashcat.log; fail "hashcat -b"; }
grep -aE '^(Hashmode|Hash.Mode|Speed.#)|^\* Hash-Mode' /tmp/hashcat.log

start
printf '\n$ clpeak\n'
weft ci --cache /tmp/cache clpeak >/tmp/clpeak.log 2>&1 || { tail -n 30 /tmp/clpeak.log; fail clpeak; }
took "clpeak"
grep -aE 'Device|Driver|float16|double8|int16 |enqueue|latency' /tmp/clpeak.log
grep -aE ': (nan|0\.00)$|failed' /tmp/clpeak.log && fail "clpeak has a line without a number"
echo "# all programs ran on the packages as installed"
