"""The tuner's model equals the evaluation, so the fitted weights are those played."""

from __future__ import annotations

from pathlib import Path

import pytest

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.engine.variants import notation
from tools.measure.beside.positions import from_random_games

pytest.importorskip("numpy", reason="needs numpy, as the tuner does")
from tools.measure.fit import tune_eval


def test_file_is_read_and_written_without_loss() -> None:
    text = tune_eval.NUMBERS.read_text(encoding="ascii")
    weights = tune_eval.Weights(text)
    assert weights.write(text) == text
    weights.pairs += 1
    weights.units -= 1
    changed = weights.write(text)
    again = tune_eval.Weights(changed)
    assert changed != text
    assert (again.pairs == weights.pairs).all()
    assert (again.units == weights.units).all()


def test_model_and_trace_agree(tmp_path: Path) -> None:
    boards = from_random_games(200, 20_260_803, False)
    path = tmp_path / "positions.txt"
    path.write_text("".join(f"{notation.fen(board)};0.5;0\n" for board in boards), encoding="ascii")
    weights = tune_eval.Weights(tune_eval.NUMBERS.read_text(encoding="ascii"))
    values, _ = tune_eval.evaluate(tune_eval.Positions([path]), weights)
    evaluator = ChessEvaluator(discount=False)
    compared = 0
    for board, value in zip(boards, values, strict=True):
        *rows, total = evaluator.trace(board)
        if len(rows) > 1 and abs(total[3]) < 12_000:
            compared += 1
            assert abs(total[3] - value) <= 2  # the core rounds and shifts whole units
    assert compared > 150
