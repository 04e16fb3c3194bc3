# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages: installation, first result, upgrade, removal, purge.
. /opt/tests/common.sh
mkdir -p /etc/OpenCL/vendors
echo libother.so >/etc/OpenCL/vendors/other.icd
step apt-get update
start
step apt-get install -y --no-install-recommends ocl-icd-libopencl1 clinfo python3-pyopencl
took "the distribution's loader, clinfo and PyOpenCL, by the network"
snapshot >/tmp/before

start
step apt-get install -y --no-install-recommends ./weft-opencl-icd_*_amd64.deb ./weft-tools_*_amd64.deb ./libweft-dev_*_all.deb
took "Weft's packages"
step clinfo -l
took "clinfo"
clinfo -l | grep Weft >/dev/null || fail "clinfo does not list Weft"
cd /tmp
start
step weft ci python3 /opt/tests/saxpy.py
took "a program of the distribution's PyOpenCL"
took_all
export WEFT_CACHE_DIR=/tmp/cache
self_test weft selftest
test "$(grep -c '^good' /tmp/selftest)" -gt 30 || fail selftest
weft --version
man -w weft-ci >/dev/null 2>&1 || test -f /usr/share/man/man1/weft-ci.1.gz || echo "(this root leaves out man pages)"
test -f /usr/include/CL/cl_ext_weft.h
unset WEFT_CACHE_DIR
# OpenCL 3.0 for all programs of the machine.
echo "WEFT_OPENCL = 3.0" >/etc/weft.conf
clinfo | grep "OpenCL 3.0 Weft" || fail "/etc/weft.conf is not obeyed"
rm /etc/weft.conf
cd /opt/dist

# From the version before; both ways, since people go back too.
step apt-get install -y --allow-downgrades ./old/weft-opencl-icd_*_amd64.deb ./old/weft-tools_*_amd64.deb
dpkg-query -W weft-opencl-icd weft-tools
echo "# the newer library alone, under the older tool:"
status=0 && step dpkg -i ./weft-opencl-icd_*_amd64.deb || status=$?
test $status != 0 || fail "dpkg has put a newer library under an older tool"
test "$(dpkg-query -W -f '${Version} ${Status};' weft-opencl-icd weft-tools | tr ';' '\n' | uniq | wc -l)" = 1 || fail "dpkg has changed something"
step weft --version
step apt-get install -y ./weft-opencl-icd_*_amd64.deb ./weft-tools_*_amd64.deb
dpkg-query -W weft-opencl-icd weft-tools
(cd /tmp && weft ci python3 /opt/tests/saxpy.py) || fail "after the upgrade"
test "$(cat /etc/OpenCL/vendors/weft.icd)" = /usr/lib/weft/libweft.so

step apt-get remove -y --autoremove weft-tools weft-opencl-icd libweft-dev
test -f /etc/OpenCL/vendors/weft.icd && echo "# the .icd file is a conffile: removal keeps it, purge takes it"
clinfo -l | grep Weft >/dev/null && fail "clinfo lists Weft after its removal"
step apt-get purge -y weft-opencl-icd # the others are gone, and apt does not know what was never in a repository
rm -rf /root/.cache /tmp/.weft* # what programs have written: caches of Weft, PyOpenCL and PoCL
snapshot >/tmp/after
diff /tmp/before /tmp/after || fail "purge leaves a trace, or took something"
test "$(cat /etc/OpenCL/vendors/other.icd)" = libother.so
dpkg-query -W 'weft*' 2>/dev/null | grep . && fail "dpkg knows Weft"
echo "# purged without a trace; other.icd as it was"
