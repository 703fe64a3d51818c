"""Proves bounds for the outcome of a position that no table has, from the positions that its moves reach.

A state is a position with the record in force. The explored states form a graph. Mates, stalemates and states in tables
have known outcomes; an unexplored state may have any outcome. The graph is solved twice, with the worst and with the
best outcome for all unexplored states. This gives two bounds, and the outcome is proven when they meet. Repetitions are
treated exactly: play that stays in one layer for ever keeps the record of that layer.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from typing import NamedTuple

from standstill.cext.base.constants import BLACK, WHITE

from .probing import Record, record_behind, record_of
from .table_file import TOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .probing import ProbedBoard
    from .store import TableStore

STATE_BYTES = 700  # memory for a state with its moves, measured in endings of six men
_BEST = 1 << 20  # a mate by White; codes of positions with many queens exceed the codes in tables
# The number of states before the graph is solved for the first time, and the factor by which it then grows before
# each solution.
_FIRST_STATES = 500
_GROWTH = 0.3
_LONG_S = 0.2  # time between two checks of the clock while exploring


class Bounds(NamedTuple):
    """The worst and the best outcome for White, as records (goal code, owner).

    The outcome is proven if the two bounds are equal.
    """

    low: Record
    high: Record

    @property
    def is_proven(self) -> bool:
        return self.low == self.high


class Solved(NamedTuple):
    """The bounds of a position and of each of its moves. states: how many positions with records were explored."""

    bounds: Bounds
    moves: list[tuple[int, Bounds]]
    states: int
    seconds: float


class _Layer(NamedTuple):
    """A layer: the states between which moves neither capture, nor move a pawn, nor improve the record.

    men: the number of pieces. steps: the number of steps left to the pawns. code: the code of the record. bare: a bit
    for each side with only its king.
    """

    men: int
    steps: int
    code: int
    bare: int


class _State:
    """A position with a record. Outcomes count from White's point of view, as ``_value`` numbers them."""

    __slots__ = ("children", "high", "layer", "low", "move", "parent", "parents", "record", "stm")

    def __init__(self, parent: _State | None, move: int, stm: int, record: Record, layer: _Layer):
        self.parent = parent
        self.move = move  # the move that leads from the parent to this state
        self.stm = stm
        self.record = record
        self.layer = layer  # smaller in every state that a move out of the layer reaches
        # None: not yet explored; otherwise the states in the order of the board's moves
        self.children: list[_State] | None = None
        self.parents: list[_State] = []
        # A bare king cannot mate.
        self.low = 1 - _BEST if layer.bare & 1 << BLACK else -_BEST
        self.high = _BEST - 1 if layer.bare & 1 << WHITE else _BEST


def solve(
    store: TableStore,
    board: ProbedBoard,
    given: Record | None,
    *,
    seconds: float,
    memory_mb: int,
    mating_side: Callable[[ProbedBoard], int | None] | None = None,
) -> Solved:
    """Prove as narrow bounds as the limits allow. The 50-move rule and earlier repetitions are ignored.

    store: tables for the positions that captures and promotions lead to, and of the class itself, if there are any.
    given: an earlier record of the current phase. The board is unchanged afterwards.
    mating_side: tells by tables of chess whether White (1), Black (-1) or neither (0) can force mate; None: not known.

    >>> store, (board, record) = TableStore(SUPPLIED), position_of("7k/8/5K2/8/4NN2/8/8/8 w - - 0 1")
    >>> solve(store, board, record, seconds=60, memory_mb=100).bounds
    Bounds(low=(1, 0), high=(1, 0))
    """
    began = time.monotonic()
    search = _Search(store, board, record_of(board, given), mating_side)
    most = max(_FIRST_STATES, memory_mb * 10**6 // STATE_BYTES)
    deadline = began + seconds
    search.run(deadline, most)
    root = search.root
    moves = [] if root.children is None else list(zip(board.legal_moves(), map(_bounds, root.children), strict=True))
    sign = 1 if root.stm == WHITE else -1
    moves.sort(key=lambda entry: [-sign * _value(record) for record in entry[1][::sign]])
    return Solved(_bounds(root), moves, len(search.states), time.monotonic() - began)


def _value(record: Record) -> int:
    code, owner = record
    return _BEST - code if owner == WHITE else code - _BEST


def _bounds(state: _State) -> Bounds:
    return Bounds(*((_BEST - abs(x), WHITE if x > 0 else BLACK) for x in (state.low, state.high)))


class _Search:
    def __init__(
        self,
        store: TableStore,
        board: ProbedBoard,
        record: Record,
        mating_side: Callable[[ProbedBoard], int | None] | None,
    ):
        self._store = store
        self._board = board
        self._mating_side = mating_side
        self.states: dict[tuple[int, int], _State] = {}
        self.root = self._state(None, 0, record, self._layer(record[0]))

    def run(self, deadline: float, most: int) -> None:
        """Explore and solve in turns until the bounds of the root meet or a limit is reached."""
        if self.root.record[0] > 1:
            self._explore(self.root)  # also explored if a table has the position, for the bounds of its moves
            self._solve()
        while self.root.low < self.root.high and len(self.states) < most and time.monotonic() < deadline:
            target = min(most, len(self.states) + max(_FIRST_STATES, int(_GROWTH * len(self.states))))
            if not self._grow(target, deadline):
                break  # no unexplored state could change the bounds
            self._solve()

    # ---- states ----

    def _layer(self, code: int) -> _Layer:
        """Return the layer of the position on the board with a record of this code."""
        men, steps = [0, 0], 0
        for sq, man in enumerate(self._board.squares):
            if man:
                men[man >> 3] += 1
                if man & 7 == 1:
                    steps += sq >> 3 if man & 8 else 7 - (sq >> 3)
        return _Layer(sum(men), steps, code, sum(1 << side for side in (WHITE, BLACK) if men[side] == 1))

    def _state(self, parent: _State | None, move: int, record: Record, layer: _Layer) -> _State:
        """Return the state of the board's position with a record; a new state takes its outcome from a table."""
        board = self._board
        name = board.key, _value(record)
        found = self.states.get(name)
        if found is None:
            found = self.states[name] = _State(parent, move, board.stm, record, layer)
            if record[0] <= 1:
                found.low = found.high = _value(record)
            elif (value := self._table_value(record, layer.men)) is not None:
                found.low = found.high = value
            elif self._mating_side is not None and (mates := self._mating_side(board)) is not None:
                found.low, found.high = (mates * _BEST, mates * _BEST) if mates else (1 - _BEST, _BEST - 1)
        return found

    def _table_value(self, record: Record, men: int) -> int | None:
        if record[0] >= TOP or men > self._store.most_men:
            return None
        value = self._store.library.look_up(self._board, record)
        return None if value is None else _value(record_behind(value[0]))

    def _explore(self, state: _State) -> None:
        """Find the states after each move."""
        board = self._board
        way = []
        step = state
        while step.parent is not None:
            way.append(step.move)
            step = step.parent
        for move in reversed(way):
            board.push(move)
        state.children = []
        for move in board.legal_moves():
            board.push(move)
            own = board.goal(), 1 - board.stm
            is_reset = board.clock == 0
            record = own if own[0] < state.record[0] or (is_reset and not self._store.whole_game) else state.record
            layer = self._layer(record[0]) if is_reset else state.layer._replace(code=record[0])
            child = self._state(state, move, record, layer)
            child.parents.append(state)
            state.children.append(child)
            board.pop()
        for _ in way:
            board.pop()

    # ---- choosing ----

    def _grow(self, target: int, deadline: float) -> bool:
        """Explore the nearest states that can still change the root's bounds. Return whether there was such a state.

        A move to a position with a low goal is short, because few replies have to be refuted.
        """
        queue: list[tuple[float, int, _State]] = [(0.0, 0, self.root)]
        seen = {self.root}
        count, has_grown, look_s = 0, False, time.monotonic() + _LONG_S
        while queue and len(self.states) < target:
            cost, _, state = heapq.heappop(queue)
            if state.children is None:
                self._explore(state)
                has_grown = True
                if time.monotonic() > look_s:
                    look_s = time.monotonic() + _LONG_S
                    if look_s > deadline:
                        break
                continue
            for child in state.children:
                # A move of a side matters if it may be better than the outcome that the side has for certain.
                matters = child.high > state.low if state.stm == WHITE else child.low < state.high
                if matters and child.low < child.high and child not in seen:
                    seen.add(child)
                    count += 1
                    heapq.heappush(queue, (cost + 1 + child.record[0] / 40 + len(state.children) / 20, count, child))
        return has_grown

    # ---- solving ----

    def _solve(self) -> None:
        """Compute both bounds of every explored state that is not proven yet, layer by layer."""
        inner = [state for state in self.states.values() if state.children and state.low < state.high]
        inner.sort(key=lambda state: state.layer)
        first = 0
        while first < len(inner):
            last = first
            while last < len(inner) and inner[last].layer == inner[first].layer:
                last += 1
            layer = inner[first:last]
            for is_low in (True, False):
                _settle(layer, is_low=is_low)
            first = last


def _settle(layer: list[_State], *, is_low: bool) -> None:
    """Compute one bound of the states of a layer. Reachable states outside the layer already have this bound.

    Every state begins with its record, which stands if no side leaves the layer. Each step then moves a value away from
    the record, towards the value of a state outside the layer that a side can force.
    """
    name = "low" if is_low else "high"
    for state in layer:
        setattr(state, name, _value(state.record))
    inside = set(layer)
    queue, waiting = deque(layer), set(layer)
    while queue:
        state = queue.popleft()
        waiting.discard(state)
        assert state.children
        values = [getattr(child, name) for child in state.children]
        value = max(values) if state.stm == WHITE else min(values)
        if value != getattr(state, name):
            setattr(state, name, value)
            for parent in state.parents:
                if parent in inside and parent not in waiting:
                    waiting.add(parent)
                    queue.append(parent)
