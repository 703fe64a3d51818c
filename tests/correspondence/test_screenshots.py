"""The pictures of the terminal in the documentation show what the program prints today."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.measure.pictures.screenshots import OUT, PICTURES, STORY, picture, tell


def words(svg: str) -> list[str]:
    """All text in the picture, without colours: where a colour begins depends on the drawing library."""
    return " ".join(text for text in ElementTree.fromstring(svg).itertext()).replace("\xa0", " ").split()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "games.sqlite"
    tell(STORY, path)
    return path


@pytest.mark.slow
# Analyses change with the engine, so the picture that shows one may be older.
@pytest.mark.parametrize("name", [name for name in PICTURES if name != "games-show"])
def test_the_picture_is_up_to_date(name: str, store: Path) -> None:
    assert words((OUT / f"terminal-{name}.svg").read_text(encoding="utf-8")) == words(picture(name, store))
