"""The command with the oldest allowed version of each package, if pip can fetch them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.uci.client import PATIENCE_S, clean_environment
from tools.building.requirements import EXTRAS, REQUIRES

ROOT = Path(__file__).resolve().parents[2]
PGN = '[Result "*"]\n\n1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Qh5 { [%eval 0.1] } *\n\n'
PROGRAM = "import sys; sys.path.insert(0, {tree!r}); from standstill.protocol.main import main; sys.exit(main())"


def oldest() -> list[str]:
    """The required packages, and those for a cluster, each at its lower bound."""
    return [name.replace(">=", "==") for name in [*REQUIRES, *EXTRAS["cluster"]]]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with the oldest allowed packages."""
    place = tmp_path_factory.mktemp("oldest")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / "bin" / "python"
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *oldest()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot install {' '.join(oldest())}")
    return python


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--help"], 0),
        (["annotate", "in.pgn", "-o", "out.pgn", "--from-comments"], 0),
        (["annotate", "in.pgn", "-o", "out.pgn", "--nodes", "10"], 0),
        (["tag", "in.pgn", "-o", "out.pgn.zst"], 0),
        (["standings", "in.pgn"], 0),
        (["tag", "in.pgn", "-o", "shared.pgn", "--jobs", "2", "--scheduler", "local"], 0),
        (["annotate", "in.pgn", "-o", "shared.pgn", "--nodes", "10", "--scheduler", "local"], 0),
        (["relevance", "text", "1.4"], 2),
        (["nonsense"], 2),
        (["tag", "nowhere.pgn", "-o", "out.pgn"], 2),
        (["tag", "in.pgn", "-o", "out.pgn", "--jobs", "x"], 2),
        (["games", "remove"], 2),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else None,
)
def test_commands_with_the_oldest_packages(python: Path, tmp_path: Path, words: list[str], status: int) -> None:
    (tmp_path / "in.pgn").write_text(PGN)
    program = PROGRAM.format(tree=str(ROOT / "build/tree"))
    done = subprocess.run(
        [python, "-I", "-c", program, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=clean_environment() | {"XDG_DATA_HOME": str(tmp_path)},
        timeout=PATIENCE_S * 5,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
    assert status == 0 or len(done.stderr.splitlines()) == 1
