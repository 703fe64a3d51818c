"""Start positions for self-play: level endings extracted from files of games (docs/training-data.md)."""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from struct import Struct

from standstill.cext.chess.chess_board import ChessBoard
from standstill.cext.training.samples import SAMPLE_BYTES, SampleReader, sample_boards

from ..archive.streams import open_input
from ..common.errors import NotationError, TrainingError
from ..common.text import shown_path
from ..variants.boards import notation_of
from ..variants.notation import fen, set_epd
from ..variants.variant import CHESS
from .gamefile import GameFile
from .reading import common_game

# Fields of a sample (cext/training/sample.pxd): occupied squares, centipawns, result, game number. The rest is skipped.
_SAMPLE = Struct("<Q16xhBxI")
assert _SAMPLE.size == SAMPLE_BYTES


Start = tuple[bytes, int, int, int | None]  # the first arguments of ``ChessBoard.set_up``


def read_starts(path: str) -> list[Start]:
    """Return the positions of a file, EPD or FEN, one per line; cached while the file is unchanged.

    Raises TrainingError with the line number, PgnError and OSError.
    """
    found = os.stat(path)
    return _read_starts(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=1)
def _read_starts(path: str, _changed_ns: int, _size: int) -> list[Start]:
    found = []
    board = ChessBoard()
    board.notation = notation_of(CHESS)
    with open_input(path) as lines:
        for number, line in enumerate(lines, 1):
            text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n")
            if not text or text.startswith("#"):
                continue
            try:
                set_epd(board, text)
                if not board.count_legal(1):
                    raise NotationError("expected a position from which a game goes on, found one without legal moves")
            except NotationError as error:
                raise TrainingError(f"{shown_path(path)}:{number}: {error}") from None
            found.append((board.squares, board.stm, board.castling, board.ep))
    if not found:
        raise TrainingError(f"{shown_path(path)}: expected positions, found none")
    return found


def starts_name(path: str) -> str:
    """Return a checksum, by which files of games identify their start positions."""
    return f"{zlib.crc32(repr(read_starts(path)).encode()):08x}"


def level_positions(paths: Sequence[str], *, least_men: int, most_men: int, most_cp: int, seed: int) -> Iterator[str]:
    """Yield at most one random position from each game, as the first four fields of a FEN.

    The positions are quiet and turned so that White is to move. The number of pieces is from ``least_men`` to
    ``most_men``, and the score is at most ``most_cp`` centipawns. Raises TrainingError and OSError.
    """
    if (game := common_game(paths)) is not CHESS:
        raise TrainingError(f"expected games of chess, found {game.name}")
    chance = random.Random(seed)
    notation = notation_of(CHESS)
    for path in paths:
        with GameFile(path) as file:
            for block in file:
                reader = SampleReader(0, most_cp + 1)
                try:
                    reader.read(block.data, block.games, 0)
                except ValueError as error:
                    raise TrainingError(f"{shown_path(path)}: games from {block.first} on: {error}") from None
                for sample in _chosen(reader.samples_bytes(), least_men, most_men, chance):
                    (board,) = sample_boards(sample)
                    board.notation = notation
                    yield " ".join(fen(board).split()[:4])


def _chosen(samples: bytes, least_men: int, most_men: int, chance: random.Random) -> Iterator[bytes]:
    """Choose one position of each game among its positions with these numbers of pieces."""
    by_game: dict[int, list[int]] = {}
    for place, (occupied, _, _, game) in enumerate(_SAMPLE.iter_unpack(samples)):
        if least_men <= occupied.bit_count() <= most_men:
            by_game.setdefault(game, []).append(place)
    for places in by_game.values():
        place = chance.choice(places)
        yield samples[place * SAMPLE_BYTES : (place + 1) * SAMPLE_BYTES]
