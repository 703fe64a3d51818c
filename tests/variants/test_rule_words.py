"""The rules of a game in words: every line of every game has words, which name what the line says."""

from __future__ import annotations

import pytest

from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.workshop.rule_words import in_words
from tests.variants.files import block, text_of


def words_of(*lines: str) -> list[str]:
    game = parse(text_of(block("Game: mine", *lines))).games[0]
    return [words for words, line in in_words(game) if line]


def test_every_line_of_every_game_has_words() -> None:
    for game in Catalog():
        found = [(words, line) for words, line in in_words(game) if line]
        assert [line for _, line in found] == game.law_lines(), game.name
        assert all(words[0].isupper() and words.endswith(".") and ".." not in words for words, _ in found), game.name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kingofthehill", "A royal piece wins by reaching one of the four squares in the middle."),
    ],
)
def test_rules_without_a_line_have_words_in_their_games_only(name: str, expected: str) -> None:
    games = [game.name for game in Catalog() if (expected, "") in in_words(game)]
    assert games == [name]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# goal 8 1", "A royal piece wins by reaching rank 8 for White and rank 1 for Black."),
        ("# goal 8 8", "A royal piece wins by reaching rank 8."),
        ("# checks 3", "The third check wins."),
        ("# extinct lose nb", "A side with no pieces of one of the kinds N, B left loses."),
        ("# extinct win q 1", "A side with at most 1 piece Q left wins."),
        ("# stalemate fewer", "If a side has no legal move, the side with fewer pieces wins."),
        ("# castling r free",
         "The castling partner is the outermost R of the rank. "
         "A castling piece that is not royal may pass attacked squares."),
        ("# promotion 7 own", "Pawns may promote from rank 7 on and become only pieces of their own army."),
        ("# gate n",
         "Each side starts with N in hand. A piece's first move from the back rank may put one on the square that it "
         "leaves; in castling, on the king's or the rook's square."),
        ("# bare lose", "A side with only its king left loses."),
        ("# bare lose reply",
         "A side with only its king left loses, unless its next move leaves the opponent with only the king, too; "
         "then the game is drawn."),
        ("# bare draw", "The game is drawn when a side has only its king left."),
        ("# repetition 3 white", "When a position occurs for the third time, White wins."),
        ("# promote 2 n=r", "Moves into, within or out of the last 2 ranks may promote N to R."),
        ("# promote 1 n=r must", "Moves into, within or out of the last rank must promote N to R."),
        ("# promote 1 n=r back captures",
         "Captures into, within or out of the last rank may promote N to R, and turn these back."),
        ("# repetition 3 lose", "When a position occurs for the third time, the side that repeated it loses."),
        ("# zone n a1-h8", "N may not leave a1-h8, seen from its own side."),
        ("# zone nb a1-h8", "N and B may not leave a1-h8, seen from their own side."),
        ("# within n a1-h8 W", "On a1-h8, seen from its own side, N also moves W."),
        ("# within nbr a1-h8 W F", "On a1-h8, seen from their own side, N, B and R also move W F."),
        ("# immune n", "N does not capture pieces with its own letter."),
        ("# immune nr", "N and R do not capture pieces with their own letter."),
    ],
)  # fmt: skip
def test_words(line: str, expected: str) -> None:
    assert words_of(line) == [expected]


def test_drops_have_their_own_words() -> None:
    assert words_of("# hand turn", "# drop n 1-4 double either", "# promote 1 n=r")[1] == (
        "N may be dropped only on ranks 1 to 4, not on a file with two others of the side, also as its promoted form."
    )
    assert words_of("# hand keep", "# drop p 2-7 nomate", "# drop n 1-4 single") == [
        "Captured pieces change sides, and a move may drop one on an empty square. Promoted pieces stay promoted.",
        "P may be dropped only on ranks 2 to 7, and not with mate.",
        "N may be dropped only on ranks 1 to 4, not on a file with another one of the side.",
    ]
