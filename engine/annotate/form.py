"""Writes the relevance model as a web page, which computes symbols from two evaluations and x05 as the user types."""

from __future__ import annotations

import json
from pathlib import Path

import jinja2

from ..relevance import nags
from ..relevance.model import DEFAULT_X05, MOVE_SCHEMES, POSITION_SCHEMES, check_x05

_FOLDER = Path(__file__).parent / "templates"
_CORRECT, _FAULTY = 0.62, -0.30  # initial values

# Few fonts have the symbols for a slight advantage, so they are drawn: a plus above or below an equals sign.
_NAG_DEFS = (
    '<symbol id="nag14" viewBox="0 0 10 12"><title>\u2a72</title>'
    '<path class="drawn" d="M5 .5v5M2.5 3h5M1 8h8M1 11h8"/></symbol>'
    '<symbol id="nag15" viewBox="0 0 10 12"><title>\u2a71</title>'
    '<path class="drawn" d="M5 6.5v5M2.5 9h5M1 1h8M1 4h8"/></symbol>'
)
_DRAWN = (14, 15)


def page(x05: float = DEFAULT_X05) -> str:
    """Return the whole page. x05: the initial value in pawns."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    schemes = {
        "positions": {scheme: [over / under for over, under in edges] for scheme, edges in POSITION_SCHEMES.items()},
        "moves": {scheme: [over / under for over, under in factors] for scheme, factors in MOVE_SCHEMES.items()},
    }
    return environment.get_template("form.html.j2").render(
        x05=f"{check_x05(x05):.10g}",
        correct=f"{_CORRECT:.2f}",
        faulty=f"{_FAULTY:.2f}",
        positions=[{"number": nag, "markup": _nag_markup(nag)} for nag in nags.POSITION_ORDER],
        moves=[{"number": nag, "markup": nags.text(nag)} for nag in nags.MOVE_ORDER],
        position_schemes=list(POSITION_SCHEMES),
        move_schemes=list(MOVE_SCHEMES),
        schemes=json.dumps(schemes),
        nag_defs=_NAG_DEFS,
        css=(_FOLDER / "form.css").read_text("utf-8"),
        script=(_FOLDER / "form.js").read_text("utf-8"),
    )


def _nag_markup(nag: int) -> str:
    """Return the markup of a symbol, for a page that contains ``_NAG_DEFS``.

    Few fonts have ⩲ and ⩱, so they are drawn. Invisible text beside the drawing serves captions and copied text;
    screen readers read the meaning.
    """
    if nag not in _DRAWN:
        return nags.text(nag)
    return (
        f'<b role="img" aria-label="{nags.meaning(nag)}"><svg class="nag"><use href="#nag{nag}"/></svg>'
        f"<i>{nags.text(nag)}</i></b>"
    )
