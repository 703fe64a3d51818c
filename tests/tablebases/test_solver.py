"""Solved classes compared with independent results: values of all positions, mates, the two scopes."""

from __future__ import annotations

import itertools
import random
import zlib
from functools import cache
from pathlib import Path

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.cext.bindings.table_library import TableLibrary
from standstill.cext.bindings.table_solver import ClassSolver
from standstill.engine.common.errors import TablebaseError
from standstill.engine.common.goal import parse_goal
from standstill.engine.tablebases.material import ClassNameError, class_name, classes, men_of, needed, slices
from standstill.engine.tablebases.solving import blocks_of, solve_class
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from standstill.engine.tablebases.table_file import BLOCK_BITS, HEADER, MOST_DICTIONARY, Frame, file_bytes, open_table
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import set_fen
from tests.posix import resource

THREE_MEN = ("KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK")
# For each fresh value with this side to move, the number of placements on the whole board and the most plies to the
# value, counted by an independent program.
KVK_WHITE = """
+G1.5 44 1, +G2.5 124 1, +G3.5 404 1, +G4.5 32 1, +G5.5 988 13, -G8.5 396 0, -G5.5 1216 14, -G4.5 32 0,
-G3.5 332 0, -G2.5 28 0, -G1.5 16 0"""
KVK_BLACK = """
+G1.5 16 0, +G2.5 28 0, +G3.5 332 0, +G4.5 32 0, +G5.5 1216 14, +G8.5 396 0, -G5.5 988 13, -G4.5 32 1,
-G3.5 404 1, -G2.5 124 1, -G1.5 44 1"""
KBVK_BLACK = """
+G0.5 1996 16, +G1.0 48 0, +G1.5 199820 46, +G2.5 516 2, +G3.5 1484 2, +G4.5 160 2, +G5.5 6072 14, -G8.5 3168 1,
-G5.5 8224 15, -G4.5 224 1, -G3.5 2012 1, -G2.5 148 1, -G1.5 72 1"""
KNVK_WHITE = """
+G0.5 2844 27, +G1.0 16 1, +G1.5 14992 23, +G2.0 360 1, +G2.5 10972 11, +G3.0 292 1, +G3.5 175972 29, +G5.5 48 39"""
KPVK_WHITE = """
+G0.0 124960 55, +G0.5 16872 41, +G1.5 18 7, +G2.5 3564 17, +G3.5 1184 9, +G4.5 62 5, +G5.5 14722 17, -G8.5 1770 4,
-G5.5 138 8, -G4.5 6 2, -G3.5 18 4, -G2.5 6 2, -G1.5 4 2, -G0.5 4 0"""
DISTRIBUTIONS = [
    ("KvK", WHITE, KVK_WHITE),
    ("KvK", BLACK, KVK_BLACK),
    ("KBvK", WHITE, "+G0.5 7360 17, +G1.5 185924 45"),
    ("KBvK", BLACK, KBVK_BLACK),
    ("KNvK", WHITE, KNVK_WHITE),
    ("KPvK", WHITE, KPVK_WHITE),
]


def outcome(text: str) -> int:
    owner, code = parse_goal(text)
    return 127 - code if owner == WHITE else code - 127


def distribution(text: str) -> dict[int, tuple[int, int]]:
    entries = [entry.split() for entry in text.split(",")]
    return {outcome(value): (int(count), int(plies)) for value, count, plies in entries}


def add(library: TableLibrary, name: str, *, whole_game: bool = False) -> ClassSolver:
    solver = solve_class(name, library, whole_game=whole_game, threads=2)
    library.add(men_of(name), *planes(solver))
    return solver


def planes(solver: ClassSolver) -> list[tuple]:
    dictionaries = solver.dictionaries()
    symbols = zip(*blocks_of(solver), strict=True)
    return [(b"".join(blocks), *dictionary) for blocks, dictionary in zip(symbols, dictionaries, strict=True)]


@cache
def solved(whole_game: bool = False) -> tuple[TableLibrary, dict[str, ClassSolver]]:
    library = TableLibrary()
    return library, {name: add(library, name, whole_game=whole_game) for name in THREE_MEN}


def counts(solver: ClassSolver, stm: int) -> dict[int, tuple[int, int]]:
    return {value: entry for (side, value), entry in solver.counts.items() if side == stm}


@pytest.mark.parametrize(("name", "stm", "expected"), DISTRIBUTIONS)
def test_values_of_all_positions_are_as_counted_elsewhere(name: str, stm: int, expected: str) -> None:
    assert counts(solved()[1][name], stm) == distribution(expected)


@pytest.mark.parametrize(("name", "plies"), [("KQvK", 19), ("KRvK", 31), ("KPvK", 55)])
def test_longest_mates_are_the_known_ones(name: str, plies: int) -> None:
    assert counts(solved()[1][name], WHITE)[outcome("G0.0")][1] == plies


def test_no_position_is_looked_at_often() -> None:
    for solver in solved()[1].values():
        assert solver.evaluations < 100 * solver.positions


# ---- testing a table ----


def states_of(library: TableLibrary, name: str, number: int) -> list[tuple[int, int] | None]:
    """The table's values of the position with this index under each record; empty if the index has no position."""
    row = library.positions(men_of(name), number, number + 1)
    if not row:
        return []
    men = dict(zip(row[1:], men_of(name), strict=False))
    board = new_board()
    squares = ["PNBRQK"[men[sq][1]] if sq in men else "1" for sq in range(64)]
    squares = [text.lower() if sq in men and men[sq][0] == BLACK else text for sq, text in enumerate(squares)]
    ranks = ["".join(squares[first : first + 8]) for first in range(56, -1, -8)]
    set_fen(board, f"{'/'.join(ranks)} {'wb'[row[0]]} - - 0 1")
    code = row[1 + len(men)]
    return [library.look_up(board, (record, owner)) for record in range(2, code + 1) for owner in range(2)]


@pytest.mark.parametrize("entries", [1 << 20, 1 << 31, (1 << 32) - 1])
def test_a_dictionary_of_more_entries_than_it_has_bytes_for_is_refused(entries: int) -> None:
    symbols, width, _, dictionary = planes(solved()[1]["KvK"])[0]
    with pytest.raises(ValueError, match="the dictionary is cut short"):
        TableLibrary().add(men_of("KvK"), (symbols, width, entries, dictionary))


@pytest.mark.parametrize("kind", [0, 1], ids=["values", "plies"])
@pytest.mark.parametrize("name", ["KvK", "KNvK"])
def test_one_wrong_staircase_is_found(name: str, kind: int) -> None:
    """Some positions get the staircase of another position; exactly the changed states are counted as wrong."""
    library, solvers = solved()
    size = solvers[name].size
    length = min(size, 1 << BLOCK_BITS)  # bytes of a plane in the first block
    sound = {other: planes(solvers[other]) for other in needed(name)}
    symbols, width, entries, dictionary = sound[name][kind]
    rng, changed = random.Random(name), 0
    for number in rng.sample(range(length), 60):
        damaged, symbol = bytearray(symbols), rng.randrange(entries)
        for byte in range(width):
            damaged[number + byte * length] = symbol >> 8 * byte & 255
        tables = {other: [*both] for other, both in sound.items()}
        tables[name][kind] = (bytes(damaged), width, entries, dictionary)
        wrong = TableLibrary()
        for other in needed(name):
            wrong.add(men_of(other), *tables[other])
        true, false = states_of(library, name, number), states_of(wrong, name, number)
        differ = sum(a != b for a, b in zip(true, false, strict=True))
        found, states, first = wrong.faults(men_of(name), number, number + 1)
        assert states == len(true)
        assert found >= differ
        assert (found > 0) == (differ > 0) == (first == number)
        changed += differ > 0
    assert changed > 10


@pytest.mark.sampled(6)
@pytest.mark.parametrize("whole_game", [False, True])
@pytest.mark.parametrize("name", THREE_MEN)
def test_both_forms_of_the_game_are_tested(name: str, whole_game: bool) -> None:
    """A table is sound only in its own form of the game; only two kings have the same values in both."""
    store = TableStore(SUPPLIED, most_men=3, whole_game=whole_game)
    wrong, states, first = store.faults(name, 13)
    assert (wrong, first) == (0, None) and states > 1000
    other = store.library.faults(men_of(name), 0, 1 << 62, 13, not whole_game)
    assert (other[0] > 0) == (name != "KvK")


def test_threads_share_the_test_of_a_class() -> None:
    store = TableStore(SUPPLIED, most_men=3)
    found = store.faults("KNvK", 7, 3)
    assert found == store.library.faults(men_of("KNvK"), 0, 1 << 62, 7)
    assert found[0] == 0 and found[1] > 200_000


# From the theory of the tables: position, record (None: the position's own), value and plies.
POSITIONS = [
    ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", None, "-G8.5", 0),
    ("8/8/8/3K2k1/8/8/8/8 b - - 0 1", "-G8.5", "-G5.5", None),
    ("8/6k1/8/4K3/8/8/8/8 b - - 0 1", None, "G5.5", 2),
    ("8/8/8/8/4k3/8/1K6/8 w - - 0 1", None, "G5.5", 13),
    ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", None, "G1.5", 4),
    ("8/8/7k/5B2/6K1/8/8/8 b - - 0 1", None, "G1.5", 0),
    ("6k1/8/5K2/5B2/8/8/8/8 b - - 0 1", None, "G0.5", 8),
    ("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", None, "G1.5", 45),
    ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "-G2.0", "G1.5", None),
    ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "-G1.5", "G5.5", None),
    ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", None, "G0.5", 0),
    ("8/8/8/2kNK3/8/8/8/8 b - - 0 1", None, "G3.5", 0),
    ("8/8/K1k5/8/2P5/8/8/8 w - - 0 1", "G3.5", "G5.5", None),
    ("8/8/K1k5/8/2P5/8/8/8 w - - 0 1", "-G3.5", "-G5.5", None),
]


@pytest.mark.parametrize(("fen", "record", "value", "plies"), POSITIONS)
def test_positions_of_the_theory(fen: str, record: str | None, value: str, plies: int | None) -> None:
    board = new_board()
    set_fen(board, fen)
    given = None if record is None else parse_goal(record)[::-1]
    found = solved()[0].look_up(board, given)
    assert found is not None
    assert found[0] == outcome(value)
    assert plies is None or found[1] == plies


def test_colours_may_be_exchanged() -> None:
    board, other = new_board(), new_board()
    set_fen(board, "8/8/7k/5N2/6K1/8/8/8 b - - 0 1")
    set_fen(other, "8/8/8/6k1/5n2/7K/8/8 w - - 0 1")
    value, plies = solved()[0].look_up(board)
    assert solved()[0].look_up(other) == (-value, plies)


def test_two_kings_are_the_same_game_in_both_scopes() -> None:
    assert solved()[1]["KvK"].counts == solved(whole_game=True)[1]["KvK"].counts
    assert solved()[1]["KBvK"].counts != solved(whole_game=True)[1]["KBvK"].counts


def test_a_record_of_the_whole_game_survives_captures() -> None:
    """Under G3.5 Black takes the bishop, and two kings cannot improve the record that stands."""
    board = new_board()
    set_fen(board, "8/8/8/8/8/k7/B7/4K3 b - - 0 1")
    assert solved(whole_game=True)[0].look_up(board, (7, WHITE)) == (outcome("G3.5"), 0)
    assert solved()[0].look_up(board, (7, WHITE))[0] != outcome("G3.5")


@pytest.mark.slow
def test_two_knights() -> None:
    library = solved()[0]
    expected = "+G0.0 616 1, +G0.5 5713360 51, +G1.5 11468 25, +G2.5 5004 9, +G3.5 19204 23"
    assert counts(solve_class("KNNvK", library), WHITE) == distribution(expected)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies"), [("KBBvK", 37), ("KBNvK", 65)])
def test_longest_mates_of_two_men_are_the_known_ones(name: str, plies: int) -> None:
    assert counts(solve_class(name, solved()[0]), WHITE)[outcome("G0.0")][1] == plies


@pytest.mark.parametrize(("text", "name"), [("krpvk", "KRPvK"), ("KvKQ", "KQvK"), ("KPvKN", "KNvKP"), ("kvk", "KvK")])
def test_names_of_classes_are_put_in_order(text: str, name: str) -> None:
    assert class_name(text) == name


@pytest.mark.parametrize("text", ["", "K", "KQ", "QvK", "KKvK", "KXvK", "KvKvK", "KQQvKRR"])
def test_text_that_names_no_class_is_refused(text: str) -> None:
    with pytest.raises(ClassNameError):
        class_name(text)


def test_number_of_classes() -> None:
    names = classes(5)
    assert [sum(len(name) == men + 1 for name in names) for men in (2, 3, 4, 5)] == [1, 5, 30, 110]
    for place, name in enumerate(names):
        assert set(needed(name)) <= set(names[: place + 1])


def test_needed_classes_include_promotions_and_captures() -> None:
    assert {"KQvK", "KNvK", "KvK", "KQvKR", "KQvKB", "KNvKP"} <= set(needed("KPvKP"))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("claimed", [MOST_DICTIONARY + 1, (1 << 32) - 1])
def test_a_file_that_claims_a_huge_dictionary_is_refused(tmp_path: Path, claimed: int) -> None:
    """The file's checksums are right, and up to the format's limit its data would decompress to the claimed size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(bytes(MOST_DICTIONARY + 1)) + packer.flush()
    whole = bytearray(file_bytes(Frame("KvK", 0, False, 0), 10, (1, 0, b""), [], {}))
    fields = list(HEADER.unpack(whole[: HEADER.size]))
    old = fields[12]
    fields[12], fields[13], fields[15] = len(data), claimed, zlib.crc32(data)
    head = HEADER.pack(*fields)
    rest = whole[HEADER.size + 4 + old :]
    file = tmp_path / "KvK.rmv"
    file.write_bytes(head + zlib.crc32(head).to_bytes(4, "little") + data + rest)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TablebaseError, match="not those of a table"):
        open_table(str(file))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_DICTIONARY // 1024


@pytest.mark.parametrize("pawns", [(), (1,), (2,), (3,), (1, 1), (2, 1)], ids=str)
def test_slices_are_the_placements_of_the_pawns_but_for_their_mirror_images(pawns: tuple[int, ...]) -> None:
    """Counted one by one; a class has the same slices whatever pieces stand beside its pawns."""
    squares, placements = range(8, 56), {()}
    for count in pawns:
        placements = {
            (*placed, frozenset(more))
            for placed in placements
            for more in itertools.combinations(sorted({*squares} - {square for own in placed for square in own}), count)
        }
    mirrored = {placed: tuple(frozenset(square ^ 7 for square in own) for own in placed) for placed in placements}
    expected = len({frozenset((placed, mirror)) for placed, mirror in mirrored.items()})
    sides = [name.split("v") for name in classes(5)]
    counted = [tuple(count for side in pair if (count := side.count("P"))) for pair in sides]
    of_these = ["v".join(pair) for pair, count in zip(sides, counted, strict=True) if count == pawns]
    assert {slices(name) for name in of_these} == {expected}
    assert all(len(ClassSolver(men_of(name), TableLibrary()).slices) == expected for name in of_these if len(name) < 5)
