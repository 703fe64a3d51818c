"""Writes a game as a section of Fairy-Stockfish's ``variants.ini``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from standstill.cext.base.constants import BLACK, WHITE

from ..betza import named_rays
from ..boards import start_fen
from ..definition import BLACK_PAWN, HOPS, WHITE_PAWN, Definition, opposed
from ..extra_rules import BOTH, SIDES, Drop
from ..placement import BLACK_MAN
from .from_forms import stuck_ranks
from .from_passes import CANNON, DIAGONALS, JANGGI_POINTS, JANGGI_SECOND, ODDS
from .ini import PIECES, is_foreign, rays_as_there
from .ini_keys import BARINGS

_HILL = "d4 e4 d5 e5"
_STANDARD_PAWNS = ("fmWfceF", "fmWfcF")


class Unspeakable(ValueError):
    """A rule that Fairy-Stockfish's format does not have."""


class Section:
    """Collects the lines of a section, and the problems: the rules that the lines cannot express.

    unwritable: problems only of a section in a file. Fairy-Stockfish's own variant has these rules, so that a section
    can inherit them.
    """

    def __init__(self, game: Definition):
        self.game = game
        self.lines: list[tuple[str, str]] = []
        self.problems: list[str] = []
        self.unwritable: list[str] = []
        self.letters: dict[int, str] = {}  # the letter of each piece that a side can have
        self.keys: dict[str, str] = {}  # maps each letter to its key
        self._custom = 0
        for part in (self._pieces, self._board, self._promotion, self._castling, self._royals, self._ends, self._hands):
            part()
        self._zones()
        self._passes()
        self._diagonals()

    def put(self, key: str, value: object) -> None:
        self.lines.append((key, str(value).lower() if isinstance(value, bool) else str(value)))

    # ---- pieces ----

    def _sides(self, number: int) -> list[int]:
        """Return the sides that can have a piece."""
        game = self.game
        found = []
        for colour in (WHITE, BLACK):
            files = range(game.width if game.has_pawns(colour) else 0)
            promotions = {n for file in files for n in game.promotions(colour, file)}
            forms = {game.number_of(form, colour) for _, form in game.extra.forms}
            men = (*game.men(colour), *game.gates(colour), *promotions)
            own = {game.untwinned(n) for n in men} | self._on_board(colour) | forms
            if number in own or number == WHITE_PAWN + colour:
                found.append(colour)
        return found

    def _on_board(self, colour: int) -> set[int]:
        men = {man & 15 for man in self.game.start if man and (man >= BLACK_MAN) == (colour == BLACK)}
        return {self.game.base_of(number) or number for number in men}

    def _pieces(self) -> None:
        game = self.game
        turned_round = replace(game, pieces=tuple(replace(one, rays=opposed(one.rays)) for one in game.pieces))
        known: dict[str, str] = {}  # moves by letter
        for number, piece in enumerate(game.own_pieces, 1):
            for colour in self._sides(number):
                letter = piece.letter.lower()
                # Fairy-Stockfish turns all moves for Black, as `# mirror` does.
                is_turned = colour == BLACK and letter not in game.extra.mirror.lower()
                text, nameless = named_rays(turned_round if is_turned else game, number)
                self.letters[number] = letter
                if nameless:
                    self.problems.append(f"piece {number} ({piece.letter}): {nameless} rays have no name there")
                    continue
                text = self._without_castling(text)
                if known.setdefault(letter, text) != text:
                    self.problems.append(f"piece {number} ({piece.letter}): both sides' {letter} must move alike")
        if self.letters.get(WHITE_PAWN) != self.letters.get(BLACK_PAWN):
            self.problems.append("pawns of the two sides with different letters")
        for number in sorted(self.letters, key=lambda n: (n > BLACK_PAWN, n)):
            letter = self.letters[number]
            if letter in known:
                before = len(self.lines)
                self._piece(number, letter, known.pop(letter))
                self.keys[letter] = next((key for key, _ in self.lines[before:]), "")

    def _without_castling(self, text: str) -> str:
        """Return the moves without castling, which has its own keys."""
        return re.sub(r"[a-z]*O\d", "", text)

    def _piece(self, number: int, letter: str, moves: str) -> None:
        piece = self.game.piece(number)
        if number <= BLACK_PAWN:
            self._pawn(letter, moves)
            return
        if is_foreign(moves):
            self.problems.append(
                f"piece {number} ({piece.letter}): {moves} has moves that Fairy-Stockfish does not read"
            )
        elif piece.is_royal:
            self.put("king", letter if moves == "K" else f"{letter}:{moves}")
        elif letter == self._cannon() and moves == PIECES[CANNON]:
            self.put(CANNON, letter)
        else:
            no_names = ("king", "pawn", CANNON)
            same = [name for name, known in PIECES.items() if _alike(known, moves) and name not in no_names]
            free = [name for name in same if name not in {key for key, _ in self.lines}]
            if free:
                self.put(free[0], letter)
            else:
                self.put(f"customPiece{self._next_custom()}", f"{letter}:{moves}")

    def _next_custom(self) -> int:
        self._custom += 1
        return self._custom

    def _pawn(self, letter: str, moves: str) -> None:
        initial = moves.find("ifm")
        plain = moves if initial < 0 else moves[:initial]
        step = "" if initial < 0 else moves[initial:]
        if self.game.extra.forms:
            # Pawns of Fairy-Stockfish promote to chosen pieces, so a piece with a promoted form cannot be a pawn there.
            self.put(
                "shogiPawn" if moves == "fW" else f"customPiece{self._next_custom()}",
                letter if moves == "fW" else f"{letter}:{moves}",
            )
        elif plain in _STANDARD_PAWNS and step in ("", "ifmnD"):
            self.put("pawn", letter)
        else:
            self.put(f"customPiece{self._next_custom()}", f"{letter}:{moves}")
            self.put("pawnTypes", letter)
        has_pawns = any(man & 15 in (WHITE_PAWN, BLACK_PAWN) for man in self.game.start) or bool(self.game.extra.hand)
        self.put("doubleStep", bool(step) and has_pawns)
        if step and has_pawns:
            self._double_step(passing="e" in plain)

    def _double_step(self, passing: bool) -> None:
        game = self.game
        height = game.height
        first, last = game.extra.homes
        if not first:
            ranks = {sq // game.width for sq, man in enumerate(game.start) if man == WHITE_PAWN}
            if len(ranks) != 1:
                self.problems.append("double steps of unmoved pawns that start on several ranks")
                return
            first = last = ranks.pop() + 1
        self.put("doubleStepRegionWhite", " ".join(f"*{rank}" for rank in range(first, last + 1)))
        self.put("doubleStepRegionBlack", " ".join(f"*{height + 1 - rank}" for rank in range(first, last + 1)))
        if not passing:
            self.put("enPassantRegion", "-")
        elif first < last:
            self.put("enPassantRegion", f"*{last + 1} *{height - last}")

    # ---- board, promotion, castling ----

    def _board(self) -> None:
        game = self.game
        self.put("maxRank", game.height)
        self.put("maxFile", game.width)
        if game.width > 12 or game.height > 10:
            self.problems.append(
                f"a board of {game.width}x{game.height}: Fairy-Stockfish has up to 12 files and 10 ranks"
            )
        if game.table:
            self.put("pieceToCharTable", game.table)
        self.put("startFen", start_fen(game))

    def _promotion(self) -> None:
        game, height = self.game, self.game.height
        if game.promotes_by_file:
            self.problems.append("promotion that depends on the file (board suffix =-3)")
            return
        laws = game.extra
        first = game.height - laws.form_ranks + 1 if laws.forms else game.promotion_rank + 1
        self.put("promotionRegionWhite", " ".join(f"*{rank}" for rank in range(first, height + 1)))
        self.put("promotionRegionBlack", " ".join(f"*{height + 1 - rank}" for rank in range(first, height + 1)))
        if laws.forms:
            self._forms()
            return
        kinds = []
        for colour in (WHITE, BLACK):
            numbers = [game.untwinned(n) for n in game.promotions(colour, 0)]
            if any(game.piece(n).is_royal for n in numbers):
                self.problems.append("promotion to a king")
            kinds.append("".join(self.letters.get(n, "") for n in numbers) or "-")
        if kinds[0] == kinds[1]:
            self.put("promotionPieceTypes", kinds[0])
        else:
            self.put("promotionPieceTypesWhite", kinds[0])
            self.put("promotionPieceTypesBlack", kinds[1])
        if game.extra.promotion:
            self.put("mandatoryPawnPromotion", value=False)
        if game.extra.limited:
            self._limits(kinds[0])

    def _forms(self) -> None:
        """What pieces become in the zone of promotion."""
        game, laws = self.game, self.game.extra
        self.put("promotionPieceTypes", "-")
        self.put("promotedPieceType", " ".join(f"{piece}:{form}" for piece, form in laws.forms).lower())
        for key, is_set in (
            ("mandatoryPiecePromotion", laws.must_change),
            ("pieceDemotion", laws.turns_back),
            ("piecePromotionOnCapture", laws.takes_to_change),
        ):
            if is_set:
                self.put(key, value=True)
        self.put("immobilityIllegal", self._leaves_no_piece_stuck())
        promoting = {piece.lower() for piece, _ in laws.forms}
        for number, letter in self.letters.items():
            is_stuck = letter not in promoting and stuck_ranks(game.piece(number), game.height)
            if is_stuck and number != BLACK_PAWN and self._leaves_no_piece_stuck():
                self.problems.append(f"moves of {letter} to squares from which it could never move again")

    def _limits(self, kinds: str) -> None:
        """The numbers of pieces that pawns may become. kinds: their letters."""
        game = self.game
        counts = [
            {letter: game.start.count(n + BLACK_MAN * colour) for n, letter in self.letters.items() if n > BLACK_PAWN}
            for colour in (WHITE, BLACK)
        ]
        if counts[0] != counts[1]:
            self.problems.append("limits of promotion that differ between the sides")
        self.put("promotionLimit", " ".join(f"{c}:{n}" for c, n in counts[0].items() if c in kinds))

    def _castling(self) -> None:
        game = self.game
        rows = []
        for sq, man in enumerate(game.start):
            castles = game.castlings[(man & 15) - 1] if man else []
            for side, files in castles:
                partner = game.partner(sq, side)
                if 0 <= partner != sq and game.start[partner]:
                    rows.append((man, sq, side, files, partner))
        self.put("castling", bool(rows))
        if not rows:
            return
        try:
            self._castling_keys(rows)
        except Unspeakable as error:
            self.problems.append(str(error))

    def _castling_keys(self, rows: list[tuple[int, int, int, int, int]]) -> None:
        game, width = self.game, self.game.width
        found: dict[str, set[object]] = {}
        for man, sq, side, files, partner in rows:
            name = "Kingside" if side > 0 else "Queenside"
            black = man >= BLACK_MAN
            rank = game.height - sq // width if black else sq // width + 1
            found.setdefault(f"castling{name}File", set()).add(_file(sq % width + files))
            found.setdefault(f"castlingRook{name}File", set()).add(_file(partner % width))
            found.setdefault("castlingRank", set()).add(rank)
            found.setdefault("castlingKingFile", set()).add(_file(sq % width))
            found.setdefault("castlingKingPiece", set()).add(self.letters[game.untwinned(man & 15)])
            found.setdefault("castlingRookPieces", set()).add(self.letters[game.untwinned(game.start[partner] & 15)])
            if not game.piece(man & 15).is_royal and not game.extra.free_castling:
                raise Unspeakable("castling of a piece that is not royal, but may not castle through attacks")
        for key, values in found.items():
            if key == "castlingRookPieces":
                self.put(key, "".join(sorted(map(str, values))))
            elif len(values) > 1:
                raise Unspeakable("castling that differs between the sides or between pieces")
            else:
                self.put(key, next(iter(values)))

    # ---- royals and the end of the game ----

    def _royals(self) -> None:
        game = self.game
        for colour, side in ((WHITE, "White"), (BLACK, "Black")):
            royals = list(self._royal_men(colour))
            if len(royals) > 1:
                self.problems.append(f"several kings of {side}")
        if any(game.piece(n).has_spare_value for n in self.letters):
            self.problems.append("a king that may be lost while another one remains (a value below -2)")
        if game.has_hill:
            if (game.width, game.height) != (8, 8):
                self.problems.append("a hill on a board that is not 8x8")
            self.put("flagPiece", self.letters[3])
            self.put("flagRegion", _HILL)

    def _royal_men(self, colour: int) -> Iterator[int]:
        for man in self.game.start:
            if man and (man >= BLACK_MAN) == (colour == BLACK) and self.game.piece(man & 15).is_royal:
                yield man & 15

    def _royal_ranks(self, colour: int) -> set[int]:
        """Return the ranks that a side's royal pieces can reach."""
        game = self.game
        zones = [game.zones.get(number) for number in self._royal_men(colour)]
        every = range(game.squares)
        return {sq // game.width for zone in zones for sq in every if zone is None or zone >> sq & 1}

    def _ends(self) -> None:
        game, laws = self.game, self.game.extra
        for is_set, what in (
            (laws.bare and laws.extinct, "a loss by pieces of one kind (# extinct) beside a bare king (# bare)"),
            (laws.explosion, "captures that explode (# explosion)"),
            (laws.leap, "a royal piece that loses its initial moves (# leap)"),
        ):
            if is_set:
                self.problems.append(what)
        if laws.gate:
            self.put("gating", value=True)
            self.put("seirawanGating", value=True)
        if laws.checks:
            self.put("checkCounting", value=True)
        if laws.no_checks:
            self.put("checking", value=False)
        if laws.capture:
            self.put("mustCapture", value=True)
        if any(laws.goals):
            self.put("flagPiece", self.letters[next(self._royal_men(WHITE))])
            self.put("flagRegionWhite", f"*{laws.goals[0]}")
            self.put("flagRegionBlack", f"*{laws.goals[1]}")
            if laws.reply:
                self.put("flagMove", value=True)
        if laws.stalemate or game.stalemate_loses:
            self.put("stalemateValue", "win" if laws.stalemate in ("win", "fewer") else "loss")
        if laws.stalemate == "fewer":
            self.put("stalematePieceCount", value=True)
        if laws.mate_wins:
            self.put("checkmateValue", "win")
        if laws.counting:
            self.put("countingRule", laws.counting)
        self._recurrence()
        self._extinction()

    def _recurrence(self) -> None:
        laws = self.game.extra
        if laws.endless:
            self.put("nMoveRule", 0)
        if laws.recurrences:
            self.put("nFoldRule", laws.recurrences)
        if laws.recurrence_wins:
            # Without the second key the value counts for the side to move, after the move of the other side.
            self.put("nFoldValue", "loss" if laws.recurrence_wins in ("black", "win") else "win")
            self.put("nFoldValueAbsolute", laws.recurrence_wins in SIDES)

    def _extinction(self) -> None:
        laws = self.game.extra
        for key, value in BARINGS.get(laws.bare, {}).items():
            self.put(key, value)
        absent = "" if laws.extinct == "all" else sorted({*laws.extinct.lower()} - self.keys.keys())
        if absent:
            self.problems.append(f"an extinction of {' '.join(absent)}, which neither side can have (# extinct)")
        if laws.extinct and not laws.bare:
            self.put("extinctionValue", "win" if laws.extinct_wins else "loss")
            self.put("extinctionPieceTypes", "*" if laws.extinct == "all" else laws.extinct.lower())
            if laws.extinct_at:
                self.put("extinctionPieceCount", laws.extinct_at)

    def _hands(self) -> None:
        game, laws = self.game, self.game.extra
        if not laws.hand:
            return
        self.put("pieceDrops", value=True)
        self.put("capturesToHand", value=True)
        if laws.hand == "keep":
            self.put("dropLoop", value=True)
        if laws.forms:
            self._drops_of_forms()
            return
        pawn = game.piece(WHITE_PAWN).letter.lower()
        ranks = (1, game.height)
        for drop in laws.drops:
            if drop.letters.lower() != pawn or drop.no_mate:
                self.problems.append(
                    f"# drop {drop}: only pawns can have their own ranks, and only shogi's pawn nomate"
                )
                continue
            ranks = (drop.first, drop.last)
            if drop.single:
                self.put("dropNoDoubled", pawn)
        if ranks[0] > 2 or ranks[1] not in (game.promotion_rank, game.height):
            self.problems.append(f"drops of pawns on the ranks {ranks[0]} to {ranks[1]}")
        self.put("firstRankPawnDrops", ranks[0] == 1)
        self.put("promotionZonePawnDrops", ranks[1] == game.height)

    def _leaves_no_piece_stuck(self) -> bool:
        """Return whether no piece may go where it can never move again.

        If a piece must promote there, only a drop can leave it there unpromoted.
        """
        game = self.game
        limited = {letter for drop in game.extra.drops if drop.last < game.height for letter in drop.letters.lower()}
        promoting = {piece for piece, _ in game.extra.forms}
        stuck = {c: stuck_ranks(game.piece(n), game.height) for n, c in self.letters.items() if n != BLACK_PAWN}
        at_risk = {c for c, n in stuck.items() if 0 < n <= game.extra.form_ranks and c in promoting}
        if game.extra.takes_to_change:
            return False
        return not game.extra.must_change or not at_risk or bool(at_risk & limited)

    def _drops_of_forms(self) -> None:
        """Drops in a game with promoted forms: everywhere, except where the piece could never move."""
        game = self.game
        rules = {letter: drop for drop in game.extra.drops for letter in drop.letters.lower()}
        single, shogi_pawn = "", next((value for key, value in self.lines if key == "shogiPawn"), "")
        for number, letter in self.letters.items():
            piece = game.piece(number)
            if piece.is_royal or number == BLACK_PAWN or letter not in self._letters_at_start():
                continue
            rule = rules.get(letter) or Drop(letter, 1, game.height)
            last = game.height - stuck_ranks(piece, game.height)
            if (rule.first, rule.last) != (1, last if self._leaves_no_piece_stuck() else game.height):
                what = f"ranks {rule.first} to {rule.last}, although it can move on the ranks 1 to {last}"
                self.problems.append(f"drops of {letter}: {what}")
            if rule.no_mate and letter == shogi_pawn:
                self.put("shogiPawnDropMateIllegal", value=True)
            elif rule.no_mate:
                self.problems.append(f"# drop {rule}: nomate, which there only the pawn of shogi has")
            if rule.single or rule.double:
                if single:
                    word = "single" if rule.single else "double"
                    self.problems.append(f"# drop {rule}: {word}, which there only one kind of piece can have")
                self.put("dropNoDoubled", letter)
                self.put("dropNoDoubledCount", 2 if rule.double else 1)
                single = letter
        either = {letter for letter, rule in rules.items() if rule.either}
        if either and either != {letter for letter, _ in game.extra.forms} & self._letters_at_start():
            self.problems.append("# drop either: there, all pieces with promoted forms must have it, or none")
        if any(rules[letter].single or rules[letter].double or rules[letter].last < game.height for letter in either):
            self.problems.append("# drop either: there, only beside drops without restrictions")
        if either:
            self.put("dropPromoted", value=True)

    def _letters_at_start(self) -> set[str]:
        men = {man & 15 for man in self.game.start if man}
        return {self.game.piece(self.game.base_of(number) or number).letter.lower() for number in men}

    def _zones(self) -> None:
        game = self.game
        if game.extra.flying:
            self.put("flyingGeneral", value=True)
            if self._royal_ranks(WHITE) & self._royal_ranks(BLACK):
                self.problems.append("kings that may face each other along a rank (# flying)")
        if game.extra.perpetual:
            self.put("perpetualCheckIllegal", value=True)
        for zone in game.extra.zones:
            for letter in zone.letters.lower():
                key = self.keys.get(letter, "")
                for side, name in ((WHITE, "White"), (BLACK, "Black")):
                    bits = zone.bits(game.width, game.height, side == BLACK)
                    inside = [sq for sq in range(game.squares) if bits >> sq & 1]
                    names = " ".join(f"{_file(sq % game.width)}{sq // game.width + 1}" for sq in inside)
                    if key:
                        self.put(f"mobilityRegion{name}{key[0].upper()}{key[1:]}", names)

    # ---- Janggi ----

    def _cannon(self) -> str:
        """Return the letter of the only piece that hops, if no piece hops over it and it is immune to its own kind."""
        game, barrier = self.game, self.game.extra.barrier.lower()
        rays = {
            n: [*piece.rays, *(ray for _, more in game.areas_of(n) for ray in more)]
            for n, piece in enumerate(game.pieces, 1)
        }
        hopping = {game.piece(n).letter.lower() for n, own in rays.items() if any(ray.mode & HOPS for ray in own)}
        is_one = len(barrier) == 1 and barrier in game.extra.immune.lower() and hopping == {barrier}
        return barrier if is_one else ""

    def _passes(self) -> None:
        """Write who may pass, what points count, and which pieces do not capture each other."""
        laws, cannon = self.game.extra, self._cannon()
        if laws.passes:
            self.put("pass" if laws.passes == BOTH else f"pass{laws.passes.capitalize()}", value=True)
        if laws.bikjang:
            self.put("bikjangRule", value=True)
            if self._royal_ranks(WHITE) & self._royal_ranks(BLACK):
                self.problems.append("kings that may face each other along a rank (# bikjang)")
        if self.keys.keys() & laws.barrier.lower() and self.keys.get(cannon) != CANNON:
            self.problems.append(f"pieces over which no piece hops (# barrier {laws.barrier})")
        immune = "".join(letter for letter in laws.immune.lower() if self.keys.get(letter, CANNON) != CANNON)
        if immune:
            self.put("mutuallyImmuneTypes", immune)
        if laws.second_points is not None:
            self._points(laws.second_points, dict(laws.points))

    def _points(self, second: int, points: dict[str, int]) -> None:
        royal = {self.letters[n] for n in self.letters if self.game.piece(n).is_royal}
        pawn = self.letters[WHITE_PAWN] if not self.game.has_pawns(WHITE) and not self.game.has_pawns(BLACK) else ""
        letters = set(self.letters.values()) - royal - {pawn}
        own = {letter: points.get(letter, 0) for letter in letters}
        as_in_janggi = {letter: 2 * JANGGI_POINTS.get(self.keys.get(letter, ""), 0) for letter in letters}
        if second == JANGGI_SECOND and own == as_in_janggi:
            self.put("materialCounting", "janggi")
        elif second == 0 and set(own.values()) == {2}:
            self.put("materialCounting", "unweighted")
        elif second and not any(own.values()):
            self.put("materialCounting", next(name for name, odds in ODDS.items() if (odds < 0) == (second < 0)))
        else:
            self.problems.append("points of pieces other than those of Janggi (# points)")

    def _diagonals(self) -> None:
        """Write lines along which pieces move diagonally, if all moves in areas (`# within`) are such moves."""
        game, width, height = self.game, self.game.width, self.game.height
        within = [zone for zone in game.extra.within if self.keys.keys() & zone.letters.lower()]
        if not within:
            return
        every = 0
        for zone in within:
            every |= zone.bits(width, height, black=False) | zone.bits(width, height, black=True)
        stood = {
            letter: zone.bits(width, height, False) for zone in game.extra.zones for letter in zone.letters.lower()
        }
        found = {
            (letter, " ".join(zone.moves), zone.bits(width, height, False) ^ every & stood.get(letter, every))
            for zone in within
            for letter in zone.letters.lower()
            if letter in self.keys
        }
        wanted = {(letter, DIAGONALS[key], 0) for letter, key in self.keys.items() if key in DIAGONALS}
        # Fairy-Stockfish's lines lead kings of the wazir's type, which no key names, but no king with moves of its own.
        kings = {(value[0], "F", 0) for key, value in self.lines if key == "king" and value[1:] == ":W"} & found
        if kings:
            self.unwritable.append("a king's moves that it has only in an area (# within)")
            wanted |= kings
        if found != wanted:
            self.problems.append("moves that a piece has only in an area (# within)")
            return
        self.put(
            "diagonalLines",
            " ".join(f"{_file(sq % width)}{sq // width + 1}" for sq in range(game.squares) if every >> sq & 1),
        )

    def __str__(self) -> str:
        return "\n".join([f"[{self.game.name}]", *(f"{key} = {value}" for key, value in self.lines), ""])


def _file(number: int) -> str:
    return chr(ord("a") + number)


def _alike(one: str, other: str) -> bool:
    """Return whether two names mean the same moves."""
    if not one or not other:
        return one == other
    try:
        return set(rays_as_there(one)) == set(rays_as_there(other))
    except ValueError:
        return False
