"""Runs: a fit as a folder of plain files, made by a process of its own, so that nobody has to wait for it."""
