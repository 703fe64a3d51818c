"""Live analysis by another UCI engine. Each analysis has its own process."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.engine

from ...common.text import visible
from ...external.process import START_S, ClientError, EngineProcess
from ...external.protocols import UciClient
from ...relevance import nags
from ...relevance.model import position_nag, result
from ...relevance.presets import preset
from ...variants.notation import NULL_MOVE
from ..setup import Setup

_HASH_MB = 64
_LONGEST_LINE = 24  # maximum number of half-moves of a line that a page shows
_INFO = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE | chess.engine.INFO_PV

Tell = Callable[[str, object], None]


def name_of(command: Sequence[str]) -> str:
    """Return the name of an engine on the page."""
    return visible(Path(command[0]).stem)


def board_of(setup: Setup) -> chess.Board:
    """Return the board after the moves of a setup of chess."""
    fen = setup.fen or chess.STARTING_FEN
    board = chess.Board(" ".join(fen.split()[:6]), chess960=setup.chess960)
    for move in setup.moves:
        board.push(chess.Move.null() if move == NULL_MOVE else board.parse_uci(move))
    return board.copy(stack=False) if any(not move for move in board.move_stack) else board


class Analysis:
    """One search by another engine. The search runs in its own thread until ``end`` is called."""

    def __init__(self, command: Sequence[str], board: chess.Board, lines: int, longest_s: float):
        self._tell: Tell = lambda kind, value: None
        self._process = EngineProcess(UciClient, command, tell=lambda text: self._tell("waiting", text))
        self._board, self._lines, self._longest_s = board, lines, longest_s
        self._x05 = preset(name_of(command)).x05

    async def run(self, tell: Tell) -> None:
        """Search until ``end``.

        tell: a function that is called in the loop's thread with ``line``, ``waiting`` or ``problem``, and a value.
        """
        loop = asyncio.get_running_loop()

        def pass_on(kind: str, value: object) -> None:
            with contextlib.suppress(RuntimeError):  # the event loop is closed when the program ends
                loop.call_soon_threadsafe(tell, kind, value)

        await asyncio.to_thread(self._search, pass_on)

    def end(self) -> None:
        """Kill the engine without waiting, because the task of a closed page cannot wait, and the pool may be busy."""
        threading.Thread(target=self._process.kill, daemon=True).start()

    def _search(self, tell: Tell) -> None:
        self._tell = tell
        try:
            self._process.greet()
            client = self._process.client
            self._x05 = preset(client.id.get("name") or "").x05
            self._process.configure({}, {"Hash": str(_HASH_MB)})
            tell("waiting", "waiting for the first line")
            self._process.ask(lambda client: self._follow(client, tell), self._longest_s + START_S)
        except ClientError as error:
            tell("problem", f"The engine: {error}.")
        finally:
            self._process.kill()

    async def _follow(self, client: Any, tell: Tell) -> None:
        several = self._lines if "MultiPV" in client.options else None
        limit = chess.engine.Limit(time=self._longest_s)
        analysis = await client.analysis(self._board, limit, multipv=several, info=_INFO)
        async for info in analysis:
            if "score" in info and info.get("pv"):
                tell("line", self._view(info))

    def _view(self, info: Any) -> dict[str, object]:
        """Return a line in the form of ``thinking.line_view``."""
        score = info["score"].white()
        mate, centipawns = score.mate(), score.score()
        if centipawns is None:
            value = float("inf") if score > chess.engine.Cp(0) else -float("inf")
        else:
            value = centipawns / 100
        pv = info["pv"][:_LONGEST_LINE]
        nag = position_nag(value, self._x05)
        first = pv[0]
        return {
            "rank": info.get("multipv", 1),
            "depth": info.get("depth", 0),
            "nodes": info.get("nodes", 0),
            "score": f"{value:+.2f}" if mate is None else f"#{mate}",
            "words": None if mate is None else _mate_in_words(mate, value),
            "result": result(value, self._x05),
            "symbol": nags.text(nag),
            "nag": nag,
            "meaning": nags.meaning(nag),
            "pv": self._written(pv),
            "moves": [self._board.uci(first), *(move.uci() for move in pv[1:])],
            "move": self._board.uci(first),
            "squares": [chess.square_name(first.from_square), chess.square_name(first.to_square)],
            "number": self._board.fullmove_number,
            "turn": chess.COLOR_NAMES[self._board.turn],
            "forecast": None,
        }

    def _written(self, pv: list[chess.Move]) -> list[str]:
        board, found = self._board.copy(stack=False), []
        for move in pv:
            if not board.is_legal(move):
                break
            found.append(board.san_and_push(move))
        return found


def _mate_in_words(mate: int, value: float) -> str:
    side = "White" if value > 0 else "Black"
    return f"{side} mates in {abs(mate)}" if mate else f"{side} has mated"
