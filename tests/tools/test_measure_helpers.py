"""The arithmetic of the measurements; the measurements themselves are not tested here."""

import time

import pytest

from tools.measure.beside import client, positions, speed
from tools.measure.beside.report import Figure, Gap, Goal, Row, Section, Unmeasurable, as_json, table
from tools.measure.play import xboard_games

chess = pytest.importorskip("chess", reason="python-chess is not installed")


def test_every_chess960_number_gives_its_position():
    for number in range(960):
        expected = chess.Board.from_chess960_pos(number).board_fen()
        assert positions.chess960_start(number).split()[0] == expected, number


@pytest.mark.parametrize("number", [-1, 960])
def test_other_chess960_numbers_are_refused(number):
    with pytest.raises(ValueError, match=str(number)):
        positions.chess960_start(number)


def test_a_ratio_compares_medians():
    row = Row("speed", "k/s", Figure.of([30, 10, 20]), "peer", Figure.of([4, 6, 5]), (Goal("ratio", ">=", 4),))
    assert row.ratio == 4
    assert row.verdict() == "ratio >= 4 met"


def test_a_paired_ratio_is_the_median_of_the_pairs():
    row = Row("speed", "k/s", Figure.of([10, 2, 30]), "peer", Figure.of([5, 2, 10]), paired=True)
    assert row.ratio == 2


def test_without_a_peer_a_ratio_goal_is_not_measured():
    row = Row("speed", "k/s", Figure.of([1]), goals=(Goal("ratio", ">=", 4), Goal("ours", "<=", 0.5)))
    assert row.verdict() == "ratio >= 4 not measured, ours <= 0.5 MISSED"


def test_a_gap_is_printed_with_its_reason():
    section = Section("speed", "search", "how", [Gap("the peer", "not installed")])
    assert "not measured: the peer: not installed" in table(section)
    assert as_json(section)["gaps"] == [{"what": "the peer", "why": "not installed"}]


def test_a_missing_engine_is_named():
    with pytest.raises(Unmeasurable, match="no-such-engine"):
        client.peer("no-such-engine")


def test_cpu_time_of_a_process_is_its_own():
    text, used_s = client.run_to_end("/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done")
    assert text == "done\n"
    assert used_s > 0


def test_nodes_are_taken_from_the_last_line_that_has_them():
    lines = ["info depth 1 nodes 20 pv e2e4", "info depth 2 nodes 55 pv e2e4", "info string nodes 9", "bestmove e2e4"]
    assert client.nodes_of(lines) == 55


@pytest.mark.parametrize(
    "text",
    [
        "Nodes searched  : 200\nNodes/second    : 1999\n",
        "info depth 9 nodes 7 nps 3\nbestmove e2e4\n200 nodes 1999 nps\n",
        "1: 100 nodes\nnodes 200 time 3 nps 1999\n",
    ],
)
def test_the_total_of_a_bench_is_its_last_node_count(text):
    assert speed.bench_nodes(text) == 200


def test_the_cpu_clock_of_another_process_stands_while_it_sleeps():
    with client.Client("/bin/cat") as sleeper:
        before = sleeper.cpu_s()
        time.sleep(0.05)
        assert sleeper.cpu_s() - before < 0.02


XBOARD_PGN = """
[Event "Computer Chess Game"]
[White "Standstill 0.1.0"]
[Black "Fairy-Max 5.0b"]
[Result "0-1"]

1. Nc3 {-2.27/12} Hdf5 {+1.03/5 0.1} 2. b8=W
{Xboard: Forfeit due to invalid move: b7b8w (a1a1 via `0, `0) res=25} 0-1

[Event "Computer Chess Game"]
[White "Fairy-Max 5.0b"]
[Black "Standstill 0.1.0"]
[Result "0-1"]

1. f4 {+0.27/5} d5
{Xboard adjudication: Checkmate} 0-1

[Event "Computer Chess Game"]
[White "Standstill 0.1.0"]
[Black "Fairy-Max 5.0b"]
[Result "1-0"]

1. f4 {White wins on time} 1-0

[Event "Computer Chess Game"]
[White "Standstill 0.1.0"]
[Black "Fairy-Max 5.0b"]
[Result "*"]

1. f4 *
"""


def test_games_of_xboard_are_scored_for_us():
    games = xboard_games.read_games(XBOARD_PGN, "Standstill")
    assert [game.score for game in games] == [0.0, 1.0, 1.0]
    assert [game.fault.partition(":")[0] for game in games] == ["ours", "", "theirs"]
    assert games[1].moves == "1. f4 d5 0-1"
    line = xboard_games.Tally(games).line("spartan")
    assert line == "| spartan | 3 | 2 | 0 | 1 | 66.7 % | 3 | 2 |"


@pytest.mark.parametrize("mode", ["off", "decisive"])
def test_every_position_of_bench_is_searched_in_a_mode(mode):
    from standstill.engine.play.bench import POSITIONS
    from tools.measure.cost import modes

    nodes, seconds = modes.search_all(mode, 20)
    assert nodes >= 20 * len(POSITIONS) and seconds > 0
