"""Public functions check their arguments; other exceptions pass through unchanged."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import chess
import chess.engine
import pytest

import standstill
from standstill import clock, relevance, rmobility, variants

GOAL = rmobility.Goal(3, 0)
SIDE = clock.ClockSide(10)
# Valid arguments for each public function and for each method that takes arguments.
CALLS: dict[Callable[..., Any], dict[str, Any]] = {
    relevance.weight: {"x": 1, "x05": 1},
    relevance.share: {"x": 1, "x05": 1},
    relevance.difference: {"a": 1, "b": 2, "x05": 1},
    relevance.result: {"x": 1, "x05": 1},
    relevance.result_inverse: {"p": 0.5, "x05": 1},
    relevance.chances: {"x": 1, "x05": 1},
    relevance.equilibrium: {"games": [(1, 2.0), (0, 1.0)]},
    relevance.position_nag: {"x": 1, "x05": 1, "scheme": "1/9"},
    relevance.gain: {"played": 1, "reference": 2, "mover": "w", "x05": 1},
    relevance.move_nag: {"played": 1, "reference": 2, "mover": "w", "x05": 1, "scheme": "sparing-7"},
    relevance.judge: {
        "best": 1,
        "second": 0,
        "played": 1,
        "played_is_best": True,
        "mover": "b",
        "x05": 1,
        "scheme": "sparing-7",
    },
    relevance.position_edges: {"x05": 1, "scheme": "1/9"},
    relevance.boundaries: {"x_alt": 1, "x05": 1, "mover": "w", "scheme": "sparing-7"},
    relevance.preset: {"engine": "Stockfish"},
    relevance.text: {"nag": 1},
    relevance.ascii_text: {"nag": 1, "none": "-"},
    relevance.meaning: {"nag": 1},
    relevance.nag_of: {"symbol": "!"},
    rmobility.points: {"code": 3, "scheme": "tcec"},
    rmobility.white_points: {"goal": GOAL, "scheme": "tcec"},
    rmobility.parse_komi: {"text": "G3.75"},
    rmobility.komi_points: {"goal": GOAL, "quarters": 15, "side": 1},
    rmobility.score: {"game": "1. e4 *", "scheme": "tcec"},
    rmobility.standings: {"games": ["1. e4 *"], "order": ["direct"], "scheme": "tcec"},
    rmobility.probe: {"position": "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", "folders": [], "record": "G8.5"},
    rmobility.Goal: {"code": 3, "owner": 1, "ply": 2},
    rmobility.Goal.parse: {"text": "G1.5", "ply": 2},
    clock.parse_control: {"text": "10+3"},
    clock.ClockSide: {
        "clock_ms": 1,
        "bank_ms": 1,
        "moves": 1,
        "used_ms": 1,
        "credit_ms": 1,
        "clock_known": True,
        "bank_known": True,
        "slack_ms": 1,
    },
    clock.TripleBlock: {"initial_ms": 1, "bank_ms": 1, "increment_ms": 1, "protection": True, "auto_refill": True},
    clock.Fischer: {"base_ms": 1, "increment_ms": 1},
    clock.Sessions: {"moves": 1, "session_ms": 1},
    clock.PerMove: {"move_ms": 1},
    variants.names: {"file": ""},
    variants.start_fen: {"name": "chess", "file": ""},
    variants.legal_moves: {"name": "chess", "fen": chess.STARTING_FEN, "file": ""},
    variants.after: {"name": "chess", "moves": ["e2e4"], "fen": chess.STARTING_FEN, "file": ""},
    variants.result: {"name": "chess", "fen": chess.STARTING_FEN, "file": ""},
    variants.describe: {"name": "capablanca", "file": ""},
    standstill.annotate: {
        "game": "1. e4 *",
        "engine": None,
        "limit": None,
        "nodes": 5,
        "depth": 5,
        "seconds": 5,
        "x05": 1,
        "scheme": "sparing-7",
        "patience": 9,
    },
    standstill.VariantMove: {"text": "i1j3"},
}
MAY_BE_NONE = {
    *((relevance.judge, name) for name in ("best", "second", "played")),
    *((function, "goal") for function in (rmobility.white_points, rmobility.komi_points)),
}


def test_all_functions_are_here() -> None:
    """Methods of engines are tested below, and methods of clocks in test_api."""
    for module in (relevance, rmobility, clock, variants):
        for name in module.__all__:
            value = getattr(module, name)
            is_open = isinstance(value, type) and (issubclass(value, Exception) or inspect.isabstract(value))
            if callable(value) and not is_open and value not in (rmobility.Score, rmobility.Standing, rmobility.Probe):
                assert value in CALLS or value is relevance.Preset, name


@pytest.mark.parametrize(("function", "given"), CALLS.items(), ids=[each.__qualname__ for each in CALLS])
def test_every_argument_is_checked(function: Callable[..., Any], given: dict[str, Any]) -> None:
    function(**given)
    parameters = inspect.signature(function).parameters
    assert [*given] == [*parameters]
    for name in given:
        for wrong in (object(), [object()], 1j, b"x", None):
            if wrong is None and (parameters[name].default is None or (function, name) in MAY_BE_NONE):
                continue
            with pytest.raises(standstill.ArgumentError) as raised:
                function(**given | {name: wrong})
            assert re.search("expected .*, found ", str(raised.value)), name
            assert isinstance(raised.value, TypeError) and isinstance(raised.value, ValueError)


POSSIBLE: dict[str, Any] = {
    "position": None,
    "limit": None,
    "nodes": 5,
    "depth": 1,
    "seconds": 1.0,
    "lines": 1,
    "among": ["e2e4"],
    "analysis": True,
}


@pytest.mark.parametrize("method", ["go", "analyse", "play"])
def test_every_argument_of_a_search_is_checked(method: str) -> None:
    with standstill.Engine({"Hash": 1}) as engine:
        function = getattr(engine, method)
        names = [*inspect.signature(function).parameters]
        given = {name: POSSIBLE[name] for name in names}
        found = function(**given)
        if method == "go":
            assert found.result().move is not None
        for name in names:
            for wrong in (object(), [object()], 1j, b"x"):
                with pytest.raises(standstill.ArgumentError, match=r"expected .*, found "):
                    function(**given | {name: wrong})
        for function, name in (
            (engine.position, "moves"),
            (engine.position, "position"),
            (engine.configure, "options"),
        ):
            with pytest.raises(standstill.ArgumentError, match=r"expected .*, found "):
                function(**{name: 1j})


@pytest.mark.parametrize(
    "limit",
    [
        chess.engine.Limit(depth=0),
        chess.engine.Limit(nodes=1.5),  # type: ignore[arg-type]
        chess.engine.Limit(time=-1),
        chess.engine.Limit(time=float("inf")),
        chess.engine.Limit(mate=0),
        chess.engine.Limit(white_clock=-1),
        chess.engine.Limit(white_clock=1, white_inc=-1),
        chess.engine.Limit(white_clock=1, remaining_moves=-1),
        chess.engine.Limit(white_clock="1"),  # type: ignore[arg-type]
        chess.engine.Limit(),
        chess.engine.Limit(white_inc=1),
    ],
    ids=repr,
)
def test_impossible_limits_of_python_chess(limit: chess.engine.Limit) -> None:
    with (
        standstill.Engine({"Hash": 1}) as engine,
        pytest.raises(standstill.ArgumentError, match=r"expected .*, found "),
    ):
        engine.play(limit=limit)


def test_limits_are_given_in_one_way() -> None:
    with standstill.Engine({"Hash": 1}) as engine, pytest.raises(standstill.ArgumentError, match="one of the two ways"):
        engine.play(None, chess.engine.Limit(depth=1), nodes=5)
    with pytest.raises(standstill.ArgumentError, match="nodes, depth or time"):
        standstill.annotate("1. e4 *", ["stockfish"], chess.engine.Limit(mate=1))


@pytest.mark.parametrize("kind", [TypeError, AttributeError, ValueError, KeyError, AssertionError])
@pytest.mark.parametrize(
    ("place", "call"),
    [
        ("standstill.engine.relevance.model._gap", lambda: relevance.difference(1, 2, 1)),
        ("standstill.engine.rmobility.scoring.tcec", lambda: rmobility.points(3)),
        ("standstill.engine.clock.parse.Fischer", lambda: clock.parse_control("10+3")),
        ("standstill.variants.parse_move", lambda: variants.after("chess", ["e2e4"])),
        ("standstill.rmobility.record_plies", lambda: rmobility.score("1. e4 *")),
        ("standstill.rmobility.outcome_of", lambda: rmobility.standings(["1. e4 *"])),
        ("standstill.engine.tablebases.probing.look_up", lambda: rmobility.probe("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1")),
        ("standstill.annotating.annotated", lambda: standstill.annotate("1. e4 { [%eval 0.3] } *")),
        ("standstill.playing.parse_move", lambda: standstill.Engine().analyse(depth=1, among=["e2e4"])),
        ("standstill.playing.find", lambda: standstill.Engine({"Hash": 1})),
        ("standstill.engine.play.position.set_fen", lambda: standstill.Engine().position("8/8/8/8/8/8/8/8 w - -")),
        ("standstill.engine.play.position.parse_move", lambda: standstill.Engine().position(None, ["e2e4"])),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fault_inside_is_not_taken_for_an_argument(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception], place: str, call: Callable[[], object]
) -> None:
    fault = kind("a fault of our own")

    def fail(*given: object, **named: object) -> None:
        raise fault

    if place.endswith("tcec"):
        monkeypatch.setitem(rmobility._scoring.SCHEMES, "tcec", fail)
    else:
        monkeypatch.setattr(place, fail)
    with pytest.raises(kind) as raised:
        call()
    assert raised.value is fault


def test_errors_of_what_users_hand_over_are_theirs() -> None:
    def games() -> Any:
        yield "1. e4 *"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        rmobility.standings(games())
