"""`setoption` in every order, range and state."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from standstill.engine.settings.dropped import DROPPED
from tests.posix import resource
from tests.uci.client import Client
from tests.uci.lines import read_answer


def set_and_repeat(engine: Client, line: str) -> list[str]:
    """Set an option; return the lines of another `uci`: options with current values as defaults, and info strings."""
    engine.send(line)
    said = engine.synchronise()
    return said + engine.ask("uci", "uciok")


def value(lines: list[str], name: str) -> str:
    (line,) = [line for line in lines if line.startswith(f"option name {name} type ")]
    return line.split(" default ")[1].split()[0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "sent", "kept"),
    [
        ("MultiPV", "3", "3"),
        ("MultiPV", "0", "1"),
        ("MultiPV", "-5", "1"),
        ("MultiPV", "999999", "256"),
        ("MultiPV", "9" * 5000, "256"),
        ("Hash", "0", "1"),
        ("Hash", "-2147483648", "1"),
        ("Move Overhead", "-1", "0"),
        ("Move Overhead", "1000000000000", "10000"),
        ("Threads", "0", "1"),
    ],
)
def test_a_number_out_of_range_is_clamped(engine: Client, name: str, sent: str, kept: str) -> None:
    assert value(set_and_repeat(engine, f"setoption name {name} value {sent}"), name) == kept


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line",
    [
        "setoption name hash value 3",
        "setoption name HASH value 3",
        "setoption   name   Hash   value   3",
        "setoption name Hash value 3   ",
        "setoption\tname\tHash\tvalue\t3",
    ],
)
def test_case_and_blanks_of_a_name_do_not_matter(engine: Client, line: str) -> None:
    assert value(set_and_repeat(engine, line), "Hash") == "3"


def test_a_name_may_hold_blanks(engine: Client) -> None:
    assert value(set_and_repeat(engine, "setoption name move  overhead value 123"), "Move Overhead") == "123"


@pytest.mark.parametrize("sent", ["true", "True", "TRUE"])
def test_a_check_option_is_read_in_any_case(engine: Client, sent: str) -> None:
    assert value(set_and_repeat(engine, f"setoption name Ponder value {sent}"), "Ponder") == "true"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "line",
    [
        "setoption name Nothing value 3",
        "setoption name UCI_Variant value chess",
        "setoption name OwnLibrary value true",
        "setoption name Nothing",
        "setoption name",
        "setoption value 3",
        "setoption Hash 3",
        "setoption",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value <empty>",
        "setoption name Hash value many",
        "setoption name Hash value 3.5",
        "setoption name Hash value 0x20",
        "setoption name Hash value \xb2",
        "setoption name Ponder value maybe",
        "setoption name Ponder value 1",
        "setoption name Ponder",
    ],
)
def test_what_cannot_be_set_changes_nothing_and_is_said_in_one_line_at_most(engine: Client, line: str) -> None:
    before = engine.ask("uci", "uciok")
    engine.send(line)
    said = engine.synchronise()
    assert len(said) <= 1 and all(line.startswith("info string ") for line in said)
    assert engine.ask("uci", "uciok") == before


@pytest.mark.parametrize(
    "line", ["setoption name Clear Hash", "setoption name clear hash value", "setoption name Clear Hash value true"]
)
def test_a_button_needs_no_value(engine: Client, line: str) -> None:
    engine.send(line)
    assert engine.synchronise() == []


@pytest.mark.parametrize("order", [(1, 16, 2, 64, 1), (33, 7, 129, 3), (64, 64, 64)])
def test_hash_may_be_resized_in_any_order(engine: Client, order: tuple[int, ...]) -> None:
    for size in order:
        engine.send(f"setoption name Hash value {size}")
        engine.search("go nodes 2000")
    assert value(engine.ask("uci", "uciok"), "Hash") == str(order[-1])


@pytest.mark.parametrize("first", ["Threads", "Hash"])
def test_threads_and_hash_may_be_set_in_either_order(engine: Client, first: str) -> None:
    """Clients send Threads and Hash in different orders: python-chess and fastchess send Threads first."""
    lines = ["setoption name Threads value 2", "setoption name Hash value 8"]
    engine.send(*(lines if first == "Threads" else reversed(lines)))
    assert engine.synchronise() == []
    assert read_answer(engine.search("go nodes 20000")).move


@pytest.mark.parametrize("order", [(1, 2, 1, 3, 2), (4, 4, 1)])
def test_threads_may_be_changed_between_searches(engine: Client, order: tuple[int, ...]) -> None:
    for threads in order:
        engine.send(f"setoption name Threads value {threads}")
        assert read_answer(engine.search("go nodes 5000")).move


def test_a_hash_beyond_all_memory_keeps_the_old_one_and_says_so(engine: Client) -> None:
    """A refusal is one line, and the next search works."""
    engine.send("setoption name Hash value 32")
    assert engine.synchronise() == []
    engine.send("setoption name Hash value 1048576")
    said = engine.synchronise()
    assert len(said) == 1 and said[0].startswith("info string ") and "32 MB" in said[0]


def test_the_hash_that_could_not_be_had_is_not_shown(engine: Client) -> None:
    engine.send("setoption name Hash value 32")
    engine.synchronise()
    assert value(set_and_repeat(engine, "setoption name Hash value 1048576"), "Hash") == "32"


def test_a_search_after_a_hash_that_could_not_be_had(engine: Client) -> None:
    engine.send("setoption name Hash value 1048576")
    assert read_answer(engine.search("go depth 4")).move


@pytest.mark.sampled(1)
@pytest.mark.skipif(
    os.environ.get("STANDSTILL_BUILD") in ("sanitize", "thread"), reason="a sanitizer needs the address space itself"
)
@pytest.mark.parametrize("before", [(), ("setoption name Hash value 64", "isready", "setoption name Hash value 4")])
def test_threads_that_cannot_be_started_are_left_out(start, before: tuple[str, ...]) -> None:
    """Each thread needs a stack, so with a limit on address space a thousand threads are too many.

    before: allocate and free a table first, after which glibc keeps more freed memory.
    """
    limit = 3 << 30
    kind = resource.RLIMIT_AS  # here, where a system without limits skips the test
    engine = start(preexec_fn=lambda: resource.setrlimit(kind, (limit, limit)))
    engine.send(*before, "uci", "setoption name Threads value 1024")
    engine.read_until("uciok")
    assert read_answer(engine.search("go depth 3")).move


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line",
    [
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name Clear Hash",
        "setoption name UCI_Chess960 value true",
        "setoption name Nothing value 1",
    ],
)
def test_an_option_set_during_a_search_does_not_disturb_it(engine: Client, line: str) -> None:
    engine.send("go infinite", line)
    lines = engine.synchronise()
    assert not any(line.startswith("bestmove") for line in lines)
    answer = read_answer([*lines, *engine.ask("stop", "bestmove")])
    assert answer.move


def test_an_option_set_during_a_search_holds_for_the_next(engine: Client) -> None:
    engine.send("go infinite", "setoption name MultiPV value 3", "stop")
    engine.read_until("bestmove")
    answer = read_answer(engine.search("go depth 4"))
    assert {info.multipv for info in answer.infos} == {1, 2, 3}


@pytest.mark.parametrize("shown", [True, False])
def test_chances_are_shown_when_asked_for(engine: Client, shown: bool) -> None:
    engine.send(f"setoption name UCI_ShowWDL value {str(shown).lower()}")
    answer = read_answer(engine.search("go depth 5"))
    assert [info.wdl is not None for info in answer.infos] == [shown] * len(answer.infos)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ],
)
def test_chances_add_up_to_a_thousand(engine: Client, fen: str) -> None:
    engine.send("setoption name UCI_ShowWDL value true")
    answer = read_answer(engine.search("go depth 4", f"fen {fen}"))
    assert {sum(info.wdl) for info in answer.infos} == {1000}


@pytest.mark.parametrize(
    ("fen", "wdl"),
    [("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", (0, 1000, 0)), ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", (0, 0, 1000))],
)
def test_the_chances_of_who_cannot_move_are_certain(engine: Client, fen: str, wdl: tuple[int, int, int]) -> None:
    engine.send("setoption name UCI_ShowWDL value true")
    (info,) = read_answer(engine.search("go depth 4", f"fen {fen}")).infos
    assert info.wdl == wdl


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["BookFile", "SyzygyPath", "VariantFile", "RMobilityRecord"])
def test_a_nul_byte_is_refused_in_one_line(start, name: str) -> None:
    client = start()
    client.send("uci", f"setoption name {name} value /tmp/a\x00b", "setoption name OwnBook value true", "isready")
    lines = client.read_until("readyok")
    assert [line for line in lines if f"expected text without NUL for {name}, found '/tmp/a\\x00b'" in line]
    assert client.search("go depth 2", "startpos")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "place"), [("BookFile", "pipe"), ("VariantFile", "pipe"), ("SyzygyPath", "."), ("SyzygyPath", "pipe")]
)
def test_a_pipe_in_the_place_of_a_file_is_refused_without_waiting(start, tmp_path: Path, name: str, place: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "KQvK.rtbw")
    client = start()
    client.send("uci", "debug on", "setoption name OwnBook value true")
    client.send(f"setoption name {name} value {tmp_path / place}", "isready")
    lines = client.read_until("readyok")
    words = {"BookFile": "cannot be read", "VariantFile": "not a regular file", "SyzygyPath": "endgame tables|Syzygy"}
    assert [line for line in lines if re.search(words[name], line)], lines[-5:]
    assert client.search("go depth 2", "fen 8/8/8/4k3/8/8/8/K6Q w - - 0 1")


def test_a_first_hash_that_cannot_be_had_leaves_the_default(start) -> None:
    client = start()
    client.send("uci", "setoption name Hash value 1048576", "isready")
    assert "info string cannot allocate 1048576 MB of hash, keeping 64 MB" in client.read_until("readyok")
    assert value(client.ask("uci", "uciok"), "Hash") == "64"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DROPPED)
def test_a_dropped_option_is_answered_in_one_line(engine: Client, name: str) -> None:
    """A client may send a dropped option before every game; play goes on."""
    for spelt in (name, name.lower()):
        engine.send(f"setoption name {spelt} value true")
        (line,) = engine.synchronise()
        assert line.startswith(f"info string option {name} no longer exists: ")
    assert engine.search("go depth 1", "startpos")[-1].startswith("bestmove ")
    assert name not in " ".join(engine.ask("uci", "uciok"))
