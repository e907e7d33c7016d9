"""Why one variable at a time works: constants of one search are data for the next.

A gas is held at five temperatures T and its pressure p is read at many volumes V. One skeleton,
p = C/V, is fitted to all five groups at once; its constant turns out to be a function of T.

Run with: python examples/groups.py
"""

import numpy as np

from scalesr import fit, parse
from scalesr.expr.fitting import fit_groups

GAS_CONSTANT = 8.314  # J / (mol K)

rng = np.random.default_rng(0)
temperatures = np.array([250.0, 300.0, 350.0, 400.0, 450.0])
volumes = np.linspace(0.5, 3.0, 40)
pressures = GAS_CONSTANT * temperatures[:, np.newaxis] / volumes * (1 + 0.001 * rng.normal(size=(5, 40)))

in_volume = fit_groups(parse("C/V", names=["V"]), [volumes[:, np.newaxis]] * 5, pressures)
for T, constants, covariance in zip(temperatures, in_volume.constants, in_volume.covariance, strict=True):
    print(f"T = {T:3.0f} K   p = {constants[0]:7.2f} / V   (± {np.sqrt(covariance[0, 0]):.2f})")

in_temperature = fit(
    parse("C*T", names=["T"]),
    temperatures[:, np.newaxis],
    in_volume.constants[:, 0],
    weights=1 / in_volume.covariance[:, 0, 0],
)
print(f"so p = {in_temperature.constants[0]:.3f} * T / V")
