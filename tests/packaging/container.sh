# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The steps of ci/Containerfile in a root: RUN as it stands there, then its entry point.
. /opt/tests/common.sh
mkdir -p /tmp/weft && cp weft-opencl-icd_*_amd64.deb weft-tools_*_amd64.deb /tmp/weft
run=$(sed -n '/^RUN /,/[^\\]$/p' /opt/ci/Containerfile | sed 's/^RUN //' | tr -d '\\' | tr '\n' ' ')
printf '\n# RUN %s\n' "$run"
start
sh -c "$run" >/tmp/run.log 2>&1 || { tail -n 20 /tmp/run.log; fail RUN; }
tail -n 1 /tmp/run.log
took "the image's RUN"
entry=$(sed -n 's/^ENTRYPOINT //p' /opt/ci/Containerfile | tr -d '[]",')
mkdir -p /var/cache/weft
printf '\n# ENTRYPOINT %s\n' "$entry"
status=0 && $entry true || status=$?
test $status = 3 || fail "nothing ran: status $status"
status=0 && $entry sh -c 'exit 5' || status=$?
test $status = 5 || fail "status $status instead of 5"
step $entry weft selftest >/tmp/out 2>&1 || { cat /tmp/out; fail "the default command"; }
tail -n 2 /tmp/out
