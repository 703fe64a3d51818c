"""kit/README.md, word by word, in a copy of the folder: each block of commands or code prints the text below it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(
    r"```(\w+)\n(.*?)```\n(?:\n```text\n(.*?)```)?", (ROOT / "kit/README.md").read_text("utf-8"), re.DOTALL
)
SERVED = "http.server"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """What someone who copies the folder has, and the tables of three pieces."""
    folder = shutil.copytree(ROOT / "kit", tmp_path / "kit", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "engine/tablebases/data", folder / "tables")
    (folder / "python").symlink_to(sys.executable)
    return folder


def printed(kit: Path, *words: str) -> str:
    done = subprocess.run(words, cwd=kit, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("kind", [pytest.param("sh", marks=pytest.mark.slow), "js", "python"])
def test_a_stranger_sees_what_the_page_promises(kit: Path, kind: str) -> None:
    found = [(text, expected) for language, text, expected in BLOCKS if language == kind and SERVED not in text]
    assert found
    for text, expected in found:
        if kind == "sh":
            if shutil.which("cc") is None:
                pytest.skip("no C compiler")
            out = printed(kit, "sh", "-ec", re.sub(r"(?m)^python ", "./python ", text))
        elif kind == "js":
            if shutil.which("node") is None:
                pytest.skip("no Node.js")
            (kit / "own.mjs").write_text(text, encoding="utf-8")
            out = printed(kit, "node", "own.mjs")
        else:
            (kit / "own.py").write_text(text, encoding="utf-8")
            out = printed(kit, sys.executable, "own.py")
        assert out == expected if expected else out.endswith("\n398 of 398 right\n")


def test_the_page_names_every_file(kit: Path) -> None:
    text = (ROOT / "kit/README.md").read_text("utf-8")
    names = {
        path.name for path in (ROOT / "kit").iterdir() if path.suffix in {".c", ".h", ".mjs", ".py", ".wasm", ".html"}
    }
    assert {name for name in names if f"`{name}`" not in text} == {"wasm.c"}  # the source of rmobility.wasm
