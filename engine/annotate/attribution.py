"""Who has evaluated a game, by which x05 the evaluations are read, and the tag that says so in the game."""

from __future__ import annotations

import re
from dataclasses import dataclass

from standstill.cext.bindings.pgn_games import tag_places

from .. import NAME, VERSION
from ..common.text import newline_of
from ..relevance.presets import LICHESS, LICHESS_NAME, PEOPLE, UNKNOWN, Preset, preset
from .evaluations import WHITE, by_one_source, in_comment
from .movetext import Movetext

_TAG = "Annotator"
_OURS = f"{NAME} {VERSION}"
# What an entry of ours looks like: who, limit, x05. The standard separates the names of several annotators by colons.
_ENTRY = re.compile(
    rf"(?:^|:)(?P<who>[^:]+), x05 [\d.]+(?: and [\d.]+)?(?: \({NAME} [^():]*\))?$", re.ASCII | re.IGNORECASE
)
_COMMENTS = "evaluations in the comments"
_LICHESS = re.compile(r"\blichess\.org\b", re.IGNORECASE)
_PLACES = ("Site", _TAG, "Source", "GameURL", "ChapterURL", "StudyURL", "BroadcastURL")  # where Lichess names itself
_TITLES = {"GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "WNM", "LM"}
_PLAYERS = "the players"


@dataclass(frozen=True, slots=True)
class Attribution:
    """who: an engine with its version and limit, or where the evaluations come from. white, black: x05 of each side's.

    Both are the same unless each player has judged its own moves.
    """

    who: str
    white: Preset
    black: Preset

    def x05_text(self) -> str:
        """``0.98``, or ``0.98 and 0.62`` for White's and Black's evaluations."""
        texts = [x05_text(self.white.x05), x05_text(self.black.x05)]
        return texts[0] if texts[0] == texts[1] else " and ".join(texts)

    def text(self) -> str:
        """``Stockfish 15.1, 200000 nodes, x05 1.00``."""
        return f"{self.who}, x05 {self.x05_text()}"

    def reason(self) -> str:
        """Where the x05 comes from."""
        if self.white == self.black:
            return self.white.reason
        return f"White's {self.white.reason}, Black's {self.black.reason}"

    def entry(self) -> str:
        """The judge in the tag, with the program that has made symbols of the evaluations."""
        return self.text() if self.who.startswith(_OURS) else f"{self.text()} ({_OURS})"


def x05_text(x05: float) -> str:
    """``0.62``; more than two digits only if there are more."""
    return f"{x05:.2f}" if round(x05, 2) == x05 else f"{x05:.10g}"


def given(x05: float) -> Preset:
    return Preset(x05, "as given")


def of_engine(name: str, limit: str, x05: float | None) -> Attribution:
    """An engine that has searched every position. x05: what the user has given, None for the preset of the engine."""
    value = preset(name) if x05 is None else given(x05)
    return Attribution(f"{_plain(name)}, {limit}", value, value)


def of_comments(game: Movetext, x05: float | None) -> Attribution:
    """Who has evaluated the game according to its comments and tags."""
    if not _by_the_players(game):
        who, value = _by_tags(game.tags)
        value = value if x05 is None else given(x05)
        return Attribution(who, value, value)
    if x05 is not None:
        return Attribution(_PLAYERS, given(x05), given(x05))
    return Attribution(_PLAYERS, *(preset(game.tags.get(name, "")) for name in ("White", "Black")))


def _by_tags(tags: dict[str, str]) -> tuple[str, Preset]:
    """Who has evaluated a game, and by which x05 that is read, as far as its tags tell."""
    annotators = tags.get(_TAG, "")
    if entry := _ENTRY.search(annotators):
        who = entry["who"].strip()
        return who, preset(who) if who != _COMMENTS else _of_comments(tags)
    for name in (name.strip() for name in annotators.split(":")):
        if (value := preset(name)) is not UNKNOWN:
            return _plain(name), value
    if any(_LICHESS.search(tags.get(name, "")) for name in _PLACES):
        return LICHESS_NAME, LICHESS
    return _COMMENTS, _of_comments(tags)


def _of_comments(tags: dict[str, str]) -> Preset:
    """The x05 for evaluations by nobody knows whom, after those who have played."""
    return PEOPLE if all(_is_person(tags, side) for side in ("White", "Black")) else UNKNOWN


def _is_person(tags: dict[str, str], side: str) -> bool:
    """Do the tags say that a person had this side? A name alone, of which engines have some, does not."""
    title = tags.get(f"{side}Title", "").strip()
    kind = tags.get(f"{side}Type", "").strip().lower()
    if kind in {"program", "computer"} or title == "BOT" or preset(tags.get(side, "")) is not UNKNOWN:
        return False
    number = tags.get(f"{side}FideId", "").strip()
    return kind == "human" or title in _TITLES or (number.isdigit() and int(number) > 0)


def signed(text: str, judge: Attribution, *, strip: bool) -> str:
    """The text of a game with the judge in its Annotator tag, in place of an entry that an earlier run has written.

    strip: other annotators are left out, because nothing of what they wrote is there any more.
    """
    entry = judge.entry().replace("\\", "\\\\").replace('"', '\\"')
    data, end = text.encode("latin-1"), 0
    for name, first, last, behind in tag_places(data, 0, len(data)):
        end = behind
        if name.decode() == _TAG:
            others = "" if strip else _ENTRY.sub("", text[first:last]).strip(": ")
            value = f"{others}:{entry}" if others.strip("?-") else entry
            return text[:first] + value + text[last:]
    newline = newline_of(text)
    line = f'[{_TAG} "{entry}"]'
    # Games without tags begin with their moves, perhaps after the mark of UTF-8.
    return f"{text[:end]}{newline}{line}{text[end:]}" if end else f"{line}{newline * 2}{text.lstrip()}"


def _by_the_players(game: Movetext) -> bool:
    """Has each player judged its own moves, as in comments of matches?"""
    return any(
        not by_one_source(game.comment(index)) and in_comment(game.comment(index), WHITE) is not None
        for index, ply in enumerate(game.plies)
        if ply.comments
    )


def _plain(name: str) -> str:
    """A name in ASCII without colons, which separate names in the tag."""
    return " ".join(name.encode("ascii", "replace").decode().replace(":", " ").split())
