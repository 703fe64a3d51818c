"""Games as one HTML file: the page Study with its games inside, which opens without a server and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from ...common.errors import PgnError
from ..assets import rendered
from ..bundle import script, style
from .library import Library
from .score import study

_INSTEAD = {"server": "embedded", "edit": "absent", "analysis": "absent", "players": "absent"}
_DIGITS = 4  # of numbers such as expected results: more cannot be seen


@dataclass(frozen=True, slots=True)
class _File:
    """What the template of a page writes into a file."""

    policy: str
    style: str
    script: str
    data: str


def readable(library: Library) -> Iterator[dict[str, object] | PgnError]:
    """Each game of the file for the page, or why it cannot be read."""
    for number in range(1, len(library) + 1):
        try:
            found = study(number, library.game(number))
            found["text"] = ""  # of no use without a server, and long
            yield found
        except PgnError as error:
            yield error


def page(title: str, games: list[dict[str, object]]) -> str:
    """The page. title: the name of the file of games."""
    data = json.dumps({"file": title, "games": _rounded(games)}, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.b64encode(packer.compress(data.encode()) + packer.flush()).decode()
    scripts, styles = script("study", _INSTEAD), style("design", "board", "study")
    policy = f"default-src 'none'; script-src {_hash(scripts)}; style-src {_hash(styles)}; base-uri 'none'"
    file = _File(policy, styles, scripts, packed)
    return rendered("study", title=title, file=file)


def _rounded(value: object) -> object:
    """The value with all numbers in it rounded."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
