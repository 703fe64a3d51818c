"""Summarises the findings of a run in figures, for the terminal and for each game of a report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..common.text import plural, visible
from ..relevance import nags
from .run import Annotated

_MOST = 10  # largest number of players, sources or game numbers in a list


@dataclass(slots=True)
class PlayerSummary:
    """The figures of one player."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)  # number of moves by symbol
    moves: int = 0  # number of judged moves
    loss: float = 0.0  # the sum of the losses, in shares of the total area

    @property
    def mean_loss(self) -> float:
        return self.loss / self.moves if self.moves else 0.0

    def add(self, other: PlayerSummary) -> None:
        self.counts += other.counts
        self.moves += other.moves
        self.loss += other.loss


def players_of(found: Annotated) -> list[PlayerSummary]:
    """Return the figures of White and Black in one game."""
    movetext = found.game.movetext
    players = []
    for side, white in (("White", True), ("Black", False)):
        player = PlayerSummary(movetext.tags.get(side, side))
        for index, verdict in enumerate(found.verdicts):
            if movetext.white_moves(index) != white:
                continue
            if verdict.move_nag:
                player.counts[nags.text(verdict.move_nag)] += 1
            if verdict.loss is not None:
                player.moves += 1
                player.loss += verdict.loss
        players.append(player)
    return players


class Summary:
    """Counts the findings in games with moves."""

    def __init__(self) -> None:
        self._games = self._plies = self._evaluated = self._judged = 0
        self._positions: Counter[str] = Counter()
        self._players: dict[str, PlayerSummary] = {}
        self._attributions: Counter[tuple[str, str]] = Counter()
        self._bare: list[int] = []  # numbers of games without evaluations

    def add(self, found: Annotated) -> None:
        evaluated = sum(verdict.evaluation is not None for verdict in found.verdicts)
        self._games += 1
        self._plies += len(found.verdicts)
        if not evaluated:
            self._bare.append(found.game.number)
            return
        self._evaluated += evaluated
        self._judged += sum(verdict.loss is not None for verdict in found.verdicts)
        numbers = (verdict.position_nag for verdict in found.verdicts)
        self._positions.update(nags.ascii_text(nag) for nag in numbers if nag)
        self._attributions[found.attribution.text(), found.attribution.reason()] += 1
        for player in players_of(found):
            self._players.setdefault(player.name, PlayerSummary(player.name)).add(player)

    def lines(self) -> list[str]:
        """Return the summary as lines; empty if no game has moves."""
        if not self._games:
            return []
        lines = [f"games: {self._games}, moves: {self._plies}, evaluated: {self._evaluated}, judged: {self._judged}"]
        for (attribution, reason), count in self._attributions.most_common(_MOST):
            games = f"{count} {plural(count, 'game')}: " if len(self._attributions) > 1 else ""
            lines.append(f"by {games}{attribution} ({reason})")
        if self._bare:
            lines.append(self._without_evaluations())
        if self._positions:
            order = map(nags.ascii_text, nags.POSITION_ORDER)
            lines.append("positions: " + counted(self._positions, order))
        return lines + self._player_lines()

    def _without_evaluations(self) -> str:
        if len(self._bare) == self._games:
            return "no game has evaluations: no moves are judged"
        numbers = ", ".join(map(str, self._bare[:_MOST])) + (", ..." if len(self._bare) > _MOST else "")
        return f"without evaluations, not judged: {len(self._bare)} {plural(len(self._bare), 'game')} ({numbers})"

    def _player_lines(self) -> list[str]:
        judged = sorted((player for player in self._players.values() if player.moves), key=lambda player: -player.moves)
        lines = []
        for player in judged[:_MOST]:
            signs = counted(player.counts, map(nags.text, nags.MOVE_ORDER)) or "no symbols"
            kept = 100 * (1 - player.mean_loss)
            moves = f"{player.moves} {plural(player.moves, 'move')}"
            lines.append(f"{visible(player.name)}: {moves}, {signs}; kept {kept:.1f} %")
        if len(judged) > _MOST:
            others = len(judged) - _MOST
            lines.append(f"and {others} other {plural(others, 'player')}")
        return lines


def counted(counts: Counter[str], order: map[str]) -> str:
    """Write the counts that are not zero, ``!! 1, ?! 4``, in the given order."""
    return ", ".join(f"{symbol} {counts[symbol]}" for symbol in order if counts[symbol])
