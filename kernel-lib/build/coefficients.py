# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the polynomial coefficients that templates of math/ contain. Not part of the build: needs
mpmath, and whoever changes a degree or a range runs it and copies the numbers."""
import struct

from mpmath import (mp, mpf, chebyfit, acos, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, floor, log, loggamma,
                    nint, nstr, sin, sinh, sqrt, tan, gamma, matrix, lu_solve, pi, quad)

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


def two_over_pi_bits():
    """For doubles: 64 zeros, then what is behind the point, in words."""
    mp.prec = 1600
    left, words = 2 / pi, [0]
    for _ in range(20):
        left *= mpf(2) ** 64
        words.append(int(floor(left)))
        left -= floor(left)
    print('two over pi:')
    for i in range(0, 21, 3):
        print('    ' + ' '.join('0x%016x,' % w for w in words[i:i + 3]))
    mp.dps = 60


two_over_pi()
two_over_pi_bits()


def core():
    """The polynomials of core_*.h; functions are given by their limit at 0 there."""
    third, tiny = mpf(1) / 3, mpf(10) ** -25
    edge = log(2) / 2 * mpf('1.0001')
    poly('(e^r - 1 - r) / r^2', lambda r: (exp(r) - 1 - r) / r ** 2 if abs(r) > tiny else half + r / 6,
         [-edge, edge], 10, 20)
    z = (3 - 2 * sqrt(2)) ** 2 * mpf('1.001')
    poly('(2 atanh(s) / s - 2) / s^2 in s^2',
         lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z if z > tiny else 2 * third, [0, z], 8, 20)
    poly('(3 atanh(s) / s - 3 - s^2) / s^4 in s^2',
         lambda z: ((3 * atanh(sqrt(z)) / sqrt(z) - 3) / z - 1) / z if z > mpf(10) ** -18
         else mpf(3) / 5 + z * 3 / 7, [0, z], 7, 20)
    z = (pi / 4 * mpf('1.001')) ** 2
    poly('(sin(r) / r - 1) / r^2 in r^2', lambda y: (sin(sqrt(y)) / sqrt(y) - 1) / y if y > tiny
         else -mpf(1) / 6, [0, z], 6, 20)
    poly('(cos(r) - 1 + r^2 / 2) / r^4 in r^2', lambda y: (cos(sqrt(y)) - 1 + y / 2) / y ** 2
         if y > mpf(10) ** -15 else mpf(1) / 24, [0, z], 6, 20)
    poly('(sin(r) / r - 1) / r^2 in r^2, to pi / 2', lambda y: (sin(sqrt(y)) / sqrt(y) - 1) / y
         if y > tiny else -mpf(1) / 6, [0, (pi / 2 * mpf('1.0005')) ** 2], 8, 20)
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


def to_float(x):
    return mpf(struct.unpack('f', struct.pack('f', float(x)))[0])


def fitted(f, interval, terms, weight):
    """Coefficients that are floats, and their largest error: rounded one after the other, from the
    constant upwards, each by least squares at Chebyshev's points of what is left. `weight` makes an
    error of the polynomial a relative one of the function."""
    lo, hi = interval
    points = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (2 * i + 1) / 160) for i in range(80)]
    values, weights = [f(z) for z in points], [weight(z) for z in points]
    fixed = []
    for k in range(terms):
        a, b = matrix(len(points), terms - k), matrix(len(points), 1)
        for i, z in enumerate(points):
            for j in range(terms - k):
                a[i, j] = weights[i] * z ** (k + j)
            b[i] = weights[i] * (values[i] - sum(c * z ** n for n, c in enumerate(fixed)))
        fixed.append(to_float(lu_solve(a, b)[0]))
    worst = max(abs(weight(z) * (f(z) - sum(c * z ** n for n, c in enumerate(fixed))))
                for z in (lo + (hi - lo) * (i + mpf(1) / 3) / 400 for i in range(400)))
    return fixed, log(worst) / log(2)


def fit(name, f, interval, terms, weight):
    """Prints what fitted() finds."""
    fixed, error = fitted(f, interval, terms, weight)
    print('%s, error 2^%s, highest power first:' % (name, nstr(error, 4)))
    for c in fixed[::-1]:
        print('    %s' % nstr(c, 12))


def in_parts(name, f, width, count, terms=7):
    """For parts [i width, (i + 1) width) so many terms each in the distance from the middle: a row for each power."""
    pieces = [fitted(lambda u, c=width * (i + mpf(1) / 2): f(u + c), [-width / 2, width / 2], terms,
                     lambda u, c=width * (i + mpf(1) / 2): 1 / f(u + c)) for i in range(count)]
    print('%s in a - %s (i + 1/2), i 0 to %d, errors, then from the constant upwards:' % (name, width, count - 1))
    print('    ' + ' '.join(nstr(error, 4) for _, error in pieces))
    for power in range(terms):
        print('    ' + ', '.join(float(part[power]).hex() + 'f' for part, _ in pieces))


def rational(name, f, interval, above, below, digits):
    """f as a quotient of polynomials with so many terms behind a 1 each, of the least relative error: Remez' exchange,
    in which the error's factor is of the denominator before."""
    lo, hi = interval
    count = above + below + 1
    points = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / (count - 1)) for i in range(count)]
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / 2000) for i in range(2001)]
    p, q = [mpf(1)], [mpf(1)]

    def value(c, z):
        return sum(k * z ** n for n, k in enumerate(c))

    for turn in range(40):
        a, b = matrix(count, count), matrix(count, 1)
        for i, z in enumerate(points):
            for j in range(above):
                a[i, j] = z ** (j + 1)
            for j in range(below):
                a[i, above + j] = -f(z) * z ** (j + 1)
            a[i, count - 1] = (-1) ** i * f(z) * value(q, z)
            b[i] = f(z) - 1
        solved = lu_solve(a, b)
        p, q = [mpf(1)] + list(solved[:above]), [mpf(1)] + list(solved[above:above + below])
        errors = [value(p, z) / value(q, z) / f(z) - 1 for z in grid]
        peaks = [0]
        for i, error in enumerate(errors):
            if (error > 0) != (errors[peaks[-1]] > 0):
                peaks.append(i)
            elif abs(error) > abs(errors[peaks[-1]]):
                peaks[-1] = i
        peaks = peaks[-count:] if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else peaks[:count]
        if len(peaks) == count:
            points = [grid[i] for i in peaks]
    print('%s, error 2^%s, each highest power first:' % (name, nstr(log(max(map(abs, errors))) / log(2), 4)))
    for part in (p, q):
        print('    ' + ' '.join(nstr(c, digits) for c in part[:0:-1]))


def parts(name, value, bits):
    """value as a sum of floats with so many bits."""
    out = []
    for n in bits:
        unit = mpf(2) ** (floor(log(abs(value)) / log(2)) - n + 1)
        part = (floor(value / unit) if n < 24 else nint(value / unit)) * unit
        out.append(float(part).hex())
        value -= part
    print('%s: %s' % (name, ' '.join(out)))


def floats():
    """The polynomials of float_*.h; (2^r - 1) / r and (e^r - 1 - r) / r^2 are above."""
    third, tiny, near = mpf(1) / 3, mpf(10) ** -15, mpf(10) ** -12
    edge = log(2) / log(10) / 2 * mpf('1.001')
    poly('(10^r - 1) / r', lambda r: (mpf(10) ** r - 1) / r if abs(r) > tiny else log(10), [-edge, edge], 6, 12)
    z = (log(2) / 2 * mpf('1.001')) ** 2
    poly('(sinh(r) / r - 1) / r^2 in r^2', lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
         else mpf(1) / 6, [0, z], 3, 12)
    poly('(cosh(r) - 1) / r^2 in r^2', lambda z: (cosh(sqrt(z)) - 1) / z if z > tiny else half, [0, z], 3, 12)
    reach = [sqrt(half) - 1, sqrt(mpf(2)) - 1]
    fit('(log(1 + f) - f + f^2 / 2) / f^3', lambda f: (log(1 + f) - f + f * f / 2) / f ** 3, reach, 8,
        lambda f: f ** 3 / log(1 + f))
    poly('log2(1 + f) / f - 1', lambda f: log(1 + f) / log(2) / f - 1 if abs(f) > tiny else 1 / log(2) - 1,
         reach, 10, 12)
    poly('log10(1 + f) / f - 1/2', lambda f: log(1 + f) / log(10) / f - half if abs(f) > tiny
         else 1 / log(10) - half, reach, 10, 12)
    fit('(log(1 + f) - f + f^2 / 2) / f^3 / ln 2', lambda f: (log(1 + f) - f + f * f / 2) / f ** 3 / log(2)
        if abs(f) > near else (third - f / 4) / log(2), [mpf('-.1617'), mpf('.1617')], 7, lambda f: f ** 2)
    fit('(sin(r) / r - 1) / r^2 in r^2, to pi / 2', lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z,
        [mpf(0), (pi / 2 * mpf('1.0005')) ** 2], 4, lambda z: z * sqrt(z) / sin(sqrt(z)))
    poly('(tan(r) / r - 1) / r^2 in r^2', lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z if z > tiny else third,
         [0, (pi / 4 * mpf('1.0005')) ** 2], 6, 12)
    poly('(asin(s) / s - 1) / s^2 in s^2', lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
         else mpf(1) / 6, [0, mpf('.2501')], 5, 12)
    fit('(atan(t) / t - 1) / t^2 in t^2, to 1', lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z,
        [mpf(10) ** -25, mpf(1)], 8, lambda z: z * sqrt(z) / atan(sqrt(z)))
    parts('pi', pi, [24, 24, 24])
    parts('ln 2', log(2), [15, 24])
    parts('log10 2', log(2) / log(10), [15, 24])
    parts('log2 e', 1 / log(2), [24, 24])
    # -log2 c = g A + g^2 B for c = 1 - g / 4, g -1, 0 or 1; A and B in two parts, the first of 12 bits
    above, below = -log(mpf(3) / 4) / log(2), -log(mpf(5) / 4) / log(2)
    for name, v in (('A', (above - below) / 2), ('B', (above + below) / 2)):
        part = nint(v * 2 ** 12) / 2 ** 12
        print('%s: %s %s' % (name, float(part).hex(), nstr(v - part, 12)))


floats()


def halves():
    """The polynomials of fp16_*.h: in float, to about 2^-16, as they are rounded to 11 bits."""
    third, tiny = mpf(1) / 3, mpf(10) ** -25
    ln2, near = log(2), mpf(10) ** -15
    reach = [sqrt(half) - 1, sqrt(mpf(2)) - 1]
    fit('2^r', lambda r: mpf(2) ** r, [-half, half], 5, lambda r: mpf(2) ** -r)
    fit('(2^r - 1) / r', lambda r: (mpf(2) ** r - 1) / r if abs(r) > near else ln2, [-half, half], 4,
        lambda r: r / (mpf(2) ** r - 1) if abs(r) > near else 1 / ln2)
    edge = (ln2 / 2 * mpf('1.001')) ** 2
    fit('(sinh(r) / r - 1) / r^2 in r^2', lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
        else mpf(1) / 6, [0, edge], 2, lambda z: z)
    fit('(cosh(r) - 1) / r^2 in r^2', lambda z: (cosh(sqrt(z)) - 1) / z if z > tiny else half, [0, edge], 2,
        lambda z: z)
    fit('log2(1 + f) / f', lambda f: log(1 + f) / ln2 / f if abs(f) > near else 1 / ln2, reach, 7,
        lambda f: f / log(1 + f) if abs(f) > near else mpf(1))
    z = (pi / 2 * mpf('1.0005')) ** 2
    fit('(sin(r) / r - 1) / r^2 in r^2, to pi / 2', lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
        else -mpf(1) / 6, [0, z], 3, lambda z: z * sqrt(z) / sin(sqrt(z)) if z > tiny else mpf(0))
    z = (pi / 4 * mpf('1.0005')) ** 2
    fit('(tan(r) / r - 1) / r^2 in r^2', lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z if z > tiny else third,
        [0, z], 4, lambda z: z * sqrt(z) / tan(sqrt(z)) if z > tiny else mpf(0))
    fit('sin(pi r) / r in r^2', lambda z: sin(pi * sqrt(z)) / sqrt(z) if z > tiny else pi,
        [0, mpf(1) / 4], 4, lambda z: sqrt(z) / sin(pi * sqrt(z)) if z > tiny else 1 / pi)
    fit('tan(pi r) / r in r^2', lambda z: tan(pi * sqrt(z)) / sqrt(z) if z > tiny else pi,
        [0, mpf(1) / 16], 5, lambda z: sqrt(z) / tan(pi * sqrt(z)) if z > tiny else 1 / pi)
    fit('(asin(s) / s - 1) / s^2 in s^2', lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
        else mpf(1) / 6, [0, mpf('.2501')], 3, lambda z: z)
    fit('acos(a) / sqrt(1 - a)', lambda a: acos(a) / sqrt(1 - a) if a < 1 - tiny else sqrt(mpf(2)), [0, 1],
        5, lambda a: sqrt(1 - a) / acos(a) if a < 1 - tiny else sqrt(half))
    fit('(atan(t) / t - 1) / t^2 in t^2, to 1', lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
        else -third, [0, 1], 5, lambda z: z * sqrt(z) / atan(sqrt(z)) if z > tiny else mpf(0))
    fit('-log2(erfc(a)) / a', lambda a: -log(erfc(a)) / ln2 / a if a > near else 2 / sqrt(pi) / ln2, [0, 4],
        9, lambda a: a)
    euler = -loggamma(1 + near) / near
    fit('lgamma(1 + y) / (y (y - 1))', lambda y: loggamma(1 + y) / y / (y - 1)
        if min(abs(y), abs(y - 1)) > near else euler if y < half else 1 - euler, [0, 2], 8, lambda y: mpf(2))
    parts('pi', pi, [8, 8, 24])


halves()


def quick():
    """The polynomials of float_quick.h, for native_ functions and shorter ones for half_."""
    ln2, tiny, near = log(2), mpf(10) ** -25, mpf(10) ** -12
    reach = [sqrt(half) - 1, sqrt(mpf(2)) - 1]
    for terms in 5, 3:
        fit('(2^r - 1) / r', lambda r: (mpf(2) ** r - 1) / r if abs(r) > near else ln2, [-half, half], terms,
            lambda r: r / mpf(2) ** r)
    for terms in 7, 5:
        fit('log2(1 + f) / f', lambda f: log(1 + f) / ln2 / f if abs(f) > near else 1 / ln2, reach, terms,
            lambda f: f / log(1 + f) if abs(f) > near else mpf(1))
    z = (pi / 2 * mpf('1.0005')) ** 2
    fit('(sin(r) / r - 1) / r^2 in r^2, to pi / 2', lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
        else -mpf(1) / 6, [0, z], 2, lambda z: z * sqrt(z) / sin(sqrt(z)) if z > tiny else mpf(0))
    z = (pi / 4 * mpf('1.0005')) ** 2
    for terms in 4, 3:
        fit('(tan(r) / r - 1) / r^2 in r^2', lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
            else mpf(1) / 3, [0, z], terms, lambda z: z * sqrt(z) / tan(sqrt(z)) if z > tiny else mpf(0))


quick()


def turns_and_gamma():
    """The polynomials of core_pi.h and core_gamma.h, of asin, and of the same in float."""
    tiny = mpf(10) ** -25
    quarter, third = mpf(1) / 4, mpf(1) / 3
    sine = lambda z: (sin(pi * sqrt(z)) / sqrt(z) - pi) / z if z > tiny else -pi ** 3 / 6
    tangent = lambda z: (tan(pi * sqrt(z)) / sqrt(z) - pi) / z if z > tiny else pi ** 3 / 3
    poly('(sin(pi r) / r - pi) / r^2 in r^2', sine, [0, quarter], 8, 20)
    fit('the same', sine, [tiny, quarter], 5, lambda z: z * sqrt(z) / sin(pi * sqrt(z)))
    fit('(tan(pi r) / r - pi) / r^2 in r^2', tangent, [tiny, mpf(1) / 16], 7, lambda z: z * sqrt(z) / tan(pi * sqrt(z)))
    poly('(asin(s) / s - 1) / s^2 in s^2', lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z if z > tiny else third / 2,
         [0, mpf('.2501')], 13, 20)
    for bits in (53, 24):
        parts('pi', pi, [bits, bits])
        parts('1 / pi', 1 / pi, [bits, bits])

    # log gamma(2 + t) = (t + 1) t P(t), t from -1 to 1; P has no zero there
    near, euler = mpf(10) ** -25, mpf('0.57721566490153286060651209008240243')
    part = lambda t: 1 - euler if abs(t) < near else euler if abs(t + 1) < near else loggamma(2 + t) / t / (t + 1)
    poly('log gamma(2 + t) / (t (t + 1))', part, [-1, 1], 28, 20)
    fit('the same', part, [mpf(-1), mpf(1)], 14, lambda t: 1 / part(t))
    rest = lambda i: (loggamma(1 / i) - ((1 / i - half) * log(1 / i) - 1 / i) - log(2 * pi) / 2) / i
    poly('Stirling: (log gamma(x) - (x - 1/2) log x + x - log(2 pi) / 2) x in 1 / x^2, from 3',
         lambda w: rest(sqrt(w)) if w > tiny else mpf(1) / 12, [0, mpf(1) / 9], 12, 20)
    fit('the same', lambda w: rest(sqrt(w)), [tiny, mpf(1) / 9], 3, lambda w: mpf(1) / 3)


turns_and_gamma()


def error_function():
    """erf and erfc by tables; inverse hyperbolic functions of floats; tan of doubles."""
    rational('tan(r) / r in r^2, to pi / 4', lambda z: tan(sqrt(z)) / sqrt(z) if z > mpf(10) ** -25 else mpf(1),
             [0, (pi / 4 * mpf('1.0005')) ** 2], 3, 4, 20)
    in_parts('erf(a) / a', lambda a: erf(a) / a if a > mpf(10) ** -15 else 2 / sqrt(pi), mpf(1) / 2, 8)
    in_parts('e^a^2 erfc(a)', lambda a: exp(a ** 2) * erfc(a), mpf(81) / 128, 16)
    fit('(asinh(a) / a - 1) / a^2 in a^2, to 1', lambda z: (asinh(sqrt(z)) / sqrt(z) - 1) / z if z > mpf(10) ** -14
        else -mpf(1) / 6, [mpf(0), mpf(1)], 8, lambda z: z * sqrt(z) / asinh(sqrt(z)) if z else mpf(0))
    fit('(atanh(a) / a - 1) / a^2 in a^2, to 1/2', lambda z: (atanh(sqrt(z)) / sqrt(z) - 1) / z if z > mpf(10) ** -14
        else mpf(1) / 3, [mpf(0), mpf('.2501')], 6, lambda z: z * sqrt(z) / atanh(sqrt(z)) if z else mpf(0))
    print('erf(i / 64), 2 / sqrt(pi) e^-(i / 64)^2, i 0 to 384:')
    for i in range(0, 385):
        x = mpf(i) / 64
        print('    %s, %s,' % (float(erf(x)).hex(), float(2 / sqrt(pi) * exp(-x * x)).hex()))


error_function()


def reciprocal(i):
    """c in 64ths, of the i-th of 16 parts of [63/64, 63/32), such that m c - 1 is exact in double (it has
    52 + bits of c below the point) and as small as that allows; and the ends of m c - 1."""
    low, high = mpf(1) + mpf(2 * i - 1) / 32 if i else mpf(63) / 64, mpf(1) + mpf(2 * i + 1) / 32
    found = None
    for j in range(32, 65) if i else [64]:
        ends = low * j / 64 - 1, high * j / 64 - 1
        reach = max(-ends[0], ends[1])
        if reach <= mpf(1) / (32 if j % 2 else 16) and (not found or reach < found[0]):
            found = reach, j, ends
    return found[1:]


def tagged(value, c):
    """The double next to value whose last 17 bits are the first ones of c; of 0 one that counts for nothing, but
    is no subnormal number, for which processors take long."""
    def as_bits(x):
        return struct.unpack('Q', struct.pack('d', float(x)))[0]
    rest, tag = as_bits(value or mpf(2) ** -300) >> 17, as_bits(c) >> 47
    near = [struct.unpack('d', struct.pack('Q', (rest + step << 17) + tag))[0] for step in (-1, 0, 1)]
    return min(near, key=lambda x: abs(mpf(x) - value))


def powers():
    """pow of doubles: -log c as a multiple of 2^-42, of which ln 2 is one, too, and a rest."""
    reach = [mpf(0), mpf(0)]
    print('pow, for each c: first part of -log c, rest with c:')
    for i in range(16):
        j, ends = reciprocal(i)
        reach = [min(reach[0], ends[0]), max(reach[1], ends[1])]
        value = -log(mpf(j) / 64)
        first = nint(value * 2 ** 42) / 2 ** 42
        print('    %s, %s,' % (float(first).hex(), tagged(value - first, mpf(j) / 64).hex()))
    poly('(log(1 + r) - r + r^2 / 2) / r^3', lambda r: (log(1 + r) - r + r * r / 2) / r ** 3
         if abs(r) > mpf(10) ** -15 else mpf(1) / 3, [v * mpf('1.0001') for v in reach], 9, 20)
    print('log1p, -log(1 + i / 16): first part, rest:')
    for i in range(16):
        value = -log(1 + mpf(i) / 16)
        first = nint(value * 2 ** 42) / 2 ** 42
        print('    %s, %s,' % (float(first).hex(), float(value - first).hex()))
    wide = mpf(1) / 32 + mpf(2) ** -13
    poly('(log(1 + r) - r) / r^2', lambda r: (log(1 + r) - r) / r ** 2 if abs(r) > mpf(10) ** -15
         else r / 3 - half, [-wide, wide], 8, 20)
    first = nint(log(2) * 2 ** 42) / 2 ** 42
    print('ln 2: %s %s' % (float(first).hex(), float(log(2) - first).hex()))


powers()


def short_powers():
    """The same of floats, -log c as a multiple of 2^-16: tables of c and of both parts."""
    rows, reach = [], [mpf(0), mpf(0)]
    for i in range(16):
        j, ends = reciprocal(i)
        reach = [min(reach[0], ends[0]), max(reach[1], ends[1])]
        value = -log(mpf(j) / 64)
        first = nint(value * 2 ** 16) / 2 ** 16
        rows.append((mpf(j) / 64, first, to_float(value - first)))
    for name, column in zip(('c', 'first part of -log c', 'rest'), zip(*rows)):
        print('pow of floats, %s: %s' % (name, ' '.join('%s,' % float(v).hex().replace('000000000p', 'p') + 'f'
                                                        for v in column)))
    fit('(log(1 + r) - r + r^2 / 2) / r^3', lambda r: (log(1 + r) - r + r * r / 2) / r ** 3
        if abs(r) > mpf(10) ** -15 else mpf(1) / 3, [v * mpf('1.0001') for v in reach], 4, lambda r: r ** 2)
    first = nint(log(2) * 2 ** 16) / 2 ** 16
    print('ln 2: %s %s' % (float(first).hex(), float(to_float(log(2) - first)).hex()))
    parts('ln 2', log(2), [24, 24])


short_powers()


def from_bits(name, first, power, terms):
    """x^(-1 / power) from the bits of x: what the guess leaves, e = 1 - x y^power, and its polynomial."""
    lo = hi = 0.0
    for i in range(40000):
        x = 2.0 ** (power * i / 40000)
        bits = struct.unpack('<Q', struct.pack('<d', x))[0]
        e = 1 - x * struct.unpack('<d', struct.pack('<Q', int(first - bits / power) >> 20 << 20))[0] ** power
        lo, hi = min(lo, e), max(hi, e)
    poly('%s, (1 - e)^(-1 / %d), e from %.5f to %.5f' % (name, power, lo, hi), lambda e: (1 - e) ** (-mpf(1) / power),
         [mpf(lo) * mpf('1.001'), mpf(hi) * mpf('1.001')], terms, 19)


def doubles():
    """Of core_root.h, core_exp.h and core_erf.h, whose table build/erfc_table.py makes."""
    from_bits('cbrt', 0x553ee8ff289dd796, 3, 5)
    from_bits('rsqrt', 0x5fe6e950c7b537a9, 2, 4)
    tiny, edge = mpf(10) ** -40, (log(2) / 2 * mpf('1.01')) ** 2
    poly('(sinh(r) / r - 1) / r^2 in r^2', lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z if z > tiny
         else mpf(1) / 6, [0, edge], 5, 18)
    poly('((cosh(r) - 1) / r^2 - 1/2) / r^2 in r^2', lambda z: ((cosh(sqrt(z)) - 1) / z - half) / z if z > tiny
         else mpf(1) / 24, [0, edge], 5, 19)
    edge = mpf('27.3') / 128
    for j, terms in ((0, 9), (1, 7), (2, 4)):
        poly('erfc, integral of u^%d e^(-s u) from 0 to 1' % (2 * j), lambda s, j=j: quad(
            lambda u: u ** (2 * j) * exp(-s * u), [0, 1]), [-edge, edge], terms, 19)


doubles()


def short_erf():
    """erf of halves, as that of floats with fewer terms."""
    in_parts('erf(a) / a', lambda a: erf(a) / a if a > mpf(10) ** -15 else 2 / sqrt(pi), mpf(1) / 2, 8, 4)


short_erf()


def tables_of_512():
    """Of core_exp.h and core_trig.h, with tables of sixteen: powers of two; for half octaves from 2^-4 upwards, c near
    the middle (in angles) and its arc tangent, which is a double to 2^-63: c is the best of so many neighbours (Gal's
    accurate tables, ACM TOMS 17, 1991). In front of the first one c is 0, behind the last one tan(pi / 2), of which
    pi / 2 is the double."""
    edge = log(2) / 32 * mpf('1.0001')
    poly('(e^r - 1 - r) / r^2, |r| <= ln 2 / 32', lambda r: (exp(r) - 1 - r) / r ** 2 if abs(r) > mpf(10) ** -25
         else half + r / 6, [-edge, edge], 5, 20)
    print('2^(i / 16): ' + ' '.join(float(mpf(2) ** (mpf(i) / 16)).hex() for i in range(16)))
    rows, widest = [(mpf(0), mpf(0))], mpf(3) / 32
    for part in range(1, 15):
        low = mpf(2) ** (part // 2 - 4) * (1 if part % 2 == 0 else mpf(3) / 2)
        high = low * (mpf(4) / 3 if part % 2 else mpf(3) / 2)
        middle = mpf(float(tan((atan(low) + atan(high)) / 2)))
        c = min((middle * (1 + i * mpf(2) ** -52) for i in range(3000)),
                key=lambda c: abs(atan(mpf(float(c))) - mpf(float(atan(mpf(float(c)))))))
        c = mpf(float(c))
        rows.append((c, atan(c)))
        widest = max([widest] + [abs((a - c) / (1 + a * c)) for a in (low, high)])
    rows.append((tan(mpf(float(pi / 2))), pi / 2))
    print('atan, for [2^-4, 1.5 2^-4) and so on: c, its arc tangent; |t| <= %s' % nstr(widest, 6))
    for c, value in rows:
        print('    %s, %s, (rest 2^%s)' % (float(c).hex(), float(value).hex(), nstr(
            log(abs(value - mpf(float(value))) + mpf(2) ** -200) / log(2), 4)))
    poly('(atan(t) / t - 1) / t^2 in t^2, for these', lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z
         if z > mpf(10) ** -25 else -mpf(1) / 3, [0, (widest * mpf('1.0001')) ** 2], 6, 20)
    rational('tan(pi r) / (pi r) in r^2', lambda z: tan(pi * sqrt(z)) / (pi * sqrt(z)) if z > mpf(10) ** -25 else mpf(1),
             [0, mpf('0.0626')], 3, 4, 20)


tables_of_512()
