"""Finds the source of a game's evaluations and the x05 for them, and records both in the Annotator tag."""

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
# The form of this program's entries: source, limit, day, x05. The PGN standard separates several annotators by colons.
_ENTRY = re.compile(
    rf"(?:^|:)(?P<who>[^:]+), x05 [\d.]+(?: and [\d.]+)?(?: \({NAME} [^():]*\))?$", re.ASCII | re.IGNORECASE
)
_COMMENTS = "evaluations in the comments"
_LICHESS = re.compile(r"\blichess\.org\b", re.IGNORECASE)
# The tags that may name Lichess.
_PLACES = ("Site", _TAG, "Source", "GameURL", "ChapterURL", "StudyURL", "BroadcastURL")
_TITLES = {"GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "WNM", "LM"}
PLAYERS = "the players"  # each engine of a match has evaluated its own moves


@dataclass(frozen=True, slots=True)
class Attribution:
    """The source of a game's evaluations. who: an engine with its version, limit and day, or another source.

    white, black: the x05 for the evaluations of each side. They differ only if each player evaluated its own moves.
    """

    who: str
    white: Preset
    black: Preset

    def x05_text(self) -> str:
        """Return ``0.98``, or ``0.98 and 0.62`` for White's and Black's evaluations."""
        texts = [x05_text(self.white.x05), x05_text(self.black.x05)]
        return texts[0] if texts[0] == texts[1] else " and ".join(texts)

    def text(self) -> str:
        """Return a text such as ``Stockfish 15.1, 200000 nodes, 2026-11-30, x05 1.00``."""
        return f"{self.who}, x05 {self.x05_text()}"

    def reason(self) -> str:
        """Return the reason for the choice of x05."""
        if self.white == self.black:
            return self.white.reason
        return f"White's {self.white.reason}, Black's {self.black.reason}"

    def entry(self) -> str:
        """Return the entry for the tag: the source, and the program that derived symbols from the evaluations."""
        return self.text() if self.who.startswith(_OURS) else f"{self.text()} ({_OURS})"


def x05_text(x05: float) -> str:
    """Write an x05 as ``0.62``, with more than two decimals only if needed."""
    return f"{x05:.2f}" if round(x05, 2) == x05 else f"{x05:.10g}"


def given(x05: float) -> Preset:
    return Preset(x05, "as given")


def of_engine(name: str, limit: str, day: str, x05: float | None) -> Attribution:
    """day: the day of the searches, such as ``2026-11-30``; empty if unknown.

    day: on which it did, such as ``2026-11-30``; empty if unknown. x05: the user's; None for the engine's preset.
    """
    value = preset(name) if x05 is None else given(x05)
    return Attribution(", ".join(filter(None, (_plain(name), limit, day))), value, value)


def of_comments(game: Movetext, x05: float | None) -> Attribution:
    """Attribute evaluations to the source that the comments and tags of the game indicate."""
    if not _by_the_players(game):
        who, value = _by_tags(game.tags)
        value = value if x05 is None else given(x05)
        return Attribution(who, value, value)
    if x05 is not None:
        return Attribution(PLAYERS, given(x05), given(x05))
    return Attribution(PLAYERS, *(preset(game.tags.get(name, "")) for name in ("White", "Black")))


def _by_tags(tags: dict[str, str]) -> tuple[str, Preset]:
    """Return the source of the evaluations and the preset of x05 for it, as far as the tags indicate them."""
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
    """Return the x05 for evaluations of an unknown source, which depends on who played the game."""
    return PEOPLE if all(_is_person(tags, side) for side in ("White", "Black")) else UNKNOWN


def _is_person(tags: dict[str, str], side: str) -> bool:
    """Return whether the tags show that a person played this side. A name proves nothing: engines have names too."""
    title = tags.get(f"{side}Title", "").strip()
    kind = tags.get(f"{side}Type", "").strip().lower()
    if kind in {"program", "computer"} or title == "BOT" or preset(tags.get(side, "")) is not UNKNOWN:
        return False
    number = tags.get(f"{side}FideId", "").strip()
    return kind == "human" or title in _TITLES or (number.isdigit() and int(number) > 0)


def signed(text: str, attribution: Attribution, *, strip: bool) -> str:
    """Return the text of a game with ``attribution`` in its Annotator tag, replacing the entry of an earlier run.

    strip: remove other annotators as well, because the game no longer has their annotations.
    """
    entry = attribution.entry().replace("\\", "\\\\").replace('"', '\\"')
    data, end = text.encode("latin-1"), 0
    for name, first, last, behind in tag_places(data, 0, len(data)):
        end = behind
        if name == _TAG.encode():
            others = "" if strip else _ENTRY.sub("", text[first:last]).strip(": ")
            value = f"{others}:{entry}" if others.strip("?-") else entry
            return text[:first] + value + text[last:]
    newline = newline_of(text)
    line = f'[{_TAG} "{entry}"]'
    # A game without tags begins with its moves, possibly after a byte order mark.
    return f"{text[:end]}{newline}{line}{text[end:]}" if end else f"{line}{newline * 2}{text.lstrip()}"


def _by_the_players(game: Movetext) -> bool:
    """Return whether each player evaluated its own moves, as in the comments of engine matches."""
    return any(
        not by_one_source(game.comment(index)) and in_comment(game.comment(index), WHITE) is not None
        for index, ply in enumerate(game.plies)
        if ply.comments
    )


def _plain(name: str) -> str:
    """Convert a name to ASCII without colons, which separate names in the tag."""
    return " ".join(name.encode("ascii", "replace").decode().replace(":", " ").split())
