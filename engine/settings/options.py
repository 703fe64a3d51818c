"""The table of all options. The protocols, engine.ini and docs/options.md are made from it."""

from __future__ import annotations

import os

from .. import AUTHOR, NAME, VERSION
from ..common.errors import ConfigError
from ..common.info import HALF_CP
from ..common.text import shown
from ..network.shipped import AUTO
from ..network.shipped import DEFAULT as DEFAULT_NETWORK
from ..rmobility.modes import DECISIVE, NONE, OFF, POINTS, TIEBREAK, check_komi, check_record, parse_limit
from .levels import LEAST_ELO, MOST_ELO
from .opponent import check_opponent

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, overload

    FlagName = Literal[
        "Ponder",
        "OwnBook",
        "BookAlways",
        "Syzygy50MoveRule",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "UCI_LimitStrength",
        "TripleBlockRefill",
        "InsufficientMaterialDraw",
        "More Columns",
        "Relevance_WDL",
    ]
    NumberName = Literal[
        "Hash",
        "Threads",
        "MultiPV",
        "Move Overhead",
        "SyzygyProbeLimit",
        "RMobilityProbeLimit",
        "UCI_Elo",
        "TripleBlockScale",
        "TripleBlockMaxThink",
        "TripleBlockMinThink",
        "Resign Score",
        "Relevance_x05",
    ]
    TextName = Literal[
        "EvalFile",
        "VariantEvalFile",
        "RMobilityEvalFile",
        "BookFile",
        "SyzygyPath",
        "RMobilityTablePath",
        "UCI_Variant",
        "VariantFile",
        "FairyVariant",
        "MakrukRules",
        "UCI_Opponent",
        "UCI_EngineAbout",
        "TripleBlock",
        "TripleBlockOpp",
        "TripleBlockGame",
        "RMobility",
        "RMobilityKomi",
        "RMobilityScope",
        "RMobilityLimit",
        "RMobilityFifty",
        "RMobilityRecord",
        "Draw Offers",
        "Relevance_Position",
        "Relevance_Move",
    ]

# Clients that read spin values into 32 bits refuse larger ones.
_INT_MAX = 2**31 - 1


# Names by which UCI clients (cutechess, Fairy-Stockfish) ask for our games; engine/variants knows them.
UCI_VARIANTS = (
    "3check",
    "5check",
    "ai-wok",
    "almost",
    "amazon",
    "antichess",
    "asean",
    "berolina",
    "cambodian",
    "capablanca",
    "chancellor",
    "codrus",
    "courier",
    "embassy",
    "extinction",
    "giveaway",
    "gothic",
    "grand",
    "horde",
    "janus",
    "kinglet",
    "kingofthehill",
    "knightmate",
    "losalamos",
    "losers",
    "makruk",
    "modern",
    "newzealand",
    "nocastle",
    "racingkings",
    "seirawan",
    "shako",
    "shatranj",
    "spartan",
    "suicide",
    "threekings",
)


class OptionSpec:
    """One option. ``kind`` is check, spin, combo, string or button, as in UCI."""

    __slots__ = (
        "check",
        "choices",
        "default",
        "fixed",
        "help",
        "in_file",
        "in_uci",
        "in_xboard",
        "kind",
        "maximum",
        "minimum",
        "name",
        "xboard_command",
        "xboard_kind",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        default: bool | int | str | None,
        help: str,
        *,
        minimum: int = 0,
        maximum: int = _INT_MAX,
        choices: tuple[str, ...] = (),
        in_file: bool = True,
        in_uci: bool = True,
        in_xboard: bool = True,
        xboard_command: str = "",
        xboard_kind: str | None = None,
        check: Callable[[str], object] | None = None,
        fixed: bool = False,
    ):
        self.name = name
        self.kind = kind
        self.default = default  # None for a button
        self.help = help  # whole sentences for the documents
        self.minimum = minimum  # of a spin
        self.maximum = maximum
        self.choices = choices  # of a combo
        self.in_file = in_file  # may engine.ini set it?
        self.in_uci = in_uci  # is it declared to a client that speaks UCI?
        self.in_xboard = in_xboard and not xboard_command  # is it declared to a client that speaks XBoard's protocol?
        self.xboard_command = xboard_command  # the command that XBoard has instead
        self.check = check  # of a string: raises ValueError if the value means nothing
        self.xboard_kind = xboard_kind or kind  # file or path, for a string that is one
        self.fixed = fixed  # may a client only read it? What it sets is ignored

    @property
    def xboard_name(self) -> str:
        """The name without blanks, because some clients split at them."""
        return self.name.replace(" ", "")

    def parse(self, text: str) -> bool | int | str:
        """The value that ``text`` stands for. A number out of range is changed to the nearest one in range.

        Raises ConfigError if it stands for none.
        """
        if self.fixed and self.default is not None:
            return self.default
        if self.kind == "check":
            value = {"true": True, "false": False}.get(text.lower())
            if value is None:
                raise ConfigError(f"expected true or false for {self.name}, found {shown(text)}")
            return value
        if self.kind == "spin":
            return max(self.minimum, min(self._number(text), self.maximum))
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            raise ConfigError(f"expected one of {', '.join(self.choices)} for {self.name}, found {shown(text)}")
        text = "" if text == "<empty>" else text
        if self.xboard_kind in ("file", "path"):
            text = os.pathsep.join(map(_unquoted, _unquoted(text).split(os.pathsep)))
        if "\0" in text:
            raise ConfigError(f"expected text without NUL for {self.name}, found {shown(text)}")
        if self.check is not None:
            try:
                self.check(text)
            except ValueError as error:
                raise ConfigError(f"{error} for {self.name}") from None
        return text

    def parse_within(self, text: str) -> bool | int | str:
        """As ``parse``, but raises ConfigError for a number out of range, too."""
        value = self.parse(text)
        if self.kind == "spin" and value != self._number(text):
            raise ConfigError(f"expected {self.minimum} to {self.maximum} for {self.name}, found {shown(text)}")
        return value

    def _number(self, text: str) -> int:
        digits = text.lstrip("+-")
        if not digits.isascii() or not digits.isdigit() or len(text) - len(digits) > 1:
            raise ConfigError(f"expected a number for {self.name}, found {shown(text)}")
        # int() refuses thousands of digits, and numbers of more than twenty are out of every range here.
        return int(text[:20])


def _unquoted(path: str) -> str:
    """The path without the quotes that people put around one with blanks, as a shell wants it."""
    bare = path.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'" and bare[0] not in bare[1:-1]
    return bare[1:-1] if quoted else path


OPTIONS = (
    OptionSpec(
        "Hash",
        "spin",
        64,
        "Memory for the transposition table, in MB. If the machine has less memory, the engine says so in one line and "
        "keeps the old table.",
        minimum=1,
        maximum=1 << 20,
        xboard_command="memory",
    ),
    OptionSpec(
        "Threads",
        "spin",
        1,
        "Number of threads that search together.",
        minimum=1,
        maximum=1024,
        xboard_command="cores",
    ),
    OptionSpec(
        "Clear Hash",
        "button",
        None,
        "Empties the transposition table: forgets what earlier searches found.",
        in_file=False,
    ),
    OptionSpec(
        "Ponder",
        "check",
        False,
        "Set by a client that lets the engine think in the opponent's time. The engine then spends a little more of "
        "its own time.",
        xboard_command="hard",
    ),
    OptionSpec(
        "MultiPV",
        "spin",
        1,
        "Number of best lines to search and show. More than one line costs strength.",
        minimum=1,
        maximum=256,
    ),
    OptionSpec(
        "EvalFile",
        "string",
        DEFAULT_NETWORK,
        "The network that evaluates positions of chess and Chess960 (docs/network.md), or `none` for the hand-crafted "
        "evaluation. `n256n.nn` comes with the engine. A relative path is also looked for beside `engine.ini`.",
        xboard_kind="file",
    ),
    OptionSpec(
        "VariantEvalFile",
        "string",
        AUTO,
        "The network that evaluates games other than chess: `auto` for the one that comes with the engine for the game "
        "that is played, if there is one, `none` for the hand-crafted evaluation, or a file of a network for one game.",
        xboard_kind="file",
    ),
    OptionSpec(
        "RMobilityEvalFile",
        "string",
        AUTO,
        "The network that foresees in Decisive who will hold the last record, in chess: `auto` for the one that comes "
        "with the engine, `none` for a rule of thumb, or a file of such a network.",
        xboard_kind="file",
    ),
    OptionSpec(
        "Move Overhead",
        "spin",
        50,
        "Time, in milliseconds, that a move may lose between engine and clock. Raise it for slow or remote "
        "connections.",
        maximum=10000,
    ),
    OptionSpec(
        "OwnBook",
        "check",
        False,
        "Plays from the opening book in `BookFile` while the book has a move. Analysis, searches for mate and "
        "searches of "
        "chosen moves do not use the book.",
    ),
    OptionSpec(
        "BookFile",
        "string",
        "",
        "The opening book, a Polyglot file (`.bin`). A relative path is also looked for beside `engine.ini`.",
        xboard_kind="file",
    ),
    OptionSpec(
        "BookAlways",
        "check",
        False,
        "Plays from the book also with RMobility on Points or Decisive, for which the book's moves were not chosen.",
    ),
    OptionSpec(
        "SyzygyPath",
        "string",
        "",
        "Folders of Syzygy endgame tables, separated by colons.",
        xboard_command="egtpath syzygy",
        xboard_kind="path",
    ),
    OptionSpec(
        "SyzygyProbeLimit",
        "spin",
        7,
        "Most men on the board for which endgame tables are asked; 0 asks none.",
        maximum=7,
    ),
    OptionSpec(
        "Syzygy50MoveRule",
        "check",
        True,
        "Endgame tables respect the 50-move rule. Without it, a win that takes longer counts as a win: for "
        "correspondence games, in which such wins are claimed.",
    ),
    OptionSpec(
        "RMobilityTablePath",
        "string",
        "",
        "Folders of R-Mobility tables (`standstill tables build`), separated by colons. "
        "Those of three men come with the program. They are asked where R-Mobility counts and dead material does not "
        "end the game.",
        xboard_command="egtpath rmobility",
        xboard_kind="path",
    ),
    OptionSpec(
        "RMobilityProbeLimit",
        "spin",
        5,
        "R-Mobility tables are asked about positions with at most so many men; 0 asks none.",
        minimum=0,
        maximum=5,
    ),
    OptionSpec(
        "UCI_Chess960",
        "check",
        False,
        "The game is Chess960. Castling is written as king takes rook.",
        in_file=False,
        xboard_command="variant fischerandom",
    ),
    OptionSpec(
        "UCI_Variant",
        "combo",
        "chess",
        "The game that is played (docs/variants.md).",
        choices=("chess", *UCI_VARIANTS),
        in_file=False,
        xboard_command="variant",
    ),
    OptionSpec(
        "VariantFile",
        "string",
        "",
        "A file with definitions of more games, in the format of Fairy-Max (docs/variants.md).",
        xboard_kind="file",
    ),
    OptionSpec(
        "FairyVariant",
        "string",
        "",
        "Which of the games named fairy/... the client gets as variant fairy. Empty: the first, those of VariantFile "
        "before ours.",
        in_uci=False,
    ),
    OptionSpec(
        "MakrukRules",
        "combo",
        "makruk",
        "Which game the client gets as variant makruk, if a definition of that name exists.",
        choices=("makruk", "Cambodian", "Ai-wok"),
        in_uci=False,
    ),
    OptionSpec(
        "UCI_ShowWDL",
        "check",
        False,
        "Shows the chances of win, draw and loss, per mille, beside the score.",
        in_xboard=False,
    ),
    OptionSpec(
        "UCI_AnalyseMode",
        "check",
        False,
        "Set by a client that analyses a position instead of playing a game.",
        in_file=False,
        xboard_command="analyze",
    ),
    OptionSpec(
        "UCI_LimitStrength", "check", False, "Limits the playing strength to UCI_Elo. Analysis is not weakened."
    ),
    OptionSpec(
        "UCI_Elo",
        "spin",
        1500,
        "Playing strength with UCI_LimitStrength, on the scale of docs/strength.md.",
        minimum=LEAST_ELO,
        maximum=MOST_ELO,
    ),
    OptionSpec(
        "UCI_Opponent",
        "string",
        "",
        "Whom the engine plays against, as a client tells it: title, Elo, computer or human, name. The play does not "
        "depend on it; with `debug on` it is shown.",
        in_file=False,
        in_xboard=False,
        check=check_opponent,
    ),
    OptionSpec(
        "UCI_EngineAbout",
        "string",
        f"{NAME} {VERSION} by {AUTHOR}: free software, GPL-3.0-or-later",
        "Tells who made the engine. A client can only read it.",
        in_file=False,
        in_xboard=False,
        fixed=True,
    ),
    OptionSpec(
        "TripleBlock",
        "string",
        "",
        "State of the engine's own Triple Block clock, CLOCK/BANK/INCREMENT[@MOVE][:FLAGS]; empty for none "
        "(docs/correspondence.md).",
        in_file=False,
    ),
    OptionSpec(
        "TripleBlockOpp", "string", "", "State of the opponent's Triple Block clock, for display only.", in_file=False
    ),
    OptionSpec(
        "TripleBlockScale",
        "spin",
        86400,
        "Seconds of real time in one day of a Triple Block clock. Fewer than 86400 are for trials.",
        minimum=1,
        maximum=86400,
        in_file=False,
    ),
    OptionSpec(
        "TripleBlockMaxThink", "spin", 3600, "Most seconds for one move under a Triple Block clock; 0 means no limit."
    ),
    OptionSpec(
        "TripleBlockMinThink",
        "spin",
        10,
        "Fewest seconds for one move under a Triple Block clock. Ignored if TripleBlockScale is below 86400.",
    ),
    OptionSpec("TripleBlockRefill", "check", True, "Advises manual refills of a Triple Block clock."),
    OptionSpec(
        "TripleBlockGame",
        "string",
        "",
        "Name of a stored correspondence game whose clock the engine uses.",
        in_file=False,
    ),
    OptionSpec(
        "RMobility",
        "combo",
        TIEBREAK,
        "What the engine plays for. Off: classical chess. Tiebreak: classical chess, and the better one of two draws. "
        "Points: R-Mobility points, 0.75 for a stalemate. Decisive: the final record wins the game.",
        choices=(OFF, TIEBREAK, POINTS, DECISIVE),
    ),
    OptionSpec(
        "RMobilityKomi",
        "string",
        NONE,
        "Komi for Decisive. With G3.75 White wins if he holds the record with a lower goal, and Black wins otherwise. "
        "With -G3.75 the sides are exchanged.",
        check=check_komi,
    ),
    OptionSpec(
        "RMobilityScope",
        "combo",
        "Reset",
        "What deletes the record. Reset: captures and pawn moves. WholeGame: nothing.",
        choices=("Reset", "WholeGame"),
    ),
    OptionSpec(
        "RMobilityLimit",
        "string",
        NONE,
        "Weakest goal that counts as a record, such as G3.5.",
        check=parse_limit,
    ),
    OptionSpec(
        "RMobilityFifty",
        "combo",
        "fide",
        "The 50-move rule of R-Mobility. fide: the usual rule. iccf: the same, but a win that SyzygyPath proves "
        "counts however long it takes. record: an improved record also resets the counter. off: no such rule.",
        choices=("fide", "iccf", "record", "off"),
    ),
    OptionSpec(
        "InsufficientMaterialDraw",
        "check",
        True,
        "Insufficient material ends the game. Decisive plays on unless this option has been set.",
    ),
    OptionSpec(
        "RMobilityRecord",
        "string",
        "",
        "The record that stands in positions set up by FEN, such as -G8.5, until the option is emptied. A record in "
        "the FEN takes precedence.",
        in_file=False,
        check=check_record,
    ),
    OptionSpec(
        "Draw Offers",
        "combo",
        "accept",
        "Draws by agreement. `off`: none. `accept`: the engine accepts a draw unless it stands better. `offer`: it "
        "also offers one after eight level moves in a row, from move 40 on, and again after twenty more moves.",
        choices=("off", "accept", "offer"),
        in_uci=False,
    ),
    OptionSpec(
        "Resign Score",
        "spin",
        0,
        "The engine resigns when it is this many centipawns behind for four moves in a row. 0: it never resigns.",
        maximum=10000,
        in_uci=False,
    ),
    OptionSpec(
        "More Columns",
        "check",
        True,
        "Shows selective depth, thousands of nodes a second and tablebase hits in lines of thinking.",
        in_uci=False,
    ),
    OptionSpec(
        "Relevance_x05",
        "spin",
        round(HALF_CP),  # measured, and that of UCI_ShowWDL: the two agree about what an evaluation is worth
        "The evaluation, in centipawns, at which half of all games are won and half drawn; measured for this engine.",
        minimum=1,
        maximum=1000,
    ),
    OptionSpec(
        "Relevance_Position",
        "combo",
        "5/40",
        "Scheme of the symbols for positions (docs/relevance.md). off: no line about relevance.",
        choices=("5/40", "1/9", "1/7", "off"),
    ),
    OptionSpec(
        "Relevance_Move",
        "combo",
        "sparing-8",
        "Scheme of the symbol for the best move, which is shown with MultiPV of 2 or more.",
        choices=("off", "sparing-7", "sparing-8", "generous-20", "generous-12"),
    ),
    OptionSpec(
        "Relevance_WDL",
        "check",
        False,
        "Takes the chances for UCI_ShowWDL from the relevance model, in which the side that is ahead never loses.",
        in_xboard=False,  # XBoard's protocol shows no chances
    ),
)

# The options that set a Triple Block clock.
TRIPLE_BLOCK = ("TripleBlock", "TripleBlockOpp", "TripleBlockGame")

_BY_NAME = {spec.xboard_name.lower(): spec for spec in OPTIONS}


def find(name: str) -> OptionSpec | None:
    """The option of that name, or None; case and blanks do not matter."""
    return _BY_NAME.get("".join(name.lower().split()))


class Settings:
    """The values of all options except buttons."""

    __slots__ = ("_set", "_values")

    def __init__(self) -> None:
        self._set: set[str] = set()
        self._values = {spec.name: spec.default for spec in OPTIONS if spec.default is not None}

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, name: FlagName) -> bool: ...
        @overload
        def __getitem__(self, name: NumberName) -> int: ...
        @overload
        def __getitem__(self, name: TextName) -> str: ...

    def __getitem__(self, name: str) -> bool | int | str:
        return self._values[name]

    def __setitem__(self, name: str, value: bool | int | str) -> None:
        if name not in self._values:
            raise KeyError(name)
        self._values[name] = value
        self._set.add(name)

    def value(self, spec: OptionSpec) -> bool | int | str:
        """What ``settings[spec.name]`` is, for an option that is not a button."""
        return self._values[spec.name]

    def is_set(self, name: str) -> bool:
        """Has this option been given a value, even if it is the default?"""
        return name in self._set
