"""Plays every row of the tables in docs/rmobility-endings.md with python-chess alone."""

from __future__ import annotations

import re
from pathlib import Path

import chess
import pytest

from standstill.engine.common.goal import parse_goal
from tests.rmobility.naive import code_of, text_of
from tools.measure.pictures.diagrams import BOARDS, OUT

PAGE = (OUT.parent / "rmobility-endings.md").read_text(encoding="utf-8")
# An optional picture, a position and its table.
ENDING = re.compile(
    r"(?:!\[\]\(images/rmobility-([\w-]+)\.svg\)\n\n)?`([^`\n]+)`\n\n"
    r"\| move \| goal \| record \|\n\| --- .*\n((?:\|.*\n)+)"
)
ENDINGS = ENDING.findall(PAGE)


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_every_table_and_picture_is_looked_at() -> None:
    assert len(ENDINGS) == PAGE.count("| move |") >= 10
    pictures = re.findall(r"images/rmobility-([\w-]+)\.svg", PAGE)
    assert pictures == [name for name, *_ in ENDINGS if name]
    whole = PAGE + (OUT.parent / "rmobility.md").read_text(encoding="utf-8")
    assert set(re.findall(r"images/rmobility-([\w-]+)\.svg", whole)) == set(BOARDS)
    assert {path.name for path in Path(OUT).glob("rmobility-*.svg")} == {f"rmobility-{name}.svg" for name in BOARDS}


@pytest.mark.parametrize(("picture", "position", "table"), ENDINGS)
def test_table(picture: str, position: str, table: str) -> None:
    fields = position.split()
    board = chess.Board(" ".join(fields[:6]))
    record = (code_of(board), not board.turn)
    if len(fields) == 7:
        owner, code = parse_goal(fields[6])
        assert code <= record[0]
        record = (code, owner == 0)
    first, *moves = rows(table)
    assert first == ["", text_of(code_of(board), not board.turn), text_of(*record)]
    seen = [board.board_fen()]
    for text, goal, standing in moves:
        number, san = text.split()
        assert number == f"{board.fullmove_number}." + ("" if board.turn else "..")
        move = board.parse_san(san)
        assert board.san(move) == san
        resets = board.is_zeroing(move)
        board.push(move)
        seen.append(board.board_fen())
        reached = (code_of(board), not board.turn)
        if resets or reached[0] < record[0]:
            record = reached
        assert [goal, standing] == [text_of(*reached), text_of(*record)]
    if picture:
        assert BOARDS[picture].split()[0] in seen


def test_forecast_for_bare_kings() -> None:
    """After 1.Kd5 Kf5 White has five moves: a king in opposition takes three squares from the other king."""
    board = chess.Board("8/8/8/3K1k2/8/8/8/8 w - - 2 2")
    assert board.legal_moves.count() == 5


def test_forecast_for_the_bishop() -> None:
    """After 4.Bf7 every Black move can be answered by stalemate."""
    board = chess.Board("6k1/8/5K2/5B2/8/8/8/8 b - - 0 1")
    for san in ("Kf8", "Bd7", "Kg8", "Be6+", "Kh7", "Bf7"):
        board.push_san(san)
    answers = {"Kh8": "Kg6", "Kh6": "Bg6"}
    assert {board.san(move) for move in board.legal_moves} == set(answers)
    for move, answer in answers.items():
        after = board.copy()
        after.push_san(move)
        after.push_san(answer)
        assert after.is_stalemate()
