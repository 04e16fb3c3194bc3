# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the polynomial coefficients that templates of math/ contain. Not part of the build: needs
mpmath, and whoever changes a degree or a range runs it and copies the numbers."""
from mpmath import (mp, mpf, chebyfit, atan, atanh, cos, erf, erfc, exp, floor, log, sin, sqrt, tan,
                    gamma, matrix, lu_solve, pi)

mp.dps = 60


def poly(name, f, interval, terms, digits):
    coefficients, error = chebyfit(f, interval, terms, error=True)
    print('%s, error %s, highest power first:' % (name, mp.nstr(error, 3)))
    for c in coefficients:
        print('    %s' % mp.nstr(c, digits))


def lanczos(g, n):
    """Gamma(z + 1) = (z + g + 1/2)^(z + 1/2) e^-(z + g + 1/2) S(z), S(z) = sum_k c_k / (z + k), as a
    fraction of polynomials in z' = z + 1: interpolated at z = 0 .. n - 1, where Gamma is known."""
    a, b = matrix(n, n), matrix(n, 1)
    for i in range(n):
        z = mpf(i)
        t = z + g + mpf(1) / 2
        b[i] = gamma(z + 1) / t ** (z + mpf(1) / 2) * exp(t)
        for k in range(n):
            a[i, k] = 1 if k == 0 else 1 / (z + k)
    c = lu_solve(a, b)
    # common denominator x (x + 1) ... (x + n - 2), x = z + 1
    def times(p, r):
        out = [mpf(0)] * (len(p) + 1)
        for i, v in enumerate(p):
            out[i] += v * r
            out[i + 1] += v
        return out
    den = [mpf(1)]
    for k in range(n - 1):
        den = times(den, k)
    num = [c[0] * v for v in den]
    for k in range(1, n):
        part = [mpf(1)]
        for j in range(n - 1):
            if j != k - 1:
                part = times(part, j)
        for i, v in enumerate(part):
            num[i] += c[k] * v
    print('lanczos g = %s, lowest power first: numerator, denominator' % mp.nstr(g, 20))
    for p, q in zip(num, den):
        print('    %s, %s' % (mp.nstr(p, 20), mp.nstr(q, 20)))
    worst = 0
    for i in range(1, 2000):
        x = mpf(i) / 12 + mpf(1) / 7
        t = x - mpf(1) / 2 + g
        s = sum(p * x ** k for k, p in enumerate(num)) / sum(q * x ** k for k, q in enumerate(den))
        worst = max(worst, abs(t ** (x - mpf(1) / 2) * exp(-t) * s / gamma(x) - 1))
    print('    relative error', mp.nstr(worst, 3))


half = mpf(1) / 2
poly('(exp(r) - 1 - r) / r^2', lambda r: (exp(r) - 1 - r) / r ** 2 if r else half,
     [-log(2) / 2 * mpf('1.01'), log(2) / 2 * mpf('1.01')], 5, 12)
poly('(2^r - 1) / r', lambda r: (mpf(2) ** r - 1) / r if abs(r) > mpf(10) ** -20 else log(2), [-half, half], 6, 12)
lanczos(mpf('6.024680040776729583740234375'), 13)
lanczos(mpf(607) / 128, 15)
lanczos(mpf('5.5'), 13)
poly('(sin(r) / r - 1) / r^2 in r^2', lambda y: (sin(y ** half) / y ** half - 1) / y if y > mpf(10) ** -20
     else -mpf(1) / 6, [0, (pi / 4 * mpf('1.01')) ** 2], 3, 12)
poly('(cos(r) - 1 + r^2 / 2) / r^4 in r^2', lambda y: (cos(y ** half) - 1 + y / 2) / y ** 2
     if y > mpf(10) ** -10 else mpf(1) / 24, [0, (pi / 4 * mpf('1.01')) ** 2], 3, 12)


def two_over_pi():
    """For floats x = m 2^e: 2 / pi without the bits that only add multiples of 4 to x (2 / pi), in two
    parts of 27 bits, whose products with a float are exact in double, and a rest. Rows for e = 24
    (and below) to 128."""
    mp.prec = 400
    print('two over pi:')
    for e in range(24, 129):
        unit = mpf(2) ** (25 - e)
        left = 2 / pi - floor(2 / pi / unit) * unit
        parts = []
        for place in (25 - e - 27, 25 - e - 54):
            part = floor(left / mpf(2) ** place) * mpf(2) ** place
            parts.append(part)
            left -= part
        parts.append(left)
        print('    ' + ' '.join(float(v).hex() + ',' for v in parts))


two_over_pi()


def core():
    """The polynomials of core_*.h and log_split.h; functions are given by their limit at 0 there."""
    third, tiny = mpf(1) / 3, mpf(10) ** -25
    edge = log(2) / 2 * mpf('1.0001')
    for terms in (10, 7):
        poly('(e^r - 1 - r) / r^2', lambda r: (exp(r) - 1 - r) / r ** 2 if abs(r) > tiny else half + r / 6,
             [-edge, edge], terms, 20)
    z = (3 - 2 * sqrt(2)) ** 2 * mpf('1.001')
    for terms in (8, 6):
        poly('(2 atanh(s) / s - 2) / s^2 in s^2',
             lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z if z > tiny else 2 * third, [0, z], terms, 20)
    poly('(3 atanh(s) / s - 3 - s^2) / s^4 in s^2',
         lambda z: ((3 * atanh(sqrt(z)) / sqrt(z) - 3) / z - 1) / z if z > mpf(10) ** -18
         else mpf(3) / 5 + z * 3 / 7, [0, z], 7, 20)
    poly('(log(1 + f) - f + f^2 / 2) / f^3', lambda f: (log(1 + f) - f + f * f / 2) / f ** 3
         if abs(f) > mpf(10) ** -15 else third - f / 4, [sqrt(half) - 1, sqrt(2) - 1], 9, 12)
    z = (pi / 4 * mpf('1.001')) ** 2
    poly('(sin(r) / r - 1) / r^2 in r^2', lambda y: (sin(sqrt(y)) / sqrt(y) - 1) / y if y > tiny
         else -mpf(1) / 6, [0, z], 6, 20)
    poly('(cos(r) - 1 + r^2 / 2) / r^4 in r^2', lambda y: (cos(sqrt(y)) - 1 + y / 2) / y ** 2
         if y > mpf(10) ** -15 else mpf(1) / 24, [0, z], 6, 20)
    z = tan(pi / 8) ** 2 * mpf('1.001')
    poly('(atan(t) / t - 1) / t^2 in t^2', lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
         else -third, [0, z], 12, 20)
    for terms, digits in ((13, 19), (7, 12)):
        poly('erf(x) / x in x^2', lambda z: erf(sqrt(z)) / sqrt(z) if z > tiny else 2 / sqrt(pi), [0, 1],
             terms, digits)
    for last, terms, digits in ((mpf(28), 22, 19), (mpf('4.1'), 7, 12)):
        poly('(1 + 2 x) e^(x^2) erfc(x) in (x - 3) / (x + 3)',
             lambda t: (lambda x: (1 + 2 * x) * exp(x * x) * erfc(x))(3 * (1 + t) / (1 - t)),
             [-half, (last - 3) / (last + 3)], terms, digits)
    poly('m^(-1/3)', lambda m: m ** -third, [mpf('0.35'), mpf('2.84')], 5, 12)


core()
