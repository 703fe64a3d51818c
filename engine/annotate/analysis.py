"""Evaluates the positions of games with an engine.

A game is searched backwards, so that the hash entries of later positions help with the earlier ones. Evaluations are
compared only if they come from searches with the same limit.

Long games are split into parts, which different engines may search. The split does not depend on the number of engines,
and an engine clears its memory before each part. So the findings do not depend on the number of engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import isinf

from ..external.process import GoOn, Tell
from ..relevance.trainer import LAST_DEPTH
from . import engines, replay
from .engines import Line, Setup
from .movetext import Movetext
from .obvious import exchange, is_obvious, is_recapture
from .replay import PlayedMove, Position, ended, without_nulls
from .source import SourceGame
from .verdicts import JudgedPosition, Style

# Positions in a part. Larger parts are better because an engine has no hash entries at the start of a part; smaller
# parts let the engines finish at about the same time at the end of a run, and share the work on a single game.
_LONGEST_PART = 64
# If the best move leads the next best one by less than this, in pawns, no x05 in use gives it a good symbol.
_LEAST_LEAD = 0.1


@dataclass(frozen=True, slots=True)
class Part:
    """The positions of a game from ``first`` up to but excluding ``end``. Position 0 is before the first move."""

    game: int
    first: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.first


def parts(game: SourceGame) -> list[Part]:
    """Split a game into as few parts as possible, of about the same size."""
    size = game.plies + 1
    count = -(-size // _LONGEST_PART)
    return [Part(game.number, at * size // count, (at + 1) * size // count) for at in range(count)]


def joined(found: Iterable[list[JudgedPosition]]) -> list[JudgedPosition]:
    """Return the positions of a whole game, joined from its parts in order."""
    positions = [position for part in found for position in part]
    # If the played move could not be searched by itself, take the evaluation of the position after it.
    for position, after in pairwise(positions):
        if position.played is None and position.best is not None:
            position.played = after.best
    return positions


class Analyst:
    """One engine. An analyst belongs to one thread."""

    def __init__(self, setup: Setup, style: Style, tell: Tell | None = None, go_on: GoOn | None = None):
        """Start the engine. Raises EngineError if the engine does not start or refuses an option.

        tell: a function that is called with a line about an engine that keeps the user waiting. go_on: as for
        ``EngineProcess``.
        """
        self._engine = engines.start(setup, tell, go_on)
        self._style = style
        self._replayed: tuple[Movetext, Position, list[PlayedMove]] | None = None

    @property
    def engine_name(self) -> str:
        """The name that the engine reports, with its version."""
        return self._engine.name

    def close(self) -> None:
        self._engine.close()

    def kill(self) -> None:
        """Close without waiting for a running search."""
        self._engine.kill()

    def positions(
        self, game: Movetext, part: Part, progress: Callable[[], None] = lambda: None
    ) -> list[JudgedPosition]:
        """Return the positions of a part of the game, evaluated as far as the style requires.

        progress: a function that is called after each position.
        Raises EngineError if the engine fails.
        """
        if self._replayed is None or self._replayed[0] is not game:
            self._replayed = (game, *replay.moves(game))
        _, first, played = self._replayed
        self._engine.forget()
        board = first.copy()
        for before in played[: part.end - 1]:
            replay.push(board, before)
        found: list[JudgedPosition] = []
        for index in range(part.end - 1, part.first - 1, -1):
            move = played[index] if index < len(played) else None
            found.append(self._position(game, board, index, move))
            progress()
            if index > part.first:
                board.pop()
        found.reverse()
        self._find_depths(game, board, part.first, played, found)
        return found

    def _find_depths(
        self, game: Movetext, board: Position, first: int, played: list[PlayedMove], found: list[JudgedPosition]
    ) -> None:
        """Find the depth of each played move that is the best one and may earn a good symbol.

        board: the position at the index ``first``; ``found`` begins with the same position.

        The backward searches cannot tell how hard a move was to find, because the hash entries of later positions help
        to find it. So each position with such a move is searched again, with an empty memory, but only to a low depth.
        """
        for index, (position, move) in enumerate(zip(found, played[first:], strict=False), first):
            if position.is_best and _leads(position):
                obvious = is_obvious(game, index, board, move)
                position.depth = 0 if obvious else self._depth(without_nulls(board), move)
                position.sacrifices = exchange(board, move) < 0
            replay.push(board, move)

    def _depth(self, board: Position, move: PlayedMove) -> int:
        self._engine.forget()
        choices = self._engine.choices(board, LAST_DEPTH)
        depth = max(choices, default=0) + 1
        while choices.get(depth - 1) == move:
            depth -= 1
        return depth

    def _position(self, game: Movetext, board: Position, index: int, move: PlayedMove | None) -> JudgedPosition:
        """Evaluate the position before the move at ``index``.

        After the last move of the game, ``move`` is None.
        """
        style = self._style
        if move is not None and style.in_book(game, index):
            return JudgedPosition()
        over = ended(board)
        if over is not None:
            return JudgedPosition(best=over)
        wants_move = bool(move) and style.move_scheme is not None
        if wants_move and style.skip_forced and is_recapture(game, index):
            wants_move = False
        searched = without_nulls(board)
        lines = self._lines(searched, 2 if wants_move and sum(1 for _ in board.legal_moves) > 1 else 1)
        if not lines:
            return JudgedPosition()
        best = lines[0]
        position = JudgedPosition(best=best.evaluation, line=best.san)
        if move is None or not wants_move:
            return position
        position.second = lines[1].evaluation if len(lines) > 1 else None
        position.is_best = best.move == move
        if position.is_best:
            position.played = best.evaluation
        elif len(lines) > 1 and lines[1].move == move:
            position.played = lines[1].evaluation
        elif self._engine.excludes:
            position.played = next((line.evaluation for line in self._engine.search(searched, [move])), None)
        return position

    def _lines(self, board: Position, count: int) -> list[Line]:
        """Return the best ``count`` lines, or fewer if the engine finds fewer."""
        lines = self._engine.search(board, None, count if self._engine.several else 1)
        # Some engines report two lines with the same first move if they are stopped during an iteration.
        all_differ = len({line.move for line in lines}) == count
        if not all_differ and self._engine.excludes and lines and lines[0].move is not None:
            # The second-best move is the best of the remaining moves.
            del lines[1:]
            others = [move for move in board.legal_moves if move != lines[0].move]
            lines += self._engine.search(board, others)
        return lines


def _leads(position: JudgedPosition) -> bool:
    """Return whether the best move is clearly better than the next best."""
    if position.best is None or position.second is None:
        return False
    best, second = position.best.pawns, position.second.pawns
    return best != second and (isinf(best) or isinf(second) or abs(best - second) >= _LEAST_LEAD)
