"""Reads the lists of mutants: each layer has a file, and each mistake a table ``[[mutant]]``.

``what`` names the mistake, which replaces ``old`` by ``new`` in ``file``. ``old`` occurs exactly once in the file.
``tests`` are pytest names, at least one of which must fail. A mutant without tests explains in ``same`` why it is
equivalent.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAYERS = ("protocol", "engine", "cext")
COMPILED = (".pyx", ".pxd", ".h")


@dataclass(frozen=True)
class Mutant:
    """One mistake in one file."""

    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()
    same: str = ""

    @property
    def compiled(self) -> bool:
        return self.file.endswith(COMPILED)

    def apply(self, text: str) -> str:
        """Return the text of the file with the mistake. Raises ValueError unless ``old`` occurs exactly once."""
        count = text.count(self.old)
        if count != 1:
            found = f"found it {count} times: {self.old!r}"
            raise ValueError(f"{self.what}: expected the text once in {self.file}, {found}")
        return text.replace(self.old, self.new)

    def digest(self, root: Path) -> str:
        """Return a digest of the mutant, its file, and the files of its tests."""
        hashed = hashlib.sha256(repr(self).encode())
        for name in sorted({self.file, *(test.partition("::")[0] for test in self.tests)}):
            hashed.update((root / name).read_bytes())
        return hashed.hexdigest()


def read(path: Path) -> list[Mutant]:
    """Return the mutants of a file. Raises ValueError for an invalid table."""
    mutants = []
    for table in tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []):
        fields = {name: tuple(value) if name == "tests" else value for name, value in table.items()}
        try:
            mutant = Mutant(**fields)
        except TypeError as error:
            raise ValueError(f"{path.name}: {table.get('what', table)}: {error}") from None
        if bool(mutant.tests) == bool(mutant.same):
            raise ValueError(f"{path.name}: {mutant.what}: expected either tests or same")
        mutants.append(mutant)
    return mutants


def read_all() -> dict[str, list[Mutant]]:
    """Return all mutants by layer."""
    return {layer: read(HERE / f"{layer}.toml") for layer in LAYERS}
