"""Checks puzzles with the engine: which moves solve them, how difficult they are, and what other moves lose."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from math import isinf

import chess

from ...annotate import engines, replay
from ...annotate.analysis import Analyst, parts
from ...annotate.evaluations import Evaluation, parse
from ...annotate.obvious import MOST_FORCED, exchange
from ...annotate.source import SourceGame
from ...annotate.verdicts import Style
from ...relevance.model import gain, result
from ...relevance.presets import OWN
from ...relevance.trainer import FITTED, LAST_DEPTH
from ...variants.boards import new_board
from ...variants.definition import Definition
from ...variants.notation import move_text, parse_san
from .finding import LEAST_LOSS, Marks, marks_of
from .puzzle import Puzzle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...annotate.engines import Line
    from ...annotate.replay import PlayedMove, Position

NODES = 150_000  # limit of each search of a puzzle
GAME_NODES = 20_000  # limit of the search of each position of a game without evaluations
NEAR = 0.05  # a move that loses at most this share of the whole area solves a puzzle
_CLEAR = 0.08  # the best move that does not solve a puzzle must lose at least this share
_LINES = 4
_MOST_SOLUTIONS = 2
_KEPT = 12  # number of half-moves of a line that are stored
_EASY_DEPTH, _MEDIUM_DEPTH = 3, 6  # the engine finds an easy, or medium, puzzle by this depth of ``relevance.trainer``


@dataclass(frozen=True, slots=True)
class Valued:
    """A move with its evaluation from White's view, written as in ``[%eval]``, and its line in coordinates."""

    evaluation: str
    line: list[str]

    @property
    def move(self) -> str:
        return self.line[0]

    @property
    def pawns(self) -> float:
        return parse(self.evaluation)


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of the engine. refused: the reason why the position is not used as a puzzle, or "".

    level: an index of ``LEVELS``. lines: the best moves, best first. played: the move of the game.
    """

    refused: str
    level: int
    lines: list[Valued]
    played: Valued | None

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def of_json(cls, data: object) -> Checked:
        """The inverse of ``as_json``. Raises TypeError, ValueError or KeyError for other values."""
        if not isinstance(data, dict):
            raise TypeError("expected an object")
        played = data["played"]
        lines = [Valued(**each) for each in data["lines"]]
        return cls(str(data["refused"]), int(data["level"]), lines, None if played is None else Valued(**played))

    def solutions(self, puzzle: Puzzle) -> list[Valued]:
        """The moves that solve the puzzle, the best first."""
        return [each for each in self.lines if self.loss(puzzle, each.pawns) <= NEAR]

    def loss(self, puzzle: Puzzle, pawns: float) -> float:
        """The loss of a move with this evaluation against the best one, as a share of the whole area."""
        return max(0.0, -gain(pawns, self.lines[0].pawns, "b" if puzzle.is_black else "w", OWN.x05))

    def chance(self, puzzle: Puzzle, pawns: float) -> float:
        """The expected result of the solver's side, from 0 to 1."""
        white = result(pawns, OWN.x05)
        return 1 - white if puzzle.is_black else white


class Checker:
    """This program's engine at full strength; one search at a time."""

    def __init__(self) -> None:
        self._engine: engines.OwnEngine | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            if self._engine is not None:
                self._engine.close()

    def _started(self) -> engines.OwnEngine:
        if self._engine is None:
            self._engine = engines.OwnEngine(engines.Setup(nodes=NODES))
        return self._engine

    def check(self, puzzle: Puzzle) -> Checked:
        """Find the moves that solve a puzzle of the kind ``move``. This takes about half a second."""
        with self._lock:
            engine, position = self._started(), position_of(puzzle)
            engine.forget()
            if sum(1 for _ in position.legal_moves) <= MOST_FORCED:
                return Checked("too few moves are legal", 0, [], None)
            lines = [_valued(puzzle, line) for line in engine.search(position, None, _LINES)]
            played = next((line for line in lines if line.move == puzzle.played), None)
            if played is None:
                [found] = engine.search(position, [position.parse_uci(puzzle.played)])
                played = _valued(puzzle, found)
            found_all = Checked("", 0, lines, played)
            refused = _refused(puzzle, found_all)
            level = 0 if refused else self._level(engine, position, puzzle, lines[0].move)
            return Checked(refused, level, lines, played)

    def value(self, puzzle: Puzzle, move: str) -> Valued:
        """Evaluate a move that is not among the best ones."""
        with self._lock:
            position = position_of(puzzle)
            [found] = self._started().search(position, [position.parse_uci(move)])
            return _valued(puzzle, found)

    @staticmethod
    def _level(engine: engines.OwnEngine, position: Position, puzzle: Puzzle, best: str) -> int:
        if _is_obvious(position, position.parse_uci(best), puzzle.last):
            return 0
        engine.forget()
        choices = {depth: str(move) for depth, move in engine.choices(position, LAST_DEPTH).items()}
        depth = max(choices, default=0) + 1
        while choices.get(depth - 1) == best:
            depth -= 1
        return (depth > _EASY_DEPTH) + (depth > _MEDIUM_DEPTH)


def analysed(source: SourceGame, progress: Callable[[], None]) -> Marks:
    """Analyse a game without evaluations: its mistakes, and its good moves. progress: called after each position."""
    analyst = Analyst(engines.Setup(nodes=GAME_NODES), Style(x05=OWN.x05))
    try:
        positions = [
            position for part in parts(source) for position in analyst.positions(source.movetext, part, progress)
        ]
    finally:
        analyst.close()
    return marks_of(source, positions)


def position_of(puzzle: Puzzle) -> Position:
    """The position for the engine."""
    if isinstance(puzzle.game, Definition):
        return replay.DefinedPosition(puzzle.game, puzzle.fen)
    return chess.Board(puzzle.fen, chess960=puzzle.chess960)


def _valued(puzzle: Puzzle, line: Line) -> Valued:
    """A line of the engine in coordinates."""
    assert line.evaluation is not None
    board = new_board(puzzle.fen, puzzle.chess960, puzzle.game)
    moves = []
    for word in line.san[:_KEPT]:
        move = parse_san(board, word)
        moves.append(move_text(board, move))
        board.push(move)
    return Valued(line.evaluation.text(), moves)


def _refused(puzzle: Puzzle, found: Checked) -> str:
    """The reason why the position is not used as a puzzle, or "".

    One or two moves must be clearly better than the others.
    """
    solutions = found.solutions(puzzle)
    if len(solutions) > _MOST_SOLUTIONS:
        return "several moves are equally good"
    assert found.played is not None
    lost = found.loss(puzzle, found.played.pawns)
    if puzzle.is_mistake and lost < LEAST_LOSS:
        return "the move of the game is nearly as good"
    if not puzzle.is_mistake and lost > NEAR:
        return "another move is better than that of the game"
    others = [found.loss(puzzle, each.pawns) for each in found.lines[len(solutions) :]]
    if others and others[0] < (_CLEAR if puzzle.is_mistake else FITTED.losses[0]):
        return "another move is nearly as good"
    return ""


def _is_obvious(position: Position, move: PlayedMove, last: tuple[str, ...]) -> bool:
    """Is the move a mate in one, a recapture, or a capture that costs nothing?"""
    if not isinstance(position, chess.Board) or not isinstance(move, chess.Move):
        return False
    takes = position.is_capture(move)
    if takes and (chess.square_name(move.to_square) in last[1:] or exchange(position, move) >= 0):
        return True
    position.push(move)
    mates = position.is_checkmate()
    position.pop()
    return mates


def is_mate(valued: Valued) -> bool:
    return isinf(valued.pawns)


def evaluation_of(valued: Valued) -> Evaluation:
    """The evaluation of a move as an object."""
    pawns = valued.pawns
    if not isinf(pawns):
        return Evaluation(pawns)
    moves = int(valued.evaluation.lstrip("#-") or 0)
    return Evaluation.of_mate(moves if pawns > 0 else -moves) if moves else Evaluation(pawns, 0)
