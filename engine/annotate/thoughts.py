"""Writes the engine's analyses of a game, or of one position, as PGN."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.goal import goal_text
from ..play.analysis import Thought, pawns
from ..variants.notation import fen
from .movetext import Editor, Movetext, Notes

_MISTAKE = 2  # the NAG of "?"
_LINE_MOVES = 10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..archive.scorer import ScoredGame
    from ..variants.notation import Board


def annotated(game: ScoredGame, thoughts: Sequence[Thought]) -> str:
    """Return the game with a comment about each position. Moves that missed a lower goal get "?" and the better line.

    game: scored with details. thoughts: the analyses of all positions, from the first one on.
    """
    moves = Movetext(game)
    editor = Editor(moves)
    editor.lead(_renewed(thoughts[0]))
    for index in range(len(moves.plies)):
        thought = thoughts[index + 1]
        notes = Notes()
        notes.commands = _renewed(thought)
        if thought.missed is not None:
            notes.move_nag = _MISTAKE
            notes.variation = numbered(thought.instead[:_LINE_MOVES], moves.number(index), not moves.white_moves(index))
        editor.note(index, notes)
    return editor.text()


def _renewed(thought: Thought) -> dict[str, str]:
    """Return the commands of a position. A command without a value removes an outdated record or forecast."""
    stale = {} if thought.outlook is None else {"%rm": "", "%rmforecast": "", "%rmproven": ""}
    return {**stale, **commands(thought)}


def as_game(board: Board, thought: Thought, variant: str) -> str:
    """Write a position and its line as an unfinished game. variant: the name for the tag; empty for chess."""
    roster = dict.fromkeys(("Event", "Site", "Date", "Round", "White", "Black"), "?")
    tags = {**roster, "Date": "????.??.??", "Result": "*", "SetUp": "1", "FEN": fen(board)}
    if variant:
        tags["Variant"] = variant
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    said = " ".join(commands(thought).values())
    line = numbered(thought.pv, thought.number, thought.black_to_move)
    return f"{head}\n{' '.join(filter(None, (f'{{ {said} }}' if said else '', line, '*')))}\n\n"


def commands(thought: Thought) -> dict[str, str]:
    """Return the comment commands of a position: evaluation (unless the outcome is proven), new record, forecast."""
    found = {}
    if thought.verdict is None:
        found["%eval"] = f"[%eval {pawns(thought).removeprefix('+')}]"
    record = thought.outlook.record if thought.outlook is not None else None
    if record is not None and record[2] == thought.ply:
        found["%rm"] = f"[%rm {goal_text(*record[:2])}]"
    if thought.promised is not None:
        name = "%rmproven" if thought.is_proven else "%rmforecast"
        found[name] = f"[{name} {goal_text(*thought.promised)}]"
    return found


def numbered(moves: Sequence[str], number: int, black: bool) -> str:
    """Return moves with their numbers: ``12... Kf8 13. Bd7``."""
    words: list[str] = []
    for move in moves:
        if not black or not words:
            words.append(f"{number}{'...' if black else '.'}")
        words.append(move)
        number += black
        black = not black
    return " ".join(words)
