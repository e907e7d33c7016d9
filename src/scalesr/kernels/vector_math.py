"""Elementary functions written so that loops over them vectorise.

Each is free of branches (choices become selects) and of table look-ups, in double precision, with
an error of at most about 2 ulp, which a test bounds against mpmath. Where a function holds only
on part of the line, `*_needs_care` says for which arguments a loop has to ask the C library
instead. Polynomials were fitted at Chebyshev nodes in 200-bit arithmetic.
"""

from __future__ import annotations

import math

from scalesr.kernels.compile import inlined
from scalesr.kernels.machine import bits_of, fma, from_bits

ROUND = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer, left in the low bits
ROUND_BITS = 0x4338000000000000
LN2_HIGH, LN2_LOW = 0.6931471805599453, 2.3190468138462996e-17
PI_1, PI_2, PI_3 = 3.141592653589793, 1.2246467991473532e-16, -2.9947698097183397e-33
SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
MANTISSA = 0x000FFFFFFFFFFFFF
SMALLEST_NORMAL = 2.2250738585072014e-308

TRIG_LIMIT = 1.0e7  # beyond it the three-part pi no longer carries enough digits
EXP_LIMIT = 708.0


@inlined
def _power_of_two(n):
    """2^n for n from -1022 to 1023."""
    return from_bits((n + 1023) << 52)


@inlined
def _exp_tail(r):
    """(exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2."""
    p = fma(2.510038549551032e-08, r, 2.7620088445409746e-07)
    p = fma(p, r, 2.7557268459997064e-06)
    p = fma(p, r, 2.4801521295954376e-05)
    p = fma(p, r, 0.00019841269863053618)
    p = fma(p, r, 0.0013888888917213717)
    p = fma(p, r, 0.008333333333330062)
    p = fma(p, r, 0.04166666666662413)
    p = fma(p, r, 0.16666666666666669)
    return fma(p, r, 0.5)


@inlined
def exp(x):
    """e^x where |x| <= EXP_LIMIT."""
    shifted = fma(x, 1.4426950408889634, ROUND)
    k = shifted - ROUND
    r = fma(-k, LN2_LOW, fma(-k, LN2_HIGH, x))
    return (1.0 + fma(_exp_tail(r) * r, r, r)) * _power_of_two(bits_of(shifted) - ROUND_BITS)


@inlined
def exp_needs_care(x):
    return not abs(x) <= EXP_LIMIT


@inlined
def _tan_sine(z):
    """(sin(r) / r - 1) / z for z = r^2 up to (pi / 4)^2."""
    p = fma(1.591810123027412e-10, z, -2.5051131455427946e-08)
    p = fma(p, z, 2.755731610068303e-06)
    p = fma(p, z, -0.0001984126983675497)
    p = fma(p, z, 0.008333333333330946)
    return fma(p, z, -0.16666666666666666)


@inlined
def _tan_cosine(z):
    """(cos(r) - 1 + z / 2) / z^2 for z = r^2 up to (pi / 4)^2."""
    p = fma(-1.1382614868556325e-11, z, 2.0876146024689747e-09)
    p = fma(p, z, -2.7557317270560326e-07)
    p = fma(p, z, 2.4801587298763433e-05)
    p = fma(p, z, -0.0013888888888887395)
    return fma(p, z, 0.041666666666666664)


@inlined
def _sine(r, low):
    """sin(r + low) for |r| up to pi / 2."""
    z = r * r
    p = fma(2.731428986122616e-15, z, -7.643969031052769e-13)
    p = fma(p, z, 1.6058977272815506e-10)
    p = fma(p, z, -2.5052107616384595e-08)
    p = fma(p, z, 2.755731921915843e-06)
    p = fma(p, z, -0.00019841269841254955)
    p = fma(p, z, 0.008333333333333316)
    p = fma(p, z, -0.16666666666666666)
    return r + fma(r * z, p, low * (1.0 - 0.5 * z))


@inlined
def _minus_multiple_of_pi(x, n):
    """x - n pi as a leading part and a small rest."""
    a = fma(-n, PI_1, x)  # exact
    b = n * PI_2
    r = a - b
    return r, fma(-n, PI_3, ((a - r) - b) - fma(n, PI_2, -b))


@inlined
def sin(x):
    """Sine where |x| <= TRIG_LIMIT."""
    shifted = fma(x, 1 / math.pi, ROUND)
    r, low = _minus_multiple_of_pi(x, shifted - ROUND)
    value = from_bits(bits_of(_sine(r, low)) ^ (bits_of(shifted) << 63))
    return x if x == 0.0 else value  # keeps the sign of zero


@inlined
def cos(x):
    """Cosine where |x| <= TRIG_LIMIT: the sine at the nearest odd multiple of pi / 2."""
    shifted = fma(x, 1 / math.pi, -0.5) + ROUND
    r, low = _minus_multiple_of_pi(x, (shifted - ROUND) + 0.5)
    return from_bits(bits_of(_sine(r, low)) ^ ((bits_of(shifted) + 1) << 63))


@inlined
def tan(x):
    """Tangent where |x| <= TRIG_LIMIT."""
    shifted = fma(x, 2 / math.pi, ROUND)
    r, low = _minus_multiple_of_pi(x, 0.5 * (shifted - ROUND))
    z = r * r
    sine = r + fma(r * z, _tan_sine(z), low * (1.0 - 0.5 * z))
    half = 0.5 * z
    base = 1.0 - half
    cosine = base + (((1.0 - base) - half) + fma(z * z, _tan_cosine(z), -r * low))
    turned = bits_of(shifted) & 1
    value = (-cosine if turned else sine) / (sine if turned else cosine)
    return x if x == 0.0 else value


@inlined
def trig_needs_care(x):
    return abs(x) > TRIG_LIMIT


@inlined
def _split(x):
    """A positive normal x as m 2^e with m from sqrt(1/2) to sqrt(2)."""
    shifted = bits_of(x) - SQRT_HALF_BITS
    e = shifted >> 52
    return from_bits(bits_of(x) - (e << 52)), e


@inlined
def _as_double(n):
    """A small integer as a double, without the conversion that only newer machines vectorise."""
    return from_bits(n + ROUND_BITS) - ROUND


@inlined
def log(x):
    """Natural logarithm, of every double."""
    tiny = x < SMALLEST_NORMAL
    m, e = _split(x * 18014398509481984.0 if tiny else x)
    k = _as_double(e) - (54.0 if tiny else 0.0)
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = fma(0.14616585424888623, z, 0.15331710618210773)
    p = fma(p, z, 0.18182889455674947)
    p = fma(p, z, 0.22222211130259878)
    p = fma(p, z, 0.2857142862600327)
    p = fma(p, z, 0.39999999999899444)
    p = fma(p, z, 0.666666666666667)
    half = 0.5 * f * f
    value = fma(k, LN2_HIGH, f - (half - fma(s, fma(z, p, half), k * LN2_LOW)))
    value = value if x < math.inf else x  # infinity and NaN
    value = value if x > 0.0 else math.nan
    value = -math.inf if x == 0.0 else value
    return value


@inlined
def _log_in_two_parts(x):
    """Logarithm of a positive normal x to about 65 bits, as a sum of two doubles."""
    m, e = _split(x)
    k = _as_double(e)
    f = m - 1.0
    d = m + 1.0
    d_low = m - (d - 1.0)
    s = f / d
    s_low = (fma(-s, d, f) - s * d_low) / d
    z = s * s
    z_low = fma(s, s, -z) + 2.0 * s * s_low
    p = fma(0.11723178623876518, z, 0.11706236339491206)
    p = fma(p, z, 0.1333480469384731)
    p = fma(p, z, 0.1538459496251843)
    p = fma(p, z, 0.18181818335392802)
    p = fma(p, z, 0.22222222221655885)
    p = fma(p, z, 0.28571428571429364)
    p = fma(p, z, 0.4)
    # 2/3 z + z^2 p as two doubles, times s, plus 2 s
    c = 0.6666666666666666 * z
    c_low = fma(0.6666666666666666, z, -c) + fma(0.6666666666666666, z_low, 3.700743415417188e-17 * z) + z * z * p
    cubic = s * c
    cubic_low = fma(s, c, -cubic) + fma(s, c_low, s_low * c)
    high = 2.0 * s + cubic
    low = (2.0 * s - high) + cubic + fma(2.0, s_low, cubic_low)
    whole = k * LN2_HIGH
    whole_low = fma(k, LN2_HIGH, -whole) + k * LN2_LOW
    total = whole + high
    back = total - whole
    rest = (whole - (total - back)) + (high - back)
    rest += whole_low + low
    value = total + rest
    return value, rest - (value - total)


@inlined
def power(x, y):
    """|x|^y with the sign of an odd integer y for negative x; NaN for a negative x otherwise."""
    high, low = _log_in_two_parts(abs(x))
    product = y * high
    product_low = fma(y, high, -product) + y * low
    shifted = fma(product, 1.4426950408889634, ROUND)
    k = shifted - ROUND
    start = fma(-k, LN2_HIGH, product)  # exact
    product_low = fma(-k, LN2_LOW, product_low)
    r = start + product_low
    tail = fma(_exp_tail(r) * r, r, product_low - (r - start))
    size = (1.0 + (r + tail)) * _power_of_two(bits_of(shifted) - ROUND_BITS)
    whole = y + ROUND
    is_whole = whole - ROUND == y
    signed = from_bits(bits_of(size) ^ (bits_of(whole) << 63))
    return size if x > 0.0 else (signed if is_whole else math.nan)


@inlined
def power_needs_care(x, y):
    """Zero, infinite, NaN or subnormal x; a huge y; a result near overflow or underflow."""
    size = abs(x)
    exponent = (bits_of(size) >> 52) - 1023  # log2 of |x|, rounded down
    largest = max(abs(exponent), abs(exponent + 1))
    fits = _as_double(largest) * abs(y) <= 1020.0
    return not (size >= SMALLEST_NORMAL and size < math.inf and fits)


@inlined
def tanh(x):
    """Hyperbolic tangent, of every double."""
    size = min(abs(x), 20.0)
    shifted = fma(size, 2.0 * 1.4426950408889634, ROUND)
    k = shifted - ROUND
    r = fma(-k, LN2_LOW, fma(-k, LN2_HIGH, 2.0 * size))
    scale = _power_of_two(bits_of(shifted) - ROUND_BITS)
    m = fma(fma(_exp_tail(r) * r, r, r), scale, scale - 1.0)  # exp(2 |x|) - 1
    value = m / (m + 2.0)
    signed = from_bits(bits_of(value) | (bits_of(x) & (-9223372036854775807 - 1)))
    return x if x != x else signed
