"""Jobs that a user at a terminal runs under UCI: perft, bench, speedtest. Jobs obey `stop` and `quit`.

A job has its own thread, so that the engine reads lines in the meantime. Those lines are queued, and obeyed in order
after the job; `stop` ends the job first.
"""

from __future__ import annotations

import time
from _thread import allocate_lock, get_ident, start_new_thread

from standstill.engine.common.errors import StandstillError
from standstill.engine.common.text import shown
from standstill.engine.settings.options import find
from standstill.engine.variants.perft import Stopped, divide_unless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from standstill.engine.play.bench import Bench, Speedtest
    from standstill.engine.variants.notation import Board


class Perft:
    """Counts the leaves of the tree of legal moves of one position."""

    def __init__(self, board: Board, depth: int):
        self._board = board
        self._depth = depth
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True

    def run(self, write: Callable[[str], None]) -> bool:
        """Write the counts and return True; False if `stop` ended the count early."""
        try:
            counts = divide_unless(lambda: self._stopped, self._board, self._depth)
        except Stopped:
            return False
        lines = [f"{move}: {count}" for move, count in counts]
        write("\n".join([*lines, "", f"Nodes searched: {sum(count for _, count in counts)}"]))
        return True


class Jobs:
    """Runs at most one job at a time, and queues the lines that wait for its end."""

    def __init__(self, obey: Callable[[str], bool], write: Callable[[str], None], say: Callable[[str], None]):
        """obey: handles a line. write: prints text. say: prints a line for people in the form of the protocol."""
        self._obey = obey
        self._write = write
        self._say = say
        self._lock = allocate_lock()
        self._job: Perft | Bench | Speedtest | None = None
        self._thread = 0  # identity of the working thread; 0 if no job runs
        self._waiting: list[tuple[str, bool]] = []  # queued lines, each with whether the line is `stop`

    def start(self, name: str, job: Perft | Bench | Speedtest) -> None:
        """Run the job; a job whose line was queued runs on the thread of the job before it."""
        with self._lock:
            self._job = job
            if any(is_stop for _, is_stop in self._waiting):  # `stop` came while the job's own line was queued
                job.stop()
        if self._thread == get_ident():
            self._run(name, job)
        else:
            self._thread = -1
            start_new_thread(self._work, (name, job))

    def keep(self, line: str, is_stop: bool) -> bool:
        """Queue the line if a job runs, and end the job if the line is `stop`. Returns whether the line was queued."""
        with self._lock:
            if not self._thread or self._thread == get_ident():
                return False
            self._waiting.append((line, is_stop))
            if is_stop and self._job is not None:
                self._job.stop()
            return True

    def leave(self, patience_s: float) -> bool:
        """End the job and drop the queue. Returns whether the job has ended, after at most this time."""
        with self._lock:
            self._waiting.clear()
        deadline = time.monotonic() + patience_s
        while self._thread:
            if self._job is not None:
                self._job.stop()
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)
        return True

    def _work(self, name: str, job: Perft | Bench | Speedtest) -> None:
        """Body of the thread."""
        self._thread = get_ident()
        try:
            self._run(name, job)
            while (line := self._next()) is not None:
                self._obey(line)
        except BaseException:
            self._thread = 0
            raise

    def _next(self) -> str | None:
        with self._lock:
            if self._waiting:
                return self._waiting.pop(0)[0]
            self._thread = 0  # from here on another thread may run a job, so this thread must not touch the state again
            return None

    def _run(self, name: str, job: Perft | Bench | Speedtest) -> None:
        try:
            if not job.run(self._write):
                self._say(f"{name} was stopped")
        except StandstillError as error:
            self._say(f"error: {error}")
        finally:
            self._job = None


def numbers(text: str, first: str, *others: str) -> dict[str, int]:
    """The numbers after `bench` and similar commands, by name: ``[N] [NAME N]...``. A bare first number belongs to
    ``first``.

    Raises StandstillError.
    """
    words = text.split()
    expected = f"expected [{first.upper()}] {' '.join(f'[{name} N]' for name in others)}, found {shown(text)}"
    if words and words[0] not in (first, *others):
        words.insert(0, first)
    found: dict[str, int] = {}
    for name, word in zip(words[::2], words[1::2], strict=False):
        if name not in (first, *others) or name in found or not (word.isascii() and word.isdigit()):
            raise StandstillError(expected)
        found[name] = int(word[:18])
        spec = find(name)
        least, most = (spec.minimum, spec.maximum) if spec is not None else (1, 10**6)
        if not least <= found[name] <= most:
            raise StandstillError(f"expected {name} from {least} to {most}, found {shown(word)}")
    if len(words) % 2:
        raise StandstillError(expected)
    return found
