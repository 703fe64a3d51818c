"""`standstill games`: PGN files, and standings of stored games."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import chess.pgn
import pytest

from standstill.engine.clock.instants import parse_instant
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store
from standstill.engine.web.desk import events
from tests import forked
from tests.correspondence.conftest import Run
from tests.correspondence.support import listed, shown
from tests.posix import WINDOWS

# ---- PGN ----


def test_quotes_and_backslashes_of_a_tag_are_escaped_and_read_again(games: Run, tmp_path: Path) -> None:
    games("new", "g", "50/75/1", "--white", 'Q "the\\x" M\\', "--event", 'a"]')
    games("export", "-o", tmp_path / "out.pgn")
    text = (tmp_path / "out.pgn").read_text()
    assert r'[White "Q \"the\\x\" M\\"]' in text and r'[Event "a\"]"]' in text
    games("remove", "g", "--yes")
    games("import", tmp_path / "out.pgn")
    assert shown(games, "g")["white"]["player"] == 'Q "the\\x" M\\'


def test_a_file_that_is_no_pgn_is_named_in_one_line(games: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_bytes(b"e5 ){\n")
    assert "game 1: illegal move 'e5'" in games("import", tmp_path / "bad.pgn", status=2).stderr


def test_a_game_that_cannot_be_read_leaves_the_others_of_its_file_to_be_imported(games: Run, tmp_path: Path) -> None:
    (tmp_path / "two.pgn").write_text(
        '[Event "Torn"]\n\ne5 ){\n\n[GameName "sound"]\n[Date "2020.01.01"]\n[TripleBlock "50/75/1"]\n\n'
        "1. e4 {[%ccsnt 2020.01.02,10:00]} *\n"
    )
    done = games("import", tmp_path / "two.pgn", status=2)
    assert "game 1: illegal move 'e5'" in done.stderr
    assert done.stdout == "sound: new game, 1 half-move\n"


def test_a_fen_that_says_nothing_is_none(games: Run, tmp_path: Path) -> None:
    path = tmp_path / "empty.pgn"
    path.write_text(
        '[GameName "g"]\n[Date "2020.01.01"]\n[FEN ""]\n[TripleBlock "50/75/1"]\n\n'
        "1. e4 {[%ccsnt 2020.01.02,10:00]} *\n"
    )
    assert games("import", path).stdout == "g: new game, 1 half-move\n"


def test_export_and_import_are_inverse(game: Run, tmp_path: Path) -> None:
    game("opponent", "g", "e5", "--at", "2020-01-11T06:00:07Z")
    game("move", "g", "Nf3", "--at", "2020-02-12T06:00Z")
    game(
        "new",
        "h",
        "10+3",
        "--start",
        "2021-02-03T04:05:06Z",
        "--opening",
        "e4 e5",
        "--black",
        "M\u00fcller, J",
        "--side",
        "black",
    )
    game("move", "h", "d4", "--any", "--at", "2021-02-05T06:00Z")
    game("export", "-o", tmp_path / "out.pgn")
    with open(tmp_path / "out.pgn") as file:
        read = [chess.pgn.read_game(file), chess.pgn.read_game(file)]
    assert [node.headers["GameName"] for node in read] == ["g", "h"] and not any(node.errors for node in read)
    assert read[0].next().clock() == 1200 * 3600  # as other programs read it
    before = [shown(game, name) for name in "gh"]
    for name in "gh":
        game("remove", name, "--yes")
    game("import", tmp_path / "out.pgn")
    assert [shown(game, name) for name in "gh"] == before
    assert "nothing new" in game("import", tmp_path / "out.pgn").stdout


STAMPED = """\
[Event "WT/M/1"]
[Date "2020.03.01"]
[White "Nowak, Jan"]
[Black "Smith, John"]
[Result "*"]

1. e4 {[%ccsnt 2020.03.01,06:00]} e5 {[%ccsnt 2020.03.11,06:00]}
2. Nf3 {[%ccsnt 2020.06.29,06:00]}"""


def test_a_servers_pgn_is_followed_download_after_download(games: Run, tmp_path: Path) -> None:
    path = tmp_path / "in.pgn"
    path.write_text(STAMPED + " *\n")
    asked = ("import", path, "--control", "50/75/1", "--me", "smith")
    assert games(*asked).stdout == "WT-M-1_Nowak_Smith: new game, 3 half-moves\n"
    (entry,) = listed(games)
    assert (entry["whose"], entry["move"]) == ("you", 2)
    white = shown(games, entry["name"])["white"]
    assert (white["clock"], white["bank"]) == (16.75, 0)  # assuming two refills, as late as possible
    path.write_text(STAMPED + " Nc6 {[%ccsnt 2020.07.01,06:00]} 3. Bb5 {[%ccsnt 2020.07.01,07:00]} *\n")
    assert games(*asked).stdout == "WT-M-1_Nowak_Smith: 2 new half-moves\n"
    path.write_text(STAMPED.replace("Nf3", "Nc3") + " *\n")
    assert "different moves" in games(*asked, status=2).stderr
    games("check")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("me", "sides"),
    [("Nowak, Jan", "wb"), ("nowak, JAN", "wb"), ("Nowak, Jan Maria", "b."), ("Kos", ".w"), ("Nowak", ".b")],
)
def test_a_whole_name_is_its_owners_although_it_is_in_the_opponents(
    games: Run, tmp_path: Path, me: str, sides: str
) -> None:
    """(name, who): `who` is `.` if the given name fits both players or neither."""
    pairs = (("Nowak, Jan", "Nowak, Jan Maria"), ("Kos, Ewa", "Nowak, Jan"))
    (tmp_path / "in.pgn").write_text(
        "\n".join(
            f'[GameName "g{at}"]\n[Date "2020.01.01"]\n[White "{white}"]\n[Black "{black}"]\n\n'
            "1. e4 {[%ccsnt 2020.01.02,00:00]} *\n"
            for at, (white, black) in enumerate(pairs)
        )
    )
    options = ("--control", "50/75/1", "--me", me)
    done = games("import", tmp_path / "in.pgn", *options, status=2 if "." in sides else 0)
    found = {game["name"]: game["side"][0] for game in listed(games)}
    assert "".join(found.get(f"g{at}", ".") for at in range(2)) == sides, done.stderr


def test_what_cannot_be_imported_is_named_and_the_rest_is_kept(games: Run, tmp_path: Path) -> None:
    path = tmp_path / "in.pgn"
    late = STAMPED.replace("2020.06.29", "2021.06.29").replace("WT/M/1", "late")
    path.write_text(f"{late} *\n\n{STAMPED} *\n")
    done = games("import", path, "--control", "50/75/1", status=2)
    assert "game 1" in done.stderr and "ran out" in done.stderr
    assert [entry["event"] if "event" in entry else entry["name"] for entry in listed(games)] == ["WT-M-1_Nowak_Smith"]


# ---- standings ----


def test_standings_over_finished_games(games: Run, tmp_path: Path) -> None:
    """Two drawn games with different R-Mobility records, and one that was won."""
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        start = parse_instant("2020-01-01")
        results = (
            ("Ann", "Bob", "e4 e5 Qh5", "1/2-1/2"),
            ("Cid", "Bob", "e4 e5", "1/2-1/2"),
            ("Ann", "Cid", "e4", "1-0"),
        )
        for number, (white, black, moves, result) in enumerate(results):
            name = f"g{number}"
            desk.add(Head(name, "50/75/1", white, black, tags={"Event": "WT" if number < 2 else "other"}), start)
            for move in moves.split():
                desk.move(name, move, When(start))
            desk.end(name, result, "", When(start))
    whole = json.loads(games("standings", "--json").stdout)
    event = json.loads(games("standings", "--json", "--event", "WT").stdout)
    assert whole["players"][0]["name"] == "Ann"
    points, rmobility = (
        {player["name"]: Fraction(player["exact"][name]) for player in event["players"]}
        for name in ("points", "rmobility")
    )
    assert points == {"Ann": Fraction(1, 2), "Bob": 1, "Cid": Fraction(1, 2)}
    # Ann's queen left Bob fewer moves than Cid's pawn did.
    assert rmobility["Ann"] > rmobility["Cid"] and sum(rmobility.values()) == 2
    assert games("standings").stdout.splitlines()[1].split()[1] == "Ann"
    games("standings", "--event", "nothing", status=2)
    games("standings", "--order", "rubbish", status=2)


def test_a_komi_counts_as_in_the_standings_of_the_exported_games(games: Run, executable: Path, tmp_path: Path) -> None:
    """Once the tag Komi of a stored game did not count, and its PGN file gave other points."""
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        start = parse_instant("2020-01-01")
        for name, white, black in (("g0", "Ann", "Bob"), ("g1", "Bob", "Ann")):
            desk.add(Head(name, "50/75/1", white, black, tags={"Event": "WT", "Komi": "G40"}), start)
            for move in ("e4", "e5") if name == "g0" else ("e4", "e5", "Qh5"):
                desk.move(name, move, When(start))
            desk.end(name, "1/2-1/2", "", When(start))
        view = events.event_view(desk, "WT")["standings"]
    (tmp_path / "all.pgn").write_text(games("export").stdout, encoding="utf-8")
    command = [executable, "standings", tmp_path / "all.pgn", "--format", "json"]
    exported = json.loads(forked.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)
    assert json.loads(games("standings", "--json").stdout)["players"] == exported["players"]
    assert [player["exact"]["points"] for player in exported["players"]] == ["2", "0"]
    said = "Komi G40 decides drawn games."
    assert games("standings").stdout.splitlines()[-2:] == ["", said] and view["komi"] == said


def test_a_game_that_cannot_be_read_leaves_the_others_in_the_table(games: Run, tmp_path: Path) -> None:
    """Older versions stored start positions that PGN cannot express."""
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        for name, white in (("sound", "Ann"), ("bad", "Cid")):
            desk.add(Head(name, "50/75/1", white, "Bob"), parse_instant("2020-01-01"))
            desk.end(name, "1-0", "", When())
        store.write("UPDATE games SET fen = ? WHERE name = 'bad'", f"{chess.STARTING_FEN} -G1.5")
    assert "bad: it cannot be exported" in games("check", status=1).stdout
    done = games("standings", status=2)
    assert "'bad'" in done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == ["Ann", "Bob"]
    assert 'White "Ann"' in games("export", status=2).stdout
    games("remove", "sound", "--yes")
    assert "'bad'" in games("standings", status=2).stderr


@pytest.mark.skipif(WINDOWS, reason="the code page of a pipe on Windows lacks these characters")
def test_wide_names_leave_the_columns_in_line(games: Run) -> None:
    """Each of these characters takes two columns of a terminal; the longer name is cut to 32 columns."""
    for number, player in enumerate(("\u738b\u5c0f\u660e", "Smith", "\u738b" * 20)):
        games("new", f"g{number}", "50/75/1", "--side", "white", "--black", player, "--start", "2020-01-01")
        games("result", f"g{number}", "1-0")
    head, *rows = games("list", "--all").stdout.splitlines()
    column = head.index("turn")
    assert [columns(row[: row.index("1-0")]) for row in rows] == [column] * 3
    assert "\u738b" * 15 + " \u2026" in rows[2]
    games("new", name := "ICCF-World-Championship-50-Final_Nowak_Smith", "5/move")
    assert name in games("list").stdout  # other commands need the full name
    head, *rows = games("standings").stdout.splitlines()
    column = head.index("R-Mobility")
    assert [columns(row[: row.index("0.000000")]) for row in rows] == [column] * 3


def columns(text: str) -> int:
    return sum(1 + (letter == "\u738b" or letter in "\u5c0f\u660e") for letter in text)
