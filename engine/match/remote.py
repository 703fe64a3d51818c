"""Games that another process plays for a match. The match's file belongs to this process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import chess

from .play import Played, play_game
from .player import EnginePlayer
from .referee import Kind, MatchRules
from .setup import Opening, Pairing, TimeControl


class Plan(Protocol):
    """The part of a match's plan that one game requires."""

    @property
    def control(self) -> TimeControl: ...
    @property
    def openings(self) -> tuple[Opening, ...]: ...
    @property
    def rules(self) -> MatchRules: ...
    @property
    def kind(self) -> Kind: ...
    def game_options(self, pairing: Pairing) -> dict[str, str]:
        """Return the options of one game, for engines that have them."""
        ...

    def players(self) -> list[EnginePlayer]:
        """Create the players. The processes of the engines are not started yet."""
        ...


@dataclass(frozen=True, slots=True)
class RemoteGame:
    """A played game as plain values, because boards cannot be pickled. It has the other fields of ``Played``."""

    texts: tuple[str, ...]  # all moves, as coordinates
    result: str
    termination: str
    fault: bool | None
    comments: list[str]
    options: dict[bool, dict[str, str]]

    def brought_home(self, plan: Plan, pairing: Pairing) -> Played:
        """Return the game as if it had been played here. Every move is replayed, so that illegal moves are detected."""
        game = plan.kind.begin(replace(plan.openings[pairing.opening], moves=self.texts), plan.rules)
        game.end()  # probes tables for the last position
        return Played(game, self.result, self.termination, self.fault, self.comments, self.options)


def play_remote(plan: Plan, pairing: Pairing) -> RemoteGame:
    """Play a game with newly started engines, which end after it."""
    players = plan.players()
    try:
        sides = {chess.WHITE: players[pairing.white], chess.BLACK: players[pairing.black]}
        game = plan.kind.begin(plan.openings[pairing.opening], plan.rules)
        played = play_game(sides, game, plan.control, plan.rules, plan.game_options(pairing))
    finally:
        for player in players:
            player.stop()
    return RemoteGame(
        *(played.game.texts, played.result, played.termination, played.fault), played.comments, played.options
    )
