"""Tables in files become arrays: the only place that reads data from disk."""

from scalesr.tables.choice import ChosenRows as ChosenRows
from scalesr.tables.choice import Wanted as Wanted
from scalesr.tables.choice import choose_rows as choose_rows
from scalesr.tables.choice import columns_called as columns_called
from scalesr.tables.choice import group_labels as group_labels
from scalesr.tables.choice import usable_columns as usable_columns
from scalesr.tables.exported import csv_text as csv_text
from scalesr.tables.named_columns import read_columns as read_columns
from scalesr.tables.named_columns import read_labels as read_labels
from scalesr.tables.read import read_table as read_table
from scalesr.tables.table import Column as Column
from scalesr.tables.table import Table as Table
