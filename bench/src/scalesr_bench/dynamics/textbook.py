"""Textbook systems of one to four states, and which half of them is put aside.

They are for building and for the end: the half that is put aside is not looked at while building and run once. Which
half a system belongs to is decided by a checksum of its name alone. All are seen at 150 points.
"""

from __future__ import annotations

import zlib
from typing import Final

from scalesr_bench.dynamics.problem import SystemProblem
from scalesr_bench.problems.problem import Problem, Range

N_POINTS: Final = 150
N_TRAJECTORIES: Final = 8
N_HELD: Final = 4

# name | duration | state [low, high] = rate; ...
_LISTING: Final = """
    logistic        | 10  | x [0.2, 12] = 0.8*x - 0.1*x^2
    gompertz        | 8   | x [0.3, 12] = x*(1.04 - 0.5*log(x))
    allee           | 4   | x [0.2, 5] = -1.2*x + 1.5*x^2 - 0.3*x^3
    enzyme-decay    | 6   | x [2, 6] = -1.2*x/(0.8 + x)
    budworm         | 12  | x [0.3, 9] = 0.6*x - 0.065*x^2 - 1.1*x^2/(1 + x^2)
    adler           | 8   | x [-3, 3] = 0.7 - sin(x)
    quadratic-drag  | 3   | v [0, 15] = 9.8 - 0.15*v^2
    gene-switch     | 8   | x [0.05, 3] = 0.1 + 2*x^2/(1 + x^2) - 0.9*x
    radiator        | 5   | x [0.2, 2.5] = 0.8 - 0.3*x - 0.1*x^4
    lotka-volterra  | 12  | x [1, 6] = 1.1*x - 0.5*x*y; y [0.5, 4] = 0.3*x*y - 0.8*y
    competition     | 10  | x [0.2, 3] = x*(1.5 - 0.5*x - 0.4*y); y [0.2, 3] = y*(1.2 - 0.3*x - 0.6*y)
    brusselator     | 12  | x [0.5, 3] = 1 - 4*x + x^2*y; y [0.5, 4] = 3*x - x^2*y
    glycolysis      | 20  | x [0.3, 2] = 0.08*y + x^2*y - x; y [0.5, 3] = 0.6 - 0.08*y - x^2*y
    fitzhugh-nagumo | 60  | v [-2, 2] = v - v^3/3 - w + 0.5; w [-0.5, 1.5] = 0.08*v - 0.064*w + 0.056
    van-der-pol     | 12  | x [-3, 3] = y; y [-3, 3] = 1.5*y - 1.5*x^2*y - x
    duffing         | 12  | x [-1.8, 1.8] = y; y [-1.5, 1.5] = x - x^3 - 0.2*y
    pendulum        | 10  | x [-2.5, 2.5] = y; y [-1.5, 1.5] = -2*sin(x) - 0.15*y
    rosenzweig      | 20  | x [0.5, 6] = x - x^2/6 - 1.2*x*y/(1 + x); y [0.3, 3] = 0.9*x*y/(1 + x) - 0.5*y
    laser           | 10  | n [0.2, 3] = 2 - 0.7*n - 1.2*n*p; p [0.1, 2] = 1.2*n*p - p
    sir             | 12  | s [0.5, 1] = -1.5*s*i; i [0.01, 0.3] = 1.5*s*i - 0.4*i
    damped-spring   | 10  | x [-2, 2] = y; y [-2, 2] = -4*x - 0.3*y
    chemostat       | 12  | s [0.5, 5] = 1.6 - 0.4*s - 1.1*s*x/(0.7 + s); x [0.2, 3] = 1.1*s*x/(0.7 + s) - 0.4*x
    wilson-cowan    | 12  | x [-1.5, 1.5] = tanh(2*x - 1.5*y) - x; y [-1.5, 1.5] = tanh(1.8*x) - y
    two-phases      | 12  | x [0, 6] = 1 + 0.6*sin(y - x); y [0, 6] = 1.3 - 0.6*sin(y - x)
    schnakenberg    | 15  | x [0.3, 3] = 0.2 - x + x^2*y; y [0.3, 2] = 1.3 - x^2*y
    lengyel-epstein | 12  | x [0.5, 5] = 10 - x - 4*x*y/(1 + x^2); y [2, 12] = 2*x - 2*x*y/(1 + x^2)
    bead-on-hoop    | 12  | x [-2, 2] = y; y [-1, 1] = sin(x)*(1.8*cos(x) - 1) - 0.3*y
    hopf            | 8   | x [-1.5, 1.5] = 0.5*x - 2*y - x^3 - x*y^2; y [-1.5, 1.5] = 2*x + 0.5*y - x^2*y - y^3
    holling-tanner  | 25  | x [0.5, 6] = x - x^2/7 - 0.9*x*y/(1 + x); y [0.5, 3] = 0.3*y - 0.24*y^2/x
    quartic-well    | 12  | x [-1.5, 1.5] = y; y [-1.5, 1.5] = -x^3
    toda            | 12  | x [-1, 1.5] = y; y [-1, 1] = exp(-x) - 1
    morse           | 12  | x [-0.4, 1] = y; y [-0.4, 0.4] = 2*exp(-2*x) - 2*exp(-x)
    radial-kepler   | 10  | r [0.8, 1.6] = v; v [-0.3, 0.3] = 0.9/r^3 - 1/r^2
    rayleigh        | 14  | x [-2, 2] = y; y [-2, 2] = 0.8*y - 0.3*y^3 - x
    binding         | 6   | s [0.5, 4] = s*c - 1.2*s + 0.5*c; c [0, 1] = 1.2*s - s*c - 1.3*c
    lorenz          | 3   | x [-10, 10] = 10*y - 10*x; y [-10, 10] = 28*x - y - x*z; z [10, 35] = x*y - 8*z/3
    roessler        | 15  | x [-6, 6] = -y - z; y [-6, 6] = x + 0.2*y; z [0, 3] = 0.2 - 5.7*z + x*z
    seir            | 20  | s [0.6, 1] = -1.2*s*i; e [0.01, 0.2] = 1.2*s*i - 0.5*e; i [0.01, 0.2] = 0.5*e - 0.3*i
    rigid-body      | 8   | x [-2, 2] = 0.7*y*z; y [-2, 2] = -1.1*x*z; z [-2, 2] = 0.4*x*y
    food-chain      | 15  | x [0.5, 3] = x - 0.6*x*y; y [0.5, 3] = 0.5*x*y - 0.4*y - 0.3*y*z; \
z [0.3, 2] = 0.35*y*z - 0.5*z
    thomas          | 20  | x [-3, 3] = sin(y) - 0.2*x; y [-3, 3] = sin(z) - 0.2*y; z [-3, 3] = sin(x) - 0.2*z
    nose-hoover     | 15  | x [-2, 2] = y; y [-2, 2] = y*z - x; z [-2, 2] = 1 - y^2
    halvorsen       | 4   | x [-5, 3] = -1.4*x - 4*y - 4*z - y^2; y [-5, 3] = -1.4*y - 4*z - 4*x - z^2; \
z [-5, 3] = -1.4*z - 4*x - 4*y - x^2
    decay-chain     | 8   | x [1, 4] = -0.8*x; y [0, 3] = 0.8*x - 0.5*y; z [0, 3] = 0.5*y - 0.2*z
    virus           | 12  | c [1, 8] = 2 - 0.2*c - 0.15*c*v; i [0.2, 3] = 0.15*c*v - 0.6*i; v [0.5, 6] = 3*i - 2*v
    chua            | 6   | x [-2, 2] = 9*y + 1.3*x - 2.6*x^3; y [-0.4, 0.4] = x - y + z; z [-2, 2] = -14*y
    hindmarsh-rose  | 30  | x [-1.5, 1.5] = y - x^3 + 3*x^2 - z + 2; y [-6, 0.5] = 1 - 5*x^2 - y; \
z [1, 3] = 0.04*x - 0.01*z + 0.064
    two-springs     | 10  | x [-2, 2] = u; y [-2, 2] = v; u [-2, 2] = y - 3*x; v [-2, 2] = x - 2*y - 0.2*v
    kepler          | 6   | x [0.7, 1.3] = u; y [-0.3, 0.3] = v; u [-0.2, 0.2] = -x/(x^2 + y^2)^1.5; \
v [0.7, 1.1] = -y/(x^2 + y^2)^1.5
    henon-heiles    | 15  | x [-0.4, 0.4] = u; y [-0.4, 0.4] = v; u [-0.3, 0.3] = -x - 2*x*y; \
v [-0.3, 0.3] = y^2 - y - x^2
    four-species    | 12  | a [0.3, 1.5] = a*(1 - a - 0.8*b); b [0.3, 1.5] = b*(1 - b - 0.7*c); \
c [0.3, 1.5] = c*(1.2 - c - 0.6*d); d [0.3, 1.5] = d*(0.9 - d - 0.5*a)
    hyper-roessler  | 8   | x [-20, 5] = -y - z; y [-15, 15] = x + 0.25*y + w; z [0, 5] = 3 + x*z; \
w [10, 25] = 0.05*w - 0.5*z
"""


def _states(text: str) -> dict[str, tuple[Range, str]]:
    """Ranges of starts and rates by state."""
    found = {}
    for part in text.split(";"):
        left, formula = part.split("=", 1)
        name, box = left.strip().split(" ", 1)
        low, high = box.strip(" []").split(",")
        found[name] = ((float(low), float(high)), formula.strip())
    return found


def _read(line: str) -> SystemProblem:
    name, duration, text = (part.strip() for part in line.split("|"))
    states = _states(text)
    box = tuple(ranges for ranges, _ in states.values())
    laws = tuple(Problem(f"d{state}/dt", name, tuple(states), rate, box) for state, (_, rate) in states.items())
    return SystemProblem(name, laws, box, float(duration), float(duration) / (N_POINTS - 1), N_TRAJECTORIES, N_HELD)


def _half(name: str) -> int:
    """0 for systems to build with, 1 for those put aside."""
    return zlib.crc32(name.encode()) % 2


TEXTBOOK: Final = tuple(_read(line) for line in _LISTING.strip().splitlines())
SEEN: Final = tuple(system for system in TEXTBOOK if _half(system.name) == 0)
ASIDE: Final = tuple(system for system in TEXTBOOK if _half(system.name) == 1)
