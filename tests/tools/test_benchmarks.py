"""The page of benchmarks: how it is written, and whether other pages quote the figures of the last run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tools.measure.beside import benchmarks, peers
from tools.measure.beside.report import Figure, Gap, Row, Section, as_json

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "benchmarks" / "figures.json"
# In the text of a page: 3.38 <!-- figure: perft, start position 6, bulk-counted -->
NAMED = re.compile(r"(\d[\d.]*) <!-- figure: (\w+), (.+?) -->")


def run_of(*lines: Row | Gap) -> dict[str, Any]:
    section = as_json(Section("work", "games | tables", "counted", list(lines)))
    return {"sections": [section | {"machine": {"cores": "2", "commit": "abc"}}]}


FAST = Row("a | b", "1/s", Figure.of([20, 40, 30]), "peer", Figure.of([10, 10, 10]), paired=True)
SLOW = Row("c", "s", Figure.of([1]), "peer", Figure.of([4]))
ALONE = Row("d", "s", Figure.of([0.5]))


def test_a_run_becomes_a_page_figures_and_a_plot(tmp_path: Path) -> None:
    run = run_of(FAST, SLOW, ALONE, Gap("e", "no such program"))
    benchmarks.write(run, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["figures.json", "index.md", "work.svg"]
    assert json.loads((tmp_path / "new/figures.json").read_text()) == run
    lines = (tmp_path / "new/index.md").read_text().splitlines()
    assert "| a / b | 1/s | 30 (20 to 40) | peer | 10 (10 to 10) | 3.00 |" in lines
    assert "| d | s | 0.5 |  |  |  |" in lines
    assert "Not measured: e (no such program)." in lines
    assert len({line.count("|") for line in lines if line.startswith("| ") and "cores" not in line} - {3}) == 1


def test_the_plot_has_a_bar_for_each_ratio_on_its_side_of_the_peer() -> None:
    drawing = ElementTree.fromstring(benchmarks.plot(run_of(FAST, SLOW, ALONE)["sections"][0]))
    bars = drawing.findall("{http://www.w3.org/2000/svg}rect")
    (fast, slow) = [(float(bar.get("x")), float(bar.get("width"))) for bar in bars]
    assert slow[0] + slow[1] == pytest.approx(fast[0], abs=0.2)  # both bars meet at the peer's value
    assert fast[0] + fast[1] <= benchmarks.WIDTH - benchmarks.RIGHT + 0.2
    assert benchmarks.plot(run_of(ALONE)["sections"][0]) == ""


@pytest.mark.parametrize("arguments", [["nothing"], ["--repeats", "0"], ["--repeats", "x"]])
def test_bad_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        benchmarks.main(arguments)
    assert end.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_sections_of_several_runs_say_when_they_were_measured() -> None:
    old = run_of(FAST)
    newer = as_json(Section("start", "waiting", "by the clock", [ALONE]))
    run = benchmarks.with_section(old, newer | {"machine": {"cores": "2", "commit": "def"}})
    assert [section["name"] for section in run["sections"]] == ["start", "work"]
    lines = benchmarks.page(run).splitlines()
    assert "| cores | 2 |" in lines
    assert [line for line in lines if line.startswith("Measured")] == ["Measured: commit def.", "Measured: commit abc."]
    assert benchmarks.with_section(run, old["sections"][0]) == run


def test_a_section_that_breaks_off_leaves_its_last_figures_and_the_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_repeats: int) -> Section:
        raise ValueError("wrong count")

    monkeypatch.setitem(peers.SECTIONS, "work", fails)
    monkeypatch.setitem(peers.SECTIONS, "start", lambda _: Section("start", "waiting", "by the clock", [ALONE]))
    benchmarks.write(run_of(FAST), tmp_path)
    assert benchmarks.main(["work", "start", "--out", str(tmp_path)]) == 2
    assert "work: ValueError: wrong count" in capsys.readouterr().err
    run = benchmarks.last_run(tmp_path)
    assert [section["name"] for section in run["sections"]] == ["start", "work"]
    assert run["sections"][1] == run_of(FAST)["sections"][0]
    assert not list(tmp_path.glob(".*"))


def test_a_section_is_written_as_soon_as_it_is_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(_repeats: int) -> Section:
        assert (tmp_path / "index.md").exists()
        raise KeyboardInterrupt

    monkeypatch.setitem(peers.SECTIONS, "start", lambda _: Section("start", "waiting", "by the clock", [ALONE]))
    monkeypatch.setitem(peers.SECTIONS, "work", ends)
    with pytest.raises(KeyboardInterrupt):
        benchmarks.main(["start", "work", "--out", str(tmp_path)])
    assert [section["name"] for section in benchmarks.last_run(tmp_path)["sections"]] == ["start"]


@pytest.mark.slow
def test_a_quick_run_measures(tmp_path: Path) -> None:
    assert benchmarks.main(["--quick", "--out", str(tmp_path)]) == 0
    (section,) = json.loads((tmp_path / "figures.json").read_text())["sections"]
    assert len(section["rows"]) == 4
    assert all(row["ours"] > 0 for row in section["rows"])


def named() -> list[tuple[str, str, str, str]]:
    pages = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
    return [(page.name, *found) for page in pages for found in NAMED.findall(page.read_text(encoding="utf-8"))]


def test_the_page_is_that_of_the_figures() -> None:
    run = json.loads(FIGURES.read_text(encoding="utf-8"))
    assert (FIGURES.parent / "index.md").read_text(encoding="utf-8") == benchmarks.page(run)
    for section in run["sections"]:
        drawing = benchmarks.plot(section)
        assert not drawing or (FIGURES.parent / f"{section['name']}.svg").read_text(encoding="utf-8") == drawing


@pytest.mark.parametrize(("page", "text", "section", "what"), named())
def test_a_figure_that_a_page_names_is_that_of_the_last_run(page: str, text: str, section: str, what: str) -> None:
    """The figure is a ratio, or our own value without a peer, rounded like the text."""
    run = json.loads(FIGURES.read_text(encoding="utf-8"))
    (rows,) = (one["rows"] for one in run["sections"] if one["name"] == section)
    (row,) = (row for row in rows if row["what"] == what)
    value = row["ours"] if row["ratio"] is None else row["ratio"]
    digits = len(text.partition(".")[2])
    assert f"{value:.{digits}f}" == text, page
