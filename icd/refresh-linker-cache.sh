#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# After a system-wide installation: lets the dynamic linker find libweft.so by its name.
PATH=$PATH:/sbin:/usr/sbin
if [ "$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then
    exec ldconfig
fi
