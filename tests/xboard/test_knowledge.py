"""Opening book and endgame tables in XBoard's protocol."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.knowledge.test_book import record, write
from tests.xboard.support import features, own_move, pong

TABLES = Path(__file__).resolve().parents[1] / "data" / "syzygy"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture
def book(tmp_path: Path) -> str:
    return write(tmp_path / "b.bin", record(None, "h2h4", 3), record(None, "e2e4", 1), record(AFTER_E4, "a7a5", 1))


def book_lines(client) -> list[str]:
    client.send("bk")
    lines = []
    while (line := client.read_line()) != "":
        lines.append(line)
    return lines


def test_tables_are_announced(start) -> None:
    client = start()
    client.send("xboard")
    assert features(client)["egt"] == "syzygy,rmobility"


def test_the_book_is_listed_in_lines_that_begin_with_a_blank(xboard, book: str) -> None:
    assert book_lines(xboard) == [" no book move"]
    xboard.send(f"option BookFile={book}")
    assert book_lines(xboard) == [" h2h4    75.0 %", " e2e4    25.0 %"]
    xboard.send("force", "usermove e2e4")
    assert book_lines(xboard) == [" a7a5   100.0 %"]


@pytest.mark.parametrize(
    ("window", "line"), [("accepted exclude", r"\ta7a5 (\{\S+\} )?\(book\)"), ("", r"\ta7a5 .*\(book\)$")]
)
def test_a_book_move_is_played_and_its_line_marked(xboard, book: str, window: str, line: str) -> None:
    """XBoard recognises book moves by the bracket; other clients read moves up to the first word that is not one."""
    xboard.send(window, f"option BookFile={book}", "option OwnBook=1", "post", "usermove e2e4")
    lines = xboard.read_until("move")
    assert lines[-1] == "move a7a5"
    assert any(re.search(line, said) for said in lines)


def test_tables_come_by_their_own_command(xboard) -> None:
    xboard.send_bytes(f"egtpath syzygy {TABLES}\n".encode())
    xboard.send("setboard 8/8/8/3k4/8/8/8/K6R w - - 0 1", "option MoreColumns=1", "post")
    xboard.send("st 20", "sd 3", "go")  # with a short move time, no time would be left for probing on a busy machine
    lines = [line.split("\t")[0].split() for line in xboard.read_until("move") if "\t" in line]
    assert {numbers[1] for numbers in lines} == {"15000"}
    assert all(int(numbers[6]) > 0 for numbers in lines)


def test_tables_of_r_mobility_are_there_and_others_come_by_their_own_command(xboard, tmp_path: Path) -> None:
    xboard.send("option RMobility=Decisive", f"egtpath rmobility {tmp_path}", "option MoreColumns=1", "post", "sd 3")
    xboard.send("setboard 6k1/8/5K2/5B2/8/8/8/8 b - - 0 1", "go")
    lines = xboard.read_until("move")
    assert any("found none in" in line and str(tmp_path) in line for line in lines)
    shown = [line.split("\t")[0].split() for line in lines if "\t" in line]
    assert shown and all(int(numbers[6]) > 0 for numbers in shown)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line",
    ["egtpath syzygy /no/such/folder", "egtpath syzygy", "egtpath rmobility /no/such", "egtpath nalimov /x", "egtpath"],
)
def test_a_bad_path_is_a_comment_at_most(xboard, line: str) -> None:
    xboard.send(line)
    assert all(said.startswith("# ") for said in pong(xboard))
    assert own_move(xboard, "usermove e2e4")
