"""Long analyses of stored games: a growing tree of positions, and findings that survive every interruption.

Each finished iteration is stored at once. A later run on the same position stores nothing until it is deeper than the
stored findings, and then adds to them.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass

from standstill.cext.base.constants import BLACK, SCORE_DECIDED

from .. import NAME, VERSION
from ..clock.instants import now_ms
from ..common.errors import GameError
from ..common.info import EXACT, BestMove, SearchInfo, is_mate, score_cp, score_pawns
from ..common.limits import Limits
from ..play.listener import Listener
from ..play.session import Session
from ..relevance import nags
from ..relevance.model import position_nag
from ..rmobility.goals import Goals
from ..variants.boards import new_board
from ..variants.notation import fen, parse_move, san, san_line
from .desk import Desk
from .game import CorrespondenceGame, read_line
from .hash_file import HashFile, fitting_hash_mb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..settings.options import Settings
    from ..variants.notation import Board

# The first iterations take milliseconds and are useless in an analysis that lasts days.
_QUIET_MS = 200
_LOOK_S = 0.25
_SAVE_S = 600.0  # a crash loses at most this much of the work in the hash table


@dataclass(frozen=True, slots=True)
class Place:
    """A node of the tree: the position after ``ply`` half-moves of the game and then ``line`` (UCI)."""

    ply: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one run at one depth. score: fixed point, for the side to move. pv: UCI. symbol: by relevance."""

    depth: int
    rank: int
    at_ms: int
    score: int
    nodes: int
    time_ms: int
    pv: tuple[str, ...]
    symbol: str | None
    run: int = 0
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A stored position with its deepest finding. record: the R-Mobility record, as ``-G8.5``."""

    id: int
    place: Place
    fen: str
    record: str | None
    best: Finding | None


def place_in(game: CorrespondenceGame, ply: int | None, line: str) -> Place:
    """Return the place after ``ply`` half-moves and ``line``; None means the current position.

    Raises GameError, NotationError or IllegalMoveError.
    """
    ply = len(game.moves) if ply is None else ply
    if not 0 <= ply <= len(game.moves):
        raise GameError(f"expected a half-move from 0 to {len(game.moves)}, found {ply}")
    return Place(ply, read_line(board_at(game, Place(ply)), line))


def board_at(game: CorrespondenceGame, place: Place) -> Board:
    board = new_board(game.head.fen, game.board.notation.chess960)
    for text in (*game.moves[: place.ply], *place.line):
        board.push(parse_move(board, text))
    return board


def record_at(game: CorrespondenceGame, place: Place) -> str | None:
    """Return the R-Mobility record in a position after all the moves that led to it."""
    board = new_board(game.head.fen, game.board.notation.chess960)
    goals = Goals(board)
    for text in (*game.moves[: place.ply], *place.line):
        board.push(parse_move(board, text))
        goals.push(board)
    return None if goals.record is None else str(goals.record)


def line_text(game: CorrespondenceGame, place: Place, pv: tuple[str, ...], moves: int = 12) -> str:
    """Return the SAN of a line that starts at ``place``, at most ``moves`` moves."""
    board = board_at(game, place)
    return " ".join(san_line(board, list(pv[:moves])))


def place_text(game: CorrespondenceGame, place: Place) -> str:
    """Return the moves of the place's line, ``12...Nf6 13.Bg5``; empty for a position of the game itself."""
    board = board_at(game, Place(place.ply))
    words = []
    for text in place.line:
        move = parse_move(board, text)
        words.append(f"{board.fullmove}{'...' if board.stm == BLACK else '.'}{san(board, move)}")
        board.push(move)
    return " ".join(words)


# ---- the store ----


def nodes_of(desk: Desk, game: CorrespondenceGame) -> list[Node]:
    """Return the whole tree, sorted by ply and line, so that parents precede children."""
    rows = desk.store.rows("SELECT * FROM nodes WHERE game_id = ? ORDER BY ply, line", game.head.id)
    return [
        Node(
            row["id"], Place(row["ply"], tuple(row["line"].split())), row["fen"], row["record"], _best(desk, row["id"])
        )
        for row in rows
    ]


def node_at(desk: Desk, game: CorrespondenceGame, place: Place) -> Node | None:
    return next((node for node in nodes_of(desk, game) if node.place == place), None)


def _stored_node(desk: Desk, game: CorrespondenceGame, place: Place) -> Node:
    """Return the node of a place. The tree must contain the node."""
    return next(node for node in nodes_of(desk, game) if node.place == place)


def _best(desk: Desk, node_id: int) -> Finding | None:
    found = findings(desk, node_id, "rank = 1 ORDER BY depth DESC, run_id DESC LIMIT 1")
    return found[0] if found else None


def _known_depth(desk: Desk, node_id: int, lines: int) -> int:
    """Return the largest depth at which a run has found at least ``lines`` lines; 0 if no run has."""
    row = desk.store.row(
        "SELECT MAX(depth) AS depth FROM findings JOIN runs ON runs.id = run_id WHERE node_id = ? AND rank = ?",
        node_id,
        lines,
    )
    return row["depth"] or 0 if row is not None else 0


def findings(desk: Desk, node_id: int, condition: str = "1 ORDER BY run_id, depth, rank") -> list[Finding]:
    rows = desk.store.rows(
        f"SELECT findings.*, runs.engine FROM findings JOIN runs ON runs.id = run_id WHERE node_id = ? AND {condition}",
        node_id,
    )
    return [
        Finding(
            row["depth"],
            row["rank"],
            row["at_ms"],
            row["score"],
            row["nodes"],
            row["time_ms"],
            tuple(row["pv"].split()),
            row["symbol"],
            row["run_id"],
            row["engine"],
        )
        for row in rows
    ]


def make_node(desk: Desk, game: CorrespondenceGame, place: Place) -> Node:
    """Return the node of a place, and store it if it is new."""
    known = node_at(desk, game, place)
    if known is not None:
        return known
    with desk.store.transaction():
        desk.store.write(
            "INSERT OR IGNORE INTO nodes (game_id, ply, line, fen, record) VALUES (?, ?, ?, ?, ?)",
            game.head.id,
            place.ply,
            " ".join(place.line),
            fen(board_at(game, place)),
            record_at(game, place),
        )
    return _stored_node(desk, game, place)


# ---- a run ----


class StoredAnalyst:
    """Runs the engine on positions of one game and stores the findings."""

    def __init__(
        self,
        desk: Desk,
        name: str,
        session: Session,
        say: Callable[[Finding], None] = lambda found: None,
        choose_hash: bool = False,
    ):
        """say: a function that is called with every stored finding.

        choose_hash: whether to choose a hash size that fits the machine.

        Raises GameError if the game forbids engines.
        """
        self._desk = desk
        self.game = desk.load(name)
        if self.game.head.no_engines:
            raise GameError(f"the event of {name} forbids engines: it is not analysed")
        self._session = session
        self._choose_hash = choose_hash
        self.say = say
        self._lines: queue.SimpleQueue[SearchInfo] = queue.SimpleQueue()

    def run(self, place: Place, limits: Limits, seconds: float | None = None) -> Node:
        """Search until a limit, for ``seconds``, or until an interrupt. Return the node with all findings.

        KeyboardInterrupt passes through after the latest finding has been stored.
        """
        node = make_node(self._desk, self.game, place)
        board = board_at(self.game, place)
        settings = self._session.settings
        lines = min(settings["MultiPV"], board.count_legal(settings["MultiPV"]))
        if not lines:
            return node
        known = _known_depth(self._desk, node.id, lines)
        kept = HashFile(self._desk.store.path, self._position_text(node), self._session)
        if self._choose_hash:
            settings["Hash"] = kept.size_mb() or fitting_hash_mb()
        with self._desk.store.transaction():
            run = self._desk.store.write(
                "INSERT INTO runs (node_id, started_ms, engine, threads, hash_mb) VALUES (?, ?, ?, ?, ?)",
                node.id,
                now_ms(),
                f"{NAME} {VERSION}",
                settings["Threads"],
                settings["Hash"],
            )
        self._session.position(self.game.head.fen, [*self.game.moves[: place.ply], *place.line])
        self._session.is_ready()
        kept.load()
        self._session.go(limits, _Forward(self._lines))
        try:
            self._follow(run, known, board.stm, seconds, kept)
        finally:
            self._session.stop()
            self._session.wait()
            self._drain(run, known, board.stm)
            with contextlib.suppress(OSError):  # losing this file only costs time
                kept.save()
        return _stored_node(self._desk, self.game, place)

    def _position_text(self, node: Node) -> str:
        row = self._desk.store.row("SELECT uid FROM games WHERE id = ?", self.game.head.id)
        if row is None:
            raise GameError(f"{self.game.head.name} was removed in the meantime")
        return f"{row['uid']} {node.place.ply} {' '.join(node.place.line)} {node.fen}"

    def _follow(self, run: int, known: int, stm: int, seconds: float | None, kept: HashFile) -> None:
        started = saved = time.monotonic()
        while self._session.searching:
            if time.monotonic() - saved >= _SAVE_S:
                with contextlib.suppress(OSError):
                    kept.save()
                saved = time.monotonic()
            if seconds is not None and time.monotonic() - started >= seconds:
                return
            self._drain(run, known, stm, _LOOK_S)

    def _drain(self, run: int, known: int, stm: int, patience_s: float = 0.0) -> None:
        """Store the findings that have arrived. The search thread itself must not write to the store."""
        pending: dict[tuple[int, int], SearchInfo] = {}
        try:
            line = self._lines.get(timeout=patience_s) if patience_s else self._lines.get_nowait()
            while True:
                if line.bound == EXACT and line.depth > known and line.pv:
                    pending[line.depth, line.multipv] = line
                line = self._lines.get_nowait()
        except queue.Empty:
            pass
        late = [
            line for line in pending.values() if line.time_ns >= _QUIET_MS * 1_000_000 or not self._session.searching
        ]
        deepest = max((line.depth for line in pending.values()), default=0)
        self._store(run, stm, late or [line for line in pending.values() if line.depth == deepest])

    def _store(self, run: int, stm: int, lines: list[SearchInfo]) -> None:
        if not lines:
            return
        found = [
            Finding(
                line.depth,
                line.multipv,
                now_ms(),
                line.score,
                line.nodes,
                line.time_ns // 1_000_000,
                tuple(line.pv),
                symbol(line.score, stm, self._session.settings),
                run,
            )
            for line in lines
        ]
        with self._desk.store.transaction():
            for one in found:
                self._desk.store.write(
                    "INSERT OR REPLACE INTO findings (run_id, depth, rank, at_ms, score, nodes, time_ms, pv, symbol)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    run,
                    one.depth,
                    one.rank,
                    one.at_ms,
                    one.score,
                    one.nodes,
                    one.time_ms,
                    " ".join(one.pv),
                    one.symbol,
                )
        for one in found:
            self.say(one)


class _Forward(Listener):
    """Passes lines from the search thread to the thread that writes to the store."""

    def __init__(self, lines: queue.SimpleQueue[SearchInfo]):
        self._lines = lines

    def info(self, info: SearchInfo) -> None:
        self._lines.put(info)

    def best_move(self, best: BestMove) -> None:
        """Do nothing, because the queue already contains every finding."""


def white_score(score: int, stm: int) -> int:
    return -score if stm == BLACK else score


def white_score_text(score: int, stm: int) -> str:
    """Return a score for display, from White's view: pawns, a mate, or a result that is proven."""
    shown = white_score(score, stm)
    if abs(shown) >= SCORE_DECIDED and not is_mate(shown):
        return f"proven {'1-0' if shown > 0 else '0-1'}"
    return score_pawns(shown)


def symbol(score: int, stm: int, settings: Settings) -> str | None:
    """Return the relevance symbol of a score, in ASCII; None if symbols are switched off."""
    scheme = settings["Relevance_Position"]
    if scheme == "off":
        return None
    shown = white_score(score, stm)
    pawns = (float("inf") if shown > 0 else -float("inf")) if is_mate(score) else score_cp(shown) / 100
    return nags.ascii_text(position_nag(pawns, settings["Relevance_x05"] / 100, scheme))
