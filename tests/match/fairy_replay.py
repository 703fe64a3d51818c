"""Verifies matches in games by definition with independent rules: every move, the result and the reason."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from standstill.engine.archive.fairy_scoring import read_move
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import move_text
from tests.variants import reference

# Games whose names in pyffish are ours.
_SAME = ("capablanca", "gothic", "janus", "knightmate", "makruk", "nocastle", "seirawan", "shatranj")
SHARED = {name: name for name in _SAME} | {"kingofthehill": "kingofthehill", "losalamos": "losalamos"}
_TAG = re.compile(r'^\[(\w+) "([^"]*)"\]$', re.MULTILINE)


class Text:
    """A game of a file: its tags, its moves, and the result after them."""

    def __init__(self, text: str):
        head, _, body = text.partition("\n\n")
        self.tags = dict(_TAG.findall(head))
        *words, self.result = re.sub(r"\{[^}]*\}", " ", body).split()
        self.moves = [word for word in words if not re.fullmatch(r"\d+\.+", word)]


def games_in(path: Path) -> list[Text]:
    return [Text(text) for text in re.split(r"(?<=\n)(?=\[Event )", path.read_text(encoding="utf-8")) if text.strip()]


COUNTED = "makruk", "asean"  # counting takes the place of the 50-move rule


def verify(game: Text) -> None:
    """Check that the result after the moves equals the tag, that no ply is missing, and that the rules agree."""
    assert game.result == game.tags["Result"]
    assert game.tags["PlyCount"] == str(len(game.moves))
    if game.tags["Variant"] in SHARED:
        replay_with_pyffish(game)
    else:
        replay_with_reference(game)


def replay_with_pyffish(game: Text) -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    variant = SHARED[game.tags["Variant"]]
    first = position = game.tags.get("FEN", pyffish.start_fen(variant))
    moves = coordinates(game)
    # Each call of pyffish costs milliseconds, however long the game. It refuses illegal moves.
    written = pyffish.get_san_moves(variant, first, moves)
    assert [word.rstrip("+#") for word in game.moves] == [word.rstrip("+#") for word in written]
    assert [word[-1] in "+#" for word in game.moves] == [word[-1] in "+#" for word in written]
    seen, clock = Counter([" ".join(position.split()[:3])]), int(position.split()[-2])
    for ply, (word, move) in enumerate(zip(game.moves, moves, strict=True)):
        assert not pyffish.is_immediate_game_end(variant, position, [])[0], ply
        assert max(seen.values()) < 3 and (clock < 100 or variant in COUNTED), ply
        clock = 0 if word[0].islower() or "x" in word else clock + 1
        position = pyffish.get_fen(variant, position, [move])
        seen[" ".join(position.split()[:3])] += 1
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
            # pyffish waits for the reply: if the reply bares the other king as well, the game is drawn.
            bared = "1-0" if position.split()[0].count("k") == sum(map(str.islower, position.split()[0])) else "0-1"
            replies = [[move] for move in legal(variant, position)]
            ends = [[]] if game.result != mover else replies
            assert game.result == bared
            assert all(pyffish.is_immediate_game_end(variant, position, end)[0] for end in ends)
        case "threefold repetition":
            assert seen[" ".join(position.split()[:3])] == 3 and game.result == "1/2-1/2"
        case "fifty-move rule":
            assert clock == 100 and game.result == "1/2-1/2"
        case "counting rule":
            assert variant in COUNTED and game.result == "1/2-1/2"
            assert pyffish.is_optional_game_end(variant, position, [])[0]
        case "insufficient material":
            assert not stuck and game.result == "1/2-1/2"
        case other:
            raise AssertionError(other)


def coordinates(game: Text) -> list[str]:
    """The moves in UCI notation, read by our code; the caller checks them by letting pyffish write them again."""
    board = new_board(game.tags.get("FEN"), game=Catalog().find(game.tags["Variant"]))
    found = []
    for word in game.moves:
        move = read_move(board, word)
        found.append(move_text(board, move))
        board.push(move)
    return found


def legal(variant: str, position: str) -> list[str]:
    import pyffish

    return pyffish.legal_moves(variant, position, [])


def replay_with_reference(game: Text) -> None:
    """Replay by the slow rules of ``tests/variants/reference.py``, which have no repetition and no 50-move rule."""
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
