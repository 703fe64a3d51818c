"""The analysis over several games that the page Desk runs: one at a time, on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from ... import NAME, VERSION
from ...clock.units import DAY_MS, parse_duration
from ...common.errors import ClockError, EngineUseError, GameError, StandstillError
from ...common.text import shown
from ...correspondence.desk import Desk
from ...correspondence.long_analysis.analysts import Analyst, ForeignAnalyst, OwnAnalyst
from ...correspondence.long_analysis.report import current, wish
from ...correspondence.long_analysis.sitting import PAUSE, STOP, Sitting
from ...correspondence.store import Store
from ...play.session import Session
from .. import fields
from ..fields import Fields
from ..study.foreign import name_of

LINES = 3  # best lines found in each position; their moves lead to the positions analysed next
_MOST_THREADS, _MOST_HASH_MB = 1024, 1 << 20
_LEAST_MS, _LONGEST_MS = 100, 30 * DAY_MS
_START_S, _END_S = 60.0, 5.0
_WISHES = {"pause": PAUSE, "continue": "", "stop": STOP}


class AnalysisRunner:
    """Starts analyses, and controls the running one, even if it was started in a terminal.

    A page chooses among the engines that the command line has named, beginning with this engine; it cannot name a
    program.
    """

    def __init__(self, path: Path, new_session: Callable[[], Session], engines: Sequence[Sequence[str]]):
        """path: of the store. engines: the commands of other engines."""
        self._path, self._new_session, self._engines = path, new_session, engines
        self._thread: threading.Thread | None = None
        self._sitting: Sitting | None = None
        self._starting = threading.Lock()
        self._closed = False
        self._unwanted = threading.Event()  # True if the analysis was cancelled while it was starting
        self.problem = ""  # the reason why the last analysis ended early
        self.waiting = ""  # the answer of the starting engine that is being waited for

    @property
    def engines(self) -> list[str]:
        return [f"{NAME} {VERSION}", *map(name_of, self._engines)]

    @property
    def is_busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def begin(self, desk: Desk, data: Fields) -> dict[str, object]:
        """Begin an analysis.

        The method returns once the engine has started. Raises ClockError, GameError or EngineUseError.
        """
        with self._starting:  # two tabs may ask at the same time
            return self._begun(desk, data)

    def _begun(self, desk: Desk, data: Fields) -> dict[str, object]:
        if self._closed:
            raise EngineUseError("the server is ending")
        if self.is_busy or current(desk) is not None:
            raise EngineUseError("an analysis over several games is running already: stop it first")
        tag = fields.text(data, "tag").strip() or None
        name = fields.text(data, "name").strip()
        if name:
            desk.load(name)  # raises an error for a game that is not stored
        time_ms = _time(data, "time", "8h", "h", _LONGEST_MS)
        slice_ms = _time(data, "slice", "1m", "m", DAY_MS)
        engine = fields.whole(data, "engine", 0, len(self._engines)) or 0
        given = {
            "Threads": fields.whole(data, "threads", 1, _MOST_THREADS),
            "Hash": fields.whole(data, "hash", 1, _MOST_HASH_MB),
        }
        options = {option: str(value) for option, value in given.items() if value is not None}
        begun, unwanted = threading.Event(), threading.Event()
        self._unwanted = unwanted
        self.problem = ""
        self._thread = threading.Thread(
            target=self._run,
            args=(
                engine,
                options,
                time_ms / 1000,
                slice_ms / 1000,
                tag,
                (name,) if name else (),
                begun,
                self._unwanted,
            ),
            name="analysis over several games",
            daemon=True,
        )
        self._thread.start()
        if not begun.wait(_START_S):
            unwanted.set()
            raise GameError("the engine does not start")
        if self.problem:
            raise GameError(self.problem)
        return {"done": f"{self.engines[engine]} analyses"}

    def _run(  # noqa: PLR0917 (called once)
        self,
        engine: int,
        options: dict[str, str],
        seconds: float,
        slice_s: float,
        tag: str | None,
        names: tuple[str, ...],
        begun: threading.Event,
        unwanted: threading.Event,
    ) -> None:
        analyst: Analyst | None = None
        try:
            with Store(self._path) as store:  # a store belongs to the thread that opened it
                session = self._new_session()
                analyst = self._analyst(engine, options, session, unwanted)
                self.waiting = ""
                sitting = Sitting(Desk(store), analyst, session.settings, seconds, slice_s)
                try:
                    sitting.choose(tag=tag, names=names)
                    if not sitting.queue:
                        tagged = f" with the tag {shown(tag)}" if tag else ""
                        raise GameError(f"no running game{tagged} that an engine may analyse")
                    self._sitting = sitting
                    begun.set()
                    while not unwanted.is_set() and sitting.step() is not None:
                        pass
                finally:
                    self._sitting = None
                    if sitting.id:
                        sitting.end()
        except StandstillError as error:
            self.problem = str(error)
        finally:
            self.waiting = ""
            if analyst is not None:
                analyst.close()
            begun.set()

    def _analyst(self, engine: int, options: dict[str, str], session: Session, unwanted: threading.Event) -> Analyst:
        if engine:
            words = self._engines[engine - 1]
            return ForeignAnalyst(words, options, LINES, self._tell, lambda: not unwanted.is_set())
        for option, value in (options | {"MultiPV": str(LINES)}).items():
            session.set_option(option, value)
        return OwnAnalyst(session)

    def _tell(self, text: str) -> None:
        self.waiting = text

    def direct(self, desk: Desk, data: Fields) -> dict[str, object]:
        """Pause, continue or stop the analysis that is running, in this process or another."""
        what = fields.choice(data, "wish", tuple(_WISHES), "")
        wish(desk, _WISHES[what])
        return {"done": {"pause": "paused", "continue": "continued", "stop": "stopped"}[what]}

    def close(self) -> None:
        """End the analysis at the end of the program. Finished positions are already stored."""
        self._closed = True
        self._unwanted.set()
        sitting, thread = self._sitting, self._thread
        if sitting is not None:
            sitting.stop()
        if thread is not None:
            thread.join(_END_S)


def _time(data: Fields, name: str, default: str, unit: str, most_ms: int) -> int:
    """Return a time from the form. unit: the unit of a number without one. Raises GameError."""
    text = fields.text(data, name).strip() or default
    try:
        found = parse_duration(text + unit * text.replace(".", "", 1).isdecimal())
    except ClockError:
        found = 0
    if not _LEAST_MS <= found <= most_ms:
        raise GameError(f"{name}: expected a time up to {most_ms // DAY_MS} d, such as {default}, found {shown(text)}")
    return found
