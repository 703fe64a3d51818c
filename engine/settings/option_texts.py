"""Writes docs/options.md and engine.ini from the table of options.

``make docs`` runs this module.
"""

from __future__ import annotations

import os
import textwrap

from ..common.atomic_files import write_whole
from .config import FILE_NAME
from .spec import OptionSpec
from .table import OPTIONS

PAGE = os.path.join("docs", "options.md")

_WIDTH = 110  # width of the comments, in characters

_PAGE_HEAD = """\
<!-- Written by `make docs` from the table in engine/settings/table.py. -->
# Options

UCI clients set an option by its name, with `setoption`. XBoard's protocol has commands of its own for some options; the
names of the others are written without blanks. The file `engine.ini` changes defaults; it lies beside the engine's
folders in a clone, and in `share/standstill` of the environment after `pip install .`. Values that a client sets take
precedence over the file.

Upper and lower case do not matter in names. A number out of range is changed to the nearest number in range. A value
that cannot be read changes nothing and is answered in one line. An option set during a search takes effect in the next
one; only `UCI_Variant` ends the search, since the position belongs to the previous game.

| Option | Meaning | Default | Kind | UCI | XBoard | `engine.ini` |
| --- | --- | --- | --- | --- | --- | --- |
"""

_INI_HEAD = """\
; Defaults of Standstill that you may change: remove the semicolon in front of a key and edit its value.
;
; The engine looks for this file beside its own folders (the clone), then where pip put it
; (share/standstill in the environment), never in the working directory. If the file or a key is
; missing, the built-in value shown here applies. Values that a client sets take precedence.

[standstill]
"""


def page() -> str:
    """Return the text of docs/options.md."""
    return _PAGE_HEAD + "".join(f"| {' | '.join(_row(spec))} |\n" for spec in OPTIONS)


def ini() -> str:
    """Return the text of engine.ini: every allowed key with its default, commented out."""
    return _INI_HEAD + "".join(_entry(spec) for spec in OPTIONS if spec.in_file)


def kind_text(spec: OptionSpec) -> str:
    """Describe the kind of an option and its range: ``spin 1 to 1024``, ``combo off, accept, offer``, ``check``."""
    if spec.kind == "spin":
        return f"spin {spec.minimum} to {spec.maximum}"
    if spec.kind == "combo":
        return f"combo {', '.join(spec.choices)}"
    return spec.kind


def default_text(spec: OptionSpec) -> str:
    """Return the default in the form of engine.ini; empty for a button."""
    if spec.default is None:
        return ""
    return str(spec.default).lower() if spec.kind == "check" else str(spec.default)


def _row(spec: OptionSpec) -> list[str]:
    """Return the table row of an option. The meaning comes first, because a narrow page hides the last cells."""
    if spec.in_xboard:
        xboard = f"`{spec.xboard_name}`"
    else:
        xboard = f"command `{spec.xboard_command}`" if spec.xboard_command else "no"
    places = [_yes(spec.in_uci), xboard, _yes(spec.in_file)]
    return [f"`{spec.name}`", spec.help, default_text(spec), kind_text(spec), *places]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _entry(spec: OptionSpec) -> str:
    where = "" if spec.in_uci else " XBoard's protocol only."
    values = {"spin": f" Range: {spec.minimum} to {spec.maximum}.", "combo": f" Values: {', '.join(spec.choices)}."}
    text = f"{spec.help.replace('`', '')}{values.get(spec.kind, '')}{where}"
    comment = textwrap.fill(text, _WIDTH, initial_indent="; ", subsequent_indent="; ", break_on_hyphens=False)
    return f"\n{comment}\n; {spec.name} = {default_text(spec)}".rstrip() + "\n"


def write(folder: str) -> None:
    """Write both files into the clone at ``folder``."""
    for name, text in ((PAGE, page()), (FILE_NAME, ini())):
        path = os.path.join(folder, name)
        write_whole(path, text)


if __name__ == "__main__":
    write(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
