"""The public names: they are few and documented, and their examples work."""

from __future__ import annotations

import asyncio
import dataclasses
import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import chess
import chess.engine
import chess.pgn
import pytest

import standstill
from standstill import clock, relevance, rmobility, variants

ROOT = Path(__file__).resolve().parents[2]
MODULES = (standstill, clock, relevance, rmobility, variants)
GLOBALS = {
    "asyncio": asyncio,
    "chess": chess,
    "clock": clock,
    "relevance": relevance,
    "rmobility": rmobility,
    "standstill": standstill,
    "variants": variants,
}


def classes_and_functions() -> dict[str, Any]:
    found = {}
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, (type, FunctionType)):
                found[f"{module.__name__}.{name}"] = value
    return found


def callables() -> Iterator[tuple[str, Any]]:
    """Functions, public methods and properties; a method is listed with the class that defines it."""
    for name, value in classes_and_functions().items():
        if isinstance(value, FunctionType):
            yield name, value
        elif not issubclass(value, Exception):
            for member, own in vars(value).items():
                if not member.startswith("_") and isinstance(own, (FunctionType, classmethod, property)):
                    yield f"{name}.{member}", own


EVERYTHING = classes_and_functions()
CALLABLES = dict(callables())
CLASSES = {name: value for name, value in EVERYTHING.items() if isinstance(value, type)}


def doc(name: str) -> str:
    """The docstring; a method may inherit it."""
    owner, _, member = name.rpartition(".")
    found = (
        inspect.getdoc(getattr(EVERYTHING[owner], member)) if owner in EVERYTHING else inspect.getdoc(EVERYTHING[name])
    )
    return found or ""


@pytest.mark.parametrize("module", MODULES, ids=[module.__name__ for module in MODULES])
def test_dir_shows_the_public_names_only(module: ModuleType) -> None:
    assert sorted(dir(module)) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    with pytest.raises(AttributeError):
        _ = module.nothing_of_the_kind


@pytest.mark.parametrize("name", {**EVERYTHING, **CALLABLES})
def test_docstrings_have_true_examples(name: str) -> None:
    value = CALLABLES.get(name, EVERYTHING.get(name))
    is_plain = isinstance(value, property) or (isinstance(value, type) and issubclass(value, Exception))
    text = doc(name)
    examples = doctest.DocTestParser().get_doctest(text, dict(GLOBALS), name, None, 0)
    assert text and (examples.examples or is_plain)
    assert not doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(examples).failed


@pytest.mark.parametrize("module", MODULES, ids=[module.__name__ for module in MODULES])
def test_examples_of_modules_are_true(module: ModuleType) -> None:
    examples = doctest.DocTestParser().get_doctest(module.__doc__ or "", {}, module.__name__, None, 0)
    assert examples.examples or module is standstill
    assert not doctest.DocTestRunner().run(examples).failed


@pytest.mark.parametrize("name", [name for name, value in CALLABLES.items() if not isinstance(value, property)])
def test_docstrings_name_parameters_and_results(name: str) -> None:
    value = CALLABLES[name]
    function = value.__func__ if isinstance(value, classmethod) else value
    signature = inspect.signature(function)
    text = doc(name)
    expected = [each for each in signature.parameters if each not in ("self", "cls")]
    assert re.findall(r"^:param (\w+):", text, re.MULTILINE) == expected
    assert (":returns:" in text) == (signature.return_annotation not in (None, "None"))


@pytest.mark.parametrize("name", [name for name, value in CLASSES.items() if dataclasses.is_dataclass(value)])
def test_docstrings_name_the_fields(name: str) -> None:
    fields = [field.name for field in dataclasses.fields(CLASSES[name])]
    assert re.findall(r"^:ivar (\w+):", doc(name), re.MULTILINE) == fields


@pytest.mark.parametrize("name", {**EVERYTHING, **CALLABLES})
def test_errors_that_docstrings_name_are_public(name: str) -> None:
    for error in re.findall(r"^:raises (\w+):", doc(name), re.MULTILINE):
        assert issubclass(getattr(standstill, error), standstill.StandstillError)


@pytest.mark.parametrize(
    "name",
    [name for name, value in CLASSES.items() if not issubclass(value, Exception) and not inspect.isabstract(value)],
)
def test_classes_show_themselves(name: str) -> None:
    assert CLASSES[name].__repr__ is not object.__repr__


def test_examples_on_the_page() -> None:
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, "api.md", "docs/api.md", 0)
    assert examples.examples
    assert not doctest.DocTestRunner().run(examples).failed


def test_every_public_name_is_on_the_page() -> None:
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    names = {name for module in MODULES for name in module.__all__}
    assert {name for name in names if not re.search(rf"\b{name}\b", page)} == {"__version__"}
