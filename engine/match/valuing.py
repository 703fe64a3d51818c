"""Measures what pieces are worth by the engine's own play from imbalanced arrays.

The method is that of the XBoard forum: one side lacks the piece, and the other side lacks about the same value.
Games at pawn odds show what a pawn is worth in points. The kinds take turns, each with several imbalances, and in
each imbalance either colour has the surplus. Random moves make each game different.

The file of games is the file of a match, and later runs continue it: the first position of a game shows its imbalance.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from functools import cache

from ..archive.standings import WHITE_SHARE
from ..common.errors import MatchError
from ..common.text import shown_path
from ..variants.catalog import OWN_FILE, load
from ..variants.definition import Definition
from .arrays import Arrays
from .random_openings import ATTEMPTS, MOST_CP, Judge, begun_with, recorded
from .referee import Kind, MatchRules
from .runner import Match, Plan, Record
from .setup import EngineSpec, Opening, TimeControl
from .values import Imbalance, Model, Values, words_of

_SCHEME = re.compile(r"values (\d{1,9})\Z", re.ASCII)
_MOST_SEED = 10**6


class Measurement:
    """The games that measure a game's pieces, and the values that follow from them."""

    def __init__(self, kind: Kind, letters: str = "", unit: str = ""):
        """letters: the letters of the pieces to measure; "" for all. unit: the letter of the unit; "" for pawns.

        Raises MatchError if the pieces cannot be measured.
        """
        self.kind = kind
        self.arrays = Arrays(_definition_of(kind), unit)
        self.measured = self.arrays.measurable(letters)
        stated = {each.label: each.value for each in self.arrays.kinds}
        self._unit = self.arrays.unit
        self._model = Model(stated, self.measured, self._unit.value, self.arrays.unit_words)
        self._turns = [self._unit.label, *self.measured]
        self._choices = [self.arrays.choices(label, self.measured) for label in self._turns]
        self._judge = Judge(kind.game)
        self._seen = cache(self.arrays.surplus)  # after each game all games are counted again

    def plan(
        self,
        games: int,
        nodes: int,
        program: str,
        definitions: str,
        path: str,
        *,
        tell: Callable[[int], None] | None = None,
    ) -> Plan:
        """Return the plan of the games. nodes: the limit for each move. program: the engine's executable.

        definitions: the file of the game. path: the file of games; games that are already in the file keep their
        openings. tell: a function that is called with the number of openings found so far. Raises MatchError if the
        file has games of another match, and PgnError if the games cannot be read.
        """
        begun = begun_with(path)
        found = _SCHEME.match(begun) if begun is not None else None
        if begun is not None and not found:
            raise MatchError(f"{shown_path(path)} has games of another match: name another file or remove it")
        seed = int(found[1]) if found else random.randrange(_MOST_SEED)
        known = recorded(path, self.kind, 2, games, gauntlet=False) if found else {}
        openings = []
        for at in range(games):
            openings.append(known.get(at) or self.opening(at, seed))
            if tell is not None:
                tell(len(openings))
        options = {"VariantFile": os.path.abspath(definitions), "Hash": "16"}
        engines = tuple(EngineSpec(name, (program,), "uci", options) for name in ("Standstill", "Standstill 2"))
        event = f"Values of {self.kind.game.name}"
        control = TimeControl(nodes=nodes)
        return Plan(
            engines, control, tuple(openings), games, event=event, kind=self.kind, scheme=f"values {seed}", single=True
        )

    def opening(self, at: int, seed: int) -> Opening:
        """Return the opening of a game: an array, and random moves that hardly change the balance. at: its index."""
        choices = self._choices[at % len(self._turns)]
        imbalance, leader = choices[at // len(self._turns) % len(choices)]
        chance = random.Random(f"{seed} {at}")
        start = self.arrays.position(imbalance, leader, chance)
        before = self._judge.centipawns((), start)
        best: tuple[float, tuple[str, ...]] | None = None
        for _ in range(ATTEMPTS):
            moves = self._judge.random_moves(chance, start)
            if self.kind.begin(Opening(start, moves), MatchRules()).end() is not None:
                continue
            # The score is for the side to move, which may be the other side if the moves ended early.
            after = self._judge.centipawns(moves, start) * (-1) ** len(moves)
            if best is None or abs(after - before) < best[0]:
                best = abs(after - before), moves
            if best[0] <= MOST_CP:
                break
        return Opening(start, best[1] if best is not None else ())

    def values(self, match: Match) -> Values:
        """Return the values that follow from the finished games."""
        return self._model.values(
            (self._surplus(record, match), float(WHITE_SHARE[record.outcome.result])) for record in match.done.values()
        )

    def words(self, record: Record, match: Match) -> str:
        """Return the imbalance of a game in words, White's side first."""
        return words_of(self._surplus(record, match), self.arrays.order)

    def _surplus(self, record: Record, match: Match) -> Imbalance:
        return self._seen(match.plan.openings[record.pairing.opening].fen)

    def numbers(self, values: Values) -> dict[int, float]:
        """Return the value of each piece of the definition, by its number."""
        found = {}
        for worth in values.worths:
            for number in self.arrays.by_label[worth.label].numbers:
                if number and worth.value is not None:
                    found[number] = worth.value
        return found


def _definition_of(kind: Kind) -> Definition:
    """Return the definition of the game. Chess has a definition, too, from which its arrays are made."""
    game = kind.game
    if isinstance(game, Definition):
        return game
    return next(each for each in load(OWN_FILE).games if each.name == "normal")
