# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of erfc of doubles for math/core_erf.h: erfc_table.py OUT.h

Pairs of 2^64 erfc(r) and -2^64 2 / sqrt(pi) e^-r^2, r = i / 128, until erfc is 0. From the end on downwards nothing
cancels: erfc(r) = erfc(r + h) + 2 / sqrt(pi) e^-r^2 times the integral of e^(-t^2 - 2 r t) from 0 to h, by its Taylor
series.
"""
import decimal
import sys

STEPS, END = 128, decimal.Decimal('27.25')
decimal.getcontext().prec = 40
PI = decimal.Decimal('3.14159265358979323846264338327950288419716939937511')
SCALE = 2 ** 64


def slope(r):
    return 2 / PI.sqrt() * (-r * r).exp()


def erfc_at_end(x):
    """By its continued fraction (Abramowitz and Stegun 7.1.14)."""
    fraction = x
    for k in range(60, 0, -1):
        fraction = x + decimal.Decimal(k) / 2 / fraction
    return (-x * x).exp() / PI.sqrt() / fraction


def integral(r, h):
    """Of e^(-t^2 - 2 r t) from 0 to h: a coefficient follows from the two before."""
    before, now, power, total, k = decimal.Decimal(0), decimal.Decimal(1), h, decimal.Decimal(0), 0
    while abs(now * power) > decimal.Decimal('1e-36') or k < 4:
        total += now * power / (k + 1)
        before, now = now, -2 * (r * now + before) / (k + 1)
        power *= h
        k += 1
    return total


def rows():
    h = 1 / decimal.Decimal(STEPS)
    last = int(END * STEPS)
    value = erfc_at_end(END)
    out = [(value, slope(END))]
    for i in range(last - 1, -1, -1):
        r = i * h
        value += slope(r) * integral(r, h)
        out.append((value, slope(r)))
    return out[::-1]


def main(path):
    with open(path, 'w', encoding='utf-8') as file:
        file.write('/* Made by erfc_table.py */\n'
                   f'#define WEFT_ERFC_STEPS {STEPS}\n#define WEFT_ERFC_END {END}\n'
                   'static __constant const double weft_erfc_table[] __attribute__((aligned(16))) = {\n')
        for value, derivative in rows():
            file.write(f'    {float(value * SCALE).hex()}, {float(-derivative * SCALE).hex()},\n')
        file.write('};\n')


if __name__ == '__main__':
    main(sys.argv[1])
