"""The page of an event: its figures counted again from the games, and its games opened in a browser."""

from __future__ import annotations

import html
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path

import pytest

from standstill.engine.archive.event.reasons import Reasons
from standstill.engine.archive.standings import DEFAULT_ORDER, GameFacts, Outcome, Standings, outcome_of
from standstill.engine.common.errors import ConfigError
from standstill.engine.rmobility.goals import Goal
from standstill.engine.web.event.page import Games, Group, page
from standstill.protocol.cli.commands.event.reader import facts_of
from tests import forked

from .pages import DESKTOP, PHONE, violations

ROW = re.compile(r"<tr><td>(\d+)</td>\s*<th scope=\"row\">(.*?)</th>\s*(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td.*?>(.*?)</td>", re.DOTALL)


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<.*?>", "", markup)).strip()


def table_of(markup: str, kind: str) -> dict[str, list[str]]:
    """The rows of a table of the page by player: rank, then the cells."""
    body = re.search(rf'<table class="{kind}">(.*?)</table>', markup, re.DOTALL)
    assert body
    return {text_of(name): [rank, *map(text_of, CELL.findall(rest))] for rank, name, rest in ROW.findall(body[1])}


def event(seed: int, players: int = 5) -> list[Outcome]:
    rng, games = random.Random(seed), []
    names = [f"Engine{number} v{number}.0" for number in range(players)]
    for white, black in list(combinations(names, 2)) * 2:
        result = rng.choice(["1-0", "0-1", "1/2-1/2", "1/2-1/2", "0-0"])
        goal = Goal.parse(rng.choice(["G2.0", "-G8.5", "G0.5"])) if result == "1/2-1/2" else None
        sides = [white, black] if rng.random() < 0.5 else [black, white]
        facts = GameFacts(len(games) + 1, round=f"{len(games) // 2 + 1}.{len(games) % 2 + 1}", plies=40)
        outcome = outcome_of(sides[0], sides[1], result, goal, goal, facts=facts)
        assert outcome is not None
        games.append(outcome)
    return games


@pytest.mark.parametrize("seed", range(3))
def test_the_figures_are_those_of_the_games(seed: int) -> None:
    games = event(seed)
    points = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "0-0": (0.0, 0.0)}
    rows = table_of(page("Cup", [Group(Standings(games))]), "standings")
    assert len(rows) == 5
    for name, (_, total, mobility, count, percent, *by_colour, _, _, _) in rows.items():
        mine = [(game, side) for game in games for side in (0, 1) if (game.white, game.black)[side] == name]
        scored = [(points[game.result][side], side) for game, side in mine]
        mine_total = sum(share for share, _ in scored)
        assert (float(total), int(count)) == (mine_total, len(mine))
        assert percent == f"{100 * mine_total / len(mine):.1f}"
        for shown, share in zip(by_colour, (1.0, 0.5, 0.0), strict=True):
            white, black = scored.count((share, 0)), scored.count((share, 1))
            assert shown == f"{white + black} [{white}/{black}]"
        shares = 0.0  # 1/2 ± 2^-(2G + 1) for a draw; a loss for both sides has no such points
        for game, side in mine:
            if game.goal is not None:
                own = game.goal.owner == side
                shares += 0.5 + (1 if own else -1) * 2.0 ** -(game.goal.code + 1)
        assert mobility.startswith(f"{shares:.3f} [")
        difference = f"{shares - mine_total:+.3f}"
        assert mobility.endswith(f"[{difference if float(difference) else '0.000'}]")


def test_many_meetings_make_a_cross_table_and_few_a_table_of_rounds() -> None:
    whole = page("Cup", [Group(Standings(event(1)))])
    assert "Cross table" in whole and "Round by round" not in whole
    swiss = [
        Outcome(f"P{number}", f"P{number + 1}", "1-0", facts=GameFacts(number + 1, round="?")) for number in range(11)
    ]
    free = [Outcome("P0", "bye", "1-0", facts=GameFacts(12, round="3")), Outcome("P3", "", "0-1", facts=GameFacts(13))]
    found = page("Open", [Group(Standings([*swiss, *free]))])
    assert found.count("<td>P0</td><td>bye</td>") == found.count("<td>P3</td><td>bye</td>") == 1
    assert "Round by round" in found
    rows = table_of(found, "crossed")
    assert rows["P0"][1:] == ["21", "", "bye1"]  # P1 has rank 2; the bye is in round 3
    assert rows["P5"][2] == f"{rows['P6'][0]}1"  # without round numbers, the second game is in round 2


def test_names_of_the_cross_table_have_a_version_where_they_need_one() -> None:
    names = ["Standstill 1.0", "Standstill 2.0 dev", "Magnus, Carl-Gustav von", "Engine_15_100k", "Ethereal 12.75"]
    games = [Outcome(one, other, "1-0") for at, one in enumerate(names) for other in names[at + 1 :]]
    found = page("Cup", [Group(Standings(games))])
    wanted = [*names[:4], "Ethereal"]
    assert re.findall(r'<th scope="col" title="[^"]*">\d+<small>(.*?)</small>', found) == wanted
    crossed = found[found.index('<table class="crossed">') :]
    rows = re.findall(r'<span class="who">(.*?)</span>(?: <span class="version">(.*?)</span>)?', crossed)
    assert [" ".join(row).rstrip() for row in rows] == wanted


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_names_above_the_cross_table_do_not_widen_its_columns(browser, tmp_path: Path, size: dict) -> None:
    names = ["Name without any place to break it", "Unbreakable" * 3, *(f"P{number}" for number in range(10))]
    games = [Outcome(one, other, "1-0") for at, one in enumerate(names) for other in names[at + 1 :]]
    (tmp_path / "cup.html").write_text(page("Cup", [Group(Standings(games))]), encoding="utf-8")
    shown = browser.new_page(viewport=size)
    shown.goto((tmp_path / "cup.html").as_uri())
    heads = "[...document.querySelectorAll('.crossed thead th')].slice(2)"
    widths = shown.evaluate(f"{heads}.map((head) => [head.offsetWidth, head.scrollWidth])")
    assert len(widths) == 12 and max(own for own, _ in widths) < 120 and all(own >= inner for own, inner in widths)
    shown.close()


def test_a_gauntlet_has_a_cross_table_and_endless_rounds_have_none() -> None:
    gauntlet = [
        Outcome("New", f"Old{number % 6}", "1-0", facts=GameFacts(number + 1, round=f"{number + 1}"))
        for number in range(90)
    ]
    assert "Cross table" in page("Test", [Group(Standings(gauntlet))])
    many = [Outcome(f"P{at}", f"P{at + 1}", "1-0", facts=GameFacts(at + 1, round=f"{at + 1}")) for at in range(80)]
    found = page("Test", [Group(Standings(many))])
    assert "Round by round" not in found and "Cross table" not in found and 'id="row-80"' in found


def test_games_open_where_the_page_is_told() -> None:
    table = Standings(event(2))
    plain = page("Cup", [Group(table)])
    assert set(re.findall(r'href="(.*?)"', plain)) == {f"#row-{number}" for number in range(1, 21)}
    assert "<script" not in plain and all(f'id="row-{number}"' in plain for number in range(1, 21))
    linked = page("Cup", [Group(table)], Games(address="games.html"))
    assert set(re.findall(r'href="(.*?)"', linked)) == {f"games.html#game={number}" for number in range(1, 21)}


def test_reasons_name_the_tie_breaks_up_to_the_one_that_decides() -> None:
    games = [("Anna", "Bert", "G0.5"), ("Carl", "Dora", "-G1.0"), ("Anna", "Carl", "-G1.5"), ("Dora", "Bert", "-G2.0")]
    drawn = [outcome_of(white, black, "1/2-1/2", Goal.parse(goal), Goal.parse(goal)) for white, black, goal in games]
    table = Standings([game for game in drawn if game], ("points", "direct", "rmobility"))
    reasons = Reasons(table)
    # Anna 3/4 + 7/16, Dora 5/8 + 15/32, Carl 3/8 + 9/16, Bert 1/4 + 17/32
    assert [player.name for player in table.players] == ["Anna", "Dora", "Carl", "Bert"]
    assert reasons.between("Bert", "Anna").text == (
        "Anna is above Bert: points: 1 each; points from the games between the tied players: 1 each; "
        "R-Mobility points: 1.187500 against 0.781250."
    )
    assert len(list(reasons.of_ties())) == 3
    level = Standings([Outcome("A", "B", "1/2-1/2")], ("points", "wins"))
    assert Reasons(level).between("B", "A").text == "A and B share rank 1: points: 0.5 each; wins: 0 each."
    assert reasons.between("dora", "ann").text.startswith("Anna is above Dora: ")
    twins = Standings([Outcome("Tom 1", "Tom 2", "1-0")], DEFAULT_ORDER)
    for table, names, reason in (
        (level, ("A", "C"), "expected a player of the table, found 'C'"),
        (level, ("A", "a"), "expected two players, found 'A' twice"),
        (twins, ("Tom 1", "Tom"), "expected the name of one player, found 'Tom': 'Tom 1', 'Tom 2'"),
    ):
        with pytest.raises(ConfigError, match=reason):
            Reasons(table).between(*names)
    decided = Standings([Outcome("A", "B", "1-0")], DEFAULT_ORDER)
    assert Reasons(decided).between("A", "B").text == "A is above B: points: 1 against 0."
    assert not list(Reasons(decided).of_ties())


def test_values_without_a_meaning_are_no_facts() -> None:
    tags = {
        "Event": "?",
        "Date": "????.??.??",
        "Round": "-",
        "TimeControl": "?",
        "Opening": "Scotch",
        "Variation": "Main",
    }
    assert facts_of(3, tags, 10) == GameFacts(3, opening="Scotch: Main", plies=10)
    assert facts_of(1, {"FEN": "8/8/8/2K3k1/8/8/8/8 w - - 0 1", "Round": "2.1"}, 0).opening == "8/8/8/2K3k1/8/8/8/8"


@pytest.mark.parametrize(
    ("tags", "white", "black"),
    [
        ({"TimeControl": "2+0.02"}, "2+0.02", "2+0.02"),
        ({"TimeControl": "-", "NodeLimit": "80"}, "80 nodes", "80 nodes"),
        ({"TimeControl": "-", "DepthLimit": "5"}, "depth 5", "depth 5"),
        ({"TimeControl": "-", "WhiteNodeLimit": "80", "BlackNodeLimit": "40"}, "80 nodes", "40 nodes"),
        ({"WhiteTimeControl": "2+0.02", "BlackDepthLimit": "5"}, "2+0.02", "depth 5"),
        ({"TimeControl": "-"}, "", ""),
    ],
    ids=["time", "nodes", "depth", "different-nodes", "different-kinds", "unknown"],
)
def test_games_without_a_clock_have_their_limit_as_control(tags: dict[str, str], white: str, black: str) -> None:
    assert facts_of(1, tags, 0).controls == (white, black)


def test_fractions_are_rounded_not_cut() -> None:
    goal = Goal.parse("G3.0")  # 0.5078125
    game = outcome_of("A", "B", "1/2-1/2", goal, goal)
    assert game is not None and game.rm_white == Fraction(65, 128)
    rows = table_of(page("x", [Group(Standings([game]))]), "standings")
    assert rows["A"][2] == "0.508 [+0.008]" and rows["B"][2] == "0.492 [-0.008]"


GAMES = """[Event "Cup"]
[White "Anna"]
[Black "Bert"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Cup"]
[White "Bert"]
[Black "Anna"]
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2

[Event "Cup"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]

1-0
"""


def test_a_game_inside_the_page_opens_and_closes(browser, executable: Path, tmp_path: Path) -> None:
    (tmp_path / "cup.pgn").write_text(GAMES, encoding="utf-8")
    words = [executable, "standings", "cup.pgn", "--html", "cup.html", "--games", "inside"]
    assert forked.run(words, cwd=tmp_path, capture_output=True, timeout=60).returncode == 0
    shown, problems = browser.new_page(), []
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.goto((tmp_path / "cup.html").as_uri())
    assert shown.locator(".standings").is_visible() and not shown.locator("#board").is_visible()
    assert shown.locator(".crossed a.mark").all_inner_texts() == ["1", "½", "0", "0", "½", "1"]
    desktop = shown.viewport_size
    shown.set_viewport_size({"width": 390, "height": 844})
    assert all(shown.locator(name).is_visible() for name in (".standings", ".crossed", ".all"))
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    shown.set_viewport_size(desktop)
    shown.locator(".crossed a.mark").nth(1).click()
    shown.wait_for_function("() => document.querySelector('#players')?.textContent.startsWith('Bert')")
    assert shown.locator("#board").is_visible() and not shown.locator(".standings").is_visible()
    shown.go_back()
    shown.locator(".standings").wait_for()
    assert "#row-3" in (shown.locator(".crossed a.mark").nth(2).get_attribute("href") or "")  # it has no moves
    shown.close()
    again = browser.new_page()
    again.goto((tmp_path / "cup.html").as_uri() + "#game=1/4")
    again.wait_for_function("() => location.hash === '#game=1/4' && document.body?.dataset.state === 'study'")
    assert re.match(r"Anna . Bert", again.locator("#players").inner_text()) and not problems
    again.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessibility(browser, executable: Path, tmp_path: Path, scheme: str, size: dict) -> None:
    """axe-core finds nothing in the tables, and nothing in a game."""
    (tmp_path / "cup.pgn").write_text(GAMES, encoding="utf-8")
    words = [executable, "standings", "cup.pgn", "--html", "cup.html", "--games", "inside"]
    assert forked.run(words, cwd=tmp_path, capture_output=True, timeout=60).returncode == 0
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    page.goto((tmp_path / "cup.html").as_uri())
    found = {"tables": violations(page)}
    page.click(".crossed a.mark")
    page.wait_for_selector("body[data-state=study]")
    found["game"] = violations(page)
    context.close()
    assert [*found.values()] == [[], []], found


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_goals_fit_their_fields_and_names_differ(browser, tmp_path: Path, size: dict) -> None:
    """Fields with goals once overlapped, and a phone cut long names after the same letters."""
    names = [f"Stockfish_15_{nodes}" for nodes in ("100M", "300M", "30M", "3M", "1G", "1M")]
    names += [f"Viridithas 20.0.0-dev-{commit}" for commit in ("df73485a", "8ae646bc")]
    games = [
        replace(outcome, facts=GameFacts(number, round=str(number)))
        for number, (pair, code) in enumerate(product(permutations(names, 2), (43, 2, 65)), 1)
        if (outcome := outcome_of(*pair, "1/2-1/2", Goal(code, number % 2), Goal(code, number % 2))) is not None
    ]
    (tmp_path / "event.html").write_text(page("Cup", [Group(Standings(games))], goals=True), encoding="utf-8")
    shown = browser.new_page(viewport=size)
    shown.goto((tmp_path / "event.html").as_uri())
    cut = "(name) => [...document.querySelectorAll(name)].filter((at) => at.scrollWidth > at.clientWidth).length"
    assert shown.locator(".crossed .mark").count() == 2 * len(games) > 300
    assert shown.evaluate(cut, ".crossed .mark") == shown.evaluate(cut, ".event th[scope=row]") == 0
    assert shown.evaluate(cut, ".event th .version") == 0
    tallest = "Math.max(...[...document.querySelectorAll('.standings th[scope=row]')].map((name) => name.offsetHeight))"
    assert shown.evaluate(tallest) < 100, "at most two lines, each of the name and of the version"
    sums = "[...document.querySelectorAll('.marks + small')].map((at) => at.getBoundingClientRect().left)"
    ends = "[...document.querySelectorAll('.marks:has(+ small)')].map((at) => at.getBoundingClientRect().right)"
    assert all(end <= start for end, start in zip(shown.evaluate(ends), shown.evaluate(sums), strict=True))
    shown.emulate_media(media="print")
    heights = "[...document.querySelectorAll('.marks + small')].map((sum) => sum.getClientRects().length)"
    assert {*shown.evaluate(heights)} == {1}, "a sum on paper is one line"
    shown.close()
