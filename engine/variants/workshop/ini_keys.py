"""The keys of Fairy-Stockfish's files of variants, with their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..definition import Definition
from .ini import PROMOTIONS, USUAL_PROMOTIONS, Entry, Section
from .regions import Square, squares

# Keys that change nothing in the game, and those that only decide when and how games are drawn or repeated.
FOR_WINDOWS = ("variantTemplate", "pieceToCharTable", "pocketSize", "pieceValueMg", "pieceValueEg", "chess960")
DRAWS = {
    "nMoveRule": "50",
    "nFoldRule": "3",
    "nFoldValue": "draw",
    "nFoldValueAbsolute": "false",
    "moveRepetitionIllegal": "false",
    "nMoveRuleTypesWhite": "p",
    "nMoveRuleTypesBlack": "p",
}
# Keys that this module reads, with their defaults.
READ = {
    "maxRank": "8",
    "maxFile": "8",
    "startFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "pawnTypes": "p",
    "promotionRegionWhite": "*8",
    "promotionRegionBlack": "*1",
    **dict.fromkeys(PROMOTIONS, USUAL_PROMOTIONS),
    "promotionLimit": "",
    "mandatoryPawnPromotion": "true",
    "doubleStep": "true",
    "doubleStepRegionWhite": "*2",
    "doubleStepRegionBlack": "*7",
    "enPassantRegionWhite": "",
    "enPassantRegionBlack": "",
    "castling": "true",
    "castlingKingsideFile": "g",
    "castlingQueensideFile": "c",
    "castlingRank": "1",
    "castlingKingFile": "e",
    "castlingKingPiece": "k",
    "castlingRookKingsideFile": "",
    "castlingRookQueensideFile": "",
    "castlingRookPieces": "r",
    "checking": "true",
    "mustCapture": "false",
    "pieceDrops": "false",
    "capturesToHand": "false",
    "dropLoop": "false",
    "firstRankPawnDrops": "false",
    "promotionZonePawnDrops": "false",
    "dropNoDoubled": "-",
    "dropNoDoubledCount": "1",
    "promotedPieceType": "",
    "mandatoryPiecePromotion": "false",
    "pieceDemotion": "false",
    "piecePromotionOnCapture": "false",
    "dropPromoted": "false",
    "shogiPawnDropMateIllegal": "false",
    "dropRegionWhite": "",
    "dropRegionBlack": "",
    "immobilityIllegal": "false",
    "stalemateValue": "draw",
    "stalematePieceCount": "false",
    "checkmateValue": "loss",
    "extinctionValue": "none",
    "extinctionPieceTypes": "",
    "extinctionPieceCount": "0",
    "extinctionPseudoRoyal": "false",
    "flagPieceWhite": "*",
    "flagPieceBlack": "*",
    "flagRegionWhite": "",
    "flagRegionBlack": "",
    "flagMove": "false",
    "checkCounting": "false",
    "countingRule": "none",
    "flyingGeneral": "false",
    "perpetualCheckIllegal": "false",
    "gating": "false",
    "seirawanGating": "false",
    "passWhite": "false",
    "passBlack": "false",
    "bikjangRule": "false",
    "materialCounting": "none",
    "diagonalLines": "",
    "mutuallyImmuneTypes": "none",
}
_BARED = {"extinctionPieceTypes": "*", "extinctionPieceCount": "1", "extinctionOpponentPieceCount": "2"}
BARINGS = {  # the keys that together say what becomes of a side that has only its king, by the words of `# bare`
    "lose reply": {"extinctionValue": "loss", "extinctionClaim": "true", **_BARED},
    "lose": {"extinctionValue": "loss", **_BARED},
    "draw": {"extinctionValue": "draw", **_BARED},
}
UNREAD = {  # keys that the game cannot express unless they have these values
    **dict.fromkeys(("twoBoards", "sittuyinPromotion"), "false"),
    **dict.fromkeys(("blastOnCapture", "castlingDroppedPiece", "oppositeCastling"), "false"),
    **dict.fromkeys(("mustDrop", "sittuyinRookDrop", "dropOppositeColoredBishop"), "false"),
    **dict.fromkeys(("wallOrMove", "cambodianMoves"), "false"),
    **dict.fromkeys(("passOnStalemateWhite", "passOnStalemateBlack", "makpongRule"), "false"),
    **dict.fromkeys(("shatarMateRule", "extinctionClaim", "dupleCheck"), "false"),
    **dict.fromkeys(("flagPieceBlockedWin", "flagPieceSafe", "adjudicateFullBoard", "petrifyBlastPieces"), "false"),
    **dict.fromkeys(("connectN", "connectNxN", "collinearN", "extinctionOpponentPieceCount"), "0"),
    **dict.fromkeys(("enclosingDrop", "wallingRule", "flipEnclosedPieces", "chasingRule", "blastImmuneTypes"), "none"),
    **dict.fromkeys(("petrifyOnCaptureTypes", "castlingWins", "tripleStepRegionWhite", "tripleStepRegionBlack"), "-"),
    **dict.fromkeys(("connectVertical", "connectHorizontal", "connectDiagonal", "dropChecks"), "true"),
    **dict.fromkeys(("connectValue", "enclosingDropStart"), ""),
    **dict.fromkeys(("promotionPawnTypesWhite", "promotionPawnTypesBlack"), "p"),
    **dict.fromkeys(("enPassantTypesWhite", "enPassantTypesBlack", "connectPieceTypes", "mustDropType"), "*"),
    "soldierPromotionRank": "1",
    "flagPieceCount": "1",
}


@dataclass
class Converted:
    """The game of a section, or None. problems, differences: pairs (line, text); a game with a problem is left out."""

    section: Section
    game: Definition | None = None
    problems: list[tuple[int, str]] = field(default_factory=list)
    differences: list[tuple[int, str]] = field(default_factory=list)


def baring(keys: Mapping[str, str]) -> str:
    """Return the words of `# bare` that these keys mean; empty without such a rule. keys: their values, lower case."""
    full = {"extinctionClaim": "false", "extinctionOpponentPieceCount": "0", **keys}
    if full.get("extinctionValue") == "draw":
        full["extinctionOpponentPieceCount"] = "2"  # its king is always left, so the number makes no difference
    wanted = {words: {"extinctionClaim": "false", **own} for words, own in BARINGS.items()}
    return next((words for words, own in wanted.items() if own.items() <= full.items()), "")


class Keys:
    """The keys of one section, and the problems with them."""

    def __init__(self, section: Section, done: Converted):
        self.section = section
        self.done = done
        self.width = self.height = 8
        self.form_ranks = 0  # the ranks on which pieces promote to their forms

    def entry(self, key: str) -> Entry:
        return self.section.keys.get(key) or Entry((READ | DRAWS)[key], self.section.line)

    def text(self, key: str) -> str:
        return self.entry(key).value

    def is_on(self, key: str) -> bool:
        return self.text(key).lower() == "true"

    def cannot(self, key: str, why: str = "") -> None:
        """Report a key that the game cannot express."""
        entry = self.section.keys.get(key) or Entry(READ.get(key, ""), self.section.line)
        where = entry.line or self.section.line
        self.done.problems.append((where, f"{key} = {entry.value}: {why}" if why else f"{key} = {entry.value}"))

    def fail(self, line: int, text: str) -> None:
        self.done.problems.append((line or self.section.line, text))

    def region(self, key: str) -> frozenset[Square]:
        """Return the squares of a region; a wrong value is a problem."""
        try:
            return squares(self.text(key), self.width, self.height)
        except ValueError as error:
            self.cannot(key, str(error))
            return frozenset()
