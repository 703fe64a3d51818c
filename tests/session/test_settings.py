"""Options and engine.ini."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from standstill.engine.api.playing import Engine
from standstill.engine.common.errors import ConfigError
from standstill.engine.settings import config
from standstill.engine.settings.config import load, locate
from standstill.engine.settings.dropped import DROPPED
from standstill.engine.settings.options import find
from standstill.engine.settings.table import OPTIONS

ROOT = Path(__file__).resolve().parents[2]

# Clients split option lines at these words.
RESERVED = {"name", "type", "default", "min", "max", "var"}


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_an_option_can_be_declared(spec) -> None:
    assert not RESERVED & set(spec.name.lower().split())
    if spec.kind == "spin":
        assert -(2**31) <= spec.minimum <= spec.default <= spec.maximum < 2**31
    if spec.kind == "combo":
        assert spec.default in spec.choices


@pytest.mark.parametrize("name", ["move overhead", "MOVE  OVERHEAD", " Move Overhead "])
def test_names_are_found_in_any_case(name: str) -> None:
    assert find(name).name == "Move Overhead"


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1), ("0", 1), ("-5", 1), ("99999999999999999999999", 1024), ("+7", 7), ("9" * 5000, 1024)]
)
def test_a_number_is_moved_into_its_range(text: str, value: int) -> None:
    assert find("Threads").parse(text) == value


@pytest.mark.parametrize("text", ["0", "1025", "-1", "9" * 5000], ids=lambda text: text[:8])
def test_a_number_out_of_its_range_may_be_refused(text: str) -> None:
    assert find("Threads").parse_within("1024") == 1024
    with pytest.raises(ConfigError, match="expected 1 to 1024 for Threads"):
        find("Threads").parse_within(text)


@pytest.mark.parametrize("text", ["", "x", "1.5", "--3", "\u0663"])
def test_a_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        find("Threads").parse(text)


@pytest.mark.parametrize(("text", "value"), [("true", True), ("FALSE", False)])
def test_a_check_is_read_in_any_case(text: str, value: bool) -> None:
    assert find("Ponder").parse(text) is value


@pytest.mark.parametrize("text", ["", "yes", "1"])
def test_a_wrong_check_value_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        find("Ponder").parse(text)


# ---- engine.ini ----


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "engine.ini"
    path.write_bytes(text.encode("utf-8"))
    return str(path)


def test_the_clone_has_its_own_file() -> None:
    """engine.ini lies beside the packages; a build outside the tree has its own folder for them."""
    assert locate() == str(Path(config.__file__).resolve().parents[2] / "engine.ini")


def test_the_shipped_file_changes_nothing() -> None:
    settings, complaints = load(str(ROOT / "engine.ini"))
    assert complaints == []
    assert settings["Hash"] == find("Hash").default


def test_keys_set_defaults(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff# a comment\r\n[standstill]\r\nhash = 128\r\n  Move Overhead=7 \r\nPonder = True")
    settings, complaints = load(path)
    assert complaints == []
    assert (settings["Hash"], settings["Move Overhead"], settings["Ponder"]) == (128, 7, True)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_the_file_may_be_in_utf_16(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "engine.ini"
    path.write_bytes("\ufeffHash = 33\r\nEvalFile = Łódź.nn\r\n".encode(encoding))
    settings, complaints = load(str(path))
    assert complaints == []
    assert (settings["Hash"], settings["EvalFile"]) == (33, "Łódź.nn")


@pytest.mark.parametrize("line", ["Hash = lots", "Hesh = 1", "Hash", "Clear Hash = 1", "UCI_Chess960 = true", "= 3"])
def test_a_bad_line_is_reported_and_the_others_count(tmp_path: Path, line: str) -> None:
    settings, complaints = load(written(tmp_path, f"{line}\nThreads = 2\n"))
    assert len(complaints) == 1
    assert complaints[0].startswith("engine.ini line 1: ")
    assert settings["Threads"] == 2


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    _, complaints = load(str(tmp_path / "none.ini"))
    assert len(complaints) == 1


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('"/a b/c"', "/a b/c"),
        ("'/a b'", "/a b"),
        (' "/a" ', "/a"),
        ('"/a b":"/c"', "/a b:/c"),
        ('"/a:/b"', "/a:/b"),
        ("/it's", "/it's"),
        ('"', '"'),
        ('""', ""),
        ("/a/b", "/a/b"),
    ],
)
@pytest.mark.parametrize("name", ["SyzygyPath", "BookFile", "VariantFile"])
def test_quotes_around_a_path_are_no_part_of_it(name: str, text: str, path: str) -> None:
    assert find(name).parse(text) == path


def test_quotes_in_other_texts_stay() -> None:
    assert find("TripleBlockGame").parse('"a"') == '"a"'


@pytest.mark.parametrize("name", DROPPED)
def test_a_dropped_key_is_named_with_what_to_use_instead(tmp_path: Path, name: str) -> None:
    (tmp_path / "engine.ini").write_text(f"[standstill]\n{name.lower()} = 1\nHash = 7\n", encoding="utf-8")
    settings, complaints = load(str(tmp_path / "engine.ini"))
    assert complaints == [f"engine.ini line 2: option {name} no longer exists: {DROPPED[name]}"]
    assert settings["Hash"] == 7 and find(name) is None
    for option in re.findall(r"\b(?:Own|RMobilityT|TripleB|UCI_)\w+", DROPPED[name]):  # the replacement exists
        assert find(option) is not None
    with pytest.raises(ConfigError, match=f"option {name} no longer exists"), Engine({name: "1"}):
        pass
