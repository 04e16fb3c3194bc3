# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by ./demo and ./check: what they share. Needs $root; sets $build and $jobs.

# Packages of Debian 12 that the build needs, those that ./demo runs, and those that the tests need besides.
packages=(
    gcc g++ meson ninja-build pkg-config python3
    llvm-22-dev libclang-22-dev clang-22 lld-22
    libzstd-dev zlib1g-dev libxxhash-dev libffi-dev libhwloc-dev spirv-tools
    opencl-headers ocl-icd-opencl-dev ocl-icd-libopencl1 clinfo libpng-dev
)
test_packages=(
    libclang-rt-22-dev llvm-22 llvm-22-tools bolt-22
    clang-format-22 valgrind binutils gdb locales libmpfr-dev
    llvm-spirv-15 clang-15
    python3-sphinx python3-myst-parser furo
    openmpi-bin python3-mpi4py python3-pyopencl python3-distributed
)

say() {
    printf '\033[1m%s\033[0m\n' "$*"
}

# Installs what is missing if we may, else names it. Usage: ensure_packages PACKAGE...
ensure_packages() {
    local missing=() package there
    there=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sort -u)
    for package; do
        case $'\n'$there$'\n' in
        *$'\n'"$package installed"$'\n'*) ;;
        *) missing+=("$package") ;;
        esac
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "These packages are missing: ${missing[*]}" >&2
        echo "As root: apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
        return 1
    fi
    say "installing ${#missing[@]} packages"
    local log
    log=$(mktemp)
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${missing[@]}"; } \
        >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "apt-get could not install: ${missing[*]}" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
    installed_some=yes
}

# Configures DIR once, then brings it up to date: all, or the targets in $targets. Usage: build_in DIR [meson options]
build_in() {
    local dir=$1
    shift
    if [ ! -f "$dir/build.ninja" ]; then
        say "configuring $(basename "$dir")"
        meson setup -Dwerror=true -Dbreakable=true "$@" "$dir" "$root" >"$dir.log" 2>&1 || {
            tail -n 30 "$dir.log" >&2
            return 1
        }
    elif [ -n "${installed_some:-}" ]; then
        # What was not there when this was configured, for ./demo perhaps, is there now.
        meson configure --clearcache "$dir" >"$dir.log" 2>&1
        meson setup --reconfigure "$dir" "$root" >"$dir.log" 2>&1
    fi
    # Folders that were configured before there was this option.
    grep -q '"name": "breakable", "value": true' "$dir/meson-info/intro-buildoptions.json" ||
        meson configure "$dir" -Dbreakable=true >"$dir.log" 2>&1
    say "building $(basename "$dir")"
    # shellcheck disable=SC2086 # words
    ninja -C "$dir" ${targets:-} >"$dir.log" 2>&1 || {
        grep -E -A 12 'FAILED|error' "$dir.log" | head -n 60 >&2
        return 1
    }
}
