"""Export to PGN and import: a game loses nothing, and what a file does not tell is marked as unknown."""

from __future__ import annotations

import io
import json
from pathlib import Path

import chess.pgn
import pytest

from tests import forked
from tests.correspondence.conftest import Run
from tests.correspondence.support import shown

VOLATILE = ("left", "deadline")


def there_and_back(games: Run, tmp_path: Path, name: str = "g") -> str:
    """Export, forget, import and export again: the same state and the same file. Returns the text."""
    out = tmp_path / "out.pgn"
    games("export", name, "-o", out)
    before, text = shown(games, name), out.read_text()
    game = chess.pgn.read_game(io.StringIO(text))
    assert not game.errors
    games("remove", name, "--yes")
    done = games("import", out)
    assert done.stderr == ""
    after = shown(games, name)
    for side in ("white", "black"):  # the running clock changes between the two readings
        for key in ("clock", "used"):
            assert after[side].pop(key) == pytest.approx(before[side].pop(key), abs=1e-3)
    assert after == before
    assert "nothing new" in games("import", out).stdout
    games("export", name, "-o", tmp_path / "again.pgn")
    assert (tmp_path / "again.pgn").read_text() == text
    games("check")
    return text


@pytest.fixture
def game(games: Run) -> Run:
    games(
        "new", "g", "50/75/1", "--white", "Nowak", "--black", "Smith, J", "--side", "white", "--event", "WT/M/1",
        "--start", "2020-01-01T00:00Z",
    )  # fmt: skip
    games("move", "g", "e4", "--at", "2020-01-11T06:00:07Z")
    return games


def test_corrections_claims_refills_and_replacements_come_back(game: Run, tmp_path: Path) -> None:
    game("correct", "g", "black", "--clock", "41d6h", "--bank", "60d", "--moves", "0", "--at", "2020-01-12T00:00Z")
    game("opponent", "g", "e5", "--at", "2020-01-13T00:00Z")
    game("claim", "g", "--what", "win", "--at", "2020-01-20T00:00Z")
    game("claim", "g", "--rejected", "--at", "2020-01-25T00:00Z")
    game("refill", "g", "3d", "--at", "2020-01-26T00:00Z")
    game("refill", "g", "--at", "2020-01-27T00:00Z")
    game("replace", "g", "white", "O'Neill, \u0141 {a} [b] 100%", "--refill", "all", "--at", "2020-01-28T00:00Z")
    game("move", "g", "Nf3", "--at", "2020-01-29T00:00Z")
    game("correct", "g", "--undo")
    game("move", "g", "Nc3", "--at", "2020-01-30T00:00Z")
    game("result", "g", "1/2-1/2", "--reason", "agreement by mail", "--at", "2020-02-01T00:00Z")
    before = [entry for entry in shown(game, "g")["log"] if entry.get("san") != "Nf3" and entry["kind"] != "undo"]
    text = game("export").stdout
    game("remove", "g", "--yes")
    (tmp_path / "in.pgn").write_text(text)
    game("import", tmp_path / "in.pgn")
    after = shown(game, "g")["log"]
    assert [entry | {"number": 0} for entry in after] == [entry | {"number": 0} for entry in before]
    there_and_back(game, tmp_path)


def recomputed(games: Run, *arguments: object) -> dict:
    done = forked.run(
        [*games.clock, "recompute", *map(str, arguments), "--json"], capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_clocks_are_recomputed_from_the_whole_log(games: Run, tmp_path: Path) -> None:
    """A start in the evening, a claim that stops the clock for ten days, a refill of three days and a correction."""
    games("new", "g", "50/75/1", "--side", "white", "--start", "2020-10-01T18:00Z")
    games("move", "g", "e4", "--at", "2020-10-05T18:00Z")
    games("claim", "g", "--at", "2020-10-08T18:00Z")
    games("claim", "g", "--rejected", "--at", "2020-10-18T18:00Z")
    games("opponent", "g", "e5", "--at", "2020-10-19T18:00Z")
    games("refill", "g", "3d", "--at", "2020-10-29T18:00Z")
    games("move", "g", "Nf3", "--at", "2020-10-30T18:00Z")
    games("correct", "g", "black", "--clock", "30d", "--bank", "0d", "--at", "2020-10-30T18:00Z")
    games("opponent", "g", "Nc6", "--at", "2020-11-01T18:00Z")
    games("export", "-o", tmp_path / "g.pgn")
    found = recomputed(games, tmp_path / "g.pgn")
    assert [tuple(row[key] for key in ("san", "think", "clock", "bank", "refills")) for row in found["moves"]] == [
        ("e4", 4, 50, 72, 0),
        ("e5", 3 + 1, 50, 72, 0),  # neither side's clock counts the ten days of the claim
        ("Nf3", 11, 50, 72 - 11 + 1, 1),
        ("Nc6", 2, 30 - 2 + 1, 0, 0),
    ]
    assert (found["start"], found["flag"], found["warnings"]) == ("2020-10-01T18:00Z", None, [])
    abroad = recomputed(games, tmp_path / "g.pgn", "--tz", "Europe/Warsaw")
    assert [{**row, "sent": 0} for row in abroad["moves"]] == [{**row, "sent": 0} for row in found["moves"]]
    assert (abroad["moves"][0]["sent"], abroad["warnings"]) == ("2020-10-05T20:00+02:00", [])
    earlier = recomputed(games, tmp_path / "g.pgn", "--start", "2020-09-30T18:00Z")
    assert (earlier["moves"][0]["think"], earlier["moves"][0]["bank"]) == (5, 71)


@pytest.mark.slow
def test_an_accepted_claim_comes_back(game: Run, tmp_path: Path) -> None:
    game("opponent", "g", "e5", "--at", "2020-01-13T00:00Z")
    game("claim", "g", "--what", "win", "--at", "2020-01-20T00:00Z")
    there_and_back(game, tmp_path)  # the same holds while the claim is undecided
    game("claim", "g", "--accepted", "--at", "2020-01-21T00:00Z")
    assert '[Result "1-0"]' in there_and_back(game, tmp_path)


def test_a_ban_of_engines_comes_back(games: Run, tmp_path: Path) -> None:
    games("new", "g", "50/75/1", "--start", "2020-01-01", "--no-engines", "--side", "black")
    there_and_back(games, tmp_path)
    assert "forbids engines" in games("analyse", "g", "--depth", "1", status=2).stderr


def test_later_entries_of_an_own_file_are_taken_over(game: Run, tmp_path: Path) -> None:
    old = game("export").stdout
    game("opponent", "g", "e5", "--at", "2020-01-13T00:00Z")
    game("refill", "g", "--at", "2020-01-20T00:00Z")
    game("correct", "g", "white", "--clock", "30d", "--at", "2020-01-21T00:00Z")
    new, after = game("export").stdout, shown(game, "g")["log"]
    (tmp_path / "old.pgn").write_text(old)
    (tmp_path / "new.pgn").write_text(new)
    assert "nothing new" in game("import", tmp_path / "old.pgn").stdout
    game("remove", "g", "--yes")
    game("import", tmp_path / "old.pgn")
    assert "1 new half-move" in game("import", tmp_path / "new.pgn").stdout
    assert shown(game, "g")["log"] == after
    game("correct", "g", "white", "--clock", "20d", "--at", "2020-01-21T01:00Z")
    (tmp_path / "other.pgn").write_text(new.replace("clock_ms=30d", "clock_ms=31d"))
    assert "other entries" in game("import", tmp_path / "other.pgn", status=2).stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "entry",
    [
        "rubbish",
        "refill",
        "refill 2020-01-12T00:00Z ms=x",
        "correct 2020-01-12T00:00Z side=green",
        "correct 2020-01-12T00:00Z side=white clock_ms=60d",
        "move 2020-01-12T00:00Z",
        "start 2020-01-12T00:00Z",
        *(
            pytest.param(entry, marks=pytest.mark.slow)
            for entry in (
                "refill x",
                "refill 2020-01-12T00:00Z colour=x",
                "correct 2020-01-12T00:00Z",
                "decide 2020-01-12T00:00Z accepted=perhaps",
                "move 2020-01-12T00:00Z unsure=perhaps",
            )
        ),
    ],
)
def test_entries_that_mean_nothing_are_refused_in_one_line(game: Run, tmp_path: Path, entry: str) -> None:
    text = game("export").stdout
    game("remove", "g", "--yes")
    (tmp_path / "bad.pgn").write_text(text.replace("} *", f" [%log {entry}]}} *"))
    assert f"[%log {entry}]" in (tmp_path / "bad.pgn").read_text()
    game("import", tmp_path / "bad.pgn", status=2)
    assert json.loads(game("list", "--json").stdout) == []


@pytest.mark.slow
def test_chess960_and_an_old_clock_come_back(games: Run, tmp_path: Path) -> None:
    """A Chess960 game that begins with castling, under 10/50, with leave that its clock did not count."""
    fen = "bnrbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBQKRN w GCgc - 0 1"
    (tmp_path / "in.pgn").write_text(
        f'[Event "WS/960"]\n[Date "2015.03.01"]\n[White "A, A"]\n[Black "B, B"]\n[Variant "Chess960"]\n'
        f'[SetUp "1"]\n[FEN "{fen}"]\n\n'
        "1. O-O {[%ccsnt 2015.03.10,06:00]} O-O {[%ccsnt 2015.07.10,06:00]} 2. e4 {[%ccsnt 2015.07.12,06:00]} *\n"
    )
    done = games("import", tmp_path / "in.pgn", "--control", "10/50", "--prefix", "g-")
    assert "assuming leave" in done.stderr
    (entry,) = json.loads(games("list", "--json").stdout)
    found = shown(games, entry["name"])
    assert found["moves"][:2] == ["f1g1", "f8g8"] and found["black"]["clock_known"] is False
    # White's time is known: 9.25 days, then two.
    assert found["white"] | {"player": ""} == {
        "player": "", "clock": 38.75, "bank": 0, "moves": 2, "used": 11.25, "clock_known": True, "bank_known": True,
        "bank_most": 0,
    }  # fmt: skip
    games("correct", entry["name"], "black", "--clock", "20d", "--at", "2015-07-12T07:00Z")
    text = there_and_back(games, tmp_path, entry["name"])
    assert '[TimeControl "10/4320000"]' in text and '[Variant "Chess960"]' in text


def test_a_chess960_position_is_known_without_a_variant_tag(games: Run) -> None:
    fen = "bnrbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBQKRN w KQkq - 0 1"
    games("new", "g", "50/75/1", "--start", "2020-01-01", "--fen", fen)
    games("move", "g", "O-O", "--any", "--at", "2020-01-02")
    assert shown(games, "g")["fen"].startswith("bnrbqkrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBQRKN b")
    assert '[Variant "Chess960"]' in games("export", "g").stdout


@pytest.mark.sampled(1)
@pytest.mark.parametrize("stamp", ["", "{[%ccsnt 2020.13.03,06:00]}"])
def test_a_missing_stamp_spoils_only_itself(games: Run, tmp_path: Path, stamp: str) -> None:
    head = '[GameName "g"]\n[Date "2020.03.01"]\n[White "A"]\n[Black "B"]\n[TripleBlock "50/75/1"]\n\n'
    text = (
        "1. e4 {[%ccsnt 2020.03.03,00:00]} e5 STAMP 2. Nf3 {[%ccsnt 2020.03.09,00:00]}"
        " Nc6 {[%clk 1200:00:00] [%bank 1440:00:00] [%ccsnt 2020.03.11,00:00]} *\n"
    )
    (tmp_path / "in.pgn").write_text(head + text.replace("STAMP", stamp))
    games("import", tmp_path / "in.pgn")
    found = shown(games, "g")
    # Black or White used the time from the 3rd to the 9th: each clock shows what is left if that player used all of it.
    assert (found["white"]["clock_known"], found["white"]["bank_known"]) == (True, False)  # full either way
    white = found["white"]
    assert white["bank"] == pytest.approx(75 + 50 - 2 + 1 - 6 + 1 - 50) and white["moves"] == 2
    black = found["black"]
    assert (black["clock"], black["bank"], black["clock_known"], black["bank_known"]) == (50, 60, True, True)
    exported = there_and_back(games, tmp_path)
    assert exported.count("%ccsnt") == 3
    rows = recomputed(games, tmp_path / "in.pgn")["moves"]
    assert [row["known"] for row in rows] == [True, False, False, True]
    assert [row["think"] for row in rows] == [2, None, None, 2]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "days"),
    [
        *(("10/4320000", 50), ("10/50", 50), ("864000+259200", 10)),
        *((text, None) for text in ("40/7200", "40/300", "5400+30", "180+2", "600+5", "60+0")),
    ],
)
def test_the_time_control_of_a_foreign_file_is_in_seconds(
    games: Run, tmp_path: Path, text: str, days: int | None
) -> None:
    (tmp_path / "in.pgn").write_text(
        f'[GameName "g"]\n[Date "2020.03.01"]\n[White "A"]\n[Black "B"]\n[TimeControl "{text}"]\n\n'
        "1. e4 {[%ccsnt 2020.03.01,00:00]} *\n"
    )
    games("import", tmp_path / "in.pgn", status=0 if days else 2)
    if days:
        assert shown(games, "g")["control"] in {"10/50", "10+3"} and shown(games, "g")["black"]["bank"] == 0


def test_a_foreign_file_with_seconds_for_each_move_keeps_none_of_them(games: Run, tmp_path: Path) -> None:
    """Chess.com writes three days for each move this way; unused time is lost."""
    (tmp_path / "in.pgn").write_text(
        '[GameName "g"]\n[Date "2020.03.01"]\n[White "A"]\n[Black "B"]\n[TimeControl "1/259200"]\n\n'
        "1. e4 {[%ccsnt 2020.03.02,00:00]} e5 {[%ccsnt 2020.03.03,00:00]} *\n"
    )
    games("import", tmp_path / "in.pgn")
    assert (shown(games, "g")["control"], shown(games, "g")["deadline"]) == ("3/move", "2020-03-06T00:00Z")


@pytest.mark.slow
def test_a_game_with_an_unknown_start_comes_back(games: Run, tmp_path: Path) -> None:
    """The log then begins with an unknown start, and the moves after it do not start the game again."""
    source = tmp_path / "in.pgn"
    source.write_text(
        '[Event "WT/M/2"]\n[Date "2020.01.05"]\n[White "Nowak, A"]\n[Black "Smith, J"]\n[Result "*"]\n'
        "\n1. e4 e5 2. Nf3 Nc6 *\n"
    )
    games("import", source, "--control", "50/75/1", "--me", "Nowak")
    (name,) = [game["name"] for game in json.loads(games("list", "--json").stdout)]
    games("move", name, "Bb5")
    there_and_back(games, tmp_path, name)


PAIR = ("--white", "Nowak", "--black", "Smith", "--side", "white", "--start", "2020-01-01T00:00Z")


def states(games: Run, store: Path) -> dict[str, dict]:
    """Every game of a store without its clocks, which run on between two readings and follow from the log."""
    listed = json.loads(games("--store", store, "list", "--all", "--json").stdout)
    found = {}
    for name in [entry["name"] for entry in listed]:
        found[name] = json.loads(games("--store", store, "show", name, "--json").stdout)
        for side in ("white", "black"):
            for key in ("clock", "used"):
                found[name][side].pop(key)
    return found


@pytest.fixture
def pairs(games: Run) -> list[str]:
    """Games of the same two people that began together, as on a server; only the game names separate some of them."""
    event = ("--event", "WT/M/1")
    games("new", "A", "5/move", *PAIR, *event)
    games("new", "B", "10/50", *PAIR, *event)
    games("new", "B2", "10/50", *PAIR, *event)
    games("new", "C", "10/50", *PAIR)  # a game without an event could be any of them
    for name, moves in {"D": ["e4"], "D2": ["e4"], "E": ["e4", "c5"], "F": ["d4"], "G": ["e4", "e5"]}.items():
        games("new", name, "50/75/1", *PAIR, *event)
        for day, move in enumerate(moves, 2):
            games("move", name, move, "--any", "--at", f"2020-01-0{day}T00:00Z")
    games("result", "G", "1-0", "--reason", "resignation", "--at", "2020-01-04T00:00Z")
    games("result", "B2", "1/2-1/2", "--reason", "agreement", "--at", "2020-01-04T00:00Z")
    return ["A", "B", "B2", "C", "D", "D2", "E", "F", "G"]


@pytest.mark.slow
def test_simultaneous_games_of_two_people_come_back(games: Run, tmp_path: Path, pairs: list[str]) -> None:
    before = states(games, games.store)
    assert sorted(before) == pairs
    nothing_new = {f"{name}: nothing new" for name in pairs}
    for order in (pairs, pairs[::-1]):
        out, empty = tmp_path / f"{order[0]}.pgn", tmp_path / f"{order[0]}.sqlite"
        games("export", *order, "-o", out)
        assert set(games("import", out).stdout.splitlines()) == nothing_new
        done = games("--store", empty, "import", out)
        assert (done.stderr, len(done.stdout.splitlines())) == ("", len(pairs))
        assert states(games, empty) == before
        assert set(games("--store", empty, "import", out).stdout.splitlines()) == nothing_new
    assert states(games, games.store) == before


@pytest.mark.slow
def test_each_of_them_comes_back_from_a_file_of_its_own(games: Run, tmp_path: Path, pairs: list[str]) -> None:
    for name in pairs:
        games("export", name, "-o", tmp_path / "one.pgn")
        games("--store", tmp_path / "empty.sqlite", "import", tmp_path / "one.pgn")
    assert states(games, tmp_path / "empty.sqlite") == states(games, games.store)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("clock", "players"), [("10/50", PAIR), ("50/75/1", ("--white", "Rossi", *PAIR[2:])), ("50/75/1", PAIR[:-1])]
)
def test_another_game_of_the_same_name_is_left_alone(
    games: Run, tmp_path: Path, clock: str, players: tuple[str, ...]
) -> None:
    """A game with another clock, other players or another start."""
    games("new", "A", "50/75/1", *PAIR)
    games("new", "B", "50/75/1", *PAIR)
    games("export", "-o", tmp_path / "out.pgn")
    other = tmp_path / "other.sqlite"
    if len(players) < len(PAIR):
        players = (*players, "2020-01-02T00:00Z")
    games("--store", other, "new", "A", clock, *players)
    before = states(games, other)["A"]
    done = games("--store", other, "import", tmp_path / "out.pgn", status=2)
    assert "game 1: another game named 'A' exists" in done.stderr and done.stdout == "B: new game, no moves yet\n"
    games("--store", other, "import", tmp_path / "out.pgn", "--prefix", "x-")
    after = states(games, other)
    assert sorted(after) == ["A", "B", "x-A", "x-B"] and after["A"] == before


@pytest.mark.slow
def test_two_copies_of_a_servers_game_come_back(games: Run, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(
        '[GameName "g"]\n[Date "2020.03.01"]\n[White "A"]\n[Black "B"]\n[TripleBlock "50/75/1"]\n'
        '[XfccServer "https://www.iccf.com/XfccBasic.asmx"]\n[XfccId "17"]\n\n1. e4 {[%ccsnt 2020.03.01,06:00]} *\n'
    )
    games("import", tmp_path / "in.pgn")
    games("import", tmp_path / "in.pgn", "--prefix", "x-")
    games("export", "-o", tmp_path / "out.pgn")
    assert games("import", tmp_path / "out.pgn").stdout == "g: nothing new\nx-g: nothing new\n"
    games("--store", tmp_path / "empty.sqlite", "import", tmp_path / "out.pgn")
    assert states(games, tmp_path / "empty.sqlite") == states(games, games.store)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 -5", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w 3 7", "4k3/8/8/8/8/8/8/4K3 w - - 3 7"),
        ("bnrbqkrn/8/8/8/8/8/8/BNRBQKRN w KQkq - - 1", "bnrbqkrn/8/8/8/8/8/8/BNRBQKRN w KQkq - 0 1"),
    ],
)  # fmt: skip
def test_a_start_position_that_is_taken_comes_back(games, tmp_path: Path, given: str, kept: str) -> None:
    """Counters below their minimum, and missing fields: some clients send them, but PGN does not allow them."""
    games("new", "g", "50/75/1", "--start", "2020-01-01", "--fen", given)
    games("export", "-o", tmp_path / "g.pgn")
    with (tmp_path / "g.pgn").open() as file:
        assert chess.pgn.read_game(file).headers["FEN"] == kept
    games("remove", "g", "--yes")
    games("import", tmp_path / "g.pgn")
    assert shown(games, "g")["fen"] == kept


def test_a_record_that_pgn_cannot_tell_is_refused(games) -> None:
    fen = "8/8/8/4KBk1/8/8/8/8 b - - 0 1 -G1.5"
    assert "without an R-Mobility record" in games("new", "g", "50/75/1", "--fen", fen, status=2).stderr
