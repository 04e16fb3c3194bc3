#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pyclesperanto: filters and labels of a picture of cells, against scipy's and numpy's."""
import ladder


def cells(numpy):
    """A volume with bright balls and noise."""
    random = numpy.random.default_rng(1)
    z, y, x = numpy.mgrid[:40, :200, :200]
    image = random.normal(10, 2, z.shape)
    for _ in range(60):
        centre = random.uniform((5, 10, 10), (35, 190, 190))
        image += 100 * (((z - centre[0]) ** 2 + (y - centre[1]) ** 2 + (x - centre[2]) ** 2) < 36)
    return image.astype('f4')


def functions(cle, numpy, scipy):
    """name -> (function of a device's picture, what it should give, error allowed)"""
    box = numpy.ones((3, 3, 3))
    return {
        'gaussian_blur': (lambda a: cle.gaussian_blur(a, sigma_x=2, sigma_y=2, sigma_z=2),
                          lambda a: scipy.gaussian_filter(a, 2, mode='nearest'), 0.05),
        'mean_filter box': (lambda a: cle.mean_filter(a, radius_x=1, radius_y=1, radius_z=1),
                            lambda a: scipy.uniform_filter(a, 3, mode='nearest'), 1e-3),
        'maximum_filter box': (lambda a: cle.maximum_filter(a, radius_x=1, radius_y=1, radius_z=1),
                               lambda a: scipy.maximum_filter(a, footprint=box, mode='nearest'), 0),
        'minimum_filter box': (lambda a: cle.minimum_filter(a, radius_x=1, radius_y=1, radius_z=1),
                               lambda a: scipy.minimum_filter(a, footprint=box, mode='nearest'), 0),
        'median box': (lambda a: cle.median(a, radius_x=1, radius_y=1, radius_z=1),
                       lambda a: scipy.median_filter(a, 3, mode='nearest'), 1e-3),
        'add_images_weighted': (lambda a: cle.add_images_weighted(a, a, factor1=0.5, factor2=2),
                                lambda a: 2.5 * a, 1e-4),
        'maximum_z_projection': (cle.maximum_z_projection, lambda a: a.max(0), 0),
        'sum_y_projection': (cle.sum_y_projection, lambda a: a.sum(1), 0.1),
        'sum_of_all_pixels': (lambda a: numpy.array([cle.sum_of_all_pixels(a)]),
                              lambda a: numpy.array([a.sum(dtype='f8')]), 100),
        'greater_constant': (lambda a: cle.greater_constant(a, scalar=60), lambda a: a > 60, 0),
        'transpose_xz': (cle.transpose_xz, lambda a: a.transpose(2, 1, 0), 0),
        'connected components': (
            lambda a: numpy.array([cle.connected_components_labeling(cle.greater_constant(a, scalar=60)).max()]),
            lambda a: numpy.array([scipy.label(a > 60, box)[1]]), 0),
        'threshold_otsu': (lambda a: numpy.array([cle.sum_of_all_pixels(cle.threshold_otsu(a))]),
                           lambda a: numpy.array([(a > 60).sum()]), 200)}


def inside():
    import numpy
    import pyclesperanto as cle
    import scipy.ndimage
    cle.select_device(0)
    cle.set_wait_for_kernel_finish(True)
    image = cells(numpy)
    device = cle.push(image)
    for name, (function, wanted, allowed) in functions(cle, numpy, scipy.ndimage).items():
        try:
            got = numpy.asarray(function(device))
            seconds = ladder.best(lambda function=function: function(device))
        except (RuntimeError, TypeError, AttributeError) as reason:
            ladder.say(f'function/{name}', passed=False, note=str(reason))
            continue
        right = numpy.asarray(wanted(image), 'f8')
        edge = tuple(slice(8, -8) if length > 16 else slice(None) for length in right.shape)  # edges are a convention
        same = got.shape == right.shape
        apart = abs(got[edge] - right[edge]).max() if same else numpy.inf
        ladder.say(f'function/{name}', seconds * 1e3, 'ms', apart <= allowed, f'{apart:.2g} apart at most')


def run(app):
    app.inside(app.pip('pyclesperanto', 'pyclesperanto-opencl', 'scipy', 'numpy'), **app.khronos())


if __name__ == '__main__':
    ladder.main(run, inside)
