"""Games evaluated by an engine: any that speaks UCI or XBoard, driven by python-chess.

Each game is gone through backwards, so that what the engine remembers of later positions helps with the earlier
ones. Evaluations that are compared come from searches with the same limit.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import chess
import chess.engine

from ..errors import StandstillError
from ..notation import shown
from . import replay
from .evaluations import BLACK, WHITE, Evaluation
from .judging import Position, Style, is_recapture
from .movetext import Movetext

_PATIENCE_S = 30.0  # for the start of an engine, and beyond the time for a search
_LONGEST_LINE = 24  # half-moves that are kept of a better line


# What it has to say comes as an exception as well.
logging.getLogger("chess.engine").setLevel(logging.CRITICAL)


class EngineError(StandstillError):
    """An engine that cannot be started, does not answer, or cannot do what is asked."""


@dataclass(frozen=True, slots=True)
class Setup:
    """An engine and how long it may think about each position; the first limit that is reached ends a search."""

    command: tuple[str, ...]
    protocol: str = "uci"  # or xboard
    options: dict[str, str] = field(default_factory=dict)
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None

    def limit(self) -> chess.engine.Limit:
        return chess.engine.Limit(nodes=self.nodes, depth=self.depth, time=self.seconds)


class Analyst:
    """One engine process, used by one thread."""

    def __init__(self, setup: Setup):
        """Raises EngineError if the engine does not start or refuses an option."""
        self._setup = setup
        self._limit = setup.limit()
        name = setup.command[0]
        engine = chess.engine.SimpleEngine
        start = engine.popen_xboard if setup.protocol == "xboard" else engine.popen_uci
        try:
            self._engine = start(list(setup.command), timeout=_PATIENCE_S)
        except (OSError, TimeoutError, chess.engine.EngineError) as error:
            raise EngineError(f"cannot start the engine {shown(name)}: {_reason(error)}") from None
        try:
            self._engine.configure(dict(setup.options))
        except chess.engine.EngineError as error:
            self.close()
            raise EngineError(f"engine {shown(name)}: {_reason(error)}") from None
        features = getattr(self._engine.protocol, "features", {})
        self._excludes = setup.protocol != "xboard" or bool(features.get("exclude"))

    def close(self) -> None:
        with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
            self._engine.quit()
        self._engine.close()

    def positions(self, game: Movetext, style: Style, progress: Callable[[], None] = lambda: None) -> list[Position]:
        """All positions of the game, as far as ``style`` wants to know of them.

        progress: called after each position.
        Raises MovetextError for a game that cannot be replayed, EngineError if the engine fails.
        """
        first, played = replay.moves(game)
        board = first.copy()
        for move in played:
            board.push(move)
        found: list[Position] = []
        try:
            for index in range(len(played), -1, -1):
                move = played[index] if index < len(played) else None
                found.append(self._position(game, board, index, move, style))
                progress()
                if index:
                    board.pop()
        except (chess.engine.EngineError, TimeoutError) as error:
            raise EngineError(f"engine {shown(self._setup.command[0])}: {_reason(error)}") from None
        found.reverse()
        self._complete(found)
        return found

    def _position(
        self, game: Movetext, board: chess.Board, index: int, move: chess.Move | None, style: Style
    ) -> Position:
        """The position before the move at ``index``, which is None behind the last one."""
        if move is not None and style.in_book(game, index):
            return Position()
        over = ended(board)
        if over is not None:
            return Position(best=over)
        wants_move = move is not None and bool(move) and style.move_scheme is not None
        if wants_move and style.skip_forced and is_recapture(game, index):
            wants_move = False
        several = wants_move and board.legal_moves.count() > 1
        lines = self._lines(game, board, 2 if several else 1)
        best = lines[0]
        position = Position(best=best[1], line=_san(board, best[2]))
        if not wants_move:
            return position
        position.second = lines[1][1] if len(lines) > 1 else None
        position.is_best = best[0] == move
        if position.is_best:
            position.played = best[1]
        elif len(lines) > 1 and lines[1][0] == move:
            position.played = lines[1][1]
        elif self._excludes:
            position.played = self._search(game, board, [move])[0][1]
        return position

    def _lines(self, game: Movetext, board: chess.Board, count: int) -> list[tuple]:
        """The best ``count`` lines, as far as the engine can tell."""
        if count == 1 or self._setup.protocol != "xboard":
            return self._search(game, board, None, count)
        # XBoard has no word for several lines: the next best is the best of the others.
        lines = self._search(game, board, None)
        if self._excludes:
            others = [move for move in board.legal_moves if move != lines[0][0]]
            lines += self._search(game, board, others)
        return lines

    def _search(
        self, game: Movetext, board: chess.Board, among: list[chess.Move] | None, count: int | None = None
    ) -> list[tuple[chess.Move | None, Evaluation | None, list[chess.Move]]]:
        """(first move, evaluation, line) of each line."""
        what = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV
        board = without_nulls(board)
        if self._setup.protocol == "xboard":
            # Let it choose a move: analysing, many of these engines keep to no limit.
            chosen = self._engine.play(board, self._limit, game=game, info=what, root_moves=among)
            line = chosen.info.get("pv") or [chosen.move]
            return [(chosen.move, _evaluation(chosen.info), line[:_LONGEST_LINE])]
        infos = self._engine.analyse(board, self._limit, multipv=count, game=game, info=what, root_moves=among)
        lines = []
        for info in infos if isinstance(infos, list) else [infos]:
            line = info.get("pv") or []
            lines.append((line[0] if line else None, _evaluation(info), line[:_LONGEST_LINE]))
        return lines or [(None, None, [])]

    @staticmethod
    def _complete(found: list[Position]) -> None:
        """Where the played move could not be searched by itself, the position after it has to do."""
        for position, after in pairwise(found):
            if position.played is None and position.best is not None:
                position.played = after.best


def ended(board: chess.Board) -> Evaluation | None:
    """The evaluation of a position in which the game is over; None if it goes on."""
    if board.is_checkmate():
        return Evaluation.of_mate(0, BLACK if board.turn == chess.WHITE else WHITE)
    if board.is_stalemate() or board.is_insufficient_material():
        return Evaluation(0.0)
    return None


def without_nulls(board: chess.Board) -> chess.Board:
    """Engines that know no null move begin with the position after the last one."""
    if all(board.move_stack):
        return board
    return board.copy(stack=False)


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
