"""`standstill tables browse` without a browser: the file, the page Tables of the server, and what both refuse."""

from __future__ import annotations

import json
import random
import re
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import chess
import pytest

from tests import forked
from tests.rmobility.naive import code_of
from tests.uci.client import PATIENCE_S, clean_environment
from tests.web.conftest import Site, served

from .conftest import Run
from .test_tables_command import BISHOP, random_board, random_record


def browsing(
    executable: Path, folder: Path, *options: str, program: Path | None = None
) -> AbstractContextManager[Site]:
    """Run `tables browse`. program: the user's web browser; without it none is opened."""
    return served(executable, "--path", folder, *options, "browse", command="tables", browser=program)


@pytest.fixture(scope="module")
def site(executable: Path, folder: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with browsing(executable, folder) as found:
        yield found


def values(site: Site, states: list) -> list[dict]:
    return site.post("/api/tables/values", {"states": states})


# ---- the file ----


@pytest.fixture(scope="module")
def exported(tables: Run, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("page") / "page.html"
    done = tables(folder, "browse", "-o", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target.read_text(encoding="utf-8")


def test_the_file_needs_nothing_from_outside(exported: str) -> None:
    assert re.findall(r"(?:src|href)=\"(?!#)([^\"]*)\"", exported) == []
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/)", exported)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', exported)[1]
    assert "default-src 'none'" in policy.replace("&#39;", "'") and "connect-src" not in policy
    assert len(exported) < 600_000


@pytest.mark.slow
def test_the_file_has_what_its_classes_need(folder: Path, executable: Path, tmp_path: Path) -> None:
    command = [executable, "tables", "--path", folder, "browse", "-o", tmp_path / "p.html", "kpvk", "KBvK"]
    assert forked.run(command).returncode == 0
    data = json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', (tmp_path / "p.html").read_text("utf-8"))[1])
    assert sorted(data["files"]) == sorted(["KPvK", "KQvK", "KRvK", "KBvK", "KNvK", "KvK"])
    assert data["mostMen"] == 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["-o", "p.html", "KQvKR"], "at most 3 pieces for one file, found KQvKR"),
        (["-o", "p.html", "KXvK"], "KXvK"),
        (["-o", "nowhere/p.html", "KvK"], "nowhere/p.html"),
        (["-o", "p.html", "--port", "80"], "--port"),
        (["-o", "p.html", "KPvK"], "both files of KQvK"),
        (["KBvK"], "-o"),
        (["--no-open", "--port", "70000"], "70000"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(
    executable: Path, folder: Path, tmp_path: Path, arguments: list[str], found: str
) -> None:
    there = tmp_path / "tables"
    there.mkdir()
    for path in (*folder.glob("K?vK.*"), *folder.glob("KvK.*")):
        if path.name != "KQvK.rmd":
            shutil.copy(path, there)
    done = forked.run([executable, "tables", "--path", there, "browse", *arguments], cwd=tmp_path, text=True)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert found in done.stderr and not list(tmp_path.glob("*.html"))


@pytest.mark.parametrize("arguments", [["--no-open"], ["-o", "p.html"]])
def test_a_folder_without_tables_is_refused_in_one_line(executable: Path, tmp_path: Path, arguments: list[str]) -> None:
    done = forked.run([executable, "tables", "--path", "nothing", "browse", *arguments], cwd=tmp_path, text=True)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "there are no tables" in done.stderr


def test_damaged_tables_are_not_put_into_a_file(executable: Path, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "tables")
    damaged = tmp_path / "tables" / "KNvK.rmd"
    data = bytearray(damaged.read_bytes())
    data[-1] ^= 1
    damaged.write_bytes(data)
    command = [executable, "tables", "--path", "tables", "browse", "-o", "p.html"]
    done = forked.run(command, cwd=tmp_path, text=True)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "1 damaged block in" in done.stderr and not (tmp_path / "p.html").exists()


def test_the_tables_that_come_with_the_program_are_shown_without_a_path(executable: Path, tmp_path: Path) -> None:
    command = [executable, "tables", "browse", "-o", "p.html"]
    environment = clean_environment() | {"XDG_CONFIG_HOME": str(tmp_path)}
    assert forked.run(command, cwd=tmp_path, env=environment).returncode == 0
    assert '"KPvK":["' in (tmp_path / "p.html").read_text(encoding="utf-8")


# ---- the server ----


def test_values_of_the_server_are_those_of_probe(tables: Run, folder: Path, site: Site) -> None:
    rng = random.Random(7)
    boards = [random_board(rng, men) for men in ("", "Q", "r", "B", "n", "P", "p") for _ in range(5)]
    records = [random_record(rng, board) for board in boards]
    texts = [f"{'-' if owner else ''}G{code // 2}.{5 * (code % 2)}" for code, owner in records]
    lines = "".join(f"{board.fen()} ; {text}\n" for board, text in zip(boards, texts, strict=True))
    told = [json.loads(line) for line in tables(folder, "probe", "--batch", "-", told=lines).stdout.splitlines()]
    found = values(site, [[board.fen(), *record] for board, record in zip(boards, records, strict=True)])
    for one, other in zip(found, told, strict=True):
        code, side = 127 - abs(one["outcome"]), "-" if one["outcome"] < 0 else ""
        assert (f"{side}G{code // 2}.{5 * (code % 2)}", one["plies"]) == (other["value"], other["plies"])


def test_states_without_an_answer_say_why(site: Site) -> None:
    mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    five = "4k3/8/8/8/8/8/8/2QQK1R1 w - - 0 1"
    asked = [[BISHOP, 3, 1], ["garbage", 3, 1], [BISHOP, 1, 0], [five, 9, 0], [mate, 0, 0]]
    good, *bad, ended = values(site, asked)
    assert (good, ended) == ({"outcome": 127 - 11, "plies": 12}, {"outcome": 127, "plies": 0})
    for each, text in zip(bad, ("garbage", "leaves the game open", "expected at most 3 pieces, found 5"), strict=True):
        assert list(each) == ["error"] and text in each["error"]


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/ppp1qppp/2n5/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 12",
        "4k2r/8/8/8/8/8/1P6/4K3 b k - 3 40",
        "4k3/1P6/8/8/8/8/8/2Q1K2q w - - 0 1",
    ],
)
def test_positions_beyond_the_tables_are_those_of_python_chess(site: Site, fen: str) -> None:
    """Moves, notation, goals and the positions after the moves."""
    board = chess.Board(fen)
    found = site.post("/api/tables/explore", {"fen": f"{fen} -G3.5"})
    own = code_of(board)
    assert (found["fen"], found["goal"]) == (board.fen(), {"code": own, "owner": int(board.turn)})
    assert bool(found["check"]) == board.is_check()
    moves = {board.san(move): move for move in board.legal_moves}
    assert {each["san"] for each in found["legal"]} == set(moves)
    for each in found["legal"]:
        board.push(moves[each["san"]])
        code = code_of(board)
        assert (each["after"], each["goal"].lstrip("-")) == (board.fen(), f"G{code // 2}.{5 * (code % 2)}")
        board.pop()


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/tables/values", {"states": []}, 200),
        ("/api/tables/values", b"{", 400),
        ("/api/tables/values", {"states": [["8/8/8/8/8/8/8/8 w", True, 0]]}, 400),
        ("/api/tables/values", {"states": [["x", 3, 2]]}, 400),
        ("/api/tables/values", {"states": [["x", -3, 1]]}, 400),
        ("/api/tables/values", {"states": 7}, 400),
        ("/api/tables/explore", {"fen": "garbage"}, 400),
        ("/api/tables/explore", {"fen": 3}, 400),
        ("/api/tables/explore", {}, 400),
    ],
)
def test_requests_that_are_not_the_page_s_are_refused(site: Site, path: str, body: object, status: int) -> None:
    found, text = site.ask("POST", path, body)
    assert found == status, text
    assert status == 200 or list(json.loads(text)) == ["error"]


def test_the_user_s_browser_is_opened(executable: Path, folder: Path, tmp_path: Path) -> None:
    program, heard = tmp_path / "browser", tmp_path / "heard"
    program.write_text(f'#!/bin/sh\ncat "${{1#file://}}" > {heard}.part\nmv {heard}.part {heard}\n')
    program.chmod(0o755)
    with browsing(executable, folder, program=program) as site:
        deadline = time.monotonic() + PATIENCE_S
        while not heard.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert site.address in heard.read_text() and site.page == "tables"


def test_a_port_in_use_is_named_in_one_line(executable: Path, folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = forked.run([executable, "tables", "--path", folder, "browse", "--no-open", "--port", port], text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"standstill: port {port}: Address already in use\n"


def test_plies_that_are_not_there_are_not_told(executable: Path, folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.rmv"):
        shutil.copy(path, tmp_path)
    for path in folder.glob("KvK.*"):
        shutil.copy(path, tmp_path)
    with browsing(executable, tmp_path) as site:
        found = values(site, [[BISHOP, 3, 1], [BISHOP, 3, 0], ["8/8/8/8/4k3/8/1K6/8 w - - 0 1", 17, 1]])
    assert [each["plies"] for each in found] == [None, 0, 13]


def test_whole_games_are_another_page(executable: Path, tables: Run, tmp_path: Path) -> None:
    assert tables(tmp_path, "--whole-game", "build", "KvK").returncode == 0
    with browsing(executable, tmp_path, "--whole-game") as site:
        about = site.get("/api/tables")
    assert "records last" in about["scope"] and about["wholeGame"] is True


def test_other_commands_show_the_tables_of_the_program(executable: Path) -> None:
    with served(executable, variables={"XDG_CONFIG_HOME": "/nonexistent"}) as site:
        assert site.get("/api/tables")["mostMen"] == 3
        assert values(site, [[BISHOP, 3, 1]]) == [{"outcome": 127 - 11, "plies": 12}]
