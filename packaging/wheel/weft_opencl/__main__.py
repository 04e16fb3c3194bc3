# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft COMMAND..., or python -m weft_opencl COMMAND...: the tool (selftest, info, compile, cache, settings, ci)."""
import os
import sys

from . import tool_path


def _make_executable(folder):
    """After an installer that forgets modes (some unpack with zipfile)."""
    for name in ('weft', 'weft-compiler'):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            continue
        try:
            os.chmod(path, 0o755)
        except PermissionError:
            sys.exit(f'weft_opencl: {path} is not executable, and its mode cannot be changed: chmod +x it as its owner')
        except (FileNotFoundError, NotADirectoryError):
            sys.exit(f'weft_opencl: there is no {path}: from a zip archive nothing can be run, install the wheel with pip')
        except OSError as error:
            sys.exit(f'weft_opencl: {path} cannot be made executable: {error.strerror}')


def main():
    tool = tool_path()
    _make_executable(os.path.dirname(tool))
    try:
        os.execv(tool, [tool, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f'weft_opencl: {tool} cannot be run: {error.strerror}')


if __name__ == '__main__':
    main()
