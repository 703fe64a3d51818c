"""Reads what sections of Fairy-Stockfish say about the end of the game: mate, stalemate, checks, goals and losses."""

from __future__ import annotations

import re

from standstill.cext.base.constants import BLACK, WHITE

from ..definition import BLACK_PAWN, Piece
from ..extra_rules import COUNTINGS, Zone
from .ini import Section
from .ini_keys import Converted, Keys, baring
from .mobility_regions import kings_meet
from .regions import Square, integer, ranks

COUNTED = (
    "rook",
    "silver",
    "knight",
)  # the names of the pieces that `# counting` needs; Fairy-Stockfish's khon is a silver
_HILL = frozenset({(3, 3), (4, 3), (3, 4), (4, 4)})


class EndKeys(Keys):
    """The keys of one section, with the board and the pieces that they describe, and the ends of the game."""

    def __init__(self, section: Section, done: Converted):
        super().__init__(section, done)
        self._numbers: dict[tuple[str, int], int] = {}  # piece numbers by letter and side
        self._pieces: list[Piece] = []
        self._board: dict[Square, str] = {}  # letters, capital for White
        self._zones: list[Zone] = []
        self._hill_king = 0
        keys = {key: entry.value.lower() for key, entry in section.keys.items()}
        self._bare = baring(keys)

    def _royal_letters(self) -> set[str]:
        """Return the letters of pieces whose loss or mate loses the game."""
        found = {letter for letter, (name, _) in self.section.pieces.items() if name == "king"}
        types = self.text("extinctionPieceTypes").lower()
        if self.is_on("extinctionPseudoRoyal") and set(types) <= set(self.section.pieces):
            found |= set(types)
        return found

    def _ends(self) -> dict[str, object]:
        found: dict[str, object] = {}
        found["capture"] = self.is_on("mustCapture")
        found["bare"] = self._bare
        found["no_checks"] = not self.is_on("checking")
        found["flying"] = self.is_on("flyingGeneral")
        found["perpetual"] = "check" if self.is_on("perpetualCheckIllegal") else ""
        letters = {letter for letter, _ in self._numbers}
        found["zones"] = tuple(zone for zone in self._zones if zone.letters in letters)
        if found["flying"] and kings_meet(self._zones, self._royal_letters(), self.height):
            self.cannot("flyingGeneral", "the kings may face each other along a rank")
        if self.is_on("bikjangRule") and kings_meet(self._zones, self._royal_letters(), self.height):
            self.cannot("bikjangRule", "the kings may face each other along a rank")
        if not any(piece.is_royal for piece in self._pieces):
            found["free_castling"] = any(piece.castles() for piece in self._pieces)
        found["stalemate"] = {"loss": "lose", "win": "win"}.get(self.text("stalemateValue"), "")
        if self.is_on("stalematePieceCount"):
            found["stalemate"] = "fewer"
            if self.text("stalemateValue") != "win":
                self.cannot("stalematePieceCount", "expected stalemateValue = win beside it")
        if self.text("checkmateValue") == "win":
            found["mate_wins"] = True
        elif self.text("checkmateValue") != "loss":
            self.cannot("checkmateValue")
        if self.is_on("checkCounting"):
            found["checks"] = self._checks()
        found |= self._counting() | self._goals() | self._extinction()
        if self._bare and not self._has_a_king_each():
            self.cannot("extinctionPieceTypes", "expected one king of each side")
        is_royal = {side for (_, side), number in self._numbers.items() if self._pieces[number - 1].is_royal}
        if len(is_royal) < 2 and found["stalemate"] == "lose" and "extinct" not in found:
            found["extinct"] = "all"  # needed without a king; a side without pieces has no move anyway
        return found

    def _has_a_king_each(self) -> bool:
        """Return whether each side starts with one piece whose loss loses the game."""
        kings = self._royal_letters()
        men = [man.islower() for man in self._board.values() if man.lower() in kings]
        return sorted(men) == [False, True]

    def _counting(self) -> dict[str, object]:
        counting = self.text("countingRule").lower()
        if counting not in COUNTINGS:
            return {}
        letters = {
            name: letter for letter, (name, _) in self.section.pieces.items() if (letter, WHITE) in self._numbers
        }
        counted = [letters.get(name, "") for name in COUNTED]
        if all(counted):
            return {"counting": counting, "counted": "".join(counted).upper()}
        line = self.entry("countingRule").line or self.section.line
        missing = f"countingRule = {counting}: expected a {COUNTED[counted.index('')]} among the pieces"
        self.done.differences.append((line, missing))
        return {}

    def _checks(self) -> int:
        found = re.search(r"\b([1-9])\+([1-9])\b", self.text("startFen"))
        if not found or found[1] != found[2]:
            self.cannot("checkCounting", "expected equal numbers of checks in startFen, such as 3+3")
            return 0
        return int(found[1])

    def _goals(self) -> dict[str, object]:
        regions = [self.region(f"flagRegion{side}") for side in ("White", "Black")]
        if not any(regions):
            return {}
        letters = {self.text(f"flagPiece{side}").lower() for side in ("White", "Black")}
        kings = {letter for letter in self._royal_letters() if (letter, WHITE) in self._numbers}
        if len(letters) != 1 or letters != kings:
            self.cannot("flagPieceWhite", "only a king can win by reaching squares")
            return {}
        if regions[0] == regions[1] == _HILL and (self.width, self.height) == (8, 8):
            return self._hill(letters.pop())
        lines = [ranks(region, self.width) for region in regions]
        if not all(line is not None and len(line) == 1 for line in lines):
            self.cannot("flagRegionWhite", "expected one whole rank for each side, or d4 e4 d5 e5")
            return {}
        return {"goals": tuple((line or [0])[0] + 1 for line in lines), "reply": self.is_on("flagMove")}

    def _hill(self, letter: str) -> dict[str, object]:
        number = self._numbers[letter, WHITE]
        if number != BLACK_PAWN + 1 or number != self._numbers.get((letter, BLACK)):
            self.cannot("flagRegionWhite", "the hill needs one king that both sides have")
            return {}
        self._hill_king = number
        return {}

    def _extinction(self) -> dict[str, object]:
        value, types = self.text("extinctionValue").lower(), self.text("extinctionPieceTypes").lower()
        if value == "none" or not types or types == "-" or self._bare:
            return {}
        if self.is_on("extinctionPseudoRoyal"):
            if value != "loss" or self.text("extinctionPieceCount") != "0":
                self.cannot("extinctionPseudoRoyal", "expected extinctionValue = loss without a count")
            for side in (WHITE, BLACK):
                if (
                    sum(
                        man.lower() in self._royal_letters() and man.islower() == (side == BLACK)
                        for man in self._board.values()
                    )
                    > 1
                ):
                    self.cannot("extinctionPseudoRoyal", "several kings of one side")
                    break
            return {}
        if value not in ("win", "loss"):
            self.cannot("extinctionValue")
        known = {letter for letter, _ in self._numbers}
        letters = "all" if "*" in types else "".join(letter for letter in types if letter in known)
        if not letters:
            self.cannot("extinctionPieceTypes", "no piece of the game has these letters")
            return {}
        count = integer(self.text("extinctionPieceCount"))
        return {"extinct": letters, "extinct_wins": value == "win", "extinct_at": count}
