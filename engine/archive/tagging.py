"""Writes R-Mobility results into games, as tags and comments. Everything else remains unchanged, byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from standstill.cext.base.constants import BLACK, WHITE
from standstill.cext.bindings.pgn_games import tokens

from ..common.goal import goal_text
from ..rmobility.goals import MATE
from ..rmobility.scoring import Terms, komi_text, points_text
from .end_tags import terms_of
from .scorer import ScoredGame, Scorer, record_plies
from .scoring_rules import ScoringRules
from .sheets import sheet

TAGS = ("ply", "points", "wg", "otb")  # the optional tags
DRAW = "1/2-1/2"  # the over-the-board result of a game without a mark

_OWN_MARK = re.compile(rb"\[%rm ")  # faster than bytes.find
_OWN_COMMAND = rb"\[%rm [^\[\]{}]*\]"
# The command may be alone in a comment, which is then removed too, or beside other words, which remain.
_OWN_COMMENT = re.compile(rb"\{\s*" + _OWN_COMMAND + rb"\s*\}")
_OWN_PART = re.compile(_OWN_COMMAND + rb"[ \t]*|(?<=[^ \t{])[ \t]+" + _OWN_COMMAND + rb"(?=\s*\})")
_BREAKS = bytes(range(33)) + b"{}();[]"  # the characters that end a word, as in cext/chess/pgn_text.pyx
_DEAD = ("dead", "dead_unknown", "dead_changed", "dead_owners")
_OURS = {b"RMobility" + name for name in (b"Result", b"Provisional", b"Ply", b"Points", b"Komi", b"WG", b"OTB")}


@dataclass(frozen=True, slots=True)
class Wishes:
    """The requested output. terms: the terms of games without a ``Komi`` tag; a komi overrides the scheme."""

    rules: ScoringRules = field(default_factory=ScoringRules)
    tags: frozenset[str] = frozenset()
    comments: bool = False
    sheets: bool = False
    scheme: str = "tcec"
    terms: Terms = field(default_factory=Terms)
    syzygy: tuple[str, ...] = ()  # folders of Syzygy tables
    tables: tuple[str, ...] = ()  # folders of R-Mobility tables, whose outcomes become the results of adjudicated games
    variant: str = ""  # the variant; empty for the Variant tags


@dataclass(slots=True)
class Summary:
    """The statistics of a run. goals: number of drawn games by (owner, code). damaged: number of unreadable games.

    dead: number of games that insufficient material ended, if best play decides them. Among the dead games are
    dead_unknown games that no table contains, dead_changed games whose result differs from the record on the board,
    and dead_owners games whose record has another owner.
    """

    games: int = 0
    tagged: int = 0
    without_moves: int = 0
    damaged: int = 0
    unfinished: int = 0
    plies: int = 0
    dead: int = 0
    dead_unknown: int = 0
    dead_changed: int = 0
    dead_owners: int = 0
    decisive: Counter[int] = field(default_factory=Counter)  # number of decisive games by winner
    goals: Counter[tuple[int, int]] = field(default_factory=Counter)

    def count(self, game: ScoredGame) -> None:
        self.games += 1
        self.plies += game.plies
        self._count_dead(game)
        if game.problem is not None:
            self.damaged += 1
        elif game.goal is None:
            self.without_moves += 1
        else:
            self.tagged += 1
            if game.goal.code == MATE:
                self.decisive[game.goal.owner] += 1
            elif game.provisional:
                self.unfinished += 1
            else:
                self.goals[game.goal.owner, game.goal.code] += 1

    def _count_dead(self, game: ScoredGame) -> None:
        if not game.is_dead or game.goal is None:
            return
        self.dead += 1
        before, after = game.board_goal, game.goal
        if before is None:
            self.dead_unknown += 1
        else:
            self.dead_changed += (before.code, before.owner) != (after.code, after.owner)
            self.dead_owners += before.owner != after.owner

    def add(self, other: Summary) -> None:
        for name in ("games", "tagged", "without_moves", "damaged", "unfinished", "plies", *_DEAD):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.decisive.update(other.decisive)
        self.goals.update(other.goals)

    def drawn(self, owner: int) -> int:
        """Return the number of draws with a goal of this side."""
        return sum(number for (side, _), number in self.goals.items() if side == owner)

    def as_json(self) -> dict[str, object]:
        """Return plain types for JSON. Goals are written without a sign."""
        codes = sorted({code for _, code in self.goals})
        return {
            "games": self.games,
            "tagged": self.tagged,
            "without_moves": self.without_moves,
            "damaged": self.damaged,
            "unfinished": self.unfinished,
            "plies": self.plies,
            **({name: getattr(self, name) for name in _DEAD} if self.dead else {}),
            "won": {"white": self.decisive[WHITE], "black": self.decisive[BLACK]},
            "draws": {"white": self.drawn(WHITE), "black": self.drawn(BLACK)},
            "histogram": [
                {"goal": goal_text(code), "white": self.goals[WHITE, code], "black": self.goals[BLACK, code]}
                for code in codes
            ],
        }


@dataclass(slots=True)
class Complaint:
    """A problem of a game, which may be readable nevertheless.

    number: the number of the game in the file, from 1. ply: 0 if the problem concerns no move.
    """

    number: int
    ply: int
    reason: str


@dataclass(slots=True)
class Edits:
    """The changes to a text of some games, and the findings about these games. The first game has number 1.

    changes: (from, to, replacement), in order and without overlaps. sheets: (number of the game, sheet).
    """

    games: int
    changes: list[tuple[int, int, bytes]]
    summary: Summary
    complaints: list[Complaint]
    sheets: list[tuple[int, str]]

    def move(self, offset: int) -> None:
        """Add ``offset`` to the offsets of all changes."""
        self.changes = [(at + offset, till + offset, new) for at, till, new in self.changes]

    def apply(self, text: bytes) -> bytes:
        """Return the text with the changes applied."""
        out: list[bytes] = []
        start = 0
        for at, till, new in self.changes:
            out += (text[start:at], new)
            start = till
        out.append(text[start:])
        return b"".join(out)


class Tagger:
    """Tags games according to ``Wishes``."""

    def __init__(self, wishes: Wishes):
        self.wishes = wishes
        tables = None
        if wishes.syzygy:
            from .syzygy import Tables

            tables = Tables(*wishes.syzygy)
        adjudicator = None
        if wishes.tables:
            from ..tablebases.adjudication import Adjudicator

            adjudicator = Adjudicator(wishes.tables)
        self._scorer = Scorer(wishes.rules, tables, wishes.variant, adjudicator)
        self._detail = wishes.comments or wishes.sheets

    def edits(self, text: bytes, ends: list[int], start: int = 0) -> Edits:
        """Return the edits of the games that end at ``ends``. The first game begins at ``start``.

        A game may begin within a line. So the text must contain the two bytes before the first game and the byte after
        the last, except at the beginning and end of the file.
        """
        summary = Summary()
        complaints: list[Complaint] = []
        sheets: list[tuple[int, str]] = []
        changes: list[tuple[int, int, bytes]] = []
        for number, end in enumerate(ends, 1):
            game = self._scorer.score(text, start, end, self._detail)
            if not game.is_empty:
                self._take(game, number, summary, complaints)
                if "points" in self.wishes.tags and (odd := terms_of(game, self.wishes.terms)[1]) is not None:
                    complaints.append(Complaint(number, 0, odd))
            if game.problem is None:
                changes += sorted(self._stale(game) if game.goal is None else self._edits(game))
            if self.wishes.sheets and (game.goal is not None or game.problem is not None):
                sheets.append((number, sheet(game, self.wishes.rules)))
            start = end
        return Edits(len(ends), changes, summary, complaints, sheets)

    @staticmethod
    def _take(game: ScoredGame, number: int, summary: Summary, complaints: list[Complaint]) -> None:
        summary.count(game)
        if game.problem is not None:
            complaints.append(Complaint(number, game.fault_ply, game.problem))
        elif game.note is not None:
            complaints.append(Complaint(number, 0, game.note))

    @staticmethod
    def _stale(game: ScoredGame) -> list[tuple[int, int, bytes]]:
        """Return edits that remove everything that an earlier run wrote, with any options."""
        edits = [(first, last, b"") for name, first, last in game.head.own if name in _OURS]
        if _OWN_MARK.search(game.text, game.head.moves, game.end) is not None:
            for kind, first, last in tokens(game.text, game.head.moves, game.end):
                if kind == "comment":
                    edits += _stale_comment(game.text, first, last)
        return edits

    def _edits(self, game: ScoredGame) -> list[tuple[int, int, bytes]]:
        """Return (from, to, replacement) for each change, without overlaps."""
        head, text = game.head, game.text
        lines = self._tags(game)
        newline = _newline(text, head.roster_end)
        new = b"".join(b'[%s "%s"]%s' % (name, value.encode(), newline) for name, value in lines)
        if not head.has_tags:
            new += newline
        elif head.roster_end > head.tags and text[head.roster_end - 1 : head.roster_end] not in b"\r\n":
            new = newline + new
        at = head.roster_end
        if head.own and head.own[0][1] == at and text[at - 1 : at] not in b"\r\n":
            # If a game begins within a line, the first of these tags begins there, too, and keeps its line ending
            # when it is removed.
            _, _, end = head.own[0]
            new = new.removesuffix(newline if text[end : end + 1] in (b"\r", b"\n") else b"")
        edits = []
        edits += self._stale(game)
        edits.append((at, at, new))
        if self.wishes.comments:
            edits += self._comments(game)
        return edits

    def _tags(self, game: ScoredGame) -> list[tuple[bytes, str]]:
        assert game.goal is not None
        lines = [(b"RMobilityResult", str(game.goal))]
        if game.provisional:
            lines.append((b"RMobilityProvisional", "yes"))
        wanted = self.wishes.tags
        if "ply" in wanted:
            lines.append((b"RMobilityPly", str(game.goal.ply)))
        if "points" in wanted:
            terms = game.terms(self.wishes.terms)
            white = terms.white(game.goal, self.wishes.scheme)
            lines.append((b"RMobilityPoints", f"{points_text(white)} - {points_text(1 - white)}"))
            if terms.komi is not None:
                lines.append((b"RMobilityKomi", komi_text(*terms.komi)))
        if "wg" in wanted:
            lines.append((b"RMobilityWG", str(game.whole)))
        if "otb" in wanted:
            lines.append((b"RMobilityOTB", str(game.over_the_board or DRAW)))
        return lines

    def _comments(self, game: ScoredGame) -> Iterator[tuple[int, int, bytes]]:
        for ply, code, owner, _ in record_plies(game.details, self.wishes.rules):
            place = game.span(ply)[1] if ply else 0
            if place:
                yield place, place, b" {[%%rm %s]}" % goal_text(code, owner).encode()


def _stale_comment(text: bytes, first: int, last: int) -> list[tuple[int, int, bytes]]:
    """Return edits that remove the engine's commands from a comment, or the whole comment if it is then empty."""
    if _OWN_COMMENT.fullmatch(text, first, last):
        # the byte is not a line ending, which may close a comment after a semicolon
        while text[first - 1 : first] in (b" ", b"\t"):
            first -= 1
        joins = text[first - 1 : first].strip(_BREAKS) and text[last : last + 1].strip(_BREAKS)
        return [(first, last, b" " if joins else b"")]
    return [(*found.span(), b"") for found in _OWN_PART.finditer(text, first, last)]


def _newline(text: bytes, at: int) -> bytes:
    """Return the line ending at this offset, or a line feed if no line ends there."""
    if text[at - 2 : at] == b"\r\n":
        return b"\r\n"
    return b"\r" if text[at - 1 : at] == b"\r" else b"\n"
