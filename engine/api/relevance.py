"""The relevance model: what an evaluation means for the result, and its symbols (docs/relevance.md).

>>> from standstill import relevance
>>> relevance.result(0.62, 0.62)
0.75
>>> relevance.position_nag(1.4, relevance.preset("Standstill").x05)
18
"""

from standstill.engine.common.errors import RelevanceError
from standstill.engine.relevance import model as _model
from standstill.engine.relevance import nags as _symbols
from standstill.engine.relevance import presets as _presets
from standstill.engine.relevance.model import DEFAULT_X05
from standstill.engine.relevance.presets import Preset
from standstill.given import guarded as _guarded

__all__ = [
    "DEFAULT_X05",
    "Preset",
    "RelevanceError",
    "ascii_text",
    "boundaries",
    "chances",
    "difference",
    "equilibrium",
    "gain",
    "judge",
    "meaning",
    "move_nag",
    "nag_of",
    "position_edges",
    "position_nag",
    "preset",
    "result",
    "result_inverse",
    "share",
    "text",
    "weight",
]

boundaries = _guarded(_model.boundaries)
chances = _guarded(_model.chances)
difference = _guarded(_model.difference)
equilibrium = _guarded(_model.equilibrium)
gain = _guarded(_model.gain)
judge = _guarded(_model.judge)
move_nag = _guarded(_model.move_nag)
position_edges = _guarded(_model.position_edges)
position_nag = _guarded(_model.position_nag)
result = _guarded(_model.result)
result_inverse = _guarded(_model.result_inverse)
share = _guarded(_model.share)
weight = _guarded(_model.weight)
preset = _guarded(_presets.preset)
ascii_text = _guarded(_symbols.ascii_text)
meaning = _guarded(_symbols.meaning)
nag_of = _guarded(_symbols.nag_of)
text = _guarded(_symbols.text)
