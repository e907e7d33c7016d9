"""Ten laws of physics and astronomy at the magnitudes of real units, usually with 10 % noise on every value."""

from __future__ import annotations

from typing import Final

from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Sampling

_ROWS: Final = 1000

_OVER_MAGNITUDES: Final = read_listing(
    "empirical",
    """
    newton    | 6.67408e-11*m1*m2/r^2                           | r [3.7e8, 7.37593e12]; m1 m2 [1.3e22, 2e30]
    planck    | 2*6.62607004e-34*nu^3/299792458^2/(exp(6.62607004e-34*nu/(1.38064852e-23*T)) - 1) | \
nu [1e9, 1e16]; T [100, 6000]
    schechter | 0.002/2.5e8*(L/2.5e8)^(-1.2)*exp(-L/2.5e8)                  | L [1e6, 3e9]
    """,
    Sampling(_ROWS, "log-uniform", "value"),
)

_UNIFORM: Final = read_listing(
    "empirical",
    """
    ideal-gas | 8.314*n*T/V                                                 | n [1, 100]; T [300, 400]; V [1, 100]
    rydberg   | 1/(1.097e7*(1/n_1^2 - 1/n_2^2))                             | n_1 [1, 6]; n_2 [2, 7]
    hubble    | 73.3*D                                                      | D [1, 20]
    leavitt   | 15.65 - 2.084*log(P)/log(10)                                | P [1.25, 158]
    tully     | 26.1*DV^2.5                                                 | DV [100, 700]
    kepler    | 365.25*a^1.5                                                | a [0.38, 9.5]
    bode      | 0.4 + 0.3*2^n                                               | n [-1, 6]
    """,
    Sampling(_ROWS, "uniform", "value"),
)

EMPIRICAL: Final = _OVER_MAGNITUDES + _UNIFORM
