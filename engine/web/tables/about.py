"""Describes the available tables to the page Tables, and builds the page as one file that contains its tables."""

from __future__ import annotations

import base64
import json
import os
import shlex
from pathlib import Path

from ...common.errors import TablebaseError
from ...common.text import plural, visible
from ...tablebases.material import needed
from ...tablebases.store import TableStore
from ...tablebases.table_file import KINDS
from ..assets import rendered
from ..bundle import PageFile, policy_of, script, style

MOST_EMBEDDED = 3  # the scripts can read tables of at most this many pieces without a server

# an example from the rules, in which only a sacrifice helps
_FIRST = ("KBvK", "8/8/8/4KBk1/8/8/8/8 b - - 0 1", "-G1.5")
_KINGS = "8/8/8/3K2k1/8/8/8/8 b - - 0 1"
_INSTEAD = {"tables_served": "tables_embedded", "server": "embedded", "tables_estimate": "absent"}


def served(store: TableStore) -> dict[str, object]:
    """Return the data of a page that this program serves. Raises TablebaseError if the folder has no tables."""
    classes = list(store.files)
    if not classes:
        builds = "`standstill tables --path DIR build --men 3` builds some in a second"
        raise TablebaseError(f"there are no tables in {store.folder}: {builds}")
    missing = f"`standstill tables --path {shlex.quote(store.folder)} build CLASS` builds it; then start again."
    folders = " and ".join(dict.fromkeys(os.path.dirname(files[0].path) for files in store.files.values()))
    return _about(store, classes, missing, f"{_counted(classes)} in {folders}{_scope(store)}.")


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
    missing = "`standstill tables browse` shows all classes of a folder, and any other position."
    scope = f"{_counted(classes)} in this file{_scope(store)}. It works offline."
    data = json.dumps({**_about(store, classes, missing, scope), "files": files}, separators=(",", ":"))
    scripts, styles = script("tables", _INSTEAD), style("design", "board", "form", "arranger", "tables")
    file = PageFile(policy_of(scripts, styles), styles, scripts, data.replace("<", "\\u003c"))
    return rendered("tables", title="R-Mobility tables", file=file)


def _counted(classes: list[str]) -> str:
    return f"{len(classes)} classes of material" if len(classes) > 1 else f"One class of material, {classes[0]},"


def _scope(store: TableStore) -> str:
    return ", of the game in which records last" if store.whole_game else ""


def _about(store: TableStore, classes: list[str], missing: str, scope: str) -> dict[str, object]:
    """missing: advice about a missing class, with CLASS in place of the name of the class.

    scope: the available tables, in words.
    """
    fen, record = _FIRST[1:] if _FIRST[0] in classes else (_example(classes), None)
    return {
        "classes": classes,
        "mostMen": max(len(name) - 1 for name in classes),
        "wholeGame": store.whole_game,
        "missing": visible(missing),
        "scope": visible(scope),
        "fen": fen,
        "record": record,
    }


def _example(classes: list[str]) -> str:
    """Return a position of the first class, each side's pieces beside its king and far from the other king."""
    if "KvK" in classes:
        return _KINGS
    rows = []
    for side, back in zip(classes[0].split("v"), (0, 1), strict=True):
        men = side.lower() if back else side
        rows.append(f"2{men}{6 - len(men)}")
    return f"8/{rows[1]}/8/8/8/8/{rows[0]}/8 w - - 0 1"
