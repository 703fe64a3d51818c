"""SVG definitions of python-chess's pieces, which a web page includes once and refers to by name."""

from __future__ import annotations

from xml.etree import ElementTree

import chess
import chess.svg


def men_defs() -> str:
    """Return the pieces alone (``white-king``), with attributes instead of styles, which a strict page forbids."""
    return "".join(_plain(chess.svg.PIECES[letter]) for letter in "pnbrqkPNBRQK")


def _plain(drawing: str) -> str:
    man = ElementTree.fromstring(drawing)
    for each in man.iter():
        for rule in filter(None, each.attrib.pop("style", "").split(";")):
            name, _, value = rule.partition(":")
            each.set(name.strip(), value.strip())
    return ElementTree.tostring(man, "unicode")
