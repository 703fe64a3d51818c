"""Reads the games of an event."""

from __future__ import annotations

import functools
import re
from codecs import BOM_UTF8
from fractions import Fraction
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path

from standstill.engine.archive.end_tags import decided_by_komi, terms_of
from standstill.engine.archive.event.crosstable import read_crosstable
from standstill.engine.archive.pgn import read_games, tags_of
from standstill.engine.archive.scorer import ScoredGame, Scorer
from standstill.engine.archive.standings import GameFacts, Outcome, is_bye, name_of, outcome_of
from standstill.engine.archive.streams import COMPRESSED, display_name, open_input
from standstill.engine.archive.tagging import Summary
from standstill.engine.common.errors import PgnError
from standstill.engine.common.text import shown
from standstill.engine.rmobility.goals import STALEMATE
from standstill.engine.rmobility.scoring import Terms, komi_sentence, sentence

from ..messages import in_game, warn
from ..tag import RuleOptions, rules_from, terms_from

OPEN = {"", "*", "?"}  # a Result tag without a result
_LEAST_WORDS = 2  # words that the names of several events must share at the beginning, to form a title
_MOST_EVENTS = 10  # maximum number of events named in the message about an unknown event
_UNKNOWN = re.compile(r"[?.\-\s]*\Z")  # the value of a tag whose contents are unknown
_LONGEST_RATING = 6  # digits
_DATE = re.compile(r"\d{4}\.\d\d\.\d\d")
_LIMITS = (("TimeControl", "{}"), ("NodeLimit", "{} nodes"), ("DepthLimit", "depth {}"))  # tag, words


class Reader:
    """Collects the outcomes of games."""

    def __init__(
        self,
        chosen: RuleOptions,
        forfeit_points: bool,
        variant: str,
        wanted: tuple[str, ...] = (),
        keeps_texts: bool = False,
    ):
        """wanted: the events whose games count; empty: all. keeps_texts: whether to keep the text of each game."""
        self.outcomes: list[Outcome] = []
        self.damaged = 0
        self.unfinished = 0
        self.nameless = 0  # number of games in which both players are unknown
        self.twins: list[str] = []  # messages about games that repeat an earlier game
        self._known: dict[bytes, str] = {}  # digest of a counted game -> place of the game, for messages
        self.events: dict[str, None] = {}  # events in the files, in order of appearance
        self.wanted = wanted
        self._forfeit_points = forfeit_points
        tables = None
        if chosen["syzygy"]:
            from standstill.engine.archive.syzygy import Tables

            tables = Tables(*chosen["syzygy"])
        adjudicator = None
        if chosen["tables"]:
            from standstill.engine.tablebases.adjudication import Adjudicator

            adjudicator = Adjudicator(chosen["tables"])
        self._scorer = Scorer(rules_from(chosen), tables, variant, adjudicator)
        self._terms = terms_from(chosen["komi"], chosen["cut_off"])
        self._used: set[Terms] = set()  # the terms of the counted games
        self._scheme = chosen["scheme"]
        self._numbered = 0
        self.known: dict[str, Fraction] = {}  # R-Mobility points of players from cross tables
        self.texts: dict[int, bytes] | None = {} if keeps_texts else None  # the games' texts by number
        self.dead = Summary()  # statistics of games that insufficient material ended

    @property
    def scoring(self) -> str:
        """A sentence that says how drawn games count: by the options, or by the tags of the games."""
        return sentence(self._used or {self._terms}, self._scheme)

    @property
    def komi(self) -> str:
        """The sentence of ``scoring`` if a komi decides drawn games; otherwise ""."""
        return komi_sentence(self._used, self._scheme)

    def check_event(self) -> None:
        """Raise PgnError if a requested event has no games."""
        strange = [event for event in self.wanted if event not in self.events]
        if not strange:
            return
        known = list(self.events)
        names = ", ".join([*map(shown, known[:_MOST_EVENTS]), *(["..."] if len(known) > _MOST_EVENTS else [])])
        raise PgnError(f"expected an event of the games ({names or 'the games have none'}), found {shown(strange[0])}")

    @property
    def title(self) -> str:
        """The name of the event, or the words with which the names of several events begin; may be empty.

        All parts of a cup share such a beginning, as in ``TCEC Cup 9``. ``TCEC Season 18`` and ``TCEC Season 19`` do
        not.
        """
        events = self.wanted or tuple(self.events)
        if len(events) <= 1:
            return "".join(events)
        found = [event.split() for event in events]
        shared = [column[0] for column in takewhile(lambda words: len({*words}) == 1, zip(*found, strict=False))]
        after = ["".join(words[len(shared) : len(shared) + 1]) for words in found]
        if len(shared) < _LEAST_WORDS or all(word[:1].isdecimal() for word in after):
            return ""
        return " ".join(shared).rstrip(" -,:;/\u2013")

    def read(self, path: str) -> None:
        """Read all games of a file. Raises PgnError after the games that could be read."""
        with open_input(path) as stream:
            if is_crosstable(path):
                self._read_crosstable(stream.read(), path)
                return
            for number, text in enumerate(read_games(stream), 1):
                self._numbered += bool(text.strip())
                tags = tags_of(text)
                if not self._counts(tags.get("Event", "")):
                    continue
                game = self._scorer.score(text, 0, len(text))
                if not game.is_empty:
                    self._report(game, path, number)
                    self.dead.count(game)
                    self._count(game, tags, in_game(path, number))

    def _read_crosstable(self, text: bytes, path: str) -> None:
        try:
            outcomes, known = read_crosstable(text)
        except PgnError as error:
            raise PgnError(f"{display_name(path)}: {error}") from None
        for outcome in outcomes:
            if self._counts(outcome.facts.event):
                self.outcomes.append(outcome)
        for name, points in known.items():
            self.known[name_of(name)] = self.known.get(name_of(name), Fraction(0)) + points

    def _report(self, game: ScoredGame, path: str, number: int) -> None:
        """Warn about a game that is unreadable, incomplete or contradicts its result."""
        if game.problem is not None:
            self.damaged += 1
            warn(f"{in_game(path, number, game.fault_ply)}: {game.problem}")
        elif game.note is not None:
            warn(f"{in_game(path, number)}: {game.note}")
        elif (odd := terms_of(game, self._terms)[1]) is not None:
            warn(f"{in_game(path, number)}: {odd}")
        elif game.contradiction is not None:
            board = game.score is not None and (game.score.last <= STALEMATE or decided_by_komi(game))
            counts = f"{game.result} counts" + " for points, the board for R-Mobility" * board
            warn(f"{in_game(path, number)}: {game.contradiction}; {counts}")

    def _count(self, game: ScoredGame, tags: dict[str, str], place: str) -> None:
        """Add the outcome of a game, or note the reason why the game does not count."""
        terms = game.terms(self._terms)
        outcome = outcome_of(
            name_of(tags.get("White", "?")),
            name_of(tags.get("Black", "?")),
            terms.decided(game.outcome, game.goal),
            game.goal,
            game.whole,
            points=functools.partial(terms.white, scheme=self._scheme),
            forfeit_points=self._forfeit_points and game.problem is None,
            facts=facts_of(self._numbered, tags, game.plies),
            by_komi=terms.komi is not None,
        )
        if outcome is None:
            self.unfinished += 1
            given = tags.get("Result", "").strip()
            if given not in OPEN:
                warn(f"{place}: expected a result such as 1-0, found {shown(given)}")
        elif is_bye(outcome.white) and is_bye(outcome.black):
            self.nameless += 1
        elif outcome.white == outcome.black:
            warn(f"{place}: {shown(outcome.white)} plays itself; the game is left out")
        elif (twin := self._twin(game, tags, place)) is not None:
            self.twins.append(f"{place} is a duplicate of {twin}")
        else:
            self.outcomes.append(outcome)
            self._used.add(terms)
            if self.texts is not None and game.problem is None:
                self.texts[self._numbered] = game.text

    def _twin(self, game: ScoredGame, tags: dict[str, str], place: str) -> str | None:
        """The place of an identical game that was read before, as in merged files.

        Otherwise remember the game and return None.

        Identical games agree in all tags and in their whole text. Byes and short draws without a Round tag may be
        equal by chance, so they always count.
        """
        if tags.get("Round", "").strip() in {"", "?", "-"}:
            return None
        digest = blake2b(repr(sorted(tags.items())).encode(), digest_size=16)
        digest.update(b" ".join(game.text[game.head.moves :].removeprefix(BOM_UTF8).split()))
        found = self._known.setdefault(digest.digest(), place)
        return None if found is place else found

    def _counts(self, event: str) -> bool:
        """Return whether games of the event count. The event is remembered in any case."""
        if event not in {"", "?"}:
            self.events[event] = None
        return not self.wanted or event in self.wanted


def facts_of(number: int, tags: dict[str, str], plies: int) -> GameFacts:
    """The facts of a game. Values such as ? and ????.??.?? are left out."""
    known = {name: value.strip() for name, value in tags.items() if not _UNKNOWN.match(value)}
    opening = ": ".join(known[name] for name in ("Opening", "Variation") if name in known) or known.get("ECO", "")
    if not opening and "FEN" in known:
        opening = known["FEN"].split(" ")[0]
    return GameFacts(
        number,
        event=known.get("Event", ""),
        section=known.get("Section", ""),
        round=known.get("Round", ""),
        date=known.get("Date", "") or known.get("UTCDate", ""),
        opening=opening,
        controls=(_control(known, "White"), _control(known, "Black")),
        start=_start(known),
        ratings=(_rating(known.get("WhiteElo", "")), _rating(known.get("BlackElo", ""))),
        termination=known.get("Termination", ""),
        plies=plies,
    )


def _control(tags: dict[str, str], side: str) -> str:
    """The limit of a side, as `match` writes it: time, nodes or depth."""
    names = ((f"{prefix}{name}", form) for name, form in _LIMITS for prefix in (side, ""))
    return next((form.format(tags[name]) for name, form in names if name in tags), "")


def is_crosstable(path: str) -> bool:
    """Whether the name of a file, without a suffix of compression, ends in .json."""
    *_, before, last = ("", "", *(suffix.lower() for suffix in Path(path).suffixes))
    return (before if last in COMPRESSED else last) == ".json"


def _rating(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < _LONGEST_RATING else 0


def _start(known: dict[str, str]) -> str:
    """When a game began, from the tags of match programs, of servers, or of the PGN standard; empty without a date."""
    if "GameStartTime" in known:
        return known["GameStartTime"].replace("-", ".")
    for date, time in (("UTCDate", "UTCTime"), ("Date", "Time")):
        if _DATE.fullmatch(known.get(date, "")):
            return f"{known[date]}T{known.get(time, '')}"
    return ""
