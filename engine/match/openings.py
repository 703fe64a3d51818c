"""Reads the openings of a match: positions, or the first moves of games."""

from __future__ import annotations

from dataclasses import replace

from ..archive.pgn import decoded, read_games, tags_of
from ..archive.streams import is_pgn, open_input
from ..common.errors import MatchError, NotationError
from ..common.goal import parse_record
from ..common.text import shown_path
from ..rmobility.scoring import parse_komi
from ..variants.notation import hyphened, is_record, position_fields, whole_fields
from .orthodox import CHESS
from .referee import Kind, MatchRules
from .setup import Opening


def read_openings(
    path: str, plies: int | None = None, kind: Kind = CHESS, rules: MatchRules | None = None
) -> list[Opening]:
    """Return the lines of an EPD or FEN file, or the games of a PGN file (plain or compressed), in order.

    plies: the maximum number of half-moves of each game; duplicates are dropped. rules: the rules of the match, which
    decide whether a game is already over after the opening; None for the usual rules.

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
                opening = kind.opening_of_game(game, where, plies)
                if opening is not None:
                    take(_with_terms(opening, tags_of(game), where), where)
        else:
            for number, line in enumerate(stream, 1):
                text = decoded(line).strip("\ufeff \t\r\n")
                if text and not text.startswith("#"):
                    where = f"{path}:{number}"
                    take(replace(kind.opening_of_line(text, where), record=_record_in(text, where)), where)
    if not openings:
        raise MatchError(f"expected openings, found none in {shown_path(path)}")
    return list(openings)


def _with_terms(opening: Opening, tags: dict[str, str], where: str) -> Opening:
    """Return the opening of a game, with the record and the komi in its tags. Raises MatchError."""
    record = _record_in(tags.get("FEN", ""), where)
    try:
        if "RMobilityRecord" in tags:
            record = parse_record(tags["RMobilityRecord"].strip())
        return replace(opening, record=record, komi=parse_komi(tags["Komi"]) if "Komi" in tags else None)
    except NotationError as error:
        raise MatchError(f"{where}: {error}") from None


def _record_in(text: str, where: str) -> tuple[int, int] | None:
    """Return (owner, goal code) of the record that follows a position. Raises MatchError."""
    behind = whole_fields(hyphened(text).split())[len(position_fields(text)) :]
    if not is_record(behind) or not behind[0][-1].isdigit():  # the name of an EPD operation starts with a letter
        return None
    try:
        return parse_record(behind[0])
    except NotationError as error:
        raise MatchError(f"{where}: {error}") from None
