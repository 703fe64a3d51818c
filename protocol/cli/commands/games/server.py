"""`standstill games fetch`, `send`, `account`: the connection to servers that speak Xfcc."""

from __future__ import annotations

import json
from typing import TypedDict, Unpack

import click

from standstill.engine.clock.instants import find_zone
from standstill.engine.clock.parse import parse_control
from standstill.engine.common.text import shown
from standstill.engine.correspondence.servers.accounts import (
    ANY_EVENT,
    Account,
    accounts,
    add_account,
    remove_account,
)
from standstill.engine.correspondence.servers.bridge import Wishes
from standstill.engine.correspondence.servers.fetching import fetch_all
from standstill.engine.correspondence.servers.sending import ACCEPT, CLAIM, MOVE, RESIGN, Wanted, prepare
from standstill.engine.correspondence.servers.sending import send as send_prepared
from standstill.engine.correspondence.servers.xfcc import Server, XfccError, credentials

from ..messages import tell, warn
from . import confirm, json_option, open_desk

user_option = click.option(
    "--user", help="Your name on the server; default: the user of the game's account, or $STANDSTILL_XFCC_USER."
)


@click.command()
@click.argument("url", required=False)
@click.option(
    "--control",
    metavar="CLOCK",
    help="Clock of games that are new in the store, such as 50/75/1, if the server does not give one.",
)
@click.option(
    "--game",
    "named",
    multiple=True,
    metavar="ID=NAME",
    help="Keep the server's game ID under NAME: a game that you have entered by hand, or a new one.",
)
@click.option(
    "--refills-entered",
    is_flag=True,
    help="Confirm that all your manual refills and claims are in the store, so that `fetch` can infer more times.",
)
@click.option("--tz", "zone", help="Time zone in which the server's events start at 00:00; default: UTC.")
@user_option
@click.pass_obj
def fetch(  # noqa: PLR0917 (by name)
    path: str | None,
    url: str | None,
    control: str | None,
    named: tuple[str, ...],
    refills_entered: bool,
    zone: str | None,
    user: str | None,
) -> int:
    """Store your games on the Xfcc server at URL, with their clocks.

    Without URL the games of all stored accounts are fetched. The command prints what has changed. The command infers
    banks and manual refills from the clocks and the time that has passed. Values that cannot be inferred are marked
    as unknown, with their limits. A game that you may have entered by hand is refused until --game names it. The
    password comes from $STANDSTILL_XFCC_PASSWORD or from the system's keyring. The command never stores or shows the
    password.
    """
    wishes = Wishes(
        None if control is None else parse_control(control),
        zone=find_zone(zone or "UTC"),
        refills_entered=refills_entered,
    )
    names = _names(named)
    if url is not None:
        return _fetch(path, Server(url, *credentials(url, user)), wishes, names, None)
    if names or user is not None:
        raise click.UsageError("expected URL with --game and --user")
    known = accounts(open_desk(path, create=True))
    if not known:
        raise click.UsageError("expected URL, or a stored account: `games account add URL USER`")
    status = 0
    for account in known:
        tell(f"{account.user} at {account.url}")
        try:
            server = Server(account.url, *credentials(account.url, account.user))
            status = max(status, _fetch(path, server, wishes, {}, account))
        # the fetch continues, because the other accounts may be on other servers, or have other passwords
        except XfccError as error:
            warn(str(error))
            status = 2
    return status


def _fetch(path: str | None, server: Server, wishes: Wishes, names: dict[str, str], account: Account | None) -> int:
    report = fetch_all(open_desk(path, create=True), server, wishes, names, account)
    for line in report.lines():
        tell(line)
    for problem in report.problems:
        warn(problem)
    return 2 if report.problems else 0


def _names(named: tuple[str, ...]) -> dict[str, str]:
    """The names given with --game, by the server's id."""
    names: dict[str, str] = {}
    for text in named:
        number, equals, name = text.partition("=")
        if not (number and equals and name):
            raise click.UsageError(f"--game: expected ID=NAME, found {shown(text)}")
        if number in names:
            raise click.UsageError(f"--game: {shown(number)} is named twice")
        names[number] = name
    return names


class Actions(TypedDict):
    """The options of `send` that name an action."""

    resign: bool
    accept_draw: bool
    claim_draw: bool


@click.command()
@click.argument("name")
@click.argument("move", required=False)
@click.option("--draw", is_flag=True, help="Offer a draw with the move.")
@click.option("--message", default="", help="Text for the opponent.")
@click.option("--resign", is_flag=True, help="Resign the game.")
@click.option("--accept-draw", is_flag=True, help="Accept the draw that the opponent has offered.")
@click.option("--claim-draw", is_flag=True, help="Claim a draw in the current position, or with MOVE.")
@click.option("--preview", is_flag=True, help="Only print what would be sent.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@user_option
@click.pass_obj
def send(  # noqa: PLR0917 (by name)
    path: str | None,
    name: str,
    move: str | None,
    draw: bool,
    message: str,
    preview: bool,
    yes: bool,
    user: str | None,
    **actions: Unpack[Actions],
) -> None:
    """Send your MOVE or another action in game NAME to its server.

    The command shows what the server will get, and asks for confirmation. Without MOVE it sends the move that you have
    entered with `move`. The move is stored before it is sent, and removed if the server refuses it. A move declines a
    draw offer. Xfcc cannot claim a win: claim it on the server's page, and enter the claim with `claim`.
    """
    desk = open_desk(path)
    sending = prepare(desk, name, Wanted(_action(actions), move, draw, message, user))
    if preview:
        for what, value in sending.details:
            tell(f"{what}: {value}")
        return
    if not yes:
        confirm(f"{sending.summary}?", f"{sending.name}: not sent")
    tell(send_prepared(desk, sending, Server(sending.url, *credentials(sending.url, sending.user))))


def _action(actions: Actions) -> str:
    wanted = ((RESIGN, actions["resign"]), (ACCEPT, actions["accept_draw"]), (CLAIM, actions["claim_draw"]))
    chosen = [action for action, is_wanted in wanted if is_wanted]
    if len(chosen) > 1:
        raise click.UsageError("expected one of --resign, --accept-draw and --claim-draw")
    return chosen[0] if chosen else MOVE


@click.group()
def account() -> None:
    """Manage your accounts on servers.

    An account fetches and sends only the games of its events. Passwords are not stored here: they come from variables
    $STANDSTILL_XFCC_PASSWORD_USER, where USER is the user's name in capitals, or from the system's keyring.
    """


@account.command("add")
@click.argument("url")
@click.argument("user")
@click.option(
    "--event",
    "events",
    multiple=True,
    metavar="PATTERN",
    help="Events of the account, such as 'WT/*'; may be given more than once; default: all.",
)
@click.option("--control", metavar="CLOCK", help="Clock of new games, if the server does not give one.")
@click.option(
    "--refills-entered",
    is_flag=True,
    help="Confirm that you will enter all your manual refills and claims here, so that `fetch` can infer more times.",
)
@click.pass_obj
def add(  # noqa: PLR0917 (by name)
    path: str | None, url: str, user: str, events: tuple[str, ...], control: str | None, refills_entered: bool
) -> None:
    """Add USER's account at URL, or change its settings."""
    desk = open_desk(path, create=True)
    add_account(desk, Account(url, user, events or (ANY_EVENT,), control, refills_entered))
    known = next(each for each in accounts(desk) if (each.url, each.user) == (url, user))
    tell(f"{_account_text(known)}: stored")


@account.command("list")
@json_option
@click.pass_obj
def list_accounts(path: str | None, as_json: bool) -> None:
    """List the accounts."""
    known = accounts(open_desk(path, reading=True))
    if as_json:
        click.echo(json.dumps([_account_json(each) for each in known]))
        return
    for each in known:
        tell(_account_text(each))
    if not known:
        tell("no accounts")


@account.command("remove")
@click.argument("url")
@click.argument("user")
@click.pass_obj
def remove(path: str | None, url: str, user: str) -> int:
    """Remove USER's account at the server URL.

    Its password is removed from the system's keyring. Its games are kept.
    """
    ending, problem = remove_account(open_desk(path), url, user)
    tell(f"{user} at {url}: removed{ending}")
    if problem:
        warn(problem)
    return 2 if problem else 0


def _account_text(account: Account) -> str:
    events = "all events" if account.events == (ANY_EVENT,) else f"events {', '.join(account.events)}"
    control = f", {account.control}" if account.control else ""
    return (
        f"{account.user} at {account.url}, {events}{control}"
        + ", all refills and claims entered" * account.refills_entered
    )


def _account_json(account: Account) -> dict[str, object]:
    return {
        "url": account.url,
        "user": account.user,
        "events": list(account.events),
        "control": account.control,
        "refills_entered": account.refills_entered,
    }


COMMANDS = {"fetch": fetch, "send": send, "account": account}
