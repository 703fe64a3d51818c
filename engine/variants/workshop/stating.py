"""Puts values of pieces into the text of a definition file, and changes nothing else in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...common.errors import DefinitionError
from ...common.text import shown
from ..definition import Definition
from ..fairymax import decoded, parse, piece_lines

_LINE_END = re.compile(rb"(\r\n|\r|\n)")
_VALUE = re.compile(rb"(\s*[A-Za-z]\s*:\s*)([+-]?\d{1,9})(?!\S)")
_HELD_BACK = 3  # last digit of the value of a piece that pawns may not become


def storable(value: float, stated: int) -> int:
    """Return the nearest value that keeps a piece's rules: positive, with the last digit 3 only if ``stated`` has it.

    >>> storable(333.2, 325), storable(333.2, 323), storable(337.9, 323), storable(-7, 100)
    (334, 333, 333, 1)
    """
    nearest = max(1, round(value))
    if stated % 10 == _HELD_BACK:
        return max(_HELD_BACK, 10 * round((value - _HELD_BACK) / 10) + _HELD_BACK)
    if nearest % 10 != _HELD_BACK:
        return nearest
    return nearest + 1 if value >= nearest else nearest - 1


def with_values(data: bytes, game: Definition, values: Mapping[int, float], name: str) -> tuple[bytes, dict[int, int]]:
    """Return the file with other values in the lines of the pieces, and the written values by piece number.

    game: the game whose values were measured. values: centipawns by piece number. name: the file's name, for messages.
    Raises DefinitionError if the game in the file has changed since, or if the values would change its rules.
    """
    text = decoded(data)
    before = {each.name: each for each in parse(text, name).games}
    if before.get(game.name) != game:
        raise DefinitionError(f"{name}: {shown(game.name, 40)} has changed since its values were measured")
    lines = _LINE_END.split(data)  # lines and line ends alternate
    places = piece_lines(text, name)[game.name]
    stated = {number: storable(value, game.piece(number).value) for number, value in values.items()}
    for number, value in stated.items():
        at = 2 * places[number - 1]
        found = _VALUE.match(lines[at])
        if not found:
            raise DefinitionError(f"{name}:{at // 2 + 1}: expected a letter, a colon and a value")
        lines[at] = found[1] + b"%d" % value + lines[at][found.end() :]
    changed = b"".join(lines)
    after = {each.name: each for each in parse(decoded(changed), name).games}
    if after[game.name].fingerprint != game.fingerprint:
        words = ", ".join(f"{game.piece(number).letter}:{value}" for number, value in stated.items())
        raise DefinitionError(f"{name}: with {words} other promotions would be legal in {shown(game.name, 40)}")
    return changed, stated
