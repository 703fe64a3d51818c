"""The table of all options. The protocols declare them, and engine.ini and docs/options.md are generated from it."""

from __future__ import annotations

from ..common.info import HALF_CP
from ..network.shipped import AUTO
from ..network.shipped import DEFAULT as DEFAULT_NETWORK
from ..rmobility.modes import DECISIVE, NONE, OFF, POINTS, TIEBREAK, check_komi, check_record, parse_limit
from .levels import LEAST_ELO, MOST_ELO
from .spec import OptionSpec, check_log

# Names that UCI clients (cutechess, Fairy-Stockfish) use for our variants; engine/variants maps them.
UCI_VARIANTS = (
    "3check",
    "5check",
    "ai-wok",
    "almost",
    "amazon",
    "antichess",
    "asean",
    "atomic",
    "berolina",
    "cambodian",
    "capablanca",
    "chancellor",
    "chessgi",
    "chigorin",
    "codrus",
    "courier",
    "crazyhouse",
    "embassy",
    "euroshogi",
    "extinction",
    "giveaway",
    "gorogoro",
    "gothic",
    "grand",
    "hoppelpoppel",
    "horde",
    "janggi",
    "janus",
    "judkins",
    "karouk",
    "kinglet",
    "kingofthehill",
    "knightmate",
    "kyotoshogi",
    "loop",
    "losalamos",
    "losers",
    "makruk",
    "micro",
    "minishogi",
    "minixiangqi",
    "modern",
    "newzealand",
    "nocastle",
    "racingkings",
    "seirawan",
    "shako",
    "shatranj",
    "shogi",
    "spartan",
    "suicide",
    "threekings",
    "torishogi",
    "xiangqi",
)

OPTIONS = (
    OptionSpec(
        "Hash",
        "spin",
        64,
        "Size of the transposition table, in MB. If the memory cannot be allocated, the engine reports it and keeps "
        "the old table.",
        minimum=1,
        maximum=1 << 20,
        xboard_command="memory",
    ),
    OptionSpec(
        "Threads",
        "spin",
        1,
        "Number of search threads.",
        minimum=1,
        maximum=1024,
        xboard_command="cores",
    ),
    OptionSpec(
        "Clear Hash",
        "button",
        None,
        "Clears the transposition table.",
        in_file=False,
    ),
    OptionSpec(
        "Ponder",
        "check",
        False,
        "Tells the engine that it may think on the opponent's time. It then spends slightly more of its own time.",
        xboard_command="hard",
    ),
    OptionSpec(
        "MultiPV",
        "spin",
        1,
        "Number of best lines to search and report. More than one line costs strength.",
        minimum=1,
        maximum=256,
    ),
    OptionSpec(
        "EvalFile",
        "string",
        DEFAULT_NETWORK,
        "Network that evaluates chess and Chess960 (docs/network.md), or `none` for the hand-crafted evaluation. "
        "`n256p.nn` comes with the engine. A relative path is also looked up beside `engine.ini`.",
        xboard_kind="file",
    ),
    OptionSpec(
        "VariantEvalFile",
        "string",
        AUTO,
        "Network that evaluates variants: a network file for one variant, `auto` for the network that comes with the "
        "engine for the current variant, if there is one, or `none` for the hand-crafted evaluation.",
        xboard_kind="file",
    ),
    OptionSpec(
        "RMobilityEvalFile",
        "string",
        AUTO,
        "Network that predicts, in Decisive chess, which side will hold the final record: a network file, `auto` for "
        "the network that comes with the engine, or `none` for a heuristic.",
        xboard_kind="file",
    ),
    OptionSpec(
        "Move Overhead",
        "spin",
        50,
        "Time in milliseconds reserved per move for GUI and network delay. Raise it for slow or remote connections.",
        maximum=10000,
    ),
    OptionSpec(
        "OwnBook",
        "check",
        False,
        "Plays from the opening book in `BookFile` while it has a move. Analysis, mate searches and searches limited "
        "to given moves do not use the book.",
    ),
    OptionSpec(
        "BookFile",
        "string",
        "",
        "Opening book in Polyglot format (`.bin`). A relative path is also looked up beside `engine.ini`.",
        xboard_kind="file",
    ),
    OptionSpec(
        "SyzygyPath",
        "string",
        "",
        "Folders of Syzygy tablebases, separated by colons.",
        xboard_command="egtpath syzygy",
        xboard_kind="path",
    ),
    OptionSpec(
        "SyzygyProbeLimit",
        "spin",
        7,
        "Probe Syzygy tablebases in positions with at most this many pieces; 0 disables probing.",
        maximum=7,
    ),
    OptionSpec(
        "Syzygy50MoveRule",
        "check",
        True,
        "Syzygy tablebases respect the 50-move rule. If false, a win that takes longer counts as a win, as in "
        "correspondence games where such wins can be claimed.",
    ),
    OptionSpec(
        "RMobilityTablePath",
        "string",
        "",
        "Folders of R-Mobility tablebases (`standstill tables build`), separated by colons, in addition to the "
        "three-man tables that come with the engine; `none` disables all of them. The search probes them where "
        "R-Mobility counts and insufficient material does not end the game.",
        xboard_command="egtpath rmobility",
        xboard_kind="path",
    ),
    OptionSpec(
        "UCI_Chess960",
        "check",
        False,
        "The game is Chess960. Castling moves are written as king takes rook.",
        in_file=False,
        xboard_command="variant fischerandom",
    ),
    OptionSpec(
        "UCI_Variant",
        "combo",
        "chess",
        "The variant to play (docs/variants.md).",
        choices=("chess", *UCI_VARIANTS),
        in_file=False,
        xboard_command="variant",
    ),
    OptionSpec(
        "VariantFile",
        "string",
        "",
        "File that defines more variants, in Fairy-Max's format (docs/variants.md). They take precedence over "
        "built-in ones.",
        xboard_kind="file",
    ),
    OptionSpec(
        "FairyVariant",
        "string",
        "",
        "The variant, among those named fairy/..., that the client plays as `fairy`. If it is empty, the client plays "
        "the first of them; variants of VariantFile come before built-in ones.",
        in_uci=False,
    ),
    OptionSpec(
        "MakrukRules",
        "combo",
        "makruk",
        "The variant that the client plays as `makruk`, if it is defined.",
        choices=("makruk", "Cambodian", "Ai-wok"),
        in_uci=False,
    ),
    OptionSpec(
        "UCI_ShowWDL",
        "check",
        False,
        "Reports the chances of a win, draw and loss, per mille, with the score.",
        in_xboard=False,
    ),
    OptionSpec(
        "UCI_AnalyseMode",
        "check",
        False,
        "The client analyses positions rather than playing a game: the engine uses no book and full strength.",
        in_file=False,
        xboard_command="analyze",
    ),
    OptionSpec(
        "UCI_LimitStrength",
        "check",
        False,
        "Limits the playing strength to UCI_Elo. Analysis keeps full strength.",
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
        "TripleBlock",
        "string",
        "",
        "State of the engine's own Triple Block clock, CLOCK/BANK/INCREMENT[@MOVE][:FLAGS]; empty for no such clock "
        "(docs/correspondence.md).",
        in_file=False,
    ),
    OptionSpec(
        "TripleBlockScale",
        "spin",
        86400,
        "Seconds of real time in one day of a Triple Block clock. Values below 86400 are for trials.",
        minimum=1,
        maximum=86400,
        in_file=False,
    ),
    OptionSpec(
        "TripleBlockMaxThink",
        "spin",
        3600,
        "Maximum number of seconds for one move under a Triple Block clock; 0 for no maximum.",
    ),
    OptionSpec(
        "TripleBlockGame",
        "string",
        "",
        "Name of the stored correspondence game whose clock the engine uses.",
        in_file=False,
    ),
    OptionSpec(
        "RMobility",
        "combo",
        TIEBREAK,
        "What the engine plays for. Off: classical chess. Tiebreak: classical chess, preferring the better of two "
        "draws. Points: R-Mobility points, 0.75 for a stalemate. Decisive: the final record decides a drawn game.",
        choices=(OFF, TIEBREAK, POINTS, DECISIVE),
    ),
    OptionSpec(
        "RMobilityKomi",
        "string",
        NONE,
        "Komi for Decisive. With G3.75 White wins by holding the record with a lower goal, and Black wins otherwise. "
        "With -G3.75 the sides are swapped.",
        check=check_komi,
    ),
    OptionSpec(
        "RMobilityScope",
        "combo",
        "Reset",
        "How long a record lasts. Reset: until a capture or pawn move. WholeGame: until the end of the game.",
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
        "The 50-move rule of R-Mobility. fide: the usual rule. iccf: the usual rule, except that a win proved by "
        "SyzygyPath counts however long it takes. record: an improved record also resets the counter. off: no such "
        "rule.",
        choices=("fide", "iccf", "record", "off"),
    ),
    OptionSpec(
        "InsufficientMaterialDraw",
        "check",
        True,
        "Insufficient material ends the game. Decisive plays on unless this option has been set explicitly.",
    ),
    OptionSpec(
        "RMobilityRecord",
        "string",
        "",
        "The record in force, such as -G8.5, in positions set up by FEN, until the option is set to an empty value. A "
        "record in the FEN takes precedence.",
        in_file=False,
        check=check_record,
    ),
    OptionSpec(
        "Draw Offers",
        "combo",
        "accept",
        "Draws by agreement. `off`: the engine declines every offer. `accept`: it accepts an offer unless its "
        "position is better. `offer`: it also offers a draw from move 40 on after eight level moves in a row, and "
        "again after twenty more moves.",
        choices=("off", "accept", "offer"),
        in_uci=False,
    ),
    OptionSpec(
        "Resign Score",
        "spin",
        0,
        "The engine resigns when it is this many centipawns behind for four moves in a row; 0: it never resigns.",
        maximum=10000,
        in_uci=False,
    ),
    OptionSpec(
        "Debug Log File",
        "string",
        "",
        "File to which the engine appends every line from and to the client, with the time of day; empty for no log.",
        xboard_kind="file",
        check=check_log,
    ),
    OptionSpec(
        "More Columns",
        "check",
        True,
        "Thinking output includes selective depth, thousands of nodes per second and tablebase hits.",
        in_uci=False,
    ),
    OptionSpec(
        "Relevance_x05",
        "spin",
        round(HALF_CP),  # the measured value that UCI_ShowWDL uses too, so that both give the same chances
        "Evaluation, in centipawns, at which half of all games are won and half drawn; the default is measured for "
        "this engine.",
        minimum=1,
        maximum=1000,
    ),
    OptionSpec(
        "Relevance_Position",
        "combo",
        "5/40",
        "Scheme of the symbols for positions (docs/relevance.md). off: the engine prints no relevance lines.",
        choices=("5/40", "1/9", "1/7", "off"),
    ),
    OptionSpec(
        "Relevance_Move",
        "combo",
        "sparing-8",
        "Scheme of the symbol for the best move, which is shown with MultiPV of 2 or more.",
        choices=("off", "sparing-7", "sparing-8", "generous-20", "generous-12"),
    ),
)
