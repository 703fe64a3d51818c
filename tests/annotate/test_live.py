"""The engine's lines about relevance: they follow from the printed scores."""

from __future__ import annotations

import re
from math import inf

import pytest

from standstill.engine.common.info import EXACT, SCORE_CP, SearchInfo, wdl
from standstill.engine.play import relevance_lines
from standstill.engine.play.relevance_lines import LiveSymbols
from standstill.engine.relevance import nags
from standstill.engine.relevance.model import gap, judge, position_nag, result
from standstill.engine.relevance.presets import OWN
from standstill.engine.settings.options import Settings

LINE = re.compile(
    r"info string relevance x05 (?P<x05>\d+) eval (?P<eval>-?\d+|#-?\d+) result (?P<result>[01]\.\d{4})"
    r" symbol (?P<symbol>\S+) nag (?P<nag>\d+)(?: gap (?P<gap>[01]\.\d{4}) best (?P<best>\S+))?"
)
SECOND_NS = 10**9


def settings(**values: object) -> Settings:
    chosen = Settings()
    for name, value in values.items():
        chosen[name] = value
    return chosen


def line(score: int, rank: int = 1) -> SearchInfo:
    values = {"depth": 8, "seldepth": 9, "nodes": 1, "time_ns": 1, "hashfull": 0, "pv": ["e2e4"]}
    return SearchInfo(multipv=rank, score=score, bound=EXACT, **values)


@pytest.fixture
def said() -> list[str]:
    return []


# ---- the engine itself ----


def ask(engine, *commands: str) -> tuple[list[str], re.Match | None]:
    """Return all lines up to the best move, and the last line about relevance."""
    *before, last = commands
    engine.send(*before)
    lines = engine.ask(last, "bestmove")
    found = [match for text in lines if (match := LINE.fullmatch(text))]
    assert len(found) == sum("relevance" in text for text in lines)
    return lines, found[-1] if found else None


@pytest.mark.parametrize(
    ("fen", "view"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1),
        ("rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2", -1),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", -1),
    ],
)
def test_line_before_the_best_move_agrees_with_its_score(engine, fen: str, view: int) -> None:
    lines, found = ask(engine, f"position fen {fen}", "go depth 7")
    assert lines[-2] == found[0]
    cp = view * int(re.search(r"score cp (-?\d+)", lines[-3])[1])
    nag = position_nag(cp / 100, OWN.x05)
    assert (int(found["eval"]), int(found["nag"])) == (cp, nag)
    assert found["symbol"] == nags.ascii_text(nag) and found["gap"] is None
    assert float(found["result"]) == pytest.approx(result(cp / 100, OWN.x05), abs=5e-5)


def test_with_two_lines_the_best_move_has_a_symbol(engine) -> None:
    """Black must capture the queen: every other move is nearly lost."""
    engine.send("setoption name MultiPV value 2")
    lines, found = ask(engine, "position fen 4k3/8/8/8/8/3q4/3Q4/3K4 b - - 0 1", "go depth 6")
    scores = [re.search(rf"multipv {rank} score cp (-?\d+)", "\n".join(lines[-4:-2])) for rank in (1, 2)]
    best, second = (-int(score[1]) / 100 for score in scores)
    assert float(found["gap"]) == pytest.approx(gap(best, second, OWN.x05), abs=5e-5)
    assert found["best"] == nags.ascii_text(judge(best, second, best, True, "b", OWN.x05, "sparing-8"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", ("#1", "1.0000", "+--")),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", ("#1", "1.0000", "+--")),
        ("K7/8/1k6/8/8/8/8/7r b - - 0 1", ("#-1", "0.0000", "-++")),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", ("#-0", "0.0000", "-++")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ("0", "0.5000", "=")),
    ],
)
def test_mates_and_ends(engine, fen: str, expected: tuple[str, str, str]) -> None:
    _, found = ask(engine, f"position fen {fen}", "go depth 4")
    assert (found["eval"], found["result"], found["symbol"]) == expected


def test_off_is_silent(engine) -> None:
    engine.send("setoption name Relevance_Position value off")
    lines, _ = ask(engine, "go depth 3")
    assert not any("relevance" in text for text in lines)


def test_options_are_obeyed(engine) -> None:
    engine.send("setoption name Relevance_x05 value 300")
    engine.send("setoption name Relevance_Position value 1/7")
    _, found = ask(engine, "position fen 4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", "go nodes 200")
    cp = found["eval"]
    assert found["x05"] == "300"
    assert int(found["nag"]) == position_nag(inf if "#" in cp else int(cp) / 100, 3.0, "1/7") == 18


def test_the_search_is_not_touched(engine) -> None:
    def nodes() -> str:
        engine.send("ucinewgame")
        lines = [line for line in ask(engine, "go depth 9")[0] if " score " in line]
        return re.search(r" nodes (\d+)", lines[-1])[1]

    before = nodes()
    engine.send("setoption name Relevance_x05 value 5")
    engine.send("setoption name UCI_ShowWDL value true")
    assert nodes() == before


# ---- in long searches ----


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    now = [0]
    monkeypatch.setattr(relevance_lines.time, "monotonic_ns", lambda: now[0])
    return now


def test_a_changed_symbol_is_said_once_a_second_at_most(clock: list[int], said: list[str]) -> None:
    news = LiveSymbols(settings(), False, 1, said.append)
    for half_second, cp in enumerate([0, 0, 140, 140, -20, -20, -20, 141, 141]):
        clock[0] = half_second * SECOND_NS // 2
        news.follow(line(cp * SCORE_CP))
    spoken = [re.search(r"symbol (\S+)", text)[1] for text in said]
    assert spoken == ["+-", "=+", "+-"]


def test_a_change_that_came_too_early_is_told_later(clock: list[int], said: list[str]) -> None:
    news = LiveSymbols(settings(), False, 1, said.append)
    news.follow(line(120 * SCORE_CP))
    assert not said
    clock[0] = SECOND_NS
    news.tick()
    assert len(said) == 1


def test_gap_compares_lines_of_one_depth(said: list[str]) -> None:
    """The search was stopped between the first and the second line of a depth."""
    news = LiveSymbols(settings(), False, 2, said.append)
    news.follow(line(30 * SCORE_CP))
    news.follow(line(25 * SCORE_CP, 2))
    last = line(500 * SCORE_CP)
    news.follow(last)
    news.end(last)
    assert "eval 500 " in said[-1] and said[-1].endswith(f"gap {gap(0.30, 0.25, OWN.x05):.4f} best -")


# ---- chances ----


def test_chances_and_relevance_agree_by_default(engine) -> None:
    """With default options, half of all games are won at x05 both in UCI_ShowWDL and in the line about relevance."""
    assert settings()["Relevance_x05"] == round(100 * OWN.x05)
    assert wdl(settings()["Relevance_x05"] * SCORE_CP)[0] == 500
    engine.send("setoption name UCI_ShowWDL value true")
    for missing, ahead in (("r", True), ("p", False)):
        rest = "rnbqkbnr/pppppppp".replace(missing, "1", 1)
        lines, found = ask(engine, f"position fen {rest}/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", "go depth 6")
        cp, win = map(int, re.search(r"score cp (-?\d+) wdl (\d+)", lines[-3]).groups())
        assert int(found["x05"]) == round(100 * OWN.x05)
        assert [win >= 500, cp >= int(found["x05"]), float(found["result"]) >= 0.75] == [ahead] * 3


# ---- in XBoard ----


def test_xboard_gets_a_comment_if_it_skips_comments(start) -> None:
    client = start()
    client.send("xboard", "protover 2", "accepted debug", "setboard 4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "sd 3", "go")
    lines = client.read_until("move")
    assert any(text.startswith(f"# relevance x05 {100 * OWN.x05:.0f} eval ") for text in lines)


def test_xboard_gets_nothing_that_it_could_misread(start) -> None:
    client = start()
    client.send("xboard", "protover 2", "sd 3", "go")
    assert not any("relevance" in text for text in client.read_until("move") if not text.startswith("feature"))
