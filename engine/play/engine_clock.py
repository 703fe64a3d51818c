"""The engine's own copy of its Triple Block clock, which no client protocol transmits.

The user sets the state once, as an option; from then on the engine counts the time of its own moves. In a game that
lasts months the state comes from the game store at every `go`; the owner of the session supplies the function that
reads the store. The clock's times are exact and scaled: in trials a day may last a second.
"""

from __future__ import annotations

import time
from _thread import RLock
from dataclasses import replace

from ..clock.control import ClockSide, TimeUp
from ..clock.instants import instant_text, last_minute_before, now_ms
from ..clock.plan import RESERVE_MS, moves_to_plan, reserve_ms, share_ms
from ..clock.triple_block import CAP_MS, PAID_MOVES, PROTECTED_MS, State, parse_state
from ..clock.units import duration_text
from ..common.errors import GameError
from ..common.limits import Budget
from .listener import Relay
from .timeman import LAG_SHARE, RESERVED_MOVES, SAFE_OVERHEADS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..common.info import BestMove, SearchInfo
    from ..common.limits import Limits
    from ..common.notice import Notice
    from ..settings.options import Settings
    from ..variants.notation import Board
    from .listener import Listener
    from .timeman import Lag

    # Maps the name of a stored game to its own side's clock and the key of its position; raises StandstillError.
    StoredClock = Callable[[str], tuple[State, int]]

_FULL_SCALE_S = 86_400
_NS_PER_MS = 1_000_000
# Limits the hard budget to this multiple of the soft budget: one long iteration must not use the time of many moves.
_HARD_FACTOR = 4.0
# Expected number of moves of a long game; few games last longer. At least RESERVED_MOVES are always expected.
_LONG_GAME = 350
# A move of a correspondence game may take this long even if its share of the clock is smaller.
_SHORTEST_MS = 10_000.0
# Time for a reply without thought, if no more time is allowed.
_LEAST_MS = 2.0
_FORCED_MS = 10.0
# The client's clock takes precedence if it shows this much less than the engine's count.
_CLIENT_SLACK_MS = 1000.0
_CLIENT_SLACK = 0.02
_WRAP_MS = 2**32
# More than any delay, but far less than the hours by which 50 days exceed the period of 49.7 days.
_WRAP_SLACK_MS = 60_000.0


class EngineClock:
    """The Triple Block clock of a session. Times named real are the machine's; all others are scaled."""

    def __init__(self, settings: Settings, notice: Notice, stored_clock: StoredClock | None = None):
        self._settings = settings
        self._notice = notice
        self._stored_clock = stored_clock or _no_store
        self._given = ""  # the value of TripleBlock, which takes precedence over the store
        self._stored = ""  # name of a stored game
        self._state: State | None = None
        self._sure = True  # whether the state was reached by counting from the given state
        self._offset = 0  # number of the engine's next move, minus the move number of the position
        self._played: _Played | None = None  # the position of the last counted move
        self._watch: _Watch | None = None
        self._stored_position: int | None = None  # key of the stored game's position
        self._foreign_position: int | None = None  # key of a different position that was already reported
        self._shortened = False  # whether it was reported that the client's clock shows less
        self._lost_ms = 0.0  # real time lost outside the engine since the state was given
        self._unseen = False  # whether the loss of the last counted move is still unknown
        self._lock = RLock()  # the main thread may change the clock while the search thread counts a move

    # ---- state set by the user ----

    def change(self, name: str, text: str) -> None:
        """Take a new value of TripleBlock or TripleBlockGame; empty for no clock.

        Raises StandstillError for an invalid text, and then keeps the old value.
        """
        if name == "TripleBlock":
            if text:
                parse_state(text)
            self._given = text
        else:
            if text:
                self._stored_clock(text)
            self._stored = text
        self.new_game()

    def new_game(self) -> None:
        """Restore the last given value. The move of a running search does not count on the new clock."""
        with self._lock:
            self.give_up()
            self._watch = None
            self._state = parse_state(self._given) if self._given else None
            self._sure = True
            self._played = None
            self._lost_ms = 0.0
            self._unseen = False
            self._shortened = False

    @property
    def keeping(self) -> bool:
        """Whether there is a Triple Block clock."""
        return self._state is not None

    @property
    def _now(self) -> State:
        assert self._state is not None
        return self._state

    def report(self, board: Board) -> list[str]:
        """Return lines that describe the clock in this position."""
        lines = []
        if self._stored_only and (self._watch is None or not self._watch.counted):
            self._read_store()
        if self._state is not None:
            lines.append(f"tripleblock {self._text(board.fullmove if self._moves_by_position else None)}")
        return lines

    @property
    def _moves_by_position(self) -> bool:
        """Whether the next move's number comes from the position: until a move is counted, if no number was given."""
        return self._played is None and not self._now.given_move and not self._stored_only

    def _text(self, move: int | None = None) -> str:
        """Describe the clock. move: the number of the next move if it differs from the clock's count."""
        side = self._now.side
        move = move or side.moves + 1
        unsure = "" if self._sure else " unknown since a jump"
        return (
            f"clock {duration_text(side.clock_ms)} bank {duration_text(side.bank_ms)} move {move}"
            f" total {duration_text(side.total_ms)}{unsure}"
        )

    # ---- a search ----

    def begin(
        self, limits: Limits, board: Board, set_up: str | None, played: list[str], listener: Listener
    ) -> Listener:
        """Find the move number at a `go`, before time is allotted. Returns the listener for the search."""
        if self._stored and not self._given:
            self._read_store()
            self._compare_position(board)
        if self._state is None:
            return listener
        here = _Played(board.stm, board.fullmove, set_up, tuple(played))
        counted = not limits.infinite and not self._settings["UCI_AnalyseMode"]
        if counted:
            self._number_move(here)
        self._watch = _Watch(self, listener, here, counted, running=not limits.ponder)
        self._advise()
        return self._watch

    def _read_store(self) -> None:
        from ..common.errors import StandstillError

        try:
            self._state, self._stored_position = self._stored_clock(self._stored)
        except StandstillError as error:
            self._state = self._stored_position = None  # otherwise an outdated count would stay in use
            self._notice(f"TripleBlockGame: {error}", warning=True)
        # The store itself counts moves.
        self._played = None

    def _compare_position(self, board: Board) -> None:
        """Report if the stored game is in a different position, once for each position."""
        if self._stored_position is None or self._stored_position == board.key:
            return
        if self._foreign_position != board.key:
            self._foreign_position = board.key
            self._notice(f"TripleBlockGame: the position is not that of {self._stored}; its clock is used nevertheless")

    def _number_move(self, here: _Played) -> None:
        """Determine the number of the engine's next move."""
        if self._played is None:
            if self._moves_by_position:
                # The move number of a position counts from the start of the game, as the clock does.
                self._state = replace(self._now, side=replace(self._now.side, moves=here.fullmove - 1))
            self._offset = self._now.move - here.fullmove
        elif not here.follows(self._played):
            if self._sure:
                self._sure = False
                self._notice(
                    "tripleblock: the position does not follow from the last move; the clock is kept as it was"
                )
            moves = max(0, here.fullmove + self._offset - 1)
            self._state = replace(self._now, side=replace(self._now.side, moves=moves))

    @property
    def _stored_only(self) -> bool:
        return bool(self._stored) and not self._given

    def restrict(self, budget: Budget, limits: Limits, overhead_ms: float, lag: Lag, forced: bool) -> Budget:
        """Return the budget by this clock and all other limits, in real ms.

        budget: the budget without any clock. lag: the loss measured by the client's clock. forced: whether only one
        move is legal.
        """
        if limits.infinite:
            return budget
        self._count_lost(overhead_ms, lag)
        lag_ms = overhead_ms * LAG_SHARE if lag.last_ms is None or lag.ms is None else lag.ms
        state = self._now
        clock_ms, total_ms = self._real_ms(state.side.clock_ms), self._real_ms(state.side.total_ms)
        lost_ms = self._lost_ms + max(overhead_ms, lag_ms)
        # The time that each move of a long game costs even without any thought.
        cost_ms = _LEAST_MS + lag_ms
        increment_ms = self._real_ms(state.terms.increment_ms) if state.move <= PAID_MOVES else 0.0
        paid = increment_ms >= cost_ms
        unpaid_ms = cost_ms * max(RESERVED_MOVES, _LONG_GAME - (PAID_MOVES if paid else state.move))
        # In trials with short days, the cost of moves without an increment may exceed this reserve.
        reserved_ms = self._real_ms(reserve_ms(state.side.total_ms))
        soft = self._wanted_ms(state, forced, lost_ms + (0.0 if paid else max(0.0, unpaid_ms - reserved_ms)))
        # Without automatic refills only the clock counts, because the user may ignore the advice.
        within_ms = total_ms if state.terms.auto_refill else clock_ms
        spare_ms = max(0.0, within_ms - lost_ms - unpaid_ms)
        # On a busy machine a move occasionally loses more than the overhead.
        safe_ms = clock_ms - max(lost_ms, min(SAFE_OVERHEADS * overhead_ms, clock_ms / 2))
        hard = min(safe_ms, max(_HARD_FACTOR * soft, _LEAST_MS), spare_ms / 2 + increment_ms)
        longest = self._settings["TripleBlockMaxThink"] * 1000
        if longest:
            hard = min(hard, longest)
        hard = max(hard, min(clock_ms / 4, _LEAST_MS), 0.1)
        if budget.hard_ms is not None:
            hard = min(hard, budget.hard_ms)
        return Budget(min(soft, hard), hard)

    def _count_lost(self, overhead_ms: float, lag: Lag) -> None:
        """Add the loss of the last move if it is not included yet."""
        if self._unseen:
            self._unseen = False
            # If the client sends no clock, or a clock that does not run, assume the maximum loss.
            self._lost_ms = max(0.0, self._lost_ms + (overhead_ms if lag.last_ms is None else lag.last_ms))

    def outdone(self, limits: Limits, overhead_ms: float, lag: Lag) -> bool:
        """Return whether the client's clock shows clearly less than the engine's count.

        If so, the client's clock takes precedence, because the client decides losses on time. This happens if the
        engine is restarted in the middle of a game and counts from the start.
        """
        state = self._now
        client_ms = None if self._watch is None else limits.time_ms[self._watch.here.stm]
        if client_ms is None or limits.infinite:
            return False
        self._count_lost(overhead_ms, lag)
        total_ms = self._real_ms(state.side.total_ms)
        if client_ms >= total_ms - self._lost_ms - max(_CLIENT_SLACK_MS, total_ms * _CLIENT_SLACK):
            return False
        # XBoard's clocks wrap round every 49.7 days. They then equal this clock modulo that period, except for losses.
        for whole_ms in (total_ms, self._real_ms(state.side.clock_ms)):
            if whole_ms > _WRAP_MS and abs(client_ms - whole_ms % _WRAP_MS) <= self._lost_ms + _WRAP_SLACK_MS:
                return False
        if not self._shortened:
            self._shortened = True
            self._notice("tripleblock: the client's clock shows less than is counted here; the engine uses it")
        return True

    def _wanted_ms(self, state: State, forced: bool, away_ms: float) -> float:
        """Return the soft budget in real ms: a share of the total, within the user's limits.

        away_ms: the part of the total that is already lost or reserved.
        """
        longest = self._settings["TripleBlockMaxThink"] * 1000
        full_scale = self._settings["TripleBlockScale"] == _FULL_SCALE_S
        shortest = _SHORTEST_MS if full_scale else 0
        share = self._real_ms(share_ms(state)) - away_ms / moves_to_plan(state.move)
        wanted = max(shortest, _FORCED_MS if forced else share)
        return max(_LEAST_MS, min(wanted, longest) if longest else wanted)

    def ponderhit(self) -> None:
        """Start the engine's clock, because the opponent has moved."""
        if self._watch is not None:
            self._watch.start()

    def give_up(self) -> None:
        """Record that the move of a running search will not be played."""
        if self._watch is not None:
            self._watch.counted = False

    def count(self, watch: _Watch) -> list[str]:
        """Count a move and return messages about it; empty if the move does not count."""
        with self._lock:
            if not watch.counted:
                return []
            watch.counted = False
            return self._counted(watch)

    def _counted(self, watch: _Watch) -> list[str]:
        spent_ms = self._clock_ms(watch.elapsed_ns())
        terms, side = self._now.terms, self._now.side
        said = []
        try:
            side = terms.complete(side, spent_ms)
        except TimeUp:
            # The client decides whether the game goes on. If it does, continue with an empty clock and the same bank.
            said.append(f"tripleblock time ran out on move {side.moves + 1}")
            side = ClockSide(0, side.bank_ms, side.moves + 1, side.used_ms + side.clock_ms, side.credit_ms)
        self._state = replace(self._now, side=side)
        self._played = watch.here
        self._unseen = True
        if terms.protection and side.moves > PAID_MOVES and side.total_ms == PROTECTED_MS:
            self._lost_ms, self._unseen = 0.0, False  # the server's clock has been set as well
        return [*said, f"tripleblock {self._text()}"]

    # ---- advice ----

    def _advise(self, elapsed_ms: int = 0) -> bool:
        """Advise a refill if the wanted time exceeds the clock. Return whether advice was given."""
        with self._lock:
            return self._advise_now(elapsed_ms)

    def _advise_now(self, elapsed_ms: int) -> bool:
        if self._watch is None or not self._watch.running:
            return False
        side = self._now.side
        left_ms = side.clock_ms - elapsed_ms
        analysing = not self._watch.counted
        wanted_ms = max(share_ms(self._now), RESERVE_MS if analysing else 0)
        if not side.bank_ms or left_ms <= 0 or wanted_ms < left_ms:
            return False
        amount_ms = min(CAP_MS - left_ms, side.bank_ms) or min(CAP_MS, side.bank_ms)
        at_ms = now_ms() + int(self._real_ms(left_ms))
        if self._settings["TripleBlockScale"] == _FULL_SCALE_S:
            at_ms = last_minute_before(at_ms)
        self._watch.advice(f"tripleblock refill {duration_text(amount_ms)} before {instant_text(at_ms)}")
        return True

    # ---- real time and scaled time ----

    def _real_ms(self, ms: int) -> float:
        return ms * self._settings["TripleBlockScale"] / _FULL_SCALE_S

    def _clock_ms(self, real_ns: int) -> int:
        """Convert real time to ms of the clock, rounded up, because a ms that has begun is spent."""
        return -(-real_ns * _FULL_SCALE_S // (self._settings["TripleBlockScale"] * _NS_PER_MS))


class _Played:
    """A position with the engine to move, as the client described it."""

    __slots__ = ("fullmove", "moves", "set_up", "stm")

    def __init__(self, stm: int, fullmove: int, set_up: str | None, moves: tuple[str, ...]):
        self.stm = stm
        self.fullmove = fullmove
        self.set_up = set_up
        self.moves = moves

    def follows(self, before: _Played) -> bool:
        """Return whether this looks like the next move of the same side in the same game."""
        if self.stm != before.stm or self.fullmove != before.fullmove + 1:
            return False
        # Some clients set up every position by FEN. Then only the move number shows whether the game continues.
        return self.set_up != before.set_up or self.moves[: len(before.moves)] == before.moves


class _Watch(Relay):
    """Wraps the front end's listener: counts the time of a move and reports the new state of the clock."""

    def __init__(self, engine_clock: EngineClock, listener: Listener, here: _Played, counted: bool, running: bool):
        super().__init__(listener)
        self.here = here
        self.counted = counted  # whether the best move counts on this clock
        self.running = running  # False while pondering
        self._engine_clock = engine_clock
        self._started_ns = time.monotonic_ns()
        self._warned = False

    def start(self) -> None:
        if not self.running:
            self.running = True
            self._started_ns = time.monotonic_ns()
            self._engine_clock._advise()

    def elapsed_ns(self) -> int:
        return time.monotonic_ns() - self._started_ns

    def info(self, info: SearchInfo) -> None:
        self._listener.info(info)
        if not self.counted and not self._warned:
            # An analysis may last days, so the advice comes when the clock gets low.
            self._engine_clock._advise(self._engine_clock._clock_ms(self.elapsed_ns()))

    def advice(self, text: str) -> None:
        self._warned = True
        self._listener.advice(text)

    def best_move(self, best: BestMove) -> None:
        if self.running and best.move is not None:
            for text in self._engine_clock.count(self):
                self._listener.remark(text)
        self.counted = False
        self._listener.best_move(best)


def _no_store(name: str) -> tuple[State, int]:
    raise GameError("this session has no store of correspondence games")
