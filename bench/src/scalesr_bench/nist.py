"""Eight problems of NIST's StRD for nonlinear regression, with the residual NIST certifies.

NIST computed the sums in 128-bit arithmetic and gives 11 digits. Its starting values are not
used here: a fit has to find its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.tables import read_columns
from scalesr_bench.bundled import bundled


@dataclass(frozen=True, slots=True)
class Certified:
    """A table, the skeleton of its law and the least sum of squares."""

    name: str
    skeleton: str  # in the variable x
    rss: float

    def table(self) -> NDArray[np.float64]:  # (rows, 2): x and y
        """The measured rows."""
        return read_columns(bundled(f"nist_{self.name}"), ["x", "y"])


_CUBIC_RATIO: Final = "(C + C*x + C*x^2 + C*x^3)/(1 + C*x + C*x^2 + C*x^3)"

NIST: Final = (
    Certified("misra1a", "C*(1 - exp(C*x))", 1.2455138894e-01),
    Certified("chwirut2", "exp(C*x)/(C + C*x)", 5.1304802941e02),
    Certified("danwood", "C*x^C", 4.3173084083e-03),
    Certified("hahn1", _CUBIC_RATIO, 1.5324382854e00),
    Certified("thurber", _CUBIC_RATIO, 5.6427082397e03),
    Certified("boxbod", "C*(1 - exp(C*x))", 1.1680088766e03),
    Certified("rat43", "C/(1 + exp(C + C*x))^C", 8.7864049080e03),
    Certified("eckerle4", "C*exp(C*(x + C)^2)", 1.4635887487e-03),
)
