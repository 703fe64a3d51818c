"""Games that another process plays, for a match whose file is here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import chess

from .play import Played, play_game
from .player import EnginePlayer
from .referee import Kind, MatchRules
from .setup import Opening, Pairing, TimeControl


class Plan(Protocol):
    """What a game needs of the plan of its match."""

    @property
    def control(self) -> TimeControl: ...
    @property
    def openings(self) -> tuple[Opening, ...]: ...
    @property
    def rules(self) -> MatchRules: ...
    @property
    def kind(self) -> Kind: ...
    def players(self) -> list[EnginePlayer]:
        """A process for each engine, not started yet."""


@dataclass(frozen=True, slots=True)
class RemoteGame:
    """What crosses the wire of a game: plain values, as boards cannot travel. For the rest see ``Played``."""

    texts: tuple[str, ...]  # all moves, in coordinates
    result: str
    termination: str
    fault: bool | None
    comments: list[str]
    options: dict[bool, dict[str, str]]

    def brought_home(self, plan: Plan, pairing: Pairing) -> Played:
        """The game as if it had been played here. Every move is made again, so an illegal one is noticed."""
        game = plan.kind.begin(replace(plan.openings[pairing.opening], moves=self.texts), plan.rules)
        game.end()  # it finds what tables say about the last position
        return Played(game, self.result, self.termination, self.fault, self.comments, self.options)


def play_remote(plan: Plan, pairing: Pairing) -> RemoteGame:
    """Play a game with engines of its own, which are gone afterwards."""
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
