"""An operator of your own: fit a saturation curve through `softplus`.

Run with: python examples/own_operator.py
"""

import math

import numpy as np
import sympy

from scalesr import Equation, define_operator, fit, parse

define_operator(
    "softplus",
    lambda x: math.log1p(math.exp(x)),
    sympy=lambda x: sympy.log(1 + sympy.exp(x)),
    derivative=(lambda x: 1 / (1 + math.exp(-x)),),
)

x = np.linspace(-3.0, 3.0, 60)[:, np.newaxis]
y = 2.0 * np.log1p(np.exp(1.5 * x[:, 0] - 0.5)) + 0.01 * np.random.default_rng(0).normal(size=60)

law = Equation.from_fit(fit(parse("C*softplus(C*x + C)", names=["x"]), x, y), names=["x"])
print("law   ", law)
print("sympy ", law.rounded().sympy())
