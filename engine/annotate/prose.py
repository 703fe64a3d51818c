"""The prose of comments, without the commands and figures that engines and servers write into them."""

from __future__ import annotations

import re

from ..archive.pgn import worded
from ..common.text import visible
from .evaluations import is_book

_COMMAND = re.compile(r"\[%[^\]]*\]")
# Comments of engines and servers about their own moves: evaluation, depth, time, possibly followed by words. In Arena
# the best line precedes the evaluation.
_MATCH = re.compile(
    r"\s*(?:\([^()]*\)\s*)?[+-]?(?:M\d+|\d+\.\d\d)/\d+(?=[\s,]|$)(?:\s*,?\s*[\d.]+\s*m?s\b)?\s*,?", re.ASCII
)
# The key-value pairs of TCEC, separated by commas.
_KEYED = re.compile(r"\s*(?:d|sd|pd|mt|tl|s|n|pv|tb|h|ph|wv|ev|R50|Rd|Rr|mb)\s*=", re.ASCII)
_OPTIONS = re.compile(r"\s*(?:White|Black)EngineOptions:")


def prose(comment: str) -> str:
    """Return the prose of a comment, without commands and without evaluations of engines.

    comment: bytes read as Latin-1.
    """
    words = _COMMAND.sub(" ", comment)
    if is_book(words):
        words = words.partition(",")[2]
    words = _MATCH.sub("", words, count=1) if _MATCH.match(words) else words
    if _OPTIONS.match(words):
        return ""
    items = words.split(",")
    if any(_KEYED.match(item) for item in items):
        words = ",".join(item for item in items if item.strip() and not _KEYED.match(item))
    return visible(worded(" ".join(words.split()).encode("latin-1")))
