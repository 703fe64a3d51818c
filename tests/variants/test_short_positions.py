"""FENs as XBoard and Fairy-Max write them, without castling rights or en passant square."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from standstill.engine.variants.notation import whole_fields
from tests import forked
from tests.xboard.support import pong

BARE = "4k3/8/8/P7/8/8/8/R3K3 w 0 1"  # what XBoard 4.9.1 sends in Shatranj, Courier, Makruk and ASEAN
WHOLE = "4k3/8/8/P7/8/8/8/R3K3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("p w 0 1", "p w - - 0 1"),
        ("p w - 0 1", "p w - - 0 1"),
        ("p w EDed 0 1", "p w EDed - 0 1"),
        ("p w 7", "p w - - 7"),
        ("p w - 7", "p w - - 7"),
        ("p w - 64 3 40", "p w - 64 3 40"),  # Fairy-Stockfish has a counter in place of the square
        ("p w - 64 3+3 3 40", "p w - 64 3+3 3 40"),
        ("p w - 3+3 0 1", "p w - - 3+3 0 1"),
        ("p w 3+3 0 1", "p w - - 3+3 0 1"),
        ("p w - - 3+3 0 1", "p w - - 3+3 0 1"),
        ("p w - - 0 1 +0+0", "p w - - 0 1 +0+0"),
        ("p w KQkq e3 0 1", "p w KQkq e3 0 1"),
        ("p w - -", "p w - -"),
        ("p w", "p w"),
    ],
)
def test_numbers_show_what_is_left_out(text: str, meant: str) -> None:
    assert whole_fields(text.split()) == meant.split()


@pytest.mark.parametrize("variant", ["shatranj", "makruk", "knightmate"])
def test_setboard(xboard, variant: str) -> None:
    xboard.send("new", f"variant {variant}", "force", f"setboard {BARE}", "usermove a5a6")
    assert [line for line in pong(xboard) if not line.startswith("setup")] == []
    xboard.send("usermove a1a2")
    assert pong(xboard) == ["Illegal move: a1a2"], "White's pawn has moved, so Black is to move"


def test_setboard_on_twelve_files(xboard) -> None:
    xboard.send("new", "variant courier", "force", "setboard 4k7/12/12/P11/12/12/12/R3K7 w 0 1", "usermove a5a6")
    assert pong(xboard) == []


def test_setboard_of_chess(xboard) -> None:
    xboard.send("new", "force", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q 0 1", "usermove e1c1")
    assert pong(xboard) == []


@pytest.mark.parametrize("variant", ["chess", "makruk"])
def test_uci(engine, variant: str) -> None:
    counts = []
    engine.send(f"setoption name UCI_Variant value {variant}")
    for fen in (WHOLE, BARE, BARE.replace(" w ", " w - "), BARE + " -G8.5"):
        engine.send("position startpos", f"position fen {fen} moves a1b1", "go perft 1")
        counts.append(engine.read_until("Nodes")[-1])
    assert len(set(counts)) == 1


@pytest.fixture
def run(executable: Path):
    def call(*arguments: object) -> str:
        command = [str(executable), *map(str, arguments)]
        done = forked.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.mark.parametrize("variant", ["chess", "shatranj"])
def test_commands(run, tmp_path: Path, variant: str) -> None:
    assert run("perft", 2, "--fen", BARE, "--variant", variant) == run("perft", 2, "--fen", WHOLE, "--variant", variant)
    file = tmp_path / "some.epd"
    file.write_text(f"{WHOLE}\n{BARE}\n{BARE.replace(' w ', ' w - ')} id some;\n", encoding="ascii")
    counts = run("mobility", file, "--variant", variant).splitlines()
    assert len(counts) == 3 and len(set(counts)) == 1


def game(variant: str, fen: str, moves: str) -> str:
    return f'[Variant "{variant}"]\n[SetUp "1"]\n[FEN "{fen}"]\n[Result "*"]\n\n{moves} *\n'


@pytest.mark.parametrize("variant", ["normal", "shatranj", "makruk"])
def test_tags_of_games(run, tmp_path: Path, variant: str) -> None:
    """Fairy-Max leaves out only the en passant square."""
    shown = []
    for number, fen in enumerate((WHOLE, BARE, BARE.replace(" w ", " w - "))):
        file = tmp_path / f"{number}.pgn"
        file.write_text(game(variant, fen, "1. a6 Kd7 2. Ra2"), encoding="ascii")
        shown.append(run("tag", file).replace(fen, "FEN"))
        assert "2. Ra2" in shown[-1]
    assert len(set(shown)) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize("variant", ["chess", "makruk"])
@pytest.mark.parametrize("kind", ["epd", "pgn"])
def test_openings_of_matches(run, executable: Path, tmp_path: Path, variant: str, kind: str) -> None:
    openings, games = tmp_path / f"openings.{kind}", tmp_path / "games.pgn"
    fen = "7k/5K2/8/6R1/8/8/8/8 w 0 1"  # one move before mate
    text = game("normal" if variant == "chess" else variant, fen, "1. Rg4 Kh7")
    openings.write_text(text if kind == "pgn" else f"{fen}\n", encoding="ascii")
    engines = [word for name in "AB" for word in ("--engine", f"cmd={shlex.quote(str(executable))} name={name}")]
    files = ("--openings", openings, "-o", games)
    run("match", "--variant", variant, *engines, "--depth", 1, "--rounds", 1, *files)
    played = games.read_text(encoding="ascii")
    assert played.count(f'[FEN "{fen.replace("w", "w - -")}"]') == played.count("# {") == 2
