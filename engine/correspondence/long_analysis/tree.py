"""The tree of analysed positions of one game: leaves backed up by minimax, and the leaf to which time goes next.

The nodes and findings are those of ``games analyse``. A node that was stored when the game was shorter belongs to the
tree if the game has followed the line of the node since.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import erf, exp, inf, pi, sqrt
from sqlite3 import Row

from standstill.cext.base.constants import SCORE_DECIDED

from ...common.info import SCORE_CP
from ..desk import Desk
from ..game import CorrespondenceGame

Moves = tuple[str, ...]

# The assumed uncertainty of a score, in centipawns, after one minute of search. The uncertainty falls with the square
# root of the time, and never below the least value. Only the order in which leaves are searched depends on these
# three values, which are chosen, not measured.
_MINUTE_CP = 40.0
_LEAST_CP = 3.0
_UNSEEN_S = 15.0  # minimum search time credited to a position that was only seen in a line of another search
_LARGEST_CP = 1500.0  # larger scores count as equal, because the game is decided


@dataclass(slots=True)
class Line:
    """A line that a search has found. score: fixed point, for the side to move. pv: UCI."""

    rank: int
    depth: int
    score: int
    pv: Moves


@dataclass(slots=True)
class Node:
    """A position of the tree.

    moves: the moves from the current position of the game. value, best: backed up; None if unknown.

    lines, engine: the lines of the deepest finding, by rank, and its engine. time_ms: the time of all searches of
    this position.
    """

    moves: Moves
    lines: list[Line] = field(default_factory=list)
    children: dict[str, Node] = field(default_factory=dict)
    time_ms: int = 0
    at_ms: int = 0
    engine: str = ""
    value: int | None = None
    best: str | None = None

    @property
    def own(self) -> Line | None:
        return self.lines[0] if self.lines else None

    def options(self) -> dict[str, int]:
        """Return the values of the moves whose values are known, for the side to move."""
        found = {line.pv[0]: line.score for line in reversed(self.lines) if line.pv}
        for move, child in self.children.items():
            if child.value is not None:
                found[move] = -child.value
        return found


@dataclass(slots=True)
class Choice:
    """A position to analyse next. gain: the expected change of the root's value, in centipawns."""

    moves: Moves
    gain: float


class Tree:
    """The tree of a game. root: the current position."""

    def __init__(self, root: Node):
        self.root = root
        _back_up(root)

    @property
    def is_empty(self) -> bool:
        return self.root.value is None

    def nodes(self) -> Iterator[Node]:
        """Yield every node, parents first, better moves before worse ones."""
        pending = [self.root]
        while pending:
            node = pending.pop()
            yield node
            values = node.options()
            pending += sorted(node.children.values(), key=lambda child: values.get(child.moves[-1], -inf))

    def line(self) -> Moves:
        """Return the best line: through the tree by backed-up values, then the line of the leaf's deepest search."""
        node, found = self.root, list[str]()
        while node.best is not None:
            child = node.children.get(node.best)
            if child is None or child.value is None:
                pv = next((line.pv for line in node.lines if line.pv and line.pv[0] == node.best), (node.best,))
                return (*found, *pv)
            found.append(node.best)
            node = child
        return tuple(found)

    def next(self) -> Choice:
        """Return the position whose analysis is expected to change the root's value most.

        The model treats the new value of a leaf as a normal variable around the old value. If the leaf's line lies
        ``gap`` behind the best line, the root improves only by what exceeds the gap, which is the expected
        improvement of Bayesian search (Jones, Schonlau and Welch 1998). The value of the best line's leaf can also
        fall, until the second-best line replaces the best one.
        """
        if self.root.own is None:
            return Choice((), inf)
        best = Choice((), 0.0)
        for moves, gap, second, spread in self._leaves():
            gain = _improvement(gap, spread)
            if not gap:
                gain += _improvement(0.0, spread) - _improvement(second, spread)
            if gain > best.gain or not best.gain:
                best = Choice(moves, gain)
        return best

    def _leaves(self) -> Iterator[tuple[Moves, float, float, float]]:
        """Yield (moves, gap to the best line, gap from the best line to the second, spread) of the unexpanded moves."""
        pending: list[tuple[Node, float, float]] = [(self.root, 0.0, inf)]
        while pending:
            node, gap, second = pending.pop()
            values = sorted(node.options().items(), key=lambda each: -each[1])
            if not values:
                continue
            top = _cp(values[0][1])
            rival = top - _cp(values[1][1]) if len(values) > 1 else inf
            for number, (move, value) in enumerate(values):
                behind = gap + top - _cp(value)
                margin = min(second, rival) if not number else inf
                child = node.children.get(move)
                if child is not None and child.value is not None and child.lines and child.own and child.own.pv:
                    pending.append((child, behind, margin))
                elif child is None or child.value is None:
                    yield (*node.moves, move), behind, margin, _spread(node, move)


def _cp(score: int) -> float:
    return max(-_LARGEST_CP, min(score / SCORE_CP, _LARGEST_CP))


def _spread(node: Node, move: str) -> float:
    """Return the standard deviation of the value of a move that only the search of its parent has seen."""
    if abs(node.options()[move]) >= SCORE_DECIDED:
        return _LEAST_CP / 10
    rank = next((line.rank for line in node.lines if line.pv and line.pv[0] == move), 1)
    minutes = max(_UNSEEN_S / 60, node.time_ms / 60_000 / rank)
    return max(_LEAST_CP, _MINUTE_CP / sqrt(minutes + 1))


def _improvement(gap: float, spread: float) -> float:
    """Return the mean of max(0, X - gap) for a normal X with mean 0."""
    if gap == inf:
        return 0.0
    z = gap / spread
    return spread * exp(-z * z / 2) / sqrt(2 * pi) - gap * (1 - erf(z / sqrt(2))) / 2


def _back_up(node: Node) -> None:
    """Set value and best move of a node and of all nodes below it."""
    order = [node]
    for each in order:
        order += each.children.values()
    for each in reversed(order):
        values = each.options()
        if values:
            each.best = max(values, key=lambda move: values[move])
            each.value = values[each.best]
        elif each.own is not None:
            each.value = each.own.score  # the game is over in this position


def tree_of(desk: Desk, game: CorrespondenceGame, until_ms: int | None = None) -> Tree:
    """Return the tree of a game, with the findings up to an instant; None for all."""
    root = Node(())
    rows = desk.store.rows(
        "SELECT nodes.id AS node, ply, line, run_id, depth, rank, at_ms, score, time_ms, pv, engine FROM nodes"
        " JOIN runs ON runs.node_id = nodes.id JOIN findings ON run_id = runs.id"
        " WHERE game_id = ? AND at_ms <= ? ORDER BY node, run_id, depth, rank",
        game.head.id,
        2**62 if until_ms is None else until_ms,
    )
    times: dict[tuple[int, int], int] = {}
    found: dict[int, Node] = {}
    for row in rows:
        path = (*game.moves[: row["ply"]], *row["line"].split())
        if list(path[: len(game.moves)]) != game.moves:
            continue
        node = found.get(row["node"]) or _placed(root, path[len(game.moves) :])
        found[row["node"]] = node
        _add(node, row)
        times[row["node"], row["run_id"]] = row["time_ms"]
    for (number, _), time_ms in times.items():
        found[number].time_ms += time_ms
    return Tree(root)


def _placed(root: Node, moves: Moves) -> Node:
    node = root
    for number, move in enumerate(moves, 1):
        node = node.children.setdefault(move, Node(moves[:number]))
    return node


def _add(node: Node, row: Row) -> None:
    """Add a finding to a node. Only the lines of the deepest search count, or of the latest search of that depth."""
    depth, rank, score, pv = (row[name] for name in ("depth", "rank", "score", "pv"))
    deepest = node.lines[0].depth if node.lines else -1
    if depth < deepest:
        return
    if depth > deepest or rank == 1:
        node.lines = []
    node.lines.append(Line(rank, depth, score, tuple(pv.split())))
    node.at_ms, node.engine = row["at_ms"], row["engine"]
