"""Puzzles and answers as the page receives them."""

from __future__ import annotations

from datetime import date

from ...common.errors import ArgumentError
from ...common.goal import goal_text
from ...common.text import plural, shown
from ...relevance import nags
from ...relevance.model import position_nag
from ...relevance.presets import OWN
from ...relevance.trainer import judge
from ...variants.notation import move_text, parse_move, san
from ..positions import SIDES, changed_squares, game_of, legal_moves, placed
from . import mobility
from .checking import NEAR, Checked, Valued, evaluation_of
from .deck import Deck
from .finding import LEAST_LOSS
from .puzzle import FEWEST, LEVELS, MOVE, SIDE, Puzzle
from .spacing import AFTER_MISTAKE, AT_ONCE, SHOWN, WITH_HINT, Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...variants.notation import Board

_TITLES = ("White", "Black")
RIGHT, GOOD, CLOSE, WRONG, SOLUTION = "right", "good", "close", "wrong", "solution"
_FAR_CODE = 40
_LINE = 8  # number of half-moves of a line that are shown


def view(puzzle: Puzzle, deck: Deck, card: Card | None, today: date) -> dict[str, object]:
    """A puzzle without its solution."""
    board = puzzle.board()
    legal = [{**move, "goal": "", "sets": False} for move in legal_moves(board, None)]
    level = deck.level(puzzle)
    return {
        "id": puzzle.id,
        "kind": puzzle.kind,
        "game": game_of(puzzle.game, puzzle.game.name),
        **placed(board),
        "number": board.fullmove,
        "last": list(puzzle.last),
        "legal": legal,
        "prompt": prompt(puzzle),
        "about": about(puzzle, board),
        "origin": puzzle.origin.text(),
        "study": f"/study#game={puzzle.origin.number}/{puzzle.ply}",
        "level": "" if level is None else LEVELS[level],
        "state": _state(card, today),
    }


def prompt(puzzle: Puzzle) -> str:
    """The question in one sentence."""
    mover, other = (_TITLES[puzzle.is_black], _TITLES[not puzzle.is_black])
    if puzzle.kind == FEWEST:
        return f"Which move leaves {other} the fewest moves?"
    if puzzle.kind == SIDE:
        return "Who can leave the other fewer moves?"
    return f"Find the best move for {mover}."


def about(puzzle: Puzzle, board: Board) -> str:
    """What the solver may know before answering."""
    if puzzle.kind == MOVE:
        return f"Move {board.fullmove} of the game."
    if puzzle.kind == SIDE:
        return "Each side may make one move in this position. The lower number of legal replies wins."
    count = f"Count {_TITLES[not puzzle.is_black]}\u2019s legal replies."
    record = puzzle.record
    if record is None or record.code > _FAR_CODE:  # a high record, as in an opening, does not help to count
        return count
    return f"{count} The record is {goal_text(record.code)}, held by {_TITLES[record.owner]}."


def _state(card: Card | None, today: date) -> str:
    if card is None:
        return "new"
    if card.again and card.last == today:
        return "once more"
    return "due" if card.is_due(today) else "practice"


def asked_move(puzzle: Puzzle, text: str) -> str:
    """The move of an answer in coordinates. Raises NotationError, or IllegalMoveError for a move that is not legal."""
    board = puzzle.board()
    return move_text(board, parse_move(board, text))


def answer(deck: Deck, puzzle: Puzzle, given: str, today: date, *, tries: int, hinted: bool) -> dict[str, object]:
    """Judge an answer and store it. given: a move, a side, or "" to see the solution.

    tries: wrong answers before this one. Raises ArgumentError, NotationError, IllegalMoveError or StoreError.
    """
    judged = _judged(deck, puzzle, given)
    verdict = str(judged["verdict"])
    quality: int | None = None
    if verdict in (RIGHT, GOOD):
        quality = AFTER_MISTAKE if tries else WITH_HINT if hinted else AT_ONCE
        is_first = not tries
    else:
        quality = SHOWN if verdict == SOLUTION else AFTER_MISTAKE
        is_first = not tries and verdict != CLOSE
    # Only the first answer to a puzzle counts; later ones help the user to understand the position.
    if is_first:
        card = deck.progress.answer(puzzle.id, quality, today)
        judged["comes"] = _comes(card, today)
    return judged


def _comes(card: Card, today: date) -> str:
    if card.again:
        return "It comes again today."
    days = 0 if card.due is None else (card.due - today).days
    return f"It comes again {'tomorrow' if days == 1 else f'in {days} days'}."


def hint(deck: Deck, puzzle: Puzzle) -> dict[str, object]:
    """The square of the piece to move."""
    if puzzle.kind == SIDE:
        raise ArgumentError("hint: expected a puzzle that asks for a move")
    best = deck.checked(puzzle).lines[0].move if puzzle.kind == MOVE else _reach(puzzle).moves[0]
    move = next(each for each in legal_moves(puzzle.board(), None) if each["move"] == best)
    return {"from": move["from"]}


def _reach(puzzle: Puzzle) -> mobility.Reach:
    found = mobility.reach(puzzle.board())
    assert found is not None  # a puzzle has moves
    return found


def _judged(deck: Deck, puzzle: Puzzle, given: str) -> dict[str, object]:
    if puzzle.kind == SIDE:
        return _judged_side(puzzle, given)
    move = asked_move(puzzle, given) if given else ""
    return _judged_count(puzzle, move) if puzzle.kind == FEWEST else _judged_move(deck, puzzle, move)


# ---- the best move ----


def _judged_move(deck: Deck, puzzle: Puzzle, move: str) -> dict[str, object]:
    checked = deck.checked(puzzle)
    best = checked.lines[0]
    if not move:
        return {"verdict": SOLUTION, "words": f"{_san(puzzle, best.move)} was the move.", **_solution(puzzle, checked)}
    known = [*checked.lines, *([checked.played] if checked.played else [])]
    found = next((each for each in known if each.move == move), None) or deck.checker.value(puzzle, move)
    loss = checked.loss(puzzle, found.pawns)
    name = _san(puzzle, move)
    if move == best.move:
        return {"verdict": RIGHT, "words": f"{name} is the best move.", **_solution(puzzle, checked)}
    if loss <= NEAR:
        words = f"{name} is as good as {_san(puzzle, best.move)}."
        return {"verdict": GOOD, "words": words, **_solution(puzzle, checked)}
    if loss < LEAST_LOSS:
        return {"verdict": CLOSE, "words": f"{name} is not bad, but there is a better move."}
    return {"verdict": WRONG, **_refutation(puzzle, checked, found, loss)}


def _refutation(puzzle: Puzzle, checked: Checked, found: Valued, loss: float) -> dict[str, object]:
    """The loss by a wrong move, and the answer to it; the text keeps the solution secret."""
    name = _san(puzzle, found.move)
    sans = _sans(puzzle, found.line)
    reply = f" After {sans[1]} " if len(sans) > 1 else " "
    before, after = (checked.chance(puzzle, each.pawns) for each in (checked.lines[0], found))
    was = " It was the move of the game." if found.move == puzzle.played else ""
    return {
        "words": f"{name} loses {_percent(loss)}.{was}{reply}{_expected(puzzle, before, after)}",
        "symbol": _symbol(found),
        "line": _nodes(puzzle, found.line[:2]),
    }


def _expected(puzzle: Puzzle, before: float, after: float, *, fell: bool = False) -> str:
    side = _TITLES[puzzle.is_black]
    verb = "fell" if fell else "falls"
    return f"{side}\u2019s expected result {verb} from {_percent(before)} to {_percent(after)}."


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


def _solution(puzzle: Puzzle, checked: Checked) -> dict[str, object]:
    """The lines to step through: the lines that solve the puzzle, and the line of the game."""
    lines = [_line(puzzle, each, "better") for each in checked.solutions(puzzle)]
    played = checked.played
    if played is not None and played.move not in {line.move for line in checked.solutions(puzzle)}:
        lines.append(_line(puzzle, played, "worse", _sign(puzzle, checked)))
    words = _of_the_game(puzzle, checked)
    return {"lines": lines, "game_words": words, "symbol": _symbol(checked.lines[0])}


def _of_the_game(puzzle: Puzzle, checked: Checked) -> str:
    who = puzzle.solver or _TITLES[puzzle.is_black]
    if checked.played is None or not puzzle.is_mistake:
        return f"{who} found it in the game." if not puzzle.is_mistake else ""
    before, after = (checked.chance(puzzle, each.pawns) for each in (checked.lines[0], checked.played))
    sign = _sign(puzzle, checked)
    return f"In the game {who} played {puzzle.played_san}{sign}. {_expected(puzzle, before, after, fell=True)}"


def _sign(puzzle: Puzzle, checked: Checked) -> str:
    nag = sign_of(puzzle, checked)
    return nags.text(nag) if nag else ""


def sign_of(puzzle: Puzzle, checked: Checked) -> int:
    """The NAG of a bad move of the game; 0 for no NAG."""
    if checked.played is None:
        return 0
    mover = "b" if puzzle.is_black else "w"
    mate = evaluation_of(checked.lines[0]).mate
    best, played = checked.lines[0].pawns, checked.played.pawns
    return judge(best, None, played, False, mover, OWN.x05, mate=None if mate is None else abs(mate))


def _line(puzzle: Puzzle, valued: Valued, kind: str, sign: str = "") -> dict[str, object]:
    evaluation = evaluation_of(valued)
    text = evaluation.text()
    shown_text = text if text.startswith("#") else f"{evaluation.pawns:+.2f}"
    return {
        "kind": kind,
        "sign": sign,
        "text": shown_text.replace("-", "\u2212"),
        "symbol": _symbol(valued),
        "nodes": _nodes(puzzle, valued.line[:_LINE]),
    }


def _symbol(valued: Valued) -> dict[str, str]:
    nag = position_nag(valued.pawns, OWN.x05)
    return {"text": nags.text(nag), "meaning": nags.meaning(nag)}


def _nodes(puzzle: Puzzle, moves: list[str]) -> list[dict[str, object]]:
    """The positions after each move of a line."""
    board, found = puzzle.board(), []
    for text in moves:
        move = parse_move(board, text)
        number, turn = board.fullmove, SIDES[board.stm]
        written, squares = san(board, move), changed_squares(board, move)
        board.push(move)
        found.append({"san": written, "number": number, "by": turn, "last": squares, **placed(board)})
    return found


def _san(puzzle: Puzzle, move: str) -> str:
    return _sans(puzzle, [move])[0]


def _sans(puzzle: Puzzle, moves: list[str]) -> list[str]:
    return [str(node["san"]) for node in _nodes(puzzle, moves)]


# ---- R-Mobility ----


def _judged_count(puzzle: Puzzle, move: str) -> dict[str, object]:
    board = puzzle.board()
    found, best = mobility.goals(board), _reach(puzzle)
    solution = {
        "lines": [{**_counted(puzzle, each, best.code), "kind": "better"} for each in best.moves],
        "legal": legal_moves(board, puzzle.record),
        "game_words": _record_words(puzzle, best),
    }
    if not move:
        words = f"{_san(puzzle, best.moves[0])} leaves {_replies(best.code)}."
        return {"verdict": SOLUTION, "words": words, **solution}
    name, code = _san(puzzle, move), found[move]
    if code == best.code:
        return {"verdict": RIGHT, "words": f"{name} leaves {_replies(code)}. No move leaves fewer.", **solution}
    words = f"{name} leaves {_replies(code)}. Another move leaves fewer."
    return {"verdict": WRONG, "words": words, "line": _nodes(puzzle, [move])}


def _replies(code: int) -> str:
    """A goal in words: the number of legal moves, whether the opponent is in check, and the goal."""
    count = code // 2
    how = "without check" if code % 2 else "and gives check" if count else ""
    words = f"{count or 'no'} legal {plural(count, 'move')}"
    return f"{words} {how} ({goal_text(code)})".replace("  ", " ")


def _counted(puzzle: Puzzle, move: str, code: int) -> dict[str, object]:
    return {"sign": "", "text": goal_text(code), "symbol": None, "nodes": _nodes(puzzle, [move])}


def _record_words(puzzle: Puzzle, best: mobility.Reach) -> str:
    """What the goal would have meant in the game."""
    who = puzzle.solver or _TITLES[puzzle.is_black]
    played = f"In the game {who} played {puzzle.played_san}."
    record = puzzle.record
    if record is None or record.code > _FAR_CODE:
        return played
    does = "lowers" if record.owner == puzzle.is_black else "takes"
    return f"{played} {goal_text(best.code)} {does} the record, which was {goal_text(record.code)}."


def _judged_side(puzzle: Puzzle, given: str) -> dict[str, object]:
    both = mobility.reaches(puzzle.board())
    assert both is not None  # the answer was checked when the puzzle was found
    white, black = both
    right = SIDES[black.code < white.code]
    nodes = [side_node(puzzle, side, reach) for side, reach in enumerate(both)]
    lines = [
        {"kind": "better", "sign": "", "text": goal_text(reach.code), "symbol": None, "nodes": [node]}
        for node, reach in zip(nodes, both, strict=True)
    ]
    said = [
        f"{_TITLES[side]}\u2019s {node['san']} leaves {_replies(reach.code)}"
        for side, (node, reach) in enumerate(zip(nodes, both, strict=True))
    ]
    words = f"{right.title()} can leave fewer: {', '.join(said)}."
    if given and given not in SIDES:
        raise ArgumentError(f"answer: expected white or black, found {shown(given)}")
    verdict = SOLUTION if not given else RIGHT if given == right else WRONG
    # With two possible answers, a wrong answer gives away the right one, so the puzzle is over.
    return {"verdict": verdict, "words": words, "over": True, "lines": lines, "game_words": ""}


def side_node(puzzle: Puzzle, side: int, reach: mobility.Reach) -> dict[str, object]:
    """The position after the best move of a side; the side moves even if it is not its turn."""
    board = puzzle.board()
    if board.stm != side:
        board.push_null()
    move = parse_move(board, reach.moves[0])
    number, written, squares = board.fullmove, san(board, move), changed_squares(board, move)
    board.push(move)
    return {"san": written, "number": number, "by": SIDES[side], "last": squares, **placed(board)}
