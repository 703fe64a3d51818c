"""`standstill games` as a user runs it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from datetime import date, timedelta
from pathlib import Path

import pytest

from standstill.engine.clock.game_clocks import Event
from standstill.engine.clock.instants import now_ms, parse_instant
from standstill.engine.clock.units import DAY_MS
from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store
from tests.correspondence.conftest import Run
from tests.correspondence.support import listed, shown
from tests.posix import link


def test_the_first_move_of_the_published_example(game: Run) -> None:
    white = shown(game, "g")["white"]
    assert (white["clock"], white["bank"], white["moves"]) == (50, 75.75, 1)


def test_a_game_from_start_to_end(game: Run) -> None:
    game("opponent", "g", "e7e5", "--at", "2020-01-11T06:00Z")
    game("move", "g", "Nf3", "--at", "2020-01-12T06:00Z")
    game("refill", "g", "45d", "--any", "--at", "2020-02-26T06:00Z")
    game("opponent", "g", "Nc6", "--at", "2020-03-01T06:00Z")
    game("replace", "g", "black", "Jones", "--at", "2020-03-01T07:00Z")
    game("claim", "g", "--at", "2020-03-02T06:00Z")
    game("claim", "g", "--rejected", "--at", "2020-04-02T06:00Z")
    game("correct", "g", "white", "--clock", "12d", "--bank", "3d", "--at", "2020-04-02T06:00Z")
    assert listed(game)[0]["flagged"]
    game("result", "g", "1/2-1/2", "--reason", "agreement")
    assert listed(game) == []
    (entry,) = listed(game, "--all")
    assert (entry["result"], entry["black"]) == ("1/2-1/2", "Jones")
    found = shown(game, "g")
    assert [event["kind"] for event in found["log"]] == [
        "start", "move", "move", "move", "refill", "move", "replace", "claim", "decide", "correct", "end",
    ]  # fmt: skip
    assert (found["black"]["clock"], found["black"]["bank"]) == (50, 75 - 9 - 49 + 1)
    game("check")


def test_tables_say_how_a_game_will_end(games: Run, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", create=True) as store:
        fen = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
        Desk(store).add(Head("g", "50/75/1", "Nowak", "Smith", own_side=0, fen=fen), parse_instant("2020-01-01"))
        Desk(store).add(Head("h", "50/75/1", "Nowak", "Smith", own_side=0), parse_instant("2020-01-01"))
    assert "R-Mobility tables: G0.5 in 8 plies" in games("show", "g").stdout
    assert shown(games, "g")["tables"] == {"value": "G0.5", "plies": 8}
    assert shown(games, "h")["tables"] is None


def test_times_are_read_in_a_zone_and_without_summer_time(games: Run) -> None:
    games("new", "g", "50/75/1", "--start", "2026-03-01", "--tz", "Europe/Warsaw")
    (entry,) = listed(games, "--tz", "Europe/Warsaw")
    assert entry["deadline"] == "2026-04-20T01:00+02:00"


def test_the_other_clocks_are_kept_too(games: Run) -> None:
    for name, control in (("a", "10/50"), ("b", "10+3"), ("c", "5/move"), ("d", "D350:p")):
        games("new", name, control, "--start", "2020-01-01")
        games("move", name, "e4", "--any", "--at", "2020-01-03")
    clocks = {name: shown(games, name)["white"]["clock"] for name in "abcd"}
    assert clocks == {"a": 48, "b": 11, "c": 5, "d": 50}
    games("refill", "b", status=2)


def test_undo_takes_back_one_entry_after_another(game: Run) -> None:
    game("opponent", "g", "e5", "--at", "2020-01-05")
    game("correct", "g", "--undo")
    game("correct", "g", "--undo")
    assert shown(game, "g")["moves"] == [] and shown(game, "g")["white"]["bank"] == 75
    game("correct", "g", "--undo", status=2)
    game("check")


def test_mate_ends_the_game(games: Run) -> None:
    games("new", "g", "50/75/1", "--start", "2020-01-01")
    for at, move in enumerate(("f3", "e5", "g4", "Qh4"), 2):
        games("move", "g", move, "--any", "--at", f"2020-01-{at:02d}")
    (entry,) = listed(games, "--all")
    assert entry["result"] == "0-1"
    games("move", "g", "e4", "--any", status=2)


def test_an_end_by_mate_can_be_taken_back(games: Run) -> None:
    games("new", "g", "50/75/1", "--start", "2020-01-01", "--opening", "f3 e5 g4")
    games("move", "g", "Qh4", "--any", "--at", "2020-01-02")
    assert shown(games, "g")["result"] == "0-1"
    games("correct", "g", "--undo")  # removes the end of the game and the mating move
    assert (shown(games, "g")["result"], shown(games, "g")["to_move"]) == ("*", "black")
    games("check")


def test_an_imported_game_ends_by_mate_without_a_result(games: Run, tmp_path: Path) -> None:
    stamps = (f"{move} {{[%ccsnt 2020.01.0{day},10:00]}}" for day, move in enumerate(("f3", "e5", "g4", "Qh4"), 2))
    (tmp_path / "mate.pgn").write_text(
        f'[GameName "g"]\n[Date "2020.01.01"]\n[TripleBlock "50/75/1"]\n\n{" ".join(stamps)} *\n'
    )
    games("import", tmp_path / "mate.pgn")
    (entry,) = listed(games, "--all")
    assert (entry["result"], entry["status"]) == ("0-1", "over")


def test_a_system_clock_before_the_last_entry_adds_no_time(games: Run, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite", create=True) as store:
        start = now_ms() // DAY_MS * DAY_MS + 20 * DAY_MS  # as if entered while the system clock was 20 days ahead
        Desk(store).add(
            Head("g", "50/75/1", own_side=0), start, [Event("move", start + DAY_MS, {"uci": "e2e4", "san": "e4"})]
        )
    assert shown(games, "g")["black"]["clock"] == 50
    games("new", "later", "50/75/1", "--start", "2999-01-01")  # a start may lie in the future
    for command in (("list",), ("show", "g")):
        (said,) = games(*command).stderr.splitlines()
        assert "before the last entry of g, " in said and said.endswith("no time is counted")
    assert not games("show", "later").stderr
    done = games("opponent", "g", "e5")
    assert len(done.stderr.splitlines()) == 1 and "no time is counted" in done.stderr
    assert (shown(games, "g")["black"]["used"], shown(games, "g")["black"]["bank"]) == (0, 76)
    games("check")


def test_an_empty_list_says_what_it_leaves_out(games: Run) -> None:
    games("new", "g", "50/75/1", "--side", "black", "--start", "2020-01-01")
    assert games("list", "--mine").stdout == "no games in which it is your turn\n"
    games("result", "g", "1-0")
    assert games("list").stdout == "no running games; `list --all` also shows ended games\n"
    games("remove", "g", "--yes")
    assert games("list", "--all").stdout == "no games\n"


def test_moves_given_with_the_start_do_not_count(games: Run) -> None:
    games("new", "g", "50/75/1", "--start", "2020-01-01", "--opening", "1. e4 c5 2. d4 cxd4 3. c3")
    found = shown(games, "g")
    assert (len(found["moves"]), found["to_move"], found["black"]["moves"]) == (5, "black", 0)


def test_a_captains_refill_needs_a_replacement(game: Run) -> None:
    game("replace", "g", "black", "Jones", "--refill", "all", "--at", "2020-02-10T06:00Z")
    assert shown(game, "g")["log"][-1]["refill_ms"] == 0
    game("replace", "g", "white", "Miller", "--refill", "all", "--at", "2020-02-11T06:00Z", status=2)


def test_a_wrong_system_clock_is_named_and_adds_nothing(games: Run) -> None:
    games("new", "g", "50/75/1", "--start", "2020-01-01")
    games("move", "g", "e4", "--any", "--at", "2020-01-02")
    games("move", "g", "e5", "--any", "--at", "2020-01-01", status=2)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nothing"],
        ["move", "g", "e4", "--at", "2020-01-02"],
        ["opponent", "g", "e4", "--at", "2020-01-02"],
        ["opponent", "g", "e7e4", "--at", "2020-01-02"],
        ["opponent", "g", "rubbish", "--at", "2020-01-02"],
        ["opponent", "g", "e5"],
        ["opponent", "g", "e5", "--at", "2020-13-02"],
        ["opponent", "g", "e5", "--at", "2019-12-31"],
        ["opponent", "g", "e5", "--at", "2999-12-31"],
        ["refill", "g", "-3d"],
        ["refill", "g", "0", "--at", "2020-01-05"],
        ["claim", "g", "--accepted", "--at", "2020-01-05"],
        ["claim", "g", "--accepted", "--rejected"],
        ["claim", "g", "--accepted", "--side", "white"],
        ["replace", "g", "green", "Jones"],
        ["correct", "g", "white", "--at", "2020-01-05"],
        ["correct", "g", "white", "--clock", "60d", "--at", "2020-01-05"],
        ["correct", "g", "white", "--bank", "-1d", "--at", "2020-01-05"],
        ["result", "g", "2-0"],
        ["show", "\udcff"],
        ["move", "\udcff", "e4"],
        ["refill", "g", "-1d"],
        ["new", "\udcff", "50/75/1"],
        ["new", "g", "50/75/1"],
        ["new", "h", "50/75/"],
        ["new", "h", "51/75/1"],
        ["new", "h i", "50/75/1"],
        ["new", "", "50/75/1"],
        ["new", "h", "50/75/1", "--fen", "rubbish"],
        ["new", "h", "50/75/1", "--opening", "e5"],
        ["new", "h", "50/75/1", "--opening", "f3 e5 g4 Qh4"],
        ["new", "h", "50/75/1", "--fen", "k7/8/1Q6/8/8/8/8/7K b - - 0 1"],
        ["new", "h", "50/75/1", "--start", "9999-12-01"],
        ["new", "h", "50/1000000/1", "--start", "9000-12-01"],
        ["new", "h", "50/75/1", "--start", "x"],
        ["import", "/nonexistent"],
        ["import", "/dev/null"],
        ["export", "nothing"],
        ["export", "-o", "/nonexistent/x.pgn"],
        ["backup", "-o", "/nonexistent/x"],
        ["nonsense"],
    ],
)
def test_bad_input_is_answered_in_one_line_and_changes_nothing(game: Run, tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "games.sqlite"
    before = dump(path)
    game(*arguments, status=2)
    assert dump(path) == before


def dump(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_without_a_store_nothing_is_made(games: Run, tmp_path: Path) -> None:
    for arguments in (["list"], ["show", "g"], ["check"], ["move", "g", "e4"]):
        games(*arguments, status=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["list"], ["new", "g", "50/75/1"]])
@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_only_a_regular_file_is_a_store(games: Run, tmp_path: Path, kind: str, command: list[str]) -> None:
    """SQLite would create files beside a device."""
    if kind == "folder":
        games.store.mkdir()
    elif kind == "pipe":
        os.mkfifo(games.store)
    else:
        link(games.store, "/dev/null")
    assert "expected a store of games, found a folder, pipe or device" in games(*command, status=2).stderr
    assert list(tmp_path.iterdir()) == [games.store]


def test_a_name_that_is_nearly_right_is_suggested(game: Run) -> None:
    game("new", "nowak-smith", "50/75/1")
    assert "there is nowak-smith" in game("show", "nowak-smit", status=2).stderr


def test_no_control_characters_come_in(game: Run, tmp_path: Path) -> None:
    """Names from files and servers must not send control characters to the terminal."""
    evil = "A\x1b]0;x\x07\nB\udcff"
    game("new", "h", "50/75/1", "--white", evil, "--black", "C", "--event", evil)
    game("replace", "h", "black", evil)
    game("result", "h", "1-0", "--reason", evil)
    (tmp_path / "evil.pgn").write_text(
        '[GameName "i"]\n[White "\x1b[31mRed\x07"]\n[Date "2020.01.01"]\n[TripleBlock "50/75/1"]\n'
        '[Termination "\x1b[2J"]\n\n1. e4 {[%ccsnt 2020.01.02,10:00]} 1-0\n'
    )
    game("import", tmp_path / "evil.pgn")
    said = "".join(game(*words).stdout for words in (["list", "--all"], ["show", "h"], ["show", "i"], ["export"]))
    assert "A ]0;x B" in said and "[31mRed" in said
    assert all(letter.isprintable() or letter == "\n" for letter in said)
    assert "0 problems" in game("check").stdout


def test_the_log_tells_how_much_a_refill_has_moved(game: Run) -> None:
    """Black has used two days, so his clock has room for two days."""
    done = game("refill", "g", "100d", "--any", "--at", "2020-01-03T06:00Z")
    assert "2 d from the bank of Black (Smith), clock 50 d, bank 73 d" in done.stdout
    assert "refill of 2 d\n" in game("show", "g").stdout and shown(game, "g")["log"][-1]["ms"] == 2 * DAY_MS
    game("check")


@pytest.mark.parametrize(
    ("options", "who", "result"),
    [((), "White (Nowak)", "1-0"), (("--side", "black"), "Black (Smith)", "0-1")],
)
def test_a_claim_is_the_owners_with_either_side_to_move(
    game: Run, options: tuple[str, ...], who: str, result: str
) -> None:
    """The user is White, and Black is to move."""
    done = game("claim", "g", "--what", "win", *options, "--at", "2020-01-05T00:00Z")
    assert f"{who} claims a win" in done.stdout
    assert shown(game, "g")["black"]["clock"] == 50 - 3.75  # a claim stops the clock
    done = game("claim", "g", "--accepted", "--at", "2020-01-06T00:00Z")
    assert f"claim of {who} accepted" in done.stdout and shown(game, "g")["result"] == result


def test_that_the_opponents_time_has_run_out_can_be_claimed(game: Run) -> None:
    """Black is to move from 2020-01-01T18:00 on, so his time runs out 50 days later."""
    late = ("--at", "2020-03-01T00:00Z")
    assert "Black's time ran out" in game("claim", "g", "--side", "black", *late, status=2).stderr
    assert "White (Nowak) claims a win" in game("claim", "g", "--what", "win", *late).stdout
    assert shown(game, "g")["black"]["clock"] == 0
    assert game("claim", "g", "--accepted").stdout == "g: claim of White (Nowak) accepted; 1-0 (claim)\n"
    game("check")


def test_a_refill_of_the_opponents_clock_is_asked_for(game: Run) -> None:
    """Black is to move; the user is White."""
    before = shown(game, "g")["log"]
    done = game("refill", "g", "10d", "--at", "2020-01-15T00:00Z", status=2)
    assert "Black (Smith) is to move in g, not you" in done.stderr and "refill --any" in done.stderr
    assert shown(game, "g")["log"] == before
    done = game("refill", "g", "10d", "--any", "--at", "2020-01-15T00:00Z")
    assert "10 d from the bank of Black (Smith), clock 46 d 6 h, bank 65 d; Black to move" in done.stdout
    game("opponent", "g", "e5", "--at", "2020-01-16T00:00Z")
    done = game("refill", "g", "1d", "--at", "2020-01-18T00:00Z")
    assert "1 d from the bank of White (Nowak), clock 49 d" in done.stdout


def test_a_refill_of_a_game_that_is_only_watched_is_asked_for(games: Run) -> None:
    games("new", "w", "50/75/1", "--start", "2020-01-01T00:00Z")
    assert "White is to move in w, not you" in games("refill", "w", "--at", "2020-01-03T00:00Z", status=2).stderr
    assert "2 d from the bank of White," in games("refill", "w", "--any", "--at", "2020-01-03T00:00Z").stdout


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("clock", "words"),
    [
        ("50/75", "50 moves in 75 d"),
        ("1/5", "1 move in 5 d"),
        ("D350", "Triple Block with 50 d on the clock, 75 d in the bank and 1 d for each of the first 50 moves"),
        ("50/50/5:pr", ", with sudden-death protection, without automatic refills"),
        ("10+3", "10 d, and 3 d more after each move"),
        ("5/move", "5 d for each move"),
    ],
)
def test_the_clock_of_a_new_game_is_named_in_words(games: Run, clock: str, words: str) -> None:
    done = games("new", "g", clock)
    assert "g: stored, " in done.stdout and f"{words}; White to move until" in done.stdout


def test_a_date_alone_is_answered_with_the_instant_taken(game: Run) -> None:
    taken = "(taken as 2020-01-11T00:00+01:00, as no time of day is given)"
    assert taken in game("opponent", "g", "e5", "--at", "2020-01-11", "--tz", "Europe/Warsaw").stdout
    assert "taken as 2020-01-12T00:00Z" in game("move", "g", "Nf3", "--at", "2020-01-12").stdout
    assert "taken as" not in game("opponent", "g", "Nc6", "--at", "2020-01-12T10:00").stdout
    done = game("correct", "g", "white", "--bank", "3d", "--at", "2020-01-13")
    assert "taken as 2020-01-13T00:00Z" in done.stdout


def test_of_a_move_that_is_not_legal_nothing_else_is_said(game: Run) -> None:
    """A warning about the long time before Black's move appears only if the move is legal."""
    game("new", "h", "100+1", "--side", "black", "--start", date.today() - timedelta(3))
    assert "illegal move 'e5'" in game("move", "h", "e5", "--any", status=2).stderr  # in one line
    assert "entered as played now" in game("move", "h", "e4", "--any").stderr


def test_after_the_flag_its_instant_is_named(game: Run) -> None:
    done = game("refill", "g", "--any", "--at", "2020-03-12T12:20Z", status=2)
    assert "Black's time ran out 2020-02-20T06:00Z, 21 d 6 h 20 m earlier" in done.stderr


@pytest.mark.parametrize("answer", ["", "n\n"])
def test_an_unconfirmed_removal_says_that_nothing_is_removed(game: Run, answer: str) -> None:
    done = game("remove", "G", input=answer, status=130)
    assert done.stderr == "standstill: g: not deleted\n"
    assert done.stdout == "delete g for good? [y/N]: " + "\n" * (not answer)
    assert shown(game, "g")["moves"] == ["e2e4"]


def test_one_is_not_counted_as_several(game: Run, tmp_path: Path) -> None:
    assert game("check").stdout == "1 game, 0 problems\n"
    game("export", "-o", tmp_path / "old.pgn")
    game("correct", "g", "white", "--bank", "3d", "--at", "2020-01-13T00:00Z")
    game("export", "-o", tmp_path / "new.pgn")
    game("remove", "g", "--yes")
    assert game("check").stdout == "0 games, 0 problems\n"
    assert game("import", tmp_path / "old.pgn").stdout == "g: new game, 1 half-move\n"
    assert game("import", tmp_path / "new.pgn").stdout == "g: 1 new entry\n"


@pytest.mark.parametrize("own", ["white", "black", None])
@pytest.mark.parametrize("plies", [0, 1])
@pytest.mark.parametrize("words", [("move",), ("opponent",), ("move", "--any")], ids=" ".join)
def test_a_move_is_entered_for_the_side_that_the_command_means(
    games, own: str | None, plies: int, words: tuple[str, ...]
) -> None:
    side = () if own is None else ("--side", own)
    games("new", "g", "50/75/1", *side, "--white", "A", "--black", "B")
    if plies:
        games("move", "g", "e4", "--any")
    command, *options = words
    own_turn = own == ("white", "black")[plies]
    allowed = bool(options) or (own is not None and own_turn == (command == "move"))
    done = games(command, "g", ("e4", "e5")[plies], *options, status=0 if allowed else 2)
    assert len(shown(games, "g")["moves"]) == plies + allowed
    if allowed:
        return
    assert len(done.stderr.splitlines()) == 1
    if own is None:
        assert "you only watch g and play neither side: enter its moves with move --any" in done.stderr
    else:
        who = "you are" if own_turn else "your opponent is"
        assert f"in g: {who} to move, as {('White', 'Black')[plies]}" in done.stderr
