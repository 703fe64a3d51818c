"""UCI, XBoard, engine.ini and docs/options.md agree with the one table of options."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from standstill.engine.settings.config import load
from standstill.engine.settings.option_texts import ini, page
from standstill.engine.settings.options import Settings
from standstill.engine.settings.table import OPTIONS
from tests.uci.client import Client

ROOT = Path(__file__).resolve().parents[2]

UCI_LINE = re.compile(
    r"option name (?P<name>.+?) type (?P<kind>\w+)(?: default (?P<default>.*?))?"
    r"(?: min (?P<min>-?\d+) max (?P<max>-?\d+))?(?P<choices>(?: var \S+)*)"
)
XBOARD_LINE = re.compile(r'feature option="(?P<name>\S+) -(?P<kind>\w+)(?: (?P<rest>.*))?" *')  # padded by option_line
INI_LINE = re.compile(r"; (?P<name>\w[\w ]*?) = ?(?P<default>.*)")


class Declared(NamedTuple):
    """An option as one of the four places declares it; None stands for what that place does not state."""

    kind: str | None
    default: str
    limits: tuple[str, ...] | None  # bounds of a spin, or choices of a combo


@pytest.fixture
def uci(start) -> dict[str, Declared]:
    found = {}
    for line in start().ask("uci", "uciok"):
        if line.startswith("option "):
            parts = UCI_LINE.fullmatch(line)
            limits = (parts["min"], parts["max"]) if parts["min"] else tuple(parts["choices"].split()[1::2])
            default = (parts["default"] or "").replace("<empty>", "")
            found[parts["name"]] = Declared(parts["kind"], default, limits)
    return found


@pytest.fixture
def xboard(start) -> dict[str, Declared]:
    client: Client = start()
    client.send("xboard")
    lines = client.ask("protover 2", "feature")
    while "done=1" not in lines[-1]:
        lines.append(client.read_line())
    found = {}
    for line in lines:
        if "option=" in line:
            parts = XBOARD_LINE.fullmatch(line)
            found[parts["name"]] = read_xboard(parts["kind"], parts["rest"] or "")
    return found


def read_xboard(kind: str, rest: str) -> Declared:
    if kind == "spin":
        default, *limits = rest.split()
        return Declared(kind, default, tuple(limits))
    if kind == "combo":
        choices = rest.split(" /// ")
        (chosen,) = [choice for choice in choices if choice.startswith("*")]
        return Declared(kind, chosen[1:], tuple(choice.removeprefix("*") for choice in choices))
    if kind == "check":
        return Declared(kind, {"0": "false", "1": "true"}[rest], ())
    return Declared("string" if kind in ("file", "path") else kind, rest, ())


def read_ini() -> dict[str, Declared]:
    lines = (ROOT / "engine.ini").read_text(encoding="utf-8").splitlines()
    found = filter(None, map(INI_LINE.fullmatch, lines))
    return {parts["name"]: Declared(None, parts["default"], None) for parts in found}


def read_page() -> dict[str, tuple[Declared, str, str, str]]:
    """The declaration of each option by name, and whether it exists in UCI, XBoard and the file."""
    found = {}
    for line in (ROOT / "docs" / "options.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            name, _, default, kind, in_uci, in_xboard, in_file = (cell.strip() for cell in line.strip("| ").split("|"))
            word, _, limits = kind.partition(" ")
            declared = Declared(word, default, tuple(re.split(", | to ", limits)) if limits else ())
            found[name.strip("`")] = declared, in_uci, in_xboard, in_file
    return found


def test_the_page_and_uci_agree(uci) -> None:
    assert {name: declared for name, (declared, in_uci, *_) in read_page().items() if in_uci == "yes"} == uci


def test_the_page_and_xboard_agree(xboard) -> None:
    shown = {
        in_xboard.strip("`"): declared
        for declared, _, in_xboard, _ in read_page().values()
        if in_xboard != "no" and not in_xboard.startswith("command")
    }
    assert shown == xboard


def test_uci_and_xboard_agree_where_both_have_an_option(uci, xboard) -> None:
    both = {name.replace(" ", ""): declared for name, declared in uci.items()}
    assert {name: xboard[name] for name in xboard if name in both} == {
        name: both[name] for name in both if name in xboard
    }


def test_the_page_and_the_file_agree() -> None:
    shown = {name: declared.default for name, (declared, _, _, in_file) in read_page().items() if in_file == "yes"}
    assert {name: declared.default for name, declared in read_ini().items()} == shown


def test_no_option_is_missing_from_the_page() -> None:
    assert list(read_page()) == [spec.name for spec in OPTIONS]


def test_every_key_of_the_file_can_be_set_and_is_the_default(tmp_path: Path) -> None:
    keys = [f"{name} = {declared.default}" for name, declared in read_ini().items()]
    (tmp_path / "engine.ini").write_text("\n".join(["[standstill]", *keys]), encoding="utf-8")
    settings, complaints = load(str(tmp_path / "engine.ini"))
    assert complaints == []
    assert {spec.name: settings[spec.name] for spec in OPTIONS if spec.in_file} == {
        spec.name: Settings()[spec.name] for spec in OPTIONS if spec.in_file
    }


@pytest.mark.parametrize(("name", "text"), [("docs/options.md", page), ("engine.ini", ini)])
def test_what_is_written_from_the_table_is_up_to_date(name: str, text) -> None:
    """Fails until `make docs` is run after a change of the table."""
    assert (ROOT / name).read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_names_and_choices_suit_xboard(spec) -> None:
    """Some clients split names at blanks, and XBoard splits its list of options at commas."""
    assert not re.search(r"[,\s]", spec.xboard_name)
    assert not any(re.search(r"[,\s]", choice) for choice in spec.choices)
    assert spec.help.endswith(".")
    assert spec.help[0].isupper()
    assert "|" not in spec.help


def test_types_of_the_settings_name_every_option() -> None:
    """The literals in options.py tell type checkers that, for example, ``settings["Hash"]`` is an int."""
    tree = ast.parse((ROOT / "engine/settings/options.py").read_text(encoding="utf-8"))
    literals = {
        node.targets[0].id: list(ast.literal_eval(node.value.slice))
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript) and node.value.value.id == "Literal"
    }
    assert literals == {
        "FlagName": [spec.name for spec in OPTIONS if spec.kind == "check"],
        "NumberName": [spec.name for spec in OPTIONS if spec.kind == "spin"],
        "TextName": [spec.name for spec in OPTIONS if spec.kind in ("combo", "string")],
    }
