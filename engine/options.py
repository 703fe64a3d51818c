"""The one table of what a user may set. It feeds the protocols, engine.ini and the documents."""

from __future__ import annotations

from .errors import ConfigError
from .notation import shown
from .rmobility.modes import DECISIVE, NONE, OFF, POINTS, TIEBREAK, check_komi, check_record, parse_limit
from .strength import LEAST_ELO, MOST_ELO

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable

# Spin values beyond this are refused by clients that read them into 32 bits.
_INT_MAX = 2**31 - 1


# Names by which UCI clients (cutechess, Fairy-Stockfish) ask for games of ours; engine/variants knows them.
UCI_VARIANTS = (
    "berolina",
    "capablanca",
    "gothic",
    "janus",
    "kingofthehill",
    "knightmate",
    "losalamos",
    "makruk",
    "nocastle",
    "seirawan",
    "shatranj",
    "spartan",
)


class OptionSpec:
    """One option: ``kind`` is check, spin, combo, string or button, as UCI calls them."""

    __slots__ = (
        "check",
        "choices",
        "default",
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
        check: Callable[[str], None] | None = None,
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
        self.in_xboard = in_xboard and not xboard_command  # and to one that speaks XBoard?
        self.xboard_command = xboard_command  # what XBoard has instead
        self.check = check  # of a string: raises a ValueError for one that means nothing
        self.xboard_kind = xboard_kind or kind  # file or path for a string that is one

    @property
    def xboard_name(self) -> str:
        """Without blanks, at which some clients split."""
        return self.name.replace(" ", "")

    def parse(self, text: str) -> bool | int | str:
        """The value that ``text`` stands for; a number out of range is moved to the nearest in range.

        Raises ConfigError if it stands for none.
        """
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
        if self.check is not None:
            try:
                self.check(text)
            except ValueError as error:
                raise ConfigError(f"{error} for {self.name}") from None
        return text

    def _number(self, text: str) -> int:
        digits = text.lstrip("+-")
        if not digits.isascii() or not digits.isdigit() or len(text) - len(digits) > 1:
            raise ConfigError(f"expected a number for {self.name}, found {shown(text)}")
        # int() refuses thousands of digits; beyond twenty they are out of every range here.
        return int(text[:20])


OPTIONS = (
    OptionSpec(
        "Hash",
        "spin",
        64,
        "Memory for the transposition table, in MB. What the machine does not have is refused with a line, and the old "
        "table is kept.",
        minimum=1,
        maximum=1 << 20,
        xboard_command="memory",
    ),
    OptionSpec(
        "Threads",
        "spin",
        1,
        "Threads that search together.",
        minimum=1,
        maximum=1024,
        xboard_command="cores",
    ),
    OptionSpec("Clear Hash", "button", None, "Forget what earlier searches found.", in_file=False),
    OptionSpec(
        "Ponder",
        "check",
        False,
        "The client will let the engine think in the opponent's time. The engine then spends a little more of its own.",
        xboard_command="hard",
    ),
    OptionSpec(
        "MultiPV",
        "spin",
        1,
        "Number of best lines to search and show. More than one costs strength.",
        minimum=1,
        maximum=256,
    ),
    OptionSpec(
        "Move Overhead",
        "spin",
        50,
        "Milliseconds that a move loses between engine and clock. More for slow or remote connections.",
        maximum=10000,
    ),
    OptionSpec(
        "OwnBook",
        "check",
        False,
        "Play from the opening book in `BookFile` while it has moves. Analysis, a search for mate and a choice of "
        "moves do without.",
    ),
    OptionSpec(
        "BookFile",
        "string",
        "",
        "The opening book, a Polyglot file (`.bin`). A path that is not absolute is looked for beside `engine.ini` as "
        "well.",
        xboard_kind="file",
    ),
    OptionSpec(
        "BookAlways",
        "check",
        False,
        "Play from the book also where R-Mobility goals are points or decide the game, for which its moves were not "
        "chosen.",
    ),
    OptionSpec(
        "SyzygyPath",
        "string",
        "",
        "Folders of Syzygy endgame tables; several are separated by a colon, on Windows by a semicolon.",
        xboard_command="egtpath syzygy",
    ),
    OptionSpec(
        "UCI_Chess960",
        "check",
        False,
        "The game is Chess960: castling is written king takes rook.",
        in_file=False,
        xboard_command="variant fischerandom",
    ),
    OptionSpec(
        "UCI_Variant",
        "combo",
        "chess",
        "The game that is played; see docs/variants.md.",
        choices=("chess", *UCI_VARIANTS),
        in_file=False,
        xboard_command="variant",
    ),
    OptionSpec(
        "VariantFile",
        "string",
        "",
        "A file with definitions of more games, in the format of Fairy-Max; see docs/variants.md.",
        xboard_kind="file",
    ),
    OptionSpec(
        "FairyVariant",
        "string",
        "FIDE-Clobberers",
        "Which of the games fairy/... the variant fairy is.",
        in_uci=False,
    ),
    OptionSpec(
        "MakrukRules",
        "combo",
        "makruk",
        "Which game the variant makruk is, if there is such a definition.",
        choices=("makruk", "Cambodian", "Ai-wok"),
        in_uci=False,
    ),
    OptionSpec(
        "UCI_ShowWDL",
        "check",
        False,
        "Show the chances of win, draw and loss, per mille, beside the score.",
        in_xboard=False,
    ),
    OptionSpec(
        "UCI_AnalyseMode",
        "check",
        False,
        "A position is analysed, no game is played.",
        in_file=False,
        xboard_command="analyze",
    ),
    OptionSpec("UCI_LimitStrength", "check", False, "Play as weakly as UCI_Elo says; analysis is not weakened."),
    OptionSpec(
        "UCI_Elo",
        "spin",
        1500,
        "The strength to play at with UCI_LimitStrength, on the scale of docs/strength.md.",
        minimum=LEAST_ELO,
        maximum=MOST_ELO,
    ),
    OptionSpec(
        "TripleBlock",
        "string",
        "",
        "Our clock of a correspondence game that no client knows: CLOCK/BANK/INCREMENT[@MOVE][:FLAGS], see "
        "docs/correspondence.md.",
        in_file=False,
    ),
    OptionSpec("TripleBlockOpp", "string", "", "The opponent's, for advice.", in_file=False),
    OptionSpec(
        "TripleBlockScale",
        "spin",
        86400,
        "Seconds that a day of those clocks lasts, for trials.",
        minimum=1,
        maximum=86400,
        in_file=False,
    ),
    OptionSpec("TripleBlockMaxThink", "spin", 3600, "Seconds for one move at most under such a clock, 0 for no limit."),
    OptionSpec("TripleBlockMinThink", "spin", 10, "Seconds for one move at least, in real days."),
    OptionSpec("TripleBlockRefill", "check", True, "Advise manual refills of such a clock."),
    OptionSpec(
        "TripleBlockGame", "string", "", "Name of the stored correspondence game whose clock it is.", in_file=False
    ),
    OptionSpec(
        "RMobility",
        "combo",
        TIEBREAK,
        "What R-Mobility is for: Off, classical chess; Tiebreak, the better of two draws; Points, "
        "a stalemate is worth 0.75; Decisive, the holder of the record wins.",
        choices=(OFF, TIEBREAK, POINTS, DECISIVE),
    ),
    OptionSpec(
        "RMobilityKomi",
        "string",
        NONE,
        "With Decisive: White wins with a goal below this one, such as G3.75, and Black with "
        "anything else; -G3.75 is the same for Black.",
        check=check_komi,
    ),
    OptionSpec(
        "RMobilityScope",
        "combo",
        "Reset",
        "What deletes the record: Reset, captures and pawn moves; WholeGame, nothing.",
        choices=("Reset", "WholeGame"),
    ),
    OptionSpec(
        "RMobilityLimit",
        "string",
        NONE,
        "Weakest goal that is a record, such as G3.5.",
        check=parse_limit,
    ),
    OptionSpec(
        "RMobilityFifty",
        "combo",
        "fide",
        "The 50-move rule of R-Mobility; with record an improved record zeroes the counter, too.",
        choices=("fide", "iccf", "record", "off"),
    ),
    OptionSpec(
        "InsufficientMaterialDraw",
        "check",
        True,
        "Insufficient material ends the game. Decisive plays on unless somebody sets this.",
    ),
    OptionSpec(
        "RMobilityRecord",
        "string",
        "",
        "The record at the position that is set up, such as -G8.5, until it is emptied; one in the "
        "FEN goes before it.",
        in_file=False,
        check=check_record,
    ),
    OptionSpec(
        "Draw Offers",
        "combo",
        "accept",
        "Draws by agreement. `accept`: agree where the engine stands no better. `offer`: also offer one after eight "
        "level moves running, from move 40 on, and again after twenty more.",
        choices=("off", "accept", "offer"),
        in_uci=False,
    ),
    OptionSpec(
        "Resign Score",
        "spin",
        0,
        "Centipawns behind at which to resign, after four such moves running; 0 plays on to mate.",
        maximum=10000,
        in_uci=False,
    ),
    OptionSpec(
        "More Columns",
        "check",
        False,
        "Lines of thinking also show selective depth, thousands of nodes a second and tablebase hits.",
        in_uci=False,
    ),
    OptionSpec(
        "Relevance_x05",
        "spin",
        62,
        "The evaluation, in centipawns, at which half of all games are won and half drawn.",
        minimum=1,
        maximum=1000,
    ),
    OptionSpec(
        "Relevance_Position",
        "combo",
        "5/40",
        "Scheme of the symbols of positions; off for no such news.",
        choices=("5/40", "1/9", "1/7", "off"),
    ),
    OptionSpec(
        "Relevance_Move",
        "combo",
        "sparing-8",
        "Scheme of the symbol of the best move, which is shown with MultiPV of 2 or more.",
        choices=("off", "sparing-7", "sparing-8", "generous-20", "generous-12"),
    ),
    OptionSpec(
        "Relevance_WDL",
        "check",
        False,
        "Take the chances that UCI_ShowWDL shows from the relevance model, where the side that is ahead never loses.",
        in_xboard=False,  # shows none
    ),
)

# Texts that say what a Triple Block clock shows.
TRIPLE_BLOCK = ("TripleBlock", "TripleBlockOpp", "TripleBlockGame")

_BY_NAME = {spec.xboard_name.lower(): spec for spec in OPTIONS}


def find(name: str) -> OptionSpec | None:
    """The option of that name; case and blanks do not matter."""
    return _BY_NAME.get("".join(name.lower().split()))


class Settings:
    """A value for every option but the buttons."""

    __slots__ = ("_set", "_values")

    def __init__(self):
        self._set = set()
        self._values = {spec.name: spec.default for spec in OPTIONS if spec.kind != "button"}

    def __getitem__(self, name: str):
        return self._values[name]

    def __setitem__(self, name: str, value: bool | int | str):
        if name not in self._values:
            raise KeyError(name)
        self._values[name] = value
        self._set.add(name)

    def is_set(self, name: str) -> bool:
        """Has anybody given it a value, be it the default?"""
        return name in self._set
