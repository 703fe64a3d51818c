from typing_extensions import disjoint_base

from ..base.board import Board

@disjoint_base
class Evaluator:
    """Base of all evaluators; abstract. The evaluator of each game adds further methods for Python."""

    def nanoseconds(self, boards: list[Board], repeat: int = 1) -> float:
        """Mean time of an evaluation of the boards and all positions one move after them. Raises TypeError."""

@disjoint_base
class DelegatingEvaluator(Evaluator):
    """Base of evaluators that delegate endings to another one."""
