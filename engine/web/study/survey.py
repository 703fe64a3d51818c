"""A survey of all games in a file: the largest loss in each game, the figures of each player, a player's openings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf

import chess

from ...annotate import replay
from ...annotate.attribution import of_comments
from ...annotate.source import SourceGame
from ...annotate.verdicts import JudgedPosition, Style, Verdict, positions_of_comments, verdicts
from ...common.text import visible
from ...relevance import nags
from ...relevance.model import weight

MOST_GAMES = 3000  # maximum number of games of a file that are surveyed
PHASES = ("opening", "middlegame", "endgame")
_OPENING_MOVES = 10
_ENDGAME_PIECES = 6  # an endgame has at most this many knights, bishops, rooks and queens
_TREE_PLIES = 16
_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


@dataclass(slots=True)
class Opening:
    """A position of a player's opening tree.

    points: the player's. lost: the sum of the losses by the player's next moves.
    """

    games: int = 0
    points: float = 0.0
    lost: float = 0.0
    children: dict[str, Opening] = field(default_factory=dict)

    def view(self, move: str = "") -> dict[str, object]:
        rows = sorted(self.children.items(), key=lambda each: -each[1].games)
        moves = [child.view(name) for name, child in rows]
        return {"move": move, "games": self.games, "points": self.points, "lost": self.lost, "moves": moves}


@dataclass(slots=True)
class Player:
    """The figures of a player.

    lost, moves: the losses and the number of moves in each phase; losses are shares of the whole area, which is one
    game.

    closeness: the sum of the weights of the positions in which the player moved: 1 where the game is level.
    """

    name: str
    games: int = 0
    marks: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)
    lost: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))
    closeness: float = 0.0
    tree: tuple[Opening, Opening] = field(
        default_factory=lambda: (Opening(), Opening())
    )  # the opening trees of the player as White and as Black

    def view(self) -> dict[str, object]:
        judged = sum(self.moves.values())
        return {
            "name": self.name,
            "games": self.games,
            "moves": judged,
            "marks": {symbol: self.marks[symbol] for symbol in map(nags.text, nags.MOVE_ORDER)},
            "lost": self.lost,
            "difficulty": self.closeness / judged if judged else None,
        }


class Survey:
    """Reads games one by one. swings: the largest loss by a move in each game, by the game's number."""

    def __init__(self) -> None:
        self.swings: dict[int, float] = {}
        self.players: dict[str, Player] = {}

    def add(self, number: int, raw: bytes) -> None:
        """Add a game; ignore an unreadable one."""
        source = SourceGame(number, raw)
        if source.fault is not None:
            return
        movetext = source.movetext
        judge, positions = of_comments(movetext, None), positions_of_comments(movetext)
        style = Style(x05=judge.white.x05, x05_black=judge.black.x05)
        found, phases = verdicts(movetext, positions, style), list(_phases(source))
        self.swings[number] = max((verdict.loss or 0.0 for verdict in found), default=0.0)
        for side, tag in enumerate(("White", "Black")):
            name = visible(movetext.tags.get(tag, "?"))
            player = self.players.setdefault(name, Player(name))
            player.games += 1
            own = [index for index in range(len(found)) if movetext.white_moves(index) == (side == 0)]
            for index in own:
                _count(player, found[index], positions[index], phases[index], style.x05_after(movetext, index))
            points = _POINTS.get(movetext.result)
            if points is not None and "FEN" not in movetext.tags:
                sans = [ply.san for ply in movetext.plies[:_TREE_PLIES]]
                lost = {index: found[index].loss or 0.0 for index in own}
                _grow(player.tree[side], sans, points if side == 0 else 1 - points, lost)

    def view(self) -> dict[str, object]:
        rows = sorted(self.players.values(), key=lambda player: (-player.games, player.name))
        return {"players": [player.view() for player in rows]}

    def openings(self, name: str) -> dict[str, object] | None:
        """Return the opening trees of a player; None for an unknown player."""
        player = self.players.get(name)
        return None if player is None else {"white": player.tree[0].view(), "black": player.tree[1].view()}


def _count(player: Player, verdict: Verdict, before: JudgedPosition, phase: str, x05: float) -> None:
    if verdict.move_nag:
        player.marks[nags.text(verdict.move_nag)] += 1
    if verdict.loss is None or before.best is None:
        return
    player.moves[phase] += 1
    player.lost[phase] += verdict.loss
    player.closeness += 0.0 if isinf(before.best.pawns) else weight(before.best.pawns, x05)


def _grow(tree: Opening, sans: list[str], points: float, lost: dict[int, float]) -> None:
    at = tree
    for index in range(len(sans) + 1):
        at.games += 1
        at.points += points
        at.lost += lost.get(index, 0.0)
        if index < len(sans):
            at = at.children.setdefault(sans[index], Opening())


def _phases(source: SourceGame) -> Iterator[str]:
    """Yield the phase of each move: by its number and, in chess, by the pieces on the board."""
    movetext = source.movetext
    board, played = replay.moves(movetext)
    for index, move in enumerate(played):
        pieces = _ENDGAME_PIECES + 1
        if isinstance(board, chess.Board):
            pieces = chess.popcount(board.knights | board.bishops | board.rooks | board.queens)
            replay.push(board, move)
        is_opening = movetext.number(index) <= _OPENING_MOVES
        yield PHASES[2] if pieces <= _ENDGAME_PIECES else PHASES[0] if is_opening else PHASES[1]
