"""Converts whole files between Standstill's format and Fairy-Stockfish's ``variants.ini``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ...common.errors import DefinitionError
from ...common.text import visible
from ..boards import rules_of
from ..catalog import OWN_FILE, Catalog, load
from ..definition import Definition
from ..fairymax import VERSION
from .from_ini import converted
from .ini import Entry, Section, sections
from .to_ini import Section as Written

# Games of Fairy-Stockfish from which sections often inherit, and which Standstill does not have.
_MORE_PARENTS = {
    "gardner": """[gardner:chess]
maxRank = 5
maxFile = 5
startFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1
promotionRegionWhite = *5
promotionRegionBlack = *1
doubleStep = false
castling = false
""",
}


@dataclass
class Conversion:
    """The new file, and messages: left_out about variants not in the file, differences about converted variants."""

    text: str = ""
    count: int = 0  # variants in the new file
    total: int = 0
    left_out: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def from_ini(text: str, name: str, partial: bool = False) -> Conversion:
    """Convert a file of Fairy-Stockfish. name: the file's name, for messages. partial: see ``from_ini.converted``.

    Raises DefinitionError if the file has no section.
    """
    found, mistakes = sections(text, name, built_in, [game.name for game in Catalog(OWN_FILE)])
    done = Conversion(total=len(found), left_out=mistakes)
    games = []
    for section in found:
        result = converted(section, partial)
        for line, what in sorted(result.problems):
            is_mistake = (line, what) in section.mistakes or what.startswith("expected ")
            done.left_out.append(f"{name}:{line}: {section.name}: {'' if is_mistake else 'cannot express '}{what}")
        for line, what in result.differences:
            done.differences.append(f"{name}:{line}: {section.name}: {what}")
        if result.game is not None:
            games.append(replace(result.game, description=visible(result.game.description)))
    head = f"Converted from {visible(name)}, a file of Fairy-Stockfish."
    end = "A line of text after the last game, for Fairy-Max."
    done.text = "\n".join([f"{VERSION}\n{load(OWN_FILE).default}", head, "", *map(str, games), end, ""])
    done.count = len(games)
    return done


def to_ini(games: Iterable[Definition], name: str) -> Conversion:
    """Convert games into sections of a file for Fairy-Stockfish. name: the name of the games' file, for messages."""
    done = Conversion()
    blocks = []
    for game in games:
        done.total += 1
        section_name = game.name.replace("/", "-")
        section = Written(replace(game, name=section_name))
        problems = [*section.problems, *section.unwritable, *_unplayable(game)]
        done.left_out += [f"{name}: {game.name}: cannot express {what}" for what in problems]
        if not problems:
            blocks.append((f"# {game.description}\n" if game.description else "") + str(section))
    done.count = len(blocks)
    done.text = "\n".join(blocks)
    return done


def _unplayable(game: Definition) -> list[str]:
    try:
        rules_of(game)
    except DefinitionError as error:
        return [str(error)]
    return []


def built_in(name: str) -> Section | None:
    """Return a variant that both Fairy-Stockfish and Standstill have, as a section to inherit from, or None."""
    text = _MORE_PARENTS.get(name, "")
    catalog = Catalog(OWN_FILE)
    if not text:
        if name not in catalog:
            return None
        written = Written(catalog.find(name))
        if written.problems:
            return None
        text = str(written)
    (section,), _ = sections(text, name, built_in)
    # Line 0 stands for keys that no line of the user's file sets.
    section.keys = {key: Entry(entry.value, 0) for key, entry in section.keys.items()}
    section.pieces = {letter: (key, Entry(entry.value, 0)) for letter, (key, entry) in section.pieces.items()}
    return section
