"""Lines of XBoard's protocol (CECP v2; Mann, Muller: Chess Engine Communication Protocol), without state.

XBoard parses loosely. No line of this module may begin with White, Black, warning, or a digit unless it is a thinking
line. No line may contain the word for a drawn game in capitals, or "not found", which XBoard takes for a dead engine.
"""

from __future__ import annotations

from standstill.engine import NAME, VERSION
from standstill.engine.common.goal import goal_text
from standstill.engine.common.info import EXACT, LOWER, SearchInfo, is_mate, mate_moves, score_cp
from standstill.engine.settings.options import Settings
from standstill.engine.settings.spec import OptionSpec
from standstill.engine.settings.table import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from standstill.engine.rmobility.modes import Outlook

# XBoard adds 100000 to the number of moves to mate, and other clients do the same.
_MATE_NUMBER = 100_000
_LONGEST_LINE = 200
# XBoard's own buffer is 512 bytes.
_LONGEST_FEATURES = 480
_LONGEST_VARIANTS = 475

_FEATURES = (
    "ping=1",
    "setboard=1",
    "playother=1",
    "usermove=1",
    "san=0",
    "time=1",
    "draw=1",
    "sigint=0",
    "sigterm=1",
    "reuse=1",
    "analyze=1",
    "colors=0",
    "ics=0",
    "name=1",
    "pause=1",
    "nps=1",
    "memory=1",
    "smp=1",
    'egt="syzygy,rmobility"',
    "exclude=1",
    "debug=1",
    "setscore=0",
)


def feature_lines(settings: Settings, variants: tuple[str, ...]) -> list[str]:
    """All lines that answer `protover`."""
    texts = [*_FEATURES, f'myname="{NAME} {VERSION}"', variants_line(variants).removeprefix("feature ")]
    lines, line = [], "feature"
    for text in texts:
        if len(line) + len(text) >= _LONGEST_FEATURES:
            lines.append(line)
            line = "feature"
        line += f" {text}"
    lines.append(line)
    lines += [option_line(spec, settings) for spec in OPTIONS if spec.in_xboard]
    return [*lines, "feature done=1"]


def variants_line(variants: tuple[str, ...]) -> str:
    """The feature that lists the variants.

    If the line is too long, the last built-in variants, which follow the user's, are left out.
    """
    text = variants[0]
    for name in variants[1:]:
        if len(text) + 1 + len(name) <= _LONGEST_VARIANTS:
            text += f",{name}"
    return f'feature variants="{text}"'


def option_line(spec: OptionSpec, settings: Settings) -> str:
    """The feature that declares an option.

    XBoard (4.9.1) keeps the rest of the line in a buffer of the same length. It overwrites the default there with a
    text from ``-firstOptions``, which may be longer. Blanks after the feature make room for the longer text.
    """
    line = f'feature option="{option_text(spec, settings)}"'
    return line.ljust(_LONGEST_FEATURES) if spec.xboard_kind == "string" else line


def option_text(spec: OptionSpec, settings: Settings) -> str:
    """The declaration of an option, which gives the current value as its default."""
    if spec.kind == "button":
        return f"{spec.xboard_name} -button"
    value = settings.value(spec)
    if spec.kind == "check":
        return f"{spec.xboard_name} -check {int(value)}"
    if spec.kind == "spin":
        return f"{spec.xboard_name} -spin {value} {spec.minimum} {spec.maximum}"
    if spec.kind == "combo":
        choices = " /// ".join(f"*{choice}" if choice == value else choice for choice in spec.choices)
        return f"{spec.xboard_name} -combo {choices}"
    return f"{spec.xboard_name} -{spec.xboard_kind} {quotable(str(value))}"


def quotable(text: str) -> str:
    """The text without characters that end a quoted string."""
    return "".join(letter for letter in text if letter not in "\"'\\")


def thinking_line(
    info: SearchInfo,
    pv: list[str],
    extra_columns: bool,
    ahead: Iterable[str] = (),
    behind: Iterable[str] = (),
    *,
    plain: bool = False,
) -> str:
    """A line of thinking: depth, score, centiseconds, nodes, and after a tab the variation.

    extra_columns: add selective depth, thousands of nodes a second and tablebase hits. A score that is only a bound is
    marked by ``?`` or ``!`` at the end. ahead, behind: remarks before and after the variation; may be empty. plain:
    use a blank instead of the tab, for clients that split lines only at blanks and would read the first move as part
    of the nodes.
    """
    numbers = [info.depth, score_number(info.score), info.time_ns // 10_000_000, info.nodes]
    if extra_columns:
        numbers += [info.seldepth, info.nps // 1000, info.tbhits or 0]
    mark = "" if info.bound == EXACT else " !" if info.bound == LOWER else " ?"
    words = filter(None, (*ahead, f"{' '.join(pv)}{mark}", *behind))
    gap = " " if plain else "\t"
    return f"{' '.join(map(str, numbers))}{gap}{' '.join(words)}"


def outlook_text(outlook: Outlook) -> str:
    """The R-Mobility record and its forecast: ``G3.5 -> G1.5``; ``G3.5 -> G1.5 proven`` if tables prove it."""
    texts = [goal_text(*goal[:2]) for goal in (outlook.record, outlook.forecast) if goal is not None]
    return " -> ".join(dict.fromkeys(texts)) + (" proven" if outlook.is_proven and outlook.forecast is not None else "")


def score_number(score: int) -> int:
    """Centipawns; for a mate 100000 plus the number of moves, negative if being mated."""
    if not is_mate(score):
        return score_cp(score)
    moves = mate_moves(score)
    return _MATE_NUMBER + moves if score > 0 else -_MATE_NUMBER + moves


def tell_error(text: str) -> str:
    """The line that shows the user an error in a window."""
    return f"tellusererror {one_line(text)}"


def refusal(reason: str) -> str:
    """The line that shows the user why a position was refused."""
    return tell_error(f"Illegal position: {reason}")


def status_line(*, centiseconds: int, nodes: int, ply: int, left: int, total: int, move: str | None) -> str:
    """The answer to a dot: moves left and all moves at the root, and the move being searched."""
    line = f"stat01: {centiseconds} {nodes} {ply} {left} {total}"
    return f"{line} {move}" if move else line


def error_line(kind: str, text: str) -> str:
    """``Error (kind): text`` as one printable line."""
    return f"Error ({one_line(kind)}): {one_line(text)}"


def one_line(text: str) -> str:
    printable = "".join(letter if letter.isprintable() and letter.isascii() else "?" for letter in text)
    return " ".join(printable.split())[:_LONGEST_LINE]
