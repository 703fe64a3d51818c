"""Pieces in Betza's notation, compared with step numbers and with Fairy-Stockfish's reading of the same text."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standstill.cext.bindings.perft import perft
from standstill.engine.common.errors import DefinitionError, NotationError
from standstill.engine.variants.betza import EIGHTHS, betza, named_rays
from standstill.engine.variants.betza_reader import rays_of
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.definition import Definition, Ray, step_of
from standstill.engine.variants.fairymax import parse, read_file
from standstill.engine.variants.notation import fen, move_text
from tests import forked
from tests.fuzz.targets import read_again
from tests.variants import reference
from tests.variants.files import block, text_of

DEBIAN = Path("/usr/share/games/fairymax/fmax.ini")
GAMES = [*Catalog(), *(read_file(str(DEBIAN)).games if DEBIAN.exists() else ())]
NAMED_CHESS = {
    "white_pawn": "p:100 fmWfceFifmnD",
    "black_pawn": "p:100 bmWbceFibmnD",
    "king": "k:-1 KisO2",
    "knight": "n:325 N",
    "bishop": "b:325 B",
    "rook": "R:500 R",
    "queen": "Q:950 Q",
}


def by_names(game: Definition) -> Definition:
    """The game with all pieces read back from their names."""
    pieces = enumerate(game.pieces, 1)
    return replace(game, pieces=tuple(replace(p, rays=rays_of(betza(game, n), n <= 2)) for n, p in pieces))


def same_moves(game: Definition, named: Definition, start: str | None, rng: random.Random, plies: int) -> None:
    first, second = new_board(start, game=game), new_board(start, game=named)
    for _ in range(plies):
        moves = sorted(first.legal_moves())
        assert sorted(second.legal_moves()) == moves, fen(first)
        assert bool(first.checkers) == bool(second.checkers)
        if not moves:
            return
        noisy = [move for move in moves if first.noisy(move)]
        move = rng.choice(noisy if noisy and rng.random() < 0.3 else moves)
        first.push(move)
        second.push(move)


def scattered(game: Definition, rng: random.Random) -> str | None:
    """A position with random pieces of the game; None if the game cannot have it."""
    letters = "".join({piece.letter for piece in game.pieces if not piece.is_royal})
    squares = [""] * game.squares
    for sq in rng.sample(range(game.width, game.squares - game.width), game.squares // rng.choice((3, 5))):
        squares[sq] = rng.choice(letters.upper() + letters.lower())
    for colour in (0, 1):
        royal = next(piece.letter for n, piece in enumerate(game.pieces, 1) if piece.is_royal and n in game.men(colour))
        edge = rng.randrange(game.width) + (game.squares - game.width if colour else 0)
        squares[edge] = royal.lower() if colour else royal.upper()
    ranks = []
    for rank in range(game.height - 1, -1, -1):
        row = "".join(man or "." for man in squares[rank * game.width : (rank + 1) * game.width])
        ranks.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
    text = f"{'/'.join(ranks)} w - - 0 1"
    try:
        new_board(text, game=game)
    except NotationError:
        return None
    return text


@pytest.mark.sampled(19)
@pytest.mark.parametrize("game", GAMES, ids=[f"{n}-{game.name}" for n, game in enumerate(GAMES)])
def test_names_of_all_pieces_are_read_as_the_same_moves(game: Definition) -> None:
    rng = random.Random(game.name)
    named = by_names(game)
    same_moves(game, named, None, rng, 60)
    if all(any(game.piece(number).is_royal for number in game.men(colour)) for colour in (0, 1)):
        for _ in range(10):
            if start := scattered(game, rng):
                same_moves(game, named, start, rng, 3)


def test_chess_in_names_is_chess() -> None:
    game = parse(text_of(block("Game: mine", **NAMED_CHESS))).games[0]
    start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"  # CPW, "Perft Results", 2
    assert [perft(new_board(start, game=game), depth) for depth in (1, 2, 3)] == [48, 2039, 97862]


# Leaps, sliders, riders, limited and lame moves, hoppers, all directions.
TOLD = [
    *("W", "F", "D", "N", "A", "H", "C", "Z", "G", "B", "R", "Q", "K", "NN", "W0", "F0", "R4", "B3", "W2", "N2"),
    *("fW", "fsW", "vR", "lrB", "fF", "flF", "fR2", "bB", "lW", "fhN", "ffN", "fsN", "bbN", "vN", "sN", "llN", "fbN"),
    *("fsF", "bsB", "KK"),
    *("lhN", "rhC", "fhZ", "fsC", "lfF", "mQ", "cQ", "mRcB", "mNcK", "fmWfcF", "fcmRbsW", "WfF", "FfW", "KAD"),
    *("ffnN", "bbnN", "vnN", "snN", "fsnN", "bsnN", "fhnN", "cffnN", "rhnN", "llnN", "ffnNbW", "mllnNcrrnN"),
    *("nN", "nD", "nA", "mnD", "cnN", "pR", "pB", "cpR", "mpQ", "mRcpR", "gQ", "gR", "cgB", "fpR"),
]  # fmt: skip


@pytest.mark.sampled(8)
@pytest.mark.parametrize("text", TOLD)
def test_fairy_stockfish_reads_the_same(text: str) -> None:
    pyffish = pytest.importorskip("pyffish")
    variant = "told" + text.encode().hex()
    pyffish.load_variant_config(f"[{variant}:chess]\ncustomPiece1 = x:{text}\ncastling = false\n")
    pieces = {**NAMED_CHESS, "king": "k:-1 K", "white_pawn": "p:100 fmWfcF", "black_pawn": "p:100 bmWbcF"}
    game = parse(text_of(block("Game: mine", f"x:500 {text}", **pieces))).games[0]
    rng = random.Random(text)
    compared = 0
    while compared < 12:
        squares = ["P" if rng.random() < 0.15 else "p" if rng.random() < 0.2 else "1" for _ in range(64)]
        squares[rng.randrange(24, 40)] = "X"
        squares[rng.randrange(8)], squares[rng.randrange(56, 64)] = "k", "K"
        squares[:8] = ["1" if man in "pP" else man for man in squares[:8]]
        squares[56:] = ["1" if man in "pP" else man for man in squares[56:]]
        rows = "/".join("".join(squares[at : at + 8]) for at in range(0, 64, 8))
        start = re.sub("1+", lambda empty: str(len(empty[0])), rows) + " w - - 0 1"
        try:
            board = new_board(start, game=game)
        except NotationError:
            continue
        place = next(f"{'abcdefgh'[at % 8]}{8 - at // 8}" for at in range(64) if squares[at] == "X")
        ours = {move_text(board, move) for move in board.legal_moves()}
        theirs = pyffish.legal_moves(variant, start, [])
        assert {m for m in ours if m.startswith(place)} == {m for m in theirs if m.startswith(place)}, start
        compared += 1


@pytest.mark.parametrize(
    ("letter", "count", "steps"),
    [("N", 8, {1, 16}), ("D", 4, {1, 16}), ("A", 4, {15, 17}), ("C", 8, {1, 16}), ("H", 4, {1, 16})],
)
def test_initial_leaps_begin_with_a_step_along_their_longer_side(letter: str, count: int, steps: set[int]) -> None:
    """A rank of a definition has 16 squares."""
    rays = rays_of(f"i{letter}")
    assert (len(set(rays)), {ray.step for ray in rays}) == (count, steps | {-step for step in steps})


@pytest.mark.parametrize(
    ("letter", "words"),
    [
        ("W", ("f", "b", "l", "r", "v", "s")),
        ("F", ("fl", "fr", "bl", "br")),
        ("N", ("ff", "bb", "ll", "rr", "fs", "bs", "fh", "bh", "lh", "rh", "v", "s")),
    ],
)
def test_directions_add_up(letter: str, words: tuple[str, ...]) -> None:
    """Two directions in either order mean both, and three directions mean all three."""
    alone = {word: set(rays_of(word + letter)) for word in words}
    assert all(alone.values())
    for one, other in permutations(words, 2):
        assert set(rays_of(one + other + letter)) == alone[one] | alone[other], one + other
    for three in zip(words, words[1:], words[2:], strict=False):
        assert set(rays_of("".join(three) + letter)) == set().union(*(alone[word] for word in three)), three


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("jD", "1,BC 16,BC -1,BC -16,BC"),
        ("nH", "1,470 16,470 -1,470 -16,470"),
        ("oR", "1,103 -1,103 16,103 -16,103"),
        ("ifmD", "-16,E4"),
        ("irO3", "1,34,2"),
        ("ilO4", "-1,34,-3"),
        ("fyafrW", "-16,30,-15"),
        ("tgabyabsR", "16,CB8,15 16,CB8,17 -16,CB8,-15 -16,CB8,-17 1,CB8,-15 1,CB8,17 -1,CB8,15 -1,CB8,-17"),
    ],
)
def test_numbers_by_the_specification(text: str, numbers: str) -> None:
    game = parse(text_of(block("Game: mine", f"x:500 {numbers}"))).games[0]
    assert set(rays_of(text)) == set(game.piece(8).rays)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("fmWfceFifmnD", "-16,24 -16,6 -15,5 -17,5"),
        ("fmWfcFifmnD", "-16,64 -16,6 -15,5 -17,5"),  # cannot capture or be captured en passant
        ("fmWfceFifmW3", "-16,424 -16,24 -16,6 -15,5 -17,5"),
        ("fmWfceFifmW3iifmnD", "-16,C24 -16,24 -16,6 -15,5 -17,5"),
        ("fmFfceWifmnA", "-15,24 -17,24 -16,5 -15,6 -17,6"),
    ],
)
def test_pawns(text: str, numbers: str) -> None:
    game = parse(text_of(block("Game: mine", white_pawn=f"p:100 {numbers}"))).games[0]
    rays = rays_of(text, pawn=True)
    assert set(rays) == set(game.piece(1).rays)
    assert rays[0].rights == game.piece(1).rays[0].rights, "the triple step comes first"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("fmWfmceFifmnD", "fmWfmceFifmnD"),  # moves as it captures, also en passant
        ("fmWfcfmnDcfmfceFifmnD", "fmWfmcenDfmceFifmnD"),  # found by fuzzing
        ("fmceNifmnD", "ffmceNifmnD"),
        ("fmcenNifmnD", "ffmcenNifmnD"),
        ("fyafscmeFifmnD", "fyafsmceFifmnD"),
        ("fceFiW3ifmW3iifmnD", "fceFifmW3imcenHimcenDiifmnD"),
        ("fmFlrF", "FfmF"),  # not fmFF, which is a slider
        ("fmWfcFsoifmnD", "fmWfcFismonDifmnD"),  # across the edges of a cylinder
    ],
)
def test_what_pawns_are_called(text: str, name: str) -> None:
    rays = rays_of(text, pawn=True)
    game = Catalog().find("shatranj")  # the enemy pawn cannot be captured en passant
    game = replace(game, pieces=(replace(game.pieces[0], rays=rays), *game.pieces[1:]))
    assert betza(game, 1) == name
    read_again(text, 1)


REFUSED = {
    "qW": "rays cannot express the modifier q",
    "nR": "rays can express a lame N, D, A, H, G, C or Z, found n before R",
    "fmnB": "rays can express a lame N, D, A, H, G, C or Z, found n before B",
    "nQ": "rays can express a lame N, D, A, H, G, C or Z, found n before Q",
    "nW0": "expected no range after a lame move (n)",
    "fK": "expected no direction before K, which programs read in different ways, found 'fK'; did you mean fWfF?",
    "frN": "expected directions of oblique moves such as ff, fs, fh, ll, v and s, found fr",
    "hW": "expected directions of straight moves",
    "W7": "expected a range of up to 5, or 0 for any, found 7",
    "jR": "rays can express j, a piece that must be jumped over, only for D and A",
    "pW": "rays can express only hoppers that slide to any distance",
    "npR": "expected one of j, n, p and g",
    "ppR": "expected one of j, n, p and g",
    "ipR": "initial moves cannot hop",
    "nD3": "expected no range after a lame move (n)",
    "iW": "rays can express only initial leaps of more than one step",
    "inD": "rays can express lame initial moves only of pawns",
    "iifmnD": "expected ii, a second double step, only in a pawn's iifmnD",
    "iicnD": "expected ii, a second double step, only in a pawn's iifmnD",
    "yafsceF": "expected e only in captures of a pawn",
    "ceF": "expected e only in captures of a pawn",
    "O1": "expected castling by 2 to 4 files",
    "fO2": "expected castling by 2 to 4 files",
    "L": "expected one of the atoms WFDNAHCZGRBQKO, found L",
    "camK": "expected a path such as yafsF",
    "aW": "expected the turn of the path, such as f, s, fs, bs or fr, found nothing",
    "afxW": "expected the turn of the path, such as f, s, fs, bs or fr, found x",
    "cafsF": "rays cannot express c on a first leg",
    "ttgabyabsR": "expected one g, and t or nothing, before the first a",
    "R-": "expected moves in Betza's notation, found '-'",
    "R01234": "expected moves in Betza's notation, found '234'",
    "[W-F]": "expected STEP,RIGHTS",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_numbers_cannot_hold_is_named(text: str) -> None:
    line = f"n:325 W {text}"
    with pytest.raises(DefinitionError) as error:
        parse(text_of(block("Game: mine", knight=line)), "mine.ini")
    assert str(error.value).startswith("mine.ini:20:9: ") and REFUSED[text] in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "board", "message"),
    [
        ("n:325 H", "3x8", "expected a step that stays on a board of 3x8, found 'H'"),
        ("n:325 " + "Q" * 16 + "R" * 9, "8x8", "expected a step"),
        ("n:325 " + "N " * 9 + "0,-4 N", "8x8", "expected no ray after a suffix, found 'N'"),
        ("n 325 N", "8x8", "expected a colon after the letter of a piece, found 'n 325 N'"),
        ("\nn:325 N", "8x8", "expected no blank line before piece 4"),
        ("n:325 " + "NCZ" * 6, "8x8", ""),
    ],
)
def test_lines_with_names(line: str, board: str, message: str) -> None:
    array = "6 3 4" if board == "3x8" else "6 4 5 7 3 5 4 6"
    text = text_of(block("Game: mine", board=board, array=array, knight=line))
    if not message or message == "expected a step":
        rays = parse(text).games[0].piece(4).rays
        assert len(rays) == len(set(rays)) <= 24
        return
    with pytest.raises(DefinitionError, match=re.escape(message)):
        parse(text)


def test_names_and_numbers_in_one_line() -> None:
    game = parse(text_of(block("Game: mine", knight="n:325 ffN 14,7 fW2 0,3"))).games[0]
    assert set(map(str, game.piece(4).rays)) == {"-31,7", "-33,7", "14,7", "-16,43"} and game.piece(4).suffix == 3


BENT = ["NmpafsafF", "NmpafsyafW", "mpafsyafW", "FyafsF", "afsW", "nH", "jA", "tgabyabsR"]


@pytest.mark.sampled(18)
@pytest.mark.parametrize("text", [*TOLD, *BENT])
def test_what_is_read_has_a_name(text: str) -> None:
    game = parse(text_of(block("Game: mine", f"x:500 {text}"))).games[0]
    assert set(rays_of(betza(game, 8))) == set(rays_of(text))


def scattered_men(rng: random.Random) -> dict[tuple[int, int], tuple[int, int]]:
    """Knights of both sides around White's piece 4 on (7, 7)."""
    squares = [(x, y) for x in range(16) for y in range(16)]
    return {square: (rng.randrange(2), 5) for square in rng.sample(squares, 60)} | {(7, 7): (0, 4)}


@pytest.mark.parametrize("mode", [0x0, 0x2, 0x3, 0x8, 0xA, 0xC])
def test_turning_rays_of_all_rights_are_named_truly_or_not_at_all(mode: int) -> None:
    """Two rays that turn to either side, by each angle, with every toggle and every right of a platform."""
    shatranj = replace(Catalog().find("shatranj"), width=16, height=16)
    rng = random.Random(mode)
    places = [scattered_men(rng) for _ in range(8)]
    pieces, names = [*shatranj.pieces], 0

    def targets(rays: tuple[Ray, ...]) -> list[set[tuple]]:
        pieces[3] = replace(pieces[3], rays=rays)
        game = replace(shatranj, pieces=tuple(pieces))
        return [reference.walk(reference.State(game, men, set()), (7, 7)) for men in places]

    for turn, toggle, extra in itertools.product((1, 2, 3), range(16), (0, 4, 8, 12)):
        ahead, *sides = (step_of(*EIGHTHS[at]) for at in (0, turn, -turn))
        rays = tuple(Ray(ahead, extra << 8 | toggle << 4 | mode, ahead ^ side) for side in sides)
        expected = targets(rays)
        name, nameless = named_rays(replace(shatranj, pieces=tuple(pieces)), 4)
        if not nameless:
            names += 1
            assert targets(rays_of(name)) == expected, (name, f"{mode:X} {toggle:X} {extra:X}")
    assert (names > 0) == (mode != 0xC), names


TERMS = st.builds(
    "".join,
    st.tuples(
        st.text("fblrsvh", max_size=2),
        st.text("mcijnopge", max_size=3),
        st.sampled_from([*"WFDNAHCZGRBQKO", "NN", "yafsW", "afsF", "gabyabsR", "mpafsyafW"]),
        st.sampled_from(["", "", "0", "2", "3", "5"]),
    ),
)

WORDS = ["fmW", "fceF", "ifmnD", "iW3", "iifmonD", "fmF", "fceW", "ifmnA", "fmce", "iifmnD", "ifmW3", "yafs", "afs"]
PARTS = st.sampled_from([*WORDS, *"WFDNAHRBnocmeifgpy23blrj0"])


@settings(max_examples=100)
@given(
    st.lists(TERMS, min_size=1, max_size=4).map("".join)
    | st.text("fblrsvhmcijnopgeayt0123WFDNARBQKO", max_size=12)
    | st.lists(PARTS, min_size=1, max_size=8).map("".join)
)
def test_what_is_read_is_named_and_read_again(text: str) -> None:
    for number in (1, 4):
        read_again(text, number)


def test_show_and_check_tell_both_forms(executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.ini"
    file.write_text(text_of(block("Game: mine", **NAMED_CHESS)), encoding="utf-8")
    shown, checked = (
        forked.run([str(executable), "variants", *words], capture_output=True, text=True, check=True).stdout
        for words in (("show", "mine", "--file", str(file)), ("check", "--explain", str(file)))
    )
    numbers = "k:-1 -1,34 1,34 -16,7 -1,7 1,7 16,7 -17,7 -15,7 15,7 17,7"
    line = next(line.strip() for line in shown.splitlines() if line.strip().startswith("k:-1"))
    assert " 3 k     -1  KisO2  (royal, both sides)" in shown
    assert sorted(line.split()) == sorted(numbers.split())
    assert f"mine 3 KisO2 = {line}" in checked and checked.splitlines()[-1].endswith("1 game, no errors")
