"""Plays a game of the engine against itself, ply by ply."""

from __future__ import annotations

import random
from collections.abc import Iterator

from standstill.cext.base.constants import BLACK, SCORE_DECIDED, WHITE

from ..common.info import SCORE_CP, TABLEBASE_WIN, SearchInfo
from ..common.limits import Limits
from ..common.text import plural
from ..rmobility.goals import Goal, Goals
from ..variants.game_over import game_end
from ..variants.notation import fen, parse_move, parse_san, san, san_line
from .session import Session

# Well-known balanced openings, which make the games differ.
OPENINGS = (
    "e4 e5 Nf3 Nc6 Bb5 a6",
    "e4 e5 Nf3 Nc6 Bc4 Bc5",
    "e4 e5 Nf3 Nf6",
    "e4 e5 f4 exf4 Nf3",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3",
    "e4 c5 Nc3 Nc6 g3",
    "e4 e6 d4 d5 Nc3 Bb4",
    "e4 c6 d4 d5 e5 Bf5",
    "e4 d5 exd5 Qxd5 Nc3 Qa5",
    "e4 d6 d4 Nf6 Nc3 g6",
    "d4 d5 c4 e6 Nc3 Nf6",
    "d4 d5 c4 c6 Nf3 Nf6",
    "d4 d5 c4 dxc4 Nf3 Nf6",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "d4 Nf6 c4 g6 Nc3 d5",
    "d4 Nf6 c4 e6 Nc3 Bb4",
    "d4 Nf6 c4 c5 d5 e6",
    "d4 f5 g3 Nf6",
    "c4 e5 Nc3 Nf6 Nf3 Nc6",
    "Nf3 d5 g3 Nf6 Bg2 c6",
)

_RANDOM_PLIES = 4  # length of an opening in a variant

# A side that is this far ahead at the move limit wins.
WON_CP = 250


class SelfplayPly:
    """A played move."""

    __slots__ = ("black", "line", "number", "pv", "san")

    def __init__(self, number: int, black: bool, san: str, line: SearchInfo | None, pv: list[str]):
        self.number = number  # number of the move, as on a score sheet
        self.black = black
        self.san = san
        self.line = line  # the search's line; None in the opening
        self.pv = pv  # the line that begins with this move, in SAN

    @property
    def white_score(self) -> int | None:
        """The score in fixed point, from White's point of view."""
        if self.line is None:
            return None
        return -self.line.score if self.black else self.line.score


class SelfplayGame:
    """A game, played by iterating over ``play``. Afterwards ``result``, ``reason`` and ``goal`` describe the end."""

    def __init__(self, session: Session, limits: Limits, moves: int, start: str | None = None):
        """moves: the number of full moves after which the game is adjudicated. start: the FEN of the first position."""
        session.new_game()
        session.position(start, [])
        self._session = session
        self._limits = limits
        self._moves = moves
        self.board = session.board
        self.goals = Goals(self.board, session.played.given_record)
        self.result = "*"
        self.reason = ""

    def opening(self, seed: int) -> Iterator[SelfplayPly]:
        """Play an opening chosen by ``seed``: a known one in chess, random quiet moves in variants."""
        rng = random.Random(seed)
        if self.board.notation.game.is_chess:
            for text in rng.choice(OPENINGS).split():
                yield self._make(parse_san(self.board, text), None, [])
            return
        for _ in range(_RANDOM_PLIES):
            board = self.board
            quiet = [move for move in board.legal_moves() if not board.noisy(move) and not board.checks(move)]
            if not quiet or game_end(board) is not None:
                return
            yield self._make(rng.choice(quiet), None, [])

    def play(self) -> Iterator[SelfplayPly]:
        limit = self.board.fullmove + self._moves
        while True:
            end = game_end(self.board)
            if end is None and self.board.fullmove >= limit:
                end = self._adjudge()
            if end is not None:
                self.result, self.reason = end
                return
            best, line = self._session.search(self._limits)
            assert best.move is not None  # positions that end the game are not searched
            pv = san_line(self.board, line.pv)
            yield self._make(parse_move(self.board, best.move), line, pv)

    @property
    def goal(self) -> Goal:
        """The R-Mobility result: the record at the end, or G0.0 for a win by other means than mate."""
        if self.result in ("1-0", "0-1"):
            return Goal(0, WHITE if self.result == "1-0" else BLACK, self.goals.ply)
        return self.goals.lowest

    @property
    def fen(self) -> str:
        return fen(self.board)

    def _make(self, move: int, line: SearchInfo | None, pv: list[str]) -> SelfplayPly:
        ply = SelfplayPly(self.board.fullmove, self.board.stm == BLACK, san(self.board, move), line, pv)
        self.board.push(move)
        self.goals.push(self.board)
        return ply

    def _adjudge(self) -> tuple[str, str]:
        _, line = self._session.search(self._limits)
        cp = line.score / SCORE_CP * (-1 if self.board.stm == BLACK else 1)
        limit = f"adjudged at the limit of {self._moves} {plural(self._moves, 'move')}"
        if SCORE_DECIDED <= abs(line.score) < TABLEBASE_WIN:
            return "1/2-1/2", f"{limit}: the record decides"  # Decisive: the game itself is drawn
        if abs(cp) < WON_CP:
            return "1/2-1/2", f"{limit}: no side is clearly ahead"
        ahead, result = ("White", "1-0") if cp > 0 else ("Black", "0-1")
        return result, f"{limit}: {ahead} is clearly ahead"
