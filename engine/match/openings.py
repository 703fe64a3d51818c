"""Reads the openings of a match: positions, or the first moves of games."""

from __future__ import annotations

from ..archive.pgn import decoded, read_games, tags_of
from ..archive.streams import is_pgn, open_input
from ..common.errors import MatchError
from ..common.text import shown, shown_path
from ..variants.notation import is_record, position_fields, whole_fields
from .orthodox import CHESS
from .referee import Kind, MatchRules
from .setup import Opening


def read_openings(
    path: str, plies: int | None = None, kind: Kind = CHESS, rules: MatchRules | None = None
) -> list[Opening]:
    """Return the lines of an EPD or FEN file, or the games of a PGN file (plain or compressed), in order.

    plies: take at most this many half-moves of each game, and drop duplicates. rules: the match's rules, which decide
    whether a game is already over after the opening; None for the usual rules.

    Raises PgnError for an unreadable file, and MatchError for an unplayable opening or a file without openings.
    """
    rules = rules or MatchRules()
    openings: dict[Opening, None] = {}

    def take(opening: Opening, where: str) -> None:
        end = kind.begin(opening, rules).end()
        if end is not None:
            raise MatchError(f"{where}: the game is over after the opening: {end[1]}")
        openings[opening] = None

    with open_input(path) as stream:
        if is_pgn(path):
            for number, game in enumerate(read_games(stream), 1):
                where = f"{path}: game {number}"
                _check_fresh(tags_of(game).get("FEN", ""), where)
                opening = kind.opening_of_game(game, where, plies)
                if opening is not None:
                    take(opening, where)
        else:
            for number, line in enumerate(stream, 1):
                text = decoded(line).strip("\ufeff \t\r\n")
                if text and not text.startswith("#"):
                    where = f"{path}:{number}"
                    _check_fresh(text, where)
                    take(kind.opening_of_line(text, where), where)
    if not openings:
        raise MatchError(f"expected openings, found none in {shown_path(path)}")
    return list(openings)


def _check_fresh(text: str, where: str) -> None:
    """Raise MatchError for a position with a record, which other engines do not support."""
    behind = whole_fields(text.split())[len(position_fields(text)) :]
    if is_record(behind) and behind[0][-1].isdigit():  # the name of an EPD operation starts with a letter
        raise MatchError(f"{where}: expected a position without an R-Mobility record, found {shown(behind[0])}")
