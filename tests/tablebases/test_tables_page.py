"""The numbers in docs/tables.md are those of the tables."""

from __future__ import annotations

import re
from pathlib import Path

from standstill.engine.tablebases import probing
from standstill.engine.tablebases.material import classes
from standstill.engine.tablebases.store import TableStore

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tables.md"
ROW = re.compile(r"^\| (K\w*v\w+), White \| (.*) \|$", re.MULTILINE)
ENTRY = re.compile(r"(-?G\d+\.\d): (\d+) \((\d+)\)")


def test_the_page_gives_the_numbers_of_the_tables(folder: Path) -> None:
    store = TableStore(str(folder))
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert sorted(name for name, _ in rows) == sorted(classes(3))
    for name, text in rows:
        counted = store.statistics(name)["0"]
        expected = [(probing.Value(int(value), 0).text, *counted[value]) for value in counted]
        told = [(goal, int(count), int(plies)) for goal, count, plies in ENTRY.findall(text)]
        assert sorted(told) == sorted(expected)
