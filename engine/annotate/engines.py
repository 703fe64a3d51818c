"""Engines that look at positions: our own inside this process, others that speak UCI or XBoard by python-chess."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import chess
import chess.engine

from ..config import load
from ..errors import StandstillError
from ..info import EXACT, SearchInfo, is_mate, mate_moves, score_cp
from ..limits import Limits
from ..notation import san_line, shown
from ..options import find
from ..session import Listener, Session
from .evaluations import BLACK, WHITE, Evaluation

_PATIENCE_S = 30.0  # for the start of an engine, and beyond the time for a search
# An analysis that has said nothing for so long, and for so many times as long as it took until then, has found all.
_SILENCE_S = 2.0
_SILENCE_RATIO = 20
_LONGEST_LINE = 24  # half-moves that are kept of a line


# What it has to say comes as an exception as well.
for _name in ("chess.engine", "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


class EngineError(StandstillError):
    """An engine that cannot be started, does not answer, or cannot do what is asked."""


@dataclass(frozen=True, slots=True)
class Setup:
    """An engine and how long it may think about each position; the first limit that is reached ends a search.

    command: empty for our own engine.
    """

    command: tuple[str, ...] = ()
    protocol: str = "uci"  # or xboard
    options: dict[str, str] = field(default_factory=dict)
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """What a search found: its first move, the evaluation in White's view, and the moves in SAN."""

    move: chess.Move | None
    evaluation: Evaluation | None
    san: list[str]


def start(setup: Setup) -> OwnEngine | ForeignEngine:
    """Raises EngineError if the engine does not start or refuses an option."""
    return ForeignEngine(setup) if setup.command else OwnEngine(setup)


class OwnEngine:
    """A session of our own: no process, no text, and nothing in between two searches but what they need."""

    excludes = several = True

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
        self._task: Hashable = None
        self._first: chess.Board | None = None
        self._fen: str | None = None  # of the first position, None for the usual one

    @staticmethod
    def _check(name: str, value: str) -> None:
        """Stricter than a session, which would ignore the name and move a number into its range."""
        spec = find(name)
        if spec is None:
            raise EngineError(f"unknown option {shown(name)}")
        if spec.name.lower() in chess.engine.MANAGED_OPTIONS:
            raise EngineError(f"the option {spec.name} cannot be set here")
        if spec.kind == "spin" and spec.parse(value) != int(value):
            raise EngineError(f"expected {spec.minimum} to {spec.maximum} for {spec.name}, found {shown(value)}")

    def search(
        self, task: Hashable, board: chess.Board, among: Sequence[chess.Move] | None = None, count: int = 1
    ) -> list[Line]:
        """The ``count`` best lines, the best one first; what an earlier task has left in memory is forgotten.

        among: the moves to be considered, None for all.
        """
        session = self._session
        if task != self._task:
            session.new_game()
            self._task = task
        session.set_option("UCI_Chess960", "true" if board.chess960 else "false")
        session.set_option("MultiPV", str(count))
        first = board.root()
        if first != self._first:
            fen = first.fen(shredder=board.chess960, en_passant="fen")
            self._first, self._fen = first, None if fen == chess.STARTING_FEN else fen
        session.position(self._fen, [move.uci() for move in board.move_stack])
        self._limits.root_moves = None if among is None else [move.uci() for move in among]
        heard = _Heard()
        session.go(self._limits, heard)
        session.wait()
        view = WHITE if board.turn == chess.WHITE else BLACK
        return [self._line(board, info, view) for info in heard.best(count)]

    def _line(self, board: chess.Board, info: SearchInfo, view: int) -> Line:
        if is_mate(info.score):
            evaluation = Evaluation.of_mate(mate_moves(info.score), view, info.depth)
        else:
            evaluation = Evaluation(view * score_cp(info.score) / 100 or 0.0, depth=info.depth)
        moves = info.pv[:_LONGEST_LINE]
        return Line(board.parse_uci(moves[0]) if moves else None, evaluation, san_line(self._session.board, moves))

    def close(self) -> None:
        self._session.finish()

    kill = close


class _Heard(Listener):
    """The latest line of each rank."""

    def __init__(self):
        self._ranks: dict[int, SearchInfo] = {}

    def info(self, info: SearchInfo) -> None:
        # The last line about the best move is always worth something; the others may be about a move just begun.
        if info.bound == EXACT or info.multipv == 1:
            self._ranks[info.multipv] = info

    def best(self, count: int) -> list[SearchInfo]:
        return [self._ranks[rank] for rank in range(1, count + 1) if rank in self._ranks]


class ForeignEngine:
    """One engine process, driven by python-chess."""

    def __init__(self, setup: Setup):
        self._name = shown(setup.command[0])
        self._limit = chess.engine.Limit(nodes=setup.nodes, depth=setup.depth, time=setup.seconds)
        self._xboard = setup.protocol == "xboard"
        engine = chess.engine.SimpleEngine
        begin = engine.popen_xboard if self._xboard else engine.popen_uci
        try:
            # A group of its own: an interrupt from the keyboard is ours to answer.
            self._engine = begin(list(setup.command), timeout=_PATIENCE_S, setpgrp=True)
        except (OSError, TimeoutError, chess.engine.EngineError) as error:
            raise EngineError(f"cannot start the engine {self._name}: {_reason(error)}") from None
        try:
            self._engine.configure(dict(setup.options))
        except (TimeoutError, chess.engine.EngineError) as error:
            self.kill()
            raise EngineError(f"engine {self._name}: {_reason(error)}") from None
        features = getattr(self._engine.protocol, "features", {})
        self.excludes = not self._xboard or bool(features.get("exclude"))
        # XBoard has no word for several lines, and not every UCI engine has the option.
        self.several = not self._xboard and "MultiPV" in self._engine.options

    def search(
        self, task: Hashable, board: chess.Board, among: Sequence[chess.Move] | None = None, count: int = 1
    ) -> list[Line]:
        """As ``OwnEngine.search``. Raises EngineError if the engine fails."""
        what = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV
        try:
            if self._xboard and self.excludes:
                # Moves can be named for an analysis only, and all shall be searched alike.
                with self._engine.analysis(board, self._limit, game=task, info=what, root_moves=among) as analysis:
                    return [_foreign_line(board, self._heard(analysis), [])]
            if self._xboard:
                # Let it choose a move: analysing, many of these engines keep to no limit.
                chosen = self._engine.play(board, self._limit, game=task, info=what)
                return [_foreign_line(board, chosen.info, [chosen.move])]
            lines = count if count > 1 else None
            infos = self._engine.analyse(board, self._limit, multipv=lines, game=task, info=what, root_moves=among)
        except (TimeoutError, chess.engine.EngineError) as error:
            raise EngineError(f"engine {self._name}: {_reason(error)}") from None
        return [_foreign_line(board, info, []) for info in (infos if isinstance(infos, list) else [infos])]

    def _heard(self, analysis: chess.engine.SimpleAnalysisResult) -> dict:
        """The last line up to the limit; what the engine says until it has heard that it shall stop does not count."""
        last: dict = {}
        reached = False
        begun = time.monotonic()
        patience_s = _PATIENCE_S
        while (info := self._next(analysis, patience_s)) is not None:
            if not reached and "score" in info:
                last = info
            depth, nodes = self._limit.depth, self._limit.nodes
            reached = reached or bool(
                (depth and info.get("depth", 0) >= depth) or (nodes and info.get("nodes", 0) >= nodes)
            )
            patience_s = _SILENCE_S + _SILENCE_RATIO * (time.monotonic() - begun)
        return last

    def _next(self, analysis: chess.engine.SimpleAnalysisResult, patience_s: float) -> dict | None:
        """What is said next, None at the end. An engine that has nothing more to find falls silent: it is stopped."""
        future = asyncio.run_coroutine_threadsafe(analysis.inner.next(), self._engine.protocol.loop)
        try:
            return future.result(patience_s + (self._limit.time or 0))
        except TimeoutError:
            analysis.stop()
        return future.result(_PATIENCE_S)

    def close(self) -> None:
        with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
            self._engine.quit()
        self._engine.close()

    def kill(self) -> None:
        """Do not wait for a search that may be going on."""
        self._engine.close()


def _foreign_line(board: chess.Board, info: dict, otherwise: list[chess.Move]) -> Line:
    moves = (info.get("pv") or otherwise)[:_LONGEST_LINE]
    return Line(moves[0] if moves else None, _evaluation(info), _san(board, moves))


def _evaluation(info: dict) -> Evaluation | None:
    if "score" not in info:
        return None
    score = info["score"].white()
    depth = info.get("depth")
    if score.is_mate():
        moves = score.mate()
        return (
            Evaluation.of_mate(moves, depth=depth)
            if moves
            else Evaluation.of_mate(0, WHITE if score > chess.engine.Cp(0) else BLACK, depth)
        )
    return Evaluation(score.score() / 100, depth=depth)


def _san(board: chess.Board, line: list[chess.Move]) -> list[str]:
    """As far as the moves are legal."""
    board = board.copy(stack=False)
    texts = []
    for move in line:
        if not board.is_legal(move):
            break
        texts.append(board.san_and_push(move))
    return texts


def _reason(error: Exception) -> str:
    """What to say of a failed engine."""
    if isinstance(error, TimeoutError):
        return "no answer"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)
