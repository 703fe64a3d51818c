"""Actions on the server: resignation, draws and claims, as previewed and confirmed; several accounts."""

from __future__ import annotations

import json

import pytest

from tests.correspondence.support import ENV, NAME, names, shown
from tests.correspondence.xfcc_server import CAPTAIN, PASSWORD, USER, XfccServer

SHUFFLE = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"


def test_a_resignation_is_previewed_confirmed_and_stored(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    told = games("send", NAME, "--resign", "--message", "Well played", "--preview", env=ENV).stdout
    assert told == (
        f"server: {server.url}\naccount: {USER}\ngame: 17, Nowak, Jan - Smith & Sons, WT/M/1\nresign: yes\n"
        "message: Well played\n"
    )
    done = games("send", NAME, "--resign", "--message", "Well played", env=ENV, input="n\n", status=130)
    assert f"resign with the message 'Well played' in {NAME} to {server.url} as {USER}? [y/N]" in done.stdout
    assert server.actions == [] and shown(games)["result"] == "*"
    done = games("send", NAME, "--resign", env=ENV, input="y\n")
    assert f"{NAME}: resigned\n" in done.stdout
    assert server.actions[0]["resign"] == "true" and server.actions[0]["myMove"] == ""
    assert shown(games)["result"] == "0-1" and shown(games)["log"][-1]["reason"] == "resignation"
    assert "nothing new" in fetch().stdout
    assert "is over" in games("send", NAME, "--resign", "--yes", env=ENV, status=2).stderr
    games("check")


def test_a_draw_is_accepted_only_if_it_is_offered(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    assert "no draw is offered" in games("send", NAME, "--accept-draw", "--yes", env=ENV, status=2).stderr
    server.games["17"]["drawOffered"] = "true"
    assert "a draw is offered" in fetch().stdout
    told = games("send", NAME, "Nf3", env=ENV, input="n\n", status=130).stdout
    assert "send 2.Nf3, which declines the draw that is offered, in" in told
    assert f"{NAME}: draw accepted" in games("send", NAME, "--accept-draw", "--yes", env=ENV).stdout
    assert [action["acceptDraw"] for action in server.actions] == ["true"] and server.games["17"]["result"] == "Draw"
    assert (shown(games)["result"], shown(games)["log"][-1]["reason"]) == ("1/2-1/2", "agreement")
    assert "nothing new" in fetch().stdout


def test_a_move_declines_the_draw(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5", drawOffered="true")
    fetch()
    games("send", NAME, "Nf3", "--yes", env=ENV)
    assert server.games["17"]["drawOffered"] == "false" and server.actions[0]["acceptDraw"] == "false"
    assert "no draw is offered" in games("send", NAME, "--accept-draw", "--yes", env=ENV, status=2).stderr


def test_a_draw_is_claimed_by_the_rules(games, server: XfccServer, fetch) -> None:
    server.add("17", f"{SHUFFLE}")
    fetch()
    assert "claim a draw in" in games("send", NAME, "--claim-draw", env=ENV, input="n\n", status=130).stdout
    games("send", NAME, "--claim-draw", "--yes", env=ENV)
    assert server.games["17"]["result"] == "AdjudicationPending" and server.actions[0]["claimDraw"] == "true"
    assert shown(games)["status"] == "claimed" and server.boards["17"].is_repetition(3)
    server.games["17"]["result"] = "DrawAdjudicated"
    assert "ended 1/2-1/2" in fetch().stdout
    games("check")


@pytest.mark.slow
def test_a_draw_is_claimed_with_the_move_that_repeats(games, server: XfccServer, fetch) -> None:
    server.add("18", SHUFFLE.rpartition(" ")[0], event="WT/M/2", hasWhite="false")
    fetch()
    name = next(each for each in names(games) if each.endswith("18"))
    assert "no draw to claim" in games("send", name, "Nd5", "--claim-draw", "--yes", env=ENV, status=2).stderr
    done = games("send", name, "Ng8", "--claim-draw", env=ENV, input="y\n")
    assert "4...Ng8 with the claim of a draw in" in done.stdout
    assert server.boards["18"].is_repetition(3) and server.actions[-1]["claimDraw"] == "true"
    assert shown(games, name)["moves"][-1] == "f6g8" and shown(games, name)["status"] == "claimed"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("action", ["--resign", "--accept-draw"])
def test_an_act_that_gets_no_answer_is_not_stored(games, server: XfccServer, fetch, action: str) -> None:
    server.add("17", "e4 e5", drawOffered="true")
    fetch()
    server.break_off = True
    told = games("send", NAME, action, "--yes", env=ENV, status=2).stderr
    assert "nothing is stored, but the server may have it: run `games fetch`" in told
    assert shown(games)["result"] == "*"
    assert "ended" in fetch().stdout and shown(games)["result"] != "*"


def test_acts_that_exclude_each_other_are_refused(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5", drawOffered="true")
    fetch()
    for options in (("--resign", "--accept-draw"), ("Nf3", "--resign"), ("--draw", "--accept-draw")):
        games("send", NAME, *options, "--yes", env=ENV, status=2)
    assert "no draw to claim" in games("send", NAME, "--claim-draw", "--yes", env=ENV, status=2).stderr
    assert server.actions == []


def test_each_account_fetches_and_sends_its_own_events(games, server: XfccServer) -> None:
    server.add("17", "e4 e5", event="WT/M/1")
    server.add("18", "d4 d5", event="TT/7")
    server.add("19", "c4 c5", event="OPEN/3")
    server.owners = {"18": CAPTAIN, "19": CAPTAIN}
    env = {"STANDSTILL_XFCC_PASSWORD_CAPTAIN": PASSWORD, "STANDSTILL_XFCC_PASSWORD_NOWAK": PASSWORD}
    assert "stored account" in games("fetch", status=2).stderr
    games("account", "add", server.url, USER, "--control", "50/75/1")
    told = games("account", "add", server.url, CAPTAIN, "--event", "TT/*", "--control", "D350").stdout
    assert told == f"{CAPTAIN} at {server.url}, events TT/*, 50/75/1: stored\n"
    told = games("fetch", env=env).stdout
    assert "1 game of other events skipped" in told and "no longer lists" not in told
    assert len(names(games)) == 2
    assert "no longer lists" not in games("fetch", env=env).stdout
    name = next(each for each in names(games) if each.endswith("18"))
    assert f"account: {CAPTAIN}" in games("send", name, "Nf3", "--preview", env=env).stdout
    denied = games("fetch", env=env | {"STANDSTILL_XFCC_PASSWORD_CAPTAIN": "old"}, status=2)
    assert "Authentication failed" in denied.stderr and f"{USER} at {server.url}" in denied.stdout  # the next account
    games("send", name, "Nf3", "--yes", env=env)
    assert server.actions[-1]["username"] == CAPTAIN
    told = games("account", "add", server.url, USER, "--refills-entered").stdout
    assert told == f"{USER} at {server.url}, all events, all refills and claims entered: stored\n"
    listed = json.loads(games("account", "list", "--json").stdout)
    assert [each["refills_entered"] for each in listed] == [False, True]
    assert [(each["user"], each["events"]) for each in listed] == [(CAPTAIN, ["TT/*"]), (USER, ["*"])]
    games("account", "remove", server.url, CAPTAIN)
    assert "no account of" in games("account", "remove", server.url, CAPTAIN, status=2).stderr
    assert f"account: {CAPTAIN}" in games("send", name, "--resign", "--preview", env=env).stdout


def test_the_rule_of_the_longest_pattern_names_the_account(games, server: XfccServer) -> None:
    games("account", "add", server.url, USER)
    games("account", "add", server.url, CAPTAIN, "--event", "TT/*")
    games("new", "t", "50/75/1", "--side", "white", "--event", "tt/7")
    games("edit", "t", "--link", server.url, "18", "--yes")
    assert f"account: {CAPTAIN}" in games("send", "t", "e4", "--preview").stdout
    games("account", "add", server.url, USER, "--event", "TT/*")
    assert "choose one with --user" in games("send", "t", "e4", "--preview", status=2).stderr
    assert f"account: {USER}" in games("send", "t", "e4", "--preview", "--user", USER).stdout
