"""Cross tables of cutechess, figures by parts of the games, and advice on komi, computed again in another way."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from standstill.engine.archive.event.breakdown import ALL_WHITE, PARTS, breakdown
from standstill.engine.archive.event.crosstable import abbreviations, as_crosstable, read_crosstable
from standstill.engine.archive.event.fair_komi import advice, komi_table, least_wins
from standstill.engine.archive.standings import DEFAULT_ORDER, GameFacts, Outcome, Standings, outcome_of
from standstill.engine.common.errors import PgnError
from standstill.engine.rmobility.goals import Goal
from standstill.engine.rmobility.scoring import Terms, parse_komi
from tests import forked

NAMES = ["Fish 1.0", "Fisher 2", "Zero", "Ko"]
RATINGS = {"Fish 1.0": 3500, "Fisher 2": 3400, "Zero": 3450, "Ko": 0}


def event(seed: int, count: int = 60) -> list[Outcome]:
    rng, games = random.Random(seed), []
    for number in range(1, count + 1):
        white, black = rng.sample(NAMES, 2)
        result = rng.choice(["1-0", "0-1", "1/2-1/2", "1/2-1/2", "1/2-1/2"])
        code, owner = (0, int(result == "0-1")) if result != "1/2-1/2" else (rng.randrange(1, 40), rng.randrange(2))
        goal = Goal(code, owner, 40)
        facts = GameFacts(
            number,
            opening=rng.choice(["Scotch", "French", ""]),
            controls=(rng.choice(["60+1", "180+2"]), rng.choice(["60+1", "80 nodes"])),
            ratings=(RATINGS[white], RATINGS[black]),
            termination=rng.choice(["normal", "abandoned"]),
            plies=80,
        )
        outcome = outcome_of(white, black, result, goal, goal, facts=facts)
        assert outcome is not None
        games.append(outcome)
    return games


# ---- cross tables ----


@pytest.mark.parametrize("seed", range(3))
def test_the_cross_table_has_the_fields_of_cutechess(seed: int) -> None:
    games = event(seed)
    table = Standings(games)
    found = json.loads(as_crosstable(table, "Cup"))
    assert found["Event"] == "Cup" and found["Order"] == [player.name for player in table.players]
    points = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
    total = dict.fromkeys(NAMES, 0.0)
    for game in games:
        total[game.white] += points[game.result][0]
        total[game.black] += points[game.result][1]
    for name, row in found["Table"].items():
        mine = [(game, int(game.black == name)) for game in games if name in (game.white, game.black)]
        white, black = ([points[game.result][side] for game, side in mine if side == each] for each in (0, 1))
        assert [row[field] for field in ("Score", "Games", "GamesAsWhite", "GamesAsBlack")] == [
            total[name], len(mine), len(white), len(black)
        ]  # fmt: skip
        assert [row[field] for field in ("WinsAsWhite", "WinsAsBlack", "LossAsWhite", "LossAsBlack")] == [
            white.count(1.0), black.count(1.0), white.count(0.0), black.count(0.0)
        ]  # fmt: skip
        berger = sum(points[game.result][side] * total[(game.black, game.white)[side]] for game, side in mine)
        lost = [game for game, side in mine if points[game.result][side] == 0.0]
        assert row["Neustadtl"] == berger and row["Performance"] == pytest.approx(100 * total[name] / len(mine))
        assert row["Strikes"] == sum(game.facts.termination == "abandoned" for game in lost)
        assert row["Rating"] == RATINGS[name]
        change = 0.0
        for game, side in mine:
            own, other = RATINGS[name], RATINGS[(game.black, game.white)[side]]
            if own and other:
                change += 32 * (points[game.result][side] - 1 / (1 + 10 ** ((other - own) / 400)))
        assert row["Elo"] == pytest.approx(change, abs=0.001)
        for other, result in row["Results"].items():
            assert result["H2h"] == sum(score["Result"] for score in result["Scores"])
            assert result["Text"] == "".join(
                {1.0: "1", 0.5: "=", 0.0: "0"}[each["Result"]] for each in result["Scores"]
            )
            assert [each["Game"] for each in result["Scores"]] == [
                game.facts.number for game, _ in mine if other in (game.white, game.black)
            ]


@pytest.mark.parametrize("colours", [True, False])
def test_cross_tables_are_read_as_they_were_written(colours: bool) -> None:
    games = event(7)
    data = json.loads(as_crosstable(Standings(games), "Cup"))
    if not colours:  # as cutechess writes them
        for row in data["Table"].values():
            for result in row["Results"].values():
                for score in result["Scores"]:
                    del score["Color"]
    read, known = read_crosstable(json.dumps(data).encode())
    before, after = Standings(games), Standings(read, known=known)
    assert [(each.name, each.rank, each.points) for each in before.players] == [
        (each.name, each.rank, each.points) for each in after.players
    ]
    for player in before.players:
        other = after.by_name[player.name]
        assert float(other.rmobility) == pytest.approx(float(player.rmobility))
        assert [player.by_colour(share) for share in (Fraction(1), Fraction(0))] == [
            other.by_colour(share) for share in (Fraction(1), Fraction(0))
        ]
        assert sum(player.by_colour(Fraction(1, 2))) == sum(other.by_colour(Fraction(1, 2)))
    if colours:  # nothing is lost, and byes of all three kinds stay in the sums
        byes = [Outcome("Ko", "bye", "1-0"), Outcome("Ko", "", "0-1"), Outcome("?", "Zero", "1/2-1/2")]
        table = Standings([*games, *byes])
        data = json.loads(as_crosstable(table, "Cup"))
        again = json.loads(as_crosstable(Standings(*_order(data)), "Cup"))
        for row in (*data["Table"].values(), *again["Table"].values()):  # a bye with Black becomes one with White
            row["byes"] = row.pop("GamesAsWhite") + row.pop("GamesAsBlack")
            assert isinstance(row.pop("RMobilityScore"), float)
        assert again == data
    decided = [(game.white, game.black, game.result) for game in games if colours or game.result != "1/2-1/2"]
    assert decided == [(each.white, each.black, each.result) for each in read if colours or each.result != "1/2-1/2"]


def _order(data: dict) -> tuple[list[Outcome], tuple[str, ...], dict[str, Fraction]]:
    """The arguments of ``Standings`` from a cross table."""
    read, known = read_crosstable(json.dumps(data).encode())
    return read, DEFAULT_ORDER, known


def small(**changes: object) -> bytes:
    row = {"GamesAsWhite": 1, "Results": {"B": {"Scores": [{"Game": 1, "Result": 1, "Winner": "White"}]}}}
    back = {"GamesAsWhite": 0, "Results": {"A": {"Scores": [{"Game": 1, "Result": 0, "Winner": "White"}]}}}
    return json.dumps({"Event": "E", "Order": ["A", "B"], "Table": {"A": row | changes, "B": back}}).encode()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"[Event", "expected a cross table as JSON"),
        (b"[]", "field Table"),
        (b'{"Table": {"A": 3}}', "field Table"),
        (small(GamesAsWhite="x"), "'A': expected a number in GamesAsWhite, found 'x'"),
        (small(Results={}), "expected the same games of 'A' and 'B' in both rows, found 0 and 1"),
        (small(Results={"B": {"Scores": 4}}), "'A': expected a list of Scores against 'B'"),
        (small(Results={"B": {"Scores": [{"Result": 0.3}]}}), "'A' against 'B': expected matching results"),
        (small(Rating=0.5), "'A': expected a whole number in Rating, found 0.5"),
        (small(Strikes=1e9), "'A': expected a whole number in Strikes"),
        (small(RMobilityScore=[]), "expected a number in RMobilityScore"),
        (small(RMobilityScore=float("inf")), "expected a number in RMobilityScore"),
    ],
)
def test_faulty_cross_tables_are_refused(text: bytes, problem: str) -> None:
    with pytest.raises(PgnError, match=problem):
        read_crosstable(text)
    assert read_crosstable(small())[0][0].result == "1-0"


def test_abbreviations_differ() -> None:
    names = ["Stockfish 1", "Stoofvlees II a1", "Stockfish 2", "LCZero", "S", "?", "ÄÖ", "So", "So 2", "So 3"]
    found = abbreviations(names)
    assert len(set(found.values())) == len(names)
    assert [found[name] for name in names] == ["St", "So", "Sc", "Lc", "S", "X", "Äö", "So2", "So3", "So4"]


# ---- parts ----


@pytest.mark.parametrize("by", PARTS)
def test_parts_add_up_to_the_whole(by: str) -> None:
    table = Standings(event(3))
    heads, *rows = breakdown(table, by)
    assert heads[1] == by.capitalize()
    for player in table.players:
        mine = [row for row in rows if row[0] == player.name]
        assert [sum(int(row[column]) for row in mine) for column in (2, 3, 4, 5)] == [
            player.games, player.wins, player.draws, player.losses
        ]  # fmt: skip
        assert sum(Fraction(row[6]) for row in mine) == player.points
        assert sum(float(row[8]) for row in mine) == pytest.approx(float(player.rmobility), abs=1e-5)
    whole = [row for row in rows if row[0] == ALL_WHITE]
    assert sum(int(row[2]) for row in whole) == 60
    if by == "opening":
        assert [row[1] for row in whole] == ["unknown", "French", "Scotch"]
        french = [game for game in table.outcomes if game.facts.opening == "French"]
        assert whole[1][2] == str(len(french)) and whole[1][3] == str(sum(game.result == "1-0" for game in french))


# ---- komi ----


@pytest.mark.parametrize(("games", "wins"), [(6, 1), (10, 2), (20, 6), (100, 40)])
def test_the_test_rejects_as_published_tables_of_the_sign_test_do(games: int, wins: int) -> None:
    assert least_wins(games) == wins


@pytest.mark.parametrize("seed", range(4))
def test_the_komi_is_the_fairest_of_all(seed: int) -> None:
    """Every komi in quarter steps is tried on the games by the rule that decides games of a match."""
    rng = random.Random(seed)
    goals = [Goal(int(abs(rng.gauss(0, 12))), rng.randrange(2), 9) for _ in range(rng.choice([6, 15, 40]))]
    found = advice((goal, 0) for goal in goals)
    assert found is not None

    def wins(komi: str) -> int:
        terms = Terms(komi=parse_komi(komi))
        # Mate is decided on the board; a komi counts for drawn games.
        results = [("1-0", "0-1")[goal.owner] if goal.code == 0 else terms.result(goal) for goal in goals]
        assert "1/2-1/2" not in results
        return results.count("1-0")

    weakest = max(goal.code for goal in goals)
    every = [f"{side}G{code / 2 + 0.25}" for side in ("", "-") for code in range(weakest + 1)]
    shares = {komi: Fraction(wins(komi), len(goals)) for komi in every}
    assert found.share == shares[found.komi]
    assert abs(found.share - Fraction(1, 2)) == min(abs(share - Fraction(1, 2)) for share in shares.values())
    least = least_wins(len(goals))
    fitting = {komi for komi in every if least <= wins(komi) <= len(goals) - least}
    assert {found.first, found.last} - {""} <= fitting and bool(fitting) == bool(found.first)
    if fitting:
        assert (wins(found.first), wins(found.last)) == (min(map(wins, fitting)), max(map(wins, fitting)))


def test_a_pairing_has_its_komi_with_either_colour() -> None:
    def game(white: str, black: str, goal: str) -> Outcome:
        found = outcome_of(white, black, "1/2-1/2", Goal.parse(goal), Goal.parse(goal))
        assert found is not None
        return found

    # Ann reaches G1.0 in four games, with both colours, and Bob G2.0 in three.
    games = [game("Ann", "Bob", "G1.0"), game("Bob", "Ann", "-G1.0")] * 2 + [game("Ann", "Bob", "-G2.0")] * 3
    heads, whole, pair = komi_table(Standings([*games, Outcome("Ann", "Bob", "1-0"), Outcome("Ann", "bye", "1-0")]))
    assert heads[3] == "Komi" and whole[:3] == ["White", "Black", "7"]
    assert pair[:3] == ["Ann", "Bob", "7"] and Fraction(pair[4]) == Fraction("57.1")
    assert (pair[3], *pair[5:]) == ("G1.75", "G1.25", "G2.25")
    signed, named = (komi_table(Standings(event(3)), signed=each) for each in (True, False))
    assert any(row[3].startswith("-") for row in signed) and not any("-G" in cell for row in named for cell in row)
    for row, other in zip(signed[1:], named[1:], strict=True):
        for at, place in ((3, 3), (5, 6), (6, 8)):
            side = row[1] if row[at].startswith("-") else row[0]
            assert other[place : place + 2] == [row[at].removeprefix("-"), side if row[at] else ""]
    assert advice([(Goal(1, 0, 1), 0)] * 5) is None
    sided = advice([(Goal(0, 0, 1), 0)] * 6)
    assert sided is not None and (sided.komi, sided.share, sided.first, sided.last) == ("G0.25", 1, "", "")


# ---- the command ----


def test_the_command_writes_and_reads_them(executable: Path, tmp_path: Path) -> None:
    game = '[Event "Cup"]\n[White "{}"]\n[Black "{}"]\n[Result "{}"]\n[ECO "C20"]\n\n1. e4 e5 {}\n\n'
    games = [("A", "B", "1-0"), ("B", "A", "1/2-1/2"), ("A", "C", "0-1")]
    (tmp_path / "in.pgn").write_text("".join(game.format(*each, each[-1]) for each in games), encoding="ascii")
    (tmp_path / "bad.json").write_text("{}", encoding="ascii")

    def standings(*words: str) -> tuple[int, str, str]:
        done = forked.run([executable, "standings", *words], cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    assert standings("in.pgn", "--format", "crosstable", "-o", "cross.json")[0] == 0
    assert json.loads((tmp_path / "cross.json").read_text(encoding="utf-8"))["Event"] == "Cup"
    ranks = [standings(name, "--order", "points,rmobility", "--format", "csv")[1] for name in ("in.pgn", "cross.json")]
    assert ranks[0] == ranks[1]
    assert standings("in.pgn", "--by", "opening")[1].splitlines()[1] == '"All, as White",C20,3,1,1,1,1.5,50.0,1.500000'
    plain, marked, asjson = (
        standings("in.pgn", "--by", "opening", "--format", form)[1] for form in ("table", "markdown", "json")
    )
    assert " ".join(plain.splitlines()[1].split()) == "All, as White C20 3 1 1 1 1.5 50.0 1.500000"
    assert marked.splitlines()[1:3] == [
        "| --- | --- |" + " ---: |" * 7, "| All, as White | C20 | 3 | 1 | 1 | 1 | 1.5 | 50.0 | 1.500000 |"
    ]  # fmt: skip
    assert json.loads(asjson)[0] == {
        "player": "All, as White", "opening": "C20", "games": 3, "won": 1, "drawn": 1, "lost": 1, "points": 1.5,
        "percent": 50.0, "rmobility": 1.5
    }  # fmt: skip
    assert standings("in.pgn", "--fair-komi", "-o", "komi.csv")[0] == 0
    heads = (tmp_path / "komi.csv").read_text(encoding="utf-8")
    assert heads == "Player,Opponent,Games,Komi,Side,%,From,From side,To,To side\n"
    for words, said in (
        (("bad.json",), "bad.json: expected a cross table with the field Table"),
        (("in.pgn", "--by", "colour", "--fair-komi"), "expected one of these options, found --by and --fair-komi"),
        (
            ("in.pgn", "--by", "colour", "--format", "html"),
            "expected --by with one of the formats table, csv, json, markdown, found html",
        ),
        (("in.pgn", "--groups", "event", "--format", "crosstable"), "without other outputs, found --groups"),
    ):
        code, _, told = standings(*words)
        assert code == 2 and said in told
