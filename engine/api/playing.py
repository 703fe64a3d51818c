"""The engine from Python: a session without a protocol."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import fsencode
from types import TracebackType

from standstill.engine.common.errors import ArgumentError, ConfigError, EngineUseError, StandstillError
from standstill.engine.common.info import EXACT, BestMove, SearchInfo, is_mate, mate_moves, score_cp
from standstill.engine.common.limits import Limits
from standstill.engine.common.text import shown
from standstill.engine.correspondence.stored_clock import stored_clock
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.settings.options import find, unknown
from standstill.engine.variants.notation import parse_move, san_line
from standstill.given import number, own, position_of, whole_number, wrong

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from typing import NoReturn

    from standstill.given import Position

_MOST = 2**62  # for the 64 bits of the core
_POLL_S = 0.2  # how soon the end of a search is noticed that failed without a last word
_OWN_OPTIONS = ("MultiPV", "UCI_AnalyseMode", "UCI_Variant", "Ponder")  # set by arguments


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a search, from the view of the side to move.

    rank: 1 for the best line. depth, seldepth: half-moves. cp: centipawns, None for a mate. mate: moves to the mate,
    negative for one that is suffered, None without one. chances: win, draw, loss per mille. nodes, seconds: of the
    search so far. pv: moves in coordinates, san: the same moves for people. is_exact: or only a bound.
    """

    rank: int
    depth: int
    seldepth: int
    cp: int | None
    mate: int | None
    chances: tuple[int, int, int]
    nodes: int
    seconds: float
    pv: tuple[str, ...]
    san: tuple[str, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a search.

    move: in coordinates, as ``chess.Board.push_uci`` takes it; None if there is no legal move. ponder: the reply that
    is expected, or None. lines: the last line of each rank, the best one first.
    """

    move: str | None
    ponder: str | None
    lines: tuple[Line, ...]


class _Heard(Listener):
    """Puts what a search says into a queue; called on the thread of the search."""

    def __init__(self, texts: Session):
        self.lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self.ranks: dict[int, Line] = {}
        self.best: BestMove | None = None
        self.ended = threading.Event()
        self._board = texts.board.copy()

    def info(self, info: SearchInfo) -> None:
        mated = is_mate(info.score)
        line = Line(
            rank=info.multipv,
            depth=info.depth,
            seldepth=info.seldepth,
            cp=None if mated else score_cp(info.score),
            mate=mate_moves(info.score) if mated else None,
            chances=info.chances,
            nodes=info.nodes,
            seconds=info.time_ns / 1e9,
            pv=tuple(info.pv),
            san=tuple(san_line(self._board, info.pv)),
            is_exact=info.bound == EXACT,
        )
        if line.is_exact or line.rank == 1:
            self.ranks[line.rank] = line
        self.lines.put(line)

    def best_move(self, best: BestMove) -> None:
        self.best = best
        self.lines.put(None)
        self.ended.set()


class Search:
    """A search that runs. Iterate over it for its lines; leaving the ``with`` block ends it.

    All of it may be called from any thread.
    """

    def __init__(self, session: Session):
        self._session = session
        self._result: Result | None = None
        self._over = False
        self._ending = threading.RLock()  # held while a search is ended; a handler of signals may come in between
        self._heard = _Heard(session)

    def _start(self, limits: Limits) -> None:
        try:
            self._session.go(limits, self._heard)
        except BaseException:
            self.cancel()
            raise

    @property
    def running(self) -> bool:
        """Is it neither cancelled nor at its end?"""
        return not self._over and not self._heard.ended.is_set() and self._session.searching

    def __enter__(self) -> Search:
        return self

    def __reduce__(self) -> NoReturn:
        raise EngineUseError(
            "expected something that can be copied or pickled, found a search: it stays in its process"
        )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cancel()

    def __iter__(self) -> Iterator[Line]:
        """The lines as they come, until the search ends. An interrupt (Ctrl-C) cancels the search."""
        try:  # around all of it: an interrupt may come anywhere
            while True:
                try:
                    line = self._heard.lines.get(timeout=_POLL_S)
                except queue.Empty:
                    if not self.running:
                        return
                    continue
                if line is None:
                    self._heard.lines.put(None)  # for whoever asks again
                    return
                yield line
        except KeyboardInterrupt:
            self.cancel()
            raise

    def stop(self) -> None:
        """Stop the search. Its result is there soon after."""
        with self._ending:
            if not self._over:
                self._session.stop()

    def cancel(self) -> None:
        """Stop, wait, and forget the result. Nothing happens if the search is over."""
        with self._ending:
            if not self._over:
                self._session.finish()
                self._end()

    def result(self) -> Result:
        """Wait for the end, and return what was found. A search without limits has to be stopped by another thread.

        Raises EngineUseError after ``cancel``. An interrupt (Ctrl-C) cancels the search.
        """
        try:
            while not self._heard.ended.wait(_POLL_S) and self.running:
                pass
            return self._collect()
        except KeyboardInterrupt:
            self.cancel()
            raise

    def settle(self) -> None:
        """Take what was found by a search that has come to its end."""
        with self._ending:
            if not self._over:
                self._collect()

    def _collect(self) -> Result:
        with self._ending:
            if self._result is None:
                if self._over:
                    raise EngineUseError("expected a search that runs or has ended, found one that was cancelled")
                self._session.wait()
                best = self._heard.best
                if best is None:
                    raise EngineUseError("expected a search of this process, found one that ended without a last word")
                lines = tuple(line for _, line in sorted(self._heard.ranks.items()))
                self._result = Result(best.move, best.ponder, lines)
                self._end()
            return self._result

    def _end(self) -> None:
        self._over = True
        self._heard.ended.set()
        self._heard.lines.put(None)


class Engine:
    """The engine of this process. Use it in a ``with`` block, which ends what it started.

    One search runs at a time; ``stop`` may be called from any thread.

    >>> import standstill
    >>> with standstill.Engine({"Hash": 4}) as engine:
    ...     result = engine.play("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth=4)
    >>> result.move, result.lines[0].mate, result.lines[0].san
    ('a1a8', 1, ('Ra8#',))
    """

    def __init__(self, options: Mapping[str, bool | int | str] | None = None, *, variant: str = "chess"):
        """options: by their names in docs/options.md; engine.ini is not read. variant: as ``variants.names`` gives it.

        Raises ConfigError, DefinitionError, ArgumentError.
        """
        self._session = Session(stored_clock=stored_clock)
        self._notices: list[str] = []
        self._session.on_notice(self._notices.append)
        self._guard = threading.RLock()  # of the session; never held while a search goes on
        self._running: Search | None = None
        self._closed = False
        self._standing = position_of(None)  # for searches that name none
        self.options: dict[str, str] = {}  # those that were set
        self.variant = variant
        if options is not None:
            self.configure(options)
        if not isinstance(variant, str):
            raise wrong("the name of a game", variant)
        if variant != "chess":
            self._session.choose_game(variant)
            self._check_network(self.options)

    @property
    def notices(self) -> tuple[str, ...]:
        """What there was to tell since the start: tables that were found, a book or tables that cannot be read."""
        return tuple(self._notices)

    def __enter__(self) -> Engine:
        return self

    def __reduce__(self) -> NoReturn:
        raise EngineUseError(
            "expected something that can be copied or pickled, found an engine: it stays in its process"
        )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def configure(self, options: Mapping[str, bool | int | str]) -> None:
        """Set options; they hold from the next search on.

        Raises ConfigError for a value that is not possible or a network that cannot be used, DefinitionError for a file
        of definitions, and sets none then.
        """
        self._check_open()
        if not isinstance(options, Mapping):
            raise wrong("options by name, as in {'Hash': 64}", options)
        texts = dict(_option(name, value) for name, value in options.items())
        with self._guard:
            self._check_idle()
            settings = self._session.settings
            before = {spec.name: settings.value(spec) for spec in map(find, texts) if spec is not None}
            try:
                for name, text in texts.items():
                    self._set_option(name, text)
                self._check_network(texts)
            except StandstillError:
                for name, value in before.items():
                    self._session.set_option(name, _text(value))
                raise
            self.options |= texts

    def _set_option(self, name: str, text: str) -> None:
        """Raise ConfigError for a value that a session would only report."""
        said = len(self._notices)
        self._session.set_option(name, text)
        if len(self._notices) > said:
            raise ConfigError(self._notices.pop())

    def _check_network(self, texts: Mapping[str, str]) -> None:
        """Raise ConfigError for a network among these options that a session would only report, and play without."""
        if not any(option in texts for option in ("EvalFile", "VariantEvalFile", "RMobilityEvalFile")):
            return
        said = len(self._notices)
        self._session.is_ready()
        for option, error in self._session.equipment.refused_networks.items():
            if option in texts:
                del self._notices[said:]  # of options that will not be in force
                raise ConfigError(f"{option} {error}")

    def position(self, position: Position = None, moves: Iterable[str] = ()) -> None:
        """Set the position for searches that name none.

        position: a FEN, a ``chess.Board`` with its moves, a node of a ``chess.pgn.Game``, or None for the start.
        moves: played from there, in coordinates.
        Raises NotationError, IllegalMoveError, ArgumentError, and keeps the position of before.
        """
        with self._guard:
            self._check_idle()
            told = position_of(position, moves)
            self._set(*told)
            self._standing = told

    def _set(self, fen: str | None, played: list[str], chess960: bool | None, variant: str | None) -> None:
        if variant is not None and variant != self.variant:
            raise ArgumentError(f"expected a position of {self.variant}, found one of {variant}")
        # A FEN does not say how castling is to be written: then the option does, whatever board came before.
        written = self.options.get("UCI_Chess960", "false") if chess960 is None else str(chess960).lower()
        before = str(self._session.settings["UCI_Chess960"]).lower()
        self._session.set_option("UCI_Chess960", written)
        try:
            self._session.position(fen, played, whole=True)
        except ValueError:
            self._session.set_option("UCI_Chess960", before)
            raise

    def go(
        self,
        position: Position = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        among: Iterable[str] | None = None,
        analysis: bool = True,
    ) -> Search:
        """Start a search and return at once; without a limit it runs until it is stopped.

        position: as in ``position``, None for the one that ``position`` has set. nodes, depth (half-moves), seconds:
        limits; the first that is reached ends the search. lines: how many. among: the moves to choose from, in
        coordinates. analysis: for the truth about a position; False plays as in a game, from a book if one is set.
        Raises NotationError, IllegalMoveError, ArgumentError, EngineUseError.
        """
        limits = _limits(nodes, depth, seconds, among)
        whole_number(lines, "the number of lines")
        if lines is None or lines > 256:
            raise wrong("1 to 256 lines", lines)
        with self._guard:
            self._check_idle()
            self._set(*(self._standing if position is None else position_of(position)))
            for move in limits.root_moves or ():
                parse_move(self._session.board, move)
            self._session.set_option("MultiPV", str(lines))
            self._session.set_option("UCI_AnalyseMode", "true" if analysis else "false")
            search = Search(self._session)
            self._running = search  # before it starts, so that ``close`` ends it whatever happens
            search._start(limits)
            return search

    def analyse(
        self,
        position: Position = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        among: Iterable[str] | None = None,
    ) -> Result:
        """Search the position up to a limit, one at least; the arguments and errors are those of ``go``."""
        _need_limit(nodes, depth, seconds)
        with self.go(position, nodes=nodes, depth=depth, seconds=seconds, lines=lines, among=among) as search:
            return search.result()

    def play(
        self,
        position: Position = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
    ) -> Result:
        """Choose a move as in a game; the arguments and errors are those of ``analyse``."""
        _need_limit(nodes, depth, seconds)
        with self.go(position, nodes=nodes, depth=depth, seconds=seconds, analysis=False) as search:
            return search.result()

    def new_game(self) -> None:
        """Forget what earlier searches have found, so that the next one is as the first."""
        with self._guard:
            self._check_idle()
            self._session.new_game()

    def stop(self) -> None:
        """Stop the search, if there is one; from any thread."""
        if self._running is not None:
            self._running.stop()

    def close(self) -> None:
        """End the search. Nothing but ``close`` is possible afterwards."""
        with self._guard:
            self._closed = True
            if self._running is not None:
                self._running.cancel()

    def _check_open(self) -> None:
        if self._closed:
            raise EngineUseError("expected an engine that is open, found one that was closed")

    def _check_idle(self) -> None:
        """One search at a time. A search that has given its move, but was not asked for it, is over."""
        self._check_open()
        if self._running is None:
            return
        if self._running.running:
            raise EngineUseError(
                "expected an engine that is idle: its search has to be finished or cancelled before (`stop` ends it)"
            )
        self._running.settle()


def _option(name: object, value: object) -> tuple[str, str]:
    """An option by its usual name, and its value as text. A session would ignore an unknown name and clamp a number."""
    spec = find(name) if isinstance(name, str) else None
    if spec is None or spec.kind == "button":
        raise ConfigError(unknown(str(name)))
    if spec.name in _OWN_OPTIONS:
        raise ConfigError(f"the option {spec.name} is set by arguments")
    value = own(value)
    if not isinstance(value, (bool, int, str)):
        raise wrong(f"a text, a number or a truth value for {spec.name}", value)
    text = _text(value)
    spec.parse_within(text)
    try:
        fsencode(text)
    except UnicodeEncodeError:
        raise ConfigError(f"expected a text that can be encoded for {spec.name}, found {shown(text)}") from None
    return spec.name, text


def _text(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _need_limit(nodes: int | None, depth: int | None, seconds: float | None) -> None:
    if nodes is None and depth is None and seconds is None:
        raise wrong("a limit: nodes, depth or seconds", None)


def _limits(nodes: int | None, depth: int | None, seconds: float | None, among: Iterable[str] | None) -> Limits:
    whole_number(nodes, "a number of nodes")
    whole_number(depth, "a depth")
    number(seconds, "a number of seconds", 0.001)
    limits = Limits()
    limits.nodes = None if nodes is None else min(nodes, _MOST)
    limits.depth = depth
    limits.movetime_ms = None if seconds is None else max(1, round(1000 * seconds))
    limits.infinite = nodes is None and depth is None and seconds is None
    if among is not None:
        if isinstance(among, str) or not isinstance(among, Iterable):
            raise wrong("a list of moves", among)
        limits.root_moves = [str(move) for move in among]
        if not limits.root_moves:  # to a session these would be no restriction, or a position without moves
            raise wrong("at least one move to choose from", [])
    return limits
