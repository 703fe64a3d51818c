from typing_extensions import disjoint_base

@disjoint_base
class Evaluator:
    """How good a position is; abstract. The evaluators of the games have the methods for Python."""
