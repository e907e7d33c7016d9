"""Laws for people: reports, figures and what a notebook shows. matplotlib is loaded when something is drawn."""

from __future__ import annotations

from scalesr.report.motion import write_motion_report as write_motion_report
from scalesr.report.page import write_report as write_report
