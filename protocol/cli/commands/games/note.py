"""`standstill games note`: comments, tags, lines and planned replies of a game."""

from __future__ import annotations

import json
import sys

import click

from standstill.engine.common.errors import GameError
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.remarks.kept import (
    board_after,
    drop,
    keep,
    line,
    planned_reply,
    remark_text,
    remarks_of,
    tag,
)
from standstill.engine.correspondence.remarks.written import COMMENT, LINE, PLAN, TAG, Remark, comment_text

from ..messages import tell
from . import json_option, open_desk


@click.command()
@click.argument("name")
@click.argument("text", required=False)
@click.option(
    "--ply",
    type=click.IntRange(0),
    help="Half-moves before the position, 0 for the game; default: the current position.",
)
@click.option("--line", "moves", metavar="MOVES", help="Keep a line; TEXT is its comment.")
@click.option("--reply", metavar="MOVES", help="Plan a reply: a move of your opponent, your answer, and so on.")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="Add a tag.")
@click.option("--untag", "untags", multiple=True, metavar="WORD", help="Remove a tag.")
@click.option("--remove", "removed", type=int, multiple=True, metavar="N", help="Remove the remark with this number.")
@json_option
@click.pass_obj
def note(  # noqa: PLR0917 (by name)
    path: str | None,
    name: str,
    text: str | None,
    ply: int | None,
    moves: str | None,
    reply: str | None,
    tags: tuple[str, ...],
    untags: tuple[str, ...],
    removed: tuple[int, ...],
    as_json: bool,
) -> None:
    """Keep comments, tags, lines and replies with a game.

    Without TEXT and options the command lists them. `export` writes the notes as comments and variations, and
    `import` keeps the comments of other programs. When your opponent plays into a planned reply, you are asked
    whether to enter it.
    """
    desk = open_desk(path)
    game = desk.load(name)
    if moves is not None and reply is not None:
        raise click.UsageError("expected one of --line and --reply")
    at = len(game.moves) if ply is None else ply
    board_after(game, at)  # raises an error for a ply beyond the game
    new = [tag(word) for word in tags]
    if moves is not None or reply is not None:
        kind = LINE if moves is not None else PLAN
        new.append(line(game, at, moves or reply or "", text or "", kind))
    elif text is not None:
        if not comment_text(text):
            raise GameError("expected the text of a comment")
        new.append(Remark(COMMENT, at, comment_text(text)))
    old = [_tag_number(desk, game, word) for word in untags] + [*removed]
    with desk.store.transaction():
        for number in old:
            drop(desk, game.head.id, number)
        keep(desk, game.head.id, new)
    _list(desk, game, as_json)


def _tag_number(desk: Desk, game: CorrespondenceGame, word: str) -> int:
    for remark in remarks_of(desk, game.head.id):
        if (remark.kind, remark.text) == (TAG, word):
            return remark.id
    raise GameError(f"{game.head.name} has no tag {word}")


def _list(desk: Desk, game: CorrespondenceGame, as_json: bool) -> None:
    remarks = remarks_of(desk, game.head.id)
    if as_json:
        fields = ("id", "kind", "ply", "text", "comment")
        click.echo(json.dumps([{field: getattr(remark, field) for field in fields} for remark in remarks]))
        return
    for remark in remarks:
        click.echo(f"{remark.id:4}  {remark_text(game, remark)}")
    if not remarks:
        click.echo(f"no remarks on {game.head.name}")


def note_lines(desk: Desk, game: CorrespondenceGame) -> list[str]:
    """The remarks for `show`."""
    return [f"  {remark_text(game, remark)}" for remark in remarks_of(desk, game.head.id)]


def offer_reply(desk: Desk, game: CorrespondenceGame) -> CorrespondenceGame | None:
    """Ask whether to enter the planned reply; return the game with it, None without one or if the user declines."""
    reply = planned_reply(desk, game)
    if reply is None:
        return None
    if sys.stdin is None or not sys.stdin.isatty():
        tell(f"{game.head.name}: planned reply {reply}: `games move {game.head.name} {reply}`")
        return None
    if not click.confirm(f"planned reply {reply}: enter it now?"):
        return None
    return desk.move(game.head.name, reply, When(), "own", after=game.moves)


COMMANDS = {"note": note}
