"""Habits of people who type games: other alphabets, small letters, captures without a rank, 1) as a number, UTF-16."""

# ruff: noqa: RUF001 (this file is about characters that look like others)

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import pytest

from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.scorer import ScoredGame, Scorer
from standstill.engine.archive.streams import is_converted, open_input
from standstill.engine.archive.variations import variations_of
from standstill.engine.common.errors import PgnError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import move_text
from tests.rmobility.naive import random_game

HEAD = '[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n'
ALPHABETS = {
    "Russian": ("К", "С", "Л", "Ф", "Кр"),
    "Ukrainian": ("К", "С", "Т", "Ф", "Кр"),
    "Bulgarian": "КОТДЦ",
    "Serbian": "СЛТДК",
    "Greek": "ΙΑΠΒΡ",
    "Turkish": "AFKVŞ",
    "Lithuanian": "ŽRBVK",
    "Latvian": "ZLTDK",
}
PAGES = {"Russian": "cp1251", "Ukrainian": "cp1251", "Greek": "cp1253", "Turkish": "cp1254"}
OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Qe2 Qd6 6. Rg1 Ke7 7. d4"


def scored(text: str | bytes) -> ScoredGame:
    data = text if isinstance(text, bytes) else text.encode()
    return Scorer().score(data, 0, len(data), detail=True)


def game(moves: str) -> str:
    return f"{HEAD}{moves} 1/2-1/2\n"


def words(found: ScoredGame) -> list[str]:
    """The moves as the core read them, in UCI."""
    board = new_board(found.first_fen)
    moves = []
    for move in found.details.line:
        moves.append(move_text(board, move))
        board.push(move)
    return moves


def translated(moves: str, letters: Sequence[str]) -> str:
    return moves.translate(dict(zip(map(ord, "NBRQK"), letters, strict=True)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", ALPHABETS)
def test_games_in_other_alphabets(language: str) -> None:
    rng, read = random.Random(language), 0
    for _ in range(8):
        text = str(random_game(rng, 70)) + "\n"
        head, _, moves = text.partition("\n\n")
        expected = scored(text)
        for codec in filter(None, ("utf-8", PAGES.get(language))):
            found = scored(f"{head}\n\n{translated(moves, ALPHABETS[language])}".encode(codec))
            if found.problem is None:
                assert words(found) == words(expected), codec
                read += 1
            else:
                assert "can be read as" in found.problem  # legal in two languages
    assert read >= 7


@pytest.mark.parametrize(
    ("moves", "meant"),
    [
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. OO 00", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. oo О-О", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O"),
        ("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd3 Qd6 5. OOO+ 000",
         "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd3 Qd6 5. O-O-O O-O-O"),
        ("1. e4 d5 2. ed Qxd5 3. Nc3 Qa5 4. d4 e5 5. de", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 e5 5. dxe5"),
        ("1. e4 d5 2. e:d c6 3. dxc Nf6 4. cb+ Bd7 5. baQ", "1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8=Q"),
        ("1. e4 d5 2. ed Фxd5 3. Кc3 Фa5", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5"),
        ("1. e4 d5 2. ed c6 3. dc Кf6 4. cb Сd7 5. baФ", "1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8=Q"),
        ("1. е4 е5 2. Nf3 Nс6 3. d4 ехd4", "1. e4 e5 2. Nf3 Nc6 3. d4 exd4"),
        ("1. e2-e4 e7-e5 2. Кg1-f3 Кb8-c6 3. Сf1-b5 a7-a6 4. Сb5:c6 d7:c6",
         "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6"),
        ("1) e4 e5 {1) not a move} 2) Nf3 Nc6", "1. e4 e5 2. Nf3 Nc6"),
        ("1.)e4 e5 (1.) d4 d5) 2.) Nf3 (2) f4 ef) Nc6", "1. e4 e5 2. Nf3 Nc6"),
        ("1: e4 e5 2- Nf3 Nc6 3:Bb5", "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        ("1.e4,e5 2.Nf3, Nc6", "1. e4 e5 2. Nf3 Nc6"),
        ("1. e4 e5 2. nf3 nc6 3. bb5 a6 4. bxc6 dxc6 5. o-o", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O"),
        ("1. b4 e5 2. bb2 d6 3. b5 c6 4. bxc6 bxc6", "1. b4 e5 2. Bb2 d6 3. b5 c6 4. bxc6 bxc6"),
        ("1. e4 e5 2. sf3 sc6 3. lb5 a6 4. lxc6 dxc6 5. de2 dd6",
         "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Qe2 Qd6"),
    ],
)  # fmt: skip
def test_a_habit_is_read(moves: str, meant: str) -> None:
    expected, found = scored(game(meant)), scored(game(moves))
    assert (found.problem, found.note) == (None, None)
    assert words(found) == words(expected)
    assert [found.span(ply)[0] for ply in range(1, found.plies + 1)] == places(game(moves))
    assert found.goal == expected.goal


def places(text: str) -> list[int]:
    """Where the moves of the main line begin, found in another way: in a text without comments and variations."""
    data, start = text.encode(), len(HEAD)
    blanked = re.sub(rb"\{.*?\}|\((?:(?<![a-h])\d\.*\)|[^()])*\)", lambda found: b" " * len(found[0]), data[start:])
    moves = re.finditer(rb"(?:^|[\s,.:)])(?!\d+[.:)-])(?!1/2)([^\s,.:)\d][^\s,]*|0[^\s,]+)", blanked)
    return [start + move.start(1) for move in moves]


@pytest.mark.parametrize("castling", ["OO", "00", "oo", "o-o"])
def test_a_castling_without_hyphens_in_games_by_definition(castling: str) -> None:
    head = HEAD.replace("[Result", '[Variant "Seirawan"]\n[Result')
    expected, found = (scored(f"{head}1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. {word} d6 *\n") for word in ("O-O", castling))
    assert (found.problem, found.plies, found.details.codes) == (None, 8, expected.details.codes)


def test_no_other_word_of_such_letters_is_a_castling() -> None:
    """All words of up to five signs where White may castle to both sides, against a pattern.

    Hyphens behind a move are taken for a sign of evaluation, and digits with one hyphen for a number.
    """
    castling = re.compile(r"(?!0+-$)[O0](-?)[O0](\1[O0])?-*|0000")
    moves = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 d6 5. Be3 Be6 6. Nc3 Nc6 7. Qe2 Qe7 8. {} *"
    rests = [rest for size in range(1, 5) for rest in itertools.product("O0-Q", repeat=size)]
    words = ["".join((first, *rest)) for first in "O0" for rest in rests]
    found = {word: scored(game(moves.format(word))) for word in words}
    read = {word for word, score in found.items() if not score.problem and score.plies == 15}
    assert read == {word for word in words if castling.fullmatch(word)}


@pytest.mark.parametrize(
    ("moves", "ply", "problem"),
    [
        ("1. e4 e5 2. nf3 Nc6", 3, "expected a move, found 'nf3'"),  # a typing error: Nc6 is in capitals
        ("1. e4 c6 2. b3 Nf6 3. bc4", 5, "illegal move 'bc4'"),
        ("1. e4 e5 2. כf3", 3, "expected a move, found 'כf3'"),
        ("1. E4 E5", 1, "expected a move, found 'E4'"),
        ("１. ｅ４ ｅ５", 1, "expected a move, found '１.'"),
        ("1. e4 d5 2. e5 f6 3. ed", 5, "illegal move 'ed'"),
        ("1. e4 e5 2. OO", 3, "illegal move 'OO'"),
        ("1. e4 e5 2. OOOO", 3, "expected a move, found 'OOOO'"),
        ("1. e4 e5 2. 0O", 3, "illegal move '0O'"),
        ("1. d4 c5 2. d5 e5 3. c3 a6 4. c4 e4 5. g3 b5 6. f3 bc 7. b3 e3 8. a3 Nf6 9. Nh3 c3 10. Nc", 19,
         "expected a move, found 'Nc'"),
        ("1. b4 a6 2. b5 nf6 3. bxa6 ng8 4. a7 nf6 5. axb8=q ng8 6. bb2 nf6 7. bxf6 exf6 8. c4 ba3 9. nxa3 d5 10. cxd5"
         " bd7 11. nc4 ba4 12. na3 bxd1", 24, None),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(moves: str, ply: int, problem: str | None) -> None:
    found = scored(game(moves))
    assert (found.problem, found.problem and found.fault_ply) == (problem, problem and ply)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_captures_without_a_rank(seed: int) -> None:
    """Compared with python-chess: a capture written as two files is read if only one is legal, and is refused
    otherwise."""
    rng, short, doubts = random.Random(seed), 0, 0
    for _ in range(30):
        board, text = chess.Board(), []
        while len(text) < 80 and (legal := list(board.legal_moves)):
            captures = [move for move in legal if board.is_capture(move) and board.piece_type_at(move.from_square) == 1]
            move = rng.choice(captures if captures and rng.random() < 0.5 else legal)
            san, files = board.san(move), move.uci()[::2]  # a promotion included
            alike = [each for each in captures if each.uci()[::2] == files]
            if move in captures and (len(alike) == 1 or rng.random() < 0.02):
                san = re.sub(r"^(.)x(.)[1-8]", rng.choice((r"\1\2", r"\1x\2", r"\1:\2")), san)
                short += 1
                if len(alike) > 1:
                    doubts += 1
                    expected = f"{san.rstrip('+#')!r} could be more than one move"
                    assert scored(game(" ".join([*text, san]))).problem == expected
                    san = board.san(move)
            board.push(move)
            text.append(san)
        assert words(scored(game(" ".join(text)))) == [move.uci() for move in board.move_stack]
    assert short > 50


def small_readings(board: chess.Board, text: list[str]) -> Iterator[list[str]]:
    """Every way to play moves whose piece letters are small: as they stand, and with the first letter as a piece."""
    if not text:
        yield [move.uci() for move in board.move_stack]
        return
    for word in {text[0], text[0][0].upper() + text[0][1:]}:
        if not re.match(r"[A-H][1-8]|[ACDEFGH]", word):  # python-chess also takes squares in capital letters
            try:
                board.push_san(word)
            except ValueError:
                continue
            yield from small_readings(board, text[1:])
            board.pop()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_small_letters_are_read_where_one_reading_is_legal(seed: int) -> None:
    """Compared with all readings that python-chess can play, in which a `b` is a file or a bishop."""
    rng, doubts = random.Random(100 + seed), 0
    for _ in range(12):
        board, text = chess.Board(), []
        while len(text) < 50 and (legal := list(board.legal_moves)):
            bishops = [move for move in legal if board.piece_type_at(move.from_square) == chess.BISHOP]
            move = rng.choice(bishops if bishops and rng.random() < 0.4 else legal)
            text.append(re.sub("^[NBRQK]", lambda found: found[0].lower(), board.san(move)))
            board.push(move)
        readings = list(small_readings(chess.Board(), text))
        found = scored(game(" ".join(text)))
        assert readings
        if len(readings) == 1:
            assert words(found) == readings[0]
        else:
            doubts += 1
            assert found.problem is not None and found.problem.endswith("could be a move of a pawn or of another piece")
    assert doubts < 12


def test_variations_follow_the_habit_of_their_game() -> None:
    for text in (
        "1) e4 e5 (1) ... c5 2) Nf3 d6 3) Bb5+) 2) Nf3 1/2-1/2",
        "1. e4 e5 (1... c5 2. Кf3 d6 3. Сb5+) 2. Кf3 1/2-1/2",
        "1. e4 e5 (1... c5 2. nf3 d6 3. bb5+) 2. nf3 1/2-1/2",
    ):
        [found] = variations_of(scored(f"{HEAD}{text}\n"))
        assert (found.ply, " ".join(found.moves)) == (1, "c7c5 g1f3 d7d6 f1b5")


TAGS = '[White "Müller, Jürgen"]\n[Black "Карпов ♞ 𝄞"]\n[Result "1/2-1/2"]\n\n'
TEXT = f"{TAGS}{OPENING} 1/2-1/2\n\n".replace("\n", "\r\n")
WIDE = {
    "Notepad": f"\ufeff{TEXT}".encode("utf-16-le"),
    "big end first": f"\ufeff{TEXT}".encode("utf-16-be"),
    "no mark": TEXT.encode("utf-16-le"),
    "no mark, big end first": TEXT.encode("utf-16-be"),
}


@pytest.mark.parametrize("name", WIDE)
def test_utf_16_is_read_as_utf_8(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(WIDE[name] + TEXT.encode(["utf-16-le", "utf-16-be"]["big" in name]) * 3000)
    with open_input(path) as stream:
        assert is_converted(stream)
        games = list(read_games(stream))
    assert (b"".join(games).decode(), len(games)) == (TEXT * 3001, 3001)


def test_damaged_wide_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    for data, reason in (
        (WIDE["Notepad"][:-1], "damaged text in UTF-16"),
        (WIDE["Notepad"] + b"\0\xdcx\0", "damaged text in UTF-16"),
        (TEXT.encode("utf-32"), "expected text in UTF-8, UTF-16 or Latin-1, found UTF-32"),
    ):
        path.write_bytes(data)
        with pytest.raises(PgnError, match=reason), open_input(path) as stream:
            list(read_games(stream))
