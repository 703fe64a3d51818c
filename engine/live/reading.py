"""Reads the text of a running game, which may stop anywhere: within a move, a comment, a variation or a tag.

TCEC publishes the running game as PGN and as JSON (docs/live.md); both become the same ``Snapshot``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import pairwise

from standstill.cext.bindings.pgn_games import read_head, split, tokens

from ..archive.end_tags import terms_of
from ..archive.pgn import tags_of
from ..archive.played import moves_of
from ..archive.scorer import CHESS960, ScoredGame, Scorer
from ..archive.streams import is_wide, narrowed
from ..common.errors import StandstillError
from ..common.goal import goal_text
from ..common.text import shown
from ..rmobility.scoring import Terms
from ..variants.notation import position_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.variant import Variant

_JSON = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*(?:"|\}|\Z)'
)  # a comment of a PGN file rarely begins with a quotation mark
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_IDENTITY = ("Event", "Site", "Date", "Round", "White", "Black", "FEN", "Variant")


class NoGame(StandstillError, ValueError):
    """A text without the wanted game."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a source says about the followed game.

    fen: the first position; a record in force there is its last field. moves: in coordinates. result: ``*`` while the
    game goes on. note: why the moves stop early, or why the komi or the cut-off does not count; "" if all could be
    read. chess960: whether castling is written as king takes rook.
    """

    tags: dict[str, str]
    game: Variant
    fen: str
    moves: tuple[str, ...]
    result: str
    note: str
    scored: ScoredGame
    chess960: bool

    @property
    def identity(self) -> tuple[str, ...]:
        """The values of the tags that identify a game. Two games with different values may have the same moves."""
        return tuple(self.tags.get(name, "") for name in _IDENTITY)

    @property
    def ending(self) -> str:
        """The words of the tags that describe the end of the game; "" without any."""
        found = (self.tags.get(name, "").strip() for name in ("TerminationDetails", "Termination"))
        return next((text for text in found if text.lower() not in ("", "?", "normal", "unterminated")), "")

    def until(self, plies: int) -> Snapshot:
        """The game after this many half-moves, while it goes on."""
        return replace(self, moves=self.moves[:plies], result="*", note="")

    def terms(self, usual: Terms) -> Terms:
        """The terms of the game: the komi of its tags, else the usual terms."""
        return self.scored.terms(usual)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which game of several is followed: the last one, the last one of a player, or one by its number.

    player: part of a name, ignoring case; "" for any player. number: from 1; 0 for any.
    """

    player: str = ""
    number: int = 0

    @property
    def is_last(self) -> bool:
        return not self.player and not self.number

    def __str__(self) -> str:
        return f"game {self.number}" if self.number else f"a game of {shown(self.player)}"


def game_starts(text: bytes) -> list[int]:
    """Return the offsets of the games in a text; blank lines and comments at its end are not a game."""
    found = [0, *split(text, True)]
    return [start for start, end in pairwise(found) if text[start:end].strip(b"\xef\xbb\xbf \t\r\n")]


def snapshot(text: bytes, choice: Choice, *, whole: bool) -> Snapshot:
    """Read the chosen game. whole: the text has not changed for a while, so its last word is complete.

    Raises NoGame if the text has no such game, or is not a text of games.
    """
    if _HTML.match(text):
        raise NoGame("expected PGN, found a web page")
    if is_wide(text):
        try:
            text = narrowed(text)
        except UnicodeDecodeError:
            raise NoGame("damaged text in UTF-16") from None
        except ValueError as error:
            raise NoGame(str(error)) from None
    if _JSON.match(text):
        text = _pgn_of(text)
    return _read(_chosen(text, choice), whole=whole)


def _chosen(text: bytes, choice: Choice) -> bytes:
    starts = game_starts(text)
    if not starts:
        raise NoGame("expected a game, found " + ("only blank lines" if text else "nothing"))
    games = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    if choice.is_last:
        return games[-1]
    if choice.number:
        if choice.number <= len(games):
            return games[choice.number - 1]
    else:
        for game in reversed(games):
            tags = tags_of(game)
            if any(choice.player.casefold() in tags.get(side, "").casefold() for side in ("White", "Black")):
                return game
    raise NoGame(f"expected {choice}, found {len(games)} other {'game' if len(games) == 1 else 'games'}")


def _read(text: bytes, *, whole: bool) -> Snapshot:
    text = _without_cut_tag(text)
    text = text[: _readable_end(text, whole=whole)] + b"\n\n"  # ends tags that have no moves yet
    game, note = Scorer().score(text, 0, len(text), detail=True), ""
    if game.problem is not None:
        note = (f"ply {game.fault_ply}: " if game.fault_ply else "") + game.problem
        if not game.fault_ply:
            raise NoGame(note)
        places = [start for kind, start, _ in _tokens(text) if kind == "word"]
        place = places[game.fault_ply - 1] if game.fault_ply <= len(places) else read_head(text, 0, len(text)).moves
        if not place and not game.head.has_tags:
            raise NoGame(f"expected PGN, found {shown(text[:40].decode('latin-1').strip())}")
        game = Scorer().score(text[:place], 0, place, detail=True)
        if game.problem is not None:
            raise NoGame(game.problem)
    tags = tags_of(text)
    if not tags and not game.plies:
        raise NoGame(f"expected PGN, found {shown(text[:40].decode('latin-1').strip())}")
    note = note or terms_of(game, Terms())[1] or ""
    first, moves = moves_of(game)
    if game.given is not None:
        owner, code = game.given
        first = " ".join([*position_fields(first), goal_text(code, owner)])
    # Matches write finished games at once, with the result in the tags before the moves.
    is_finished = whole or (game.score is not None and game.score.result is not None)
    return Snapshot(
        tags, game.game, first, tuple(moves), game.result if is_finished else "*", note, game,
        tags.get("Variant", "").strip().lower() in CHESS960,
    )  # fmt: skip


def _tokens(text: bytes) -> list[tuple[str, int, int]]:
    return tokens(text, read_head(text, 0, len(text)).moves, len(text))


def _readable_end(text: bytes, *, whole: bool) -> int:
    """Return where the readable part ends: before an open comment or variation, and before a word that may be cut."""
    for kind, start, end in _tokens(text):
        if kind == "unclosed":
            return start
        if kind == "word" and end == len(text) and not whole:
            return start
    return len(text)


def _without_cut_tag(text: bytes) -> bytes:
    """Return the text; without its last line if that is an incomplete tag."""
    start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
    line = text[start:].strip()
    return text[:start] if line.startswith(b"[") and not line.endswith(b"]") else text


def _pgn_of(text: bytes) -> bytes:
    """Return TCEC's JSON of a running game as PGN. Raises NoGame."""
    try:
        found = json.loads(text.decode("utf-8-sig"))
        tags, moves = found["Headers"], found["Moves"]
        words = [move["m"] for move in moves]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NoGame("expected JSON with Headers and Moves, as TCEC publishes it") from None
    if not isinstance(tags, dict) or not all(isinstance(word, str) and re.fullmatch(r"\S+", word) for word in words):
        raise NoGame("expected JSON with Headers and Moves, as TCEC publishes it")
    lines = []
    for name, value in tags.items():
        if re.fullmatch(r"\w+", name, re.ASCII):
            quoted = str(value).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{name} "{" ".join(quoted.split())}"]')
    try:
        return "\n".join([*lines, "", " ".join(words), ""]).encode()
    except UnicodeEncodeError:
        raise NoGame("expected JSON in UTF-8") from None
