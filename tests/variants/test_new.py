"""`variants new` writes files that are complete, playable and without warnings."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import OWN_FILE, load
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.notation import fen
from standstill.engine.variants.workshop.new import base_named, new_game, text_of
from standstill.engine.variants.workshop.warnings import warnings
from tests import forked

WISHES = "size", "army", "black", "pieces"
MADE = {
    "chess": (("normal",), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    "wide": (("normal", "10x8"), "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"),
    "small": (("crazyhouse", "6x6"), "rnqknr/pppppp/6/6/PPPPPP/RNQKNR[] w - - 0 1"),
    "tiny": (("normal", "5x5"), "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"),
    "two armies": (
        ("normal", "", "rnbckbnr", "rhbqkbhr", ("h=nN:250",)),
        "rhbqkbhr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1",
    ),
    "gaps": (("normal", "9x9", "r.n.k.q.r"), "r1n1k1q1r/ppppppppp/9/9/9/9/9/PPPPPPPPP/R1N1K1Q1R w KQkq - 0 1"),
    "sixteen": (
        ("makruk", "16x16", "rnsmkmsrrnsm.msr"),
        None,
    ),
}


def shape(game: Definition) -> tuple[object, ...]:
    """All that defines the game, except the order of rays, which Betza's notation does not keep."""
    pieces = [(piece.letter, piece.value, frozenset(piece.rays), piece.suffix) for piece in game.pieces]
    return game.width, game.height, game.zone, game.white, game.black, game.law_lines(), pieces


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("name", MADE)
def test_files_are_complete(name: str, numbers: bool) -> None:
    (base, *rest), start = MADE[name]
    game = new_game("mine", base_named(base), **dict(zip(WISHES, rest, strict=False)))
    remarks: list[str] = []
    (read,) = parse(text_of(game, "mine.ini", numbers), remarks=remarks).games
    assert shape(read) == shape(game) and all(piece.value for piece in read.pieces)
    found = [*remarks, *warnings(read)]
    assert not found or (game.width > 12 and all("Fairy-Max supports up to" in text for text in found)), found
    board = new_board(game=read)
    assert start is None or fen(board) == start
    rng = random.Random(name)
    for _ in range(60):  # a game that can be played
        if moves := board.legal_moves():
            board.push(rng.choice(moves))
            board.verify()


@pytest.mark.sampled(12)
@pytest.mark.parametrize("game", [game.name for game in load(OWN_FILE).games])
def test_every_game_can_be_a_base(game: str) -> None:
    """The rules remain the same."""
    base = base_named(game)
    (read,) = parse(text_of(new_game("mine", base), "mine.ini")).games
    assert set(read.law_lines()) == set(base.law_lines())
    ours, theirs = new_board(game=read), new_board(game=base)
    assert (fen(ours), ours.count_legal()) == (fen(theirs), theirs.count_legal())


REFUSED = {
    "army": (("normal", "", "xnbqkbnr"), "defined by --piece x=MOVES in --army, found 'x'"),
    "length": (("normal", "", "rnbqkbn"), "expected 8 letters in --army, found 'rnbqkbn'"),
    "Black's": (("normal", "", "", "rnbqkbnrr"), "expected 8 letters in --black, found 'rnbqkbnrr'"),
    "no king": (("normal", "", "rnbqrbnr"), "expected a royal piece (k) in --army, found 'rnbqrbnr'"),
    "size": (("normal", "8*8"), "expected a board such as 10x8, of 4 to 16 files and 5 to 16 ranks, found '8*8'"),
    "wide": (("normal", "14x8"), "expected --army with 14 letters for a board of 14 files"),
    "placement": (("grand", "8x8"), "expected 10x10, the board of the start position, found 8x8"),
    "piece": (("normal", "", "", "", ("e:FA",)), "expected a piece such as e=FA or e=FA:300, found 'e:FA'"),
    "moves": (("normal", "", "", "", ("e=fa",)), "did you mean FA?"),
    "pawn": (("normal", "", "", "", ("p=N",)), "expected another letter than p, which pawns have"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes(name: str) -> None:
    (base, *rest), said = REFUSED[name]
    with pytest.raises(DefinitionError, match=re.escape(said)):
        new_game("mine", base_named(base), **dict(zip(WISHES, rest, strict=False)))


def test_the_command(executable: Path, tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = forked.run(
            [str(executable), "variants", *words], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        return done.returncode, done.stdout + done.stderr

    assert run("new", "mine", "--size", "10x8") == (0, "mine.ini: mine, 10x8, 9 kinds of pieces\n")
    assert run("check", "mine.ini") == (0, "mine.ini: 1 game, no errors\n")
    kept = (tmp_path / "mine.ini").read_bytes()
    assert run("new", "mine") == (2, "standstill: expected a new file, found 'mine.ini'; name another one by -o\n")
    assert (tmp_path / "mine.ini").read_bytes() == kept
    assert run("new", "a/b:c?")[1].startswith("a-b-c-.ini: a/b:c?, ")
    assert (tmp_path / "a-b-c-.ini").is_file()
    assert run("new", "gated", "--from", "seirawan", "--size", "10x8")[0] == 0
    assert run("check", "gated.ini") == (0, "gated.ini: 1 game, no errors\n")
    status, said = run("new", "other", "--from", "capablnca")
    assert status == 2 and said.endswith("found 'capablnca'; did you mean capablanca?\n")
