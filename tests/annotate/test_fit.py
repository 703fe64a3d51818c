"""x05 from games: the published superfinal, another method of minimising, and simulated players with known x05."""

from __future__ import annotations

import json
import random
import re
from math import inf, log2
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.annotate import fit as fitting
from standstill.engine.annotate.fit import FittedSide, Sides, bootstrap, by_player, score_fit
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import positions_of_comments
from standstill.engine.relevance.model import result
from standstill.protocol.cli.commands.relevance import command
from standstill.protocol.cli.commands.relevance.fitting import ranked

# TCEC Season 9 Superfinal (2016), from Stockfish's view: the published highest evaluations in the games that
# it did not win. Stockfish won 16 games; game 17 counts as the draw that was played.
PEAKS = [
    *(1.75, 1.34, 1.29, 1.28, 1.20, 1.20, 1.20, 1.10, 1.01, 0.88, 0.75, 0.73),
    *(0.71, 0.67, 0.65, 0.62, 0.62, 0.61, 0.60, 0.58, 0.57, 0.54, 0.54),
]


def superfinal() -> list[FittedSide]:
    won = [FittedSide(number, "Stockfish", 1, [0.1, 5.0]) for number in range(16)]
    drawn = [FittedSide(number, "Stockfish", 0, [peak, -0.2]) for number, peak in enumerate(PEAKS, 16)]
    quiet = [FittedSide(number, "Stockfish", 0, [0.2]) for number in range(39, 92)]
    lost = [FittedSide(number, "Stockfish", -1, [0.34, -4.0]) for number in range(92, 100)]
    return won + drawn + quiet + lost


def test_the_superfinal_of_2016() -> None:
    found = fitting.fit(superfinal())
    assert (found.games, found.wins, found.losses, found.x05) == (100, 16, 8, 0.62)
    assert found.above == [0.65, 0.67, 0.71] and found.below == [0.62, 0.61, 0.60] and found.at_cut == 2
    assert found.counted_losses == 0 and found.early_wins == []


def test_its_interval_is_wide() -> None:
    low, high = fitting.fit(superfinal()).interval
    assert low < 0.62 < high < 1.35 and high - low > 0.5


def test_one_more_win_takes_the_next_peak() -> None:
    sides = superfinal()
    sides[99].outcome = 1
    assert fitting.fit(sides).x05 == 0.62
    sides[98].outcome = 1
    assert fitting.fit(sides).x05 == 0.61


@pytest.mark.parametrize("outcome", [1, 0])
def test_no_equilibrium_is_told_and_the_scores_fitted_all_the_same(outcome: int) -> None:
    found = fitting.fit([FittedSide(1, "A", outcome, [0.3])])
    assert found.x05 is None and "no equilibrium" in found.reason


@pytest.mark.parametrize("outcome", [1, 0, -1])
def test_a_limit_of_the_search_is_no_finding(outcome: int) -> None:
    """If the same advantage always wins, always draws or always loses, a more extreme x05 always fits better."""
    assert score_fit([FittedSide(1, "A", outcome, [0.3])] * 5) is None


def test_wins_without_an_advantage_are_named() -> None:
    sides = [FittedSide(1, "A", 1, [0.1]), FittedSide(2, "A", -1, [0.8]), FittedSide(3, "A", 0, [0.5])]
    found = fitting.fit(sides)
    assert (found.early_wins, found.counted_losses) == ([1], 1)


def simulated(x05: float, games: int) -> list[FittedSide]:
    """Games with one evaluation each, and results drawn at random from the model."""
    chance = random.Random(7)
    sides = []
    for number in range(games):
        x = round(chance.uniform(-3, 3) * x05, 2)
        decided = chance.random() < 1 - 2 ** (-abs(x) / x05)
        sides.append(FittedSide(number, "A", ((x > 0) - (x < 0)) * decided, [x]))
    return sides


@pytest.mark.parametrize("x05", [0.3, 0.62, 1.5])
def test_score_fit_finds_the_x05_that_games_were_drawn_from(x05: float) -> None:
    assert score_fit(simulated(x05, 4000)) == pytest.approx(x05, rel=0.1)


def test_score_fit_is_the_minimum() -> None:
    """The command's minimum is compared with a direct evaluation of the sum of squares."""
    sides = [*simulated(0.62, 60), FittedSide(1, "A", 0, [0.1, 0.1, 2.0, inf])]

    def squares(h: float) -> float:
        return sum(
            sum(((side.outcome + 1) / 2 - result(x, h)) ** 2 for x in side.evaluations) / len(side.evaluations)
            for side in sides
        )

    best = score_fit(sides)
    assert all(squares(best) <= squares(best + step) for step in (-0.2, -1e-3, 1e-3, 0.2))


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from([1, 0, -1]), st.floats(-3, 3)), min_size=4, max_size=30))
def test_bootstrap_lies_among_the_peaks(games) -> None:
    sides = [FittedSide(0, "A", outcome, [peak]) for outcome, peak in games]
    interval, undefined = bootstrap(sides, 1)
    assert 0 <= undefined <= 1
    if interval is not None:
        peaks = [peak for outcome, peak in games if outcome != 1]
        assert interval[0] in peaks and interval[1] in peaks and interval[0] <= interval[1]


# ---- from games ----

GAME = b"""[White "Alpha 1.0"]
[Black "Beta"]
[Result "1-0"]

1. e4 {book} e5 {+0.90/10 1s} 2. Nf3 {+0.50/10 1s} Nc6 {-0.40/10 1s} 3. Bb5 {+M3/10 1s} a6 {0.00/9 1s} 1-0

"""


def sides_of(raw: bytes, outcome: int | None = None) -> Sides:
    sides = Sides()
    game = SourceGame(1, raw)
    sides.add(game, positions_of_comments(game.movetext), outcome)
    return sides


def test_evaluations_are_the_player_s_own_in_the_player_s_view() -> None:
    white, black = sides_of(GAME).found
    assert (white.player, white.outcome, white.evaluations, white.peak) == ("Alpha 1.0", 1, [0.5, inf], inf)
    assert (black.player, black.outcome, black.evaluations) == ("Beta", -1, [0.9, -0.4, 0.0])


def test_games_without_result_or_evaluations_are_counted() -> None:
    assert sides_of(GAME.replace(b"1-0", b"*")).skipped == {"no result": 2}
    assert sides_of(b"1. e4 e5 1-0").skipped == {"no evaluations": 2}


def test_a_result_can_be_replaced() -> None:
    assert [side.outcome for side in sides_of(GAME, 0).found] == [0, 0]


def test_players_are_grouped_by_the_beginning_of_their_names() -> None:
    sides = [FittedSide(at, name, 0, [0.1]) for at, name in enumerate(["Alpha 1", "alpha 2", "Beta"])]
    assert {name: len(found) for name, found in by_player(sides, ("alpha",)).items()} == {"alpha": 2}
    assert list(by_player(sides, ())) == ["Alpha 1", "Beta", "alpha 2"]


# ---- the command ----


@pytest.fixture
def games(tmp_path) -> str:
    """Games of two engines; evaluations rise to the peaks of the superfinal or fall to a loss."""
    text = ""
    for side in superfinal():
        result_text = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[side.outcome]
        text += f'[White "Stockfish 8"]\n[Black "Houdini 5"]\n[Result "{result_text}"]\n\n1. e4 {{wv=0.10, d=1}} e5'
        text += f" 2. Nf3 {{d=20, wv={side.peak:.2f},}} {result_text}\n\n"
    (tmp_path / "games.pgn").write_text(text)
    return str(tmp_path / "games.pgn")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(command, ["fit", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_fit_command(games: str) -> None:
    (found,) = json.loads(run(games, "--json"))["players"]
    assert (found["player"], found["x05"], found["Relevance_x05"]) == ("Stockfish 8", 0.62, 62)
    text = run(games)
    assert "setoption name Relevance_x05 value 62" in text and "100 x no evaluations" in text


def test_fit_command_says_what_it_could_not_find(tmp_path: Path) -> None:
    """The command says in words which value the games do not give, and never prints `-0.00`."""
    drawn = '[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 {-0.00/9 1s} e5 {0.00/9 1s} 1/2-1/2\n\n'
    won = '[White "A"]\n[Black "C"]\n[Result "1-0"]\n\n1. e4 {+0.50/9 1s} e5 1-0\n\n'
    (tmp_path / "games.pgn").write_text(drawn + won + drawn)
    text = run(str(tmp_path / "games.pgn"), "--player", "A")
    assert "games won: 1; the equilibrium is the highest peak among the 2 not won, 0.00" in text
    assert "-0.00" not in text and "setoption" not in text
    assert re.search(r"^A +3 +1 +2 +0 +0\.00 .* ------$", text, re.MULTILINE) and "no score fit" in text
    (found,) = json.loads(run(str(tmp_path / "games.pgn"), "--player", "A", "--json"))["players"]
    assert found["score_x05"] is None and str(found["x05"]) == "0.0"
    arguments = ("--player", "A", "--json", "--estimator", "score")
    (found,) = json.loads(run(str(tmp_path / "games.pgn"), *arguments))["players"]
    assert found["Relevance_x05"] is None


@pytest.mark.parametrize(
    ("rank", "text"), [(1, "highest"), (2, "2nd highest"), (13, "13th highest"), (22, "22nd highest")]
)
def test_ranks_in_words(rank: int, text: str) -> None:
    assert ranked(rank) == f"the {text} peak"


def test_fit_command_with_other_results(games: str) -> None:
    (found,) = json.loads(run(games, "--json", "--override", "99=1-0", "--override", "100=1-0"))["players"]
    assert found["x05"] == 0.61


def test_fit_command_writes_the_estimator_that_is_asked_for(games: str) -> None:
    (found,) = json.loads(run(games, "--json", "--estimator", "score"))["players"]
    assert found["Relevance_x05"] == round(100 * found["score_x05"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--override", "1"],
        ["--override", "x=1-0"],
        ["--override", "1=2-0"],
        ["--override", "101=1-0"],
        pytest.param(["--override", f"{'9' * 5000}=1-0"], id="more digits than int() reads"),
        ["--player", "Rybka"],
        ["--engine", "stockfish"],
        ["--nodes", "10"],
    ],
)
def test_bad_input_is_refused(games: str, arguments: list[str]) -> None:
    assert CliRunner().invoke(command, ["fit", games, *arguments]).exit_code == 2


def test_the_weight_halves_where_half_the_games_are_won() -> None:
    """A sentence that states the meaning of x05."""
    assert -log2(1 - (2 * result(0.62, 0.62) - 1)) == 1
