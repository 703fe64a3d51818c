"""`standstill variants`, and the variant options of both protocols, in the real process."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from standstill.engine.variants.betza import betza
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse, read_file
from standstill.engine.variants.notation import fen
from standstill.protocol.xboard.setup import KNOWN_TO_XBOARD, setup_lines
from tests import forked
from tests.variants.files import block, written

DEBIAN = Path("/usr/share/games/fairymax/fmax.ini")


@pytest.fixture
def run(executable: Path):
    def call(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [str(executable), *arguments]
        return forked.run(command, input=stdin, capture_output=True, text=True, timeout=60, check=False)

    return call


def test_list(run) -> None:
    rows = json.loads(run("variants", "list", "--json").stdout)["games"]
    assert {"name": "capablanca", "size": "10x8"}.items() <= next(r for r in rows if r["name"] == "capablanca").items()
    assert len(run("variants", "list").stdout.splitlines()) == len(rows) == len(list(Catalog()))


def test_show_draws_the_moves(run) -> None:
    text = run("variants", "show", "knightmate").stdout
    assert "  r m b q k b m r" in text and "NisO2" in text
    assert "   . . . * . * . . .\n   . . * . . . * . ." in text
    picture = ET.fromstring(run("variants", "show", "spartan", "--svg", "-").stdout)
    assert picture.tag.endswith("svg")


def test_show_states_the_rules(run) -> None:
    """The text and the page give the words and the lines, the picture has room for the lines only."""
    hill = "A royal piece wins by reaching one of the four squares in the middle."
    for form, shown in ((["--svg", "-"], "<text"), (["--html", "-"], "<li>"), ([], "\n")):
        assert hill in run("variants", "show", "kingofthehill", *form).stdout
        text = run("variants", "show", "3check", *form).stdout
        assert shown in text and "# checks 3" in text and ("The third check wins." in text) == (form[:1] != ["--svg"])


def test_moves_and_perft(run) -> None:
    fen = "rnsmksnr/8/1ppppppp/p7/8/PPPPPPPP/8/RNSKMSNR w - - 0 2"
    moves = run("variants", "moves", "makruk", "--fen", fen).stdout.split()
    assert len(moves) == 23 and moves == sorted(moves)
    assert run("variants", "perft", "gothic", "2").stdout == "Nodes searched: 784\n"
    divided = run("variants", "perft", "janus", "2", "--divide").stdout.splitlines()
    assert divided[-1] == "Nodes searched: 782" and len(divided) == 29


def test_ranks_count_from_one(run) -> None:
    moves = run("variants", "moves", "tall-capablanca").stdout.split()
    assert "a3a5" in moves and not any("0" in move for move in moves)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "nothing"), "expected one of normal"),
        (("moves", "normal", "--fen", "8/8/8 w"), "expected 8 ranks, found 3 in FEN"),
        (("moves", "normal", "--fen", "8/8/8/8/8/8/8/8 w"), "expected a royal piece of each colour"),
        (("list", "--fen", "foo"), "expected a position of some variant, found 'foo'"),
        (("show", "normal", "--fen", "8/8/8/8/8/8/8/8 w", "--svg", "-"), "--fen cannot be used with --svg or --html"),
        (("check", "--fen", "8/8/8 w", "-"), "No such option"),
        (("list", "--file", "/nonexistent"), "cannot read /nonexistent: No such file"),
        (("check", "/nonexistent"), "cannot read /nonexistent: No such file"),
        (("check", "-"), "<stdin>:1:1: expected version 4.8(w), found ''"),
    ],
)
def test_bad_input_is_one_line(run, arguments: tuple[str, ...], message: str) -> None:
    result = run("variants", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr and len(result.stderr.splitlines()) == 1


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's fairymax is not installed")
def test_debian_file_is_played(run) -> None:
    assert "43 games, no errors" in run("variants", "check", str(DEBIAN)).stdout
    moves = run("variants", "moves", "grande-acedrex", "--file", str(DEBIAN)).stdout.split()
    assert len(moves) == 59


# Names that differ from the file for a reason, such as a king that leaps only forward or whose castling has a name.
SAID_OTHERWISE = {
    ("Cambodian", "K&"): "KifhN",
    ("Cambodian", "M&"): "FivD",
    ("cambodian", "K&"): "KifhN",
    ("cambodian", "M&"): "FivD",
    ("cylinder", "K&"): "oKisO2",
    ("grande-acedrex", "K&"): "KifsmDifmA",
}


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's fairymax is not installed")
def test_betza_names_agree_with_those_of_the_file() -> None:
    """Pieces with a Betza name in Fairy-Max's file have the same name here, apart from the order of its parts."""
    for game in [*read_file(str(DEBIAN)).games, *Catalog()]:
        for letter, moves in game.betza:
            colour = 1 if letter[0].islower() else 0
            ours = betza(game, game.man_of(letter[0], colour), mirrored=colour == 1)
            # Each castling may have its own i, or all share one, and R4 is the same as W4.
            name = SAID_OTHERWISE.get((game.name, letter), moves).replace("R4", "W4")
            assert sorted(ours.replace("i", "")) == sorted(name.replace("i", "")), (game.name, letter)


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's fairymax is not installed")
def test_every_piece_has_a_name() -> None:
    games = [*read_file(str(DEBIAN)).games, *Catalog()]
    names = {betza(game, number) for game in games for number in range(1, len(game.pieces) + 1)}
    assert not [name for name in names if "?" in name or "without" in name]


@pytest.mark.parametrize(
    ("rays", "name"),
    [
        ("16,14B8 16,1F4B8 -16,14B8 -16,1F4B8 1,104B8 1,FFFF04B8 -1,104B8 -1,FFFF04B8", "gabyabsR"),
        ("17,14BA 15,1F4BA -15,14BA -17,1F4BA 17,104BA -15,FFFF04BA -17,104BA 15,FFFF04BA", "mBgabyabscB"),
        ("16,1070 16,1F070 1,10070 1,FFFF0070 -16,1070 -16,1F070 -1,10070 -1,FFFF0070", "nN"),
        ("-16,43,-17 -16,43,-15", "fWfafsW"),
        ("17,3,15", "a ray without a name"),
        ("31,7", "a ray without a name"),
        ("1,7 -1,7 17,3,15 14,7", "sW and 2 rays without a name"),
        ("", "no moves"),
    ],
)
def test_names_of_paths_that_bend(rays: str, name: str) -> None:
    head = "version 4.8(w)\n8x8\n4 0 0 0 3 0 0 0\n4 0 0 0 3 0 0 0\np:1 -16,6\np:1 16,6\nk:-1 1,7\n"
    assert betza(parse(f"{head}x:100 {rays}\n").default, 4) == name


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["shako", "antichess", "makruk", "mine"])
def test_selfplay_of_other_games(run, tmp_path: Path, name: str) -> None:
    """The printed final position follows from the array by moves of the game."""
    file = written(tmp_path, block("Game: mine", knight="n:300 C"))
    words = ("selfplay", "--variant", name, "--moves", "3", "--time", "5ms", "--seed", "3", "--file", str(file))
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, "") and f"plays itself in {name}, 5 ms" in done.stdout
    position = re.search("^Position: (.*)", done.stdout, re.MULTILINE)
    assert position is not None
    board = new_board(position[1], game=Catalog(str(file)).find(name))
    assert board.fullmove >= 3 and 0 < done.stdout.count("book") <= 4  # fewer book moves if a capture is compulsory
    start = run("selfplay", "--variant", name, "--fen", fen(board), *words[3:])
    assert start.returncode == 0 and "book" not in start.stdout


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", [("perft", "1"), ("bench", "1"), ("mobility",), ("selfplay", "--moves", "1")])
def test_a_file_of_games_needs_the_name_of_one(run, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Without a game, the command once played orthodox chess and ignored the file."""
    file = str(written(tmp_path, block("Game: mine", knight="n:300 C"), block("Game: yours")))
    done = run(*words, "--file", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected --variant with --file, which defines 'mine', 'yours'" in done.stderr
    for options in (("--variant", "mine"), ("--variant", "chess")):
        assert run("perft", "1", "--file", file, *options).returncode == 0


def test_selfplay_of_no_game(run) -> None:
    done = run("selfplay", "--variant", "nothing")
    assert (done.returncode, done.stdout) == (2, "") and "found 'nothing'" in done.stderr


def test_uci_plays_another_game(engine) -> None:
    engine.send("setoption name UCI_Variant value capablanca", "position startpos moves e2e4", "go depth 4")
    assert engine.read_until("bestmove")[-1].split()[1][0] in "abcdefghij"
    engine.send("setoption name UCI_Variant value chess", "position startpos", "go perft 1")
    assert engine.read_until("Nodes")[-1] == "Nodes searched: 20"


def test_uci_plays_games_that_are_not_in_its_list(engine, tmp_path: Path) -> None:
    file = tmp_path / "mine.ini"
    pieces = "p:100 -16,6 -15,5 -17,5\np:100 16,6 15,5 17,5\n"
    pieces += "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7\nR:500 1,3 16,3 -1,3 -16,3"
    game = f"5x6\n4 0 3 0 4\n4 0 3 0 4\n{pieces}\n"
    file.write_text(f"version 4.8(w)\n{game}\nGame: Mine\n{game}", encoding="utf-8")
    engine.send("setoption name UCI_Variant value tall-capablanca", "position startpos moves e3e4", "go perft 1")
    assert engine.read_until("Nodes")[-1].startswith("Nodes searched: ")
    engine.send(f"setoption name VariantFile value {file}", "setoption name UCI_Variant value Mine", "go perft 1")
    assert engine.read_until("Nodes")[-1] == "Nodes searched: 9"
    engine.send("setoption name UCI_Variant value Yours", "position startpos", "go perft 1")
    assert any("found 'Yours'" in line for line in engine.read_until("Nodes"))


def test_a_bad_file_leaves_the_game_as_it_was(engine, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ini"
    bad.write_text("version 4.8(w)\n8x8\n6 4 5 7 3\n", encoding="utf-8")
    engine.send("setoption name UCI_Variant value makruk", f"setoption name VariantFile value {bad}")
    assert "bad.ini:4:1: expected 8 piece numbers for White's" in engine.read_until("info")[-1]
    engine.send("position startpos", "go perft 1")
    assert engine.read_until("Nodes")[-1] == "Nodes searched: 23"


def test_eval_names_the_divisor(engine) -> None:
    engine.send("position fen 4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1", "eval")
    assert "mating potential divisor 8" in engine.read_until("centipawns,")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("game", "mode", "shown"),
    [
        *(("shatranj", "Off", False), ("kingofthehill", "Off", False), ("makruk", "Off", True)),
        *(("chess", "Off", True), ("chess", "Decisive", False), ("capablanca", "Decisive", False)),
    ],
)
def test_eval_names_only_a_divisor_that_is_applied(engine, game: str, mode: str, shown: bool) -> None:
    engine.send(f"setoption name UCI_Variant value {game}", f"setoption name RMobility value {mode}", "eval")
    assert any("divisor" in line for line in engine.read_until("centipawns,")) is shown


def test_a_falcon_and_a_leap_from_home_have_names() -> None:
    """The Falcon has its name in Fairy-Max's file. The Cambodian king may leap like a knight on its first move."""
    steps = [(1, 3), (2, 3), (3, 1), (3, 2)]
    rays = []
    for right, up in [(sx * x, sy * y) for x, y in steps for sx in (1, -1) for sy in (1, -1)]:
        one = (right > 0) - (right < 0), (up > 0) - (up < 0)
        long = max(abs(right), abs(up))
        straight = (one[0], 0) if abs(right) == long else (0, one[1])
        twice = straight if min(abs(right), abs(up)) == 1 else one
        step = right - 16 * up
        rays.append(f"{step},207,{step ^ (twice[0] - 16 * twice[1])}")
    king = "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"
    leaps = "-16,F4,-15 -16,F4,-17 -1,F4,-17 1,F4,-15"
    pawns = "p:100 -16,6\np:100 16,6\n"
    text = f"version 4.8(w)\n8x8\n0 0 4 0 3 0 0 0\n0 0 4 0 3 0 0 0\n{pawns}{king} {leaps}\nf:450 {' '.join(rays)}\n"
    game = parse(text, "test").default
    assert betza(game, 3) == "KifhN"
    assert betza(game, 3, mirrored=True) == "KibhN"
    assert betza(game, 4) == "aflafrKafraflKafafsKafsafK"
    fewer = parse(text.replace(" " + rays[0], ""), "test").default
    assert betza(fewer, 4) == "15 rays without a name"


def test_setup_tells_xboard_what_it_does_not_know() -> None:
    for game in Catalog():
        if not game.table and game.name in KNOWN_TO_XBOARD:
            continue
        setup, *pieces = setup_lines(game, game.name)
        word, table, board, *fen = setup.split()
        assert word == "setup" and board.startswith(f"{game.width}x{game.height}+0_")
        half = len(table.strip("()")) // 2
        white, black = table.strip("()")[:half], table.strip("()")[half:]
        assert len(white) == len(black) >= 6
        assert white[-1] == white[-1].upper() and black[-1] == black[-1].lower()
        used = {letter for letter in fen[0] if letter.isalpha()}
        assert used <= set(white) | set(black), game.name
        assert all(line.startswith("piece ") for line in pieces)
