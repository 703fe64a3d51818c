"""What is installed with the command: manual page, shell completion, `python -m`, and advice on missing packages."""

from __future__ import annotations

import os
import re
import runpy
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from standstill.engine.common.install import EXTRAS, install_command
from standstill.protocol.cli.group import group
from standstill.protocol.cli.man import PAGE, page
from tests.posix import WINDOWS, pty
from tests.uci.client import PATIENCE_S, clean_environment
from tests.variants.files import block, written
from tools.building.requirements import EXTRAS as DECLARED

ROOT = Path(__file__).resolve().parents[2]


def asked(executable: Path, arguments: list[str] = [], **environment: str) -> subprocess.CompletedProcess:  # noqa: B006
    return subprocess.run(
        [executable, *arguments], env=clean_environment() | environment, capture_output=True, text=True, check=False
    )


# ---- the manual page ----


def test_the_manual_page_is_up_to_date() -> None:
    """Fails until `make docs` is run after a change of a help text."""
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page()


@pytest.fixture(scope="module")
def manual() -> str:
    man = shutil.which("man") or pytest.skip("man is not installed")
    environment = clean_environment() | {"LC_ALL": "C.UTF-8", "MANWIDTH": "200"}
    done = subprocess.run(
        [man, "--warnings", "-l", ROOT / PAGE], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return re.sub(".\b", "", done.stdout)


def test_the_manual_page_has_every_command_and_option(manual: str) -> None:
    """The rendered page names every command that click knows."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        section = re.search(rf"^ +standstill {name} .*?(?=^ {{1,4}}standstill (?!{name})|^\S)", manual, re.M | re.S)
        assert section is not None, name
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.opts[0] in section[0], (name, parameter.opts)


# ---- completion ----


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_one(executable: Path, shell: str) -> None:
    done = asked(executable, ["completion", shell])
    assert (done.returncode, done.stderr) == (0, "")
    assert f"_STANDSTILL_COMPLETE={shell}_complete" in done.stdout
    assert shell != "fish" or '(string split -m 1 "," $completion)' in done.stdout  # commas in help texts
    if found := shutil.which(shell):
        read = subprocess.run([found, "-n"], input=done.stdout, capture_output=True, text=True, check=False)
        assert (read.returncode, read.stderr) == (0, "")


def test_bash_completes_commands_and_options(executable: Path, tmp_path: Path) -> None:
    """The completion script runs in a real bash that finds `standstill` on its path."""
    bash = shutil.which("bash") or pytest.skip("bash is not installed")
    (tmp_path / "standstill").symlink_to(executable)
    program = """
        eval "$(standstill completion bash)"
        for COMP_WORDS in "standstill sel" "standstill bench --th" "standstill games li"; do
            read -ra COMP_WORDS <<< "$COMP_WORDS"
            COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
            COMPREPLY=()
            _standstill_completion standstill
            echo "${COMPREPLY[@]}"
        done
    """
    environment = clean_environment() | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([bash, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["selfplay", "--threads", "list"], "")


SHELLS = {
    "bash": ["--norc", "--noprofile", "-i"],
    "zsh": ["-f", "-i"],
    "fish": ["--private", "-i"],
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("tag ga", "tag game one.pgn"),
        ("annotate -o ga", "annotate -o game one.pgn"),
        ("tables --path fol", "tables --path folder"),
        ("match --openings ope", "match --openings openings.epd"),
        ("tag --fifty=rec", "tag --fifty=record"),
        ("tag --fifty rec", "tag --fifty record"),
        ("my", "my.ini"),
        ("perft 2 --variant kni", "perft 2 --variant knightmate"),
        ("perft 2 --variant=kni", "perft 2 --variant=knightmate"),
        ("perft 2 --file mine.ini --variant woodl", "perft 2 --file mine.ini --variant woodland"),
        ("perft 2 --file my.ini --variant kni", "perft 2 --file my.ini --variant knightmate"),  # an empty file
        ("variants show gothi", "variants show gothic"),
        ("standings --order points,black", "standings --order points,blackwins"),
        ("analyse x --option rmobilityt", "analyse x --option RMobilityTablePath="),
        ("analyse x --option RMobility=P", "analyse x --option RMobility=Points"),
        ("analyse x --option morec", "analyse x --option MoreColumns="),
        ('match --engine "cmd=standstill option.RMobility=P', "match --engine cmd=standstill option.RMobility=Points"),
        ('match --engine "cmd=other proto=x', "match --engine cmd=other proto=xboard"),
        ("annotate --engine other --option ga", "annotate --engine other --option game one.pgn"),
    ],
)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_files_and_values(
    executable: Path, tmp_path: Path, shell: str, typed: str, meant: str
) -> None:
    """Complete in the shell itself, on a terminal: the script replaces the shell's completion of file names."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    for name in ("game one.pgn", "openings.epd", "my.ini"):
        (tmp_path / name).touch()
    written(tmp_path, block("Game: woodland")).rename(tmp_path / "mine.ini")
    for name in ("folder", "home", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "bin" / "standstill").symlink_to(executable)
    found = clean_environment() | {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path / "home"),
        "TERM": "dumb",
        "PS1": "$ ",
        "LC_ALL": "C.UTF-8",
    }
    begin = {
        "bash": 'eval "$(standstill completion bash)"',
        "zsh": "autoload -U compinit; compinit -u; unsetopt zle_bracketed_paste; source <(standstill completion zsh)",
        "fish": "standstill completion fish | source",
    }[shell]
    person, terminal = pty.openpty()
    process = subprocess.Popen(
        ["setsid", "--ctty", program, *SHELLS[shell]],  # fish needs a controlling terminal
        cwd=tmp_path,
        env=found,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    try:
        # What a shell displays differs, so the test checks the words that the shell passes to a command.
        os.write(person, f"{begin}; echo >ready\n".encode())
        wait_for(tmp_path / "ready", person)
        os.write(person, f"standstill {typed}\t".encode())
        time.sleep(1)
        os.write(person, b"\x01printf '<%s>' \x05 >done; echo >ended\n")
        wait_for(tmp_path / "ended", person)
    finally:
        process.kill()
        process.wait()
        os.close(person)
    words = re.findall("<([^>]*)>", (tmp_path / "done").read_text(encoding="utf-8"))
    assert " ".join(words).rstrip("/") == f"standstill {meant}"  # zsh removes the slash when the line is entered


def wait_for(path: Path, terminal: int) -> None:
    """Read the terminal until the file exists; fail with what was read."""
    deadline = time.monotonic() + PATIENCE_S
    told = b""
    while not path.exists():
        if select.select([terminal], [], [], 0.05)[0]:
            told += os.read(terminal, 1 << 16)
        assert time.monotonic() < deadline, told


def test_a_question_that_no_script_asks_is_refused(executable: Path) -> None:
    done = asked(executable, _STANDSTILL_COMPLETE="tcsh_complete")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("standstill: expected _STANDSTILL_COMPLETE")


# ---- python -m, messages ----


def test_python_m_is_the_command(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["standstill", "--version"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("standstill", run_name="__main__")
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("Standstill ")


def test_the_extras_are_those_of_the_package() -> None:
    """The package lists requirements with versions; the messages need only the names."""
    assert {name: tuple(found.split(">=")[0] for found in packages) for name, packages in DECLARED.items()} == EXTRAS


@pytest.mark.skipif(WINDOWS, reason="clones are built on Linux and macOS")
def test_a_clone_names_its_own_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run_from(root: Path) -> None:
        place = root / "engine" / "words" / "install.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        monkeypatch.setitem(install_command.__globals__, "__file__", str(place))

    clone = tmp_path / "my clone"
    (clone / ".venv/bin").mkdir(parents=True)
    (clone / ".venv/bin/pip").touch()
    (clone / "setup.py").touch()
    run_from(clone)
    assert install_command("calendar") == f"'{clone}/.venv/bin/pip' install icalendar"
    run_from(tmp_path / "site-packages" / "standstill")
    assert install_command("calendar") == 'pip install "standstill-chess[calendar]"'
    assert install_command("chess") == "pip install chess"
    monkeypatch.setattr("importlib.machinery.PathFinder.find_spec", lambda name: None)
    assert install_command("chess") == "pip install chess (in another Python: this one has no pip)"


def test_the_search_for_pip_leaves_setuptools_importable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The import hook of setuptools 84 replaces distutils when pip is looked up."""

    class Hook:
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            assert name not in {"pip", "ensurepip"}

    monkeypatch.setitem(install_command.__globals__, "__file__", str(tmp_path / "engine/common/install.py"))
    monkeypatch.setattr(sys, "meta_path", [Hook(), *sys.meta_path])
    assert install_command("chess").startswith("pip install chess")


def test_nothing_tells_to_install_the_package_of_a_stranger() -> None:
    """On PyPI, `standstill` is an unrelated project."""
    folders = ("engine", "protocol", "docs")
    files = [ROOT / "README.md", *(path for folder in folders for path in (ROOT / folder).rglob("*.[pm][yd]"))]
    assert len(files) > 100
    assert not [path for path in files if re.search(r"pip install ['\"]?standstill(?!-chess)", path.read_text("utf-8"))]
