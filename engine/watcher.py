"""From the search's reports to a front end's listener: moves as text, lines cut where the game ends, scores settled."""

from __future__ import annotations

import time

from .info import EXACT, SCORE_CP, BestMove, SearchInfo, is_mate
from .notation import move_text
from .rmobility.modes import outlook
from .timeman import rescale

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable

    from .advice import Advice
    from .annotate.live import LiveSymbols
    from .session import Listener

_SECOND_NS = 10**9
# Lines about an unfinished iteration disturb short games and help only long thoughts.
_BOUNDS_AFTER_NS = 3 * _SECOND_NS
_CURRENT_MOVE_AFTER_NS = _SECOND_NS
_CURRENT_MOVE_EVERY_NS = _SECOND_NS // 4


class Watcher:
    """Stands between the search and the front end's listener: turns moves into text, cuts what is illegal or too much.

    The core calls it on the search's thread (``cext/pool.pyi``, Listener).
    """

    def __init__(
        self,
        board,
        listener: Listener,
        exact_ns: int,
        *,
        soft_ns: int = 0,
        advice: Advice | None = None,
        symbols: LiveSymbols | None = None,
        choose: Callable[[list[SearchInfo]], SearchInfo] | None = None,
        objective=None,
    ):
        """exact_ns: the best move may not be given before so much time has gone by. soft_ns: see ``Budget``.

        advice: is put into every line. symbols: is told of every line. choose: which of several lines to play; only the
        best is shown, and in the end the one that was chosen.
        objective: of the search, where it plays for records.
        """
        from threading import Event

        self._board = board  # ours alone
        self._listener = listener
        self._exact_ns = exact_ns
        self._advice = advice
        self._symbols = symbols
        self._objective = objective
        self._outlook: str | None = None  # what was said last
        self._hurry = Event()
        self.done = False  # has the best move been given, or is it just being given?
        self._latest: SearchInfo | None = None  # of the first rank
        self._exact: SearchInfo | None = None
        self._said: SearchInfo | None = None
        self._stable_iterations = 0
        self._score_before: int | None = None
        self._scale = 1.0  # of the soft limit
        self._soft_ns = soft_ns
        self._choose = choose
        self._ranks: dict[int, SearchInfo] = {}  # the latest line of each
        self._pondered_ns = 0
        self._started_ns = time.monotonic_ns()
        self._answered_ns: int | None = None
        self._current_move_ns = 0

    def info(  # noqa: PLR0917 (the core passes them by position, which is faster)
        self, depth, seldepth, multipv, score, bound, nodes, nanoseconds, hashfull, pv
    ) -> None:
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
                self._look_out(pv[: len(line.pv)])
        if bound == EXACT or nanoseconds >= _BOUNDS_AFTER_NS:
            self._say(line)

    def _look_out(self, moves: list[int]) -> None:
        """Tell of the record that stands and the one in sight, where that is news."""
        if self._objective is None:
            return
        text = outlook(self._objective, self._board, moves)
        if text is not None and text != self._outlook:
            self._outlook = text
            self._listener.outlook(text)

    def current_move(self, depth, move, number) -> None:
        if self._symbols is not None:
            self._symbols.tick()
        now = time.monotonic_ns()
        if now - self._started_ns < _CURRENT_MOVE_AFTER_NS or now - self._current_move_ns < _CURRENT_MOVE_EVERY_NS:
            return
        self._current_move_ns = now
        self._listener.current_move(depth, move_text(self._board, move), number)

    def rescale(self, depth, score, best_move_changes, node_share, nanoseconds) -> float:
        before, self._score_before = self._score_before, score
        drop_cp = 0.0
        if before is not None and not is_mate(before) and not is_mate(score):
            drop_cp = (before - score) / SCORE_CP
        self._scale = rescale(self._stable_iterations, drop_cp, node_share)
        # The clock began at the hit, but what was thought before it counts.
        credit = self._pondered_ns / self._soft_ns if self._soft_ns else 0.0
        return max(0.0, self._scale - credit)

    def ponderhit(self, soft_ns: int | None = None) -> bool:
        """The move's own time begins now. Has the opponent's been enough for it? soft_ns: instead of the first."""
        if soft_ns is not None:
            self._soft_ns = soft_ns
        now = time.monotonic_ns()
        self._pondered_ns = now - self._started_ns
        self._started_ns = now
        return self._soft_ns > 0 and self._pondered_ns >= self._soft_ns * self._scale

    @property
    def thought_ms(self) -> float:
        """The move's own time up to the best move; 0 if that has not been given."""
        return 0.0 if self._answered_ns is None else (self._answered_ns - self._started_ns) / 1_000_000

    def hurry(self) -> None:
        """Wait for nothing any more. From the front end's thread."""
        self._hurry.set()

    def bestmove(self, move, ponder) -> None:
        # A search may know all there is to know before its time; who asked for an exact time gets it.
        early_ns = self._started_ns + self._exact_ns - time.monotonic_ns()
        if early_ns > 0:
            self._hurry.wait(early_ns / _SECOND_NS)
        best = move_text(self._board, move) if move else None
        line = self._last_line(best, move, ponder)
        if self._choose is not None and best is not None:
            line = self._chosen_line(line)
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
        """The lines below the first that an unfinished iteration has left with a bound.

        Clients throw lines with a bound away, and would keep one of an earlier iteration, perhaps about the very move
        that is now the best.
        """
        for rank, line in sorted(self._ranks.items()):
            if rank > 1 and line.bound != EXACT and line.pv[:1] != [best]:
                settled = line.copy()
                settled.bound = EXACT
                self._say(settled)

    def _last_line(self, best: str | None, move: int, ponder: int) -> SearchInfo:
        """The line to stand before the best move: one that begins with it, exact if there is such a one."""
        if self._exact is not None and self._exact.pv[:1] == [best]:
            line = self._exact
        elif self._latest is not None and self._latest.pv[:1] == [best]:
            line = self._latest if self._exact is None else self._settled(self._latest, self._exact)
        else:
            # Stopped before anything was finished, or a move of another thread was taken.
            line = bare_line() if self._latest is None else self._latest.copy()
            line.bound = EXACT
            line.pv = playable_line(self._board, [move]) if move else []
        if len(line.pv) == 1 and ponder:
            line.pv = playable_line(self._board, [move, ponder])
        return line

    def _chosen_line(self, best: SearchInfo) -> SearchInfo:
        others = [line for _, line in sorted(self._ranks.items()) if line.pv[:1] != best.pv[:1]]
        chosen = self._choose([best, *others])
        if chosen is best:
            return best
        chosen = chosen.copy()
        chosen.multipv, chosen.bound = 1, EXACT
        return chosen

    @staticmethod
    def _settled(line: SearchInfo, exact: SearchInfo) -> SearchInfo:
        """A move that beat the last exact line just before the stop: its bound is the best that is known of it.

        Clients throw lines with a bound away, and the move would stand without a score. A mate that is only a bound
        has no line that proves it, so the older score stands for it.
        """
        if line.bound == EXACT:
            return line
        line = line.copy()
        line.bound = EXACT
        if is_mate(line.score):
            line.score = exact.score
        return line

    def _say(self, line: SearchInfo) -> None:
        if line.multipv == 1:
            self._said = line
        if self._advice is not None:
            self._advice.mark(line)
        self._listener.info(line)
        if self._symbols is not None and line.bound == EXACT:
            self._symbols.follow(line)


def playable_line(board, moves: list[int]) -> list[str]:
    """The moves as text, as far as they are legal and the game goes on; the board is left as it was.

    A line from a table may go past the end of the game, which clients complain of: it stops at mate, stalemate, the
    third occurrence, the fifty-move limit, and where the men left cannot mate. What holds at the root already does
    not count: somebody wants to see what happens if play goes on.
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
        # Without this the end of the board shows as well: no move is legal after mate or stalemate.
    for _ in texts:
        board.pop()
    return texts


def bare_line(score: int = 0) -> SearchInfo:
    """For a best move that no iteration stands behind."""
    return SearchInfo(depth=0, seldepth=0, multipv=1, score=score, bound=EXACT, nodes=0, time_ns=0, hashfull=0, pv=[])
