"""Lines of the XBoard protocol (CECP v2; Mann, Muller: Chess Engine Communication Protocol), without state.

XBoard reads loosely: no line here may begin with White, Black, warning or a digit that is no thinking, nor hold
the word for a game without a winner in capitals, nor "not found" (it would take the engine for dead).
"""

from __future__ import annotations

from engine import NAME, VERSION
from engine.info import EXACT, LOWER, SearchInfo, is_mate, mate_moves, score_cp
from engine.options import OPTIONS, OptionSpec

# XBoard adds this to the number of moves; other clients follow it.
_MATE = 100_000
_LONGEST_LINE = 200
# XBoard's own buffer is 512 bytes.
_LONGEST_FEATURES = 480

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
    "pause=0",
    "nps=1",
    "memory=1",
    "smp=1",
    'egt="syzygy"',
    "exclude=1",
    "debug=1",
    "setscore=0",
)


def feature_lines(settings, variants: tuple[str, ...]) -> list[str]:
    """Everything after `protover`, one line after another."""
    texts = [*_FEATURES, f'myname="{NAME} {VERSION}"', f'variants="{",".join(variants)}"']
    lines, line = [], "feature"
    for text in texts:
        if len(line) + len(text) >= _LONGEST_FEATURES:
            lines.append(line)
            line = "feature"
        line += f" {text}"
    lines.append(line)
    lines += [f'feature option="{option_text(spec, settings)}"' for spec in OPTIONS if spec.in_xboard]
    return [*lines, "feature done=1"]


def option_text(spec: OptionSpec, settings) -> str:
    """The declaration of an option; its default is what holds now."""
    if spec.kind == "button":
        return f"{spec.xboard_name} -button"
    value = settings[spec.name]
    if spec.kind == "check":
        return f"{spec.xboard_name} -check {int(value)}"
    if spec.kind == "spin":
        return f"{spec.xboard_name} -spin {value} {spec.minimum} {spec.maximum}"
    if spec.kind == "combo":
        choices = " /// ".join(f"*{choice}" if choice == value else choice for choice in spec.choices)
        return f"{spec.xboard_name} -combo {choices}"
    return f"{spec.xboard_name} -{spec.xboard_kind} {quotable(value)}"


def quotable(text: str) -> str:
    """The text without what would end a quoted string."""
    return "".join(letter for letter in text if letter not in "\"'\\")


def thinking_line(info: SearchInfo, pv: list[str], extra_columns: bool) -> str:
    """Depth, score, centiseconds, nodes, with ``extra_columns`` selective depth, thousands of nodes a second and
    tablebase hits, and after a tab the variation; a ``?`` or ``!`` behind it for a score that is only a bound,
    something in brackets before it for a book move.
    """
    numbers = [info.depth, score_number(info.score), info.time_ns // 10_000_000, info.nodes]
    if extra_columns:
        numbers += [info.seldepth, info.nps // 1000, info.tbhits or 0]
    mark = "" if info.bound == EXACT else " !" if info.bound == LOWER else " ?"
    book = "(book) " if info.source == "book" else ""
    return f"{' '.join(map(str, numbers))}\t{book}{' '.join(pv)}{mark}"


def score_number(score: int) -> int:
    """Centipawns, or 100000 and the number of moves to mate, negative when being mated."""
    if not is_mate(score):
        return score_cp(score)
    moves = mate_moves(score)
    return _MATE + moves if score > 0 else -_MATE + moves


def status_line(*, centiseconds: int, nodes: int, ply: int, left: int, total: int, move: str | None) -> str:
    """The answer to a dot: moves left and in all at the root, and the one being searched."""
    line = f"stat01: {centiseconds} {nodes} {ply} {left} {total}"
    return f"{line} {move}" if move else line


def error_line(kind: str, text: str) -> str:
    """``Error (kind): text``, in one printable line."""
    return f"Error ({one_line(kind)}): {one_line(text)}"


def one_line(text: str) -> str:
    printable = "".join(letter if letter.isprintable() and letter.isascii() else "?" for letter in text)
    return " ".join(printable.split())[:_LONGEST_LINE]
