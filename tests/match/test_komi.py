"""Matches with komi: results, Elo and SPRT, compared with values computed from the PGN by other code."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.archive.syzygy import Tables
from standstill.engine.match.openings import read_openings
from standstill.engine.match.orthodox import OrthodoxReferee
from standstill.engine.match.referee import MatchRules
from standstill.engine.match.setup import Opening
from standstill.engine.match.statistics import Sprt
from tests.rmobility.naive import code_of

from .conftest import Run
from .support import KINGS, fake, games_in

SYZYGY = Path(__file__).parents[1] / "data" / "syzygy"
CAPTURE = "7k/6Q1/8/8/3K4/8/8/8 b - - 0 1"  # the only move leaves bare kings


def record_of(game: chess.pgn.Game) -> tuple[int, bool]:
    """(goal code, owner) at the end of a game, by the definition, without the 50-move rule."""
    board = game.board()
    code, owner = code_of(board), not board.turn
    if "RMobilityRecord" in game.headers:
        text = game.headers["RMobilityRecord"]
        given = int(2 * Fraction(text.lstrip("-G"))), not text.startswith("-")
        code, owner = min((code, owner), given, key=lambda found: (found[0], found != given))
    for move in game.mainline_moves():
        resets = board.is_zeroing(move)
        board.push(move)
        if resets or code_of(board) < code:
            code, owner = code_of(board), not board.turn
    return code, owner


def by_komi(game: chess.pgn.Game, komi: str, cut_off: str | None = None) -> str:
    """The result by komi of a drawn game."""
    code, owner = record_of(game)
    if cut_off is not None and code >= 2 * Fraction(cut_off.lstrip("G")):
        return "1/2-1/2"
    white, goal = not komi.startswith("-"), Fraction(code, 2)
    if owner == white and goal == Fraction(komi.lstrip("-G")):
        return "1/2-1/2"
    reached = owner == white and goal < Fraction(komi.lstrip("-G"))
    return "1-0" if reached == white else "0-1"


def pairs_of(games: list[chess.pgn.Game], name: str) -> list[float]:
    """The player's mean score in each pair of games."""
    scores = []
    for game in games:
        white = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[game.headers["Result"]]
        scores.append(white if game.headers["White"] == name else 1 - white)
    return [(one + other) / 2 for one, other in zip(scores[::2], scores[1::2], strict=True)]


def ratio(pairs: list[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of the most likely distributions with the two means; a golden-section search solves the
    dual.

    The distributions are fitted with four additional pairs, in which games are lost, drawn and won equally often; the
    ratio does not count these.
    """
    prior = {0.0: 1 / 9, 0.25: 2 / 9, 0.5: 1 / 3, 0.75: 2 / 9, 1.0: 1 / 9}
    counts = {score: pairs.count(score) + 4 * share for score, share in prior.items()}

    def likelihood(mean: float) -> float:
        def dual(t: float) -> float:
            return sum(count * math.log1p(t * (score - mean)) for score, count in counts.items())

        low, high, golden = -1 / (1 - mean) + 1e-12, 1 / mean - 1e-12, (math.sqrt(5) - 1) / 2
        for _ in range(200):
            one, other = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, other) if dual(one) > dual(other) else (one, high)
        return -sum(math.log1p((low + high) / 2 * (score - mean)) for score in pairs)

    means = [1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1)]
    return likelihood(means[1]) - likelihood(means[0])


def test_komi_decides_results_elo_and_sprt(run: Run, tmp_path: Path) -> None:
    """The table once counted 1/2-1/2 even where the komi had decided the game, so the match looked level."""
    engines = fake("random", name="A"), fake("player", 1, name="B")
    more = "--nodes 1 --rounds 4 --komi G5.75 --sprt -400,400"
    done = run(*engines, openings=KINGS, more=more)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n\nKomi G5.75 decides drawn games.\n\n") == 1
    games = games_in(tmp_path / "m.pgn")
    assert not any(game.errors for game in games)
    for game in games:
        head = game.headers
        assert head["Result"] == by_komi(game, "G5.75") != "1/2-1/2"
        assert head["Komi"] == head["RMobilityKomi"] == "G5.75" and head["Termination"].endswith(", komi G5.75")
        code, owner = record_of(game)
        assert head["RMobilityResult"] == f"{'' if owner else '-'}G{code / 2}", "the lowest goal, not a mate"
        assert head["RMobilityPoints"] == ("1.000000 - 0.000000" if head["Result"] == "1-0" else "0.000000 - 1.000000")
    pairs = pairs_of(games, "A")
    mean = sum(pairs) / len(pairs)
    (shown,) = re.findall(r"pairs?: Elo (\S+) ", done.stdout)
    expected = math.inf if mean == 1 else -math.inf if mean == 0 else -400 * math.log10(1 / mean - 1)
    assert float(shown) == pytest.approx(expected, abs=0.051)
    (said,) = re.findall(r"SPRT on classical: (\S+) ", done.stdout)
    assert float(said) == pytest.approx(ratio(pairs, -400, 400), abs=0.006)
    points = {name: sum(pairs_of(games, name)) * 2 for name in "AB"}
    for name in "AB":
        (row,) = re.findall(rf"^ +\d+ +{name} +(\d+) +(\d+) +(\d+) +(\d+) +(\S+)", done.stdout, re.M)[-1:]
        assert int(row[2]) == 0 and float(row[4]) == points[name]
    again = run(*engines, openings=KINGS, more=more)
    assert f"{len(games)} games already played" in again.stdout and said in again.stdout


@pytest.mark.parametrize("pairs", [[0.5, 1, 0.75, 0, 0.5, 1, 1, 0.25], [1.0] * 9, [0.5] * 40 + [0.75] * 7, [0, 1] * 50])
@pytest.mark.parametrize("elos", [(0, 5), (-20, 20), (-400, 400)])
def test_sprt_by_another_formula(pairs: list[float], elos: tuple[float, float]) -> None:
    assert Sprt(*elos).ratio(pairs) == pytest.approx(ratio(pairs, *elos), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("cut_off", ["G8.0", "G5.5"])
def test_a_cut_off_leaves_plain_draws(run: Run, tmp_path: Path, cut_off: str) -> None:
    engines = fake("random", name="A"), fake("player", 1, name="B")
    assert run(*engines, openings=KINGS, more=f"--nodes 1 --rounds 2 --komi G5.75 --cut-off {cut_off}").returncode == 0
    games = games_in(tmp_path / "m.pgn")
    assert [game.headers["Result"] for game in games] == [by_komi(game, "G5.75", cut_off) for game in games]
    for game in games:
        drawn = game.headers["Result"] == "1/2-1/2"
        assert ("komi" in game.headers["Termination"]) != drawn
        assert (game.headers["RMobilityPoints"] == "0.500000 - 0.500000") == drawn


@pytest.mark.slow
def test_openings_bring_their_komi_and_their_record(run: Run, tmp_path: Path) -> None:
    openings = "".join(
        f'[FEN "{KINGS}"]\n[SetUp "1"]\n{tags}\n*\n\n'
        for tags in ('[Komi "-G4.0"]\n[RMobilityRecord "-G3.0"]\n', '[Komi "G3.25"]\n[RMobilityRecord "G3.0"]\n', "")
    )
    (tmp_path / "o.pgn").write_text(openings)
    found = read_openings(str(tmp_path / "o.pgn"))
    assert [(opening.komi, opening.record) for opening in found] == [((16, 1), (1, 6)), ((13, 0), (0, 6)), (None, None)]
    log = tmp_path / "log"
    (tmp_path / "engine.py").write_text(
        Path(__file__)
        .with_name("engine.py")
        .read_text()
        .replace("import random\n", f"import random, sys\nsys.path.append({str(Path(__file__).parent)!r})\n", 1)
        .replace(
            'print("option name InsufficientMaterialDraw type check default true")',
            'print("option name InsufficientMaterialDraw type check default true\\n'
            'option name RMobilityKomi type string default none\\noption name RMobilityRecord type string default")',
        )
    )
    engine = fake("random", 3, log, name="A").replace(
        str(Path(__file__).with_name("engine.py")), str(tmp_path / "engine.py")
    )
    done = run(engine, fake("player", 1, name="B"), more="--nodes 1 --rounds 3 --komi G7.25 --openings o.pgn")
    assert (done.returncode, done.stderr) == (0, "")
    games = games_in(tmp_path / "m.pgn")
    assert not any(game.errors for game in games)
    komis = ["-G4", "-G4", "G3.25", "G3.25", "G7.25", "G7.25"]
    assert [game.headers["Komi"] for game in games] == komis
    assert [game.headers.get("RMobilityRecord") for game in games] == ["-G3.0"] * 2 + ["G3.0"] * 2 + [None] * 2
    for game, komi in zip(games, komis, strict=True):
        assert game.headers["Result"] == by_komi(game, komi)
    said = [line.split(" value ") for line in log.read_text().splitlines() if "RMobilityKomi" in line]
    assert [words[1] for words in said if len(words) > 1][-3:] == ["-G4", "G3.25", "G7.25"]
    records = [
        line.split("RMobilityRecord")[1].split()[1:] for line in log.read_text().splitlines() if "Record" in line
    ]
    assert records[-3:] == [["-G3.0"], ["G3.0"], []]


@pytest.mark.parametrize(
    ("tags", "wrong"),
    [('[Komi "7"]', "expected a komi like G3.75"), ('[RMobilityRecord "G0.5"]', "leaves the game open")],
)
def test_wrong_terms_of_an_opening_are_refused(run: Run, tmp_path: Path, tags: str, wrong: str) -> None:
    (tmp_path / "o.pgn").write_text(f'[FEN "{KINGS}"]\n{tags}\n\n1. Kd5 *\n')
    done = run(fake("random", name="A"), fake("random", name="B"), more="--nodes 1 --openings o.pgn")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "o.pgn: game 1: " in done.stderr and wrong in done.stderr


@pytest.mark.slow
def test_best_play_decides_games_without_material(run: Run, tmp_path: Path) -> None:
    """Kxg7 leaves bare kings and -G8.5; White sets a better record within three plies."""
    engines = fake("random", name="A"), fake("random", name="B")
    assert run(*engines, openings=CAPTURE, more="--nodes 1 --dead-draw --dead-outcome").returncode == 0
    for game in games_in(tmp_path / "m.pgn"):
        assert game.headers["Termination"] == "insufficient material"
        assert game.headers["RMobilityResult"] == game.headers["RMobilityAgreed"] == "G5.5"
    assert run(*engines, openings=CAPTURE, pgn="b.pgn", more="--nodes 1 --dead-draw").returncode == 0
    assert {game.headers["RMobilityResult"] for game in games_in(tmp_path / "b.pgn")} == {"-G8.5"}


def test_tables_win_at_once_without_the_fifty_moves() -> None:
    """The pawn needs up to a hundred plies; the tables call it a win, whatever the clock."""
    opening = Opening("8/8/8/8/8/2k5/3p4/K7 w - - 98 80", ("a1a2",))
    rules = MatchRules(tables=Tables(SYZYGY), tables_win=True)
    assert OrthodoxReferee(opening, rules).end() == ("0-1", "adjudicated by Syzygy tables")
    assert OrthodoxReferee(opening, MatchRules()).end() is None
    later = Opening("8/8/8/8/8/2k5/3p4/K7 w - - 99 80", ("a1a2",))
    assert OrthodoxReferee(later, MatchRules()).end() == ("1/2-1/2", "fifty-move rule")
    assert OrthodoxReferee(later, rules).end() == ("0-1", "adjudicated by Syzygy tables")
    drawn = Opening("8/8/8/8/8/2k5/3n4/K7 w - - 10 80", ("a1a2",))
    assert OrthodoxReferee(drawn, rules).end() is None, "drawn positions are played on for the record"


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ("--dead-outcome", "--dead-outcome needs --dead-draw"),
        ("--dead-outcome --dead-draw --variant makruk", "needs orthodox chess"),
        ("--syzygy-wins", "--syzygy-wins needs --syzygy"),
        ("--komi 3", "expected a komi"),
        ("--cut-off -G6.0", "for both sides"),
    ],
)
def test_switches_without_sense_are_refused(run: Run, more: str, wrong: str) -> None:
    done = run(fake("random", name="A"), fake("random", name="B"), more=f"--nodes 1 {more}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1) and wrong in done.stderr
