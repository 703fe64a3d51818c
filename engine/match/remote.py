"""Games that another process plays for a match whose file is in this process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import chess

from .play import Played, play_game
from .player import EnginePlayer
from .referee import Kind, MatchRules
from .setup import Opening, Pairing, TimeControl


class Plan(Protocol):
    """The part of a match's plan that one game needs."""

    @property
    def control(self) -> TimeControl: ...
    @property
    def openings(self) -> tuple[Opening, ...]: ...
    @property
    def rules(self) -> MatchRules: ...
    @property
    def kind(self) -> Kind: ...
    def players(self) -> list[EnginePlayer]:
        """The players, whose processes are not started yet."""
        ...


@dataclass(frozen=True, slots=True)
class RemoteGame:
    """A played game as plain values, because boards cannot be pickled. For the other fields see ``Played``."""

    texts: tuple[str, ...]  # all moves, in coordinates
    result: str
    termination: str
    fault: bool | None
    comments: list[str]
    options: dict[bool, dict[str, str]]

    def brought_home(self, plan: Plan, pairing: Pairing) -> Played:
        """The game as if played here. Replays every move, which detects illegal ones."""
        game = plan.kind.begin(replace(plan.openings[pairing.opening], moves=self.texts), plan.rules)
        game.end()  # so that tables are probed for the last position
        return Played(game, self.result, self.termination, self.fault, self.comments, self.options)


def play_remote(plan: Plan, pairing: Pairing) -> RemoteGame:
    """Play a game with newly started engines, which end after it."""
    players = plan.players()
    try:
        sides = {chess.WHITE: players[pairing.white], chess.BLACK: players[pairing.black]}
        played = play_game(sides, plan.kind.begin(plan.openings[pairing.opening], plan.rules), plan.control, plan.rules)
    finally:
        for player in players:
            player.stop()
    return RemoteGame(
        *(played.game.texts, played.result, played.termination, played.fault), played.comments, played.options
    )
