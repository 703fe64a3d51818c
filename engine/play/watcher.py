"""Turns the search's reports into news for a listener: moves as text, lines cut where the game ends, exact scores."""

from __future__ import annotations

import time

from ..common.info import EXACT, SCORE_CP, BestMove, SearchInfo, is_mate
from ..rmobility.modes import outlook
from ..variants.notation import move_text
from .timeman import rescale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..rmobility.modes import Outlook
    from ..rmobility.objectives import Objective
    from ..variants.notation import Board
    from .advice import RootAdvice
    from .listener import Listener
    from .relevance_lines import LiveSymbols

    Choice = Callable[[list[SearchInfo]], SearchInfo]
    Lengthen = Callable[[Board, list[int]], list[int]]

_SECOND_NS = 10**9
# Lines about an unfinished iteration disturb short games and help only in long analyses.
_BOUNDS_AFTER_NS = 3 * _SECOND_NS
_CURRENT_MOVE_AFTER_NS = _SECOND_NS
_CURRENT_MOVE_EVERY_NS = _SECOND_NS // 4


class Watcher:
    """Stands between the search and the listener: turns moves into text, and removes what is illegal or too much.

    The core calls it on the search's thread (``cext/bindings/pool.pyi``, Listener).
    """

    def __init__(
        self,
        board: Board,
        listener: Listener,
        exact_ns: int,
        *,
        soft_ns: int = 0,
        pondering: bool = False,
        advice: RootAdvice | None = None,
        symbols: LiveSymbols | None = None,
        choose: Choice | None = None,
        objective: Objective | None = None,
        lengthen: Lengthen | None = None,
    ):
        """exact_ns: time before which the best move must not be given. soft_ns: see ``Budget``.

        advice: is put into every line. symbols: gets every line. choose: chooses one of several lines to play; only the
        best line is shown, and at the end the chosen one. objective: of the search, if it plays for records. lengthen:
        adds to an exact line what tables know about its end, where the search goes no further.
        """
        from threading import Event

        self._board = board  # a copy of our own
        self._listener = listener
        self._exact_ns = exact_ns
        self._advice = advice
        self._symbols = symbols
        self._objective = objective
        self._lengthen = lengthen
        self._outlook: Outlook | None = None  # the last one
        self._hurry = Event()
        self.done = False  # has the best move been given, or is it being given now?
        self._latest: SearchInfo | None = None  # the latest line of the best move
        self._exact: SearchInfo | None = None
        self._said: SearchInfo | None = None
        self._nodes = self._time_ns = 0  # the most that has been said
        self._stable_iterations = 0
        self._score_before: int | None = None
        self._scale = 1.0  # of the soft limit
        self._soft_ns = soft_ns
        self.pondering = pondering  # in the opponent's time?
        self._choose = choose
        self._ranks: dict[int, SearchInfo] = {}  # the latest line of each rank
        self._exact_lines: dict[int, SearchInfo] = {}  # the same, exact ones only
        self._exact_of_move: dict[str, SearchInfo] = {}  # the same by first move
        self._pondered_ns = 0
        self._started_ns = time.monotonic_ns()
        self._answered_ns: int | None = None
        self._current_move_ns = 0

    def info(  # noqa: PLR0917 (the core passes them by position, which is faster)
        self,
        depth: int,
        seldepth: int,
        multipv: int,
        score: int,
        bound: int,
        nodes: int,
        nanoseconds: int,
        hashfull: int,
        pv: list[int],
    ) -> None:
        if self._lengthen is not None and bound == EXACT:
            pv = self._lengthen(self._board, pv)
        line = SearchInfo(
            depth=depth,
            seldepth=seldepth,
            multipv=multipv,
            score=score,
            bound=bound,
            nodes=nodes,
            time_ns=nanoseconds,
            hashfull=hashfull,
            pv=playable_line(self._board, pv),
        )
        self._ranks[multipv] = line
        if bound == EXACT and line.pv:
            self._exact_lines[multipv] = self._exact_of_move[line.pv[0]] = line
        if self._choose is not None and multipv > 1:
            return
        if multipv == 1:
            self._latest = line
            if bound == EXACT:
                if self._exact is not None and self._exact.pv[:1] == line.pv[:1]:
                    self._stable_iterations += 1
                else:
                    self._stable_iterations = 0
                self._exact = line
                self._look_out(pv[: len(line.pv)], line)
        if bound == EXACT or nanoseconds >= _BOUNDS_AFTER_NS:
            self._say(line)

    def _look_out(self, moves: list[int], line: SearchInfo) -> None:
        """Tell the standing record and the forecast."""
        if self._objective is None:
            return
        if self._advice is not None:
            self._advice.mark(line)  # endgame tables may know better what the score stands for
        found = outlook(self._objective, self._board, moves, line.score)
        if found is not None:
            is_news = self._outlook is None or found.known != self._outlook.known
            self._outlook = found
            self._listener.outlook(found, is_news)

    def current_move(self, depth: int, move: int, number: int) -> None:
        if self._symbols is not None:
            self._symbols.tick()
        now = time.monotonic_ns()
        if now - self._started_ns < _CURRENT_MOVE_AFTER_NS or now - self._current_move_ns < _CURRENT_MOVE_EVERY_NS:
            return
        self._current_move_ns = now
        self._listener.current_move(depth, move_text(self._board, move), number)

    def rescale(self, depth: int, score: int, best_move_changes: int, node_share: float, nanoseconds: int) -> float:
        before, self._score_before = self._score_before, score
        drop_cp = 0.0
        if before is not None and not is_mate(before) and not is_mate(score):
            drop_cp = (before - score) / SCORE_CP
        self._scale = rescale(self._stable_iterations, drop_cp, node_share)
        # The clock of the move began at the hit, but the thought before it counts.
        credit = self._pondered_ns / self._soft_ns if self._soft_ns else 0.0
        return max(0.0, self._scale - credit)

    def ponderhit(self, soft_ns: int | None = None) -> bool:
        """Begin the move's own time; return whether the thought before is enough. soft_ns: replaces the first one."""
        if soft_ns is not None:
            self._soft_ns = soft_ns
        self.pondering = False
        self._said = None  # clients forget what they heard in the opponent's time, and the move shall have a score
        now = time.monotonic_ns()
        self._pondered_ns = now - self._started_ns
        self._started_ns = now
        return self._soft_ns > 0 and self._pondered_ns >= self._soft_ns * self._scale

    def count_pondering(self) -> int:
        """Count the thought before ``ponderhit`` as part of the exact time; return how long it was, in ns."""
        self._exact_ns = max(0, self._exact_ns - self._pondered_ns)
        return self._pondered_ns

    def skip(self, ns: int) -> None:
        """Count this much of the time since the start for nothing."""
        self._started_ns += ns
        self._current_move_ns += ns

    @property
    def thought_ms(self) -> float:
        """The move's own time up to the best move; 0 before it."""
        return 0.0 if self._answered_ns is None else (self._answered_ns - self._started_ns) / 1_000_000

    def hurry(self) -> None:
        """Wait for nothing more. Called from the front end's thread."""
        self._hurry.set()

    def bestmove(self, move: int, ponder: int) -> None:
        # A search may be finished before its time. A client that asked for an exact time gets it.
        early_ns = self._started_ns + self._exact_ns - time.monotonic_ns()
        if early_ns > 0:
            self._hurry.wait(early_ns / _SECOND_NS)
        best = move_text(self._board, move) if move else None
        line = self._last_line(best, move, ponder)
        if self._choose is not None and best is not None:
            line = self._chosen_line(line, self._choose)
            best = line.pv[0]
        if line is not self._said:
            self._say(line)
        if self._choose is None:
            self._say_others(best)
        if self._symbols is not None and self._latest is not None:
            self._symbols.end(line)
        self._answered_ns = time.monotonic_ns()
        self.done = True
        self._listener.best_move(BestMove(best, line.pv[1] if len(line.pv) > 1 else None))

    def _say_others(self, best: str | None) -> None:
        """Print the lines below the first that an unfinished iteration has left with a bound.

        Clients ignore lines with a bound, and would keep a line of an earlier iteration, perhaps about the very move
        that is now the best.
        """
        for rank, line in sorted(self._ranks.items()):
            if rank > 1 and line.bound != EXACT and line.pv[:1] != [best]:
                settled = self._settled(line, self._exact_lines.get(rank))
                settled.multipv = rank
                self._say(settled)

    def _last_line(self, best: str | None, move: int, ponder: int) -> SearchInfo:
        """The line to print before the best move: one that begins with this move, exact if there is one."""
        if self._exact is not None and self._exact.pv[:1] == [best]:
            line = self._exact
        elif self._latest is not None and self._latest.pv[:1] == [best]:
            line = self._latest if self._exact is None else self._settled(self._latest, self._exact)
        else:
            # Stopped before any iteration was finished, or the move is that of another thread.
            line = bare_line() if self._latest is None else self._latest.copy()
            line.bound = EXACT
            line.pv = playable_line(self._board, [move]) if move else []
        if len(line.pv) == 1 and ponder:
            line.pv = playable_line(self._board, [move, ponder])
        return line

    def _chosen_line(self, best: SearchInfo, choose: Choice) -> SearchInfo:
        others = [line for _, line in sorted(self._ranks.items()) if line.pv[:1] != best.pv[:1]]
        chosen = choose([best, *others])
        if chosen is best:
            return best
        chosen = chosen.copy()
        chosen.multipv, chosen.bound = 1, EXACT
        return chosen

    def _settled(self, line: SearchInfo, exact: SearchInfo | None) -> SearchInfo:
        """A line that the stop has left with a bound, with this bound as its score. exact: the last one of its rank.

        Clients ignore lines with a bound, and the move would have no score. A mate that is only a bound has no line
        that proves it: the move's own last line has to do, else the older score, and if that is a mate of another
        move, it remains a bound.
        """
        if line.bound == EXACT:
            return line
        if not is_mate(line.score):
            score = line.score
        elif (own := self._exact_of_move.get(line.pv[0])) is not None:
            own = own.copy()
            own.multipv = line.multipv  # the move may have stood elsewhere
            return own
        elif exact is None or is_mate(exact.score):
            return line.copy()
        else:
            score = exact.score
        line = line.copy()
        line.bound, line.score = EXACT, score
        return line

    def _say(self, line: SearchInfo) -> None:
        # Lines that are told again at the end are of iterations before; what a client shows must not run backwards.
        self._nodes = line.nodes = max(self._nodes, line.nodes)
        self._time_ns = line.time_ns = max(self._time_ns, line.time_ns)
        if line.multipv == 1:
            self._said = line
        if self._advice is not None:
            self._advice.mark(line)
        if self._symbols is not None and line.bound == EXACT:
            line.symbol = self._symbols.sign(line.score)
        self._listener.info(line)
        if self._symbols is not None and line.bound == EXACT:
            self._symbols.follow(line)


def playable_line(board: Board, moves: list[int]) -> list[str]:
    """The moves as text, as long as they are legal and the game goes on. The board is unchanged afterwards.

    A line from the table may go past the end of the game, about which clients complain. It stops at mate, stalemate,
    the third occurrence, the 50-move limit, and dead material. What already holds at the root does not count: the user
    wants to see what happens if play goes on.
    """
    texts: list[str] = []
    over_anyway = board.insufficient or not board.material_ends
    for move in moves:
        if not board.legal(move):
            break
        texts.append(move_text(board, move))
        board.push(move)
        if board.clock >= board.clock_limit or board.repetitions() >= 2 or (board.insufficient and not over_anyway):
            break
        # The end of the board also shows without this: no move is legal after mate or stalemate.
    for _ in texts:
        board.pop()
    return texts


def bare_line(score: int = 0) -> SearchInfo:
    """A line for a best move without an iteration."""
    return SearchInfo(depth=0, seldepth=0, multipv=1, score=score, bound=EXACT, nodes=0, time_ns=0, hashfull=0, pv=[])
