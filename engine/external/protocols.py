"""python-chess's clients for the two protocols, which also record the times of moves and claims of results."""

from __future__ import annotations

import asyncio
import re
import shlex
import time
from collections import deque
from typing import Any

import chess.engine

from ..common.errors import StandstillError
from ..system.processes import Group
from .thoughts import Thought, uci_thought, xboard_thought

_UCI_NAME = re.compile(r"\bname\s+(.+?)\s+type\b")
_NEEDED_FEATURES = ("ping", "setboard")  # features of XBoard's protocol that python-chess requires
_FEATURES_S = 10.0  # time allowed for an engine to finish its list of features, in XBoard's protocol
_LONGEST_LINE = 1 << 16  # largest number of bytes in a line; an endless line would fill the memory
_PIECE = 1 << 12  # bytes processed at once, because python-chess copies the whole rest for each line
_MOST_HEARD = 1000  # largest number of lines kept between two searches
_MOST_LINES = 500  # largest MultiPV of common engines; python-chess allocates up to the number in a line
_LAST_WORDS_S = 1.0  # time between the end of an engine and the end of its output, in either order
_MULTIPV = re.compile(r"\bmultipv\s+(-?\d+)")


class MissingFeatureError(StandstillError, chess.engine.EngineError):
    """An engine of XBoard's protocol does not announce a feature that python-chess requires."""

    def __init__(self, feature: str):
        super().__init__(f"it does not announce {feature}")
        self.feature = feature


class _Timed(chess.engine.Protocol):
    """Records when the engine was told to think and when it sent its move. Only this interval counts on its clock."""

    introduction = question = ""  # the command after which an engine introduces itself, and the one it answers at once
    answer = ""  # the first word of the line with the move
    silent = False  # whether no line has come since the last request, or since the search began
    asked_s = answered_s = 0.0
    info = chess.engine.INFO_SCORE  # INFO_NONE would tell XBoard engines not to print thinking
    thought: Thought | None = None  # the last thought since the request
    unusable: dict[str, str]  # invalid options, which are not used: name -> error in the announcement
    claim = ""  # the line with which the engine has claimed a result since the request
    heard: deque[str]  # the last lines between two searches
    group: Group | None = None  # the engine's process group
    closed = False  # whether the output is closed although the process runs

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.heard = deque(maxlen=_MOST_HEARD)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        for start in range(0, len(data), _PIECE):
            super().pipe_data_received(fd, data[start : start + _PIECE])
        if len(self.buffer[fd]) > _LONGEST_LINE:
            self.buffer[fd].clear()
            if fd == 1:
                self.loop.call_exception_handler(
                    {
                        "message": "a line without an end",
                        "exception": chess.engine.EngineError(f"it sends a line of more than {_LONGEST_LINE} bytes"),
                        "protocol": self,
                    }
                )

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        super().pipe_connection_lost(fd, exc)
        if fd == 1:
            self.loop.call_later(_LAST_WORDS_S, self._give_up)

    def process_exited(self) -> None:
        super().process_exited()
        self.loop.call_later(_LAST_WORDS_S, self._give_up)

    def _give_up(self) -> None:
        """End an engine that has closed its output, or whose child processes hold the output open.

        Neither kind of engine will answer.
        """
        if self.returncode.done() or self.transport is None:
            return
        self.closed = self.transport.get_returncode() is None
        if self.group is not None:
            self.group.kill()
        self.transport.close()

    def send_line(self, line: str) -> None:
        super().send_line(line)
        word = line.split(" ", 1)[0]
        self.silent = self.silent or word in ("go", "analyze")
        if word == "go":
            self.asked_s, self.claim, self.thought = time.perf_counter(), "", None
            self.heard.clear()

    def line_received(self, line: str) -> None:
        word = line.split(" ", 1)[0]
        self.silent = False
        if word == self.answer:
            self.answered_s = time.perf_counter()
        self.thought = self.read_thought(line) or self.thought
        if not self.asked_s:
            self.heard.append(line)
        super().line_received(line)

    def read_thought(self, line: str) -> Thought | None:
        """Return the depth and score in this line; None if it contains none."""
        raise NotImplementedError


class UciClient(_Timed, chess.engine.UciProtocol):
    introduction, question = "uci", "isready"
    answer = "bestmove"
    info = chess.engine.INFO_NONE  # this class parses the info lines itself, so python-chess need not

    async def initialize(self) -> None:
        """Skip invalid options, such as a default outside the range, at which python-chess would fail."""
        asked = asyncio.ensure_future(super().initialize())
        await asyncio.sleep(0)  # lets python-chess create the command
        self.unusable = {}
        command: Any = self.command
        if command is not None:
            read = command._option

            def read_if_sound(text: str) -> None:
                try:
                    read(text)
                except chess.engine.EngineError as error:
                    name = _UCI_NAME.search(text)
                    self.unusable[name[1] if name else text] = str(error)

            command._option = read_if_sound
        await asked

    def _line_received(self, line: str) -> None:
        rank = _MULTIPV.search(line) if "multipv" in line else None
        if rank is None or 0 < int(rank[1][:6]) <= _MOST_LINES:
            super()._line_received(line)

    def read_thought(self, line: str) -> Thought | None:
        return uci_thought(line)


class XboardClient(_Timed, chess.engine.XBoardProtocol):
    introduction, question = "protover", "ping"
    answer = "move"

    def read_thought(self, line: str) -> Thought | None:
        return xboard_thought(line)

    async def initialize(self) -> None:
        """Wait longer for the features than python-chess's two seconds, because a busy machine may be slower."""
        asked = asyncio.ensure_future(super().initialize())
        await asyncio.sleep(0)  # lets python-chess create the command
        command: Any = self.command
        if command is not None:
            waiting: Any = command  # an instance of a class that python-chess defines inside a function
            waiting.timeout_handle.cancel()
            waiting.timeout_handle = self.loop.call_later(_FEATURES_S, waiting.timeout)
            self.unusable = {}
            self._read_features_apart(waiting)
            self._name_missing_feature(waiting)
            self.introduction_begins(command)
        await asked

    def _read_features_apart(self, command: Any) -> None:
        """Read features one by one. After an invalid option python-chess drops the rest of the line, often `done`."""
        read = command._feature

        def read_each(text: str) -> None:
            for feature in shlex.split(text):
                try:
                    read(shlex.quote(feature))
                except (ValueError, IndexError):
                    name = feature.partition("=")[2].partition(" -")[0]
                    self.unusable[name] = f"found {feature!r}"

        command._feature = read_each

    def _name_missing_feature(self, command: Any) -> None:
        """Raise an error with the missing feature as an attribute; python-chess names it only in its message."""
        end = command.end

        def end_if_complete() -> None:
            missing = [feature for feature in _NEEDED_FEATURES if not self.features.get(feature)]
            if missing:
                command.result.set_exception(MissingFeatureError(missing[0]))
                command.set_finished()
            else:
                end()

        command.end = end_if_complete

    async def warm_up(self) -> None:
        """Let the engine load its data before a clock runs. python-chess does not request that."""
        self.send_line("new")
        self.send_line("force")
        await self.ping()

    def introduction_begins(self, command: chess.engine.BaseCommand[Any]) -> None:
        """Do nothing. Subclasses may act when the features have been requested; ``command`` receives them."""

    def line_received(self, line: str) -> None:
        if line.split(" ", 1)[0] in ("1-0", "0-1", "1/2-1/2"):
            self.claim = line
        super().line_received(line)
