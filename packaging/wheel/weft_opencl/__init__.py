# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weft, OpenCL 2.2 for CPUs, as a wheel.

PyOpenCL from PyPI finds it by itself: its loader reads pyopencl/.libs/weft.icd, which this wheel brings.
For any other loader, name the library: OCL_ICD_VENDORS (ocl-icd) or OCL_ICD_FILENAMES (Khronos' loader)
set to icd_path().
"""
import os

__version__ = '@VERSION@'
_HERE = os.path.dirname(os.path.abspath(__file__))


def icd_path():
    """The installable client driver, libweft.so: what OCL_ICD_VENDORS (ocl-icd) and OCL_ICD_FILENAMES
    (Khronos' loader) take."""
    return os.path.join(_HERE, 'libweft.so')


def tool_path():
    """The command line tool `weft`."""
    return os.path.join(_HERE, 'weft')
