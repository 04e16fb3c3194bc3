#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LuxCore: a small scene by its path tracer with OpenCL, beside the same picture by its path tracer in C++.

Its build of 31 000 lines is what `starts after` measures. WEFT_APPS_LUXCORE_PASSES: samples per pixel (32).
"""
import os
import time

import ladder

WIDTH, HEIGHT = 320, 240
PASSES = int(os.environ.get('WEFT_APPS_LUXCORE_PASSES', '32'))
SECONDS = 900  # after its start
BLOCK = 16  # pictures are compared by means of blocks, where noise is small
APART = 0.03  # on average, of 1
SCENE = """
scene.camera.lookat.orig = 4 -6 3
scene.camera.lookat.target = 0 0 0.8
scene.camera.fieldofview = 40
scene.textures.check.type = checkerboard2d
scene.textures.check.texture1 = 0.8 0.75 0.7
scene.textures.check.texture2 = 0.15 0.2 0.3
scene.textures.check.mapping.uvscale = 8 8
scene.materials.floor.type = matte
scene.materials.floor.kd = check
scene.materials.gloss.type = glossy2
scene.materials.gloss.kd = 0.7 0.08 0.05
scene.materials.gloss.ks = 0.1 0.1 0.1
scene.materials.glass.type = glass
scene.materials.glass.interiorior = 1.5
scene.materials.gold.type = metal2
scene.materials.gold.preset = gold
scene.materials.gold.uroughness = 0.1
scene.materials.gold.vroughness = 0.1
scene.materials.paint.type = disney
scene.materials.paint.basecolor = 0.1 0.3 0.7
scene.materials.paint.clearcoat = 0.8
scene.lights.sky.type = sky2
scene.lights.sky.dir = 0.5 -0.5 0.6
scene.lights.sun.type = sun
scene.lights.sun.dir = 0.5 -0.5 0.6
"""
BOXES = {'gloss': (-1.8, 0.4), 'glass': (0.3, -1.4), 'gold': (0.6, 1.2), 'paint': (2.0, -0.4)}


def properties(pyluxcore, text):
    made = pyluxcore.Properties()
    made.SetFromString(text)
    return made


def build_scene(pyluxcore):
    scene = pyluxcore.Scene()
    scene.Parse(properties(pyluxcore, SCENE))

    def add(name, material, points, triangles, uvs=None):
        scene.DefineMesh(name, points, triangles, None, uvs, None, None)
        scene.Parse(properties(pyluxcore, f'scene.objects.{name}.shape = {name}\n'
                                          f'scene.objects.{name}.material = {material}\n'))
    add('ground', 'floor', [(-6, -6, 0), (6, -6, 0), (6, 6, 0), (-6, 6, 0)], [(0, 1, 2), (0, 2, 3)],
        [(0, 0), (1, 0), (1, 1), (0, 1)])
    for material, (x, y) in BOXES.items():  # eight-sided
        points = [(x + 0.7 * dx, y + 0.7 * dy, 0.8 + 0.7 * dz) for dx, dy, dz in
                  [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]]
        add(f'box{material}', material, points, [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5),
                                                 (3, 1, 5), (0, 3, 5)])
    return scene


def render(pyluxcore, engine):
    """(picture, seconds until it starts, samples per second)"""
    import numpy
    config = pyluxcore.RenderConfig(properties(pyluxcore, f"""
        renderengine.type = {engine}
        sampler.type = SOBOL
        path.pathdepth.total = 6
        film.width = {WIDTH}
        film.height = {HEIGHT}
        film.imagepipelines.0.0.type = TONEMAP_LINEAR
        film.imagepipelines.0.0.scale = 0.0001
        film.imagepipelines.0.1.type = GAMMA_CORRECTION
        film.imagepipelines.0.1.value = 2.2
        film.outputs.0.type = RGB_IMAGEPIPELINE
        film.outputs.0.filename = picture.png
        batch.haltspp = {PASSES}
        opencl.cpu.use = 1
        opencl.gpu.use = 0
        opencl.native.threads.count = 0
        opencl.task.count = 16384
        """), build_scene(pyluxcore))
    session = pyluxcore.RenderSession(config)
    since = time.perf_counter()
    session.Start()
    start = time.perf_counter() - since
    stats, passes, seconds = None, 0, 0.0
    while passes < PASSES and seconds < SECONDS and not session.HasDone():
        time.sleep(0.5)
        session.UpdateStats()
        stats = session.GetStats()
        passes = stats.Get('stats.renderengine.pass').GetInt()
        seconds = stats.Get('stats.renderengine.time').GetFloat()
    speed = stats.Get('stats.renderengine.total.samplesec').GetFloat()
    picture = numpy.zeros((HEIGHT, WIDTH, 3), 'f4')
    session.GetFilm().GetOutputFloat(pyluxcore.FilmOutputType.RGB_IMAGEPIPELINE, picture, 0)
    session.Stop()
    return numpy.clip(picture, 0, 1), start, speed, passes


def inside():
    import numpy  # noqa: F401  (after pyluxcore its import crashes)
    import pyluxcore
    pyluxcore.Init()
    wanted, *_ = render(pyluxcore, 'PATHCPU')
    got, start, speed, passes = render(pyluxcore, 'PATHOCL')

    def blocks(picture):
        return picture.reshape(HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK, 3).mean((1, 3))
    apart = abs(blocks(got) - blocks(wanted)).mean()
    good = apart < APART and wanted.std() > 0.05 and passes >= PASSES
    note = f'{passes} passes; {apart:.4f} of 1 apart, the picture varies by {wanted.std():.2f}'
    ladder.say('PATHOCL', speed / 1e3, 'k samples/s', good, note)
    ladder.say('starts after', start, 's', good)


def run(app):
    app.inside(app.pip('pyluxcore', 'numpy'), seconds=3600)


if __name__ == '__main__':
    ladder.main(run, inside)
