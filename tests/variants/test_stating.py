"""Values put into a definition file: everything else in it stays, byte for byte."""

from __future__ import annotations

import pytest

from standstill.engine.common.errors import DefinitionError
from standstill.engine.variants.fairymax import decoded, parse
from standstill.engine.variants.workshop.stating import storable, with_values

TEXT = (
    "version 4.8(w)\n8x8\n6 4 5 7 3 5 4 6\n6 4 5 7 3 5 4 6\n"
    "p:100 -16,24 -16,6 -15,5 -17,5\np:100 16,24 16,6 15,5 17,5\n"
    "k:-1 1,34 -1,34 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7\n"
    "n:325 N\nb:325 B\nR:500 R\nQ:950 Q\n\nIn Löwen's words.\n"
    "// a comment: n:325 stays\nGame: first # PNBRQ\n8x8\n6 4 5 7 3 5 4 6\n6 4 5 7 3 5 4 6\n"
    "p:100 fmWfcF\np:100 bmWbcF\n"
    "k:-1 K\n  n :\t325   N\nb:0 B 0,40\nR:+500\tR\nQ:953 Q\n# start rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n\n"
    "Game: second\n8x8\n6 4 5 7 3 5 4 6\n6 4 5 7 3 5 4 6\n"
    "p:100 fmWfcF\np:100 bmWbcF\nk:-1 K\nn:325 N\nb:325 B\nR:500 R\nq:260 F\n\nThe end."
)


def changed(data: bytes, name: str, values: dict[int, float]) -> tuple[bytes, dict[int, int]]:
    game = next(each for each in parse(decoded(data)).games if each.name == name)
    return with_values(data, game, values, "mine.ini")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_the_values_change(encoding: str, end: str) -> None:
    data = TEXT.replace("\n", end).encode(encoding)
    found, stated = changed(data, "first", {4: 311.4, 5: 290.6, 6: 463.0, 7: 918})
    assert stated == {4: 311, 5: 291, 6: 464, 7: 923}  # only a value with the last digit 3 keeps a queen from pawns
    wanted = TEXT.replace("  n :\t325   N", "  n :\t311   N").replace("b:0 B", "b:291 B")
    wanted = wanted.replace("R:+500\tR", "R:464\tR").replace("Q:953 Q", "Q:923 Q")
    assert found == wanted.replace("\n", end).encode(encoding)
    assert changed(found, "first", {4: 325})[0] != found


def test_storable_values() -> None:
    assert [storable(value, 100) for value in (149.6, 153.4, 152.6, -20, 0.2)] == [150, 154, 152, 1, 1]
    assert [storable(value, 203) for value in (149.6, 157.0, 159.0, -5)] == [153, 153, 163, 3]


def test_values_that_change_the_rules_are_refused() -> None:
    """If piece 7 is worth less than 250, pawns may become only this piece (Fairy-Max's rule for Shatranj)."""
    data = TEXT.encode()
    assert changed(data, "second", {7: 251})[1] == {7: 251}
    with pytest.raises(DefinitionError, match=r"mine.ini: with q:240 other promotions would be legal in 'second'"):
        changed(data, "second", {7: 240})


def test_a_game_that_has_changed_is_refused() -> None:
    game = next(each for each in parse(TEXT).games if each.name == "first")
    for old, new in (("n :\t325", "n :\t326"), ("Game: first", "Game: third"), ("R:+500\tR", "R:500\tRF")):
        with pytest.raises(DefinitionError, match="'first' has changed since its values were measured"):
            with_values(TEXT.replace(old, new).encode(), game, {4: 300}, "mine.ini")
