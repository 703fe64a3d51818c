"""SVG definitions of python-chess's board and pieces, which a web page includes once and refers to by name."""

from __future__ import annotations

from xml.etree import ElementTree

import chess
import chess.svg

_SVG = "{http://www.w3.org/2000/svg}"


def board_defs() -> str:
    """Return the empty board from both sides (``board``, ``board-flipped``) and the pieces (``white-king``)."""
    return _empty_board("board", chess.WHITE) + _empty_board("board-flipped", chess.BLACK) + men_defs()


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


def _empty_board(name: str, below: chess.Color) -> str:
    empty = ElementTree.fromstring(chess.svg.board(None, orientation=below))
    drawn = ""
    for element in empty:
        if element.tag != f"{_SVG}defs":
            for each in element.iter():
                each.tag = each.tag.removeprefix(_SVG)
            drawn += ElementTree.tostring(element, "unicode")
    return f'<g id="{name}">{drawn}</g>'
