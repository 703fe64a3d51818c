"""Solves endings of two and three men without pawns under the 50-move rule, and counts how often the rule matters.

    PYTHONPATH=build/tree:. python -m tools.measure.tables.fifty DIR [CLASS...] [--clock 100]

A state is a position, a record and a clock. At clock 100 the record stands, except for mate and stalemate; the values
at each earlier clock follow from those at the next one. Repetitions are ignored: like waiting, they keep the record.
The first positions are those right after a capture, at clock 0. DIR has the tables, whose values ignore the rule.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy

from standstill.engine.tablebases import probing
from standstill.engine.tablebases.listing import placed
from standstill.engine.tablebases.material import class_name, men_of
from standstill.engine.tablebases.store import TableStore

from .questions import CLOCK, TOP, percent, rows, text, weights

Key = tuple[int, ...]
BLACK_MEN = 8  # the code of a black piece on a board is that of the white one and 8


def canonical(stm: int, squares: list[int]) -> Key:
    """Return the same key for all eight images of a placement."""
    images = []
    for turn in range(8):
        image = [square ^ 7 * (turn & 1) ^ 56 * (turn >> 1 & 1) for square in squares]
        images.append([(square & 7) << 3 | square >> 3 for square in image] if turn & 4 else image)
    return stm, *min(images)


class Ending:
    """The positions of a class and their moves. kings: the values of bare kings right after a capture."""

    def __init__(self, store: TableStore, name: str, kings: dict[Key, int]):
        self.men = men_of(name)
        batch = numpy.concatenate([part for stm in range(2) for part in rows(store, name, stm)])
        self.stm, self.goal = batch["stm"].astype(int), batch["goal"].astype(int)
        self.squares, self.weight = batch["squares"].tolist(), weights(batch, pawns=False)
        self.without = batch["outcome"].astype(int)
        self.own = numpy.where(self.stm == 1, TOP - self.goal, self.goal - TOP)  # the goal as an outcome
        self.keys = [canonical(stm, place) for stm, place in zip(self.stm.tolist(), self.squares, strict=True)]
        number = {key: place for place, key in enumerate(self.keys)}
        starts: list[int] = []
        targets: list[int] = []
        exits: list[int] = []
        for place, key in enumerate(self.keys):
            starts.append(len(targets))
            for after in self.successors(place):
                captures = after not in number
                targets.append(place if captures else number[after])
                exits.append(kings[after] if captures else 0)
            if len(targets) == starts[-1]:  # mate or stalemate
                targets.append(number[key])
                exits.append(int(self.own[place]))
        self.starts, self.targets, self.exits = map(numpy.array, (starts, targets, exits))

    def successors(self, place: int) -> list[Key]:
        board = probing.chess_board(placed(self.men, self.squares[place], int(self.stm[place])))
        found = []
        for move in board.legal_moves():
            board.push(move)
            at = {piece: square for square, piece in enumerate(board.squares) if piece}
            pieces = [man + 1 + BLACK_MEN * colour for colour, man in self.men]
            found.append(canonical(board.stm, [at[piece] for piece in pieces if piece in at]))
            board.pop()
        return found

    def with_rule(self, clock: int, keep_trigger: bool = False, exits: numpy.ndarray | None = None) -> numpy.ndarray:
        """Return the outcome of each position right after a capture, if the game ends at this clock.

        keep_trigger: the position at this clock may set a record. exits: the values of the positions that improve the
        record; without it they follow from the same rule.
        """
        records = 2 * (int(self.goal.max()) + 1)  # 2 * code + owner
        first_black = int(numpy.searchsorted(self.stm, 1))
        middle = int(self.starts[first_black])
        ended = self.goal[self.targets] < 2
        given = self.exits != 0
        fixed = numpy.where(given, self.exits, self.own[self.targets]).astype(numpy.int8)
        given |= ended
        values = numpy.empty((records, len(self.stm)), numpy.int8)
        for record in range(records):
            values[record] = TOP - record // 2 if record % 2 == 0 else record // 2 - TOP
        here = 2 * self.goal + 1 - self.stm, numpy.arange(len(self.stm))  # the states right after an improvement
        for left in range(clock):
            fresh = values[here] if exits is None else exits
            for record in range(4, records):
                counts = (self.goal < record // 2) & (keep_trigger or left > 0)
                found = numpy.where(counts, fresh, values[record])[self.targets]
                numpy.copyto(found, fixed, where=given)
                values[record, :first_black] = numpy.maximum.reduceat(found[:middle], self.starts[:first_black])
                values[record, first_black:] = numpy.minimum.reduceat(
                    found[middle:], self.starts[first_black:] - middle
                )
        return numpy.where(self.goal < 2, self.own, values[here]).astype(int)


def report(name: str, ending: Ending, found: numpy.ndarray) -> None:
    for stm in range(2):
        mine = ending.stm == stm
        whole = int(ending.weight[mine].sum())
        changed = mine & (found != ending.without)
        owner = changed & ((found < 0) != (ending.without < 0))
        counts = [int(ending.weight[part].sum()) for part in (changed, owner)]
        print(f"| {name} | {'WB'[stm]} | {whole:,} | {counts[0]:,} ({percent(counts[0], whole)} %) | {counts[1]:,} |")
        pairs: Counter[tuple[int, int]] = Counter()
        for place in numpy.flatnonzero(changed):
            pairs[int(ending.without[place]), int(found[place])] += int(ending.weight[place])
        for (before, after), count in pairs.most_common(5):
            print(f"  {text(before)} becomes {text(after)}: {count:,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables")
    parser.add_argument("names", nargs="*", type=class_name, default=["KvK", "KNvK", "KBvK"])
    parser.add_argument("--clock", type=int, default=CLOCK)
    parser.add_argument("--keep-trigger", action="store_true", help="the position at this clock may set a record")
    arguments = parser.parse_args()
    store = TableStore(arguments.tables)
    kings = Ending(store, "KvK", {})
    rule = arguments.clock, arguments.keep_trigger
    values = kings.with_rule(*rule)
    found = dict(zip(kings.keys, values.tolist(), strict=True))
    for name in arguments.names:
        ending = kings if name == "KvK" else Ending(store, name, found)
        report(name, ending, ending.with_rule(*rule))


if __name__ == "__main__":
    main()
