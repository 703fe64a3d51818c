"""The R-Mobility options over UCI: what the engine plays for, and its lines about the record."""

from __future__ import annotations

import re

import pytest

from tests.uci.client import Client
from tests.uci.lines import read_answer

KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
OUTLOOK = re.compile(r"info string rmobility record (none|-?G\d+\.[05] ply \d+) forecast (none|-?G\d+\.[05])")


def outlooks(lines: list[str]) -> list[tuple[str, str]]:
    """(record, forecast) of each line about them."""
    return [found.groups() for line in lines if (found := OUTLOOK.fullmatch(line))]


def options(engine: Client, **values: str) -> None:
    engine.send(*(f"setoption name {name} value {value}" for name, value in values.items()))


def test_options_are_declared(start) -> None:
    lines = start().ask("uci", "uciok")
    for line in (
        "option name RMobility type combo default Tiebreak var Off var Tiebreak var Points var Decisive",
        "option name RMobilityKomi type string default none",
        "option name RMobilityScope type combo default Reset var Reset var WholeGame",
        "option name RMobilityLimit type string default none",
        "option name RMobilityFifty type combo default fide var fide var iccf var record var off",
        "option name InsufficientMaterialDraw type check default true",
        "option name RMobilityRecord type string default <empty>",
    ):
        assert line in lines


def test_off_says_nothing(engine: Client) -> None:
    options(engine, RMobility="Off")
    assert not outlooks(engine.search("go depth 8", f"fen {KINGS}"))


@pytest.mark.parametrize("mode", ["Tiebreak", "Points", "Decisive"])
def test_the_record_of_the_game_is_told(engine: Client, mode: str) -> None:
    options(engine, RMobility=mode, InsufficientMaterialDraw="false")
    lines = engine.search("go depth 10", f"fen {KINGS} moves c5d5 g5f5")
    found = outlooks(lines)
    assert found[0][0] == "-G5.5 ply 2"
    assert len(found) == len(set(found)) <= sum("multipv" in line for line in lines)


def test_the_record_is_that_since_the_last_reset(engine: Client) -> None:
    options(engine, RMobility="Points")
    assert outlooks(engine.search("go depth 4", "startpos moves g1f3 g8f6"))[0][0] == "-G20.5 ply 0"
    assert outlooks(engine.search("go depth 4", "startpos moves g1f3 g8f6 e2e3"))[0][0] == "G22.5 ply 3"
    options(engine, RMobilityScope="WholeGame")
    assert outlooks(engine.search("go depth 4", "startpos moves g1f3 g8f6 e2e3"))[0][0] == "-G20.5 ply 0"


def test_stalemate_is_worth_a_win_in_decisive(engine: Client) -> None:
    """The stalemate is eight plies away, along the line in the rules."""
    options(engine, RMobility="Decisive")
    lines = engine.search("go nodes 400000", f"fen {BISHOP}")
    assert outlooks(lines)[-1] == ("G2.5 ply 0", "G0.5")
    assert read_answer(lines).last.value == -14999
    assert "score cp -14999" in " ".join(engine.search("go depth 1", "fen 4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"))


@pytest.mark.parametrize(("ends", "forecast"), [(None, "G5.5"), ("true", "-G8.5"), ("false", "G5.5")])
def test_bare_kings_play_on_in_decisive_unless_the_user_stops_them(engine: Client, ends, forecast: str) -> None:
    """The goal is 13 plies away, the longest distance of all."""
    options(engine, RMobility="Decisive", **({"InsufficientMaterialDraw": ends} if ends else {}))
    lines = engine.search("go nodes 200000", "fen 8/8/8/8/4k3/8/1K6/8 w - - 0 1")
    assert (outlooks(lines)[-1][1] == "G5.5") == (forecast == "G5.5")


def test_a_given_record_stands_until_it_is_beaten(engine: Client) -> None:
    options(engine, RMobility="Decisive")
    assert outlooks(engine.search("go depth 6", f"fen {KINGS} -G4.0"))[0][0] == "-G4.0 ply 0"
    options(engine, RMobilityRecord="G3.0")
    assert outlooks(engine.search("go depth 6", f"fen {KINGS}"))[0][0] == "G3.0 ply 0"
    # The record in the FEN takes precedence over the option; a weak record yields to the position's own goal.
    assert outlooks(engine.search("go depth 6", f"fen {KINGS} -G4.0"))[0][0] == "-G4.0 ply 0"
    options(engine, RMobilityRecord="G30.0")
    assert outlooks(engine.search("go depth 6", f"fen {KINGS}"))[0][0] == "-G8.5 ply 0"
    assert outlooks(engine.search("go depth 6", "startpos moves g1f3"))[0][0] == "-G20.5 ply 0"
    options(engine, RMobilityRecord="")
    assert outlooks(engine.search("go depth 6", f"fen {KINGS}"))[0][0] == "-G8.5 ply 0"


def test_plain_analysis_is_quiet(engine: Client) -> None:
    """The end of the variation changes in every iteration; the game's record does not."""
    lines = engine.search("go depth 12", "startpos moves e2e4 e7e5")
    assert len(outlooks(lines)) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", ["Tiebreak", "Points", "Decisive"])
@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "G1.5"),  # values of complete tables
        ("8/8/8/4kbK1/8/8/8/8 w - - 0 1", "-G1.5"),
        ("8/8/8/2kNK3/8/8/8/8 b - - 0 1", "G3.5"),
        ("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", "G1.5"),  # 45 plies away
        ("8/8/8/8/4k3/8/1K6/8 w - - 0 1", "G5.5"),  # 13 plies away
    ],
)
def test_forecast_is_what_the_score_stands_for(engine: Client, mode: str, fen: str, value: str) -> None:
    """The forecast is not simply the record at the end of a truncated line."""
    options(engine, RMobility=mode, InsufficientMaterialDraw="false")
    found = outlooks(engine.search("go depth 5", f"fen {fen}"))
    assert found[-1][1] == value
    assert len(found) <= 2


def test_a_mate_is_the_forecast(engine: Client) -> None:
    assert outlooks(engine.search("go depth 5", "fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1"))[-1][1] == "G0.0"
    assert outlooks(engine.search("go depth 1", "fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1")) == [("G0.0 ply 0", "G0.0")]


def test_stalemate_on_the_board_has_a_record(engine: Client) -> None:
    assert outlooks(engine.search("go depth 1", "fen 4k3/4P3/4K3/8/8/8/8/8 b - - 0 1")) == [("G0.5 ply 0", "G0.5")]


def test_limit_leaves_weak_goals_out(engine: Client) -> None:
    options(engine, RMobility="Decisive", RMobilityLimit="G5.0")
    assert not outlooks(engine.search("go depth 1", f"fen {KINGS}"))
    options(engine, RMobilityLimit="none")
    assert outlooks(engine.search("go depth 1", f"fen {KINGS}"))


def test_komi_turns_a_weak_goal_into_a_loss(engine: Client) -> None:
    """K+B v K reaches G1.5 and nothing lower: enough for a komi of G1.75, but not for G1.25."""
    position = "fen 8/8/7k/5B2/6K1/8/8/8 b - - 0 1"
    options(engine, RMobility="Decisive", RMobilityKomi="G1.75", RMobilityFifty="off")
    assert read_answer(engine.search("go depth 1", position)).last.value < 0
    options(engine, RMobilityKomi="G0.25")
    assert read_answer(engine.search("go nodes 20000", position)).last.value > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RMobilityKomi", "G3.8"),
        ("RMobilityLimit", "low"),
        ("RMobilityLimit", "-G3.5"),
        ("RMobilityRecord", "8.5"),
        ("RMobility", "On"),
    ],
)
def test_wrong_values_are_answered_and_change_nothing(engine: Client, name: str, value: str) -> None:
    options(engine, **{name: value})
    lines = engine.ask("isready", "readyok")
    assert any(line.startswith("info string error: ") and f"'{value}'" in line for line in lines)
    assert read_answer(engine.search("go depth 3", "startpos")).move


def test_modes_may_change_between_searches(engine: Client) -> None:
    """Hash table scores of one mode mean nothing in another."""
    for mode in ("Decisive", "Off", "Points", "Tiebreak", "Decisive", "Off"):
        options(engine, RMobility=mode)
        last = read_answer(engine.search("go depth 12", f"fen {BISHOP}")).last
        # In Decisive this material does not draw the game: White can stalemate in the end.
        assert (last.value < -100) == (mode == "Decisive")
