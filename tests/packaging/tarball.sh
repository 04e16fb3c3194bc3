# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tarball: from any folder, into a prefix, for a user, for the system; and away again.
. /opt/tests/common.sh
command -v xz >/dev/null || { step apt-get update; step apt-get install -y --no-install-recommends xz-utils; }
mkdir -p "/srv/a folder" && cd "/srv/a folder"
start
step tar xf /opt/dist/weft-*-linux-x86_64.tar.xz
took "unpacking"
cd weft-*
self_test bin/weft selftest
took "the self-test"
took_all
eval "$(bin/weft ci)"
case $OCL_ICD_VENDORS in "/srv/a folder/"*libweft.so) ;; *) fail "weft ci names $OCL_ICD_VENDORS" ;; esac
unset OCL_ICD_VENDORS OCL_ICD_FILENAMES WEFT_CACHE_DIR WEFT_THREADS WEFT_RAN
snapshot >/tmp/before

step ./install.sh --prefix /srv/prefix
self_test /srv/prefix/bin/weft selftest
step ./install.sh --prefix /srv/prefix # again: an update
step ./install.sh --prefix /srv/prefix --uninstall
test ! -e /srv/prefix/bin || fail "uninstalling leaves /srv/prefix/bin"
rmdir /srv/prefix 2>/dev/null || true

mkdir -p /etc/OpenCL/vendors && echo libother.so >/etc/OpenCL/vendors/other.icd
step ./install.sh
step cat /etc/OpenCL/vendors/weft.icd
if [ "${1:-}" = loader ]; then
    step apt-get update
    step apt-get install -y --no-install-recommends ocl-icd-libopencl1 clinfo
    step clinfo -l
    clinfo -l | grep Weft >/dev/null || fail "clinfo does not list Weft"
    apt-get purge -y --autoremove ocl-icd-libopencl1 clinfo >/dev/null 2>&1
fi
step ./install.sh --uninstall
test ! -e /etc/OpenCL/vendors/weft.icd || fail weft.icd
test "$(cat /etc/OpenCL/vendors/other.icd)" = libother.so

useradd -m somebody 2>/dev/null || adduser --disabled-password --gecos '' somebody >/dev/null
step su somebody -c 'cd "/srv/a folder"/weft-* && ./install.sh; echo "status $?"'
step su somebody -c 'cd "/srv/a folder"/weft-* && ./install.sh --user'
self_test su somebody -c '~/.local/bin/weft selftest'
step su somebody -c 'cd "/srv/a folder"/weft-* && ./install.sh --user --uninstall'
test -z "$(find /home/somebody -path '*weft*' ! -path '*/.cache*')" || fail "uninstalling leaves files of the user's"
echo "# uninstalled without a trace"
