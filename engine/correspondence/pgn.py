"""Correspondence games in PGN: moves with the instants and clocks that servers and this program write into comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from itertools import count

import chess
import chess.pgn

from ..clock.instants import parse_instant, to_datetime
from ..clock.units import HOUR_MS, MINUTE_MS, SECOND_MS
from ..errors import ClockError, NotationError
from ..notation import shown

_STAMP = re.compile(r"\[%ccsnt\s+([^\]]*)\]")
_CLOCK = re.compile(r"\[%(clk|bank)\s+(\d+):(\d{1,2}):(\d{1,2})(?:\.(\d{1,3}))?\d*\s*\]", re.ASCII)
_ESCAPED = re.compile(r'\\(["\\])')  # in the value of a tag; python-chess leaves it to others
_COMMANDS = re.compile(r"\s*\[%[^\]]*\]\s*")


@dataclass(frozen=True, slots=True)
class PgnMove:
    """One half-move. at_ms: when it was sent; clock_ms, bank_ms: what its player had left after it; None if unknown."""

    uci: str
    san: str
    at_ms: int | None = None
    clock_ms: int | None = None
    bank_ms: int | None = None
    comment: str = ""


@dataclass(slots=True)
class PgnGame:
    """A game as it stands in a file; ``number`` is its place there, from 1."""

    number: int
    tags: dict[str, str]
    moves: list[PgnMove] = field(default_factory=list)
    fen: str | None = None

    @property
    def black_begins(self) -> bool:
        return self.fen is not None and self.fen.split()[1] == "b"


def read_games(path: str, zone: tzinfo | None = UTC) -> Iterator[PgnGame]:
    """The games of a file; stamps without a zone are meant in ``zone``.

    Raises NotationError, which names the game, for moves that cannot be played or comments that cannot be read, and
    OSError.
    """
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        for number in count(1):
            try:
                game = chess.pgn.read_game(file, Visitor=_Quiet)
            except (AssertionError, AttributeError, LookupError, RecursionError, ValueError):
                # Its parser trusts brackets to be paired, among others.
                raise NotationError(f"{path}, game {number}: cannot be read as PGN") from None
            if game is None:
                return
            try:
                yield _convert(game, number, zone)
            except ClockError as error:
                raise NotationError(f"{path}, game {number}: {error}") from None


class _Quiet(chess.pgn.GameBuilder):
    """Keeps what is wrong with a game; its own class would also write it to standard error."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _convert(game: chess.pgn.Game, number: int, zone: tzinfo | None) -> PgnGame:
    if game.errors:
        raise ClockError(" ".join(str(game.errors[0]).split()))
    tags = {name: _ESCAPED.sub(r"\1", value) for name, value in game.headers.items()}
    found = PgnGame(number, tags, fen=game.headers.get("FEN"))
    board = game.board()
    if type(board) is not chess.Board:
        raise ClockError(f"expected orthodox chess or Chess960, found variant {shown(game.headers['Variant'])}")
    for node in game.mainline():
        comment = node.comment
        clocks = {name: _clock_ms(parts) for name, *parts in _CLOCK.findall(comment)}
        stamp = _STAMP.search(comment)
        found.moves.append(
            PgnMove(
                board.uci(node.move),
                board.san(node.move),
                parse_instant(stamp[1], zone) if stamp else None,
                clocks.get("clk"),
                clocks.get("bank"),
                _COMMANDS.sub(" ", comment).strip(),
            )
        )
        board.push(node.move)
    return found


def _clock_ms(parts: list[str]) -> int:
    hours, minutes, seconds, part = parts
    milliseconds = int((part or "").ljust(3, "0"))
    return int(hours[:9]) * HOUR_MS + int(minutes) * MINUTE_MS + int(seconds) * SECOND_MS + milliseconds


def clock_text(ms: int) -> str:
    """``1200:00:00``: hours, minutes, seconds, with a fraction where there is one."""
    hours, rest = divmod(ms, HOUR_MS)
    minutes, rest = divmod(rest, MINUTE_MS)
    seconds, rest = divmod(rest, SECOND_MS)
    return f"{hours}:{minutes:02d}:{seconds:02d}" + (f".{rest:03d}" if rest else "")


def write_game(game, with_clocks: bool = True) -> str:
    """A stored game (``engine.correspondence.game.Game``) as PGN, with clocks, banks and stamps in comments."""
    pgn = chess.pgn.Game()
    head = game.head
    board = chess.Board(head.fen or chess.STARTING_FEN, chess960=game.board.chess960)
    pgn.setup(board)
    pgn.headers.update({name: value for name, value in head.tags.items() if name not in ("FEN", "SetUp")})
    start = next(event.at_ms for event in game.log if event.kind == "start")
    pgn.headers.update(
        {
            "White": game.players[0],
            "Black": game.players[1],
            "Result": game.result,
            "Date": to_datetime(start).strftime("%Y.%m.%d") if "Date" not in head.tags else head.tags["Date"],
            "TimeControl": "?",
            "GameName": head.name,
            "ClockStart": to_datetime(start).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
    )
    if game.clocks.control.has_bank:
        pgn.headers["TripleBlock"] = head.control
    else:
        pgn.headers["TimeControl"] = head.control
    if head.own_side is not None:
        pgn.headers["OwnSide"] = ("White", "Black")[head.own_side]
    if head.opening:
        pgn.headers["GivenMoves"] = str(len(head.opening))
    node = pgn
    for uci, at_ms, left in zip(game.moves, game.stamps, game.states, strict=True):
        node = node.add_variation(chess.Move.from_uci(uci))
        if with_clocks and left is not None:
            clock_ms, bank_ms = left
            bank = f" [%bank {clock_text(bank_ms)}]" if game.clocks.control.has_bank else ""
            sent = to_datetime(at_ms).strftime("%Y.%m.%d,%H:%M:%S")
            node.comment = f"[%clk {clock_text(clock_ms)}]{bank} [%ccsnt {sent}]"
    for name, value in pgn.headers.items():
        pgn.headers[name] = re.sub(r'(["\\])', r"\\\1", value)
    return pgn.accept(chess.pgn.StringExporter(columns=80)) + "\n"
