"""Writes the relevance model as a web page, which computes symbols from two evaluations and x05 as the user types."""

from __future__ import annotations

import json
from pathlib import Path

import jinja2

from ..relevance import nags
from ..relevance.model import DEFAULT_X05, MOVE_SCHEMES, POSITION_SCHEMES, check_x05
from .charts import NAG_DEFS, nag_markup

_FOLDER = Path(__file__).parent / "templates"
_CORRECT, _FAULTY = 0.62, -0.30  # initial values


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
        positions=[{"number": nag, "markup": nag_markup(nag)} for nag in nags.POSITION_ORDER],
        moves=[{"number": nag, "markup": nags.text(nag)} for nag in nags.MOVE_ORDER],
        position_schemes=list(POSITION_SCHEMES),
        move_schemes=list(MOVE_SCHEMES),
        schemes=json.dumps(schemes),
        nag_defs=NAG_DEFS,
        css=(_FOLDER / "form.css").read_text("utf-8"),
        script=(_FOLDER / "form.js").read_text("utf-8"),
    )
