"""Playing all games of a match, some at a time, into a file that says by itself how far the match has come."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

import chess

from .. import NAME, VERSION
from ..errors import MatchError
from ..notation import shown
from ..pgn.files import open_input, open_output
from ..pgn.games import read_games, tags_of
from ..rmobility.archive import Rules as ScoringRules
from ..rmobility.archive import Scorer
from ..rmobility.scoring import decisive, white_points
from ..rmobility.standings import WHITE_SHARE, Outcome, Standings, outcome_of
from ..rmobility.tagging import TAGS, Tagger, Wishes
from .play import Played, Player, Rules, play_game
from .setup import EngineSpec, Opening, Pairing, TimeControl, fingerprint, schedule
from .statistics import Sprt

_SITE = f"{NAME} {VERSION}"


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides how a match is played."""

    engines: tuple[EngineSpec, ...]
    control: TimeControl
    openings: tuple[Opening, ...]
    rounds: int
    gauntlet: bool = False
    rules: Rules = field(default_factory=Rules)
    scoring: ScoringRules = field(default_factory=ScoringRules)
    event: str = "R-Mobility match"

    @property
    def games(self) -> list[Pairing]:
        return schedule(len(self.engines), len(self.openings), self.rounds, self.gauntlet)

    @property
    def fingerprint(self) -> str:
        return fingerprint(list(self.engines), self.control, list(self.openings), self.gauntlet)


@dataclass(slots=True)
class Record:
    """A game that was played: its pairing, and what the table and the statistics want."""

    pairing: Pairing
    outcome: Outcome
    termination: str
    rm_owner: int | None  # who holds the final record


class Match:
    """The state of a match: games that are done, the table, the pairs."""

    def __init__(self, plan: Plan, path: str):
        """Take up what the file holds already.

        Raises MatchError if it is not a file of this match, PgnError if it cannot be read or written.
        """
        self.plan = plan
        self.path = path
        self.done: dict[int, Record] = {}
        self.faults: dict[str, int] = defaultdict(int)  # failures by name of the engine
        self._scorer = Scorer(plan.scoring)
        self._tagger = Tagger(Wishes(rules=plan.scoring, tags=frozenset(TAGS)))
        self._pairings = {pairing.number: pairing for pairing in plan.games}
        self._lock = threading.Lock()
        if os.path.exists(path):
            self._resume()

    # ---- the file ----

    def _resume(self) -> None:
        with open_input(self.path) as stream:
            games = [text for text in read_games(stream) if text.strip()]
        kept = []
        for at, text in enumerate(games, 1):
            tags = tags_of(text)
            if tags.get("MatchId") != self.plan.fingerprint:
                if at == len(games) and self._is_torn(text):
                    break
                raise MatchError(f"{shown(self.path)} holds games of another match: name another file or remove it")
            number = int(tags.get("MatchGame", "0"))
            game = self._scorer.score(text, 0, len(text))
            # A run that was killed may leave half a game behind; it has no result after its moves.
            whole = game.score is not None and game.score.result == game.result.encode() and game.result != "*"
            if whole and number in self._pairings and number not in self.done:
                kept.append(text)
                self._take(self._pairings[number], text, tags.get("Termination", ""))
        with open_output(self.path) as out:
            out.writelines(kept)

    def _is_torn(self, text: bytes) -> bool:
        """May this be the beginning of a game of ours, torn before it says which match it is of?"""
        ours = f'[Event "{self.plan.event}"]\n[Site "{_SITE}"]\n'.encode()
        return text.startswith(ours) or ours.startswith(text)

    def add(self, pairing: Pairing, played: Played) -> Record:
        """Write a game down, then count it: a game is done when it is in the file as a whole."""
        text = self._tagged(pairing, played)
        with self._lock:
            self._write(text)
            return self._take(pairing, text, played.termination)

    def _tagged(self, pairing: Pairing, played: Played) -> bytes:
        game, engines, opening = played.game, self.plan.engines, self.plan.openings[pairing.opening]
        headers = game.headers
        headers["Event"] = self.plan.event
        headers["Site"] = _SITE
        headers["Date"] = datetime.now().strftime("%Y.%m.%d")
        headers["Round"] = f"{pairing.pair}.{2 - pairing.number % 2}"
        headers["White"] = engines[pairing.white].name
        headers["Black"] = engines[pairing.black].name
        headers["TimeControl"] = str(self.plan.control)
        headers["PlyCount"] = str(len(game.end().board().move_stack))
        headers["Termination"] = played.termination
        headers["MatchGame"] = str(pairing.number)
        headers["MatchId"] = self.plan.fingerprint
        if opening.moves:
            headers["OpeningPlies"] = str(len(opening.moves))
        text = f"{game}\n\n".encode()
        return self._tagger.tag(text, [len(text)], pairing.number).text

    def _write(self, text: bytes) -> None:
        """In one call, and on the disk before anybody counts it."""
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                os.write(handle, text)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise MatchError(f"cannot write {shown(self.path)}: {error.strerror}") from None

    def _take(self, pairing: Pairing, text: bytes, termination: str) -> Record:
        game = self._scorer.score(text, 0, len(text))
        white, black = (self.plan.engines[at].name for at in (pairing.white, pairing.black))
        outcome = outcome_of(white, black, game.result, game.goal, game.whole)
        owner = game.goal.owner if game.goal is not None else None
        record = Record(pairing, outcome, termination, owner)
        self.done[pairing.number] = record
        if "engine" in termination:
            self.faults[white if termination.startswith("White") else black] += 1
        return record

    # ---- what has come out ----

    @property
    def left(self) -> list[Pairing]:
        return [pairing for number, pairing in self._pairings.items() if number not in self.done]

    def standings(self, order: tuple[str, ...]) -> Standings:
        return Standings((self.done[number].outcome for number in sorted(self.done)), order)

    def pairs(self, one: int, other: int, score: str) -> list[float]:
        """Mean score of ``one`` in each pair of games against ``other`` of which both are done.

        score: ``classical``; ``points``, those of R-Mobility; ``record``, a point to the holder of the final record.
        """
        found: dict[int, list[Fraction]] = defaultdict(list)
        for record in self.done.values():
            pairing = record.pairing
            if {pairing.white, pairing.black} == {one, other}:
                white = SCORES[score](record)
                found[pairing.pair].append(white if pairing.white == one else 1 - white)
        return [float(sum(both) / 2) for _, both in sorted(found.items()) if len(both) == 2]


SCORES: dict[str, Callable[[Record], Fraction]] = {
    "classical": lambda record: WHITE_SHARE[record.outcome.result],
    "points": lambda record: white_points(record.outcome.goal),
    "record": lambda record: Fraction(1, 2) if record.rm_owner is None else abs(record.rm_owner - decisive(0)),
}


def run(
    match: Match,
    concurrency: int,
    report: Callable[[Record], None],
    sprt: Sprt | None = None,
    sprt_score: str = "classical",
) -> str | None:
    """Play what is left, ``report`` each game, and return the verdict of the test, if there is one that was reached.

    Each of the ``concurrency`` threads has engines of its own. Raises MatchError if an engine cannot be started.
    """
    players = threading.local()
    started: list[Player] = []
    verdict = sprt.verdict(match.pairs(0, 1, sprt_score)) if sprt else None

    def play(pairing: Pairing) -> tuple[Pairing, Played]:
        if not hasattr(players, "mine"):
            players.mine = [Player(spec) for spec in match.plan.engines]
            started.extend(players.mine)
        sides = {chess.WHITE: players.mine[pairing.white], chess.BLACK: players.mine[pairing.black]}
        opening = match.plan.openings[pairing.opening]
        return pairing, play_game(sides, opening, match.plan.control, match.plan.rules)

    waiting = iter(match.left)
    under_way = set()
    pool = ThreadPoolExecutor(concurrency)
    try:
        while verdict is None:
            for pairing in waiting:
                under_way.add(pool.submit(play, pairing))
                if len(under_way) == concurrency:
                    break
            if not under_way:
                break
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                report(match.add(*future.result()))
            if sprt is not None:
                verdict = sprt.verdict(match.pairs(0, 1, sprt_score))
    finally:
        for player in started:
            player.stop()  # ends the games that are still under way, too
        pool.shutdown(cancel_futures=True)
    return verdict


def check_engines(plan: Plan) -> None:
    """Start each engine once. Raises MatchError for the first that does not come up."""
    for spec in plan.engines:
        player = Player(spec)
        try:
            player.start()
        finally:
            player.stop()


