"""Playing below full strength: choice of the move, nodes, and what a client sees."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from standstill.engine.common.info import EXACT, MATE, SCORE_CP, SearchInfo
from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.play.strength import Handicap, choose, level
from standstill.engine.settings.levels import LEAST_ELO, MOST_ELO
from tests.board.support import KIWIPETE
from tests.session.listening import Notes
from tools.measure.play.levels import LEVELS, Ours, match

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
CLOCKS = 600_000


def weak_session(elo: int, seed: int = 1) -> Session:
    session = Session()
    session.settings["Hash"] = 1
    session.settings["UCI_LimitStrength"], session.settings["UCI_Elo"] = True, elo
    session.running.random = random.Random(seed)
    return session


def search(session: Session, fen: str | None = None, **wanted: object) -> Notes:
    limits = Limits()
    for name, value in wanted.items():
        setattr(limits, name, value)
    session.position(fen, [])
    notes = Notes()
    session.go(limits, notes)
    session.wait()
    return notes


def line(score: int, rank: int = 1) -> SearchInfo:
    return SearchInfo(
        depth=3, seldepth=3, multipv=rank, score=score, bound=EXACT, nodes=1, time_ns=1, hashfull=0, pv=["e2e4"]
    )


# ---- the choice ----


def test_a_line_a_slack_worse_is_played_one_e_th_as_often() -> None:
    lines = [line(50 * SCORE_CP), line(10 * SCORE_CP, 2)]
    rng = random.Random(1)
    counts = Counter(choose(lines, Handicap(100, 2, 40), rng).multipv for _ in range(20_000))
    assert counts[2] / counts[1] == pytest.approx(0.368, abs=0.02)


def test_a_mate_that_was_seen_is_played() -> None:
    lines = [line(MATE - 1), line(MATE - 3, 2), line(900 * SCORE_CP, 3)]
    rng = random.Random(1)
    assert {choose(lines, Handicap(100, 3, 500), rng).multipv for _ in range(200)} == {1}


def test_a_level_avoids_a_mate_that_it_has_seen() -> None:
    lines = [line(-300 * SCORE_CP), line(-MATE + 2, 2)]
    rng = random.Random(1)
    assert {choose(lines, Handicap(100, 2, 500), rng).multipv for _ in range(200)} == {1}


def test_the_longest_way_to_a_mate_is_taken() -> None:
    lines = [line(-MATE + 4), line(-MATE + 2, 2)]
    rng = random.Random(1)
    assert {choose(lines, Handicap(100, 2, 500), rng).multipv for _ in range(200)} == {1}


def test_strength_grows_with_the_number() -> None:
    handicaps = [level(elo) for elo in range(LEAST_ELO, MOST_ELO + 1, 10)]
    for weaker, stronger in itertools.pairwise(handicaps):
        assert weaker.nodes <= stronger.nodes
        assert weaker.slack_cp >= stronger.slack_cp
        assert (weaker.nodes, weaker.slack_cp) != (stronger.nodes, stronger.slack_cp)


# ---- the session ----


@pytest.mark.parametrize("elo", [LEAST_ELO, 1500, 2000])
def test_the_best_move_heads_the_last_line(elo: int) -> None:
    """Only one line is shown, and it begins with the chosen move, whichever that is."""
    for seed in range(8):
        notes = search(weak_session(elo, seed), KIWIPETE, time_ms=[CLOCKS, CLOCKS])
        assert notes.best.move == notes.lines[-1].pv[0]
        assert notes.lines[-1].bound == EXACT
        assert {line.multipv for line in notes.lines} == {1}


def test_games_differ_and_a_seed_repeats_them() -> None:
    def moves(seed: int) -> list[str]:
        session = weak_session(LEAST_ELO, seed)
        played: list[str] = []
        limits = Limits()
        for _ in range(8):
            session.position(None, played)
            played.append(session.search(limits)[0].move)
        return played

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 1


def test_the_weakest_mates_in_one() -> None:
    assert {search(weak_session(LEAST_ELO, seed), MATE_IN_ONE).best.move for seed in range(20)} == {"d1d8"}


def test_a_level_is_a_number_of_nodes() -> None:
    nodes = search(weak_session(2000), KIWIPETE, time_ms=[CLOCKS, CLOCKS]).lines[-1].nodes
    assert nodes == pytest.approx(level(2000).nodes, rel=0.05)


def test_other_limits_hold_as_well() -> None:
    assert search(weak_session(2400), KIWIPETE, depth=3).lines[-1].depth == 3
    assert search(weak_session(2400), KIWIPETE, nodes=5000).lines[-1].nodes < 6000


@pytest.mark.parametrize("analysis", [{"infinite": True}, {"mate": 5}, {"depth": 8}])
def test_analysis_knows_no_limit(analysis: dict[str, object]) -> None:
    session = weak_session(LEAST_ELO)
    session.settings["UCI_AnalyseMode"] = "depth" in analysis
    limits = Limits()
    for name, value in analysis.items():
        setattr(limits, name, value)
    session.position(KIWIPETE, [])
    notes = Notes()
    session.go(limits, notes)
    while session.nodes < 5 * level(LEAST_ELO).nodes and session.searching:
        pass
    session.finish()
    assert session.nodes >= 5 * level(LEAST_ELO).nodes


def test_a_weaker_player_does_not_remember_the_analysis() -> None:
    fresh = search(weak_session(1500), KIWIPETE)
    session = weak_session(1500)
    session.settings["UCI_LimitStrength"] = False
    search(session, KIWIPETE, depth=10)
    session.settings["UCI_LimitStrength"] = True
    again = search(session, KIWIPETE)
    assert (again.best.move, again.lines[-1].nodes) == (fresh.best.move, fresh.lines[-1].nodes)


def test_a_level_does_not_ask_the_endgame_tables() -> None:
    class Tables:
        def covers(self, board, most_men) -> bool:
            asked.append(board)
            return False

        def close(self) -> None:
            pass

    asked: list[object] = []
    session = weak_session(1500)
    session.is_ready()
    session.equipment.adviser._endgames = Tables()
    search(session, MATE_IN_ONE)
    assert asked == []
    session.settings["UCI_AnalyseMode"] = True
    search(session, MATE_IN_ONE, depth=1)
    assert asked


def test_one_thread_plays_a_level() -> None:
    session = weak_session(1500)
    session.settings["Threads"] = 3
    fresh = search(weak_session(1500), KIWIPETE)
    assert search(session, KIWIPETE).lines[-1].nodes == fresh.lines[-1].nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weaker", "stronger"), [(0, 3), *(pytest.param(*levels, marks=pytest.mark.slow) for levels in [(2, 5), (4, 7)])]
)
def test_a_level_beats_the_third_below(weaker: int, stronger: int) -> None:
    """The games are the same every time; docs/lab/levels.md has long matches between neighbouring levels."""
    result = match(Ours(elo=LEVELS[stronger]), Ours(elo=LEVELS[weaker]), games=6)
    assert result.share > 0.75
