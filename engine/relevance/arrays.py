"""The relevance model for whole archives: the functions of ``model.py`` on numpy arrays, element by element.

numpy comes with the optional extra ``standstill-chess[archive]``. Arguments are arrays or numbers that numpy can
broadcast, in pawns from White's point of view. Results are float64, symbols int8.
"""

from __future__ import annotations

from math import log

import numpy as np
import numpy.typing as npt

from ..common.errors import RelevanceError
from . import model as relevance
from .model import BAD_MOVES, BALANCED, BLACK_BETTER, GOOD_MOVES, TOLERANCE, WHITE_BETTER, check_x05

Floats = npt.NDArray[np.float64]
Nags = npt.NDArray[np.int8]

_LN2 = log(2.0)


def weight(x: npt.ArrayLike, x05: float) -> Floats:
    """Return ``relevance.weight`` of every element."""
    return np.exp2(-np.abs(_evaluations(x)) / check_x05(x05))


def share(x: npt.ArrayLike, x05: float) -> Floats:
    """Return ``relevance.share`` of every element."""
    x = _evaluations(x)
    size: Floats = -0.5 * np.expm1(np.abs(x) * (-_LN2 / check_x05(x05)))
    return np.copysign(size, x)


def result(x: npt.ArrayLike, x05: float) -> Floats:
    """Return ``relevance.result`` of every element."""
    x = _evaluations(x)
    tail: Floats = np.abs(x)
    tail *= -_LN2 / check_x05(x05)
    np.exp(tail, out=tail)
    tail *= 0.5
    return np.where(x > 0, 1.0 - tail, tail)


def gain(played: npt.ArrayLike, reference: npt.ArrayLike, white_moves: npt.ArrayLike, x05: float) -> Floats:
    """Return ``relevance.gain`` of every pair; ``white_moves`` is true where White is the mover."""
    check_x05(x05)
    a, b = np.broadcast_arrays(_evaluations(played), _evaluations(reference))
    near = np.minimum(np.abs(a), np.abs(b))
    apart = np.subtract(a, b, out=np.zeros(a.shape), where=a != b)  # two mates for the same side have the difference 0
    scale = -_LN2 / x05
    same_side: Floats = -0.5 * np.exp(near * scale) * np.expm1(np.abs(apart) * scale)
    across: Floats = -0.5 * (np.expm1(np.abs(a) * scale) + np.expm1(np.abs(b) * scale))
    size: Floats = np.where((a > 0) == (b > 0), same_side, across)
    return np.where((a > b) == np.asarray(white_moves, dtype=bool), size, -size)


def difference(a: npt.ArrayLike, b: npt.ArrayLike, x05: float) -> Floats:
    """Return ``relevance.difference`` of every pair."""
    return relevance.total(x05) * np.abs(gain(a, b, True, x05))


def position_nag(x: npt.ArrayLike, x05: float, scheme: str = relevance.DEFAULT_POSITION_SCHEME) -> Nags:
    """Return ``relevance.position_nag`` of every element."""
    x = _evaluations(x)
    # Convert the edges to evaluations once, with the tolerance, instead of converting every evaluation to a share.
    edges = [relevance.result_inverse(0.5 + over / under - TOLERANCE, x05) for over, under in _position(scheme, x05)]
    levels = np.searchsorted(edges, np.abs(x), side="right")
    white = np.array((BALANCED, *WHITE_BETTER), dtype=np.int8)
    black = np.array((BALANCED, *BLACK_BETTER), dtype=np.int8)
    return np.where(x > 0, white[levels], black[levels])


def move_nag(
    played: npt.ArrayLike,
    reference: npt.ArrayLike,
    white_moves: npt.ArrayLike,
    x05: float,
    scheme: str = relevance.DEFAULT_MOVE_SCHEME,
) -> Nags:
    """Return ``relevance.move_nag`` of every pair; ``white_moves`` is true where White is the mover."""
    relevance.move_nag(0.0, 0.0, "w", x05, scheme)  # raises RelevanceError for an unknown scheme
    earned = gain(played, reference, white_moves, x05)
    edges = [over / under - TOLERANCE for over, under in relevance.MOVE_SCHEMES[scheme]]
    levels = np.searchsorted(edges, np.abs(earned), side="right")
    good = np.array((0, *GOOD_MOVES), dtype=np.int8)
    bad = np.array((0, *BAD_MOVES), dtype=np.int8)
    return np.where(earned > 0, good[levels], bad[levels])


def _position(scheme: str, x05: float) -> relevance.Scheme:
    relevance.position_nag(0.0, x05, scheme)
    return relevance.POSITION_SCHEMES[scheme]


def _evaluations(x: npt.ArrayLike) -> Floats:
    found = np.asarray(x, dtype=np.float64)
    if np.isnan(found).any():
        raise RelevanceError("expected evaluations in pawns, found nan")
    return found
