"""Verdicts of the tables on single positions, as matches and other programs ask for them."""

from __future__ import annotations

import pickle
import random
import shutil
from pathlib import Path

import chess
import pytest

from standstill.engine.common.errors import TablebaseError
from standstill.engine.tablebases import probing
from standstill.engine.tablebases.adjudication import OWN, Adjudicator
from standstill.engine.tablebases.building import shares
from standstill.engine.tablebases.material import SLICE_BYTES, needed, slice_numbers

from .test_tables_command import random_board


@pytest.mark.parametrize("men", ["Q", "r", "B", "n", "P", "p"])
def test_a_verdict_needs_the_way_to_the_goal_to_fit_the_50_move_rule(men: str) -> None:
    """The 50-move rule could end the game if all moves of the way were quiet; they may not be, but none is counted."""
    judge, rng, reached = Adjudicator([OWN]), random.Random(men), 0
    for _ in range(30):
        board = random_board(rng, men)
        board.clear_stack()
        position = probing.chess_board(board.fen())
        value, held = judge.value(position, None), probing.record_of(position, None)
        final = probing.record_behind(value.outcome)
        reached += value.outcome != probing.outcome(held)
        for clock in {0, 1, 50, 98, 99, *range(max(0, 95 - value.plies), min(99, 100 - value.plies) + 1)}:
            board.halfmove_clock = clock
            late = value.outcome != probing.outcome(held) and clock + value.plies + 2 >= 100
            verdict = judge.verdict(probing.chess_board(board.fen()), None)
            assert verdict == (None if late else final), board.fen()
    assert reached > 3


def test_positions_outside_the_tables_have_no_verdict() -> None:
    judge = Adjudicator([OWN])
    for fen in (chess.STARTING_FEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"):
        board = probing.chess_board(fen)
        assert (judge.value(board, None), judge.verdict(board, None)) == (None, None)
    assert judge.most_men == 3


def test_a_table_without_plies_decides_only_what_will_not_change(folder: Path, tmp_path: Path) -> None:
    """The built-in tables stand behind the folder, so the folder has the class alone and without plies."""
    judge, rng, known = Adjudicator([str(folder)]), random.Random(5), 0
    for name in ("KvK.rmv", "KRvK.rmv"):
        shutil.copy(folder / name, tmp_path / name)
    blind = Adjudicator([str(tmp_path)])
    for _ in range(40):
        board = random_board(rng, "R")
        position = probing.chess_board(board.fen())
        if not blind.knows_plies(position):
            held = probing.outcome(probing.record_of(position, None))
            value = judge.value(position, None)
            assert blind.value(position, None).outcome == value.outcome
            assert (blind.verdict(position, None) is None) == (value.outcome != held)
            known += 1
    assert known == 40


def test_the_judge_of_another_process_opens_the_same_tables(folder: Path) -> None:
    position = probing.chess_board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    for judge in (Adjudicator([str(folder), OWN]), Adjudicator()):
        again = pickle.loads(pickle.dumps(judge))
        assert again.verdict(position, None) == judge.verdict(position, None) is not None
        assert again.most_men == judge.most_men


@pytest.mark.parametrize("kind", ["none", "empty", "file", "text"])
def test_a_folder_without_tables_is_refused(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "place"
    if kind == "file":
        place.write_bytes(b"")
    elif kind != "none":
        place.mkdir()
    if kind == "text":
        (place / "KvK.txt").write_bytes(b"")
    with pytest.raises(TablebaseError, match=r"expected R-Mobility tables \(\*\.rmv\), found none in .*place"):
        Adjudicator([OWN, str(place)])


@pytest.mark.parametrize("name", ["KQvK", "KPvK", "KQRvK", "KQPvK", "KPvKP"])
@pytest.mark.parametrize("threads", [1, 3, 8])
def test_the_least_memory_is_the_one_that_is_named(name: str, threads: int) -> None:
    """What a message says to be enough is enough, and one megabyte less is not; more is never a worse division."""
    with pytest.raises(TablebaseError, match=rf"{name} needs \d+ MB, and only 1 MB may be used") as refused:
        shares([name], threads, 1)
    least = int(str(refused.value).split()[2])
    with pytest.raises(TablebaseError, match=f"{name} needs {least} MB, and only {least - 1} MB may be used"):
        shares([name], threads, least - 1)
    before = 0
    for memory_mb in (least, least + 1, least + 500, 4 * least, 100_000, 10_000_000):
        at_once, own, limit = shares([name], threads, memory_mb)
        assert 1 <= at_once * own <= threads
        assert at_once * own >= before
        before = at_once * own
        assert limit * at_once * own <= memory_mb * 10**6
        if at_once * own > 1:
            assert limit >= SLICE_BYTES * slice_numbers(name)
    assert before == threads


def test_the_classes_that_are_needed_take_memory_too() -> None:
    """The tables of smaller classes are open during a build, so a class of more pieces needs more than its slice."""

    def least(name: str) -> int:
        with pytest.raises(TablebaseError) as refused:
            shares([name], 1, 1)
        return int(str(refused.value).split()[2])

    assert len(needed("KQRvK")) > len(needed("KQvK"))
    assert least("KQvK") <= least("KQRvK") < least("KQRBvK")
