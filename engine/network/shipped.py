"""The networks in data/ that come with the engine, and the default networks."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.variant import Variant

NONE = "none"  # the hand-crafted evaluation
AUTO = "auto"  # for a variant: the network with its name, if there is one; for records: the built-in network
SHIPPED = "n256p.nn"  # name of the default file in data/; empty for the hand-crafted evaluation
DEFAULT = SHIPPED or NONE
RECORDS = "records.nn"  # predicts the holder of the final record


def path_of(value: str) -> str | None:
    """Return the path for a value of EvalFile, or None for the hand-crafted evaluation.

    The file names of built-in networks are valid without a folder.
    """
    value = value or DEFAULT
    return None if value == NONE else _own(value) or value


def path_for(game: Variant, value: str) -> str | None:
    """Return the path for a value of VariantEvalFile in this variant, or None for the hand-crafted evaluation.

    DEFAULT, the name of the default network of chess, selects the variant's own built-in network.
    """
    if value == NONE:
        return None
    return _own(f"{game.name}.nn") if value in ("", AUTO, DEFAULT) else _own(value) or value


def path_of_records(value: str) -> str | None:
    """Return the path for a value of RMobilityEvalFile, or None if a heuristic predicts records."""
    if value == NONE:
        return None
    return _own(RECORDS) if value in ("", AUTO) else _own(value) or value


def _own(name: str) -> str | None:
    """Return the path of a network that comes with the engine, or None if there is no such network."""
    path = os.path.join(os.path.dirname(__file__), "data", name)
    return path if os.path.dirname(name) == "" and os.path.isfile(path) else None
