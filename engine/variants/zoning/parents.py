"""The parents of games: the games of XBoard whose pawns and other rules are those of a definition."""

from __future__ import annotations

from dataclasses import replace

from ..definition import BLACK_PAWN, MOVES, WHITE_PAWN, Definition, Ray, displacement
from ..extra_rules import NO_LAWS

BARING, GATING = "shatranj", "seirawan"
_PLAIN = "fairy"
_EARLY_RANK = 3


def natural_parent(game: Definition) -> str:
    """Return the XBoard game whose rules are most like those of this game.

    If a pawn moves to another file without capturing, XBoard removes a piece beside it, as after en passant, except in
    Berolina and if the pawn is a lance in Spartan chess.
    """
    if promotes_early(game):
        return "makruk"
    pawns = (WHITE_PAWN, BLACK_PAWN)
    if not any(strays(game, number) for number in pawns):
        return BARING if _bares(game) else GATING if _gates(game) else _PLAIN
    is_straight = any(_goes_straight(ray) for number in pawns for ray in _quiet(game, number))
    return "spartan" if is_straight else "berolina"


def xboard_can_play(game: Definition) -> bool:
    """Return whether the parent has all rules of the game that XBoard does not learn from a set-up."""
    parent = game.parent or natural_parent(game)
    return not game.extra.are_beyond_xboard or parent == natural_parent(game) in (BARING, GATING)


def _bares(game: Definition) -> bool:
    """Return whether a bare king loses as in XBoard's shatranj, where kings do not castle."""
    laws = game.extra
    castles = any(piece.castles() for piece in game.pieces)
    others = replace(laws, bare="", stalemate="")
    return laws.bare == "lose reply" and game.stalemate_loses and not castles and not others.are_beyond_xboard


def _gates(game: Definition) -> bool:
    """Return whether pieces enter as in XBoard's seirawan, with a place beside the board for each kind of piece."""
    return bool(game.extra.gate) and replace(game.extra, gate="") == NO_LAWS and len(game.pieces) - 2 <= game.height


def strays(game: Definition, number: int) -> bool:
    """Return whether the pawn moves to another file without capturing."""
    return not all(map(_goes_straight, _quiet(game, number)))


def promotes_early(game: Definition) -> bool:
    """Return whether pawns promote on the third-last rank, which XBoard allows only in games derived from Makruk."""
    return game.height - game.promotion_rank == _EARLY_RANK


def _quiet(game: Definition, number: int) -> list[Ray]:
    """Return the rays along which a pawn moves to empty squares."""
    return [ray for ray in game.piece(number).rays if (ray.mode | ray.toggle) & MOVES]


def _goes_straight(ray: Ray) -> bool:
    return displacement(ray.step)[0] == 0
