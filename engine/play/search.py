"""Runs a search: start, ponder, pause and stop, and the release of the best move."""

from __future__ import annotations

import time

from standstill.cext.base.constants import BLACK, MAX_PLY, STALEMATE

from ..common.info import MATE, BestMove
from ..common.limits import Budget, Limits, core_ns
from ..rmobility.modes import DECISIVE, NONE, OFF, give_record, outlook, proven_score
from ..variants.game_over import game_end
from .strength import Handicap, choose, handicap
from .watcher import Watcher, bare_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from ..settings.options import Settings
    from ..tablebases.playing import PlayedTables
    from .advice import RootAdvice
    from .equipment import Equipment
    from .listener import Listener
    from .position import PlayedPosition
    from .relevance_lines import LiveSymbols
    from .timing import Timing
    from .watcher import Lengthen

_DEEPEST = MAX_PLY - 1  # the core's search path has no space for more plies
_MOST_NODES = 2**62
_LONGEST_MATE = 500  # in full moves; longer mates exceed the maximum depth


class Search:
    """Runs one search at a time.

    The listener is called on the search's thread, or on the caller's thread if there is nothing to search.
    """

    def __init__(self, settings: Settings, position: PlayedPosition, equipment: Equipment, timing: Timing):
        self._settings = settings
        self._position = position
        self._equipment = equipment
        self._timing = timing
        self.budget = Budget()  # time limits of the last `go`
        self.lines = 1  # lines reported in each iteration
        self.handicap: Handicap | None = None  # replaces the handicap of UCI_Elo, for measurements
        self.random: Random | None = None  # chooses moves below full strength; created when first needed
        self._knows_more = False  # whether the table contains results of a stronger search than the level allows
        self._pondering = False
        self._held: _HeldAnswer | None = None
        self._watcher: Watcher | None = None  # the watcher of the last search
        self._paused_ns = 0  # when the pause began; 0 if the search is not paused
        self._thought_ms = 0.0  # time of the last search that gave a move

    def new_game(self) -> None:
        self._knows_more = False

    @property
    def running(self) -> bool:
        """Whether the best move of a `go` is still pending."""
        if self._held is not None:
            return True
        if self._watcher is None:
            return False
        return self._equipment.pool.searching and not self._watcher.done

    @property
    def nodes(self) -> int:
        """The nodes of the current or the last search."""
        return self._equipment.pool.nodes if self._equipment.has_pool else 0

    @property
    def budget_text(self) -> str:
        """The time budget of the last `go` as text, for debugging."""
        lag = _rounded(self._timing.lag_ms)
        return f"budget soft {_rounded(self.budget.soft_ms)} hard {_rounded(self.budget.hard_ms)} ms lag {lag} ms"

    def go(self, limits: Limits, listener: Listener) -> None:
        """Search the position and return at once. A running search is stopped first and reports its best move."""
        asked_ns = time.monotonic_ns()
        self.finish()
        self._paused_ns = 0
        self._equipment.follow(self._position.game)
        ready_ns = time.monotonic_ns()
        moves = self._position.candidates(limits.root_moves)
        if self._watcher is not None and not self._watcher.pondering:
            self._thought_ms = self._watcher.thought_ms
        self._pondering = limits.ponder
        if not moves:
            self._answer_without_moves(limits, listener)
            return
        board = self._position.board
        listener = self._timing.begin(limits, self._position, listener)
        advice = self._equipment.adviser.advise(board, moves, limits, self._settings)
        self._ask_tables(advice, limits, listener)
        self.budget = self._allot(limits, len(advice.moves))
        try:
            self._start(limits, advice, listener, asked_ns, ready_ns)
        except (MemoryError, RuntimeError):
            # The memory of each thread is allocated only now.
            if not self._equipment.fall_back_to_one_thread():
                raise
            self._start(limits, advice, listener, asked_ns, ready_ns)

    def stop(self) -> None:
        """Stop the search, if there is one. The search's thread then reports the best move."""
        self._pondering = False
        if self._held is not None:
            self._release()
        elif self._watcher is not None:
            self._watcher.hurry()
            self._equipment.pool.stop()

    def ponderhit(self, limits: Limits | None) -> None:
        """Turn the ponder search into a timed one. limits: the current clocks; None to use the clocks of the `go`."""
        if not self._pondering:
            return
        self._pondering = False
        self._timing.ponderhit()
        if self._held is None:
            pool, watcher = self._equipment.pool, self._watcher
            assert watcher is not None
            soft_ns = None
            if limits is not None and limits.nps:
                limits = None  # in the nodes-as-time mode the clocks of the `go` still apply
            if limits is not None:
                self.budget = self._allot(limits, self._position.board.count_legal())
                soft_ns = core_ns(self.budget.soft_ms)
            covered = watcher.ponderhit(soft_ns)
            if limits is not None:
                pool.ponderhit(soft_ns, core_ns(self.budget.hard_ms))
            elif self.budget.soft_ms is None and self.budget.hard_ms is not None:
                # A fixed time for this move counts from the `go ponder`, as in Stockfish.
                pool.ponderhit(0, core_ns(self.budget.hard_ms, watcher.count_pondering()))
            else:
                pool.ponderhit()
            if covered:
                pool.stop()  # the time spent pondering is enough
        elif not self._held.infinite:
            self._release()

    def pause(self) -> None:
        """Pause the search and its clock until ``resume`` or ``stop``."""
        if self._watcher is not None and self._equipment.pool.searching:
            self._paused_ns = self._paused_ns or time.monotonic_ns()
            self._equipment.pool.pause()

    def resume(self) -> None:
        if self._watcher is not None and self._paused_ns:
            self._watcher.skip(time.monotonic_ns() - self._paused_ns)
            self._paused_ns = 0
            self._equipment.pool.resume()

    def wait(self) -> None:
        """Wait until the best move is reported. A search without limits must be stopped first."""
        if self._equipment.has_pool:
            self._equipment.pool.wait()

    def finish(self) -> None:
        """Stop the search and wait for it to end."""
        self._timing.give_up()
        self.stop()
        self.wait()

    def close(self, patience_s: float) -> bool:
        """Stop the search and wait at most this long. Return True if it has ended."""
        self.stop()
        deadline = time.monotonic() + patience_s
        while self._equipment.has_pool and self._equipment.pool.searching:  # wait until its thread ends
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)
        return True

    def _allot(self, limits: Limits, n_moves: int) -> Budget:
        return self._timing.allot(limits, self._position.board, n_moves, self._thought_ms)

    def _ask_tables(self, advice: RootAdvice, limits: Limits, listener: Listener) -> None:
        """Choose among the root moves by R-Mobility tables, unless strength is limited or the rules differ."""
        tables, board = self._tables(), self._position.board
        if tables is None:
            return
        pool = self._equipment.pool
        advice.count_hits = lambda: pool.oracle_hits
        if advice.source == "book" or limits.mate is not None or self._weaker(limits) is not None:
            return
        give_record(board, self._position.given_record)
        objective = self._equipment.objective
        record = objective.record_of(board)
        found = tables.narrow(board, advice.moves, None if record is None else record[:2])
        if found is not None:
            advice.moves, advice.outcome = found.moves, found.outcome
            advice.has_outcome = advice.is_proven = True
            # In living material the search scores records only as estimates, so the proven score replaces the search's
            # score.
            advice.score = proven_score(objective, board, found.outcome, found.plies)
            listener.remark(f"rmobility table {found}")

    def _tables(self) -> PlayedTables | None:
        """Return the R-Mobility tables if their rules are those of the game, else None."""
        tables = self._equipment.tables
        return tables if self._position.game.is_chess and not self._position.board.material_ends else None

    def _lengthen(self) -> Lengthen | None:
        """Return a function that extends a line by best play from the tables, or None without tables."""
        tables, objective = self._tables(), self._equipment.objective
        if tables is None:
            return None
        return lambda board, moves: tables.lengthened(board, moves, objective.record_of)

    def _start(self, limits: Limits, advice: RootAdvice, listener: Listener, asked_ns: int, ready_ns: int) -> None:
        """Start the search. ready_ns: the instant at which loading for this `go` ended."""
        nodes = limits.nodes
        if limits.nps:
            nodes = limits.nodes_instead(self.budget)
            self.budget = Budget()
        weaker = self._weaker(limits)
        lines = self._settings["MultiPV"]
        if weaker is not None:
            nodes = weaker.nodes if nodes is None else min(nodes, weaker.nodes)
            lines = weaker.lines
        now_ns = time.monotonic_ns()
        # Loading does not count as thinking time, because the first move of a fast game would have no time left.
        soft_ns = core_ns(self.budget.soft_ms, now_ns - ready_ns)
        hard_ns = core_ns(self.budget.hard_ms, now_ns - asked_ns)
        board, objective = self._position.board, self._equipment.objective
        plays_for_records = self._settings["RMobility"] != OFF
        if plays_for_records:
            give_record(board, self._position.given_record)
        lines, random = min(lines, len(advice.moves)), self.random
        depth = advice.limit_depth(limits.depth)
        if limits.mate is not None and limits.mate < 1:
            depth = 0  # a mate in less than one move cannot end the search
        self.lines = 1 if weaker else lines  # a handicapped search computes more lines than it shows
        self._watcher = Watcher(
            board.copy(),
            listener,
            hard_ns if limits.only_movetime and advice.depth is None else 0,
            soft_ns=soft_ns,
            pondering=limits.ponder,
            advice=advice,
            symbols=self._live_symbols(listener, self.lines),
            choose=None if weaker is None or random is None else lambda lines: choose(lines, weaker, random),
            objective=objective if plays_for_records else None,
            knows_draws=self._knows_draws,
            lengthen=self._lengthen(),
        )
        self._equipment.pool.go(
            board,
            objective,
            self._watcher,
            depth=_bounded(depth, _DEEPEST),
            nodes=_bounded(nodes, _MOST_NODES),
            mate=_bounded(limits.mate, _LONGEST_MATE),
            soft_ns=soft_ns,
            hard_ns=hard_ns,
            infinite=limits.infinite,
            ponder=limits.ponder,
            multipv=lines,
            root_moves=advice.moves if len(advice.moves) < board.count_legal() else None,
        )

    @property
    def _knows_draws(self) -> bool:
        """Whether the reported chances include a draw. In ``Decisive`` they do only with a limit on goals and without a
        komi.

        A komi that is itself a goal, such as G3.5, also allows a draw: by a final record of exactly that goal. This is
        rare, and the chances neglect it. A komi between two goals, such as G3.75, allows no draw.
        """
        limit, komi = self._settings["RMobilityLimit"].strip().lower(), self._settings["RMobilityKomi"].strip().lower()
        return self._settings["RMobility"] != DECISIVE or (limit != NONE and komi == NONE)

    def _weaker(self, limits: Limits) -> Handicap | None:
        wanted = self.handicap or handicap(limits, self._settings)
        if wanted is None:
            self._knows_more = True
            return None
        if self._knows_more:
            self._knows_more = False
            self._equipment.pool.clear()
        if self.random is None:
            from random import Random

            self.random = Random()
        return wanted

    def _answer_without_moves(self, limits: Limits, listener: Listener) -> None:
        """Answer a `go` that has no move to search: report a score and no move, held back like any best move."""
        board = self._position.board
        if board.count_legal(1):  # the position has legal moves, but all requested moves are illegal
            self._hold(limits, listener)
            return
        end = game_end(board)
        lost = end is not None and end[0] != "1/2-1/2"  # a side without a move cannot win
        # With R-Mobility a stalemate has a score of its own.
        score = -MATE if lost else self._equipment.objective.settled(board, STALEMATE)
        if self._settings["RMobility"] != OFF:
            give_record(board, self._position.given_record)
            found = outlook(self._equipment.objective, board, [], score)
            if found is not None:
                found.is_proven = True
                listener.outlook(found, True)
        line = bare_line(score)
        line.source = "rules"
        line.is_proven = line.has_proven_score = True
        listener.info(line)
        if (symbols := self._live_symbols(listener, 1)) is not None:
            symbols.end(bare_line(score))
        self._hold(limits, listener)

    def answer_nothing(self, limits: Limits, listener: Listener) -> None:
        """Answer a `go` that has no position: report no move and no score, held back like any best move."""
        self.finish()
        self._pondering = limits.ponder
        self._hold(limits, listener)

    def _hold(self, limits: Limits, listener: Listener) -> None:
        """Report that there is no move, as soon as the protocol allows a best move."""
        self._held = _HeldAnswer(listener, limits.infinite)
        if not limits.infinite and not limits.ponder:
            self._release()

    def _live_symbols(self, listener: Listener, lines: int) -> LiveSymbols | None:
        from .relevance_lines import follow_search

        return follow_search(self._settings, self._position.board.stm == BLACK, lines, listener.remark)

    def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.listener.best_move(BestMove(None))


class _HeldAnswer:
    """A pending report that there is no best move. The protocol does not allow it yet."""

    __slots__ = ("infinite", "listener")

    def __init__(self, listener: Listener, infinite: bool):
        self.listener = listener
        self.infinite = infinite


def _rounded(ms: float | None) -> str:
    return "none" if ms is None else f"{ms:.0f}"


def _bounded(value: int | None, most: int) -> int:
    """Convert a limit to the core's form: at least 1, or 0 for no limit."""
    return 0 if value is None else max(1, min(value, most))
