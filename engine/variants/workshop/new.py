"""Writes the definition file of a new game: complete, playable, and with comments that explain each part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from standstill.cext.base.constants import BLACK, WHITE

from ...common.errors import DefinitionError
from ...common.text import did_you_mean, shown, visible
from ..betza import named_rays
from ..betza_reader import rays_of
from ..boards import rules_of
from ..catalog import Catalog
from ..definition import BLACK_PAWN, MOST_FILES, MOST_PIECES, MOST_RANKS, NO_MATING_PAIR, Definition, Piece
from ..extra_rules import NO_LAWS, ExtraRules
from ..fairymax import VERSION, parse

# Back ranks of boards that are not as wide as the game from which the new one is made. Up to 7 files they lack the
# weaker pieces; with 9 files or more they have the archbishop (a) and the chancellor (c) of Capablanca chess, and
# beyond that the camel (l) and a man (m) that moves as a king.
_ARMIES = {
    4: "rqkr",
    5: "rnbqk",
    6: "rnqknr",
    7: "rnbqknr",
    8: "rnbqkbnr",
    9: "rnbqkabnr",
    10: "rnabqkbcnr",
    11: "rnabqkmbcnr",
    12: "rlnabqkbcnlr",
}
# Pieces that an army may name without a definition: moves, and a value in centipawns; for 0 the engine computes a
# value.
KNOWN_PIECES = {
    "n": ("N", 325),
    "b": ("B", 325),
    "r": ("R", 500),
    "q": ("Q", 950),
    "a": ("BN", 825),
    "c": ("RN", 875),
    "m": ("K", 0),
    "f": ("F", 0),
    "e": ("FA", 0),
    "w": ("WD", 0),
    "l": ("C", 0),
    "z": ("Z", 0),
    "h": ("KN", 0),
}
_PIECE = re.compile(r"([A-Za-z])=([^:\s]+)(?::(\d{1,5}))?\Z", re.ASCII)
_SIZE = re.compile(r"(\d{1,2})x(\d{1,2})\Z", re.ASCII)
_LOW = 6  # boards with at most this many ranks have no double step of pawns
_NARROW = 6  # boards with at most this many files have no castling


def new_game(
    name: str,
    base: Definition,
    size: str = "",
    *,
    army: str = "",
    black: str = "",
    pieces: Sequence[str] = (),
) -> Definition:
    """Return a game made from ``base``.

    size: files x ranks, such as ``10x8``. army, black: the letters of the back ranks from the first file on, a dot for
    an empty square; Black's army is by default White's. pieces: further pieces such as ``e=FA:300``, a letter, moves in
    Betza's notation, and optionally a value. Raises DefinitionError, which names what was expected.
    """
    if len(name.split()) != 1 or name.startswith("#") or visible(name) != name:
        raise DefinitionError(f"expected a name of one word, found {shown(name, 40)}")
    game = replace(
        base, name=name, description="", table="", parent="", betza=(), twins=(), forms=(), pieces=base.own_pieces
    )
    if size:
        game = _resized(game, size)
    if game.width != base.width and not army:
        if game.width not in _ARMIES:
            raise DefinitionError(f"expected --army with {game.width} letters for a board of {game.width} files")
        army = _ARMIES[game.width]
    game = _with_pieces(game, pieces)
    if army or black:
        game = _with_armies(game, army, black)
    if game.width != base.width:
        game = _with_castling(game)
    return _checked(game)


def _resized(game: Definition, size: str) -> Definition:
    found = _SIZE.match(size)
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 4 <= width <= MOST_FILES or not 5 <= height <= MOST_RANKS:
        limits = f"a board such as 10x8, of 4 to {MOST_FILES} files and 5 to {MOST_RANKS} ranks"
        raise DefinitionError(f"expected {limits}, found {shown(size, 40)}")
    if (width, height) == (game.width, game.height):
        return game
    if game.extra.start:
        raise DefinitionError(f"expected {game.width}x{game.height}, the board of the start position, found {size}")
    made = replace(game, width=width, height=height, zone=0 if height <= _LOW else game.zone)
    made = replace(made, extra=_with_ranks(game.extra, game.height, height))
    if height <= _LOW:
        pawns = (replace(pawn, rays=tuple(ray for ray in pawn.rays if not ray.is_initial)) for pawn in game.pieces[:2])
        made = replace(made, pieces=(*pawns, *game.pieces[BLACK_PAWN:]))
    return made


def _with_ranks(rules: ExtraRules, before: int, height: int) -> ExtraRules:
    """Return the rules for another number of ranks: ranks in the far half keep their distance from the edge."""

    def moved(rank: int) -> int:
        return rank if 2 * rank <= before else max(rank + height - before, 1)

    return replace(
        rules,
        homes=rules.homes if height > _LOW else (0, 0),
        promotion=moved(rules.promotion),
        goals=(moved(rules.goals[0]), moved(rules.goals[1])),
        drops=tuple(replace(drop, first=moved(drop.first), last=moved(drop.last)) for drop in rules.drops),
    )


def _with_pieces(game: Definition, texts: Sequence[str]) -> Definition:
    """Add pieces, or replace those with the same letter."""
    made = list(game.pieces)
    for text in texts:
        found = _PIECE.match(text)
        if not found:
            raise DefinitionError(f"expected a piece such as e=FA or e=FA:300, found {shown(text, 40)}")
        number = game.number_of(found[1], 0)
        if 0 < number <= BLACK_PAWN:
            raise DefinitionError(f"expected another letter than {found[1]}, which pawns have, found {shown(text, 40)}")
        try:
            rays = rays_of(found[2])
        except ValueError as error:
            hint = "" if "did you mean" in str(error) else did_you_mean(found[2], _upper(found[2]))
            raise DefinitionError(f"{error}{hint}") from None
        old = game.piece(number) if number else None
        value = int(found[3] or 0) if old is None or not old.is_royal else old.value
        piece = Piece(found[1].lower(), value, rays)
        if number:
            made[number - 1] = piece
        else:
            made.append(piece)
    return replace(game, pieces=tuple(made))


def _upper(text: str) -> tuple[str, ...]:
    """Return the text in capitals if the capitals could be moves in Betza's notation."""
    try:
        rays_of(text.upper())
    except ValueError:
        return ()
    return (text.upper(),)


def _with_armies(game: Definition, army: str, black: str) -> Definition:
    ranks: list[tuple[int, ...]] = []
    kinds = list(game.pieces)
    for text, whose, before in ((army, "--army", game.white), (black or army, "--black", game.black)):
        if not text:
            ranks.append(before)
            continue
        if len(text) != game.width:
            raise DefinitionError(f"expected {game.width} letters in {whose}, found {shown(text, 40)}")
        row = []
        for letter in text.lower():
            if letter == ".":
                row.append(0)
                continue
            number = next((n for n, kind in enumerate(kinds, 1) if kind.letter.lower() == letter and n > BLACK_PAWN), 0)
            if not number:
                if letter not in KNOWN_PIECES:
                    known = "".join(dict.fromkeys([*(kind.letter.lower() for kind in kinds[2:]), *KNOWN_PIECES]))
                    raise DefinitionError(
                        f"expected letters among {known} or defined by --piece {letter}=MOVES in {whose}, "
                        f"found {shown(letter)}"
                    )
                moves, value = KNOWN_PIECES[letter]
                kinds.append(Piece(letter, value, rays_of(moves), NO_MATING_PAIR if letter == "n" else None))
                number = len(kinds)
            row.append(number)
        if game.extra.needs_royals and not any(number and kinds[number - 1].is_royal for number in row):
            kings = " or ".join(dict.fromkeys(kind.letter.lower() for kind in kinds if kind.is_royal))
            raise DefinitionError(f"expected a royal piece ({kings}) in {whose}, found {shown(text, 40)}")
        ranks.append(tuple(row))
    extra = replace(game.extra, start="")
    return _without_idlers(replace(game, white=ranks[0], black=ranks[1], pieces=tuple(kinds), extra=extra))


def _without_idlers(game: Definition) -> Definition:
    """Leave out pieces of the base game that neither side has, and put the most valuable piece at number 7.

    Pawns promote to number 7 unless the move names another piece.
    """
    used = {*game.white, *game.black, *game.gates(WHITE), *game.gates(BLACK), 1, BLACK_PAWN}
    kept = [number for number in range(1, len(game.pieces) + 1) if number in used]
    chosen = max(kept[BLACK_PAWN:], key=lambda number: (not game.piece(number).is_royal, game.piece(number).value))
    if len(kept) >= 7:
        kept.remove(chosen)
        kept.insert(6, chosen)
    new = {old: place for place, old in enumerate(kept, 1)} | {0: 0}
    return replace(
        game,
        pieces=tuple(game.piece(number) for number in kept),
        white=tuple(new[number] for number in game.white),
        black=tuple(new[number] for number in game.black),
    )


def _with_castling(game: Definition) -> Definition:
    """Adapt the king's castling to the width of the board; on narrow boards the king does not castle."""
    pieces = list(game.pieces)
    for number, piece in enumerate(pieces, 1):
        if not piece.castles() or number <= BLACK_PAWN:
            continue
        plain = tuple(ray for ray in piece.rays if not (ray.is_initial and abs(ray.step) == 1))
        file = max((row.index(number) for row in (game.white, game.black) if number in row), default=0)
        stride = 2 if game.width < 10 else 3 if game.width < 12 else 4
        room = min(file, game.width - 1 - file)
        castling = rays_of(f"isO{stride}") if game.width > _NARROW and room > stride - 1 else ()
        pieces[number - 1] = replace(piece, rays=castling + plain)
    return replace(game, pieces=tuple(pieces))


def _checked(game: Definition) -> Definition:
    """Return the game with values in place of 0. Raises DefinitionError if it cannot be played."""
    if len(game.pieces) > MOST_PIECES:
        raise DefinitionError(f"expected at most {MOST_PIECES} pieces, found {len(game.pieces)}")
    game = parse(f"{VERSION}\n{replace(game, name='', description='')}\n{game}").games[0]
    rules = rules_of(game)
    pieces = [
        # A value that ends in 3 would forbid promotion to the piece.
        piece if piece.value else replace(piece, value=rules.mobility_cp(number) // 5 * 5)
        for number, piece in enumerate(game.pieces, 1)
    ]
    return replace(game, pieces=tuple(pieces))


# ---- the file ----

_COMMANDS = (
    ("variants edit {file}", "opens the file in a browser, to change and to play the game"),
    ("variants check {file}", "names each mistake, with line and column"),
    ("variants show {word} --file {file}", "draws the board and the moves of each piece"),
    ("selfplay --variant {word} --file {file} --moves 5", "plays the first five moves"),
    ("variants balance {word} --file {file}", "measures which side is better"),
)
_HEAD = """\
{name}, a game on {width} files and {height} ranks. This is a definition file of Standstill.

{commands}

Lines like these belong to no game and are comments. A game begins with its title; between the title and the last rule
there may be no other line. Its parts, in order:

  1. {size}: files x ranks. (8x8=3 would let pawns start on the third rank and promote on the third-last.)
  2. White's back rank, then Black's: the numbers of the piece lines below, 0 for an empty square. Pawns fill the rank
     in front of it. Here they are{arrays}.
  3. The pieces, numbered from 1: LETTER:VALUE MOVES.
     Number 1 is White's pawn, number 2 Black's. Pawns promote to number 7 unless the player chooses another piece.
     A value is in centipawns. 0 lets the engine compute one, -1 marks a king (its loss loses the game), and a value
     that ends in 3, such as 323, marks a piece to which pawns do not promote.
     {moves}
     A last word 0,-4 says that two of these pieces cannot mate, 0,3 that one can.
  4. Rules, each as a line that begins with # directly below the pieces. Move a line up to its place to use it:
     Third check wins:                             # checks 3
     A king on the far rank wins:                  # goal {height} 1
     Captures are compulsory:                      # capture
     A side without a legal move loses:            # stalemate lose
     A side that has lost all its pieces loses:    # extinct lose all
     Pawns may promote from this rank on:          # promotion {early}
     Only to pieces of its own array:              # promotion own
     Captured pieces come back as one's own:       # hand turn
     Captures remove all pieces around them:       # explosion p
     A piece in hand enters where one first moves: # gate n
     A side with only its king left loses:         # bare lose
     A piece may not leave these squares:          # zone n a1-{last}
     On these squares it has other moves, too:     # within n a1-{last} W
     Kings attack each other along an open file:   # flying
     Giving perpetual check loses:                 # perpetual check
     A position may occur four times:              # repetition 5
     A side that is not in check may pass:         # pass
     Points decide games without a winner:         # points 0.5 q=9 p=1
     Knights do not capture knights:               # immune n
     The 50-move rule does not apply:              # endless
     Black's piece moves the other way round:      # mirror n
     A piece promotes on the last ranks:           # promote 2 n=b must
       (without the last word it may also stay what it is; with back it turns back in the same way)
     Positions may have H for N:                   # alias h=n
     Another start position:                       # start {start}

docs/variants.md explains every line and every move.
"""
_NAMES = """Moves are in Betza's notation. Leaps: W one square straight, F one square diagonally, D two straight, N a
     knight's, A two diagonally, H three straight, C a camel's (3,1), Z a zebra's (3,2). Slides: R, B, Q. K is a king's
     step. Small letters before them: m only moves, c only captures, f b l r v s directions, i only the first move.
     R3 slides at most three squares, isO2 castles by two files."""
_NUMBERS = """Moves are STEP,RIGHTS, where a step is 16 x ranks down + files to the right; 7 leaps, 3 slides, 6 only
     moves, 5 only captures. (Without --numbers the file has names such as N and R; Fairy-Max cannot read those.)"""


def text_of(game: Definition, file: str, numbers: bool = False) -> str:
    """Return the text of a file with this game.

    file: the name of the file, for the comments. numbers: write moves as numbers.
    """
    word = game.name if re.fullmatch(r"[\w.+-]+", game.name, re.ASCII) else f"'{game.name}'"
    quoted = file if re.fullmatch(r"[\w./+-]+", file, re.ASCII) else f"'{file}'"
    commands = [(f"standstill {form.format(word=word, file=quoted)}", what) for form, what in _COMMANDS]
    broadest = max(len(one) for one, _ in commands)
    head = _HEAD.format(
        name=game.name,
        commands="\n".join(f"    {one:{broadest}}   {what}" for one, what in commands),
        width=game.width,
        height=game.height,
        size=f"{game.width}x{game.height}",
        arrays=_array_words(game),
        moves=_NUMBERS if numbers else _NAMES,
        early=max(game.height - 1, 3),
        start=_placement(game),
        last=f"{chr(ord('a') + game.width - 1)}{game.height}",
    )
    # The nameless game keeps these rules if they set the start position or allow a side without a royal piece.
    keeps = bool(game.extra.start) or not game.extra.needs_royals
    nameless = replace(game, name="", description="", betza=(), extra=game.extra if keeps else NO_LAWS)
    described = replace(game, description=game.description or f"{game.name}: describe your game here")
    blocks = [VERSION, _block(nameless, numbers), head, _block(described, numbers), _END, ""]
    return "\n".join(blocks)


_END = "A line of text after the last game, for Fairy-Max. More games may follow, each beginning with its line Game:."


def _block(game: Definition, numbers: bool) -> str:
    if numbers:
        return str(game)
    lines = str(game).split("\n")
    texts: Mapping[str, str] = {
        str(piece): _named(game, number, piece) for number, piece in enumerate(game.own_pieces, 1)
    }
    return "\n".join(texts.get(line, line) for line in lines)


def _named(game: Definition, number: int, piece: Piece) -> str:
    """Return the line of a piece with names for its moves, or with numbers if the names do not mean the same rays."""
    text, nameless = named_rays(game, number)
    try:
        same = not nameless and bool(text) and set(rays_of(text, number <= BLACK_PAWN)) == set(piece.rays)
    except ValueError:
        same = False
    if not same:
        return str(piece)
    words = str(replace(piece, rays=())).split()
    return " ".join([words[0], text, *words[1:]])


def _array_words(game: Definition) -> str:
    rows = [" ".join(_letter(game, number) for number in row) for row in dict.fromkeys((game.white, game.black))]
    return f" {rows[0]}" if len(rows) == 1 else f" {rows[0]} and {rows[1]}"


def _letter(game: Definition, number: int) -> str:
    return game.piece(number).letter.upper() if number else "-"


def _placement(game: Definition) -> str:
    """Return the first field of the start position's FEN."""
    from ..boards import start_fen

    return start_fen(game).split()[0].partition("[")[0]


def base_named(name: str, path: str = "") -> Definition:
    """Return the game with this name. Raises DefinitionError, which suggests a name."""
    catalog = Catalog(path)
    if name in catalog:
        return catalog.find(name)
    names = list(chain((game.name for game in catalog), ("chess",)))
    raise DefinitionError(
        f"expected a game of `standstill variants list`, found {shown(name, 40)}{did_you_mean(name, names)}"
    )
