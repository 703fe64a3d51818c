"""The relevance model: what an evaluation means for the result, and its symbols (docs/relevance.md).

Evaluations are in pawns from White's point of view. A forced mate is plus or minus infinity. ``x05`` is the
evaluation, in pawns, at which half of the games are won and half drawn. Symbols are NAG numbers; 0 means no symbol.
NumPy numbers are accepted as well.

>>> from standstill import relevance
>>> relevance.result(0.62, 0.62)
0.75
>>> relevance.position_nag(1.4, relevance.preset("Standstill").x05)
18
"""

from __future__ import annotations

from collections.abc import Iterable

from standstill.arguments import as_list, as_real, as_text, as_truth, as_whole, one_of, wrong
from standstill.engine.common.errors import RelevanceError
from standstill.engine.relevance import model as _model
from standstill.engine.relevance import nags as _symbols
from standstill.engine.relevance import presets as _presets
from standstill.engine.relevance.model import DEFAULT_MOVE_SCHEME as _MOVE_SCHEME
from standstill.engine.relevance.model import DEFAULT_POSITION_SCHEME as _POSITION_SCHEME
from standstill.engine.relevance.model import DEFAULT_X05
from standstill.engine.relevance.presets import Preset

__all__ = [
    "DEFAULT_X05",
    "Preset",
    "RelevanceError",
    "ascii_text",
    "boundaries",
    "chances",
    "difference",
    "equilibrium",
    "gain",
    "judge",
    "meaning",
    "move_nag",
    "nag_of",
    "position_edges",
    "position_nag",
    "preset",
    "result",
    "result_inverse",
    "share",
    "text",
    "weight",
]


def __dir__() -> list[str]:
    return __all__


# ---- areas and results ----


def weight(x: float, x05: float) -> float:
    """Return the relevance of an evaluation: 1 at 0, 1/2 at ``x05``, 1/4 at ``2 * x05``, 0 for a mate.

    :param x: the evaluation.
    :param x05: the parameter of the model.
    :returns: the weight, 0 to 1.
    :raises RelevanceError: for an ``x`` or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for anything but numbers.

    >>> relevance.weight(1.24, 0.62)
    0.25
    """
    return _model.weight(_pawns(x), _x05(x05))


def share(x: float, x05: float) -> float:
    """Return the area of the weight between 0 and an evaluation, as a share of the whole area.

    :param x: the evaluation.
    :param x05: the parameter of the model.
    :returns: the share, with the sign of ``x``: -1/2 to 1/2.
    :raises RelevanceError: for an ``x`` or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for anything but numbers.

    >>> relevance.share(0.62, 0.62)
    0.25
    """
    return _model.share(_pawns(x), _x05(x05))


def difference(a: float, b: float, x05: float) -> float:
    """Return the relevant difference of two evaluations: the area of the weight between them.

    :param a: an evaluation.
    :param b: another evaluation.
    :param x05: the parameter of the model.
    :returns: the difference in pawns, never negative.
    :raises RelevanceError: for an evaluation or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for anything but numbers.

    >>> round(relevance.difference(0, 1, 0.62), 3)
    0.602
    """
    return _model.difference(_pawns(a), _pawns(b), _x05(x05))


def result(x: float, x05: float) -> float:
    """Return White's expected score at an evaluation.

    :param x: the evaluation.
    :param x05: the parameter of the model.
    :returns: the score: 0 for a loss, 1/2 for a draw, 1 for a win.
    :raises RelevanceError: for an ``x`` or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for anything but numbers.

    >>> relevance.result(0.62, 0.62), relevance.result(float("-inf"), 0.62)
    (0.75, 0.0)
    """
    return _model.result(_pawns(x), _x05(x05))


def result_inverse(p: float, x05: float) -> float:
    """Return the evaluation at which White's expected score is ``p``. This is the inverse of ``result``.

    :param p: the score, 0 to 1.
    :param x05: the parameter of the model.
    :returns: the evaluation in pawns; minus infinity for 0, infinity for 1.
    :raises RelevanceError: for a ``p`` outside 0 to 1, or an ``x05`` outside the model.
    :raises ArgumentError: for anything but numbers.

    >>> relevance.result_inverse(0.75, 0.62)
    0.62
    """
    return _model.result_inverse(as_real(p, "a result"), _x05(x05))


def chances(x: float, x05: float) -> tuple[float, float, float]:
    """Return White's chances, assuming that the side ahead never loses. ``result`` returns their expected
    score.

    :param x: the evaluation.
    :param x05: the parameter of the model.
    :returns: the shares of win, draw and loss.
    :raises RelevanceError: for an ``x`` or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for anything but numbers.

    >>> relevance.chances(-0.62, 0.62)
    (0.0, 0.5, 0.5)
    """
    return _model.chances(_pawns(x), _x05(x05))


def equilibrium(games: Iterable[tuple[int, float]]) -> float:
    """Return the ``x05`` of a player by its definition: the evaluation at which half of the games were won.

    :param games: for each game a pair: the outcome for the player (1, 0 or -1), and the player's own highest evaluation
        in that game, in pawns from the player's point of view.
    :returns: ``x05`` in pawns: if W games were won, the W-th largest peak of the other games.
    :raises RelevanceError: if no game was won, or more were won than not.
    :raises ArgumentError: for anything but pairs of numbers.

    >>> relevance.equilibrium([(1, 2.5), (0, 0.4), (-1, 0.1)])
    0.4
    """
    pairs: list[tuple[int, float]] = []
    for game in as_list(games, "a list of games, each an outcome and a peak"):
        pair = as_list(game, "an outcome and a peak")
        if len(pair) != 2:
            raise wrong("an outcome and a peak", game)
        pairs.append((as_whole(pair[0], "an outcome", None), _pawns(pair[1])))
    return _model.equilibrium(pairs)


# ---- symbols ----


def position_nag(x: float, x05: float, scheme: str = _POSITION_SCHEME) -> int:
    """Return the symbol of a position.

    :param x: the evaluation.
    :param x05: the parameter of the model.
    :param scheme: ``5/40``, ``1/9`` or ``1/7``, which determines where the symbols begin.
    :returns: the NAG number: 10 for balance, 14 to 21 for the sides' advantages.
    :raises RelevanceError: for an ``x`` or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for arguments of the wrong type, or an unknown scheme.

    >>> relevance.text(relevance.position_nag(-0.35, 0.62))
    '∓'
    """
    return _model.position_nag(_pawns(x), _x05(x05), _scheme_of_positions(scheme))


def gain(played: float, reference: float, mover: str, x05: float) -> float:
    """Return the mover's gain by a move.

    :param played: the evaluation after the move.
    :param reference: the evaluation with which to compare it.
    :param mover: ``w`` or ``b``: the side that moved.
    :param x05: the parameter of the model.
    :returns: the gain as a share of the whole area, -1 to 1.
    :raises RelevanceError: for an evaluation or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for arguments of the wrong type.

    >>> relevance.gain(0, 0.62, "w", 0.62)
    -0.25
    """
    return _model.gain(_pawns(played), _pawns(reference), _mover(mover), _x05(x05))


def move_nag(played: float, reference: float, mover: str, x05: float, scheme: str = _MOVE_SCHEME) -> int:
    """Return the symbol of a good or bad move.

    :param played: the evaluation after the move.
    :param reference: the evaluation after the second-best move if the move is the best; otherwise after the best one.
    :param mover: ``w`` or ``b``: the side that moved.
    :param x05: the parameter of the model.
    :param scheme: ``sparing-8``, ``sparing-7``, ``generous-12`` or ``generous-20``, which determines where the symbols
        begin.
    :returns: the NAG number, 1 to 6; 0 for no symbol.
    :raises RelevanceError: for an evaluation or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for arguments of the wrong type, or an unknown scheme.

    >>> relevance.text(relevance.move_nag(-1.5, 0.1, "w", 0.62))
    '??'
    """
    reference, played = _pawns(reference), _pawns(played)
    return _model.move_nag(played, reference, _mover(mover), _x05(x05), _scheme_of_moves(scheme))


def judge(  # noqa: PLR0917 (read in the order of the question: best, second, played)
    best: float | None,
    second: float | None,
    played: float | None,
    played_is_best: bool,
    mover: str,
    x05: float,
    scheme: str = _MOVE_SCHEME,
) -> int:
    """Return the symbol of a played move.

    The best move is compared with the second-best one and can only be good. Any other move is compared with the best
    one and can only be bad. If the evaluation after such a move is higher than after the best move, the move gets no
    symbol.

    :param best: the evaluation after the best move; None if unknown.
    :param second: the evaluation after the second-best move; None if this is unknown, or if only one move
        is legal.
    :param played: the evaluation after the played move; None if unknown. For the best move ``best`` suffices.
    :param played_is_best: whether the played move is the best one.
    :param mover: ``w`` or ``b``: the side that moved.
    :param x05: the parameter of the model.
    :param scheme: ``sparing-8``, ``sparing-7``, ``generous-12`` or ``generous-20``, which determines where the symbols
        begin.
    :returns: the NAG number, 1 to 6; 0 for no symbol.
    :raises RelevanceError: for an evaluation or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for arguments of the wrong type, or an unknown scheme.

    >>> relevance.text(relevance.judge(1.2, 0.1, None, True, "w", 0.62))
    '!'
    """
    first, other, own = (None if each is None else _pawns(each) for each in (best, second, played))
    is_best = as_truth(played_is_best, "played_is_best")
    return _model.judge(first, other, own, is_best, _mover(mover), _x05(x05), _scheme_of_moves(scheme))


def position_edges(x05: float, scheme: str = _POSITION_SCHEME) -> tuple[float, ...]:
    """Return the evaluations at which the symbols of positions begin.

    :param x05: the parameter of the model.
    :param scheme: ``5/40``, ``1/9`` or ``1/7``.
    :returns: White's evaluations, in pawns, from which an advantage is slight, moderate, clear and, except in ``1/7``,
        extreme.
    :raises RelevanceError: for an ``x05`` outside the model.
    :raises ArgumentError: for arguments of the wrong type, or an unknown scheme.

    >>> [round(edge, 2) for edge in relevance.position_edges(0.62)]
    [0.09, 0.32, 0.62, 1.24]
    """
    return _model.position_edges(_x05(x05), _scheme_of_positions(scheme))


def boundaries(x_alt: float, x05: float, mover: str, scheme: str = _MOVE_SCHEME) -> tuple[float | None, ...]:
    """Return the evaluations at which the symbols of moves begin, given the evaluation after another move.

    White needs at least the boundary for a good symbol and at most the boundary for a bad one. Black needs at most
    the boundary for a good symbol and at least the boundary for a bad one.

    :param x_alt: the evaluation after the other move.
    :param x05: the parameter of the model.
    :param mover: ``w`` or ``b``: the side to move.
    :param scheme: ``sparing-8``, ``sparing-7``, ``generous-12`` or ``generous-20``.
    :returns: the evaluations, in pawns, for ``!! ! !? ?! ? ??``; None for a symbol that requires a mate, or that not
        even a mate earns.
    :raises RelevanceError: for an evaluation or ``x05`` outside the model, such as nan.
    :raises ArgumentError: for arguments of the wrong type, or an unknown scheme.

    >>> [round(edge, 2) for edge in relevance.boundaries(0, 0.62, "w")]
    [1.24, 0.62, 0.26, -0.26, -0.62, -1.24]
    """
    return _model.boundaries(_pawns(x_alt), _x05(x05), _mover(mover), _scheme_of_moves(scheme))


# ---- presets and texts ----


def preset(engine: str) -> Preset:
    """Return the ``x05`` for the evaluations of an engine, and its source.

    :param engine: the name that the engine reports, such as ``Stockfish 15.1``.
    :returns: the preset; for an engine that was not measured, a preset with the default ``x05``.
    :raises ArgumentError: for anything but a text.

    >>> relevance.preset("Stockfish 17").x05
    1.0
    """
    return _presets.preset(as_text(engine, "the name of an engine"))


def text(nag: int) -> str:
    """Return a symbol in Unicode.

    :param nag: the NAG number.
    :returns: the symbol; ``$N`` for a number that the model does not use.
    :raises ArgumentError: for anything but a non-negative whole number.

    >>> relevance.text(16), relevance.text(99)
    ('±', '$99')
    """
    return _symbols.text(_nag(nag))


def ascii_text(nag: int, none: str = "-") -> str:
    """Return a symbol in ASCII.

    :param nag: the NAG number.
    :param none: the text for 0.
    :returns: the symbol; ``$N`` for a number that the model does not use.
    :raises ArgumentError: unless ``nag`` is a non-negative whole number, and ``none`` is a text.

    >>> relevance.ascii_text(16), relevance.ascii_text(0)
    ('+/-', '-')
    """
    return _symbols.ascii_text(_nag(nag), as_text(none, "a text for 0"))


def meaning(nag: int) -> str:
    """Return the meaning of a symbol in words.

    :param nag: the NAG number.
    :returns: the words; empty for a number that the model does not use.
    :raises ArgumentError: for anything but a non-negative whole number.

    >>> relevance.meaning(16)
    'moderate advantage for White'
    """
    return _symbols.meaning(_nag(nag))


def nag_of(symbol: str) -> int:
    """Return the NAG number of a symbol.

    :param symbol: the symbol in any of its spellings, or ``$N``.
    :returns: the number.
    :raises RelevanceError: for an unknown symbol.
    :raises ArgumentError: for anything but a text.

    >>> relevance.nag_of("+/-")
    16
    """
    return _symbols.nag_of(as_text(symbol, "a symbol"))


# ---- arguments ----


def _pawns(value: object) -> float:
    return as_real(value, "an evaluation in pawns")


def _x05(value: object) -> float:
    return as_real(value, "x05 in pawns")


def _mover(value: object) -> str:
    return one_of(value, "wb", "the side that moved")


def _nag(value: object) -> int:
    return as_whole(value, "a NAG number", 0)


def _scheme_of_positions(value: object) -> str:
    return one_of(value, _model.POSITION_SCHEMES, "a scheme")


def _scheme_of_moves(value: object) -> str:
    return one_of(value, _model.MOVE_SCHEMES, "a scheme")
