"""Symbols written into a game."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from os import fsencode
from typing import overload

from standstill.engine.annotate.analysis import Analyst, joined, parts
from standstill.engine.annotate.attribution import of_comments, of_engine
from standstill.engine.annotate.engines import PATIENCE_S, Setup
from standstill.engine.annotate.run import annotated
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import Style, positions_of_comments
from standstill.engine.common.errors import MovetextError
from standstill.given import bytes_of, number, pgn_of, text_of, whole_number, wrong
from standstill.playing import Engine

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Sequence

    import chess
    import chess.pgn


@overload
def annotate(
    game: str,
    engine: Engine | Sequence[str] | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    x05: float | None = None,
    patience: float = PATIENCE_S,
) -> str: ...


@overload
def annotate(
    game: chess.pgn.Game | chess.Board,
    engine: Engine | Sequence[str] | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    x05: float | None = None,
    patience: float = PATIENCE_S,
) -> chess.pgn.Game: ...


def annotate(
    game: str | chess.pgn.Game | chess.Board,
    engine: Engine | Sequence[str] | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    x05: float | None = None,
    patience: float = PATIENCE_S,
) -> str | chess.pgn.Game:
    """The game with symbols for moves and positions; the given one stays as it is.

    PGN gives PGN; a ``chess.pgn.Game``, or a ``chess.Board`` with its moves, gives a ``chess.pgn.Game``.

    engine: None takes the evaluations in the comments; an ``Engine`` lends its options to an analysis of its own; a
    list of words is the command of another UCI engine. nodes, depth, seconds: limits of each search with an engine.
    x05: of the relevance model, in pawns; None for that of the engine. patience: seconds after which a search by
    another engine counts as hanging, beyond ``seconds``.
    Raises MovetextError for a game that cannot be read, EngineError, ArgumentError.

    >>> import standstill
    >>> print(standstill.annotate("1. e4 { [%eval 0.3] } e5 { [%eval 3.0] } *").split()[-4:])
    ['[%eval', '3.0]', '}', '*']
    """
    for limit, what in ((nodes, "a number of nodes"), (depth, "a depth")):
        whole_number(limit, what)
    number(seconds, "a number of seconds", 0.001)
    number(x05, "an x05", 0.001)
    number(patience, "a patience in seconds", 0.001)
    text = pgn_of(game, whole=True)
    source = SourceGame(1, bytes_of(text))
    if engine is not None and not isinstance(engine, Engine):
        source.refuse_unless_chess()
    if source.fault is not None:
        where = f"ply {source.fault_ply}: " if source.fault_ply else ""
        raise MovetextError(where + source.fault)
    if not source.plies:
        return game if isinstance(game, str) else _read(text)
    if engine is None:
        judge = of_comments(source.movetext, x05)
        positions = positions_of_comments(source.movetext)
        style = Style(x05=judge.white.x05, x05_black=judge.black.x05)
    else:
        if nodes is None and depth is None and seconds is None:
            raise wrong("a limit: nodes, depth or seconds", None)
        setup = replace(_setup(engine, nodes, depth, seconds), patience_s=patience)
        analyst = Analyst(setup, Style())
        try:
            judge = of_engine(analyst.engine_name, setup.limit(), x05)
            style = Style(x05=judge.white.x05)
            positions = joined(analyst.positions(source.movetext, part) for part in parts(source))
        except BaseException:
            analyst.kill()
            raise
        analyst.close()
    written = text_of(annotated(source, positions, judge, style).text.encode("latin-1"))
    return written if isinstance(game, str) else _read(written)


def _setup(engine: Engine | Sequence[str], nodes: int | None, depth: int | None, seconds: float | None) -> Setup:
    if isinstance(engine, Engine):
        # Each game says itself whether it is Chess960.
        options = {name: value for name, value in engine.options.items() if name != "UCI_Chess960"}
        return Setup(options=options, nodes=nodes, depth=depth, seconds=seconds)
    if not isinstance(engine, (list, tuple)) or not engine or not all(map(_is_word, engine)):
        raise wrong("an Engine or the words of a command, as in ['stockfish']", engine)
    return Setup(command=tuple(engine), nodes=nodes, depth=depth, seconds=seconds)


def _is_word(word: object) -> bool:
    """Can it be handed to a program?"""
    try:
        return isinstance(word, str) and b"\0" not in fsencode(word)
    except UnicodeEncodeError:
        return False


def _read(text: str) -> chess.pgn.Game:
    import chess.pgn

    game = chess.pgn.read_game(StringIO(text))
    assert game is not None
    return game
