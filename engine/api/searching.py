"""A running search, and its results."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType

from standstill.engine.common.errors import EngineUseError
from standstill.engine.common.info import EXACT, BestMove, SearchInfo, is_mate, mate_moves, score_cp
from standstill.engine.common.limits import Limits
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.variants.notation import san_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from standstill.moves import Move

_POLL_S = 0.2  # interval at which to check for a search that ended without a best move


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a search; its scores are from the point of view of the side to move.

    :ivar rank: the rank of the line, 1 for the best one.
    :ivar depth: the search depth in half-moves.
    :ivar seldepth: the length of the longest searched line, in half-moves.
    :ivar cp: the score in centipawns; None for a mate.
    :ivar mate: the number of moves to the mate, negative if the side to move is mated; None without a mate.
    :ivar chances: the chances of win, draw and loss per mille.
    :ivar nodes: the number of nodes searched so far.
    :ivar seconds: the search time so far.
    :ivar pv: the moves: ``chess.Move``, or ``VariantMove`` in variants that python-chess does not support.
    :ivar san: the same moves in SAN.
    :ivar is_exact: False if the score is only a bound.
    :ivar proven: True for a mate, and if tables or the rules prove the score; False for an estimate.

    >>> with standstill.Engine({"Hash": 1}) as engine:
    ...     line = engine.analyse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth=3).lines[0]
    >>> line.mate, line.san, line.proven
    (1, ('Ra8#',), True)
    """

    rank: int
    depth: int
    seldepth: int
    cp: int | None
    mate: int | None
    chances: tuple[int, int, int]
    nodes: int
    seconds: float
    pv: tuple[Move, ...]
    san: tuple[str, ...]
    is_exact: bool
    proven: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search.

    A move is a ``chess.Move``, so that ``board.push(result.move)`` plays it. In variants that python-chess does not
    support it is a ``VariantMove``. In both cases ``str(result.move)`` is the move in coordinates.

    :ivar move: the chosen move; None if no move is legal.
    :ivar ponder: the expected reply, or None.
    :ivar lines: the last line of each rank, the best one first.

    >>> board = chess.Board()
    >>> with standstill.Engine({"Hash": 1}) as engine:
    ...     board.push(engine.play(board, nodes=100).move)
    >>> board.ply()
    1
    """

    move: Move | None
    ponder: Move | None
    lines: tuple[Line, ...]


class _QueueListener(Listener):
    """Puts the lines of a search into a queue. The search calls this object on its own thread."""

    def __init__(self, texts: Session, read: Callable[[str], Move]):
        self.lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self.ranks: dict[int, Line] = {}
        self.best: BestMove | None = None
        self.ended = threading.Event()
        self.read = read
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
            pv=tuple(map(self.read, info.pv)),
            san=tuple(san_line(self._board, info.pv)),
            is_exact=info.bound == EXACT,
            proven=info.is_certain,
        )
        if line.is_exact or line.rank == 1:
            self.ranks[line.rank] = line
        self.lines.put(line)

    def best_move(self, best: BestMove) -> None:
        self.best = best
        self.lines.put(None)
        self.ended.set()


class Search:
    """A running search, as ``Engine.go`` returns it.

    Iterating over the search yields its lines; leaving its ``with`` block ends it.

    Any thread may call its methods.

    >>> with standstill.Engine({"Hash": 1}) as engine, engine.go() as search:
    ...     for line in search:
    ...         if line.depth >= 3:
    ...             search.stop()
    ...     search, search.result().move is not None
    (<standstill.Search: ended>, True)
    """

    def __init__(self, session: Session, read: Callable[[str], Move]):
        self._session = session
        self._result: Result | None = None
        self._over = False
        # A thread that ends the search holds this lock. The lock is reentrant, because a signal handler may interrupt
        # that thread and end the search too.
        self._ending = threading.RLock()
        self._listener = _QueueListener(session, read)

    def __repr__(self) -> str:
        state = "running" if self.running else "cancelled" if self._over and self._result is None else "ended"
        return f"<standstill.Search: {state}>"

    def _start(self, limits: Limits) -> None:
        try:
            self._session.go(limits, self._listener)
        except BaseException:
            self.cancel()
            raise

    @property
    def running(self) -> bool:
        """Whether the search has neither ended nor been cancelled."""
        return not self._over and not self._listener.ended.is_set() and self._session.searching

    def __enter__(self) -> Search:
        return self

    def __reduce__(self) -> NoReturn:
        raise EngineUseError(
            "expected an object that can be copied or pickled, found a search: it stays in its process"
        )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cancel()

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines as they arrive, until the search ends. An interrupt (Ctrl-C) cancels the search.

        :returns: an iterator of ``Line``.
        """
        try:  # the ``try`` covers the whole loop, because an interrupt may come anywhere
            while True:
                try:
                    line = self._listener.lines.get(timeout=_POLL_S)
                except queue.Empty:
                    if not self.running:
                        return
                    continue
                if line is None:
                    self._listener.lines.put(None)  # for the next iteration over the search
                    return
                yield line
        except KeyboardInterrupt:
            self.cancel()
            raise

    def stop(self) -> None:
        """Stop the search. The result of the search is available soon after.

        >>> with standstill.Engine({"Hash": 1}) as engine, engine.go() as search:
        ...     search.stop()
        """
        with self._ending:
            if not self._over:
                self._session.stop()

    def cancel(self) -> None:
        """Stop the search, wait for its end, and discard the result. This does nothing if the search is over.

        >>> with standstill.Engine({"Hash": 1}) as engine:
        ...     search = engine.go()
        ...     search.cancel()
        >>> search
        <standstill.Search: cancelled>
        """
        with self._ending:
            if not self._over:
                self._session.finish()
                self._end()

    def result(self) -> Result:
        """Wait for the end of the search. A search without limits must be stopped first, or from another thread.

        An interrupt (Ctrl-C) cancels the search.

        :returns: the result.
        :raises EngineUseError: after ``cancel``.

        >>> with standstill.Engine({"Hash": 1}) as engine, engine.go(depth=2) as search:
        ...     search.result().lines[0].depth
        2
        """
        try:
            while not self._listener.ended.wait(_POLL_S) and self.running:
                pass
            return self._collect()
        except KeyboardInterrupt:
            self.cancel()
            raise

    def _settle(self) -> None:
        """Store the best move of a search that has ended, as its result."""
        with self._ending:
            if not self._over:
                self._collect()

    def _collect(self) -> Result:
        with self._ending:
            if self._result is None:
                if self._over:
                    raise EngineUseError("expected a running or finished search, found a cancelled one")
                self._session.wait()
                best = self._listener.best
                if best is None:
                    raise EngineUseError(
                        "expected a search of this process, found one that ended without a best move (forked process?)"
                    )
                lines = tuple(line for _, line in sorted(self._listener.ranks.items()))
                move, ponder = (
                    None if text is None else self._listener.read(text) for text in (best.move, best.ponder)
                )
                self._result = Result(move, ponder, lines)
                self._end()
            return self._result

    def _end(self) -> None:
        self._over = True
        self._listener.ended.set()
        self._listener.lines.put(None)
