"""King and one piece against a king, solved backwards: how often the piece wins, regardless of its suffixes."""

from __future__ import annotations

from functools import cache

import numpy as np

from standstill.engine.variants.definition import Definition, Piece, displacement

Leaper = tuple[tuple[int, int, int], ...]  # steps as (files, ranks, largest number of repetitions)
STEP, SLIDE = 7, 3  # rights of rays that move and capture: a single step, any number


def steps_of(piece: Piece) -> Leaper | None:
    """The steps of a piece that moves as it captures, without hops, bends and the like; None for other pieces."""
    found = []
    for ray in piece.rays:
        if ray.is_initial:
            continue
        if ray.bend or ray.rights not in (STEP, SLIDE):
            return None
        found.append((*displacement(ray.step), 1 if ray.rights == STEP else 99))
    return tuple(sorted(found))


@cache
def share_won(width: int, height: int, king: Leaper, man: Leaper) -> float:
    """The share of won positions among those in which the side with the piece is to move."""
    squares = width * height
    reach = [_targets(width, height, files, ranks) for files, ranks, _ in king]
    kings_meet = np.zeros((squares, squares), dtype=bool)
    for inside, target in reach:
        kings_meet[np.flatnonzero(inside), target[inside]] = True
    attacked = _attacked(width, height, man)
    # All arrays are indexed by the attacker's king, the piece and the other king.
    apart = ~np.eye(squares, dtype=bool)
    legal = apart[:, :, None] & (apart & ~kings_meet)[:, None, :] & apart[None, :, :]
    flights = []  # moves of the other king, which may take the unguarded piece and so draw
    for inside, target in reach:
        safe = inside & ~kings_meet[:, target][:, None, :] & ~attacked[:, :, target]
        flights.append((safe & apart[:, target][:, None, :], target))
    has_flight = np.logical_or.reduce([safe for safe, _ in flights])
    lost = mated = legal & attacked & ~has_flight
    won = np.zeros_like(legal)
    while True:
        before, won = won, np.zeros_like(legal)
        for inside, target in reach:
            won |= inside[:, None, None] & lost[target]
        for target in range(squares):
            free = attacked[:, :, target] & apart[:, target, None]
            won |= free[:, :, None] & lost[:, target][:, None, :]
        won &= legal & ~attacked
        if (won == before).all():
            return float(won.sum() / (legal & ~attacked).sum())
        lost = legal & has_flight
        for safe, target in flights:
            takes = ~apart[:, target]
            lost &= ~safe | won[:, :, target] & ~takes[None]
        lost |= mated


def _targets(width: int, height: int, files: int, ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """For each square: (whether the target is on the board, target or 0)."""
    square = np.arange(width * height)
    file, rank = square % width + files, square // width + ranks
    inside = (file >= 0) & (file < width) & (rank >= 0) & (rank < height)
    return inside, np.where(inside, rank * width + file, 0)


def _attacked(width: int, height: int, man: Leaper) -> np.ndarray:
    """Attacks by the attacker's king, the piece and the square. The other king does not block: it may flee along the
    ray."""
    squares = width * height
    found = np.zeros((squares, squares, squares), dtype=bool)
    for files, ranks, times in man:
        inside, target = _targets(width, height, files, ranks)
        for start in range(squares):
            free = np.ones(squares, dtype=bool)  # by the attacker's king: whether the ray goes on
            square = start
            for _ in range(times):
                if not inside[square]:
                    break
                square = int(target[square])
                found[free, start, square] = True
                free[square] = False
    return found


def lone_men(game: Definition) -> list[tuple[Piece, Leaper, Leaper]]:
    """(piece, its steps, its king's steps) for each piece that ``steps_of`` covers, if mate is the goal of the game."""
    kings = {steps_of(piece) for piece in game.pieces if piece.is_royal}
    king = kings.pop() if kings else None
    if king is None or kings:
        return []
    men = [piece for number, piece in enumerate(game.pieces, 1) if number > 2 and not piece.is_royal]
    return [(piece, steps, king) for piece in men if (steps := steps_of(piece))]
