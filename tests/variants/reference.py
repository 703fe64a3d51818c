"""A second implementation of the rules of definitions: slow, square by square, capturing royals instead of testing for
check.

It is written from the description of the format, not from the core. It walks rays each time, and a move is legal if no
reply captures a piece that must not be lost.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from standstill.engine.variants.definition import Definition, displacement, turned

WHITE, BLACK = 0, 1


@dataclass(frozen=True)
class Move:
    start: tuple[int, int]
    target: tuple[int, int]
    promotion: int = 0
    gate: int = 0
    gate_at: tuple[int, int] | None = None
    partner: tuple[int, int] | None = None  # the partner's square in castling
    takes: tuple[int, int] | None = None
    passed: tuple[tuple[int, int], ...] = ()  # squares on which the moved pawn can be captured en passant


@dataclass
class State:
    game: Definition
    men: dict[tuple[int, int], tuple[int, int]]  # (file, rank) -> (colour, piece number)
    virgin: set[tuple[int, int]]
    stm: int = WHITE
    passed: tuple[tuple[int, int], ...] = ()
    passer: tuple[int, int] | None = None
    hand: dict[int, set[int]] = field(default_factory=lambda: {WHITE: set(), BLACK: set()})


def start(game: Definition) -> State:
    men = {}
    for sq, man in enumerate(game.start):
        if man:
            men[sq % game.width, sq // game.width] = (man >> 4, man & 15)
    hands = {colour: set(game.gates(colour)) for colour in (WHITE, BLACK)}
    return State(game, men, set(men), hand=hands)


def shift(
    game: Definition, at: tuple[int, int], step: int, cylinder: bool, inside: set[tuple[int, int]] | None = None
) -> tuple[int, int] | None:
    right, up = displacement(step)
    file, rank = at[0] + right, at[1] + up
    if cylinder and not 0 <= file < game.width:
        file += game.width if file < 0 else -game.width
    on_board = 0 <= file < game.width and 0 <= rank < game.height
    return (file, rank) if on_board and (inside is None or (file, rank) in inside) else None


def squares_in(game: Definition, areas: tuple[str, ...], colour: int) -> set[tuple[int, int]]:
    """The squares of words such as d1-f3, from a side's point of view."""
    found = set()
    for area in areas:
        first, last = (area.split("-") * 2)[:2]
        for file in range(ord(first[0]) - ord("a"), ord(last[0]) - ord("a") + 1):
            for rank in range(int(first[1:]) - 1, int(last[1:])):
                found.add((file, rank if colour == WHITE else game.height - 1 - rank))
    return found


def named(game: Definition, zones: tuple, number: int) -> list[int]:
    """The places of the lines that concern a piece."""
    letter = game.piece(number).letter.lower()
    return [place for place, zone in enumerate(zones) if letter in zone.letters.lower()]


def rays(game: Definition, colour: int, number: int, at: tuple[int, int]) -> list[tuple]:
    """The rays of a piece on this square, each with the squares that it may touch."""
    found = [(ray, None) for ray in game.piece(number).rays]
    for place in named(game, game.extra.within, number):
        inside = squares_in(game, game.extra.within[place].areas, colour)
        own = [turned(ray) if colour == BLACK else ray for ray in game.within[place]]
        found += [(ray, inside) for ray in own if at in inside]
    return found


def walk(state: State, at: tuple[int, int], attacked: tuple[int, int] | None = None) -> set[tuple]:
    """(target, square of the captured piece or None, squares passed) for one piece. ``attacked`` counts as enemy."""
    game, (colour, number) = state.game, state.men[at]
    found = walk_anywhere(state, at, attacked)
    for place in named(game, game.extra.zones, number):
        zone = squares_in(game, game.extra.zones[place].areas, colour)
        found = {move for move in found if move[0] in zone}
    return found


def walk_anywhere(state: State, at: tuple[int, int], attacked: tuple[int, int] | None = None) -> set[tuple]:
    """``walk`` without zones."""
    game, (colour, number) = state.game, state.men[at]
    found = set()
    pawn = number <= 2
    for place, (ray, inside) in enumerate(rays(game, colour, number, at)):
        cylinder = bool(ray.extra & 1)
        if ray.mode == 4:
            found |= walk_initial(state, at, ray, place, attacked)
            continue
        if ray.extra & 2:
            found |= walk_multi(state, at, ray, attacked)
            continue
        here, step, mode, count = at, ray.step, ray.mode, ray.extra >> 2
        for _ in range(40):
            before = here
            here = shift(game, here, step, cylinder, inside)
            if here is None:
                break
            man = state.men.get(here)
            square = here if man else None
            if pawn and mode & 1 and here in state.passed and man is None:
                man, square = state.men[state.passer], state.passer
            if here == attacked:
                man, square = (colour ^ 1, 0), here
            if (man is None and mode & 2) or (man and mode & 1):
                if man and man[0] == colour:
                    break
                found.add((here, square, ()))
            hops = mode & 8 and man and (not ray.extra & 8 or man[0] == colour)
            if mode & 4 and not hops:
                break
            if hops:
                mode ^= ray.toggle
                step = ray.second
                if ray.extra & 4:
                    here = before
                continue
            if not ray.toggle & 8:
                if count == 0:
                    step, mode = ray.second, mode ^ ray.toggle
                count -= 1
            if man:
                break
    return found


def walk_multi(state: State, at, ray, attacked) -> set[tuple]:
    colour = state.men[at][0]
    whole, twice = displacement(ray.step), displacement(ray.bend)
    once = (whole[0] - 2 * twice[0], whole[1] - 2 * twice[1])
    for order in ((twice, twice, once), (twice, once, twice), (once, twice, twice)):
        here, free = at, True
        for leg, (right, up) in enumerate(order):
            here = (here[0] + right, here[1] + up)
            if not (0 <= here[0] < state.game.width and 0 <= here[1] < state.game.height):
                free = False
                break
            if leg < 2 and (here in state.men or here == attacked):
                free = False
                break
        if free:
            man = state.men.get(here)
            if here == attacked:
                return {(here, here, ())}
            if man is None and ray.mode & 2:
                return {(here, None, ())}
            if man and man[0] != colour and ray.mode & 1:
                return {(here, here, ())}
            return set()
    return set()


def walk_initial(state: State, at, ray, place: int, attacked) -> set[tuple]:
    game, (colour, number) = state.game, state.men[at]
    pawn = number <= 2
    own_rank = at[1] if number == 1 else game.height - 1 - at[1]
    delay = ray.extra >> 2
    if not pawn and ray.toggle == 3:
        return set()  # castling rays do not move by themselves
    both = False
    if delay == 3:
        if at in state.virgin:
            delay = 1
        elif pawn and own_rank == 2:
            delay = 0
        else:
            return set()
    elif at not in state.virgin:
        return set()
    if delay == 1 and place == 0 and game.height == 10 and at in state.virgin:
        both = True
    skipped, here = [], at
    for _ in range(delay + 1):
        here = shift(game, here, ray.step, bool(ray.extra & 1))
        if here is None:
            return set()
        if (here in state.men or here == attacked) and not ray.toggle & 8:
            return set()
        skipped.append(here)
    here = shift(game, here, ray.second, bool(ray.extra & 1))
    if here is None:
        return set()
    man = state.men.get(here)
    if here == attacked:
        return {(here, here, ())} if ray.toggle & 1 else set()
    if man:
        return {(here, here, ())} if ray.toggle & 1 and man[0] != colour else set()
    if not ray.toggle & 2:
        return set()
    passed = ()
    if pawn and not ray.toggle & 4 and not ray.toggle & 1:
        passed = (skipped[-1], skipped[-2]) if both else (skipped[-1],)
    return {(here, None, passed)}


def is_attacked(state: State, square: tuple[int, int], by: int) -> bool:
    """Return whether `by` could capture a piece on this square, and keep its royal."""
    return (state.game.extra.flying and sees(state, square, by)) or any(
        target == square and taken == square
        for at, (colour, _) in list(state.men.items())
        if colour == by and at != square and not costs_royal(state, at, square)
        for target, taken, _ in walk(state, at, square)
    )


def sees(state: State, square: tuple[int, int], by: int) -> bool:
    """Return whether a royal of `by` stands on the file of this square, with nothing between them."""
    for up in (-1, 1):
        rank = square[1] + up
        while 0 <= rank < state.game.height:
            colour, number = state.men.get((square[0], rank), (2, 0))
            if colour == by and state.game.piece(number).is_royal:
                return True
            if number:
                break
            rank += up
    return False


def costs_royal(state: State, start: tuple[int, int], target: tuple[int, int]) -> bool:
    """Return whether a capture would blow up a royal of the capturing side."""
    if not state.game.extra.explosion:
        return False
    colour = state.men[start][0]
    gone = {at for at in blown_up(state, target) if at != target} | {start}
    return any(state.men[at][0] == colour and state.game.piece(state.men[at][1]).value < 0 for at in gone)


def blown_up(state: State, target: tuple[int, int]) -> set[tuple[int, int]]:
    """The squares whose pieces a capture on the target removes."""
    spared = state.game.extra.spared.lower()
    return {
        at
        for at, (_, number) in state.men.items()
        if max(abs(at[0] - target[0]), abs(at[1] - target[1])) <= 1
        and (at == target or state.game.piece(number).letter.lower() not in spared)
    }


def exposed(state: State, us: int) -> bool:
    """Return whether the other side can capture a piece that the rules do not allow `us` to lose."""
    royals: dict[int, list] = {}
    if state.game.extra.explosion:
        lost = [
            not any(who == side and state.game.piece(n).value < 0 for who, n in state.men.values()) for side in (0, 1)
        ]
        if lost[us] or lost[us ^ 1]:
            return lost[us]
    for at, (colour, number) in state.men.items():
        if colour == us and state.game.piece(number).value < 0:
            royals.setdefault(number, []).append(at)
    for number, squares in royals.items():
        attacked = sum(is_attacked(state, at, us ^ 1) for at in squares)
        if state.game.piece(number).value == -1 or len(squares) == 1:
            if attacked:
                return True
        elif number >= 8 and attacked > 1:
            return True
    return False


def castlings(state: State, at: tuple[int, int]) -> list[Move]:
    game, (colour, number) = state.game, state.men[at]
    found = []
    for side, stride in dict.fromkeys(game.piece(number).castles()):
        corner = (game.width - 1 if side > 0 else 0, at[1])
        target = (at[0] + stride, at[1])
        if at not in state.virgin or corner not in state.virgin or state.men.get(corner, (2, 0))[0] != colour:
            continue
        if not min(at[0], corner[0]) < target[0] < max(at[0], corner[0]):
            continue
        # Section 2.5: first and second square, the target, the partner's target, two squares next to the corner.
        empty = {at[0] + side, at[0] + 2 * side, target[0], target[0] - side, corner[0] - side, corner[0] - 2 * side}
        if any((file, at[1]) in state.men for file in empty - {at[0]}):
            continue
        if any(is_attacked(state, (file, at[1]), colour ^ 1) for file in range(at[0], target[0], side)):
            continue
        found.append(Move(at, target, partner=corner))
    return found


def is_spare_royal(state: State, colour: int, number: int) -> bool:
    """Whether a pawn may not become this royal, because its side still has as many of them as at the start."""
    game = state.game
    if not game.extra.own or not number or not game.piece(number).is_royal:
        return False
    return list(state.men.values()).count((colour, number)) >= game.men(colour).count(number)


def pseudo_moves(state: State) -> list[Move]:
    game, found = state.game, []
    for at, (colour, number) in state.men.items():
        if colour != state.stm:
            continue
        here = []
        for target, taken, passed in walk(state, at):
            own = target[1] if colour == WHITE else game.height - 1 - target[1]
            if number <= 2 and own == game.promotion_rank and at not in state.virgin:
                choices = game.promotions(colour, target[0]) or (0,)
                choices = [choice for choice in choices if not is_spare_royal(state, colour, choice)]
                here += [Move(at, target, promotion=choice, takes=taken) for choice in choices]
            else:
                here.append(Move(at, target, takes=taken, passed=passed))
        here += castlings(state, at)
        if number > 2 and at in state.virgin and state.hand[colour]:
            for move in list(here):
                for gate in state.hand[colour]:
                    here.append(replace(move, gate=gate, gate_at=at))
                    if move.partner:
                        here.append(replace(move, gate=gate, gate_at=move.partner))
        found += here
    return found


def play(state: State, move: Move) -> State:
    men, virgin = dict(state.men), set(state.virgin)
    hand = {colour: set(gates) for colour, gates in state.hand.items()}
    colour, number = men.pop(move.start)
    if move.takes:
        men.pop(move.takes)
        virgin.discard(move.takes)
    men[move.target] = (colour, move.promotion or number)
    virgin -= {move.start, move.target}
    if move.partner:
        side = 1 if move.partner[0] > move.start[0] else -1
        men[move.target[0] - side, move.start[1]] = men.pop(move.partner)
        virgin.discard(move.partner)
    if move.takes and state.game.extra.explosion:
        for at in blown_up(State(state.game, men, virgin), move.target):
            del men[at]
            virgin.discard(at)
    if move.gate:
        men[move.gate_at] = (colour, move.gate)
        hand[colour].discard(move.gate)
    passer = move.target if move.passed else None
    return State(state.game, men, virgin, state.stm ^ 1, move.passed, passer, hand)


def on_hill(state: State, colour: int) -> bool:
    game = state.game
    middle = game.width // 2
    hill = {(file, rank) for file in (middle - 1, middle) for rank in (game.height - 4, game.height - 5)}
    return any(at in hill and who == colour and game.piece(number).value < 0 for at, (who, number) in state.men.items())


def legal_moves(state: State) -> list[Move]:
    if state.game.has_hill and on_hill(state, state.stm ^ 1):
        return []
    if state.game.extra.explosion and not any(
        who == state.stm and state.game.piece(number).value < 0 for who, number in state.men.values()
    ):
        return []
    return [move for move in pseudo_moves(state) if is_legal(state, move)]


def is_legal(state: State, move: Move) -> bool:
    """A gated piece must not parry a check: the move has to be legal without it, too."""
    bare = replace(move, gate=0, gate_at=None)
    return not any(exposed(play(state, tried), state.stm) for tried in {move, bare})


def perft(state: State, depth: int) -> int:
    moves = legal_moves(state)
    return len(moves) if depth == 1 else sum(perft(play(state, move), depth - 1) for move in moves)
