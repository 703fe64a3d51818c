"""Names, groups and brackets of events, compared with events that a simple program has made."""

from __future__ import annotations

import csv
import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from standstill.engine.archive.event.bracket import BY_ARMAGEDDON, BY_MOBILITY, BY_POINTS, BY_PROGRESS, Bracket, bracket
from standstill.engine.archive.event.groups import grouped
from standstill.engine.archive.event.names import Aliases, alias_lines, name_parts, renamed, spellings, versions
from standstill.engine.archive.standings import GameFacts, Outcome, outcome_of
from standstill.engine.common.errors import ConfigError
from standstill.engine.rmobility.goals import Goal
from standstill.protocol.cli.commands.event.reader import facts_of
from tests import forked

# ---- names ----


def test_aliases_rename_by_the_first_rule_that_fits() -> None:
    lines = alias_lines("# engines\nFish = Stockfish * | SF\n\n  Ann, Lee=Lee, A.|A*Lee \nOther = Stockfish 9\n")
    names = Aliases(lines)
    asked = ["Stockfish 9", "SF", "sf", "Stockfish", "Lee, A.", "Ann Lee", "Lee", "?"]
    assert [names.find(name) for name in asked] == [
        "Fish",
        "Fish",
        "sf",
        "Stockfish",
        "Ann, Lee",
        "Ann, Lee",
        "Lee",
        "?",
    ]
    assert names.unused == ["Stockfish 9"]
    assert Aliases(["A = x.y"]).find("xzy") == "xzy"  # nothing but * is special


@pytest.mark.parametrize("rule", ["Ann", "= B", "A =", "A = B |", ""])
def test_faulty_aliases_are_refused(rule: str) -> None:
    with pytest.raises(ConfigError, match="expected NAME = OTHER NAME"):
        Aliases([rule])


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("LCZero v0.26.0-sv-t60-4229-mlh", ("LCZero", "v0.26.0-sv-t60-4229-mlh")),
        ("SlowChess Blitz 2.5 avx", ("SlowChess Blitz", "2.5 avx")),
        ("Stockfish_15_1k", ("Stockfish_15_1k", "")),
        ("4ku 5.1", ("4ku", "5.1")),
        ("van der Berg, J.", ("van der Berg, J.", "")),
    ],
)
def test_versions_are_told_from_names(name: str, parts: tuple[str, str]) -> None:
    assert name_parts(name) == parts


def test_versions_that_met_stay_apart() -> None:
    games = [
        Outcome("A 1", "B 1", "1-0"),
        Outcome("A 2", "B 2", "1-0"),
        Outcome("C 1", "C 2", "1-0"),
        Outcome("D 1", "bye", "1-0"),
    ]
    joined, apart = versions(games)
    assert joined == {"A 1": "A", "A 2": "A", "B 1": "B", "B 2": "B"} and apart == [["C 1", "C 2"]]


def test_spellings_get_the_most_frequent_one() -> None:
    games = [Outcome("Ng, A", "Lee, B", "1-0"), Outcome("A. Ng", "Lee B", "1-0"), Outcome("Lee B", "X", "0-1")]
    assert spellings(games) == {"Ng, A": "Ng, A", "A. Ng": "Ng, A", "Lee, B": "Lee B", "Lee B": "Lee B"}
    found, own = renamed(
        [*games, Outcome("Ng, A", "A. Ng", "1-0"), Outcome("?", "A. Ng", "0-1")],
        lambda name: {"A. Ng": "Ng, A"}.get(name, name),
    )
    assert [(game.white, game.black) for game in found][-1] == ("?", "Ng, A") and len(own) == 1


# ---- groups ----


def test_groups_by_tags_and_by_games() -> None:
    def game(white: str, black: str, **facts: str) -> Outcome:
        return Outcome(white, black, "1-0", facts=GameFacts(**facts))

    games = [
        game("A", "B", event="Open", section="I"),
        game("C", "D", event="Open", section="II"),
        game("B", "E", section="I"),
        game("?", "C", section="II"),
        game("?", "F"),
    ]
    sizes = {by: [(name, len(found)) for name, found in grouped(games, by)] for by in ("event", "section", "players")}
    assert sizes == {
        "event": [("Open", 2), ("Without event", 3)],
        "section": [("I", 2), ("II", 2), ("Without section", 1)],
        "players": [("Group A", 2), ("Group B", 2), ("Group C", 1)],
    }


# ---- cups ----


def drawn(white: str, black: str, goal: str, start: str = "") -> Outcome:
    found = outcome_of(white, black, "1/2-1/2", Goal.parse(goal), Goal.parse(goal), facts=GameFacts(start=start))
    assert found is not None
    return found


def shape(cup: Bracket) -> list[tuple[str, list]]:
    return [
        (
            name,
            [
                match and (*match.players, match.winner if match.winner is None else match.players[match.winner])
                for match in matches
            ],
        )
        for name, matches in cup.rounds
    ]


@pytest.mark.parametrize("seed", range(4))
def test_brackets_are_those_that_were_played(seed: int) -> None:
    """A cup of 16 is played by a program that notes its own pairings; the games come in any order, with their dates."""
    rng, games, noted = random.Random(seed), [], []
    left = [f"P{number}" for number in range(16)]
    rng.shuffle(left)
    while len(left) > 1:
        pairs, day = list(zip(left[::2], left[1::2], strict=True)), f"2026.01.{len(noted) + 10}"
        left = []
        for first, second in pairs:
            winner, loser = (first, second) if rng.random() < 0.5 else (second, first)
            left.append(winner)
            played = [Outcome(first, second, "1/2-1/2"), Outcome(second, first, "1-0" if winner == second else "0-1")]
            games += [Outcome(each.white, each.black, each.result, facts=GameFacts(start=day)) for each in played]
            assert loser in (first, second)
        noted.append({(*pair, winner) for pair, winner in zip(pairs, left, strict=True)})
    rng.shuffle(games)
    found = shape(bracket(games))
    assert [name for name, _ in found] == ["Round of 16", "Quarterfinals", "Semifinals", "Final"]
    for (_, matches), expected in zip(found, noted, strict=True):
        assert {(*sorted(match[:2]), match[2]) for match in matches} == {
            (*sorted(each[:2]), each[2]) for each in expected
        }
    for (_, before), (_, after) in pairwise(found):
        # The winners of the matches 2n and 2n + 1 play match n.
        assert [sorted(match[:2]) for match in after] == [
            sorted((before[at][2], before[at + 1][2])) for at in range(0, len(before), 2)
        ]


def test_ties_are_decided_by_who_played_on_or_by_mobility() -> None:
    semifinals = [Outcome("A", "B", "1-0"), drawn("C", "D", "G1.0")]  # C is better by R-Mobility, but D plays A
    cup = bracket([*semifinals, drawn("D", "A", "-G2.0"), drawn("B", "C", "G8.5")])
    assert shape(cup) == [("Semifinals", [("C", "D", "D"), ("A", "B", "A")]), ("Final", [("D", "A", "A")])]
    assert [match.by for _, matches in cup.rounds for match in matches if match] == [
        BY_PROGRESS,
        BY_POINTS,
        BY_MOBILITY,
    ]
    assert [(match.players, match.winner) for match in cup.others] == [(("B", "C"), 0)]  # third place
    alone = bracket([drawn("A", "B", "G0.5"), drawn("C", "D", "G1.0"), Outcome("B", "C", "1-0")])
    assert shape(alone)[0] == ("Semifinals", [("A", "B", "B"), ("C", "D", "C")])
    level = bracket([Outcome("A", "B", "1/2-1/2")])
    assert shape(level) == [("Final", [("A", "B", None)])]


def test_byes_and_unfinished_cups() -> None:
    games = [Outcome("B", "C", "1-0"), Outcome("A", "?", "1-0"), Outcome("A", "B", "0-1")]
    assert shape(bracket(games)) == [("Semifinals", [None, ("B", "C", "B")]), ("Final", [("A", "B", "B")])]
    begun = [Outcome(white, black, "1-0") for white, black in ("AB", "CD", "EF", "GH", "AC")]
    found = shape(bracket(begun))
    assert found[-1] == ("Final", [("A", "C", "A")])  # the last round so far
    assert sorted(match for _, matches in found for match in matches if match and match[0] in "EG") == [
        ("E", "F", "E"),
        ("G", "H", "G"),
    ]


def test_a_drawn_armageddon_game_is_won_by_black() -> None:
    """A tag names the game as such, or it follows two classical and two rapid games."""
    for facts in (
        GameFacts(event="Cup | Armageddon"),
        GameFacts(round="3 armageddon"),
        GameFacts(section="Armageddon"),
    ):
        drawn = [Outcome(*("AB", "BA")[at % 2], "1/2-1/2") for at in range(4)]
        last = Outcome("B", "A", "1/2-1/2", facts=facts)
        assert shape(bracket([*drawn, last])) == [("Final", [("A", "B", "A")])]
        assert bracket([*drawn, last]).rounds[0][1][0].by == BY_ARMAGEDDON
        assert shape(bracket([*drawn, replace(last, result="1-0")])) == [("Final", [("A", "B", "B")])]
        assert shape(bracket([Outcome("B", "A", "1-0"), *drawn[1:], last])) == [("Final", [("B", "A", "B")])]


def test_other_events_are_no_cups() -> None:
    circle = [Outcome("A", "B", "1-0"), Outcome("B", "C", "1-0"), Outcome("C", "A", "1-0")]
    with pytest.raises(ConfigError, match="found that 'B' lost a match to 'A' and played on against 'C'"):
        bracket(circle)
    with pytest.raises(ConfigError, match="found no games"):
        bracket([Outcome("A", "?", "1-0")])


@pytest.mark.parametrize(
    ("tags", "start"),
    [
        ({"GameStartTime": "2021-02-26T18:44:49.855 UTC", "Date": "2021.02.26"}, "2021.02.26T18:44:49.855 UTC"),
        ({"UTCDate": "2021.02.26", "UTCTime": "09:00:00", "Date": "2021.02.25"}, "2021.02.26T09:00:00"),
        ({"Date": "2021.02.??", "Time": "10:00:00"}, ""),
        ({"Date": "2021.02.26"}, "2021.02.26T"),
    ],
)
def test_the_start_of_a_game_is_read_from_its_tags(tags: dict[str, str], start: str) -> None:
    assert facts_of(1, tags, 0).start == start


# ---- the command ----

GAME = '[Event "{}"]\n[Round "?"]\n[White "{}"]\n[Black "{}"]\n[Result "{}"]\n\n1. e4 e5 {}\n\n'


def test_the_command_joins_divides_and_explains(executable: Path, tmp_path: Path) -> None:
    games = [
        ("I", "Fish 1", "Lee, B", "1-0"),
        ("I", "Lee B", "Fish 2", "1/2-1/2"),
        ("II", "X", "Y", "0-1"),
        ("II", "Z", "Z z", "0-1"),
    ]
    (tmp_path / "in.pgn").write_text("".join(GAME.format(*each, each[-1]) for each in games), encoding="ascii")
    (tmp_path / "names.txt").write_text("Z = Z z | Nemo\n", encoding="ascii")

    def standings(*words: str) -> tuple[int, str, list[str]]:
        done = forked.run([executable, "standings", "in.pgn", *words], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout, [line.removeprefix("standstill: ") for line in done.stderr.splitlines()]

    joined = ("--join", "versions", "--join", "spellings", "--aliases", "names.txt", "--groups", "event")
    code, text, told = standings(*joined, "--format", "csv")
    assert code == 0 and told == [
        "1 game in which 'Z' plays both sides: left out",
        "no player is called 'Nemo', as an alias says",
    ]
    assert [line[:4] for line in csv.reader(text.splitlines())] == [
        ["Group", "Rank", "Player", "Games"], ["I", "1", "Fish", "2"], ["I", "2", "Lee, B", "2"],
        ["II", "1", "Y", "1"], ["II", "2", "X", "1"],
    ]  # fmt: skip
    groups = json.loads(standings(*joined, "--format", "json")[1])
    assert [(each["group"], len(each["standings"]["players"])) for each in groups] == [("I", 2), ("II", 2)]
    assert standings(*joined, "--why", "X", "Y")[1] == "Y is above X: points: 1 against 0.\n"
    assert standings(*joined, "-o", "t.txt")[0] == 0
    assert (tmp_path / "t.txt").read_text(encoding="utf-8").splitlines()[0] == "I"
    code, text, told = standings("--event", "II", "--bracket", "--format", "json")
    assert [match["winner"] for match in json.loads(text)[0]["matches"]] == ["Y", "Z z"]
    for words, said in (
        (("--bracket", "--groups", "event"), "expected one of these options, found --bracket and --groups"),
        (("--bracket", "--format", "csv"), "expected --bracket with one of the formats table, json, html, found csv"),
        (("--alias", "x"), "expected NAME = OTHER NAME | OTHER NAME ..., found 'x'"),
        (("--games", "inside"), "--games needs --html, --format html or -o NAME.html, found table"),
        (
            ("--html", "p.html", "--games", "x"),
            "expected --games inside, NAME.html or an address (http://...), found 'x'",
        ),
    ):
        code, _, told = standings(*words)
        assert code == 2 and said in told[-1]


KOMI = '[White "A"]\n[Black "B"]\n[Result "{}"]\n{}\n1. e4 e5 {}\n\n'


@pytest.mark.parametrize(
    ("tags", "words", "said"),
    [
        ((), (), "R-Mobility points by the scheme tcec."),
        ((), ("--komi", "-G3.5"), "Komi -G3.5 decides drawn games."),
        (('[Komi "G5.25"]\n',), (), "Komi G5.25 decides drawn games."),
        (
            ('[RMobilityCutOff "G6.0"]\n',),
            ("--scheme", "harmonic"),
            "R-Mobility points by the scheme harmonic; G6.0 and weaker goals are plain draws.",
        ),
        (
            ('[Komi "G5.25"]\n', '[Komi "G6.25"]\n'),
            (),
            "Drawn games count by the komi and cut-off in their tags, otherwise by the scheme tcec.",
        ),
    ],
    ids=["scheme", "option", "tag", "cut-off", "several"],
)
def test_page_and_tables_say_how_drawn_games_count(
    executable: Path, tmp_path: Path, tags: tuple[str, ...], words: tuple[str, ...], said: str
) -> None:
    games = "".join(KOMI.format("1/2-1/2", tag, "1/2-1/2") for tag in tags or ("",))
    (tmp_path / "in.pgn").write_text(games, encoding="ascii")
    command = [executable, "standings", "in.pgn", "--format", "html", *words]
    done = forked.run(command, cwd=tmp_path, capture_output=True, text=True)
    before = "in brackets" if said.startswith("R-Mobility") else "as White and as Black"  # a komi leaves no sums
    assert done.returncode == 0 and f"{before}. {said}</p>" in done.stdout
    by_komi = "omi" in said
    for form, words_of_table in (("table", "Rank"), ("markdown", "| Rank")):
        done = forked.run([*command[:3], "--format", form, *words], cwd=tmp_path, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        assert done.returncode == 0 and lines[0].strip().startswith(words_of_table)
        assert (lines[-2:] == ["", said]) == by_komi and (said in done.stdout) == by_komi
