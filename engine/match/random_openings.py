"""Random balanced openings: a few random moves from the start position, after which neither side is far ahead.

Without such openings, engines that always play the same moves would replay one game, and its result would look like a
statistic. A file of games names the seed of its openings, so that a later run continues with the same openings.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Sequence

from ..archive.pgn import read_games, tags_of
from ..archive.streams import STANDARD, is_compressed, open_input
from ..common.errors import MatchError, StandstillError
from ..common.info import SCORE_CP
from ..common.limits import Limits
from ..common.text import shown
from ..play.session import Session
from ..variants.boards import new_board
from ..variants.game_over import game_end
from ..variants.notation import move_text
from ..variants.variant import Variant
from .referee import Kind, MatchRules
from .runner import OPENINGS_TAG
from .setup import Opening, schedule

PLIES = 6  # length of an opening
MOST_CP = 60  # a larger score for either side makes an opening unsuitable
NODES = 400  # limit of the search that judges an opening
ATTEMPTS = 40  # number of attempts after which the most balanced opening so far is taken
_SEED = re.compile(r"random (\d{1,9})\Z", re.ASCII)


def scheme_of(seed: int) -> str:
    """Return the text that stands for these openings in a file of games."""
    return f"random {seed}"


def seed_of(scheme: str) -> int:
    """Return the seed in ``scheme``. Raises MatchError if the text names other openings."""
    found = _SEED.match(scheme)
    if not found:
        raise MatchError(f"expected openings such as random 123, found {shown(scheme, 40)}")
    return int(found[1])


def begun_with(path: str) -> str | None:
    """Return the openings that a file of games names; empty if the file names none, and None if it has no games."""
    if path == STANDARD or is_compressed(path) or not os.path.isfile(path):
        return None
    with open_input(path) as stream:
        first = next((text for text in read_games(stream) if text.strip()), None)
    return None if first is None else tags_of(first).get(OPENINGS_TAG, "")


def random_openings(
    kind: Kind, count: int, seed: int, rules: MatchRules | None = None, tell: Callable[[int], None] | None = None
) -> list[Opening]:
    """Return different openings of the game. The first openings do not depend on the count.

    On small boards, where random moves repeat soon, an opening may occur twice. tell: a function that is called with
    the number of openings found so far.
    """
    judge = Judge(kind.game)
    rules = rules or MatchRules()
    seen: set[tuple[str, ...]] = set()
    found = []
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        best: tuple[float, tuple[str, ...]] | None = None
        for _ in range(ATTEMPTS):
            moves = judge.random_moves(chance)
            if moves in seen or kind.begin(Opening(kind.start.fen, moves), rules).end() is not None:
                continue
            score = judge.score(moves)
            if best is None or score < best[0]:
                best = score, moves
            if score <= MOST_CP:
                break
        moves = best[1] if best is not None else ()
        seen.add(moves)
        found.append(Opening(kind.start.fen, moves))
        if tell is not None:
            tell(len(found))
    return found


class Judge:
    """Plays random moves and searches the positions that they lead to."""

    def __init__(self, game: Variant):
        self._game = game
        self._session = Session()
        # MB; the table is cleared before each search, so that the score depends on nothing else
        self._session.settings["Hash"] = 1
        self._session.play_game(game)
        self._limits = Limits()
        self._limits.nodes = NODES

    def random_moves(self, chance: random.Random, start: str | None = None) -> tuple[str, ...]:
        """Return random moves: quiet ones where there are any, because exchanges decide a game too early.

        start: the FEN of the first position, or None for the start position.
        """
        board = new_board(start, game=self._game)
        moves: list[str] = []
        while len(moves) < PLIES and game_end(board) is None and (legal := board.legal_moves()):
            quiet = [move for move in legal if not board.noisy(move) and not board.checks(move)]
            move = chance.choice(quiet or legal)
            moves.append(move_text(board, move))
            board.push(move)
        return tuple(moves)

    def score(self, moves: Sequence[str]) -> float:
        """Return the distance of the position from balance, in centipawns."""
        return abs(self.centipawns(moves))

    def centipawns(self, moves: Sequence[str], start: str | None = None) -> float:
        """Return the score of the position for the side to move, in centipawns. start: as for ``random_moves``."""
        self._session.new_game()
        self._session.position(start, list(moves))
        _, line = self._session.search(self._limits)
        return line.score / SCORE_CP


def recorded(path: str, kind: Kind, engines: int, rounds: int, gauntlet: bool) -> dict[int, Opening]:
    """Return the openings that games in the file began with, by their index.

    A newer version may evaluate positions differently, and the second game of a pair must begin like the first.
    """
    pairings = {pairing.number: pairing.opening for pairing in schedule(engines, rounds, rounds, gauntlet)}
    found: dict[int, Opening] = {}
    with open_input(path) as stream:
        for text in read_games(stream):
            tags = tags_of(text)
            number, plies = tags.get("MatchGame", ""), tags.get("OpeningPlies", "")
            if number.isdecimal() and plies.isdecimal() and int(number) in pairings:
                try:
                    opening = kind.opening_of_game(text, path, int(plies))
                except StandstillError:
                    continue  # an incomplete game, which will be played again
                if opening is not None and len(opening.moves) == int(plies):
                    found.setdefault(pairings[int(number)], opening)
    return found
