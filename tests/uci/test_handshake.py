"""The start and the end of a session, and the form of every line."""

from __future__ import annotations

import re
import signal
import subprocess

import pytest

from tests.uci.client import LEAVE_S, Client, clean_environment, launched

OPTION = re.compile(
    r"option name (?P<name>\S+(?: \S+)*?) type (?:"
    r"check default (?:true|false)"
    r"|spin default (?P<default>-?\d+) min (?P<min>-?\d+) max (?P<max>-?\d+)"
    r"|combo default (?P<choice>\S+)(?P<vars>(?: var \S+)+)"
    r"|string default (?:<empty>|\S.*)"
    r"|button)"
)
pytestmark = pytest.mark.launcher

CLIENT_OPTIONS = ("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash", "UCI_Chess960", "UCI_ShowWDL",
                  "UCI_AnalyseMode")  # fmt: skip


@pytest.fixture
def greeting(start) -> list[str]:
    return start().ask("uci", "uciok")


def options(greeting: list[str]) -> list[str]:
    return [line for line in greeting if line.startswith("option ")]


def test_nothing_is_said_before_the_first_command(start) -> None:
    """The first output is the answer to `uci`."""
    client = start()
    assert client.ask("uci", "uciok")[0].startswith("id name ")


def test_the_name_comes_first_then_the_author_then_options(greeting) -> None:
    kinds = [line.split()[0] for line in greeting]
    assert kinds == ["id", "id", *["option"] * (len(kinds) - 3), "uciok"]
    assert greeting[0].startswith("id name Standstill ")
    assert greeting[1].startswith("id author ")


def test_every_option_has_the_form_of_the_protocol(greeting) -> None:
    assert not [line for line in options(greeting) if not OPTION.fullmatch(line)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CLIENT_OPTIONS)
def test_the_options_clients_look_for_are_there(greeting, name: str) -> None:
    assert len([line for line in options(greeting) if line.startswith(f"option name {name} type ")]) == 1


def test_defaults_are_within_their_range(greeting) -> None:
    """The default of a spin lies between its minimum and maximum, and all are within 32 bits."""
    for line in options(greeting):
        found = OPTION.fullmatch(line)
        if found["default"]:
            assert -(2**31) <= int(found["min"]) <= int(found["default"]) <= int(found["max"]) < 2**31, line
        if found["choice"]:
            assert f" var {found['choice']}" in found["vars"], line


def test_option_names_hold_no_word_of_the_grammar(greeting) -> None:
    """python-chess and cutechess split lines at keywords, and fastchess looks for words of search lines."""
    for line in options(greeting):
        words = OPTION.fullmatch(line)["name"].lower().split()
        assert not {"name", "type", "default", "min", "max", "var", "info", "score", "bestmove"} & set(words), line


def test_a_second_uci_repeats_the_first(start) -> None:
    client = start()
    assert client.ask("uci", "uciok") == client.ask("uci", "uciok")


def test_a_uci_during_a_search_does_not_end_it(engine: Client) -> None:
    engine.send("go infinite")
    engine.ask("uci", "uciok")
    engine.send("stop")
    assert engine.read_until("bestmove")[-1] != "bestmove (none)"


@pytest.mark.parametrize("first", ["isready", "ucinewgame\nisready", "position startpos\nisready"])
def test_piped_use_needs_no_uci(start, first: str) -> None:
    """Any command of a protocol selects that protocol."""
    assert start().ask(first, "readyok") == ["readyok"]


def test_a_search_needs_nothing_before_it(start) -> None:
    assert start().ask("go depth 1", "bestmove")[-1].startswith("bestmove ")


@pytest.mark.parametrize("noise", ["hello", "\x00\x01", "xyzzy plugh", "12345"])
def test_what_comes_before_the_protocol_is_chosen_is_ignored(start, noise: str) -> None:
    client = start()
    client.send(noise)
    assert client.ask("uci", "uciok")[0].startswith("id name ")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"isready\r\n", id="crlf"),
        pytest.param(b"\xef\xbb\xbfisready\r\n", id="byte order mark"),
        pytest.param(b"  isready\n", id="leading blanks"),
        pytest.param(b"\tisready\n", id="leading tab"),
        pytest.param(b"isready \t \n", id="trailing blanks"),
        pytest.param(b"\n\r\n  \n\t\nisready\n", id="empty lines"),
        pytest.param(b"joho isready\n", id="unknown word before it"),
        pytest.param(b"joho\tdebug-x  isready\n", id="unknown words with a tab"),
        pytest.param(b"isready now\n", id="unknown word behind it"),
    ],
)
def test_isready_is_understood_in_any_spacing(engine: Client, line: bytes) -> None:
    engine.send_bytes(line)
    engine.read_until("readyok")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line",
    [
        b"position startpos moves e2e4\r\n",
        b"position   startpos   moves   e2e4\n",
        b"position\tstartpos\tmoves\te2e4\n",
        b"\t position \t startpos moves e2e4 \t\n",
        b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w  KQkq -  0 1\tmoves e2e4\r\n",
        b"joho position startpos moves e2e4\n",
    ],
)
def test_blanks_and_tabs_separate_words(engine: Client, line: bytes) -> None:
    engine.send_bytes(line)
    moves = engine.ask("go perft 1", "Nodes")
    assert any(move.startswith("e7e5") for move in moves)


def test_output_lines_are_plain(engine: Client) -> None:
    """Output lines are printable UTF-8 with single blanks between words, no tabs, and a newline at the end."""
    engine.search("go depth 5")
    engine.send("xyzzy \xe9", "setoption name \xe9 value \xe9", "position fen \xe9")
    engine.synchronise()
    for line in engine.raw:
        text = line.decode()
        assert re.fullmatch(r"\S+(?: \S+)*\n", text) and text[:-1].isprintable(), line


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "words",
    [
        "debug on",
        "debug off",
        "debug",
        "register later",
        "register name x code y",
        "stop",
        "ponderhit",
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name x",
        "position",
        "position fen",
        "position startpos moves",
        "position moves e2e4",
        "xboard",
        "protover 2",
        "bestmove e2e4",
        "info depth 3",
        "id name x",
        "go perft",
        "go perft x",
        "go perft -3",
        "bench x",
    ],
)
def test_an_idle_engine_survives(engine: Client, words: str) -> None:
    """The line causes no `bestmove` and no exit; complaints are info strings."""
    engine.send(words)
    said = engine.synchronise()
    assert all(line.startswith("info string ") for line in said)


def test_debug_output_is_info_strings(engine: Client) -> None:
    engine.send("debug on")
    lines = engine.search("go movetime 20")
    assert all(line.startswith("info ") for line in lines[:-1])


def test_isready_during_a_search_is_answered_and_the_search_goes_on(engine: Client) -> None:
    engine.send("go infinite")
    for _ in range(20):
        lines = engine.ask("isready", "readyok")
        assert not any(line.startswith("bestmove") for line in lines)
    engine.send("stop")
    engine.read_until("bestmove")


def test_no_line_is_lost_during_a_search(engine: Client) -> None:
    """The engine reads input during a search and answers all of a hundred pings sent in one write."""
    engine.send("go infinite", *["isready"] * 100, "stop")
    lines = engine.read_until("bestmove")
    assert lines.count("readyok") == 100


def test_a_command_may_arrive_in_pieces(engine: Client) -> None:
    for piece in (b"isr", b"ea", b"dy", b"\n"):
        engine.send_bytes(piece)
    engine.read_until("readyok")


def test_commands_may_arrive_in_one_piece(engine: Client) -> None:
    engine.send_bytes(b"ucinewgame\nposition startpos moves e2e4\ngo depth 3\nisready\n")
    engine.read_until("bestmove")


# ---- the end ----


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "busy", ["", "go infinite", "go ponder wtime 1000 btime 1000", "go depth 60", "go movetime 60000"]
)
@pytest.mark.parametrize("end", ["quit", "eof"])
def test_quit_and_end_of_input_end_the_process(engine: Client, busy: str, end: str) -> None:
    """The process ends within a second, also during a search, with status 0 (the fixture checks it)."""
    if busy:
        engine.send(busy)
        engine.synchronise()
    if end == "quit":
        engine.send("quit")
    else:
        engine.close_input()
    assert engine.wait() == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_said_after_quit(engine: Client, threads: int) -> None:
    engine.send(f"setoption name Threads value {threads}", "go infinite")
    engine.synchronise()
    engine.send("quit")
    assert not [line for line in engine.read_rest() if line.startswith("bestmove")]


@pytest.mark.parametrize("end", ["quit", "eof"])
def test_a_stopped_search_is_answered_before_the_end(engine: Client, end: str) -> None:
    """A script writes `stop` and closes the pipe at once."""
    engine.send("go infinite")
    engine.synchronise()
    engine.send_bytes(b"stop\nquit\n" if end == "quit" else b"stop\n")
    engine.close_input()
    assert [line.split()[0] for line in engine.read_rest() if line.startswith("bestmove")] == ["bestmove"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("go", ["go infinite", "go depth 60", "go movetime 60000"])
def test_a_search_is_answered_where_the_input_ends(engine: Client, go: str) -> None:
    """`printf 'position startpos\\ngo depth 20\\n' | standstill` stops at once, as Stockfish does."""
    engine.send(go)
    engine.close_input()
    assert [line.split()[0] for line in engine.read_rest() if line.startswith("bestmove")] == ["bestmove"]


def test_a_search_after_the_stopped_one_owes_nothing_at_the_end(engine: Client) -> None:
    engine.send("go infinite", "stop", "go infinite")
    engine.read_until("bestmove")
    engine.send("quit")
    assert not [line for line in engine.read_rest() if line.startswith("bestmove")]


def test_the_last_line_needs_no_newline(engine: Client) -> None:
    engine.send_bytes(b"isready")
    engine.close_input()
    engine.read_until("readyok")


def test_quit_before_anything_else(start) -> None:
    client = start()
    client.send("quit")
    assert client.wait() == 0


def test_no_input_at_all(start) -> None:
    client = start()
    client.close_input()
    assert client.wait() == 0


def test_commands_behind_quit_are_not_obeyed(engine: Client) -> None:
    engine.send_bytes(b"quit\ngo depth 1\nisready\n")
    assert engine.read_rest() == []


@pytest.mark.parametrize("busy", [False, True])
def test_a_closed_output_ends_the_process_quietly(executable, busy: bool) -> None:
    """If the client is gone the process ends without a traceback, with status 0."""
    process = subprocess.Popen(
        [executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    )
    process.stdin.write(b"uci\n" + b"go infinite\n" * busy)
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    try:
        _, errors = process.communicate(b"isready\n" * 10, timeout=LEAVE_S)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [False, True])
def test_signals_end_the_process_quietly(start, executable, sent: signal.Signals, busy: bool) -> None:
    """Signals end the process without a traceback."""
    client = Client(launched([str(executable)]))
    try:
        client.ask("uci", "uciok")
        if busy:
            client.send("go infinite")
            client.synchronise()
        client.process.send_signal(sent)
        client.wait()
        assert client.complaints == []
    finally:
        client.end(strict=False)


def test_the_working_directory_does_not_matter(start, tmp_path) -> None:
    """The engine starts in any folder, even a read-only one with an engine.ini of another program."""
    (tmp_path / "engine.ini").write_text("[standstill]\nHash = 7\n")
    tmp_path.chmod(0o555)
    client = start(cwd=tmp_path)
    greeting = client.ask("uci", "uciok")
    client.search("go depth 2")
    assert not [line for line in greeting if line.startswith("option name Hash ") and "default 7 " in line]


def test_a_line_longer_than_any_buffer(engine: Client) -> None:
    engine.send("joho " * 200_000)
    engine.synchronise()


def test_a_million_empty_lines(engine: Client) -> None:
    engine.send_bytes(b"\n" * 1_000_000)
    assert engine.synchronise() == []
