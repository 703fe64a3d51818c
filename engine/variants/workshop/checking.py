"""Checks the games of a definition file beyond its syntax: can they be played, and as their author intends?"""

from __future__ import annotations

import re

from ...common.errors import DefinitionError
from ..boards import new_board, rules_of
from ..catalog import OWN_FILE, Catalog, can_be_listed
from ..definition import Definition, DefinitionFile
from ..fairymax import LARGEST_BYTES
from ..game_over import game_end
from .known_names import ORTHODOX, taken_for
from .warnings import warnings

NAMELESS = "the game before the first title"


def examine(found: DefinitionFile, where: str, remarks: list[str], mistakes: list[str]) -> None:
    """Add to the remarks and mistakes of ``parse``, and sort the mistakes by their places.

    found: the games that ``parse`` returned. where: the file, for messages about games that cannot be played.
    """
    games = [game for game in (found.default, *found.games) if game.pieces]
    mistakes += [f"{where}: {text}" for text in map(_unplayable, games) if text]
    mistakes.sort(key=place_of)
    if found.default.pieces and not found.games and not mistakes:
        remarks.append(f"{NAMELESS} cannot be chosen: a game to play begins with a line Game: NAME")
    for game in games:
        remarks += [f"{game.name or NAMELESS}: {text}" for text in warnings(game)]
        if (other := taken_for(game.name)) and not (other == ORTHODOX and _is_orthodox(game)):
            remarks.append(f"{game.name}: clients mistake this name for {other}")
        if not can_be_listed(game.name):
            remarks.append(
                f"{game.name}: XBoard cannot list a name with commas, quotation marks or letters beyond ASCII"
            )


def place_of(mistake: str) -> tuple[int, int]:
    """The line and column that a message names; messages without a place come last."""
    found = re.search(r":(\d+):(\d+): ", mistake)
    return (int(found[1]), int(found[2])) if found else (LARGEST_BYTES, 0)


def _unplayable(game: Definition) -> str:
    """The reason why the game cannot be played from its start position; empty if it can."""
    try:
        rules_of(game)
        board = new_board(game=game)
        if board.checkers:
            return f"{game.name}: expected a start position without check"
        if over := game_end(board):
            return f"{game.name}: expected a start position in which the game goes on, found {over[0]} ({over[1]})"
    except DefinitionError as error:
        return str(error)
    return ""


def _is_orthodox(game: Definition) -> bool:
    """Return whether the pieces start and move as in chess, so that the name ``normal`` fits."""
    chess = Catalog(OWN_FILE).find("normal")
    rays, expected = ([set(g.piece(number).rays) if number else None for number in g.white] for g in (game, chess))
    return rays == expected
