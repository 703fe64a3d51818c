"""python-chess's clients for the two protocols, with an eye on the clock and on what is claimed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import signal
import time
from collections import deque
from typing import Any

import chess.engine

from ..common.errors import StandstillError
from .thoughts import Thought, uci_thought, xboard_thought

_UCI_NAME = re.compile(r"\bname\s+(.+?)\s+type\b")
_NEEDED_FEATURES = ("ping", "setboard")  # of XBoard's protocol; python-chess cannot do without
_FEATURES_S = 10.0  # an engine may take so long to end its list of features, in XBoard's protocol
_LONGEST_LINE = 1 << 16  # bytes; an engine that never ends its line would fill the memory
_PIECE = 1 << 12  # bytes taken at once; python-chess copies all that is left for each line
_MOST_HEARD = 1000  # lines between two searches that are kept
_MOST_LINES = 500  # of MultiPV, as engines limit it; python-chess makes room for as many as an engine numbers
_LAST_WORDS_S = 1.0  # between the end of an engine and that of its output, whichever comes first
_MULTIPV = re.compile(r"\bmultipv\s+(-?\d+)")


class MissingFeatureError(StandstillError, chess.engine.EngineError):
    """An engine of XBoard's protocol that does not announce a feature which python-chess needs."""

    def __init__(self, feature: str):
        super().__init__(f"it does not announce {feature}")
        self.feature = feature


class _Timed(chess.engine.Protocol):
    """Notes when the engine was told to think and when it said its move: only that is on its clock."""

    answer = ""  # the first word of the line that gives the move
    asked_s = answered_s = 0.0
    info = chess.engine.INFO_SCORE  # without any, engines of XBoard's protocol are told to be silent
    thought: Thought | None = None  # the last one since then
    unusable: dict[str, str]  # options that are announced wrongly, by name: they are left out, and why
    claim = ""  # a result that the engine has claimed since it was asked, its own words
    heard: deque[str]  # the last lines since it was emptied, those before a move
    closed = False  # it lives, and can say nothing any more

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
                        "exception": chess.engine.EngineError(f"it says a line of more than {_LONGEST_LINE} bytes"),
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
        """End one that has closed its output, or has left others behind that hold it open: neither will answer."""
        if self.returncode.done() or self.transport is None:
            return
        self.closed = self.transport.get_returncode() is None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.transport.get_pid(), signal.SIGKILL)
        self.transport.close()

    def send_line(self, line: str) -> None:
        super().send_line(line)
        if line.split(" ", 1)[0] == "go":
            self.asked_s, self.claim, self.thought = time.perf_counter(), "", None
            self.heard.clear()

    def line_received(self, line: str) -> None:
        word = line.split(" ", 1)[0]
        if word == self.answer:
            self.answered_s = time.perf_counter()
        self.thought = self.read_thought(line) or self.thought
        if not self.asked_s:
            self.heard.append(line)
        super().line_received(line)

    def read_thought(self, line: str) -> Thought | None:
        """What the engine says of its search, if it does so in this line."""
        raise NotImplementedError


class UciClient(_Timed, chess.engine.UciProtocol):
    answer = "bestmove"
    info = chess.engine.INFO_NONE  # what it says of its search is read here, and once is enough

    async def initialize(self) -> None:
        """python-chess gives an engine up whose option is announced wrongly, with a default beyond its limits, say."""
        asked = asyncio.ensure_future(super().initialize())
        await asyncio.sleep(0)  # the command is there now
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
    answer = "move"

    def read_thought(self, line: str) -> Thought | None:
        return xboard_thought(line)

    async def initialize(self) -> None:
        """python-chess waits two seconds for the features; engines on a busy machine take longer."""
        asked = asyncio.ensure_future(super().initialize())
        await asyncio.sleep(0)  # the command is there now
        command: Any = self.command
        if command is not None:
            waiting: Any = command  # python-chess's own, of a class that has no name outside
            waiting.timeout_handle.cancel()
            waiting.timeout_handle = self.loop.call_later(_FEATURES_S, waiting.timeout)
            self.unusable = {}
            self._read_features_apart(waiting)
            self._name_missing_feature(waiting)
            self.introduction_begins(command)
        await asked

    def _read_features_apart(self, command: Any) -> None:
        """python-chess loses the rest of a line behind an option that is announced wrongly, often `done`."""
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
        """python-chess says only in the text of its error which feature is missing."""
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
        """Let the engine load what a game needs before a clock runs; python-chess asks for nothing of the kind."""
        self.send_line("new")
        self.send_line("force")
        await self.ping()

    def introduction_begins(self, command: chess.engine.BaseCommand[Any]) -> None:
        """Called when the features have been asked for; ``command`` takes them."""

    def line_received(self, line: str) -> None:
        if line.split(" ", 1)[0] in ("1-0", "0-1", "1/2-1/2"):
            self.claim = line
        super().line_received(line)
