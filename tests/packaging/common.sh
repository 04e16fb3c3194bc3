# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts that run inside a clean root: what they do is shown as they do it.
set -eu
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

# The time since the last call of `start`, of what a user waits for.
start() { started=$(date +%s%N); }
took() { printf '# %s: %d.%d s\n' "$1" $((($(date +%s%N) - started) / 1000000000)) $((($(date +%s%N) - started) / 100000000 % 10)); }

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
