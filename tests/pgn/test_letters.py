"""Moves that are added to a game in the letters of that game: German variations in a German game, and so on."""

from __future__ import annotations

import random

import chess
import pytest

from standstill.engine.archive.respelling import Letters

# Knight, bishop, rook, queen, king, as chess magazines of the language print them.
PRINTED = {
    "English": ["N", "B", "R", "Q", "K"],
    "German or Scandinavian": ["S", "L", "T", "D", "K"],
    "French": ["C", "F", "T", "D", "R"],
    "Italian or Spanish": ["C", "A", "T", "D", "R"],
    "Dutch": ["P", "L", "T", "D", "K"],
    "Polish": ["S", "G", "W", "H", "K"],
    "Hungarian": ["H", "F", "B", "V", "K"],
    "Russian": ["\u041a", "\u0421", "\u041b", "\u0424", "\u041a\u0440"],
}
WHITE_MEN, BLACK_MEN = "♘♗♖♕♔", "♞♝♜♛♚"


def random_line(rng: random.Random, before: int, plies: int) -> tuple[list[str], bool, str]:
    """A line's moves in SAN, whether Black begins it, and the line with numbers."""
    board = chess.Board("r3k2r/1P4pp/2n2n2/2bqQb2/2BNnB2/2N5/PP4pP/R3K2R w KQkq - 0 1")
    for _ in range(before):
        board.push(rng.choice(list(board.legal_moves)))
    black, words, numbered = board.turn == chess.BLACK, [], []
    for _ in range(plies):
        if not (moves := list(board.legal_moves)):
            break
        move = rng.choice([one for one in moves if one.promotion] or moves)
        if board.turn == chess.WHITE or not words:
            numbered.append(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        words.append(board.san(move))
        numbered.append(words[-1])
        board.push(move)
    return words, black, " ".join(numbered)


def exchanged(word: str, letters: list[str]) -> str:
    return "".join(letters["NBRQK".index(sign)] if sign in "NBRQK" else sign for sign in word)


@pytest.mark.parametrize("language", PRINTED)
@pytest.mark.parametrize("before", [0, 1])
def test_lines_get_the_letters_of_the_language_and_lose_them_again(language: str, before: int) -> None:
    rng, made = random.Random(before), Letters(language)
    for _ in range(12):
        words, _, line = random_line(rng, before, 9)
        spelled = made.spelled(line).split()
        letters = [letter.encode().decode("latin-1") for letter in PRINTED[language]]
        assert spelled == [word if word[0].isdigit() else exchanged(word, letters) for word in line.split()]
        assert [made.english(word) for word in spelled if not word[0].isdigit()] == words


@pytest.mark.parametrize("used", ["♘f3", "♞f6", "♘f3 ♞f6"])
@pytest.mark.parametrize("before", [0, 1])
def test_figurines_are_those_of_the_side_that_moves_if_the_game_has_both(used: str, before: int) -> None:
    rng, made = random.Random(before), Letters("English", used.encode().decode("latin-1"))
    men = [WHITE_MEN if "♘" in used else BLACK_MEN, BLACK_MEN if "♞" in used else WHITE_MEN]
    for _ in range(12):
        words, black, line = random_line(rng, before, 9)
        spelled = made.spelled(line)
        moves = [word for word in spelled.split() if not word[0].isdigit()]
        expected = [exchanged(word, [*men[(at + black) % 2]]) for at, word in enumerate(words)]
        assert [move.encode("latin-1").decode() for move in moves] == expected
        assert [made.english(move) for move in moves] == words


def test_a_game_in_lower_case_gets_lines_in_lower_case() -> None:
    made = Letters("English in lower case")
    assert made.spelled("12. Nf3 exd8=Q 13. bxc3 O-O 14. Qa1xb2+ Rb1") == "12. nf3 exd8=q 13. bxc3 O-O 14. qa1xb2+ rb1"
    assert made.readings("nf3") == ["nf3", "Nf3"]
    assert made.readings("bxc3") == ["bxc3", "Bxc3"]
    assert Letters().readings("nf3") == ["nf3"]


@pytest.mark.parametrize("language", [*PRINTED, "English in lower case"])
def test_castling_has_no_letters_of_pieces(language: str) -> None:
    """In Dutch, an O also stands for a pawn."""
    made = Letters(language)
    for word in ("O-O", "O-O-O+"):
        assert (made.spelled(f"9. {word} {word}"), made.english(word)) == (f"9. {word} {word}", word)
