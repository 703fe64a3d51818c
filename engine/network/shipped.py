"""Networks that come with the engine, files in data/, and which one evaluates unless EvalFile names another one."""

from __future__ import annotations

import os

NONE = "none"  # the hand-crafted evaluation
SHIPPED = "n256c.nn"  # name of the file in data/ that evaluates by default; empty for none
DEFAULT = SHIPPED or NONE


def path_of(value: str) -> str | None:
    """The path that a value of EvalFile stands for, None for the hand-crafted evaluation.

    The networks that come with the engine go by the names of their files.
    """
    value = value or DEFAULT
    if value == NONE:
        return None
    own = os.path.join(os.path.dirname(__file__), "data", value)
    return own if os.path.dirname(value) == "" and os.path.isfile(own) else value
