"""Calibration: what the verdicts and probabilities of discoveries are worth, on tables whose truth is known."""
