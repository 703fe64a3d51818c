"""Draws the terminals of docs/correspondence.md: `make screenshots` writes docs/images/terminal-*.svg.

The script runs real commands on a temporary store. The commands read a clock that is set to a fixed day, because lists
show how many days are left.
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "docs" / "images"
NOW = "2026-11-22T01:40Z"
WIDTH = 100

COLOURS = {"FORCE_COLOR": "1", "TERM": "xterm", "COLORTERM": "truecolor"}

# Runs the command line as `standstill` does, with the clock at the instant in the first argument.
AT = """
import sys
from standstill.engine.clock import instants
now = instants.parse_instant(sys.argv[1])
instants.now_ms = lambda: now
from standstill.protocol.cli.group import run
sys.exit(run(sys.argv[2:]))
"""

STORY = """
games new WS-12 50/75/1 --white Nowak --black Smith --side white --start 2026-09-01 --event WS/12
games move WS-12 e4 --at 2026-09-01T18:00
games opponent WS-12 e5 --at 2026-09-12T07:30
games move WS-12 Nf3 --at 2026-09-13T20:00
games opponent WS-12 Nc6 --at 2026-10-05T09:00
games new WS-13 50/75/1 --white Rossi --black Nowak --side black --start 2026-10-10 --event WS/13
games move WS-13 d4 --any --at 2026-10-12T09:00
games new cup-4 50/50/5:p --white Nowak --black Dubois --side white --start 2026-09-20
games move cup-4 c4 --at 2026-09-21T08:00
games opponent cup-4 e5 --at 2026-10-02T08:00
games move cup-4 g3 --at 2026-10-04T19:00
games new friendly 10+3 --white Kim --black Nowak --side black --start 2026-11-10
games move friendly Nf3 --any --at 2026-11-15T12:00
games move friendly d5 --any --at 2026-11-16T21:00
games new postal 10/50 --white Nowak --black Silva --side white --start 2026-11-01
games move postal d4 --at 2026-11-04T10:00
games opponent postal d5 --at 2026-11-19T10:00
games new team-2 50/75/1 --white Okafor --black Nowak --side black --start 2026-07-01
games result team-2 1/2-1/2 --reason agreement
"""
ANALYSIS = "games analyse WS-12 --moves 'Bb5 d4' --depth 12"

PICTURES = {
    "games-list": ["games list --all"],
    "games-show": ["games show WS-12"],
    "clock-simulate": ["clock simulate 50/75/1 --think 6h,110d,7d*3", "clock advise 2.2/74.7/1 --move 3 --tz UTC"],
}

# Pieces of Black must look black on a board.
THEME = TerminalTheme(
    (30, 30, 30),
    (225, 225, 225),
    [
        *((0, 0, 0), (222, 72, 72), (88, 180, 96), (224, 192, 72)),
        *((88, 136, 224), (184, 104, 200), (72, 176, 192), (225, 225, 225)),
    ],
    [
        *((110, 110, 110), (240, 100, 100), (120, 210, 130), (240, 216, 110)),
        *((120, 170, 250), (214, 140, 230), (110, 210, 224), (255, 255, 255)),
    ],
)

# This frame replaces rich's own, which loads a font from the network.
FRAME = """\
<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: {char_height}px;
line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def standstill(command: str, store: Path) -> str:
    """Return the output of the command in colours."""
    keep = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    done = subprocess.run(
        [sys.executable, "-c", AT, NOW, *shlex.split(command)],
        cwd=ROOT,
        env=keep | COLOURS | {"TZ": "UTC", "STANDSTILL_STORE": str(store), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr.strip()}")
    return done.stdout


def picture(name: str, store: Path) -> str:
    """Return an SVG of the commands and their output."""
    nowhere = io.StringIO()
    console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
    for at, command in enumerate(PICTURES[name]):
        console.print(Text("\n" * (at > 0) + f"$ standstill {command}", style="bold green"))
        console.print(Text.from_ansi(standstill(command, store).rstrip("\n")))
    svg = console.export_svg(title="standstill", theme=THEME, code_format=FRAME, unique_id=name)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def tell(story: str, store: Path) -> None:
    for command in filter(None, story.splitlines()):
        standstill(command, store)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "games.sqlite")
        tell(STORY + ANALYSIS, store)
        for name in PICTURES:
            (OUT / f"terminal-{name}.svg").write_text(picture(name, store), encoding="utf-8")
        standstill(f"clock simulate D350 --think 10d*5,2d*20,9d*8 --svg {OUT / 'clock-simulate.svg'}", store)


if __name__ == "__main__":
    main()
