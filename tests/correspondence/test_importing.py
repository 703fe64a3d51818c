"""`standstill games import`: games that are already stored, and files with impossible contents."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sqlite3
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.clock.instants import instant_text, now_ms
from standstill.engine.clock.units import DAY_MS
from tests.correspondence.conftest import Run
from tests.correspondence.support import listed, names, shown

HEAD = '[Event "WS"]\n[Date "2026.01.01"]\n[White "Nowak"]\n[Black "Smith"]\n[Result "*"]\n'
STAMPED = "1. e4 {[%ccsnt 2026.01.02,10:00]} c5 {[%ccsnt 2026.01.03,11:00]} *"


def take(games: Run, folder: Path, text: str, *options: str, status: int = 0):
    (folder / "a.pgn").write_text(text + "\n")
    return games("import", folder / "a.pgn", *options, status=status)


def test_a_side_may_be_told_later(games: Run, tmp_path: Path) -> None:
    text = f"{HEAD}\n{STAMPED}"
    take(games, tmp_path, text, "--control", "50/75/1")
    assert listed(games, "--mine") == []
    for me, said in (("smi", "yours is Black"), ("smi", "nothing new"), ("Nowak", "yours is White")):
        assert said in take(games, tmp_path, text, "--me", me).stdout
    assert len(listed(games, "--mine")) == 1
    assert "expected --me to fit" in take(games, tmp_path, text, "--me", "Unknown", status=2).stderr
    more = text.removesuffix("*") + "2. d4 {[%ccsnt 2026.01.04,11:00]} *"
    assert "1 new half-move, yours is Black" in take(games, tmp_path, more, "--me", "Smith").stdout


def test_a_clock_that_is_told_too_late_is_said(games: Run, tmp_path: Path) -> None:
    text = f"{HEAD}\n{STAMPED}"
    take(games, tmp_path, text, "--control", "10/50")
    done = take(games, tmp_path, text, "--control", "50/75/1", "--start", "2026-01-02")
    assert "with the control 10/50" in done.stderr and "with the start 2026-01-01T00:00Z" in done.stderr
    again = take(games, tmp_path, text, "--control", "10/50", "--start", "2026-01-01")
    assert again.stderr == ""


def test_a_mate_without_stamps_is_stored(games: Run, tmp_path: Path) -> None:
    done = take(games, tmp_path, f"{HEAD}\n1. f3 e5 2. g4 Qh4# *", "--control", "10/50")
    assert "4 half-moves" in done.stdout and "neither a stamp nor a usable clock" in done.stderr
    assert shown(games, names(games)[0])["result"] == "0-1"


def test_days_for_each_move_are_read_from_the_clocks(games: Run, tmp_path: Path) -> None:
    """Daily games of Chess.com. A full clock may belong to the next move, so it does not tell the time used."""
    head = HEAD + '[TimeControl "1/259200"]\n'
    done = take(games, tmp_path, f"{head}\n1. e4 {{[%clk 71:00:00]}} e5 {{[%clk 60:00:00]}} *")
    assert done.stderr == ""
    games("export", "-o", tmp_path / "out.pgn")
    assert "2026.01.01,01:00:00" in (text := (tmp_path / "out.pgn").read_text()) and "2026.01.01,13:00:00" in text
    done = take(games, tmp_path, f"{head.replace('WS', 'WX')}\n1. e4 {{[%clk 72:00:00]}} *")
    assert "1 move has neither a stamp nor a usable clock" in done.stderr


def test_what_cannot_be_is_named_and_not_believed(games: Run, tmp_path: Path) -> None:
    done = take(games, tmp_path, f"{HEAD}\n1. e4 {{[%clk 1200:00:00] [%bank 4800:00:00]}} *", "--control", "50/75/1")
    assert "1 move has a clock that 50/75/1 does not allow: ignored" in done.stderr
    later = instant_text(now_ms() + 20 * DAY_MS)
    stamp = f"{later[:10].replace('-', '.')},10:00"
    text = f"{HEAD.replace('WS', 'WX')}\n1. e4 {{[%ccsnt 2026.01.02,10:00]}} c5 {{[%ccsnt {stamp}]}} *"
    done = take(games, tmp_path, text, "--control", "50/75/1")
    assert "which is in the future: ignored" in done.stderr
    games("export", "-o", tmp_path / "out.pgn")
    assert stamp not in (tmp_path / "out.pgn").read_text()


@pytest.mark.parametrize("control", ["180+2", "40/7200", "40/2592000:20/1296000", "*86400"])
def test_a_clock_of_hours_is_named(games: Run, tmp_path: Path, control: str) -> None:
    done = take(games, tmp_path, f'{HEAD}[TimeControl "{control}"]\n\n1. e4 *', status=2)
    assert f"found [TimeControl '{control}']: give --control" in done.stderr


def test_a_log_with_a_result_that_is_none_is_refused(game: Run, tmp_path: Path) -> None:
    game("result", "g", "1/2-1/2")
    game("export", "-o", tmp_path / "out.pgn")
    text = (tmp_path / "out.pgn").read_text()
    game("remove", "g", "--yes")
    assert "expected a valid value" in take(game, tmp_path, text.replace("1%2F2-1%2F2", "7-0"), status=2).stderr
    take(game, tmp_path, text)


# ---- damage ----


def test_bytes_that_are_no_text_damage_one_game(games: Run) -> None:
    for number in range(3):
        games("new", f"D{number}", "50/75/1", "--white", "Me", "--black", f"Opp{number}")
    with sqlite3.connect(games.store) as connection:
        connection.execute("UPDATE games SET black = CAST(x'ff4f7070' AS TEXT) WHERE name = 'D1'")
    connection.close()
    done = games("list", "--all", status=2)
    assert "'D1' is damaged" in done.stderr and "D0" in done.stdout and "D2" in done.stdout
    games("remove", "D1", "--yes")
    assert games("list", "--all").stderr == ""


def schema(path: Path) -> bytes:
    """The definitions of the tables as SQLite reads them, empty if it refuses them."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        try:
            return b"".join(text for [text] in connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL"))
        except (sqlite3.DatabaseError, UnicodeDecodeError):  # the message quotes the damaged word
            return b""


def test_damage_to_the_tables_themselves_is_named(games: Run, tmp_path: Path) -> None:
    games("new", "D", "50/75/1", "--white", "Me", "--black", "Opp")
    with sqlite3.connect(games.store) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    sound = Path(games.store).read_bytes()
    before = schema(games.store)
    left = before.count(b"REFERENCES games")
    for found in re.finditer(rb"REFERENCES games", sound):
        damaged = bytearray(sound)
        damaged[found.start()] ^= 0x80
        for path in tmp_path.glob("games.sqlite*"):
            path.unlink()
        Path(games.store).write_bytes(damaged)
        if schema(games.store) != before:  # SQLite may leave earlier definitions in places that it no longer reads
            assert "the file is damaged; restore a backup" in games("list", status=2).stderr
            left -= 1
    assert left == 0


def test_null_moves_come_back_from_the_store(games: Run, tmp_path: Path) -> None:
    """Analysis files contain null moves. The board after them is compared with python-chess."""
    take(games, tmp_path, f"{HEAD}\n1. e4 e5 2. -- Nc6 (2... Qxh7) 3. Z0 d6 4. Nf3 *", "--control", "50/75/1")
    games("export", "-o", tmp_path / "out.pgn")
    text = (tmp_path / "out.pgn").read_text()
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "0000", "b8c6", "0000", "d7d6", "g1f3"]
    assert shown(games, names(games)[0])["fen"] == game.end().board().fen()
    assert "nothing new" in take(games, tmp_path, text).stdout
    refused = games("move", names(games)[0], "0000", "--any", status=2).stderr
    assert "expected a move" in refused


def test_a_stamp_without_the_time_of_day_is_no_instant(games, tmp_path: Path) -> None:
    """If a stamp without a time of day were read as midnight, a clock that is wrong by up to a day would count as
    known."""
    text = f"{HEAD}\n1. e4 {{[%ccsnt 2020.01.06,10:00]}} e5 {{[%ccsnt 2020.01.07]}} *"
    done = take(games, tmp_path, text, "--control", "50/75/1")
    assert "expected a stamp with the time of day, found '2020.01.07'" in done.stderr
    (name,) = [entry["name"] for entry in json.loads(games("list", "--json").stdout)]
    found = json.loads(games("show", name, "--json").stdout)
    assert not found["black"]["bank_known"] and not found["white"]["clock_known"]
    assert [entry.get("unsure") for entry in found["log"] if entry["kind"] == "move"] == [None, "at"]
