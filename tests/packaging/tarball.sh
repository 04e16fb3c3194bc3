# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tarball: from any folder, into a prefix, for a user, for the system; and away again.
. /opt/tests/common.sh
command -v xz >/dev/null || { step apt-get update; step apt-get install -y --no-install-recommends xz-utils; }
files() { snapshot | grep -v '^/root/.cache'; } # Weft's own cache is no part of an installation
as_before() {
    files >/tmp/after
    diff /tmp/before /tmp/after || fail "uninstalling leaves a trace, or took something"
}

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
files >/tmp/before

step ./install.sh --prefix /srv/prefix
self_test /srv/prefix/bin/weft selftest
step ./install.sh --prefix /srv/prefix/ # again: an update
step ./install.sh --prefix /srv/prefix --uninstall
as_before

# On a disk that has room for one version.
mkdir /srv/small
mount -t tmpfs -o size=200m small /srv/small
trap 'umount /srv/small 2>/dev/null || true' EXIT
step ./install.sh --prefix /srv/small/prefix
find /srv/small -type f -exec sha256sum {} + | LC_ALL=C sort >/tmp/one
step ./install.sh --prefix /srv/small/prefix && fail "two versions had room"
find /srv/small -type f -exec sha256sum {} + | LC_ALL=C sort >/tmp/two
diff /tmp/one /tmp/two || fail "a full disk has changed what was installed"
self_test /srv/small/prefix/bin/weft selftest
step ./install.sh --prefix /srv/small/prefix --uninstall
dd if=/dev/zero of=/srv/small/fill bs=1M count=100 2>/dev/null
step ./install.sh --prefix /srv/small/prefix && fail "one version had room"
test "$(ls -A /srv/small)" = fill || fail "a full disk leaves $(ls -A /srv/small)"
umount /srv/small
rmdir /srv/small

mkdir -p /etc/OpenCL/vendors && echo libother.so >/etc/OpenCL/vendors/other.icd
files >/tmp/before
step ./install.sh --prefix //usr/./local/ # the same as without it
step cat /etc/OpenCL/vendors/weft-local.icd
if [ "${1:-}" = loader ]; then
    step apt-get update
    step apt-get install -y --no-install-recommends ocl-icd-libopencl1 clinfo
    step clinfo -l
    test "$(clinfo -l | grep -c Weft)" = 1 || fail "clinfo does not list Weft once"
fi
step ./install.sh --uninstall
test ! -e /etc/OpenCL/vendors/weft-local.icd || fail weft-local.icd
test "$(cat /etc/OpenCL/vendors/other.icd)" = libother.so

# With the Debian package: it is refused beside one, and neither takes a file of the other's.
if [ "${1:-}" = loader ]; then
    step apt-get install -y /opt/dist/weft-opencl-icd_*_amd64.deb
    files >/tmp/before
    step ./install.sh && fail "two Wefts"
    as_before
    step apt-get remove -y weft-opencl-icd # which leaves its .icd file
    files >/tmp/before
    step ./install.sh
    test "$(clinfo -l | grep -c Weft)" = 1 || fail "clinfo does not list Weft once"
    step ./install.sh --uninstall
    as_before
    step ./install.sh
    step apt-get install -y /opt/dist/weft-opencl-icd_*_amd64.deb
    step dpkg --verify weft-opencl-icd
    step ./install.sh --uninstall
    test -z "$(dpkg --verify weft-opencl-icd)" || fail "uninstalling has changed the package's files"
    test "$(clinfo -l | grep -c Weft)" = 1 || fail "the package's Weft is gone"
    step apt-get purge -y weft-opencl-icd

    # The tarball first: dpkg has nothing to ask. Two platforms, with which the loader of Debian 13 crashed (docs/icd.md).
    step ./install.sh
    step dpkg -i /opt/dist/weft-opencl-icd_*_amd64.deb
    test "$(clinfo -l | grep -c Weft)" = 2 || fail "clinfo does not list both"
    step apt-get purge -y weft-opencl-icd
    test "$(clinfo -l | grep -c Weft)" = 1 || fail "purging the package took the tarball's"
    step ./install.sh --uninstall
    apt-get purge -y --autoremove ocl-icd-libopencl1 clinfo >/dev/null 2>&1
    step cat /etc/OpenCL/vendors/other.icd
else
    as_before
fi
rm -r /etc/OpenCL
step ./install.sh
step ./install.sh --uninstall
test ! -e /etc/OpenCL || fail "uninstalling leaves /etc/OpenCL, which it had made"

useradd -m somebody 2>/dev/null || adduser --disabled-password --gecos '' somebody >/dev/null
step su somebody -c 'cd "/srv/a folder"/weft-* && ./install.sh; echo "status $?"'
step su somebody -c 'cd "/srv/a folder"/weft-* && ./install.sh --user'
self_test su somebody -c '~/.local/bin/weft selftest'
step su somebody -c 'cd "/srv/a folder"/weft-* && ./install.sh --user --uninstall'
test -z "$(find /home/somebody -path '*weft*' ! -path '*/.cache*')" || fail "uninstalling leaves files of the user's"
echo "# uninstalled without a trace"
