"""What XBoard is told of games without lines in Betza's notation. It forfeits games for moves that it does not know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.uci.client import Client, clean_environment
from tests.variants.files import block, written
from tests.xboard.support import pong, steady
from tests.xboard.test_clients import run_and_leave_nothing

SHORT_PAWNS = {"white_pawn": "p:100 -16,6 -15,5 -17,5", "black_pawn": "p:100 16,6 15,5 17,5"}
BARE_KING = "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"
HORSE = "n:270 16,1070 16,1F070 1,10070 1,FFFF0070 -16,1070 -16,1F070 -1,10070 -1,FFFF0070"
GAMES = {
    "hoppers": block(
        "Game: hoppers",
        "C:400 1,BA 16,BA -1,BA -16,BA",
        "G:200 1,F8 16,F8 -1,F8 -16,F8 15,F8 17,F8 -15,F8 -17,F8",
        array="6 4 8 7 3 8 4 6",
        black="6 4 9 7 3 9 4 6",
        knight=HORSE,
    ),
    "early": block(
        "Game: early",
        "S:293 15,7 17,7 -15,7 -17,7 -16,7",
        "T:293 15,7 17,7 -15,7 -17,7 16,7",
        board="8x8=3",
        array="6 4 8 7 3 8 4 6",
        black="6 4 9 7 3 9 4 6",
        king=BARE_KING,
        queen="m:180 15,7 17,7 -15,7 -17,7",
        **SHORT_PAWNS,
    ),
    "bent": block(
        "Game: bent",
        "Y:800 17,3,16 17,3,1 15,3,16 15,3,-1 -15,3,-16 -15,3,1 -17,3,-16 -17,3,-1",
        "L:450 1,43 16,43 -1,43 -16,43 2,7 -2,7",
        board="10x8",
        array="6 4 5 8 7 3 9 5 4 6",
        king="k:-1 1,34,2 -1,34,-2 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7",
    ),
    "armies": block(
        "Game: armies",
        "d:300 2,7 32,7 -2,7 -32,7 15,7 17,7 -15,7 -17,7",
        "u:400 31,7 33,7 14,7 18,7 1,7 -1,7 -16,7 -15,7 -17,7",
        "Z:500 1,443 16,443 -1,443 -16,443 15,7 17,7 -15,7 -17,7",
        black="10 8 9 7 3 9 8 10",
        black_pawn="h:90 15,E4 17,E4 16,5 15,6 17,6",
    ),
    "small": block(
        "Game: small", "v:250 14,7 18,7 -14,7 -18,7 1,7 -1,7", board="6x8=-2", array="6 8 7 3 8 6", king=BARE_KING,
        **SHORT_PAWNS,
    ),
}  # fmt: skip


@pytest.fixture
def client(start, tmp_path: Path) -> Client:
    engine = start(str(written(tmp_path, *GAMES.values())))
    engine.send("xboard", "protover 2", "accepted debug", "new")
    pong(engine)
    return engine


def told(client: Client, game: str) -> tuple[str, list[str]]:
    client.send("new", f"variant {game}")
    setup, *pieces = pong(client)
    assert setup.startswith("setup (") and all(line.startswith("piece ") for line in pieces)
    return setup, [line.removeprefix("piece ") for line in pieces]


def test_pieces_alike_are_told_once(client: Client) -> None:
    _, pieces = told(client, "hoppers")
    assert pieces == ["P& fmWfceFifmnD", "R& R", "N& nN", "C& mRcpR", "Q& Q", "K& KisO2", "B& B", "G& gQ"]


def test_the_others_are_told_from_their_own_side(client: Client) -> None:
    _, pieces = told(client, "armies")
    assert {"P fmWfceFifmnD", "h fceWfmFifmA", "U bhNfsWfF", "u fhNbsWbF", "Z& W3F"} <= set(pieces)


def test_early_promotion_is_left_to_xboard(client: Client) -> None:
    """A pawn of which it has been told promotes on the last rank alone."""
    setup, pieces = told(client, "early")
    assert " 8x8+0_makruk rntmktnr/" in setup
    assert {"S FfW", "t FfW", "M& F"} <= set(pieces) and not [line for line in pieces if line[0] in "Pp"]


def test_pawns_that_stray_are_lances(client: Client) -> None:
    """XBoard takes their steps beside a man for en passant. In Spartan chess a lance is such a pawn."""
    setup, _ = told(client, "armies")
    table = re.findall(r"\((.*)\)", setup)[0]
    white, black = table[: len(table) // 2], table[len(table) // 2 :]
    assert " 8x8+0_spartan " in setup
    assert (white[0], black[0], black[18]) == ("P", ".", "h")


def test_no_piece_has_the_picture_of_a_lance(client: Client) -> None:
    """It would promote on the last rank."""
    for game in ("bent", "small", "hoppers", "endings"):
        table = re.findall(r"\((.*)\)", told(client, game)[0])[0]
        half = len(table) // 2
        assert (table[18], table[half + 18]) == (".", ".")


def test_lines_of_the_file_are_sent_as_they_stand(start, tmp_path: Path) -> None:
    engine = start(str(written(tmp_path, block("Game: told", "#", "# Q& RB"))))
    engine.send("xboard", "protover 2", "accepted debug", "new")
    pong(engine)
    assert told(engine, "told")[1] == ["Q& RB"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_xboard_accepts_the_moves(executable: Path, client_program, tmp_path: Path, game: str) -> None:
    """A game against Fairy-Max, refereed by XBoard itself."""
    xvfb, xboard, opponent = client_program("xvfb-run"), client_program("xboard"), client_program("fairymax")
    file, games = written(tmp_path, *GAMES.values(), "A file may not end with a game."), tmp_path / "games.pgn"
    command = [
        *(xvfb, "-a", xboard, "-mode", "TwoMachines", "-variant", game, "-fcp", f"{executable} {file}"),
        *("-scp", f"{steady(opponent)} 22 {file}", "-mg", "1", "-tc", "10:00", "-depth", "3", "-inc", "0"),
        *("-sgf", str(games), "-xexit", "-saveSettingsOnExit", "false", "-xanimate", "-soundProgram", "true"),
    ]
    done = run_and_leave_nothing(command, tmp_path, clean_environment() | {"HOME": str(tmp_path)})
    played = games.read_text("latin-1")
    assert done.returncode == 0 and played.count("[Result ") == 1
    assert not re.search("forfeit|illegal|invalid|false", played, re.IGNORECASE), played[-300:]
