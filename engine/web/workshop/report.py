"""The common parts of the pages of `variants balance` and `variants values`: the game, its board and rules."""

from __future__ import annotations

from ...common.text import visible
from ...variants.definition import Definition
from ...variants.picture import board_svg, rules
from ..assets import rendered
from ..bundle import PageFile, policy_of, style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...variants.variant import Variant


def report_page(template: str, game: Variant, limit: str, **figures: object) -> str:
    """Return the page of ``template`` with the game's description in front of ``figures``.

    limit: the engine's limit for a move, in words.
    """
    styles = style("design", "workshop")
    defined = game if isinstance(game, Definition) else None
    return rendered(
        template,
        men="",
        file=PageFile(policy_of("", styles), styles, "", ""),
        about=visible(defined.description) if defined else "",
        board=board_svg(defined) if defined else "",
        rules=rules(defined) if defined else [],
        is_defined=defined is not None,
        limit=limit,
        **figures,
    )
