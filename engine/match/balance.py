"""Measures a game by the engine's own play: which side is better, how games end, and which pieces survive.

The engine plays both sides, each game from its own opening. The file of games is the file of a match, and later runs
continue it.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..archive.pgn import read_games, tags_of
from ..archive.standings import WHITE_SHARE
from ..archive.streams import open_input
from ..variants.boards import new_board, start_fen
from ..variants.notation import fen, parse_move
from .referee import Kind
from .runner import Match, Plan, Record
from .setup import EngineSpec, Opening, TimeControl
from .statistics import Z95, Estimate, estimate

RESULTS = ("1-0", "1/2-1/2", "0-1")


@dataclass(frozen=True, slots=True)
class Share:
    """A subset of all games: its size, and the 95 % interval of its share (Wilson's score interval)."""

    count: int
    total: int

    @property
    def value(self) -> float:
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        if not self.total:
            return 0.0, 1.0
        n, p, square = self.total, self.value, Z95 * Z95
        middle = (p + square / (2 * n)) / (1 + square / n)
        half = Z95 * math.sqrt(p * (1 - p) / n + square / (4 * n * n)) / (1 + square / n)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Balance:
    """The statistics of the games of a match that the engine plays against itself."""

    results: tuple[Share, ...]  # White wins, draws, Black wins
    score: Estimate  # White's mean score
    plies: tuple[int, int, int]  # lengths that a tenth, a half and nine tenths of the games do not exceed
    endings: Counter[str]  # terminations
    survivors: dict[str, tuple[float, float, int]] = field(default_factory=dict)  # see ``survival``

    def view(self) -> dict[str, object]:
        """Return the statistics as plain values for JSON; a share of pieces that a side does not begin with is None.

        ``results``: [number, lower, upper end] for White's wins, draws and Black's wins. ``plies``: see the field.
        """
        return {
            "games": self.results[0].total,
            "results": [[share.count, *share.interval] for share in self.results],
            "score": [self.score.mean, self.score.error],
            "plies": list(self.plies),
            "endings": self.endings.most_common(),
            "survivors": [
                {"letter": letter, "white": _known(white), "black": _known(black)}
                for letter, (white, black, _) in self.survivors.items()
            ],
        }


def balance_plan(  # noqa: PLR0917
    kind: Kind, openings: Sequence[Opening], scheme: str, games: int, nodes: int, program: str, definitions: str
) -> Plan:
    """Return the plan of a measurement. Both sides are our engine and play alike, so each opening is played once.

    scheme: the text that names random openings, or "". nodes: the limit for each move. program: the engine's
    executable. definitions: the file of the game.
    """
    options = {"VariantFile": os.path.abspath(definitions), "Hash": "16"}
    engines = tuple(EngineSpec(name, (program,), "uci", options) for name in ("Standstill", "Standstill 2"))
    event = f"Balance of {kind.game.name}"
    return Plan(
        engines, TimeControl(nodes=nodes), tuple(openings), games, event=event, kind=kind, scheme=scheme, single=True
    )


def balance_of(match: Match) -> Balance:
    """Return the statistics of the finished games. Raises MatchError for a file that cannot be read."""
    records = [match.done[number] for number in sorted(match.done)]
    counts = Counter(record.outcome.result for record in records)
    lengths = sorted(plies for _, plies, _ in _ends(match))
    return Balance(
        results=tuple(Share(counts[result], len(records)) for result in RESULTS),
        score=estimate([float(WHITE_SHARE[record.outcome.result]) for record in records]),
        plies=(_quantile(lengths, 0.1), _quantile(lengths, 0.5), _quantile(lengths, 0.9)),
        endings=Counter(_ending(record) for record in records),
        survivors=survival(match),
    )


def _ending(record: Record) -> str:
    words = record.termination or "unknown"
    return f"{words}, {'drawn' if record.outcome.result == RESULTS[1] else 'won'}"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _quantile(values: Sequence[int], part: float) -> int:
    return values[min(int(part * len(values)), len(values) - 1)] if values else 0


def _ends(match: Match) -> Iterator[tuple[int, int, str]]:
    """Yield (number, plies, placement at the end) for each finished game of the match."""
    kind = match.plan.kind
    with open_input(match.path) as stream:
        for text in read_games(stream):
            number = tags_of(text).get("MatchGame", "")
            if not number.isdecimal() or int(number) not in match.done:
                continue
            game = kind.opening_of_game(text, match.path, None)
            if game is None:
                continue
            board = new_board(game.fen, game=kind.game)
            for move in game.moves:
                board.push(parse_move(board, move))
            yield int(number), len(game.moves), fen(board).split()[0]


def survival(match: Match) -> dict[str, tuple[float, float, int]]:
    """Return for each letter (share of White's pieces left at the end, share of Black's, number at the beginning).

    Pieces in hand and promoted pieces count under their current letter, so a share may exceed 1.
    """
    start = _letters(start_fen(match.plan.kind.game))
    left: Counter[str] = Counter()
    games = 0
    for _, _, placement in _ends(match):
        left += _letters(placement)
        games += 1
    kinds = dict.fromkeys(letter.upper() for letter in start)
    return {
        letter: (_part(left[letter], start[letter], games), _part(left[other], start[other], games), start[letter])
        for letter in kinds
        for other in (letter.lower(),)
    }


def _letters(text: str) -> Counter[str]:
    return Counter(letter for letter in text.split(maxsplit=1)[0] if letter.isalpha())


def _part(left: int, begun: int, games: int) -> float:
    return left / (begun * games) if begun and games else math.nan
