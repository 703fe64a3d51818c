"""Tuning: pairs of games between two settings, and numbers that move towards the better setting."""

from __future__ import annotations

import json
import math
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from standstill.cext.bindings.pool import techniques
from standstill.cext.training.duel import Duel, numbers
from standstill.engine.common.errors import StandstillError
from standstill.engine.play.bench import run
from standstill.engine.rmobility.objectives import classic
from standstill.engine.variants.boards import new_evaluator
from standstill.engine.variants.variant import CHESS
from tools.tune.games import ADJUDICATION, DIVISORS, Match, Pair, Table, known_changes
from tools.tune.screen import Screening, known_factors
from tools.tune.spsa import Tuning

ROOT = Path(__file__).resolve().parents[2]
WEAK = {
    "late_move_pruning": 0,
    "see_pruning": 0,
    "quiescence_see": 0,
    "reverse_futility": 0,
    "correction_non_pawn": 3000,
}


def duel(nodes: int = 150, seed: int = 1, **rules: int) -> Duel:
    evaluator = new_evaluator(CHESS)
    rules = {"nodes": nodes, "most_nodes": nodes, **ADJUDICATION, **rules}
    return Duel(evaluator, evaluator, classic(), 1, seed, rules)


def test_equal_settings_share_every_pair() -> None:
    """Equal settings play the same game twice, so what a side wins with one colour it loses with the other."""
    assert [sum(duel().play_pair(number, {}, {})) for number in range(6)] == [2] * 6


def test_a_setting_is_that_of_its_side() -> None:
    """Exchanging the sides exchanges the results, game by game."""
    one, other = duel(opening_cp=32000), duel(opening_cp=32000)  # accept any opening
    for number in range(4):
        first, second = one.play_pair(number, WEAK, {})
        assert other.play_pair(number, {}, WEAK) == (2 - second, 2 - first)


@pytest.mark.slow
def test_a_bad_setting_loses() -> None:
    pairs = [duel(400).play_pair(number, {"table_cuts": 0, "null_reduction": -40, **WEAK}, {}) for number in range(12)]
    assert sum(map(sum, pairs)) < 12 * 2


def test_what_was_in_force_is_put_back() -> None:
    before = numbers(), run(5, lambda line: None).nodes
    duel().play_pair(1, WEAK | {"lmr_base": 5000}, {"lmr_factor": 0})
    assert (numbers(), run(5, lambda line: None).nodes) == before


@pytest.mark.parametrize("name", ["", "depth", "LMR_BASE"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(KeyError):
        duel().play_pair(1, {name: 1}, {})


def test_words_of_changes() -> None:
    assert known_changes(["lmr_base=900", "killers=0", "research_shallower_margin=-3"]) == {
        "lmr_base": 900,
        "killers": 0,
        "research_shallower_margin": -3,
    }
    for words in (["lmr_base"], ["lmr_base=x"], ["=1"], ["nothing=1"], ["null_gain_cp=0"], ["lmr_base=99999999999"]):
        with pytest.raises(StandstillError):
            known_changes(words)


def test_numbers_and_techniques_are_different_names() -> None:
    assert not set(numbers()) & set(techniques())


@pytest.mark.slow
def test_results_do_not_depend_on_the_processes() -> None:
    pairs = [Pair(number, WEAK, {}) for number in range(6)]
    found = []
    for workers in (1, 2):
        with Table(Match(100, 7, "none", "none"), workers) as table:
            found.append(sorted((pair.number, results) for pair, results in table.play(pairs)))
    assert found[0] == found[1]
    assert [number for number, _ in found[0]] == list(range(6))


@pytest.mark.slow
def test_numbers_move_to_where_games_are_won() -> None:
    """If results follow from a known best setting, each number comes near to it."""
    best = {"a": 130, "b": 40, "c": 900}
    chance = random.Random(5)

    def loss(values: dict[str, int]) -> float:
        return sum(((values[name] - best[name]) / best[name]) ** 2 for name in best)

    tuning = Tuning({"a": 100, "b": 60, "c": 900}, {"a": 12.0, "b": 6.0, "c": 100.0}, 30_000, 1)
    for pair in tuning.pairs(0):
        lead = 4 * (loss(pair.second) - loss(pair.first))
        results = tuple(1 + (chance.random() < 0.5 + lead) - (chance.random() < 0.5 - lead) for _ in range(2))
        tuning.learn(pair, (results[0], results[1]))
    found = tuning.found()
    assert abs(found["a"] - 130) < 12
    assert abs(found["b"] - 40) < 8
    assert abs(found["c"] - 900) < 80


def test_no_number_that_the_search_divides_by_is_moved_to_nothing() -> None:
    """The first steps are the largest: a number of 3 would change by more than two."""
    start = {name: numbers()[name] for name in DIVISORS} | {"null_reduction": 1}
    tuning = Tuning(start, dict.fromkeys(start, 1.0), 100_000, 1)
    pairs = [pair for pair, _ in zip(tuning.pairs(0), range(200), strict=False)]
    least = {name: min(side[name] for pair in pairs for side in (pair.first, pair.second)) for name in start}
    assert least["null_depth_divisor"] == 1 and least["null_reduction"] < 0


def test_a_screening_tells_each_change_from_the_others() -> None:
    """If the results are computed from known effects, the screening finds these effects within their bounds and lists
    the best first."""
    worth = {"killers": 0.06, "lmr_base": -0.06, "probcut": 0.0, "null_reduction": 0.15}
    factors = known_factors(["killers", "lmr_base=900", "probcut", "null_reduction=3"])
    before = numbers()["lmr_base"], numbers()["null_reduction"]
    assert [(factor.before, factor.after) for factor in factors] == [(1, 0), (before[0], 900), (1, 0), (before[1], 3)]
    screening = Screening(factors, 20_000, 3)
    chance = random.Random(8)
    for pair in screening.pairs():
        assert all((pair.first[name] == pair.second[name]) is False for name in worth)
        made = {factor.name: pair.first[factor.name] == factor.after for factor in factors}
        lead = sum(gain if made[name] else -gain for name, gain in worth.items())
        results = tuple(2 * (chance.random() < 0.5 + lead) for _ in range(2))
        screening.learn(pair, (results[0], results[1]))
    effects = screening.effects()
    assert [factor.name for factor, _ in effects] == ["null_reduction", "killers", "probcut", "lmr_base"]
    for factor, (_, low, high) in effects:
        assert low < 400 * math.log10((0.5 + worth[factor.name]) / (0.5 - worth[factor.name])) < high


def test_a_screening_wants_each_name_once() -> None:
    twice = ["killers", "killers"], ["lmr_base=1", "lmr_base=2"]
    for words in (*twice, ["killers=1x"], ["nothing"], ["lmr_base"], ["killers=1"]):
        with pytest.raises(StandstillError):
            known_factors(words)


def tune(*words: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-P",
        "-c",
        "import sys; sys.path.insert(0, sys.argv.pop(1));from tools.tune.__main__ import main; sys.exit(main())",
        str(ROOT),
        *words,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_match_prints_its_score() -> None:
    done = tune("match", "--new", "killers=1", "--pairs", "3", "--nodes", "60", "--workers", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("6 games, 50.00 %: Elo")


def test_bench_counts_with_and_without_a_change() -> None:
    usual = run(5, lambda line: None).nodes
    done = tune("bench", "lmr_base=5000", "killers=0", "--depth", "5")
    assert (done.returncode, done.stderr) == (0, "")
    *changes, before, after = done.stdout.splitlines()
    assert changes == [f"lmr_base {numbers()['lmr_base']} -> 5000", "killers 1 -> 0"]
    assert before == f"before: {usual} nodes"
    assert re.fullmatch(r"after: \d+ nodes", after)
    assert after != f"after: {usual} nodes"


@pytest.mark.slow
def test_bench_with_what_is_in_force_changes_nothing() -> None:
    done = tune("bench", f"lmr_base={numbers()['lmr_base']}", "killers=1", "--depth", "5")
    *_, before, after = done.stdout.splitlines()
    assert before.removeprefix("before") == after.removeprefix("after")


def test_a_screening_prints_every_change() -> None:
    done = tune("screen", "killers", "lmr_base=900", "--pairs", "2", "--nodes", "60", "--workers", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^  killers 1 -> 0 +Elo ", done.stdout, re.MULTILINE)
    assert re.search(rf"^  lmr_base {numbers()['lmr_base']} -> 900 +Elo ", done.stdout, re.MULTILINE)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "words",
    [["bench"], ["bench", "foo=1"], ["bench", "killers"], ["bench", "killers=0", "--depth", "0"],
     ["match", "--new", "foo=1"], ["screen", "foo"], ["screen"],
     ["spsa", "--out", "OUT", "--only", "foo"], ["match", "--new-net", "/nowhere.nn"],
     ["spsa", "--out", "/dev/null"], ["match", "--sprt", "1"], ["match", "--pairs", "0"],
     ["match", "--sprt", "5,0"], ["match", "--sprt", "0,inf"], ["match", "--sprt", "nan,1"], ["match", "--seed", "-1"],
     ["screen", "killers", "--seed", "99999999999999999999"], ["spsa", "--out", "OUT", "--step", "inf"],
     ["spsa", "--out", "OUT", "--step", "0"], ["spsa", "--out", "/nonexistent/out.json"]],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(words: list[str], tmp_path: Path) -> None:
    done = tune(*(str(tmp_path / "out.json") if word == "OUT" else word for word in words))
    assert "Errno" not in done.stderr
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_process(number: signal.Signals) -> None:
    words = [sys.executable, "-P", "-c", "import sys; sys.path.insert(0, sys.argv.pop(1));"
             "from tools.tune.__main__ import main; sys.exit(main())", str(ROOT),
             "match", "--pairs", "100000", "--nodes", "100", "--workers", "2"]  # fmt: skip
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, text=True, start_new_session=True, **pipes) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the games have started
        process.send_signal(number)
        # `communicate` returns only when the workers have ended, too, because they hold the other ends of the pipes.
        _, errors = process.communicate(timeout=30)
    assert process.returncode in (-number, 130)
    assert "Traceback" not in errors


@pytest.mark.slow
def test_a_tuning_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    words = ["spsa", "--out", str(out), "--only", "lmr_base", "--nodes", "60", "--workers", "1"]
    assert tune(*words, "--pairs", "2").returncode == 0
    first = json.loads(out.read_text())
    assert first["pairs"] == 2
    out.write_text(json.dumps(first | {"values": {"lmr_base": 1234.0}}))
    assert tune(*words, "--pairs", "3").returncode == 0
    assert 1200 < json.loads(out.read_text())["found"]["lmr_base"] < 1270
    out.write_text("{")
    done = tune(*words, "--pairs", "4")
    assert done.returncode == 2
    assert str(out) in done.stderr
