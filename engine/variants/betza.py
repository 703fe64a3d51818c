"""How a piece moves, in Ralph Betza's shorthand as XBoard writes it, and as a diagram.

Leapers, sliders, limited range, lame and cylinder moves, hoppers, initial moves and castling have a name; of bent paths
only those that step once and then slide, and the Falcon.
"""

from __future__ import annotations

from .definition import (
    BEFORE_PLATFORM,
    CYLINDER,
    DELAY_SHIFT,
    FRIENDLY_PLATFORM,
    HOPS,
    JUMPS,
    LEAPS,
    MOVES,
    MULTI_PATH,
    NO_EP,
    TAKES,
    Game,
    Piece,
    Ray,
    displacement,
)

_ATOMS = {
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

# The Falcon: to the squares of camel and zebra by two steps one way and one the other, in any order (G.W. Duke).
_FALCON = "aflafrKafraflKafafsKafsafK"
_FALCON_ATOMS = ((1, 3), (2, 3))

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


def _joined(table: dict[str, set], names: dict[str, tuple[str, ...]]) -> list[tuple[str, frozenset]]:
    rows = [(name, frozenset().union(*(table[part] for part in parts))) for name, parts in names.items()]
    return [*rows, *((name, frozenset(squares)) for name, squares in table.items())]


# Directions with what they mean, the widest first.
_DIRECTIONS = {
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
        _OBLIQUE,
        {
            "": ("ff", "bb", "ll", "rr"),
            "fh": ("ff", "fs"),
            "bh": ("bb", "bs"),
            "v": ("ff", "bb"),
            "s": ("ll", "rr"),
        },
    ),
}


def _shape(atom: tuple[int, int]) -> str:
    return "straight" if atom[0] == 0 else "diagonal" if atom[0] == atom[1] else "oblique"


def _unit(step: tuple[int, int], atom: tuple[int, int]) -> tuple[int, int]:
    """The direction of a step of this atom, as the tables above write it."""
    if _shape(atom) == "oblique":
        return tuple((1 if abs(part) == atom[0] else 2) * (1 if part > 0 else -1) for part in step)
    return tuple((part > 0) - (part < 0) for part in step)


def _directions(steps: set[tuple[int, int]], atom: tuple[int, int]) -> list[str]:
    """Prefixes that together mean exactly these steps; empty if there are none such."""
    left = {_unit(step, atom) for step in steps}
    names = []
    for name, squares in _DIRECTIONS[_shape(atom)]:
        if squares and squares <= left:
            names.append(name)
            left -= squares
    return [] if left else names


def _modes(mode: int) -> str:
    return {TAKES: "c", MOVES: "m", TAKES | MOVES: ""}.get(mode & (TAKES | MOVES), UNNAMED)


def _kind(ray: Ray) -> tuple[str, str] | None:
    """(modes, range behind the atom) of what the rays of one name have in common; None if they have none."""
    wrap = "o" if ray.extra & CYLINDER else ""
    if ray.extra & MULTI_PATH or ray.bend or _modes(ray.mode | ray.toggle & 3) == UNNAMED:
        return None
    if ray.mode & HOPS:
        special = ray.extra & (BEFORE_PLATFORM | FRIENDLY_PLATFORM)
        name = None if special else {(HOPS, 0xF): "g", (HOPS | MOVES, 0xB): "mp"}.get((ray.mode, ray.toggle))
        return name and (wrap + name, "0")
    if ray.toggle == 0:
        return _modes(ray.mode) + wrap, "" if ray.mode & LEAPS else "0"
    if ray.toggle == LEAPS and ray.mode & 3:
        return _modes(ray.mode) + wrap, str((ray.extra >> DELAY_SHIFT) + 2)
    if ray.mode == 0 and ray.toggle & LEAPS and ray.extra >> DELAY_SHIFT == 0:
        return _modes(ray.toggle) + wrap + "n", "2"  # twice the atom
    return None


def betza(game: Game, number: int, mirrored: bool = False) -> str:
    """The moves of a piece in Betza's notation, ``?`` for what has no short name; mirrored: seen from Black's side."""
    piece = game.piece(number)
    groups: dict[tuple, set[tuple[int, int]]] = {}
    extras: list[str] = []
    bent: dict[tuple, set] = {}
    leaps: dict[tuple, set] = {}  # of men that have not moved: an initial step that jumps and bends is one leap
    falcon: set[tuple[int, int]] = set()
    for ray in piece.rays:
        step = displacement(ray.step)
        if mirrored:
            step = (step[0], -step[1])
        if ray.is_initial and ray.bend and ray.toggle & JUMPS:
            second = displacement(ray.second)
            goal = (step[0] + second[0], step[1] + (-second[1] if mirrored else second[1]))
            leaps.setdefault((tuple(sorted(map(abs, goal))), _modes(ray.toggle)), set()).add(goal)
            continue
        if ray.extra == MULTI_PATH and ray.mode == TAKES | MOVES | LEAPS and not ray.toggle:
            falcon |= {step} if _is_falcon(ray) else {(0, 0)}
            continue
        if ray.is_initial:
            extras += [name for name in [_initial(piece, ray, mirrored)] if name not in extras]
            continue
        atom = tuple(sorted(map(abs, step)))
        kind = _kind(ray)
        if atom in _ATOMS and kind is not None:
            groups.setdefault((atom, kind), set()).add(step)
        elif ray.bend and ray.mode == TAKES | MOVES and not ray.toggle and not ray.extra:
            bent.setdefault(atom, set()).add(step)
        elif UNNAMED not in extras:
            extras.append(UNNAMED)
    parts = []
    for (atom, (modes, reach)), steps in groups.items():
        parts += _named(atom, modes, reach, steps)
    for atom, steps in bent.items():
        parts.append(f"{_ATOMS[atom]}yafs{_ATOMS[atom]}" if len(steps) == 4 and atom in _ATOMS else UNNAMED)
    for (atom, modes), goals in leaps.items():
        named = _directions(goals, atom) if atom in _ATOMS else []
        extras += [f"i{name}{modes}{_ATOMS[atom]}" for name in named] or [UNNAMED]
    if falcon:
        extras.append(_FALCON if len(falcon) == 16 and (0, 0) not in falcon else UNNAMED)
    return "".join(dict.fromkeys(_shortened([*parts, *extras]))) or UNNAMED


def _is_falcon(ray: Ray) -> bool:
    """Is it two steps one way and one another, one of them straight and one diagonal, to a square of the Falcon's?"""
    twice, (right, up) = displacement(ray.bend), displacement(ray.step)
    once = (right - 2 * twice[0], up - 2 * twice[1])
    kinds = {tuple(sorted(map(abs, leg))) for leg in (twice, once)}
    return kinds == {(0, 1), (1, 1)} and tuple(sorted((abs(right), abs(up)))) in _FALCON_ATOMS


def _named(atom: tuple[int, int], modes: str, reach: str, steps: set[tuple[int, int]]) -> list[str]:
    letter = _ATOMS[atom]
    if modes.endswith("n") and reach == "2":
        letter, reach = {"W": "D", "F": "A"}.get(letter, letter), ""
    if modes == "mp" and letter == "W":
        return ["mRcpR"] if len(steps) == 4 else [UNNAMED]
    if reach == "0" and letter in "WF":
        letter, reach = {"W": "R", "F": "B"}[letter], ""
    return [f"{name}{modes}{letter}{reach}" for name in _directions(steps, atom)] or [UNNAMED]


def _shortened(parts: list[str]) -> list[str]:
    """King and queen for both their halves."""
    for halves, whole in ((("W", "F"), "K"), (("R", "B"), "Q")):
        if all(half in parts for half in halves):
            parts = [whole if part == halves[0] else part for part in parts if part != halves[1]]
    return parts


def _initial(piece: Piece, ray: Ray, mirrored: bool) -> str:
    right, up = displacement(ray.step)
    if mirrored:
        up = -up
    if ray.toggle == TAKES | MOVES and up == 0 and abs(right) == 1:
        stride = abs(right + displacement(ray.second)[0])
        both = {side for side, length in piece.castles() if abs(length) == stride}
        return f"{'is' if len(both) == 2 else 'ir' if right > 0 else 'il'}O{stride}"
    length = (ray.extra >> DELAY_SHIFT if ray.extra >> DELAY_SHIFT < 3 else 1) + 2
    atom = tuple(sorted((abs(right), abs(up))))
    names = _directions({(right, up)}, atom) if atom in _ATOMS and not ray.bend else []
    if not names:
        return UNNAMED
    lame = "" if ray.toggle & 8 else "n"
    if length == 2 and atom in ((0, 1), (1, 1)):
        return f"i{names[0]}{_modes(ray.toggle & ~NO_EP)}{lame}{'D' if atom == (0, 1) else 'A'}"
    return f"i{names[0]}{_modes(ray.toggle & ~NO_EP)}{_ATOMS[atom]}{length}"
