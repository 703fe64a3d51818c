"""`standstill tables browse` without a browser: the exported file, the server, and what both refuse."""

from __future__ import annotations

import http.client
import json
import random
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

from .conftest import Run
from .test_tables_command import BISHOP, random_board, random_record

JSON = {"Content-Type": "application/json"}


@contextmanager
def served(
    executable: Path, folder: Path, *options: str, program: Path | None = None
) -> Iterator[tuple[subprocess.Popen, int]]:
    """Run `tables browse`; yield the process and its port. At the end it is interrupted and must exit cleanly.

    program: the user's web browser; without it none is opened.
    """
    command = [executable, "tables", "--path", str(folder), *options, "browse", *(() if program else ("--no-open",))]
    environment = clean_environment() | {"BROWSER": str(program)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", "env": environment}
    with subprocess.Popen(command, **pipes) as process:
        try:
            told = process.stdout.readline()
            yield process, int(re.search(r"at http://127\.0\.0\.1:(\d+)/ until Ctrl-C", told)[1])
        finally:
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out.strip(), errors) in {(0, "", ""), (-signal.SIGTERM, "", "")}


@pytest.fixture(scope="module")
def port(executable: Path, folder: Path) -> Iterator[int]:
    with served(executable, folder) as (_, number):
        yield number


def ask(port: int, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
    """Send a request; return status and text of the answer. Header names are written with underscores."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    told = body if body is None or isinstance(body, str) else json.dumps(body)
    connection.request(method, path, told, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def values(port: int, states: list) -> list[dict]:
    status, text = ask(port, "POST", "/values", {"states": states}, **JSON)
    assert status == 200
    return json.loads(text)


# ---- the file ----


@pytest.fixture(scope="module")
def exported(tables: Run, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("page") / "page.html"
    done = tables(folder, "browse", "-o", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target.read_text(encoding="utf-8")


def test_the_file_needs_nothing_from_outside(exported: str) -> None:
    assert re.findall(r"(?:src|href)=\"(?!#|\$\{|data:,)([^\"]*)\"", exported) == []
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


def test_values_of_the_server_are_those_of_probe(tables: Run, folder: Path, port: int) -> None:
    rng = random.Random(7)
    boards = [random_board(rng, men) for men in ("", "Q", "r", "B", "n", "P", "p") for _ in range(5)]
    records = [random_record(rng, board) for board in boards]
    texts = [f"{'-' if owner else ''}G{code // 2}.{5 * (code % 2)}" for code, owner in records]
    lines = "".join(f"{board.fen()} ; {text}\n" for board, text in zip(boards, texts, strict=True))
    told = [json.loads(line) for line in tables(folder, "probe", "--batch", "-", told=lines).stdout.splitlines()]
    found = values(port, [[board.fen(), *record] for board, record in zip(boards, records, strict=True)])
    for one, other in zip(found, told, strict=True):
        code, side = 127 - abs(one["outcome"]), "-" if one["outcome"] < 0 else ""
        assert (f"{side}G{code // 2}.{5 * (code % 2)}", one["plies"]) == (other["value"], other["plies"])


def test_states_without_an_answer_say_why(port: int) -> None:
    mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    five = "4k3/8/8/8/8/8/8/2QQK1R1 w - - 0 1"
    asked = [[BISHOP, 3, 1], ["garbage", 3, 1], [BISHOP, 1, 0], [five, 9, 0], [mate, 0, 0]]
    good, *bad, ended = values(port, asked)
    assert (good, ended) == ({"outcome": 127 - 11, "plies": 12}, {"outcome": 127, "plies": 0})
    for each, text in zip(bad, ("garbage", "leaves the game open", "expected at most 3 pieces, found 5"), strict=True):
        assert list(each) == ["error"] and text in each["error"]


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/", None, {}, 200),
        ("GET", "/?again", None, {}, 200),
        ("GET", "/values", None, {}, 404),
        ("GET", "/../secret", None, {}, 404),
        ("GET", "/", None, {"Host": "evil.example"}, 421),
        ("GET", "/", None, {"Host": "127.0.0.1:1"}, 421),
        ("GET", "/", None, {"Origin": "http://evil.example"}, 421),
        ("POST", "/values", '{"states": []}', {"Origin": "null", **JSON}, 421),
        ("POST", "/values", '{"states": []}', JSON, 200),
        ("POST", "/values", '{"states": []}', {"Content-Type": "text/plain"}, 415),
        ("POST", "/other", "{}", JSON, 404),
        ("POST", "/values", "{", JSON, 400),
        ("POST", "/values", "[1]", JSON, 400),
        ("POST", "/values", "[" * 5000, JSON, 400),
        ("POST", "/values", '{"states": [["8/8/8/8/8/8/8/8 w", true, 0]]}', JSON, 400),
        ("POST", "/values", '{"states": [["x", 3, 2]]}', JSON, 400),
        ("POST", "/values", '{"states": [["x", -3, 1]]}', JSON, 400),
        ("POST", "/values", "", {"Content-Length": "99999999", **JSON}, 413),
        ("POST", "/values", "", {"Content-Length": "-1", **JSON}, 413),
    ],
)
def test_requests_that_are_not_the_page_s_are_refused(
    port: int, method: str, path: str, body: str | None, headers: dict[str, str], status: int
) -> None:
    found, text = ask(port, method, path, body, **headers)
    assert found == status
    assert "Traceback" not in text and (status == 200 or len(text.splitlines()) == 1)


def test_the_page_may_be_called_localhost(port: int) -> None:
    assert ask(port, "GET", "/", None, Host=f"LOCALHOST:{port}")[0] == 200


def test_only_this_computer_is_served(port: int) -> None:
    with socket.socket() as outside, pytest.raises(ConnectionRefusedError):
        outside.connect(("127.0.0.2", port))


def test_the_user_s_browser_is_opened(executable: Path, folder: Path, tmp_path: Path) -> None:
    program, heard = tmp_path / "browser", tmp_path / "heard"
    program.write_text(f'#!/bin/sh\necho "$1" > {heard}.part\nmv {heard}.part {heard}\n')
    program.chmod(0o755)
    with served(executable, folder, program=program) as (_, port):
        deadline = time.monotonic() + PATIENCE_S
        while not heard.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert heard.read_text().strip() == f"http://127.0.0.1:{port}/"


def test_a_port_in_use_is_named_in_one_line(executable: Path, folder: Path, port: int) -> None:
    command = [executable, "tables", "--path", folder, "browse", "--no-open", "--port", port]
    done = forked.run(command, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"standstill: port {port}: Address already in use\n"


def test_a_broken_off_request_disturbs_nobody(executable: Path, folder: Path) -> None:
    """It does not keep the process from ending either; SIGTERM ends it here, SIGINT in all other tests."""
    with served(executable, folder) as (process, port), socket.socket() as silent, socket.socket() as gone:
        gone.connect(("127.0.0.1", port))
        gone.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
        gone.close()
        silent.connect(("127.0.0.1", port))
        silent.sendall(b"POST /values HT")
        assert ask(port, "GET", "/")[0] == 200
        process.terminate()
        process.wait(PATIENCE_S)


def test_plies_that_are_not_there_are_not_told(executable: Path, folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.rmv"):
        shutil.copy(path, tmp_path)
    for path in folder.glob("KvK.*"):
        shutil.copy(path, tmp_path)
    with served(executable, tmp_path) as (_, port):
        found = values(port, [[BISHOP, 3, 1], [BISHOP, 3, 0], ["8/8/8/8/4k3/8/1K6/8 w - - 0 1", 17, 1]])
    assert [each["plies"] for each in found] == [None, 0, 13]


def test_whole_games_are_another_page(executable: Path, tables: Run, tmp_path: Path) -> None:
    assert tables(tmp_path, "--whole-game", "build", "KvK").returncode == 0
    with served(executable, tmp_path, "--whole-game") as (_, port):
        text = ask(port, "GET", "/")[1]
    assert "records last" in text and '"wholeGame":true' in text
