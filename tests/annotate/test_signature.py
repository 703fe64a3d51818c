"""`standstill annotate` names the source of evaluations in the game and in the summary of a run."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from standstill.engine import VERSION
from standstill.engine.annotate.attribution import of_comments, signed
from standstill.engine.annotate.source import SourceGame
from standstill.engine.relevance.nags import ascii_text
from tests.annotate.support import LICHESS, MATES, games, nags


def annotators(text: str) -> list[str]:
    return [game.headers.get("Annotator", "") for game in games(text)]


def test_the_game_says_who_has_judged(result, client_program) -> None:
    """The entry has engine, limit, day and x05. The tag keeps names of people, and a second run adds no second
    entry."""
    text = MATES.replace('[Result "0-1"]', '[Result "0-1"]\n[Annotator "https://lichess.org/@/me"]', 1)
    stockfish = ("--engine", client_program("stockfish"), "--nodes", "500")
    once = result(text, *stockfish, "--eval")
    version = re.search(r"Stockfish [\d.]+", once)[0]
    entry = f"{version}, 500 nodes, {date.today()}, x05 1.00 (Standstill {VERSION})"
    assert annotators(once) == [f"https://lichess.org/@/me:{entry}", entry]
    assert result(once, *stockfish, "--eval") == once
    own = f"Standstill {VERSION}, depth 3 or 0.5 s, {date.today()}, x05 0.75"
    again = result(once, "--depth", "3", "--time", "0.5s", "--x05", "0.75")
    assert annotators(again) == [f"https://lichess.org/@/me:{own}", own]
    read = result(once, "--from-comments")
    assert annotators(read)[1] == entry  # the evaluations are still Stockfish's
    assert annotators(result(once, "--from-comments", "--strip"))[0] == entry


def test_players_evaluations_are_read_by_the_x05_of_each(result) -> None:
    """An evaluation of 0.70 is a clear advantage with x05 0.62, and a moderate one with x05 1.19 or 1.00."""
    match = """[White "Standstill 0.1.0"]
[Black "Fairy-Max"]
[Result "*"]

1. e4 {+0.70/10 1s} e5 {-0.70/10 1s} 2. Nf3 {+0.70/10 1s} *

"""
    assert nags(result(match, "--from-comments", "--position-on", "every")) == [[{16}, {18}, {16}]]
    assert nags(result(match, "--from-comments")) == [[set(), set(), {16}]]  # a symbol has to hold two half-moves
    assert annotators(result(match, "--from-comments")) == [f"the players, x05 1.19 and 0.62 (Standstill {VERSION})"]
    modern = match.replace("Fairy-Max", "Stockfish 16")
    assert nags(result(modern, "--from-comments", "--position-on", "every")) == [[{16}, {16}, {16}]]
    earlier = result(modern, "--from-comments", "--x05", "0.62", "--position-on", "every")
    assert nags(earlier) == [[{18}, {18}, {18}]]
    # A symbol that an earlier run left, where the class does not change, would contradict the symbol before it.
    assert nags(result(earlier, "--from-comments", "--x05", "0.92")) == [[{16}, {16}, {16}]]
    assert nags(result(modern, "--from-comments", "--x05", "0.92")) == [[{16}, set(), set()]]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_game_without_tags_gets_one(newline: str) -> None:
    raw = f"1. e4 {{ [%eval 0.30] }} *{newline}"
    judge = of_comments(SourceGame(1, raw.encode()).movetext, None)
    tag = f'[Annotator "evaluations in the comments, x05 0.62 (Standstill {VERSION})"]'
    assert signed(raw, judge, strip=False) == f"{tag}{newline}{newline}{raw}"


def test_the_judge_stands_behind_tags_with_comments() -> None:
    """A reader that expects no comments between tags sees a tag only if it comes before the comment."""
    before, behind = '{a collection}\n\n[Event "a"] {c}\n[White "b"]', " {d}\n\n1. e4 {[%eval 0.3]} *\n"
    raw = before + behind
    judge = of_comments(SourceGame(1, raw.encode()).movetext, None)
    signed_text = signed(raw, judge, strip=False)
    assert signed_text.startswith(f"{before}\n[Annotator ") and signed_text.endswith(f'"]{behind}')


def test_games_without_evaluations_are_named(annotate, tmp_path: Path) -> None:
    done = annotate(MATES, "--from-comments")
    assert done.returncode == 0 and "no game has evaluations: no moves are judged" in done.stderr
    assert (tmp_path / "out.pgn").read_text() == MATES
    done = annotate(MATES + LICHESS + MATES, "--from-comments")
    assert "without evaluations, not judged: 4 games (1, 2, 4, 5)" in done.stderr


def test_the_summary_counts_what_is_written(annotate, tmp_path: Path) -> None:
    done = annotate(MATES, "--nodes", "2000", "--position-on", "every")
    found = nags((tmp_path / "out.pgn").read_text())
    lines = done.stderr.splitlines()
    assert lines[0] == "games: 2, moves: 18, evaluated: 18, judged: 18"
    assert lines[1] == f"by Standstill {VERSION}, 2000 nodes, {date.today()}, x05 1.19 (measured for Standstill)"
    told = Counter({sign: int(count) for sign, count in re.findall(r"(\S+) (\d+)(?:,|$)", lines[2].partition(": ")[2])})
    assert told == Counter(ascii_text(nag) for game in found for each in game for nag in each & set(range(10, 22)))
    signs = Counter(re.findall(r"([!?]{1,2}) \d", "\n".join(lines[3:])))
    assert set(signs) == {ascii_text(nag) for game in found for each in game for nag in each & set(range(1, 7))}


def test_the_judge_is_written_into_its_own_tag_behind_a_value_that_ends_in_a_backslash() -> None:
    raw = '[White "C:\\"]\n[Annotator "?"]\n[Black "C:\\"]\n\n1. e4 { [%eval 0.30] } *\n'
    judge = of_comments(SourceGame(1, raw.encode()).movetext, None)
    found = signed(raw, judge, strip=False)
    assert found == raw.replace('"?"', f'"evaluations in the comments, x05 {judge.x05_text()} (Standstill {VERSION})"')
