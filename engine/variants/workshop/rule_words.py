"""The rules of a game in words, for readers who do not know the lines that state them."""

from __future__ import annotations

from collections.abc import Callable

from standstill.cext.base.constants import BLACK, WHITE

from ..definition import Definition
from ..extra_rules import BOTH, EVERYTHING, Drop, ExtraRules, Zone, halves_text

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def in_words(game: Definition) -> list[tuple[str, str]]:
    """Return (words, the line that states the rule or "") for promotions and for each of the game's own rules."""
    found = [(words, "") for words in (*_promotions(game), *_rules_by_value(game))]
    many = {
        "drop": iter([_drop(drop) for drop in game.extra.drops]),
        "zone": iter([_zone(zone) for zone in game.extra.zones]),
        "within": iter([_within(zone) for zone in game.extra.within]),
    }
    for line in game.law_lines():
        name = line.split()[1]
        found.append((next(many[name]) if name in many else _BY_NAME[name](game.extra), line))
    return found


def _promotions(game: Definition) -> list[str]:
    """Return a line for each side about the promotions of its pawns; empty without promotion."""
    lines = []
    for colour, name in ((WHITE, "White"), (BLACK, "Black")):
        if not game.has_pawns(colour):
            continue
        rank, last = game.promotion_rank + 1, game.height
        if colour == BLACK:
            rank, last = last + 1 - rank, 1
        if game.promotes_by_file:
            by_file = (game.promotions(colour, file)[0] for file in range(game.width))
            kinds = "by file " + " ".join(game.piece(number).letter.upper() if number else "-" for number in by_file)
        else:
            first, *others = game.promotions(colour, 0) or (0,)
            if not first:
                continue
            kinds = game.piece(first).letter.upper()
            kinds += " or ".join(["", *(game.piece(number).letter.upper() for number in others)]) or " only"
        # Fairy-Max's format has one promotion rank, on which promotion is compulsory.
        is_free = game.extra.promotion and rank != last
        where = f"may promote from rank {rank} on, and must on rank {last}" if is_free else f"promote on rank {rank}"
        lines.append(f"{name}'s pawns {where}: {kinds}")
    return lines


def _rules_by_value(game: Definition) -> list[str]:
    """Return the rules that follow from the value -2 of piece 3 or piece 9."""
    hill = ["A royal piece wins by reaching one of the four squares in the middle."] * game.has_hill
    by_number = game.stalemate_loses and not game.extra.stalemate
    return hill + ["A side without a legal move loses."] * by_number


def _kinds(letters: str) -> str:
    letters = letters.upper()
    return f"{', '.join(letters[:-1])} and {letters[-1]}" if len(letters) > 1 else letters


def _ranks(first: int, last: int) -> str:
    return f"rank {first}" if first == last else f"ranks {first} to {last}"


def _castling(laws: ExtraRules) -> str:
    parts = [f"The castling partner is the outermost {laws.castling.upper()} of the rank."] * bool(laws.castling)
    parts += ["A castling piece that is not royal may pass attacked squares."] * laws.free_castling
    return " ".join(parts)


def _promotion(laws: ExtraRules) -> str:
    parts = [f"may promote from rank {laws.promotion} on"] * (laws.promotion > 0)
    parts += ["become only pieces that their side has lost"] * laws.limited
    parts += ["become only pieces of their own army"] * laws.own
    return f"Pawns {' and '.join(parts)}."


def _goal(laws: ExtraRules) -> str:
    sides = zip(laws.goals, ("White", "Black"), strict=True)
    wins = [f"rank {rank} for {side}" for rank, side in sides if rank]
    if laws.goals[0] == laws.goals[1]:
        wins = [f"rank {laws.goals[0]}"]
    reply = " If Black's reaches its rank directly after White's, the game is drawn." if laws.reply else ""
    return f"A royal piece wins by reaching {' and '.join(wins)}.{reply}"


def _extinct(laws: ExtraRules) -> str:
    result = "wins" if laws.extinct_wins else "loses"
    left = "no" if not laws.extinct_at else f"at most {laws.extinct_at}"
    what = f"{left} {'piece' if laws.extinct_at == 1 else 'pieces'}"
    if laws.extinct == EVERYTHING:
        return f"A side with {what} left {result}."
    of = (
        f" of one of the kinds {', '.join(laws.extinct.upper())}"
        if len(laws.extinct) > 1
        else f" {laws.extinct.upper()}"
    )
    return f"A side with {what}{of} left {result}."


def _stalemate(laws: ExtraRules) -> str:
    if laws.stalemate == "fewer":
        return "If a side has no legal move, the side with fewer pieces wins."
    return f"A side without a legal move {laws.stalemate}s."


def _hand(laws: ExtraRules) -> str:
    promoted = (
        "A captured promoted piece becomes what it was" if laws.hand == "turn" else "Promoted pieces stay promoted"
    )
    return f"Captured pieces change sides, and a move may drop one on an empty square. {promoted}."


def _drop(drop: Drop) -> str:
    single = ", not on a file with another one of the side" * drop.single
    single += ", not on a file with two others of the side" * drop.double
    mate = ", and not with mate" * drop.no_mate
    form = ", also as its promoted form" * drop.either
    return f"{_kinds(drop.letters)} may be dropped only on {_ranks(drop.first, drop.last)}{single}{mate}{form}."


def _gate(laws: ExtraRules) -> str:
    letters = " and ".join(laws.gate.upper())
    where = "A piece's first move from the back rank may put one on the square that it leaves"
    return f"Each side starts with {letters} in hand. {where}; in castling, on the king's or the rook's square."


def _bare(laws: ExtraRules) -> str:
    if laws.bare == "draw":
        return "The game is drawn when a side has only its king left."
    reply = ", unless its next move leaves the opponent with only the king, too; then the game is drawn"
    return f"A side with only its king left loses{reply * (laws.bare != 'lose')}."


def _explosion(laws: ExtraRules) -> str:
    spared = f", except {_kinds(laws.spared)}" if laws.spared else ""
    return f"A capture also removes the capturing piece and the pieces around the square{spared}."


def _zone(zone: Zone) -> str:
    own = "their own side" if len(zone.letters) > 1 else "its own side"
    return f"{_kinds(zone.letters)} may not leave {', '.join(zone.areas)}, seen from {own}."


def _within(zone: Zone) -> str:
    own, moves = ("their own side", "move") if len(zone.letters) > 1 else ("its own side", "moves")
    where = f"On {', '.join(zone.areas)}, seen from {own}"
    return f"{where}, {_kinds(zone.letters)} also {moves} {' '.join(zone.moves)}."


def _immune(laws: ExtraRules) -> str:
    do, own = ("do", "their") if len(laws.immune) > 1 else ("does", "its")
    return f"{_kinds(laws.immune)} {do} not capture pieces with {own} own letter."


def _forms(laws: ExtraRules) -> str:
    pairs = ", ".join(f"{piece.upper()} to {form.upper()}" for piece, form in laws.forms)
    where = "rank" if laws.form_ranks == 1 else f"{laws.form_ranks} ranks"
    what, may = "Captures" if laws.takes_to_change else "Moves", "must" if laws.must_change else "may"
    back = ", and turn these back" * laws.turns_back
    return f"{what} into, within or out of the last {where} {may} promote {pairs}{back}."


def _repetition(laws: ExtraRules) -> str:
    movers = {"": "the game is drawn", "win": "the side that repeated it wins"}
    movers |= {"lose": "the side that repeated it loses"}
    result = movers.get(laws.recurrence_wins, f"{laws.recurrence_wins.capitalize()} wins")
    return f"When a position occurs for the {_ORDINALS[laws.recurrences - 1]} time, {result}."


def _pass(laws: ExtraRules) -> str:
    who = "A side" if laws.passes == BOTH else laws.passes.capitalize()
    return f"{who} may pass if it is not in check. Two passes in a row end the game."


def _points(laws: ExtraRules) -> str:
    pieces = ", ".join(f"{letter.upper()} {halves_text(halves)}" for letter, halves in laws.points)
    more = f"Black has {halves_text(laws.second_points or 0)} more"
    return f"Games without another winner are decided by points: {f'{pieces}; ' * bool(pieces)}{more}."


_BY_NAME: dict[str, Callable[[ExtraRules], str]] = {
    "choice": lambda _: "Pawns may promote to any piece.",
    "start": lambda _: "The start position is written out.",
    "pawns": lambda laws: f"Pawns make their first moves from {_ranks(*laws.homes)}, even if they have moved before.",
    "castling": _castling,
    "promotion": _promotion,
    "goal": _goal,
    "checks": lambda laws: f"The {_ORDINALS[laws.checks - 1]} check wins.",
    "nocheck": lambda _: "A move may not give check.",
    "capture": lambda _: "A side that can capture must capture.",
    "extinct": _extinct,
    "stalemate": _stalemate,
    "mate": lambda _: "The mated side wins.",
    "leap": lambda laws: f"A royal piece loses its first move once {laws.leap.upper()} stands on its file or rank.",
    "counting": lambda laws: f"Moves are counted as in {laws.counting}, instead of the 50-move rule.",
    "hand": _hand,
    "gate": _gate,
    "bare": _bare,
    "explosion": _explosion,
    "flying": lambda _: "Royal pieces attack each other along an open file.",
    "mirror": lambda laws: f"The moves of {_kinds(laws.mirror)} are mirrored for Black.",
    "promote": _forms,
    "repetition": _repetition,
    "perpetual": lambda _: "A side that gives check with every move between repeated positions loses.",
    "immune": _immune,
    "barrier": lambda laws: f"No piece hops over {_kinds(laws.barrier)}.",
    "pass": _pass,
    "bikjang": lambda _: (
        "If royal pieces face each other, the side to move separates them, or ends the game by a pass."
    ),
    "points": _points,
    "endless": lambda _: "The 50-move rule does not apply.",
    "alias": lambda laws: f"Positions may write {', '.join(f'{b.upper()} as {a.upper()}' for a, b in laws.aliases)}.",
}
