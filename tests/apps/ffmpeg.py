#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ffmpeg's OpenCL filters: each beside the filter of the same name that runs without OpenCL (peak signal to noise of
their results), and seconds; deshake, which has no such partner, must make a shaken picture steadier.
"""
import re

import ladder

FRAMES, SIZE = 20, '640x480'
SAME = 34  # dB; what is left is rounding, and what is beyond the edges
STEADIER = 2  # dB
EDGES = "'" + '0 1 0 1 -4 1 0 1 0:' * 4 + "1:1:1:1:0:128:128:128'"
# name -> options of both
FILTERS = {
    'avgblur': 'sizeX=3', 'boxblur': '2:1', 'sobel': '', 'prewitt': '', 'roberts': '', 'erosion': '', 'dilation': '',
    'unsharp': '5:5:1:5:5:0', 'convolution': EDGES, 'transpose': 'clock', 'pad': 'w=800:h=600:x=80:y=60',
    'nlmeans': 's=3:p=7:r=11'}
SHAKEN = "loop=loop=-1:size=1,crop=640:480:'20+8*sin(n*2.1)':'20+8*cos(n*1.7)',format=yuv420p"


def render(app, chain, out, source, opencl):
    words = ['ffmpeg', '-v', 'error', '-nostdin', '-y']
    if opencl:
        words += ['-init_hw_device', 'opencl=ocl:0.0', '-filter_hw_device', 'ocl']
        chain = f'hwupload,{chain},hwdownload,format=yuv420p'
    words += ['-f', 'lavfi', '-i', source, '-vf', f'format=yuv420p,{chain}', '-frames:v', FRAMES, out]
    return app.command(*words, seconds=900)


def psnr(app, first, second, graph='psnr'):
    """dB; None if the two cannot be compared."""
    ended = app.command('ffmpeg', '-nostdin', '-i', first, '-i', second, '-lavfi', graph, '-f', 'null', '-')
    found = re.findall(r'PSNR.*average:(\S+)', ended.output)
    return float(found[-1]) if ended.good and found else None


def same(app, name, settings):
    value = f'={settings}' if settings else ''
    source = f'testsrc2=s={SIZE}:r=10'
    plain = render(app, f'{name}{value}', 'plain.nut', source, opencl=False)
    ended = render(app, f'{name}_opencl{value}', 'opencl.nut', source, opencl=True)
    if not ended.good or not plain.good:
        app.result(f'filter/{name}', passed=False, note=(plain if ended.good else ended).why())
        return
    close = psnr(app, 'plain.nut', 'opencl.nut')
    app.result(f'filter/{name}', ended.seconds, 's', close is not None and close > SAME, f'PSNR {close} dB')


def deshake(app):
    """How alike are frames that follow each other, before and after?"""
    source = f'testsrc2=s=680x520:r=10,{SHAKEN}'
    plain = render(app, 'null', 'plain.nut', source, opencl=False)
    ended = render(app, 'deshake_opencl', 'opencl.nut', source, opencl=True)
    if not ended.good or not plain.good:
        app.result('filter/deshake', passed=False, note=(plain if ended.good else ended).why())
        return
    middle = 'crop=400:300'
    following = f'[0]{middle}[a];[1]trim=start_frame=1,setpts=PTS-STARTPTS,{middle}[b];[a][b]psnr=shortest=1'
    before, after = (psnr(app, name, name, following) for name in ('plain.nut', 'opencl.nut'))
    good = before is not None and after is not None and after > before + STEADIER
    app.result('filter/deshake', ended.seconds, 's', good, f'frames that follow: {before} dB before, {after} dB after')


def run(app):
    app.apt('ffmpeg')
    for name, settings in FILTERS.items():
        if f'filter/{name}' not in app.have:
            same(app, name, settings)
    if 'filter/deshake' not in app.have:
        deshake(app)


if __name__ == '__main__':
    ladder.main(run)
