"""Lines that go to a UCI client, without an engine."""

from __future__ import annotations

import pytest

from standstill.cext.base.constants import WHITE
from standstill.engine.common.info import EXACT, LOWER, MATE, SCORE_CP, UPPER, BestMove, SearchInfo
from standstill.engine.play.session import Session
from standstill.engine.rmobility.modes import Outlook
from standstill.engine.settings.options import Settings, find
from standstill.protocol.uci.protocol import Uci, info_line, option_line, string_line


def info(**changes: object) -> SearchInfo:
    values = {
        "depth": 9, "seldepth": 14, "multipv": 2, "score": -35 * SCORE_CP, "bound": EXACT, "nodes": 123_456,
        "time_ns": 2_345_678_901, "hashfull": 7, "pv": ["e2e4", "e7e5"],
    }  # fmt: skip
    return SearchInfo(**values | changes)


def test_a_line_has_each_number_at_its_word() -> None:
    assert info_line(info(), False) == (
        "info depth 9 seldepth 14 multipv 2 score cp -35 nodes 123456 nps 52631 hashfull 7 time 2345 pv e2e4 e7e5"
    )
    assert " hashfull 7 tbhits 3 time 2345" in info_line(info(tbhits=3), False)
    assert info_line(info(pv=[]), False).endswith(" time 2345")


@pytest.mark.parametrize(("bound", "word"), [(EXACT, ""), (LOWER, " lowerbound"), (UPPER, " upperbound")])
def test_a_bound_is_named_behind_the_score(bound: int, word: str) -> None:
    assert f" score cp -35{word} nodes " in info_line(info(bound=bound), False)


@pytest.mark.parametrize(
    ("score", "text"),
    [(MATE - 1, "mate 1"), (MATE - 3, "mate 2"), (2 - MATE, "mate -1"), (-MATE, "mate 0"), (SCORE_CP // 2, "cp 1")],
)
def test_a_mate_counts_full_moves(score: int, text: str) -> None:
    assert f" score {text} nodes " in info_line(info(score=score), False)


@pytest.mark.parametrize(("score", "wdl"), [(MATE - 9, "1000 0 0"), (9 - MATE, "0 0 1000")])
def test_chances_are_the_side_to_moves(score: int, wdl: str) -> None:
    assert f" wdl {wdl} nodes " in info_line(info(score=score), True)


def test_chances_of_the_other_side_are_the_same_in_reverse() -> None:
    lines = (info_line(info(score=cp * SCORE_CP), True) for cp in (200, -200))
    ours, theirs = (line.split(" wdl ")[1].split()[:3] for line in lines)
    assert ours == theirs[::-1] and int(ours[0]) > int(ours[2]) and sum(map(int, ours)) == 1000
    assert "wdl" not in info_line(info(score=200 * SCORE_CP), False)


def test_a_better_score_wins_more_often() -> None:
    lines = [info_line(info(score=cp * SCORE_CP), True).split() for cp in (-300, -50, 0, 50, 300)]
    chances = [tuple(int(word) for word in line[line.index("wdl") + 1 :][:3]) for line in lines]
    wins, losses = [win for win, _, _ in chances], [loss for _, _, loss in chances]
    assert wins == sorted(wins) == losses[::-1] and wins[0] < wins[-1]
    assert {sum(row) for row in chances} == {1000}


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("Hash", "64", "option name Hash type spin default 64 min 1 max "),
        ("Ponder", "true", "option name Ponder type check default true"),
        ("SyzygyPath", "", "option name SyzygyPath type string default <empty>"),
        ("RMobility", "Points", "option name RMobility type combo default Points var "),
        ("Clear Hash", "", "option name Clear Hash type button"),
    ],
)
def test_an_option_is_declared_with_its_present_value(name: str, value: str, line: str) -> None:
    settings, spec = Settings(), find(name)
    if spec.kind != "button":
        settings[spec.name] = spec.parse(value)
    found = option_line(spec, settings)
    assert found.startswith(line) and (line.endswith(" ") or found == line)


class Written:
    """A writer that records the written lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        self.lines += text.splitlines()


@pytest.mark.parametrize(
    ("best", "line"),
    [
        (BestMove("e2e4", "e7e5"), "bestmove e2e4 ponder e7e5"),
        (BestMove("e2e4"), "bestmove e2e4"),
        (BestMove(None), "bestmove (none)"),
    ],
)
def test_the_best_move_comes_with_the_reply(best: BestMove, line: str) -> None:
    written = Written()
    Uci(Session(), written).best_move(best)
    assert written.lines == [line]


def test_news_of_a_search_have_their_words() -> None:
    written = Written()
    uci = Uci(Session(), written)
    uci.current_move(7, "e2e4", 3)
    uci.outlook(Outlook((7, WHITE, 3), None, promised=False), is_news=True)
    uci.outlook(Outlook((7, WHITE, 3), (3, WHITE), promised=False), is_news=False)
    uci.remark("a remark")
    assert written.lines == [
        "info depth 7 currmove e2e4 currmovenumber 3",
        "info string rmobility record G3.5 ply 3 forecast none",
        "info string a remark",
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("line", ["garbage isready", "isready", "  isready  ", "joho debug on isready"])
def test_words_before_a_known_one_are_skipped(line: str) -> None:
    """The UCI specification requires engines to skip unknown words."""
    written = Written()
    uci = Uci(Session(), written)
    assert uci.handle(line)
    assert written.lines == ([] if "debug" in line else ["readyok"])
    assert not uci.handle("garbage quit")


def test_an_unknown_command_is_answered() -> None:
    written = Written()
    assert Uci(Session(), written).handle("garbage")
    assert written.lines == ["info string unknown command 'garbage': try help"]


def test_a_remark_is_one_line_that_fits_a_buffer() -> None:
    assert string_line("a \n b") == "info string a b"
    assert len(string_line("x" * 500)) < 210
