"""Reads the openings of a match: files of positions, or of games whose first moves are played."""

from __future__ import annotations

from ..archive.files import is_pgn, open_input
from ..archive.games import decoded, read_games
from ..words.errors import MatchError
from ..words.text import shown_path
from .orthodox import CHESS
from .referee import Kind
from .setup import Opening


def read_openings(path: str, plies: int | None = None, kind: Kind = CHESS) -> list[Opening]:
    """The lines of an EPD or FEN file, or the games of a PGN file (plain or compressed), in order.

    plies: at most so many moves of each game; lines that are equal then are taken once.

    Raises PgnError for a file that cannot be read, MatchError for an opening that cannot be played or if there is none.
    """
    openings: list[Opening | None] = []
    with open_input(path) as stream:
        if is_pgn(path):
            for number, game in enumerate(read_games(stream), 1):
                openings.append(kind.opening_of_game(game, f"{path}: game {number}", plies))
        else:
            for number, line in enumerate(stream, 1):
                text = decoded(line).strip("\ufeff \t\r\n")
                if text and not text.startswith("#"):
                    openings.append(kind.opening_of_line(text, f"{path}:{number}"))
    found = list(dict.fromkeys(opening for opening in openings if opening is not None))
    if not found:
        raise MatchError(f"expected openings, found none in {shown_path(path)}")
    return found
