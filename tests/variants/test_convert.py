"""`variants convert`: games from Fairy-Stockfish's format and to it, compared with its library move by move."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import OWN_FILE, load
from standstill.engine.variants.definition import Definition
from standstill.engine.variants.extra_rules import ExtraRules
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.notation import fen, move_text, set_fen
from standstill.engine.variants.workshop.convert import from_ini, to_ini
from tests import forked
from tests.variants.files import block, text_of
from tests.variants.test_shogi import NAMES as SHOGIS

# Sections that together use every key that the converter reads. A section has only the keys that differ from its parent
# or from chess.
SECTIONS = {
    "kings": "[NAME:chess]\nking = k:KN\nqueen = -\ncustomPiece3 = a:BNW\npromotionPieceTypes = anbr\n"
    "startFen = rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1\n",
    "pawns": "[NAME:chess]\ncustomPiece1 = p:mWfceFifmnD\npawnTypes = p\n",
    "armies": "[NAME:chess]\nsilver = s\ncustomPiece1 = c:mQcN\npromotionPieceTypes = qc\nflagPiece = k\n"
    "flagRegionWhite = *8\nflagRegionBlack = *1\n"
    "startFen = scsckscs/8/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\n",
    "small": "[NAME:crazyhouse]\nmaxRank = 6\nmaxFile = 6\nstartFen = 2bnrk/5p/6/6/P5/KRNB2[] w - - 0 1\n"
    "promotionPieceTypes = nbr\npromotionRegionWhite = *6\ndoubleStep = false\ndropNoDoubled = p\n",
    "no kings": "[NAME]\nmaxRank = 6\nmaxFile = f\nking = -\ncommoner = k\nfers = f\nrook = r\n"
    "startFen = rfkkfr/6/6/6/6/RFKKFR w - - 0 1\nmustCapture = true\nextinctionValue = win\n"
    "extinctionPieceTypes = *\nstalemateValue = win\n",
    "pseudo-royal": "[NAME]\npawn = p\nknight = n\nrook = r\nking = k\namazon = m\ncastling = true\n"
    "startFen = rnnnknnr/pppppppp/8/8/8/8/8/4M3 w kq - 0 1\npromotionPieceTypes = nr\nextinctionValue = loss\n"
    "extinctionPieceTypes = m\nextinctionPseudoRoyal = true\n",
    "checks": "[NAME:3check]\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+2 0 1\n"
    "doubleStep = false\n",
    "forms": "[NAME:minishogi]\nmaxRank = 6\nmaxFile = 7\nlance = l\nshogiKnight = n\n"
    "startFen = lrbkgns/7/p2p2p/P2P2P/7/SNGKBRL[] w - - 0 1\npromotionRegionWhite = *5 *6\n"
    "promotionRegionBlack = *1 *2\npromotedPieceType = p:g s:g b:h r:d l:g n:g\n",
    "janggi": "[NAME:janggi]\nking = k:K\nmutuallyImmuneTypes = n\npassWhite = false\nbikjangRule = false\n"
    "materialCounting = unweighted\n",
    "king with moves of its own": "[NAME:janggi]\nking = k:W\n",
    "other letters": "[NAME:chess]\nbishop = n\nstartFen = rnnqkppr/pppppppp/8/8/8/8/PPPPPPPP/RNNQKPPR w - - 0 1\n",
    "lines": "[NAME:chess]\nwazir = n\ndiagonalLines = c3 d4 e5 f6 f3 e4 d5 c6\nmutuallyImmuneTypes = bq\n"
    "pass = true\nmaterialCounting = blackdrawodds\n",
    "pieces of Black": "[NAME:chess]\njanggiCannon = c\nwazir = w\nmutuallyImmuneTypes = wq\n"
    "startFen = rcbqkbcr/wwwwwwww/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\ndiagonalLines = c6 d7 c7 d6 c3 d2 c2 d3\n"
    "mobilityRegionWhiteWazir = *1 *2 *3 *4\nmobilityRegionBlackWazir = *5 *6 *7 *8\n",
    "shogi's pieces": "[NAME:chess]\nlance = l\nshogiKnight = h\ngold = g\nhorse = o\ncannon = c\n"
    "startFen = rhlgkgcr/pppppppp/8/8/8/8/PPPPPPPP/ROLGKGCR w - - 0 1\npromotionPieceTypes = gr\n",
    "gates": "[NAME:seirawan]\nqueen = -\npromotionPieceTypes = hrbn\ncastling = false\n"
    "startFen = rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR[Ee] w ABCEFGHabcefgh - 0 1\n",
    "bare": "[NAME:shatranj]\nextinctionClaim = false\nstalemateValue = draw\n",
    "bare draws": "[NAME:chess]\nextinctionValue = draw\nextinctionPieceTypes = *\nextinctionPieceCount = 1\n",
}  # fmt: skip


def on_board(text: str) -> tuple[str, list[str]]:
    """The placement of a FEN, and the pieces in hand, which programs write in different orders."""
    placement, _, hand = text.split(maxsplit=1)[0].partition("[")
    return placement, sorted(hand.strip("-]"))


def agree(game: Definition, variant: str, plies: int, rng: random.Random) -> int:
    """Compare the moves and the board in the positions of a random game; return their number."""
    pyffish = pytest.importorskip("pyffish")
    theirs, ours = pyffish.start_fen(variant), new_board(game=game)
    for ply in range(plies):
        moves = {move_text(ours, move): move for move in ours.legal_moves()}
        assert on_board(fen(ours)) == on_board(theirs)
        ended = pyffish.is_immediate_game_end(variant, theirs, [])[0]
        assert ended == bool(ours.rule_result()) or not moves, theirs
        if ended:
            return ply
        assert sorted(moves) == sorted(pyffish.legal_moves(variant, theirs, [])), theirs
        if not moves:
            return ply + 1
        noisy = [text for text in sorted(moves) if ours.noisy(moves[text])]
        text = rng.choice(noisy if noisy and rng.random() < 0.35 else sorted(moves))
        ours.push(moves[text])
        theirs = pyffish.get_fen(variant, theirs, [text])
    return plies


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", SECTIONS)
def test_sections_of_every_kind(name: str) -> None:
    pyffish = pytest.importorskip("pyffish")
    variant = f"told{name.encode().hex()}"
    text = SECTIONS[name].replace("NAME", variant)
    done = from_ini(text, "variants.ini")
    assert (done.count, done.left_out) == (1, [])
    (game,) = parse(done.text).games
    pyffish.load_variant_config(text)
    assert sum(agree(game, variant, 40, random.Random(seed)) for seed in range(2)) > 20


# Games with a rule or a piece that the conversion cannot express in Fairy-Stockfish's format.
OURS_ALONE = {
    "adjutant", "atomic", "cambodian", "cylinder", "endings", "fairy/Clobberers-Rookies", "fairy/FIDE-Clobberers",
    "fairy/FIDE-Nutters", "falcon", "grande-acedrex", "janggi", "karouk", "spartan", "team-mate", "xiangqi",
}  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", load(OWN_FILE).games, ids=lambda game: game.name)
def test_our_games_as_sections_and_back(game: Definition) -> None:
    """Fairy-Stockfish plays the section as we play the game, and the section becomes the same game again."""
    pyffish = pytest.importorskip("pyffish")
    name = "ours" + game.name.encode().hex()
    made = to_ini([game], "games.ini")
    assert made.count == (game.name not in OURS_ALONE), made.left_out
    if not made.count:
        return
    text = made.text.replace(f"[{game.name.replace('/', '-')}]", f"[{name}]")
    pyffish.load_variant_config(text)
    assert agree(game, name, 25, random.Random(game.name))
    (back,) = parse(from_ini(text, "ours.ini").text).games
    assert agree(back, name, 25, random.Random(game.name))


@pytest.mark.parametrize(
    "game", [game for game in load(OWN_FILE).games if game.name not in OURS_ALONE], ids=lambda game: game.name
)
def test_every_game_that_converts_comes_back(game: Definition) -> None:
    """Random games are the same in our game and in that read back from its section, to their end or for 150 plies."""
    done = from_ini(to_ini([game], "games.ini").text, "ours.ini")
    assert (done.left_out, done.differences) == ([], [])
    (back,) = parse(done.text).games
    assert (back.extra.counting, back.extra.counted) == (game.extra.counting, game.extra.counted)
    for seed in range(3):
        rng = random.Random(seed)
        ours, theirs = new_board(game=game), new_board(game=back)
        for _ in range(150):
            assert on_board(fen(ours)) == on_board(fen(theirs))
            assert fen(ours).split()[1:] == fen(theirs).split()[1:]
            assert ours.rule_result() == theirs.rule_result(), fen(ours)
            moves = {move_text(ours, move): move for move in ours.legal_moves()}
            answers = {move_text(theirs, move): move for move in theirs.legal_moves()}
            assert sorted(moves) == sorted(answers), fen(ours)
            if ours.rule_result() or not moves:
                break
            noisy = [text for text in sorted(moves) if ours.noisy(moves[text])]
            text = rng.choice(noisy if noisy and rng.random() < 0.5 else sorted(moves))
            ours.push(moves[text])
            theirs.push(answers[text])


@pytest.mark.parametrize("name", SHOGIS)
def test_shogi_loses_nothing(name: str) -> None:
    """Rules and moves that are read back from a section are those of the game that it was made from."""
    game = next(game for game in load(OWN_FILE).games if game.name == name)
    (back,) = parse(from_ini(to_ini([game], "games.ini").text, "shogi.ini").text).games

    def rules(one: Definition) -> ExtraRules:
        drops = sorted((replace(drop, letters=letter) for drop in one.extra.drops for letter in drop.letters), key=str)
        laws = replace(one.extra, drops=tuple(drops), forms=tuple(sorted(one.extra.forms)))
        return replace(laws, mirror="".join(sorted(laws.mirror)))

    assert rules(back) == rules(game)
    assert [{(piece.letter, frozenset(piece.rays)) for piece in one.own_pieces} for one in (back, game)] == [
        {(piece.letter, frozenset(piece.rays)) for piece in game.own_pieces}
    ] * 2


@pytest.mark.parametrize(
    ("line", "other", "said"),
    [
        (
            "# drop p 1-4 single nomate",
            "# drop p 2-4 single",
            "drops of p: ranks 2 to 4, although it can move on the ranks 1 to 4",
        ),
        (
            "# drop p 1-4 single nomate",
            "# drop p 1-4\n# drop s 1-5 nomate",
            "# drop s 1-5 nomate: nomate, which there only",
        ),
        (
            "# drop p 1-4 single nomate",
            "# drop p 1-4 single\n# drop s 1-5 single",
            "# drop s 1-5 single: single, which there",
        ),
        ("s=g p=g", "s=g", "moves of p to squares from which it could never move again"),
        ("p 1-4 single", "p 1-5 single either", "# drop either: there, all pieces with promoted forms must have it"),
        ("p 1-4 single", "prsb 1-5 single either", "# drop either: there, only beside drops without restrictions"),
        (
            "p 1-4 single nomate",
            "p 1-3 single nomate\n# drop s 1-4",
            "drops of p: ranks 1 to 3, although it can move on the ranks 1 to 4",
        ),
    ],
)
def test_drops_that_cannot_be_said(line: str, other: str, said: str) -> None:
    text = str(next(game for game in load(OWN_FILE).games if game.name == "minishogi"))
    (game,) = parse(f"version 4.8(w)\n{text.split(chr(10), 2)[2]}\n{text.replace(line, other)}").games
    done = to_ini([game], "games.ini")
    assert done.count == 0 and any(said in line for line in done.left_out), done.left_out


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("[x:chess]\nwallingRule = duck\n", "f.ini:2: x: cannot express wallingRule = duck"),
        (
            "[x:ches]\n",
            "f.ini:1: x: expected a parent that is a section above this one, or a game that Fairy-Stockfish ",
        ),
        (
            "[x:chess]\nmustCaptur = true\n",
            "f.ini:2: x: cannot express mustCaptur = true: this key is unknown; did you",
        ),
        ("[x:chess]\ncustomPiece1 = d:DD\n", ""),  # the piece is not on the board
        ("[x:chess]\ncustomPiece1 = n:DD\n", "f.ini:2: x: cannot express customPiece1 = n: 'DD' has moves that"),
        ("[x:chess]\njanggiCannon = n\n", ""),
        ("[x:chess]\njanggiCannon = n\ncannon = b\n", "f.ini:3: x: cannot express cannon = b: another piece that hops"),
        ("[x:chess]\nwazir = w\nmutuallyImmuneTypes = w\n", ""),
        ("[x:chess]\nmutuallyImmuneTypes = w\n", "mutuallyImmuneTypes = w: expected pieces that are neither kings nor"),
        ("[x:chess]\nmutuallyImmuneTypes = k\n", "mutuallyImmuneTypes = k: expected pieces that are neither kings nor"),
        ("[x:chess]\nbikjangRule = true\n", "bikjangRule = true: expected pass = true beside it"),
        ("[x:chess]\npass = true\nbikjangRule = true\n", "bikjangRule = true: the kings may face each other along a"),
        ("[x:chess]\ndiagonalLines = a1 b2\n", "diagonalLines = a1 b2: expected squares that mirror each other"),
        ("[x:chess]\nstartFen = 8/8 w - - 0 1\n", "cannot express startFen = 8/8 w - - 0 1: expected a placement for"),
        ("[x:chess]\nmaxRank = 40\n", "f.ini:2: x: expected a board of 2 to 16 files and 4 to 16 ranks, found 8x40"),
        ("[x]\nrook = r\nstartFen = 8/8/8/8/8/8/8/rnbk4 w\n", ": no piece has the letter b or k or n"),
        ("[x:chess]\nflagPiece = q\nflagRegionWhite = *8\n", "only a king can win by reaching squares"),
        ("[x:chess]\nflyingGeneral = true\n", "flyingGeneral = true: the kings may face each other along a rank"),
        ("[x:chess]\nmobilityRegionWhiteKnight = *1\n", "f.ini:2: x: cannot express mobilityRegionWhiteKnight = *1"),
        (
            "[x:shogi]\npiecePromotionOnCapture = true\n",
            "moves of p that do not capture, to where it can never move again",
        ),
        # A pawn that does not promote to pieces of choice, in a game in which no pawn can be passed, as in Chennis.
        (
            "[x]\ncustomPiece1 = p:fmWfceF\nrook = r\nking = k\npromotedPieceType = p:r\npromotionPieceTypes = -\n"
            "mandatoryPiecePromotion = true\nstartFen = 4k3/p7/8/8/8/8/P7/4K3 w - - 0 1\ncastling = false\n",
            "",
        ),
        # Without a parent, a section has no pieces to which pawns promote.
        (
            "[x]\npawn = p\nrook = r\nqueen = q\nknight = n\nbishop = b\nking = k\nstartFen = rnbqk3/p7/8/8/8/8/8/K7\n",
            "promotionPieceTypesWhite = -: pawns that do not promote",
        ),
        ("[x:shogi]\ndropPromoted = true\n", "f.ini:2: x: cannot express dropPromoted = true: drops of p that are"),
        ("[x:chess]\npieceDemotion = true\n", "f.ini:2: x: cannot express pieceDemotion = true: expected promoted"),
        ("[x:shogi]\ndropNoDoubledCount = 0\n", "f.ini:2: x: cannot express dropNoDoubledCount = 0: expected 1 or 2"),
        ("[x:shogi]\nimmobilityIllegal = false\n", "l could go where it can never move again"),
        ("[x:shogi]\npromotedPieceType = p-g\n", "expected pairs of letters such as p:g, found 'p-g'"),
        (
            "[x:chess]\npromotedPieceType = n:q\n",
            "promotedPieceType = n:q: promoted forms beside pawns that promote to pieces of choice",
        ),
        ("[x:chess]\nqueen = qq\n", "queen: expected one letter, found 'qq'"),
        ("[x:shatranj]\n", ""),
        ("[x:shatranj]\nextinctionPieceCount = 2\n", "x: cannot express extinctionClaim = true"),
        ("[x:shatranj]\nking = -\ncommoner = k\n", "extinctionPieceTypes = *: expected one king of each side"),
        ("[x:seirawan]\n", ""),
        ("[x:seirawan]\ngating = false\n", "seirawanGating = true: expected gating = true beside it"),
        ("[x:chess]\ngating = true\n", "gating = true: expected seirawanGating = true beside it"),
        (
            "[x:seirawan]\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEEhee] w KQBCDFGkqbcdfg - 0 1\n",
            "expected one or two kinds, one piece of each, and the same for both sides; found HEEhee",
        ),
        (
            "[x:seirawan]\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Hh] w KQkqbcdfg - 0 1\n",
            "pieces in hand at the beginning: expected the files of all squares of the back rank",
        ),
        (
            "[x:seirawan]\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Hh] w ABCDEFGHkqbcdfg - 0 1\n",
            "castling: expected K and Q, not only files",
        ),
        (
            "[x:chess]\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qq] w KQkq - 0 1\n",
            "pieces in hand at the beginning",
        ),
        ("[shatranj:chess]\n", "f.ini:1: shatranj: cannot express a game named shatranj, which has rules of its own"),
        ("[seirawan:chess]\n", "f.ini:1: seirawan: cannot express a game named seirawan, which has rules of its own"),
        ("[x:chess]\npromotionPieceTypesBlack = qn\n", "promotionPieceTypesBlack = qn: promotions that differ"),
        ("[x:chess]\nwhat\n", "f.ini:2:1: expected KEY = VALUE, found 'what'"),
        ("x = 1\n[x:chess]\n", "f.ini:1:1: expected a section such as [mine:chess], found 'x = 1'"),
    ],
)
def test_what_cannot_be_said_is_named(section: str, said: str) -> None:
    done = from_ini(section, "f.ini")
    assert done.total == 1 and any(said in line for line in done.left_out) == bool(said), done.left_out
    assert done.count == (not said or ":1: expected" in said)


def test_every_mistake_of_a_section_is_named_at_its_line() -> None:
    section = "[x:chess]\nfoo = 1\nking = kk\nqueen = q:Q\nwallingRule = duck\n"
    said = [
        "f.ini:2: x: cannot express foo = 1: this key is unknown",
        "f.ini:3: x: king: expected one letter, found 'kk'",
        "f.ini:4: x: queen: expected moves only for king and customPiece1 to 25",
        "f.ini:5: x: cannot express wallingRule = duck",
    ]
    assert from_ini(section, "f.ini").left_out == said


def test_a_child_names_its_own_parent() -> None:
    """The mistake of the parent is reported once, at the parent."""
    first, second = from_ini("[a:nothing]\n[b:a]\n", "f.ini").left_out
    assert first.startswith("f.ini:1: a: expected a parent") and first.endswith("found 'nothing'")
    assert second == "f.ini:2: b: the parent 'a' has a mistake"


WITHOUT_PAWNS = "# start rnb1kbnr/8/8/8/8/8/8/RNB1KBNR"


@pytest.mark.parametrize(
    ("lines", "piece", "kept"),
    [
        (["# immune nw"], "w:103 W", "mutuallyImmuneTypes = n"),
        (["# immune nw"], "w:100 W", "mutuallyImmuneTypes = nw"),
        (["# immune nw", WITHOUT_PAWNS], "w:100 W", "mutuallyImmuneTypes = n"),
        (["# immune w", "# barrier w"], "w:103 pR", ""),
        (["# within w d1-e2 d7-e8 F"], "w:103 W", ""),
        (["# points 0 p=1 n=1 b=1 r=1 q=1 w=5"], "w:103 W", "materialCounting = unweighted"),
        (["# points 0 n=1 b=1 r=1", WITHOUT_PAWNS], "w:103 W", "materialCounting = unweighted"),
    ],
    ids=["not promotable", "promotable", "no pawns", "barrier", "area", "points", "points without pawns"],
)
def test_rules_of_pieces_that_no_side_can_have(lines: list[str], piece: str, kept: str) -> None:
    """A section has only the rules of its own pieces, and its game has the same positions."""
    game = parse(text_of(block("Game: mine", *lines, wazir=piece))).games[0]
    done = to_ini([game], "games.ini")
    section = done.text.splitlines()
    assert done.left_out == [] and (not kept or kept in section)
    assert not [line for line in section if line.startswith(("mutually", "material", "diagonal")) and line != kept]
    name = "absent" + game.extra.start.encode().hex() + "".join(lines).encode().hex() + piece.encode().hex()
    pytest.importorskip("pyffish").load_variant_config(done.text.replace("[mine]", f"[{name}]"))
    back = from_ini(done.text, "ours.ini")
    assert back.left_out == []
    for one in (game, parse(back.text).games[0]):
        assert agree(one, name, 25, random.Random(1))


@pytest.mark.parametrize(
    ("line", "piece", "what"),
    [
        ("# points 0 p=1 n=1 b=1 r=1 q=1 w=5", "w:100 W", "points of pieces other than those of Janggi (# points)"),
        ("# extinct lose wq", "w:103 W", "an extinction of w, which neither side can have (# extinct)"),
    ],
    ids=["points of a promoted piece", "extinction of an absent piece"],
)
def test_rules_of_pieces_outside_the_array(line: str, piece: str, what: str) -> None:
    done = to_ini([parse(text_of(block("Game: mine", line, wazir=piece))).games[0]], "games.ini")
    assert done.left_out == [f"games.ini: mine: cannot express {what}"]


def test_points_of_pieces_that_only_black_has() -> None:
    done = from_ini(
        "[x:chess]\npass = true\nhorse = h\nmaterialCounting = janggi\n"
        "startFen = rhbqkbhr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
        "f.ini",
    )
    (game,) = parse(done.text).games
    assert dict(game.extra.points) == {"r": 26, "h": 10}


def test_two_kinds_of_pawns_cannot_be_said() -> None:
    spartan = next(game for game in load(OWN_FILE).games if game.name == "spartan")
    new = replace(spartan, white=spartan.white, black=spartan.white, extra=ExtraRules())
    done = to_ini([new], "games.ini")
    assert done.count == 0
    assert "games.ini: spartan: cannot express pawns of the two sides with different letters" in done.left_out


def test_rules_of_drawing_are_differences_only() -> None:
    done = from_ini("[x:chess]\nnMoveRule = 70\n", "f.ini")
    assert done.count == 1 and done.left_out == []
    assert done.differences == ["f.ini:2: x: nMoveRule = 70: games are drawn by the rules of chess"]
    for value, word in (("loss", "win"), ("win", "lose")):
        done = from_ini(f"[x:chess]\nnFoldValue = {value}\n", "f.ini")
        assert done.differences == [] and f"# repetition 3 {word}\n" in done.text
    done = from_ini("[x:chess]\nnFoldRule = 4\nnFoldValue = win\nnFoldValueAbsolute = true\nnMoveRule = 0\n", "f.ini")
    assert done.differences == [] and "# repetition 4 white\n# endless\n" in done.text


def test_promotion_to_a_piece_with_another_letter() -> None:
    """A section may give a piece of its parent another letter; pawns still promote to it."""
    done = from_ini(
        "[x:chess]\nknight = h\nstartFen = rhbqkbhr/pppppppp/8/8/8/8/PPPPPPPP/RHBQKBHR w - - 0 1\n", "f.ini"
    )
    (game,) = parse(done.text).games
    assert {game.piece(number).letter.lower() for number in game.promotions(0, 0)} == set("hbrq")


def test_no_section() -> None:
    with pytest.raises(DefinitionError, match="expected a section such as"):
        from_ini("# nothing\n", "f.ini")


def test_the_command(executable: Path, tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        command = [str(executable), "variants", *words]
        done = forked.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    text = "# Knights that slide\n[mine:chess]\nknight = -\ncustomPiece1 = n:NN\n[other:chess]\nblastOnCapture = true\n"
    (tmp_path / "variants.ini").write_text(text, encoding="utf-8")
    status, said, wrong = run("convert", "variants.ini", "-o", "mine.ini")
    assert (status, said) == (1, "mine.ini: 1 of 2 variants\n")
    assert wrong == "standstill: variants.ini:6: other: cannot express blastOnCapture = true\n"
    assert "// Knights that slide\nGame: mine\n" in (tmp_path / "mine.ini").read_text(encoding="utf-8")
    assert run("check", "mine.ini")[0] == 0
    assert run("convert", "variants.ini", "--partial")[0] == 0
    status, said, wrong = run("convert", "mine.ini")
    assert (status, wrong) == (0, "") and said.startswith("# Knights that slide\n[mine]\n") and "n:N0" in said
    as_notepad = "\ufeff" + text.replace("mine", "\u0142o\u015b").replace("\n", "\r\n")
    (tmp_path / "\u0142.ini").write_bytes(as_notepad.encode())
    assert "Game: \u0142o\u015b\n" in run("convert", "\u0142.ini", "--partial")[1]
    assert run("convert")[0] == 2
    assert run("convert", "--game", "capablnca")[2].endswith("did you mean capablanca?\n")
    assert run("convert", "none.ini") == (2, "", "standstill: cannot read none.ini: No such file or directory\n")


WRONG_VALUES = {
    "pass = maybe": "pass: expected true or false, found 'maybe'",
    "passBlack = on": "passBlack: expected true or false, found 'on'",
    "mustCapture = TRUE": "mustCapture: expected true or false, found 'TRUE'; did you mean true?",
    "mustCapture = true ": "mustCapture: expected true or false without blanks after it, found 'true '",
    "stalemateValue = win\t": "stalemateValue: expected win, loss or draw without blanks after it, found 'win\\t'",
    "blastOnCapture = 1": "blastOnCapture: expected true or false, found '1'",
    "chess960 = yes": "chess960: expected true or false, found 'yes'",
    "stalemateValue = loose": "stalemateValue: expected win, loss or draw, found 'loose'; did you mean loss?",
    "extinctionValue = lost": "extinctionValue: expected win, loss, draw or none, found 'lost'; did you mean loss?",
    "nFoldValue = tie": "nFoldValue: expected win, loss or draw, found 'tie'",
    "countingRule = thai": "countingRule: expected makruk, cambodian, asean or none, found 'thai'",
    "materialCounting = korean": "materialCounting: expected janggi, unweighted, whitedrawodds, blackdrawodds or none, "
    "found 'korean'",
    "chasingRule = all": "chasingRule: expected axf or none, found 'all'",
    "nMoveRule = fifty": "nMoveRule: expected a whole number, found 'fifty'",
    "extinctionPieceCount = -1": "extinctionPieceCount: expected a whole number, found '-1'",
    "maxRank = ten": "maxRank: expected the number of a rank, found 'ten'",
    "castlingRank = 0": "castlingRank: expected the number of a rank, found '0'",
    "castlingKingsideFile = gh": "castlingKingsideFile: expected a file, its letter or its number, found 'gh'",
}


@pytest.mark.parametrize("value", ["true", "false", "", "TRUE", "True", "1", "0", "yes", "on", "true ", "true # now"])
def test_the_words_for_true(value: str) -> None:
    """We accept what Fairy-Stockfish reads, and what it takes for false (``TRUE``, ``1``) is a mistake."""
    pyffish = pytest.importorskip("pyffish")
    name = f"must{value.encode().hex()}"
    text = f"[{name}parent:chess]\nmustCapture = true\n\n[{name}:{name}parent]\nmustCapture = {value}\n"
    pyffish.load_variant_config(text)
    start = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
    theirs = pyffish.legal_moves(name, start, [])
    done = from_ini(text, "mine.ini")
    if value not in ("true", "false", ""):
        assert (done.count, len(done.left_out), len(theirs)) == (1, 1, 7)
        return
    assert done.left_out == []
    board = new_board(game=parse(done.text).games[1])
    set_fen(board, start)
    assert sorted(move_text(board, move) for move in board.legal_moves()) == sorted(theirs)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (" mustCapture = true", "expected 'mustCapture' at the beginning of the line, found blanks"),
        ("\t[other:chess]", "expected '[other:chess]' at the beginning of the line, found blanks"),
    ],
    ids=["key", "title"],
)
def test_blanks_at_the_beginning_of_a_line(line: str, message: str) -> None:
    """Fairy-Stockfish ignores such a line, so that the game would be another one there."""
    (said,) = from_ini(f"[mine:chess]\n{line}\n", "mine.ini").left_out
    assert said.startswith("mine.ini:2: ") and said.endswith(message)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("[other:chess] # a comment", []),  # Fairy-Stockfish ignores what follows a title
        ("[other: chess]", ["mine.ini:2:1: expected a section such as [mine:chess], found '[other: chess]'"]),
    ],
    ids=["text after it", "blank in it"],
)
def test_keys_below_a_title_belong_to_no_section_above_it(title: str, said: list[str]) -> None:
    done = from_ini(f"[mine:chess]\n{title}\nmustCapture = true\n", "mine.ini")
    assert done.left_out == said
    captures = {game.name: game.extra.capture for game in parse(done.text).games}
    assert captures == ({"mine": False} if said else {"mine": False, "other": True})


@pytest.mark.parametrize("line", WRONG_VALUES)
def test_a_wrong_value_is_one_mistake_of_each_game_that_has_it(line: str) -> None:
    """A section that gives the key another value is converted."""
    key = line.partition(" ")[0]
    right = {"mustCapture": "true", "extinctionPieceCount": "1", "nMoveRule": "50"}
    text = f"[mine:chess]\n\n{line}\n[child:mine]\n[other:chess]\n"
    text += f"[corrected:mine]\n{key} = {right[key]}\n" if key in right else ""
    found = from_ini(text, "mine.ini")
    assert found.left_out == [f"mine.ini:3: {name}: {WRONG_VALUES[line]}" for name in ("mine", "child")]
    assert (found.count, found.total) == (1 + (key in right), 3 + (key in right))
    assert from_ini(text, "mine.ini", partial=True).count == found.count
