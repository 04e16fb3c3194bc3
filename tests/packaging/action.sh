# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What ci/action.yml does, as its runner would do it: ci/setup.sh, then the job's own steps in the environment it wrote.
. /opt/tests/common.sh
step apt-get update
step apt-get install -y --no-install-recommends python3-pip python3-venv
mkdir -p /job && cd /job
python3 -m venv /job/venv
step /job/venv/bin/pip install pyopencl
start
export GITHUB_ENV=/job/env GITHUB_PATH=/job/path RUNNER_TEMP=/job/temp
step env WEFT_CI_WHEEL="$(echo /opt/dist/weft_opencl-*.whl)" WEFT_CI_CACHE=/job/cache /opt/ci/setup.sh
took "the action's step"
step cat "$GITHUB_ENV"
set -a && . "$GITHUB_ENV" && set +a
PATH=$(cat "$GITHUB_PATH"):$PATH

echo "# a job whose tests skip everything:"
status=0 && weft ci --check || status=$?
test $status = 3 || fail "no kernel ran, and the status is $status"
echo "# a job that runs something:"
step /job/venv/bin/python /opt/tests/saxpy.py
step weft ci --check
test -n "$(ls /job/cache)" || fail "the cache folder is empty"
echo "# green, cache kept: $(du -sh /job/cache | cut -f1)"
