"""Reads and writes correspondence games in PGN, whose comments contain the instants and clocks of the moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

import chess
import chess.pgn

from ..archive.pgn import read_games as split_games
from ..archive.pgn import tags_of
from ..archive.played import comments_of
from ..archive.scorer import CHESS960, ScoredGame, Scorer
from ..archive.streams import open_input
from ..archive.variations import variations_of
from ..clock.control import Fischer, PerMove, Sessions
from ..clock.game_clocks import AT, MOVE, START, Event
from ..clock.instants import exact_instant, is_date, parse_instant, to_datetime
from ..clock.units import HOUR_MS, MINUTE_MS, SECOND_MS
from ..common.errors import ClockError, MovetextError, NotationError
from ..common.text import shown
from ..variants.boards import new_board
from ..variants.notation import NULL_MOVE, PASS, fen, hyphened, move_text, san, set_fen
from .log_entries import entry_text, read_entries
from .remarks.written import add_lines, comments_at, labels_of, read_remarks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedIOBase

    from ..clock.control import Control
    from .game import CorrespondenceGame
    from .remarks.written import Remark

_STAMP = re.compile(r"\[%ccsnt\s+([^\]]*)\]")
_CLOCK = re.compile(r"\[%(clk|bank)\s+(\d+):(\d{1,2}):(\d{1,2})(?:\.(\d{1,3}))?\d*\s*\]", re.ASCII)
_ROSTER = dict.fromkeys(("Event", "Site", "Date", "Round", "White", "Black"), "?") | {
    "Date": "????.??.??",
    "Result": "*",
}
_TAG_LINE = re.compile(r'\s*\[[\w+#=:-]+\s+".*"\s*\]\s*')
_TAG_NAME = re.compile(r"[A-Za-z0-9][\w+#=:-]*", re.ASCII)  # other tags, such as [White Elo], cannot be exported
_COMMANDS = re.compile(r"\s*\[%[^\]]*\]\s*")


@dataclass(frozen=True, slots=True)
class PgnMove:
    """One half-move. at_ms: the instant at which the move was sent. clock_ms, bank_ms: the mover's remaining time.

    None if unknown.
    """

    uci: str
    san: str
    at_ms: int | None = None
    clock_ms: int | None = None
    bank_ms: int | None = None
    comment: str = ""
    entries: tuple[Event, ...] = ()  # log entries in a game that this program wrote


@dataclass(slots=True)
class PgnGame:
    """A game as the file contains it. ``number`` is the position of the game in the file, from 1."""

    number: int
    tags: dict[str, str]
    moves: list[PgnMove] = field(default_factory=list)
    fen: str | None = None
    chess960: bool = False
    entries: tuple[Event, ...] = ()  # log entries before the first move
    remarks: list[Remark] = field(default_factory=list)  # comments, tags, lines and planned replies
    problems: list[str] = field(default_factory=list)  # messages about unreadable stamps, which count as missing

    @property
    def black_begins(self) -> bool:
        return self.fen is not None and self.fen.split()[1] == "b"


def read_games(
    path: str,
    zone: tzinfo | None = UTC,
    on_problem: Callable[[str], None] | None = None,
    *,
    on_note: Callable[[str], None] = lambda _: None,
) -> Iterator[PgnGame]:
    """Yield the games of a file. Stamps without a zone are in ``zone``, or in UTC in a file of this program.

    on_problem: a function that is called for each game with unreadable or illegal moves or unreadable entries; the
    game is skipped. Without on_problem such a game raises MovetextError, which names the game. on_note: a function
    that is called with remarks about games that are read. Raises OSError.
    """
    with open_input(path) as stream:
        yield from read_stream(stream, path, zone, on_problem, on_note)


def read_stream(
    stream: BufferedIOBase,
    name: str,
    zone: tzinfo | None,
    on_problem: Callable[[str], None] | None,
    on_note: Callable[[str], None],
) -> Iterator[PgnGame]:
    """Yield the games of an open file, as `read_games` does. name: the name of the file, for the problems and notes."""
    scorer = Scorer()
    for number, data in enumerate(split_games(stream), 1):
        scored = scorer.score(data, 0, len(data), detail=True)
        if scored.is_empty:
            continue
        where = f"{name}, game {number}"
        try:
            found = _convert(scored, number, zone)
        except (ClockError, NotationError) as error:
            if on_problem is None:
                raise MovetextError(f"{where}: {error}") from None
            on_problem(f"{where}: {error}")
            continue
        if scored.note is not None:
            on_note(f"{where}: {scored.note}")
        yield found


def read_movetext(text: str, fen: str | None = None, chess960: bool = False) -> PgnGame:
    """Parse moves without tags, as servers send them, with everything that PGN allows between moves.

    Raises NotationError for unknown text, illegal moves, unreadable comments, and null moves, which no server accepts.
    """
    tags = '[Variant "Chess960"]\n' if chess960 else ""
    if fen is not None:
        tags += '[SetUp "1"]\n' + f'[FEN "{_plain_tag(fen)}"]\n'
    # A blank line within a comment would end the game.
    lines = [line for line in text.splitlines() if line.strip() and not _TAG_LINE.fullmatch(line)]
    data = (tags + "\n" + "\n".join(lines) + "\n").encode("utf-8", "replace")
    scored = Scorer().score(data, 0, len(data), detail=True)
    try:
        found = _convert(scored, 1, UTC)
    except ClockError as error:
        raise NotationError(str(error)) from None
    passed = next((ply for ply, move in enumerate(found.moves, 1) if move.uci == NULL_MOVE), None)
    if passed is not None:
        raise MovetextError(f"expected a move, found a null move at half-move {passed}")
    return found


def _escaped(value: str) -> str:
    """Write the value of a tag as PGN requires. This is the inverse of ``unescaped``."""
    return re.sub(r'(["\\])', r"\\\1", value)


def _plain_tag(text: str) -> str:
    return re.sub(r'["\\\r\n]', " ", text)


def _convert(scored: ScoredGame, number: int, zone: tzinfo | None) -> PgnGame:
    """Convert a game scored with details.

    Raises MovetextError, ClockError or NotationError if the game cannot be stored.
    """
    if scored.problem is not None:
        raise MovetextError(scored.problem)
    tags = _ROSTER | {name: value for name, value in tags_of(scored.text).items() if _TAG_NAME.fullmatch(name)}
    if not scored.is_chess:
        raise ClockError(f"expected orthodox chess or Chess960, found variant {shown(scored.game.name)}")
    if tags.get("ClockLog") == "1":  # this program writes stamps in UTC
        zone = UTC
    if scored.head.fen is None:
        tags.pop("FEN", None)  # the standard start position
    if scored.result != "*":
        tags["Result"] = scored.result  # in PGN's spelling
    first = scored.first_fen
    chess960 = tags.get("Variant", "").strip().lower() in CHESS960 or (first is not None and needs_chess960(first))
    lead, *comments = comments_of(scored)
    found = PgnGame(number, tags, fen=first, chess960=chess960, entries=read_entries(lead))
    found.remarks = read_remarks(tags, [lead, *comments], variations_of(scored))
    board = new_board(first, chess960=chess960)
    for move, comment in zip(scored.details.line, comments, strict=True):
        clocks = {name: _clock_ms(parts) for name, *parts in _CLOCK.findall(comment)}
        found.moves.append(
            PgnMove(
                move_text(board, move) if move else NULL_MOVE,
                san(board, move) if move else PASS,
                _stamp(found, comment, zone),
                clocks.get("clk"),
                clocks.get("bank"),
                _COMMANDS.sub(" ", comment).strip(),
                read_entries(comment),
            )
        )
        if move:
            board.push(move)
        else:
            board.push_null()
    return found


def _stamp(game: PgnGame, comment: str, zone: tzinfo | None) -> int | None:
    text = _STAMP.search(comment)
    if text is None:
        return None
    try:
        if is_date(text[1]):  # a date alone is too coarse for a clock that counts seconds
            raise ClockError(f"expected a stamp with the time of day, found {shown(text[1])}")
        return parse_instant(text[1], zone)
    except ClockError as error:
        game.problems.append(f"half-move {len(game.moves) + 1}: {error}")
        return None


def needs_chess960(fen: str) -> bool:
    """Return whether the position needs Chess960 castling, which servers do not always report."""
    try:
        board = chess.Board(hyphened(fen), chess960=True)
    except ValueError:
        return False
    return any(
        board.king(colour) != king or rights & rank & ~chess.BB_CORNERS
        for colour, king, rank in ((True, chess.E1, chess.BB_RANK_1), (False, chess.E8, chess.BB_RANK_8))
        if (rights := board.clean_castling_rights()) & rank
    )


def kept_fen(text: str) -> str:
    """Return the start position in a form that every PGN reader accepts, unchanged if it already has that form.

    Raises NotationError for an unplayable position, or one that PGN cannot express.
    """
    board = new_board()
    if set_fen(board, text) is not None:
        raise NotationError(
            f"expected a start position without an R-Mobility record, which PGN cannot express, found {shown(text)}"
        )
    for form in (text, fen(board)):
        try:
            read = chess.Board(form, chess960=True).fen(shredder=True)
        except ValueError:
            continue
        if fen(new_board(read)) == fen(board):
            return form
    raise NotationError(f"expected a start position that PGN can express, found {shown(text)}")


def _clock_ms(parts: list[str]) -> int:
    hours, minutes, seconds, part = parts
    milliseconds = int((part or "").ljust(3, "0"))
    return int(hours[:9]) * HOUR_MS + int(minutes) * MINUTE_MS + int(seconds) * SECOND_MS + milliseconds


def clock_text(ms: int) -> str:
    """Write the time as ``1200:00:00``: hours, minutes, seconds, with a fraction if needed."""
    hours, rest = divmod(ms, HOUR_MS)
    minutes, rest = divmod(rest, MINUTE_MS)
    seconds, rest = divmod(rest, SECOND_MS)
    return f"{hours}:{minutes:02d}:{seconds:02d}" + (f".{rest:03d}" if rest else "")


# Tags of this program for values of a stored game. `import` reads them and does not store them as tags.
OWN_TAGS = (
    "GameName",
    "ClockStart",
    "ClockControl",
    "ClockLog",
    "OwnSide",
    "GivenMoves",
    "NoEngines",
    "FirstWhite",
    "FirstBlack",
    "GameLabels",
)
SERVER_TAGS = ("XfccServer", "XfccId")


def write_game(game: CorrespondenceGame, with_clocks: bool = True, remarks: Sequence[Remark] = ()) -> str:
    """Return a stored game as PGN, with its log, clocks, banks and stamps in comments, and the user's remarks.

    Raises NotationError for a start position that PGN cannot express.
    """
    pgn = chess.pgn.Game()
    head = game.head
    first = chess.STARTING_FEN if head.fen is None else kept_fen(head.fen)
    board = chess.Board(first, chess960=game.board.notation.chess960)
    pgn.setup(board)
    pgn.headers.update({name: value for name, value in head.tags.items() if name not in ("FEN", "SetUp", "Variant")})
    pgn.headers.update(_tags(game))
    if labels := labels_of(remarks):
        pgn.headers["GameLabels"] = labels
    notes = _notes(game) if with_clocks else [[] for _ in range(len(game.moves) + 1)]
    notes = [[*note, *comments_at(remarks, ply, len(game.moves))] for ply, note in enumerate(notes)]
    node: chess.pgn.GameNode = pgn
    node.comment = " ".join(notes[0])
    for ply, (uci, note) in enumerate(zip(game.moves, notes[1:], strict=True)):
        parent, node = node, node.add_variation(chess.Move.from_uci(uci))
        node.comment = " ".join(note)
        add_lines(parent, remarks, ply)
    for name, value in pgn.headers.items():
        pgn.headers[name] = _escaped(value)
    return pgn.accept(chess.pgn.StringExporter(columns=80)) + "\n"


def _tags(game: CorrespondenceGame) -> dict[str, str]:
    head = game.head
    start = next(event for event in game.log if event.kind == START)
    tags = {
        "White": game.players[0],
        "Black": game.players[1],
        "Result": game.result,
        "Date": head.tags.get("Date") or to_datetime(start.at_ms).strftime("%Y.%m.%d"),
        "TimeControl": _pgn_control(game.clocks.control),
        "GameName": head.name,
        "ClockLog": "1",
    }
    if not start.data.get("unsure"):
        tags["ClockStart"] = exact_instant(start.at_ms)
    tags["TripleBlock" if game.clocks.control.has_bank else "ClockControl"] = head.control
    if head.own_side is not None:
        tags["OwnSide"] = ("White", "Black")[head.own_side]
    if head.opening:
        tags["GivenMoves"] = str(len(head.opening))
    if head.no_engines:
        tags["NoEngines"] = "1"
    for name, first, now in (("FirstWhite", head.white, game.players[0]), ("FirstBlack", head.black, game.players[1])):
        if first != now:
            tags[name] = first
    if head.server is not None and head.server_id is not None:
        tags |= dict(zip(SERVER_TAGS, (head.server, head.server_id), strict=True))
    return tags


def _pgn_control(control: Control) -> str:
    """Return the time control in seconds, as PGN writes it. PGN can express neither a bank nor a time per move."""
    if isinstance(control, Sessions):
        return f"{control.moves}/{control.session_ms // SECOND_MS}"
    if isinstance(control, Fischer):
        return f"{control.base_ms // SECOND_MS}+{control.increment_ms // SECOND_MS}"
    assert control.has_bank or isinstance(control, PerMove)
    return "?"


def _notes(game: CorrespondenceGame) -> list[list[str]]:
    """Return the comments before the first move and after each move."""
    notes: list[list[str]] = [[]]
    for left in game.states:
        notes.append([])
        if left is not None:
            clock_ms, bank_ms = left
            notes[-1].append(f"[%clk {clock_text(clock_ms)}]")
            if game.clocks.control.has_bank:
                notes[-1].append(f"[%bank {clock_text(bank_ms)}]")
    at = len(game.head.opening)
    for event in game.standing:
        if event.kind == MOVE:
            at += 1
            unsure = event.data.get("unsure")
            if unsure != AT:
                sent = exact_instant(event.at_ms).removesuffix("Z").replace("-", ".").replace("T", ",")
                notes[at].append(f"[%ccsnt {sent}]")
            if not unsure and not event.data.get("unsent"):
                continue
        elif event.kind == START and not event.data.get("unsure"):
            continue
        notes[at].append(entry_text(event))
    return notes
