"""Pages, scripts and styles, read once at the start: the server never opens a file that a request names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .bands import move_schemes, position_schemes

TYPE_CHECKING = False
if TYPE_CHECKING:
    import jinja2

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
LIVE = ("/live", "Live", "Follow a running game")  # this page exists only while a game is followed
_OVERLAY = "/overlay"


class Assets:
    """The files that are served without a token. These files are the same for every user and contain no game."""

    def __init__(self, live: bool = False) -> None:
        """live: whether the server follows a game."""
        self._live = live
        self._names = {path for path, *_ in PAGES} | ({LIVE[0], _OVERLAY} if live else set())
        self._found: dict[str, tuple[str, str]] = {}
        for file in sorted((_HERE / "static").iterdir()):
            self._found[f"/static/{file.name}"] = _TYPES[file.suffix], file.read_text("utf-8")

    def find(self, path: str) -> tuple[str, str] | None:
        """Return (media type, text) of a path; None for an unknown path."""
        page = PAGES[0][0] if path == "/" else path
        return ("text/html", _page(page, self._live)) if page in self._names else self._found.get(path)

    def prepare(self) -> None:
        """Render the pages now, so that no request need wait for it."""
        for path in self._names:
            _page(path, self._live)


@cache
def _page(path: str, live: bool) -> str:
    """Return a rendered page."""
    if path == _OVERLAY:
        return rendered("overlay")
    pages = (*PAGES, LIVE) if live else PAGES
    return rendered(path[1:], title=path[1:].title(), pages=pages, here=path)


def rendered(template: str, **values: object) -> str:
    """Return a page. values: of the template; ``men``, the drawings of the pieces, is added if it is missing.

    The page is rendered on the first request, because python-chess, which draws the pieces, loads slowly.
    """
    if "men" not in values:
        from ..variants.drawing import men_defs

        values["men"] = men_defs()
    return _environment().get_template(f"{template}.html.j2").render(**values)


@cache
def _environment() -> jinja2.Environment:
    """The templates, which are compiled once; all pages extend the same one."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals |= {"position_schemes": position_schemes(), "move_schemes": move_schemes()}
    return environment
