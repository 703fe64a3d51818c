"""Pages, scripts and styles, read once at the start: the server never opens a file that a request names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .bands import move_schemes, position_schemes

_HERE = Path(__file__).parent
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# The pages in the order of the header: path, name, and the one-line description of the document.
PAGES = (
    ("/play", "Play", "Play the engine"),
    ("/study", "Study", "Read and analyse games"),
    ("/puzzles", "Puzzles", "Puzzles from your games"),
    ("/desk", "Desk", "Correspondence games"),
    ("/tables", "Tables", "What R-Mobility tables prove"),
    ("/workshop", "Workshop", "Make a game of your own"),
)
LIVE = ("/live", "Live", "Follow a running game")  # only while a game is followed
_OVERLAY = "/overlay"


class Assets:
    """The files served without a token. They are the same for every user and contain no game."""

    def __init__(self, live: bool = False) -> None:
        """live: whether the server follows a game."""
        self._live = live
        self._found: dict[str, tuple[str, str]] = {}
        for file in sorted((_HERE / "static").iterdir()):
            self._found[f"/static/{file.name}"] = _TYPES[file.suffix], file.read_text("utf-8")

    def find(self, path: str) -> tuple[str, str] | None:
        """Return (media type, text) of a path; None for an unknown path."""
        pages = _pages(self._live)
        page = PAGES[0][0] if path == "/" else path
        return ("text/html", pages[page]) if page in pages else self._found.get(path)

    def prepare(self) -> None:
        """Render the pages now, so that the first request need not wait for it."""
        _pages(self._live)


@cache
def _pages(live: bool) -> dict[str, str]:
    """Return the rendered pages by path."""
    pages = (*PAGES, LIVE) if live else PAGES
    found = {path: rendered(name.lower(), title=name, pages=pages, here=path) for path, name, about in pages}
    return {**found, _OVERLAY: rendered("overlay")} if live else found


def rendered(template: str, **values: object) -> str:
    """Return a page. values: of the template; ``men``, the drawings of the pieces, is added if it is missing.

    Rendered on the first request, because python-chess, which draws the pieces, loads slowly.
    """
    import jinja2

    if "men" not in values:
        from ..variants.drawing import men_defs

        values["men"] = men_defs()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals |= {"position_schemes": position_schemes(), "move_schemes": move_schemes()}
    return environment.get_template(f"{template}.html.j2").render(**values)
