"""Puzzles as EPD, for engines and test programs, and as PGN, for databases and trainers.

EPD: PGN standard, section 16.2, with its opcodes: bm (best moves), am (the move to avoid), ce and dm (evaluation in
centipawns, direct mate), pv (line), id, and c0 and c1 (comments).
"""

from __future__ import annotations

import textwrap
from math import isinf

from ... import NAME, VERSION
from ...annotate.thoughts import numbered
from ...common.goal import goal_text
from ...variants.notation import parse_move, san, san_line
from ...variants.variant import CHESS
from . import mobility
from .answers import about, prompt, side_node, sign_of
from .checking import evaluation_of
from .deck import Deck
from .puzzle import FEWEST, LEVELS, MOVE, SIDE, Puzzle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .checking import Checked

EPD, PGN = FORMATS = ("epd", "pgn")
TYPES = {EPD: "application/x-epd", PGN: "application/x-chess-pgn"}
_WIDTH = 79  # maximum length of a line of PGN
_PLAIN = {"\u2013": "-", "\u2019": "'"}  # not all readers of these formats expect UTF-8
# Readers of EPD know no escapes, and some split at each semicolon.
_QUOTES = str.maketrans({'"': "'", ";": ",", "\\": "/", **_PLAIN})
_BRACES = str.maketrans({"{": "(", "}": ")", **_PLAIN})


def as_text(deck: Deck, puzzles: list[Puzzle], form: str) -> str:
    """The puzzles in one of ``FORMATS``.

    The engine must have checked the puzzles before. EPD has only chess and Chess960.
    """
    write = epd if form == EPD else pgn
    fit = [puzzle for puzzle in puzzles if form == PGN or puzzle.game is CHESS]
    return "".join(write(deck, puzzle) for puzzle in fit)


# ---- EPD ----


def epd(deck: Deck, puzzle: Puzzle) -> str:
    """One line of EPD, with its line end."""
    fields = " ".join(puzzle.fen.split()[:4])
    operations = _operations(deck, puzzle) if puzzle.kind == MOVE else _counted_operations(puzzle)
    number = puzzle.board().fullmove
    comment = _quoted(f"{puzzle.origin.text()}, move {number}")
    return f"{fields} {' '.join([*operations, f'id {_quoted(puzzle.id)};', f'c0 {comment};'])}\n"


def _operations(deck: Deck, puzzle: Puzzle) -> list[str]:
    checked = deck.checked(puzzle)
    best = checked.lines[0]
    found = [f"bm {' '.join(sorted(_san(puzzle, each.move) for each in checked.solutions(puzzle)))};"]
    if puzzle.is_mistake:
        found.insert(0, f"am {puzzle.played_san};")
    evaluation, side = evaluation_of(best), -1 if puzzle.is_black else 1
    if not isinf(evaluation.pawns):
        found.append(f"ce {round(100 * side * evaluation.pawns)};")
    elif evaluation.mate and evaluation.mate * side > 0:
        found.append(f"dm {abs(evaluation.mate)};")
    found.append(f"pv {' '.join(_sans(puzzle, best.line))};")
    if checked.level is not None:
        found.append(f"c1 {_quoted(f'difficulty: {LEVELS[checked.level]}')};")
    return found


def _counted_operations(puzzle: Puzzle) -> list[str]:
    if puzzle.kind == SIDE:
        return [f"c1 {_quoted(f'{prompt(puzzle)} {_side_words(puzzle)}')};"]
    found = mobility.reach(puzzle.board())
    assert found is not None
    moves = " ".join(sorted(_san(puzzle, move) for move in found.moves))
    return [f"bm {moves};", f"c1 {_quoted(f'R-Mobility: {prompt(puzzle)} {goal_text(found.code)}')};"]


def _quoted(text: str) -> str:
    return f'"{text.translate(_QUOTES)}"'


def _san(puzzle: Puzzle, move: str) -> str:
    board = puzzle.board()
    return san(board, parse_move(board, move))


def _sans(puzzle: Puzzle, moves: list[str]) -> list[str]:
    return list(san_line(puzzle.board(), moves))


def _side_words(puzzle: Puzzle) -> str:
    both = mobility.reaches(puzzle.board())
    assert both is not None
    return ", ".join(
        f"{('White', 'Black')[side]}: {side_node(puzzle, side, reach)['san']} ({goal_text(reach.code)})"
        for side, reach in enumerate(both)
    )


# ---- PGN ----


def pgn(deck: Deck, puzzle: Puzzle) -> str:
    """A game that begins with the position: the solution, other solutions and the move of the game as variations."""
    origin = puzzle.origin
    tags = {
        "Event": origin.event or "?",
        "Site": "?",
        "Date": origin.date or "????.??.??",
        "Round": "?",
        "White": origin.white or "?",
        "Black": origin.black or "?",
        "Result": "*",
        "Annotator": f"{NAME} {VERSION}",
        "SetUp": "1",
        "FEN": puzzle.fen,
    }
    if puzzle.chess960:
        tags["Variant"] = "Chess960"
    elif puzzle.game is not CHESS:
        tags["Variant"] = puzzle.game.name
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    words = f"{prompt(puzzle)} {about(puzzle, puzzle.board())}".translate(_BRACES)
    text = f"{{{words}}} {_movetext(deck, puzzle)} *"
    body = "\n".join(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False))
    return f"{head}\n{body}\n\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _movetext(deck: Deck, puzzle: Puzzle) -> str:
    if puzzle.kind == SIDE:
        return f"{{{_side_words(puzzle)}}}"
    if puzzle.kind == FEWEST:
        return _counted_movetext(puzzle)
    checked = deck.checked(puzzle)
    solutions = checked.solutions(puzzle)
    first, *rest = solutions[0].line
    board = puzzle.board()
    number, black = board.fullmove, puzzle.is_black
    sans = _sans(puzzle, [first, *rest])
    variations = [numbered(_sans(puzzle, each.line), number, black) for each in solutions[1:]]
    if puzzle.is_mistake and checked.played is not None:
        variations.append(_of_the_game(puzzle, checked, number))
    parts = [numbered(sans[:1], number, black), f"{{[%eval {solutions[0].evaluation}]}}"]
    parts += [f"({each})" for each in variations]
    if rest:
        parts.append(numbered(sans[1:], number + black, not black))
    return " ".join(parts)


def _of_the_game(puzzle: Puzzle, checked: Checked, number: int) -> str:
    assert checked.played is not None
    sans = _sans(puzzle, checked.played.line)
    nag = sign_of(puzzle, checked)
    words = [numbered(sans[:1], number, puzzle.is_black), f"${nag}" if nag else ""]
    words += [f"{{In the game. [%eval {checked.played.evaluation}]}}"]
    if sans[1:]:
        words.append(numbered(sans[1:], number + puzzle.is_black, not puzzle.is_black))
    return " ".join(filter(None, words))


def _counted_movetext(puzzle: Puzzle) -> str:
    found = mobility.reach(puzzle.board())
    assert found is not None
    number, black = puzzle.board().fullmove, puzzle.is_black
    first, *others = [numbered([_san(puzzle, move)], number, black) for move in found.moves]
    goal = goal_text(found.code, int(puzzle.is_black))
    return " ".join([first, f"{{[%rm {goal}]}}", *(f"({other})" for other in others)])
