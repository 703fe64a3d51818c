"""An option at the wrong place of the command line: the message shows the place where the program takes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from standstill.protocol.cli.group import group, invoke, run
from standstill.protocol.cli.misplaced import place_of

Command = tuple[tuple[str, ...], click.Command]


def commands(command: click.Command, parent: click.Context | None, name: str) -> Iterator[Command]:
    context = click.Context(command, parent, info_name=name)
    yield tuple(context.command_path.split()[1:]), command
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from commands(found, context, below)


def options(command: click.Command) -> dict[str, click.Option]:
    found = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    return {name: each for each in found for name in (*each.opts, *each.secondary_opts)}


def given(name: str, option: click.Option) -> list[str]:
    return [name] if option.is_flag or option.count else [name, "1"]


def refusal(words: list[str]) -> str:
    with pytest.raises(click.NoSuchOption) as caught:
        invoke(words)
    return place_of(caught.value, words)


def accepts(example: str, name: str) -> bool:
    """Whether the option is in the help of the command that the example gives it to."""
    before = example.split(name, maxsplit=1)[0].split()[1:]
    return re.search(rf"{name}\b", help_of(tuple(before))) is not None


def help_of(path: tuple[str, ...]) -> str:
    command: click.Command = group
    context = click.Context(group, info_name="standstill")
    for word in path:
        assert isinstance(command, click.Group)
        found = command.get_command(context, word)
        assert found is not None
        command, context = found, click.Context(found, context, info_name=word)
    return command.get_help(context)


def test_each_option_that_is_given_too_early_or_too_late_is_shown_at_its_place() -> None:
    known = list(commands(group, None, "standstill"))
    early = late = 0
    for path, command in known:
        for above, outer in known:
            if not path or above == path or path[: len(above)] != above:
                continue
            for name, option in options(command).items():
                if name not in options(outer):
                    words = [*above, *given(name, option), *path[len(above) :]]
                    assert (example := re.search("`(standstill .*)`", told := refusal(words))), words
                    assert accepts(example[1], name) and told.startswith(f"{name} belongs after"), words
                    early += 1
            if isinstance(command, click.Group) or command.context_settings.get("ignore_unknown_options"):
                continue
            for name, option in options(outer).items():
                if name not in options(command):
                    words = [*path, *given(name, option)]
                    assert (example := re.search("`(standstill .*)`", told := refusal(words))), words
                    assert accepts(example[1], name) and told.startswith(f"{name} belongs before"), words
                    late += 1
    assert early > 300 and late > 50


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("games --tz UTC list", "--tz belongs after `list`: `standstill games list --tz ...`"),
        ("games --tz=UTC list", "--tz belongs after `list`: `standstill games list --tz ...`"),
        ("games list --store FILE", "--store belongs before `list`: `standstill games --store ... list`"),
        ("games account --store FILE list", "--store belongs before `account`: `standstill games --store ... account`"),
        ("clock --json table", "--json belongs after `table`: `standstill clock table --json`"),
        ("tables --json list", "--json belongs after a command of `standstill tables`: solve, stats"),
        ("games --nonsense list", "No such option '--nonsense'."),
        (
            "games claim x --yes",
            "No such option '--yes' of `standstill games claim`; edit, remove, banks, send, restore have it",
        ),
        ("standings x.pgn --yes", "No such option '--yes'."),
        ("games list --jsn", "No such option '--jsn'; did you mean --json?"),
        ("match --engin a", "No such option '--engin'; did you mean --engine?"),
        ("match --pat 3", "No such option '--pat'; did you mean --patience?"),
        ("match --z", "No such option '--z'."),
        ("anotate x.pgn", "No such command 'anotate'; did you mean annotate?"),
        ("Analyze x.pgn", "No such command 'Analyze'; did you mean analyse?"),
        ("games lst", "No such command 'lst'; did you mean list?"),
        ("variants shw", "No such command 'shw'; did you mean show?"),
        ("games dance", "No such command 'dance'."),
    ],
    ids=lambda text: text.split(":")[0].replace(" ", "-") if "--" in text else text,
)
def test_the_message_is_one_line(words: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2
    assert capsys.readouterr() == ("", f"standstill: {expected}\n")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("cmd=a name=A --engine cmd=b", 'in quotes, --engine "cmd=a name=A", found cmd=a name=A'),
        ("cmd=a --engine cmd=b name=B nodes=9", 'in quotes, --engine "cmd=b name=B nodes=9", found cmd=b name=B'),
        ("./a -x ./b --engine cmd=b", "Got unexpected extra argument (./b)"),
    ],
    ids=["first", "second", "not-of-an-engine"],
)
def test_the_words_of_an_engine_without_quotes_are_shown_with_them(
    capsys: pytest.CaptureFixture[str], given: str, said: str
) -> None:
    """Other match runners take them without quotes."""
    assert run(["match", "--engine", *given.replace("-x", "--no-comments").split(), "-o", "x.pgn"]) == 2
    assert capsys.readouterr().err.endswith(f"{said}\n")
