"""Analyses in JSON for the page Desk: the tree of a game, and the queue of all games."""

from __future__ import annotations

from ...correspondence.analysis import Place, line_text, white_score_text
from ...correspondence.desk import Desk
from ...correspondence.game import CorrespondenceGame
from ...correspondence.listing import listing
from ...correspondence.long_analysis.report import current, report, running, silence_ms
from ...correspondence.long_analysis.sitting import PAUSE, last_hour
from ...correspondence.long_analysis.tree import Tree, tree_of
from ...correspondence.remarks.written import TAG
from ...correspondence.store import DAMAGE
from .views import line_positions

MOST_NODES = 400  # maximum number of nodes of a tree that are sent to a page


def tree_view(desk: Desk, game: CorrespondenceGame) -> dict[str, object] | None:
    """Return the tree of a game, parents first and better moves first; None for a game without an analysis."""
    tree = tree_of(desk, game)
    if tree.is_empty:
        return None
    following = () if game.over else tree.next().moves
    nodes: list[dict[str, object]] = []
    best = tree.line()
    for node in tree.nodes():
        if len(nodes) >= MOST_NODES:
            break
        level = len(node.moves)
        stm = game.board.stm ^ (level % 2)
        line = line_positions(game, len(game.moves), list(node.moves))
        nodes.append(
            {
                "move": line[-1]["text"] if line else "now",
                "score": "" if node.value is None else white_score_text(node.value, stm),
                "own": "" if node.own is None else white_score_text(node.own.score, stm),
                "depth": node.lines[0].depth if node.lines else 0,
                "best": node.moves == best[:level],
                "next": bool(following) and node.moves == following[:-1],
                "level": level,
                "ply": len(game.moves),
                "engine": node.engine,
                "line": line or None,
                "moves": " ".join(node.moves),
            }
        )
    return {"nodes": nodes, "score": nodes[0]["score"], "best": _line(game, tree)}


def _line(game: CorrespondenceGame, tree: Tree) -> str:
    return line_text(game, Place(len(game.moves)), tree.line())


def queue_view(desk: Desk, now: int) -> dict[str, object]:
    """Return every running game that may be analysed, with its value, the current analysis and the last report."""
    games = []
    for entry in listing(desk.store, now, on_damage=desk.warn):
        if entry.no_engines:
            continue
        row = desk.store.row(
            "SELECT COUNT(DISTINCT nodes.id) AS nodes, MAX(at_ms) AS at_ms FROM games JOIN nodes ON game_id = games.id"
            " JOIN runs ON node_id = nodes.id JOIN findings ON run_id = runs.id WHERE name = ?",
            entry.name,
        )
        view: dict[str, object] = {"name": entry.name, "opponent": entry.opponent, "mine": entry.own_turn}
        if row is not None and row["nodes"]:
            try:
                view |= _analysed(desk, entry.name) | {"nodes": row["nodes"], "at": row["at_ms"]}
            except DAMAGE as error:
                desk.warn(str(error))
        games.append(view)
    row = current(desk)
    latest = desk.store.row("SELECT id, started_ms FROM sittings ORDER BY id DESC LIMIT 1")
    return {
        "now": now,
        "running": running(desk),
        "paused": row is not None and row["wish"] == PAUSE,
        "silence": 0 if row is None else silence_ms(row),
        "games": games,
        "tags": sorted({each["text"] for each in desk.store.rows("SELECT text FROM remarks WHERE kind = ?", TAG)}),
        "reported": None if latest is None else latest["started_ms"],
        "report": [] if latest is None else [change.text() for change in report(desk, latest["id"])],
    }


def _analysed(desk: Desk, name: str) -> dict[str, object]:
    game = desk.load(name)
    tree = tree_of(desk, game)
    if tree.root.value is None:
        return {}
    changed = last_hour(desk, game, tree)
    return {
        "score": white_score_text(tree.root.value, game.board.stm),
        "line": _line(game, tree),
        "changed": "" if changed is None else f"changed by {changed / 100:.2f} in its last hour",
    }
