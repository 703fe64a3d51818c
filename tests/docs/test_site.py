"""The documentation site: it builds without a warning, every link works, and nothing is loaded from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
PHONE, DESK = 390, 1280  # pixels of width
PAPER = 718  # pixels of width of A4 with margins of 1 cm

pytestmark = pytest.mark.slow

# Attributes that make a browser load something, and a link that only a click follows.
LOADING = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
LOADING_RELATIONS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect"}


class Elements(HTMLParser):
    """Collects the names in a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.names |= {values[name] for name in ("id", "name") if name in values}
        for name in ("href", "src"):
            if name not in values:
                continue
            relations = set(values.get("rel", "").split())
            loads = (tag, name) in LOADING or (tag == "link" and relations & LOADING_RELATIONS)
            (self.loads if loads else self.links).append(values[name])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("the site is made of text, whichever build runs")
    if not os.environ.get("STANDSTILL_REQUIRE_CLIENTS"):
        pytest.importorskip("material")
        pytest.importorskip("mkdocstrings")
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    done = subprocess.run(
        [*command, "-f", ROOT / "tools/site/mkdocs.yml", "--site-dir", target],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return target


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Elements]:
    # 404.html is for a server with its own domain, so its links start from the root.
    found = sorted(path for path in site.rglob("*.html") if path.name != "404.html")
    return {path: Elements(path.read_text(encoding="utf-8")) for path in found}


def broken(page: Path, link: str, pages: dict[Path, Elements]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme not in ("https", "mailto")
    there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not there.is_file():
        return True
    name = unquote(parts.fragment)
    return bool(name) and there in pages and name not in pages[there].names


def test_every_page_is_there(pages: dict[Path, Elements], site: Path) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    above = {Path(name) for name in ("index.html", "contributing.html", "reporting.html", "changelog.html")}
    assert {path.relative_to(site) for path in pages} == sources | above | {Path("reference.html"), Path("search.html")}


def test_every_page_can_be_reached_by_the_navigation(pages: dict[Path, Elements], site: Path) -> None:
    start = site / "index.html"
    reached = {(start.parent / urlsplit(link).path).resolve() for link in pages[start].links if "://" not in link}
    assert {path for path in pages if path.name != "search.html"} <= reached | {start}


def test_no_link_is_broken(pages: dict[Path, Elements], site: Path) -> None:
    wrong = [
        f"{page.relative_to(site)}: {link}"
        for page, elements in pages.items()
        for link in elements.links + elements.loads
        if broken(page, link, pages)
    ]
    assert wrong == []


def test_a_broken_link_would_be_found(pages: dict[Path, Elements], site: Path) -> None:
    page = site / "index.html"
    assert not broken(page, "rmobility.html#goals", pages)
    assert broken(page, "rmobility.html#nowhere", pages)
    assert broken(page, "nowhere.html", pages)
    assert broken(page, "http://example.org/", pages)


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Elements]) -> None:
    assert [load for elements in pages.values() for load in elements.loads if "//" in load] == []


def test_the_reference_has_every_name_that_stays(pages: dict[Path, Elements], site: Path) -> None:
    import standstill
    from standstill import clock, relevance, rmobility, variants

    names = {name.rpartition(".")[2] for name in pages[site / "reference.html"].names}
    modules = (standstill, clock, relevance, rmobility, variants)
    stay = {name for module in modules for name in module.__all__} - {
        "__version__",
        *(each.__name__ for each in modules),
    }
    assert stay - {"clock", "relevance", "rmobility", "variants"} <= names


def test_the_reference_shows_parameters_results_errors_and_examples(site: Path) -> None:
    """Parameters and examples appear as tables and code, not as raw docstring fields."""
    text = (site / "reference.html").read_text(encoding="utf-8")
    assert ":param" not in text and ":raises" not in text and ":ivar" not in text
    for heading in ("Parameters", "Returns", "Raises", "Attributes"):
        assert text.count(f"{heading}:") > 5, heading
    assert "&gt;&gt;&gt; " in text and "<blockquote>" not in text


@pytest.fixture(scope="module")
def browser(client_program: Callable[[str], str]) -> Iterator:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=client_program("chromium"), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_no_page_is_wider_than_the_window(browser, pages: dict[Path, Elements], width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)
    for path in pages:
        page.goto(path.as_uri())
        # Elements that scroll by themselves, such as tables and code blocks, do not widen the page.
        if page.evaluate("document.documentElement.scrollWidth") > width:
            complaints.append(f"{path.name} is wider than {width}")
    shown = page.evaluate("document.body.dataset.mdColorScheme")
    page.close()
    assert (complaints, shown) == ([], {"light": "default", "dark": "slate"}[scheme])


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_no_option_is_broken_and_no_head_of_a_table_is_empty(browser, pages: dict[Path, Elements], width: int) -> None:
    """`--margin` was once split into `--` at the end of a line and `margin` on the next."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    options, found = 0, []
    for path in pages:
        page.goto(path.as_uri())
        pieces = "found => found.map(option => [option.textContent, option.getClientRects().length])"
        shown = page.eval_on_selector_all(".md-content .option", pieces)
        options += len(shown)
        found += [(path.name, option) for option, count in shown if count > 1]
        empty = "heads => heads.filter(head => !head.textContent.trim() && head.offsetHeight).length"
        if page.eval_on_selector_all(".md-content thead", empty):
            found.append((path.name, "an empty head"))
    page.close()
    assert found == [] and options > 100


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_no_name_in_a_table_is_broken(browser, pages: dict[Path, Elements], site: Path, width: int) -> None:
    """`VariantEvalFile` was once split into `VariantEv` and `alFile`."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((site / "options.html").as_uri())
    pieces = "found => found.map(name => [name.textContent, name.getClientRects().length])"
    shown = page.eval_on_selector_all(".md-content table code", pieces)
    page.close()
    names = [(name, count) for name, count in shown if " " not in name]
    assert [name for name, count in names if count > 1] == [] and len(names) > 50


def test_what_options_mean_is_in_sight(browser, site: Path) -> None:
    """The column used to be the last of seven, and out of sight on every screen."""
    page = browser.new_page(viewport={"width": DESK, "height": 800})
    page.goto((site / "options.html").as_uri())
    ends = "cells => cells.map(cell => cell.getBoundingClientRect().right)"
    shown = dict(zip(page.locator("th").all_inner_texts(), page.eval_on_selector_all("th", ends), strict=True))
    (end,) = page.eval_on_selector_all(".md-typeset__scrollwrap", ends)
    page.close()
    assert max(shown[name] for name in ("Option", "Meaning", "Default", "Kind")) <= end


def test_no_table_and_no_block_is_cut_on_paper(browser, pages: dict[Path, Elements]) -> None:
    page = browser.new_page(viewport={"width": PAPER, "height": 1000})
    page.emulate_media(media="print")
    cut = "parts => parts.filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.innerText)"
    found = []
    for path in pages:
        page.goto(path.as_uri())
        found += [(path.name, text) for text in page.eval_on_selector_all(".md-typeset__scrollwrap, pre > code", cut)]
    page.close()
    assert found == []


def test_the_rule_prints_on_one_sheet(browser, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / "rule.html").as_uri())
    sheets = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "1cm"))
    page.goto((site / "rmobility.html").as_uri())
    longer = page.pdf(format="A4")
    page.close()
    count, more = (len(re.findall(rb"/Type\s*/Page\b", printed)) for printed in (sheets, longer))
    assert count == 1 < more


@pytest.mark.parametrize(("asked", "where"), [("stalemate", "/rmobility"), ("--partial", "/archives")])
def test_search_works_from_the_file_system(browser, site: Path, asked: str, where: str) -> None:
    """Options are found too, although the search library reads a leading hyphen as an exclusion."""
    page = browser.new_page(viewport={"width": DESK, "height": 800})
    page.goto((site / "index.html").as_uri())
    page.click("input.md-search__input")
    page.keyboard.type(asked)
    page.wait_for_selector(".md-search-result__item a", timeout=60_000)
    found = page.eval_on_selector_all(".md-search-result__item a", "links => links.map(link => link.href)")
    page.close()
    assert any(where in link for link in found)
