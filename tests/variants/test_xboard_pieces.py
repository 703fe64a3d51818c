"""Piece lines for XBoard about games without Betza notation. XBoard forfeits games for moves that it does not know."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.uci.client import Client, clean_environment
from tests.variants.files import END, block, written
from tests.variants.nameless import GAMES
from tests.xboard.support import pong, steady
from tests.xboard.test_clients import run_and_leave_nothing


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
    assert pieces == ["P& fmWfceFifmnD", "R& R", "N& nN", "C& mRcpR", "Q& Q", "K& K", "B& B", "G& gQ"]


def test_the_others_are_told_from_their_own_side(client: Client) -> None:
    _, pieces = told(client, "armies")
    assert {"P fmWfceFifmnD", "h fceWfmFifmA", "U bhNfsWfF", "u fhNbsWbF", "Z& W3F"} <= set(pieces)


def test_lame_knights_of_some_directions_are_told(client: Client) -> None:
    _, pieces = told(client, "halves")
    assert {"A bsWffnN", "a fsWbbnN", "S& vWsnN", "F bWfsnN", "f fWbsnN", "V& WvcnN"} <= set(pieces)


def test_early_promotion_is_left_to_xboard(client: Client) -> None:
    """In XBoard, a pawn described by a `piece` line promotes on the last rank only."""
    setup, pieces = told(client, "early")
    assert " 8x8+0_makruk rntmktnr/" in setup
    assert {"S FfW", "t FfW", "M& F"} <= set(pieces) and not [line for line in pieces if line[0] in "Pp"]


def test_pawns_that_stray_are_lances(client: Client) -> None:
    """XBoard takes some moves of a pawn to another file as en passant, so it becomes a lance, as in Spartan chess."""
    setup, _ = told(client, "armies")
    table = re.findall(r"\((.*)\)", setup)[0]
    white, black = table[: len(table) // 2], table[len(table) // 2 :]
    assert " 8x8+0_spartan " in setup
    assert (white[0], black[0], black[18]) == ("P", ".", "h")


def test_no_piece_has_the_picture_of_a_lance(client: Client) -> None:
    """XBoard would promote a lance on the last rank."""
    for game in ("bent", "small", "hoppers", "endings"):
        table = re.findall(r"\((.*)\)", told(client, game)[0])[0]
        half = len(table) // 2
        assert (table[18], table[half + 18]) == (".", ".")


def test_castling_that_xboard_knows_is_left_to_it(client: Client) -> None:
    """XBoard lets a king castle out of check if castling is announced. By itself it castles only with a rook."""
    assert "K& K" in told(client, "bent")[1]
    assert {"K K", "k KisO2"} <= set(told(client, "armies")[1])
    assert not [line for line in told(client, "woody-rook")[1] if line[0] in "Kk"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("king", "array", "board"),
    [
        ("k:-1 1,34,2 -1,34,2", "6 4 5 7 3 5 4 6", "8x8"),  # not as far to the left as XBoard's king
        ("k:-1 1,34,2", "6 4 5 7 3 5 4 6", "8x8"),  # only to one side
        ("k:-1 1,34 -1,34", "6 4 3 7 5 5 4 6", "8x8"),  # the king is off the middle
        ("k:-1 1,34 -1,34", "5 4 6 7 3 6 4 5", "8x8"),  # the partner is not a rook
        ("k:-1 1,34 -1,34", "6 4 5 4 7 3 5 5 4 6", "10x8"),  # two files, where XBoard's king goes three
        ("k:-1 1,34 -1,34", "6 4 5 7 3 4 6", "7x8"),  # no room behind the rook's square
    ],
)
def test_other_castling_is_told(start, tmp_path: Path, king: str, array: str, board: str) -> None:
    rays = " 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"
    engine = start(str(written(tmp_path, block("Game: told", king=king + rays, array=array, board=board))))
    engine.send("xboard", "protover 2", "accepted debug", "new")
    pong(engine)
    assert [line for line in told(engine, "told")[1] if line[0] in "Kk" and "O" in line]


def test_lines_of_the_file_are_sent_as_they_stand(start, tmp_path: Path) -> None:
    engine = start(str(written(tmp_path, block("Game: told", "#", "# Q& RB"))))
    engine.send("xboard", "protover 2", "accepted debug", "new")
    pong(engine)
    assert told(engine, "told")[1] == ["Q& RB"]


@pytest.mark.slow
def test_xboard_sees_a_mate_where_a_way_to_castle_is_free(executable: Path, client_program, tmp_path: Path) -> None:
    """XBoard accepts our claim of mate; a claim that it believes false would lose the game.

    The first move mates: from d4 the leaper attacks the king on e7, behind its pawns, and f7, which castling would
    cross.
    """
    played = game_in_xboard(executable, shlex.quote(str(executable)), client_program, tmp_path, "mating", mating())
    assert '[Result "1-0"]' in played and "Checkmate" in played, played


def mating(**lines: str) -> str:
    leaper = "X:300 -48,6 -47,7 -49,7 -46,7 -50,7"
    return block("Game: mating", leaper, array="6 0 0 8 3 0 0 6", black="6 0 0 7 3 0 0 6", board="8x7", **lines)


# Castling that must be announced to XBoard: two files to either side; to the left XBoard's own king goes farther.
TOLD = "k:-1 1,34,2 -1,34,2 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["standstill", "fairymax"])
def test_a_mate_that_xboard_takes_for_none_is_left_to_the_loser(
    executable: Path, client_program, tmp_path: Path, opponent: str
) -> None:
    """XBoard allows announced castling out of check and so sees no mate, but accepts a side's claim that it lost."""
    if opponent == "standstill":
        other = shlex.quote(str(executable))
    else:
        other = f"{steady(client_program(opponent), tmp_path)} 22"
    played = game_in_xboard(executable, other, client_program, tmp_path, "mating", mating(king=TOLD))
    assert '[Result "1-0"]' in played and not re.search("forfeit|false", played, re.IGNORECASE), played


@pytest.mark.parametrize(
    ("king", "fen", "opponent", "claimed"),
    [
        (TOLD, "", "computer", False),
        (TOLD, "", "name Anna", True),  # only a person's name: XBoard sends no `computer`
        (TOLD, "r2qk2r/pppppppp/8/8/8/PPPPPPPP/R2XK2R w KQ - 0 1", "computer", True),
        (None, "", "computer", True),  # XBoard's own castling follows the rules
    ],
)
def test_who_claims_a_mate(start, tmp_path: Path, king: str | None, fen: str, opponent: str, claimed: bool) -> None:
    lines = {} if king is None else {"king": king}
    engine = start(str(written(tmp_path, mating(**lines))))
    engine.send("xboard", "protover 2", "accepted debug", "new", "variant mating")
    engine.send(*([f"setboard {fen}"] if fen else []), opponent, "sd 3", "go")
    assert engine.read_until("move")[-1] == "move d1d4"
    assert ("1-0 {White mates}" in pong(engine)) == claimed


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_xboard_accepts_the_moves(executable: Path, client_program, tmp_path: Path, game: str) -> None:
    """Play a game against Fairy-Max with XBoard as the referee."""
    opponent = f"{steady(client_program('fairymax'), tmp_path)} 22"
    played = game_in_xboard(executable, opponent, client_program, tmp_path, game, *GAMES.values())
    assert not re.search("forfeit|illegal|invalid|false", played, re.IGNORECASE), played[-300:]


def game_in_xboard(executable: Path, opponent: str, client_program, tmp_path: Path, game: str, *blocks: str) -> str:
    """The PGN of one game with our engine as White, from a file that both programs read."""
    xvfb, xboard = client_program("xvfb-run"), client_program("xboard")
    file, games = written(tmp_path, *blocks, END), tmp_path / "games.pgn"
    ours = shlex.quote(str(executable))
    command = [
        *(xvfb, "-a", xboard, "-mode", "TwoMachines", "-variant", game, "-fcp", f"{ours} {file}"),
        *("-scp", f"{opponent} {file}", "-mg", "1", "-tc", "10:00", "-depth", "3", "-inc", "0"),
        *("-sgf", str(games), "-xexit", "-saveSettingsOnExit", "false", "-xanimate", "-soundProgram", "true"),
    ]
    done = run_and_leave_nothing(command, tmp_path, clean_environment() | {"HOME": str(tmp_path)})
    played = games.read_text("latin-1")
    assert done.returncode == 0 and played.count("[Result ") == 1
    return played
