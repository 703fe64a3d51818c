"""Games as one HTML file: the page Study with the games inside. The file needs no server and loads nothing."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator

from ...common.errors import PgnError
from ..assets import rendered
from ..bundle import PageFile, policy_of, script, style
from .library import Library
from .score import study

INSTEAD = {"server": "embedded", **dict.fromkeys(("edit", "edits", "drafts", "analysis", "players"), "absent")}
_DIGITS = 4  # decimals of numbers such as expected results; more decimals would not be visible


def readable(library: Library) -> Iterator[dict[str, object] | PgnError]:
    """Return each game of the file for the page, or the reason why it cannot be read."""
    for number in range(1, len(library) + 1):
        try:
            found = study(number, library.game(number))
            found["text"] = ""  # the text is long, and useless without a server
            yield found
        except PgnError as error:
            yield error


def page(title: str, games: list[dict[str, object]]) -> str:
    """Return the page. title: the name of the file of games."""
    scripts, styles = script("study", INSTEAD), style("design", "board", "goal_chart", "study")
    file = PageFile(policy_of(scripts, styles), styles, scripts, packed(title, games))
    return rendered("study", title=title, file=file)


def packed(title: str, games: list[dict[str, object]]) -> str:
    """Return the games, compressed for the script of the page. title: the name of the file of games."""
    data = json.dumps({"file": title, "games": _rounded(games)}, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(data.encode()) + packer.flush()).decode()


def _rounded(value: object) -> object:
    """Return the value with all its numbers rounded."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
