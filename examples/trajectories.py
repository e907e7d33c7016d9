"""From a table of trajectories to the laws of motion behind them, and their picture.

Two genes repress each other. The table has a row per measurement: which run, when, and how much there is
of the proteins U and V. Nothing is said about the form of the laws.

Run with: python examples/trajectories.py [picture.svg]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.integrate import solve_ivp

from scalesr import ScaleSRDynamics


def measured(n_runs: int) -> pd.DataFrame:
    """Trajectories of a genetic toggle switch from random starts."""
    rng, t = np.random.default_rng(1), np.linspace(0, 2, 101)
    runs = []
    for run in range(n_runs):
        done = solve_ivp(
            lambda _, x: [4 / (1 + x[1] ** 3) - x[0], 4 / (1 + x[0] ** 3) - x[1]],
            (0, 2), rng.uniform(0, 4, 2), t_eval=t, rtol=1e-10, atol=1e-12,
        )  # fmt: skip
        runs.append(pd.DataFrame({"run": run, "t": t, "U": done.y[0], "V": done.y[1]}))
    return pd.concat(runs)


folder = Path(tempfile.mkdtemp())
measured(8).to_csv(folder / "switch.csv", index=False)

table = pd.read_csv(folder / "switch.csv")
system = ScaleSRDynamics(random_state=0, time_limit=120).fit(table, time="t", trajectory="run", states=["U", "V"])
print(system)
for name, discovery in zip(system.state_names_, system.discoveries_, strict=True):
    print(f"{name}: {discovery.sentence}")
print(*system.statements_, sep="\n")

fresh = system.simulate([3.0, 1.0], np.linspace(0, 20, 5))
print("From U = 3, V = 1 the switch settles at", fresh[-1].round(4))

try:
    from scalesr.report.trajectories import write_trajectories

    picture = Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "switch.svg"
    write_trajectories(picture, system.compare(table, time="t", trajectory="run"), system.state_names_)
    print("The picture has", picture.stat().st_size // 1000, "kB")
except ImportError as error:
    print(error)
