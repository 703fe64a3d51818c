"""The network that predicts who will hold the last record: its values, when it is used, and the option."""

from __future__ import annotations

import array
import random
from pathlib import Path

import chess
import pytest

from standstill.cext.network.record_eval import RecordEvaluator
from standstill.engine.common.errors import NetworkError
from standstill.engine.network.file import Network, packed, write_network
from standstill.engine.network.loading import load
from standstill.engine.variants.boards import new_board, new_evaluator
from standstill.engine.variants.notation import move_text
from standstill.engine.variants.variant import CHESS
from tests.network.nets import RECORDS, naive_logit, random_network
from tests.uci.client import Client

ENDINGS = Path("tests/data/endings.epd").read_text(encoding="ascii").splitlines()[1:]
FEN = "8/5k2/8/3n4/8/2K5/4B1P1/8 w - - 0 1"


def record_network(seed: int = 1) -> Network:
    return random_network(seed=seed)._replace(about=RECORDS)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "records.nn"
    write_network(str(path), record_network())
    return path


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(40))
def test_value_is_that_of_the_format(path: Path, seed: int) -> None:
    """Compare at every position of a random game, for records of any goal and either owner."""
    chance = random.Random(seed)
    network = record_network()
    found = RecordEvaluator(new_evaluator(CHESS), load(str(path), records=True))
    board = chess.Board(" ".join(chance.choice(ENDINGS).split()[:4]) + " 0 1")
    ours = new_board(board.fen())
    for _ in range(30):
        for code in {*(chance.randrange(1, 40) for _ in range(3)), 4, 5, 9, 10, 16, 17}:
            for owner in (chess.WHITE, chess.BLACK):
                expected = naive_logit(network, board, owner, code / 2)
                assert found.last_owner_logit(ours, 0 if owner else 1, code) == expected
        if not any(board.legal_moves):
            break
        move = chance.choice(sorted(ours.legal_moves()))
        board.push_uci(move_text(ours, move))
        ours.push(move)


def test_colours_and_wings_do_not_matter(path: Path) -> None:
    found = RecordEvaluator(new_evaluator(CHESS), load(str(path), records=True))
    for line in ENDINGS[100:]:
        board = chess.Board(" ".join(line.split()[:4]) + " 0 1")
        turned = board.transform(chess.flip_horizontal).mirror()
        for owner in (0, 1):
            values = (
                found.last_owner_logit(new_board(board.fen()), owner, 7),
                found.last_owner_logit(new_board(turned.fen()), owner ^ 1, 7),
            )
            assert values[0] == values[1], line


def test_evaluator_of_another_game_is_refused(path: Path) -> None:
    from standstill.engine.variants.boards import named_game

    with pytest.raises(TypeError, match="an evaluator of chess"):
        RecordEvaluator(new_evaluator(named_game("shatranj")), load(str(path), records=True))


def test_networks_of_both_tasks_are_told_apart(path: Path, tmp_path: Path) -> None:
    write_network(str(tmp_path / "usual.nn"), random_network())
    with pytest.raises(NetworkError, match="expected a network that evaluates, found one that predicts records"):
        load(str(path))
    with pytest.raises(NetworkError, match="expected a network that predicts records, found one that evaluates"):
        load(str(tmp_path / "usual.nn"), records=True)
    with pytest.raises(ValueError, match="expected 768 inputs, found 12288"):
        packed(random_network(inputs=12288)._replace(about=RECORDS))


# ---- when the network is used ----


def nodes(engine: Client, fen: str = FEN, depth: int = 10) -> tuple[str, str]:
    """Nodes and score of a search to this depth with an empty table."""
    engine.send("ucinewgame")
    words = [line for line in engine.search(f"go depth {depth}", f"fen {fen}") if " pv " in line][-1].split()
    return words[words.index("nodes") + 1], " ".join(words[words.index("score") + 1 :][:2])


def set_net(engine: Client, value: object) -> list[str]:
    engine.send(f"setoption name RMobilityEvalFile value {value}")
    return engine.synchronise()


def differs(engine: Client, path: Path, fen: str = FEN) -> bool:
    """Return whether the search depends on the network."""
    found = set()
    for value in ("none", path):
        assert not any("keeping" in line for line in set_net(engine, value))
        found.add(nodes(engine, fen))
    return len(found) == 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({"RMobility": "Decisive"}, True),
        ({"RMobility": "Decisive", "EvalFile": "none"}, True),
        ({}, False),
        ({"RMobility": "Tiebreak"}, False),
        ({"RMobility": "Points"}, False),
        # Here the owner of the last record need not win, or the network was trained for other records.
        ({"RMobility": "Decisive", "RMobilityKomi": "G3.75"}, False),
        ({"RMobility": "Decisive", "RMobilityLimit": "G3.5"}, False),
        ({"RMobility": "Decisive", "RMobilityScope": "WholeGame"}, False),
        ({"RMobility": "Decisive", "UCI_Variant": "shatranj"}, False),
    ],
)
def test_it_counts_where_the_last_record_decides(
    engine: Client, path: Path, options: dict[str, str], counts: bool
) -> None:
    engine.send(*(f"setoption name {name} value {value}" for name, value in options.items()))
    assert differs(engine, path) is counts


def test_it_counts_nothing_with_many_men(engine: Client, path: Path) -> None:
    engine.send("setoption name RMobility value Decisive")
    assert not differs(engine, path, chess.STARTING_FEN)


def test_two_threads_play_with_it(engine: Client, path: Path) -> None:
    engine.send("setoption name RMobility value Decisive", "setoption name Threads value 2")
    set_net(engine, path)
    assert engine.search("go nodes 50000", f"fen {FEN}")[-1].startswith("bestmove ")


def constant_network(logit: int) -> Network:
    """A network that always gives this logit for the current record's owner to hold the last record."""
    noise = record_network()
    holder = round(logit * 255 * 64 / noise.scale * 100)
    return noise._replace(
        output_weights=array.array("h", [0] * len(noise.output_weights)),
        output_biases=array.array("i", [holder] * 4 + [-holder] * 4),
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("logit", [3, -3])
def test_who_is_to_hold_it_is_ahead(engine: Client, tmp_path: Path, turn: str, logit: int) -> None:
    write_network(str(tmp_path / "constant.nn"), constant_network(logit))
    engine.send("setoption name RMobility value Decisive")
    set_net(engine, tmp_path / "constant.nn")
    fen = f"8/5k2/4b2r/8/8/R2B4/2K5/8 {turn} - - 20 60"
    ours, theirs = (int(nodes(engine, f"{fen} {goal}", depth=2)[1].split()[1]) for goal in record_goals(turn))
    assert (ours - theirs > 100) if logit > 0 else (theirs - ours > 100)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("goal", "white"), [("G1.0", 95), ("-G1.0", 5)])
@pytest.mark.parametrize("turn", ["w", "b"])
def test_eval_shows_the_chance(engine: Client, tmp_path: Path, goal: str, white: int, turn: str) -> None:
    write_network(str(tmp_path / "constant.nn"), constant_network(3))  # 1 / (1 + exp(-3)) is 95 %
    engine.send("setoption name RMobility value Decisive")
    set_net(engine, tmp_path / "constant.nn")
    for words, shown in (
        (f"8/5k2/4b2r/8/8/R2B4/2K5/8 {turn} - - 20 60 {goal}", True),
        (f"8/4bk2/8/8/8/8/2K5/8 {turn} - - 20 60 {goal}", False),  # dead material
        (f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {turn} KQkq - 0 1", False),
    ):
        engine.send(f"position fen {words}", "eval")
        found = [line for line in engine.synchronise() if "final record" in line]
        assert found == ([f"if drawn, White holds the final record: {white} %"] if shown else [])
    engine.send(f"position fen 8/5k2/4b2r/8/8/R2B4/2K5/8 {turn} - - 20 60", "setoption name RMobility value Points")
    engine.send("eval")
    assert not any("last record" in line for line in engine.synchronise())


def record_goals(turn: str) -> tuple[str, str]:
    """A record of the side to move and one of the opponent, neither of them beaten soon."""
    return ("G1.0", "-G1.0") if turn == "w" else ("-G1.0", "G1.0")


# ---- the option ----


def test_option_names_what_it_takes_and_what_it_refuses(engine: Client, path: Path, tmp_path: Path) -> None:
    engine.send("setoption name RMobility value Decisive")
    assert set_net(engine, path) == ["info string records predicted by network 'noise', width 32"]
    write_network(str(tmp_path / "usual.nn"), random_network())
    (tmp_path / "text").write_text("no network")
    for name, reason in (
        ("usual.nn", "expected a network that predicts records, found one that evaluates"),
        ("text", "not a network of this engine"),
        ("missing", "No such file"),
    ):
        (line,) = set_net(engine, tmp_path / name)
        assert "RMobilityEvalFile" in line and "; keeping " in line, line
        assert reason in line, line
    engine.send(f"setoption name EvalFile value {path}")
    (line,) = engine.synchronise()
    assert "EvalFile" in line and "expected a network that evaluates" in line
    assert set_net(engine, "none") == []
    assert set_net(engine, "") == ["info string records predicted by network 'records', width 64"]


def test_other_modes_and_levels_check_the_file_but_do_not_use_it(engine: Client, path: Path, tmp_path: Path) -> None:
    for level, mode in (("false", "Tiebreak"), ("true", "Decisive")):
        engine.send(f"setoption name UCI_LimitStrength value {level}", f"setoption name RMobility value {mode}")
        (line,) = set_net(engine, tmp_path / "missing")
        assert "RMobilityEvalFile" in line and "No such file" in line and line.endswith("keeping 'auto'")
        assert set_net(engine, path) == []
        assert set_net(engine, "auto") == []
