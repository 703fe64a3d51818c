"""Reads and writes cross tables in the JSON form of TCEC's version of cutechess, which TCEC's pages read."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from standstill.cext.base.constants import BLACK, WHITE

from ...common.errors import PgnError
from ...common.text import shown, shown_value
from ..standings import HALF, SHARES, Entrant, GameFacts, Outcome, Standings
from .names import name_parts

_Table = dict[str, dict[str, Any]]
_K = 32  # factor of the rating changes, as in cutechess by default
_MOST = 1_000_000  # largest count in a table
_MARKS = {Fraction(1): "1", HALF: "=", Fraction(0): "0"}
_CRASHES = ("abandoned", "stalled connection", "rules infraction", "illegal move")


def as_crosstable(table: Standings, event: str) -> str:
    """Return the cross table as JSON.

    Besides the fields of cutechess, ``RMobilityScore`` holds the R-Mobility points, and ``Color`` of a game is 0 if
    the player has White. ``Rating`` is the last rating in the player's tags, 0 without a rating.
    """
    ratings = {player.name: _rating(player) for player in table.players}
    order = [player.name for player in table.players]
    short = abbreviations(order)
    rows = {player.name: _row(table, player, ratings, short[player.name]) for player in table.players}
    return json.dumps({"Event": event, "Order": order, "Table": rows}, indent=1, ensure_ascii=True) + "\n"


def abbreviations(names: list[str]) -> dict[str, str]:
    """Return a different abbreviation for each name, as cutechess forms it: ``Lc`` for LCZero.

    It is the first letter and the next letter that makes it unique; if no letter does, the first two and a number.
    """
    found: dict[str, str] = {}
    for name in names:
        first, *others = [letter for letter in name_parts(name)[0] if letter.isalnum()] or ["X"]
        tries = [first.upper() + other.lower() for other in others] or [first.upper()]
        tries += [f"{tries[0]}{number}" for number in range(2, len(names) + 2)]
        found[name] = next(text for text in tries if text not in found.values())
    return found


def _rating(player: Entrant) -> int:
    return next((game.facts.ratings[side] for game, side in reversed(player.played) if game.facts.ratings[side]), 0)


def _row(table: Standings, player: Entrant, ratings: dict[str, int], abbreviation: str) -> dict[str, object]:
    met: defaultdict[str, list[tuple[Outcome, int]]] = defaultdict(list)
    for game, side in player.played:
        met[game.black if side == WHITE else game.white].append((game, side))
    known = [other.name for other in table.players if other is not player]
    scored = Counter((side, SHARES[game.result][side]) for game, side in player.played)
    games = [sum(count for (side, _), count in scored.items() if side == each) for each in (WHITE, BLACK)]
    return {
        "Rank": player.rank,
        "Abbreviation": abbreviation,
        "Rating": ratings[player.name],
        "Score": float(player.points),
        "Games": player.games,
        "GamesAsWhite": games[WHITE],
        "GamesAsBlack": games[BLACK],
        "WinsAsWhite": scored[WHITE, Fraction(1)],
        "WinsAsBlack": scored[BLACK, Fraction(1)],
        "LossAsWhite": scored[WHITE, Fraction(0)],
        "LossAsBlack": scored[BLACK, Fraction(0)],
        "Neustadtl": float(table.sonneborn_berger(player)),
        "Strikes": sum(_crashed(game, side) for game, side in player.played),
        "Performance": float(100 * player.points / player.games),
        "Elo": round(sum(_change(met[other], ratings[player.name], ratings[other]) for other in known), 3),
        "RMobilityScore": float(player.rmobility),
        "Results": {other: _results(met[other]) for other in known},
    }


def _results(games: list[tuple[Outcome, int]]) -> dict[str, object]:
    points = [SHARES[game.result][side] for game, side in games]
    return {
        "H2h": float(sum(points, Fraction(0))),
        "Text": "".join(_MARKS[each] for each in points),
        "Scores": [
            {"Game": game.facts.number, "Result": float(each), "Winner": _winner(game), "Color": side}
            for (game, side), each in zip(games, points, strict=True)
        ],
    }


def _winner(game: Outcome) -> str:
    return {"1-0": "White", "0-1": "Black"}.get(game.result, "None")


def _crashed(game: Outcome, side: int) -> bool:
    lost = SHARES[game.result][side] == 0
    return lost and game.facts.termination.lower().startswith(_CRASHES)


def _change(games: list[tuple[Outcome, int]], own: int, other: int) -> float:
    """The change of the rating by these games; 0 if one of the two ratings is unknown."""
    if not own or not other:
        return 0.0
    expected = 1 / (1 + 10 ** ((other - own) / 400))
    return _K * sum(float(SHARES[game.result][side]) - expected for game, side in games)


# ---- reading ----


def read_crosstable(text: bytes) -> tuple[list[Outcome], dict[str, Fraction]]:
    """Return the games of a cross table and the R-Mobility points of its players, if it has them.

    Games without a score against an opponent are byes, as ``as_crosstable`` writes them. A draw does not say who had
    White unless it has the field ``Color``. Such draws are assigned colours that give each player as many games with
    White as the table says.
    Raises PgnError for a text of another form.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise PgnError("expected a cross table as JSON") from None
    table = data.get("Table") if isinstance(data, dict) else None
    if not isinstance(table, dict) or not all(isinstance(row, dict) for row in table.values()):
        raise PgnError("expected a cross table with the field Table, an object for each player")
    event = data.get("Event", "") if isinstance(data.get("Event", ""), str) else ""
    needs = {name: _number(row.get("GamesAsWhite", 0), name, "GamesAsWhite") for name, row in table.items()}
    games: list[tuple[Outcome, bool]] = []  # (game, whether the colours are known)
    names = list(table)
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            games += _pairing(table, name, other, event, needs)
    for name in names:
        byes = _byes(table, name, [game for game, _ in games], event)
        needs[name] -= len(byes)
        games += [(game, True) for game in byes]
    games.sort(key=lambda each: each[0].facts.number)
    known = {
        name: Fraction(_number(row["RMobilityScore"], name, "RMobilityScore"))
        for name, row in table.items()
        if row.get("RMobilityScore") is not None
    }
    return _with_strikes(table, _coloured(games, needs)), known


def _count(row: dict[str, Any], name: str, field: str) -> int:
    """The value of a field that counts something; 0 if the field is missing."""
    number = _number(row.get(field, 0), name, field)
    if number.denominator != 1 or not 0 <= number <= _MOST:
        raise PgnError(f"{shown(name)}: expected a whole number in {field}, found {shown_value(row[field])}")
    return int(number)


def _byes(table: _Table, name: str, games: list[Outcome], event: str) -> list[Outcome]:
    """The games that a row counts in addition to its field ``games``: games won, lost and drawn without an opponent.

    Cutechess writes fewer games, and no points, for a disqualified player; these games do not count as byes.
    """
    row = table[name]
    shares = [SHARES[game.result][game.white != name] for game in games if name in (game.white, game.black)]
    missing = _count(row, name, "Games") - len(shares)
    won, lost = (
        _count(row, name, f"{word}AsWhite") + _count(row, name, f"{word}AsBlack") - shares.count(share)
        for word, share in (("Wins", Fraction(1)), ("Loss", Fraction(0)))
    )
    if missing <= 0 or won < 0 or lost < 0 or won + lost > missing:
        return []
    facts = GameFacts(event=event, ratings=(_count(row, name, "Rating"), 0))
    results = ["1-0"] * won + ["0-1"] * lost + ["1/2-1/2"] * (missing - won - lost)
    return [Outcome(name, "", result, facts=facts) for result in results]


def _with_strikes(table: _Table, games: list[Outcome]) -> list[Outcome]:
    """Mark a lost game of a player as a crash for each strike in the player's row."""
    left = {name: _count(row, name, "Strikes") for name, row in table.items()}
    found = []
    for game in games:
        loser = {"1-0": game.black, "0-1": game.white}.get(game.result, "")
        if left.get(loser, 0) > 0:
            left[loser] -= 1
            game = replace(game, facts=replace(game.facts, termination=_CRASHES[0]))  # noqa: PLW2901
        found.append(game)
    return found


def _number(value: object, name: str, field: str) -> Fraction:
    """Return the number in a field, as an exact fraction even if JSON gives a float."""
    try:
        if isinstance(value, (int, float, str)) and not isinstance(value, bool):
            return Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        pass
    raise PgnError(f"{shown(name)}: expected a number in {field}, found {shown_value(value)}")


def _scores(table: _Table, name: str, other: str) -> list[dict[str, Any]]:
    results = table[name].get("Results", {})
    found = results.get(other, {}) if isinstance(results, dict) else {}
    scores = found.get("Scores", []) if isinstance(found, dict) else None
    if not isinstance(scores, list) or not all(isinstance(score, dict) for score in scores):
        raise PgnError(f"{shown(name)}: expected a list of Scores against {shown(other)}")
    return scores


def _pairing(
    table: _Table, name: str, other: str, event: str, needs: dict[str, Fraction]
) -> Iterator[tuple[Outcome, bool]]:
    """Yield (game, whether its colours are known). needs: each player's games with White still to be found."""
    mine, theirs = _scores(table, name, other), _scores(table, other, name)
    if len(mine) != len(theirs):
        raise PgnError(
            f"expected the same games of {shown(name)} and {shown(other)} in both rows, "
            f"found {len(mine)} and {len(theirs)}"
        )
    for score, back in zip(mine, theirs, strict=True):
        points = tuple(_number(each.get("Result"), who, "Result") for each, who in ((score, name), (back, other)))
        result = next((text for text, shares in SHARES.items() if shares == points), None)
        side: int | None = score.get("Color") if score.get("Color") in (WHITE, BLACK) else None
        if side is None and score.get("Winner") in ("White", "Black"):
            side = int((score["Winner"] == "White") != (points[0] == 1))
        if result is None:
            raise PgnError(f"{shown(name)} against {shown(other)}: expected matching results, found {score} and {back}")
        white, black = (name, other) if not side else (other, name)
        ratings = (_count(table[white], white, "Rating"), _count(table[black], black, "Rating"))
        facts = GameFacts(int(_number(score.get("Game", 0), name, "Game")), event=event, ratings=ratings)
        if side:
            result = next(text for text, shares in SHARES.items() if shares == points[::-1])
        if side is not None:
            needs[white] -= 1
        yield Outcome(white, black, result, facts=facts), side is not None


def _coloured(games: list[tuple[Outcome, bool]], needs: dict[str, Fraction]) -> list[Outcome]:
    """Give the draws without colours their colours."""
    found = []
    for game, is_known in games:
        white, black = game.white, game.black
        if not is_known:
            if needs[black] > needs[white]:
                white, black = black, white
            needs[white] -= 1
        facts = game.facts if white == game.white else replace(game.facts, ratings=game.facts.ratings[::-1])
        found.append(Outcome(white, black, game.result, facts=facts))
    return found
