"""Comments, tags, lines and planned replies that the user keeps with a game."""

from __future__ import annotations

from collections.abc import Iterable

from ...clock.instants import now_ms
from ...common.errors import GameError
from ...common.text import shown
from ...variants.boards import new_board
from ...variants.notation import san
from ..desk import Desk
from ..game import CorrespondenceGame, plain, read_line, stored_move
from .written import COMMENT, LINE, PLAN, TAG, Remark, comment_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...variants.notation import Board


def remarks_of(desk: Desk, game_id: int) -> list[Remark]:
    """Return the remarks on a game, by position."""
    rows = desk.store.rows("SELECT * FROM remarks WHERE game_id = ? ORDER BY ply, id", game_id)
    return [Remark(row["kind"], row["ply"], row["text"], row["comment"], row["id"]) for row in rows]


def keep(desk: Desk, game_id: int, remarks: Iterable[Remark]) -> int:
    """Store the remarks that the game does not have yet; return their number."""
    with desk.store.transaction():
        known = {(each.kind, each.ply, each.text, each.comment) for each in remarks_of(desk, game_id)}
        count = 0
        for each in remarks:
            value = (each.kind, each.ply, each.text, each.comment)
            if value not in known:
                known.add(value)
                count += 1
                desk.store.write(
                    "INSERT INTO remarks (game_id, kind, ply, text, comment, at_ms) VALUES (?, ?, ?, ?, ?, ?)",
                    game_id,
                    *value,
                    now_ms(),
                )
    return count


def drop(desk: Desk, game_id: int, remark_id: int) -> None:
    """Remove a remark. Raises GameError if the game does not have this remark."""
    with desk.store.transaction():
        if all(each.id != remark_id for each in remarks_of(desk, game_id)):
            raise GameError(f"expected the number of a remark on the game, found {remark_id}")
        desk.store.write("DELETE FROM remarks WHERE id = ?", remark_id)


def tag(text: str) -> Remark:
    """Return the remark for a tag. Raises GameError unless the tag is one word."""
    if not text or text != plain(text) or set(text) & set(' ,"{}[]') or len(text) > 40:
        raise GameError(f"expected a tag of one word, found {shown(text)}")
    return Remark(TAG, 0, text)


def line(game: CorrespondenceGame, ply: int, moves: str, comment: str, kind: str = LINE) -> Remark:
    """Return a line from the position after ``ply`` half-moves. Raises NotationError, IllegalMoveError or GameError.

    kind: PLAN for planned replies, which begin with a move of the opponent.
    """
    board = board_after(game, ply)
    if kind == PLAN and board.stm == game.head.own_side:
        raise GameError(f"it is your turn in {game.head.name}: a planned reply begins with a move of your opponent")
    found = read_line(board, moves)
    if len(found) < 1 + (kind == PLAN):
        raise GameError("expected moves, a planned reply after a move of the opponent")
    return Remark(kind, ply, " ".join(found), comment_text(comment))


def board_after(game: CorrespondenceGame, ply: int) -> Board:
    """Return the board after ``ply`` half-moves. Raises GameError if the game is shorter."""
    if not 0 <= ply <= len(game.moves):
        raise GameError(f"expected a ply from 0 to {len(game.moves)}, found {ply}")
    board = new_board(game.head.fen, game.board.notation.chess960)
    for move in game.moves[:ply]:
        board.push(stored_move(board, move))
    return board


def remark_text(game: CorrespondenceGame, remark: Remark) -> str:
    """Return the remark in words: ``after 12...Nf6: 13.Bg5 h6``."""
    if remark.kind == TAG:
        return f"tag {remark.text}"
    where = "" if not remark.ply else f"after {_move_name(game, remark.ply)}: "
    if remark.kind == COMMENT:
        return f"{where}{remark.text}"
    board = board_after(game, remark.ply)
    words: list[str] = []
    for text in remark.moves:
        move = stored_move(board, text)
        first = not words
        number = f"{board.fullmove}." if board.stm == 0 else f"{board.fullmove}..." if first else ""
        words.append(f"{number}{san(board, move)}")
        board.push(move)
    what = "planned reply " if remark.kind == PLAN else ""
    return f"{where}{what}{' '.join(words)}" + (f" ({remark.comment})" if remark.comment else "")


def _move_name(game: CorrespondenceGame, ply: int) -> str:
    board = board_after(game, ply - 1)
    return f"{board.fullmove}{'.' if board.stm == 0 else '...'}{game.sans[ply - 1]}"


def is_open(game: CorrespondenceGame, plan: Remark) -> bool:
    """Return whether the game can still follow a planned reply, or follows it now."""
    played = game.moves[plan.ply :]
    return plan.moves[: len(played)] == played and len(plan.moves) > len(played)


def planned_reply(desk: Desk, game: CorrespondenceGame) -> str | None:
    """Return the reply in SAN that the user has planned to the moves just played; None if it is not the user's turn."""
    if game.over or not game.running or game.clocks.to_move != game.head.own_side:
        return None
    for each in remarks_of(desk, game.head.id):
        n_played = len(game.moves) - each.ply
        if each.kind == PLAN and n_played > 0 and is_open(game, each):
            board = board_after(game, len(game.moves))
            return san(board, stored_move(board, each.moves[n_played]))
    return None
