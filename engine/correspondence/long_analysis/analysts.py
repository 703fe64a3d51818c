"""The engines for overnight analyses: this engine in this process, or any UCI engine as a program."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

import chess
import chess.engine

from ... import NAME, VERSION
from ...common.errors import StandstillError
from ...common.info import EXACT, MATE, SCORE_CP, BestMove, SearchInfo
from ...common.limits import Limits
from ...common.text import shown, visible
from ...external.process import START_S, ClientError, EngineProcess
from ...external.process import GoOn as GoOnWaiting
from ...external.process import Tell as TellOfWait
from ...external.protocols import UciClient
from ...play.listener import Listener
from ...play.session import Session
from ...system.consoles import words_of
from ..game import CorrespondenceGame
from .tree import Line

_LOOK_S = 0.25
_STOP_S = 2.0  # time allowed for an interrupted engine to stop

Tell = Callable[[Line], None]
GoOn = Callable[[], bool]


class AnalystError(StandstillError):
    """An engine cannot be started or fails."""


class Analyst(Protocol):
    """An engine. threads, hash_mb: stored with the run; 1 and 0 if unknown."""

    name: str
    threads: int
    hash_mb: int

    def search(
        self, game: CorrespondenceGame, moves: Sequence[str], seconds: float, tell: Tell, go_on: GoOn
    ) -> list[Line]:
        """Return the lines of the last finished depth, by rank.

        tell: a function that is called with each new best line. go_on: a function that is called several times a
        second; the search ends once it returns False. Both functions are called on the caller's thread.
        """
        ...

    def close(self) -> None: ...


class OwnAnalyst:
    """This engine, with the settings of a session."""

    def __init__(self, session: Session):
        self._session = session
        self.name = f"{NAME} {VERSION}"
        self.threads, self.hash_mb = session.settings["Threads"], session.settings["Hash"]

    def search(
        self, game: CorrespondenceGame, moves: Sequence[str], seconds: float, tell: Tell, go_on: GoOn
    ) -> list[Line]:
        limits, heard = Limits(), _Lines()
        limits.infinite = True
        self._session.position(game.head.fen, [*game.moves, *moves])
        self._session.go(limits, heard)
        started, deepest = time.monotonic(), 0
        try:
            while self._session.searching and time.monotonic() - started < seconds and go_on():
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
        """Do nothing: the lines are already known."""

    def finished(self) -> list[Line]:
        """Return the newest line of each rank, also from an iteration that has not finished all ranks."""
        return _ranked([self.lines[rank] for rank in sorted(self.lines)])


def _ranked(lines: list[Line]) -> list[Line]:
    """Return the lines by score, all with the largest depth, because an interrupted iteration mixes two depths."""
    depth = max((line.depth for line in lines), default=0)
    ordered = sorted(lines, key=lambda line: -line.score)
    return [Line(rank, depth, line.score, line.pv) for rank, line in enumerate(ordered, 1)]


class ForeignAnalyst:
    """A UCI engine as a program."""

    def __init__(
        self,
        words: Sequence[str],
        options: dict[str, str],
        lines: int,
        tell: TellOfWait | None = None,
        go_on: GoOnWaiting | None = None,
    ):
        """words: the program and its arguments. tell, go_on: as for ``EngineProcess``. Raises AnalystError."""
        self._lines = lines
        self._stop: Callable[[], None] = lambda: None
        self._newest: Line | None = None
        self._command = shown(words[0])
        self._game = object()
        self._process = EngineProcess(UciClient, words, tell=tell, go_on=go_on)
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

    def search(
        self, game: CorrespondenceGame, moves: Sequence[str], seconds: float, tell: Tell, go_on: GoOn
    ) -> list[Line]:
        board = chess.Board(game.head.fen or chess.STARTING_FEN, chess960=game.board.notation.chess960)
        for text in (*game.moves, *moves):
            board.push_uci(text)
        # The engine answers on a thread of its own, and the store of the caller belongs to the caller's thread.
        self._newest = None
        waiting = ThreadPoolExecutor(1)
        try:
            answer = waiting.submit(
                self._process.ask, lambda client: self._searched(client, board, seconds), seconds + START_S
            )
            self._follow(answer, tell, go_on)
            return answer.result()
        except ClientError as error:
            raise AnalystError(f"engine {self._command}: {error}") from None
        finally:
            waiting.shutdown(wait=False)

    def _follow(self, answer: Future[list[Line]], tell: Tell, go_on: GoOn) -> None:
        """Pass on the best lines until the search has ended. Stop the search when ``go_on`` returns False."""
        reported = 0
        try:
            while not wait({answer}, _LOOK_S).done:
                newest = self._newest
                if newest is not None and newest.depth > reported:
                    reported = newest.depth
                    tell(newest)
                if not go_on():
                    self._stop()
        except BaseException:
            self._stop()
            wait({answer}, _STOP_S)
            raise

    async def _searched(self, client: Any, board: chess.Board, seconds: float) -> list[Line]:
        limit = chess.engine.Limit(time=seconds)
        found: dict[int, Line] = {}
        lines = self._lines if self._lines > 1 else None
        analysis = await client.analysis(board, limit, multipv=lines, game=self._game, info=chess.engine.INFO_ALL)
        loop = asyncio.get_running_loop()

        def stop() -> None:
            with contextlib.suppress(RuntimeError):  # the engine's loop has ended
                loop.call_soon_threadsafe(analysis.stop)

        self._stop = stop
        async for info in analysis:
            if "pv" not in info or "score" not in info or "lowerbound" in info or "upperbound" in info:
                continue
            rank = info.get("multipv", 1)
            line = Line(rank, info.get("depth", 1), _score(info["score"].relative), tuple(map(str, _uci(info["pv"]))))
            if rank == 1:
                self._newest = line
            found[rank] = line
        return _ranked([found[rank] for rank in sorted(found)])

    def close(self) -> None:
        self._process.leave(2.0)


def command_words(command: str) -> list[str]:
    """Return the words of an engine's command, as in a shell. Raises AnalystError."""
    try:
        words = words_of(command)
    except ValueError as error:
        raise AnalystError(f"expected the command of an engine, found {shown(command)}: {error}") from None
    if not words:
        raise AnalystError("expected the command of an engine, found nothing")
    return words


def _uci(moves: list[chess.Move]) -> list[str]:
    return [move.uci() for move in moves]


def _score(score: chess.engine.Score) -> int:
    """Return the score in this engine's fixed point."""
    mate = score.mate()
    if mate is None:
        return (score.score() or 0) * SCORE_CP
    return MATE - (2 * mate - 1) if mate > 0 else -(MATE + 2 * mate)
