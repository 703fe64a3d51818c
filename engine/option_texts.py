"""What is written about the options outside of the protocols: docs/options.md and engine.ini, both from the one table.

``python -m engine.option_texts`` (``make docs``) writes the two files of the clone anew.
"""

from __future__ import annotations

import os
import textwrap

from .config import FILE_NAME
from .options import OPTIONS, OptionSpec

PAGE = os.path.join("docs", "options.md")

_WIDTH = 110  # of the comments

_PAGE_HEAD = """\
# Options

Written by `make docs` from the table in `engine/options.py`.

UCI clients set an option by its name, with `setoption`. XBoard's protocol has commands of its own for some, and knows
the others by their name without blanks. `engine.ini`, which lies beside the engine's folders in a clone and in
`share/standstill` of the environment after `pip install .`, changes defaults. What a client sets goes before it.

Names are understood in any case. A number out of range is moved to the nearest in range; a value that cannot be read
changes nothing and is answered in one line. What is set during a search has effect from the next one.

| Option | UCI | XBoard | `engine.ini` | Kind | Default | Meaning |
| --- | --- | --- | --- | --- | --- | --- |
"""

_INI_HEAD = """\
; Defaults of Standstill that a user may change: take the semicolon off a line and give another value.
;
; This file is looked for beside the engine's own folders (the clone), then where pip put it
; (share/standstill under the environment), never in the working directory. A missing file or
; key means the built-in value, which is the one shown here. What a client sets goes before it.

[standstill]
"""


def page() -> str:
    """The text of docs/options.md."""
    return _PAGE_HEAD + "".join(f"| {' | '.join(_row(spec))} |\n" for spec in OPTIONS)


def ini() -> str:
    """The text of engine.ini: every key that may stand there, commented out, with its default."""
    return _INI_HEAD + "".join(_entry(spec) for spec in OPTIONS if spec.in_file)


def kind_text(spec: OptionSpec) -> str:
    """``spin 1 to 1024``, ``combo off, accept, offer``, ``check``."""
    if spec.kind == "spin":
        return f"spin {spec.minimum} to {spec.maximum}"
    if spec.kind == "combo":
        return f"combo {', '.join(spec.choices)}"
    return spec.kind


def default_text(spec: OptionSpec) -> str:
    """As it is written in engine.ini; empty for a button."""
    if spec.default is None:
        return ""
    return str(spec.default).lower() if spec.kind == "check" else str(spec.default)


def _row(spec: OptionSpec) -> list[str]:
    if spec.in_xboard:
        xboard = f"`{spec.xboard_name}`"
    else:
        xboard = f"command `{spec.xboard_command}`" if spec.xboard_command else "no"
    places = [_yes(spec.in_uci), xboard, _yes(spec.in_file)]
    return [f"`{spec.name}`", *places, kind_text(spec), default_text(spec), spec.help]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _entry(spec: OptionSpec) -> str:
    where = "" if spec.in_uci else " In XBoard only."
    values = {"spin": f" {spec.minimum} to {spec.maximum}.", "combo": f" One of {', '.join(spec.choices)}."}
    text = f"{spec.help.replace('`', '')}{values.get(spec.kind, '')}{where}"
    comment = textwrap.fill(text, _WIDTH, initial_indent="; ", subsequent_indent="; ", break_on_hyphens=False)
    return f"\n{comment}\n; {spec.name} = {default_text(spec)}".rstrip() + "\n"


def write(folder: str) -> None:
    """Bring both files of the clone up to date."""
    for name, text in ((PAGE, page()), (FILE_NAME, ini())):
        path = os.path.join(folder, name)
        with open(f"{path}.new", "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(f"{path}.new", path)


if __name__ == "__main__":
    write(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
