"""The scheme `trainer`: symbols of moves as annotators give them.

``model.judge`` compares evaluations only, so it calls a recapture brilliant if every other
move loses. This scheme also requires for a good symbol that the move was hard to find, requires less of a lead for a
sacrifice, and always gives a symbol to a missed mate.

The *depth* of a move tells how hard it was to find: the iteration in which it becomes the best
move and stays the best, in a search that starts with an empty memory. 0 is an obvious move, None an unknown depth.
Evaluations, ``mover`` and ``x05`` are as in ``model``. docs/relevance.md describes the games to which the parameters
were fitted.
"""

from __future__ import annotations

from dataclasses import dataclass

from .model import BAD_MOVES, GOOD_MOVES, TOLERANCE, check_x05, gain

NAME = "trainer"
# The last iteration of the search for a move's depth; a move that is not the best even in this iteration gets a depth
# of one more.
LAST_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Good:
    """The least gain over the next best move, as a share of the total area, and least depth for a good symbol."""

    gain: float
    depth: int


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the scheme. The scheme never gives a symbol that is None here."""

    losses: tuple[float, float, float] = (0.15, 0.25, 0.375)  # least losses of ?!, ? and ??, as shares of the area
    quiet: tuple[Good | None, ...] = (Good(0.15, 7), Good(0.2, 7), None)  # !?, ! and !! without a sacrifice
    sacrifice: tuple[Good | None, ...] = (None, Good(0.05, 5), Good(0.25, 7))  # !?, ! and !! of a sacrifice
    missed_mate: int = 5  # missing a mate in at most this many moves gets at least ?!


FITTED = Parameters()


def judge(  # noqa: PLR0917 (in the order of model.judge)
    best: float | None,
    second: float | None,
    played: float | None,
    played_is_best: bool,
    mover: str,
    x05: float,
    *,
    depth: int | None = None,
    sacrifices: bool = False,
    mate: int | None = None,
    parameters: Parameters = FITTED,
) -> int:
    """Return the NAG, 1 to 6, of a played move; 0 for no symbol.

    best, second, played: the evaluations, as in ``model.judge``.
    depth: the depth of the best move, if it was played; with None or 0 the move gets no good symbol.
    sacrifices: whether the played move sacrifices material.
    mate: the number of moves in which the best move mates; None if it does not mate.

    >>> judge(0.9, 0.1, None, True, "w", 0.98, depth=8)
    1
    >>> judge(0.9, 0.1, None, True, "w", 0.98, depth=2)
    0
    """
    check_x05(x05)
    if played_is_best:
        if best is None or second is None or not depth:
            return 0
        earned = gain(best, second, mover, x05)
        wanted = parameters.sacrifice if sacrifices else parameters.quiet
        levels = [
            nag
            for nag, least in zip(GOOD_MOVES, wanted, strict=True)
            if least is not None and earned >= least.gain - TOLERANCE and depth >= least.depth
        ]
        return levels[-1] if levels else 0
    if best is None or played is None:
        return 0
    loss = -gain(played, best, mover, x05)
    missed = mate is not None and mate <= parameters.missed_mate and played != best
    level = max(sum(loss >= edge - TOLERANCE for edge in parameters.losses), missed)
    return BAD_MOVES[level - 1] if level else 0
