"""Counts placements on the whole board from the tables, to check what docs/tables.md says about endings."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from standstill.engine.tablebases.material import men_of
from standstill.engine.tablebases.store import TableStore
from tests.tablebases.test_tables_command import reader

TOP = 127


class Row(NamedTuple):
    """A position of the tables. weight: the number of its images on the whole board."""

    stm: int
    squares: tuple[int, ...]
    weight: int
    code: int  # goal
    outcome: int  # right after a reset, from White's view
    symbol: int


def rows(store: TableStore, name: str) -> Iterator[Row]:
    men = men_of(name)
    size = len(men) + 5
    values = store.files[name][0]
    symbols = symbols_of(values)
    for number, symbol in enumerate(symbols):
        found = store.library.positions(men, number, number + 1)
        if found:
            squares = tuple(found[1 : 1 + len(men)])
            code, outcome = found[size - 4], int.from_bytes(found[size - 3 : size - 2], "little", signed=True)
            yield Row(found[0], squares, images(squares, "P" in name), code, outcome, symbol)


def images(squares: tuple[int, ...], pawns: bool) -> int:
    """The number of placements for one index. With both kings on the diagonal, mirror images have their own index."""
    if pawns:
        return 2
    return 4 if all(sq >> 3 == sq & 7 for sq in squares[:2]) else 8


def symbols_of(table) -> list[int]:
    found: list[int] = []
    start = 0
    for size in table.block_sizes:
        block = zlib.decompress(table.blocks[start : start + size], -15)
        n = len(block) // table.width
        found += [sum(block[at + i * n] << 8 * i for i in range(table.width)) for at in range(n)]
        start += size
    return found


class Balance(NamedTuple):
    """Counts of placements, by the owner of the final record with White and with Black to move."""

    placements: int
    owners: dict[str, int]  # "WB": White's record if White moves first, Black's if Black does
    better: int  # placements in which moving is better than passing
    worse: int


def balance(store: TableStore, name: str) -> Balance:
    found: dict[tuple[int, ...], dict[int, Row]] = {}
    for row in rows(store, name):
        found.setdefault(row.squares, {})[row.stm] = row
    owners: Counter[str] = Counter()
    compared: Counter[int] = Counter()
    for both in found.values():
        if len(both) == 2:
            white, black = both[0], both[1]
            owners["".join("WB"[row.outcome < 0] for row in (white, black))] += white.weight
            compared[(white.outcome > black.outcome) - (white.outcome < black.outcome)] += white.weight
    return Balance(sum(owners.values()), dict(owners), compared[1], compared[-1])


def owners_under(store: TableStore, name: str, stm: int) -> dict[tuple[int, int], tuple[int, int]]:
    """By record (code, owner): (positions that may have the record, how many of these end with a record of White)."""
    entries = reader().entries(store.files[name][0].dictionary)
    counted: Counter[tuple[int, int]] = Counter()
    for row in rows(store, name):
        if row.stm == stm:
            counted[row.code, row.symbol] += row.weight
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for (code, symbol), weight in counted.items():
        for record in range(2, code + 1):
            for owner in range(2):
                held = [number for first, number in entries[symbol][owner] if first <= record]
                value = (held[-1] if held else 0) or (TOP - record if owner == 0 else record - TOP)
                total, white = found.get((record, owner), (0, 0))
                found[record, owner] = total + weight, white + weight * (value > 0)
    return found
