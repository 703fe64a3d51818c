"""The relevance model for whole archives: the functions of ``relevance.py`` on numpy arrays, element by element.

numpy comes with the optional extra ``standstill[archive]``. Arguments may be arrays or numbers that broadcast
together, in pawns from White's view; results are float64, symbols int8.
"""

from __future__ import annotations

from math import log

import numpy as np

from . import relevance
from .relevance import BAD_MOVES, BALANCED, BLACK_BETTER, GOOD_MOVES, TOLERANCE, WHITE_BETTER, check_x05

_LN2 = log(2.0)


def weight(x, x05: float):
    """``relevance.weight`` of every element."""
    return np.exp2(-np.abs(_evaluations(x)) / check_x05(x05))


def share(x, x05: float):
    """``relevance.share`` of every element."""
    x = _evaluations(x)
    return np.copysign(-0.5 * np.expm1(np.abs(x) * (-_LN2 / check_x05(x05))), x)


def result(x, x05: float):
    """``relevance.result`` of every element."""
    x = _evaluations(x)
    tail = np.abs(x)
    tail *= -_LN2 / check_x05(x05)
    np.exp(tail, out=tail)
    tail *= 0.5
    return np.where(x > 0, 1.0 - tail, tail)


def gain(played, reference, white_moves, x05: float):
    """``relevance.gain`` of every pair; ``white_moves`` is true where White is the mover."""
    check_x05(x05)
    a, b = np.broadcast_arrays(_evaluations(played), _evaluations(reference))
    near = np.minimum(np.abs(a), np.abs(b))
    apart = np.subtract(a, b, out=np.zeros(a.shape), where=a != b)  # two equal mates have no distance
    scale = -_LN2 / x05
    same_side = -0.5 * np.exp(near * scale) * np.expm1(np.abs(apart) * scale)
    across = -0.5 * (np.expm1(np.abs(a) * scale) + np.expm1(np.abs(b) * scale))
    size = np.where((a > 0) == (b > 0), same_side, across)
    return np.where((a > b) == np.asarray(white_moves, dtype=bool), size, -size)


def difference(a, b, x05: float):
    """``relevance.difference`` of every pair."""
    return relevance.total(x05) * np.abs(gain(a, b, True, x05))


def position_nag(x, x05: float, scheme: str = relevance.DEFAULT_POSITION_SCHEME):
    """``relevance.position_nag`` of every element."""
    x = _evaluations(x)
    # The edges are carried over to evaluations once, tolerance included, instead of every evaluation to a share.
    edges = [relevance.result_inverse(0.5 + over / under - TOLERANCE, x05) for over, under in _position(scheme, x05)]
    levels = np.searchsorted(edges, np.abs(x), side="right")
    white = np.array((BALANCED, *WHITE_BETTER), dtype=np.int8)
    black = np.array((BALANCED, *BLACK_BETTER), dtype=np.int8)
    return np.where(x > 0, white[levels], black[levels])


def move_nag(played, reference, white_moves, x05: float, scheme: str = relevance.DEFAULT_MOVE_SCHEME):
    """``relevance.move_nag`` of every pair; ``white_moves`` is true where White is the mover."""
    relevance.move_nag(0.0, 0.0, "w", x05, scheme)  # says what is wrong with the scheme
    earned = gain(played, reference, white_moves, x05)
    edges = [over / under - TOLERANCE for over, under in relevance.MOVE_SCHEMES[scheme]]
    levels = np.searchsorted(edges, np.abs(earned), side="right")
    good = np.array((0, *GOOD_MOVES), dtype=np.int8)
    bad = np.array((0, *BAD_MOVES), dtype=np.int8)
    return np.where(earned > 0, good[levels], bad[levels])


def _position(scheme: str, x05: float):
    relevance.position_nag(0.0, x05, scheme)
    return relevance.POSITION_SCHEMES[scheme]


def _evaluations(x):
    x = np.asarray(x, dtype=np.float64)
    if np.isnan(x).any():
        raise relevance.RelevanceError("expected evaluations in pawns, found nan")
    return x
