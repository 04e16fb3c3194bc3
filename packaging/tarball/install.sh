#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs this folder of Weft, or removes what it has installed.
#
#   ./install.sh                    for the system: /usr/local, /etc/OpenCL/vendors/weft-local.icd (root)
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

# Lists of paths are lines: $paths without quotes is one word per line.
nl='
'
IFS=$nl
set -f

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
icd=$vendors/weft-local.icd # packages have a weft.icd

# What this script has written: "folder PATH" where it made the folder, "SHA256 PATH" of each file.
list=$prefix/share/weft/installed-files
known=
files_of() { printf '%s\n' "$1" | sed -n 's/^[0-9a-f]\{64\} //p' | sort -u; }
folders_of() { printf '%s\n' "$1" | sed -n 's/^folder //p' | sort -ru; } # inner ones first

checksum() {
    sum=$(sha256sum <"$1") || die 1 "$1 cannot be read"
    printf '%s\n' "${sum%% *}"
}

there() { [ -e "$1" ] || [ -L "$1" ]; }

# Is the file as this script has left it?
ours() {
    [ -f "$1" ] && [ ! -L "$1" ] || return 1
    line="$(checksum "$1") $1"
    case $nl$known$nl in *"$nl$line$nl"*) ;; *) return 1 ;; esac
}

# Removes a file of the list, and what an interrupted run has left beside it.
remove() {
    rm -f "$1.weft-new"
    there "$1" || return 0
    if ours "$1"; then rm -f "$1"; else printf 'install.sh: %s has changed since it was installed: it stays\n' "$1" >&2; fi
}

remove_folders() { for folder in $1; do rmdir "$folder" 2>/dev/null || true; done; }

# The list is there as a whole or as it was.
write_list() { printf '%s\n' "$1" | sed '/^$/d' | sort -u >"$list.new" && mv -f "$list.new" "$list"; }

if there "$list"; then
    known=$(cat "$list") || die 1 "$list cannot be read"
    [ -n "$(files_of "$known")" ] || die 1 "$list is not a list of this script's: move it away first"
fi

if [ "$uninstall" = yes ]; then
    [ -n "$known" ] || die 1 "nothing was installed by this script in $prefix"
    [ -w "${list%/*}" ] || die 1 "${list%/*} cannot be written to: who installed it can remove it"
    files=$(files_of "$known")
    for file in $files; do remove "$file"; done
    rm -f "$list" "$list.new"
    remove_folders "$(folders_of "$known")"
    printf 'removed from %s\n' "$prefix"
    exit 0
fi

for file in lib/weft/libweft.so lib/weft/weft-compiler bin/weft; do
    [ -f "$here/$file" ] || die 1 "$here/$file is not there: call install.sh where the tarball was unpacked"
done
writable() { # or can be made
    probe=$1
    while [ ! -d "${probe:-/}" ]; do probe=${probe%/*}; done
    [ -w "${probe:-/}" ] || die 1 "${probe:-/} cannot be written to$2"
}
writable "$prefix" ". As root, or: ./install.sh --user"
writable "$vendors" ", and loaders look in $vendors. As root, or: --vendors FOLDER"

# Two Wefts are two platforms of one name: hardly what was meant.
other=$(cat "$vendors/weft.icd" 2>/dev/null) || other=''
case $other in /*) [ -e "$other" ] || other='' ;; esac # a removed package leaves the file, and no library
[ -z "$other" ] || die 1 "another Weft is installed, $vendors/weft.icd. Remove it first (apt-get remove weft-opencl-icd), or: --prefix FOLDER"

# What will be in the list. A file that is there already must be of an earlier run.
missing() {
    above=${1%/*}
    while [ -n "$above" ] && [ ! -d "$above" ]; do
        printf 'folder %s\n' "$above"
        above=${above%/*}
    done
}
sources=$(cd "$here" && find bin lib include share -type f) || die 1 "$here is not the whole tarball"
sum=$(printf '%s\n' "$prefix/lib/weft/libweft.so" | sha256sum)
new="${sum%% *} $icd"
for file in $sources; do
    sum=$(checksum "$here/$file")
    new="$new$nl$sum $prefix/$file"
done
targets=$(files_of "$new")
for file in $targets; do
    ! there "$file" || ours "$file" ||
        die 1 "$file is there, and not as this script has installed it in $prefix: uninstall it or move it away first"
done
made=$(for file in $targets "$list"; do missing "$file"; done)

# Everything is copied beside its place, then renamed: whatever fails before that leaves the old version as it
# was, and what runs keeps its old files. The list names old and new before anything is there.
renaming=no
undo() {
    trap '' HUP INT TERM
    for file in $targets; do rm -f "$file.weft-new"; done
    rm -f "$list.new"
    [ $renaming = no ] || die 1 "failed while it renamed files in $prefix: run it again, or with --uninstall"
    [ -n "$known" ] || rm -f "$list"
    [ -z "$known" ] || write_list "$known" || rm -f "$list.new" # the longer list is right as well
    remove_folders "$(folders_of "$made")"
    die 1 "failed: $prefix is as it was"
}
trap undo EXIT
trap 'exit 1' HUP INT TERM
umask 022
mkdir -p "${list%/*}" "$vendors"
write_list "$made$nl$new$nl$known" || exit 1
for file in $sources; do
    copy=$prefix/$file.weft-new
    mkdir -p "${copy%/*}"
    rm -f "$copy"
    cp "$here/$file" "$copy"
    if [ -x "$here/$file" ]; then chmod 755 "$copy"; else chmod 644 "$copy"; fi
done
rm -f "$icd.weft-new"
printf '%s\n' "$prefix/lib/weft/libweft.so" >"$icd.weft-new"
renaming=yes
for file in $targets; do mv -f "$file.weft-new" "$file"; done
former=$(files_of "$known")
for file in $former; do # in the old version alone
    case $nl$targets$nl in *"$nl$file$nl"*) ;; *) remove "$file" ;; esac
done
write_list "$made$nl$new$nl$(printf '%s\n' "$known" | grep '^folder ')" || exit 1
trap - EXIT HUP INT TERM

printf 'installed in %s, %s\n' "$prefix" "$icd"
quoted() { printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"; }
if [ "$vendors" != /etc/OpenCL/vendors ]; then
    printf '%s\n' "Loaders look in /etc/OpenCL/vendors, which needs root. Until $icd is there, set for your programs:" \
        "  export OCL_ICD_VENDORS=$(quoted "$vendors")" \
        "or, with Khronos' loader, to add it to what the system has:" \
        "  export OCL_ICD_FILENAMES=$(quoted "$prefix/lib/weft/libweft.so")"
fi
if [ "$user" = yes ]; then
    echo "As a user, nothing can be installed for programs that do not see this variable (services, setuid programs)."
    case :$PATH: in *:"$prefix/bin":*) ;; *) printf '%s\n' "$prefix/bin is not in PATH: there is the tool, weft." ;; esac
fi
