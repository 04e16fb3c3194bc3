#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What ci/action.yml does, for any job with Python 3.8: installs the wheel into a folder of its own, runs the self-test,
# makes Weft the only OpenCL device of what follows, and puts `weft` into PATH.
# Where there is no $GITHUB_ENV, it prints lines for a shell: eval "$(WEFT_CI_WHEEL=FILE ci/setup.sh)".
#
#   WEFT_CI_WHEEL     the wheel: a file, or an address with WEFT_CI_SHA256
#   WEFT_CI_SHA256    its SHA-256, in hexadecimal digits
#   WEFT_CI_INDEX     yes, to take it from pip's index instead; the name is on none so far, and whoever takes it runs code here
#   WEFT_CI_CACHE, WEFT_CI_THREADS, WEFT_CI_RAN    options of `weft ci`
#   WEFT_CI_SELFTEST  no, to leave it out
#   WEFT_CI_FOLDER    where to install
set -eu
version=0.2.0
folder=${WEFT_CI_FOLDER:-${RUNNER_TEMP:-$PWD/.weft}}/weft-opencl
wheel=${WEFT_CI_WHEEL:-} sum=${WEFT_CI_SHA256:-}
sum=${sum,,}

say() {
    printf 'weft: %s\n' "$*" >&2
}

give_up() {
    say "$@"
    exit 1
}

# In single quotes, which every shell understands; bash's %q writes $'...' for what is not ASCII.
quote() {
    printf "'"
    printf %s "$1" | sed "s/'/'\\\\''/g"
    printf "'"
}

# The words for pip: the file, the address with its sum, or the very version of an index.
choose() {
    case ${WEFT_CI_INDEX:-no}:$wheel in
    yes: | true:)
        mkdir -p "$(dirname "$folder")"
        printf '%s\n' "weft-opencl==$version${sum:+ --hash=sha256:$sum}" >"$folder.requirements"
        what=(--only-binary :all: --requirement "$folder.requirements")
        ;;
    yes:* | true:*) give_up "a wheel and an index: which one?" ;;
    *:) give_up "no wheel: set the action's input 'wheel' (WEFT_CI_WHEEL) to the file of Weft $version or its address; it is on no package index yet" ;;
    *:http://* | *:https://* | *:file://*)
        [ -n "$sum" ] || give_up "$wheel: an address needs the input 'sha256' (WEFT_CI_SHA256)"
        what=(--no-index "${wheel%%#*}#sha256=$sum")
        ;;
    *)
        [ -f "$wheel" ] || give_up "$wheel: there is no such file"
        [ -z "$sum" ] || [ "$(sha256sum <"$wheel" | cut -d ' ' -f 1)" = "$sum" ] || give_up "$wheel: another SHA-256 than $sum"
        what=(--no-index "$wheel")
        ;;
    esac
}

choose
python3 -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target "$folder" "${what[@]}" >&2
tool=$folder/weft_opencl/weft
chmod +x "$tool" "$folder/weft_opencl/weft-compiler"
[ "$("$tool" --version)" = "weft $version" ] || give_up "the wheel is of $("$tool" --version), this script of $version"

options=()
[ -z "${WEFT_CI_CACHE:-}" ] || options+=(--cache "$WEFT_CI_CACHE")
[ -z "${WEFT_CI_THREADS:-}" ] || options+=(--threads "$WEFT_CI_THREADS")
[ -z "${WEFT_CI_RAN:-}" ] || options+=(--ran "$WEFT_CI_RAN")

if [ "${WEFT_CI_SELFTEST:-yes}" != no ]; then
    "$tool" selftest >"$folder/selftest.log" 2>&1 || {
        cat "$folder/selftest.log" >&2
        give_up "the self-test failed"
    }
    say "self-test: $(tail -n 1 "$folder/selftest.log")"
fi

if [ -n "${GITHUB_ENV:-}" ]; then
    "$tool" ci --plain ${options[@]+"${options[@]}"} >>"$GITHUB_ENV"
    echo "$folder/weft_opencl" >>"$GITHUB_PATH"
else
    "$tool" ci ${options[@]+"${options[@]}"}
    printf 'export PATH=%s:"$PATH"\n' "$(quote "$folder/weft_opencl")"
fi
# Programs other than PyOpenCL's wheel bring no loader.
if ! python3 -c 'import ctypes; ctypes.CDLL("libOpenCL.so.1")' 2>/dev/null; then
    say "no OpenCL loader (libOpenCL.so.1) is installed: apt-get install ocl-icd-libopencl1, where the tests need one"
fi
