"""docs/security.md names every use of a network, a process or the environment; messages hide passwords of addresses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from standstill.engine.common import web_client
from standstill.engine.common.errors import ArgumentError
from standstill.protocol.cli.group import group as every_command
from tests.test_architecture import ROOT, module_name, python_imports, sources, syntax, text_of

PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")

# Interfaces to the outside, each with the only modules that use it.
ALLOWED = {
    "network": (
        ("socket", "http", "httpx", "urllib.request", "ssl", "socketserver", "ftplib", "smtplib", "uvicorn"),
        {
            *("engine.web.server", "engine.system.sockets", "engine.cluster.pool"),
            *("engine.correspondence.servers.xfcc", "engine.correspondence.planning.mail"),
            *("engine.common.web_client", "engine.live.web_source", "engine.tablebases.downloads"),
        },
    ),
    "processes": (
        ("subprocess", "multiprocessing", "concurrent.futures.ProcessPoolExecutor", "webbrowser", "pty"),
        {
            "engine.annotate.workers",
            "engine.cluster.pool",
            "engine.correspondence.planning.desktop",
            "engine.system.processes",
            "protocol.cli.commands.tag",
            "protocol.cli.commands.web",
        },
    ),
    # Only these modules let python-chess start processes; asyncio waits for them and ends requests.
    "engine programs": (
        ("chess.engine", "asyncio"),
        {
            *("engine.external.process", "engine.external.protocols", "engine.annotate.engines"),
            *("engine.match.fairy_clients", "engine.match.play", "engine.match.player"),
            "engine.correspondence.servers.xfcc",
            # The Python API accepts chess.engine.Limit and offers coroutines; it starts no program.
            *("engine.api.annotating", "engine.api.arguments", "engine.api.asynchronous"),
            *("engine.api.limits", "engine.api.playing"),
            # The web server waits for requests and searches; it starts no program.
            "engine.web.app",
            *("engine.web.channel", "engine.web.game", "engine.web.guard", "engine.web.server", "engine.web.thinking"),
            *("engine.web.study.routes", "engine.web.study.files", "engine.web.desk.routes", "engine.web.live.routes"),
            "engine.web.puzzles.routes",
            "engine.web.tables.routes",
            "engine.web.workshop.routes",
            "engine.web.workshop.trial",  # starts this program, as `variants balance`
            "engine.correspondence.long_analysis.analysts",  # starts the engine of `--engine` (external.process)
            "engine.web.study.foreign",  # starts the engines of the command line, by engine.external.process
        },
    ),
    # ctypes raises an exception in a thread that reads a table and must stop, and calls Windows functions.
    "foreign code": (
        ("pickle", "marshal", "shelve", "ctypes", "runpy", "code"),
        {"engine.play.advice", "engine.system.locks", "engine.system.processes"},
    ),
    "temporary files": (
        ("tempfile",),
        {
            *("engine.correspondence.store", "engine.tablebases.checkpoints", "engine.cluster.pool"),
            "protocol.cli.commands.relevance.fitting",
            *("protocol.cli.commands.annotate", "engine.system.files", "engine.web.server"),
            *("engine.web.workshop.trial", "engine.web.desk.copies"),
        },
    ),
}
FILES = [path for package in ("engine", "protocol", "cext") for path in sources(package, ".py")]


def imported(path: Path) -> set[str]:
    return set(python_imports(path, whole=True))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("what", ALLOWED)
def test_only_named_modules_reach_outside(what: str) -> None:
    names, allowed = ALLOWED[what]
    suspect = re.compile("|".join(name.rpartition(".")[2] for name in names))  # to parse few files
    using = {
        module_name(path)
        for path in FILES
        if suspect.search(text_of(path))
        and any(found == name or found.startswith(f"{name}.") for found in imported(path) for name in names)
    }
    assert using - allowed == set()


def variables(path: Path) -> set[str]:
    """The environment variables that a module reads."""
    return set(re.findall(r"environ(?:\.get\(|\[|\.pop\()\s*\"?(\w+)", text_of(path)))


def test_every_variable_of_the_environment_is_on_the_page() -> None:
    named: dict[str, str] = {}
    asked: set[str] = set()
    for path in FILES:
        asked |= variables(path)
    constant = re.compile(rf"\b(?:{'|'.join(asked)}) = ")  # to parse few files
    for path in FILES:
        for node in ast.walk(syntax(path)) if constant.search(text_of(path)) else ():
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                named |= {target.id: str(node.value.value) for target in node.targets if isinstance(target, ast.Name)}
    assert asked
    assert not [name for name in asked if f"`{named.get(name, name)}`" not in PAGE]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("call", ["eval", "exec", "os.system", "os.popen", "os.execv"])
def test_nothing_that_was_read_is_executed(call: str) -> None:
    calls = {
        f"{module_name(path)}:{node.lineno}"
        for path in FILES
        if call.rpartition(".")[2] in text_of(path)
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == call
    }
    assert not calls


def commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands and groups with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield (*before, name), found
        if isinstance(found, click.Group):
            yield from commands(found, (*before, name))


OPTIONS = {
    name: {text for parameter in found.params for text in parameter.opts} for name, found in commands(every_command)
}


def test_options_of_commands_that_the_page_names_exist() -> None:
    named = re.findall(r"`((?:[a-z]+ )+)(--[a-z-]+)", PAGE)
    assert len(named) >= 3
    for command, option in named:
        assert option in OPTIONS[tuple(command.split())], (command, option)


def test_the_page_names_every_command_that_starts_an_engine() -> None:
    (row,) = re.findall(r"^\| the engine programs that `--engine` names.*\| (.*) \|$", PAGE, re.MULTILINE)
    named = {tuple(command.split()) for command in re.findall("`(.*?)`", row)}
    assert named == {name for name, options in OPTIONS.items() if "--engine" in options}


@pytest.mark.parametrize("scheme", ["https://", "http://", "ftp://", "https:", "://"])
@pytest.mark.parametrize("rest", ["nowak:secret@example.org/x", ":secret@[::1", "nowak:secret@example.org:99999/x"])
def test_a_password_in_an_address_is_not_shown(scheme: str, rest: str) -> None:
    with pytest.raises(ArgumentError, match=r"^expected an address such as https://e\.org/x without a user name$"):
        web_client.check_address(scheme + rest, "https://e.org/x")
