"""Enters the banks of many games at once. Xfcc does not show banks, so the user reads them on the server's pages."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable

from ...clock import game_clocks as clocks
from ...clock.instants import now_ms
from ...clock.triple_block import TripleBlock
from ...clock.units import HOUR_MS, parse_duration, words_text
from ...common.errors import GameError, StandstillError
from ...common.text import shown
from ..desk import Desk, When
from ..game import SIDE_NAMES, CorrespondenceGame
from ..times import bank_most, bank_text
from .inference import both_totals

SKIPPED = "-"  # the sign in place of a bank that stays as it is
_TOLERANCE_MS = HOUR_MS  # the user may have typed a time without minutes


def lacking(desk: Desk) -> list[str]:
    """Return the names of the running games in which a bank is unknown.

    A game counts if the user's bank is unknown; the opponent's then follows. In a game that the user only follows,
    both banks count.
    """
    rows = desk.store.rows(
        "SELECT name FROM games WHERE status = ?"
        " AND ((white_known < 2 AND own_side IS NOT 1) OR (black_known < 2 AND own_side IS NOT 0))",
        clocks.RUNNING,
    )
    return sorted((row["name"] for row in rows), key=_by_number)


def _by_number(name: str) -> list[tuple[int, str]]:
    """Return a key by which WS-2 comes before WS-10."""
    return [(int(part), "") if part.isdecimal() else (0, part.lower()) for part in re.split(r"([0-9]+)", name)]


def banks_of(game: CorrespondenceGame) -> list[tuple[str, str]]:
    """Return the sides whose banks can be entered, and the limits of the banks in words.

    In a game that the user only follows, both sides count.
    """
    at_ms = now_ms()
    sides = (0, 1) if game.head.own_side is None else (game.head.own_side,)
    return [(_whose(game, side), bank_text(game, side, game.clocks.shown(side, at_ms))) for side in sides]


class _UndoneError(Exception):
    """Ends a transaction whose entries are not kept."""


def enter_banks(desk: Desk, lines: Iterable[str], *, preview: bool = False) -> tuple[list[str], list[str]]:
    """Enter banks from lines ``NAME BANK [BANK]``: the user's bank, then the opponent's; either all banks or none.

    In a game that the user only follows, the banks are White's and Black's. ``-`` leaves a bank as it is. Empty lines,
    and lines that begin with #, are skipped. preview: whether to check the lines without storing anything. Returns a
    line for each bank, and a line for each problem; if there is a problem, nothing is stored.
    """
    done: list[str] = []
    problems = []
    with contextlib.suppress(_UndoneError), desk.store.transaction():
        for number, line in enumerate(lines, 1):
            words = line.split()
            if words and not words[0].startswith("#"):
                try:
                    if len(words) not in {2, 3}:
                        raise GameError(f"expected NAME BANK [BANK], found {shown(line.strip())}")
                    done += _enter(desk, words[0], words[1:])
                except StandstillError as error:
                    problems.append(f"line {number}, {words[0]}: {str(error).removeprefix(f'{words[0]}: ')}")
        if preview or problems:
            raise _UndoneError
    return done, problems


def _enter(desk: Desk, name: str, texts: list[str]) -> list[str]:
    game = desk.load(name)
    name, first = game.head.name, game.head.own_side or 0
    if not game.running:
        raise GameError(f"{name}: no clock runs")
    if not isinstance(game.clocks.control, TripleBlock):
        raise GameError(f"{name}: no bank under {game.head.control}")
    start, at_ms, done = game, now_ms(), []
    for side, text in zip((first, 1 - first), texts, strict=False):
        if text != SKIPPED:
            bank_ms = parse_duration(text, "a bank")
            _check_limits(game, side, bank_ms, at_ms)
            before = bank_text(game, side, game.clocks.shown(side, at_ms))
            game = desk.correct(name, side, {"bank_ms": bank_ms}, When(at_ms))
            done.append(f"{name}: {_whose(game, side)} {before} -> {words_text(bank_ms)}")
    if len(done) == 2:
        _check_sum(start, game, at_ms)
    return done


def _check_limits(game: CorrespondenceGame, side: int, bank_ms: int, at_ms: int) -> None:
    """Raise GameError for a bank that the clocks and the time that has passed exclude."""
    left, most_ms = game.clocks.shown(side, at_ms), bank_most(game, side)
    if not left.bank_ms - _TOLERANCE_MS <= bank_ms <= most_ms + _TOLERANCE_MS:
        limits = f"{words_text(left.bank_ms)} to {words_text(most_ms)}"
        expected = limits if most_ms > left.bank_ms else words_text(left.bank_ms)
        raise GameError(
            f"{game.head.name}: expected {expected} as {_whose(game, side)}, found {words_text(bank_ms)};"
            " `correct` enters it all the same"
        )


def _check_sum(start: CorrespondenceGame, game: CorrespondenceGame, at_ms: int) -> None:
    """Raise GameError if both sides have more or less together than the rules gave, less the time that has passed."""
    control = start.clocks.control
    assert isinstance(control, TripleBlock)
    both = both_totals(control, start.standing, CorrespondenceGame(start.head).clocks)
    both = both.moved(start.clocks.stamp_ms - at_ms)
    total_ms = sum(game.clocks.shown(side, at_ms).total_ms for side in (0, 1))
    if not both.least - 2 * _TOLERANCE_MS <= total_ms <= both.most + 2 * _TOLERANCE_MS:
        least, most = (words_text(max(0, ms)) for ms in (both.least, both.most))
        left = least if least == most else f"{least} to {most}"
        raise GameError(
            f"{game.head.name}: {words_text(total_ms)} on both clocks and in both banks, but the time that has passed"
            f" leaves {left}"
        )


def _whose(game: CorrespondenceGame, side: int) -> str:
    if game.head.own_side is None:
        return f"{SIDE_NAMES[side]}'s bank"
    return "your bank" if side == game.head.own_side else "the opponent's bank"
