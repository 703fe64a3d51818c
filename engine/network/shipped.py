"""Networks that come with the engine, files in data/, and which one evaluates unless EvalFile names another one."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.variant import Variant

NONE = "none"  # the hand-crafted evaluation
AUTO = "auto"  # for a game by definition the network of its name, where there is one; for records ours
SHIPPED = "n256n.nn"  # name of the file in data/ that evaluates by default; empty for none
DEFAULT = SHIPPED or NONE
RECORDS = "records.nn"  # the one that foresees who will hold the last record


def path_of(value: str) -> str | None:
    """The path that a value of EvalFile stands for, None for the hand-crafted evaluation.

    The networks that come with the engine go by the names of their files.
    """
    value = value or DEFAULT
    return None if value == NONE else _own(value) or value


def path_for(game: Variant, value: str) -> str | None:
    """The path that a value of VariantEvalFile stands for in this game, None for the hand-crafted evaluation.

    The usual network of chess stands for the usual one of the game.
    """
    if value == NONE:
        return None
    return _own(f"{game.name}.nn") if value in ("", AUTO, DEFAULT) else _own(value) or value


def path_of_records(value: str) -> str | None:
    """The path that a value of RMobilityEvalFile stands for, None where records are not foreseen."""
    if value == NONE:
        return None
    return _own(RECORDS) if value in ("", AUTO) else _own(value) or value


def _own(name: str) -> str | None:
    """The path of a network that comes with the engine."""
    path = os.path.join(os.path.dirname(__file__), "data", name)
    return path if os.path.dirname(name) == "" and os.path.isfile(path) else None
