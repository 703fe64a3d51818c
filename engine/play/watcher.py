"""Converts the search's reports for a listener: moves become text, and lines end where the game ends."""

from __future__ import annotations

import time

from ..common.info import EXACT, SCORE_CP, BestMove, SearchInfo, is_mate
from ..rmobility.modes import outlook, proven_outlook
from ..variants.game_over import recurs
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
# Lines about an unfinished iteration distract in short games and help only in long analyses.
_BOUNDS_AFTER_NS = 3 * _SECOND_NS
_CURRENT_MOVE_AFTER_NS = _SECOND_NS
_CURRENT_MOVE_EVERY_NS = _SECOND_NS // 4


class Watcher:
    """Passes reports from the search to the listener. It turns moves into text and drops superfluous reports.

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
        knows_draws: bool = True,
    ):
        """exact_ns: the time before which the best move must not be reported. soft_ns: see ``Budget``.

        advice: adjusts every line. symbols: receives every line. choose: chooses one of several lines to play; then
        only the best line is shown, and at the end the chosen one. objective: the search's objective if it plays for
        records. lengthen: extends an exact line by best play from tables. knows_draws: whether the game may be drawn.
        """
        from threading import Event

        self._board = board  # a copy that belongs to this object
        self._listener = listener
        self._exact_ns = exact_ns
        self._advice = advice
        self._symbols = symbols
        self._objective = objective
        self._lengthen = lengthen
        self._knows_draws = knows_draws
        self._outlook: Outlook | None = None  # the last reported outlook
        self._hurry = Event()
        self.done = False  # whether the best move has been reported, or is being reported now
        self._latest: SearchInfo | None = None  # the latest line of the best move
        self._exact: SearchInfo | None = None
        self._said: SearchInfo | None = None
        self._nodes = self._time_ns = 0  # the largest values reported so far
        self._stable_iterations = 0
        self._score_before: int | None = None
        self._scale = 1.0  # factor for the soft limit
        self._soft_ns = soft_ns
        self.pondering = pondering  # whether the search is pondering
        self._choose = choose
        self._ranks: dict[int, SearchInfo] = {}  # the latest line by rank
        self._exact_lines: dict[int, SearchInfo] = {}  # the latest exact line by rank
        self._exact_of_move: dict[str, SearchInfo] = {}  # the latest exact line by first move
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
        """Report the current record and the forecast."""
        if self._objective is None:
            return
        if self._advice is not None:
            self._advice.mark(line)  # endgame tables may have corrected the score
        if self._advice is not None and self._advice.has_outcome:
            found = proven_outlook(self._objective, self._board, self._advice.outcome)
        else:
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
        # The move's time starts at the ponderhit, but the time spent pondering counts as thinking.
        credit = self._pondered_ns / self._soft_ns if self._soft_ns else 0.0
        return max(0.0, self._scale - credit)

    def ponderhit(self, soft_ns: int | None = None) -> bool:
        """Start the move's own time. Return True if pondering has taken enough time. soft_ns: the new soft limit."""
        if soft_ns is not None:
            self._soft_ns = soft_ns
        self.pondering = False
        self._said = None  # clients discard reports from pondering, so the line is repeated to give the move a score
        now = time.monotonic_ns()
        self._pondered_ns = now - self._started_ns
        self._started_ns = now
        return self._soft_ns > 0 and self._pondered_ns >= self._soft_ns * self._scale

    def count_pondering(self) -> int:
        """Count the time before ``ponderhit`` as part of the exact time. Return that time in ns."""
        self._exact_ns = max(0, self._exact_ns - self._pondered_ns)
        return self._pondered_ns

    def skip(self, ns: int) -> None:
        """Exclude this many ns from the time since the start."""
        self._started_ns += ns
        self._current_move_ns += ns

    @property
    def thought_ms(self) -> float:
        """The time that the move took; 0 before the best move is reported."""
        return 0.0 if self._answered_ns is None else (self._answered_ns - self._started_ns) / 1_000_000

    def hurry(self) -> None:
        """Stop waiting for the exact time. The front end's thread calls this."""
        self._hurry.set()

    def bestmove(self, move: int, ponder: int) -> None:
        # A search may finish early, but a client that asked for an exact time gets the move at that time.
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
        """Print the lines after the first that an unfinished iteration has left with a bound.

        Clients ignore lines with a bound. They would keep a line of an earlier iteration, perhaps a line about the new
        best move.
        """
        for rank, line in sorted(self._ranks.items()):
            if rank > 1 and line.bound != EXACT and line.pv[:1] != [best]:
                settled = self._settled(line, self._exact_lines.get(rank))
                settled.multipv = rank
                self._say(settled)

    def _last_line(self, best: str | None, move: int, ponder: int) -> SearchInfo:
        """Return the line to print before the best move. It begins with this move and is exact if possible."""
        if self._exact is not None and self._exact.pv[:1] == [best]:
            line = self._exact
        elif self._latest is not None and self._latest.pv[:1] == [best]:
            line = self._latest if self._exact is None else self._settled(self._latest, self._exact)
        else:
            # The search was stopped before the first iteration ended, or another thread found the move.
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
        """Turn a line that the stop left with a bound into an exact one. exact: the last exact line of its rank.

        Clients ignore lines with a bound, so the move would have no score. A mate that is only a bound has no line that
        proves it. Then use the move's own last line, or otherwise the score of ``exact``. If that score is a mate by
        another move, keep the bound.
        """
        if line.bound == EXACT:
            return line
        if not is_mate(line.score):
            score = line.score
        elif (own := self._exact_of_move.get(line.pv[0])) is not None:
            own = own.copy()
            own.multipv = line.multipv  # the move may have had a different rank
            return own
        elif exact is None or is_mate(exact.score):
            return line.copy()
        else:
            score = exact.score
        line = line.copy()
        line.bound, line.score = EXACT, score
        return line

    def _say(self, line: SearchInfo) -> None:
        # Lines repeated at the end may come from earlier iterations, but the numbers shown must never decrease.
        self._nodes = line.nodes = max(self._nodes, line.nodes)
        self._time_ns = line.time_ns = max(self._time_ns, line.time_ns)
        if line.multipv == 1:
            self._said = line
        line.knows_draws = self._knows_draws
        if self._advice is not None:
            self._advice.mark(line)
        if self._symbols is not None and line.bound == EXACT:
            line.symbol = self._symbols.sign(line.score)
        self._listener.info(line)
        if self._symbols is not None and line.bound == EXACT:
            self._symbols.follow(line)


def playable_line(board: Board, moves: list[int]) -> list[str]:
    """Return the moves as text, while they are legal and the game goes on. The board is unchanged afterwards.

    A line from the transposition table may continue past the end of the game, which clients report as an error. The
    line ends at mate, stalemate, the third occurrence, the 50-move limit, and insufficient material. Conditions that
    already hold at the root are ignored, because the user wants to see how play would continue.
    """
    texts: list[str] = []
    over_anyway = board.insufficient or not board.material_ends
    for move in moves:
        if not board.legal(move):
            break
        texts.append(move_text(board, move))
        board.push(move)
        if board.clock >= board.clock_limit or recurs(board) or (board.insufficient and not over_anyway):
            break
        # Mate and stalemate need no test: no move is legal after them.
    for _ in texts:
        board.pop()
    return texts


def bare_line(score: int = 0) -> SearchInfo:
    """Create a line for a best move without a finished iteration."""
    return SearchInfo(depth=0, seldepth=0, multipv=1, score=score, bound=EXACT, nodes=0, time_ns=0, hashfull=0, pv=[])
