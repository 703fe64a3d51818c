"""The engine's own copy of its Triple Block clock, for clients whose protocol has no word for one.

A client hands over the state once, as an option; from then on the engine counts the time of its own moves. In a game
that lasts months the state comes from the store of games instead, at every `go`. All of the clock's times are exact and
scaled: a day may last a second, for trials.
"""

from __future__ import annotations

import time
from dataclasses import replace

from ..limits import Budget
from ..timeman import LAG_SHARE, RESERVED_MOVES, SAFE_OVERHEADS
from .control import Side, TimeUp
from .instants import instant_text, last_minute_before, now_ms
from .plan import RESERVE_MS, moves_to_plan, reserve_ms, share_ms
from .triple_block import CAP_MS, PAID_MOVES, PROTECTED_MS, State, parse_state
from .units import days_text

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..info import BestMove, SearchInfo
    from ..limits import Limits
    from ..options import Settings
    from ..session import Listener
    from ..timeman import Lag

_FULL_SCALE_S = 86_400
_NS_PER_MS = 1_000_000
# One iteration that does not end must not eat what many moves were meant to have.
_HARD_FACTOR = 4.0
# Few games last longer; more than RESERVED_MOVES are always expected.
_LONG_GAME = 350
# A reply without any thought, where nothing else is allowed.
_LEAST_MS = 2.0
_FORCED_MS = 10.0


class Keeper:
    """The clock of one session. Times called real are the machine's, all others the clock's."""

    def __init__(self, settings: Settings, notice: Callable[[str], None]):
        self._settings = settings
        self._notice = notice
        self._given = ""  # by TripleBlock, wins over the store
        self._stored = ""  # name of a stored game
        self._state: State | None = None
        self._opponent: State | None = None
        self._sure = True  # does the state follow from what was given?
        self._offset = 0  # own move number less the position's
        self._played: _Played | None = None  # the position of the last move that was counted
        self._watch: _Watch | None = None
        self._lost_ms = 0.0  # real, by all moves since the state was given, between us and the client's clock
        self._unseen = False  # has a move been counted whose loss is not among them yet?

    # ---- what the user gives ----

    def change(self, name: str, text: str) -> None:
        """A new value of TripleBlock, TripleBlockOpp or TripleBlockGame; empty is off.

        Raises StandstillError for a text without meaning; the old value holds then.
        """
        if name == "TripleBlockOpp":
            self._opponent = parse_state(text) if text else None
            return
        if name == "TripleBlock":
            if text:
                parse_state(text)
            self._given = text
        else:
            if text:
                _stored_state(text)
            self._stored = text
        self.new_game()

    def new_game(self) -> None:
        """Back to the last value given."""
        self._state = parse_state(self._given) if self._given else None
        self._sure = True
        self._played = None
        self._watch = None
        self._lost_ms = 0.0
        self._unseen = False

    @property
    def keeping(self) -> bool:
        """Is there a clock to keep?"""
        return self._state is not None

    def report(self) -> list[str]:
        lines = []
        if self._state is not None:
            lines.append(f"tripleblock {self._text()}")
        if self._opponent is not None:
            side = self._opponent.side
            lines.append(f"tripleblock opponent clock {days_text(side.clock_ms)} bank {days_text(side.bank_ms)}")
        return lines

    def _text(self) -> str:
        side = self._state.side
        unsure = "" if self._sure else " unknown since a jump"
        return (
            f"clock {days_text(side.clock_ms)} bank {days_text(side.bank_ms)} move {side.moves + 1}"
            f" total {days_text(side.total_ms)}{unsure}"
        )

    # ---- a search ----

    def begin(self, limits: Limits, board, set_up: str | None, played: list[str], listener: Listener) -> Listener:
        """At a `go`, before time is allotted: which move is it? Returns the listener to give to the search."""
        if self._stored and not self._given:
            self._read_store()
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
        from ..errors import StandstillError

        try:
            self._state = _stored_state(self._stored)
        except StandstillError as error:
            self._notice(f"TripleBlockGame: {error}")
        # The store counts moves itself.
        self._played = None

    def _number_move(self, here: _Played) -> None:
        """Find the number of the own move about to be made."""
        if self._played is None:
            if not self._state.given_move and not self._stored_only:
                # Counted from the start position, as the position itself does.
                self._state = replace(self._state, side=replace(self._state.side, moves=here.fullmove - 1))
            self._offset = self._state.move - here.fullmove
        elif not here.follows(self._played):
            if self._sure:
                self._sure = False
                self._notice(
                    "tripleblock: the position does not follow from the last move; the clock is kept as it was"
                )
            moves = max(0, here.fullmove + self._offset - 1)
            self._state = replace(self._state, side=replace(self._state.side, moves=moves))

    @property
    def _stored_only(self) -> bool:
        return bool(self._stored) and not self._given

    def restrict(self, budget: Budget, limits: Limits, overhead_ms: float, lag: Lag, forced: bool) -> Budget:
        """The budget that other limits leave, and this clock as well; real ms.

        budget: without any clock. lag: as the client's clock shows it. forced: there is but one legal move.
        """
        if limits.infinite:
            return budget
        if self._unseen:
            self._unseen = False
            # Of a client that tells no clock, or one that stands, the worst is expected.
            self._lost_ms = max(0.0, self._lost_ms + (overhead_ms if lag.last_ms is None else lag.last_ms))
        state = self._state
        clock_ms, total_ms = self._real_ms(state.side.clock_ms), self._real_ms(state.side.total_ms)
        lag_ms = overhead_ms * LAG_SHARE if lag.last_ms is None else lag.ms
        lost_ms = self._lost_ms + max(overhead_ms, lag_ms)
        # What the moves of a long game cost without any thought.
        cost_ms = _LEAST_MS + lag_ms
        increment_ms = self._real_ms(state.terms.increment_ms) if state.move <= PAID_MOVES else 0.0
        paid = increment_ms >= cost_ms
        unpaid_ms = cost_ms * max(RESERVED_MOVES, _LONG_GAME - (PAID_MOVES if paid else state.move))
        # Where a day is short that may be more than the reserve.
        reserved_ms = self._real_ms(reserve_ms(state.side.total_ms))
        soft = self._wanted_ms(forced, lost_ms + (0.0 if paid else max(0.0, unpaid_ms - reserved_ms)))
        # Without automatic refills there may never be more than the clock: nobody has to follow advice.
        within_ms = total_ms if state.terms.auto_refill else clock_ms
        spare_ms = max(0.0, within_ms - lost_ms - unpaid_ms)
        # Once in a game a busy machine loses more than the overhead.
        safe_ms = clock_ms - max(lost_ms, min(SAFE_OVERHEADS * overhead_ms, clock_ms / 2))
        hard = min(safe_ms, max(_HARD_FACTOR * soft, _LEAST_MS), spare_ms / 2 + increment_ms)
        longest = self._settings["TripleBlockMaxThink"] * 1000
        if longest:
            hard = min(hard, longest)
        hard = max(hard, min(clock_ms / 4, _LEAST_MS), 0.1)
        if budget.hard_ms is not None:
            hard = min(hard, budget.hard_ms)
        return Budget(min(soft, hard), hard)

    def _wanted_ms(self, forced: bool, away_ms: float) -> float:
        """The soft budget in real ms: the share, within what the owner of the machine wants.

        away_ms: what the total has less than it shows, or must keep.
        """
        longest = self._settings["TripleBlockMaxThink"] * 1000
        full_scale = self._settings["TripleBlockScale"] == _FULL_SCALE_S
        shortest = self._settings["TripleBlockMinThink"] * 1000 if full_scale else 0
        share = self._real_ms(share_ms(self._state)) - away_ms / moves_to_plan(self._state.move)
        wanted = max(shortest, _FORCED_MS if forced else share)
        return max(_LEAST_MS, min(wanted, longest) if longest else wanted)

    def ponderhit(self) -> None:
        """The opponent has moved: our clock runs from now on."""
        if self._watch is not None:
            self._watch.start()

    def give_up(self) -> None:
        """The search, if it still runs, will not give a move that is played."""
        if self._watch is not None:
            self._watch.counted = False

    def _count(self, watch: _Watch) -> list[str]:
        """A move was made; returns what is to be said about it."""
        spent_ms = self._clock_ms(watch.elapsed_ns())
        terms, side = self._state.terms, self._state.side
        said = []
        try:
            side = terms.complete(side, spent_ms)
        except TimeUp:
            # The client decides whether the game goes on; for us it does, with what a referee would leave.
            said.append(f"tripleblock time ran out on move {side.moves + 1}")
            side = Side(0, side.bank_ms, side.moves + 1, side.used_ms + side.clock_ms, side.credit_ms)
        self._state = replace(self._state, side=side)
        self._played = watch.here
        self._unseen = True
        if terms.protection and side.moves > PAID_MOVES and side.total_ms == PROTECTED_MS:
            self._lost_ms, self._unseen = 0.0, False  # the server's clock has been set as well
        return [*said, f"tripleblock {self._text()}"]

    # ---- advice ----

    def _advise(self, elapsed_ms: int = 0) -> bool:
        """Say until when the clock must be refilled, if the time wanted is more than it shows; was it said?"""
        if not self._settings["TripleBlockRefill"] or self._watch is None or not self._watch.running:
            return False
        side = self._state.side
        left_ms = side.clock_ms - elapsed_ms
        analysing = not self._watch.counted
        wanted_ms = max(share_ms(self._state), RESERVE_MS if analysing else 0)
        if not side.bank_ms or left_ms <= 0 or wanted_ms < left_ms:
            return False
        amount_ms = min(CAP_MS - left_ms, side.bank_ms) or min(CAP_MS, side.bank_ms)
        at_ms = now_ms() + int(self._real_ms(left_ms))
        if self._settings["TripleBlockScale"] == _FULL_SCALE_S:
            at_ms = last_minute_before(at_ms)
        self._watch.advice(f"tripleblock refill {days_text(amount_ms)} before {instant_text(at_ms)}")
        return True

    # ---- real time and the clock's ----

    def _real_ms(self, ms: int) -> float:
        return ms * self._settings["TripleBlockScale"] / _FULL_SCALE_S

    def _clock_ms(self, real_ns: int) -> int:
        """Rounded up: what has begun is spent."""
        return -(-real_ns * _FULL_SCALE_S // (self._settings["TripleBlockScale"] * _NS_PER_MS))


class _Played:
    """A position in which we were to move, as the client described it."""

    __slots__ = ("fullmove", "moves", "set_up", "stm")

    def __init__(self, stm: int, fullmove: int, set_up: str | None, moves: tuple[str, ...]):
        self.stm = stm
        self.fullmove = fullmove
        self.set_up = set_up
        self.moves = moves

    def follows(self, before: _Played) -> bool:
        """Is it the same side's next move, in the same game as far as can be seen?"""
        if self.stm != before.stm or self.fullmove != before.fullmove + 1:
            return False
        # Some clients set every position up afresh; then the number has to do.
        return self.set_up != before.set_up or self.moves[: len(before.moves)] == before.moves


class _Watch:
    """Stands before the front end's listener: counts the time of a move, and says what became of the clock."""

    def __init__(self, keeper: Keeper, listener: Listener, here: _Played, counted: bool, running: bool):
        self.here = here
        self.counted = counted  # is the best move played on this clock?
        self.running = running  # not while pondering
        self._keeper = keeper
        self._listener = listener
        self._started_ns = time.monotonic_ns()
        self._warned = False

    def start(self) -> None:
        if not self.running:
            self.running = True
            self._started_ns = time.monotonic_ns()
            self._keeper._advise()

    def elapsed_ns(self) -> int:
        return time.monotonic_ns() - self._started_ns

    def info(self, info: SearchInfo) -> None:
        self._listener.info(info)
        if not self.counted and not self._warned:
            # An analysis may go on for days: the advice comes when the clock gets low under it.
            self._keeper._advise(self._keeper._clock_ms(self.elapsed_ns()))

    def __getattr__(self, name: str):
        """All other news go through as they are, those that a listener learns of later included."""
        return getattr(self._listener, name)

    def advice(self, text: str) -> None:
        self._warned = True
        self._listener.advice(text)

    def best_move(self, best: BestMove) -> None:
        if self.counted and self.running and best.move is not None:
            for text in self._keeper._count(self):
                self._listener.remark(text)
        self.counted = False
        self._listener.best_move(best)


def _stored_state(name: str) -> State:
    """The state of our side of a stored game now. Raises StandstillError."""
    from ..correspondence.desk import Desk
    from ..correspondence.store import Store, default_path
    from ..errors import GameError
    from .triple_block import TripleBlock

    with Store(default_path()) as store:
        game = Desk(store).load(name)
    terms = game.clocks.control
    if not isinstance(terms, TripleBlock):
        raise GameError(f"expected a game under Triple Block, found {name} under {terms.text}")
    side = game.clocks.to_move if game.head.own_side is None else game.head.own_side
    return State(terms, game.clocks.shown(side, now_ms()), given_move=True)
