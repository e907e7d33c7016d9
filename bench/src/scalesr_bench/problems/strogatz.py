"""Right-hand sides of seven two-state systems of Strogatz's book; the boxes are those of the usual trajectories."""

from __future__ import annotations

from typing import Final

from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Sampling

STROGATZ: Final = read_listing(
    "strogatz",
    """
    bacres1    | 20 - x - x*y/(1 + 0.5*x^2)               | x [3.4854, 16.3302]; y [9.79266, 54.4452]
    bacres2    | 10 - x*y/(1 + 0.5*x^2)                   | x [3.4854, 16.3302]; y [9.79266, 54.4452]
    barmag1    | 0.5*sin(x - y) - sin(x)                  | x [4.11849, 5.98626]; y [0.200012, 6.64978]
    barmag2    | 0.5*sin(y - x) - sin(y)                  | x [4.11849, 5.98626]; y [0.200012, 6.64978]
    glider1    | -0.05*x^2 - sin(y)                       | x [0.162555, 5.60327]; y [-1.32283, 28.7652]
    glider2    | x - cos(y)/x                             | x [0.162555, 5.60327]; y [-1.32283, 28.7652]
    lv1        | 3*x - 2*x*y - x^2                        | x [1.5103e-05, 8]; y [0.000164748, 3]
    lv2        | 2*y - x*y - y^2                          | x [1.5103e-05, 8]; y [0.000164748, 3]
    predprey1  | x*(4 - x - y/(1 + x))                    | x [0.00525005, 6.58096]; y [2.23001, 11.6491]
    predprey2  | y*(x/(1 + x) - 0.075*y)                  | x [0.00525005, 6.58096]; y [2.23001, 11.6491]
    shearflow1 | cos(x)/tan(y)                            | x [-4.3501, 3.59983]; y [-2.74699, 2.14721]
    shearflow2 | (cos(y)^2 + 0.1*sin(y)^2)*sin(x)         | x [-4.3501, 3.59983]; y [-2.74699, 2.14721]
    vdp1       | 10*(y - (x^3 - x)/3)                     | x [-1.19935, 1.93737]; y [-0.197026, 0.927609]
    vdp2       | -x/10                                    | x [-1.19935, 1.93737]; y [-0.197026, 0.927609]
    """,
    Sampling(noise="size"),  # as SRBench has it
)
