"""The lists of mutants fit the tree: each place to change occurs once, and each test exists."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tools.mutants.lists import LAYERS, ROOT, Mutant, read_all

MUTANTS = [(layer, mutant) for layer, mutants in read_all().items() for mutant in mutants]


@cache
def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


@cache
def functions_of(file: str) -> set[str]:
    """The functions that a test file defines; in Cython they are found by their first lines."""
    if file.endswith(".pyx"):
        return {line[4:].partition("(")[0] for line in text_of(file).splitlines() if line.startswith("def ")}
    return {node.name for node in ast.walk(ast.parse(text_of(file))) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("layer", LAYERS)
def test_every_place_of_a_mutant_occurs_once(layer: str) -> None:
    """Every mutant matches the current code; a change of the code must not disable mutants silently."""
    wrong = []
    for mutant in (mutant for of, mutant in MUTANTS if of == layer):
        assert mutant.file.startswith(f"{layer}/"), mutant.what
        try:
            changed = mutant.apply(text_of(mutant.file)) != text_of(mutant.file)
            wrong += [] if changed else [f"{mutant.what}: changes nothing"]
        except ValueError as error:
            wrong.append(str(error))
    assert wrong == []


@pytest.mark.parametrize("layer", LAYERS)
def test_every_test_of_a_mutant_exists(layer: str) -> None:
    """Only functions are checked: pytest itself reports unknown parameters."""
    for mutant in (mutant for of, mutant in MUTANTS if of == layer):
        for test in mutant.tests:
            file, colons, function = test.partition("::")
            assert (ROOT / file).is_file(), f"{mutant.what}: {test}"
            named = function.partition("[")[0]
            if file == "tests/ctest/test_ctest.py":
                module, _, named = function.partition("[")[2].rstrip("]").partition("::")
                file = f"tests/ctest/{module}.pyx"
            assert not colons or named in functions_of(file), f"{mutant.what}: {test}"


def test_no_mutant_is_named_twice() -> None:
    names = [mutant.what for _, mutant in MUTANTS]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize(("text", "found"), [("b", 0), ("aba", 2)])
def test_a_place_that_does_not_occur_once_is_an_error(text: str, found: int) -> None:
    mutant = Mutant("a is lost", "f", "a", "", same="no file")
    with pytest.raises(ValueError, match=f"a is lost: expected the text once in f, found it {found} times: 'a'"):
        mutant.apply(text)
