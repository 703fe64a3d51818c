"""The lines that a search prints before its best move: scores, variations, mates, MultiPV."""

from __future__ import annotations

import chess
import pytest

from tests.board.support import KIWIPETE
from tests.forked import Process
from tests.uci.client import Client
from tests.uci.lines import Answer, read_answer

# An opening, middlegames, endings, checks, promotions, positions near the fifty-move limit, mates for both sides,
# draws.
FENS = [
    chess.STARTING_FEN,
    KIWIPETE,
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 94 80",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 99 80",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "8/8/8/8/8/4k3/4q3/7K w - - 0 1",
    "8/8/8/8/8/8/8/KBk5 w - - 0 1",
    "7k/8/8/8/8/8/r7/K7 w - - 0 1",
    "k7/8/8/8/8/8/4n3/7K b - - 0 1",
    "8/8/8/8/1p6/1k6/8/1K6 w - - 0 1",
]
REPEATED = "startpos moves " + " ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 2)
GOES = ["go depth 8", "go nodes 20000", "go movetime 1", "go nodes 1"]


@pytest.fixture(scope="module")
def searches(executable) -> list[tuple[chess.Board, str, Answer]]:
    """Every position with every kind of limit, in one process with a warm table."""
    client = Client(Process([executable]))
    try:
        client.ask("uci", "uciok")
        found = []
        for fen in FENS:
            found += [(chess.Board(fen), go, read_answer(client.search(go, f"fen {fen}"))) for go in GOES]
        position = chess.Board()
        for move in REPEATED.split()[2:]:
            position.push_uci(move)
        found += [(position, go, read_answer(client.search(go, REPEATED))) for go in GOES]
    finally:
        problems = client.end()
    assert not problems
    return found


def each_info(searches):
    for position, go, answer in searches:
        for info in answer.infos:
            yield position, go, info


def test_a_score_comes_before_every_best_move(searches) -> None:
    """Match tools need a score before every `bestmove`, also for forced moves and the shortest searches."""
    assert not [(position.fen(), go) for position, go, answer in searches if not answer.infos]


def test_the_best_move_is_legal(searches) -> None:
    for position, go, answer in searches:
        assert answer.move and chess.Move.from_uci(answer.move) in position.legal_moves, (position.fen(), go)


def test_the_best_move_begins_the_last_variation(searches) -> None:
    """The last variation begins with the best move, or fastchess warns."""
    for position, go, answer in searches:
        assert answer.last.pv[:1] == [answer.move], (position.fen(), go)


def test_the_last_line_is_exact_if_any_is(searches) -> None:
    """Clients ignore scores that are bounds."""
    for position, go, answer in searches:
        if any(info.bound is None for info in answer.infos):
            assert answer.last.bound is None, (position.fen(), go)


def test_the_ponder_move_is_legal_after_the_best_move(searches) -> None:
    """The move after `ponder` is a legal reply, and the game goes on after it."""
    for position, go, answer in searches:
        if answer.ponder:
            after = position.copy()
            after.push_uci(answer.move)
            assert chess.Move.from_uci(answer.ponder) in after.legal_moves, (position.fen(), go)


def test_a_ponder_move_comes_with_a_variation_of_two_moves(searches) -> None:
    for position, go, answer in searches:
        if len(answer.last.pv) > 1:
            assert answer.ponder == answer.last.pv[1], (position.fen(), go)


def test_variations_are_legal_to_their_end(searches) -> None:
    """A variation is legal from the root to its end."""
    for position, go, info in each_info(searches):
        after = position.copy()
        for move in info.pv:
            parsed = chess.Move.from_uci(move)
            assert parsed in after.legal_moves, (position.fen(), go, info.line)
            after.push(parsed)


def test_variations_stop_at_the_end_of_the_game(searches) -> None:
    """A variation stops at mate, stalemate, a third repetition and fifty moves; the root may be beyond one of these."""
    for position, go, info in each_info(searches):
        after = position.copy()
        for move in info.pv[:-1]:
            after.push_uci(move)
            assert not (after.is_repetition(3) or after.is_fifty_moves()), (position.fen(), go, info.line)


def test_every_variation_has_a_move(searches) -> None:
    assert not [info.line for _, _, info in each_info(searches) if not info.pv]


def test_a_variation_that_mates_has_the_announced_length(searches) -> None:
    """The check `-check-mate-pvs` of fastchess, for exact lines only, because bounds are not proved."""
    for position, go, info in each_info(searches):
        if info.kind == "mate" and info.bound is None and len(info.pv) > 0:
            plies = 2 * info.value - 1 if info.value > 0 else -2 * info.value
            assert len(info.pv) <= plies, (position.fen(), go, info.line)


def test_the_last_variation_that_mates_ends_in_mate(searches) -> None:
    for position, go, answer in searches:
        info = answer.last
        if info.kind == "mate" and info.bound is None and go == "go depth 8":
            after = position.copy()
            for move in info.pv:
                after.push_uci(move)
            assert after.is_checkmate(), (position.fen(), go, info.line)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("nodes", [10_000, 20_000, 40_000, 80_000])
def test_a_mate_in_many_is_shown_to_its_end(engine: Client, nodes: int) -> None:
    """The variation is as long as the announced mate."""
    answer = read_answer(engine.search(f"go nodes {nodes}", "fen 8/P1k5/K7/8/8/8/8/8 w - - 0 1"))
    for info in answer.infos:
        if info.kind == "mate" and info.bound is None:
            assert len(info.pv) == 2 * info.value - 1, info.line


def test_a_mate_is_not_printed_as_centipawns(searches) -> None:
    """A mate is printed as `mate N`, not as a large number of centipawns."""
    assert not [info.line for _, _, info in each_info(searches) if info.kind == "cp" and abs(info.value) >= 15000]


def test_no_side_that_can_move_is_mated_in_nought(searches) -> None:
    assert not [info.line for _, _, info in each_info(searches) if info.kind == "mate" and info.value == 0]


def test_depth_grows(searches) -> None:
    for position, go, answer in searches:
        depths = [info.depth for info in answer.infos]
        assert depths == sorted(depths), (position.fen(), go)


def test_the_selective_depth_is_not_below_the_depth_of_the_variation(searches) -> None:
    for _, _, info in each_info(searches):
        assert info.seldepth >= 0 and info.depth >= 0, info.line


@pytest.mark.parametrize("counter", ["nodes", "time"])
def test_counters_never_fall(searches, counter: str) -> None:
    for position, go, answer in searches:
        values = [getattr(info, counter) for info in answer.infos]
        assert values == sorted(values), (position.fen(), go)


def test_hashfull_is_per_mille(searches) -> None:
    assert all(0 <= info.hashfull <= 1000 for _, _, info in each_info(searches))


def test_one_line_is_numbered_one(searches) -> None:
    """Every line has `multipv 1` if MultiPV is 1."""
    assert {info.multipv for _, _, info in each_info(searches)} == {1}


def test_a_short_search_prints_few_lines(searches) -> None:
    """A search of less than a second prints one line per iteration: no `currmove`, no fail-high or fail-low lines."""
    for _, go, answer in searches:
        if go == "go movetime 1":
            assert len(answer.infos) <= answer.last.depth + 1


# ---- scores ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", ("mate", 1)),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", ("mate", 1)),
        ("8/8/8/8/8/8/8/KBk5 w - - 0 1", ("cp", 0)),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", ("cp", 0)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 99 80", ("cp", 0)),
    ],
)
def test_the_score_of_a_clear_case(engine: Client, fen: str, score: tuple[str, int]) -> None:
    answer = read_answer(engine.search("go depth 6", f"fen {fen}"))
    assert (answer.last.kind, answer.last.value) == score


@pytest.mark.parametrize("fen", ["k7/8/2K5/8/8/8/8/1Q6 b - - 0 1", "8/8/8/8/8/5k2/4r3/6K1 w - - 0 1"])
def test_being_mated_is_negative(engine: Client, fen: str) -> None:
    """Scores are from the view of the side to move."""
    info = read_answer(engine.search("go depth 12", f"fen {fen}")).last
    assert info.value < 0


def test_scores_are_of_the_side_to_move(engine: Client) -> None:
    white = read_answer(engine.search("go depth 4", "fen 4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")).last
    black = read_answer(engine.search("go depth 4", "fen 4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")).last
    assert white.value > 0 > black.value


# ---- several lines ----


@pytest.fixture(scope="module")
def several(executable) -> list[tuple[chess.Board, Answer, int]]:
    client = Client(Process([executable]))
    try:
        client.ask("uci", "uciok")
        found = []
        for lines in (2, 5, 100):
            client.send(f"setoption name MultiPV value {lines}")
            for fen in FENS:
                position = chess.Board(fen)
                answer = read_answer(client.search("go depth 6", f"fen {fen}"))
                found.append((position, answer, min(lines, position.legal_moves.count())))
    finally:
        problems = client.end()
    assert not problems
    return found


def final_lines(answer: Answer):
    """The last line of each MultiPV rank."""
    return [{info.multipv: info for info in answer.infos}[rank] for rank in sorted({i.multipv for i in answer.infos})]


def test_there_are_as_many_lines_as_asked_for_or_moves(several) -> None:
    """With MultiPV there are as many lines as requested, or as there are legal moves."""
    for position, answer, lines in several:
        assert [info.multipv for info in final_lines(answer)] == list(range(1, lines + 1)), position.fen()


def test_the_lines_begin_with_different_moves(several) -> None:
    for position, answer, lines in several:
        assert len({info.pv[0] for info in final_lines(answer)}) == lines, position.fen()


def test_the_lines_are_sorted(several) -> None:
    def rank(info) -> int:
        if info.kind == "cp":
            return info.value
        return 100_000 - info.value if info.value > 0 else -100_000 - info.value

    for position, answer, _ in several:
        scores = [rank(info) for info in final_lines(answer)]
        assert scores == sorted(scores, reverse=True), position.fen()


def test_the_best_move_is_that_of_the_first_line(several) -> None:
    for position, answer, _ in several:
        assert answer.move == final_lines(answer)[0].pv[0], position.fen()


def test_all_lines_are_legal(several) -> None:
    for position, answer, _ in several:
        for info in answer.infos:
            after = position.copy()
            for move in info.pv:
                after.push(after.parse_uci(move))


def test_each_depth_has_all_its_lines(several) -> None:
    for position, answer, lines in several:
        last_depth = answer.infos[-1].depth
        ranks = {info.multipv for info in answer.infos if info.depth == last_depth and info.bound is None}
        assert ranks == set(range(1, lines + 1)), position.fen()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("nodes", [500, 1000, 2000, 3000, 5000, 8000, 12000])
def test_stopped_in_the_middle_the_lines_begin_with_different_moves(engine: Client, nodes: int) -> None:
    """A move that has just become the best is no longer listed second."""
    engine.send("setoption name MultiPV value 3")
    for fen in FENS:
        answer = read_answer(engine.search(f"go nodes {nodes}", f"fen {fen}"))
        lines = final_lines(answer)
        assert len({info.pv[0] for info in lines}) == len(lines), fen
        assert answer.move == lines[0].pv[0], fen


def test_several_lines_of_the_named_moves(engine: Client) -> None:
    engine.send("setoption name MultiPV value 5")
    answer = read_answer(engine.search("go depth 4 searchmoves e2e4 d2d4 g1f3", "startpos"))
    assert {info.pv[0] for info in final_lines(answer)} == {"e2e4", "d2d4", "g1f3"}
