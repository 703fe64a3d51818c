"""Positions to play from: level endings out of files of games (docs/training-data.md)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from struct import Struct

from standstill.cext.learning.samples import SAMPLE_BYTES, SampleReader, sample_boards

from ..games.board import notation_of
from ..games.game import CHESS
from ..games.notation import fen
from ..words.errors import TrainingError
from ..words.text import shown_path
from .gamefile import GameFile
from .reading import common_game

# Of a sample (cext/learning/sample.pxd): which squares are occupied, centipawns, the game.
_SAMPLE = Struct("<Q16xhBxI")
assert _SAMPLE.size == SAMPLE_BYTES


def level_positions(
    paths: Sequence[str], *, least_men: int, most_men: int, most_cp: int, seed: int
) -> Iterator[str]:
    """From each game at most one position with so many men and a score of at most so many centipawns, by chance.

    As the first four fields of a FEN: quiet, as the side to move sees it, which is always White.
    Raises TrainingError and OSError.
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
    """One of those of each game that have so many men."""
    by_game: dict[int, list[int]] = {}
    for place, (occupied, _, _, game) in enumerate(_SAMPLE.iter_unpack(samples)):
        if least_men <= occupied.bit_count() <= most_men:
            by_game.setdefault(game, []).append(place)
    for places in by_game.values():
        place = chance.choice(places)
        yield samples[place * SAMPLE_BYTES : (place + 1) * SAMPLE_BYTES]
