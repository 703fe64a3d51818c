"""Every kind of `go`: its limits, and exactly one `bestmove` for each."""

from __future__ import annotations

import re
import time

import chess
import pytest

from tests.board.support import KIWIPETE
from tests.uci.client import Client
from tests.uci.lines import read_answer

MATED = "fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATED = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
SINGLE_MOVE = "fen 7k/8/8/8/8/8/r7/K7 w - - 0 1"  # the king can capture
MATE_IN_ONE = "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"

# All of these searches end by themselves.
LIMITED = [
    "go depth 1",
    "go depth 5",
    "go depth 0",
    "go depth -3",
    "go nodes 1",
    "go nodes 1000",
    "go nodes 0",
    "go nodes -1",
    "go movetime 1",
    "go movetime 60",
    "go movetime 0",
    "go movetime -5",
    "go mate 1 nodes 2000",
    "go mate 0",
    "go mate -1",
    "go wtime 300 btime 300",
    "go wtime 300 btime 300 winc 10 binc 10",
    "go wtime 1000 btime 1000 movestogo 40",
    "go wtime 300 btime 300 movestogo 1",
    "go wtime 300 btime 300 movestogo 0",
    "go wtime 300 btime 300 movestogo -7",
    "go btime 300 wtime 300 binc 0 winc 0",
    "go wtime 0 btime 0",
    "go wtime -1000 btime -1000",
    "go wtime -9223372036854775808 btime -9223372036854775808 winc -1 binc -1",
    "go wtime 1 btime 1 winc 1000000 binc 1000000 nodes 3000",
    "go wtime 9223372036854775807 btime 9223372036854775807 nodes 3000",
    "go wtime 99999999999999999999999999 btime 99999999999999999999999999 nodes 3000",
    "go wtime 4320000000 btime 4320000000 nodes 3000",
    "go wtime 300.5 btime 300.5",
    "go wtime 100",
    "go btime 100",
    "go btime 100 depth 3",
    "go movestogo 5 depth 3",
    "go winc 100 binc 100 depth 3",
    "go depth 99999999999999999999 nodes 3000",
    "go depth 4 nodes 100000 movetime 5000",
    "go nonsense depth 3",
    "go depth 3 nonsense",
    "go depth x nodes 500",
    "go nodes 500 depth",
    "go depth depth 3",
    "go searchmoves e2e4 d2d4 depth 3",
    "go depth 3 searchmoves e2e4",
    "go depth 3 searchmoves",
    "go depth 3 searchmoves e2e5",
    "go depth 3 searchmoves 0000",
    "go depth 3 searchmoves e2e4 e2e4 e2e4",
]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("go", LIMITED)
def test_a_go_with_a_limit_gives_one_best_move(shared: Client, go: str) -> None:
    """There is exactly one `bestmove`, and nothing after it."""
    shared.search(go, "startpos")
    assert shared.synchronise() == []


@pytest.mark.sampled(9)
@pytest.mark.parametrize("go", [go for go in LIMITED if "e2e5" not in go and "0000" not in go])
def test_the_best_move_is_legal(shared: Client, go: str) -> None:
    move = read_answer(shared.search(go, f"fen {KIWIPETE}" if "searchmoves" not in go else "startpos")).move
    position = chess.Board() if "searchmoves" in go else chess.Board(KIWIPETE)
    assert chess.Move.from_uci(move) in position.legal_moves


@pytest.mark.sampled(5)
@pytest.mark.parametrize("fen", ["startpos", SINGLE_MOVE, MATE_IN_ONE, MATED, STALEMATED])
@pytest.mark.parametrize(
    "go", ["go depth 3", "go nodes 200", "go movetime 10", "go wtime 100 btime 100", "go mate 2 nodes 500"]
)
def test_each_kind_of_go_in_each_kind_of_position(shared: Client, go: str, fen: str) -> None:
    shared.search(go, fen)
    assert shared.synchronise() == []


# ---- limits ----


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_the_depth_limit_is_the_last_depth(shared: Client, depth: int) -> None:
    assert read_answer(shared.search(f"go depth {depth}", "startpos")).last.depth == depth


@pytest.mark.parametrize("nodes", [1, 100, 5000, 40000])
def test_the_node_limit_is_kept(shared: Client, nodes: int) -> None:
    """The node limit is exact, apart from the nodes between two checks of the counter."""
    assert read_answer(shared.search(f"go nodes {nodes}", f"fen {KIWIPETE}")).nodes <= nodes + 4096


def test_limits_combine_to_the_first_reached(engine: Client) -> None:
    """The search ends at the first limit that is reached."""
    assert read_answer(engine.search("go depth 2 nodes 10000000 wtime 10000000 btime 10000000")).last.depth == 2


def test_movetime_is_used_up(engine: Client) -> None:
    """`movetime` is exact, minus the overhead of 50 ms: users of Arena report an early answer as a bug.

    On a busy machine a process may be late, but not five times.
    """
    times = (read_answer(engine.search("go movetime 400", f"fen {KIWIPETE}")).last.time for _ in range(5))
    assert any(time <= 400 for time in times)
    assert engine.process.poll() is None


def test_a_mate_search_ends_when_it_has_found_one(engine: Client) -> None:
    answer = read_answer(engine.search("go mate 1", MATE_IN_ONE))
    assert (answer.last.kind, answer.last.value) == ("mate", 1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("clocks", ["wtime 3000", "btime 3000", "btime 1 binc 1", "wtime 1 winc 1"])
@pytest.mark.parametrize("position", ["startpos", pytest.param("startpos moves e2e4", marks=pytest.mark.slow)])
def test_the_clock_of_one_side_only_is_never_infinite(engine: Client, clocks: str, position: str) -> None:
    """With only one clock the search still ends. fastchess sends such lines."""
    engine.search(f"go {clocks}", position)


@pytest.mark.parametrize("position", ["startpos", "startpos moves e2e4"])
def test_our_own_clock_counts(engine: Client, position: str) -> None:
    """Only the clock of the side to move counts: a tenth of a second for us, a month for the opponent."""
    ours, theirs = ("wtime", "btime") if position == "startpos" else ("btime", "wtime")
    answer = read_answer(engine.search(f"go {theirs} 3000000000 {ours} 100", position))
    assert answer.last.time <= 10_000  # generous: a busy machine may delay the search


@pytest.mark.parametrize("command", ["go perft 1", "bench 1"])
def test_counting_waits_for_the_end_of_a_search(shared: Client, command: str) -> None:
    shared.send("go infinite", command)
    (refusal,) = [line for line in shared.synchronise() if line.startswith("info string error")]
    assert refusal.endswith("not possible during a search: stop it first")
    shared.ask("stop", "bestmove")


# ---- searchmoves ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["Off", "Tiebreak", "Points", "Decisive"])
def test_moves_that_cannot_be_searched_say_nothing_of_the_position(engine: Client, mode: str) -> None:
    engine.send(f"setoption name RMobility value {mode}")
    lines = engine.search("go depth 3 searchmoves e2e5", "startpos")
    assert lines[-1] == "bestmove (none)" and not [line for line in lines if " score " in line or "rmobility" in line]


@pytest.mark.parametrize("mode", ["Off", "Tiebreak", "Points"])
def test_a_stalemate_is_certainly_a_draw(engine: Client, mode: str) -> None:
    engine.send(f"setoption name RMobility value {mode}", "setoption name UCI_ShowWDL value true")
    lines = engine.search("go depth 2", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert [line for line in lines if " wdl 0 1000 0 " in line], lines


@pytest.mark.parametrize("word", ["nan", "-nan", "NaN"])
def test_what_is_no_number_is_no_limit(engine: Client, word: str) -> None:
    assert "depth 3 " in "".join(engine.search(f"go depth {word} depth 3", "startpos"))


@pytest.mark.parametrize("moves", ["a2a3", "h2h4 a2a3", "g1h3"])
def test_only_the_named_moves_are_searched(engine: Client, moves: str) -> None:
    answer = read_answer(engine.search(f"go depth 4 searchmoves {moves}", "startpos"))
    assert answer.move in moves.split()


def test_illegal_moves_among_the_named_ones_are_left_out(engine: Client) -> None:
    assert read_answer(engine.search("go depth 3 searchmoves e2e5 a2a3 e7e5", "startpos")).move == "a2a3"


@pytest.mark.parametrize("moves", ["0000", "e2e5", "e7e5 d7d5"])
def test_searchmoves_without_a_legal_move_counts_as_no_legal_move(engine: Client, moves: str) -> None:
    """`searchmoves` without a legal move is answered as in a position without legal moves."""
    lines = engine.search(f"go depth 3 searchmoves {moves}", "startpos")
    assert lines[-1] == "bestmove (none)"
    assert f"info string error: expected legal moves to search, found '{moves}'" in lines


def test_named_moves_hold_for_one_search_only(engine: Client) -> None:
    engine.search("go depth 2 searchmoves a2a3", "startpos")
    engine.send("setoption name MultiPV value 20")
    answer = read_answer(engine.search("go depth 2"))
    assert len({info.pv[0] for info in answer.infos if info.depth == 2}) == 20


# ---- no legal move ----


@pytest.mark.parametrize(
    "go", ["go depth 5", "go movetime 10", "go wtime 1000 btime 1000", "go nodes 100", "go mate 3"]
)
@pytest.mark.parametrize("position", [MATED, STALEMATED])
def test_without_a_legal_move_there_is_no_best_move(shared: Client, position: str, go: str) -> None:
    """Without a legal move the answer is `bestmove (none)`."""
    assert shared.search(go, position)[-1] == "bestmove (none)"


@pytest.mark.parametrize(("position", "score"), [(MATED, ("mate", 0)), (STALEMATED, ("cp", 0))])
def test_without_a_legal_move_there_is_a_score(engine: Client, position: str, score: tuple[str, int]) -> None:
    """A score comes before every `bestmove`, also for mate and stalemate at the root."""
    answer = read_answer(engine.search("go depth 5", position))
    assert (answer.last.kind, answer.last.value) == score


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "position",
    [
        "fen 8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 100 80",
        "fen 4k3/8/8/8/8/8/8/R3K3 w Q - 149 100",
        "startpos moves " + " ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 3),
    ],
)
def test_a_drawn_root_still_gets_a_move(engine: Client, position: str) -> None:
    """Only the client decides when a game is over."""
    assert read_answer(engine.search("go depth 4", position)).move


# ---- until told to stop ----

ENDLESS = [
    "go infinite",
    "go",
    "go ponder wtime 1000 btime 1000",
    "go ponder movetime 1",
    "go ponder depth 1",
    "go infinite depth 1",
    "go infinite nodes 1",
    "go infinite movetime 1",
    "go infinite searchmoves e2e4",
]


@pytest.mark.parametrize("go", ENDLESS)
def test_an_endless_search_gives_its_move_when_stopped(shared: Client, go: str) -> None:
    shared.send(go)
    shared.synchronise()
    assert read_answer(shared.ask("stop", "bestmove")).move


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "position", ["startpos", SINGLE_MOVE, MATE_IN_ONE, MATED, STALEMATED, "fen 8/8/8/8/8/8/8/K1k5 w - - 0 1"]
)
@pytest.mark.parametrize(
    "go", ["go infinite", "go infinite depth 1", "go ponder wtime 100 btime 100", "go ponder movetime 1"]
)
def test_nothing_ends_an_endless_search_by_itself(shared: Client, go: str, position: str) -> None:
    """`infinite` and `ponder` wait for the client, even after a mate, a single move, the deepest depth, or no move."""
    shared.send(f"position {position}", go)
    said = shared.synchronise()
    with pytest.raises(TimeoutError):
        while True:
            said.append(shared.read_line(0.15))
            assert not said[-1].startswith("bestmove")
            if len(said) > 2000:
                raise TimeoutError("talks and talks, but does not stop")
    shared.ask("stop", "bestmove")


def test_bare_go_is_ended_by_stop(engine: Client) -> None:
    """A bare `go` searches until `stop`."""
    engine.send("position startpos", "go")
    assert not any(line.startswith("bestmove") for line in engine.synchronise())
    engine.ask("stop", "bestmove")


@pytest.mark.parametrize("position", ["startpos", MATED])
def test_stop_gives_one_best_move_however_often_it_is_sent(engine: Client, position: str) -> None:
    engine.send(f"position {position}", "go infinite", "stop", "stop", "stop")
    engine.read_until("bestmove")
    assert engine.synchronise() == []


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_stop_at_once(engine: Client, threads: int) -> None:
    """`stop` is obeyed at once, even before the first depth is complete."""
    engine.send(f"setoption name Threads value {threads}")
    for _ in range(30):
        engine.send("go infinite", "stop")
        assert read_answer(engine.read_until("bestmove")).infos


# ---- pondering ----


@pytest.mark.parametrize(
    "limits", ["wtime 200 btime 200", "movetime 30", "depth 3", "nodes 2000", "wtime 200 btime 200 winc 10 binc 10"]
)
def test_ponderhit_makes_the_search_a_limited_one(shared: Client, limits: str) -> None:
    """After `ponderhit` the limits of the `go` hold, counted from the hit."""
    shared.send("position startpos moves e2e4 e7e5", f"go ponder {limits}")
    assert not any(line.startswith("bestmove") for line in shared.synchronise())
    shared.send("ponderhit")
    assert read_answer(shared.read_until("bestmove")).move


@pytest.mark.parametrize("position", [MATED, STALEMATED, SINGLE_MOVE])
def test_ponderhit_where_there_is_nothing_to_think_about(engine: Client, position: str) -> None:
    engine.send(f"position {position}", "go ponder wtime 1000 btime 1000")
    assert not any(line.startswith("bestmove") for line in engine.synchronise())
    engine.ask("ponderhit", "bestmove")


def test_ponderhit_in_an_infinite_search_does_not_end_it(engine: Client) -> None:
    engine.send("go infinite", "ponderhit")
    assert not any(line.startswith("bestmove") for line in engine.synchronise())
    engine.ask("stop", "bestmove")


def test_ponderhit_in_a_timed_search_is_ignored(engine: Client) -> None:
    engine.send("go movetime 100", "ponderhit", "ponderhit")
    engine.read_until("bestmove")
    assert engine.synchronise() == []


def test_ponderhit_when_idle_is_ignored(engine: Client) -> None:
    engine.search("go depth 2")
    engine.send("ponderhit")
    assert engine.synchronise() == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("position", ["startpos", MATE_IN_ONE])
def test_pondering_counts_towards_the_movetime(engine: Client, position: str) -> None:
    """As in Stockfish, no time is left after the hit if `movetime` is already over or a mate is found."""
    engine.send(f"position {position}", "go ponder movetime 1500")
    engine.synchronise()
    time.sleep(1.6)
    hit = time.monotonic()
    engine.ask("ponderhit", "bestmove")
    assert time.monotonic() - hit < 1.0


def test_stop_after_ponderhit_gives_no_second_best_move(engine: Client) -> None:
    engine.send("go ponder movetime 20", "ponderhit", "stop", "stop")
    engine.read_until("bestmove")
    assert engine.synchronise() == []


def test_a_missed_ponder_move_is_stopped_and_the_real_position_searched(engine: Client) -> None:
    """Most clients answer a ponder miss by `stop`, ignore the best move, and search the real position."""
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    engine.synchronise()
    engine.send("stop", "position startpos moves e2e4 c7c5", "go depth 3")
    engine.read_until("bestmove")
    answer = read_answer(engine.read_until("bestmove"))
    position = chess.Board()
    for move in ("e2e4", "c7c5"):
        position.push_uci(move)
    assert chess.Move.from_uci(answer.move) in position.legal_moves


# ---- go during go ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", ["go infinite", "go ponder movetime 1", "go depth 50", "go movetime 10000"])
def test_go_during_go_stops_the_first(engine: Client, first: str) -> None:
    """The best move of the first search comes before anything of the second."""
    engine.send("position startpos", first, "go depth 3")
    engine.read_until("bestmove")
    assert read_answer(engine.read_until("bestmove")).last.depth == 3


def test_many_goes_at_once(engine: Client) -> None:
    engine.send(*["go infinite"] * 20, "stop")
    for _ in range(20):
        engine.read_until("bestmove")
    assert engine.synchronise() == []


def test_ucinewgame_during_a_search_ends_it(engine: Client) -> None:
    engine.send("go infinite", "ucinewgame", "isready")
    engine.read_until("bestmove")
    engine.read_until("readyok")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["go perft 2", "bench 1", "d", "eval", "flip"])
def test_console_commands_during_a_search_do_not_end_it(engine: Client, command: str) -> None:
    engine.send("go infinite", command)
    engine.synchronise()
    assert engine.ask("stop", "bestmove")[-1] != "bestmove (none)"


def test_time_and_nodes_of_a_ponder_search_have_one_start(engine: Client) -> None:
    """Time and nodes both count from `go ponder`, so the reported speed does not change at the hit."""
    engine.send("position startpos", "go ponder wtime 30000 btime 30000")
    before = read_answer([*_lines_of_depth(engine, 8), "bestmove e2e4"]).last
    engine.send("ponderhit")
    after = read_answer(engine.read_until("bestmove")).last
    assert after.nodes >= before.nodes
    assert after.time >= before.time


def _lines_of_depth(engine: Client, depth: int) -> list[str]:
    """The lines up to one of at least this depth; the first milliseconds of a search are not reported."""
    lines = [engine.read_line()]
    while not (found := re.match(r"info depth (\d+) seldepth", lines[-1])) or int(found[1]) < depth:
        lines.append(engine.read_line())
    return lines
