#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What ci/action.yml does, for any job with Python 3.8: installs the wheel into a folder of its own, runs the self-test,
# makes Weft the only OpenCL device of what follows, and puts `weft` into PATH.
# Where there is no $GITHUB_ENV, it prints lines for a shell: eval "$(ci/setup.sh)".
set -eu
folder=${WEFT_CI_FOLDER:-${RUNNER_TEMP:-$PWD/.weft}}/weft-opencl

say() {
    printf 'weft: %s\n' "$*" >&2
}

python3 -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target "$folder" \
    "${WEFT_CI_SOURCE:-weft-opencl}" >&2
tool=$folder/weft_opencl/weft
chmod +x "$tool" "$folder/weft_opencl/weft-compiler"

options=()
[ -z "${WEFT_CI_CACHE:-}" ] || options+=(--cache "$WEFT_CI_CACHE")
[ -z "${WEFT_CI_THREADS:-}" ] || options+=(--threads "$WEFT_CI_THREADS")
[ -z "${WEFT_CI_RAN:-}" ] || options+=(--ran "$WEFT_CI_RAN")

if [ "${WEFT_CI_SELFTEST:-yes}" != no ]; then
    "$tool" selftest >"$folder/selftest.log" 2>&1 || {
        cat "$folder/selftest.log" >&2
        say "the self-test failed"
        exit 1
    }
    say "self-test: $(tail -n 1 "$folder/selftest.log")"
fi

if [ -n "${GITHUB_ENV:-}" ]; then
    "$tool" ci --plain ${options[@]+"${options[@]}"} >>"$GITHUB_ENV"
    echo "$folder/weft_opencl" >>"$GITHUB_PATH"
else
    "$tool" ci ${options[@]+"${options[@]}"}
    printf 'export PATH=%q:"$PATH"\n' "$folder/weft_opencl"
fi
# Programs other than PyOpenCL's wheel bring no loader.
if ! python3 -c 'import ctypes; ctypes.CDLL("libOpenCL.so.1")' 2>/dev/null; then
    say "no OpenCL loader (libOpenCL.so.1) is installed: apt-get install ocl-icd-libopencl1, where the tests need one"
fi
