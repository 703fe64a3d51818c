"""Terminal colours: whether to use them, and a coloured board."""

import os
import shutil
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from rich.console import Console
    from rich.text import Text

# Filled figures for both sides, because outlined ones look alike on coloured squares.
_FIGURES = {"p": "\u265f", "n": "\u265e", "b": "\u265d", "r": "\u265c", "q": "\u265b", "k": "\u265a"}
_SQUARE_COLOURS = ("#5b7f4a", "#b9b48f")  # dark, light
_PLAIN_SQUARE_COLOURS = ("blue", "cyan")  # for terminals with sixteen colours
_MARKED_COLOURS = ("#a08a20", "#d2bc4c")
_PLAIN_MARKED_COLOUR = "yellow"
_MAN_COLOURS = ("bold bright_white", "black")


def colours_wanted() -> bool | None:
    """Return whether the environment requests colours; None leaves the decision to the terminal.

    See https://no-color.org and https://force-color.org for NO_COLOR and FORCE_COLOR.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def painted() -> bool:
    """Return whether standard output takes colours."""
    wanted = colours_wanted()
    return sys.stdout.isatty() if wanted is None else wanted


def room() -> int | None:
    """The number of columns of the terminal; None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def cells(text: str) -> int:
    """The number of terminal columns that the text takes; a Chinese character takes two columns."""
    if text.isascii():  # without loading rich
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def writable(text: str) -> str:
    """The text as standard output will show it: with stand-ins for characters that its encoding lacks.

    Columns are measured after this, because a stand-in may be wider than its character.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if text.isascii() or "utf" in encoding.lower():
        return text
    return text.encode(encoding, sys.stdout.errors or "strict").decode(encoding, "replace")


def in_cells(text: str, width: int, *, right: bool = False) -> str:
    """The text padded or cut to this many columns. right: align it right."""
    if cells(text) > width:
        from rich.cells import set_cell_size

        end = writable("\u2026")
        return set_cell_size(text, width - len(end)) + end
    blanks = " " * (width - cells(text))
    return blanks + text if right else text + blanks


def board_text(diagram: str, console: "Console", marked: "Collection[str]" = ()) -> "Text":
    """A diagram in colours, with letters if the terminal cannot show the figures.

    marked: names of highlighted squares. Without colours use the plain diagram, because the figures of both sides
    look alike.
    """
    from rich.text import Text

    figures = "utf" in console.encoding.lower()
    plain = console.color_system == "standard"
    *ranks, files = diagram.splitlines()
    names = files.split()
    text = Text()
    for row, line in enumerate(ranks):
        rank, *men = line.split()
        text.append(f"{rank:<3}", "dim")
        for file, man in enumerate(men):
            # a1 is a dark square on boards of every size.
            light = (len(ranks) - 1 - row + file) % 2
            if f"{names[file]}{rank}" in marked:
                square = _PLAIN_MARKED_COLOUR if plain else _MARKED_COLOURS[light]
            else:
                square = (_PLAIN_SQUARE_COLOURS if plain else _SQUARE_COLOURS)[light]
            shape = " " if man == "." else _FIGURES.get(man.lower(), man) if figures else man
            text.append(f" {shape} ", f"{_MAN_COLOURS[man.islower()]} on {square}")
        text.append("\n")
    return text.append("   " + "".join(f" {name} " for name in names), "dim")


def painted_board(diagram: str, marked: "Collection[str]" = ()) -> str:
    """The diagram with the escape sequences of this terminal, or unchanged if it has no colours."""
    if not painted():
        return diagram
    from rich.console import Console

    # Only escape sequences can be captured; in a pipe rich assumes an old console of Windows, which needs calls.
    console = Console(highlight=False, force_terminal=True, legacy_windows=False)
    if console.color_system is None:
        return diagram
    with console.capture() as capture:
        console.print(board_text(diagram, console, marked), soft_wrap=True)
    return capture.get().rstrip("\n")
