"""Positions of random games compared with Fairy-Stockfish's library: moves, check, the end, and FEN in and out.

Pieces that it does not know are described to it in Betza's notation, which tests these names as well.
"""

from __future__ import annotations

import random

import pytest

from standstill.engine.variants.betza import betza
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import fen, move_text

pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")

CATALOG = Catalog()
# Our names and those of Fairy-Stockfish.
SHARED = [
    *((name, name) for name in ("nocastle", "knightmate", "berolina", "makruk", "capablanca", "kingofthehill")),
    *(
        (name, name)
        for name in ("seirawan", "spartan", "courier", "asean", "ai-wok", "newzealand", "losalamos", "hoppelpoppel")
    ),
    # These games have the rules of games above, with other pieces.
    *(
        pytest.param(name, name, marks=pytest.mark.slow)
        for name in ("almost", "amazon", "chancellor", "embassy", "gothic", "janus", "modern")
    ),
]
SEEDS = [0, pytest.param(1, marks=pytest.mark.slow)]
# These games are played without castling, and their pieces are described in Betza's notation.
ARMIES = ["FIDE-Clobberers", "FIDE-Rookies", "Clobberers-Rookies"]
TALL = "maxRank = 10\nmaxFile = 10\npromotionRegionWhite = *10\npromotionRegionBlack = *1\n"


def described(name: str, variant: str, more: str = "") -> None:
    """Describe a game of ours without castling to Fairy-Stockfish."""
    game = CATALOG.find(name)
    letters = {piece.letter.lower(): number for number, piece in enumerate(game.pieces, 1) if number > 2}
    own = {letter: number for letter, number in letters.items() if letter not in "nbrqk"}
    lines = [f"customPiece{i} = {letter}:{betza(game, own[letter])}" for i, letter in enumerate(own, 1)]
    gone = [
        f"{word} = -"
        for word, letter in zip(("knight", "bishop", "rook", "queen"), "nbrq", strict=True)
        if letter not in letters
    ]
    choices = "".join(letter for letter in letters if letter != "k")
    text = "\n".join([f"[{variant}:chess]", "castling = false", f"promotionPieceTypes = {choices}", *gone, *lines])
    pyffish.load_variant_config(f"{text}\n{more}")


@pytest.fixture(scope="module")
def armies() -> None:
    for name in ARMIES:
        described(f"fairy/{name}", f"our-{name.lower()}")
    described("tall-capablanca", "our-grand", TALL + "doubleStepRegionWhite = *3\ndoubleStepRegionBlack = *8\n")


def compare(name: str, variant: str, start: str, seed: int) -> None:
    plies = 60 if seed else 25
    rng = random.Random(seed)
    ours, theirs = new_board(start, game=CATALOG.find(name)), start
    for _ in range(plies):
        moves = {move_text(ours, move): move for move in ours.legal_moves()}
        expected = pyffish.legal_moves(variant, theirs, [])
        assert plain(moves) == plain(expected), fen(ours)
        assert bool(ours.checkers) == pyffish.gives_check(variant, theirs, []), fen(ours)
        assert plain(pyffish.legal_moves(variant, fen(ours), [])) == plain(expected), fen(ours)
        # In makruk a counter may replace the en passant square, and the field of rights may be missing.
        read = new_board(theirs, game=ours.notation.game)
        assert plain(move_text(read, move) for move in read.legal_moves()) == plain(expected), theirs
        if not moves:
            return
        noisy = sorted(text for text in moves if text in expected and ours.noisy(moves[text]))
        text = rng.choice(noisy if noisy and rng.random() < 0.3 else sorted(set(moves) & set(expected)))
        ours.push(moves[text])
        theirs = pyffish.get_fen(variant, theirs, [text])


def plain(moves) -> set[str]:
    """Moves without piece letters, because promotion letters differ; letters of pieces in hand are the same."""
    return {text.rstrip("abcefghjklmnqrsw") for text in moves}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "variant"), SHARED)
def test_games_that_both_know(name: str, variant: str, seed: int) -> None:
    compare(name, variant, pyffish.start_fen(variant), seed)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [*(f"fairy/{name}" for name in ARMIES), "tall-capablanca"])
def test_pieces_told_by_their_names(armies, name: str, seed: int) -> None:
    variant = "our-grand" if name == "tall-capablanca" else f"our-{name.partition('/')[2].lower()}"
    placement = fen(new_board(game=CATALOG.find(name))).split()[0]
    compare(name, variant, f"{placement} w - - 0 1", seed)
