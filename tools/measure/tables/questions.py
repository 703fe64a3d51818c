"""Counts from tables what docs/rmobility-endings.md says about draws, komi, zugzwang and long fights.

    PYTHONPATH=build/tree:. python -m tools.measure.tables.questions DIR [CLASS...]

DIR has the tables, of all classes or of those named. Positions are placements on the whole board, right after a
capture or pawn move. A draw is a position in which neither side can force mate. White has the pieces named first.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator

import numpy

from standstill.engine.tablebases import probing
from standstill.engine.tablebases.listing import placed
from standstill.engine.tablebases.material import class_name, men_of
from standstill.engine.tablebases.store import TableStore

TOP = 127
CHUNK = 1 << 21  # numbers of positions read at a time
CLOCK = 100  # the 50-move rule, in plies
LINES = 100  # lines of best play followed for each class
Counts = dict[int, int]  # positions by outcome from White's view
BANDS = {"G0.5": (1, 1), "G1.0-G2.5": (2, 5), "G3.0-G5.0": (6, 10), "G5.5 and weaker": (11, TOP - 1)}  # goal codes


def text(outcome: int) -> str:
    return probing.Value(outcome, 0).text


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def outcomes(store: TableStore, name: str) -> tuple[list[Counts], list[dict[int, int]]]:
    """For each side to move: positions and most plies, by outcome."""
    found = store.statistics(name)
    sides = [{int(value): row for value, row in found[stm].items()} for stm in "01"]
    return [{value: row[0] for value, row in side.items()} for side in sides], [
        {value: row[1] for value, row in side.items()} for side in sides
    ]


# ---- draws and komi ----


def shares(counts: Counts) -> list[str]:
    """The share of positions that White mates, is mated, and of the draws each band of White, and all of Black."""
    whole = sum(counts.values())
    draws = {value: count for value, count in counts.items() if abs(value) != TOP}
    drawn = sum(draws.values())
    cells = [percent(counts.get(TOP, 0), whole), percent(counts.get(-TOP, 0), whole)]
    for low, high in BANDS.values():
        cells.append(percent(sum(n for value, n in draws.items() if value > 0 and low <= TOP - value <= high), drawn))
    return [*cells, percent(sum(n for value, n in draws.items() if value < 0), drawn)]


def fair_komi(counts: Counts) -> str:
    """The komi under which White's expected score is nearest to a half, with that score and the share of draws."""
    whole, won = sum(counts.values()), counts.get(TOP, 0)  # a komi decides only games without mate
    if 2 * won > whole:
        return f"none: White mates in {percent(won, whole)} %"
    best = (abs(100 * won / whole - 50), f"G0.25: {100 * won / whole:.0f} %")
    for value in sorted((value for value in counts if abs(value) != TOP), reverse=True):
        drawn, goal = counts[value], text(value)
        half = 100 * (won + drawn / 2) / whole
        best = min(best, (abs(half - 50), f"{goal}: {half:.0f} %, {percent(drawn, whole)} % drawn"))
        won += drawn
        share = 100 * won / whole
        best = min(best, (abs(share - 50), f"{komi_below(value)}: {share:.0f} %"))
    return best[1]


def komi_below(weakest: int) -> str:
    """The komi with which White wins by this outcome, and by no weaker one."""
    code = TOP - abs(weakest)
    # A komi of Black is what Black must reach, so White also wins by weaker goals of Black.
    return f"G{code / 2 + 0.25:.2f}" if weakest > 0 else f"-G{code / 2 - 0.25:.2f}"


# ---- zugzwang ----


def rows(store: TableStore, name: str, stm: int) -> Iterator[numpy.ndarray]:
    """The positions of a class with one side to move, in batches; the two sides' batches have the same placements."""
    men = men_of(name)
    layout = [("stm", "u1"), ("squares", "u1", len(men)), ("goal", "u1"), ("outcome", "i1"), ("plies", "<u2")]
    half = store.files[name][0].size // 2
    for first in range(0, half, CHUNK):
        last = min(first + CHUNK, half)
        packed = store.library.positions(men, stm * half + first, stm * half + last)
        yield numpy.frombuffer(packed or b"", numpy.dtype(layout))


def keys(batch: numpy.ndarray) -> numpy.ndarray:
    squares = batch["squares"].astype(numpy.int64)
    found: numpy.ndarray = (squares << (6 * numpy.arange(squares.shape[1]))).sum(axis=1)
    return found


def weights(batch: numpy.ndarray, pawns: bool) -> numpy.ndarray:
    """The number of placements on the whole board; mirror images in the diagonal of the kings have their own rows."""
    if pawns:
        return numpy.full(len(batch), 2)
    kings = batch["squares"][:, :2]
    return numpy.where((kings >> 3 == kings & 7).all(axis=1), 4, 8)


class Zugzwang:
    """Placements in which either side may be to move, and those in which the side to move would rather pass."""

    def __init__(self, store: TableStore, name: str):
        self.count: Counter[str] = Counter()
        self.example = ""
        widest = 0
        for white, black in zip(rows(store, name, 0), rows(store, name, 1), strict=True):
            _, first, second = numpy.intersect1d(keys(white), keys(black), return_indices=True)
            pairs = weights(white[first], "P" in name)
            mine, other = (side["outcome"].astype(int) for side in (white[first], black[second]))
            worse = mine < other
            self.count["all"] += int(pairs.sum())
            self.count["any"] += int(pairs[worse].sum())
            self.count["owner"] += int(pairs[(mine < 0) & (other > 0)].sum())
            mates = (abs(mine) == TOP) | (abs(other) == TOP)
            self.count["mate"] += int(pairs[worse & mates].sum())
            gap = numpy.where(worse & ~mates, other - mine, 0)
            if len(gap) and gap.max() > widest:
                at = int(gap.argmax())
                widest = int(gap[at])
                fen = placed(men_of(name), white[first][at]["squares"].tolist(), 0)
                self.example = f"`{fen.split()[0]}` {text(int(mine[at]))}, {text(int(other[at]))}"


# ---- 50-move rule ----


def long_positions(store: TableStore, name: str) -> tuple[int, int, list[str]]:
    """Count the positions and those that need at least 100 plies; return these, too, one of all mirror images."""
    whole = long = 0
    found = []
    for stm in range(2):
        for batch in rows(store, name, stm):
            images = weights(batch, "P" in name)
            chosen = batch["plies"] >= CLOCK
            whole, long = whole + int(images.sum()), long + int(images[chosen].sum())
            found += [placed(men_of(name), row["squares"].tolist(), stm) for row in batch[chosen]]
    return whole, long, found


def owner_by_rule(store: TableStore, fen: str) -> tuple[int, int]:
    """Play best moves by the tables. Return who has the last record, and who has it when the rule ends the game."""
    board = probing.chess_board(fen)
    record = probing.record_of(board, None)
    final = probing.record_behind(probing.look_up(store, board, record).outcome)[1]
    for move in probing.line(store, board, record):
        before = record[1]
        board.push(move)
        own = board.goal(), 1 - board.stm
        if board.clock == 0 or own[0] < record[0]:
            record = own
        if board.clock == CLOCK and own[0] > 1:
            return final, before
    return final, final


# ---- report ----


def table(head: str, lines: list[list[str]]) -> None:
    print(f"\n| {head} |\n|{' --- |' * (head.count('|') + 1)}")
    for line in lines:
        print(f"| {' | '.join(line)} |")


def report(store: TableStore, names: list[str]) -> None:
    drawn, komi, longest, zugzwangs, ruled = [], [], [], [], []
    for name in names:
        sides, plies = outcomes(store, name)
        drawn += [[name, "WB"[stm], *shares(sides[stm])] for stm in range(2)]
        both = Counter(sides[0]) + Counter(sides[1])
        draws = {value: count for value, count in both.items() if abs(value) != TOP}
        komi.append([name, fair_komi(both), fair_komi(draws) if draws else "no draws"])
        most = max((n, value) for side in plies for value, n in side.items())
        mates = max((n for side in plies for value, n in side.items() if abs(value) == TOP), default=0)
        longest.append([name, f"{most[0]}", text(most[1]), f"{mates}"])
        if most[0] >= CLOCK:
            whole, long, fens = long_positions(store, name)
            owners = [owner_by_rule(store, fen) for fen in random.Random(name).sample(fens, min(LINES, len(fens)))]
            changed = sum(final != ruled_by for final, ruled_by in owners)
            ruled.append([name, f"{whole:,}", f"{long:,}", f"{changed} of {len(owners)}"])
        found = Zugzwang(store, name)
        parts = [f"{found.count[part]:,}" for part in ("all", "any", "owner", "mate")]
        zugzwangs.append([name, *parts, found.example])
    table(f"class | to move | White mates | is mated | {' | '.join(BANDS)} | Black holds", drawn)
    table("class | fair komi | among draws", komi)
    table("class | most plies | for | most plies to mate", longest)
    table("class | positions | with 100 plies or more | another owner when the 50-move rule ends best play", ruled)
    table("class | placements | zugzwang | of these the owner | a mate | widest gap without mates", zugzwangs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables")
    parser.add_argument("names", nargs="*", type=class_name)
    arguments = parser.parse_args()
    store = TableStore(arguments.tables)
    report(store, arguments.names or list(store.files))


if __name__ == "__main__":
    main()
