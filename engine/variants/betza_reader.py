"""Reads moves in Ralph Betza's notation, as XBoard extends it, into the rays of a definition.

This module is the inverse of ``betza``. The module rejects text that programs interpret differently: directions
before king and queen, single leaps of a knight or another oblique leaper, and the letters J and L.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..common.text import shown
from .betza import ATOMS, DIRECTIONS, EIGHTHS, FALCON, FALCON_ATOMS, Step, shape_of
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
    STRAIGHT_FIRST,
    TAKES,
    THIRD_RANK_DELAY,
    Ray,
    step_of,
)

_TERM = re.compile(r"([a-z]*)(?:([WFDNAHCZGK])\2(?!\d)|([A-Z]))(\d{0,2})")
_LEAPS = {letter: atom for atom, letter in ATOMS.items()}
_COMPOUNDS = {"R": "W", "B": "F", "Q": "WF", "K": "WF"}
_RIDERS = "RBQ"
_MODIFIERS, _DIRECTIONS = "mcijnopge", "fblrsvh"
_TURNS = {"fl": -1, "fr": 1, "bl": -3, "br": 3, "f": 0, "b": 4, "l": -2, "r": 2}
_NO_MODES = str.maketrans("", "", "cme")
_BOTH_WAYS = {"fs": ("fl", "fr"), "bs": ("bl", "br"), "s": ("l", "r")}
_LONGEST_RANGE = 5  # maximum range of a limited slider, because the delay has only two bits
_LONGEST_CASTLING = 4
_LAME = {"D": ("W", 2), "H": ("W", 3), "A": ("F", 2), "G": ("F", 3)}  # (atom of each step, number of steps)
_PUSH = re.compile(r"ii[a-z]*nD")  # a pawn's double step from the third rank


def rays_of(text: str, pawn: bool = False) -> tuple[Ray, ...]:
    """Return the rays of these moves from White's point of view.

    pawn: True for pieces 1 and 2. Only pawns can capture en passant; if they can (``e``), their double and triple
    steps can also be captured that way. Raises ValueError, which names the part that rays cannot express.
    """
    rays: list[Ray] = []
    can_pass = pawn and any("e" in modifiers for modifiers in re.findall(r"[a-z]+", text))
    at = 0
    while at < len(text):
        if text.startswith(FALCON, at):
            rays += _falcon()
            at += len(FALCON)
            continue
        found = _TERM.match(text, at)
        if not found:
            raise ValueError(f"expected moves in Betza's notation, found {shown(text[at:], 40)}")
        rays += _Term(found, pawn, can_pass).rays()
        at = found.end()
    if _PUSH.search(text):
        rays = _with_late_pushes(rays)
    # On ten ranks a triple step can be captured on either skipped square only if it is the first ray.
    return tuple(sorted(dict.fromkeys(rays), key=_order))


class _Term:
    """One atom with its prefixes and its range."""

    def __init__(self, found: re.Match[str], pawn: bool, can_pass: bool):
        self.text = found[0]
        self.before, self.letter = found[1], found[2] or found[3]
        self.reach = int(found[4] or 0)  # the number after the atom; 0 for any distance or a doubled letter
        self.has_reach = bool(found[2] or found[4])
        self.pawn, self.can_pass = pawn, can_pass

    def fail(self, what: str) -> ValueError:
        return ValueError(f"{shown(self.text, 40)}: {what}")

    def rays(self) -> list[Ray]:
        if self.letter == "O":
            return self._castlings()
        if self.letter not in _LEAPS and self.letter not in _COMPOUNDS:
            raise self.fail(f"expected one of the atoms {''.join(_LEAPS)}RBQKO, found {self.letter}")
        if "a" in self.before:
            return self._path()
        directions = "".join(letter for letter in self.before if letter in _DIRECTIONS)
        modifiers = "".join(letter for letter in self.before if letter not in _DIRECTIONS)
        for letter in modifiers:
            if letter not in _MODIFIERS:
                raise self.fail(f"rays cannot express the modifier {letter}")
        self._check_modifiers(modifiers)
        letters = _COMPOUNDS.get(self.letter, self.letter)
        if len(letters) > 1 and directions:
            halves = "RB" if self.letter == "Q" else letters
            meant = "".join(self.text.replace(self.letter, half) for half in halves)
            what = f"expected no direction before {self.letter}, which programs read in different ways"
            raise ValueError(f"{what}, found {shown(self.text, 40)}; did you mean {meant}?")
        return [
            ray
            for letter in letters
            for step in self._steps(letter, directions)
            for ray in self._ray(letter, step, modifiers)
        ]

    def _check_modifiers(self, modifiers: str) -> None:
        self._check_passing(modifiers)
        if len([letter for letter in modifiers if letter in "jnpg"]) > 1:
            raise self.fail("expected one of j, n, p and g")
        if "i" in modifiers and any(letter in modifiers for letter in "jpg"):
            raise self.fail("initial moves cannot hop")

    def _check_passing(self, modifiers: str) -> None:
        if "e" in modifiers and not (self.pawn and "c" in modifiers):
            raise self.fail("expected e only in captures of a pawn, as in ce")

    def _steps(self, letter: str, directions: str) -> list[Step]:
        """Return the steps of an atom in these directions."""
        return _scaled(_LEAPS[letter], self._units(_LEAPS[letter], directions))

    def _units(self, atom: Step, directions: str) -> set[Step]:
        for letter in directions:
            if letter not in _DIRECTIONS:
                raise self.fail(f"rays cannot express {letter} on a first leg")
        shape = shape_of(atom)
        table = dict(DIRECTIONS[shape])
        if shape == "oblique":
            table |= {letter: table[2 * letter] for letter in "fblr"}
            table |= {f"{letter}v": table[f"{letter}h"] & table["v"] for letter in "lr"}
        elif shape == "diagonal":
            table |= dict.fromkeys("sv", table[""])
            # XBoard combines a direction with one perpendicular to it: fs means forward, to both sides.
            table |= {f"{letter}{across}": table[letter] for letter, across in ("fs", "bs", "lv", "rv")}
        if not directions:
            return set(table[""])
        found: set[Step] = set()
        at = 0
        while at < len(directions):
            pair = directions[at : at + 2]
            pair = pair if pair in table or shape != "diagonal" else pair[::-1]
            word = pair if len(pair) == 2 and pair in table else directions[at]
            is_single = shape == "oblique" and len(word) == 1 and set(pair) & set("fb") and set(pair) & set("lr")
            if word not in table or is_single:
                raise self.fail(f"expected directions of {shape} moves such as {_examples(shape)}, found {directions}")
            found |= table[word]
            at += len(word)
        return found

    def _ray(self, letter: str, step: Step, modifiers: str) -> list[Ray]:
        modes = (TAKES * ("c" in modifiers) | MOVES * ("m" in modifiers)) or TAKES | MOVES
        extra = CYLINDER * ("o" in modifiers)
        if "i" in modifiers:
            return self._initial(letter, step, modifiers, modes, extra)
        if "n" in modifiers:
            return self._lame(letter, step, modes, extra)
        if "j" in modifiers:
            if letter not in "DA" or self.has_reach:
                raise self.fail("rays can express j, a piece that must be jumped over, only for D and A")
            return [_ray(_unit(step), HOPS | LEAPS, (HOPS | LEAPS) ^ (LEAPS | modes), extra)]
        if "p" in modifiers or "g" in modifiers:
            if not self._rides:
                raise self.fail("rays can express only hoppers that slide to any distance")
            return [_ray(step, HOPS, HOPS | modes | LEAPS * ("g" in modifiers), extra)]
        return self._plain(step, modes, extra)

    @property
    def _rides(self) -> bool:
        """Whether the piece slides to any distance."""
        return self.reach == 0 if self.has_reach else self.letter in _RIDERS

    def _plain(self, step: Step, modes: int, extra: int) -> list[Ray]:
        """Return the rays of a leaper or slider."""
        if self._rides:
            return [_ray(step, modes, 0, extra)]
        reach = self.reach if self.has_reach else 1
        if reach > _LONGEST_RANGE:
            raise self.fail(f"expected a range of up to {_LONGEST_RANGE}, or 0 for any, found {self.reach}")
        if reach == 1:
            return [_ray(step, modes | LEAPS, 0, extra)]
        return [_ray(step, modes, LEAPS, extra | reach - 2 << DELAY_SHIFT)]

    def _lame(self, letter: str, step: Step, modes: int, extra: int) -> list[Ray]:
        if self.has_reach:
            raise self.fail("expected no range after a lame move (n)")
        if self.letter in _RIDERS:
            raise self.fail(f"rays can express a lame N, D, A, H, G, C or Z, found n before {self.letter}")
        if letter in "WF":
            return [_ray(step, modes | LEAPS, 0, extra)]  # for such an atom, no square lies between origin and target
        if letter in _LAME:
            return [_ray(_unit(step), 0, LEAPS | modes, extra | _LAME[letter][1] - 2 << DELAY_SHIFT)]
        if letter in "CZ":
            twice = _longer(step) if letter == "C" else _unit(step)
            return [Ray(step_of(*step), (MULTI_PATH | STRAIGHT_FIRST | extra) << 8 | modes | LEAPS, step_of(*twice))]
        straight = (step[0] // 2 if abs(step[0]) == 2 else 0, step[1] // 2 if abs(step[1]) == 2 else 0)
        return [_ray(straight, 0, LEAPS | modes, extra, (step[0] - straight[0], step[1] - straight[1]))]

    def _initial(self, letter: str, step: Step, modifiers: str, modes: int, extra: int) -> list[Ray]:
        late = modifiers.count("i") > 1
        is_push_again = letter == "D" and "n" in modifiers and modes == MOVES and self.before.startswith("ii")
        if late and not (self.pawn and is_push_again):
            raise self.fail("expected ii, a second double step, only in a pawn's iifmnD")
        extra = extra if step[0] else 0  # moves along a file do not cross the edge of a cylinder
        is_push = self.pawn and self.has_reach and self.reach in (2, 3) and letter in "WF"
        if "n" in modifiers or is_push:
            if not self.pawn or (letter not in _LAME and not is_push):
                raise self.fail("rays can express lame initial moves only of pawns, as nD, nA, nH and nG")
            toggle = modes | (0 if self.can_pass and modes == MOVES else NO_EP)
            counts = range(self.reach, 1, -1) if is_push else [_LAME[letter][1]]
            delays = [count - 2 for count in counts] if not late else [THIRD_RANK_DELAY]
            return [_ray(_unit(step), LEAPS, toggle, extra | delay << DELAY_SHIFT) for delay in delays]
        if letter in "WF" or self.has_reach:
            raise self.fail("rays can express only initial leaps of more than one step, and W2 and W3 of pawns")
        first = _unit(step) if 0 in step or abs(step[0]) == abs(step[1]) else _longer(step)
        return [_ray(first, LEAPS, JUMPS | NO_EP | modes, extra, (step[0] - first[0], step[1] - first[1]))]

    def _castlings(self) -> list[Ray]:
        stride = self.reach
        if self.pawn or not 2 <= stride <= _LONGEST_CASTLING or set(self.before) - set("islr"):
            raise self.fail(f"expected castling by 2 to {_LONGEST_CASTLING} files as isO2, irO2 or ilO2")
        sides = [side for side, letter in ((1, "r"), (-1, "l")) if letter in self.before]
        if not sides or "s" in self.before:
            sides = [1, -1]
        return [_ray((side, 0), LEAPS, TAKES | MOVES, 0, (side * (stride - 1), 0)) for side in sides]

    # ---- paths of several legs ----

    def _path(self) -> list[Ray]:
        legs = self.before.split("a")
        if self.letter in "WF" and not self.has_reach and legs[0] == "mp" and legs[1:] in (["fs", "f"], ["fsy", "f"]):
            return self._leap_and_on("y" in legs[1])
        if self.letter in "RB" and not self.has_reach and len(legs) == 3 and legs[1] == "by":
            return self._bifurcation(legs[0], legs[2])
        if self.letter in "WF" and not self.has_reach and len(legs) == 2:
            return self._turn(legs[0], legs[1])
        raise self.fail("expected a path such as yafsF, gabyabsR, mpafsyafW or a Falcon's")

    def _leap_and_on(self, slides: bool) -> list[Ray]:
        rays = []
        for first in self._steps(self.letter, ""):
            for second in (_turned(first, 1), _turned(first, -1)):
                leap = (first[0] + second[0], first[1] + second[1])
                rays.append(_ray(leap, 0, TAKES | MOVES | (0 if slides else LEAPS), 0, second))
        return rays

    def _bifurcation(self, before: str, after: str) -> list[Ray]:
        directions = before.replace("t", "").replace("g", "")
        if before.count("g") != 1 or before.count("t") > 1:
            raise self.fail("expected one g, and t or nothing, before the first a")
        turns, modes = self._second_leg(after)
        extra = BEFORE_PLATFORM | FRIENDLY_PLATFORM * ("t" in before)
        return [
            # The last leg's direction is relative to the step back, so the turn starts from the opposite direction.
            _ray(first, HOPS, HOPS | modes, extra, _turned(first, turn + 4))
            for first in self._steps(_COMPOUNDS[self.letter], directions)
            for turn in turns
        ]

    def _turn(self, before: str, after: str) -> list[Ray]:
        directions = before.replace("y", "").replace("m", "")
        turns, modes = self._second_leg(after)
        toggle = modes | (0 if "y" in before else LEAPS)
        return [
            _ray(first, 0, toggle, 0, _turned(first, turn))
            for first in self._steps(self.letter, directions)
            for turn in turns
        ]

    def _second_leg(self, text: str) -> tuple[list[int], int]:
        """Parse the second leg into (turns in eighths of a circle, modes)."""
        modes = (TAKES * ("c" in text) | MOVES * ("m" in text)) or TAKES | MOVES
        self._check_passing(text)
        rest = text.translate(_NO_MODES)
        turns: list[int] = []
        while rest:
            word = next((word for word in (*_BOTH_WAYS, *_TURNS) if rest.startswith(word)), "")
            if not word:
                raise self.fail(f"expected the turn of the path, such as f, s, fs, bs or fr, found {rest}")
            turns += [_TURNS[part] for part in _BOTH_WAYS.get(word, (word,))]
            rest = rest[len(word) :]
        if not turns:
            raise self.fail("expected the turn of the path, such as f, s, fs, bs or fr, found nothing")
        return turns, modes


def _examples(shape: str) -> str:
    return {"straight": "f, b, l, r, s and v", "diagonal": "f, b, fl and br"}.get(shape, "ff, fs, fh, ll, v and s")


def _unit(step: Step) -> Step:
    """Return a king's step in the direction of a straight or diagonal leap."""
    right, up = step
    return (right > 0) - (right < 0), (up > 0) - (up < 0)


def _longer(step: Step) -> Step:
    """Return a step of one square along the longer axis of an oblique leap."""
    right, up = _unit(step)
    return (right, 0) if abs(step[0]) > abs(step[1]) else (0, up)


def _turned(step: Step, eighths: int) -> Step:
    return EIGHTHS[(EIGHTHS.index(step) + eighths) % len(EIGHTHS)]


def _scaled(atom: Step, units: set[Step]) -> list[Step]:
    """Return the steps of this atom in the given directions, in a fixed order."""
    short, long = atom
    if shape_of(atom) != "oblique":
        return sorted((right * long, up * long) for right, up in units)
    lengths = {1: short, 2: long}
    return sorted(
        tuple((1 if part > 0 else -1) * lengths[abs(part)] for part in unit)  # type: ignore[misc]
        for unit in units
    )


def _ray(step: Step, mode: int, toggle: int, extra: int, second: Step | None = None) -> Ray:
    number = step_of(*step)
    return Ray(number, extra << 8 | toggle << 4 | mode, number ^ step_of(*second) if second else 0)


def _falcon() -> Iterator[Ray]:
    """Yield the Falcon's rays: two steps in one direction and one in another, to the squares of camel and zebra."""
    for short, long in FALCON_ATOMS:
        for right, up in _scaled((short, long), set(dict(DIRECTIONS["oblique"])[""])):
            twice = _longer((right, up)) if short == 1 else _unit((right, up))
            yield Ray(step_of(right, up), MULTI_PATH << 8 | TAKES | MOVES | LEAPS, step_of(*twice))


def _with_late_pushes(rays: list[Ray]) -> list[Ray]:
    """Merge double steps from the third rank into the triple step of unmoved pawns, because one ray expresses both."""
    late = {_way(ray) for ray in rays if ray.is_initial and ray.extra >> DELAY_SHIFT == THIRD_RANK_DELAY}
    triple = {ray for ray in rays if ray.is_initial and ray.extra >> DELAY_SHIFT == 1}
    if not late <= {_way(ray) for ray in triple}:
        raise ValueError("iifmnD: expected a triple step (ifmW3) beside a double step from the third rank")
    return [ray for ray in rays if ray not in triple or _way(ray) not in late]


def _way(ray: Ray) -> tuple[int, int, bool]:
    """Return the direction and rights of an initial move, ignoring its number of steps."""
    return ray.step, ray.toggle, bool(ray.extra & CYLINDER)


def _order(ray: Ray) -> int:
    return -1 - (ray.extra >> DELAY_SHIFT) if ray.is_initial else 0
