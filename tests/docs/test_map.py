"""The paths that the documentation names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/clients/*.md")]
PATH = re.compile(r"`((?:cext|docs|engine|protocol|tests|tools|requirements)/[\w./-]+|\.ci/\w+)`")
BUILT = {"cext/builds", "docs/benchmarks"}  # made for wheels, and by `make benchmarks`
QUESTIONS = 20


def missing(text: str) -> list[str]:
    """Paths in the text that neither exist nor are built. Compiled modules are named without a suffix."""
    named = {path.rstrip("/.") for path in PATH.findall(text)} - BUILT
    return sorted(path for path in named if not (ROOT / path).exists() and not (ROOT / f"{path}.pyx").exists())


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=lambda page: page.name)
def test_paths_on_a_page_exist(page: Path) -> None:
    assert not missing(page.read_text(encoding="utf-8"))


def test_a_path_that_is_gone_is_noticed() -> None:
    assert missing("`engine/gone/pool.pyx`, `engine/settings/table.py`, `cext/processor`") == ["engine/gone/pool.pyx"]


def test_the_map_answers_twenty_questions() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = page.partition("### Where is ...?")[2].partition("\n## ")[0].split("\n| ")[3:]
    assert len(rows) == QUESTIONS
    assert all(PATH.search(row) for row in rows)
