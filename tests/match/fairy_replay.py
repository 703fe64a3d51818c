"""Matches in games by definition, looked at once more: every move, the result and the reason, by rules of others."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engine.board import new_board
from engine.pgn.fairy import read_move
from engine.variants.catalog import Catalog
from tests.variants import reference

# Our names, pyffish's.
_SAME = ("capablanca", "gothic", "janus", "knightmate", "makruk", "nocastle", "seirawan", "shatranj")
SHARED = {name: name for name in _SAME} | {"king-of-the-hill": "kingofthehill", "los-alamos": "losalamos"}
_TAG = re.compile(r'^\[(\w+) "([^"]*)"\]$', re.MULTILINE)


class Text:
    """A game of a file: its tags, its moves, and the result behind them."""

    def __init__(self, text: str):
        head, _, body = text.partition("\n\n")
        self.tags = dict(_TAG.findall(head))
        *words, self.result = body.split()
        self.moves = [word for word in words if not re.fullmatch(r"\d+\.+", word)]


def games_in(path: Path) -> list[Text]:
    return [Text(text) for text in re.split(r"(?<=\n)(?=\[Event )", path.read_text(encoding="utf-8")) if text.strip()]


def verify(game: Text) -> None:
    """The result behind the moves is the tag's, the plies are all there, and the rules agree with the end."""
    assert game.result == game.tags["Result"]
    assert game.tags["PlyCount"] == str(len(game.moves))
    if game.tags["Variant"] in SHARED:
        replay_with_pyffish(game)
    else:
        replay_with_reference(game)


def replay_with_pyffish(game: Text) -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    variant = SHARED[game.tags["Variant"]]
    position = game.tags.get("FEN", pyffish.start_fen(variant))
    seen, clock = Counter([" ".join(position.split()[:3])]), int(position.split()[-2])
    for ply, word in enumerate(game.moves):
        assert not pyffish.is_immediate_game_end(variant, position, [])[0], ply
        assert max(seen.values()) < 3 and clock < 100, ply
        clock = 0 if word[0].islower() or "x" in word else clock + 1
        position = pyffish.get_fen(variant, position, [meant(variant, position, word.rstrip("+#"))])
        seen[" ".join(position.split()[:3])] += 1
        assert (word[-1] in "+#") == pyffish.gives_check(variant, position, []), word
    stuck = not legal(variant, position)
    check = pyffish.gives_check(variant, position, [])
    ended, value = pyffish.is_immediate_game_end(variant, position, [])
    mover = "1-0" if position.split()[1] == "b" else "0-1"
    match game.tags["Termination"]:
        case "mate":
            assert stuck and check and game.result == mover
        case "stalemate":
            assert stuck and not check and game.result == ("1/2-1/2" if variant != "shatranj" else mover)
        case "king on the hill":
            assert ended and value < 0 and game.result == mover
        case "bare king":
            # pyffish waits for the reply, which could bare the other king as well, and then draws.
            bared = "1-0" if position.split()[0].count("k") == sum(map(str.islower, position.split()[0])) else "0-1"
            replies = [[move] for move in legal(variant, position)]
            ends = [[]] if game.result != mover else replies
            assert game.result == bared
            assert all(pyffish.is_immediate_game_end(variant, position, end)[0] for end in ends)
        case "threefold repetition":
            assert seen[" ".join(position.split()[:3])] == 3 and game.result == "1/2-1/2"
        case "fifty-move rule":
            assert clock == 100 and game.result == "1/2-1/2"
        case "insufficient material":
            assert not stuck and game.result == "1/2-1/2"
        case other:
            raise AssertionError(other)


def meant(variant: str, position: str, word: str) -> str:
    """The one move that pyffish writes so; it is slow, and asked only about those to the right square."""
    import pyffish

    square = re.search(r"[a-p]\d+(?=[^a-p]*$)", word)
    moves = [move for move in legal(variant, position) if square is None or square[0] in move[2:]]
    found = [move for move in moves if pyffish.get_san(variant, position, move).rstrip("+#") == word]
    assert len(found) == 1, (word, position)
    return found[0]


def legal(variant: str, position: str) -> list[str]:
    import pyffish

    return pyffish.legal_moves(variant, position, [])


def replay_with_reference(game: Text) -> None:
    """By the slow rules of ``tests/variants/reference.py``; repetitions and the 50-move rule are not looked at."""
    assert "FEN" not in game.tags
    definition = Catalog().find(game.tags["Variant"])
    board, state = new_board(game=definition), reference.start(definition)
    for word in game.moves:
        move = read_move(board, word)
        wanted = (
            [(square % definition.width, square // definition.width) for square in (move & 255, move >> 8 & 255)],
            (move >> 24 & 15 if move >> 29 == 4 else 0),
        )
        found = [m for m in reference.legal_moves(state) if ([m.start, m.target], m.promotion) == wanted]
        assert len(found) == 1, word
        state = reference.play(state, found[0])
        board.push(move)
    stuck = not reference.legal_moves(state)
    assert stuck == (game.tags["Termination"] in ("mate", "stalemate"))
    if game.tags["Termination"] == "mate":
        assert reference.exposed(state, state.stm)
        assert game.result == ("0-1" if state.stm == reference.WHITE else "1-0")
    else:
        assert game.result == "1/2-1/2"
