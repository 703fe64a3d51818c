"""Options and engine.ini."""

from __future__ import annotations

from pathlib import Path

import pytest

from standstill.engine import VERSION
from standstill.engine.common.errors import ConfigError
from standstill.engine.settings import config
from standstill.engine.settings.config import load, locate
from standstill.engine.settings.opponent import opponent_line
from standstill.engine.settings.options import OPTIONS, find

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
    """engine.ini lies beside the packages, which a build outside the tree has in a folder of its own."""
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("GM 2800 human Gary Kasparov", "the opponent is GM Gary Kasparov (human, Elo 2800)"),
        ("none none computer Shredder", "the opponent is Shredder (computer)"),
        ("none none human", "the opponent is nameless (human)"),
        ("", "no opponent is named"),
    ],
)
def test_the_opponent_of_a_client_is_understood(text: str, words: str) -> None:
    assert opponent_line(str(find("UCI_Opponent").parse(text))) == words


@pytest.mark.parametrize("text", ["x", "GM 2800", "GM strong human x", "none none robot x"])
def test_an_opponent_in_another_form_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected TITLE ELO"):
        find("UCI_Opponent").parse(text)


def test_what_the_engine_tells_about_itself_cannot_be_changed() -> None:
    spec = find("UCI_EngineAbout")
    assert spec.parse("a worse engine") == spec.default
    assert VERSION in spec.default and not RESERVED & set(spec.default.split())
