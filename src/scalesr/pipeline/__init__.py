"""The method: from a table to its law."""

from scalesr.pipeline.categories import discover_with_categories as discover_with_categories
from scalesr.pipeline.groups import discover_in_groups as discover_in_groups
from scalesr.pipeline.measured_columns import discover_measured as discover_measured
from scalesr.pipeline.method import discover as discover
from scalesr.pipeline.yes_no import discover_yes_no as discover_yes_no
