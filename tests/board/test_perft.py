"""Perft tables (CPW: Perft Results): the number of move sequences from well-known positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from standstill.cext.bindings.perft import checked_perft, divide, perft
from tests.board.support import core, reference, text

DATA = Path(__file__).resolve().parents[1] / "data" / "perft"
TABLES = sorted(path.name for path in DATA.glob("*.epd"))

# The largest counts of every run: together they take a second or two, with sanitizers about twenty times as long.
SHALLOW_BULK = 20_000_000
SHALLOW_LISTS = 5_000_000
SHALLOW_CHECKED = 20_000


def entries(name: str) -> list[tuple[str, int, int]]:
    """(FEN, depth, leaves) for each count in a table."""
    lines = (DATA / name).read_text(encoding="ascii").splitlines()
    assert lines[0].startswith("# Origin:")
    found = []
    for line in lines[1:]:
        fen, *counts = (field.strip() for field in line.split(";"))
        for count in counts:
            depth, leaves = count.split()
            found.append((fen, int(depth.removeprefix("D")), int(leaves)))
    return found


def cases(least: int, most: float, *marks: pytest.MarkDecorator) -> list[object]:
    """The deepest count of each position that has more than ``least`` and at most ``most`` leaves."""
    deepest: dict[tuple[str, str], tuple[int, int]] = {}
    for name in TABLES:
        for fen, depth, leaves in entries(name):
            if least < leaves <= most:
                deepest[name, fen] = max(deepest.get((name, fen), (0, 0)), (depth, leaves))
    return [
        pytest.param(fen, depth, leaves, id=f"{name.removesuffix('.epd')}-{fen.split()[0]}-{depth}", marks=marks)
        for (name, fen), (depth, leaves) in deepest.items()
    ]


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    ("fen", "depth", "leaves"), cases(0, SHALLOW_BULK) + cases(SHALLOW_BULK, 2e9, pytest.mark.slow)
)
def test_perft_counting_the_last_ply(fen: str, depth: int, leaves: int) -> None:
    assert perft(core(fen), depth) == leaves


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    ("fen", "depth", "leaves"), cases(0, SHALLOW_LISTS) + cases(SHALLOW_LISTS, 2e8, pytest.mark.slow)
)
def test_perft_listing_the_last_ply(fen: str, depth: int, leaves: int) -> None:
    assert perft(core(fen), depth, bulk=False) == leaves


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("fen", "depth", "leaves"), cases(0, SHALLOW_CHECKED) + cases(SHALLOW_CHECKED, 1e6, pytest.mark.slow)
)
def test_perft_with_every_invariant_at_every_node(fen: str, depth: int, leaves: int) -> None:
    assert checked_perft(core(fen), depth) == leaves


def test_a_checked_perft_leaves_the_board_as_it_was() -> None:
    board = core("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    key = board.key
    checked_perft(board, 2)
    assert (board.key, board.plies) == (key, 0)


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("bulk", [False, True])
def test_perft_of_no_and_one_ply(depth: int, bulk: bool) -> None:
    assert perft(core("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), depth, bulk) == (1, 15)[depth]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("fen", sorted({fen for name in TABLES for fen, _, _ in entries(name)}))
def test_divide_names_each_move_and_its_share(fen: str) -> None:
    position = reference(fen)
    expected = {}
    for move in position.legal_moves:
        position.push(move)
        expected[move.uci()] = position.legal_moves.count()
        position.pop()
    assert {text(move): leaves for move, leaves in divide(core(fen), 2)} == expected
