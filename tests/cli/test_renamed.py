"""Old names of options and forms of commands: each works and prints its new name once; giving both is an error."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from standstill.protocol.cli.commands.renamed import Duration, Renamed, WasArgument
from standstill.protocol.cli.group import group
from tests import forked

# The arguments that a command must have before it looks at the option.
NEEDED = {
    "puzzles": "file",
    "follow": "game.pgn",
    "variants edit": "makruk",
    "variants balance": "makruk",
    "variants values": "makruk",
    "annotate": "in.pgn -o out.pgn",
    "relevance fit": "in.pgn",
    "match": "--engine a --engine b -o out.pgn",
    "analyse": "startpos",
    "study": "in.pgn",
    "games analyse": "g",
    "tables export": "KQvK",
    "tables solve": "startpos",
    "data play": "-o out",
    "data import": "text --origin us",
    "data rescore": "games -o out",
    "data starts": "one two",
}


def commands(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """All commands except groups, each with its words."""
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below is not None
        yield from commands(below, (*words, name))


TREE = dict(commands(group))
RENAMED = {f"{name} {option.old}": (name, option) for name, command in TREE.items() for option in command.params
           if isinstance(option, Renamed)}  # fmt: skip
MOVED = {f"{name} {option.opts[0]}": (name, option) for name, command in TREE.items() for option in command.params
         if isinstance(option, WasArgument)}  # fmt: skip
TIMES = {f"{name} {option.opts[-1]}": (name, option) for name, command in TREE.items() for option in command.params
         if isinstance(option.type, Duration)}  # fmt: skip


def parsed(name: str, words: list[str]) -> dict[str, object]:
    """The arguments that the command would receive."""
    with TREE[name].make_context(name, [*words]) as context:
        return dict(context.params)


def needed(name: str, *without: str) -> list[str]:
    """The words of NEEDED without these options and their values."""
    return re.sub("|".join(rf"{option} \S+" for option in without) or "$^", "", NEEDED.get(name, "")).split()


def sample(option: click.Option) -> str:
    return "7s" if isinstance(option.type, Duration) else "3" if isinstance(option.type, click.IntRange) else "file"


def test_the_tables_have_every_old_name() -> None:
    assert {
        "selfplay --movetime",
        "annotate --workers",
        "relevance fit --workers",
        "match --pgn",
        "match --movetime",
        "match --concurrency",
        "analyse --movetime",
        "tables build --threads",
        "tables verify --threads",
        "tables browse --export",
        "tables probe --json",
        "data play --workers",
        "data rescore --workers",
    } == set(RENAMED)
    assert {
        "tables export -o",
        "games backup -o",
        *(f"data {name} -o" for name in ("play", "import", "rescore", "starts")),
    } == set(MOVED)


@pytest.mark.parametrize("key", RENAMED)
def test_an_old_name_means_the_new_one(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, option = RENAMED[key]
    rest, value, new = needed(name, option.opts[0]), sample(option), option.opts[-1]
    expected = parsed(name, [*rest, new, value])
    assert capsys.readouterr().err == ""
    for form in ([option.old, value], [f"{option.old}={value}"], [option.old, value, option.old, value]):
        assert parsed(name, [*rest, *form]) == expected
        said = capsys.readouterr().err
        assert said == f"standstill: {option.old} is now {new}; the old name will be removed in the next release\n"
    for both in ([option.old, value, new, value], [new, value, option.old, value]):
        with pytest.raises(click.UsageError, match=f"expected {new} alone, found also its old name {option.old}"):
            parsed(name, [*rest, *both])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("key", RENAMED)
def test_help_shows_the_new_name_alone(key: str) -> None:
    name, option = RENAMED[key]
    with click.Context(TREE[name], info_name=name) as context:
        text = TREE[name].get_help(context)
    # In other commands `--json` is a flag, and other words may begin like an old name.
    assert option.opts[-1] in text and not re.search(rf"{option.old}\b(?!-)", text)


def test_an_old_name_keeps_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    assert parsed("analyse", ["startpos", "--movetime", "1500"])["time_ms"] == 1500
    assert capsys.readouterr().err == (
        "standstill: --movetime is now --time, with a unit: --time 1500ms; "
        "the old name will be removed in the next release\n"
    )


@pytest.mark.parametrize("key", MOVED)
def test_an_old_argument_means_the_new_option(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, option = MOVED[key]
    rest = needed(name, option.opts[0])
    expected = parsed(name, [*rest, "-o", "file"])
    assert expected[str(option.name)] == "file" and capsys.readouterr().err == ""
    old = ["file", *rest] if option.before else [*rest[:1], "file", *rest[1:]]
    assert parsed(name, old) == expected
    said = capsys.readouterr().err
    assert said.startswith(f"standstill: {option.metavar} without an option is now -o {option.metavar}; the old form ")
    assert said.count("\n") == 1
    with pytest.raises(click.MissingParameter) as missing:
        parsed(name, rest[-1:] if option.before else rest)
    assert missing.value.param is option
    if name != "data starts":  # `data starts` takes any number of files
        with pytest.raises(click.UsageError, match="unexpected extra argument"):
            parsed(name, [*old, "-o", "other"])


@pytest.mark.parametrize("key", TIMES)
def test_a_time_has_a_unit(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, option = TIMES[key]
    rest, new, key = needed(name), option.opts[-1], str(option.name)
    assert isinstance(option.type, Duration)
    assert parsed(name, [*rest, new, "3s"])[key] == parsed(name, [*rest, new, "3000ms"])[key] == 3000
    assert parsed(name, [*rest, new, "1m1.5s"])[key] == 61_500
    assert capsys.readouterr().err == ""
    meant = {"ms": 1, "s": 1000, "d": 86_400_000}[option.type.bare] * 2000
    if meant <= option.type.most:
        assert parsed(name, [*rest, new, "2000"])[key] == meant
        said = capsys.readouterr().err
        assert said.startswith(f"standstill: {new} 2000 is read as 2000{option.type.bare}: ") and said.count("\n") == 1
    for wrong in ("9" * 30, "", "x", "-1s", "1x", "nan", "inf", "1s1m", "٣s", "1 hour", "9" * 30 + "d"):
        with pytest.raises(click.BadParameter, match="expected a time"):
            parsed(name, [*rest, new, wrong])
    assert capsys.readouterr().err == ""


def test_no_number_of_jobs_is_one_for_each_core() -> None:
    for name, command in TREE.items():
        if any("--jobs" in option.opts for option in command.params):
            rest = needed(name) or ["in.pgn"] * (name == "tag")
            assert parsed(name, [*rest, "--jobs", "0"])["jobs"] == len(os.sched_getaffinity(0)), name


def test_one_meaning_of_each_name() -> None:
    """`--pgn` and `--json` always choose the output form, and the number of processes has one name."""
    for name, command in TREE.items():
        for option in command.params:
            names = {*option.opts}
            assert not names & {"--workers", "--concurrency", "--movetime"}, name
            if names & {"--pgn", "--json"}:
                assert isinstance(option, click.Option) and option.is_flag, name
            if "--output" in names:
                assert "-o" in names, name
            if "--threads" in names:
                assert name in {"bench", "speedtest", "games analyse"}, name  # threads of one search


def test_the_notice_goes_to_standard_error(executable: Path, tmp_path: Path) -> None:
    words = [executable, "selfplay", "--moves", "1", "--movetime", "5", "--seed", "1"]
    done = forked.run(words, cwd=tmp_path, text=True)
    assert done.returncode == 0 and "5 ms a move" in done.stdout and "--time" not in done.stdout
    assert done.stderr.count("\n") == 1 and "--movetime is now --time" in done.stderr
