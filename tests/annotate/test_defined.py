"""Games by definition in `annotate`: read by their own rules, and evaluated by our own engine."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import standstill
from standstill.engine.annotate import replay
from standstill.engine.annotate.source import SourceGame
from standstill.engine.archive.fairy_scoring import find_game, read_move
from standstill.engine.archive.scorer import Scorer
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import fen, san
from tests.annotate.conftest import Annotate

NAMES = ["antichess", "capablanca", "makruk", "3check", "shako", "courier", "losalamos", "seirawan", "racingkings"]


def random_game(name: str, plies: int, seed: int = 1) -> tuple[str, list[str]]:
    """A game as PGN with an evaluation after each move, and its positions."""
    chance = random.Random(seed)
    board = new_board(game=find_game(name))
    words, fens = [], [fen(board)]
    for ply in range(plies):
        moves = board.legal_moves()
        if not moves:
            break
        move = chance.choice(sorted(moves))
        words.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'} {san(board, move)}")
        board.push(move)
        fens.append(fen(board))
        words.append(f"{{[%eval {chance.randint(-300, 300) / 100:.2f}]}}")
    return f'[White "A"]\n[Black "B"]\n[Variant "{name}"]\n[Result "*"]\n\n{" ".join(words)} *\n\n', fens


def bare(text: str) -> str:
    """Only the moves of a game, without comments."""
    body = re.sub(r"^\[.*\]$", "", text, flags=re.MULTILINE)
    body = re.sub(r"\{[^}]*\}|\([^)]*\)|\$\d+|\d+\.+", " ", body)
    return " ".join(body.split())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_our_engine_annotates_them(annotate: Annotate, tmp_path: Path, name: str) -> None:
    text, fens = random_game(name, 10)
    done = annotate(text, "--nodes", "200", "--eval", "--rm", "--variation", "4", "--strip")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    out = (tmp_path / "out.pgn").read_text()
    assert bare(out) == bare(text)
    assert len(re.findall(r"\[%eval", out)) >= len(fens) - 1  # a finished game has no evaluation
    for line in re.findall(r"\(([^)]*)\)", out):  # each variation replaces the move before it
        before = bare(out[: out.index(f"({line})")]).split()[:-1]
        board = new_board(fens[len(before)], game=find_game(name))
        for word in re.sub(r"\d+\.+", " ", line).split():
            board.push(read_move(board, word))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_goals_are_those_of_tag(annotate: Annotate, tmp_path: Path, name: str) -> None:
    text, _ = random_game(name, 24, seed=2)
    assert annotate(text, "--from-comments", "--rm").returncode == 0
    marks = re.findall(r"\[%rm [^]]*\]", (tmp_path / "out.pgn").read_text())
    data = text.encode()
    game = Scorer().score(data, 0, len(data), detail=True)
    records = [record for ply, record in enumerate(SourceGame(1, data).records()) if ply == record.ply and ply]
    assert marks == [f"[%rm {record}]" for record in records]
    assert game.goal == records[-1]


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_those_of_the_game(name: str) -> None:
    text, fens = random_game(name, 30, seed=3)
    movetext = SourceGame(1, text.encode()).movetext
    first, moves = replay.moves(movetext)
    board = first.copy()
    assert isinstance(board, replay.DefinedPosition)
    found = [fen(board.board)]
    for move in moves:
        replay.push(board, move)
        found.append(fen(board.board))
    assert found == fens
    assert fen(board.copy().board) == fens[-1]
    for _ in moves:
        board.pop()
    assert fen(board.board) == fens[0]


def test_the_api_takes_them() -> None:
    text, _ = random_game("antichess", 8)
    assert re.search(r"\$\d+", standstill.annotate(text))
    with standstill.Engine({"Hash": 4}) as engine:
        assert "x05 1.19" in standstill.annotate(text, engine, nodes=200)
    with pytest.raises(standstill.StandstillError, match="expected chess or Chess960 for an external engine"):
        standstill.annotate(text, ["stockfish"], nodes=200)
