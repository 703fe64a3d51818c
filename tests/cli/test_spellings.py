"""Moves as people write them: a game is read if one notation fits all its moves, and is otherwise reported as a
whole."""

# ruff: noqa: RUF001 (this file is about characters that look like others)

from __future__ import annotations

import io
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from standstill.engine.annotate.movetext import Movetext
from standstill.engine.archive.piecework import tag_stream
from standstill.engine.archive.scorer import Scorer
from standstill.engine.archive.tagging import Wishes
from standstill.engine.archive.variations import variations_of
from tests import forked
from tests.posix import piped
from tests.rmobility.naive import random_game

Run = Callable[..., subprocess.CompletedProcess]

HEAD = '[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n'

# Portable Game Notation Specification, 8.2.3.1: knight, bishop, rook, queen and king.
LANGUAGES = {
    "Czech": "JSVDK",
    "Danish": "SLTDK",
    "Dutch": "PLTDK",
    "Estonian": "ROVLK",
    "Finnish": "RLTDK",
    "French": "CFTDR",
    "German": "SLTDK",
    "Hungarian": "HFBVK",
    "Icelandic": "RBHDK",
    "Italian": "CATDR",
    "Polish": "SGWHK",
    "Portuguese": "CBTDR",
    "Romanian": "CNTDR",
    "Spanish": "CATDR",
    "figurines": "♘♗♖♕♔",
    "Black's figurines": "♞♝♜♛♚",
}
OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Qe2 Qd6 6. Rg1 Ke7 7. d4"


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(*arguments: str | Path, text: str = "") -> subprocess.CompletedProcess:
        words = [executable, *arguments]
        return forked.run(words, cwd=tmp_path, input=text.encode(), capture_output=True, timeout=60, check=False)

    return call


def game(moves: str) -> str:
    return f"{HEAD}{moves} 1/2-1/2\n"


def translated(text: str, letters: str) -> str:
    """The moves after the tags, with other piece letters."""
    head, _, moves = text.partition("\n\n")
    return f"{head}\n\n{moves.translate(str.maketrans('NBRQK', letters))}"


def scored(text: str | bytes):
    data = text.encode() if isinstance(text, str) else text
    return Scorer().score(data, 0, len(data), detail=True)


@pytest.mark.parametrize("form", [r"(\1)", r"/\1"])
@pytest.mark.parametrize("letters", ["NBRQK", "SLTDK", "♘♗♖♕♔"])
def test_promotions_as_older_books_print_them(form: str, letters: str) -> None:
    def spelled(move: str) -> str:
        return re.sub("=(.)", form, move.translate(str.maketrans("NBRQK", letters)))

    head = HEAD.replace("\n\n", '\n[SetUp "1"]\n[FEN "2r4k/1P6/8/8/8/8/6p1/K6R b - - 0 1"]\n\n')
    moves = "1... {} {{not h1(Q)}} 2. {} $1 (2. {} {}) {} 3. {} {} 1/2-1/2\n"
    played = ["gxh1=N+", "bxc8=R+", "b8=Q", "Kg7", "Kg7", "Rc1", "Nf2"]
    expected, found = (scored(head + moves.format(*map(way, played))) for way in (str, spelled))
    assert found.problem is None
    assert (found.goal, found.whole, found.plies) == (expected.goal, expected.whole, 5)
    [piece] = tag_stream(io.BytesIO((head + moves.format(*map(spelled, played))).encode()), Wishes(comments=True))
    assert f"2. {spelled('bxc8=R+')} $1 {{[%rm" in piece.text.decode()


def test_a_letter_for_a_diagram_is_no_promotion() -> None:
    head = HEAD.replace("\n\n", '\n[SetUp "1"]\n[FEN "6k1/8/8/8/8/8/8/K4R2 w - - 0 1"]\n\n')
    assert scored(head + "1. Tf8(D) Kg7 1/2-1/2\n").plies == 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_games_in_other_letters_have_the_same_results(language: str) -> None:
    rng = random.Random(language)
    read = 0
    for _ in range(12):
        text = str(random_game(rng, 70)) + "\n"
        expected, found = scored(text), scored(translated(text, LANGUAGES[language]))
        if found.problem is None:
            assert (found.goal, found.whole, found.plies) == (expected.goal, expected.whole, expected.plies)
            assert [found.word(ply) for ply in range(1, found.plies + 1)] == [
                expected.word(ply) for ply in range(1, found.plies + 1)
            ]
            read += 1
    assert read >= 11  # some games happen to be legal in two languages


@pytest.mark.parametrize("language", ["German", "French", "Polish", "figurines"])
def test_tag_reads_other_letters(run: Run, language: str) -> None:
    text = game(OPENING)
    expected = run("tag", "-", "--quiet", "--tags", "all", text=text).stdout.decode()
    done = run("tag", "-", "--quiet", "--tags", "all", text=translated(text, LANGUAGES[language]))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == translated(expected, LANGUAGES[language])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Nf3 Xc6",
        "1. e4 e5 2. Nf3 nc6",
        "1. e4 e5 2. Rf3 Nc6",  # a mistake, not Finnish
        "1. e4 e5 2. Sf3 Nc6",  # two languages in one game
        "1. e4 ♘ f6",
        "1. e4 N f6",
        "1. e4 פf6",  # a Hebrew letter
        "1. e4 =Nf6",
        "1. e4 ±e5",
        "1. e4 e5x",
        "1. e4 e5 2. Nf3Nc6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6xyz",
    ],
)
def test_words_are_not_read_in_part(run: Run, moves: str) -> None:
    text = game("1. d4 d5") + "\n" + game(moves)
    done = run("tag", "-", text=text)
    assert done.returncode == 1
    assert done.stderr.startswith(b"standstill: <stdin>: game 2, ply ")
    assert done.stdout.decode().endswith(game(moves))
    done = run("standings", "-", text=text)
    assert done.returncode == 1
    assert done.stderr.startswith(b"standstill: <stdin>: game 2, ply ")


@pytest.mark.parametrize(
    ("moves", "meant"),
    [
        ("1.Nf3!Nf6?2.g3 g6", "1. Nf3 Nf6 2. g3 g6"),
        ("1.\u00a0e4\u00a0e5 2.\u2009Nf3", "1. e4 e5 2. Nf3"),
        ("1. e4… e5 2. Nf3 …Nc6", "1. e4 e5 2. Nf3 Nc6"),
        ("1. e4 e5 2. Nf3± Nc6∓ 3. Bb5□", "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        ("1. e4 ± e5 = 2. Nf3 +- Nc6 ∞ 3. Bb5 ⩲ -+ a6 =/∞", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"),
        ("1. e4 e5N 2. Nf3 Nc6 N 3. Bb5", "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. exf6 4. d4", "1. e4 d5 2. e5 f5 3. exf6 exf6 4. d4"),
        ("1. e4 d5 2. e5 f5 3. e5×f6 ep e7:f6 4. d4", "1. e4 d5 2. e5 f5 3. exf6 exf6 4. d4"),
        ("1. e2–e4 e7—e5 2. Ng1−f3 Nb8‑c6", "1. e4 e5 2. Nf3 Nc6"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0–0 o-o", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O"),
        ("1. g1f3 g8f6 2. g2g3 g7g6 3. f1g2 f8g7 4. e1g1 e8h8", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O"),
        ("1. e4 e5 2. Dh5 Sc6 3. Lc4 Sf6 4. D×f7‡", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"),
        ("1. ♙e4 ♟e5 2. ♘\ufe0ef3", "1. e4 e5 2. Nf3"),
    ],
)
def test_signs_and_old_ways_of_writing_are_read(moves: str, meant: str) -> None:
    expected, found = scored(game(meant)), scored(game(moves))
    assert found.problem is None
    assert (found.goal, found.whole, found.plies) == (expected.goal, expected.whole, expected.plies)


def test_promotion_in_other_letters() -> None:
    text = '[FEN "8/P6k/8/8/8/8/p6K/8 w - - 0 1"]\n[Result "1/2-1/2"]\n\n1. a8{} a1={} 1/2-1/2\n'
    expected = scored(text.format("=Q", "Q"))
    for white, black in (("D", "D"), ("=♕", "♛")):
        assert scored(text.format(white, black)).goal == expected.goal


def test_comments_and_sheets_of_games_in_other_letters(run: Run, tmp_path: Path) -> None:
    moves = "1. Sf3! {gut} Sf6 2. Sd4 Sd5 $1 3. Sf5 Sf4 4. Sg7+ Lxg7 5. Sc3"
    english = "1. Nf3! {gut} Nf6 2. Nd4 Nd5 $1 3. Nf5 Nf4 4. Ng7+ Bxg7 5. Nc3"
    options = ("-", "--quiet", "--comments", "--otb-limit", "G99.5", "--sheet")
    expected = run("tag", *options, "english", text=game(english)).stdout.decode()
    done = run("tag", *options, "german", text=game(moves))
    assert done.returncode == 0
    assert re.sub("[A-Z]", "", done.stdout.decode()) == re.sub("[A-Z]", "", expected)
    assert done.stdout.count(b"[%rm ") == 2
    assert (tmp_path / "german").read_bytes() == (tmp_path / "english").read_bytes()


@pytest.mark.parametrize("moves", ["1.Nf3!Nf6?2.g3 g6", "1. ♘f3± ♞f6 2. g3 g6"])
def test_comments_stand_behind_the_signs_of_a_move(moves: str) -> None:
    wishes = Wishes(comments=True)
    [piece] = tag_stream(io.BytesIO(game(moves).encode()), wishes)
    assert re.sub(r" \{[^}]*\}|\[RM[^\n]*\n", "", piece.text.decode()) == game(moves)
    assert not re.search(r"\}[!?±]", piece.text.decode())
    assert b"{[%rm " in piece.text
    [again] = tag_stream(io.BytesIO(piece.text), wishes)
    assert again.text == piece.text


def test_analyse_reads_what_tag_reads(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(game("1. Sf3 Sf6 2. Dd4").replace("2. Dd4", "2. e4 Sxe4 3. De2"), encoding="utf-8")
    done = run("analyse", "a.pgn", "--nodes", "10")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"2... Nxe4" in done.stdout


@pytest.mark.parametrize(
    ("moves", "ply"),
    [("1. e4 e5 2. Pf3 Pc6", 3), ("1. Pf3 Pc6 2. Pd4", 1), ("1. e4 {Pf6} e5 2. c3 Pf6!? 3. d4", 4)],
)
def test_named_pawns_that_may_be_dutch_knights_are_refused_by_name(run: Run, moves: str, ply: int) -> None:
    done = run("tag", "-", "--quiet", text=game(moves))
    assert (done.returncode, done.stdout.decode()) == (1, game(moves))
    assert f"game 1, ply {ply}: 'P".encode() in done.stderr and b"English or Dutch" in done.stderr


@pytest.mark.parametrize(
    ("moves", "english"),
    [
        ("1. Pe4 Pe5 2. Pd4 Pd5", "1. e4 e5 2. d4 d5"),  # Pe4 must be a pawn move: no knight can reach e4
        ("1. Pf3 Nc6", "1. f3 Nc6"),  # not Dutch: Dutch has no N
        ("1. Pe4 Jf6 2. Pf3 Jc6", "1. e4 Nf6 2. f3 Nc6"),  # Czech, where a pawn may have a letter
        ("1. e4 Pf6 2. Ld3 Pxe4", "1. e4 Nf6 2. Bd3 Nxe4"),  # Dutch, because no pawn can capture
        ("1. f3 {Pc6} Nc6", "1. f3 Nc6"),
    ],
)
def test_named_pawns_that_can_be_nothing_else_are_read(moves: str, english: str) -> None:
    found, expected = scored(game(moves)), scored(game(english))
    assert found.problem is None
    assert (found.goal, found.details.codes) == (expected.goal, expected.details.codes)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("castling", ["0 - 0", "O - O", "0 - 0 - 0", "0", "0000O", "0-00", "00000"])
@pytest.mark.parametrize("head", [HEAD, '[Variant "Seirawan"]\n' + HEAD])
def test_a_castling_in_pieces_is_named_and_never_skipped(run: Run, castling: str, head: str) -> None:
    done = run("tag", "-", text=f"{head}1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. {castling} {castling} 5. d3 d6 1/2-1/2\n")
    assert done.returncode == 1 and b"game 1, ply 7: expected a move, found " in done.stderr, done.stderr


@pytest.mark.sampled(10)
@pytest.mark.parametrize("tag", ["", '[Result "1-0"]', '[Result "0-1"]', '[Result "1/2-1/2"]', '[Result "1 - 0"]'])
@pytest.mark.parametrize("result", ["1 - 0", "1 -0", "0- 1", "1/2 - 1/2", "1/2  -  1/2"])
@pytest.mark.parametrize("variant", ["", '[Variant "Knightmate"]\n'])
def test_results_behind_the_moves_may_have_blanks(tag: str, result: str, variant: str) -> None:
    text = f'[White "A"]\n{variant}{tag}\n\n1. e4 e5 2. d4 d6 {result}\n'.encode()
    scored = Scorer().score(text, 0, len(text))
    assert (scored.problem, scored.plies) == (None, 4)
    assert scored.result == (re.findall('"(.*)"', tag) or [result])[0].replace(" ", "")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", ["{})", "{}.)", "{}:", "{}-", "{}\u2026", "{}.\u2026"])
@pytest.mark.parametrize("gap", ["", " "])
@pytest.mark.parametrize("variant", ["Standard", "Capablanca"])
def test_the_number_of_a_move_has_any_form_in_every_game(number: str, gap: str, variant: str) -> None:
    head = f'[Variant "{variant}"]\n{HEAD}'
    first, second = (number.format(at) + gap for at in (1, 2))
    text = f"{head}{first}e4! {{1) 2: 3-}} e5 ({first}d5 {second}d4) {second}d4 \u2026d5\u2a72! 1/2-1/2\n"
    found, expected = scored(text), scored(f"{head}1. e4 e5 2. d4 d5 1/2-1/2\n")
    assert found.problem is None
    assert (found.plies, found.goal, found.whole) == (4, expected.goal, expected.whole)
    moves = [(ply.san, [nag for _, _, nag in ply.nags]) for ply in Movetext(found).plies]
    assert moves == [("e4", [1]), ("e5", []), ("d4", []), ("d5", [14, 1])]
    assert [each.moves for each in variations_of(found)] == [("d7d5", "d2d4")]


@pytest.mark.parametrize("word", ["d5\u044b", "d5\u2655", "1- 0", "d5="])
def test_what_is_no_sign_or_number_is_named_in_every_game(run: Run, word: str) -> None:
    done = run("tag", "-", text=f'[Variant "Capablanca"]\n{HEAD}1. e4 e5 2. d4 {word} 3. d3 1/2-1/2\n')
    found = word.partition(" ")[0]
    assert piped(f"game 1, ply 4: expected a move, found '{found}'") in done.stderr
