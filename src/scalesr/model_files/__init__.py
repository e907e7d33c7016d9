"""Laws in files: versioned JSON that holds nothing to run.

A formula is kept as its text, which carries every digit of its constants, and is read by the parser
for formulas. A number that JSON lacks is written as the text "nan", "inf" or "-inf".
"""

from __future__ import annotations

from scalesr.model_files.dynamics import DynamicsModel as DynamicsModel
from scalesr.model_files.dynamics import holds_dynamics as holds_dynamics
from scalesr.model_files.dynamics import read_dynamics as read_dynamics
from scalesr.model_files.dynamics import write_dynamics as write_dynamics
from scalesr.model_files.model import Model as Model
from scalesr.model_files.model import Value as Value
from scalesr.model_files.read import model_of as model_of
from scalesr.model_files.read import read_model as read_model
from scalesr.model_files.write import model_content as model_content
from scalesr.model_files.write import write_model as write_model
