"""Writes symbols into games, based on the evaluations of their positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .attribution import PLAYERS, Attribution, signed
from .evaluations import in_centipawns, in_pawns
from .movetext import Editor, Notes
from .source import SourceGame
from .verdicts import JudgedPosition, Style, Verdict, notes, verdicts


def read(games: Iterable[bytes]) -> Iterator[SourceGame]:
    """Yield the games of a file, numbered from 1."""
    for number, raw in enumerate(games, 1):
        yield SourceGame(number, raw)


@dataclass(frozen=True, slots=True)
class Annotated:
    """One game with all findings. text: the game with symbols. verdicts, notes: one for each move."""

    game: SourceGame
    text: str
    attribution: Attribution
    verdicts: list[Verdict]
    notes: list[Notes]


def annotated(game: SourceGame, positions: list[JudgedPosition], attribution: Attribution, style: Style) -> Annotated:
    """Write symbols into the game. The x05 of ``attribution`` take precedence over the x05 of ``style``."""
    movetext = game.movetext
    white, black = attribution.white.x05, attribution.black.x05
    style = replace(style, x05=white, x05_black=black, by_players=attribution.who == PLAYERS)
    found = verdicts(movetext, positions, style)
    texts = notes(movetext, positions, found, style)
    if style.write_goals:
        _add_goals(game, texts)
    editor = Editor(movetext, strip=style.strip)
    start = positions[0].best
    editor.lead({"%eval": start.command()} if style.write_eval and start is not None else {})
    for index, note in enumerate(texts):
        editor.note(index, note)
    text = editor.text()
    if style.write_eval and in_centipawns(game.text):
        # A single decimal point makes readers take all numbers for pawns, so the numbers in variations are converted,
        # too.
        text = in_pawns(text)
    if any(position.best is not None for position in positions):
        text = signed(text, attribution, strip=style.strip)
    return Annotated(game, text, attribution, found, texts)


def _add_goals(game: SourceGame, texts: list[Notes]) -> None:
    """Add ``[%rm G3.5]`` to each move that sets a record, and remove existing ones from all other moves."""
    for ply, record in enumerate(game.records()):
        if ply:
            texts[ply - 1].commands["%rm"] = f"[%rm {record}]" if record.ply == ply else ""
