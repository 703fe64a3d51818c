"""Writes symbols into games, from what is known about their positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .judging import JudgedPosition, Style, Verdict, notes, verdicts
from .movetext import Editor, Notes
from .source import SourceGame


def read(games: Iterable[bytes]) -> Iterator[SourceGame]:
    """The games of a file, numbered from 1."""
    for number, raw in enumerate(games, 1):
        yield SourceGame(number, raw)


def annotated(
    game: SourceGame, positions: list[JudgedPosition], style: Style
) -> tuple[str, list[Verdict], list[Notes]]:
    """The text of the game with symbols, and the verdicts and notes for each move."""
    movetext = game.movetext
    found = verdicts(movetext, positions, style)
    texts = notes(movetext, positions, found, style)
    if style.write_goals:
        _add_goals(game, texts)
    editor = Editor(movetext, strip=style.strip)
    start = positions[0].best
    editor.lead({"%eval": start.command()} if style.write_eval and start is not None else {})
    for index, note in enumerate(texts):
        editor.note(index, note)
    return editor.text(), found, texts


def _add_goals(game: SourceGame, texts: list[Notes]) -> None:
    """Add ``[%rm G3.5]`` to each move that sets a record."""
    for ply, record in enumerate(game.records()):
        if ply and record.ply == ply:
            texts[ply - 1].commands["%rm"] = f"[%rm {record}]"
