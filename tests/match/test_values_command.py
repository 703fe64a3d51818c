"""`standstill variants values`: games from imbalanced arrays, their continuation, and values in the user's file."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import chess
import pytest

from standstill.engine.match.by_definition import ByDefinition
from standstill.engine.match.valuing import Measurement
from standstill.engine.variants.catalog import load
from tests import forked
from tests.match.support import games_in

# Chess, under another name and with wrong values.
MINE = (
    "version 4.8(w)\n8x8\n6 4 5 7 3 5 4 6\n6 4 5 7 3 5 4 6\n"
    "p:100 fmWfcF\np:100 bmWbcF\nk:-1 K\nn:325 N\nb:325 B\nR:500 R\nQ:950 Q\n\n"
    "Game: mine\n8x8\n6 4 5 7 3 5 4 6\n6 4 5 7 3 5 4 6\np:100 fmWfcF\np:100 bmWbcF\nk:-1 K\n"
    "n:300 N\nb:300 B\nR:450 R\nQ:800 Q\n\nThe end.\n"
)
SIZES = {"N": 310, "B": 345, "R": 480, "Q": 900, "P": 100}


def run(executable: Path, folder: Path, *words: str) -> tuple[int, str, str]:
    command = [str(executable), "variants", "values", *words]
    done = forked.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_games_begin_unevenly_and_are_continued(executable: Path, tmp_path: Path) -> None:
    options = ["normal", "--nodes", "20", "--jobs", "1"]
    status, said, _ = run(executable, tmp_path, *options, "--games", "2", "--html", "page.html")
    assert status == 0 and re.search(
        r"^2/2: .* against .*, (1-0|0-1|1/2-1/2); N \?, B \?, R \?, Q \?$", said, re.MULTILINE
    )
    file = tmp_path / "normal-values.pgn"
    before = file.read_text(encoding="utf-8")
    torn = before[: before.rindex("[Event ")] + before[before.rindex("[Event ") :][:300]
    file.write_text(torn, encoding="utf-8")  # as a killed run leaves it
    status, said, _ = run(executable, tmp_path, *options, "--games", "3")
    assert status == 0 and said.startswith("2/3: ")
    assert file.read_text(encoding="utf-8").startswith(before[: before.rindex("[Event ")])
    games = games_in(file)
    starts = [game.board() for game in games]
    assert len(games) == 3 and all(start.is_valid() for start in starts)
    counts = [
        [len(start.pieces(piece, colour)) for piece in range(1, 6)] for start in starts for colour in (True, False)
    ]
    assert all(counts[at] != counts[at + 1] for at in range(0, 6, 2))  # no array is even
    results = [game.headers["Result"] for game in games]
    assert (
        f"3 games: White {results.count('1-0')}, drawn {results.count('1/2-1/2')}, Black {results.count('0-1')}" in said
    )
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>What the pieces are worth</h1>" in page and "2 games of the engine with itself" in page
    assert "<script" not in page and page.count('<th scope="row">') > 4
    status, _, why = run(executable, tmp_path, "normal", "--nodes", "30", "--games", "2")
    assert status == 2 and "has games of another match" in why


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("normal --write", "--write needs --file, because the built-in games are not changed"),
        ("makruk --write --file mine.ini", "expected a game of 'mine.ini', found 'makruk', which is built in"),
        ("suicide", "suicide: expected a piece whose loss neither ends the game nor is its aim"),
        ("normal --pieces NX", "found 'X'"),
        ("normal --html none/page.html", "none/page.html"),
        ("mine --file mine.ini --html mine.ini", "mine.ini"),
        ("nothing", "expected one of"),
    ],
)
def test_bad_input(executable: Path, tmp_path: Path, words: str, message: str) -> None:
    (tmp_path / "mine.ini").write_text(MINE, encoding="utf-8")
    status, _, why = run(executable, tmp_path, *words.split())
    assert status == 2 and message in why and "Traceback" not in why
    assert not list(tmp_path.glob("*.pgn")) and (tmp_path / "mine.ini").read_text(encoding="utf-8") == MINE


@pytest.mark.slow
def test_values_of_given_results_are_written(executable: Path, tmp_path: Path) -> None:
    """Further games, with results drawn at random from true values, are added to the file."""
    mine = tmp_path / "mine.ini"
    mine.write_text(MINE, encoding="utf-8", newline="\r\n")
    words = ["mine", "--file", "mine.ini", "--nodes", "10", "-o", "games.pgn", "--json"]
    status, said, _ = run(executable, tmp_path, *words, "--games", "1", "--write")
    assert status == 1 and json.loads(said.splitlines()[-1])["written"] == {}
    assert mine.read_bytes() == MINE.replace("\n", "\r\n").encode()
    measurement = Measurement(ByDefinition(next(game for game in load(str(mine)).games if game.name == "mine")))
    file = tmp_path / "games.pgn"
    first = file.read_text(encoding="utf-8")
    tag = {name: re.search(rf'\[{name} "(.*)"\]', first)[1] for name in ("MatchId", "MatchOpenings", "Event")}
    chance = random.Random(3)
    turns = [measurement.arrays.choices(label, measurement.measured) for label in "PNBRQ"]
    for number in range(3, 1000, 2):
        imbalance, leader = chance.choice(turns[number // 2 % 5])
        start = measurement.arrays.position(imbalance, leader, chance)
        surplus = sum(SIZES[label] * count for label, count in measurement.arrays.surplus(start)) / 100
        result = "1-0" if chance.random() < 1 / (1 + math.exp(-0.1 - 0.8 * surplus)) else "0-1"
        move = chess.Board(start).san(next(iter(chess.Board(start).generate_legal_moves())))
        tags = {
            "Event": tag["Event"],
            "White": "Standstill",
            "Black": "Standstill 2",
            "Result": result,
            "Variant": "mine",
        }
        tags |= {"FEN": start, "SetUp": "1", "Termination": "checkmate", "MatchGame": number, "MatchId": tag["MatchId"]}
        tags |= {"OpeningPlies": 0, "MatchOpenings": tag["MatchOpenings"]}
        head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        first += f"{head}\n1. {move} {result}\n\n"
    file.write_text(first, encoding="utf-8")
    status, said, _ = run(executable, tmp_path, *words, "--games", "500", "--write")
    first_line, last = (json.loads(line) for line in said.splitlines())
    assert status == 0 and first_line["played"] == 500  # the games in the file are enough
    for piece in last["values"]["pieces"]:
        assert abs(piece["value"] - SIZES[piece["piece"]]) < 1.5 * piece["error"] < 300
        assert (
            abs(last["written"][piece["piece"].lower() if piece["piece"] in "NB" else piece["piece"]] - piece["value"])
            < 2
        )
    new = last["written"]
    text = MINE.replace("n:300", f"n:{new['n']}").replace("b:300", f"b:{new['b']}")
    text = text.replace("R:450", f"R:{new['R']}").replace("Q:800", f"Q:{new['Q']}")
    assert mine.read_bytes() == text.replace("\n", "\r\n").encode()
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".standstill")]
    status, _, why = run(executable, tmp_path, *words, "--games", "500")  # the engine would play with other values
    assert status == 2 and "has games of another match" in why
