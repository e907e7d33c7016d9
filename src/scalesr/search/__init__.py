"""Sweep -> ranked Skeletons: the searches, behind one interface."""
