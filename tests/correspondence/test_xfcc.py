"""The bridge to servers, against a small one on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.correspondence.xfcc import Server, XfccError
from tests.correspondence.xfcc_server import PASSWORD, USER, XfccServer

ENV = {"STANDSTILL_XFCC_USER": USER, "STANDSTILL_XFCC_PASSWORD": PASSWORD}


@pytest.fixture
def server() -> Iterator[XfccServer]:
    with XfccServer() as server:
        yield server
        server.shutdown()


@pytest.fixture
def fetch(games, server: XfccServer):
    return lambda **options: games("fetch", server.url, "--control", "50/75/1", env=ENV, **options)


def shown(games, name: str = "WT-M-1_Nowak_Smith-Sons_17") -> dict:
    return json.loads(games("show", name, "--json").stdout)


def test_games_come_with_the_servers_clocks(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    assert fetch().stdout == "WT-M-1_Nowak_Smith-Sons_17: 2 half-moves\n"
    found = shown(games)
    assert found["moves"] == ["e2e4", "e7e5"] and found["to_move"] == "white"
    assert found["white"]["clock"] == pytest.approx(41.25, abs=1e-3)
    games("check")


def test_a_later_fetch_adds_what_is_new(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    assert "nothing new" in fetch().stdout
    log = len(shown(games)["log"])
    server.boards["17"].push_san("Nf3")
    server.boards["17"].push_san("Nc6")
    assert "2 new half-moves" in fetch().stdout
    assert len(shown(games)["log"]) >= log + 2
    server.games["17"]["result"] = "WhiteWinAdjudicated"
    fetch()
    assert shown(games)["result"] == "1-0"
    games("check")


def test_a_move_is_sent_after_confirmation_and_entered(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    name = "WT-M-1_Nowak_Smith-Sons_17"
    games("send", name, "Nf3", env=ENV, input="n\n", status=130)
    assert "MakeAMove" not in server.calls
    assert "2.Nf3 sent" in games("send", name, "g1f3", env=ENV, input="y\n").stdout
    assert server.boards["17"].peek().uci() == "g1f3" and shown(games)["moves"][-1] == "g1f3"
    games("send", name, "Nc6", "--yes", env=ENV, status=2)


def test_a_move_that_the_server_refuses_is_not_entered(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    server.boards["17"].push_san("d4")
    done = games("send", "WT-M-1_Nowak_Smith-Sons_17", "Nf3", "--yes", env=ENV, status=2)
    assert "not your turn" in done.stderr and len(shown(games)["moves"]) == 2


def test_a_game_without_engines_is_not_analysed(games, server: XfccServer, fetch) -> None:
    server.add("17", noEngines="true")
    fetch()
    done = games("analyse", "WT-M-1_Nowak_Smith-Sons_17", "--depth", "1", status=2)
    assert "forbids engines" in done.stderr


def test_the_password_goes_nowhere(games, server: XfccServer, fetch, tmp_path: Path) -> None:
    server.add("17", "e4 e5")
    done = fetch()
    wrong = games(
        "fetch", server.url, "--control", "50/75/1", env=ENV | {"STANDSTILL_XFCC_PASSWORD": "wr0ng"}, status=2
    )
    assert "Authentication failed" in wrong.stderr
    said = done.stdout + done.stderr + wrong.stdout + wrong.stderr
    assert PASSWORD not in said and "wr0ng" not in said
    for path in tmp_path.iterdir():
        assert PASSWORD.encode() not in path.read_bytes() and b"wr0ng" not in path.read_bytes()


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"rubbish", 200),
        (b"", 200),
        (b"<a/>", 503),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 200),
        (b"<a><XfccGame><id></id></XfccGame></a>", 200),
        (b"<a><XfccGame><id>1</id><daysPlayer>x</daysPlayer></XfccGame></a>", 200),
    ],
)
def test_an_answer_that_means_nothing(server: XfccServer, raw: bytes, status: int) -> None:
    server.raw, server.status = raw, status
    with pytest.raises(XfccError):
        Server(server.url, USER, PASSWORD).games()


def test_a_move_of_the_server_that_is_illegal_changes_nothing(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    server.games["17"]["moves"] = "1. e4 e5 2. Ke3"
    fetch(status=2)
    assert json.loads(games("list", "--json").stdout) == []


@pytest.mark.parametrize(
    "url",
    ["http://example.org/x", "ftp://127.0.0.1/x", "rubbish", "https://", "http://127.0.0.1:1/x", "http://[::1", ""],
)
def test_addresses_that_lead_nowhere(games, url: str) -> None:
    games("fetch", url, "--control", "50/75/1", env=ENV, status=2)


def test_an_address_with_a_password_in_it_is_refused_and_not_shown(games) -> None:
    done = games("fetch", "https://nowak:secret@example.org/x", "--control", "50/75/1", env=ENV, status=2)
    assert "secret" not in done.stdout + done.stderr


def test_without_a_password_nothing_is_sent(games, server: XfccServer, fetch, tmp_path: Path) -> None:
    """A keyring that has none: the one that only says no."""
    env = {"STANDSTILL_XFCC_USER": USER, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    done = games("fetch", server.url, "--control", "50/75/1", env=env, status=2)
    assert "keyring set standstill-xfcc:127.0.0.1 nowak" in done.stderr and server.calls == []
    games("fetch", server.url, "--control", "50/75/1", status=2)
