"""A definition with an unplayable array, in all commands and protocols; an array that some clients set up after its
first moves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from standstill.cext.fairy.rules import FairyRules
from tests import forked
from tests.variants.files import block, text_of, written
from tests.xboard.support import pong

# A piece that attacks Black's king from White's h1 by a leap.
ATTACK = block("Game: attack", "X:500 -115,7", array="6 4 5 7 3 5 4 8", black="6 4 5 7 3 5 4 6")
SAID = "attack: the start position is not playable: the side not to move is in check"
CHECKED = block("Game: checked", "X:500 109,7", array="6 4 5 7 3 5 4 6", black="6 4 5 7 3 5 4 8")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "arguments",
    [
        "variants check FILE",
        "variants show attack --file FILE",
        "variants moves attack --file FILE",
        "variants perft attack 2 --file FILE",
        "perft 2 --variant attack --file FILE",
        "bench 2 --variant attack --file FILE",
        "mobility --fen 8/8/8/8/8/8/8/8 --variant attack --file FILE",
        "match --engine cmd=x --engine cmd=y -o out.pgn --variant attack --file FILE",
    ],
)
def test_commands_refuse_the_array_in_one_line(executable: Path, tmp_path: Path, arguments: str) -> None:
    file = written(tmp_path, ATTACK)
    command = [str(executable), *arguments.replace("FILE", str(file)).replace("out.pgn", str(tmp_path / "o")).split()]
    done = forked.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert SAID in done.stderr and len(done.stderr.splitlines()) == 1


def test_check_looks_at_the_game_before_the_titles_too(executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.ini"
    file.write_text(
        text_of().replace("version 4.8(w)\n8x8\n6 4 5 7 3 5 4 6", "version 4.8(w)\n8x8\n6 4 5 7 3 5 4 8")
        + "X:500 -115,7\n",
        encoding="utf-8",
    )
    done = forked.run([str(executable), "variants", "check", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "the game before the first title: the start position" in done.stderr


def test_check_names_the_file(executable: Path, tmp_path: Path) -> None:
    file = written(tmp_path, CHECKED)
    done = forked.run([str(executable), "variants", "check", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"standstill: {file}: checked: expected a start position without check\n"


@pytest.mark.parametrize(
    ("rule", "end"),
    [
        ("# goal 1 8", "1/2-1/2 (king at the goal)"),
        ("# extinct lose q 1", "1-0 (nothing left)"),
        ("# start 4k3/8/8/8/8/8/8/4K3", "1/2-1/2 (insufficient material)"),
        ("# start k7/P1K5/P7/8/8/8/8/8", ""),
        ("# goal 8 1", ""),
        ("# extinct lose q", ""),
    ],
)
def test_check_names_a_game_that_is_over_at_the_start(executable: Path, tmp_path: Path, rule: str, end: str) -> None:
    file = written(tmp_path, block("Game: mine", rule, "", "The end."))
    done = forked.run([str(executable), "variants", "check", str(file)], capture_output=True, text=True, check=False)
    said = f"standstill: {file}: mine: expected a start position in which the game goes on, found {end}\n"
    assert (done.returncode, done.stderr) == ((2, said) if end else (0, "")), done.stdout


def test_uci_keeps_the_old_game(engine, tmp_path: Path) -> None:
    file = written(tmp_path, ATTACK)
    engine.send(f"setoption name VariantFile value {file}", "setoption name UCI_Variant value makruk")
    engine.send("setoption name UCI_Variant value attack", "position startpos", "go perft 1")
    lines = engine.read_until("Nodes")
    assert f"info string error: {SAID}" in lines
    assert lines[-1] == "Nodes searched: 23"


def test_xboard_keeps_the_old_game(xboard, tmp_path: Path) -> None:
    file = written(tmp_path, ATTACK)
    xboard.send(f"option VariantFile={file}", "new", "variant knightmate", "force")
    pong(xboard)
    xboard.send("variant attack")
    assert pong(xboard) == ["Error (unsupported variant): attack", f"# {SAID}"]
    xboard.send("usermove e1f3")  # in this game the king moves as a knight
    assert pong(xboard) == []


COURIER = "rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR"


@pytest.fixture
def courier_of_others() -> str:
    """The array of courier in Fairy-Stockfish."""
    path = shutil.which("fairy-stockfish", path="/usr/games:/usr/bin")
    if path is None:
        pytest.skip("fairy-stockfish is missing")
    text = "setoption name UCI_Variant value courier\nposition startpos\nd\nquit\n"
    done = subprocess.run([path], input=text, capture_output=True, text=True, check=True)
    (fen,) = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Fen:")]
    return fen


def test_uci_begins_courier_behind_its_first_moves(engine, courier_of_others: str) -> None:
    assert courier_of_others == COURIER
    engine.send("setoption name UCI_Variant value courier", "position startpos moves g3h4", "d")
    assert any("rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5PF3P/12/" in line for line in engine.synchronise())


def test_cute_chess_begins_courier_behind_its_first_moves_and_xboard_before_them(xboard) -> None:
    xboard.send("new", "variant courier", "force", "usermove g3h4")
    assert "Illegal move: g3h4" in pong(xboard)
    xboard.send("rejected analyze", "accepted option", "new", "variant courier", "force", "usermove g3h4")
    assert not [line for line in pong(xboard) if line.startswith("Illegal")]


def test_a_users_own_courier_keeps_its_array(engine, tmp_path: Path) -> None:
    file = written(tmp_path, block("Game: courier"))
    engine.send(f"setoption name VariantFile value {file}", "setoption name UCI_Variant value courier")
    engine.send("position startpos", "d")
    assert not [line for line in engine.synchronise() if "12" in line.split("/")]


@pytest.mark.parametrize(
    ("width", "height", "types", "fits"),
    [
        (2, 4, 3, True),
        (16, 16, 15, True),
        (1, 4, 3, False),
        (17, 4, 3, False),
        (2, 3, 3, False),
        (2, 17, 3, False),
        (2, 4, 2, False),
        (2, 4, 16, False),
    ],
)
def test_the_core_has_room_for_boards_and_pieces(width: int, height: int, types: int, fits: bool) -> None:
    """These are the limits of the core's tables; the reader of definitions has narrower ones."""
    king = [(1, 0, 1, 0, 3, 0, 0)]

    def rules(start: int, values: int) -> FairyRules:
        traits = [(0, 0, 0, 0, 0, 0)] * values
        value = [100, 100, -1, *[300] * (values - 3)][:values]
        promotions = [[[3]] * width] * 2
        return FairyRules(width, height, [king] * types, value, traits, bytes(start), promotions, height - 1)

    if fits:
        assert rules(width * height, types)
        with pytest.raises(ValueError, match=f"expected an array of {width * height} squares"):
            rules(width * height - 1, types)
        with pytest.raises(ValueError, match="expected a board"):
            rules(width * height, types - 1)
    else:
        with pytest.raises(ValueError, match="expected a board"):
            rules(width * height, types)
