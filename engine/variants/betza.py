"""Writes the moves of a piece in Ralph Betza's notation, as XBoard extends it.

The notation supports leapers, sliders, limited ranges, lame and cylinder moves, hoppers, initial moves, castling and
the Falcon. The notation also supports bent paths that may turn to either side: after one step, after a knight's leap,
or before a platform.
"""

from __future__ import annotations

from dataclasses import replace

from standstill.cext.base.constants import BLACK, WHITE

from .definition import (
    BEFORE_PLATFORM,
    BLACK_PAWN,
    CYLINDER,
    DELAY_SHIFT,
    FRIENDLY_PLATFORM,
    HOPS,
    JUMPS,
    LEAPS,
    MOVES,
    MULTI_PATH,
    NO_EP,
    STRAIGHT_FIRST,
    TAKES,
    THIRD_RANK_DELAY,
    Definition,
    Piece,
    Ray,
    displacement,
)

Step = tuple[int, int]  # files to the right, ranks upwards
Groups = dict[tuple[Step, tuple[str, str]], set[Step]]  # steps by (atom, (modes, range))

ATOMS = {
    (0, 1): "W",
    (1, 1): "F",
    (0, 2): "D",
    (1, 2): "N",
    (2, 2): "A",
    (0, 3): "H",
    (1, 3): "C",
    (2, 3): "Z",
    (3, 3): "G",
}
UNNAMED = "?"
# Names of lame leaps and of leaps over a piece, by the atom of each step and the number of steps.
_LAME = {("W", "2"): "D", ("F", "2"): "A", ("W", "3"): "H", ("F", "3"): "G", ("C", ""): "C", ("Z", ""): "Z"}

# The Falcon reaches the squares of camel and zebra in three steps, two in one direction and one in another, in any
# order (G.W. Duke).
FALCON = "aflafrKafraflKafafsKafsafK"
FALCON_ATOMS = ((1, 3), (2, 3))

_STRAIGHT = {"f": {(0, 1)}, "b": {(0, -1)}, "l": {(-1, 0)}, "r": {(1, 0)}}
_DIAGONAL = {"fl": {(-1, 1)}, "fr": {(1, 1)}, "bl": {(-1, -1)}, "br": {(1, -1)}}
_OBLIQUE = {
    "ff": {(-1, 2), (1, 2)},
    "bb": {(-1, -2), (1, -2)},
    "ll": {(-2, -1), (-2, 1)},
    "rr": {(2, -1), (2, 1)},
    "fs": {(-2, 1), (2, 1)},
    "bs": {(-2, -1), (2, -1)},
}
_HALVES = {"lh": {(-2, -1), (-2, 1), (-1, -2), (-1, 2)}, "rh": {(2, -1), (2, 1), (1, -2), (1, 2)}}


def _joined(table: dict[str, set[Step]], names: dict[str, tuple[str, ...]]) -> list[tuple[str, frozenset[Step]]]:
    rows = [(name, frozenset[Step]().union(*(table[part] for part in parts))) for name, parts in names.items()]
    return [*rows, *((name, frozenset(squares)) for name, squares in table.items())]


# Prefixes of directions with the steps that they stand for; prefixes for more steps come first.
DIRECTIONS = {
    "straight": _joined(
        _STRAIGHT,
        {
            "": ("f", "b", "l", "r"),
            "fs": ("f", "l", "r"),
            "bs": ("b", "l", "r"),
            "v": ("f", "b"),
            "s": ("l", "r"),
        },
    ),
    "diagonal": _joined(
        _DIAGONAL,
        {
            "": ("fl", "fr", "bl", "br"),
            "f": ("fl", "fr"),
            "b": ("bl", "br"),
            "l": ("fl", "bl"),
            "r": ("fr", "br"),
        },
    ),
    "oblique": _joined(
        _OBLIQUE | _HALVES,
        {
            "": ("ff", "bb", "ll", "rr"),
            "fh": ("ff", "fs"),
            "bh": ("bb", "bs"),
            "lh": ("lh",),
            "rh": ("rh",),
            "v": ("ff", "bb"),
            "s": ("ll", "rr"),
        },
    ),
}


def _atom(step: Step) -> Step:
    """Return the atom to which a step belongs."""
    short, long = sorted(map(abs, step))
    return short, long


def shape_of(atom: tuple[int, int]) -> str:
    return "straight" if atom[0] == 0 else "diagonal" if atom[0] == atom[1] else "oblique"


def _unit(step: tuple[int, int], atom: tuple[int, int]) -> tuple[int, int]:
    """Convert a step of this atom into its direction in the tables above."""
    if shape_of(atom) == "oblique":
        right, up = ((1 if abs(part) == atom[0] else 2) * (1 if part > 0 else -1) for part in step)
    else:
        right, up = ((part > 0) - (part < 0) for part in step)
    return right, up


def _directions(steps: set[tuple[int, int]], atom: tuple[int, int]) -> list[str]:
    """Return the prefixes that together mean exactly these steps; empty if no combination does."""
    left = {_unit(step, atom) for step in steps}
    names = []
    for name, squares in DIRECTIONS[shape_of(atom)]:
        if squares and squares <= left:
            names.append(name)
            left -= squares
    return [] if left else names


def _modes(mode: int, passing: bool) -> str:
    """Return the letters that stand for these rights to move and capture.

    passing: captures include captures en passant.
    """
    both = "mce" if passing else ""
    return {TAKES: "ce" if passing else "c", MOVES: "m", TAKES | MOVES: both}.get(mode & (TAKES | MOVES), UNNAMED)


def _kinds(ray: Ray, passing: bool) -> list[tuple[str, str]]:
    """Return (modes, range after the atom) for each part that names an unbent ray; empty if it has no name.

    passing: the piece is a pawn that may capture en passant.
    """
    wrap = "o" if ray.extra & CYLINDER else ""
    if ray.extra & MULTI_PATH or ray.bend:
        return []
    if ray.mode & HOPS:
        return _hopper_kinds(ray, wrap, passing)
    final = _modes(ray.toggle & 3, passing)
    if ray.mode & 3 and (ray.mode & LEAPS or ray.toggle == 0):
        return [(_modes(ray.mode, passing) + wrap, "" if ray.mode & LEAPS else "0")]
    if ray.mode & 3 and ray.toggle == LEAPS:
        return [(_modes(ray.mode, passing) + wrap, str((ray.extra >> DELAY_SHIFT) + 2))]
    if ray.mode == 0 and ray.toggle & LEAPS and final != UNNAMED:
        return [(final + wrap + "n", str((ray.extra >> DELAY_SHIFT) + 2))]  # range in multiples of the atom
    return []


def _lame_kinds(ray: Ray, passing: bool) -> list[tuple[str, str]]:
    """Like ``_kinds``, for a camel's or zebra's leap over the squares of a path whose straight steps come first."""
    is_lame = ray.extra == MULTI_PATH | STRAIGHT_FIRST and ray.mode & LEAPS and not ray.toggle and _is_falcon(ray)
    return [(f"{_modes(ray.mode, passing)}n", "")] if is_lame else []


def _hopper_kinds(ray: Ray, wrap: str, passing: bool) -> list[tuple[str, str]]:
    """Like ``_kinds``, for a ray that continues beyond a platform: ``p`` slides on, ``g`` stops, ``j`` is one leap."""
    final = ray.mode ^ ray.toggle
    modes = _modes(final, passing)
    if ray.extra & (BEFORE_PLATFORM | FRIENDLY_PLATFORM) or ray.mode & TAKES or final & HOPS or modes == UNNAMED:
        return []
    if ray.mode & LEAPS:
        return [(f"{modes}{wrap}j", "2")] if final & LEAPS and not ray.mode & MOVES else []
    way = [(f"m{wrap}", "0")] if ray.mode & MOVES else []
    return [*way, (f"{modes}{wrap}{'g' if final & LEAPS else 'p'}", "0")]


def betza(game: Definition, number: int, mirrored: bool = False) -> str:
    """Return the moves of a piece in Betza's notation, with the number of rays that it cannot express.

    mirrored: write the moves as Black sees them, with left and right exchanged.
    """
    name, nameless = named_rays(game, number, mirrored)
    words = ["no moves"] if not game.piece(number).rays else ["a ray without a name"] if nameless == 1 else []
    words = words or [f"{nameless} rays without a name"] * (nameless > 1)
    return " and ".join([name] * bool(name) + words)


def named_rays(game: Definition, number: int, mirrored: bool = False) -> tuple[str, int]:
    """Return (moves of a piece in Betza's notation, number of rays that the notation cannot express).

    mirrored: as in ``betza``.
    """
    piece = replace(game.piece(number), rays=game.rays_of(number, BLACK if mirrored else WHITE))
    sight = -1 if mirrored else 1
    passing = number <= BLACK_PAWN and _can_pass(game)
    groups: Groups = {}
    bent: dict[tuple[str, str, str], dict[Step, set[Step]]] = {}
    falcon = nameless = 0
    for ray in piece.rays:
        if ray.is_initial:
            continue
        step = _seen(displacement(ray.step), sight)
        atom = _atom(step)
        kinds = _lame_kinds(ray, passing) or _kinds(ray, passing)
        if ray.extra == MULTI_PATH and ray.mode == TAKES | MOVES | LEAPS and not ray.toggle and _is_falcon(ray):
            falcon += 1
        elif atom in ATOMS and kinds:
            for modes, reach in kinds:
                groups.setdefault((atom, (modes, reach)), set()).add(step)
        elif (path := _path(ray, passing)) is not None:
            bent.setdefault(path, {}).setdefault(step, set()).add(_seen(displacement(ray.second), sight))
        else:
            nameless += 1
    parts = []
    for (atom, (modes, reach)), steps in _wrapped(groups).items():
        names = _named(atom, modes, reach, steps)
        parts += names
        nameless += 0 if names else len(steps)
    for path, seconds in bent.items():
        names = _bent_names(path, seconds)
        parts += names
        nameless += 0 if names else sum(map(len, seconds.values()))
    names, without = _initial_names(piece, sight, number <= BLACK_PAWN, passing)
    parts += names
    nameless += without
    if falcon == 16:
        parts.append(FALCON)
    else:
        nameless += falcon
    return _joined_parts(list(dict.fromkeys(_shortened(parts)))), nameless


def _joined_parts(parts: list[str]) -> str:
    """Join the parts so that no atom occurs twice in a row, because a doubled letter would mean a slider."""
    text = ""
    for part in parts:
        text = part + text if text.endswith(part) and len(part) == 1 else text + part
    return text


def _seen(step: tuple[int, int], sight: int) -> tuple[int, int]:
    return step[0] * sight, step[1] * sight


def _can_pass(game: Definition) -> bool:
    """Return whether a pawn of either side can be captured en passant."""
    rays = [ray for number in (1, BLACK_PAWN) for ray in game.piece(number).rays]
    return any(ray.is_initial and not ray.toggle & (NO_EP | JUMPS | TAKES) for ray in rays)


def _wrapped(groups: Groups) -> Groups:
    """Merge steps along a file, which cannot cross a side edge, into the group of the same kind for cylinders."""
    merged = dict(groups)
    for (atom, (modes, reach)), steps in groups.items():
        around = (atom, (f"{modes}o", reach))
        if around in merged and all(right == 0 for right, _ in steps):
            merged[around] = merged[around] | merged.pop((atom, (modes, reach)))
    return merged


# The names of a second leg that turns by this many eighths of a circle. In Betza's notation a piece turns on the
# platform, in the rules on the square before it. ``_TURNS_BACK`` therefore counts from the direction that leads back
# from the platform.
_TURNS = {1: "fs", 2: "s", 3: "bs"}
_TURNS_BACK = {1: "bs", 2: "s", 3: "fs"}
EIGHTHS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def _path(ray: Ray, passing: bool) -> tuple[str, str, str] | None:
    """Return (modes of the first leg, the bent part, its first atom), or None if the notation cannot express it."""
    if not ray.bend or displacement(ray.second) not in EIGHTHS or not (ray.mode ^ ray.toggle) & 3:
        return None
    if displacement(ray.step) not in EIGHTHS:
        return _leap_path(ray)
    turn = abs(EIGHTHS.index(displacement(ray.second)) - EIGHTHS.index(displacement(ray.step)))
    turn = min(turn, 8 - turn)
    if turn not in _TURNS:
        return None
    return _hopping_path(ray, turn, passing) if ray.mode & HOPS else _turning_path(ray, turn, passing)


def _leap_path(ray: Ray) -> tuple[str, str, str] | None:
    """Return the path of a knight's leap that continues in the straight or diagonal direction of its second half."""
    first, second = displacement(ray.step), displacement(ray.second)
    begun = first[0] - second[0], first[1] - second[1]
    if tuple(sorted(map(abs, first))) != (1, 2) or begun not in EIGHTHS:
        return None
    final = ray.mode ^ ray.toggle
    if ray.extra or ray.mode not in (0, TAKES | MOVES) or final & ~LEAPS != TAKES | MOVES:
        return None
    stays = "N" if ray.mode else ""
    return f"{stays}leap", f"mpafs{'' if final & LEAPS else 'y'}af", "F" if 0 not in begun else "W"


def _hopping_path(ray: Ray, turn: int, passing: bool) -> tuple[str, str, str] | None:
    """Return the path of a bifurcator, which slides to a platform and turns on the square before it."""
    final = ray.mode ^ ray.toggle
    if not ray.extra & BEFORE_PLATFORM or ray.extra & 3 or ray.mode & (TAKES | LEAPS) or final & (HOPS | LEAPS):
        return None
    slider = "B" if 0 not in displacement(ray.step) else "R"
    friendly = "t" if ray.extra & FRIENDLY_PLATFORM else ""
    first = f"m{slider}" if ray.mode & MOVES else ""
    return first, f"{friendly}gabya{_TURNS_BACK[turn]}{_modes(final, passing)}", slider


def _turning_path(ray: Ray, turn: int, passing: bool) -> tuple[str, str, str] | None:
    """Return the path of a ray that makes one step to an empty square and then turns."""
    final = ray.mode ^ ray.toggle
    if ray.extra or ray.mode & LEAPS or ray.toggle & HOPS:
        return None
    letter = "F" if 0 not in displacement(ray.step) else "W"
    if not ray.mode and final & LEAPS and (letter, turn) == ("W", 1):
        return "", f"{_modes(final, passing)}n", "N"  # the horse
    first = f"{_modes(ray.mode, passing)}{letter}" if ray.mode & 3 else ""
    return first, f"{'' if final & LEAPS else 'y'}a{_TURNS[turn]}{_modes(final, passing)}", letter


def _bent_names(path: tuple[str, ...], seconds: dict[Step, set[Step]]) -> list[str]:
    """Return prefixes and atoms for these first steps and their second legs.

    The result is empty if the notation has no name for them.

    A path must be able to turn to either side. The horse is named as a lame knight, with the directions of its leaps.
    """
    first, bent, letter = path
    if letter == "N":
        leaps = {(step[0] + second[0], step[1] + second[1]) for step, sides in seconds.items() for second in sides}
        return [f"{name}{bent}N" for name in _directions(leaps, (1, 2))]
    if first.endswith("leap"):
        return [*first.removesuffix("leap"), f"{bent}{letter}"] if len(seconds) == 8 else []
    if any(len(sides) != 2 for sides in seconds.values()):
        return []
    names = _directions(set(seconds), (0, 1) if 0 in next(iter(seconds)) else (1, 1))
    return [f"{name}{part}" for part in (first, f"{bent}{letter}") if part for name in names]


def _is_falcon(ray: Ray) -> bool:
    """Return whether the ray is a Falcon's: two steps in one direction and one in another, one of which is diagonal."""
    twice, (right, up) = displacement(ray.bend), displacement(ray.step)
    once = (right - 2 * twice[0], up - 2 * twice[1])
    kinds = {tuple(sorted(map(abs, leg))) for leg in (twice, once)}
    return kinds == {(0, 1), (1, 1)} and tuple(sorted((abs(right), abs(up)))) in FALCON_ATOMS


def _named(atom: tuple[int, int], modes: str, reach: str, steps: set[tuple[int, int]]) -> list[str]:
    letter = ATOMS[atom]
    if modes.endswith(("n", "j")):
        letter, reach = _LAME.get((letter, reach), ""), ""
    if reach == "0" and letter in "WF":
        letter, reach = {"W": "R", "F": "B"}[letter], ""
    return [f"{name}{modes}{letter}{reach}" for name in _directions(steps, atom)] if letter else []


def _shortened(parts: list[str]) -> list[str]:
    """Replace the two halves of a king or queen with its letter if they have the same modes."""
    for straight, diagonal, whole in (("W", "F", "K"), ("R", "B", "Q")):
        for modes in ("", "m", "c", "o", "mo", "co", "g"):
            if modes + straight in parts and modes + diagonal in parts:
                parts = [modes + whole if part == modes + straight else part for part in parts]
                parts.remove(modes + diagonal)
    return parts


def _initial_names(piece: Piece, sight: int, pawn: bool, passing: bool) -> tuple[list[str], int]:
    """Return the names of a piece's initial moves, and the number of initial moves without a name."""
    castlings: dict[int, set[int]] = {}
    leaps: dict[tuple[Step, str], set[Step]] = {}
    nameless = 0
    late: list[str] = []
    for ray in piece.rays:
        if not ray.is_initial:
            continue
        step, second = _seen(displacement(ray.step), sight), _seen(displacement(ray.second), sight)
        right, up = step
        jumps, delay = bool(ray.toggle & JUMPS), ray.extra >> DELAY_SHIFT
        modes = _modes(ray.toggle & 3, passing)
        wrap = "o" if ray.extra & CYLINDER and (right or second[0]) else ""
        if ray.toggle == TAKES | MOVES and up == 0 and abs(right) == 1:
            castlings.setdefault(abs(right + second[0]), set()).add(right)
            continue
        if ray.toggle == TAKES | MOVES and not pawn:
            continue  # castling without a destination is not a move
        silent = 1 if delay == THIRD_RANK_DELAY else delay
        goal = (right * (silent + 1) + second[0], up * (silent + 1) + second[1])
        atom = _atom(goal)
        straight = not ray.bend and step in EIGHTHS
        if atom not in ATOMS or modes == UNNAMED or not (straight or (jumps and silent == 0)):
            nameless += 1
            continue
        leaps.setdefault((atom, f"{modes}{wrap}{'' if jumps else 'n'}"), set()).add(goal)
        if delay == THIRD_RANK_DELAY:
            late += _directions({(2 * right, 2 * up)}, (0, 2) if 0 in step else (2, 2))
    names = []
    for modes in {modes for atom, modes in leaps if atom == (0, 3) and modes.endswith("n")}:
        double, triple = leaps.get(((0, 2), modes), set()), leaps[(0, 3), modes]
        if double == {(0, up // 3 * 2) for _, up in triple}:  # the same as a slider of up to three steps
            names += [f"i{name}{modes[:-1]}W3" for name in _directions(triple, (0, 3))]
            del leaps[(0, 2), modes], leaps[(0, 3), modes]
    for (atom, modes), goals in leaps.items():
        directions = _directions(goals, atom)
        names += [f"i{name}{modes}{ATOMS[atom]}" for name in directions]
        nameless += 0 if directions else len(goals)
    names += [f"ii{name}mnD" for name in late]
    for stride, sides in castlings.items():
        names.append(f"i{'s' if len(sides) == 2 else 'r' if 1 in sides else 'l'}O{stride}")
    return names, nameless
