"""Single words, tags and initial records in the core's game reader."""

from __future__ import annotations

import random

import chess
import pytest

from standstill import relevance
from standstill.cext.bindings.pgn_games import score_moves
from standstill.engine.annotate.attribution import Attribution, signed
from standstill.engine.archive.pgn import tags_of
from standstill.engine.archive.played import played
from standstill.engine.archive.scorer import Scorer
from standstill.engine.rmobility.goals import Goals
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import move_text

FIGURINES = "♔♕♖♗♘♙♚♛♜♝♞♟"


@pytest.mark.parametrize("symbol", FIGURINES)
def test_a_figurine_without_a_square_is_not_skipped(symbol: str) -> None:
    """Signs such as ± are skipped, but a figurine is part of a damaged move."""
    text = f"1. e4 {symbol} e5 2. Nf3 *".encode()
    assert score_moves(text, 0, len(text)).word == symbol.encode()
    for sign in ("±", "⩲", "~", "~=", "<=>", "||", "/\\", "--+", "+--", "#"):
        text = f"1. e4 {sign} e5 2. Nf3 {sign} *".encode()
        found = score_moves(text, 0, len(text), detail=True)
        assert (found.word, found.plies) == (None, 3), sign
    for word in ("<br>", "~e5", "--x", "\\N"):
        text = f"1. e4 {word} e5 *".encode()
        assert score_moves(text, 0, len(text)).word == word.encode()


@pytest.mark.parametrize(
    "fen", [chess.STARTING_FEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "7k/8/5Q2/8/8/8/8/K7 b - - 3 40"]
)
@pytest.mark.parametrize("weaker", [-1, 0, 1])
@pytest.mark.parametrize("owner", [0, 1])
def test_an_earlier_record_stands_unless_the_position_beats_it(fen: str, weaker: int, owner: int) -> None:
    """As in the reference in Python, also if record and goal are equal and have different owners."""
    board = new_board(fen)
    given = (owner, board.goal() + weaker)
    found = score_moves(b"*", 0, 1, board, given)
    record = Goals(new_board(fen), given).record
    assert record is not None
    assert found.first == (record.code, record.owner)


@pytest.mark.parametrize("fen", ["", "?", "-"])
def test_an_empty_fen_counts_only_with_setup(fen: str) -> None:
    """Some programs write an empty FEN for the usual start; with `SetUp` the start is unknown."""
    readable = []
    for set_up in ("", '[SetUp "0"]\n', '[SetUp "1"]\n'):
        text = f'[Result "1-0"]\n{set_up}[FEN "{fen}"]\n\n1. e4 e5 1-0\n'.encode()
        readable.append(Scorer().score(text, 0, len(text)).problem is None)
    assert readable == [True, True, False]


@pytest.mark.parametrize("tag", ["[Event \u201cA\u201d]", "[Event 'A']", "[Event A]", "[Event \xabA\xbb]"])
@pytest.mark.parametrize("before", ["", '[White "W"]\n'])
def test_a_tag_without_straight_quotes_is_named(tag: str, before: str) -> None:
    """Telephones and word processors make typographic quotes."""
    text = f"{before}{tag}\r\n[Black 'B']\r\n\r\n1. e4 e5 *\r\n".encode()
    game = Scorer().score(text, 0, len(text))
    assert (game.fault_ply, game.problem) == (0, f'expected a tag such as [Event "A"], found {tag!r}')


def test_the_name_of_a_tag_may_be_in_latin_1() -> None:
    tags = '[Event "x"]\n[\xdcber "1"]\n[Annotator "A"]\n'
    assert tags_of(tags.encode("latin-1")) == {"Event": "x", "\xdcber": "1", "Annotator": "A"}
    judge = Attribution("Stockfish", *[relevance.preset("Stockfish 16")] * 2)
    assert signed(tags + "\n1. e4 *\n", judge, strip=False) == tags.replace('"A', f'"A:{judge.entry()}') + "\n1. e4 *\n"


def test_a_bracket_in_the_moves_is_no_tag() -> None:
    for text, word in ((b"[%clk 1] 1. e4 *", "[%clk"), (b"1. e4 [Event A] e5 *", "[Event")):
        assert Scorer().score(text, 0, len(text)).problem == f"expected a move, found {word!r}"


PROMOTIONS = "8/PPPP1k2/8/8/8/8/K3pppp/8 w - - 0 1"


@pytest.mark.parametrize("first", [chess.STARTING_FEN, PROMOTIONS])
@pytest.mark.parametrize("seed", range(4))
def test_random_games_are_read_in_numeric_notation(first: str, seed: int) -> None:
    """ICCF's numbers of squares and new pieces, compared with the moves of python-chess that they stand for."""
    rng = random.Random(seed)
    board = chess.Board(first)
    words = []
    while len(words) < 60 and (moves := list(board.legal_moves)):
        move = rng.choice(moves)
        board.push(move)
        squares = "".join(
            f"{chess.square_file(square) + 1}{chess.square_rank(square) + 1}"
            for square in (move.from_square, move.to_square)
        )
        words.append(squares + ("" if move.promotion is None else str(6 - move.promotion)))
    text = f'[SetUp "1"]\n[FEN "{first}"]\n\n{" ".join(words)} *\n'.encode()
    game, _, found = played(text)
    assert game.respelt is not None
    replayed = chess.Board(first)
    for word in found:
        replayed.push(replayed.parse_uci(word))
    assert replayed.fen() == board.fen()


def test_a_number_with_a_dot_is_never_a_move() -> None:
    """Even digits that could be squares are a number, because a game can have that many moves."""
    text = b"1234. e4 5254... e5 3. Nf3 *"
    assert Scorer().score(text, 0, len(text)).plies == 3


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_that_ends_within_the_tags_is_cut(end: str) -> None:
    """Tags alone are a game if an empty line follows."""
    lines = ['[Event "A"]', '[White "B"]', '[Result "*"]']
    for count in range(1, len(lines) + 1):
        for text in (end.join(lines[:count]), end.join([*lines[:count], ""])):
            data = text.encode()
            assert Scorer().score(data, 0, len(data)).problem == "the file ends within the tags"
    for rest in ("", "*", "1. e4 *", "{ none }"):
        data = end.join([*lines, "", rest]).encode()
        assert Scorer().score(data, 0, len(data)).problem is None
    assert Scorer().score(b"{ none }", 0, 8).problem is None


@pytest.mark.parametrize("name", [game.name for game in Catalog() if game.height == 10])
def test_games_are_read_with_ranks_from_0_and_from_1(name: str) -> None:
    """XBoard numbers the ranks of ten from 0. The number shows once a piece stands on the first rank."""
    game, rng = Catalog().find(name), random.Random(name)
    plain, shifted = new_board(game=game), new_board(game=game, ranks_from_zero=True)
    words: list[list[str]] = [[], []]
    for _ in range(40):
        move = rng.choice(plain.legal_moves())
        for board, found in zip((plain, shifted), words, strict=True):
            found.append(move_text(board, move))
            board.push(move)
    assert any("0" in word for word in words[1])
    scores = []
    for found in words:
        data = f'[Variant "{name}"]\n\n{" ".join(found)} *\n'.encode()
        scores.append(Scorer().score(data, 0, len(data), detail=True))
    assert [(score.problem, score.plies) for score in scores] == [(None, 40)] * 2
    assert scores[0].details.codes == scores[1].details.codes
