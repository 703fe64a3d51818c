"""Changing stored games, entering moves in other notations or many at once, restoring backups, viewing a team."""

from __future__ import annotations

import json
import random
from pathlib import Path

import chess
import pytest

from standstill.engine.clock.instants import now_ms, parse_instant
from standstill.engine.clock.units import DAY_MS
from standstill.engine.common.errors import IllegalMoveError, NotationError
from standstill.engine.correspondence.desk import Desk, When, check
from standstill.engine.correspondence.editing import EntryChange, edited, store_edited
from standstill.engine.correspondence.game import Head, read_line, read_move
from standstill.engine.correspondence.store import Store
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import move_text
from tests.correspondence.support import shown
from tests.posix import is_private

NUMBERS = {chess.QUEEN: "1", chess.ROOK: "2", chess.BISHOP: "3", chess.KNIGHT: "4"}


def numeric(move: chess.Move) -> str:
    squares = (move.from_square, move.to_square)
    text = "".join(f"{chess.square_file(square) + 1}{chess.square_rank(square) + 1}" for square in squares)
    return text + NUMBERS.get(move.promotion or 0, "")


def long(board: chess.Board, move: chess.Move) -> str:
    piece = (board.piece_at(move.from_square) or chess.Piece(chess.PAWN, True)).symbol().upper().replace("P", "")
    sign = "x" if board.is_capture(move) else "-"
    promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    return f"{piece}{chess.square_name(move.from_square)}{sign}{chess.square_name(move.to_square)}{promotion}"


@pytest.mark.parametrize("seed", range(8))
def test_numbers_and_long_notation_are_read(seed: int) -> None:
    source = random.Random(seed)
    board, ours = chess.Board(), new_board()
    if seed >= 4:  # these seeds promote
        board = chess.Board("8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1")
        ours = new_board(board.fen())
    for _ in range(40):
        moves = list(board.legal_moves)
        if not moves:
            break
        for move in moves:
            for text in (numeric(move), long(board, move)):
                assert move_text(ours, read_move(ours, text)) == move.uci(), text
        move = source.choice(moves)
        ours.push(read_move(ours, move.uci()))
        board.push(move)


@pytest.mark.parametrize("text", ["5255", "5291", "e2-e5", "Bg1-f3", "52", "e2-", "571", "52541"])
def test_moves_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises((IllegalMoveError, NotationError)):
        read_move(new_board(), text)


def test_move_numbers_are_no_moves() -> None:
    assert read_line(new_board(), "1. 5254 5755 2 7163") == ("e2e4", "e7e5", "g1f3")


# ---- editing ----


@pytest.fixture
def desk(tmp_path: Path):
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        desk.add(Head("g", "50/75/1", "Nowak", "Smith", own_side=0), parse_instant("2020-01-01"))
        for move, at in (("e4", "2020-01-03"), ("e5", "2020-01-13"), ("Nf3", "2020-01-14")):
            desk.move("g", move, When(parse_instant(at)))
        desk.refill("g", DAY_MS, When(parse_instant("2020-01-20")))
        yield desk


def test_an_edited_game_is_the_game_entered_right_from_the_start(desk: Desk) -> None:
    before = desk.load("g")
    head = Head(**{name: getattr(before.head, name) for name in before.head.__slots__} | {"control": "50/50/5"})
    store_edited(desk, before, edited(before, head, EntryChange(3, parse_instant("2020-01-10"))))
    desk.add(Head("h", "50/50/5", "Nowak", "Smith", own_side=0), parse_instant("2020-01-01"))
    for move, at in (("e4", "2020-01-03"), ("e5", "2020-01-10"), ("Nf3", "2020-01-14")):
        desk.move("h", move, When(parse_instant(at)))
    desk.refill("h", DAY_MS, When(parse_instant("2020-01-20")))
    assert desk.load("g").clocks == desk.load("h").clocks and check(desk) == []


def test_a_change_that_does_not_fit_changes_nothing(desk: Desk) -> None:
    before = desk.load("g")
    for change, reason in (
        (EntryChange(3, parse_instant("2020-01-15")), "entry 4, move, would no longer fit"),
        (EntryChange(2, remove=True), "entry 2, move, would no longer fit: illegal move"),
        (EntryChange(9), "from 1 to 5, found 9"),
        (EntryChange(5, data={"ms": -DAY_MS}), "entry 5, refill"),
    ):
        with pytest.raises(Exception, match=reason):
            edited(before, before.head, change)
    assert desk.load("g").log == before.log


def test_a_game_changed_meanwhile_is_not_overwritten(desk: Desk) -> None:
    before = desk.load("g")
    after = edited(before, before.head, EntryChange(5, remove=True))
    desk.move("g", "Nc6", When(parse_instant("2020-01-25")))
    with pytest.raises(Exception, match="has changed in the meantime"):
        store_edited(desk, before, after)


def test_edit_shows_what_follows_before_it_stores(game) -> None:
    asked = game("edit", "g", "--control", "50/50/2", "--event", "WS/1", input="n\n", status=130)
    assert "control: 50/75/1 -> 50/50/2" in asked.stdout and "White: clock 50 d, bank 75 d 18 h ->" in asked.stdout
    assert shown(game, "g")["control"] == "50/75/1"
    game("edit", "g", "--control", "50/50/2", "--event", "WS/1", "--white", "Nowak, Jan", "--side", "black", "--yes")
    game("edit", "g", "--name", "WS-1", "--no-engines", "--link", "https://example.org/x", "17", "--yes")
    found = shown(game, "WS-1")
    assert found["control"] == "50/50/2" and found["white"]["player"] == "Nowak, Jan"
    assert "forbids engines" in game("analyse", "WS-1", "--depth", "1", status=2).stderr
    assert '[Event "WS/1"]' in game("export", "WS-1").stdout
    game("edit", "WS-1", "--unlink", "--engines", "--yes")
    game("new", "other", "50/75/1")
    assert "already exists" in game("edit", "WS-1", "--name", "OTHER", "--yes", status=2).stderr
    game("edit", "WS-1", "--name", "ws-1", "--yes")
    game("check")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "expected a change of g"),
        (["--at", "2020-01-01"], "expected --entry with --at"),
        (["--entry", "2"], "--remove or values together with"),
        (["--entry", "2", "--bank", "5d"], "is a move, which has no such value"),
        (["--entry", "1", "--remove"], "the start cannot be removed"),
        (["--control", "50"], "expected a clock"),
        (["--link", "http://example.org", "1"], "expected an https address"),
        (["--name", "a b"], "expected a name"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused(game, arguments: list[str], reason: str) -> None:
    assert reason in game("edit", "g", *arguments, "--yes", status=2).stderr.replace("\n", " ")


# ---- many entries, backups, teams ----


def test_moves_are_entered_from_a_list(game) -> None:
    game("new", "h", "10/50", "--start", "2020-01-01T00:00Z")
    lines = "# by post\ng 5755 2020-01-04T00:00Z\n\nh d2-d4 2020-01-05T00:00Z\ng Nf3 2020-01-06T00:00Z\n"
    assert game("enter", input=lines).stdout == "3 moves stored\n"
    assert shown(game, "g")["moves"] == ["e2e4", "e7e5", "g1f3"] and shown(game, "h")["moves"] == ["d2d4"]
    for wrong in ("g Nc6 2020-01-07T00:00Z\nh e9\n", "g\n", "no-game e4\n", "g Nc6 soon\n"):
        assert "nothing was stored" in game("enter", input=wrong, status=2).stderr
    assert len(shown(game, "g")["moves"]) == 3


def test_a_backup_is_restored(game, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    game("backup", "-o", backup)
    game("remove", "g", "--yes")
    game("new", "h", "50/75/1")
    assert "replace the games" in game("restore", backup, input="n\n", status=130).stdout
    said = game("restore", backup, "--yes").stdout
    assert said.startswith("1 game restored") and shown(game, "g")["moves"] == ["e2e4"]
    kept = Path(said.split(" in ")[-1].strip())
    assert kept.exists() and is_private(kept)
    game("restore", kept, "--yes")
    assert "'g'" in game("show", "g", status=2).stderr
    (tmp_path / "text").write_text("no store")
    assert "not a store" in game("restore", tmp_path / "text", "--yes", status=2).stderr
    shown(game, "h")


def test_the_captain_sees_who_is_silent(games) -> None:
    today = now_ms()
    with Store(games.store, create=True) as store:
        desk = Desk(store)
        for name, silent in (("a", 3), ("b", 21), ("c", 9)):
            desk.add(Head(name, "50/75/1", f"Player{name}", "Guest", tags={"Event": "Cup"}), today - silent * DAY_MS)
        desk.add(Head("d", "50/75/1", "Playerd", "Guest", tags={"Event": "Other"}), today - 2 * DAY_MS)
        desk.move("d", "e4", When(today - DAY_MS))
    lines = [line.split() for line in games("team", "--event", "Cup").stdout.splitlines()[1:]]
    assert [(line[0], line[2]) for line in lines] == [("Playerb", "21"), ("Playerc", "9"), ("Playera", "3")]
    everyone = json.loads(games("team", "--json").stdout)
    assert [entry["player"] for entry in everyone] == ["Playerb", "Playerc", "Playera", "Guest"]
    assert everyone[0]["silent"] == pytest.approx(21, abs=0.01)


def test_the_opponents_are_not_of_the_team(games) -> None:
    today = now_ms()
    with Store(games.store, create=True) as store:
        for name, side in (("ours", 0), ("theirs", 1), ("watched", None)):
            Desk(store).add(Head(name, "50/75/1", f"White {name}", f"Black {name}", own_side=side), today - DAY_MS)
    assert [entry["player"] for entry in json.loads(games("team", "--json").stdout)] == ["White ours", "White watched"]
    Desk(store := Store(games.store)).move("theirs", "e4", When(today))
    store.close()
    assert [entry["game"] for entry in json.loads(games("team", "--json").stdout)] == ["ours", "watched", "theirs"]
