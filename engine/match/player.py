"""Runs an engine in a match: starts its process when needed, and turns failures into errors."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import chess.engine

from ..common.errors import MatchError
from ..common.signals import deferred
from ..common.text import shown
from ..external.process import (
    START_S,
    ClientError,
    EngineProcess,
    GoneError,
    NoProgramError,
    SilentError,
    Tell,
    WrongMoveError,
)
from ..external.thoughts import Thought
from .orthodox import CHESS
from .referee import Kind
from .setup import EngineSpec

_LEAVE_S = 3.0  # time allowed for an engine to end
_LONGEST = 160  # maximum number of characters quoted from the engine's output, because lines of PGN should be short


@dataclass(frozen=True, slots=True)
class Reply:
    """An engine's answer. move: None if the engine resigns. spent_s: the time from the command to the move."""

    move: Any
    spent_s: float
    thought: Thought | None = None


class EnginePlayer:
    """An engine process. The process is started when it is first needed, and again after a failure."""

    def __init__(
        self,
        spec: EngineSpec,
        rules: dict[str, str] | None = None,
        start_s: float = START_S,
        kind: Kind = CHESS,
        from_start: bool = False,
    ):
        """rules: options to set if the engine has them and the user has not set them.

        start_s: time limit for the start.

        from_start: whether all games begin from the start position.
        """
        self.spec = spec
        self.options = dict(spec.options)  # the options that have been set in the engine
        self._rules = rules or {}
        self._start_s = start_s
        self._kind = kind
        self._from_start = from_start
        self._process: EngineProcess | None = None
        self._retired = False

    def start(self, by_nodes: bool = False, tell: Tell | None = None) -> None:
        """Start the engine.

        by_nodes: whether the engine will get node limits. tell: a function that is called with a line about an engine
        that keeps the user waiting. Raises MatchError with the reason if the engine does not
        start.
        """
        if self._process is not None:
            return
        client, name = self._kind.clients[self.spec.protocol], shown(self.spec.name)
        say = None if tell is None else lambda text: tell(f"engine {name}: {text}")
        with deferred():  # `kill` needs to know the process
            self._process = EngineProcess(client, self.spec.command, self._start_s, say)
        try:
            if self._retired:  # another thread has called ``kill``, perhaps before the process existed
                raise MatchError("the match is over")
            self._begin(self._process, by_nodes)
        except (MatchError, ClientError) as error:
            self._drop()
            raise MatchError(f"engine {shown(self.spec.name)} does not start: {self._reason_at_start(error)}") from None

    def _begin(self, process: EngineProcess, by_nodes: bool) -> None:
        process.greet()
        self.options = process.configure(self.spec.options, self._rules)
        self._kind.introduce(process.client, self._from_start)
        if self.spec.protocol == "xboard":
            process.ask(lambda client: client.warm_up(), self._start_s, "ping")
        if by_nodes and self.spec.protocol == "xboard" and not process.client.features.get("nps"):
            raise MatchError("it does not announce nps, so it supports no node limits")

    def adapt(self, rules: dict[str, str]) -> None:
        """Set options for a game if the engine has them and the user has not set them. Raises MatchError."""
        process = self._process
        assert process is not None  # the engine is running
        own = {name.lower() for name in self.spec.options}
        try:
            accepted = process.configure({}, {name: value for name, value in rules.items() if name.lower() not in own})
        except ClientError as error:
            self._drop()
            raise MatchError(_reason(error)) from None
        self.options = {name: value for name, value in (self.options | accepted).items() if value}

    def move(self, position: Any, limit: chess.engine.Limit, game: object, patience_s: float) -> Reply:
        """Request a move. Raises MatchError for an engine that crashes, hangs or moves illegally.

        position: the referee's ``position``.
        """
        process = self._process
        assert process is not None  # ``start`` has been called
        client = process.client
        client.asked_s = time.perf_counter()  # so that the time is set even if the command is never sent
        try:
            result = process.ask(lambda client: client.play(position, limit, game=game, info=client.info), patience_s)
        except ClientError as error:
            self._drop()  # the process may have stopped responding
            raise MatchError(_reason(error)) from None
        if result.resigned:
            return Reply(None, time.perf_counter() - client.asked_s)
        if not result.move:  # the match accepts no null move
            claim = client.claim
            self._drop()
            raise MatchError(f"claims {shown(claim)} instead of moving" if claim else "gives no move")
        return Reply(result.move, client.answered_s - client.asked_s, client.thought)

    def _reason_at_start(self, error: MatchError | ClientError) -> str:
        if isinstance(error, NoProgramError):
            return f"{error}: {shown(self.spec.command[0])}"  # an engine may report any name
        return str(error) if isinstance(error, SilentError) else _reason(error)

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """End the engine permanently. The engine is asked to quit, and killed if it does not quit."""
        self._retired = True
        process, self._process = self._process, None
        if process is not None:
            process.leave(_LEAVE_S)

    def kill(self) -> None:
        """Kill the engine permanently, abandoning its game."""
        self._retired = True
        self._drop()


def _reason(error: MatchError | ClientError) -> str:
    if isinstance(error, SilentError):
        return "hangs"
    if isinstance(error, GoneError):
        return "crashes"
    if isinstance(error, WrongMoveError):
        said = str(error)
        return f"moves illegally: {said if len(said) <= _LONGEST else said[: _LONGEST - 3] + '...'}"
    return str(error)
