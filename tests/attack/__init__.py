"""Attacks: hostile inputs, kills, signals and full disks, with fixed seeds; what must not happen is counted.

`python -m tests.attack --share 0.01` runs a hundredth of the long form; `make attack` all of it.
"""
