"""Analysis and pondering."""

from __future__ import annotations

import re

import pytest

from tests.xboard.support import THINKING, own_move, pong

STATUS = re.compile(r"stat01: \d+ \d+ \d+ \d+ \d+( [a-h][1-8][a-h][1-8][qrbn]?)?")


def thought(client) -> str:
    """The next thinking line."""
    while True:
        line = client.read_line()
        if THINKING.fullmatch(line):
            return line


def test_analysis_shows_lines_and_never_moves(xboard) -> None:
    """`analyze` prints thinking lines without end, and never a move."""
    xboard.send("post", "analyze")
    for _ in range(4):
        thought(xboard)
    xboard.send("exit")
    assert not [line for line in pong(xboard) if line.startswith("move")]


def test_analysis_goes_on_after_a_mate(xboard) -> None:
    xboard.send("setboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "analyze")
    assert int(thought(xboard).split()[1]) >= 0
    xboard.send("exit")
    assert not [line for line in pong(xboard) if line.startswith(("move", "1-0"))]


def test_the_status_line(xboard) -> None:
    """The answer to a dot is a `stat01:` line."""
    xboard.send("analyze")
    thought(xboard)
    xboard.send(".")
    lines = pong(xboard)
    assert [line for line in lines if STATUS.fullmatch(line)], lines
    xboard.send("exit", ".")
    assert not [line for line in pong(xboard)[-1:] if line.startswith("stat01")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "command",
    [
        "usermove e2e4",
        "e2e4",
        "new",
        "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "undo",
        "option MultiPV=2",
        "memory 4",
        "cores 2",
        "exclude e2e4",
        "black",
    ],
)
def test_analysis_goes_on_after(xboard, command: str) -> None:
    """These commands are accepted during analysis, and analysis continues."""
    xboard.send("analyze")
    thought(xboard)
    xboard.send(command)
    pong(xboard)
    assert thought(xboard)


def test_no_move_is_answered_after_an_analysis(xboard) -> None:
    """`exit` leaves force mode, even if a new game was started in between."""
    xboard.send("analyze", "new", "exit", "usermove e2e4")
    assert not [line for line in pong(xboard) if line.startswith("move")]
    assert own_move(xboard, "go")


def test_moves_are_analysed_one_after_the_other(xboard) -> None:
    xboard.send("analyze", "e2e4", "e7e5", "undo", "c7c5")
    pong(xboard)
    first = thought(xboard).split("\t")[1].split()[0]
    assert first[1] in "12"  # a White move


def test_positions_without_a_move_are_reported_once(xboard) -> None:
    """A position without legal moves gets one line, and the engine goes on."""
    xboard.send("setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "analyze")
    assert pong(xboard) == ["0 0 0 0\t(no legal moves)"]
    xboard.send("setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert thought(xboard)


def test_excluded_moves_are_not_searched(xboard) -> None:
    """python-chess excludes all moves and includes one, to have only this move searched."""
    xboard.send("exclude all", "include a2a3", "analyze")
    for _ in range(4):
        assert thought(xboard).split("\t")[1].split()[0] == "a2a3"
    xboard.send("include b2b3", "exclude a2a3")
    pong(xboard)
    for _ in range(4):
        assert thought(xboard).split("\t")[1].split()[0] == "b2b3"


def test_a_game_goes_on_although_all_moves_are_excluded(xboard) -> None:
    xboard.send("exclude all", "analyze")
    assert pong(xboard) == ["0 0 0 0\t(all moves are excluded)"]
    xboard.send("exit", "post", "go")
    assert xboard.read_until("move")[-1]


def test_a_move_ends_what_was_excluded(xboard) -> None:
    """If exclusions outlived a move, only moves that were illegal before would be searched, and these are bad here."""
    xboard.send("exclude all", "analyze", "usermove a2a3", "usermove a7a6")
    pong(xboard)
    for _ in range(4):
        assert thought(xboard).split("\t")[1].split()[0] not in {"a3a4", "a1a2"}


@pytest.mark.parametrize(("window", "kept"), [((), False), (("accepted exclude",), True)])
def test_exclusion_outlives_an_analysis_in_a_window_only(xboard, window: tuple[str, ...], kept: bool) -> None:
    """XBoard keeps showing excluded moves; python-chess sends the moves to search before each analysis."""
    xboard.send(*window, "force", "exclude all", "include a2a3", "analyze")
    thought(xboard)
    xboard.send("exit")
    pong(xboard)
    xboard.send("force", "nopost", "sd 6")
    assert (own_move(xboard, "go") == "a2a3") == kept


def test_an_excluded_move_that_is_illegal_is_an_error(xboard) -> None:
    xboard.send("exclude e2e5", "include flummox", "exclude")
    said = pong(xboard)
    assert len(said) == 3 and all(line.startswith("Error (") for line in said)


@pytest.mark.slow
def test_pondering_names_its_guess_and_takes_it(xboard) -> None:
    """While pondering the engine names the expected move; if that is played, the search goes on."""
    xboard.send("hard", "post", "st 0.3", "usermove e2e4")
    xboard.read_until("move")
    while not (line := xboard.read_line()).startswith("Hint: "):
        pass
    guess = line.removeprefix("Hint: ")
    assert thought(xboard).split("\t")[1].split()[0] == guess
    assert "move" not in [line.split()[0] for line in pong(xboard)]
    xboard.send(f"usermove {guess}")
    assert xboard.read_until("move")[-1]


def test_a_clock_of_nodes_knows_no_time_after_a_right_guess(xboard) -> None:
    """With this `nps`, `st 0.01` means 200,000 nodes, which take much longer than 10 ms."""
    xboard.send("hard", "post", "nps 20000000", "st 0.01", "usermove e2e4")
    xboard.read_until("move")
    hint = xboard.read_until("Hint:")[-1].split()[1]
    xboard.send(f"usermove {hint}")
    lines = [line for line in xboard.read_until("move") if THINKING.fullmatch(line)]
    assert nodes_of(lines[-1]) >= 200_000


def nodes_of(line: str) -> int:
    """The nodes in a thinking line: depth, score, hundredths of a second, nodes."""
    return int(line.split()[3])


def test_another_move_than_the_guess_ends_pondering(xboard) -> None:
    xboard.send("hard", "post", "st 0.2", "usermove e2e4")
    xboard.read_until("move")
    while not (line := xboard.read_line()).startswith("Hint: "):
        pass
    other = "a2a3" if not line.endswith("a2a3") else "h2h3"
    while (nodes := nodes_of(thought(xboard))) < 100_000:
        pass
    pong(xboard)
    xboard.send(f"usermove {other}")
    fresh = [nodes_of(line) for line in xboard.read_until("move") if line[0].isdigit()]
    assert min(fresh) < nodes, "the search of the guess goes on"


def test_easy_after_hard_leaves_it_off(xboard) -> None:
    """`hard` followed by `easy` leaves pondering off."""
    xboard.send("hard", "easy", "post", "usermove e2e4")
    xboard.read_until("move")
    assert pong(xboard) == []
    xboard.send("hard", "usermove d2d4")
    xboard.read_until("move")
    xboard.send("easy")
    pong(xboard)
    assert pong(xboard) == []


def test_a_wrong_guess_is_forgotten_with_the_game(xboard) -> None:
    for command in ("new", "force", "result *", "quit"):
        xboard.send("new", "hard", "st 0.1", "usermove e2e4")
        xboard.read_until("move")
        xboard.send(command)
        if command != "quit":
            pong(xboard)
