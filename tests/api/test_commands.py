"""The API and the commands give the same numbers on random games."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill import clock, rmobility
from standstill.engine.clock.units import parse_duration
from tests import forked

RESULTS = "1-0", "0-1", "1/2-1/2"


@pytest.fixture(scope="module")
def games() -> list[chess.pgn.Game]:
    """A double round robin of four players with random moves; games unfinished on the board get random results."""
    rng = random.Random(17)
    names, found = "ABCD", []
    for white, black in [(white, black) for white in names for black in names if white != black]:
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 120:
            board.push(rng.choice(list(board.legal_moves)))
        game = chess.pgn.Game.from_board(board)
        game.headers.update(White=white, Black=black)
        if board.result(claim_draw=True) == "*":
            game.headers["Result"] = rng.choice(RESULTS)
        found.append(game)
    return found


@pytest.fixture(scope="module")
def archive(games: list[chess.pgn.Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("api") / "games.pgn"
    path.write_text("\n\n".join(map(str, games)) + "\n", encoding="ascii")
    return path


def test_scores_are_those_of_tag(executable: Path, games: list[chess.pgn.Game], archive: Path) -> None:
    command = [executable, "tag", archive, "--tags", "all", "--quiet"]
    tagged = io.StringIO(forked.run(command, text=True, check=True).stdout)
    for game in games:
        read, found = chess.pgn.read_game(tagged), rmobility.score(game)
        assert read is not None and str(found.goal) == read.headers["RMobilityResult"]
        assert str(found.whole) == read.headers["RMobilityWG"]
        assert found.plies == len(list(game.mainline_moves()))


def test_standings_are_those_of_the_command(executable: Path, games: list[chess.pgn.Game], archive: Path) -> None:
    done = forked.run([executable, "standings", archive, "--format", "json"], text=True, check=True)
    told = json.loads(done.stdout)["players"]
    found = rmobility.standings(games)
    assert [each.name for each in found] == [player["name"] for player in told]
    exact = [(str(each.points), str(each.rmobility)) for each in found]
    assert exact == [(player["exact"]["points"], player["exact"]["rmobility"]) for player in told]
    assert [(each.wins, each.draws, each.losses) for each in found] == [
        (player["wins"], player["draws"], player["losses"]) for player in told
    ]


def test_clocks_are_those_of_simulate(executable: Path) -> None:
    command = [executable, "clock", "simulate", "50/75/1", "--think", "9d12h*8,1d,3d*20", "--json"]
    rows = json.loads(forked.run(command, text=True, check=True).stdout)
    control = clock.parse_control("50/75/1")
    side = control.opening()
    thought = [*["9d12h"] * 8, "1d", *["3d"] * 20]
    assert len(rows) == len(thought)
    for row, text in zip(rows, thought, strict=True):
        side = control.complete(side, parse_duration(text))
        assert (side.clock_ms / 86_400_000, side.bank_ms / 86_400_000) == pytest.approx((row["clock"], row["bank"]))
