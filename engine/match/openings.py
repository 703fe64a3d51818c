"""Where the games of a match begin: files of positions, or of games whose first moves are played."""

from __future__ import annotations

from ..errors import MatchError
from ..notation import shown
from ..pgn.files import open_input
from ..pgn.games import decoded, read_games
from .orthodox import CHESS
from .referee import Kind
from .setup import Opening


def read_openings(path: str, plies: int | None = None, kind: Kind = CHESS) -> list[Opening]:
    """The lines of an EPD or FEN file, or the games of a PGN file (plain or compressed), in their order.

    plies: of a game no more than so many moves; lines that are then the same are taken once.

    Raises PgnError for a file that cannot be read, MatchError for an opening that cannot be played or for none at all.
    """
    openings = []
    is_pgn = any(path.endswith(f".pgn{suffix}") for suffix in ("", ".gz", ".bz2", ".zst"))
    with open_input(path) as stream:
        if is_pgn:
            for number, text in enumerate(read_games(stream), 1):
                openings.append(kind.opening_of_game(text, f"{path}: game {number}", plies))
        else:
            for number, line in enumerate(stream, 1):
                text = decoded(line).strip("\ufeff \t\r\n")
                if text and not text.startswith("#"):
                    openings.append(kind.opening_of_line(text, f"{path}:{number}"))
    openings = list(dict.fromkeys(opening for opening in openings if opening is not None))
    if not openings:
        raise MatchError(f"expected openings, found none in {shown(path)}")
    return openings
