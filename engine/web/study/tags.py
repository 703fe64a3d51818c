"""Edits of a game's tags: players, event, date and result. All other tags stay as they are."""

from __future__ import annotations

import re

from standstill.cext.bindings.pgn_games import tag_places

from ...annotate.source import SourceGame
from ...common.errors import ArgumentError
from ...common.text import newline_of, shown, visible
from .. import fields
from .editing import Editor
from .tree import Tree

NAMES = ("White", "Black", "Event", "Date")
RESULTS = ("*", "1-0", "0-1", "1/2-1/2")
LONGEST = 200  # characters of a value
_DATE = re.compile(r"(?:\d{4}|\?{4})\.(?:\d\d|\?\?)\.(?:\d\d|\?\?)")
_END = re.compile(r"1-0|0-1|1/2-1/2|\*")


def with_tags(source: SourceGame, asked: fields.Fields) -> bytes:
    """Return a readable game with the tags that a page asks for; an empty value becomes ``?``. Raises ArgumentError."""
    editor = Editor(Tree(source))
    values = {name: " ".join(fields.text(asked, name.lower()).split()) for name in NAMES}
    for name, value in values.items():
        if len(value) > LONGEST:
            raise ArgumentError(f"{name}: expected at most {LONGEST} characters, found {len(value)}")
    if values["Date"] and not _DATE.fullmatch(values["Date"]):
        raise ArgumentError(f"Date: expected year.month.day such as 2026.11.29, found {shown(values['Date'])}")
    result = fields.choice(asked, "result", RESULTS, RESULTS[0])
    tags = source.movetext.tags
    for name, value in values.items():
        if value == visible(tags.get(name, "")):
            continue  # unchanged on the page
        _set(editor, name, value or ("????.??.??" if name == "Date" else "?"))
    _set(editor, "Result", result)
    line = editor.tree.line
    if _END.search(line.end):
        line.end = _END.sub(result, line.end, count=1)
    else:
        line.end = f" {result}{line.end}"
    return editor.text()


def _set(editor: Editor, name: str, value: str) -> None:
    """Replace the value of a tag, or add the tag after the others. A tag with an unknown value is not added."""
    head = editor.head
    text = editor.encoded(value.replace("\\", "\\\\").replace('"', '\\"'))
    data, end = head.encode("latin-1"), 0
    for found, first, last, behind in tag_places(data, 0, len(data)):
        end = behind
        if found == name.encode():
            editor.head = head[:first] + text + head[last:]
            return
    if not value.strip("?."):
        return
    newline = newline_of(editor.tree.source.text)
    tag = f'[{name} "{text}"]'
    editor.head = f"{head[:end]}{newline}{tag}{head[end:]}" if end else f"{tag}{2 * newline}{head.lstrip()}"
