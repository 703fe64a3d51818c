"""Reads files of training games: samples, statistics, and single games for display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from standstill.cext.training.fairy_samples import FairySampleReader, decode_fairy
from standstill.cext.training.samples import GameReader, SampleReader, decode
from standstill.cext.training.samples import GameRecord as Record
from standstill.cext.training.selfplay import REASONS

from ..common.errors import DefinitionError, TrainingError
from ..common.text import shown, shown_path
from ..variants.boards import named_game, new_board, new_evaluator, notation_of
from ..variants.notation import fen, move_text, san
from ..variants.variant import CHESS, Variant
from .gamefile import GameFile
from .plain import RESULTS

__all__ = ("Record", "Statistics", "ending", "games", "plies", "read_into", "statistics")


def game_of(file: GameFile) -> Variant:
    """Return the variant of a file. Raises TrainingError if the engine lacks it or has other rules for it."""
    name = file.about.get("game", CHESS.name)
    try:
        game = named_game(name)
    except DefinitionError as error:
        raise TrainingError(f"{shown_path(file.path)}: {error}") from None
    if not game.is_chess and file.about.get("rules_of_game") != game.fingerprint:
        raise TrainingError(f"{shown_path(file.path)}: its games follow other rules of {shown(name)}")
    return game


def common_game(paths: Sequence[str]) -> Variant:
    """Return the variant common to these files. Raises TrainingError and OSError."""
    found = None
    for path in paths:
        with GameFile(path) as file:
            game = game_of(file)
        if found is not None and game is not found:
            raise TrainingError(f"{shown_path(path)}: expected games of {found.name}, found {game.name}")
        found = game
    assert found is not None
    return found


def reader_of(game: Variant, skip: int, most_cp: int, *, with_keys: bool = False) -> SampleReader | FairySampleReader:
    """Create a reader of samples for this variant. Raises TrainingError if it has too many pieces for a sample."""
    if game.is_chess:
        return SampleReader(skip, most_cp, with_keys=with_keys)
    try:
        by_hand = new_evaluator(game, discount=False)
        return FairySampleReader(new_board(game=game), by_hand, skip, most_cp, with_keys=with_keys)
    except ValueError as error:
        raise TrainingError(f"{game.name}: {error}") from None


def read_into(reader: GameReader, paths: Sequence[str], *, first: int = 0) -> int:
    """Pass all games of the files to the reader, numbering the games from ``first`` on.

    Returns the number after the last game's number. Raises TrainingError and OSError.
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


def decoded(kind: Variant, data: bytes, at: int) -> tuple[Record, int]:
    """Return the game that begins at this offset of a block, and the offset of the next game. Raises ValueError."""
    return decode(data, at) if kind.is_chess else decode_fairy(data, at, new_board(game=kind))


def games(path: str) -> Iterator[tuple[int, Record]]:
    """Yield the games of a file with their numbers. Raises TrainingError and OSError."""
    with GameFile(path) as file:
        kind = game_of(file)
        notation = notation_of(kind, chess960=True)
        for block in file:
            at = 0
            for number in range(block.first, block.first + block.games):
                try:
                    game, at = decoded(kind, block.data, at)
                except ValueError as error:
                    raise TrainingError(f"{shown_path(path)}: game {number}: {error}") from None
                game.board.notation = notation
                yield number, game


class ShownPly(NamedTuple):
    """A ply for display: the FEN before the move, the move, and White's score in centipawns or None."""

    fen: str
    move: str
    san: str
    white_cp: int | None


def plies(game: Record) -> Iterator[ShownPly]:
    """Yield the plies of a game in order."""
    board = game.board.copy()
    for move, cp in zip(game.moves, game.scores, strict=True):
        white_cp = cp if cp is None or not board.stm else -cp
        yield ShownPly(fen(board), move_text(board, move), san(board, move), white_cp)
        board.push(move)


def ending(game: Record) -> str:
    """Return the result and its reason as a text."""
    reason = REASONS[game.reason] if game.reason < len(REASONS) else str(game.reason)
    return f"{RESULTS[game.result]} ({reason})"


class Statistics(NamedTuple):
    """Statistics of files of games. counts: plies by the filter's decision; see SampleReader."""

    counts: dict[str, int]
    different: int
    results: tuple[int, int, int]
    reasons: dict[str, int]
    men: dict[int, int]


def statistics(paths: Sequence[str], *, skip: int, most_cp: int) -> Statistics:
    """Compute the statistics of files. Raises TrainingError and OSError."""
    reader = reader_of(common_game(paths), skip, most_cp, with_keys=True)
    read_into(reader, paths)
    reasons = {
        REASONS[number] if number < len(REASONS) else str(number): count
        for number, count in enumerate(reader.reason_counts)
        if count
    }
    men = {number: count for number, count in enumerate(reader.piece_counts) if count}
    return Statistics(reader.counts, reader.different(), reader.result_counts, reasons, men)
