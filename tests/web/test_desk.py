"""The requests of the page Desk: what it shows and does is what the terminal shows and does, in the same store."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import itertools
import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from standstill.engine.common.errors import EngineUseError
from standstill.engine.correspondence.desk import Desk, check
from standstill.engine.correspondence.long_analysis.report import current
from standstill.engine.correspondence.servers.xfcc import credentials
from standstill.engine.correspondence.store import Store
from standstill.engine.play.session import Session
from standstill.engine.web.desk import routes as desk_routes
from standstill.engine.web.desk import runner as runner_module
from standstill.engine.web.desk import servers
from standstill.engine.web.desk.runner import AnalysisRunner
from tests import forked
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import XfccServer
from tests.uci.client import PATIENCE_S, clean_environment
from tests.web.desk_store import fill

from .conftest import Site, served

VARIABLES = ENV | {"TZ": "UTC"}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite"
    fill(path)
    return path


@pytest.fixture
def desk(executable: Path, store: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, "desk", "--store", store, variables=VARIABLES) as found:
        yield found


@pytest.fixture
def terminal(executable: Path, store: Path):
    def call(*words: object) -> str:
        done = forked.run(
            [executable, "games", "--store", store, *map(str, words)],
            capture_output=True, text=True, timeout=PATIENCE_S, check=True, env=clean_environment() | VARIABLES,
        )  # fmt: skip
        return done.stdout

    return call


def test_the_desk_lists_what_the_terminal_lists(desk: Site, terminal) -> None:
    found = desk.get("/api/desk/today")
    listed = json.loads(terminal("list", "--json"))
    assert [game["name"] for game in found["games"]] == [game["name"] for game in listed] == ["due", "offer", "silent"]
    for ours, theirs in zip(found["games"], listed, strict=True):
        assert (ours["white"], ours["black"], ours["last"]) == (theirs["white"], theirs["black"], theirs["last_move"])
        assert abs(ours["bank"] / 86_400_000 - theirs["bank"]) < 0.01
        assert abs(ours["left"] / 86_400_000 - theirs["left"]) < 0.01
    assert [game["offered"] for game in found["games"]] == [False, True, False]
    assert [game["name"] for game in found["ended"]] == ["over"] and found["problems"] == []


def test_acts_of_the_page_are_entries_of_the_log(desk: Site, terminal, store: Path) -> None:
    def action(**what: object) -> dict:
        return desk.post("/api/desk/action", {"name": "offer", **what})

    action(action="refill", amount="1h")
    assert action(action="move", move="c2c4")["done"] == "2.c4 is entered"
    assert "2.c4" in terminal("show", "offer")
    action(action="move", move="e6")
    action(action="note", kind="comment", ply=2, text="the main line {1}")
    action(action="note", kind="line", moves="Nc3 Nf6 Bg5", text="usual")
    action(action="note", kind="tag", text="sharp")
    action(action="claim", what="draw")
    action(action="decide", accepted=False)
    action(action="correct", side="black", clock="50d", bank="70d")
    action(action="replace", side="black", player="Taylor", refill="")
    found = action(action="undo")["game"]
    assert found["log"][-1]["kind"] == "undo" and found["log"][-2]["undone"]
    assert [each["kind"] for each in found["remarks"]] == ["tag", "comment", "line"]
    line = found["remarks"][2]["line"]
    assert [each["text"] for each in line] == ["3.Nc3", "3...Nf6", "4.Bg5"] and line[2]["last"] == ["c1", "g5"]
    action(action="drop", id=found["remarks"][0]["id"])
    assert action(action="result", result="1-0", reason="time")["game"]["result"] == "1-0"
    with Store(store, reading=True) as opened:
        assert check(Desk(opened)) == []


def test_planned_replies_are_shown_as_long_as_they_can_be_followed(desk: Site) -> None:
    def kinds_after(**what: object) -> list[str]:
        found = desk.post("/api/desk/action", {"name": "offer", **what})["game"]
        return [each["kind"] for each in found["remarks"]]

    assert kinds_after(action="move", move="c2c4") == []
    assert kinds_after(action="note", kind="plan", moves="e6 Nc3 Nf6 Bg5") == ["plan"]
    assert kinds_after(action="move", move="e6") == ["plan"]
    assert kinds_after(action="move", move="Nc3") == ["plan"]
    assert kinds_after(action="move", move="c6") == []
    assert kinds_after(action="undo") == ["plan"]


def test_an_act_on_a_game_that_has_changed_is_refused(desk: Site, terminal) -> None:
    seen = len(desk.get("/api/desk/game?name=offer")["log"])
    terminal("move", "offer", "Nf3")
    answer = desk.post("/api/desk/action", {"name": "offer", "seen": seen, "action": "move", "move": "c4"}, 400)
    assert answer["error"] == "offer has changed in the meantime: look at it again"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "body",
    [
        {}, {"name": "offer"}, {"name": "none", "action": "undo"}, {"name": "offer", "action": "move", "move": "e2e9"},
        {"name": "offer", "action": "refill", "amount": "many"},
        {"name": "offer", "action": "correct", "side": "white"},
        {"name": "offer", "action": "replace", "side": "white", "player": " "}, {"name": 3, "action": "undo"},
        {"name": "offer", "action": "note", "kind": "tag", "text": "two words"},
        {"name": "offer", "action": "drop", "id": 9}, {"name": "offer", "action": "edit", "entry": 99},
        {"name": "offer", "action": "decide", "accepted": True},
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_changes_nothing(desk: Site, body: dict) -> None:
    before = desk.get("/api/desk/game?name=offer")["log"]
    error = desk.post("/api/desk/action", body, 400)["error"]
    assert error and "\n" not in error and "Traceback" not in error
    assert desk.get("/api/desk/game?name=offer")["log"] == before


def test_a_correction_is_shown_before_it_is_stored(desk: Site) -> None:
    log = desk.get("/api/desk/game?name=silent")["log"]
    wanted = {"name": "silent", "entry": len(log), "at": log[0]["instant"]}
    told = desk.post("/api/desk/edit", wanted)["changes"]
    assert "entries changed: 2" in told and desk.get("/api/desk/game?name=silent")["log"] == log
    changed = desk.post("/api/desk/action", {"action": "edit", **wanted})["game"]["log"]
    assert changed[1]["at"] == log[0]["at"]
    refused = desk.post("/api/desk/edit", {"name": "silent", "entry": 1, "at": "2030-01-01T00:00Z"}, 400)["error"]
    assert "would no longer fit" in refused


def test_away_says_what_the_terminal_says(desk: Site, terminal) -> None:
    entry = desk.get("/api/desk/today")["games"][0]
    first, last = (day(entry["deadline"] + days * 86_400_000) for days in (-1, 20))
    found = desk.post("/api/desk/away", {"absences": [first, last]})
    printed = [(each["game"], each["action"]) for each in json.loads(forked_json(terminal, first, last))]
    assert [(each["game"], each["kind"]) for each in found["actions"]] == printed
    assert ("due", "move") in [(action["game"], action["kind"]) for action in found["actions"]]
    assert "overlap" in desk.post("/api/desk/away", {"absences": [first, last] * 2}, 400)["error"]
    assert "pairs" in desk.post("/api/desk/away", {"absences": [first]}, 400)["error"]


def forked_json(terminal, first: str, last: str) -> str:
    """The answer of `away`, whose exit status is 1 if there is anything to do."""
    try:
        return terminal("away", first, last, "--json")
    except Exception as error:
        return error.stdout


def day(ms: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d}"


def test_an_event_has_terms_notice_and_standings(desk: Site) -> None:
    assert [each["name"] for each in desk.get("/api/desk/event")["events"]] == ["Club", "WT/M/1"]
    found = desk.get("/api/desk/event?name=Club")
    assert (
        found["control"] == "50/75/1" and "350 days" in found["notices"]["en"] and "350 dni" in found["notices"]["pl"]
    )
    assert len(found["standings"]["rows"]) == 3
    assert "no finished games" in desk.get("/api/desk/event?name=WT/M/1")["standings"]["why"]
    silent = [game["name"] for game in desk.get("/api/desk/team")["games"]]
    assert silent == ["due", "offer"]  # in `silent` the opponent is to move


def test_moves_are_sent_as_previewed(desk: Site, terminal) -> None:
    with XfccServer() as server:
        server.add("17", "e4 e5", drawOffered="true")
        terminal("fetch", server.url, "--control", "50/75/1")
        name = next(
            game["name"]
            for game in desk.get("/api/desk/today")["games"]
            if game["event"] == "WT/M/1" and game["server"]
        )
        wanted = {"name": name, "action": "move", "move": "Nf3", "draw": True, "message": "Hello"}
        told = desk.post("/api/desk/preview", wanted)
        assert ["move", "2.Nf3"] in told["details"] and ["offer a draw", "yes"] in told["details"]
        assert server.actions == []
        changed = desk.post("/api/desk/send", {**wanted, "message": "Other", "summary": told["summary"]}, 400)
        assert "has changed" in changed["error"] and server.actions == []
        done = desk.post("/api/desk/send", {**wanted, "summary": told["summary"]})["done"]
        assert done == f"{name}: 2.Nf3 with a draw offer and the message 'Hello' sent"
        assert server.actions[0]["myMove"] == "Nf3" and server.actions[0]["offerDraw"] == "true"
        server.boards["17"].push_san("Nc6")
        (news,) = (each for each in desk.post("/api/desk/fetch")["games"] if each["name"] == name)
        assert "1 new half-move" in news["done"]
        resigned = {"name": name, "action": "resign"}
        told = desk.post("/api/desk/preview", resigned)
        desk.post("/api/desk/send", {**resigned, "summary": told["summary"]})
        assert desk.get(f"/api/desk/game?name={name}")["result"] == "0-1" and server.actions[-1]["resign"] == "true"
        server.shutdown()


def test_the_desk_is_guarded_as_the_other_pages_are(desk: Site) -> None:
    assert desk.ask("GET", "/api/desk/today", Authorization=None)[0] == 401
    assert desk.ask("GET", "/api/desk/today", Host="evil.example")[0] == 421
    assert desk.ask("POST", "/api/desk/action", {}, Origin="http://evil.example")[0] == 403
    assert desk.ask("POST", "/api/desk/send", {}, Content_Type="text/plain")[0] == 415


def test_without_a_store_the_page_says_how_to_begin(executable: Path, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    with served(executable, "desk", "--store", tmp_path / "none.sqlite", variables=VARIABLES) as site:
        assert site.get("/api/desk/today")["missing"].endswith("none.sqlite")
        assert "no server is known" in site.post("/api/desk/fetch", {}, 400)["error"]
        assert "no store" in site.post("/api/desk/action", {"name": "a", "action": "undo"}, 400)["error"]


def test_games_begin_and_are_imported_as_in_the_terminal(executable: Path, tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite"
    given = {"name": "WS-12", "control": "50/75/1", "white": "Nowak", "black": "Müller", "side": "black", "event": "E"}
    given |= {"start": "2026-03-02T10:00Z", "rmobility": True}
    imported = '[White "Kov\xe1cs"]\n[Black "Nowak"]\n[Date "2026.03.01"]\n\n1. e4 {[%ccsnt 2026.03.01,06:00]} *\n'
    with served(executable, "desk", "--store", path, variables=VARIABLES) as desk:
        assert "one word" not in desk.post("/api/desk/new", given | {"name": "two words"}, 400)["error"]
        assert not path.exists()  # a refused game leaves no store
        assert desk.post("/api/desk/new", given)["name"] == "WS-12"
        assert "already exists" in desk.post("/api/desk/new", given, 400)["error"]
        assert "expected a clock" in desk.post("/api/desk/new", given | {"name": "b", "control": "x"}, 400)["error"]
        file = {"file": "my games.pgn", "data": base64.b64encode(imported.encode("latin-1")).decode(), "me": "nowak"}
        found = desk.post("/api/desk/import", file)  # no tag names the clock
        assert found["lines"] == [] and "my games.pgn, game 1: " in found["problems"][0]
        found = desk.post("/api/desk/import", file | {"control": "50/75/1"})
        assert found["problems"] == [] and len(found["lines"]) == 1
        again = desk.post("/api/desk/import", file | {"control": "50/75/1"})
        assert "nothing new" in again["lines"][0]
        for data in ("?", base64.b64encode(b"\n").decode(), base64.b64encode(b"\x1f\x8b broken").decode()):
            error = desk.post("/api/desk/import", {"file": "x.pgn", "data": data}, 400)["error"]
            assert error.startswith(("data: expected", "expected games in x.pgn", "cannot read 'x.pgn'")), error
        huge = base64.b64encode(gzip.compress(b"\n" * 30_000_000)).decode()
        error = desk.post("/api/desk/import", {"file": "x.pgn.gz", "data": huge}, 400)["error"]
        assert "expected at most 20 MB of games, found more" in error
        games = {game["name"]: game for game in desk.get("/api/desk/today")["games"]}
        assert len(games) == 2 and games["WS-12"]["side"] == "black" and games["WS-12"]["event"] == "E"
        assert {"Kov\xe1cs", "Nowak"} == {
            next(g[c] for n, g in games.items() if n != "WS-12") for c in ("white", "black")
        }


def test_an_analysis_begins_pauses_continues_and_stops(desk: Site, terminal, store: Path) -> None:
    terminal("edit", "silent", "--no-engines", "--yes")
    for wrong, why in (({"time": "soon"}, "a time"), ({"tag": "none"}, "no running game"), ({"engine": 1}, "engine")):
        assert why in desk.post("/api/desk/analyse", wrong, 400)["error"]
    assert "no analysis" in desk.post("/api/desk/direct", {"wish": "stop"}, 400)["error"]
    assert "Standstill" in desk.post("/api/desk/analyse", {"time": "1", "slice": "0.2s", "hash": 16})["done"]
    view = until(desk, lambda view: " 0 positions" not in view["running"])
    assert "0 h 59 m left" in view["running"] and {game["name"] for game in view["games"]} == {"due", "offer"}
    assert "running already" in desk.post("/api/desk/analyse", {}, 409)["error"]
    desk.post("/api/desk/direct", {"wish": "pause"})
    assert "paused" in until(desk, lambda view: view["paused"])["running"]
    desk.post("/api/desk/direct", {"wish": "continue"})
    until(desk, lambda view: not view["paused"] and "paused" not in view["running"])
    desk.post("/api/desk/direct", {"wish": "stop"})
    view = until(desk, lambda view: not view["running"])
    assert view["report"] and view["problem"] == ""
    assert "\n".join(view["report"]) == terminal("analyse", "--report").strip()
    assert "analyses" in desk.post("/api/desk/analyse", {"name": "due", "time": "1h"})["done"]  # Ctrl-C ends it
    with Store(store, reading=True) as found:
        assert check(Desk(found)) == []


def until(desk: Site, wanted) -> dict:
    end = time.monotonic() + PATIENCE_S
    while not wanted(view := desk.get("/api/desk/analyses")):
        assert time.monotonic() < end, view
        time.sleep(0.05)
    return view


def test_the_head_of_a_game_is_edited_after_a_preview(desk: Site, terminal) -> None:
    head = desk.get("/api/desk/game?name=offer")["head"]
    assert head["white"] == "Nowak, Jan" and head["engines"] and not head["rmobility"]
    wanted = head | {"name": "offer", "newName": "WS-1", "control": "50/50/5", "side": "black", "engines": False}
    told = desk.post("/api/desk/edit", wanted)["changes"]
    assert {"name: offer -> WS-1", "control: 50/75/1 -> 50/50/5", "engines: allowed -> forbidden"} <= set(told)
    assert any(line.startswith("White: clock") for line in told) and "WS-1" not in terminal("list")
    game = desk.post("/api/desk/action", {"action": "edit", **wanted})["game"]
    assert (game["name"], game["control"], game["side"], game["noEngines"]) == ("WS-1", "50/50/5", "black", True)
    linked = game["head"] | {"name": "WS-1", "server": "https://www.iccf.com/XfccBasic.asmx", "serverId": "77"}
    assert desk.post("/api/desk/action", {"action": "edit", **linked})["game"]["server"] == linked["server"]
    half = desk.post("/api/desk/edit", linked | {"serverId": ""}, 400)["error"]
    assert "or neither" in half
    assert (
        "already exists" in desk.post("/api/desk/action", {"action": "edit", **linked, "newName": "due"}, 400)["error"]
    )
    removal = {"name": "WS-1", "action": "remove"}
    assert "as confirmation" in desk.post("/api/desk/action", removal | {"confirmed": "due"}, 400)["error"]
    assert desk.post("/api/desk/action", removal | {"confirmed": "WS-1"})["game"] is None
    assert "WS-1" not in terminal("list")


def test_many_moves_are_entered_or_none(desk: Site, terminal) -> None:
    lines = "# evening\noffer c2-c4\n\nsilent e5\n"
    told = desk.post("/api/desk/enter", {"lines": lines, "preview": True})["lines"]
    assert [line.rpartition(", ")[0] for line in told] == ["offer: 2.c4", "silent: 1...e5"]
    assert "2.c4" not in terminal("list")
    wrong = desk.post("/api/desk/enter", {"lines": lines + "due Ke5\n"}, 400)["error"]
    assert wrong.startswith("line 5: ") and "nothing was stored" in wrong and "2.c4" not in terminal("list")
    assert desk.post("/api/desk/enter", {"lines": lines})["done"] == "2 moves entered"
    assert "2.c4" in terminal("list")
    assert "expected lines" in desk.post("/api/desk/enter", {"lines": "\n"}, 400)["error"]


def test_files_and_dates_are_those_of_the_terminal(desk: Site, terminal) -> None:
    pytest.importorskip("icalendar")
    assert desk.ask("GET", "/api/desk/export") == (200, terminal("export"))
    assert desk.ask("GET", "/api/desk/export?name=due") == (200, terminal("export", "due"))
    assert "no game" in desk.get_error("/api/desk/export?name=none")
    steps = json.loads(terminal("plan", "--json"))
    assert [step["game"] for step in desk.get("/api/desk/plan")["steps"]] == [step["game"] for step in steps]
    status, text = desk.ask("GET", "/api/desk/calendar")
    assert status == 200 and text.count("BEGIN:VEVENT") == len(steps) > 0


def test_accounts_are_kept_and_fetched(executable: Path, tmp_path: Path) -> None:
    with (
        XfccServer() as server,
        served(executable, "desk", "--store", tmp_path / "new.sqlite", variables=VARIABLES) as desk,
    ):
        server.add("17", "e4 e5")
        account = {"url": server.url, "user": "nowak", "events": "WT/*, Club", "control": "50/75/1", "refills": True}
        assert "expected" in desk.post("/api/desk/account", account | {"url": "ftp://x"}, 400)["error"]
        assert desk.post("/api/desk/account", account)["done"] == "the account of nowak is stored"
        (found,) = desk.get("/api/desk/accounts")["accounts"]
        assert (found["events"], found["control"], found["problem"]) == ("WT/*, Club", "50/75/1", "")
        assert found["refills"] is True
        assert desk.get("/api/desk/today")["games"] == []
        assert "new game" in desk.post("/api/desk/fetch")["games"][0]["done"]
        assert len(desk.get("/api/desk/today")["games"]) == 1
        assert "removed" in desk.post("/api/desk/account", account | {"remove": True})["done"]
        assert desk.get("/api/desk/accounts")["accounts"] == []
        server.shutdown()


def test_a_password_goes_into_the_keyring_only(tmp_path: Path, monkeypatch) -> None:
    backend = pytest.importorskip("keyring.backend")
    errors = pytest.importorskip("keyring.errors")
    import keyring

    class Kept(backend.KeyringBackend):
        priority = 1

        def __init__(self) -> None:
            super().__init__()
            self.passwords: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.passwords.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            if password == "refused":
                raise errors.PasswordSetError("the keyring\nis locked")
            self.passwords[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            if username == "stuck":
                raise errors.PasswordDeleteError("the keyring is locked")
            del self.passwords[service, username]

    kept, before = Kept(), keyring.get_keyring()
    monkeypatch.delenv("STANDSTILL_XFCC_PASSWORD", raising=False)
    keyring.set_keyring(kept)
    try:
        desk = Desk(Store(tmp_path / "new.sqlite", create=True))
        account = {"url": "https://www.iccf.com/XfccBasic.asmx", "user": "nowak", "events": "", "control": ""}
        assert "no password for nowak" in str(servers.change_account(desk, account)["problem"])
        told = servers.change_account(desk, account | {"password": "refused"})["problem"]
        assert told == "the keyring cannot keep the password: the keyring is locked"
        assert servers.change_account(desk, account | {"password": "Ł secret 7"})["problem"] == ""
        assert kept.passwords == {("standstill-xfcc:www.iccf.com", "nowak"): "Ł secret 7"}
        assert servers.change_account(desk, account)["problem"] == ""  # without a password the keyring's stays
        assert credentials(account["url"], "nowak") == ("nowak", "Ł secret 7")
        assert "secret" not in json.dumps(servers.accounts_view(desk))
        # The password of an account goes with it, unless another account at the same host has the same user.
        kept.passwords["another program", "nowak"] = "other"
        other = account | {"url": "https://www.iccf.com/other.asmx"}
        servers.change_account(desk, other)
        told = [servers.change_account(desk, each | {"remove": True})["done"] for each in (other, account)]
        assert told == [
            "the account of nowak is removed; its games stay",
            "the account of nowak is removed with its password in the keyring; its games stay",
        ]
        assert kept.passwords == {("another program", "nowak"): "other"}
        stuck = account | {"user": "stuck", "password": "Ł secret 7"}
        servers.change_account(desk, stuck)
        removed = servers.change_account(desk, stuck | {"remove": True})
        assert removed["problem"] == "the keyring may still have the password: the keyring is locked"
        desk.store.close()
        assert not any(b"secret 7" in file.read_bytes() for file in tmp_path.iterdir())
    finally:
        keyring.set_keyring(before)


def test_the_store_is_checked_saved_and_restored(desk: Site, terminal, store: Path, tmp_path: Path) -> None:
    """The page saves the same kind of backup as the terminal; restoring says what it does, and keeps the old games."""
    assert desk.get("/api/desk/check")["problems"] == []
    saved = desk.ask_bytes("GET", "/api/desk/backup")[1]
    (tmp_path / "backup.sqlite").write_bytes(saved)
    with Store(tmp_path / "backup.sqlite") as found:
        assert Desk(found).names() == ["due", "offer", "over", "silent"]
    terminal("remove", "over", "--yes")
    terminal("new", "later", "50/75/1", "--side", "white")
    key = ""
    for part in (saved[:30_000], saved[30_000:]):
        key = desk.post("/api/desk/upload", {"key": key, "data": base64.b64encode(part).decode()})["key"]
    wanted = {"key": key, "file": "backup.sqlite"}
    told = desk.post("/api/desk/restore", {**wanted, "preview": True})
    rows = dict(map(tuple, told["rows"]))
    assert rows["The backup"].startswith("4 games, 3 running; the last entry is of ")
    assert rows["The current games, which it replaces"].startswith("4 games, 4 running")
    assert rows["Not in the backup"] == "later"
    assert "changed in the meantime" in desk.post("/api/desk/restore", {**wanted, "seen": "1 1"}, 400)["error"]
    kept = rows["The current games are kept in"]
    assert kept in desk.post("/api/desk/restore", {**wanted, "seen": told["seen"]})["done"]
    assert [game["name"] for game in desk.get("/api/desk/today")["games"]] == ["due", "offer", "silent"]
    with Store(kept) as before, Store(store) as now:
        assert "later" in Desk(before).names() and now.next_kept() != Path(kept)
        assert check(Desk(now)) == []
    assert "choose the file again" in desk.post("/api/desk/restore", {**wanted, "preview": True}, 400)["error"]
    key = desk.post("/api/desk/upload", {"key": "", "data": base64.b64encode(b"no store").decode()})["key"]
    said = desk.post("/api/desk/restore", {"key": key, "file": "x.txt", "preview": True}, 400)["error"]
    assert said == "x.txt: not a store of games (it is not an SQLite file)"


def test_reminders_are_shown_before_they_are_given_once(desk: Site, terminal) -> None:
    (line,) = desk.post("/api/desk/remind", {"days": "7, 3", "preview": True})["lines"]
    assert line.startswith("due: move by ")
    (given,) = desk.post("/api/desk/remind", {"days": "7, 3"})["lines"]
    assert given.startswith("due: move by ")
    assert desk.post("/api/desk/remind", {"days": "7, 3"})["lines"] == [] and terminal("remind", "--days", "7,3") == ""
    assert "numbers of days" in desk.post("/api/desk/remind", {"days": "soon"}, 400)["error"]


class Slow:
    """An engine that starts when it is told to. searches: number of positions that it was asked for."""

    name, threads, hash_mb, searches = "Slow", 1, 1, 0

    def __init__(self) -> None:
        self.asked, self.may_start = threading.Event(), threading.Event()

    def search(self, *_: object) -> list:
        self.searches += 1
        return []

    def close(self) -> None:
        """Do nothing."""


def test_the_end_of_the_server_reaches_an_analysis_that_is_starting(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tabs ask for an analysis while the engine starts, and the server ends before it has."""
    engine = Slow()

    def started(*_: object) -> Slow:
        engine.asked.set()
        assert engine.may_start.wait(PATIENCE_S)
        return engine

    monkeypatch.setattr(AnalysisRunner, "_analyst", started)
    monkeypatch.setattr(runner_module, "_END_S", 0.0)
    runner, answers = AnalysisRunner(store, Session, []), []

    def begin() -> None:
        with Store(store) as found:
            try:
                answers.append(runner.begin(Desk(found), {}))
            except EngineUseError as error:
                answers.append(str(error))

    tabs = [threading.Thread(target=begin) for _ in range(2)]
    for tab in tabs:
        tab.start()
    assert engine.asked.wait(PATIENCE_S)
    runner.close()
    engine.may_start.set()
    for tab in tabs:
        tab.join(PATIENCE_S)
    assert len(answers) == 2
    deadline = time.monotonic() + PATIENCE_S
    while runner.is_busy and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not runner.is_busy and engine.searches == 0
    with Store(store) as found:
        assert current(Desk(found)) is None


def test_each_change_of_the_store_is_told_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compared with the versions themselves: the first one, then each that differs from the one before."""
    monkeypatch.setattr(desk_routes, "_LOOK_S", 0)
    rng = random.Random(39)
    versions = [str(rng.randrange(3)) for _ in range(40)] + ["3"] * 40 + ["4"] * 3
    left = iter(versions)
    games = desk_routes.StoredGames(str(tmp_path / "games.sqlite"), Session)
    monkeypatch.setattr(games, "_version", lambda: next(left))

    async def listen() -> list[str]:
        told = []
        with contextlib.suppress(RuntimeError):  # so Python reports that no version is left
            async for event in games._stream():
                told.append(event)
        return told

    told = asyncio.run(listen())
    beats = [event for event in told if event.startswith("event: beat")]
    changed = [event.split('"')[1] for event in told if event.startswith("event: changed")]
    assert changed == [version for version, _ in itertools.groupby(versions)][1:]
    assert told[0] == beats[0] == f'event: beat\ndata: "{versions[0]}"\n\n'
    assert len(beats) == 3, "two of them while the 40 versions were the same"
