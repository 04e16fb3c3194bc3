# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m weft_opencl COMMAND...: the tool `weft` (selftest, info, compile, cache, settings, ci)."""
import os
import sys

from . import tool_path


def main():
    tool = tool_path()
    if not os.access(tool, os.X_OK):
        # An installer that forgets modes (some unpack with zipfile).
        for name in ('weft', 'weft-compiler'):
            os.chmod(os.path.join(os.path.dirname(tool), name), 0o755)
    os.execv(tool, [tool, *sys.argv[1:]])


if __name__ == '__main__':
    main()
