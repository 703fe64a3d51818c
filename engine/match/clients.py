"""Engine processes in orthodox games: python-chess's clients, with an eye on the clock and on what is claimed."""

from __future__ import annotations

import asyncio
import logging
import time

import chess.engine

_FEATURES_S = 10.0  # an engine may take so long to end its list of features, in XBoard's protocol

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


class Uci(_Timed, chess.engine.UciProtocol):
    answer = "bestmove"


class Xboard(_Timed, chess.engine.XBoardProtocol):
    answer = "move"

    async def initialize(self) -> None:
        """python-chess waits two seconds for the features; engines on a busy machine take longer."""
        asked = asyncio.ensure_future(super().initialize())
        await asyncio.sleep(0)  # the command is there now
        command = self.command
        if command is not None:
            command.timeout_handle.cancel()
            command.timeout_handle = self.loop.call_later(_FEATURES_S, command.timeout)
            self.introduction_begins(command)
        await asked

    def introduction_begins(self, command: chess.engine.BaseCommand) -> None:
        """Called when the features have been asked for; ``command`` takes them."""

    def line_received(self, line: str) -> None:
        if line.split(" ", 1)[0] in ("1-0", "0-1", "1/2-1/2"):
            self.claim = line
        super().line_received(line)
