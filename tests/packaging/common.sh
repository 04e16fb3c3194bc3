# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts that run inside a clean root: what they do is shown as they do it.
set -euo pipefail # a self-test that fails is not good because `tail` is
cd /opt/dist

step() { # shows a command, runs it; what package managers say is kept for when they fail
    printf '\n$ %s\n' "$*"
    case $1 in
    apt-get | dpkg | pip* | */pip)
        "$@" >/tmp/step.log 2>&1 || {
            tail -n 20 /tmp/step.log
            return 1
        }
        ;;
    *) "$@" ;;
    esac
}

# What a user waits for: `took` says how long it was since `start` or the last `took`, `took_all` the sum of these.
started=0 total=0
start() { started=$(date +%s%N); }
seconds() { printf '# %s: %d.%d s\n' "$1" $(($2 / 1000000000)) $(($2 / 100000000 % 10)); }
took() {
    seconds "$1" $(($(date +%s%N) - started))
    total=$((total + $(date +%s%N) - started))
    start
}
took_all() { seconds "from nothing to a first result" "$total"; }

# Runs a self-test, shows its end, all of it where it fails; what it said stays in /tmp/selftest.
self_test() {
    "$@" >/tmp/selftest 2>&1 || fail "$*: $(cat /tmp/selftest)"
    tail -n 2 /tmp/selftest
}

fail() {
    echo "FAILED: $*"
    exit 1
}

# Every file that there is but caches of the package manager, pseudo file systems and our own input.
snapshot() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /opt -o -path /var/cache/apt \
        -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache/debconf -o -path /var/cache/ldconfig \
        -o -path /var/cache/man -o -path /root/.cache/pip \) -prune -o -print | LC_ALL=C sort
}
