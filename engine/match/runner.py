"""Plays all games of a match, several at a time. The file of games also stores the state of the match."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from itertools import chain, islice

import chess

from .. import NAME, VERSION
from ..archive.pgn import read_games, tags_of
from ..archive.scorer import Scorer
from ..archive.scoring_rules import ScoringRules
from ..archive.standings import WHITE_SHARE, Outcome, Standings, outcome_of
from ..archive.streams import STANDARD, is_compressed, open_input, open_output
from ..archive.tagging import DRAW, TAGS, Tagger, Wishes
from ..common.errors import MatchError
from ..common.goal import goal_text
from ..common.signals import LOOK_S, deferred
from ..common.text import shown_path, visible
from ..external.process import Tell
from ..rmobility.scoring import Terms, komi_text
from ..system.files import flush_open, open_replaceable
from ..system.locks import lock
from ..variants.game_over import TABLES
from .orthodox import CHESS
from .play import NO_START, TIME_FORFEIT, Played, play_game
from .player import EnginePlayer
from .referee import BY_TABLES, JUDGED, Kind, MatchRules
from .remote import play_remote
from .setup import EngineSpec, Opening, Pairing, TimeControl, check_tag, fingerprint, limit_tags, schedule
from .statistics import Sprt, ratings

_SITE = f"{NAME} {VERSION}"
OPENINGS_TAG = "MatchOpenings"  # names random openings
_COMMENT = re.compile(rb"\{[^}]*\}")
_FAILED_STARTS = 3  # after this many consecutive failed starts of one engine the match ends


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that defines a match."""

    engines: tuple[EngineSpec, ...]
    control: TimeControl
    openings: tuple[Opening, ...]
    rounds: int
    gauntlet: bool = False
    rules: MatchRules = field(default_factory=MatchRules)
    scoring: ScoringRules = field(default_factory=ScoringRules)
    event: str = "R-Mobility match"
    comments: bool = True  # whether to write score, depth and time of each move
    kind: Kind = CHESS
    # the text that names random openings, which then identify the match in place of the openings themselves
    scheme: str = ""

    single: bool = False  # whether each opening is played once, because the engines play alike

    @property
    def games(self) -> list[Pairing]:
        games = schedule(len(self.engines), len(self.openings), self.rounds, self.gauntlet)
        return games[::2] if self.single else games

    def players(self) -> list[EnginePlayer]:
        """Create the players. The processes of the engines are not started yet."""
        from_start = all(opening.fen == self.kind.start.fen for opening in self.openings)
        return [
            EnginePlayer(spec, self.rules.engine_options, self.rules.start_s, self.kind, from_start)
            for spec in self.engines
        ]

    def terms(self, pairing: Pairing) -> Terms:
        """Return how the record decides a drawn game."""
        return self.rules.terms_of(self.openings[pairing.opening])

    def game_options(self, pairing: Pairing) -> dict[str, str]:
        """Return the options of one game, for engines that have them.

        The result is empty if all games of the match have the same options.
        """
        if all(opening.komi is None and opening.record is None for opening in self.openings):
            return {}
        return self.rules.game_options(self.openings[pairing.opening])

    @property
    def fingerprint(self) -> str:
        rules: list[object] = [self.rules.plays_on, self.rules.fifty, *self.kind.identity]
        if self.rules.tables is not None:
            rules.append(TABLES)
        if self.rules.adjudicator is not None:
            rules.append(JUDGED)
        if self.rules.dead_adjudicator is not None:
            rules.append("dead outcome")
        if self.rules.tables_win:
            rules.append(BY_TABLES)
        terms = self.rules.terms
        if terms.komi is not None:  # left out without a komi, so that files from versions before komi remain valid
            rules.append(list(terms.komi))
        if terms.cut_off is not None:
            rules.append({"cut-off": terms.cut_off})
        if self.scheme:
            rules.append({"openings": self.scheme})
        if self.single:
            rules.append("single")
        openings = [] if self.scheme else list(self.openings)
        return fingerprint(list(self.engines), self.control, openings, self.gauntlet, rules)


@dataclass(slots=True)
class Record:
    """A played game: its pairing, and its data for the table and the statistics."""

    pairing: Pairing
    outcome: Outcome
    termination: str
    rm_owner: int | None  # the holder of the final record
    moves: str = ""  # the moves as text, without comments, to notice games that repeat others


class Match:
    """The state of a match: finished games, table and pairs."""

    def __init__(self, plan: Plan, path: str):
        """Read the games that are already in the file.

        Raises MatchError if the file belongs to another match or another run uses it, and PgnError if it cannot be read
        or written.
        """
        check_tag(plan.event)
        self.plan = plan
        self.path = path
        self.done: dict[int, Record] = {}
        self.faults: dict[str, int] = defaultdict(int)  # number of failures by the engine's name
        self.late: dict[str, int] = defaultdict(int)  # number of games lost on time, by the engine's name
        self._failed_starts: dict[str, int] = defaultdict(int)  # number of consecutive failures in this run
        self._scorer = Scorer(plan.scoring)
        self._tagger = Tagger(Wishes(rules=plan.scoring, tags=frozenset(TAGS), terms=plan.rules.terms))
        self._pairings = {pairing.number: pairing for pairing in plan.games}
        if path == STANDARD or is_compressed(path):
            raise MatchError(f"expected a regular file for the games, found {shown_path(path)}")
        self._is_new = not os.path.exists(path)
        self._file = self._locked()
        try:
            self._resume()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Match:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file for other runs, and remove it if it is empty."""
        if self._is_new and os.fstat(self._file).st_size == 0:
            os.unlink(self.path)
        os.close(self._file)

    # ---- the file ----

    def _locked(self) -> int:
        """Open and lock the file, because two runs would play the same games."""
        what = f"cannot write {shown_path(self.path)}"
        try:
            handle = open_replaceable(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        except OSError as error:
            raise MatchError(f"{what}: {error.strerror}") from None
        try:
            lock(handle)
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise MatchError(f"{what}: not a regular file")
            if not os.path.samestat(status, os.stat(self.path)):
                raise BlockingIOError  # another run has replaced the file in the meantime
        except (MatchError, OSError) as error:
            os.close(handle)
            if isinstance(error, BlockingIOError):
                raise MatchError(f"{what}: another run is playing this match") from None
            if isinstance(error, OSError):
                raise MatchError(f"{what}: {error.strerror}") from None
            raise
        return handle

    def _resume(self) -> None:
        with open_input(self.path) as stream:
            games = [text for text in read_games(stream) if text.strip()]
        kept = []
        seen: set[int] = set()  # numbers of the games read
        for at, text in enumerate(games, 1):
            tags = tags_of(text)
            if tags.get("MatchId") != self.plan.fingerprint:
                if at == len(games) and "MatchId" not in tags and self._is_torn(text):
                    break
                raise MatchError(f"{shown_path(self.path)} has games of another match: name another file or remove it")
            digits = tags.get("MatchGame", "")
            number = int(digits) if re.fullmatch("[0-9]{1,9}", digits) else 0
            game = self._scorer.score(text, 0, len(text))
            # A killed run may leave an incomplete game, which has no result.
            whole = game.score is not None and game.score.result == game.result.encode() and game.result != "*"
            if not whole or not number or number in seen:
                continue
            seen.add(number)
            kept.append(text.rstrip(b"\r\n") + b"\n\n")
            if number in self._pairings:  # games of later rounds remain in the file, for a run with more rounds
                self._take(self._pairings[number], text, tags.get("Termination", ""))
        if kept != games:
            self._rewrite(kept)

    def _rewrite(self, games: list[bytes]) -> None:
        """Rewrite the file without incomplete games.

        If the run is killed during the rewriting, the file remains unchanged.
        """
        with open_output(self.path) as out:
            out.writelines(games)
        replaced = self._file
        # raises an error if another run was faster; then the old file still has to be closed
        self._file = self._locked()
        os.close(replaced)

    def _is_torn(self, text: bytes) -> bool:
        """Return whether the text may be a game of this match that was cut before the tag that identifies the match."""
        ours = f'[Event "{self.plan.event}"]\n[Site "{_SITE}"]\n'.encode()
        return text.startswith(ours) or ours.startswith(text)

    def add(self, pairing: Pairing, played: Played) -> Record:
        """Write a game to the file, then count it. A game is finished once it is completely in the file."""
        played = decided(played, self.plan.terms(pairing))
        text = self._tagged(pairing, played)
        self._write(text)
        self._watch_starts(pairing, played)
        return self._take(pairing, text, played.termination)

    def _watch_starts(self, pairing: Pairing, played: Played) -> None:
        """End the match if an engine repeatedly fails to start, because it would lose all remaining games."""
        for colour, at in ((chess.WHITE, pairing.white), (chess.BLACK, pairing.black)):
            name = self.plan.engines[at].name
            failed = played.fault == colour and NO_START in played.termination
            self._failed_starts[name] = self._failed_starts[name] + 1 if failed else 0
            if self._failed_starts[name] == _FAILED_STARTS:
                raise MatchError(f"{played.termination}; {_FAILED_STARTS} games in a row, so the match ends here")

    def _tagged(self, pairing: Pairing, played: Played) -> bytes:
        engines, opening = self.plan.engines, self.plan.openings[pairing.opening]
        tags = {
            "Event": self.plan.event,
            "Site": _SITE,
            "Date": datetime.now().strftime("%Y.%m.%d"),
            "Round": f"{pairing.pair}.{2 - pairing.number % 2}",
            "White": engines[pairing.white].name,
            "Black": engines[pairing.black].name,
            "Result": played.result,
            **_term_tags(opening, self.plan.terms(pairing)),
            **limit_tags(self.plan.control, engines[pairing.white], engines[pairing.black]),
            **_option_tags(played),
            "PlyCount": str(played.game.plies),
            "Termination": _tag_text(played.termination),  # the text may quote the output of the engine
            "MatchGame": str(pairing.number),
            "MatchId": self.plan.fingerprint,
        }
        if opening.moves:
            tags["OpeningPlies"] = str(len(opening.moves))
        if self.plan.scheme:
            tags[OPENINGS_TAG] = self.plan.scheme
        comments = played.comments if self.plan.comments else []
        text = f"{played.game.pgn(tags, comments)}\n\n".encode()
        return self._tagger.edits(text, [len(text)]).apply(text)

    def _write(self, text: bytes) -> None:
        """Write the whole text or nothing, and flush it to the disk before the game is counted."""
        size = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, text)
            flush_open(self._file)
            if written == len(text):
                return
            reason = "no space left"
        except OSError as error:
            reason = error.strerror or str(error)
        os.ftruncate(self._file, size)
        raise MatchError(f"cannot write {shown_path(self.path)}: {reason}")

    def _take(self, pairing: Pairing, text: bytes, termination: str) -> Record:
        game = self._scorer.score(text, 0, len(text))
        white, black = (self.plan.engines[at].name for at in (pairing.white, pairing.black))
        terms = self.plan.terms(pairing)
        # In files of older versions a komi did not change the result.
        result = terms.result(game.goal) if game.result == DRAW and game.goal is not None else game.result
        by_komi = terms.komi is not None
        outcome = outcome_of(white, black, result, game.goal, game.whole, points=terms.white, by_komi=by_komi)
        assert outcome is not None  # games without a result are skipped
        owner = game.goal.owner if game.goal is not None else None
        moves = _COMMENT.sub(b"", text[text.rfind(b'"]') + 2 :]).split()
        record = Record(pairing, outcome, termination, owner, b" ".join(moves).decode("utf-8", "replace"))
        self.done[pairing.number] = record
        if "engine" in termination:
            self.faults[white if termination.startswith("White") else black] += 1
        elif termination == TIME_FORFEIT:
            self.late[white if game.result == "0-1" else black] += 1
        return record

    # ---- results ----

    @property
    def tally(self) -> tuple[int, int, int]:
        """The numbers of games that White won, that were drawn, and that Black won."""
        results = [record.outcome.result for record in self.done.values()]
        return results.count("1-0"), results.count(DRAW), results.count("0-1")

    @property
    def repeated(self) -> int:
        """The number of games with the moves and the sides of another game, which add no evidence.

        Games that an engine's failure ended do not count.
        """
        whole = [record for record in self.done.values() if "engine" not in record.termination]
        played = [(record.pairing.white, record.pairing.black, record.moves) for record in whole]
        return len(played) - len(set(played))

    @property
    def left(self) -> list[Pairing]:
        return [pairing for number, pairing in self._pairings.items() if number not in self.done]

    def standings(self, order: tuple[str, ...]) -> Standings:
        return Standings((self.done[number].outcome for number in sorted(self.done)), order)

    def ratings(self) -> list[tuple[float, float]]:
        """Return (Elo, half-width of the 95 % interval) for each engine, from all finished pairs of games."""
        count = len(self.plan.engines)
        met = {
            (one, other): found
            for one in range(count)
            for other in range(one + 1, count)
            if (found := self.pairs(one, other, "classical"))
        }
        return ratings(met, count)

    def pairs(self, one: int, other: int, score: str) -> list[float]:
        """Return the mean score of ``one`` in each finished pair of games against ``other``.

        score: ``classical``; ``points`` for R-Mobility points; ``record`` for one point to the holder of the final
        record.
        """
        found: dict[int, list[Fraction]] = defaultdict(list)
        for record in self.done.values():
            pairing = record.pairing
            if {pairing.white, pairing.black} == {one, other}:
                white = SCORES[score](record)
                found[pairing.pair].append(white if pairing.white == one else 1 - white)
        return [float(sum(both) / 2) for _, both in sorted(found.items()) if len(both) == 2]


def decided(played: Played, terms: Terms) -> Played:
    """Return the game; if it is drawn, the komi decides its result."""
    result = terms.result(played.game.record) if played.result == DRAW else DRAW
    if result == DRAW:
        return played
    return replace(played, result=result, termination=terms.ending(played.termination, played.game.record))


def _term_tags(opening: Opening, terms: Terms) -> dict[str, str]:
    """Return the tags that are needed to score the game: the komi, the cut-off, and an earlier record."""
    found = {}
    if terms.komi is not None:
        found["Komi"] = komi_text(*terms.komi)
    if terms.cut_off is not None:
        found["RMobilityCutOff"] = goal_text(terms.cut_off)
    if opening.record is not None:
        found["RMobilityRecord"] = goal_text(opening.record[1], opening.record[0])
    return found


def _option_tags(played: Played) -> dict[str, str]:
    """Return tags for the options that were set: ``[WhiteOptions "Hash=16; RMobility=Decisive"]``."""
    found = {}
    for colour, name in ((chess.WHITE, "WhiteOptions"), (chess.BLACK, "BlackOptions")):
        text = "; ".join(f"{option}={value}" for option, value in sorted(played.options.get(colour, {}).items()))
        if text:
            found[name] = _tag_text(text)
    return found


def _tag_text(text: str) -> str:
    """Return the text in a form that fits into a tag."""
    return visible(text).replace("\\", "\\\\").replace('"', '\\"')


SCORES: dict[str, Callable[[Record], Fraction]] = {
    "classical": lambda record: WHITE_SHARE[record.outcome.result],
    # A game lost before the first move has no record, so its result counts.
    "points": lambda record: _share(record, record.outcome.rm_white or Fraction(0)),
    "record": lambda record: _share(record, Fraction(1 - (record.rm_owner or 0))),
}


def _share(record: Record, share: Fraction) -> Fraction:
    return WHITE_SHARE[record.outcome.result] if record.outcome.goal is None else share


def run(  # noqa: PLR0917
    match: Match,
    concurrency: int,
    report: Callable[[Record], None],
    sprt: Sprt | None = None,
    sprt_score: str = "classical",
    executor: Executor | None = None,
) -> str | None:
    """Play the remaining games and ``report`` each. Return the verdict of the SPRT if it reached one.

    Each of the ``concurrency`` threads has its own engines. executor: the executor of a cluster, which plays the
    games instead of threads and is shut down at the end; on the cluster, engines are started for each game. Raises
    MatchError if the file cannot be written, or if an engine fails to start several times in a row.
    """
    players = threading.local()
    player_sets = [match.plan.players() for _ in range(0 if executor is not None else concurrency)]
    idle = list(player_sets)  # the engines that no thread has taken yet
    verdict = sprt.verdict(match.pairs(0, 1, sprt_score)) if sprt else None

    def play(pairing: Pairing) -> tuple[Pairing, Played]:
        if not hasattr(players, "mine"):
            players.mine = idle.pop()
        sides = {chess.WHITE: players.mine[pairing.white], chess.BLACK: players.mine[pairing.black]}
        plan = match.plan
        game = plan.kind.begin(plan.openings[pairing.opening], plan.rules)
        return pairing, play_game(sides, game, plan.control, plan.rules, plan.game_options(pairing))

    def play_elsewhere(pairing: Pairing) -> tuple[Pairing, Played]:
        assert executor is not None
        return pairing, executor.submit(play_remote, match.plan, pairing).result().brought_home(match.plan, pairing)

    waiting = iter(match.left)
    under_way: set[Future[tuple[Pairing, Played]]] = set()
    pool = ThreadPoolExecutor(concurrency)
    try:
        while verdict is None:
            for pairing in islice(waiting, concurrency - len(under_way)):
                with deferred():  # `shutdown` waits only for threads that the pool has stored in its list
                    under_way.add(pool.submit(play if executor is None else play_elsewhere, pairing))
            if not under_way:
                break
            finished, under_way = wait(under_way, LOOK_S, FIRST_COMPLETED)
            for future in finished:
                report(match.add(*future.result()))
            if sprt is not None:
                verdict = sprt.verdict(match.pairs(0, 1, sprt_score))
        for player in chain.from_iterable(player_sets):
            player.stop()  # ending the engines also ends the running games
    except BaseException:
        for player in chain.from_iterable(player_sets):
            player.kill()
        raise
    finally:
        if executor is not None:
            # needed because the threads of the pool wait for the executor's games
            executor.shutdown(cancel_futures=True)
        pool.shutdown(cancel_futures=True)
    return verdict


def check_engines(plan: Plan, tell: Tell | None = None) -> None:
    """Start each engine once. Raises MatchError for the first engine that does not start.

    tell: a function that is called with a line about an engine that keeps the user waiting.
    """
    for player in plan.players():
        try:
            player.start(by_nodes=(player.spec.nodes or plan.control.nodes) is not None, tell=tell)
            player.stop()
        except BaseException:
            player.kill()
            raise
