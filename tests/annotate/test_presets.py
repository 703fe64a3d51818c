"""x05 by engine: from the name the engine reports, and from names in games."""

from __future__ import annotations

import pytest

from standstill.engine import NAME, VERSION
from standstill.engine.annotate.attribution import of_comments, signed
from standstill.engine.annotate.source import SourceGame
from standstill.engine.relevance.presets import LICHESS, LICHESS_NAME, OWN, PEOPLE, STOCKFISH, UNKNOWN, Preset, preset


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (f"{NAME} {VERSION}", OWN),
        ("standstill", OWN),
        ("Stockfish 15.1", STOCKFISH),
        ("Stockfish 17.1", STOCKFISH),
        ("stockfish_16", STOCKFISH),
        ("Stockfish 16, 200000 nodes", STOCKFISH),
        ("Stockfish 16 64 POPCNT", STOCKFISH),
        ("Stockfish dev-20231225-abc12345", STOCKFISH),
        ("Stockfish 231225", STOCKFISH),
        ("Stockfish dev-20220901-abc12345", UNKNOWN),
        ("Stockfish 220422", UNKNOWN),
        ("Stockfish 15", UNKNOWN),
        ("Stockfish 8 64 BMI2", UNKNOWN),
        ("Stockfish", UNKNOWN),
        pytest.param(f"Stockfish {'9' * 5000}", UNKNOWN, id="more digits than int() reads"),
        pytest.param(f"Stockfish 15.{'9' * 5000}", UNKNOWN, id="more digits than int() reads, after the point"),
        ("Fairy-Stockfish 14.0.1", UNKNOWN),
        ("Standstillness", UNKNOWN),
        ("Fairy-Max 5.0b", UNKNOWN),
        ("Carlsen, M", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_preset_of_a_name(name: str, expected) -> None:
    assert preset(name) == expected


@pytest.mark.parametrize("prefix", ["Stockfish ", "Stockfish dev-", "stockfish_"])
def test_stockfishs_scale_begins_with_a_release_and_with_a_date(prefix: str) -> None:
    """Evaluations are scaled since 5 November 2022, so in the release 15.1."""
    for at in range(20221001, 20221132):
        assert preset(f"{prefix}{at}") == preset(f"{prefix}{at - 20_000_000}")
        assert preset(f"{prefix}{at}") == (STOCKFISH if at >= 20221105 else UNKNOWN)
    for major, minor in ((14, 0), (14, 1), (14, 9), (15, 0), (15, 1), (15, 2), (16, 0), (16, 1), (99, 0)):
        assert preset(f"{prefix}{major}.{minor}") == (STOCKFISH if (major, minor) >= (15, 1) else UNKNOWN)


def test_values_of_the_specification() -> None:
    """Presets for unmeasured engines and for people; the best people reach at least 1.00 (section 8.2)."""
    assert UNKNOWN.x05 == 0.62
    assert PEOPLE.x05 == LICHESS.x05 == STOCKFISH.x05 == 1.00


PEOPLES = '[WhiteTitle "GM"]\n[BlackFideId "1503014"]\n'


@pytest.mark.parametrize(
    ("tags", "who", "expected"),
    [
        ("", "evaluations in the comments", UNKNOWN),
        ('[Site "https://lichess.org/PtsrZGXq"]\n', LICHESS_NAME, LICHESS),
        ('[Annotator "https://lichess.org/@/someone"]\n', LICHESS_NAME, LICHESS),
        ('[ChapterURL "https://lichess.org/study/abc/def"]\n', LICHESS_NAME, LICHESS),
        ('[Site "https://notlichess.organisation"]\n', "evaluations in the comments", UNKNOWN),
        ('[Annotator "Stockfish 16"]\n', "Stockfish 16", STOCKFISH),
        ('[Annotator "Nowak, J.:Stockfish 17 (depth 20)"]\n', "Stockfish 17 (depth 20)", STOCKFISH),
        ('[Site "https://lichess.org/x"]\n[Annotator "Stockfish 11"]\n', LICHESS_NAME, LICHESS),
        (PEOPLES, "evaluations in the comments", PEOPLE),
        ('[WhiteType "human"]\n[BlackType "human"]\n', "evaluations in the comments", PEOPLE),
        ('[WhiteType "human"]\n[BlackType "program"]\n', "evaluations in the comments", UNKNOWN),
        (PEOPLES + '[BlackTitle "BOT"]\n', "evaluations in the comments", UNKNOWN),
        ('[WhiteFideId "0"]\n[BlackFideId "0"]\n', "evaluations in the comments", UNKNOWN),
        (PEOPLES + '[Annotator "evaluations in the comments, x05 0.62"]\n', "evaluations in the comments", PEOPLE),
        ('[Annotator "Komodo 13, x05 0.62 (Standstill 0.1.0)"]\n', "Komodo 13", UNKNOWN),
    ],
)
def test_preset_by_the_tags_of_a_game(tags: str, who: str, expected: Preset) -> None:
    """A second run finds our own entry in the tag, and chooses the same preset."""
    raw = f"{tags}\n1. e4 f6 {{ [%eval 1.02] }} *\n"
    judge = of_comments(SourceGame(1, raw.encode()).movetext, None)
    assert (judge.who, judge.white, judge.black) == (who, expected, expected)
    again = of_comments(SourceGame(1, signed(raw, judge, strip=False).encode()).movetext, None)
    assert again == judge
