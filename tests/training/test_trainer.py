"""Training: losses and gradients compared with numpy and PyTorch, reproducible files, quantisation."""

from __future__ import annotations

import array
import contextlib
import io
import itertools
import random
import signal
import subprocess
import sys
from pathlib import Path

import chess
import numpy as np
import pytest

from standstill.cext.network.network_eval import NetworkEvaluator
from standstill.cext.training.samples import SAMPLE_BYTES, inputs, sample_boards
from standstill.cext.training.trainer import Trainer, parameter_count
from standstill.engine.network.file import ACTIVE, BUCKETS, OUTPUT_ONE, Network, read_network
from standstill.engine.network.loading import load
from standstill.engine.training.gamefile import packed_block, packed_head
from standstill.engine.training.plain import game_of_line
from standstill.engine.variants.boards import new_evaluator
from standstill.engine.variants.variant import CHESS
from tools.train import data, learning, network, report
from tools.train.__main__ import main
from tools.train.plan import FIRST_RATE, Plan, State
from tools.train.rounding import OutputRounder

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 32


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of random games; the score is the material balance."""
    chance = random.Random(3)
    worth = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 320, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
    lines = []
    for _ in range(80):
        board, words = chess.Board(), []
        while len(words) < 70 and not board.is_game_over():
            move = chance.choice(sorted(board.legal_moves, key=str))
            cp = sum(
                worth[man.piece_type] * (1 if man.color == board.turn else -1) for man in board.piece_map().values()
            )
            words.append(f"{move.uci()}:{cp}")
            board.push(move)
        lines.append(game_of_line(f"-||{chance.choice(['1-0', '0-1', '1/2-1/2'])}|{' '.join(words)}"))
    path = tmp_path_factory.mktemp("games") / "random.games"
    path.write_bytes(packed_head({}) + packed_block(0, lines))
    return str(path)


@pytest.fixture(scope="module", params=[False, True], ids=["usual", "by king"])
def samples(request: pytest.FixtureRequest, games: str) -> data.Samples:
    return data.load([games], skip=0, most_cp=2500, by_king=request.param)


@pytest.fixture(scope="module", params=["usual", "by king", "records"])
def lessons(request: pytest.FixtureRequest, games: str) -> data.Samples:
    """Samples of the games above, also by king and with record outputs."""
    found = data.load([games], skip=0, most_cp=2500, by_king=request.param == "by king")
    if request.param != "records":
        return found
    found.fields["ply"] = np.random.default_rng(6).integers(0, 8, len(found.fields))
    return found._replace(records=True)


def call(*words: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(word) for word in words])
    return status, out.getvalue(), err.getvalue()


def naive(parameters: np.ndarray, samples: data.Samples, order: np.ndarray, scale: float, share: float):
    """(outputs, losses) in 64 bits, as docs/network-format.md and docs/training.md define them."""
    own, other = (np.zeros((len(order), 32), dtype=np.int32) for _ in range(2))
    buckets = np.zeros(len(order), dtype=np.int32)
    inputs(samples.raw, order, own, other, buckets, samples.by_king)
    if samples.records:
        buckets = samples.fields["ply"][order]
    biases, output, last = network.places(samples.inputs, WIDTH)
    p = parameters.astype(np.float64)
    weights = np.vstack([p[:biases].reshape(samples.inputs, WIDTH), np.zeros(WIDTH)])
    hidden = np.concatenate([weights[rows].sum(axis=1) + p[biases:output] for rows in (own, other)], axis=1)
    out = (np.clip(hidden, 0, 1) ** 2 * p[output:last].reshape(8, 2 * WIDTH)[buckets]).sum(axis=1) + p[last:][buckets]
    fields = samples.fields[order]
    target = (1 - share) * data.sigmoid(fields["cp"] / scale) + share * fields["result"] / 2
    return out, (data.sigmoid(out) - target) ** 2


def test_outputs_and_losses(lessons: data.Samples) -> None:
    parameters = network.initial(lessons.inputs, WIDTH, 1)
    trainer = Trainer(WIDTH, lessons.raw, 4, 200.0, 0.3, by_king=lessons.by_king, records=lessons.records)
    out = np.zeros(len(lessons.training), dtype=np.float32)
    loss = trainer.outputs(parameters, lessons.training, out)
    expected, losses = naive(parameters, lessons, lessons.training, 200.0, 0.3)
    np.testing.assert_allclose(out, expected, atol=1e-4)
    assert abs(loss - losses.sum()) < 1e-4 * losses.sum()


def test_gradient_is_the_slope_of_the_loss(lessons: data.Samples) -> None:
    parameters = network.initial(lessons.inputs, WIDTH, 2)
    trainer = Trainer(WIDTH, lessons.raw, 3, 200.0, 0.5, by_king=lessons.by_king, records=lessons.records)
    order = lessons.training[:100]
    for part in range(3):
        trainer.descend(parameters, order, part)
    gradient = np.zeros_like(parameters)
    trainer.gradient(gradient)
    chance = np.random.default_rng(4)
    biases, output, last = network.places(lessons.inputs, WIDTH)
    used = np.flatnonzero(gradient[:biases])
    places = [
        *chance.choice(used, 40),
        *chance.integers(biases, output, 10),
        *chance.integers(output, last, 40),
        last + 7,
    ]
    for place in places:
        slope = []
        for step in (1e-5, -1e-5):
            moved = parameters.astype(np.float64)
            moved[place] += step
            slope.append(naive(moved, lessons, order, 200.0, 0.5)[1].sum())
        assert abs((slope[0] - slope[1]) / 2e-5 - gradient[place]) < 2e-4 + 1e-2 * abs(gradient[place])


def test_same_losses_as_the_reference(lessons: data.Samples) -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)

    plan = Plan(WIDTH, 3, 256, 200.0, 0.3, 1)
    rows = []
    for in_pytorch in (False, True):
        state = State(network.initial(lessons.inputs, WIDTH, 1))
        trainer = learning.trainer(lessons, plan, 1, in_pytorch=in_pytorch)
        learning.Learner(lessons, plan, trainer).run(state, lambda _: None)
        rows.append([row[3:5] for row in state.rows])
    np.testing.assert_allclose(rows[0], rows[1], rtol=2e-4)


def test_file_is_reproduced_whatever_the_threads_and_interruptions(games: str, tmp_path: Path) -> None:
    common = [games, "--width", WIDTH, "--batch", 128, "--passes", 3, "--seed", 5, "--name", "tiny"]
    common += ["--look-ahead", 0.5, "--result-share", 0.25]
    one, other, cut = (tmp_path / name for name in ("one", "other", "cut"))
    assert call(*common, "--out", one, "--threads", 1)[0] == 0
    assert call(*common, "--out", other, "--threads", 3)[0] == 0
    assert one.read_bytes() == other.read_bytes()
    # The files of a training that was killed after the first pass.
    samples = data.load([games], skip=0, most_cp=2500)
    fields = samples.fields
    scale = float(round(data.fit_scale(fields["cp"], fields["result"])))
    fields["cp"] = data.looked_ahead(fields, scale, 0.5)
    plan = Plan(WIDTH, 3, 128, scale, 0.25, 5, FIRST_RATE, len(samples.training), look_ahead=0.5)
    state = State(network.initial(samples.inputs, WIDTH, 5))
    learner = learning.Learner(samples, plan, learning.CompiledTrainer(plan, samples, 1))

    class Killed(Exception):
        pass

    def kill(state: State) -> None:
        state.save(f"{cut}.checkpoint", plan)
        raise Killed

    with pytest.raises(Killed):
        learner.run(state, kill)
    status, told, _ = call(*common, "--out", cut)
    assert status == 0 and "goes on after pass 1" in told
    assert cut.read_bytes() == one.read_bytes()
    assert (tmp_path / "one.csv").read_text().startswith("pass,steps,rate,training,validation")
    assert (tmp_path / "one.svg").read_text().endswith("</svg>\n")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("damage", ["emptied", "cut", "touched up", "of another kind"])
def test_a_damaged_checkpoint_is_one_line_and_stays(games: str, tmp_path: Path, damage: str) -> None:
    words = (games, "--width", WIDTH, "--out", tmp_path / "net", "--passes", 1)
    assert call(*words)[0] == 0
    path = tmp_path / "net.checkpoint"
    whole = path.read_bytes()
    middle = len(whole) // 2
    end = middle + 64
    other = io.BytesIO()
    np.savez(other, parameters=np.zeros(3))
    damaged = {
        "emptied": b"",
        "cut": whole[:middle],
        "touched up": whole[:middle] + bytes(value ^ 255 for value in whole[middle:end]) + whole[end:],
        "of another kind": other.getvalue(),
    }[damage]
    path.write_bytes(damaged)
    said = f"train: {path}: a damaged checkpoint; remove it, or name another network\n"
    assert call(*words)[::2] == (2, said) and path.read_bytes() == damaged


def test_games_that_are_all_held_back_are_one_line(tmp_path: Path) -> None:
    """Training once divided by zero positions."""
    lines = [game_of_line("-||1-0|e2e4:10")] * (data.HELD_BACK - 1)
    lines.append(game_of_line("-||1-0|" + " ".join(f"{move}:10" for move in ("e2e4", "e7e5", "g1f3"))))
    path = tmp_path / "few.games"
    path.write_bytes(packed_head({}) + packed_block(0, lines))
    status, _, errors = call(path, "--width", WIDTH, "--out", tmp_path / "net", "--skip", 1)
    assert (status, errors) == (2, "train: there are no positions to learn from: all are held back\n")


def test_the_pace_counts_positions_that_there_are(samples: data.Samples) -> None:
    """In a small training a step has fewer positions than a batch."""
    plan = Plan(WIDTH, 1, 10**9, 200.0, 0.3, 1)
    learner = learning.Learner(samples, plan, learning.CompiledTrainer(plan, samples, 1))
    state = State(network.initial(samples.inputs, WIDTH, 1))
    learner.run(state, lambda state: None)
    pace = state.rows[0][learning.COLUMNS.index("positions_a_second")]
    assert 0 < pace < 10**8


@pytest.mark.slow
def test_network_learns_what_men_are_worth(games: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOST_CHECKED", 20)  # so that the report samples positions
    path = tmp_path / "net"
    words = ["--result-share", 0, "--look-ahead", 0, "--scale", 400, "--passes", 40, "--batch", 64, "--width", WIDTH]
    status, told, _ = call(games, "--out", path, *words)
    assert status == 0 and "quantised: loss" in told and "material" in told
    samples = data.load([games], skip=0, most_cp=2500)
    found = network.values(read_network(str(path)), samples, samples.training)
    # Checked on positions seen in training: eighty games are too few to predict others.
    assert report.correlation(found, samples.fields["cp"][samples.training]) > 0.95
    # Training continues from this network, with other positions and another scale.
    status, _, _ = call(games, "--out", tmp_path / "next", "--start-from", path, "--passes", 1, "--width", WIDTH)
    assert status == 0


@pytest.mark.slow
def test_groups_of_king_places_begin_with_what_is_known_of_all(games: str, tmp_path: Path) -> None:
    """Training continues from a network without king groups: at first every group has that network's rows."""
    usual, grouped = tmp_path / "usual", tmp_path / "grouped"
    common = [games, "--width", WIDTH, "--passes", 1, "--scale", 400]
    assert call(*common, "--out", usual)[0] == 0
    assert call(*common, "--out", grouped, "--by-king", "--start-from", usual, "--rate", 0, "--decay", 0)[0] == 0
    before, after = read_network(str(usual)), read_network(str(grouped))
    assert (before.inputs, after.inputs) == (768, 12288)
    boards = sample_boards(data.load([games], skip=0, most_cp=2500).raw)[:500]
    one, other = (NetworkEvaluator(load(str(path)), False) for path in (usual, grouped))
    values = np.array([[one.network_cp(board), other.network_cp(board)] for board in boards])
    assert np.corrcoef(values.T)[0, 1] > 0.999  # the scales differ
    # Added hidden units have no effect at first, and then learn.
    wider = tmp_path / "wider"
    words = [games, "--width", 2 * WIDTH, "--scale", 400, "--by-king", "--start-from", grouped, "--out", wider]
    assert call(*words, "--passes", 1, "--rate", 0, "--decay", 0)[0] == 0
    evaluator = NetworkEvaluator(load(str(wider)), False)
    assert np.corrcoef(values[:, 1], [evaluator.network_cp(board) for board in boards])[0, 1] > 0.999
    (tmp_path / "wider.checkpoint").unlink()
    assert call(*words, "--passes", 4, "--batch", 64, "--rate", 0.01)[0] == 0
    weights = np.array(read_network(str(wider)).output_weights).reshape(-1, 2, 2 * WIDTH)
    assert np.count_nonzero(weights[:, :, WIDTH:]) > 0
    # A smaller width or no king groups are refused, because weights would be lost.
    status, _, errors = call(*common, "--out", tmp_path / "back", "--by-king", "--start-from", wider)
    assert status == 2 and f"expected a width of at most {WIDTH}" in errors and errors.count("\n") == 1
    status, _, errors = call(*common, "--out", tmp_path / "back", "--start-from", grouped)
    assert status == 2 and "--by-king is needed" in errors and errors.count("\n") == 1


@pytest.mark.slow
def test_first_training_is_by_static_evaluation(games: str, tmp_path: Path) -> None:
    status, told, _ = call(games, "--out", tmp_path / "net", "--strays", 2, "--passes", 1, "--width", WIDTH)
    assert status == 0 and "positions to learn from" in told
    samples = data.load([games], skip=0, most_cp=0, strays=2)
    scores = samples.static_scores()
    evaluator = new_evaluator(CHESS)
    for board, cp in zip(sample_boards(samples.raw[: 50 * SAMPLE_BYTES]), scores, strict=False):
        assert not board.checkers and evaluator.evaluate_cp(board) == cp


def test_quantised_values_are_near_and_exact(samples: data.Samples) -> None:
    """Values by numpy equal those in plain Python, and are near the original floats."""
    parameters = network.initial(samples.inputs, WIDTH, 9)
    about = {"name": "x", "licence": "x", "origin": "x"}
    net = network.quantised(parameters, samples.inputs, WIDTH, 300, about)
    order = samples.training[:200]
    found = network.values(net, samples, order)
    own, other = (np.zeros((len(order), 32), dtype=np.int32) for _ in range(2))
    buckets = np.zeros(len(order), dtype=np.int32)
    inputs(samples.raw, order, own, other, buckets, samples.by_king)
    for row in range(len(order)):
        total = 0
        for side, features in enumerate((own[row], other[row])):
            for i in range(WIDTH):
                rows = (f for f in features if f < samples.inputs)
                a = net.feature_biases[i] + sum(net.feature_weights[f * WIDTH + i] for f in rows)
                x = min(max(a, 0), 255)
                total += x * x * net.output_weights[buckets[row] * 2 * WIDTH + side * WIDTH + i]
        value = (int(total / 255) + net.output_biases[buckets[row]]) * net.scale
        assert found[row] == int(value / (255 * 64))
    out, _ = naive(parameters, samples, order, 300.0, 0.3)
    assert np.abs(out * 300 - found).mean() < 8
    again = network.restored(net)
    output = network.places(samples.inputs, WIDTH)[1]
    assert np.abs(again[:output] - parameters[:output]).max() < 0.009
    assert np.abs(again[output:] - parameters[output:]).max() < 0.009


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scale", [300, 200])
def test_values_of_other_positions_come_nearer_to_the_floats(samples: data.Samples, scale: int) -> None:
    """Weights are rounded on training positions, and compared on held-back ones."""
    parameters = network.initial(samples.inputs, WIDTH, 9)
    plain = network.quantised(parameters, samples.inputs, WIDTH, 300, {})
    outputs, _ = naive(parameters, samples, samples.training, 300.0, 0.0)
    exact, _ = naive(parameters, samples, samples.validation, 300.0, 0.0)
    found = OutputRounder(plain, parameters, samples, order=samples.training, outputs=outputs, unit=300).rounded(scale)
    assert found.scale == scale and found.feature_weights == plain.feature_weights

    def apart(net: Network) -> float:
        return float(np.mean((network.values(net, samples, samples.validation) - exact * 300) ** 2))

    assert apart(found) < apart(plain)


def test_the_largest_sum_of_an_output_is_what_files_have_room_for() -> None:
    weights = [0] * (BUCKETS * 2 * WIDTH)
    weights[0], weights[1], weights[2 * WIDTH], weights[2 * WIDTH + 1] = 100, 20, -90, -70
    net = network.quantised(network.initial(768, WIDTH, 9), 768, WIDTH, 300, {})
    assert report.largest_sum(net._replace(output_weights=array.array("h", weights))) == 160


def test_an_output_of_no_position_stays_what_it_was(samples: data.Samples) -> None:
    parameters = network.initial(samples.inputs, WIDTH, 9)
    plain = network.quantised(parameters, samples.inputs, WIDTH, 300, {})
    few = samples.training[:1]
    outputs, _ = naive(parameters, samples, few, 300.0, 0.0)
    found = OutputRounder(plain, parameters, samples, order=few, outputs=outputs, unit=300).rounded(300)
    _, output, last = network.places(samples.inputs, WIDTH)
    weights = np.array(found.output_weights).reshape(BUCKETS, -1)
    _, _, buckets = next(network.hidden_numbers(plain, samples, few))
    others = np.arange(BUCKETS) != buckets[0]
    assert np.abs(weights / OUTPUT_ONE - parameters[output:last].reshape(BUCKETS, -1))[others].max() <= 0.5 / OUTPUT_ONE
    biases = np.array(found.output_biases) / (ACTIVE * OUTPUT_ONE)
    assert np.abs(biases - parameters[last:])[others].max() < 1e-4


def test_engine_gives_the_quantised_values(games: str, samples: data.Samples, tmp_path: Path) -> None:
    """The search and the trainer's report evaluate a network in the same way: inputs, sides and outputs agree."""
    path = tmp_path / "net"
    words = ["--by-king"] if samples.by_king else []
    assert call(games, "--out", path, "--passes", 2, "--batch", 64, "--width", WIDTH, *words)[0] == 0
    evaluator = NetworkEvaluator(load(str(path)), False)
    found = network.values(
        read_network(str(path)), samples, np.arange(len(samples.raw) // SAMPLE_BYTES, dtype=np.uint32)
    )
    boards = sample_boards(samples.raw)
    assert len(boards) == len(found) > 1000
    assert [evaluator.network_cp(board) for board in boards] == found.tolist()


def test_scale_predicts_results() -> None:
    chance = np.random.default_rng(1)
    cp = chance.normal(0, 400, 100_000)
    result = 2 * (chance.random(100_000) < data.sigmoid(cp / 230))
    assert abs(data.fit_scale(cp, result) - 230) < 10


def test_look_ahead_is_the_recursion_of_its_definition(samples: data.Samples) -> None:
    """Targets use the game's next sample in its mover's view, weighted once per ply; the last one uses the result."""
    decay, scale = 0.8, 200.0
    fields = samples.fields
    found = data.looked_ahead(fields, scale, decay)
    assert len(np.unique(np.diff(fields["ply"].astype(int)))) > 3  # some positions in between are left out
    ahead, following = 0.0, None
    for row, cp in zip(reversed(fields), reversed(found), strict=True):
        if following is None or following["game"] != row["game"]:
            ahead, plies = row["result"] / 2, 1
        else:
            plies = int(following["ply"]) - int(row["ply"])
            ahead = 1 - ahead if plies % 2 else ahead
        ahead = (1 - decay**plies) / (1 + np.exp(-row["cp"] / scale)) + decay**plies * ahead
        assert abs(cp - scale * np.log(ahead / (1 - ahead))) < 1
        following = row


def test_look_ahead_goes_on_beyond_256_plies() -> None:
    """A sample's field holds only the lowest eight bits of its ply."""
    fields = np.zeros(2, dtype=data.SAMPLE)
    fields["ply"], fields["cp"], fields["result"] = (255, 0), (100, -300), (2, 0)
    found = data.looked_ahead(fields, 100.0, 0.5)
    last = data.sigmoid(-3.0) / 2
    first = (data.sigmoid(1.0) + 1 - last) / 2
    assert found.tolist() == [round(100 * np.log(x / (1 - x))) for x in (first, last)]


def test_damaged_samples_and_wrong_shapes_are_refused(samples: data.Samples) -> None:
    damaged = samples.raw.copy()
    damaged[8] = 0
    with pytest.raises(ValueError, match="sample 0 is damaged"):
        Trainer(WIDTH, damaged, 1, 200.0, 0.3)
    with pytest.raises(ValueError, match="expected a width"):
        Trainer(33, samples.raw, 1, 200.0, 0.3)
    trainer = Trainer(WIDTH, samples.raw, 1, 200.0, 0.3)
    parameters = np.zeros(parameter_count(WIDTH), dtype=np.float32)
    with pytest.raises(ValueError, match="expected samples"):
        trainer.descend(parameters, np.array([trainer.count], dtype=np.uint32), 0)
    with pytest.raises(ValueError, match=r"expected .* parameters"):
        trainer.descend(parameters[:-1], samples.training[:1], 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nothing.games"], "No such file"),
        (["{games}", "--start-from", "{games}"], "not a network of this engine"),
        (["{games}", "--width", "33"], "expected a width"),
        (["{games}", "--skip", "250"], "no positions"),
    ],
)
def test_bad_input_is_one_line(games: str, tmp_path: Path, words: list[str], told: str) -> None:
    status, _, errors = call(*(word.format(games=games) for word in words), "--out", tmp_path / "net", "--passes", 1)
    assert status == 2 and errors.count("\n") == 1 and told in errors


@pytest.mark.parametrize(
    "words",
    ["--width 16", "--passes 0", "--batch 0", "--seed -1", "--skip -1", "--most-cp 99999999999", "--threads 0",
     "--strays -1", "--rate nan", "--rate inf", "--decay -1", "--result-share 2", "--look-ahead 1", "--scale 0"],
)  # fmt: skip
def test_numbers_are_refused_before_anything_is_read(tmp_path: Path, words: str) -> None:
    """A width that no network file can have was once reported only after the training."""
    status, told, errors = call(tmp_path / "nothing", "--out", tmp_path / "net", *words.split())
    assert (status, told, errors.count("\n")) == (2, "", 1)
    option, value = words.split()
    assert errors.startswith(f"train: {option}: expected ") and errors.endswith(f", found {value}\n")


def test_an_interrupt_is_said_in_one_line(games: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.train", games, "--width", str(WIDTH), "--passes", "100000"]
    command += ["--out", str(tmp_path / "net")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told = list(itertools.takewhile(lambda line: not line.startswith("pass 2"), process.stdout))
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert told and rest.endswith("interrupted: the same command goes on after the last complete pass\n")


@pytest.mark.parametrize("option", ["FILE", "--start-from"])
def test_what_it_reads_is_not_written_over(games: str, tmp_path: Path, option: str) -> None:
    path = tmp_path / "net.csv"
    path.write_bytes(before := Path(games).read_bytes())
    for out in (path, tmp_path / "net"):  # for the second, the log would overwrite the file
        words = [path] if option == "FILE" else [games, option, path]
        status, _, errors = call(*words, "--out", out, "--passes", 1)
        assert status == 2 and errors.count("\n") == 1 and "same file" in errors
        assert path.read_bytes() == before
