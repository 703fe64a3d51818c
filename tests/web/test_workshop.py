"""What the page Workshop asks of the server: checks, moves, files, measurements; and what the server refuses."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.web.workshop import views
from standstill.engine.web.workshop.trial import Trial
from tests import forked
from tests.uci.client import PATIENCE_S
from tests.variants.files import block, text_of

from .conftest import Site, served

MOST = 1 << 16
SLIPS = text_of(
    block("Game: one", "# stalemate loose", knight="n:325 14.7 18,7 31,7 33,7"),
    block("Game: two", "# chek 3", king="k:-1 1,7 16,7"),
    block("Game: three", "e:250", "# checks 0"),
)


@pytest.fixture(scope="module")
def shop(executable: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, "workshop") as found:
        yield found


def test_the_findings_are_those_of_check(shop: Site, executable: Path) -> None:
    command = [str(executable), "variants", "check", "-"]
    for text in (SLIPS, "", "version 4.8\n8x8\n", text_of(block("Game: shogi/x", "e:0", end := "The end.")), end):
        done = forked.run(command, input=text, capture_output=True, text=True, check=False)
        told = [line.partition(": ")[2] for line in (done.stderr if done.returncode else done.stdout).splitlines()]
        expected = [re.sub(r"^<stdin>:(\d+:)?(\d+:)? ?", "", line) for line in told]
        found = shop.post("/api/workshop/check", {"text": text})
        if done.returncode:
            shown = [each["text"] for each in found["findings"] if each["mistake"]]
        else:
            shown, expected = [each["text"] for each in found["findings"]], expected[:-1]
        assert shown == expected
        assert all(1 <= each["line"] <= len(text.split("\n")) for each in found["findings"])


def test_a_suggestion_written_into_its_place_removes_the_mistake(shop: Site) -> None:
    text, fixed = SLIPS, 0
    while True:
        findings = shop.post("/api/workshop/check", {"text": text})["findings"]
        fix = next((each for each in findings if each["mistake"] and each["fix"]), None)
        if fix is None:
            break
        lines = text.split("\n")
        line, start = lines[fix["line"] - 1], fix["column"] - 1
        lines[fix["line"] - 1] = line[:start] + fix["fix"] + line[start + fix["length"] :]
        text, fixed = "\n".join(lines), fixed + 1
    assert fixed == 2 and "14,7 18,7" in text and "# stalemate lose\n" in text
    assert [each["text"][:6] for each in findings if each["mistake"]] == ["checks"]


def test_warnings_stand_at_their_piece(shop: Site) -> None:
    text = text_of(block("Game: mine", "x:250"))
    (warning,) = (
        each for each in shop.post("/api/workshop/check", {"text": text})["findings"] if "cannot move" in each["text"]
    )
    assert text.split("\n")[warning["line"] - 1] == "x:250" and not warning["mistake"]


def test_a_new_game_is_that_of_the_command(shop: Site, executable: Path) -> None:
    asked = {"name": "broad", "base": "capablanca", "size": "10x8", "pieces": ["e=FA:300"], "army": "rneaqkcenr"}
    words = ["--from", "capablanca", "--size", "10x8", "--piece", "e=FA:300", "--army", "rneaqkcenr", "-o", "-"]
    done = forked.run([str(executable), "variants", "new", "broad", *words], capture_output=True, text=True, check=True)
    made = shop.post("/api/workshop/new", asked)
    assert made["text"].replace("broad.ini", "mine.ini") == done.stdout
    assert shop.post("/api/workshop/check", {"text": made["text"]})["game"]["width"] == 10
    gated = shop.post("/api/workshop/new", {"name": "x", "base": "seirawan"})
    assert "# gate HE" in [line.strip() for line in gated["text"].split("\n")] and "warning" not in gated
    error = shop.post("/api/workshop/new", {**asked, "army": "rnZZ"}, 400)["error"]
    assert "expected 10 letters in the back rank, found 'rnZZ'" in error
    for wishes in (
        {"army": "xnbqkbnr"},
        {"army": "rnbqrbnr"},
        {"black": "rnb"},
        {"size": "14x8"},
        {"black": "xnbqkbnr"},
    ):
        error = shop.post("/api/workshop/new", {"name": "x", **wishes}, 400)["error"]
        assert "back rank" in error and "--" not in error


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("check", {"text": "x" * (MOST + 1)}),
        ("check", {"text": 7}),
        ("reach", {"text": SLIPS, "game": "two", "piece": 99, "square": 0}),
        ("reach", {"text": SLIPS, "game": "two", "piece": 1, "square": 64}),
        ("reach", {"text": SLIPS, "game": "one", "piece": 1, "square": 1}),
        ("picture", {"text": SLIPS, "game": "two", "piece": 16}),
        ("page", {"text": SLIPS}),
        ("new", {"name": "two words"}),
        ("new", {"name": "x", "base": "no such game"}),
        ("new", {"name": "x", "pieces": ["e"] * 100}),
        ("balance", {"text": SLIPS, "game": "one"}),
        ("balance", {"text": text_of(block("Game: normal")), "game": "normal"}),
        ("balance", {"text": SLIPS, "game": "two", "games": 10**6}),
    ],
)
def test_what_is_refused(shop: Site, path: str, body: dict) -> None:
    error = shop.post(f"/api/workshop/{path}", body, 400)["error"]
    assert "\n" not in error and 10 < len(error) < 400


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "text",
    [
        "version 4.8(w)\n" + "# chek kk\n" * 6500,
        text_of(*(block(f"Game: g{number}") for number in range(120))),
        "version 4.8(w)\n16x16\n" + "1 " * 32 + "\np:100 " + "fmWfceFifmnD" * 5000,
        "version 4.8(w)\n" + "Game: x\n" * 8000,
        "version 4.8(w)\n8x8\n" + "\ud800\u2028\x00" * 5000,
    ],
    ids=["rules", "games", "moves", "titles", "characters"],
)
def test_texts_made_to_be_slow_are_answered(shop: Site, text: str) -> None:
    """Even for the longest texts that are accepted, the server answers soon, and then answers other requests."""
    found = shop.post("/api/workshop/check", {"text": text[:MOST] if text.isascii() else text})
    assert len(found["findings"]) <= 200
    assert shop.get("/api/workshop")["file"] is None


def test_markup_in_a_text_stays_text(shop: Site) -> None:
    text = text_of(block("// <script>alert(1)</script>\nGame: <q>x</q>", "The <i>end</i>."))
    name = "<q>x</q>"
    drawn = shop.post("/api/workshop/picture", {"text": text, "game": name})["svg"]
    page = shop.post("/api/workshop/page", {"text": text, "title": "<u>t</u>"})["html"]
    for made in (drawn, page):
        assert "&lt;script&gt;" in made and not re.search("<(script|q|u)>", made)
    assert shop.post("/api/workshop/picture", {"text": text, "game": name, "piece": 4})["svg"].startswith("<svg ")


# ---- the file of the command ----


def edited(executable: Path, path: Path | str, *words: object):
    return served(executable, "edit", path, *words, command="variants")


def test_save_writes_the_file_that_the_command_names(executable: Path, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    path = tmp_path / "first.ini"
    with edited(executable, path) as site:
        given = site.get("/api/workshop")["file"]
        assert (given["name"], given["digest"]) == ("first.ini", "") and "Game: first\n" in given["text"]
        assert not path.exists()
        digest = site.post("/api/workshop/save", {"text": given["text"], "digest": ""})["digest"]
        assert path.read_text() == given["text"]
        site.post("/api/workshop/save", {"text": "other\n", "digest": digest})
        assert (path.read_text(), (tmp_path / "first.ini~").read_text()) == ("other\n", given["text"])
        stale = site.post("/api/workshop/save", {"text": "mine\n", "digest": digest}, 409)["error"]
        assert "has changed" in stale and path.read_text() == "other\n"
        path.unlink()
        assert "no longer there" in site.post("/api/workshop/save", {"text": "mine\n", "digest": digest}, 409)["error"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["first.ini~"]


def test_a_game_of_the_catalogue_is_edited_under_its_name(executable: Path, tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("uvicorn")
    monkeypatch.chdir(tmp_path)
    with edited(executable, "knightmate") as site:
        given = site.get("/api/workshop")["file"]
        assert given["name"] == "knightmate.ini" and "Game: knightmate\n" in given["text"]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("knightmat", "expected a file, a new file such as knightmat.ini, or a variant of `variants list`"),
        ("missing/mine.ini", "expected a folder for"),
        (".", "is a folder"),
    ],
)
def test_edit_refuses(executable: Path, tmp_path: Path, what: str, expected: str) -> None:
    command = [str(executable), "variants", "edit", what, "--no-open"]
    done = forked.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2 and expected in done.stderr and done.stderr.count("\n") == 1


def test_without_a_file_nothing_is_saved(shop: Site) -> None:
    assert "variants edit FILE" in shop.post("/api/workshop/save", {"text": "x", "digest": ""}, 409)["error"]


# ---- the balance ----


def state(site: Site) -> dict:
    """The measurement as an open page would receive it."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    connection.request("GET", "/api/workshop/balance/events", headers={"Authorization": f"Bearer {site.token}"})
    response = connection.getresponse()
    assert response.readline() == b"event: balance\n"
    found = json.loads(response.readline().removeprefix(b"data: "))
    connection.close()
    return found


def wait_for(site: Site, *phases: str, played: int = 0) -> dict:
    deadline = time.monotonic() + 2 * PATIENCE_S
    while time.monotonic() < deadline:
        found = state(site)
        if found["phase"] in phases and found.get("played", 0) >= played:
            return found
        time.sleep(0.1)
    raise AssertionError(found)


SMALL = text_of(
    block("Game: tiny", "The end.", board="5x6", array="6 4 5 7 3", king="k:-1 K", white_pawn="p:100 fmWfcF",
          black_pawn="p:100 bmWbcF")
)  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="the program is a script of the shell")
def test_a_stop_before_the_process_has_started_ends_it(tmp_path: Path) -> None:
    program = tmp_path / "games"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o700)

    async def stopped() -> None:
        trial = Trial(str(program))
        await trial.start(views.chosen(SMALL, "tiny"), SMALL, 4, 10)
        trial.stop()  # the task that starts the process has not run yet
        assert trial.view["phase"] == "stopping"
        async with asyncio.timeout(PATIENCE_S):
            while trial.is_running:
                await asyncio.sleep(0.01)
        assert trial.view["phase"] == "stopped"
        await trial.close()

    asyncio.run(stopped())


@pytest.mark.slow
def test_a_measurement_is_stopped_and_goes_on(shop: Site) -> None:
    asked = {"text": SMALL, "game": "tiny", "games": 60, "nodes": 20}
    shop.post("/api/workshop/balance", asked)
    wait_for(shop, "playing", played=2)
    assert "one measurement at a time" in shop.post("/api/workshop/balance", asked, 409)["error"]
    shop.post("/api/workshop/balance/stop")
    stopped = wait_for(shop, "stopped")
    assert 2 <= stopped["played"] < 60
    shop.post("/api/workshop/balance", {**asked, "games": stopped["played"] + 3})
    done = wait_for(shop, "done")
    assert done["played"] >= stopped["played"] + 3 and done["points"][: len(stopped["points"])] == stopped["points"]
    status, text = shop.ask("GET", "/api/workshop/balance/games")
    results = re.findall(r'\[Result "(.*)"\]', text)
    assert status == 200 and len(results) == done["played"]
    assert [results.count(each) for each in ("1-0", "1/2-1/2", "0-1")] == [count for count, *_ in done["results"]]
    scores = [{"1-0": 1, "0-1": 0}.get(each, 0.5) for each in results]
    assert abs(done["points"][-1][0] - sum(scores) / len(scores)) < 1e-3
    assert chess.pgn.read_headers(io.StringIO(text))["Variant"] == "tiny"
    assert sum(count for _, count in done["found"]["endings"]) == done["played"]


@pytest.mark.slow
def test_the_end_of_the_server_ends_the_games(executable: Path) -> None:
    with served(executable, "workshop") as site:
        site.post("/api/workshop/balance", {"text": SMALL, "game": "tiny", "games": 20, "nodes": 50_000})
        wait_for(site, "playing", played=1)
        site.process.send_signal(signal.SIGINT)  # ``served`` checks that the server exits cleanly
