"""One correspondence game: its log of events, and the position and clocks that follow from the log."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from standstill.cext.base.constants import BLACK

from ..clock import game_clocks as clocks
from ..clock.game_clocks import Event, GameClocks
from ..clock.parse import parse_control
from ..common.errors import GameError, IllegalMoveError, NotationError
from ..common.text import shown
from ..variants.boards import new_board
from ..variants.notation import NULL_MOVE, PASS, fen, looks_like_move, move_text, parse_move, parse_san, san

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.notation import Board

# The kind of event that games have in addition to the kinds of the clocks.
UNDO = "undo"  # this event takes back the last event that has not yet been taken back
SIDE_NAMES = ("White", "Black")
DEAD = "dead position"
ENDS_OF_MOVES = ("mate", "stalemate")  # reasons for the end of a game that a server finds as well


@dataclass(frozen=True, slots=True)
class Head:
    """The part of a game that does not change while it is played."""

    name: str
    control: str
    white: str = "?"
    black: str = "?"
    own_side: int | None = None  # 0 for White, 1 for Black; None for a game that the owner only watches
    fen: str | None = None
    opening: tuple[str, ...] = ()  # moves in UCI that belong to the start position and do not count
    tags: dict[str, str] = field(default_factory=dict)
    no_engines: bool = False
    server: str | None = None
    server_id: str | None = None
    id: int = 0  # the id of the game in the store; 0 before the game is stored


class CorrespondenceGame:
    """A game and its log.

    log: all events, in order. The events determine clocks, board, moves (UCI, with the opening), sans, players and
    result.
    """

    def __init__(self, head: Head, log: Iterable[Event] = ()):
        """Replay the log. Raises NotationError, IllegalMoveError or ClockError if the log is inconsistent."""
        self.head = head
        self.log: list[Event] = []
        self._begin()
        for event in log:
            self.add(event)

    def _begin(self) -> None:
        head = self.head
        self.board = new_board(head.fen, chess960=head.tags.get("Variant", "").lower().startswith("chess960"))
        self.moves: list[str] = []
        self.sans: list[str] = []
        # the instant at which each move was made; None for a move of the opening, and if the instant is unknown
        self.stamps: list[int | None] = []
        self.states: list[tuple[int, int] | None] = []  # mover's (clock, bank) after each move, in ms; None if unknown
        for text in head.opening:
            self._push(stored_move(self.board, text))
            self.stamps.append(None)
            self.states.append(None)
        self.clocks: GameClocks = clocks.opening(parse_control(head.control), self.board.stm == BLACK)
        self.players = [head.white, head.black]
        self.result = "*"
        self.reason = ""

    # ---- the log ----

    def add(self, event: Event) -> None:
        """Add an event. Raises the errors of the constructor and GameError; then the game is unchanged."""
        if event.kind == UNDO:
            standing = standing_events(self.log)
            if not standing or standing[-1].kind == clocks.START:
                raise GameError("nothing to take back")
            self._begin()
            for earlier in standing[:-1]:
                self._apply(earlier)
        else:
            self._apply(event)
        self.log.append(event)

    def _apply(self, event: Event) -> None:
        after = self.clocks.apply(event)
        if event.kind == clocks.MOVE:
            move = stored_move(self.board, event.data["uci"])
            mover = self.clocks.to_move
            self._push(move)
            side = after.sides[mover]
            known = side.clock_known and side.bank_known
            self.stamps.append(None if event.data.get("unsure") == clocks.AT else after.stamp_ms)
            self.states.append((side.clock_ms, side.bank_ms) if known else None)
        elif event.kind == clocks.REPLACE:
            self.players[event.data["side"]] = event.data["name"]
        elif event.kind == clocks.END or (event.kind == clocks.DECIDE and event.data["accepted"]):
            self.result, self.reason = event.data["result"], event.data.get("reason", "")
        self.clocks = after

    def _push(self, move: int) -> None:
        self.moves.append(move_text(self.board, move) if move else NULL_MOVE)
        self.sans.append(san(self.board, move) if move else PASS)
        if move:
            self.board.push(move)
        else:
            self.board.push_null()

    # ---- queries ----

    @property
    def fen(self) -> str:
        return fen(self.board)

    @property
    def running(self) -> bool:
        return self.clocks.status == clocks.RUNNING

    @property
    def over(self) -> bool:
        return self.clocks.status == clocks.OVER

    @property
    def standing(self) -> list[Event]:
        """The log without events that were taken back, and without the entries that took them back."""
        return standing_events(self.log)

    def player_text(self, side: int) -> str:
        """Return ``Black (Smith)``, or ``Black`` if the name of the player is not known."""
        name = self.players[side]
        return SIDE_NAMES[side] + (f" ({name})" if name != "?" else "")

    @property
    def last_move(self) -> str:
        """The last move, as ``12...Nf6``; empty before the first move."""
        if not self.sans:
            return ""
        mover = self.board.stm ^ 1
        number = self.board.fullmove - (mover == BLACK)
        return f"{number}{'...' if mover == BLACK else '.'}{self.sans[-1]}"

    def move_event(self, text: str, at_ms: int) -> Event:
        """Return the event of a move in SAN or UCI. Raises NotationError or IllegalMoveError."""
        move = read_move(self.board, text)
        return Event(clocks.MOVE, at_ms, {"uci": move_text(self.board, move), "san": san(self.board, move)})

    def dead_end(self, at_ms: int) -> Event | None:
        """Return the event that ends a game without mating material (K v K, KN v K, ...); None if the game goes on."""
        if self.over or not self.board.insufficient:
            return None
        return Event(clocks.END, at_ms, {"result": "1/2-1/2", "reason": DEAD})

    def natural_end(self, at_ms: int) -> Event | None:
        """Return the event that ends a game by mate or stalemate on the board; None if the game continues."""
        if self.over or self.board.count_legal(1):
            return None
        if not self.board.checkers:
            return Event(clocks.END, at_ms, {"result": "1/2-1/2", "reason": "stalemate"})
        result = "1-0" if self.board.stm == BLACK else "0-1"
        return Event(clocks.END, at_ms, {"result": result, "reason": "mate"})


def standing_events(log: list[Event]) -> list[Event]:
    """Return the log without events that were taken back, and without the entries that took them back."""
    standing: list[Event] = []
    for event in log:
        if event.kind == UNDO:
            standing.pop()
        else:
            standing.append(event)
    return standing


def stored_move(board: Board, text: str) -> int:
    """Parse a legal move in coordinates. The result 0 is a null move, which occurs only in files of analyses.

    Raises NotationError or IllegalMoveError.
    """
    if text != NULL_MOVE:
        return parse_move(board, text)
    if board.checkers:
        raise IllegalMoveError(f"illegal move {shown(text)}", "no passing in check")
    return 0


_LONG = re.compile(r"([KQRBNP]?)([a-h][1-8])[-x:]?([a-h][1-8])(?:=?\(?([QRBNqrbn])\)?)?[+#!?]*", re.ASCII)
_NUMERIC = re.compile(r"([1-8])([1-8])([1-8])([1-8])([1-4]?)", re.ASCII)
_PIECES = "-PNBRQK"


def read_move(board: Board, text: str) -> int:
    """Parse a legal move. Raises NotationError or IllegalMoveError.

    text: SAN (Nf3), coordinates (g1f3), long notation (Ng1-f3, e2-e4), or the numbers of international
    correspondence chess (7163; 57581 promotes to a queen, 2 to a rook, 3 to a bishop, 4 to a knight).
    """
    if found := _NUMERIC.fullmatch(text):
        from_file, from_rank, to_file, to_rank, letter = found.groups()
        files = "-abcdefgh"
        kind = "-qrbn"[int(letter)] if letter else ""
        return parse_move(board, f"{files[int(from_file)]}{from_rank}{files[int(to_file)]}{to_rank}{kind}")
    found = _LONG.fullmatch(text)
    if found and not looks_like_move(text):
        piece, start, target, kind = found.groups()
        move = parse_move(board, f"{start}{target}{(kind or '').lower()}")
        there = _PIECES[board.squares[(int(start[1]) - 1) * 8 + "abcdefgh".index(start[0])] & 7]
        if piece and piece != there:
            raise IllegalMoveError(f"illegal move {shown(text)}", f"no such piece on {start}")
        return move
    if looks_like_move(text):
        return parse_move(board, text)
    return parse_san(board, text)


def read_line(board: Board, text: str) -> tuple[str, ...]:
    """Parse moves in SAN or UCI, with or without move numbers, into UCI. The board is unchanged afterwards.

    Raises NotationError or IllegalMoveError, with the number of the half-move.
    """
    found: list[str] = []
    try:
        for word in text.replace(".", ". ").split():
            number = word.rstrip(".")
            if not number or (number.isdigit() and not (number == word and _NUMERIC.fullmatch(word))):
                continue
            try:
                move = read_move(board, word)
            except (NotationError, IllegalMoveError) as error:
                raise type(error)(f"{error} at half-move {len(found) + 1}") from None
            found.append(move_text(board, move))
            board.push(move)
    finally:
        for _ in found:
            board.pop()
    return tuple(found)


def plain(text: str) -> str:
    """Return the text in one line without control characters, so that terminals can print names from outside.

    A letter and its accent become one character, so that names from different sources compare equal.
    """
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFC", text)
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def check_name(name: str) -> str:
    """Raise GameError unless the name can be the value of an option in the protocols."""
    if not name or len(name) > 80 or not name.isprintable() or set(name) & set(" \t,\"'=") or name.startswith("-"):
        raise GameError(
            f"expected a name of up to 80 characters without blanks, commas, quotes or =, found {shown(name)}"
        )
    return name
