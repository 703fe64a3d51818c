"""Running engine programs: the commands sent to them, and the handling of failures."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from standstill.engine.annotate import engines
from standstill.engine.common.errors import EngineError
from standstill.engine.external import process as process_module
from standstill.engine.external.process import ClientError, EngineProcess, GoneError, SilentError, WrongMoveError
from standstill.engine.external.protocols import UciClient, XboardClient

FAKE = Path(__file__).parents[1] / "match" / "engine.py"
PATIENCE_S = 60.0


@pytest.fixture
def begin() -> Iterator[Callable[..., EngineProcess]]:
    started = []

    def call(kind: str, *words: str, client: type = UciClient) -> EngineProcess:
        command = [sys.executable, str(FAKE), kind, *words]
        started.append(EngineProcess(client, command, PATIENCE_S))
        started[-1].greet()
        return started[-1]

    yield call
    for process in started:
        process.kill()


def play(process: EngineProcess, patience_s: float | None = PATIENCE_S) -> chess.engine.PlayResult:
    return process.ask(lambda client: client.play(chess.Board(), chess.engine.Limit(nodes=1)), patience_s)


@pytest.mark.parametrize("client", [UciClient, XboardClient])
def test_an_engine_answers(begin, client: type) -> None:
    assert play(begin("random", client=client), None).move in chess.Board().legal_moves


def test_what_an_engine_says_in_a_match_is_read_once(begin) -> None:
    """python-chess reads lines slowly: engines that print many were once reported as hanging, and lost clock time."""
    process = begin("talk")
    found = process.ask(
        lambda client: client.play(chess.Board(), chess.engine.Limit(nodes=1), info=client.info), PATIENCE_S
    )
    assert not found.info
    assert str(process.client.thought) == "+0.31/12"


@pytest.mark.parametrize(("kind", "error"), [("crash", GoneError), ("illegal", WrongMoveError)])
def test_what_a_failure_is_called(begin, kind: str, error: type[ClientError]) -> None:
    with pytest.raises(error):
        play(begin(kind, "1"))


def test_an_engine_that_hangs_is_not_waited_for(begin) -> None:
    with pytest.raises(SilentError, match="no answer"):
        play(begin("hang", "1"), 0.2)


def test_an_engine_that_has_left_between_two_questions_is_gone(begin) -> None:
    process = begin("leave", "1")
    play(process)
    time.sleep(0.5)
    with pytest.raises(GoneError):
        play(process, None)


def test_a_program_that_does_not_exist() -> None:
    with pytest.raises(ClientError, match="No such file"):
        EngineProcess(UciClient, ["/no/such/engine"], PATIENCE_S).greet()


def test_options_are_named_and_written_as_by_a_user(begin, tmp_path: Path) -> None:
    log = tmp_path / "log"
    begin("random", "3", str(log)).configure(
        {"le vel": "4"}, {"insufficientMaterialDraw": "off", "Level": "5", "Contempt": "1"}
    )
    wanted = {"setoption name Level value 4\n", "setoption name InsufficientMaterialDraw value false\n"}
    deadline = time.monotonic() + PATIENCE_S
    while not log.exists() or log.read_text().count("\n") < len(wanted):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert set(log.read_text().splitlines(keepends=True)) == wanted


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ({"Nonsense": "1"}, "it has no option 'Nonsense'"),
        ({"InsufficientMaterialDraw": "maybe"}, "its option InsufficientMaterialDraw is true or false, found 'maybe'"),
        ({"Level": "10"}, "at most 9"),
        ({"UCI_Chess960": "true"}, "UCI_Chess960"),
    ],
)
def test_an_option_that_cannot_be_set(begin, option: dict[str, str], reason: str) -> None:
    with pytest.raises(ClientError, match=reason):
        begin("random").configure(option)


@pytest.mark.parametrize(
    ("client", "reason"), [(UciClient, "to be at most 9, got: 99"), (XboardClient, "found 'option=Level -spin'")]
)
def test_an_option_that_is_announced_wrongly_is_left_out(begin, client: type, reason: str) -> None:
    process = begin("wrong", client=client)
    assert process.client.id["name"] == "test" and "Level" not in process.client.options
    process.configure({}, {"Level": "5"})
    with pytest.raises(ClientError, match=f"it announces its option 'Level' wrongly: .*{reason}"):
        process.configure({"Level": "5"})
    assert play(process).move in chess.Board().legal_moves


def test_a_group_of_its_own(begin) -> None:
    pid = begin("random").client.transport.get_pid()
    assert os.getpgid(pid) == pid != os.getpgid(0)


def test_an_engine_can_be_killed_while_it_is_greeted() -> None:
    process = EngineProcess(UciClient, [sys.executable, str(FAKE), "silent"], PATIENCE_S)
    killer = threading.Timer(0.2, process.kill)
    killer.start()
    with pytest.raises(GoneError):
        process.greet()
    killer.join()
    with pytest.raises(GoneError):
        play(process)


def test_an_engine_goes_with_the_script_around_it(tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text(f'#!/bin/sh\n"{sys.executable}" "{FAKE}" hang 1 "{tmp_path}"\nexit 0\n')
    script.chmod(0o755)
    process = EngineProcess(UciClient, [str(script)], PATIENCE_S)
    process.greet()
    with pytest.raises(SilentError):
        play(process, 0.2)
    process.kill()
    mark = str(tmp_path).encode()
    deadline = time.monotonic() + PATIENCE_S
    while any(mark in line.split(b"\0") for line in command_lines()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def command_lines() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield path.read_bytes()


@pytest.mark.parametrize("kind", ["random", "hang"])
def test_an_engine_leaves_or_is_killed(begin, kind: str) -> None:
    process = begin(kind, "1")
    pid = process.client.transport.get_pid()
    if kind == "hang":
        with pytest.raises(SilentError):
            play(process, 0.2)
    process.leave(0.5)
    deadline = time.monotonic() + PATIENCE_S
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_an_engine_that_does_not_introduce_itself(monkeypatch: pytest.MonkeyPatch, protocol: str) -> None:
    monkeypatch.setattr(engines, "START_S", 1.0)
    monkeypatch.setattr(process_module, "NOTICE_S", 0.2)
    told: list[str] = []
    command = (sys.executable, str(FAKE), "silent")
    name = {"uci": "uci", "xboard": "protover"}[protocol]
    with pytest.raises(EngineError, match=f"^cannot start the engine .*: no answer to {name} within 1 s$"):
        engines.start(engines.Setup(command, protocol, nodes=1), told.append)
    assert told == [f"engine {sys.executable!r}: waiting for the answer to {name}, 1 s at most"]


def test_an_engine_that_never_begins_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up long before an engine that thinks: those report their first depths at once."""
    told: list[str] = []
    engine = engines.start(engines.Setup((sys.executable, str(FAKE), "hang", "1"), nodes=1), told.append)
    monkeypatch.setattr(engines, "START_S", 1.0)
    monkeypatch.setattr(engines, "_NOTICE_S", 0.2)
    try:
        with pytest.raises(EngineError, match=r": no answer within 1 s \(patience: 1 s\)$"):
            engine.search(chess.Board())
    finally:
        engine.kill()
    assert told == [f"engine {sys.executable!r}: waiting for the answer to go, 300 s at most"]


@pytest.mark.parametrize(
    ("limits", "patience_s", "longest_s", "first_s"),
    [
        ({"nodes": 9}, None, 300, 30),
        ({"depth": 9}, None, 300, 30),
        ({"seconds": 60}, None, 90, None),
        ({"seconds": 60, "nodes": 9}, None, 90, None),
        ({"nodes": 9}, 5, 5, None),
        ({"nodes": 9}, 900, 900, None),
        ({"seconds": 60}, 5, 65, None),
    ],
)
def test_how_long_a_search_may_take(
    limits: dict[str, int], patience_s: float | None, longest_s: float, first_s: float | None
) -> None:
    setup = engines.Setup(("x",), patience_s=patience_s, **limits)
    assert (setup.longest_s, setup.first_s) == (longest_s, first_s)


def test_the_first_line_of_a_search_ends_the_shorter_limit(begin) -> None:
    """The answer to `isready`, which precedes the search, does not count as its first line."""
    engine = begin("think", "1")
    found = engine.ask(lambda client: client.play(chess.Board(), chess.engine.Limit(nodes=1)), PATIENCE_S, first_s=1.0)
    assert found.move
