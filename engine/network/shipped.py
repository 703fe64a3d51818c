"""Which network evaluates unless EvalFile names another one. A network ships by its name here and its file in data/."""

from __future__ import annotations

import os

NONE = "none"  # the hand-crafted evaluation
SHIPPED = ""  # name of the file in data/ that comes with the engine; empty for none
DEFAULT = SHIPPED or NONE


def path_of(value: str) -> str | None:
    """The path that a value of EvalFile stands for, None for the hand-crafted evaluation."""
    value = value or DEFAULT
    if value == NONE:
        return None
    return os.path.join(os.path.dirname(__file__), "data", SHIPPED) if value == SHIPPED else value
