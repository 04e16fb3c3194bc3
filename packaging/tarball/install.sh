#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs this folder of Weft, or removes what it has installed.
#
#   ./install.sh                    for the system: /usr/local, /etc/OpenCL/vendors (root)
#   ./install.sh --prefix FOLDER    into a folder; with --vendors FOLDER the .icd file goes there
#   ./install.sh --user             for you: ~/.local; no loader looks there by itself, so it says what to set
#   ./install.sh --uninstall [...]  the same places, emptied of it
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local vendors= user=no uninstall=no

usage() {
    sed -n '3,9s/^# \{0,1\}//p' "$0"
    exit "$1"
}

while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --vendors)
        [ $# -gt 1 ] || usage 2 >&2
        case $2 in
        /*) ;;
        *) echo "install.sh: $1 wants a path that begins with /" >&2; exit 2 ;;
        esac
        [ "$1" = --prefix ] && prefix=$2 || vendors=$2
        shift
        ;;
    --user) user=yes prefix=${HOME:?}/.local ;;
    --uninstall) uninstall=yes ;;
    --help) usage 0 ;;
    *) usage 2 >&2 ;;
    esac
    shift
done
case $prefix in
/usr | /usr/local) vendors=${vendors:-/etc/OpenCL/vendors} ;;
*) vendors=${vendors:-$prefix/etc/OpenCL/vendors} ;;
esac
list=$prefix/share/weft/installed-files

# The list lies in a folder that it names itself: a copy outlives it.
take_away() {
    [ -f "$list" ] || return 0
    kept=$(mktemp)
    cp "$list" "$kept"
    sed '1!G;h;$!d' "$kept" | while IFS= read -r file; do
        rm -f "$file"
        folder=$(dirname "$file")
        while [ "$folder" != "$prefix" ] && [ "$folder" != /etc ] && [ "$folder" != / ]; do
            rmdir "$folder" 2>/dev/null || break
            folder=$(dirname "$folder")
        done
    done
    rm -f "$kept"
}

if [ "$uninstall" = yes ]; then
    if [ ! -f "$list" ]; then
        echo "install.sh: nothing was installed by this script in $prefix" >&2
        exit 1
    fi
    take_away
    echo "removed from $prefix"
    exit 0
fi

probe=$prefix
while [ ! -d "$probe" ]; do probe=$(dirname "$probe"); done
if [ ! -w "$probe" ]; then
    echo "install.sh: $probe cannot be written to. As root, or: ./install.sh --user" >&2
    exit 1
fi
probe=$vendors
while [ ! -d "$probe" ]; do probe=$(dirname "$probe"); done
if [ ! -w "$probe" ]; then
    echo "install.sh: $probe cannot be written to, and loaders look in $vendors. As root, or: --vendors FOLDER" >&2
    exit 1
fi

take_away # of another version
umask 022
mkdir -p "$(dirname "$list")" "$vendors"
: >"$list.new"
(cd "$here" && find bin lib include share -type f | LC_ALL=C sort) | while IFS= read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    # A new file under the old name: what runs now keeps the old one.
    cp "$here/$file" "$prefix/$file.weft-new"
    [ -x "$here/$file" ] && chmod 755 "$prefix/$file.weft-new" || chmod 644 "$prefix/$file.weft-new"
    mv -f "$prefix/$file.weft-new" "$prefix/$file"
    printf '%s\n' "$prefix/$file" >>"$list.new"
done
printf '%s\n' "$prefix/lib/weft/libweft.so" >"$vendors/weft.icd"
printf '%s\n' "$vendors/weft.icd" "$list" >>"$list.new"
mv -f "$list.new" "$list"

echo "installed in $prefix, $vendors/weft.icd"
if [ "$vendors" != /etc/OpenCL/vendors ]; then
    echo "Loaders look in /etc/OpenCL/vendors, which needs root. Until $vendors/weft.icd is there, set for your programs:"
    echo "  export OCL_ICD_VENDORS=$vendors      (OCL_ICD_FILENAMES=$prefix/lib/weft/libweft.so adds to what the system has, with Khronos' loader)"
fi
if [ "$user" = yes ]; then
    echo "As a user, nothing can be installed for programs that do not see this variable (services, setuid programs)."
    case :$PATH: in
    *:"$prefix/bin":*) ;;
    *) echo "$prefix/bin is not in PATH: there is the tool, weft." ;;
    esac
fi
