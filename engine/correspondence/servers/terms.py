"""Parses the time control that a server writes in words: "10 moves/50 days", "Triple Block 50/75/1"."""

from __future__ import annotations

import re

from ...clock.control import Control
from ...clock.parse import parse_control
from ...common.errors import ClockError
from ..recompute import in_days

_IN_SECONDS = re.compile(r"\d{5}", re.ASCII)  # in the form of a TimeControl in PGN
_DAYS = r"(?:days?|d)\b"
# Words that a server may write, and the same control in the form that ``parse_control`` reads.
_FORMS = (
    (rf"(\d+) ?moves? ?(?:/|in|per|every)? ?(\d+) ?{_DAYS}", "{0}/{1}"),
    (rf"(\d+) ?{_DAYS} ?(?:/|per|for|every|each)? ?(\d+) ?moves?", "{1}/{0}"),
    (rf"(\d+) ?{_DAYS} ?(?:/|per|a|for each|for every|each) ?move", "{0}/move"),
    (rf"(\d+) ?(?:{_DAYS})? ?\+ ?(\d+) ?(?:{_DAYS})?(?: ?(?:/|per|a) ?move)?", "{0}+{1}"),
    (rf"triple ?block[ :,(-]*(\d+) ?/ ?(\d+) ?/ ?(\d+)\)?(?: ?{_DAYS})?", "{0}/{1}/{2}"),
    (rf"triple ?block[ :,(-]*(\d+) ?{_DAYS}\)?", "D{0}"),
    (rf"(\d+) ?{_DAYS} ?[(,-]* ?triple ?block\)?", "D{0}"),
)


def read_terms(text: str) -> Control | None:
    """Return the clock that a server names; None for an empty text, or a text that could mean several clocks."""
    words = " ".join(text.lower().split())
    if not words:
        return None
    found = []
    for form in (words, *_written(words)):
        try:
            found.append(parse_control(in_days(form) if _IN_SECONDS.search(form) else form))
        except ClockError:
            continue
    return found[0] if len({control.text for control in found}) == 1 else None


def _written(words: str) -> list[str]:
    matches = ((re.fullmatch(pattern, words, re.ASCII), form) for pattern, form in _FORMS)
    return [form.format(*match.groups()) for match, form in matches if match is not None]
