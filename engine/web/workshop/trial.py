"""A measurement of the balance of a game for the page:

`variants balance` runs as another process, and this module passes on its reports.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from tempfile import TemporaryDirectory

from ...common.atomic_files import write_whole
from ...common.errors import ArgumentError, EngineUseError
from ...common.text import visible
from ...variants.definition import Definition
from ..channel import Channel

MOST_GAMES = 2000
MOST_NODES = 100_000
_OPENINGS = "random:2026"  # the seed is fixed, so that a resumed measurement plays the same openings
_LEAVE_S = 10  # time allowed for the process to end its games before it is killed
_LONGEST_ERROR = 300
_LONGEST_LINE = 1 << 20  # maximum length of a line that is read from the process, in bytes
_PLAIN = ("normal", "chess", "standard")  # the engines would play these by the rules of chess
_SCORES = (1.0, 0.5, 0.0)  # White's score in the games that White wins, draws and loses


class Trial:
    """The measurement of this run of the server; there is one at a time.

    The games are in a folder that only the user can read, which is removed at the end. After a stop, a measurement of
    the same game with the same nodes continues where it stopped.
    """

    def __init__(self, program: str):
        """program: the engine's executable."""
        self.channel = Channel()
        self._program = program
        self._folder: TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._state: dict[str, object] = {"phase": "none"}
        self._scores: list[float] = []  # White's score in each game, in the order in which the games ended
        self._points: list[tuple[float, float | None]] = []
        self._key: tuple[str, str, int] | None = None

    @property
    def view(self) -> dict[str, object]:
        """What the page shows. ``points``: White's mean score after each game and the half-width of its interval."""
        return {**self._state, "points": self._points}

    @property
    def games_file(self) -> str | None:
        """The file of the games, or None before the first measurement."""
        path = "" if self._folder is None else os.path.join(self._folder.name, "games.pgn")
        return path if path and os.path.exists(path) else None

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def start(self, game: Definition, text: str, games: int, nodes: int) -> None:
        """Begin a measurement, or continue a stopped one. Raises EngineUseError while a measurement runs."""
        if self.is_running:
            raise EngineUseError("expected one measurement at a time: stop the running one first")
        if not self._program:
            raise EngineUseError("expected the program standstill, which plays the games")
        if game.name in _PLAIN:
            raise ArgumentError(f"expected a game with a name of its own, found {game.name!a}")
        key = (game.name, str(game), nodes)
        if key != self._key or self._folder is None:
            self._renew()
            self._key = key
        assert self._folder is not None
        definitions, path = (os.path.join(self._folder.name, name) for name in ("games.ini", "games.pgn"))
        write_whole(definitions, text)
        words = ["--file", definitions, "--games", str(games), "--nodes", str(nodes), "-o", path]
        command = [self._program, "variants", "balance", *words, "--openings", _OPENINGS, "--json", "--", game.name]
        self._state |= {"phase": "openings", "error": "", "game": game.name, "games": games, "nodes": nodes}
        self._task = asyncio.create_task(self._follow(command))
        self._tell()

    def stop(self) -> None:
        """Stop the process soon, and keep the games played."""
        if self.is_running:
            self._state["phase"] = "stopping"
            self._tell()
            self._terminate()

    def _terminate(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    async def close(self) -> None:
        """End the games and remove their files."""
        self.stop()
        if self._task is not None:
            try:
                async with asyncio.timeout(_LEAVE_S):
                    await self._task
            except TimeoutError:
                if self._process is not None and self._process.returncode is None:
                    self._process.kill()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _renew(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = TemporaryDirectory(prefix="standstill-")
        self._scores, self._points = [], []
        self._state = {"phase": "none"}

    def _tell(self) -> None:
        self.channel.tell("balance", self.view)

    async def _follow(self, command: list[str]) -> None:
        """Run the command, and handle the lines that it prints."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, limit=_LONGEST_LINE
            )
        except OSError as error:
            self._state |= {"phase": "failed", "error": f"the program does not start: {error.strerror}"}
            self._tell()
            return
        self._process = process
        if self._state["phase"] == "stopping":  # the user has stopped the measurement before the process began
            self._terminate()
        assert process.stdout is not None and process.stderr is not None
        complaints = asyncio.create_task(process.stderr.read(_LONGEST_LINE))
        async for line in process.stdout:
            await self._take(json.loads(line))
        complaint = (await complaints).decode("utf-8", "replace").strip().rpartition("\n")[2]
        status = await process.wait()
        if status == 2:  # bad input
            reason = visible(complaint.removeprefix("standstill: "))[:_LONGEST_ERROR]
            self._state |= {"phase": "failed", "error": reason}
        else:
            self._state["phase"] = "done" if status in (0, 1) and "found" in self._state else "stopped"
        self._tell()

    async def _take(self, report: dict[str, object]) -> None:
        """Handle a line of the process: the games so far, or the statistics."""
        from ...match.balance import Share
        from ...match.statistics import estimate

        if "balance" in report:
            self._state |= {"found": report["balance"], "repeated": report["repeated"]}
            return
        tally = report["tally"]
        assert isinstance(tally, list)
        for score, count in zip(_SCORES, tally, strict=True):
            self._scores += [score] * (count - self._scores.count(score))
        for count in range(len(self._points) + 1, len(self._scores) + 1):
            found = estimate(self._scores[:count])
            self._points.append((round(found.mean, 4), None if found.error is None else round(found.error, 4)))
        shares = [Share(count, len(self._scores)) for count in tally]
        self._state |= {
            "played": len(self._scores),
            "results": [(share.count, *share.interval) for share in shares],
            "faults": report["faults"],
        }
        self._state.pop("found", None)  # the statistics so far are of fewer games
        if self._state["phase"] == "openings":
            self._state["phase"] = "playing"
        self._tell()
