"""Turns a section of Fairy-Stockfish's ``variants.ini`` into a game, and says what the game cannot express.

A key with its default value is ignored. Of the other keys, some become parts of the definition, some concern only the
windows of other programs, some only concern draws, and the rest cannot be expressed.
"""

from __future__ import annotations

import re
from dataclasses import replace

from standstill.cext.base.constants import BLACK, WHITE

from ...common.errors import DefinitionError
from ...common.text import did_you_mean, shown
from ..boards import rules_of
from ..definition import (
    BLACK_PAWN,
    MOST_FILES,
    MOST_PIECES,
    MOST_RANKS,
    WEAK_CP,
    Definition,
    Piece,
    Ray,
    opposed,
    step_of,
)
from ..extra_rules import Drop, ExtraRules
from ..fairymax import VERSION, parse
from ..placement import FORM, by_ranks
from ..zoning.gating import has_rules_of_name
from .from_ends import EndKeys
from .from_forms import drops_of_forms, file_limit, forms_of, marks_of_forms, recurrence
from .from_gates import gated
from .from_passes import passing
from .ini import Section, is_foreign, rays_as_there
from .ini_keys import BARINGS, DRAWS, FOR_WINDOWS, READ, UNREAD, Converted
from .ini_values import value_fault, value_faults
from .mobility_regions import zones
from .new import KNOWN_PIECES
from .regions import cased, file_name, file_of, integer, mirrored, ranks, row_of

_PAWN_LETTERS = "puvxyzwtsjo"
_KING, _QUEEN_NUMBER = -1, 7


def converted(section: Section, partial: bool = False) -> Converted:
    """Convert a section. partial: leave out rules that cannot be expressed, rather than the game."""
    done = Converted(section)
    builder = _Builder(section, done)
    section.mistakes += value_faults(section)
    if section.mistakes:
        done.problems += section.mistakes
        builder.sort_keys()
        return done
    game = builder.game()
    if game is not None and (partial or not done.problems):
        done.game = _playable(game, done)
        if done.game is not None:
            done.differences, done.problems = sorted(done.differences + done.problems), []
    return done


def _playable(game: Definition, done: Converted) -> Definition | None:
    """Return the game as read back from its file, with values; if it cannot be played, add a problem, return None."""
    try:
        read = parse(f"{VERSION}\n{replace(game, name='', description='')}\n{game}").games[0]
        rules = rules_of(read)
    except DefinitionError as error:
        done.problems.append((done.section.line, re.sub(r"^<text>:\d+:\d+: ", "", str(error))))
        return None
    pieces = []
    for number, piece in enumerate(read.own_pieces, 1):
        value = piece.value
        if value in (0, 3):  # 3: pawns do not promote to this piece
            value += rules.mobility_cp(number) // 10 * 10
        pieces.append(replace(piece, value=value))
    made = replace(read, pieces=tuple(pieces), twins=())
    return parse(f"{VERSION}\n{replace(made, name='', description='')}\n{made}").games[0]


class _Builder(EndKeys):
    """Makes the game of one section."""

    def __init__(self, section: Section, done: Converted):
        super().__init__(section, done)
        self._pawn = ""  # the pawns' letter
        self._rights = self._hand = self._gate = ""
        self._forms: dict[str, str] = {}  # what pieces become by promotion
        self._own = False  # whether pawns promote only to kinds of their side's array
        self._mirror: list[str] = []  # letters of pieces whose moves are mirrored for Black
        self._recurrence, self._covered = recurrence(self.text)
        self._covered += BARINGS["lose reply"] if self._bare else []

    def sort_keys(self) -> None:
        """Name the keys that the game cannot express, and those that are unknown."""
        for key, entry in self.section.keys.items():
            value = entry.value
            if key in READ or key in FOR_WINDOWS or key in self._covered or key.startswith("mobilityRegion"):
                continue
            if value_fault(key, entry.written):
                continue  # a mistake of the section
            if key in DRAWS:
                if value.lower() != DRAWS[key]:
                    text = f"{key} = {value}: games are drawn by the rules of chess"
                    self.done.differences.append((entry.line or self.section.line, text))
            elif key in UNREAD:
                if value.lower() not in (UNREAD[key], "none" if UNREAD[key] == "-" else UNREAD[key]):
                    self.cannot(key)
            elif key.startswith(("dropRegion", "connectRegion", "wallingRegion", "shogiPawn")):
                self.cannot(key)
            else:
                self.cannot(key, f"this key is unknown{did_you_mean(key, [*READ, *UNREAD, *DRAWS], 0.8)}")

    # ---- the game ----

    def game(self) -> Definition | None:
        self.sort_keys()
        if not self._read_board() or not self._read_pieces():
            return None
        made = self._assembled()
        if made is None:
            return None
        found = self._ends() | self._recurrence | self._drops() | marks_of_forms(self)
        found |= passing(self, dict.fromkeys(letter for letter, _ in self._numbers))
        rules = replace(made.extra, gate=self._gate, **found)  # type: ignore[arg-type]
        if not has_rules_of_name(rules, made.name, made.pieces):
            what = f"a game named {made.name}, which has rules of its own here, without these rules"
            self.fail(self.section.line, what)
        return self._with_start(replace(made, extra=rules))

    def _read_board(self) -> bool:
        width, height = self.text("maxFile"), self.text("maxRank")
        self.width = ord(width.lower()) - ord("a") + 1 if width.isalpha() and len(width) == 1 else integer(width)
        self.height = integer(height)
        if not 2 <= self.width <= MOST_FILES or not 4 <= self.height <= MOST_RANKS:
            limits = f"expected a board of 2 to {MOST_FILES} files and 4 to {MOST_RANKS} ranks"
            self.fail(self.entry("maxRank").line, f"{limits}, found {self.width}x{self.height}")
            return False
        fen = self.text("startFen").split()
        placement, bracket, hand = (fen or [""])[0].partition("[")
        self._hand = hand.strip("]-") if bracket else ""
        if fen[1:2] == ["b"]:
            self.cannot("startFen", "Black moves first")
        rights = fen[2] if len(fen) > 2 else ""
        self._rights = rights if rights.isalpha() else ""
        rows = placement.split("/")
        squares_by_row = [row_of(row.replace(FORM, "")) for row in rows]
        if len(rows) != self.height or any(len(row or "") != self.width for row in squares_by_row):
            self.cannot("startFen", f"expected a placement for a board of {self.width}x{self.height}")
            return False
        for rank, row in enumerate(reversed(squares_by_row)):
            self._board |= {(file, rank): letter for file, letter in enumerate(row or "") if letter != "."}
        return True

    # ---- pieces ----

    def _read_pieces(self) -> bool:
        section = self.section
        missing = {letter.lower() for letter in self._board.values()} - set(section.pieces)
        if missing:
            what = f"no piece has the letter {' or '.join(sorted(missing))}"
            self.cannot("startFen", what)
        types = self.text("pawnTypes").lower()
        by_name = next((letter for letter, (name, _) in section.pieces.items() if name == "pawn"), "")
        self._pawn = types if types in section.pieces and "pawnTypes" in section.keys else by_name
        if "pawnTypes" in section.keys and types != self._pawn:
            self.cannot("pawnTypes", "expected the letter of one piece")
        self._forms = forms_of(self.text("promotedPieceType"), section.pieces, self.cannot)
        for key in filter(self.is_on, () if self._forms else ("pieceDemotion", "dropPromoted")):
            self.cannot(key, "expected promotedPieceType beside it")
        if self._forms and self._pawn in {letter.lower() for letter in self._board.values()}:
            self.cannot("promotedPieceType", "promoted forms beside pawns that promote to pieces of choice")
        for letter, (name, _) in section.pieces.items():
            if name == "shogiPawn" and letter in self._forms and not missing:
                self._pawn = letter
        if not missing:
            self._gate = gated(self, self._hand, self._board, self._rights, self._pawn)
        self._zones, wrong = zones(section, self.region, self.height)
        for key in wrong:
            self.cannot(key)
        return not missing

    def _rays(self, letter: str) -> tuple[Ray, ...]:
        name, entry = self.section.pieces[letter]
        is_pawn = letter == self._pawn
        moves = entry.value
        where = entry.line or self.section.line
        plain = re.sub(r"i[fm]*m?n?[DAH]|e", "", moves) if is_pawn else moves
        try:
            if is_foreign(plain):
                raise ValueError(f"{shown(moves, 40)} has moves that Fairy-Stockfish does not read in this way")
            if name == "pawn" and self.is_on("doubleStep"):
                moves += "ifmnD"
            elif is_pawn and not self.is_on("doubleStep"):
                moves = re.sub(r"i[fm]*m?n?[DAH]", "", moves)
            if not self._has_pawns() or (is_pawn and not self._can_be_passed(moves)):
                moves = moves.replace("e", "")
            return rays_as_there(moves, is_pawn)
        except ValueError as error:
            self.fail(where, f"{name} = {letter}: {error}")
            return ()

    def _can_be_passed(self, moves: str) -> bool:
        regions = self.region("doubleStepRegionWhite") | self.region("doubleStepRegionBlack")
        return "i" in moves and bool(regions) and self.text("enPassantRegionWhite") != "-"

    def _value(self, letter: str, rays: tuple[Ray, ...]) -> int:
        name, _ = self.section.pieces[letter]
        if letter in self._royal_letters():
            return _KING
        known = next((cp for moves, cp in KNOWN_PIECES.values() if set(rays_as_there(moves)) == set(rays)), 0)
        return 100 if name == "pawn" else known

    def _used(self) -> list[str]:
        """Return the letters of the pieces that can be on the board, except pawns."""
        promoted = [
            letter
            for side in ("White", "Black")
            for letter in self.text(f"promotionPieceTypes{side}").lower()
            if letter in self.section.pieces and self._pawn
        ]
        letters = dict.fromkeys([*(letter.lower() for letter in self._board.values()), *promoted, *self._gate])
        letters |= dict.fromkeys(form for letter, form in self._forms.items() if letter in letters)
        kings = self._royal_letters()
        return sorted((letter for letter in letters if letter != self._pawn), key=lambda one: one not in kings)

    def _assembled(self) -> Definition | None:
        """Return the game with its board and pieces, without rules that end it and without a start position."""
        promoted = self._promoted()
        made: list[tuple[str, tuple[int, ...], Piece]] = []  # letter, sides, piece
        for letter in self._used():
            rays = self._rays(letter)
            made += self._sided(letter, rays, letter in promoted)
        if len(made) + BLACK_PAWN > MOST_PIECES:
            self.fail(self.section.line, f"expected at most {MOST_PIECES} pieces, found {len(made) + BLACK_PAWN}")
            return None
        # Pawns must be able to promote to number 7, which is the default, so it should be the best of these pieces.
        best = max((row for row in made if row[0] in promoted), key=lambda row: row[2].value, default=None)
        if best is not None and len(made) + BLACK_PAWN >= _QUEEN_NUMBER:
            made.remove(best)
            made.insert(_QUEEN_NUMBER - BLACK_PAWN - 1, best)
            self._keep_ninth(made)
        elif best is None and self._has_pawns() and not self._forms and len(made) + BLACK_PAWN >= _QUEEN_NUMBER:
            self.cannot("promotionPieceTypesWhite", "pawns that do not promote")
        self._pieces = [*self._pawns(), *(piece for _, _, piece in made)]
        for number, (letter, sides, _) in enumerate(made, BLACK_PAWN + 1):
            self._numbers |= {(letter, side): number for side in sides}
        return self._definition(promoted)

    def _keep_ninth(self, made: list[tuple[str, tuple[int, ...], Piece]]) -> None:
        """Exchange number 9 if Black's pawns would promote to it by default: Black's army has it but not number 7."""
        seventh, ninth = _QUEEN_NUMBER - BLACK_PAWN - 1, _QUEEN_NUMBER - BLACK_PAWN + 1
        if len(made) <= ninth or self._has_black(made[seventh]) or not self._has_black(made[ninth]):
            return
        for at, row in enumerate(made):
            # If the sides have different pieces with the same letter, White's piece has to come first.
            is_alone = all(sum(other[0] == made[place][0] for other in made) == 1 for place in (at, ninth))
            if at not in (seventh, ninth) and row[2].value != _KING and not self._has_black(row) and is_alone:
                made[at], made[ninth] = made[ninth], made[at]
                return

    def _has_black(self, row: tuple[str, tuple[int, ...], Piece]) -> bool:
        return BLACK in row[1] and row[0] in self._board.values()

    def _has_pawns(self) -> bool:
        return bool(self._pawn) and any(letter.lower() == self._pawn for letter in self._board.values())

    def _pawns(self) -> list[Piece]:
        letter = self._pawn or next(letter for letter in _PAWN_LETTERS if letter not in self.section.pieces)
        rays = self._rays(letter) if self._pawn else rays_as_there("fmWfcF", pawn=True)
        self._numbers |= {(letter, WHITE): 1, (letter, BLACK): 2}
        return [Piece(letter, 100, rays), Piece(letter, 100, opposed(rays))]

    def _sided(self, letter: str, rays: tuple[Ray, ...], is_promoted: bool) -> list[tuple[str, tuple[int, ...], Piece]]:
        """Return one piece for both sides, or one for each if Black's moves or castling differ from White's."""
        changes_sides = bool(self._forms) or self.is_on("capturesToHand")
        if changes_sides and set(opposed(rays)) != set(rays):
            self._mirror.append(letter)
            return [(letter, (WHITE, BLACK), Piece(letter, self._value(letter, rays), rays))]
        sides = (
            [WHITE, BLACK]
            if (is_promoted and not self._own) or changes_sides or letter in self._gate
            else sorted({int(c.islower()) for c in self._board.values() if c.lower() == letter})
        )
        found: dict[tuple[frozenset[Ray], int], tuple[list[int], tuple[Ray, ...]]] = {}
        has_zone = any(zone.letters == letter for zone in self._zones)
        for side in sides:
            own = (opposed(rays) if side == BLACK else rays) if set(opposed(rays)) != set(rays) else rays
            own += self._castles(letter, side)
            found.setdefault((frozenset(own), has_zone and side), ([], own))[0].append(side)
        value = self._value(letter, rays)
        if value != _KING and not is_promoted and not self._forms:
            value = value // 10 * 10 + 3
        name = letter if len(rays) <= 8 else letter.upper()
        return [(letter, tuple(own_sides), Piece(name, value, own)) for own_sides, own in found.values()]

    def _castles(self, letter: str, side: int) -> tuple[Ray, ...]:
        """Return the castling of a piece: its destinations depend on the files in the section."""
        if letter != self.text("castlingKingPiece").lower() or not self.is_on("castling"):
            return ()
        rights = [right for right in self._rights if right.islower() == (side == BLACK)]
        rank = integer(self.text("castlingRank")) - 1
        rank = self.height - 1 - rank if side == BLACK else rank
        files = [file for (file, at), man in self._board.items() if at == rank and man == cased(letter, side)]
        if not rights or not files:
            return ()
        start = file_of(self.text("castlingKingFile"))
        file = start if start in files else files[0]
        rooks = {cased(rook, side) for rook in self.text("castlingRookPieces").lower()}
        found = []
        for right in rights:
            ahead = 1 if right in "Kk" else -1 if right in "Qq" else 0
            if not ahead and self._gate:
                continue  # a file from which pieces in hand may enter
            where = [at for at in range(self.width) if self._board.get((at, rank)) in rooks and (at - file) * ahead > 0]
            target = file_of(self.text("castlingKingsideFile" if ahead > 0 else "castlingQueensideFile"))
            stride = (target - file) * ahead
            # The partner is the outermost one, as `# castling R` says.
            partner = max(where, default=-1) if ahead > 0 else min(where, default=-1)
            if not ahead or partner < 0 or not 2 <= stride <= 4 or (partner - target) * ahead < 0:
                what = f"castling {right}: expected a king's move of 2 to 4 files, no farther than to the rook"
                self.cannot("startFen", f"{what}, found {file_name(file)} to {file_name(target)}")
                continue
            found.append(Ray(ahead, 0x34, (ahead ^ step_of(ahead * (stride - 1), 0)) if stride > 2 else 0))
        return tuple(found)

    # ---- promotion ----

    def _promoted(self) -> set[str]:
        """Return the letters of the pieces to which pawns promote."""
        if not self._has_pawns() or self._forms:
            return set()
        kinds = [set(self.text(f"promotionPieceTypes{side}").lower()) - {"-"} for side in ("White", "Black")]
        kinds = [{letter for letter in kind if letter in self.section.pieces} for kind in kinds]
        promoted = kinds[0] | kinds[1]
        if kinds[0] != kinds[1]:
            men = [{man.lower() for man in self._board.values() if man.islower() == (side == BLACK)} for side in (0, 1)]
            self._own = all(kinds) and kinds == [promoted & own for own in men]
            if not self._own:
                self.cannot(
                    "promotionPieceTypesBlack", "promotions that differ between the sides other than by their men"
                )
        if promoted & self._royal_letters():
            self.cannot("promotionPieceTypesWhite", "promotion to a king")
        return promoted - self._royal_letters()

    def _zone(self) -> tuple[int, int]:
        """Return (board suffix, rank of `# promotion`) for the region of promotion; 0 without them."""
        white, black = self.region("promotionRegionWhite"), self.region("promotionRegionBlack")
        found = ranks(white, self.width)
        if not self._has_pawns() and not self._forms:
            return 0, 0
        if not found or found != list(range(found[0], self.height)):
            self.cannot("promotionRegionWhite", "expected whole ranks up to the last one")
            return 0, 0
        # A file may leave Black's region at its default, which is the first rank.
        if mirrored(white, self.height) != black:
            self.cannot("promotionRegionBlack", "expected the mirror image of White's region")
        depth = self.height - found[0]
        if self._forms:
            self.form_ranks = depth
            return 0, 0
        if self.is_on("mandatoryPawnPromotion"):
            return (0, 0) if depth == 1 else (depth, 0)
        return 0, found[0] + 1

    def _definition(self, promoted: set[str]) -> Definition:
        zone, promotion = self._zone()
        arrays = [self._array(side) for side in (WHITE, BLACK)]
        default = self._pieces[_QUEEN_NUMBER - 1].value if len(self._pieces) >= _QUEEN_NUMBER else 0
        limited = bool(self.text("promotionLimit"))
        if limited:
            self._check_limits(promoted)
        return Definition(
            name=self.section.name,
            width=self.width,
            height=self.height,
            white=arrays[0],
            black=arrays[1],
            pieces=tuple(self._pieces),
            zone=zone,
            description=self.section.description,
            allows_choice=len(promoted) > 1 and (zone == 3 or 0 <= default < WEAK_CP or bool(promotion)),
            extra=ExtraRules(
                promotion=promotion,
                limited=limited,
                own=self._own,
                homes=self._homes(),
                castling=self._partners(),
                mirror="".join(self._mirror),
                forms=tuple((letter, form) for letter, form in self._forms.items() if (letter, WHITE) in self._numbers),
                form_ranks=self.form_ranks,
            ),
        )

    def _check_limits(self, promoted: set[str]) -> None:
        """Report limits on promotion that differ from the numbers of pieces in the start position."""
        words = (word.lower().partition(":") for word in self.text("promotionLimit").split())
        wanted = {letter: count for letter, _, count in words}
        for letter in promoted:
            counts = {str(sum(man == cased(letter, side) for man in self._board.values())) for side in (WHITE, BLACK)}
            if counts != {wanted.get(letter, "")}:
                self.cannot("promotionLimit", "expected the numbers of pieces in the start position")
                return

    def _array(self, side: int) -> tuple[int, ...]:
        """Return the back rank. If `# start` replaces it, the rank only tells which pieces the letters mean."""
        rank = 0 if side == WHITE else self.height - 1
        row = [self._numbers.get((self._board.get((file, rank), "").lower(), side), 0) for file in range(self.width)]
        row = [number if number > BLACK_PAWN else 0 for number in row]
        rest = [n for (_, whose), n in self._numbers.items() if whose == side and n > BLACK_PAWN and n not in row]
        for file in range(self.width):
            if not row[file] and rest and (file, rank) not in self._board:
                row[file] = rest.pop(0)
        return tuple(row)

    def _homes(self) -> tuple[int, int]:
        """Return the ranks from which pawns make initial moves; (0, 0) if all unmoved pawns can make them."""
        if not self._has_pawns() or not any(ray.is_initial for ray in self._pieces[0].rays):
            return 0, 0
        white = self.region("doubleStepRegionWhite")
        found = ranks(white, self.width)
        if not found or found != list(range(found[0], found[-1] + 1)):
            self.cannot("doubleStepRegionWhite", "expected adjacent whole ranks")
            return 0, 0
        if mirrored(white, self.height) != self.region("doubleStepRegionBlack"):
            self.cannot("doubleStepRegionBlack", "expected the mirror image of White's region")
        first, last = found[0] + 1, found[-1] + 1
        passing = self.text("enPassantRegionWhite")
        if passing not in ("", "-") or first < last:
            given = passing not in ("", "-") and self.region("enPassantRegionWhite")
            behind = {last, self.height - 1 - last}
            if given is False or set(ranks(given, self.width) or ()) != behind:
                self.cannot("doubleStepRegionWhite", "en passant is possible only from the last of these ranks")
        at_home = {at for (_, at), man in self._board.items() if man == self._pawn.upper()}
        at_home |= {self.height - 1 - at for (_, at), man in self._board.items() if man == self._pawn}
        # In Fairy-Stockfish a pawn's rank decides whether it can make a double step; in a definition without ranks,
        # whether it has moved. For pawns that only advance, both rules are equivalent.
        is_same = all(ray.step < -8 for ray in self._pieces[0].rays) and not self.is_on("pieceDrops")
        return (0, 0) if at_home == {first - 1} == {last - 1} and is_same else (first, last)

    def _partners(self) -> str:
        """Return the letter for `# castling` if the castling partners are not in the corners of the king's rank."""
        if not any(piece.castles() for piece in self._pieces):
            return ""
        rooks = self.text("castlingRookPieces").lower()
        rank = integer(self.text("castlingRank")) - 1
        corners = [(0, rank), (self.width - 1, rank)]
        corners += [(file, self.height - 1 - at) for file, at in corners]
        if all(self._board.get(place, "").lower() in ("", *rooks) for place in corners) and not any(
            right in self._rights and self._board.get(place, "").lower() not in rooks
            for right, place in zip("QKqk", corners, strict=True)
        ):
            return ""
        if len(rooks) > 1:
            self.cannot("castlingRookPieces", "several kinds of castling partners that are not in the corners")
        return rooks[0].upper()

    # ---- pieces in hand ----

    def _drops(self) -> dict[str, object]:
        if not self.is_on("pieceDrops"):
            return {}
        if not self.is_on("capturesToHand"):
            self.cannot("pieceDrops", "expected capturesToHand = true beside it")
            return {}
        for key in filter(self.text, ("dropRegionWhite", "dropRegionBlack")):
            self.cannot(key)
        hand = "keep" if self.is_on("dropLoop") else "turn"
        if self._forms:
            started = {man.lower() for man in self._board.values()}
            white = {letter: self._pieces[n - 1] for (letter, side), n in self._numbers.items() if side == WHITE}
            men = {letter: piece for letter, piece in white.items() if letter in started}
            return {"hand": hand, "drops": drops_of_forms(self, men, self._pawn, self._forms)}
        first = 1 if self.is_on("firstRankPawnDrops") else 2
        region = ranks(self.region("promotionRegionWhite"), self.width) or [self.height - 1]
        last = self.height if self.is_on("promotionZonePawnDrops") else region[0]
        single = self.text("dropNoDoubled").lower()
        if single not in ("-", "", self._pawn):
            self.cannot("dropNoDoubled", "expected the letter of the pawns")
        if self.is_on("immobilityIllegal") and (first == 1 or last == self.height):
            self.cannot("immobilityIllegal")
        if not self._has_pawns():
            return {"hand": hand}
        return {"hand": hand, "drops": (Drop(self._pawn, first, last, **file_limit(self, self._pawn)),)}

    # ---- the start position ----

    def _with_start(self, game: Definition) -> Definition:
        """Add `# start` unless back ranks and pawns give the same position; mark the king that wins on the hill."""
        if self._hill_king:
            pieces = list(game.pieces)
            pieces[self._hill_king - 1] = replace(pieces[self._hill_king - 1], value=-2)
            game = replace(game, pieces=tuple(pieces))
        wanted = bytearray(self.width * self.height)
        for (file, rank), man in self._board.items():
            side = int(man.islower())
            wanted[rank * self.width + file] = self._numbers.get((man.lower(), side), 0) + 16 * side
        plain = by_ranks(game) if 2 * (game.pawn_rank + 1) <= game.height else b""
        uneven = 7 in game.white and 7 not in game.black and 9 in game.black
        start = self.text("startFen").split()[0].partition("[")[0]
        if bytes(wanted) == plain and not uneven and FORM not in start:
            return game
        if uneven:  # Black's pawns would promote to the ninth piece by default
            empty = next((at for at, number in enumerate(game.black) if not number), -1)
            if empty < 0:
                self.fail(self.section.line, "Black has the ninth piece, but not the seventh, and a full back rank")
            else:
                game = replace(game, black=(*game.black[:empty], 7, *game.black[empty + 1 :]))
        return replace(game, extra=replace(game.extra, start=start))
