#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCV's T-API: functions on a UMat, whose kernels are OpenCL, against the same functions on a matrix; times, and how
much the results differ (in steps of 8 bits).
"""
import ladder

WIDTH, HEIGHT = 1920, 1080


def functions(cv2, numpy):
    """name -> (function of a colour picture, difference that rounding allows)"""
    kernel = numpy.outer(*[numpy.array([1, 2, 3, 2, 1], 'f4')] * 2) / 81
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 10, 0.9)
    lens = numpy.array([[1, 0.05, 3], [0.02, 1, 5], [1e-5, 2e-5, 1]], 'f4')

    def grey(image):
        return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return {
        'cvtColor grey': (grey, 1),
        'cvtColor HSV': (lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2HSV), 1),
        'cvtColor Lab': (lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2Lab), 2),
        'GaussianBlur 7': (lambda x: cv2.GaussianBlur(x, (7, 7), 1.5), 1),
        'blur 5': (lambda x: cv2.blur(x, (5, 5)), 1),
        'medianBlur 5': (lambda x: cv2.medianBlur(x, 5), 0),
        'bilateralFilter 7': (lambda x: cv2.bilateralFilter(x, 7, 30, 30), 1),
        'filter2D 5x5': (lambda x: cv2.filter2D(x, -1, kernel), 1),
        'Sobel': (lambda x: cv2.convertScaleAbs(cv2.Sobel(x, cv2.CV_16S, 1, 0)), 0),
        'Laplacian': (lambda x: cv2.convertScaleAbs(cv2.Laplacian(x, cv2.CV_16S, ksize=3)), 0),
        'Canny': (lambda x: cv2.Canny(grey(x), 50, 150), 255),  # an edge may move; counted below
        'resize half': (lambda x: cv2.resize(x, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA), 1),
        'resize linear': (lambda x: cv2.resize(x, (1333, 777), interpolation=cv2.INTER_LINEAR), 1),
        'warpAffine': (lambda x: cv2.warpAffine(x, turn, (WIDTH, HEIGHT)), 255),
        'warpPerspective': (lambda x: cv2.warpPerspective(x, lens, (WIDTH, HEIGHT)), 255),
        'pyrDown': (cv2.pyrDown, 1),
        'erode': (lambda x: cv2.erode(x, None, iterations=3), 0),
        'threshold': (lambda x: cv2.threshold(grey(x), 100, 255, cv2.THRESH_BINARY)[1], 255),
        'equalizeHist': (lambda x: cv2.equalizeHist(grey(x)), 1),
        'CLAHE': (lambda x: cv2.createCLAHE(2.0).apply(grey(x)), 1),
        'integral': (lambda x: cv2.integral(grey(x)), 255),
        'matchTemplate': (lambda x: spread(cv2, cv2.matchTemplate(grey(x), template(cv2, x), cv2.TM_CCORR)), 1),
        'DFT': (lambda x: spread(cv2, cv2.dft(as_float(cv2, grey(x)), flags=cv2.DFT_COMPLEX_OUTPUT)), 1e-3),
        'addWeighted': (lambda x: cv2.addWeighted(x, 0.3, cv2.flip(x, 1), 0.7, 0), 1),
        'gemm': (lambda x: spread(cv2, cv2.gemm(square(cv2, x), square(cv2, x), 1, None, 0)), 1e-2),
        'optical flow': (lambda x: cv2.calcOpticalFlowFarneback(grey(x), grey(cv2.flip(x, 1)), None, 0.5, 3, 15, 2, 5,
                                                                1.2, 0), 255)}


def spread(cv2, image):
    return cv2.normalize(image, None, 0, 255, cv2.NORM_MINMAX)


def as_float(cv2, image):
    return cv2.normalize(image, None, 0, 1, cv2.NORM_MINMAX, cv2.CV_32F)


def square(cv2, image):
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return as_float(cv2, cv2.resize(grey, (512, 512), interpolation=cv2.INTER_NEAREST))


def template(cv2, image):
    part = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return cv2.UMat(part, (200, 232), (300, 340)) if isinstance(image, cv2.UMat) else part[200:232, 300:340]


def picture(cv2, numpy):
    """Smooth shapes and noise."""
    random = numpy.random.default_rng(1)
    y, x = numpy.mgrid[:HEIGHT, :WIDTH]
    waves = [numpy.sin(x / (17 + 9 * k)) + numpy.cos(y / (11 + 5 * k)) for k in range(3)]
    image = 127 + 50 * numpy.stack(waves, -1) + random.normal(0, 8, (HEIGHT, WIDTH, 3))
    return cv2.circle(numpy.clip(image, 0, 255).astype('u1'), (700, 500), 220, (30, 200, 90), -1)


def inside():
    import cv2
    import numpy
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.useOpenCL():
        raise SystemExit('OpenCV finds no OpenCL device')
    cv2.setRNGSeed(1)
    image = picture(cv2, numpy)
    for name, (function, allowed) in functions(cv2, numpy).items():
        wanted = numpy.asarray(function(image), 'f8')
        try:
            got = function(cv2.UMat(image)).get()
            source = cv2.UMat(image)

            def once(function=function, source=source):
                function(source)
                cv2.ocl.finish()
            seconds = ladder.best(once)
        except cv2.error as reason:
            ladder.say(f'function/{name}', passed=False, note=str(reason))
            continue
        apart = abs(wanted - got)
        most, share = apart.max(), (apart > 1).mean()
        good = most <= allowed and share < 0.01
        ladder.say(f'function/{name}', seconds * 1e3, 'ms', good,
                   f'{most:.3g} apart at most, {share:.2%} by more than 1')


def run(app):
    app.inside(app.pip('opencv-python-headless', 'numpy'), OPENCV_OPENCL_DEVICE=':CPU:',
               OPENCV_OPENCL_CACHE_ENABLE='0', OPENCV_OPENCL_RAISE_ERROR='1')


if __name__ == '__main__':
    ladder.main(run, inside)
