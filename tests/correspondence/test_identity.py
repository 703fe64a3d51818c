"""Matching games of a file with stored games: different games are never merged, and in doubt nothing changes."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.correspondence.identity import NameIndex, described_by
from standstill.engine.correspondence.servers.bridge import _LONGEST_NAME, _end_of
from tests.correspondence.conftest import Run
from tests.posix import needs_zones

SMITHS = """\
[Event "WT/M/1"]
[Date "2020.03.01"]
[White "Nowak, Jan"]
[Black "{black}"]
[TripleBlock "50/75/1"]
{tags}
1. e4 {{[%ccsnt 2020.03.01,06:00]}} {moves}{result}
"""


def write(path: Path, black: str = "Smith, John", moves: str = "", result: str = "*", tags: str = "") -> Path:
    text = SMITHS.format(black=black, moves=moves and moves + " ", result=result, tags=tags)
    if result != "*":
        text = text.replace("\n1. e4", f'[Result "{result}"]\n\n1. e4')
    path.write_text(text.replace("\n\n1.", "\n1.").replace("\n1. e4", "\n\n1. e4"))
    return path


def stored(games: Run) -> dict[str, dict]:
    return {entry["name"]: entry for entry in json.loads(games("list", "--all", "--json").stdout)}


def test_opponents_of_one_surname_are_two_games(games: Run, tmp_path: Path) -> None:
    games("import", write(tmp_path / "a.pgn"))
    games("import", write(tmp_path / "b.pgn", "Smith, Karl"))
    found = stored(games)
    assert {entry["black"] for entry in found.values()} == {"Smith, John", "Smith, Karl"}
    for name in "ab":  # both are recognised
        assert "nothing new" in games("import", tmp_path / f"{name}.pgn").stdout
    assert stored(games) == found


def test_a_shortened_name_is_in_doubt(games: Run, tmp_path: Path) -> None:
    games("import", write(tmp_path / "a.pgn"))
    before = stored(games)
    assert "may be the game" in games("import", write(tmp_path / "b.pgn", "Smith, J."), status=2).stderr
    assert "may be the game" in games("import", write(tmp_path / "c.pgn", "?"), status=2).stderr
    assert stored(games) == before
    games("import", tmp_path / "b.pgn", "--prefix", "other-")
    assert len(stored(games)) == 2


@pytest.mark.parametrize("moves", ["", "1. e4 {[%ccsnt 2020.03.01,06:00]} "])
def test_a_foreign_files_name_of_a_game_touches_nothing(games: Run, tmp_path: Path, moves: str) -> None:
    games(
        "new", "WS-12", "50/75/1", "--white", "Nowak", "--black", "Smith", "--start", "2020-03-01", "--event", "WS/12"
    )
    games("move", "WS-12", "e4", "--any", "--at", "2020-03-01T06:00Z")
    before = games("show", "WS-12", "--json").stdout
    (tmp_path / "foreign.pgn").write_text(
        f'[Event "Elsewhere"]\n[Date "2020.03.01"]\n[White "A"]\n[Black "B"]\n[GameName "WS-12"]\n'
        f'[TripleBlock "50/75/1"]\n[Result "1-0"]\n\n{moves}1-0\n'
    )
    assert "another game named 'WS-12'" in games("import", tmp_path / "foreign.pgn", status=2).stderr
    assert json.loads(games("show", "WS-12", "--json").stdout)["log"] == json.loads(before)["log"]


def test_an_older_file_with_a_result_does_not_end_the_game(games: Run, tmp_path: Path) -> None:
    games("import", write(tmp_path / "a.pgn", moves="e5 {[%ccsnt 2020.03.02,06:00]}"))
    done = games("import", write(tmp_path / "b.pgn", result="1-0"), status=2)
    assert "ends the game 1-0 after 1 half-move;" in done.stderr
    assert {entry["result"] for entry in stored(games).values()} == {"*"}
    games("import", write(tmp_path / "c.pgn", moves="e5 {[%ccsnt 2020.03.02,06:00]}", result="1-0"))
    assert {entry["result"] for entry in stored(games).values()} == {"1-0"}


def test_server_and_id_come_before_names(games: Run, tmp_path: Path) -> None:
    tags = '[XfccServer "https://www.iccf.com/XfccBasic.asmx"]\n[XfccId "{}"]\n'
    games("import", write(tmp_path / "a.pgn", tags=tags.format(17)))
    games("import", write(tmp_path / "b.pgn", tags=tags.format(18)))
    assert len(stored(games)) == 2
    other = tags.format(17).replace("www.iccf.com/Xfcc", "ICCF.com/xfcc")
    done = games("import", write(tmp_path / "c.pgn", "Smyth", moves="e5 {[%ccsnt 2020.03.02,06:00]}", tags=other))
    assert "1 new half-move" in done.stdout and len(stored(games)) == 2


def test_two_equal_games_are_in_doubt(games: Run, tmp_path: Path) -> None:
    games("import", write(tmp_path / "a.pgn"))
    games("import", tmp_path / "a.pgn", "--prefix", "x-")
    done = games("import", write(tmp_path / "b.pgn", moves="e5 {[%ccsnt 2020.03.02,06:00]}"), status=2)
    assert "could be any of" in done.stderr


def test_a_file_without_names_is_in_doubt(games: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(
        '[Date "2020.03.01"]\n[TripleBlock "50/75/1"]\n\n1. e4 {[%ccsnt 2020.03.01,06:00]} *\n'
    )
    games("import", tmp_path / "a.pgn")
    assert "may be the game" in games("import", tmp_path / "a.pgn", status=2).stderr
    assert len(stored(games)) == 1


@pytest.mark.parametrize("moves", [("e4", "d4"), ("d4", "e4")])
def test_doubts_do_not_depend_on_the_order_of_the_store(games: Run, tmp_path: Path, moves: tuple[str, str]) -> None:
    """Of two stored games without names, the file's game can only be the one with the same first move."""
    text = '[Date "2020.03.01"]\n[TripleBlock "50/75/1"]\n\n1. {} {{[%ccsnt 2020.03.01,06:00]}} *\n'
    for name, move in zip("ab", moves, strict=True):
        (tmp_path / f"{name}.pgn").write_text(text.format(move))
        games("import", tmp_path / f"{name}.pgn")
    names = list(stored(games))
    assert len(names) == 2
    for name in "ab":
        told = games("import", tmp_path / f"{name}.pgn", status=2).stderr
        assert sum(f"the game {each}:" in told for each in names) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("firsts", [("", ""), ("1. e4 {[%ccsnt 2020.03.01,06:00]} ",) * 2, ("1. e4 ", "1. d4 ")])
def test_two_games_of_one_file_with_names_of_their_own_stay_two(
    games: Run, tmp_path: Path, firsts: tuple[str, str]
) -> None:
    """The tag GameName separates games even if all their other tags are the same."""
    (tmp_path / "a.pgn").write_text(
        "\n".join(
            f'[Event "WT/M/1"]\n[Date "2020.03.01"]\n[White "Nowak"]\n[Black "Smith"]\n[GameName "{name}"]\n'
            f'[TripleBlock "50/75/1"]\n\n{moves}*\n'
            for name, moves in zip("AB", firsts, strict=True)
        )
    )
    games("import", tmp_path / "a.pgn")
    found = stored(games)
    assert sorted(found) == ["A", "B"]
    assert games("import", tmp_path / "a.pgn").stdout == "A: nothing new\nB: nothing new\n"
    games("remove", "A", "--yes")  # B must not be mistaken for A
    games("import", tmp_path / "a.pgn")
    assert sorted(stored(games)) == ["A", "B"]


def test_an_own_files_name_and_start_do_not_outweigh_the_players(games: Run, tmp_path: Path) -> None:
    games("new", "A", "50/75/1", "--white", "Nowak", "--black", "Smith", "--start", "2020-03-01T00:00Z")
    text = games("export").stdout.replace("Smith", "Rossi").replace('[Result "*"]', '[Result "1-0"]')
    (tmp_path / "a.pgn").write_text(text.replace("\n*", "\n1-0"))
    assert "another game named 'A'" in games("import", tmp_path / "a.pgn", status=2).stderr
    assert stored(games)["A"]["result"] == "*"


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        pytest.param("Europe/Warsaw", "2020-03-01", marks=needs_zones),
        pytest.param("America/New_York", "2020-03-01T00:00Z", marks=needs_zones),
        ("UTC", "2020-3-1"),
    ],
)
def test_a_game_began_on_the_day_that_its_player_has_written(games: Run, tmp_path: Path, zone: str, start: str) -> None:
    """Midnight in Warsaw falls on the previous day in UTC, and a server's file has the event's date."""
    here = {"TZ": zone}
    names = ("--white", "Nowak, Jan", "--black", "Smith, John", "--event", "WT/M/1")
    games("new", "WS-12", "50/75/1", *names, "--start", start, env=here)
    assert "WS-12: 1 new half-move\n" in games("import", write(tmp_path / "a.pgn"), env=here).stdout
    assert '[Date "2020.03.01"]' in games("export", "WS-12", env=here).stdout


def test_comments_between_tags_and_empty_lines_among_moves_are_no_ends(games: Run, tmp_path: Path) -> None:
    text = (
        write(tmp_path / "a.pgn").read_text().replace('"]\n', '"] {a\ncomment}\n').replace("1. e4", "{first}\n\n1. e4")
    )
    (tmp_path / "a.pgn").write_text("{a collection}\n\n" + text)
    assert "1 half-move" in games("import", tmp_path / "a.pgn").stdout
    assert [(entry["white"], entry["black"]) for entry in stored(games).values()] == [("Nowak, Jan", "Smith, John")]


def test_a_result_in_another_spelling_ends_the_game(games: Run, tmp_path: Path) -> None:
    games("import", write(tmp_path / "a.pgn", result="1:0"))
    (entry,) = stored(games).values()
    assert (entry["status"], entry["result"]) == ("over", "1-0")


@pytest.mark.slow
def test_prefixes_keep_copies_of_the_same_games_apart(games: Run, tmp_path: Path) -> None:
    """An import with a prefix finds the games with this prefix and no others, wherever it sorts among the names."""
    for name, black in (("A", "Smith"), ("B", "Rossi"), ("N", "Weber")):
        games("new", name, "50/75/1", "--white", "Nowak", "--black", black, "--start", "2020-03-01T00:00Z")
        games("move", name, "e4", "--any", "--at", "2020-03-01T06:00Z")
    (tmp_path / "own.pgn").write_text(games("export").stdout)
    prefixes = ("m-", "a-", "z-")
    for prefix in prefixes:
        told = games("import", tmp_path / "own.pgn", "--prefix", prefix).stdout
        assert told == "".join(f"{prefix}{name}: new game, 1 half-move\n" for name in "ABN")
    for name in "ABN":
        games("move", name, "e5", "--any", "--at", "2020-03-02T06:00Z")
    (tmp_path / "later.pgn").write_text(games("export", "A", "B", "N").stdout)
    answered = set("ABN")
    for prefix in prefixes:
        told = games("import", tmp_path / "own.pgn", "--prefix", prefix).stdout
        assert told == "".join(f"{prefix}{name}: nothing new\n" for name in "ABN")
        told = games("import", tmp_path / "later.pgn", "--prefix", prefix).stdout
        assert told == "".join(f"{prefix}{name}: 1 new half-move\n" for name in "ABN")
        answered |= {prefix + name for name in "ABN"}
        assert {name for name, game in stored(games).items() if game["last_move"].startswith("1...e5")} == answered
    assert games("import", tmp_path / "later.pgn").stdout == "".join(f"{name}: nothing new\n" for name in "ABN")
    assert len(stored(games)) == 12


def test_games_without_names_are_numbered_where_players_and_event_are_equal(games: Run, tmp_path: Path) -> None:
    """The first game is named after event and players, the second by their full names, and further ones are
    numbered."""
    for day in range(1, 6):
        path = write(tmp_path / f"{day}.pgn")
        path.write_text(path.read_text().replace("2020.03.01", f"2020.03.0{day}"))
        games("import", path)
        assert len(stored(games)) == day
    long = "WT-M-1_Nowak-Jan_Smith-John"
    assert set(stored(games)) == {"WT-M-1_Nowak_Smith", long, f"{long}-2", f"{long}-3", f"{long}-4"}


WRITTEN = [
    "Smith, John", "smith", " Smith", ",Smith", "\x07Smith", "Jones", "J.", "\u00c9va", "E\u0301va", "Eva", "eva", "?",
    "", "\u212aarl", "Karl", "\u00dfmith", "SSmith", "7 Bits", "\u0141ukasz", "\u00a0Smith", "...", "Smi", "ma",
]  # fmt: skip


class Rows:
    """The part of a store that the index uses."""

    def __init__(self, path: Path):
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.row_factory = sqlite3.Row

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        return self.connection.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        return self.connection.execute(query, values).fetchone()

    def write(self, query: str, *values: object) -> int:
        return self.connection.execute(query, values).lastrowid or 0


@pytest.mark.slow
def test_the_index_drops_no_game_that_could_be_meant(tmp_path: Path) -> None:
    """Compared with the definition, while this program and another one write and roll back transactions."""

    def normalised(name: str) -> frozenset[str]:
        return described_by({"White": name}, None).players[0]

    def alike(one: str, other: str) -> bool:
        ours, theirs = (next(iter(normalised(name))) for name in (one, other))
        return "?" in {ours, theirs} or ours.startswith(theirs) or theirs.startswith(ours)

    source = random.Random(11)
    store, other = Rows(tmp_path / "a"), Rows(tmp_path / "a")
    store.write(
        "CREATE TABLE games (id INTEGER PRIMARY KEY, name, first_white, first_black, white, black, server_id, tags)"
    )
    index = NameIndex(store)
    mates = {one: {each for each in WRITTEN if alike(one, each)} for one in WRITTEN}
    kept = 0

    def change(target: Rows) -> None:
        white, black, number = source.choice(WRITTEN), source.choice(WRITTEN), source.randrange(400)
        tags = source.choice(["{}", '{"XfccId": "7"}', "broken"])
        if source.random() < 0.7:
            values = (f"g{number}", "Replaced", "Replaced", white, black, source.choice([None, "7", "8"]), tags)
            target.write("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", *values)
        elif source.random() < 0.6:
            target.write("UPDATE games SET white = ?, black = ? WHERE id % 400 = ?", white, black, number)
        else:
            target.write("DELETE FROM games WHERE id % 400 = ?", number)

    for _ in range(150):
        is_taken_back = source.random() < 0.2
        if is_taken_back:
            store.write("BEGIN")
        for _ in range(source.randint(1, 12)):
            change(store)
        if is_taken_back:
            index.rows((normalised("Smith"), normalised("Jones")), "")
            store.write("ROLLBACK")
        if source.random() < 0.1:
            change(other)
        for _ in range(3):
            white, black, number = source.choice(WRITTEN), source.choice(WRITTEN), source.choice(["", "7"])
            found = {row["id"] for row in index.rows((normalised(white), normalised(black)), number)}
            rows = store.rows("SELECT * FROM games")
            by_id = {row["id"] for row in rows if number and (row["server_id"] == "7" or '"7"' in row["tags"])}
            meant = {row["id"] for row in rows if row["white"] in mates[white] and row["black"] in mates[black]}
            assert found >= meant | by_id
            kept += len(found) / max(1, len(rows))
    assert kept < 0.75 * 450  # so it selects


@given(st.lists(st.text("abc", min_size=1, max_size=30), min_size=1, max_size=6), st.sampled_from("-_."))
def test_a_long_name_is_cut_between_words(words: list[str], mark: str) -> None:
    """The longest end of whole words that fits, unless it is short."""
    name = mark.join(words)
    ends = [mark.join(words[at:]) for at in range(len(words))]
    best = max((end for end in ends if len(end) <= _LONGEST_NAME), key=len, default="")
    assert _end_of(name) == (best if len(best) * 2 >= min(_LONGEST_NAME, len(name)) else name[-_LONGEST_NAME:])
