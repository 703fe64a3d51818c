"""Games played for the record, and samples for networks that predict it, compared with python-chess."""

from __future__ import annotations

import gzip
import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import chess
import numpy as np
import pytest

from standstill.cext.network.record_eval import RecordEvaluator
from standstill.cext.training.record_samples import RecordReader
from standstill.cext.training.samples import sample_boards
from standstill.engine.network.file import read_network
from standstill.engine.network.loading import load
from standstill.engine.training.plain import game_of_line
from standstill.engine.variants.boards import new_evaluator
from standstill.engine.variants.variant import CHESS
from tests.rmobility.naive import code_of
from tests.training.naive import Game, read
from tests.training.test_games import Run
from tests.training.test_samples import SAMPLE
from tools.train import data
from tools.train.__main__ import main
from tools.train.network import values

ENDINGS = Path("tests/data/endings.epd")
GAMES = 96


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from standstill.engine.training.generator import Generator

    path = tmp_path_factory.mktemp("records") / "games"
    generator = Generator(str(path), nodes=60, seed=3, workers=2, eval_file="none", starts=str(ENDINGS))
    generator.run(GAMES, lambda _: None)
    return path


@pytest.fixture(scope="module")
def played(file: Path) -> list[Game]:
    about, games = read(file)
    assert about["objective"] == "Decisive" and len(about["starts"]) == 8
    return games


@pytest.mark.slow
def test_games_begin_from_the_positions(played: list[Game]) -> None:
    starts = {line.split()[0] for line in ENDINGS.read_text(encoding="ascii").splitlines()[1:]}
    assert all(game.first.board_fen() in starts for game in played)
    assert {game.opening for game in played} == {0, 1, 2, 3}
    assert len({game.first.board_fen() for game in played}) > GAMES // 3


def test_games_are_played_to_the_end(played: list[Game]) -> None:
    """Dead material and level scores do not end games; at least three of four games are drawn by rule."""
    reasons = {game.reason for game in played}
    assert reasons <= {1, 2, 3, 4, 6, 8} and {3, 4} & reasons  # docs/training-data.md
    for game in played:
        *_, (last, _, _) = game.boards()
        if game.reason == 3:
            assert last.is_repetition(3)
        elif game.reason == 4:
            assert last.halfmove_clock >= 100
        elif game.reason in (1, 2):
            assert last.is_checkmate() == (game.reason == 1) and last.is_stalemate() == (game.reason == 2)


def records(game: Game) -> list[tuple[int, bool]]:
    """(code, owner) of the record at each position, including the last one."""
    found: list[tuple[int, bool]] = []
    for board, _, _ in game.boards():
        code = code_of(board)
        fresh = not found or board.halfmove_clock == 0
        if board.halfmove_clock >= 100 and code > 1 and not fresh:
            code = 10**6
        found.append((code, not board.turn) if fresh or code < found[-1][0] else found[-1])
    return found


def expected_samples(games: list[Game], most_men: int) -> list[tuple[str, int, int, int]]:
    """(pieces as the side to move sees them, result, output, game)"""
    rows = []
    for game in games:
        if game.result != "1/2-1/2":
            continue
        standing = records(game)
        for ply, (board, move, _) in enumerate(game.boards()):
            if move is None or ply < game.opening or board.is_check() or len(board.piece_map()) > most_men:
                continue
            code, owner = standing[ply]
            output = sum(code / 2 >= bound for bound in (2.5, 5, 8.5)) + (0 if owner == board.turn else 4)
            own = board if board.turn else board.mirror()
            rows.append((own.board_fen(), 2 if standing[-1][1] == board.turn else 0, output, game.number))
    return rows


def read_samples(path: Path, most_men: int) -> np.ndarray:
    from standstill.engine.training.reading import read_into

    reader = RecordReader(most_men)
    read_into(reader, [str(path)])
    assert reader.counts["games"] == GAMES
    return np.frombuffer(reader.samples_bytes(), dtype=SAMPLE)


def board_of(row: np.void) -> str:
    """The pieces of a sample, as docs/training-data.md describes them."""
    board = chess.Board(None)
    squares = [square for square in chess.SQUARES if int(row["occupied"]) >> square & 1]
    for place, square in enumerate(squares):
        man = int(row["pieces"][place // 2]) >> 4 * (place % 2) & 15
        board.set_piece_at(square, chess.Piece(man & 7, man < 8))
    return board.board_fen()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("most_men", [20, 5])
def test_samples_say_who_held_the_last_record(file: Path, played: list[Game], most_men: int) -> None:
    samples = read_samples(file, most_men)
    found = [
        (board_of(row), int(row["result"]), int(row["ply"]), int(row["game"]) + played[0].number) for row in samples
    ]
    assert found == expected_samples(played, most_men)
    if most_men == 20:
        assert {row[2] for row in found} == set(range(8))


def test_won_games_teach_nothing() -> None:
    reader = RecordReader(20)
    for result in ("1-0", "0-1"):
        reader.read(game_of_line(f"8/8/3k4/8/8/3K4/4R3/8 w - - 0 1||{result}|e2e3:0 d6d5:0"), 1, 0)
    assert len(reader) == 0


def call(*words: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(word) for word in words])
    return status, out.getvalue(), err.getvalue()


def engine_values(path: Path, samples: data.Samples) -> list[int]:
    """The core's values of the samples, each for a record of the sample's class."""
    evaluator = RecordEvaluator(new_evaluator(CHESS), load(str(path), records=True))
    codes = (1, 6, 11, 40)
    return [
        evaluator.last_owner_logit(board, int(output) // 4, codes[output % 4])
        for board, output in zip(sample_boards(samples.raw), samples.fields["ply"], strict=True)
    ]


def test_training_is_reproduced_and_foresees(file: Path, tmp_path: Path) -> None:
    """A tiny network predicts better than the class of the current record alone."""
    common = [file, "--records", "--width", 32, "--passes", 12, "--batch", 256, "--rate", 4e-3, "--name", "tiny"]
    nets = [tmp_path / name for name in ("one.nn", "other.nn")]
    for net, threads in zip(nets, (1, 2), strict=True):
        status, told, err = call(*common, "--out", net, "--threads", threads)
        assert (status, err) == (0, "") and "by the class of the record alone" in told
    assert nets[0].read_bytes() == nets[1].read_bytes()
    network = read_network(str(nets[0]))
    assert network.about["foresees"] == "records" and network.about["training"]["records"] is True
    assert load(str(nets[0]), records=True).width == 32
    samples = data.load_records([str(file)])
    order = np.arange(len(samples.fields), dtype=np.uint32)
    assert engine_values(nets[0], samples) == values(network, samples, order).tolist()
    loss = float(told.partition("loss ")[2].partition(",")[0])
    mean = samples.fields["result"].mean() / 2
    assert loss < mean * (1 - mean)


def test_it_goes_on_from_a_network_of_its_kind_only(file: Path, tmp_path: Path) -> None:
    from standstill.engine.network.file import write_network
    from tests.network.nets import random_network

    write_network(str(tmp_path / "usual.nn"), random_network())
    status, _, err = call(file, "--records", "--width", 32, "--start-from", tmp_path / "usual.nn", "--out", "x")
    assert status == 2 and "expected a network that predicts records" in err
    for words in (("--by-king",), ("--strays", 2)):
        status, _, err = call(file, "--records", *words, "--out", "x")
        assert status == 2 and err.startswith("train: --records cannot be combined with ")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected positions, found none"),
        ("# only a comment\n\n", "expected positions, found none"),
        ("8/8/3k4/8/8/3K4/4R3/8 w - -\nnonsense here\n", ":2: expected a FEN"),
        ("7k/5KQ1/8/8/8/8/8/8 b - -\n", ":1: expected a position from which a game goes on"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - -\n", ":1: expected a position from which a game goes on"),
    ],
)
def test_bad_positions_are_one_line(run: Run, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "starts.epd").write_text(text)
    done = run("play", "-o", "x.games", "--starts", "starts.epd", "--games", 1, "--eval-file", "none")
    assert done.returncode == 2 and told in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "x.games").exists()


@pytest.mark.slow
def test_positions_that_are_all_won_are_not_tried_for_ever(run: Run, tmp_path: Path) -> None:
    (tmp_path / "won.epd").write_text("8/3k4/8/8/PPPPPPPP/2K5/8/8 w - -\n")
    done = run("play", "-o", "x.games", "--starts", "won.epd", "--games", 1, "--nodes", 1, "--eval-file", "none")
    assert done.returncode == 2 and "found 2,000 others" in done.stderr
    done = run("play", "-o", "x.games", "--games", 2, "--nodes", 1, "--eval-file", "none")
    assert done.returncode == 0, "a file without games sets no rules"
    assert run("show", "x.games", "--game", 1).returncode == 0


def test_files_of_other_positions_or_purpose_are_not_mixed(run: Run, tmp_path: Path) -> None:
    lines = ENDINGS.read_text(encoding="ascii").splitlines()
    (tmp_path / "one.epd").write_text("\ufeff" + "\r\n".join(lines[100:140]), encoding="utf-8")
    (tmp_path / "other.epd").write_text("\n".join(lines[140:180]))
    usual = ("--nodes", 30, "--eval-file", "none", "--jobs", 1)
    assert run("play", "-o", "x.games", "--starts", "one.epd", "--games", 2, *usual).returncode == 0
    assert run("play", "-o", "x.games", "--starts", "one.epd", "--games", 3, *usual).returncode == 0
    for words in (("--starts", "other.epd"), ()):
        done = run("play", "-o", "x.games", *words, "--games", 9, *usual)
        assert done.returncode == 2 and "name another file" in done.stderr
    with gzip.open(tmp_path / "same.epd.gz", "wt", encoding="utf-8") as file:
        file.write("# the same positions\n" + "\n".join(lines[100:140]))
    assert run("play", "-o", "x.games", "--starts", "same.epd.gz", "--games", 4, *usual).returncode == 0
    done = run("play", "-o", "y.games", "--starts", "one.epd", "--variant", "makruk", "--games", 1)
    assert done.returncode == 2 and "expected games of chess, found makruk" in done.stderr
    done = run("play", "-o", "one.epd", "--starts", "one.epd", "--games", 1)
    assert done.returncode == 2
    assert (tmp_path / "one.epd").read_text(encoding="utf-8").startswith("\ufeff" + lines[100])
