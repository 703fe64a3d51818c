"""Reads files of games for training: samples, statistics, and single games for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from standstill.cext.doors.samples import GameRecord as Record
from standstill.cext.doors.samples import SampleReader, decode
from standstill.cext.doors.selfplay import REASONS

from ..games.board import notation_of
from ..games.game import CHESS
from ..games.notation import fen, move_text, san
from ..words.errors import TrainingError
from ..words.text import shown_path
from .gamefile import GameFile
from .plain import RESULTS

MOST_MEN = 32

__all__ = ("MOST_MEN", "Record", "Statistics", "ending", "games", "plies", "read_into", "statistics")


def read_into(reader: SampleReader, paths: Sequence[str], *, first: int = 0) -> int:
    """Hand all games of the files to the reader; their samples are numbered by game from ``first`` on.

    Returns the number behind the last one. Raises TrainingError and OSError.
    """
    for path in paths:
        with GameFile(path) as file:
            for block in file:
                try:
                    reader.read(block.data, block.games, first)
                except ValueError as error:
                    raise TrainingError(f"{shown_path(path)}: games from {block.first} on: {error}") from None
                first += block.games
    return first


def games(path: str) -> Iterator[tuple[int, Record]]:
    """The games of a file with their numbers. Raises TrainingError and OSError."""
    with GameFile(path) as file:
        for block in file:
            at = 0
            for number in range(block.first, block.first + block.games):
                try:
                    game, at = decode(block.data, at)
                except ValueError as error:
                    raise TrainingError(f"{shown_path(path)}: game {number}: {error}") from None
                game.board.notation = notation_of(CHESS, chess960=True)
                yield number, game


class ShownPly(NamedTuple):
    """A ply for a person: FEN before the move, the move, White's score in centipawns or None."""

    fen: str
    move: str
    san: str
    white_cp: int | None


def plies(game: Record) -> Iterator[ShownPly]:
    """The plies of a game, in order."""
    board = game.board.copy()
    for move, cp in zip(game.moves, game.scores, strict=True):
        white_cp = cp if cp is None or not board.stm else -cp
        yield ShownPly(fen(board), move_text(board, move), san(board, move), white_cp)
        board.push(move)


def ending(game: Record) -> str:
    """Result and reason in words."""
    reason = REASONS[game.reason] if game.reason < len(REASONS) else str(game.reason)
    return f"{RESULTS[game.result]} ({reason})"


class Statistics(NamedTuple):
    """What files of games hold. counts: plies by what becomes of them with the filter; see SampleReader."""

    counts: dict[str, int]
    different: int
    results: tuple[int, int, int]
    reasons: dict[str, int]
    men: dict[int, int]


def statistics(paths: Sequence[str], *, skip: int, most_cp: int) -> Statistics:
    """Count what the files hold. Raises TrainingError and OSError."""
    reader = SampleReader(skip, most_cp, with_keys=True)
    read_into(reader, paths)
    reasons = {
        REASONS[number] if number < len(REASONS) else str(number): count
        for number, count in enumerate(reader.reason_counts)
        if count
    }
    men = {number: count for number, count in enumerate(reader.men_counts) if count}
    return Statistics(reader.counts, reader.different(), reader.result_counts, reasons, men)
