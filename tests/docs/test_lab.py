"""The pages with current figures are short, and the lab diary is complete and in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAB = sorted((ROOT / "docs/lab").glob("*.md"))
MOST_LINES = 200


@pytest.mark.parametrize("name", ["measurements", "training"])
def test_a_page_of_today_is_short_and_leads_to_the_diary(name: str) -> None:
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    assert text.count("\n") < MOST_LINES
    assert re.search(r"\]\(lab/\w+\.md", text)


def test_the_index_and_the_navigation_list_every_page_of_the_diary() -> None:
    index = (ROOT / "docs/lab/index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[[^]]+\]\((\w+\.md)\)", index, re.MULTILINE)
    assert sorted(["index.md", *listed]) == [path.name for path in LAB]
    navigation = re.findall(r": lab/(\w+\.md)$", (ROOT / "tools/site/mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert navigation == ["index.md", *listed]


def test_figures_that_follow_the_benchmarks_stand_on_pages_of_today() -> None:
    """The diary's figures belong to their commits; a new run of the benchmarks must not change them."""
    assert not [path.name for path in LAB if "<!-- figure:" in path.read_text(encoding="utf-8")]
