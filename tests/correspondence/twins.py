"""Other histories of a played game that its server shows in the same way: proof that a bank cannot be inferred.

A twin has the moves of the game at the same instants, but other claims, and other refills of a player whose refills the
owner does not enter. If all answers of the server up to an instant are equal, and the banks differ, then no program can
tell which of the two is true.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise

import chess

from standstill.engine.clock.units import SECOND_MS
from standstill.engine.correspondence.servers.inference import KNOWN_MS
from tests.correspondence.played_server import CAP, DAY, Moment, PlayedGame, reward

LONGEST_CLAIM = 6 * DAY  # as in the played games
SHORTEST = 60  # s; shorter changes are not tried


@dataclass(frozen=True)
class Act:
    """One action of a turn. amount: the time that a refill moves from the bank to the clock. like: the true state at
    that instant."""

    at: int
    action: str
    amount: int
    like: Moment


@dataclass
class Twin:
    """Another history. since: the instant of its first other action. until: its last instant that the rules allow."""

    game: PlayedGame
    since: int
    until: int

    def equal(self, answers: dict[int, tuple[object, ...]]) -> Iterator[int]:
        """Yield the instants of fetches, given with their answers, until one of them would show another answer."""
        for at, answer in answers.items():
            if at >= self.since:
                if at > self.until or _answer(self.game, at) != answer:
                    return
                yield at


def turns_of(game: PlayedGame) -> list[list[Act]]:
    """Return the actions of each turn. A turn ends with its move; the last one may end otherwise."""
    turns: list[list[Act]] = [[]]
    for moment in game.moments[1:]:
        if moment.action not in {"", "wait"}:
            turns[-1].append(Act(moment.at, moment.action, moment.amount, moment))
        if moment.action == "move":
            turns.append([])
    return turns


def claimable_turns(game: PlayedGame) -> list[int]:
    """Return the numbers of the turns, counted from 0, in which the player to move can make a claim."""
    board, found = chess.Board(), []
    for ply, (san, _) in enumerate([*game.moves, ("", 0)]):
        if board.can_claim_draw() or len(board.piece_map()) <= 7:
            found.append(ply)
        if san:
            board.push_san(san)
    return found


def retold(game: PlayedGame, turns: Sequence[Sequence[Act]], own: int | None, before: Sequence[Moment] = ()) -> Twin:
    """Apply the rules to other actions, as far as they allow them.

    own: the side whose refills must stay as they are. before: the moments before the first of these turns.
    """
    twin = copy(game)
    twin.moments = [*before] or [game.moments[0]]
    until = game.now.at
    for act in (act for turn in turns for act in turn):
        side, now = twin.now.ply % 2, twin.now.later(act.at)
        room = min(CAP - now.clocks[side], now.banks[side])
        spare = 0 if side == own else 60  # a refill up to 50 days is a few seconds smaller after a later move
        if act.action in {"flag", "end"} or now.clocks[side] <= 0 or act.amount > room + spare:
            until = act.at - 1
            break
        moment = twin.add(act.at, act.action, names=act.like.names, offered=act.like.offered)
        moment.amount = min(act.amount, room)
        moment.clocks[side] += moment.amount
        moment.banks[side] -= moment.amount
        if act.action == "claim":
            moment.running, moment.pending = None, act.like.pending
        elif act.action == "rejected":
            moment.running, moment.pending = side, False
        elif act.action == "move":
            moment.running, moment.ply = 1 - side, twin.now.ply + (twin.moments[-2].ply == twin.now.ply)
            reward(game.manner, moment, side)
    twin.instants = [moment.at for moment in twin.moments]
    return Twin(twin, twin.moments[max(0, len(before) - 1)].at, until)


def other_turns(game: PlayedGame, turn: list[Act], began: int, seen: list[int]) -> Iterator[list[Act]]:
    """Yield other actions of a turn in which a claim is possible. began: its first instant. seen: those of fetches."""
    if not turn or turn[-1].action != "move":
        return
    move = turn[-1]
    # In the twin the player thought for less time, and made a claim just before the move.
    last = max(began, turn[-2].at if len(turn) > 1 else 0, seen[bisect_left(seen, move.at) - 1])
    if (took := min(move.at - last - 2, LONGEST_CLAIM)) > SHORTEST:
        yield [*turn[:-1], *_claim(game, move.at - took, move.at), move]
    for index, act in enumerate(turn):
        before, after = turn[:index], turn[index + 1 :]
        if act.action == "claim" and after[0].action == "rejected":
            ended = after[0].at
            # In the twin the decision came earlier, and the player thought for longer.
            first = max(act.at, seen[bisect_right(seen, ended) - 1]) + 1
            for at in {first, (first + ended) // 2}:
                if at < ended - SHORTEST:
                    yield [*before, act, Act(at, "rejected", 0, game.at(at)), *after[1:]]
            # In the twin the player made no claim, but refills before each fetch.
            stops = [act.at, *seen[bisect_right(seen, act.at) : bisect_left(seen, ended)], ended]
            yield [*before, *(Act(b, "refill", b - a, game.at(b)) for a, b in pairwise(stops)),
                   *after[1:]]  # fmt: skip
        elif act.action == "refill":
            # In the twin the refill was smaller, and a claim stopped the clock before it.
            last = max(began, before[-1].at if before else 0, seen[bisect_left(seen, act.at) - 1])
            if (took := min(act.at - last - 2, act.amount, LONGEST_CLAIM)) > SHORTEST:
                rest = [Act(act.at, "refill", act.amount - took, act.like)] if act.amount > took else []
                yield [*before, *_claim(game, act.at - took, act.at), *rest, *after]


def _claim(game: PlayedGame, at: int, ended: int) -> list[Act]:
    return [Act(at, "claim", 0, game.at(at)), Act(ended, "rejected", 0, game.at(ended))]


def twins(game: PlayedGame, answers: dict[int, tuple[object, ...]], *, enters: bool) -> Iterator[Twin]:
    """Yield other histories. answers: the answers to all fetches, by their instants, in order.

    enters: whether the owner enters all moves, refills and claims, so that they are known.
    """
    own, seen = game.manner.own_side if enters else None, list(answers)
    for turns in (turns_of(game), *(shifted(game, seen, side, enters=enters) for side in (0, 1))):
        base = retold(game, turns, own)
        yield base
        last = max(base.equal(answers), default=0)
        moments = base.game.moments
        ends = [0, *(at for at, moment in enumerate(moments) if moment.action == "move")]
        for ply in claimable_turns(game):
            if ply < min(len(turns), len(ends)) and ply % 2 != own and moments[ends[ply]].at <= last:
                before = moments[: ends[ply] + 1]
                for other in other_turns(game, turns[ply], before[-1].at, [0, *seen]):
                    yield retold(game, [other, *turns[ply + 1 :]], own, before)


def shifted(game: PlayedGame, seen: list[int], side: int, *, enters: bool) -> list[list[Act]]:
    """Return the turns with other seconds in stamps in minutes, so that this side uses as little time as possible."""
    turns = turns_of(game)
    if game.manner.stamps != "minutes":
        return turns
    own = game.manner.own_side if enters else None
    for ply, turn in enumerate(turns):
        if turn and turn[-1].action == "move" and ply % 2 != own:
            following = turns[ply + 1] if ply + 1 < len(turns) else []
            before = turn[-2].at if len(turn) > 1 else turns[ply - 1][-1].at if ply else game.start
            _shift(game, seen, turn, following, before + 1, ply % 2 == side, (ply + 1) % 2 != own)
    return turns


def _shift(
    game: PlayedGame, seen: list[int], turn: list[Act], following: list[Act], first: int, early: bool, refills: bool
) -> None:
    """Move the last move of a turn to the first or last second that its stamp and the server's clocks allow.

    refills: whether the next player may have refilled seconds, so that his clock hides an earlier move.
    """
    at, ply = turn[-1].at, turn[-1].like.ply
    index = bisect_left(seen, at)
    least = max(at // 60 * 60, first, seen[index - 1] + 1 if index else 0)
    most = min(at // 60 * 60 + 59, following[0].at - 1 if following else at)
    sure = least
    # The next player's clock, which starts with this move, must show the same minutes to each fetch.
    for fetched in seen[index:]:
        moment = game.at(fetched)
        if moment.ply > ply:
            break
        past = moment.clocks[ply % 2] % 60
        most, sure = min(most, fetched, at + 59 - past), max(sure, at - past)
    if least > most:
        return
    hidden = sure - least if early and index < len(seen) else 0
    if hidden > 0 and refills and following and at < seen[index] - 60 and seen[index] < following[0].at:
        following.insert(0, Act(seen[index], "refill", hidden, game.at(seen[index])))
    else:
        least = min(sure, most)
    turn[-1] = replace(turn[-1], at=least if early else most)


def undecidable(game: PlayedGame, seen: Sequence[int], *, enters: bool) -> dict[tuple[int, int], tuple[Twin, Twin]]:
    """Return the (instant, side) of all fetches at which a bank cannot be known.

    The proof of each is two histories with equal answers until then, and banks that differ by more than the limits of a
    known bank may.
    """
    answers = {at: _answer(game, at) for at in sorted(set(seen))}
    least: dict[tuple[int, int], tuple[int, Twin]] = {}
    most: dict[tuple[int, int], tuple[int, Twin]] = {}
    for twin in twins(game, answers, enters=enters):
        for at in twin.equal(answers):
            for side, bank in enumerate(twin.game.at(at).banks):
                key = at, side
                if key not in least or bank < least[key][0]:
                    least[key] = bank, twin
                if key not in most or bank > most[key][0]:
                    most[key] = bank, twin
    return {key: (low[1], most[key][1]) for key, low in least.items() if (most[key][0] - low[0]) * SECOND_MS > KNOWN_MS}


def _answer(game: PlayedGame, at: int) -> tuple[object, ...]:
    """Return everything that the server shows of a game, apart from the text of the moves, which depends on ``ply``."""
    moment = game.at(at)
    own = moment.running == game.manner.own_side
    minutes = [clock // 60 for clock in moment.clocks]
    return moment.ply, moment.names, moment.pending, moment.result, own, moment.offered and own, *minutes
