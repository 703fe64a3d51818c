"""python-chess with attack tables that are filled on demand: computing them takes half of the import.

A match starts an engine, and so imports python-chess, in a process of its own.
"""

import importlib.util
import sys
from types import CodeType, ModuleType


def _attack_table(deltas: list[int]) -> tuple[list[int], list[dict[int, int]]]:
    """Replaces the function of this name in python-chess, with whose globals it runs."""

    class Attacks(dict):
        def __init__(self, square: int) -> None:
            self.square = square

        def __missing__(self, occupied: int) -> int:
            found = self[occupied] = _sliding_attacks(self.square, occupied, deltas)  # noqa: F821
            return found

    masks = [_sliding_attacks(square, 0, deltas) & ~_edges(square) for square in SQUARES]  # noqa: F821
    return masks, [Attacks(square) for square in SQUARES]  # noqa: F821


def load() -> ModuleType:
    """The module ``chess``."""
    spec = importlib.util.find_spec("chess")
    code = spec.loader.get_code("chess")
    own = {_attack_table.__code__.co_name: _attack_table.__code__}
    names = [each.co_name for each in code.co_consts if isinstance(each, CodeType)]
    assert own.keys() <= set(names), "this release of python-chess computes its tables in another way"
    constants = (own.get(each.co_name, each) if isinstance(each, CodeType) else each for each in code.co_consts)
    chess = sys.modules["chess"] = importlib.util.module_from_spec(spec)
    exec(code.replace(co_consts=tuple(constants)), chess.__dict__)
    return chess
