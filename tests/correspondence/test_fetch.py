"""Fetching games from a server: what the store gets, and what remains unknown."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import time
import unicodedata
from pathlib import Path

import pytest

from tests.correspondence.support import ENV, NAME, entered, names, server_fetch, shown
from tests.correspondence.xfcc_server import XfccServer
from tests.uci.client import PATIENCE_S, clean_environment


def test_games_come_with_the_servers_clocks(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    assert fetch().stdout.startswith(f"{NAME}: new game, 2 half-moves\n")
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
    assert ": ended 1-0\n" in fetch().stdout and "nothing new" in fetch().stdout
    assert shown(games)["result"] == "1-0"
    games("check")


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_all_games_are_stored_without_a_reader(games, executable, server: XfccServer, stream: str) -> None:
    """The pipes close early, as with `| head -1` and `2>&1 | head -1`. The first and third games are new; the second
    cannot be read."""
    server.add("17", "e4 e5")
    server.add("18", "e4 e5", result="Nonsense")
    server.add("19", "d4 d5", white="Nowak, Jan", black="Other")
    reader, writer = os.pipe()
    os.close(reader)
    words = [executable, "games", "--store", games.store, "fetch", server.url, "--control", "50/75/1"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: writer}
    subprocess.run(words, env=clean_environment() | ENV, timeout=PATIENCE_S, check=False, **pipes)
    os.close(writer)
    stored = [game["name"] for game in json.loads(games("list", "--json").stdout)]
    assert {NAME, "WT-M-1_Nowak_Other_19"} <= set(stored)


@pytest.mark.slow
def test_a_server_that_plays_on_has_decided_the_claim(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    games("claim", NAME)
    server.boards["17"].push_san("Nf3")
    told = "waits for the decision of a claim: enter it with `claim --accepted` or `claim --rejected`\n"
    assert fetch(status=2).stderr.endswith(told)
    assert games("move", NAME, "Nf3", status=2).stderr.endswith(told)
    games("claim", NAME, "--rejected")
    assert "1 new half-move (2.Nf3)" in fetch().stdout


def test_moves_that_the_server_takes_back_are_named(games, server: XfccServer, fetch) -> None:
    """If the user's own move waits to be sent, the user must take it back first."""
    server.add("17", "e4 e5")
    fetch()
    games("move", NAME, "Nf3")
    assert "nothing new" in fetch().stdout
    for number in ("2 moves", "3 moves"):
        server.boards["17"].pop()
        told = f"{NAME}: the store has {number} that the server does not know: `correct --undo`"
        assert told in fetch(status=2).stderr
    games("correct", NAME, "--undo")
    server.boards["17"].push_san("e4")
    assert "e5 was taken back on the server" in fetch().stdout


@pytest.mark.slow
def test_an_event_that_is_renamed_has_its_new_name(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    server.games["17"] |= {"event": "WT/M/1 Final", "site": ""}  # an empty site does not replace the stored one
    assert "  Event 'WT/M/1 Final' in place of 'WT/M/1'\n" in fetch().stdout
    assert "in place of" not in fetch().stdout
    tags = games("export").stdout.splitlines()
    assert '[Event "WT/M/1 Final"]' in tags and '[Site "ICCF"]' in tags


def test_a_date_that_does_not_exist_replaces_no_date(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5", eventDate="2026.01.05")
    fetch()
    for wrong in ("31.02.2026.01.05", "2026.02.30", "soon"):
        server.games["17"] |= {"eventDate": wrong}
        assert "in place of" not in fetch().stdout
    assert '[EventDate "2026.01.05"]' in games("export").stdout
    server.games["17"] |= {"eventDate": "2026.01.??"}
    assert "'2026.01.??' in place of '2026.01.05'" in fetch().stdout


def test_a_game_without_engines_is_not_analysed(games, server: XfccServer, fetch) -> None:
    server.add("17", noEngines="true")
    fetch()
    done = games("analyse", NAME, "--depth", "1", status=2)
    assert "forbids engines" in done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("word", "result"), [("BothDefaulted", "*"), ("Cancelled", "*"), ("BlackDefaulted", "1-0")])
def test_every_end_of_a_game_ends_it(games, server: XfccServer, fetch, word: str, result: str) -> None:
    server.add("17", "e4 e5", result=word)
    fetch()
    found = shown(games)
    assert (found["status"], found["result"]) == ("over", result)
    assert "nothing new" in fetch().stdout


@pytest.mark.slow
def test_a_ban_of_engines_is_followed(games, server: XfccServer, fetch, executable: Path, tmp_path: Path) -> None:
    server.add("17", "e4 e5", noEngines=None)
    fetch()
    games("analyse", NAME, "--depth", "1")
    server.games["17"]["noEngines"] = "true"
    assert "forbids engines from now on" in fetch().stdout
    games("analyse", NAME, "--depth", "1", status=2)
    said = subprocess.run(
        [executable], input=f"setoption name TripleBlockGame value {NAME}\nisready\nd\nquit\n", text=True,
        capture_output=True, timeout=PATIENCE_S, check=True,
        env=clean_environment() | {"STANDSTILL_STORE": str(games.store)},
    ).stdout  # fmt: skip
    assert "forbids engines" in said and "tripleblock clock" not in said
    server.games["17"]["noEngines"] = "false"  # the server's permission does not lift the player's own ban
    fetch()
    games("analyse", NAME, "--depth", "1", status=2)
    server.games["17"]["noEngines"] = None  # if the server states nothing, the ban remains
    fetch()
    games("analyse", NAME, "--depth", "1", status=2)


def test_one_server_under_two_addresses(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    games("fetch", server.url.replace("XfccBasic.asmx", "xfccbasic.ASMX"), "--control", "50/75/1", env=ENV)
    assert len(json.loads(games("list", "--json").stdout)) == 1


def test_a_game_back_from_a_file_is_the_servers_again(games, server: XfccServer, fetch, tmp_path: Path) -> None:
    """Only an answer confirms the server's address: a file must not decide who gets the password."""
    server.add("17", "e4 e5")
    fetch()
    games("export", NAME, "-o", tmp_path / "g.pgn")
    games("remove", NAME, "--yes")
    games("import", tmp_path / "g.pgn")
    assert "fetch it first" in games("send", NAME, "Nf3", "--yes", env=ENV, status=2).stderr
    fetch()
    games("send", NAME, "Nf3", "--yes", env=ENV)
    assert len(json.loads(games("list", "--json").stdout)) == 1


def test_a_game_is_stored_whole_or_not_at_all(games, server: XfccServer, fetch) -> None:
    """The store refuses a move, as if the disk had filled up in the meantime."""
    assert fetch().stdout == "no games\n"
    with contextlib.closing(sqlite3.connect(games.store)) as connection:
        connection.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON events WHEN NEW.kind = 'move'"
            " BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
        connection.commit()
        server.add("17", "e4 e5")
        assert "no room" in fetch(status=2).stderr
        assert names(games) == []
        connection.execute("DROP TRIGGER broken")
        connection.commit()
    assert "2 half-moves" in fetch().stdout


@pytest.mark.slow
def test_two_fetches_at_once_store_each_game_once(games, server: XfccServer, fetch) -> None:
    fetch()
    server.add("17", "e4 e5")
    server.calls.clear()
    command = [*games.clock[:-1], "games", "--store", games.store, "fetch", server.url, "--control", "50/75/1"]
    with contextlib.closing(sqlite3.connect(games.store, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")  # both fetches wait at their first write
        both = [
            subprocess.Popen(
                command, env=clean_environment() | ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        deadline = time.monotonic() + PATIENCE_S
        while len(server.calls) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.3)
        connection.execute("ROLLBACK")
    said = [process.communicate(timeout=PATIENCE_S) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sorted(out.splitlines()[0] for out, _ in said) == ["1 game: nothing new", f"{NAME}: new game, 2 half-moves"]


def test_a_game_that_the_server_lists_no_more_is_named(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    server.add("18", "d4", hasWhite="false")
    server.add("19", "c4", result="Draw")
    fetch()
    entered(games)
    del server.games["17"], server.games["19"]  # the store has the result of game 19
    gone = [line for line in fetch().stdout.splitlines() if "no longer lists it" in line]
    assert [line.partition(":")[0] for line in gone] == [NAME]
    server.games["18"]["id"] = None  # a game without an id could be any stored game
    assert "no longer lists it" not in server_fetch(games, server, status=2).stdout
    games("result", NAME, "1-0")
    del server.games["18"]["id"]
    assert "no longer lists it" not in fetch().stdout


def test_a_player_who_is_replaced_on_the_server(games, server: XfccServer, fetch) -> None:
    """The game keeps its name, clocks and moves; another spelling of a name means the same player."""
    server.add("17", "e4 e5", daysOpponent="50")
    fetch()
    server.games["17"] |= {"white": "GM Jan Nowak", "black": "Smith"}
    assert "in place of" not in fetch().stdout
    before = shown(games)
    server.games["17"]["black"] = "Smith, Anna"
    server.boards["17"].push_san("Nf3")
    assert "  Smith, Anna plays in place of Smith & Sons\n" in fetch().stdout
    found = shown(games)
    assert (found["white"]["player"], found["black"]["player"]) == ("Nowak, Jan", "Smith, Anna")
    assert found["moves"] == [*before["moves"], "g1f3"] and found["black"]["bank"] == before["black"]["bank"]
    assert "in place of" not in fetch().stdout
    games("check")


def test_colours_that_the_arbiter_exchanges(games, server: XfccServer, fetch) -> None:
    """If the user's colour changes, the game keeps its moves, and the user's clock becomes the other colour's clock."""
    server.add("17", "e4")
    fetch()
    server.games["17"] |= {"hasWhite": "false", "white": "Smith & Sons", "black": "Nowak, Jan"}
    told = fetch().stdout
    assert "  you have Black from now on: the server changed your colour\n" in told and "  your clock 41 d 6 h" in told
    assert "\nBlack, you: clock 41 d " in games("show", NAME).stdout
    assert "nothing new" in fetch().stdout
    games("check")


@pytest.mark.slow
def test_the_name_of_a_long_event_is_cut_between_words(games, server: XfccServer, fetch) -> None:
    server.add("17", event="WCCC 43 Preliminary 07", black="Łukasiewicz, Zbigniew")
    server.add("18", event="WCCC 43 Preliminary 07", black="A" * 60)
    fetch()
    names = [game["name"] for game in json.loads(games("list", "--json").stdout)]
    assert names == ["43-Preliminary-07_Nowak_Łukasiewicz_17", f"{'A' * 37}_18"]


def test_an_id_that_comes_twice_is_one_game(games, server: XfccServer, fetch) -> None:
    for number in ("17", "18", "19"):
        server.add(number, "d4" if number == "18" else "e4 e5", id="17")
    said = fetch(status=2)
    assert said.stderr == "standstill: game 17: the server lists two games with this id; the first is stored\n"
    assert shown(games)["moves"] == ["e2e4", "e7e5"] and len(json.loads(games("list", "--json").stdout)) == 1


def test_an_end_on_the_server_before_a_move_was_sent(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    games("move", NAME, "Nf3")
    server.games["17"]["result"] = "BlackWins"
    said = fetch().stdout
    assert "ended 0-1" in said and "2.Nf3 was not sent before the end" in said
    found = shown(games)
    assert (found["result"], found["moves"]) == ("0-1", ["e2e4", "e7e5"])


def test_a_damaged_game_does_not_keep_the_others_from_the_server(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    server.add("18", "d4", black="Jones")
    fetch()
    with contextlib.closing(sqlite3.connect(games.store)) as connection:
        connection.execute("UPDATE games SET tags = 'x' WHERE server_id = '17'")
        connection.commit()
    server.boards["18"].push_san("d5")
    done = server_fetch(games, server, status=2)
    assert "1 new half-move" in done.stdout and f"the game '{NAME}' is damaged" in done.stderr
    games("remove", NAME, "--yes")
    assert f"{NAME}: new game, 2 half-moves" in fetch().stdout
    games("check")


# ---- what servers do not tell ----


def test_no_instants_are_invented(games, server: XfccServer, fetch) -> None:
    """Ten months into a game without move times, both clocks are full: the banks are unknown, not empty."""
    server.add("17", "e4 e5 Nf3", daysPlayer="50", hoursPlayer="0", daysOpponent="31")
    assert "in your bank is unknown" in fetch().stdout
    found = shown(games)
    assert (found["white"]["clock"], found["white"]["clock_known"], found["white"]["bank_known"]) == (50, True, False)
    assert found["black"]["clock"] == pytest.approx(31, abs=1e-3) and found["black"]["clock_known"]
    text = games("export", NAME).stdout
    assert "%ccsnt" not in text and "%clk" not in text and "unsure=at" in text
    said = games("show", NAME).stdout
    assert "when it was made is unknown" in said and "bank at least 0 d" in said
    assert "?" in games("list").stdout  # an unknown bank is shown as ?
    log = found["log"]
    assert "nothing new" in fetch().stdout and shown(games)["log"] == log
    games("check")


def test_stamps_of_the_server_are_taken(games, server: XfccServer, fetch) -> None:
    server.comments = lambda moves: (
        "1.e4 {[%ccsnt 2026.01.06,10:00]} e5 {[%ccsnt 2026.01.09,11:30] hello} (1...c5 2.Nf3) $1 2. Nf3! ; end\n"
    )
    server.add("17", "e4 e5 Nf3", daysPlayer="50", hoursPlayer="0", daysOpponent="50")
    fetch()
    log = shown(games)["log"]
    assert [(e["san"], e["at"], "unsure" in e) for e in log if e["kind"] == "move"][:2] == [
        ("e4", "2026-01-06T10:00Z", False), ("e5", "2026-01-09T11:30Z", False)
    ]  # fmt: skip
    assert [e.get("unsure") for e in log if e["kind"] == "move"][2] == "at"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("moves", "side", "days", "clock", "bank"),
    [
        ("e4 e5 Nf3", "white", 125, 50, 75),  # not running: clock and bank together
        ("e4 e5 Nf3", "white", 37, 37, 0),  # not running and below 50 days: the bank is empty
        ("", "black", 50, 50, 75),
    ],
)
def test_a_display_beyond_the_clock_is_the_total(
    games, server: XfccServer, fetch, moves: str, side: str, days: int, clock: int, bank: int
) -> None:
    own = "Player" if side == "white" else "Opponent"
    server.add("17", moves, **{f"days{own}": str(days), f"hours{own}": "0"})
    fetch()
    found = shown(games)[side]
    assert (found["clock"], found["bank"], found["clock_known"], found["bank_known"]) == (clock, bank, True, True)


def test_a_running_total_leaves_the_clock_unknown(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5", daysPlayer="120", hoursPlayer="0")
    assert "on your clock is unknown" in fetch().stdout
    (entry,) = json.loads(games("list", "--json").stdout)
    assert not entry["flagged"] and not entry["clock_known"]
    assert " ? " in games("list").stdout
    games("correct", NAME, "white", "--clock", "45 d 12 h", "--bank", "74 d 17 h 30 m")
    said = games("show", NAME).stdout
    assert "bank 74 d 17 h 30 m" in said
    games("check")


# ---- moves ----


def test_a_move_of_the_server_that_is_illegal_changes_nothing(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    server.games["17"]["moves"] = "1. e4 e5 2. Ke3"
    fetch(status=2)
    assert json.loads(games("list", "--json").stdout) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("moves", "word"),
    [
        ("1. e4 e9", "e9"),
        ("1. e4 xx e5", "xx"),
        ("1. e4 e5 2. Nf3 Nc6 foo", "foo"),
        ("1. e4 e5 {unclosed", "{unclosed"),
    ],
)
def test_moves_that_mean_nothing_are_not_passed_over(games, server: XfccServer, fetch, moves: str, word: str) -> None:
    server.add("17")
    server.games["17"]["moves"] = moves
    done = fetch(status=2)
    assert "game 17" in done.stderr and repr(word) in done.stderr
    assert json.loads(games("list", "--json").stdout) == []


def test_the_letters_of_another_language_are_no_squares(games, server: XfccServer, fetch) -> None:
    """German S (Springer) is a knight: the move is not a pawn move to the same square."""
    server.add("17")
    server.games["17"]["moves"] = "1. e4 e5 2. Sf3"
    fetch()
    assert shown(games)["moves"] == ["e2e4", "e7e5", "g1f3"]


def test_chess960_of_a_server_that_does_not_say_so(games, server: XfccServer, fetch) -> None:
    import chess

    fen = "bnrbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBQKRN w KQkq - 0 1"
    server.add("17", setup="true", fen=fen)
    board = chess.Board(fen, chess960=True)
    board.push_san("O-O")
    server.boards["17"] = board
    fetch()
    assert shown(games)["moves"] == ["f1g1"]


# ---- games entered by hand before ----


def test_a_game_entered_by_hand_becomes_the_servers(games, server: XfccServer, fetch) -> None:
    entered(games, "e4", "e5")
    server.add("17", "e4 e5 Nf3 Nc6", event="?")
    done = fetch()
    assert done.stdout.startswith("WS-12: 2 new half-moves (to 2...Nc6)\n  was entered by hand") and names(games) == [
        "WS-12"
    ]
    assert "entered by hand" not in fetch().stdout
    assert "3.Bb5 sent" in games("send", "WS-12", "Bb5", "--yes", env=ENV).stdout
    games("check")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("about", "moves"),
    [
        ({"white": "Nowak", "black": "Smith"}, ["e4", "e5"]),
        ({"white": "?", "black": "?"}, ["e4"]),
        ({}, []),  # the entered game has no event
    ],
)
def test_a_game_that_may_be_the_servers_is_refused_until_its_owner_says(games, server, fetch, about, moves) -> None:
    entered(games, *moves, **about)
    server.add("17", "e4 e5 Nf3 Nc6")
    server.add("18", "d4")
    if not moves:
        del server.games["18"], server.boards["18"]
    done = games("fetch", server.url, "--control", "50/75/1", env=ENV, status=2)
    assert "game 17: may be WS-12, entered by hand: confirm it by --game 17=NAME" in done.stderr
    assert "17" not in "".join(names(games))
    asked = ("fetch", server.url, "--control", "50/75/1", "--game")
    assert "WS-12: " in games(*asked, "17=ws-12", env=ENV).stdout
    assert not [name for name in names(games) if name.endswith("_17")]
    assert "is stored already, as WS-12" in games(*asked, "17=other", env=ENV, status=2).stderr


def test_another_game_with_the_same_people_gets_a_name_of_its_own(games, server: XfccServer, fetch) -> None:
    entered(games, "e4", white="Nowak", black="Smith")
    server.add("17", "e4 e5")
    games("fetch", server.url, "--control", "50/75/1", "--game", "17=second", env=ENV)
    assert names(games) == ["WS-12", "second"]
    assert json.loads(games("show", "second", "--json").stdout)["moves"] == ["e2e4", "e7e5"]
    assert json.loads(games("show", "WS-12", "--json").stdout)["moves"] == ["e2e4"]


@pytest.mark.slow
def test_a_game_of_other_moves_or_the_other_side_is_new(games, server: XfccServer, fetch) -> None:
    entered(games, "d4", white="Nowak", black="Smith")
    server.add("17", "e4 e5")
    server.add("18", "d4", hasWhite="false")
    fetch()
    assert len(names(games)) == 3
    refused = games("fetch", server.url, "--control", "50/75/1", "--game", "19=WS-12", env=ENV, status=2)
    assert "the server has no such game" in refused.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["17", "=x", "17=", "17=a b/c"])
def test_names_given_wrongly_are_refused(games, server: XfccServer, text: str) -> None:
    server.add("17", "e4")
    games("fetch", server.url, "--control", "50/75/1", "--game", text, env=ENV, status=2)
    assert not games.store.exists() or names(games) == []


def test_accents_may_be_letters_of_their_own(games, server: XfccServer, fetch) -> None:
    """Some systems write ü as two characters."""
    games("new", "WS-12", "50/75/1", "--white", "Müller, Jörg", "--black", "Smith & Sons", "--side", "white",
          "--event", "WT/M/1", "--start", "2026-01-05T00:00:00Z")  # fmt: skip
    two = unicodedata.normalize("NFD", "Müller, Jörg")
    server.add("17", "e4 e5", white=two)
    server.add("18", "d4", white=two, event="WT/M/2")
    fetch()
    assert names(games) == ["WS-12", "WT-M-2_Müller_Smith-Sons_18"]


@pytest.mark.parametrize("later", ["BlackWins", "Draw", "WhiteWins", "Ongoing"])
@pytest.mark.parametrize("ended", ["WhiteWins", "WhiteWinAdjudicated", "BothDefaulted", "mate"])
def test_a_result_that_is_changed_on_the_server_is_followed(
    games, server: XfccServer, fetch, ended: str, later: str
) -> None:
    """The result stands until the server has another one; a server that lets the game go on changes nothing."""
    words = {"BlackWins": "0-1", "Draw": "1/2-1/2", "WhiteWins": "1-0", "WhiteWinAdjudicated": "1-0"}
    if ended == "mate":
        server.add("17", "f3 e5 g4 Qh4#", result="BlackWins")
    else:
        server.add("17", "e4 e5", result=ended)
    fetch()
    before = shown(games)
    server.games["17"]["result"] = later
    said = [fetch(), fetch()]
    found = shown(games)
    assert found["status"] == "over"
    assert before["result"] == {"mate": "0-1", "BothDefaulted": "*"}.get(ended, "1-0")
    expected = words.get(later, before["result"])
    assert found["result"] == expected
    assert (f"the result is now {expected}, not {before['result']}" in said[0].stdout) == (expected != before["result"])
    assert "nothing new" in said[1].stdout
    assert found["moves"] == before["moves"]
    assert games("check").returncode == 0
