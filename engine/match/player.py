"""An engine process that plays: python-chess's engine client, and our own idea of what an engine has to answer for."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import chess.engine

from ..errors import MatchError
from ..notation import shown
from .orthodox import CHESS
from .referee import START_S, Kind
from .setup import EngineSpec

_LEAVE_S = 3.0  # an engine may take so long to leave
_LOOK_S = 1.0  # how often to see whether it is there at all

_TRUE, _FALSE = {"true", "1", "on", "yes"}, {"false", "0", "off", "no"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What an engine has answered. move: None if it resigns. spent_s: from the word to think to the move."""

    move: Any
    spent_s: float


class Player:
    """An engine process, started when it is first needed and again after it has failed."""

    def __init__(
        self,
        spec: EngineSpec,
        rules: dict[str, str] | None = None,
        start_s: float = START_S,
        kind: Kind = CHESS,
        from_start: bool = False,
    ):
        """rules: options that an engine is told if it has them and the user has not set them. start_s: patience.

        from_start: all games begin with the start position.
        """
        self.spec = spec
        self._rules = rules or {}
        self._start_s = start_s
        self._kind = kind
        self._from_start = from_start
        self._engine: chess.engine.SimpleEngine | None = None
        self._retired = False

    def start(self, by_nodes: bool = False) -> None:
        """Raises MatchError, with the reason, if it does not come up. by_nodes: it will be given limits of nodes."""
        if self._engine is not None:
            return
        protocol = self._kind.clients[self.spec.protocol]
        engine = None
        try:
            engine = chess.engine.SimpleEngine.popen(protocol, list(self.spec.command), timeout=self._start_s)
            self._configure(engine)
            self._kind.introduce(engine.protocol, self._from_start)
            if by_nodes and self.spec.protocol == "xboard" and not engine.protocol.features.get("nps"):
                raise MatchError("it does not announce nps, so it knows no limit of nodes")
        except (MatchError, chess.engine.EngineError, OSError, TimeoutError) as error:
            if engine is not None:
                engine.close()
            raise MatchError(f"engine {shown(self.spec.name)} does not start: {_reason_at_start(error)}") from None
        self._engine = engine
        if self._retired:
            self._drop()
            raise MatchError("the match is over")

    def _configure(self, engine: chess.engine.SimpleEngine) -> None:
        known = {_plain(name): option for name, option in engine.options.items()}
        options = {}
        for name, value in self.spec.options.items():
            option = known.get(_plain(name))
            if option is None:
                raise MatchError(f"it has no option {shown(name)}")
            options[option.name] = _option_value(option, value)
        for name, value in self._rules.items():
            option = known.get(_plain(name))
            if option is not None:
                options.setdefault(option.name, _option_value(option, value))
        engine.configure(options)

    def move(self, position: Any, limit: chess.engine.Limit, game: object, patience_s: float) -> Reply:
        """Have it move. Raises MatchError for an engine that crashes, hangs or moves illegally.

        position: the referee's.
        """
        engine = self._engine
        protocol = engine.protocol
        protocol.asked_s = time.perf_counter()  # if it is not even asked
        try:
            result = _answer(protocol, lambda: protocol.play(position, limit, game=game), patience_s)
        except (chess.engine.EngineError, TimeoutError) as error:
            self._drop()  # it may not listen any more
            raise MatchError(_reason(error)) from None
        if result.resigned:
            return Reply(None, time.perf_counter() - protocol.asked_s)
        if not result.move:  # a null move is none
            claim = protocol.claim
            self._drop()
            raise MatchError(f"claims {shown(claim)} instead of moving" if claim else "gives no move")
        return Reply(result.move, protocol.answered_s - protocol.asked_s)

    def _drop(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def stop(self) -> None:
        """Ask it to leave for good; one that does not is killed."""
        self._retired = True
        engine, self._engine = self._engine, None
        if engine is None:
            return
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            _answer(engine.protocol, engine.protocol.quit, _LEAVE_S)
        engine.close()

    def kill(self) -> None:
        """At once and for good, whatever it is doing: its game is given up."""
        self._retired = True
        self._drop()


def _answer(protocol: chess.engine.Protocol, question: Callable[[], Coroutine], patience_s: float) -> Any:
    """What comes of a question to an engine, asked on the loop of its own thread.

    The loop ends with the process: before the question, or just now, and then nobody would ever answer it.
    Raises EngineError, TimeoutError.
    """

    async def asked() -> Any:
        return await asyncio.wait_for(question(), patience_s)

    waiting = asked()
    try:
        future = asyncio.run_coroutine_threadsafe(waiting, protocol.loop)
    except RuntimeError:
        waiting.close()
        raise chess.engine.EngineTerminatedError("it has left") from None
    while not concurrent.futures.wait([future], _LOOK_S).done:
        if protocol.loop.is_closed():
            raise chess.engine.EngineTerminatedError("it has left")
    try:
        return future.result()
    except concurrent.futures.CancelledError:
        raise chess.engine.EngineTerminatedError("it has left") from None


def _plain(name: str) -> str:
    return name.lower().replace(" ", "")


def _option_value(option: chess.engine.Option, value: str) -> str | bool:
    if option.type != "check":
        return value
    word = value.strip().lower()
    if word not in _TRUE | _FALSE:
        raise MatchError(f"its option {option.name} is true or false, found {shown(value)}")
    return word in _TRUE


def _reason_at_start(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it says nothing"
    for feature in ("ping", "setboard"):
        if str(error).endswith(f"required feature: {feature}"):
            return f"it does not announce {feature}; engines of XBoard's protocol need ping and setboard here"
    return _reason(error)


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "hangs"
    if isinstance(error, chess.engine.EngineTerminatedError):
        return "crashes"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if error.args and isinstance(error.args[0], ValueError):
        return f"moves illegally: {error}"
    return " ".join(str(error).split()) or type(error).__name__
