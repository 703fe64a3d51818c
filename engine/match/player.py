"""An engine process that plays: python-chess's engine client, and our own idea of what an engine has to answer for."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import time
from dataclasses import dataclass

import chess
import chess.engine

from ..errors import MatchError
from ..notation import shown
from .setup import EngineSpec

START_S = 15.0  # an engine may take so long to answer at its start
_LEAVE_S = 3.0  # and so long to leave
_FEATURES_S = 10.0  # and so long to end its list of features, in XBoard's protocol

_TRUE, _FALSE = {"true", "1", "on", "yes"}, {"false", "0", "off", "no"}

# What these have to say is in the errors that come of it; nothing of it belongs on the terminal.
for _name in ("chess.engine", "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class _Timed:
    """Notes when the engine was told to think and when it said its move: only that is on its clock."""

    answer = ""  # the first word of the line that gives the move
    asked_s = answered_s = 0.0
    claim = ""  # a result that the engine has claimed since it was asked, its own words

    def send_line(self, line: str) -> None:
        super().send_line(line)
        if line.split(" ", 1)[0] == "go":
            self.asked_s, self.claim = time.perf_counter(), ""

    def line_received(self, line: str) -> None:
        word = line.split(" ", 1)[0]
        if word == self.answer:
            self.answered_s = time.perf_counter()
        super().line_received(line)


class _Uci(_Timed, chess.engine.UciProtocol):
    answer = "bestmove"


class _Xboard(_Timed, chess.engine.XBoardProtocol):
    answer = "move"

    async def initialize(self) -> None:
        """python-chess waits two seconds for the features; engines on a busy machine take longer."""
        asked = asyncio.ensure_future(super().initialize())
        await asyncio.sleep(0)  # the command is there now
        command = self.command
        if command is not None:
            command.timeout_handle.cancel()
            command.timeout_handle = self.loop.call_later(_FEATURES_S, command.timeout)
        await asked

    def line_received(self, line: str) -> None:
        if line.split(" ", 1)[0] in ("1-0", "0-1", "1/2-1/2"):
            self.claim = line
        super().line_received(line)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an engine has answered. move: None if it resigns. spent_s: from the word to think to the move."""

    move: chess.Move | None
    spent_s: float


class Player:
    """An engine process, started when it is first needed and again after it has failed."""

    def __init__(self, spec: EngineSpec, rules: dict[str, str] | None = None, start_s: float = START_S):
        """rules: options that an engine is told if it has them and the user has not set them. start_s: patience."""
        self.spec = spec
        self._rules = rules or {}
        self._start_s = start_s
        self._engine: chess.engine.SimpleEngine | None = None
        self._retired = False

    def start(self, by_nodes: bool = False) -> None:
        """Raises MatchError, with the reason, if it does not come up. by_nodes: it will be given limits of nodes."""
        if self._engine is not None:
            return
        protocol = _Uci if self.spec.protocol == "uci" else _Xboard
        engine = None
        try:
            engine = chess.engine.SimpleEngine.popen(protocol, list(self.spec.command), timeout=self._start_s)
            self._configure(engine)
            if by_nodes and protocol is _Xboard and not engine.protocol.features.get("nps"):
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

    def move(self, board: chess.Board, limit: chess.engine.Limit, game: object, patience_s: float) -> Reply:
        """Have it move. Raises MatchError for an engine that crashes, hangs or moves illegally."""
        engine = self._engine
        protocol = engine.protocol
        protocol.asked_s = time.perf_counter()  # if it is not even asked
        thought = asyncio.wait_for(protocol.play(board, limit, game=game), patience_s)
        try:
            result = asyncio.run_coroutine_threadsafe(thought, protocol.loop).result()
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
        leaving = asyncio.wait_for(engine.protocol.quit(), _LEAVE_S)
        with contextlib.suppress(chess.engine.EngineError, TimeoutError, concurrent.futures.CancelledError):
            asyncio.run_coroutine_threadsafe(leaving, engine.protocol.loop).result()
        engine.close()

    def kill(self) -> None:
        """At once and for good, whatever it is doing: its game is given up."""
        self._retired = True
        self._drop()


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
