"""Engines that evaluate positions: this program in the same process, or others, which python-chess drives."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import chess
import chess.engine
from chess.engine import InfoDict as Info

from .. import NAME, VERSION
from ..common.errors import EngineError
from ..common.info import EXACT, SearchInfo, is_mate, mate_moves, score_cp
from ..common.limits import Limits
from ..common.text import plural, shown, visible
from ..external.process import START_S, ClientError, EngineProcess, GoOn, SilentError, Tell, WrongMoveError
from ..external.protocols import UciClient, XboardClient
from ..play.listener import Listener
from ..play.session import Session
from ..settings.config import load
from ..settings.options import find, unknown
from ..variants.notation import san_line
from ..variants.variant import CHESS, Variant
from .evaluations import BLACK, WHITE, Evaluation
from .replay import DefinedPosition, PlayedMove, Position

_LONGEST_S = 300.0  # time allowed for an external engine's search with a limit of nodes or depth
_LEAVE_S = 3.0  # time allowed for an engine to end after it was asked to
_NOTICE_S = 10.0  # time after the time limit of a search after which the user is told of it
# An analysis counts as complete after a silence of this many seconds plus this multiple of the time before it. Before
# the first line it may be silent for longer.
_FIRST_SILENCE_S = START_S / 2
_SILENCE_S = 2.0
_SILENCE_RATIO = 20
_LONGEST_LINE = 24  # number of half-moves kept of a line

_CLIENTS: dict[str, type[UciClient | XboardClient]] = {"uci": UciClient, "xboard": XboardClient}
T = TypeVar("T")
# The search information that is requested.
_SAID = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV


@dataclass(frozen=True, slots=True)
class Setup:
    """An engine and its limits for each position. The first limit that is reached ends a search.

    command: empty for this program. patience_s: an external engine counts as hung after ``seconds`` plus this time;
    None for the defaults: ``START_S`` beyond ``seconds``, or without ``seconds`` until the first line of a search.
    """

    command: tuple[str, ...] = ()
    protocol: str = "uci"  # or xboard
    options: dict[str, str] = field(default_factory=dict)
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    patience_s: float | None = None

    def findings(self) -> dict[str, object]:
        """Return the settings on which the findings depend."""
        values = asdict(self)
        del values["patience_s"]
        return values

    @property
    def longest_s(self) -> float:
        """The time after which the search of an external engine counts as hung."""
        if self.seconds is None:
            return _LONGEST_S if self.patience_s is None else self.patience_s
        return self.seconds + (START_S if self.patience_s is None else self.patience_s)

    @property
    def first_s(self) -> float | None:
        """The time after which it counts as hung if it has not sent any line; None if ``longest_s`` decides.

        Engines that think report the first depths at once, even if the whole search takes minutes.
        """
        return START_S if self.patience_s is None and self.seconds is None else None

    def limit(self) -> str:
        """Return the limits in words, such as ``200000 nodes``."""
        texts = [
            f"{self.nodes} {plural(self.nodes, 'node')}" if self.nodes else "",
            f"depth {self.depth}" if self.depth else "",
            f"{self.seconds:g} s" if self.seconds else "",
        ]
        return " or ".join(filter(None, texts))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a search: its first move, the evaluation from White's point of view, and the moves in SAN."""

    move: PlayedMove | None
    evaluation: Evaluation | None
    san: list[str]


def start(setup: Setup, tell: Tell | None = None, go_on: GoOn | None = None) -> OwnEngine | ForeignEngine:
    """Start the engine. Raises EngineError if it does not start or refuses an option.

    tell: a function that is called with a line about an external engine that keeps the user waiting. go_on: as for
    ``EngineProcess``.
    """
    return ForeignEngine(setup, tell, go_on) if setup.command else OwnEngine(setup)


class OwnEngine:
    """This program as an engine, without a process or a protocol in between."""

    excludes = several = True
    name = f"{NAME} {VERSION}"

    def __init__(self, setup: Setup):
        self._session = Session(load()[0])
        for name, value in setup.options.items():
            self._check(name, value)
            self._session.set_option(name, value)
        self._session.set_option("UCI_AnalyseMode", "true")
        self._limits = Limits()
        self._limits.nodes, self._limits.depth = setup.nodes, setup.depth
        if setup.seconds is not None:
            self._limits.movetime_ms = max(1, round(1000 * setup.seconds))
        self._first: chess.Board | None = None
        self._fen: str | None = None  # the FEN of the first position; None for the standard one

    @staticmethod
    def _check(name: str, value: str) -> None:
        """Check an option more strictly than a session, which ignores unknown names and clamps numbers."""
        spec = find(name)
        if spec is None:
            raise EngineError(unknown(name))
        if spec.name.lower() in chess.engine.MANAGED_OPTIONS:
            raise EngineError(f"the option {spec.name} cannot be set here")
        spec.parse_within(value)

    def forget(self) -> None:
        """Clear the hash table and all other traces of earlier searches."""
        self._session.new_game()

    def search(self, board: Position, among: Sequence[PlayedMove] | None = None, count: int = 1) -> list[Line]:
        """Search the position. Return the ``count`` best lines, the best one first.

        among: the moves to consider; None for all.
        """
        self._prepare(board, count)
        self._limits.root_moves = None if among is None else list(map(str, among))
        latest = _LatestLines()
        self._session.go(self._limits, latest)
        self._session.wait()
        view = WHITE if board.turn == chess.WHITE else BLACK
        return [self._line(board, info, view) for info in latest.best(count)]

    def _prepare(self, board: Position, count: int) -> None:
        """Set the position, and the number of lines to find."""
        session = self._session
        session.set_option("MultiPV", str(count))
        if isinstance(board, DefinedPosition):
            self._play_game(board.game)
            session.position(board.first_fen, board.texts)
        else:
            self._play_game(CHESS)
            session.set_option("UCI_Chess960", "true" if board.chess960 else "false")
            first = board.root()
            if first != self._first:
                fen = first.fen(shredder=board.chess960, en_passant="fen")
                self._first, self._fen = first, None if fen == chess.STARTING_FEN else fen
            session.position(self._fen, [move.uci() for move in board.move_stack])

    def choices(self, board: Position, deepest: int) -> dict[int, PlayedMove]:
        """Search the position up to this depth, or to the limit if it comes first. Return the best move by depth."""
        self._prepare(board, 1)
        limits = copy(self._limits)
        limits.root_moves = None
        limits.depth = min(deepest, limits.depth or deepest)
        chosen = _Choices()
        self._session.go(limits, chosen)
        self._session.wait()
        return {depth: board.parse_uci(move) for depth, move in chosen.moves.items()}

    def _play_game(self, game: Variant) -> None:
        if self._session.game is not game:
            self._session.play_game(game)
            self._session.new_game()

    def _line(self, board: Position, info: SearchInfo, view: int) -> Line:
        if is_mate(info.score):
            evaluation = Evaluation.of_mate(mate_moves(info.score), view, info.depth)
        else:
            evaluation = Evaluation(view * score_cp(info.score) / 100 or 0.0, depth=info.depth)
        moves = info.pv[:_LONGEST_LINE]
        return Line(board.parse_uci(moves[0]) if moves else None, evaluation, san_line(self._session.board, moves))

    def close(self) -> None:
        self._session.finish()

    kill = close


class _LatestLines(Listener):
    """The latest line of each rank."""

    def __init__(self) -> None:
        self._ranks: dict[int, SearchInfo] = {}

    def info(self, info: SearchInfo) -> None:
        # The last line of the best move is always useful. The last line of another rank may be incomplete.
        if info.bound == EXACT or info.multipv == 1:
            self._ranks[info.multipv] = info

    def best(self, count: int) -> list[SearchInfo]:
        return [self._ranks[rank] for rank in range(1, count + 1) if rank in self._ranks]


class _Choices(Listener):
    """The best move of each depth."""

    def __init__(self) -> None:
        self.moves: dict[int, str] = {}

    def info(self, info: SearchInfo) -> None:
        if info.pv:
            self.moves[info.depth] = info.pv[0]


class ForeignEngine:
    """One engine process, driven by python-chess."""

    def __init__(self, setup: Setup, tell: Tell | None = None, go_on: GoOn | None = None):
        self._command = shown(setup.command[0])
        self._setup = setup
        self._limit = chess.engine.Limit(nodes=setup.nodes, depth=setup.depth, time=setup.seconds)
        self._game = object()
        self._xboard = setup.protocol == "xboard"
        self._tell = tell
        start_s = max(START_S, setup.patience_s or 0.0)
        say = self._say if tell else None
        self._process = EngineProcess(_CLIENTS[setup.protocol], setup.command, start_s, say, go_on)
        try:
            self._process.greet()
        except ClientError as error:
            raise EngineError(f"cannot start the engine {self._command}: {error}") from None
        try:
            self._process.configure(setup.options)
        except BaseException as error:
            self.kill()
            if isinstance(error, ClientError):
                raise EngineError(f"engine {self._command}: {error}") from None
            raise
        client = self._process.client
        # Very simple engines have no name.
        self.name = visible(client.id.get("name") or Path(setup.command[0]).name)
        self.excludes = not self._xboard or bool(client.features.get("exclude"))
        # XBoard's protocol cannot request several lines, and some UCI engines lack the option.
        self.several = not self._xboard and "MultiPV" in client.options

    def _say(self, text: str) -> None:
        if self._tell is not None:
            self._tell(f"engine {self._command}: {text}")

    def forget(self) -> None:
        """Announce a new game before the next search, which makes the engine forget earlier searches."""
        self._game = object()

    def search(self, board: Position, among: Sequence[PlayedMove] | None = None, count: int = 1) -> list[Line]:
        """Search like ``OwnEngine.search``. Raises EngineError if the engine fails, or does not end in time."""
        if isinstance(board, DefinedPosition):
            raise EngineError(f"engine {self._command}: expected chess or Chess960, found {shown(board.game.name)}")
        return self._ask(lambda client: self._searched(client, board, among, count))

    def choices(self, board: Position, deepest: int) -> dict[int, PlayedMove]:
        """Search like ``OwnEngine.choices``. Raises EngineError if the engine fails, or does not end in time."""
        # the method ``search``, which is called first, refuses such positions
        assert not isinstance(board, DefinedPosition)
        return self._ask(lambda client: self._chosen(client, board, deepest))

    def _ask(self, request: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
        try:
            # One deadline covers the whole search, even while the engine sends output.
            setup, own_s = self._setup, self._setup.seconds or 0.0
            return self._process.ask(request, setup.longest_s, "go", own_s + _NOTICE_S, setup.first_s)
        except SilentError:
            within_s = setup.longest_s
            if setup.first_s is not None and self._process.client.silent:
                within_s = setup.first_s
            raise EngineError(
                f"engine {self._command}: no answer within {within_s:g} s (patience: {within_s - own_s:g} s)"
            ) from None
        except WrongMoveError as error:
            raise EngineError(f"engine {self._command} moves illegally: {error}") from None
        except ClientError as error:
            raise EngineError(f"engine {self._command}: {error}") from None

    async def _searched(
        self, client: Any, board: chess.Board, among: Sequence[PlayedMove] | None, count: int
    ) -> list[Line]:
        """Implement ``search`` on the event loop of python-chess."""
        if self._xboard and not self.excludes:
            # Request a move, because many XBoard engines ignore limits in analysis mode.
            chosen = await client.play(board, self._limit, info=_SAID, game=self._game)
            return [_foreign_line(board, chosen.info, [chosen.move] if chosen.move else [])]
        # An engine can exclude moves only in an analysis, and all searches should work alike.
        lines = count if count > 1 else None
        analysis = await client.analysis(
            board, self._limit, info=_SAID, multipv=lines, game=self._game, root_moves=among
        )
        if self._xboard:
            return [_foreign_line(board, await self._last_line(analysis), [])]
        async for _ in analysis:  # reads lines at once, because an engine may send more than the queue can hold
            pass
        return [_foreign_line(board, info, []) for info in analysis.multipv]

    async def _chosen(self, client: Any, board: chess.Board, deepest: int) -> dict[int, PlayedMove]:
        """Implement ``choices`` on the event loop of python-chess."""
        given = self._limit
        limit = chess.engine.Limit(depth=min(deepest, given.depth or deepest), nodes=given.nodes, time=given.time)
        analysis = await client.analysis(board, limit, info=_SAID, game=self._game)
        moves: dict[int, PlayedMove] = {}
        silence_s = self._setup.longest_s
        while (info := await self._next(analysis, silence_s)) is not None:
            depth = info.get("depth", 0)
            # A bound is an estimate of an unfinished iteration.
            if depth <= deepest and info.get("pv") and not {"upperbound", "lowerbound"} & info.keys():
                moves[depth] = info["pv"][0]
            if self._xboard:  # in analysis mode, many engines ignore limits, and do not end by themselves
                silence_s = _SILENCE_S
                if depth > deepest or info.get("nodes", 0) >= (given.nodes or math.inf):
                    analysis.stop()
        return moves

    async def _last_line(self, analysis: chess.engine.AnalysisResult) -> Info:
        """Return the last line up to the limit, ignoring lines that the engine sends between limit and stop."""
        last: Info = {}
        reached = False
        started = time.monotonic()
        silence_s = _FIRST_SILENCE_S
        while (info := await self._next(analysis, silence_s)) is not None:
            if not reached and "score" in info:
                last = info
            depth, nodes = self._limit.depth, self._limit.nodes
            reached = reached or bool(
                (depth and info.get("depth", 0) >= depth) or (nodes and info.get("nodes", 0) >= nodes)
            )
            silence_s = _SILENCE_S + _SILENCE_RATIO * (time.monotonic() - started)
        return last

    async def _next(self, analysis: chess.engine.AnalysisResult, silence_s: float) -> Info | None:
        """Return the next line; None at the end. An engine that is silent for ``silence_s`` is stopped."""
        try:
            return await asyncio.wait_for(analysis.next(), silence_s + (self._limit.time or 0))
        except TimeoutError:
            analysis.stop()
            return await analysis.next()

    def close(self) -> None:
        self._process.leave(_LEAVE_S)

    def kill(self) -> None:
        """Close without waiting for a running search."""
        self._process.kill()


def _foreign_line(board: chess.Board, info: Info, otherwise: list[chess.Move]) -> Line:
    moves = (info.get("pv") or otherwise)[:_LONGEST_LINE]
    return Line(moves[0] if moves else None, _evaluation(info), _san(board, moves))


def _evaluation(info: Info) -> Evaluation | None:
    if "score" not in info:
        return None
    score = info["score"].white()
    depth = info.get("depth")
    centipawns, moves = score.score(), score.mate()
    if centipawns is not None:
        return Evaluation(centipawns / 100, depth=depth)
    if moves:
        return Evaluation.of_mate(moves, depth=depth)
    return Evaluation.of_mate(0, WHITE if score > chess.engine.Cp(0) else BLACK, depth)


def _san(board: chess.Board, line: list[chess.Move]) -> list[str]:
    """Write the line in SAN, up to the first illegal move."""
    board = board.copy(stack=False)
    texts = []
    for move in line:
        if not board.is_legal(move):
            break
        texts.append(board.san_and_push(move))
    return texts
