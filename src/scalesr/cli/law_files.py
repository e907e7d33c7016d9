"""The handing over of a law that was found: on the screen, as JSON, as a law file and as a report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scalesr.cli.output import STANDARD_OUTPUT, Delivery, check_targets, say_lines, tell, write_json
from scalesr.cli.reporting import check_report, command_line
from scalesr.cli.signals import heard_again
from scalesr.cli.table_given import InMemory, InPasses

if TYPE_CHECKING:
    from scalesr.estimators.regressor import ScaleSRRegressor
    from scalesr.records.discovery import Discovery


@dataclass(frozen=True, slots=True)
class LawFiles:
    """Where a law goes."""

    save: Path | None
    report: Path | None
    json: Path | None
    checkpoint: Path | None
    quiet: bool

    def check(self, table: Path) -> None:
        """Refuse files that cannot be written, before any work is done for them."""
        targets = {"--save": self.save, "--report": self.report, "--json": self.json, "--checkpoint": self.checkpoint}
        check_targets(targets, [table])
        check_report(self.report)

    def deliver(self, model: ScaleSRRegressor, given: InMemory | InPasses, *, time_limit: float | None) -> None:
        """Print the law and write the files; one that fails costs no other, and is told at the end."""
        delivery = Delivery()
        with delivery.part():
            if self.json != STANDARD_OUTPUT:
                say_lines(self._lines(model, given.target, time_limit))
        with delivery.part():
            if self.json is not None:
                write_json(self.json, _values(model, given))
        with delivery.part():
            if self.save is not None:
                model.save(self.save)
                self._tell_saved(self.save)
        with delivery.part(), heard_again():
            if self.report is not None and isinstance(given, InMemory):
                _write_report(self.report, model, given)
                self._tell_saved(self.report)
        delivery.close()

    def _lines(self, model: ScaleSRRegressor, target: str, time_limit: float | None) -> list[str]:
        """The law, its verdict, what became of formulas and constraints that were given, and the next step."""
        from scalesr.cli.outcome import lines_of, next_step
        from scalesr.estimators.units import named_units

        discovery = discovery_of(model)
        saved = None if self.save is None else shlex.quote(str(self.save))
        after = next_step(discovery, saved=saved, time_limit=time_limit)
        lines = lines_of(discovery, target, after, named_units(model.units))
        compared = [step.summary for step in discovery.trace if step.stage in ("start", "constraints")]
        return [*lines[:-2], *([""] if compared else []), *compared, *lines[-2:]]

    def _tell_saved(self, path: Path) -> None:
        tell([] if self.quiet else [f"Saved in {path}."])


def discovery_of(model: ScaleSRRegressor) -> Discovery:
    """The one discovery of a model with one target."""
    (discovery,) = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    return discovery


def _values(model: ScaleSRRegressor, given: InMemory | InPasses) -> Mapping[str, object]:
    from scalesr.estimators.units import named_units
    from scalesr.estimators.values import values_of

    values = values_of(discovery_of(model), given.target, named_units(model.units))
    return {**values, "table": given.description, "notes": given.notes}


def _write_report(path: Path, model: ScaleSRRegressor, given: InMemory) -> None:
    from scalesr.estimators.fit_rows import labels_of
    from scalesr.estimators.frames import named_rows
    from scalesr.report import write_report

    rows = given.rows
    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    labels = labels_of(discovery_of(model), rows)
    write_report(path, model, X, y, command=command_line(), sample_weight=rows.weights, groups=labels)
