"""MkDocs hooks of this repository: they add the pages outside docs/, repoint links, and generate the API reference."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import TYPE_CHECKING

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
ASSETS = (*sorted((Path(__file__).parent / "assets").iterdir()), ROOT / "engine/web/static/icon.svg")

# Files of the repository's top level that are pages of the site, and their names there.
ABOVE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "CHANGELOG.md": "changelog.md",
}
# For each heading of the reference, the API modules below it, and which names of each module to list. An empty tuple
# lists the module's __all__.
REFERENCE = {
    "Playing and analysing": {
        "playing": ("Engine",),
        "searching": ("Search", "Result", "Line"),
        "moves": ("VariantMove",),
    },
    "For asyncio": {"asynchronous": ("AsyncEngine", "AsyncSearch")},
    "Annotating": {"annotating": ("annotate",)},
    "R-Mobility": {"rmobility": ()},
    "Relevance": {"relevance": ()},
    "Clocks": {"clock": ()},
    "Variants": {"variants": ()},
}
OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")
LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s#:]+)((?:#[^)\s]*)?)\)")


def homes(module: str) -> dict[str, str]:
    """The module that holds the docstring of each name of an API module: itself, or the module it imports from."""
    tree = ast.parse((ROOT / f"engine/api/{module}.py").read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=str(source), names=names):
                found |= {name.asname or name.name: f"{source}.{name.name}" for name in names}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = f"standstill.{module}.{name}"
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                found["__all__"] = ast.literal_eval(value)
    return found


def reference() -> str:
    """The page of the API's docstrings, as directives of mkdocstrings."""
    lines = ["# Reference", "", "Docstrings of the stable names; [the guide](api.md) shows their use.", ""]
    for heading, modules in REFERENCE.items():
        lines += [f"## {heading}", ""]
        for module, names in modules.items():
            where = homes(module)
            prefix = "" if names else f"{module}."
            for name in names or where["__all__"]:
                lines += [f"::: {where[name]}", "    options:", f"      heading: {prefix}{name}", ""]
    lines += ["## Errors", "", "::: standstill.engine.common.errors", ""]
    return "\n".join(lines)


class Examples(Preprocessor):
    """Fences the examples in docstrings, whose prompts Markdown would take for quotations."""

    def run(self, lines: list[str]) -> list[str]:
        out: list[str] = []
        inside = fenced = False
        for line in lines:
            fenced ^= line.startswith("```") and not inside
            if inside != (not fenced and bool(line.strip()) and (inside or line.startswith(">>> "))):
                out.append("```" if inside else "```pycon")
                inside = not inside
            out.append(line)
        return [*out, "```"] if inside else out


class ExamplesExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(Examples(md), "examples", 40)  # before the preprocessor for fences (25)


def title(path: str) -> str:
    """The first heading of a Markdown file of the repository."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def repointed(text: str, source: str) -> str:
    """Return Markdown whose links, relative to ``source`` (a path in the repository), lead to pages of the site.

    A link that shows the name of a file shows the title of its page instead.
    """
    here = ABOVE.get(source, source.removeprefix("docs/"))

    def point(match: re.Match[str]) -> str:
        shown, link, anchor = match.groups()
        there = normpath(f"{dirname(source)}/{link}".lstrip("/"))
        page = ABOVE.get(there, there.removeprefix("docs/"))
        if shown.endswith(".md"):
            shown = title(there)
        return f"[{shown}]({relpath(page, dirname(here) or '.')}{anchor})"

    return LINK.sub(point, text)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.markdown_extensions.append(ExamplesExtension())
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, name in ABOVE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=repointed(text, source)))
    files.append(File.generated(config, "reference.md", content=reference()))
    for asset in ASSETS:
        files.append(File.generated(config, f"assets/{asset.name}", abs_src_path=str(asset)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.file.generated_by is not None:
        return markdown
    return repointed(markdown, f"docs/{page.file.src_uri}")


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fix two details of a page that GitHub handles itself.

    A bar inside code in a table is escaped for the table; Python-Markdown leaves the escape. Options in a line of text,
    such as ``--margin``, are kept in one piece; a browser would break the line after their hyphens.
    """
    html = re.sub(r"<td[^>]*>.*?</td>", lambda cell: cell[0].replace("\\|", "|"), html, flags=re.DOTALL)
    return re.sub(r"<code>[^<\n]*</code>", lambda code: OPTION.sub(r'<span class="option">\g<0></span>', code[0]), html)
