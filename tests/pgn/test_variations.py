"""Variations in any spelling, compared with those that python-chess reads in English."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import chess.pgn
import pytest

from standstill.engine.archive.scorer import Scorer
from standstill.engine.archive.variations import variations_of

HEAD = '[Event "x"]\n[Result "1-0"]\n\n'
GAME = (
    "1. e4 {main} (1. d4 d5 {solid} (1... Nf6 2. c4 (2. Bg5 {a (b)} Ne4) 2... e6) (1... f5) 2. c4)"
    " 1... e5 (1... d5 2. exd5 Qxd5 3. Nc3 Qa5) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O (5. d3 d6 $14 6. c3!? g6)"
    " 5... Be7 6. Re1 b5 7. Bb3 O-O (7... d6 {first} {second} 8. c3 (8. Ng5 0-0) 8... O-O 1/2-1/2) 8. a4 1-0\n"
)
Read = tuple[int, str, str]  # ply, moves, comments
GERMAN = str.maketrans("QRBN", "DTLS")


def expected(text: str) -> Iterator[Read]:
    """Each variation, before those inside it."""
    game = chess.pgn.read_game(io.StringIO(HEAD + text))
    assert game is not None and not game.errors
    for ply, node in enumerate([game, *game.mainline()]):
        for branch in node.variations[1:]:
            yield from inside(ply, branch, [])


def inside(ply: int, node: chess.pgn.ChildNode, before: list[str]) -> Iterator[Read]:
    nodes = [node, *node.mainline()]
    moves = [*before, *(each.move.uci() for each in nodes)]
    yield (
        ply,
        " ".join(moves),
        " ".join(filter(None, (text for each in nodes for text in (each.starting_comment, each.comment)))),
    )
    for at, each in enumerate(nodes):
        for other in each.variations[1:]:
            yield from inside(ply, other, moves[: len(before) + at + 1])


def found(text: str) -> list[Read]:
    data = (HEAD + text).encode()
    game = Scorer().score(data, 0, len(data), detail=True)
    assert game.problem is None
    return [(each.ply, " ".join(each.moves), " ".join(" ".join(each.comments).split())) for each in variations_of(game)]


SPELLINGS = {
    "English": lambda text: text,
    "German": lambda text: re.sub(r"[QRBN](?=[a-h1-8x])", lambda found: found[0].translate(GERMAN), text),
    "figurines": lambda text: re.sub(r"N(?=[a-h1-8x])", "\u2658", text),
    "blank lines": lambda text: text.replace(" 2. Nf3", "\n\n2. Nf3"),
    "line ends of old Macs": lambda text: text.replace(" ", "\r"),
    "novelties": lambda text: text.replace("2. Nf3 ", "2. Nf3 N ").replace("2. Bg5", "2. Bg5 D"),
    "zeros": lambda text: text.replace("O-O", "0-0"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_variations_are_read_in_every_spelling(spelling: str) -> None:
    wanted = list(expected(GAME.replace("0-0", "O-O").replace(" 1/2-1/2", "")))
    assert len(wanted) == 8
    assert found(SPELLINGS[spelling](GAME)) == wanted


@pytest.mark.parametrize(
    ("variation", "moves"),
    [
        ("1... c5 2. Ke3 Nc6", "c7c5"),
        ("1... c5 2. -- Nc6", "c7c5"),
        ("1... c5 or else", "c7c5"),
        ("1... Ke5", ""),
        ("{only words}", ""),
        ("", ""),
        ("1... c5 1-0 2. Nf3", "c7c5"),
        (
            "1... d5 2. e5 f5 (2... c5) 3. exf6e.p.!? (3. Bb9) (3. d4",
            "d7d5 e4e5 f7f5 e5f6,d7d5 e4e5 c7c5,d7d5 e4e5 f7f5 d2d4",
        ),
    ],
)
def test_a_variation_ends_before_what_is_no_move(variation: str, moves: str) -> None:
    closed = variation + ")" * (1 + variation.count("(") - variation.count(")"))
    text = f"1. e4 e5 ({closed} (1... e6) 2. Nf3 *\n"
    lines = [line for line in moves.split(",") if line]
    assert [each[:2] for each in found(text)] == [(1, line) for line in [*lines, "e7e6"]]


def test_variations_follow_null_moves_of_the_main_line() -> None:
    assert found("1. e4 -- 2. d4 (2. Nf3 d5) 2... d5 *\n") == [(2, "g1f3 d7d5", "")]


def test_deeply_nested_variations_are_read() -> None:
    lines = found("1. e4 e5 " + "(1... c5 " * 2_000 + ")" * 2_000 + " *\n")
    assert len(lines) == 2_000
