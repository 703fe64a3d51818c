"""Creates the page, one self-contained HTML text. Its scripts compute moves and goals, and read values from tables."""

from __future__ import annotations

import base64
import json
import os
import shlex
from pathlib import Path

import jinja2

from ...common.errors import TablebaseError
from ...common.text import plural, visible
from ...variants.drawing import board_defs
from ..material import needed
from ..store import TableStore
from ..table_file import KINDS

MOST_EMBEDDED = 3  # the scripts can read tables of at most this many pieces without a server

_FOLDER = Path(__file__).parent / "templates"
_SCRIPTS = ("rules", "sources", "board", "charts", "page", "quiz")
_MEN = [(man, f"{side}-{name}") for side, letters in (("white", "QRBNP"), ("black", "qrbnp")) for man, name in
        zip(letters, ("queen", "rook", "bishop", "knight", "pawn"), strict=True)]  # fmt: skip
_FIRST = ("KBvK", "8/8/8/4KBk1/8/8/8/8 b - - 0 1", "-G1.5")  # an example from the rules: only a sacrifice helps
_KINGS = "8/8/8/3K2k1/8/8/8/8 b - - 0 1"
# The page loads nothing from other hosts. A page from a server may also send requests to that server.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
SERVED_POLICY = f"{POLICY}; connect-src 'self'"


def served_page(store: TableStore) -> str:
    """Return the page for a browser that queries a `PageServer`. Raises TablebaseError if there are no tables."""
    classes = list(store.files)
    if not classes:
        builds = "`standstill tables --path DIR build --men 3` builds some in a second"
        raise TablebaseError(f"there are no tables in {store.folder}: {builds}")
    missing = f"`standstill tables --path {shlex.quote(store.folder)} build CLASS` builds it; then start again."
    folders = " and ".join(dict.fromkeys(os.path.dirname(files[0].path) for files in store.files.values()))
    scope = f"{_counted(classes)} in {folders}{_scope(store)}. The program ends with Ctrl-C in its terminal."
    return _page(_data(store, classes, missing), scope, SERVED_POLICY)


def single_page(store: TableStore, names: list[str]) -> str:
    """Return the page with the embedded tables of these classes and of all classes that they need.

    Raises TablebaseError for classes that are missing, damaged or too large.
    """
    for name in names:
        if len(name) - 1 > MOST_EMBEDDED:
            raise TablebaseError(f"expected classes of at most {MOST_EMBEDDED} pieces for one file, found {name}")
    classes = list(dict.fromkeys(other for name in names for other in needed(name)))
    for name in classes:
        if not store.is_complete(name):
            raise TablebaseError(f"expected both files of {name} in {store.folder}: `tables build {name}` builds them")
    if corrupt := store.library.corrupt_blocks():
        raise TablebaseError(f"{corrupt} damaged {plural(corrupt, 'block')} in the tables of {store.folder}")
    files = {
        name: [base64.b64encode(Path(file.path).read_bytes()).decode() for file in store.files[name][: len(KINDS)]]
        for name in classes
    }
    scope = f"{_counted(classes)} in this file{_scope(store)}. It works offline."
    missing = "`standstill tables browse` shows all classes of a folder."
    return _page(_data(store, classes, missing) | {"files": files}, scope, POLICY)


def _counted(classes: list[str]) -> str:
    return f"{len(classes)} classes of material" if len(classes) > 1 else f"One class of material, {classes[0]},"


def _scope(store: TableStore) -> str:
    return ", of the game in which records last" if store.whole_game else ""


def _data(store: TableStore, classes: list[str], missing: str) -> dict[str, object]:
    """Return the data for the scripts. missing: advice about a missing class, with CLASS in place of its name."""
    fen, record = _FIRST[1:] if _FIRST[0] in classes else (_example(classes), None)
    return {
        "classes": classes,
        "mostMen": max(len(name) - 1 for name in classes),
        "wholeGame": store.whole_game,
        "missing": visible(missing),
        "fen": fen,
        "record": record,
    }


def _page(data: dict[str, object], scope: str, policy: str) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("browse.html.j2").render(
        policy=policy,
        scope=visible(scope),
        men=_MEN,
        board_defs=board_defs(),
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        css=(_FOLDER / "browse.css").read_text("utf-8"),
        script="\n".join((_FOLDER / f"{name}.js").read_text("utf-8") for name in _SCRIPTS),
    )


def _example(classes: list[str]) -> str:
    """Return a position of the first class, each side's pieces beside its king and far from the other king."""
    if "KvK" in classes:
        return _KINGS
    rows = []
    for side, back in zip(classes[0].split("v"), (0, 1), strict=True):
        men = side.lower() if back else side
        rows.append(f"2{men}{6 - len(men)}")
    return f"8/{rows[1]}/8/8/8/8/{rows[0]}/8 w - - 0 1"
