"""Games by definition for training: what is played, kept and shown, compared with the rules of the game."""

from __future__ import annotations

import contextlib
import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.cext.training.fairy_samples import decode_fairy
from standstill.cext.training.selfplay import REASONS, FairyPlayer
from standstill.cext.training.trainer import Trainer
from standstill.engine.network.file import read_network
from standstill.engine.network.loading import load
from standstill.engine.rmobility.objectives import classic
from standstill.engine.training.gamefile import packed_block, packed_head
from standstill.engine.training.generator import rules_for
from standstill.engine.variants import catalog
from standstill.engine.variants.boards import named_game, new_board, new_evaluator
from standstill.engine.variants.variant import Variant
from tests.network.test_fairy_network import rows_for
from tests.variants.files import block, written
from tools.train import data, network
from tools.train.__main__ import main

Run = Callable[..., subprocess.CompletedProcess]
NODES = 60
LOST, DRAWN, WON = range(3)


def player_of(game: Variant, nodes: int = NODES) -> FairyPlayer:
    return FairyPlayer(new_board(game=game), new_evaluator(game), classic(), 1, 10, rules_for(nodes))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["capablanca", "losalamos", "kingofthehill", "shatranj", "antichess"])
def test_results_are_right(name: str) -> None:
    """The last board of a game states why it has ended, and no earlier board does."""
    game = named_game(name)
    player = player_of(game, 30)
    seen = set()
    for number in range(12):
        record, _ = decode_fairy(player.play(number), 0, new_board(game=game))
        board = record.board.copy()
        for move in record.moves:
            assert board.count_legal() and board.rule_result() == 0
            board.push(move)
        reason = REASONS[record.reason]
        seen.add(reason)
        if reason == "mate":
            assert board.checkers and board.count_legal() == 0
            assert record.result == (LOST if board.stm == 0 else WON)
        elif reason == "rule of the game":
            ending = board.ending_without_moves() if board.count_legal() == 0 else board.rule_result()
            assert ending in {6, 7, 8}
            assert record.result == (DRAWN if ending == 8 else WON if (ending == 6) == (board.stm == 0) else LOST)
        elif reason == "adjudged won":
            assert record.result in {LOST, WON}
        else:
            assert record.result == DRAWN
    assert len(seen) > 1
    if name in {"kingofthehill", "antichess"}:
        assert "rule of the game" in seen


@pytest.mark.slow
def test_file_is_the_same_for_any_number_of_workers(run: Run, tmp_path: Path) -> None:
    for workers, name in ((1, "a"), (3, "b")):
        words = ("play", "-o", name, "--variant", "capablanca", "--games", 32, "--nodes", 20, "--jobs", workers)
        assert run(*words).returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert run("play", "-o", "a", "--games", 40, "--nodes", 20).returncode == 2  # chess is a different game
    assert "capablanca" in run("play", "-o", "a", "--variant", "janus", "--games", 40, "--nodes", 20).stderr
    told = run("stats", "a").stdout
    assert told.count(" %)") == told.count("%") > 5
    assert told.startswith("32 games") and "38 to 41 pieces" in told
    assert run("show", "a", "--game", 3).stdout.splitlines()[1].startswith("from rnabqkbcnr/pppppppppp/10/")
    mixed = run("stats", "a", "c") if run("play", "-o", "c", "--games", 2, "--nodes", 20).returncode == 0 else None
    assert mixed is not None and mixed.returncode == 2 and "expected games of capablanca, found chess" in mixed.stderr


@pytest.mark.slow
def test_file_of_other_rules_is_refused(run: Run, tmp_path: Path) -> None:
    for about, reason in (
        ({"game": "capablanca", "rules_of_game": "00000000"}, "its games follow other rules of 'capablanca'"),
        ({"game": "no such game"}, "no such game"),
        ({"game": 7}, "does not name the variant"),
    ):
        (tmp_path / "games").write_bytes(packed_head(about))
        for command in ("stats", "show"):
            done = run(command, "games")
            assert done.returncode == 2 and reason in done.stderr


@pytest.mark.slow
def test_games_of_a_file_of_ones_own(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such games used to be played, but then could not be read."""
    file = written(tmp_path, block("Game: mine", array="6 4 5 7 3 0 0 0"))
    monkeypatch.setattr(catalog, "_default_path", "")
    done = run("play", "-o", "some.games", "--variant", "mine", "--file", file, "--games", 8, "--nodes", 30)
    assert done.returncode == 0, done.stderr
    for command in (("stats", "some.games"), ("show", "some.games", "--game", 3)):
        assert "expected one of" in run(*command).stderr
        done = run(*command, "--file", file)
        assert done.returncode == 0 and ("8 games" if command[0] == "stats" else "game 3") in done.stdout
    arguments = [str(tmp_path / "some.games"), "--out", str(tmp_path / "mine.nn"), "--width", "32", "--passes", "1"]
    with contextlib.redirect_stdout(io.StringIO()):
        assert main([*arguments, "--file", str(file)]) == 0


def test_mean_is_for_chess(run: Run) -> None:
    done = run("play", "-o", "a", "--variant", "capablanca", "--mean", "--games", 1)
    assert done.returncode == 2 and "--mean: expected a network of chess" in done.stderr


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> str:
    game = named_game("capablanca")
    player = player_of(game)
    path = tmp_path_factory.mktemp("games") / "some.games"
    about = {"game": game.name, "rules_of_game": game.fingerprint}
    path.write_bytes(packed_head(about) + packed_block(0, [player.play(number) for number in range(40)]))
    return str(path)


def test_samples_have_the_inputs_of_the_format(games: str) -> None:
    """Samples also have score, result and evaluation from the side to move."""
    samples = data.load([games], skip=0, most_cp=2500)
    game = named_game("capablanca")
    evaluator = new_evaluator(game, discount=False)
    own, other, _ = samples.features(np.arange(len(samples.fields)))
    player, at, results = player_of(game), 0, set()
    for number in range(5):
        record, _ = decode_fairy(player.play(number), 0, new_board(game=game))
        board = record.board.copy()
        assert isinstance(board, FairyBoard)
        for ply, (move, cp) in enumerate(zip(record.moves, record.scores, strict=True)):
            quiet = cp is not None and abs(cp) < 2500 and not board.checkers and not board.noisy(move)
            if quiet:
                sample = samples.fields[at]
                assert (sample["cp"], sample["ply"], sample["game"]) == (cp, ply & 255, number)
                assert sample["result"] == (record.result if board.stm == 0 else 2 - record.result)
                assert sample["static_cp"] == evaluator.evaluate_cp(board)
                for found, side in ((own[at], board.stm), (other[at], 1 - board.stm)):
                    assert sorted(found[found < samples.inputs]) == sorted(rows_for(game, board, side))
                results.add(int(sample["result"]))
                at += 1
            board.push(move)
    assert at > 200 and len(results) > 1


def test_losses_and_slopes_are_those_of_the_sum_with_the_hand_crafted_evaluation(games: str) -> None:
    samples = data.load([games], skip=0, most_cp=2500)
    width, scale, order = 32, 300.0, samples.training[:150]
    parameters = network.initial(samples.inputs, width, 3)
    biases, output, last = network.places(samples.inputs, width)
    own, other, buckets = samples.features(order)
    fields = samples.fields[order]

    def losses(p: np.ndarray) -> np.ndarray:
        weights = np.vstack([p[:biases].reshape(samples.inputs, width), np.zeros(width)])
        hidden = np.concatenate([weights[rows].sum(axis=1) + p[biases:output] for rows in (own, other)], axis=1)
        out = (np.clip(hidden, 0, 1) ** 2 * p[output:last].reshape(8, 2 * width)[buckets]).sum(axis=1)
        out += p[last:][buckets] + fields["static_cp"] / scale
        return (data.sigmoid(out) - data.sigmoid(fields["cp"] / scale)) ** 2

    trainer = Trainer(width, samples.raw, 1, scale, 0.0, samples.inputs)
    out = np.zeros(len(order), dtype=np.float32)
    loss, expected = trainer.outputs(parameters, order, out), losses(parameters.astype(np.float64)).sum()
    assert abs(loss - expected) < 1e-4 * expected
    trainer.descend(parameters, order, 0)
    gradient = np.zeros_like(parameters)
    trainer.gradient(gradient)
    chance = np.random.default_rng(4)
    used = np.flatnonzero(gradient[:biases])
    for place in [*chance.choice(used, 30), *chance.integers(biases, len(parameters), 30)]:
        moved = np.tile(parameters.astype(np.float64), (2, 1))
        moved[:, place] += (1e-5, -1e-5)
        slope = (losses(moved[0]).sum() - losses(moved[1]).sum()) / 2e-5
        assert abs(slope - gradient[place]) < 2e-4 + 1e-2 * abs(gradient[place])


@pytest.mark.parametrize("place", ["n", "bucket", "inputs", "result"])
def test_damaged_samples_are_refused(games: str, place: str) -> None:
    samples = data.load([games], skip=0, most_cp=2500)
    samples.fields[place][5] = 250 if place != "inputs" else samples.inputs
    with pytest.raises(ValueError, match="sample 5 is damaged"):
        Trainer(32, samples.raw, 1, 300.0, 0.0, samples.inputs)


def test_network_is_trained_and_plays_its_values(games: str, tmp_path: Path) -> None:
    path = tmp_path / "capa.nn"
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        assert main([games, "--out", str(path), "--width", "32", "--passes", "3", "--batch", "64"]) == 0
    game = named_game("capablanca")
    net = read_network(str(path))
    assert (net.about["game"], net.about["rules"]) == (game.name, game.fingerprint)
    assert "rank with scores" in told.getvalue()
    samples = data.load([games], skip=0, most_cp=2500)
    found = network.values(net, samples, samples.training)
    evaluator = new_evaluator(game, network=load(str(path), game))
    player = player_of(game)
    record, _ = decode_fairy(player.play(0), 0, new_board(game=game))
    board, values = record.board.copy(), []
    for move, cp in zip(record.moves, record.scores, strict=True):
        if cp is not None and abs(cp) < 2500 and not board.checkers and not board.noisy(move):
            values.append(evaluator.network_cp(board))
        board.push(move)
    assert samples.fields["game"][0] == 0 and values == found[: len(values)].tolist()
