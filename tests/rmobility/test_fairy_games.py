"""R-Mobility results of games by definition, compared with a naive count by pyffish; and games written by XBoard."""

from __future__ import annotations

import random

import pytest

from standstill.engine.archive.fairy_scoring import whole_rights
from standstill.engine.archive.scorer import Scorer
from standstill.engine.archive.scoring_rules import ScoringRules
from standstill.engine.archive.tagging import Wishes
from standstill.engine.variants.catalog import Catalog
from tests.rmobility.test_tagging import tag, tags

# Our name and Fairy-Stockfish's.
SHARED = [
    *(("capablanca", "capablanca"), ("knightmate", "knightmate"), ("losalamos", "losalamos"), ("makruk", "makruk")),
    *(("gothic", "gothic"), ("janus", "janus"), ("nocastle", "nocastle"), ("seirawan", "seirawan")),
]


def score(text: str, variant: str = ""):
    data = text.encode()
    return Scorer(ScoringRules(), variant=variant).score(data, 0, len(data), detail=True)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "variant"), SHARED, ids=[name for name, _ in SHARED])
def test_a_random_game_has_the_goals_that_pyffish_counts(name: str, variant: str) -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    rng = random.Random(5)
    start = position = pyffish.start_fen(variant)
    legal, moves, counts, resets = pyffish.legal_moves(variant, start, []), [], [], []
    while len(moves) < 60 and legal:
        moves.append(rng.choice(legal))
        position = pyffish.get_fen(variant, position, moves[-1:])
        legal = pyffish.legal_moves(variant, position, [])
        counts.append(len(legal))
        resets.append(position.split()[-2] == "0")
    words = pyffish.get_san_moves(variant, start, moves)  # one call, because each costs milliseconds
    codes = [2 * count + (word[-1] not in "+#") for count, word in zip(counts, words, strict=True)]
    numbered = [f"{ply // 2 + 1}. {word}" if ply % 2 == 0 else word for ply, word in enumerate(words)]
    game = score(f'[Variant "{name}"]\n\n{" ".join(numbered)} *\n')
    assert game.problem is None
    assert game.score.codes[1:] == codes
    assert game.score.resets[1:] == resets
    last_reset = max((ply for ply, reset in enumerate(resets) if reset), default=-1)
    assert (game.goal.code, game.goal.owner) == lowest(codes, max(last_reset, 0))
    assert (game.whole.code, game.whole.owner) == lowest(codes, 0)


def lowest(codes: list[int], first: int) -> tuple[int, int]:
    """(code, owner) of the first lowest code from ply ``first`` on; even indices are White's."""
    best = min(range(first, len(codes)), key=lambda at: codes[at])
    return codes[best], best % 2


@pytest.mark.parametrize(
    ("variant", "words", "plies"),
    [
        # XBoard does not write a hoplite as a pawn, and writes diagonal pawn moves with the file of origin.
        ("spartan", "1. Nc3 {-2.27/12} Hdf5 {+1.03/5 0.1} 2. g4 Hed6 3. e4 Lf6 4. Nf3 Lc6 5. exf5 Hhg6", 10),
        ("berolina", "1. Nf3 bd5 2. Nc3 cd6 3. fd4 dxd4 4. Nxd4 fd5 5. ec4", 9),
        # In Knightmate only the royal piece's own move is written for castling.
        ("knightmate", "1. e3 d6 2. Bd3 c6 3. f3 Be6 4. Mf2 Mc7 5. b3 Qd7 6. Bb2 Kc8 7. a4", 13),
        ("makruk", "1. Mf2 (1. Me2 {no}) 1... e5 $1 ; to the end of the line\n2. d4 exd4 3. exd4", 5),
    ],
)
def test_games_as_xboard_writes_them(variant: str, words: str, plies: int) -> None:
    game = score(f'[Variant "{variant}"]\n[Result "1-0"]\n\n{words} 1-0\n')
    assert (game.problem, game.plies, str(game.goal)) == (None, plies, "G0.0")


JANUS = "r3k4r/pppppppppp/10/10/10/10/PPPPPPPPPP/R3K4R w KQkq - 0 1"
NINE_FILES = "r3k3r/ppppppppp/9/9/9/9/9/PPPPPPPPP/R3K3R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("variant", "position", "words", "castled"),
    [
        # XBoard 4.9.1 writes castling to the left as O-O in Janus, to the right as a king move; on nine files both are
        # O-O-O.
        ("janus", JANUS, "1. O-O O-O 2. Ka1 Ka8", "e1b1 e8b8 b1a1 b8a8"),
        ("janus", JANUS, "1. Ki1 O-O 2. Kj1 Ka8", "e1i1 e8b8 i1j1 b8a8"),
        ("modern", NINE_FILES, "1. O-O-O O-O-O 2. Kh1 Kb9", "e1g1 e9c9 g1h1 c9b9"),
        ("modern", NINE_FILES, "1. O-O-O O-O-O 2. Kb1 Kh9", "e1c1 e9g9 c1b1 g9h9"),
        # Other programs name the sides as in chess.
        ("janus", JANUS, "1. O-O O-O 2. Kj1 Kj8", "e1i1 e8i8 i1j1 i8j8"),
        ("janus", JANUS, "1. O-O-O O-O 2. Ka1 Kj8", "e1b1 e8i8 b1a1 i8j8"),
        ("modern", NINE_FILES, "1. O-O O-O-O 2. Kh1 Kb9", "e1g1 e9c9 g1h1 c9b9"),
    ],
)
def test_castling_to_the_side_that_the_game_goes_on_with(variant: str, position: str, words: str, castled: str) -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    game = score(f'[Variant "{variant}"]\n[FEN "{position}"]\n\n{words} *\n')
    assert (game.problem, game.plies) == (None, 4)
    assert all(
        move in pyffish.legal_moves(variant, position, castled.split()[:ply])
        for ply, move in enumerate(castled.split())
    )
    counts = [len(pyffish.legal_moves(variant, position, castled.split()[: ply + 1])) for ply in range(4)]
    assert [code // 2 for code in game.score.codes[1:]] == counts


CLOBBERERS, ROOKIES = "lecakcel/pppppppp/8/8/8/8/PPPPPPPP", "swhmkhws/pppppppp/8/8/8/8/PPPPPPPP"


@pytest.mark.parametrize(
    ("variant", "position", "words", "plies"),
    [
        # XBoard writes the array as a FEN, without rights for corners that have no rook.
        ("fairy", f"{CLOBBERERS}/RNBQKBNR w KQ - 0 1", "1. Nf3 Ee6 2. g3 Cd6 3. Bg2 g6 4. O-O O-O", 8),
        ("fairy/Clobberers-Rookies", f"{ROOKIES}/LECAKCEL w - - 0 1", "1. Ee3 a6 2. Cd3 b6 3. O-O", 5),
        # Rights are kept if the game has a name of its own.
        ("nocastle", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "1. e4 e5", 2),
    ],
)
def test_rights_that_xboard_leaves_out(variant: str, position: str, words: str, plies: int) -> None:
    game = score(f'[Variant "{variant}"]\n[FEN "{position}"]\n\n{words} *\n')
    assert (game.problem, game.plies) == (None, plies)


@pytest.mark.parametrize("rights", ["KQkq", "JAja"])
def test_a_game_of_capablanca_random_chess_without_castling(rights: str) -> None:
    """The goals equal those of the same game without the rights."""
    head = '[Variant "capablanca"]\n[FEN "rn2k4r/p8p/10/10/10/10/P8P/RN1QK4R w {} - 0 1"]\n\n1. a3 a6 2. {} a5 *\n'
    game, without = score(head.format(rights, "a4")), score(head.format("-", "a4"))
    assert (game.problem, game.plies, game.score.codes) == (None, 4, without.score.codes)
    castled = score(head.format(rights, "O-O"))
    assert (castled.fault_ply, castled.problem) == (
        3,
        "illegal move 'O-O': capablanca allows castling only from its array",
    )
    assert score(head.format("-", "O-O")).problem == "illegal move 'O-O'"


def test_rights_that_are_not_left_out() -> None:
    chess_like, clobberers = Catalog().find("3check"), Catalog().find("fairy/FIDE-Clobberers")
    array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    for game, text, rights in [
        (chess_like, f"{array} w KQ - 0 1", "KQ"),
        (clobberers, f"{CLOBBERERS}/RNBQKBNR w KQ - 0 1", "KQkq"),
        (clobberers, f"{CLOBBERERS}/RNBQKBNR w kq - 0 1", "kq"),
        (clobberers, f"{CLOBBERERS}/RNBQKBNR w 0 1", "0"),
        (clobberers, f"{CLOBBERERS}/RNBQKB1R w KQ - 0 1", "KQ"),
        (clobberers, f"{CLOBBERERS}/RNBQKBNR w", ""),
    ]:
        assert "".join(whole_rights(game, text).split()[2:3]) == rights


@pytest.mark.parametrize(
    ("variant", "position", "words", "result", "goal"),
    [
        # Counting ends the game before mate: 32 of 32 half-moves (a rook against the bare king).
        ("makruk", "8/8/4k3/8/8/4K3/8/R7 w - 32 32 80", "1. Ra2", "1/2-1/2", "G8.5"),
        ("makruk", "8/8/4k3/8/8/4K3/8/R7 w - 32 31 80", "1. Ra2 Kd6", "1/2-1/2", "G8.5"),
        # Both kings have reached the goal. The game is over, so being unable to move is not stalemate.
        ("racingkings", "8/1k4K1/8/8/8/8/8/8 w - - 0 1", "1. Kg8 Kb8", "1/2-1/2", "-G8.5"),
        ("racingkings", "8/6K1/1k6/8/8/8/8/8 w - - 0 1", "1. Kg8", "1-0", "G0.0"),
    ],
)
def test_a_draw_by_a_rule_of_the_game_leaves_the_record(
    variant: str, position: str, words: str, result: str, goal: str
) -> None:
    game = score(f'[Variant "{variant}"]\n[FEN "{position}"]\n[Result "{result}"]\n\n{words} {result}\n')
    assert (game.problem, game.contradiction, str(game.goal)) == (None, None, goal)


def test_what_is_ambiguous_or_illegal_is_named() -> None:
    game = score('[Variant "spartan"]\n\n1. Nc3 Hf5 *')
    assert (game.fault_ply, game.problem) == (2, "'Hf5' could be any of d7f5, h7f5")
    game = score('[Variant "capablanca"]\n\n1. Nc3 Nc6 2. Qd4 *')
    assert (game.fault_ply, game.problem) == (3, "illegal move 'Qd4'")
    assert score('[Variant "capablanca"]\n\n1. rubbish *').problem == "expected a move, found 'rubbish'"


def test_stalemate_that_loses_is_a_win() -> None:
    words = '[FEN "k7/p2K4/P7/8/8/8/8/8 w - - 0 1"]\n\n1. Kc7 *'
    assert str(score(f'[Variant "shatranj"]\n{words}').goal) == "G0.0"
    assert str(score(f'[Variant "nocastle"]\n{words}').goal) == "G0.5"


def test_what_ends_by_a_rule_is_a_win_whatever_can_be_played() -> None:
    hill = '[Variant "kingofthehill"]\n[FEN "k7/8/8/8/8/3K4/8/8 w - - 0 1"]\n\n1. Kd4'
    bared = '[Variant "shatranj"]\n[FEN "1r1k4/8/8/8/8/8/1R6/K1R5 b - - 0 1"]\n\n1... Rxb2 2. Kxb2'
    for text in (hill, bared):
        for result in ("*", "1-0"):
            game = score(f"{text} {result}")
            assert [str(goal) for goal in (game.goal, game.whole, game.over_the_board)] == ["G0.0"] * 3
            assert not game.provisional


def test_the_command_may_name_the_game() -> None:
    game = '[Variant "fairy"]\n[Result "*"]\n\n1. e4 Ed6 2. Nf3 *'
    found = tags(game, Wishes(variant="fairy/FIDE-Clobberers"))
    assert found["RMobilityResult"].startswith("G")
    _, summary, complaints = tag(game, Wishes(variant="capablanca"))
    assert summary.damaged == 1 and complaints[0].ply == 2
