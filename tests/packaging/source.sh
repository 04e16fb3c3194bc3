# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From source, as the README has it: ./demo, then ./check, on a system that has nothing but git's clone.
. /opt/tests/common.sh
step apt-get update
cd /opt/weft
start
step ./demo >/tmp/demo.log 2>&1 || { tail -n 30 /tmp/demo.log; fail ./demo; }
took "./demo, packages by the network included"
grep -aE '^  (Platform|Device) (Name|Version)' /tmp/demo.log
tail -n 2 /tmp/demo.log
start
status=0
step ./check >/tmp/check.log 2>&1 || status=$?
took "./check, its packages and builds included"
grep -aE '^ *(\| )?not ok|FAILED' /tmp/check.log || true
tail -n 1 /tmp/check.log
test $status = 0 || { tail -n 40 /tmp/check.log; fail "./check ended with $status"; }
start
step ./check unit/partition >/tmp/again.log 2>&1 || { tail -n 20 /tmp/again.log; fail "./check again"; }
took "./check of an unchanged tree, one small test"
echo "# built and tested from source"
