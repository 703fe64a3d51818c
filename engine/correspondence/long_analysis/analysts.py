"""The engines that analyse over nights: our own in this process, or any UCI engine as a program."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import chess
import chess.engine

from ... import NAME, VERSION
from ...common.errors import StandstillError
from ...common.info import EXACT, MATE, SCORE_CP, BestMove, SearchInfo
from ...common.limits import Limits
from ...common.text import shown, visible
from ...external.process import ClientError, EngineProcess
from ...external.protocols import UciClient
from ...play.listener import Listener
from ...play.session import Session
from ...system.consoles import words_of
from ..game import CorrespondenceGame
from .tree import Line

_START_S = 30.0
_SPARE_S = 60.0  # for an engine that is slow to stop
_LOOK_S = 0.25

Tell = Callable[[Line], None]


class AnalystError(StandstillError):
    """An engine cannot be started or fails."""


class Analyst(Protocol):
    """An engine. threads, hash_mb: as far as they are known, for the record of the run."""

    name: str
    threads: int
    hash_mb: int

    def search(self, game: CorrespondenceGame, moves: Sequence[str], seconds: float, tell: Tell) -> list[Line]:
        """Return the lines of the last finished depth, by rank. tell: called with best lines meanwhile."""
        ...

    def close(self) -> None: ...


class OwnAnalyst:
    """Our own engine, with the settings of a session."""

    def __init__(self, session: Session):
        self._session = session
        self.name = f"{NAME} {VERSION}"
        self.threads, self.hash_mb = session.settings["Threads"], session.settings["Hash"]

    def search(self, game: CorrespondenceGame, moves: Sequence[str], seconds: float, tell: Tell) -> list[Line]:
        limits, heard = Limits(), _Lines()
        limits.infinite = True
        self._session.position(game.head.fen, [*game.moves, *moves])
        self._session.go(limits, heard)
        started, deepest = time.monotonic(), 0
        try:
            while self._session.searching and time.monotonic() - started < seconds:
                time.sleep(min(_LOOK_S, seconds))
                line = heard.lines.get(1)
                if line is not None and line.depth > deepest:
                    deepest = line.depth
                    tell(line)
        finally:
            self._session.stop()
            self._session.wait()
        return heard.finished()

    def close(self) -> None:
        self._session.finish()


class _Lines(Listener):
    """Keeps the newest exact line of each rank."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}

    def info(self, info: SearchInfo) -> None:
        if info.bound == EXACT and info.pv:
            self.lines[info.multipv] = Line(info.multipv, info.depth, info.score, tuple(info.pv))

    def best_move(self, best: BestMove) -> None:
        """Do nothing: the lines are known already."""

    def finished(self) -> list[Line]:
        """Return the lines by rank; those of an unfinished depth replace their elders one by one."""
        return _ranked([self.lines[rank] for rank in sorted(self.lines)])


def _ranked(lines: list[Line]) -> list[Line]:
    """Return the lines with one depth, by score: a search may be interrupted between its lines."""
    depth = max((line.depth for line in lines), default=0)
    ordered = sorted(lines, key=lambda line: -line.score)
    return [Line(rank, depth, line.score, line.pv) for rank, line in enumerate(ordered, 1)]


class ForeignAnalyst:
    """A UCI engine as a program."""

    def __init__(self, command: str, options: dict[str, str], lines: int):
        """command: as in a shell. Raises AnalystError."""
        try:
            words = words_of(command)
        except ValueError as error:
            raise AnalystError(f"expected the command of an engine, found {shown(command)}: {error}") from None
        if not words:
            raise AnalystError("expected the command of an engine, found nothing")
        self._lines = lines
        self._command = shown(words[0])
        self._game = object()
        self._process = EngineProcess(UciClient, words, _START_S)
        try:
            self._process.greet()
        except ClientError as error:
            raise AnalystError(f"cannot start the engine {self._command}: {error}") from None
        try:
            self._process.configure(options)
        except ClientError as error:
            self.close()
            raise AnalystError(f"engine {self._command}: {error}") from None
        client = self._process.client
        self.name = visible(client.id.get("name") or words[0])
        self.threads = int(options.get("Threads", "1"))
        self.hash_mb = int(options.get("Hash", "0"))
        if "MultiPV" not in client.options:
            self._lines = 1

    def search(self, game: CorrespondenceGame, moves: Sequence[str], seconds: float, tell: Tell) -> list[Line]:
        board = chess.Board(game.head.fen or chess.STARTING_FEN, chess960=game.board.notation.chess960)
        for text in (*game.moves, *moves):
            board.push_uci(text)
        try:
            return self._process.ask(lambda client: self._searched(client, board, seconds, tell), seconds + _SPARE_S)
        except ClientError as error:
            raise AnalystError(f"engine {self._command}: {error}") from None

    async def _searched(self, client: Any, board: chess.Board, seconds: float, tell: Tell) -> list[Line]:
        limit = chess.engine.Limit(time=seconds)
        found: dict[int, Line] = {}
        lines = self._lines if self._lines > 1 else None
        analysis = await client.analysis(board, limit, multipv=lines, game=self._game, info=chess.engine.INFO_ALL)
        async for info in analysis:
            if "pv" not in info or "score" not in info or "lowerbound" in info or "upperbound" in info:
                continue
            rank = info.get("multipv", 1)
            line = Line(rank, info.get("depth", 1), _score(info["score"].relative), tuple(map(str, _uci(info["pv"]))))
            if rank == 1 and (rank not in found or line.depth > found[rank].depth):
                tell(line)
            found[rank] = line
        return _ranked([found[rank] for rank in sorted(found)])

    def close(self) -> None:
        self._process.leave(2.0)


def _uci(moves: list[chess.Move]) -> list[str]:
    return [move.uci() for move in moves]


def _score(score: chess.engine.Score) -> int:
    """Return the score in our fixed point."""
    mate = score.mate()
    if mate is None:
        return (score.score() or 0) * SCORE_CP
    return MATE - (2 * mate - 1) if mate > 0 else -(MATE + 2 * mate)
