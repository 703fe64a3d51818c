"""The followed game in JSON for the page Live and the overlays."""

from __future__ import annotations

from ...common.goal import goal_text
from ...live.follower import Follower
from ...live.game import LiveGame
from ...rmobility.goals import Goal, Goals
from ...variants.boards import new_board
from ...variants.notation import NULL_MOVE, move_text, parse_move, set_fen
from ..bands import bands
from ..positions import SIDES, changed_squares, game_of, goal_of, legal_moves, placed


class LivePage:
    """Builds the JSON of the game. Each move is computed once; after a take-back all moves are computed again."""

    def __init__(self, follower: Follower):
        self._follower = follower
        self._game: LiveGame | None = None
        self._plies: list[dict[str, object]] = []

    def view(self) -> dict[str, object]:
        """Return the whole game, with ``now`` from ``LiveGame.view``; ``now`` is None before the first game."""
        follower, game = self._follower, self._follower.game
        source = {"source": follower.source.name, "fault": follower.fault}
        if game is None:
            return {**source, "now": None}
        if game is not self._game:
            self._begin(game)
        self._grow(game)
        record, now = game.goals.record, game.view()
        variant = game.snapshot.game
        return {
            **source,
            "now": now,
            "game": game_of(variant, variant.name),
            "bands": bands(),
            "mode": "Points",
            "first": self._first,
            "plies": self._plies,
            "turn": SIDES[game.board.stm],
            "number": game.board.fullmove,
            "legal": [] if now["result"] != "*" else legal_moves(game.board, record),
            "record": goal_of(record) if now["result"] == "*" or now["record"] is None else _final(now),
            "end": None if now["result"] == "*" else {"result": now["result"], "reason": now["over"]},
        }

    def _begin(self, game: LiveGame) -> None:
        self._game = game
        self._board = new_board(chess960=game.snapshot.chess960, game=game.snapshot.game)
        given = set_fen(self._board, game.snapshot.fen)
        self._goals = Goals(self._board, given)
        first = goal_text(self._board.goal(), self._board.stm ^ 1)
        self._first = {**placed(self._board), "goal": first, "record": str(self._goals.lowest)}
        self._plies = []

    def _grow(self, game: LiveGame) -> None:
        board, goals = self._board, self._goals
        for written, text in list(zip(game.sans, game.moves, strict=True))[len(self._plies) :]:
            squares: list[str] = []
            move = text
            if text == NULL_MOVE:
                board.push_null()
                goals.push_null()
            else:
                found = parse_move(board, text)
                move, squares = move_text(board, found), changed_squares(board, found)
                board.push(found)
                goals.push(board)
            ply = len(self._plies) + 1
            beats = board.clock > 0 and goals.lowest.ply == ply
            goal = goal_text(board.goal(), board.stm ^ 1)
            played = {"move": move, "san": written, "squares": squares, **placed(board)}
            self._plies.append({**played, "goal": goal, "record": str(goals.lowest), "beats": beats})


def _final(now: dict[str, object]) -> dict[str, object] | None:
    goal = Goal.parse(str(now["record"]))
    return {"text": str(goal), "owner": SIDES[goal.owner], "ply": now["ply"], "beaten": ""}
