"""Games that allow only one promotion: the engine, every kind of input, and the output of `show`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import forked
from tests.variants.files import block, written
from tests.xboard.support import pong

DEBIAN = Path("/usr/share/games/fairymax/fmax.ini")
FEW = {
    "white_pawn": "p:100 -16,6 -15,5 -17,5",
    "black_pawn": "p:100 16,6 15,5 17,5",
    "king": "k:-1 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7",
    "queen": "m:180 15,7 17,7 -15,7 -17,7",
}
# Positions in which a rook would mate, but the usual piece does nothing.
ONE_STEP = {
    "makruk": ("6k1/8/4P1K1/8/8/8/8/8 b - - 0 1", "8/8/6k1/4P3/6K1/8/8/8 w - - 0 1", "e5e6", "m"),
    "shatranj": ("", "6k1/4P3/6K1/8/8/8/8/7R w - - 0 1", "e7e8", "q"),
    "courier": ("", "10k1/8P3/10K1/12/12/12/12/11R w - - 0 1", "i7i8", "f"),
}


def moves(executable: Path, game: str, fen: str, *more: str) -> list[str]:
    command = [str(executable), "variants", "moves", game, "--fen", fen, *more]
    return forked.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("game", ONE_STEP)
def test_the_usual_piece_alone(executable: Path, xboard, game: str) -> None:
    _, fen, move, letter = ONE_STEP[game]
    assert [text for text in moves(executable, game, fen) if text.startswith(move)] == [move + letter]
    for text, accepted in ((move, True), (move + letter, True), (f"{move}r", False), (f"{move}n", False)):
        xboard.send("new", f"variant {game}", "force", f"setboard {fen}", f"usermove {text}")
        assert pong(xboard) == ([] if accepted else [f"Illegal move: {text}"])


STAYS = "10/10/5k4/1P8/10/10/10/7K2/10/10 w - - 0 1"  # in grand a pawn may wait for the last rank


def test_a_pawn_that_may_promote_later_stays_a_pawn(executable: Path, engine, tmp_path: Path) -> None:
    """Every reader once read a move without a letter as the first promotion, even the engine's own move."""
    engine.send("setoption name UCI_Variant value grand", f"position fen {STAYS} moves b7b8", "d")
    assert "Fen: 10/10/1P3k4/10/10/10/10/7K2/10/10 b - - 0 1" in engine.read_until("Goal:")
    engine.send(f"position fen {STAYS} moves b7b8q", "d")
    assert "Fen: 10/10/1Q3k4/10/10/10/10/7K2/10/10 b - - 0 1" in engine.read_until("Goal:")
    engine.send(f"position fen {STAYS} moves b7b8 f8f7 b8b9 f7f8 b9b10", "d")
    assert "Fen: 1Q8/10/5k4/10/10/10/10/7K2/10/10 b - - 0 3" in engine.read_until("Goal:")  # it must promote here
    file = tmp_path / "game.pgn"
    for line in ("1. b8 Kf7 2. b9 Kf8 3. b10=Q *", "1. b7-b8 Kf7 2. b8b9 Kf8 3. b9b10q *", "1. b8=Q Kf7 2. Qb9 *"):
        file.write_text(f'[Variant "grand"]\n[FEN "{STAYS}"]\n[Result "*"]\n\n{line}\n', encoding="ascii")
        assert forked.run([str(executable), "tag", str(file)], capture_output=True, check=False).returncode == 0, line


def test_with_xboard_a_pawn_promotes_where_it_may(xboard) -> None:
    """XBoard makes a queen of any pawn that reaches this rank, whatever move text it gets."""
    fen = "10/7K2/3n3P2/P1k1q1P3/10/3b6/10/10/10/8c1 w - - 0 1"
    xboard.send("new", "variant grand", "force", f"setboard {fen}", "sd 5", "go")
    (move,) = [line.split()[1] for line in xboard.read_until("move") if line.startswith("move")]
    assert move != "g6g7"


def test_uci_refuses_another_piece(engine) -> None:
    _, fen, move, letter = ONE_STEP["makruk"]
    engine.send("setoption name UCI_Variant value makruk", f"position fen {fen} moves {move}r", "go depth 1")
    lines = engine.read_until("bestmove")
    assert any("illegal move 'e5e6r'" in line for line in lines)
    engine.send(f"position fen {fen}", f"go depth 2 searchmoves {move} {move}r {move}{letter}")
    assert engine.read_until("bestmove")[-1].split()[1] == move + letter


@pytest.mark.parametrize("fen", ["10/P9/10/10/5k4/10/5K4/10 w - - 0 1", "10/5k4/10/5K4/10/10/p9/10 b - - 0 1"])
def test_no_pawn_of_great_shatranj_becomes_a_general(executable: Path, fen: str) -> None:
    """Pawns promote to any other lost piece (Joe Joyce, chessvariants.com)."""
    found = [text for text in moves(executable, "great", fen) if text[0] == "a"]
    assert sorted(text[4:] for text in found) == ["e", "h", "m", "n", "w"]


REASON = "no piece has the letter z"


def test_uci_refuses_an_unknown_letter(engine) -> None:
    """If the letter were ignored, the engine would play a move that the client has not sent."""
    fen = "10/6P3/10/k9/10/10/10/K9 w - - 0 1"
    for text, accepted in (("g7g8z", False), ("g7g8", True), ("g7g8c", True)):
        engine.send("setoption name UCI_Variant value capablanca", f"position fen {fen} moves {text}", "isready")
        told = [line for line in engine.read_until("readyok") if "illegal move" in line]
        expected = [] if accepted else [f"'g7g8z': {REASON} at move 1: the rest is ignored"]
        assert [line.rpartition("illegal move ")[2] for line in told] == expected


@pytest.mark.parametrize(("game", "move"), [("capablanca", "g2g3"), ("makruk", "e3e4"), ("makruk", "e5e6")])
def test_xboard_refuses_an_unknown_letter(xboard, game: str, move: str) -> None:
    """The engine also refuses the letter after a non-promoting move, where it ignores letters of pieces."""
    xboard.send("new", f"variant {game}", "force")
    if move == "e5e6":
        xboard.send(f"setboard {ONE_STEP[game][1]}")
    pong(xboard)
    xboard.send(f"usermove {move}z", f"usermove {move}")
    assert pong(xboard) == [f"Illegal move (no piece has the letter z): {move}z"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("written_as", ["e6=Z", "e6Z", "e5e6z", "e5-e6=z"])
def test_an_unknown_letter_in_a_game(executable: Path, tmp_path: Path, written_as: str) -> None:
    file = tmp_path / "game.pgn"
    text = f'[Variant "makruk"]\n[FEN "{ONE_STEP["makruk"][1]}"]\n[Result "*"]\n\n1. {written_as} *\n'
    file.write_text(text, encoding="ascii")
    done = forked.run([str(executable), "tag", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == text
    assert done.stderr.splitlines()[0].lower().endswith(f"illegal move '{written_as.lower()}': {REASON}")


def test_where_the_file_decides_any_piece_may_be_named(executable: Path, xboard) -> None:
    """XBoard adds the letter of the piece that its user chose, whatever the rules."""
    fen = "5k6/P11/12/12/12/12/12/12/12/12/12/5K6 w - - 0 1"
    for text, accepted in (("a11a12g", True), ("a11a12", True), ("a11a12z", False)):
        xboard.send("new", "variant grande-acedrex", "force", f"setboard {fen}")
        pong(xboard)
        xboard.send(f"usermove {text}")
        assert bool(pong(xboard)) == (not accepted)


def test_games_read_promotions_of_both_kinds(executable: Path, tmp_path: Path) -> None:
    for written_as, status in (("e6=M", 0), ("e6", 0), ("e6=R", 1)):
        file = tmp_path / "game.pgn"
        text = f'[Variant "makruk"]\n[FEN "{ONE_STEP["makruk"][1]}"]\n[Result "*"]\n\n1. {written_as} *\n'
        file.write_text(text, encoding="ascii")
        done = forked.run([str(executable), "tag", str(file)], capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("weak", ["m:180", "m:249"])
def test_a_line_allows_choice_again(executable: Path, tmp_path: Path, weak: str) -> None:
    few = FEW | {"queen": FEW["queen"].replace("m:180", weak)}
    table = "# PNBR.MKpnbr.mk # fairy"
    one = block("Game: one", **few)
    free = block(f"Game: free {table}", "# choice", "#", "# M& F", **few)
    file = str(written(tmp_path, one, free, block("Game: after")))
    fen = "6k1/4P3/6K1/8/8/8/8/8 w - - 0 1"
    assert [m for m in moves(executable, "one", fen, "--file", file) if m[:4] == "e7e8"] == ["e7e8m"]
    assert [m for m in moves(executable, "free", fen, "--file", file) if m[:4] == "e7e8"] == [
        *("e7e8b", "e7e8m", "e7e8n", "e7e8r")
    ]
    told = {}
    for game in ("one", "free", "after"):
        command = [str(executable), "variants", "show", game, "--file", file]
        told[game] = forked.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-4:]
    assert told["one"][2:] == ["White's pawns promote on rank 8: M only", "Black's pawns promote on rank 1: M only"]
    assert told["free"][0] == "White's pawns promote on rank 8: M or N or B or R"
    assert told["free"][2:] == ["# choice", "   Pawns may promote to any piece."]
    assert told["after"][3] == "Black's pawns promote on rank 1: Q or N or B or R"


def test_the_line_stands_below_the_pieces(executable: Path, tmp_path: Path) -> None:
    """If this line stood among the piece lines, Fairy-Max would send it to the client as a piece."""
    file = written(tmp_path, block("Game: free", "#", "# M& F", "# choice", **FEW))
    done = forked.run([str(executable), "variants", "check", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "expected # choice directly below the pieces" in done.stderr


def test_fairymax_reads_a_file_with_the_line(client_program, tmp_path: Path) -> None:
    free = block("Game: free # PNBR.MKpnbr.mk # fairy", "# choice", "", "A file may not end with a game.", **FEW)
    file = written(tmp_path, free)
    said = subprocess.run(
        [client_program("fairymax"), "22", str(file)],
        input="xboard\nprotover 2\nvariant free\nping 1\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    ).stdout
    assert 'variants="free"' in said and "8x8+0_fairy rnbmkbnr" in said and "choice" not in said


@pytest.mark.sampled(2)
@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's fairymax is not installed")
@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("Ai-wok", "White's pawns promote on rank 6: A only"),
        ("asean", "White's pawns promote on rank 8: R or Q or B or N"),
        ("grande-acedrex", "White's pawns promote on rank 12: by file R L U G C A A C G U L R"),
        ("spartan", "White's pawns promote on rank 8: Q or L or N or B or R or C or W or G or K"),
    ],
)
def test_show_says_what_is_allowed(executable: Path, game: str, said: str) -> None:
    command = [str(executable), "variants", "show", game, "--file", str(DEBIAN)]
    assert forked.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-2] == said


@pytest.mark.parametrize(
    "fen",
    [
        "1kk5/8/8/8/8/8/7h/4K3 b - - 0 48",  # Black has both kings,
        "2k5/8/8/8/8/8/7h/4K3 b - - 0 48",  # and only one
        "2k5/7P/8/8/8/8/8/4K3 w - - 0 48",
    ],
)
def test_spartan_pawns_join_their_own_army(executable: Path, fen: str) -> None:
    """Our engine used to promote Spartans to a queen, for which an arbiter forfeits the game."""
    pyffish = pytest.importorskip("pyffish")
    assert moves(executable, "spartan", fen) == sorted(pyffish.legal_moves("spartan", fen, []))


def test_own_army_in_any_game(executable: Path, tmp_path: Path) -> None:
    """The sides of this game have different pieces: a rook for White, a queen for Black."""
    game = block("Game: mine", "# promotion own").replace("6 4 5 7 3 5 4 6", "6 0 0 0 3 0 0 0", 1)
    game = game.replace("6 4 5 7 3 5 4 6", "0 0 0 7 3 0 0 0", 1)
    file = written(tmp_path, game)
    for fen, letters in (("k7/7P/8/8/8/8/8/K7 w - - 0 1", "r"), ("k7/8/8/8/8/8/7p/K7 b - - 0 1", "q")):
        found = moves(executable, "mine", fen, "--file", str(file))
        assert [text[4:] for text in found if text[0] == "h"] == [letters]


def test_show_tells_where_pawns_may_promote_and_where_they_must(executable: Path) -> None:
    """Grand chess: a pawn may promote on the last three ranks, and must promote on the last (Christian Freeling)."""
    shown, page = (
        forked.run([str(executable), "variants", "show", "grand", *more], capture_output=True, text=True, check=True)
        for more in ([], ["--html", "-"])
    )
    lines = shown.stdout.splitlines()
    assert "White's pawns may promote from rank 8 on, and must on rank 10: Q or N or B or R or A or C" in lines
    assert "Black's pawns may promote from rank 3 on, and must on rank 1: Q or N or B or R or A or C" in lines
    assert "# choice" in lines and "<code># choice</code></li>" in page.stdout
    assert "may promote from rank 8 on, and must on rank 10" in page.stdout
