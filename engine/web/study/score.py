"""A game in JSON for the page Study: tree, meaning of the evaluations, key moments and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isinf

from ...annotate.attribution import PLAYERS, of_comments
from ...annotate.evaluations import Evaluation, plain
from ...annotate.run import Annotated
from ...annotate.source import SourceGame
from ...annotate.summary import players_of
from ...annotate.verdicts import JudgedPosition, Style, Verdict, positions_of_comments, verdicts
from ...common.errors import PgnError
from ...common.goal import goal_text
from ...common.text import visible
from ...relevance import nags, trainer
from ...relevance.model import DEFAULT_POSITION_SCHEME, position_nag, result
from ..bands import bands
from ..positions import game_of
from .tree import Node, Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .whole_game import Evaluated

MOST_MOMENTS = 6
LEAST_LOSS = 0.1  # minimum loss of a key moment, in games: the share of the expected result that a move lost
_SHOWN = ("White", "Black", "Result", "Event", "Site", "Date", "Round", "WhiteElo", "BlackElo", "ECO", "Opening")


@dataclass(frozen=True, slots=True)
class Judging:
    """The parameters that turn evaluations into symbols. x05: None for the x05 of the evaluations' source."""

    x05: float | None = None
    position_scheme: str = DEFAULT_POSITION_SCHEME
    move_scheme: str = trainer.NAME


DEFAULT = Judging()


def study(
    number: int,
    raw: bytes,
    judging: Judging = DEFAULT,
    path: list[str] | None = None,
    known: Callable[[SourceGame], Evaluated | None] = lambda source: None,
) -> dict[str, object]:
    """Return a game for the page. path: the moves to the node to show (``at``). Raises PgnError for an unreadable game.

    known: a function that returns the findings about the game that take the place of the file's evaluations.
    """
    source = source_of(number, raw)
    movetext = source.movetext
    tree = Tree(source)
    tags = {name: visible(movetext.tags[name]) for name in _SHOWN if movetext.tags.get(name, "?").strip("?.-")}
    return {
        "number": number,
        "game": game_of(source.kind, source.kind.name),
        "chess960": movetext.tags.get("Variant", "").lower().startswith(("chess960", "fischer")),
        "tags": tags,
        "result": movetext.result,
        "text": source.text,
        "at": tree.find(path or []),
        "nodes": [node.view() for node in tree.nodes],
        "goals": _goals(source),
        **judgement(source, tree.nodes, judging, known(source)),
    }


def source_of(number: int, raw: bytes) -> SourceGame:
    """Read a game. Raises PgnError for an unreadable game."""
    source = SourceGame(number, raw)
    if source.fault is not None:
        raise PgnError(f"game {number} cannot be read: {source.fault}")
    return source


def judgement(
    source: SourceGame, nodes: list[Node], judging: Judging, known: Evaluated | None = None
) -> dict[str, object]:
    """Return the judgement of a game by the file's evaluations, or by the findings ``known`` in their place."""
    movetext = source.movetext
    if known is None:
        judge, positions = of_comments(movetext, judging.x05), positions_of_comments(movetext)
    else:
        judge, positions = known.attribution(judging.x05), known.positions
    style = Style(
        x05=judge.white.x05,
        x05_black=judge.black.x05,
        position_scheme=judging.position_scheme,
        move_scheme=judging.move_scheme,
    )
    found = verdicts(movetext, positions, style)
    is_judged = any(verdict.evaluation is not None for verdict in found)
    annotated = Annotated(source, "", judge, found, [])
    white, black = (visible(movetext.tags.get(side, "?")) for side in ("White", "Black"))
    return {
        "judge": f"{judge.text()} ({judge.reason()})" if is_judged else "",
        "x05": judge.white.x05,
        "x05s": [judge.white.x05, judge.black.x05],
        "judges": [white.strip("?.-") or "White", black.strip("?.-") or "Black"] if judge.who == PLAYERS else [],
        "bands": bands(judging.position_scheme),
        "schemes": {"positions": judging.position_scheme, "moves": judging.move_scheme},
        "judged": [_first(positions[0], style), *map(_judged, found)],
        "moments": _moments(source, nodes, found, [] if known is None else positions),
        "players": _players(annotated) if any(verdict.loss is not None for verdict in found) else [],
        **({} if known is None else {"evaluated": known.view()}),
    }


def _first(position: JudgedPosition, style: Style) -> dict[str, object] | None:
    return None if position.best is None else _evaluation(position.best, style)


def _evaluation(evaluation: Evaluation, style: Style) -> dict[str, object]:
    x05 = style.x05
    nag = position_nag(evaluation.pawns, x05, style.position_scheme or DEFAULT_POSITION_SCHEME)
    return {
        **_words(evaluation),
        "result": result(evaluation.pawns, x05),
        "symbol": nags.text(nag),
        "meaning": nags.meaning(nag),
    }


def _words(evaluation: Evaluation) -> dict[str, object]:
    """Return the evaluation as text, and its pawns if the text has fewer decimals."""
    if isinf(evaluation.pawns):
        return {"text": evaluation.text()}
    exact = {"pawns": evaluation.pawns} if round(evaluation.pawns, 2) != evaluation.pawns else {}
    return {"text": plain(evaluation.pawns), **exact}


def _judged(verdict: Verdict) -> dict[str, object] | None:
    """Return the evaluation after a move. ``sign`` is this program's symbol for the move. ``loss``: in games."""
    if verdict.evaluation is None or verdict.expected is None:
        return None
    return {
        **_words(verdict.evaluation),
        "result": verdict.expected,
        "symbol": nags.text(verdict.position_nag),
        "meaning": nags.meaning(verdict.position_nag),
        "sign": nags.text(verdict.move_nag) if verdict.move_nag else "",
        "loss": verdict.loss,
        "before": verdict.expected_else,
    }


def _goals(source: SourceGame) -> list[dict[str, str]]:
    records = source.records()
    black_first = source.movetext.black_first
    return [
        {"goal": goal_text(code, (ply + 1 + black_first) % 2), "record": str(records[ply])}
        for ply, code in enumerate(source.codes)
    ]


def _moments(
    source: SourceGame, nodes: list[Node], found: list[Verdict], positions: list[JudgedPosition]
) -> list[dict[str, object]]:
    """Return the moves that lost the largest part of the expected result, in the order of the game.

    positions: evaluated positions, whose best lines are used if the file has no better line.
    """
    losses = [(verdict.loss or 0.0, index) for index, verdict in enumerate(found)]
    worst = sorted(sorted(losses, reverse=True)[:MOST_MOMENTS], key=lambda each: each[1])
    moments = []
    for loss, index in worst:
        verdict = found[index]
        if loss < LEAST_LOSS or verdict.expected is None or verdict.expected_else is None:
            continue
        better = next((node.san for node in nodes if node.parent == index and node.depth == 1), "")
        if not better and positions:
            better = next(iter(positions[index].line), "")
        moments.append(
            {
                "ply": index + 1,
                "move": source.movetext.place(index).replace(".", ". ", 1).replace(". ..", "... "),
                "sign": nags.text(verdict.move_nag) if verdict.move_nag else "",
                "better": better,
                "before": verdict.expected_else,
                "after": verdict.expected,
            }
        )
    return moments


def _players(annotated: Annotated) -> list[dict[str, object]]:
    """Return the figures of both players. kept: the share of the expected result that a move keeps on average."""
    return [
        {
            "name": visible(player.name),
            "moves": player.moves,
            "signs": {symbol: player.counts[symbol] for symbol in map(nags.text, nags.MOVE_ORDER)},
            "lost": player.loss,
            "kept": 1 - player.mean_loss,
        }
        for player in players_of(annotated)
    ]
