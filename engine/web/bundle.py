"""Scripts and styles of a page as one text each, for pages that are files and load nothing.

Each script becomes a function that is called once and returns what the script exports. Scripts use only the few forms
of `import` and `export` that this module knows; any other form raises ValueError.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

_STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) )(\w+)", re.MULTILINE)
_FOREIGN = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*/\*\*?(?:.|\n)*?\*/\n|^[ \t]*//.*\n", re.MULTILINE)
_REMARK = re.compile(r"(?<=[\w;{},)\]]) // [^\"'`\n]*$", re.MULTILINE)  # matches a comment at the end of a line
_TYPE = re.compile(r"/\*\* @type [^\n]*?\*/ ")  # matches the type of a value or a parameter
_STYLE_SPACE = re.compile(r"(?<=[{};,])\n| (?=\{)|;\n?(?=\})")  # matches blanks and semicolons that CSS does not need
_INDENT = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PageFile:
    """The parts of a page that is a file, for its template. script, data: empty for a page without a script."""

    policy: str
    style: str
    script: str
    data: str


def policy_of(scripts: str, styles: str) -> str:
    """Return the content security policy of a page that uses this script and these styles and loads nothing."""
    allowed = f" script-src {_hash(scripts)};" if scripts else ""
    return f"default-src 'none';{allowed} style-src {_hash(styles)}; base-uri 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def script(entry: str, instead: dict[str, str]) -> str:
    """Return a script with everything it imports. instead: maps names of scripts to those that replace them."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        name = instead.get(name, name)
        if name in done:
            return
        done[name] = ""  # this entry breaks a cycle of imports
        text = (_STATIC / f"{name}.js").read_text("utf-8")
        for found in _IMPORT.finditer(text):
            add(found[2])
        done.pop(name)
        done[name] = _module(name, text, instead)

    add(entry)
    return "\n".join(done.values())


def _module(name: str, text: str, instead: dict[str, str]) -> str:
    text = _REMARK.sub("", _TYPE.sub("", _COMMENT.sub("", text)))
    names = [found[2] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub(r"\1\2", text)
    text = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_variable(instead.get(found[2], found[2]))};\n", text)
    if foreign := _FOREIGN.search(text):
        raise ValueError(f"{name}.js: unknown form: {foreign[0]}")
    return f"const {_variable(name)} = (() => {{\n{_INDENT.sub('', text)}return {{ {', '.join(names)} }};\n}})();"


def _variable(name: str) -> str:
    return f"$${name.replace('-', '_')}"


def style(*names: str) -> str:
    """Return the style sheets as one text."""
    text = "".join((_STATIC / f"{name}.css").read_text("utf-8") for name in names)
    return _STYLE_SPACE.sub("", _INDENT.sub("", re.sub(r"/\*(?:.|\n)*?\*/\n?", "", text)))
