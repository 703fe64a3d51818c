"""Writes symbols into a game."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import StringIO
from typing import overload

from standstill.arguments import as_real, bytes_of, is_system_text, one_of, pgn_of, text_of, wrong
from standstill.engine.annotate.analysis import Analyst, joined, parts
from standstill.engine.annotate.attribution import of_comments, of_engine
from standstill.engine.annotate.engines import Setup
from standstill.engine.annotate.run import annotated
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import ALL_MOVE_SCHEMES, Style, positions_of_comments
from standstill.engine.common.errors import MovetextError
from standstill.engine.relevance.trainer import NAME as TRAINER
from standstill.limits import Wanted, wanted
from standstill.playing import Engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import chess
    import chess.engine
    import chess.pgn


@overload
def annotate(
    game: str,
    engine: Engine | Sequence[str] | None = None,
    limit: chess.engine.Limit | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    x05: float | None = None,
    scheme: str = TRAINER,
    patience: float | None = None,
) -> str: ...


@overload
def annotate(
    game: chess.pgn.Game | chess.Board,
    engine: Engine | Sequence[str] | None = None,
    limit: chess.engine.Limit | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    x05: float | None = None,
    scheme: str = TRAINER,
    patience: float | None = None,
) -> chess.pgn.Game: ...


def annotate(
    game: str | chess.pgn.Game | chess.Board,
    engine: Engine | Sequence[str] | None = None,
    limit: chess.engine.Limit | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    x05: float | None = None,
    scheme: str = TRAINER,
    patience: float | None = None,
) -> str | chess.pgn.Game:
    """Write symbols for moves and positions into a game. The argument ``game`` is not changed.

    :param game: PGN of one game, a ``chess.pgn.Game``, or a ``chess.Board`` with its moves.
    :param engine: None to use the evaluations in the comments; an ``Engine`` to analyse with its options; a list of
        words to run them as the command of another UCI engine.
    :param limit: the limit of each search with an engine, in nodes, depth and time.
    :param nodes: a limit in nodes, instead of ``limit``.
    :param depth: a limit in half-moves, instead of ``limit``.
    :param seconds: a limit in seconds, instead of ``limit``.
    :param x05: the parameter of the relevance model, in pawns; None for the engine's preset.
    :param scheme: the scheme of the symbols for moves: ``trainer``, in which good moves are hard to find, or
        ``sparing-8``, ``sparing-7``, ``generous-12`` or ``generous-20``, which compare evaluations only.
    :param patience: the number of seconds beyond ``seconds`` after which another engine's search counts as hung; None
        for 30, or without ``seconds`` for 30 until its first line and 300 in all.
    :returns: PGN if ``game`` is PGN, otherwise a ``chess.pgn.Game``.
    :raises MovetextError: for an unreadable game.
    :raises EngineError: for an engine that does not start, does not answer, or refuses its options.
    :raises ConfigError: for invalid options.
    :raises ArgumentError: for arguments of the wrong type, or an engine without a limit.

    >>> print(standstill.annotate("1. e4 { [%eval 0.3] } e5 { [%eval 3.0] } *").split()[-4:])
    ['[%eval', '3.0]', '}', '*']
    """
    bounds = wanted(limit, nodes=nodes, depth=depth, seconds=seconds)
    x05 = None if x05 is None else as_real(x05, "an x05", 0.001)
    patience = None if patience is None else as_real(patience, "a patience in seconds", 0.001)
    scheme = one_of(scheme, ALL_MOVE_SCHEMES, "a scheme")
    text = pgn_of(game, annotated=True)
    source = _source(text, chess_only=engine is not None and not isinstance(engine, Engine))
    if not source.plies:
        return game if isinstance(game, str) else _read(text)
    if engine is None:
        attribution = of_comments(source.movetext, x05)
        positions = positions_of_comments(source.movetext)
        style = Style(x05=attribution.white.x05, x05_black=attribution.black.x05, move_scheme=scheme)
    else:
        setup = replace(_setup(engine, bounds), patience_s=patience)
        analyst = Analyst(setup, Style())
        try:
            attribution = of_engine(analyst.engine_name, setup.limit(), date.today().isoformat(), x05)
            style = Style(x05=attribution.white.x05, move_scheme=scheme)
            positions = joined(analyst.positions(source.movetext, part) for part in parts(source))
        except BaseException:
            analyst.kill()
            raise
        analyst.close()
    written = text_of(annotated(source, positions, attribution, style).text.encode("latin-1"))
    return written if isinstance(game, str) else _read(written)


def _source(text: str, chess_only: bool) -> SourceGame:
    """Return the game of a PGN. Raises MovetextError if it cannot be read, and with ``chess_only`` for a variant."""
    source = SourceGame(1, bytes_of(text))
    if chess_only:
        source.refuse_unless_chess()
    if source.fault is not None:
        where = f"ply {source.fault_ply}: " if source.fault_ply else ""
        raise MovetextError(where + source.fault)
    return source


def _setup(engine: object, bounds: Wanted) -> Setup:
    if bounds.clocks is not None or bounds.mate is not None:
        raise wrong("a limit of nodes, depth or time", bounds)
    bounds.check_any()
    if isinstance(engine, Engine):
        # Each game determines whether it is Chess960.
        options = {name: value for name, value in engine.options.items() if name != "UCI_Chess960"}
        return Setup(options=options, nodes=bounds.nodes, depth=bounds.depth, seconds=bounds.seconds)
    if not isinstance(engine, (list, tuple)) or not engine or not all(map(is_system_text, engine)):
        raise wrong("an Engine or the words of a command, as in ['stockfish']", engine)
    return Setup(command=tuple(engine), nodes=bounds.nodes, depth=bounds.depth, seconds=bounds.seconds)


def _read(text: str) -> chess.pgn.Game:
    import chess.pgn

    game = chess.pgn.read_game(StringIO(text))
    assert game is not None
    return game
