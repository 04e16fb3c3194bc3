#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs this folder of Weft, or removes what it has installed.
#
#   ./install.sh                    for the system: /usr/local, /etc/OpenCL/vendors/weft.icd (root)
#   ./install.sh --prefix FOLDER    into a folder; with --vendors FOLDER the .icd file goes there
#   ./install.sh --user             for you: ~/.local; no loader looks there by itself, so it says what to set
#   ./install.sh --uninstall [...]  the same places, emptied of it
#
# Exit status: 0 done, 1 failed, 2 wrong usage.
set -eu
unset CDPATH # with it, cd may go elsewhere
export LC_ALL=C # paths are bytes, and sorted the same everywhere
self=$(readlink -f "$0") # behind symbolic links
here=$(dirname "$self")
prefix=/usr/local vendors='' user=no uninstall=no
nl='
'

usage() { sed -n '3,10s/^# \{0,1\}//p' "$self"; exit "$1"; }
die() { printf 'install.sh: %s\n' "$2" >&2; exit "$1"; }

# One name for each folder: names are compared, and stand in the list.
normal() {
    case $2 in
    *"$nl"*) die 2 "$1 wants a path of one line" ;;
    */../* | */..) die 2 "$1 wants a path without .." ;;
    /*) ;;
    *) die 2 "$1 wants a path that begins with /" ;;
    esac
    path=$(printf '%s\n' "$2" | sed -e ':again' -e 's|/\.\{0,1\}/|/|g' -e 'tagain' -e 's|/\.\{0,1\}$||')
    [ -n "$path" ] || die 2 "$1 wants another folder than /"
    printf '%s\n' "$path"
}

while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --vendors)
        [ $# -gt 1 ] || usage 2 >&2
        path=$(normal "$1" "$2")
        if [ "$1" = --prefix ]; then prefix=$path; else vendors=$path; fi
        shift
        ;;
    --user)
        [ -n "${HOME-}" ] || die 2 "--user wants the variable HOME, which is not set"
        user=yes prefix=$(normal "--user's HOME" "$HOME/.local")
        ;;
    --uninstall) uninstall=yes ;;
    --help) usage 0 ;;
    *) usage 2 >&2 ;;
    esac
    shift
done
case $prefix in
/usr) die 2 "/usr belongs to the system's packages: /usr/local, which is the default, is found as well" ;;
/usr/local) vendors=${vendors:-/etc/OpenCL/vendors} ;;
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

for file in lib/weft/libweft.so lib/weft/weft-compiler bin/weft; do
    [ -f "$here/$file" ] || die 1 "$here/$file is not there: call install.sh where the tarball was unpacked"
done
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

printf '%s\n' "installed in $prefix, $vendors/weft.icd"
quoted() { printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"; }
if [ "$vendors" != /etc/OpenCL/vendors ]; then
    printf '%s\n' "Loaders look in /etc/OpenCL/vendors, which needs root. Until $vendors/weft.icd is there, set for your programs:" \
        "  export OCL_ICD_VENDORS=$(quoted "$vendors")" \
        "or, with Khronos' loader, to add it to what the system has:" \
        "  export OCL_ICD_FILENAMES=$(quoted "$prefix/lib/weft/libweft.so")"
fi
if [ "$user" = yes ]; then
    echo "As a user, nothing can be installed for programs that do not see this variable (services, setuid programs)."
    case :$PATH: in *:"$prefix/bin":*) ;; *) printf '%s\n' "$prefix/bin is not in PATH: there is the tool, weft." ;; esac
fi
