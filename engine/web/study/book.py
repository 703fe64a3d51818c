"""Games as a book: pages in two columns with diagrams where the curve jumps, a header, and an index of players.

The games are those that the page Study receives (``score.study``). WeasyPrint lays out the pages; it loads nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from ...common.errors import ConfigError
from ...common.install import install_command
from ...variants.drawing import men_defs
from ...variants.zoning.lines import PALACE, RIVER, path_of
from ..assets import rendered

PAPERS = {"a4": "210mm 297mm", "a5": "148mm 210mm", "letter": "8.5in 11in"}
DEEPEST = 30  # depth to which nested variations are printed
MOST_DIAGRAMS = 4  # maximum number of diagrams in a game; they show the largest losses
_BESIDE = 500  # number of letters that need no more height in a column than a diagram
_UNIT = 45  # size of a square in the drawings of the pieces
_LINE_WIDTHS = {PALACE: 1.5, RIVER: 5}
_ROW = re.compile(r"\d+|[^\d~]")
_DETAILS = ("Event", "Site", "Date", "Round", "ECO", "Opening")
# Few fonts contain these two symbols, so they are drawn.
_DRAWN = {"\u2a72": "M5 .5v5M2.5 3h5M1 8h8M1 11h8", "\u2a71": "M5 6.5v5M2.5 9h5M1 1h8M1 4h8"}
_INDEX = '<section class="index">'
_LINK = re.compile(r'<a( class="white")? href="#(game\d+)"></a>')  # a link in the index
_STYLE = Path(__file__).parents[1] / "templates" / "book.css"

Study = dict[str, Any]  # the return value of ``score.study``
Position = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of the main line, of remarks, or a diagram."""

    kind: str  # main, remark or diagram
    content: Markup


@dataclass(slots=True)
class Chapter:
    """A game in the book. anchor: the id of the game in the document."""

    anchor: str
    white: str
    black: str
    result: str
    details: str
    judge: str
    blocks: list[Block]
    is_short: bool


@dataclass(slots=True)
class Entry:
    """A player in the index. games: (anchor, whether the player had White) of each game."""

    name: str
    games: list[tuple[str, bool]] = field(default_factory=list)


def book(title: str, games: list[Study], paper: str = "a4") -> str:
    """Return the book as an HTML document, for ``as_pdf``. title: the name of the file. paper: one of ``PAPERS``."""
    judges = {game["judge"] for game in games}
    chapters = [_chapter(game, is_known_judge=len(judges) == 1) for game in games]
    return rendered(
        "book",
        title=title,
        judge=judges.pop() if len(judges) == 1 else "",
        chapters=chapters,
        index=_index(chapters),
        style=Markup(_STYLE.read_text("utf-8").replace("PAPER", PAPERS[paper])),
        men="",
    )


def as_pdf(document: str) -> bytes:
    """Return the document as PDF. Raises ConfigError if WeasyPrint, or a library that it needs, is missing."""
    try:
        import weasyprint
    except (ImportError, OSError) as error:  # OSError: Pango is missing
        hint = install_command("pdf") if isinstance(error, ImportError) else "the library Pango of the system"
        raise ConfigError(f"PDF needs WeasyPrint: {hint}") from None
    layout = weasyprint.HTML(string=document, url_fetcher=_refuse).render()
    pages = {name: number for number, page in enumerate(layout.pages) for name in page.anchors}
    shorter = short_index(document, pages)
    if shorter != document:  # the index stands at the end, so the games keep their page numbers
        layout = weasyprint.HTML(string=shorter, url_fetcher=_refuse).render()
    pdf = layout.write_pdf()
    assert isinstance(pdf, bytes)
    return pdf


def short_index(document: str, pages: dict[str, int]) -> str:
    """Return the document with an index that has each page once for each colour of a player.

    pages: the page on which each game begins, by its anchor.
    """

    def entry(found: re.Match[str]) -> str:
        seen: set[tuple[str, int]] = set()

        def first(link: re.Match[str]) -> str:
            key = (link[1] or "", pages[link[2]])
            if key in seen:
                return ""
            seen.add(key)
            return link[0]

        return _LINK.sub(first, found[0])

    games, mark, index = document.partition(_INDEX)
    return games + mark + re.sub("<li>.*</li>", entry, index)


def _refuse(url: str, *_args: object, **_options: object) -> dict[str, object]:
    raise ValueError(f"the book loads nothing, found {url!r}")


def _index(chapters: list[Chapter]) -> list[Entry]:
    entries: dict[str, Entry] = {}
    for chapter in chapters:
        for name, is_white in ((chapter.white, True), (chapter.black, False)):
            if name != "?":
                entries.setdefault(name, Entry(name)).games.append((chapter.anchor, is_white))
    return sorted(entries.values(), key=lambda entry: entry.name.casefold())


def _chapter(game: Study, *, is_known_judge: bool) -> Chapter:
    tags = game["tags"]
    blocks = _Writer(game).blocks()
    is_short = _is_short(blocks)
    return Chapter(
        anchor=f"game{game['number']}",
        white=tags.get("White", "?"),
        black=tags.get("Black", "?"),
        result=_result(game),
        details=", ".join(_detail(name, tags[name]) for name in _DETAILS if name in tags),
        judge="" if is_known_judge else game["judge"],
        blocks=blocks if is_short else _joined(blocks),
        is_short=is_short,
    )


def _is_short(blocks: list[Block]) -> bool:
    """Whether the only diagram begins the second column.

    Because of the diagram's height, the text would leave that column empty.
    """
    diagrams = [block for block in blocks if block.kind == "diagram"]
    return len(diagrams) == 1 and sum(len(block.content.striptags()) for block in blocks) <= _BESIDE


def _joined(blocks: list[Block]) -> list[Block]:
    """Put each diagram into the paragraph of its move, so that the end of a page cannot part them.

    A diagram stands before its move, that of the final position after the last one.
    """
    found: list[Block] = []
    before: Markup | None = None
    for block in blocks:
        if block.kind == "diagram":
            before = block.content
        elif before is not None:
            found.append(Block(block.kind, before + block.content))
            before = None
        else:
            found.append(block)
    if before is not None:
        found[-1] = Block("main", found[-1].content + before)
    return found


def _detail(name: str, text: str) -> str:
    if name == "Round":
        return f"round {text}"
    return text.replace(".??", "") if name == "Date" else text


def _result(game: Study) -> str:
    return str(game["result"]).replace("1/2-1/2", "\u00bd-\u00bd").replace("-", "\u2013")


class _Writer:
    """Writes the moves of one game."""

    def __init__(self, game: Study):
        self._game = game
        self._nodes: list[Position] = game["nodes"]
        self._children: dict[int, list[int]] = defaultdict(list)
        for index, node in enumerate(self._nodes):
            if index:
                self._children[node["parent"]].append(index)
        self._main = [index for index, node in enumerate(self._nodes) if index and node["depth"] == 0]
        by_loss = sorted(game["moments"], key=lambda moment: -abs(moment["before"] - moment["after"]))[:MOST_DIAGRAMS]
        self._moments = {moment["ply"]: moment for moment in by_loss}

    def blocks(self) -> list[Block]:
        found: list[Block] = []
        words: list[Markup] = []

        def end() -> None:
            if words:
                found.append(Block("main", Markup(" ").join(words)))
                words.clear()

        if comment := self._nodes[0].get("comment"):
            found.append(Block("remark", escape(comment)))
        for index in self._main:
            if moment := self._moments.get(index):
                end()
                caption = _caption(self._game, moment, self._sign(index))
                found.append(Block("diagram", self._diagram(self._nodes[index - 1], caption)))
            words.append(self._move(index, numbered=not words, own_sign=self._own_sign(index)))
            remark = self._remark(index)
            if remark:
                end()
                found.append(Block("remark", remark))
        words.append(escape(_result(self._game)))
        end()
        if not self._moments and self._main:
            found.append(Block("diagram", self._diagram(self._nodes[self._main[-1]], escape("Final position"))))
        return found

    def _sign(self, index: int) -> str:
        """Return the symbol of a move of the main line: that in the file, otherwise that of this program."""
        there = (sign for sign in self._nodes[index].get("signs", ()) if sign[0] in "!?")
        return "".join(there) or self._own_sign(index)

    def _own_sign(self, index: int) -> str:
        """Return this program's symbol for a move of the main line; "" if the file has a symbol."""
        judged = self._game["judged"][index]
        if not judged or any(sign[0] in "!?" for sign in self._nodes[index].get("signs", ())):
            return ""
        return str(judged.get("sign") or "")

    def _remark(self, index: int) -> Markup:
        """Return the comment on a move of the main line, and the alternatives to it."""
        parts = [escape(self._nodes[index]["comment"])] if self._nodes[index].get("comment") else []
        parts += [self._line(other) for other in self._others(index)]
        return Markup(" ").join(parts)

    def _others(self, index: int) -> list[int]:
        """Return the first moves of the alternatives to this move."""
        node = self._nodes[index]
        return [at for at in self._children[node["parent"]] if self._nodes[at]["depth"] == node["depth"] + 1]

    def _line(self, start: int) -> Markup:
        """Return a variation with nested variations in parentheses."""
        words: list[Markup] = []
        at: int | None = start
        numbered = True
        while at is not None:
            node = self._nodes[at]
            if before := node.get("before"):
                words.append(escape(before))
            words.append(self._move(at, numbered=numbered))
            numbered = bool(node.get("comment"))
            if numbered:
                words.append(escape(node["comment"]))
            inner = self._others(at) if node["depth"] < DEEPEST else []
            words += [self._line(other) for other in inner]
            numbered = numbered or bool(inner)
            at = next((child for child in self._children[at] if self._nodes[child]["depth"] == node["depth"]), None)
        return Markup("(") + Markup(" ").join(words) + Markup(")")

    def _move(self, index: int, *, numbered: bool, own_sign: str = "") -> Markup:
        """Return a move with its signs; White's moves and the first move of a paragraph have a number."""
        node = self._nodes[index]
        is_white = self._nodes[node["parent"]]["turn"] == "white"
        number = f"{node['number']}.{'' if is_white else '..'}\u202f" if is_white or numbered else ""
        signs = [sign for sign in node.get("signs", ()) if not sign.startswith("$")]
        attached = "".join(sign for sign in signs if sign[0] in "!?")
        written = escape(f"{number}{node['san'].replace('-', chr(0x2011))}{attached}")
        if own_sign:
            written += Markup('<i class="own">{}</i>').format(own_sign)
        others = [_symbol(sign) for sign in signs if sign[0] not in "!?"]
        return Markup("\u00a0").join([Markup("<span>{}</span>").format(written), *others])

    def _diagram(self, position: Position, caption: Markup) -> Markup:
        return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(
            diagram(self._game["game"], position["fen"], position["turn"]), caption
        )


def _caption(game: Study, moment: Study, sign: str) -> Markup:
    """Return the caption of a key moment: the move and its cost."""
    ply = moment["ply"]
    words = [Markup("<b>{}{}</b>").format(moment["move"].replace("... ", "..."), sign)]
    words.append(escape(f"{100 * moment['before']:.0f}\u202f% to {100 * moment['after']:.0f}\u202f%"))
    judged = [game["judged"][at] for at in (ply - 1, ply)]
    if all(judged) and judged[0]["symbol"] != judged[1]["symbol"]:
        words.append(_symbol(judged[0]["symbol"]) + Markup(" to ") + _symbol(judged[1]["symbol"]))
    text = Markup(", ").join(words)
    return text + Markup("; better {}").format(moment["better"]) if moment["better"] else text


def _symbol(text: str) -> Markup:
    """Return the symbol of a position, drawn if few fonts contain it."""
    path = _DRAWN.get(text)
    if path is None:
        return Markup('<span class="symbol">{}</span>').format(text)
    return Markup(
        '<svg class="symbol" viewBox="0 0 10 12"><path fill="none" stroke="#111" stroke-width="1.3" d="{}"/></svg>'
    ).format(path)


def diagram(game: Position, position: str, turn: str) -> Markup:
    """Return a board as SVG, White below. game: as ``positions.game_of`` describes it. position: FEN."""
    width, height, pictures = game["width"], game["height"], game["pictures"]
    dark = "".join(
        f"M{column * _UNIT} {row * _UNIT}h{_UNIT}v{_UNIT}h-{_UNIT}z"
        for row in range(height)
        for column in range(width)
        if (column + height - 1 - row) % 2 == 0
    )
    drawn = [Markup('<path fill="#c9c9c9" d="{}"/>').format(dark)]
    for kind, lines in game.get("lines", {}).items():
        path = Markup('<path fill="none" stroke="#111" stroke-width="{}" d="{}"/>')
        drawn.append(path.format(_LINE_WIDTHS[kind], path_of(lines, height, _UNIT)))
    for row, text in enumerate(re.split(r"[\s\[]", position, maxsplit=1)[0].split("/")[:height]):
        column = 0
        for item in _ROW.findall(text):
            if item.isdigit():
                column += int(item)
                continue
            drawn.append(_piece(item, pictures.get(item, ""), column * _UNIT, row * _UNIT))
            column += 1
    y = 0 if turn == "black" else height * _UNIT
    mark = f"M{width * _UNIT + 8} {y}" + ("l10 16h-20z" if turn == "black" else "l10 -16h-20z")
    size = (width * _UNIT + 26, height * _UNIT + 4)
    return Markup(
        '<svg class="board" viewBox="-2 -2 {} {}">{}'
        '<rect fill="none" stroke="#111" stroke-width="1.6" width="{}" height="{}"/>'
        '<path fill="{}" stroke="#111" stroke-width="1.4" transform="translate(8 0)" d="{}"/></svg>'
    ).format(*size, Markup("").join(drawn), width * _UNIT, height * _UNIT, "#fff" if turn == "white" else "#111", mark)


def _piece(letter: str, picture: str, x: int, y: int) -> Markup:
    """Return a chess piece as a picture, any other piece as its letter in a disc."""
    if picture:
        return Markup('<g transform="translate({} {})">{}</g>').format(x, y, _pictures()[picture])
    ground, ink = ("#fff", "#111") if letter.isupper() else ("#111", "#fff")
    half = _UNIT / 2
    return Markup(
        '<circle cx="{}" cy="{}" r="17" fill="{}" stroke="#111" stroke-width="1.5"/><text x="{}" y="{}" fill="{}"'
        ' font-family="sans-serif" font-weight="bold" font-size="20" text-anchor="middle">{}</text>'
    ).format(x + half, y + half, ground, x + half, y + half + 7, ink, letter.upper())


@cache
def _pictures() -> dict[str, Markup]:
    """Return the drawings of the pieces by name, without ids, because a document repeats the drawings."""
    found = {}
    for piece in ElementTree.fromstring(f"<svg>{men_defs()}</svg>"):
        name = piece.attrib.pop("id")
        found[name] = Markup(ElementTree.tostring(piece, "unicode"))
    return found
