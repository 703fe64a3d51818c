"""The relevance model: what an evaluation, or the difference of two evaluations, means for the result of a game.

An evaluation of ``x`` pawns has the weight ``f(x) = 2^(-|x| / x05)``; ``x05`` is the evaluation at which half of the
games are won and half are drawn. The area under ``f`` between two evaluations is their relevant difference. The area
left of ``x``, as a share of the whole area, is the expected result at ``x``. Bands of the area define the symbols of
chess annotation. ``docs/relevance.md`` explains the model to users.

In this module, evaluations are floats in pawns from White's point of view, and a forced mate is plus or minus infinity.
``x05`` is in pawns, finite and above 0. ``mover`` is ``'w'`` or ``'b'``. Symbols are NAG numbers (``nags.py`` has their
texts); 0 is no symbol. Every function raises RelevanceError, a ValueError, for other arguments.

Absolute errors are below 1e-12 for any evaluation: differences are computed by ``expm1`` of the distance of the two
evaluations, because a subtraction of nearly equal results would lose digits.
"""

from __future__ import annotations

from math import exp2, expm1, hypot, inf, isfinite, isinf, isnan, log, log1p, log2, sqrt

from ..common.errors import RelevanceError
from ..common.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_X05 = 0.62  # Stockfish 8 against Houdini 5, TCEC Season 9 Superfinal (2016)

# Edges between the bands of a position: shares of the total area, from the middle outwards. They are fractions
# (numerator, denominator), because boundaries are computed with more digits than a float has.
Scheme = tuple[tuple[int, int], ...]
POSITION_SCHEMES: dict[str, Scheme] = {
    "5/40": ((1, 20), (3, 20), (1, 4), (3, 8)),
    "1/9": ((1, 18), (3, 18), (5, 18), (7, 18)),
    "1/7": ((1, 14), (3, 14), (5, 14)),
}
# Minimum shares of the total area for !? or ?!, for ! or ?, and for !! or ??.
MOVE_SCHEMES: dict[str, Scheme] = {
    "sparing-7": ((1, 14), (3, 14), (5, 14)),
    "sparing-8": ((1, 8), (1, 4), (3, 8)),
    "generous-20": ((1, 20), (3, 20), (1, 4)),
    "generous-12": ((1, 12), (1, 6), (1, 4)),
}
DEFAULT_POSITION_SCHEME = "5/40"
DEFAULT_MOVE_SCHEME = "sparing-8"

GOOD_MOVES = (5, 1, 3)  # !? ! !!
BAD_MOVES = (6, 2, 4)  # ?! ? ??
BALANCED = 10
WHITE_BETTER = (14, 16, 18, 20)
BLACK_BETTER = (15, 17, 19, 21)

# An evaluation exactly on an edge gets the stronger symbol. A value within this distance of an edge counts as on it,
# so that rounding does not decide cases such as 0.00 against exactly x05.
TOLERANCE = 1e-12

_LN2 = log(2.0)
_DIGITS = 50  # digits with which boundaries are computed, before they are rounded to floats
_NO_SHARE_LEFT = 10_000  # multiple of x05 beyond which the area is below 1e-3000, which changes no digit


# ---- areas ----


def weight(x: float, x05: float) -> float:
    """Return the relevance of the evaluation ``x``: 1 at 0, 1/2 at ``x05``, 1/4 at twice ``x05``, 0 for a mate."""
    _check(x05, x)
    return exp2(-abs(x) / x05)


def share(x: float, x05: float) -> float:
    """Return the area between 0 and ``x`` as a share of the total area, with the sign of ``x``: -1/2 to 1/2."""
    _check(x05, x)
    return _share(x, x05)


def difference(a: float, b: float, x05: float) -> float:
    """Return the relevant difference of two evaluations in pawns: the area between them, never negative."""
    _check(x05, a, b)
    return total(x05) * _gap(a, b, x05)


def total(x05: float) -> float:
    """Return the whole area under the weight, in pawns: the relevant difference between the two mates."""
    _check(x05)
    return 2.0 * x05 / _LN2


def gap(a: float, b: float, x05: float) -> float:
    """Return the relevant difference as a share of the total area, 0 to 1: the difference of the expected results."""
    _check(x05, a, b)
    return _gap(a, b, x05)


# ---- expected results ----


def result(x: float, x05: float) -> float:
    """Return White's expected score at the evaluation ``x``: 0 for a loss, 1/2 for a draw, 1 for a win."""
    _check(x05, x)
    return _result(x, x05)


def result_inverse(p: float, x05: float) -> float:
    """Return the evaluation at which White's expected score is ``p``; minus infinity at 0 and infinity at 1.

    Raises RelevanceError unless ``p`` is from 0 to 1.
    """
    _check(x05)
    if isinstance(p, str) or not 0.0 <= p <= 1.0:
        raise RelevanceError(f"expected a result from 0 to 1, found {p!r}")
    if p in {0.0, 1.0}:
        return inf if p else -inf
    if p < 0.25:
        return x05 * log2(2.0 * p)
    # 2p - 1 is exact here, so no digits are lost close to 1/2.
    size = -x05 * log1p(-abs(2.0 * p - 1.0)) / _LN2
    return size if p > 0.5 else -size


def sigmoid(x: float, x05: float) -> float:
    """Return an algebraic sigmoid that equals ``result`` at 0 and ``x05``, and elsewhere differs by at most 0.0121."""
    _check(x05, x)
    if isinf(x):
        return 1.0 if x > 0 else 0.0
    return x / (2.0 * hypot(sqrt(3.0) * x05, x)) + 0.5


def chances(x: float, x05: float) -> tuple[float, float, float]:
    """Return White's chances of win, draw and loss if the side that is ahead never loses; their score is ``result``."""
    _check(x05, x)
    draw = exp2(-abs(x) / x05)
    ahead = 2.0 * abs(_share(x, x05))
    return (ahead, draw, 0.0) if x > 0 else (0.0, draw, ahead)


# ---- symbols ----


def position_nag(x: float, x05: float, scheme: str = DEFAULT_POSITION_SCHEME) -> int:
    """Return the NAG of a position with the evaluation ``x``: 10 for balance, 14 to 21 for the sides' advantages."""
    _check(x05, x)
    level = _level(abs(_share(x, x05)), _edges(scheme, POSITION_SCHEMES))
    if not level:
        return BALANCED
    return (WHITE_BETTER if x > 0 else BLACK_BETTER)[level - 1]


def gain(played: float, reference: float, mover: str, x05: float) -> float:
    """Return the mover's gain from ``played`` over ``reference``, as a share of the total area: -1 to 1."""
    _check(x05, played, reference)
    size = _gap(played, reference, x05)
    return size if (played > reference) == (_sign(mover) > 0) else -size


def move_nag(played: float, reference: float, mover: str, x05: float, scheme: str = DEFAULT_MOVE_SCHEME) -> int:
    """Return the NAG, 1 to 6, of a move after which the evaluation is ``played``; 0 for no symbol.

    reference: the evaluation after the best move, or after the second-best move if the move itself is the best.
    """
    earned = gain(played, reference, mover, x05)
    level = _level(abs(earned), _edges(scheme, MOVE_SCHEMES))
    if not level:
        return 0
    return (GOOD_MOVES if earned > 0 else BAD_MOVES)[level - 1]


def judge(  # noqa: PLR0917 (the order of the arguments is easy to remember: best, second, played)
    best: float | None,
    second: float | None,
    played: float | None,
    played_is_best: bool,
    mover: str,
    x05: float,
    scheme: str = DEFAULT_MOVE_SCHEME,
) -> int:
    """Return the NAG, 1 to 6, of a played move; 0 for no symbol.

    best, second: the evaluations after the best and the second-best move; None if unknown, ``second``
    also if only one move is legal.
    played: the evaluation after the played move; None if unknown. For the best move, ``best`` is then used.

    The best move is compared with the second-best move and can only be good. Any other move is compared with the best
    move and can only be bad; it gets no symbol if its evaluation is higher than that of the best move.
    """
    if played is None and played_is_best:
        played = best
    reference = second if played_is_best else best
    if played is None or reference is None:
        _check(x05)
        _sign(mover)
        _edges(scheme, MOVE_SCHEMES)
        return 0
    nag = move_nag(played, reference, mover, x05, scheme)
    return nag if nag in (GOOD_MOVES if played_is_best else BAD_MOVES) else 0


# ---- inverse functions ----


def position_edges(x05: float, scheme: str = DEFAULT_POSITION_SCHEME) -> tuple[float, ...]:
    """Return White's evaluations at which slight, moderate, clear and, in some schemes, extreme advantage begin."""
    _check(x05)
    _edges(scheme, POSITION_SCHEMES)
    return tuple(-x05 * log1p(-2.0 * over / under) / _LN2 for over, under in POSITION_SCHEMES[scheme])


def boundaries(x_alt: float, x05: float, mover: str, scheme: str = DEFAULT_MOVE_SCHEME) -> tuple[float | None, ...]:
    """Return the evaluations at which the symbols ``!! ! !? ?! ? ??`` of a move begin.

    x_alt: the evaluation after the move with which the move is compared.
    A boundary is None if no evaluation short of a mate is good or bad enough. White needs at least the boundary for a
    good symbol and at most the boundary for a bad one. Black needs at most the boundary for a good symbol and at
    least the boundary for a bad one.

    Decimal arithmetic is used, because the area beside a mate may be many digits smaller than its terms.
    """
    _check(x05, x_alt)
    sign = _sign(mover)
    _edges(scheme, MOVE_SCHEMES)
    factors = MOVE_SCHEMES[scheme]
    steps = [(sign * over, under) for over, under in reversed(factors)]
    steps += [(-sign * over, under) for over, under in factors]
    return tuple(_shifted(x_alt, x05, steps))


def _shifted(x: float, x05: float, steps: list[tuple[int, int]]) -> list[float | None]:
    """Return the evaluations whose expected results differ from the result at ``x`` by the fractions in ``steps``."""
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = _DIGITS
        context.clear_traps()
        h, half, two = Decimal(x05), Decimal("0.5"), Decimal(2)
        ln2 = two.ln()
        # Decimal keeps all digits of a float, but its abs() would round them, and x05 against x05 must remain exact.
        ratio = Decimal(_NO_SHARE_LEFT) if abs(x) / x05 > _NO_SHARE_LEFT else -(Decimal(-abs(x)) / h)
        tail = half * two ** (-ratio)  # the area beyond x, on the side of x
        found: list[float | None] = []
        for over, under in steps:
            # Take the logarithm of the smaller of the two areas beside the wanted evaluation.
            step = Decimal(over) / under
            below = 1 - tail + step if x > 0 else tail + step
            above = tail - step if x > 0 else 1 - tail - step
            if below <= 0 or above <= 0:
                found.append(None)
            elif below <= half:
                found.append(float(h * (2 * below).ln() / ln2))
            else:
                found.append(float(-h * (2 * above).ln() / ln2))
        return found


# ---- the parameter x05 ----


def equilibrium(games: Iterable[tuple[int, float]]) -> float:
    """Return the evaluation at which a player won half of the games, which is the definition of ``x05``.

    games: for each game, the outcome for the player (1, 0 or -1) and the peak, which is the player's own highest
    evaluation in pawns from the player's point of view.
    Returns the W-th largest peak among the games not won, where W is the number of games won.
    Raises RelevanceError if the player won no game, or more than half of them, because ``x05`` is then undefined.
    """
    wins, peaks = 0, []
    for outcome, peak in games:
        if outcome not in {1, 0, -1}:
            raise RelevanceError(f"expected an outcome of 1, 0 or -1, found {outcome!r}")
        if isnan(peak):
            raise RelevanceError("expected a peak in pawns, found nan")
        if outcome == 1:
            wins += 1
        else:
            peaks.append(float(peak))
    if not wins:
        raise RelevanceError(f"no equilibrium: none of {len(peaks)} {plural(len(peaks), 'game')} was won")
    if wins > len(peaks):
        won, lost = ("game was" if wins == 1 else "games were"), ("was" if len(peaks) == 1 else "were")
        raise RelevanceError(f"no equilibrium: {wins} {won} won and only {len(peaks)} {lost} not")
    return sorted(peaks, reverse=True)[wins - 1]


# ---- parts ----


def check_x05(x05: float) -> float:
    """Return ``x05``. Raises RelevanceError if ``x05`` is invalid."""
    _check(x05)
    return x05


def _check(x05: float, *evaluations: float) -> None:
    try:
        if not (isfinite(x05) and x05 > 0.0):
            raise RelevanceError(f"expected x05 as a number of pawns above 0, found {x05!r}")
        if any(map(isnan, evaluations)):
            raise RelevanceError("expected an evaluation in pawns, found nan")
    except OverflowError:
        raise RelevanceError(
            "expected x05 and evaluations as numbers of pawns, found a number of 309 digits or more"
        ) from None
    except TypeError:
        found = ", ".join(map(repr, (x05, *evaluations)))
        raise RelevanceError(f"expected x05 and evaluations as numbers of pawns, found {found}") from None


def _sign(mover: str) -> int:
    if mover == "w":
        return 1
    if mover == "b":
        return -1
    raise RelevanceError(f"expected w or b to move, found {mover!r}")


def _edges(scheme: str, schemes: dict[str, Scheme]) -> Scheme:
    try:
        return schemes[scheme]
    except (KeyError, TypeError):
        raise RelevanceError(f"expected one of {', '.join(schemes)}, found {scheme!r}") from None


def _level(size: float, edges: Scheme) -> int:
    """Return the number of edges that ``size`` reaches."""
    level = 0
    for over, under in edges:
        if size < over / under - TOLERANCE:
            break
        level += 1
    return level


def _share(x: float, x05: float) -> float:
    size = -0.5 * expm1(-abs(x) / x05 * _LN2)
    return size if x >= 0 else -size


def _result(x: float, x05: float) -> float:
    return exp2(x / x05 - 1.0) if x <= 0 else 1.0 - exp2(-x / x05 - 1.0)


def _gap(a: float, b: float, x05: float) -> float:
    if a == b:
        return 0.0
    if (a > 0) != (b > 0):
        return abs(_share(a, x05)) + abs(_share(b, x05))
    near, far = sorted((abs(a), abs(b)))
    return -0.5 * exp2(-near / x05) * expm1(-(far - near) / x05 * _LN2)
